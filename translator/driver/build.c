/* build.c - from a .mcu to a program.
 *
 * nvcc hands file names and -D values to a shell, so it only sees names that mesicc made: macros go
 * into a header and directories are refused where a shell would read them as more than a name. g++
 * is executed directly. */
#define _GNU_SOURCE
#include "translator/driver/build.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/explain_write.h"
#include "translator/driver/outputs.h"
#include "translator/driver/parts.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/sandbox.h"

int build_begin(struct arena *arena, const struct options *options, struct diag *diag,
                struct build *ret)
{
  *ret = (struct build){.options = options};
  paths_find(arena, options, diag, &ret->paths);
  bool gpu = ret->paths.nvcc && paths_have_gpu();
  ret->target = options->target != TARGET_AUTO ? options->target : gpu ? TARGET_CUDA : TARGET_CPU;
  if (ret->target == TARGET_CUDA && !ret->paths.nvcc) {
    diag_report(diag, DIAG_TOOL, NULL,
                "--target=cuda needs nvcc, which was not found (see --cuda-path)");
    return STATUS_USAGE;
  }
  if (options->keep) {
    mkdir(options->keep, 0777);
    ret->directory = options->keep;
  } else {
    const char *base = getenv("TMPDIR");
    char *made = arena_format(arena, "%s/mesicc-XXXXXX", base && *base ? base : "/tmp");
    ret->directory = mkdtemp(made);
  }
  struct stat info;
  if (ret->directory && !stat(ret->directory, &info) && S_ISDIR(info.st_mode)) {
    ret->types_file = arena_format(arena, "%s/types", ret->directory);
    return 0;
  }
  diag_report(diag, DIAG_OUTPUT, NULL, "cannot make a directory for the program: %s",
              strerror(errno));
  return STATUS_USAGE;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
  (void)info;
  (void)kind;
  (void)where;
  remove(path);
  return 0;
}

