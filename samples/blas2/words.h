/* words.h - the options of a verb: pairs of a name and a value. */
#ifndef BLAS2_WORDS_H
#define BLAS2_WORDS_H

#include "blas2.h"

/* Are all words from the first on options of `known` (ends with NULL)? "--n": with a number from 1
 * on; "--edges=whole|apart": with one of these words; "--cublas=": with any. 0: one is not, which
 * has been reported with the usage. */
int words_known(int argc, char **argv, const char *const *known);
long words_number(int argc, char **argv, const char *name, long other);
const char *words_value(int argc, char **argv, const char *name, const char *other);
void words_edges(int argc, char **argv); /* --edges whole|apart, to blas2_set_edges */
/* --symv rule|once|twice|atomic, to blas2_set_symv */
enum blas2_symv_way words_symv(int argc, char **argv);
void words_usage(int is_error);

#endif
