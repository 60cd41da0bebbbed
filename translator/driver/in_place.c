/* SPDX-License-Identifier: MIT */
/* in_place.c - mesicc nvcc ARGS: nvcc, with each CUDA source translated before it is compiled.
 *
 *     nvcc -Iinc -c src/a.cu -o a.o
 *     =>  translate src/a.cu to FOLDER/0/a.cu; where that differs:
 *         nvcc -Iinc -c FOLDER/0/a.cu -o a.o -Xcompiler -iquote,src -isystem RUNTIME
 *
 * In every case of trouble nvcc gets its arguments unchanged: for a source that cannot be taken or
 * has nothing to change, a phase without an object, or an emitted file that nvcc refuses. So errors
 * and exit status are nvcc's own. Emitted files have the names of their sources, since nvcc makes
 * the names of objects from them; #line names the sources. */
#define _GNU_SOURCE
#include "translator/driver/in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/build.h"
#include "translator/driver/nvcc_call.h"
#include "translator/driver/nvcc_depfile.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/sandbox.h"

enum { SIGNALLED = 128 }; /* exit statuses from here on are a signal's */

struct in_place {
  struct arena *arena;
  struct diag *diag;
  struct nvcc_call call;
  struct build build;     /* its folder, its paths */
  struct options options; /* for all translations */
  const char **emitted;   /* by input; NULL: nvcc gets the source */
  bool changed;           /* some input has an emitted file */
};

/* ---- the log ---- */

/* Writes a line with one call, since several processes of a build append to the file. */
static void log_line(struct in_place *p, const char *input, const char *text)
{
  const char *path = getenv("MESI_NVCC_LOG");
  int file = path && *path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  const char *line = arena_format(p->arena, "%s: %s\n", input, text);
  if (file < 0) return;
  if (write(file, line, strlen(line)) < 0) errno = 0;
  close(file);
}

static void tell_kept(struct in_place *p, const char *input, const char *why)
{
  log_line(p, input, arena_format(p->arena, "as it is: %s", why));
  diag_report(p->diag, DIAG_UNIT_KEPT, &(struct diag_place){.file = input},
              "the unit goes to nvcc as it is: %s", why);
}

/* "a.cu:7:3: error[M2001]: ..." without the place; several errors: the first. */
static const char *first_error(struct arena *arena, const char *messages)
{
  const char *error = strstr(messages, "error[");
  return error ? arena_copy(arena, error, strcspn(error, "\n")) : "its translation gave up";
}

