/* verbs.h - the verbs of the program; each returns its exit status: 0, 1 for bad use, 2 for a
 * failed check. */
#ifndef JUNCTION_VERBS_H
#define JUNCTION_VERBS_H

#ifdef __cplusplus
extern "C" {
#endif

int junction_command(int argc, char **argv); /* all of the command line */
int junction_bench(int argc, char **argv);
int junction_figures(int argc, char **argv);
int junction_check(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
