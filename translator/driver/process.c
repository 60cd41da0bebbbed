/* process.c - fork and exec. */
#include "translator/driver/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXEC_FAILED 127

void command_add(struct arena *arena, struct command *command, const char *word) {
  *ARENA_PUSH(arena, &command->words) = word;
}

static void redirect(const char *path, int fd) {
  if (!path) return;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) _exit(EXEC_FAILED);
  dup2(file, fd);
  close(file);
}

static void print(const struct command *command) {
  for (unsigned i = 0; i < command->environment.count; i++) fprintf(stderr, "%s ", command->environment.items[i]);
  for (unsigned i = 0; i < command->words.count; i++) fprintf(stderr, "%s%s", i ? " " : "", command->words.items[i]);
  fputc('\n', stderr);
}

int command_run(struct arena *arena, const struct command *command, bool verbose) {
  if (verbose) print(command);
  char **argv = arena_alloc(arena, (command->words.count + 1) * sizeof *argv);
  for (unsigned i = 0; i < command->words.count; i++) argv[i] = arena_string(arena, command->words.items[i]);
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) return -1;
  if (!pid) {
    redirect(command->out, 1);
    redirect(command->err, 2);
    for (unsigned i = 0; i < command->environment.count; i++)
      putenv(arena_string(arena, command->environment.items[i]));
    execvp(argv[0], argv);
    _exit(EXEC_FAILED);
  }
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
