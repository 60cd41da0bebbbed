/* words.h - the words of a command line, for the programs of both samples. Errors end the program.
 */
#ifndef MPF_WORDS_H
#define MPF_WORDS_H

/* Before the others: what messages begin with, and what follows an unknown word. */
void mpf_words_begin(const char *program, const char *usage);

/* The value of option `name` (--name VALUE) from the words; NULL where it is not given. */
const char *mpf_option(int argc, char **argv, const char *name);
int mpf_flag(int argc, char **argv, const char *name);
/* A number with suffix K, M or G; `other` where the option is not given; ends the program where it
 * is no number. */
double mpf_number(int argc, char **argv, const char *name, double other);
/* The word that is neither an option of `known` ("--a=", "--b": with and without value) nor a
 * value, NULL where there is none; ends the program where there are several, or an unknown option.
 */
const char *mpf_known(int argc, char **argv, const char *const *known);

#endif