/* Not by a command: none is started once a signal has come. */
void build_end(struct arena *arena, const struct build *build)
{
  enum { DESCRIPTORS = 16 };
  (void)arena;
  if (build->options->keep || !build->directory || SEEDED(FOLDER_LEFT)) return;
  nftw(build->directory, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

int build_translate(struct arena *arena, const struct build *build, const struct options *wanted,
                    const char *emitted, struct diag *diag)
{
  struct options *options = ARENA_NEW(arena, struct options);
  *options = *wanted;
  options->verb = VERB_TRANSLATE;
  /* the emitted file does not stay */
  if (options->explain > EXPLAIN_TEXT && !options->explain_file)
    options->explain_file = explain_file_name(arena, options->explain, options->input);
  options->target = build->target;
  options->output = emitted;
  options->hook_launches = true;
  options->whole_program = !build->options->parts.count;
  options->depfile = false;
  options->dep_file = options->fragment = NULL;
  options->types_file = build->types_file;
  return sandbox_translate(options, diag);
}

/* ---- CPU ---- */

static void add_words(struct arena *arena, const struct string_list *words, struct command *command)
{
  for (unsigned i = 0; i < words->count; i++) command_add(arena, command, words->items[i]);
}

static void add_includes(struct arena *arena, const struct build *build, struct command *command)
{
  command_add(arena, command, "-I");
  command_add(arena, command, file_directory(arena, build->options->input));
  add_words(arena, &build->options->build_args, command);
}

/* Instrumented code needs: indices out of range are an event, not something to conclude from; the
 * right side of an assignment before the left; kernels that are kept as written under
 * AddressSanitizer. */
static void add_check_flags(struct arena *arena, const struct build *build, const char *compiler,
                            const char *emitted, struct command *command)
{
  const char *text = "";
  size_t length;
  bool clang = strstr(file_name(compiler), "clang") != NULL;
  if (!clang) command_add(arena, command, "-fno-aggressive-loop-optimizations");
  if (!clang && strstr(build->options->standard, "14"))
    command_add(arena, command, "-fstrong-eval-order");
  if (file_read(arena, emitted, &text, &length) == FILE_OK &&
      strstr(text, "#define MESI_CHECK_ASAN 1"))
    command_add(arena, command, "-fsanitize=address");
}

static void compile_cpu(struct arena *arena, const struct build *build, const char *emitted,
                        const char *program, struct command *command)
{
  const char *compiler = build->options->host_compiler ? build->options->host_compiler : "g++";
  const char *const flags[] = {"-O2",     "-g", "-w", "-ffp-contract=off", "-fno-strict-aliasing",
                               "-pthread"};
  command_add(arena, command, compiler);
  command_add(arena, command, arena_format(arena, "-std=%s", build->options->standard));
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) command_add(arena, command, flags[i]);
  add_words(arena, &build->options->host_args, command);
  if (build->options->check) add_check_flags(arena, build, compiler, emitted, command);
  add_includes(arena, build, command);
  const char *const own[] = {build->paths.runtime, build->paths.cpu, build->paths.surface};
  for (unsigned i = 0; i < 3; i++) {
    command_add(arena, command, "-isystem");
    command_add(arena, command, own[i]);
  }
  if (build->paths.cccl) {
    command_add(arena, command, "-idirafter");
    command_add(arena, command, build->paths.cccl);
  }
  command_add(arena, command, "-x");
  command_add(arena, command, "c++");
  command_add(arena, command, emitted);
  command_add(arena, command, "-x");
  command_add(arena, command, "none");
  for (unsigned i = 0; i < build->objects.count; i++)
    command_add(arena, command, build->objects.items[i]);
  command_add(arena, command, build->paths.cpu_library);
  command_add(arena, command, build->paths.cpu_core_library);
  command_add(arena, command, build->paths.cpu_library);
  add_words(arena, &build->options->link_args, command);
  const char *const libraries[] = {"-lboost_context", "-ldl", "-lm", "-o"};
  for (unsigned i = 0; i < sizeof libraries / sizeof *libraries; i++)
    command_add(arena, command, libraries[i]);
  command_add(arena, command, program);
}

void build_check_environment(struct arena *arena, const char *mark, struct string_list *environment)
{
  *ARENA_PUSH(arena, environment) = arena_format(arena, "MESI_CHECK_MARK=%s", mark);
}

/* ---- CUDA ---- */

static bool safe_for_shell(const char *text)
{
  return !strpbrk(text, "`$\"\\';&|<>()*?#~!{}[]\n\r\t ");
}

bool build_add_macro(struct text *header, const char *word)
{
  size_t name = strcspn(word, "=");
  if (!strncmp(word, "-D", 2))
    text_format(header, "#define %.*s %s\n", (int)name - 2, word + 2,
                word[name] ? word + name + 1 : "1");
  else if (!strncmp(word, "-U", 2))
    text_format(header, "#undef %s\n", word + 2);
  else
    return false;
  return true;
}

/* The user's macros as a header, the other arguments checked. */
static int add_nvcc_args(struct arena *arena, const struct build *build, struct diag *diag,
                         struct command *command)
{
  struct text header = {0};
  const struct string_list *args = &build->options->build_args;
  int result = 0;
  for (unsigned i = 0; i < args->count && !result; i++) {
    const char *word = args->items[i];
    if (build_add_macro(&header, word)) {
      continue;
    } else if (safe_for_shell(word)) {
      command_add(arena, command, word);
    } else {
      diag_report(diag, DIAG_USAGE, NULL,
                  "'%s' cannot be handed to nvcc: it has characters that a shell would read", word);
      result = -1;
    }
  }
  const char *path = arena_format(arena, "%s/macros.h", build->directory);
  if (!result && header.length) {
    result = file_write(path, text_string(&header), header.length);
    command_add(arena, command, "-include");
    command_add(arena, command, path);
  }
  text_finish(&header);
  return result;
}

static int compile_cuda(struct arena *arena, const struct build *build, const char *emitted,
                        const char *program, struct diag *diag, struct command *command)
{
  command_add(arena, command, build->paths.nvcc);
  const char *const flags[] = {"-O3", "--extended-lambda", "--expt-relaxed-constexpr"};
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) command_add(arena, command, flags[i]);
  command_add(arena, command, arena_format(arena, "-std=%s", build->options->standard));
  command_add(arena, command,
              arena_format(arena, "-arch=%s",
                           build->options->arch_text ? build->options->arch_text : "native"));
  if (build->options->host_compiler) {
    command_add(arena, command, "-ccbin");
    command_add(arena, command, build->options->host_compiler);
  }
  if (add_nvcc_args(arena, build, diag, command)) return -1;
  add_words(arena, &build->options->nvcc_args, command);
  for (unsigned i = 0; i < build->options->host_args.count; i++) {
    command_add(arena, command, "-Xcompiler");
    command_add(arena, command, build->options->host_args.items[i]);
  }
  command_add(arena, command, "-I");
  command_add(arena, command, file_directory(arena, build->options->input));
  command_add(arena, command, "-I");
  command_add(arena, command, build->paths.runtime);
  command_add(arena, command, emitted);
  for (unsigned i = 0; i < build->objects.count; i++)
    command_add(arena, command, build->objects.items[i]);
  command_add(arena, command, build->paths.cuda_library);
  add_words(arena, &build->options->link_args, command);
  command_add(arena, command, "-o");
  command_add(arena, command, program);
  for (unsigned i = 0; i < command->words.count; i++)
    if (!safe_for_shell(command->words.items[i])) {
      diag_report(diag, DIAG_USAGE, NULL,
                  "'%s' cannot be handed to nvcc: it has characters that a shell would read",
                  command->words.items[i]);
      return -1;
    }
  return 0;
}

