/* commands.h - the verbs. They take the words behind them and return the program's status: 0, 1
 * wrong words, 2 something failed. */
#ifndef BLAS2_COMMANDS_H
#define BLAS2_COMMANDS_H

int command_check(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_edges(int argc, char **argv);
int command_hessenberg(int argc, char **argv);
int command_bidiagonal(int argc, char **argv);
int command_tridiagonal(int argc, char **argv);

#endif
