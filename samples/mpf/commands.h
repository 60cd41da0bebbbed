/* commands.h - the verbs of the program; each returns its exit status: 0, 1 for bad use or input, 2 for a failed check. */
#ifndef MPF_COMMANDS_H
#define MPF_COMMANDS_H

int mpf_command_solve(int argc, char **argv);
int mpf_command_bench(int argc, char **argv);
int mpf_command_check(int argc, char **argv);

/* For all of them: takes the value of option `name` (--name VALUE) from the words; NULL where it is not given. */
const char *mpf_option(int argc, char **argv, const char *name);
int mpf_flag(int argc, char **argv, const char *name);
/* A number with suffix K, M or G; `other` where the option is not given; ends the program where it is no number. */
double mpf_number(int argc, char **argv, const char *name, double other);
/* The word that is neither an option of `known` ("--a=", "--b": with and without value) nor a value, NULL where there is none;
 * ends the program where there are several, or an unknown option. */
const char *mpf_known(int argc, char **argv, const char *const *known);

#endif
