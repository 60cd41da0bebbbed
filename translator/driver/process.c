/* SPDX-License-Identifier: MIT */
/* process.c - fork and exec, and the signals that end mesicc.
 *
 *     kill -TERM mesicc      =>  the program gets SIGTERM;
 *         mesicc waits for it, removes its folder, ends with 143
 *     control-C              =>  the terminal sends SIGINT to both; it is not sent on
 *     kill -KILL mesicc      =>  the system sends SIGKILL to the program (PR_SET_PDEATHSIG)
 */
#define _GNU_SOURCE
#include "translator/driver/process.h"
#include "translator/driver/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/seeded.h"

#define EXEC_FAILED 127

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDING = sizeof ending / sizeof *ending };

static volatile sig_atomic_t received; /* the last signal received; 0: none */
static volatile pid_t running;         /* 0: no command */

/* Passes the signal on to the command. The terminal has sent its own signals to the whole
 * foreground already. */
static void on_signal(int number, siginfo_t *info, void *context)
{
  (void)context;
  int saved = errno;
  received = number;
  if (running > 0 && info->si_code <= 0 && !SEEDED(SIGNAL_NOT_SENT_ON)) kill(running, number);
  errno = saved;
}

void process_catch_signals(void)
{
  for (unsigned i = 0; i < ENDING; i++) {
    struct sigaction before, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigemptyset(&ours.sa_mask);
    if (!sigaction(ending[i], NULL, &before) && before.sa_handler != SIG_IGN)
      sigaction(ending[i], &ours, NULL);
  }
}

int process_interrupted(void) { return received ? 128 + (int)received : 0; }

/* Holds signals between fork and the note of the child. */
static sigset_t hold_signals(void)
{
  sigset_t set, before;
  sigemptyset(&set);
  for (unsigned i = 0; i < ENDING; i++) sigaddset(&set, ending[i]);
  sigprocmask(SIG_BLOCK, &set, &before);
  return before;
}

static void end_with_parent(pid_t parent)
{
  if (!SEEDED(ORPHAN_LEFT)) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXEC_FAILED);
}

void command_add(struct arena *arena, struct command *command, const char *word)
{
  *ARENA_PUSH(arena, &command->words) = word;
}

static void redirect(const char *path, int fd)
{
  if (!path) return;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) _exit(EXEC_FAILED);
  dup2(file, fd);
  close(file);
}

static void print(const struct command *command)
{
  for (unsigned i = 0; i < command->environment.count; i++)
    fprintf(stderr, "%s ", command->environment.items[i]);
  for (unsigned i = 0; i < command->words.count; i++)
    fprintf(stderr, "%s%s", i ? " " : "", command->words.items[i]);
  fputc('\n', stderr);
}

/* The program does not inherit a handler of mesicc; ignored signals stay ignored. */
static void reset_signal(int number)
{
  struct sigaction now;
  if (!sigaction(number, NULL, &now) && now.sa_handler != SIG_IGN) signal(number, SIG_DFL);
}

void process_reset_signals(void)
{
  for (unsigned i = 0; i < ENDING; i++) reset_signal(ending[i]);
}

static void execute(const struct command *command, char **argv)
{
  redirect(command->out, 1);
  redirect(command->err, 2);
  for (unsigned i = 0; i < command->environment.count; i++)
    putenv((char *)(uintptr_t)command->environment.items[i]);
  execvp(argv[0], argv);
  _exit(EXEC_FAILED);
}

int command_run(struct arena *arena, const struct command *command, bool verbose)
{
  if (verbose) print(command);
  char **argv = arena_alloc(arena, (command->words.count + 1) * sizeof *argv);
  for (unsigned i = 0; i < command->words.count; i++)
    argv[i] = arena_string(arena, command->words.items[i]);
  fflush(NULL);
  if (process_interrupted()) return process_interrupted();
  sigset_t before = hold_signals();
  pid_t self = getpid(), pid = fork();
  if (!pid) {
    end_with_parent(self);
    process_reset_signals();
    signal(SIGXFSZ, SIG_DFL); /* ignored by main */
    sigprocmask(SIG_SETMASK, &before, NULL);
    execute(command, argv);
  }
  running = pid > 0 ? pid : 0;
  sigprocmask(SIG_SETMASK, &before, NULL);
  int status = 0, failed = pid < 0;
  pid_t done = 0;
  while (!failed && !done && progress_tick()) {
    done = waitpid(pid, &status, WNOHANG);
    if (!done) usleep(10000);
  }
  while (!failed && done <= 0 && (done = waitpid(pid, &status, 0)) < 0) failed = errno != EINTR;
  running = 0;
  if (failed) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