static void copy_remarks(const char *messages)
{
  for (const char *line = messages; *line;) {
    size_t length = strcspn(line, "\n");
    fprintf(stderr, "%.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

/* ---- translation ---- */

static bool same_text(struct arena *arena, const char *a, const char *b)
{
  const char *text[2];
  size_t length[2];
  if (file_read(arena, a, &text[0], &length[0]) != FILE_OK ||
      file_read(arena, b, &text[1], &length[1]) != FILE_OK)
    return false;
  return length[0] == length[1] && !memcmp(text[0], text[1], length[0]);
}

static const char *read_messages(struct arena *arena, const char *path)
{
  const char *text;
  size_t length;
  return file_read(arena, path, &text, &length) == FILE_OK ? text : "";
}

/* The rule of the translation: the user's headers. */
static const char *rule_of(const struct in_place *p, unsigned i)
{
  return arena_format(p->arena, "%s/%u/rule", p->build.directory, i);
}

/* Diagnostics go into a file: nvcc will report the errors of the source. */
static int translate(struct in_place *p, unsigned i, const char *emitted, const char **ret_messages)
{
  const char *path = arena_format(p->arena, "%s/messages", p->build.directory);
  struct options options = p->options;
  struct diag diag = {.out = fopen(path, "w"),
                      .remarks = p->options.remarks,
                      .remark_filter = p->options.remark_filter};
  if (!diag.out) return STATUS_USAGE;
  options.input = p->call.inputs.items[i].path;
  options.output = emitted;
  options.dep_file = rule_of(p, i);
  int status = sandbox_translate(&options, &diag);
  fclose(diag.out);
  *ret_messages = read_messages(p->arena, path);
  return status;
}

static void translate_input(struct in_place *p, unsigned i)
{
  const char *input = p->call.inputs.items[i].path, *messages = "",
             *folder = arena_format(p->arena, "%s/%u", p->build.directory, i),
             *emitted = arena_format(p->arena, "%s/%s", folder, file_name(input));
  int status = mkdir(folder, 0777) ? STATUS_USAGE : translate(p, i, emitted, &messages);
  if (process_interrupted()) return;
  if (status) {
    tell_kept(p, input, first_error(p->arena, messages));
    return;
  }
  if (p->options.remarks) copy_remarks(messages);
  bool same = same_text(p->arena, input, emitted);
  log_line(p, input, same ? "nothing to change" : "changed");
  if (same) return;
  p->emitted[i] = emitted;
  p->changed = true;
}

/* ---- nvcc ---- */

static const char *compiler_of(const struct in_place *p)
{
  return p->call.compiler ? p->call.compiler : "nvcc";
}

/* Does the table of names of an object or archive have C names of libmesi's functions? */
static bool uses_library(const char *path)
{
  static const char name[] = "\0mesi_launch_";
  const char *bytes;
  size_t length;
  if (file_map(path, &bytes, &length) != FILE_OK) return false;
  return memmem(bytes, length, name, sizeof name - 1) != NULL;
}

static bool text_uses_library(struct arena *arena, const char *path)
{
  return strstr(read_messages(arena, path), "mesi_launch_begin(") != NULL;
}

/* Does the link need libmesi? Objects and archives are searched. A library of -l was linked with it
 * when it was built, or is named. */
static bool needs_library(const struct in_place *p)
{
  if (!p->call.links || SEEDED(IN_PLACE_UNLINKED)) return false;
  for (unsigned i = 0; i < p->call.words.count; i++) {
    const char *word = p->call.words.items[i], *dot = strrchr(word, '.');
    bool object = dot && *word != '-' && (!strcmp(dot, ".o") || !strcmp(dot, ".a"));
    if (object && uses_library(word)) return true;
  }
  for (unsigned i = 0; i < p->call.inputs.count && p->changed; i++)
    if (p->emitted[i] && text_uses_library(p->arena, p->emitted[i])) return true;
  return false;
}

static void add_library(struct in_place *p, struct command *command)
{
  if (!needs_library(p) || !file_exists(p->build.paths.cuda_library)) return;
  command_add(p->arena, command, p->build.paths.cuda_library);
  command_add(p->arena, command, "-lpthread");
}

/* Replaces this process by nvcc. */
static int become_nvcc(struct in_place *p)
{
  struct command command = {0};
  command_add(p->arena, &command, compiler_of(p));
  for (unsigned i = 0; i < p->call.words.count; i++)
    command_add(p->arena, &command, p->call.words.items[i]);
  add_library(p, &command);
  command_add(p->arena, &command, NULL);
  fflush(NULL);
  process_reset_signals();
  execvp(command.words.items[0], (char **)(void *)command.words.items);
  diag_report(p->diag, DIAG_TOOL, NULL, "'%s' cannot be started: %s", compiler_of(p),
              strerror(errno));
  return 127;
}

static const char *word_for(const struct in_place *p, unsigned at)
{
  for (unsigned i = 0; i < p->call.inputs.count; i++)
    if (p->call.inputs.items[i].at == at && p->emitted[i]) return p->emitted[i];
  return p->call.words.items[at];
}

/* Adds the folders that #include "..." of a source searches first. */
static void add_folders(struct in_place *p, struct command *command)
{
  for (unsigned i = 0; i < p->call.inputs.count; i++) {
    if (!p->emitted[i]) continue;
    const char *folder = file_directory(p->arena, p->call.inputs.items[i].path);
    command_add(p->arena, command, "-Xcompiler");
    command_add(p->arena, command, arena_format(p->arena, "-iquote,%s", folder));
  }
  command_add(p->arena, command, "-isystem");
  command_add(p->arena, command, p->build.paths.runtime);
}

/* Prints nvcc's output with the user's names. */
static void print_renamed(struct in_place *p, const char *path, FILE *out)
{
  const char *text = read_messages(p->arena, path);
  while (*text) {
    const char *next = NULL, *name = NULL;
    size_t length = strlen(text);
    for (unsigned i = 0; i < p->call.inputs.count; i++) {
      const char *found = p->emitted[i] ? strstr(text, p->emitted[i]) : NULL;
      if (!found || (next && found > next)) continue;
      next = found;
      name = p->call.inputs.items[i].path;
      length = strlen(p->emitted[i]);
    }
    fwrite(text, 1, next ? (size_t)(next - text) : length, out);
    if (next) fputs(name, out);
    text = next ? next + length : text + length;
  }
  fflush(out);
}

static void rename_dependencies(struct in_place *p)
{
  for (unsigned i = 0; i < p->call.inputs.count; i++) {
    const char *input = p->call.inputs.items[i].path,
               *path = nvcc_call_depfile(p->arena, &p->call, input);
    if (!p->emitted[i] || !path || SEEDED(IN_PLACE_DEPFILE)) continue;
    const struct nvcc_depfile wanted = {.path = path,
                                        .emitted = p->emitted[i],
                                        .input = input,
                                        .runtime = p->build.paths.runtime,
                                        .dependencies = rule_of(p, i)};
    if (nvcc_depfile_rename(p->arena, &wanted))
      diag_report(p->diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
                  "the file cannot be written: %s", strerror(errno));
  }
}

static int run_translated(struct in_place *p)
{
  struct command command = {
      .out = arena_format(p->arena, "%s/out", p->build.directory),
      .err = arena_format(p->arena, "%s/err", p->build.directory),
  };
  command_add(p->arena, &command, compiler_of(p));
  for (unsigned i = 0; i < p->call.words.count; i++)
    command_add(p->arena, &command, word_for(p, i));
  add_folders(p, &command);
  add_library(p, &command);
  *ARENA_PUSH(p->arena, &command.environment) = "MESI_NVCC_INSIDE=1";
  int status = command_run(p->arena, &command, false);
  if (status) return status;
  print_renamed(p, command.out, stdout);
  print_renamed(p, command.err, stderr);
  rename_dependencies(p);
  return 0;
}

/* ---- the whole ---- */

/* Reads the words that options_parse knows, for any of the inputs. */
static int settle(struct in_place *p)
{
  struct string_list words = {0};
  const struct string_list *lists[] = {&p->call.wanted, &p->call.own};
  *ARENA_PUSH(p->arena, &words) = "mesicc";
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < lists[k]->count; i++)
      *ARENA_PUSH(p->arena, &words) = lists[k]->items[i];
  const char *more = getenv("MESI_NVCC_FLAGS");
  for (size_t length; more && *more; more += length) {
    more += strspn(more, " \t");
    length = strcspn(more, " \t");
    if (length) *ARENA_PUSH(p->arena, &words) = arena_copy(p->arena, more, length);
  }
  *ARENA_PUSH(p->arena, &words) = p->call.inputs.items[0].path;
  return options_parse(p->arena, (int)words.count, (char **)(void *)words.items, p->diag,
                       &p->options);
}

/* The same without an error for an option that mesicc refuses: nvcc may know it. */
static int settle_quietly(struct in_place *p)
{
  char *text = NULL;
  size_t length = 0;
  struct diag *outer = p->diag, quiet = {.out = open_memstream(&text, &length)};
  if (!quiet.out) return -1;
  p->diag = &quiet;
  int failed = settle(p);
  p->diag = outer;
  fclose(quiet.out);
  if (failed) p->call.kept = first_error(p->arena, text);
  free(text);
  return failed;
}

static void begin(struct in_place *p)
{
  p->options.target = TARGET_CUDA;
  if (p->call.compiler && strchr(p->call.compiler, '/'))
    p->options.toolkit = paths_toolkit_of(p->arena, p->call.compiler);
  p->diag->remarks = p->options.remarks;
  p->diag->remark_filter = p->options.remark_filter;
  p->emitted = arena_alloc(p->arena, (p->call.inputs.count + 1) * sizeof *p->emitted);
}

static int translate_and_compile(struct in_place *p)
{
  begin(p);
  process_catch_signals();
  int status = build_begin(p->arena, &p->options, p->diag, &p->build);
  if (status) {
    for (unsigned i = 0; i < p->call.inputs.count; i++)
      tell_kept(p, p->call.inputs.items[i].path, "mesicc cannot begin");
    return become_nvcc(p);
  }
  for (unsigned i = 0; i < p->call.inputs.count && !process_interrupted(); i++)
    translate_input(p, i);
  status = p->changed && !process_interrupted() ? run_translated(p) : 0;
  build_end(p->arena, &p->build);
  if (process_interrupted()) return process_interrupted();
  if (p->changed && (!status || status >= SIGNALLED)) return status;
  for (unsigned i = 0; i < p->call.inputs.count; i++) {
    if (p->emitted[i])
      tell_kept(p, p->call.inputs.items[i].path, "nvcc fails with the emitted file");
    p->emitted[i] = NULL;
  }
  p->changed = false;
  return become_nvcc(p);
}

int in_place_run(struct arena *arena, int argc, char **argv, struct diag *diag)
{
  struct in_place p = {.arena = arena, .diag = diag};
  struct options none = {0};
  nvcc_call_read(arena, argc, argv, &p.call);
  paths_find(arena, &none, diag, &p.build.paths);
  diag->remarks = p.call.own.count > 0;
  bool inside = getenv("MESI_NVCC_INSIDE") != NULL;
  setenv("MESI_NVCC_INSIDE", "1", 1);
  if (inside || !p.call.inputs.count) return become_nvcc(&p);
  if (p.call.kept || settle_quietly(&p)) {
    for (unsigned i = 0; i < p.call.inputs.count; i++)
      tell_kept(&p, p.call.inputs.items[i].path, p.call.kept);
    return become_nvcc(&p);
  }
  return translate_and_compile(&p);
}
