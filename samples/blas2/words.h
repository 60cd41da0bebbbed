/* words.h - the options of a verb: names and values. */
#ifndef BLAS2_WORDS_H
#define BLAS2_WORDS_H

#include "blas2.h"

/* Reads the words; all have to be options of `known` (ends with NULL). "--n": with a number from 1
 * on; "--edges=whole|apart": with one of these words; "--cublas=": with any. Ends the program
 * where one is not, and behind --help. Before the others. */
void words_read(int argc, char **argv, const char *const *known);
long words_number(const char *name, long other);
const char *words_value(const char *name, const char *other);
void words_edges(void); /* --edges whole|apart, to blas2_set_edges */
/* --symv rule|once|twice|atomic, to blas2_set_symv */
enum blas2_symv_way words_symv(void);
enum blas2_panels words_panels(void); /* of --panels; nothing is set */
void words_usage(int is_error);

#endif
