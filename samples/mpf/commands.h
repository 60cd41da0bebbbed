/* commands.h - the verbs of the program; each returns its exit status: 0, 1 for bad use or input, 2
 * for a failed check. */
#ifndef MPF_COMMANDS_H
#define MPF_COMMANDS_H

#include <stdbool.h>

int mpf_command_solve(int argc, char **argv);
int mpf_command_bench(int argc, char **argv);
/* A file of bench, in the domains that are asked for; after the words were read. */
int mpf_bench_network(const char *path, const bool *domains, int repeats);
int mpf_command_sweep(int argc, char **argv);
int mpf_command_core(int argc, char **argv);
int mpf_command_check(int argc, char **argv);

#endif
