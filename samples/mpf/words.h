/* words.h - the words of a command line, for the programs of both samples. Errors end the program.
 */
#ifndef MPF_WORDS_H
#define MPF_WORDS_H

/* Before the others: what messages begin with, and what --help shows. */
void mpf_words_begin(const char *program, const char *usage);

/* Reads the words. Returns the one that is neither an option of `known` ("--a=", "--b": with and
 * without value) nor a value, NULL where there is none; ends the program where there are several,
 * or an unknown option, and behind --help. */
const char *mpf_known(int argc, char **argv, const char *const *known);
/* The same with any number of such words, which go to ret_words (room for argc). Their number. */
unsigned mpf_known_words(int argc, char **argv, const char *const *known, const char **ret_words);
/* The value of option `name` ("--name") among the words that were read; NULL where it is not given.
 */
const char *mpf_option(const char *name);
int mpf_flag(const char *name);
/* A number with suffix K, M or G; `otherwise` where the option is not given; ends the program where
 * it is no number. */
double mpf_number(const char *name, double otherwise);

#endif
