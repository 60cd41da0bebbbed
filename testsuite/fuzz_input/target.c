/* SPDX-License-Identifier: MIT */
/* target.c - the libFuzzer target: one translation in this process, from the options to the text.
 *
 *     -O1 --target=cpu -DN=4          first line: options, separated by blanks
 *     __global__ int a[N]; ...        the rest: the source
 *
 * What the sandbox does for a user is left out, so that a fault ends the process with a report: no
 * fork, no limits. libclang keeps its recovery from crashes: a crash inside it is the sandbox's
 * business and would end the run at every turn. The source stands in a memory file; whatever file
 * the options name for output, the text goes to /dev/null. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "translator/driver/guard_open.h"
#include "translator/driver/options.h"
#include "translator/driver/pipeline.h"

#define OPTIONS_BYTES 512u /* of the first line: a longer one is cut */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int source_fd;
static char source_path[32];
static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  source_fd = memfd_create("source", MFD_CLOEXEC);
  nowhere = fopen("/dev/null", "w");
  if (source_fd < 0 || !nowhere) return -1;
  snprintf(source_path, sizeof source_path, "/proc/self/fd/%d", source_fd);
  guard_open_enable();
  return 0;
}

static bool write_source(const uint8_t *data, size_t size)
{
  return !ftruncate(source_fd, 0) && pwrite(source_fd, data, size, 0) == (ssize_t)size;
}

/* Words with a meaning for files or for other processes would make a run depend on what lies in the
 * folder. */
static bool is_allowed(const char *word)
{
  return word[0] == '-' && strncmp(word, "-p", 2) && strncmp(word, "--keep", 6) &&
         strcmp(word, "-optf") && strcmp(word, "--options-file");
}

static void translate(struct arena *arena, char *line)
{
  char *words[OPTIONS_BYTES] = {"mesicc"}, *rest = NULL;
  int count = 1;
  for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest))
    if (is_allowed(word)) words[count++] = word;
  words[count++] = source_path;
  struct diag diag = {.out = nowhere};
  struct options options;
  if (options_parse(arena, count, words, &diag, &options) || options.help || options.version)
    return;
  diag.remarks = true;
  options.input = source_path;
  options.output = "/dev/null";
  if (options.depfile || options.dep_file) options.dep_file = "/dev/null";
  if (options.fragment) options.fragment = "/dev/null";
  pipeline_run(arena, &options, &diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const uint8_t *newline = memchr(data, '\n', size);
  size_t length = newline ? (size_t)(newline - data) : 0, skipped = newline ? length + 1 : 0;
  char line[OPTIONS_BYTES];
  if (length >= sizeof line) length = sizeof line - 1;
  memcpy(line, data, length);
  line[length] = '\0';
  if (!write_source(data + skipped, size - skipped)) return 0;
  struct arena *arena = arena_create();
  translate(arena, line);
  arena_destroy(arena);
  return 0;
}