/* With --keep the folder may hold files of the program. */
static int check_kept(struct arena *arena, const struct build *build, const char *emitted,
                      const char *program, struct diag *diag)
{
  struct string_list inputs = {0}, outputs = {0};
  outputs_add_inputs(arena, build->options, &inputs);
  const char *all[] = {emitted, program, build->types_file,
                       arena_format(arena, "%s/macros.h", build->directory)};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) *ARENA_PUSH(arena, &outputs) = all[i];
  for (unsigned i = 0; i < build->options->parts.count; i++)
    *ARENA_PUSH(arena, &outputs) = arena_format(arena, "%s/part_%u.o", build->directory, i);
  return outputs_check(&inputs, &outputs, diag) ? STATUS_USAGE : 0;
}

int build_variant(struct arena *arena, struct build *build, const struct options *wanted,
                  const char *name, struct diag *diag, const char **ret_program)
{
  const char *emitted = arena_format(arena, "%s/%s.%s", build->directory, name,
                                     build->target == TARGET_CPU ? "cpp" : "cu");
  const char *program = arena_format(arena, "%s/%s", build->directory, name);
  int status = check_kept(arena, build, emitted, program, diag);
  if (!status) status = parts_compile(arena, build, diag);
  if (!status) status = build_translate(arena, build, wanted, emitted, diag);
  if (status) return status;
  struct command command = {0};
  if (build->target == TARGET_CPU)
    compile_cpu(arena, build, emitted, program, &command);
  else if (compile_cuda(arena, build, emitted, program, diag, &command))
    return STATUS_USAGE;
  int result = command_run(arena, &command, build->options->verbose);
  if (process_interrupted()) return process_interrupted();
  if (result == 127 || result < 0) {
    diag_report(diag, DIAG_TOOL, NULL, "'%s' cannot be run", command.words.items[0]);
    return STATUS_USAGE;
  }
  if (result) {
    diag_report(diag, DIAG_BUILD, &(struct diag_place){.file = build->options->input},
                "%s did not compile the emitted file (exit status %d)", command.words.items[0],
                result);
    return STATUS_SOURCE;
  }
  *ret_program = program;
  return 0;
}

int build_program(struct arena *arena, struct build *build, enum plan_level level,
                  struct diag *diag, const char **ret_program)
{
  struct options wanted = *build->options;
  wanted.level = level;
  return build_variant(arena, build, &wanted, arena_format(arena, "program_O%d", (int)level), diag,
                       ret_program);
}
