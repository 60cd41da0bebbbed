/* SPDX-License-Identifier: MIT */
/* compile.c - the target's compiler on emitted files.
 *
 * nvcc hands file names and -D values to a shell, so that it only gets names that mesicc made:
 * macros go into a header, and directories with characters that a shell interprets are refused. g++
 * is executed directly. */
#include "translator/driver/compile.h"

#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"

static void add_words(struct arena *arena, const struct string_list *words, struct command *command)
{
  for (unsigned i = 0; i < words->count; i++) command_add(arena, command, words->items[i]);
}

/* ---- CPU ---- */

static void add_includes(struct arena *arena, const struct build *build, const char *input,
                         struct command *command)
{
  command_add(arena, command, "-I");
  command_add(arena, command, file_directory(arena, input));
  add_words(arena, &build->options->build_args, command);
}

/* Flags for instrumented code: the compiler draws no conclusions from indices out of range,
 * evaluates the right side of an assignment before the left, and builds kernels that are kept as
 * written under AddressSanitizer. */
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

/* Adds the words with which the host's compiler reads an emitted file. */
static void add_cpu_file(struct arena *arena, const struct build *build, const char *input,
                         const char *emitted, struct command *command)
{
  add_includes(arena, build, input, command);
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
}

static void begin_cpu(struct arena *arena, const struct build *build, const char *emitted,
                      struct command *command)
{
  const char *compiler = build->options->host_compiler ? build->options->host_compiler : "g++";
  const char *const flags[] = {"-O2",     "-g", "-w", "-ffp-contract=off", "-fno-strict-aliasing",
                               "-pthread"};
  command_add(arena, command, compiler);
  command_add(arena, command,
              arena_format(arena, "-std=%s", option_cpu_standard(build->options->standard)));
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) command_add(arena, command, flags[i]);
  add_words(arena, &build->options->host_args, command);
  if (build->options->check) add_check_flags(arena, build, compiler, emitted, command);
}

static bool has_word(const struct string_list *list, const char *word)
{
  for (unsigned i = 0; i < list->count; i++)
    if (!strcmp(list->items[i], word)) return true;
  return false;
}

static void link_cpu(struct arena *arena, const struct build *build,
                     const struct string_list *objects, const char *program,
                     struct command *command)
{
  if (has_word(&build->options->nvcc_args, "--shared")) command_add(arena, command, "-shared");
  add_words(arena, objects, command);
  add_words(arena, &build->objects, command);
  command_add(arena, command, build->paths.cpu_library);
  command_add(arena, command, build->paths.cpu_core_library);
  command_add(arena, command, build->paths.cpu_library);
  add_words(arena, &build->options->link_args, command);
  const char *const libraries[] = {"-lboost_context", "-ldl", "-lm", "-o"};
  for (unsigned i = 0; i < sizeof libraries / sizeof *libraries; i++)
    command_add(arena, command, libraries[i]);
  command_add(arena, command, program);
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

/* Adds the user's macros as a header, and the other arguments after a check. */
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
    } else if (!strcmp(word, "-iquote") && i + 1 < args->count) { /* gcc's, not nvcc's */
      word = args->items[++i];
      command_add(arena, command, "-Xcompiler");
      command_add(arena, command, arena_format(arena, "-iquote,%s", word));
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

/* Adds the arguments for linking; -Wl,... is gcc's. */
static void add_link_args(struct arena *arena, const struct build *build, struct command *command)
{
  const struct string_list *words = &build->options->link_args;
  for (unsigned i = 0; i < words->count; i++) {
    bool own = !strncmp(words->items[i], "-Wl,", 4);
    if (own) command_add(arena, command, "-Xlinker");
    command_add(arena, command, words->items[i] + (own ? 4 : 0));
  }
}

/* Adds the architecture. Without one, a program that runs at once is built for the present
 * device. */
static void add_arch(struct arena *arena, const struct build *build, struct command *command)
{
  const struct options *options = build->options;
  if (options->arch_args.count)
    add_words(arena, &options->arch_args, command);
  else if (!options->phase && !options->link)
    command_add(arena, command, "-arch=native");
}

static int begin_cuda(struct arena *arena, const struct build *build, const char *input,
                      struct diag *diag, struct command *command)
{
  command_add(arena, command, build->paths.nvcc);
  const char *const flags[] = {"-O3", "--extended-lambda", "--expt-relaxed-constexpr"};
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) command_add(arena, command, flags[i]);
  bool gnu = !strncmp(build->options->standard, "gnu", 3); /* not known to nvcc */
  command_add(
      arena, command,
      arena_format(arena, gnu ? "-Xcompiler=-std=%s" : "-std=%s", build->options->standard));
  add_arch(arena, build, command);
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
  command_add(arena, command, file_directory(arena, input));
  command_add(arena, command, "-I");
  command_add(arena, command, build->paths.runtime);
  return 0;
}

/* Is the CUDA library there? A package that was built without a toolkit has none. */
static int check_library(const struct build *build, struct diag *diag)
{
  const char *library = build->paths.cuda_library;
  if (file_exists(library)) return 0;
  diag_report(diag, DIAG_TOOL, &(struct diag_place){.file = library},
              "this library is not there, as mesicc was built without a CUDA toolkit; build mesicc "
              "where one is, or take --target=cpu");
  return STATUS_USAGE;
}

static void link_cuda(struct arena *arena, const struct build *build,
                      const struct string_list *objects, const char *program,
                      struct command *command)
{
  if (objects->count) command_add(arena, command, "-rdc=true");
  add_words(arena, objects, command);
  add_words(arena, &build->objects, command);
  command_add(arena, command, build->paths.cuda_library);
  add_link_args(arena, build, command);
  command_add(arena, command, "-o");
  command_add(arena, command, program);
}

static int check_for_shell(const struct command *command, struct diag *diag)
{
  for (unsigned i = 0; i < command->words.count; i++)
    if (!safe_for_shell(command->words.items[i])) {
      diag_report(diag, DIAG_USAGE, NULL,
                  "'%s' cannot be handed to nvcc: it has characters that a shell would read",
                  command->words.items[i]);
      return -1;
    }
  return 0;
}

/* ---- both ---- */

static int perform(struct arena *arena, const struct build *build, const struct command *command,
                   const char *input, struct diag *diag)
{
  if (build->target != TARGET_CPU && check_for_shell(command, diag)) return STATUS_USAGE;
  int result = command_run(arena, command, build->options->verbose);
  if (process_interrupted()) return process_interrupted();
  if (result == 127 || result < 0) {
    diag_report(diag, DIAG_TOOL, NULL, "'%s' cannot be run", command->words.items[0]);
    return STATUS_USAGE;
  }
  if (!result) return 0;
  diag_report(diag, DIAG_BUILD, &(struct diag_place){.file = input},
              "%s did not compile the emitted file (exit status %d)", command->words.items[0],
              result);
  return STATUS_SOURCE;
}

int compile_file(struct arena *arena, const struct build *build, const char *input,
                 const char *emitted, const char *phase, const char *product, struct diag *diag)
{
  struct command command = {0};
  bool preprocesses = !strcmp(phase, "--preprocess");
  if (build->target == TARGET_CPU) {
    begin_cpu(arena, build, emitted, &command);
    command_add(arena, &command, preprocesses ? "-E" : "-c");
    add_cpu_file(arena, build, input, emitted, &command);
  } else {
    if (begin_cuda(arena, build, input, diag, &command)) return STATUS_USAGE;
    command_add(arena, &command, phase);
    command_add(arena, &command, emitted);
  }
  if (product) {
    command_add(arena, &command, "-o");
    command_add(arena, &command, product);
  }
  return perform(arena, build, &command, input, diag);
}

int compile_program(struct arena *arena, const struct build *build, const char *input,
                    const char *emitted, const struct string_list *objects, const char *program,
                    struct diag *diag)
{
  struct command command = {0};
  if (build->target == TARGET_CPU) {
    begin_cpu(arena, build, emitted, &command);
    add_cpu_file(arena, build, input, emitted, &command);
    link_cpu(arena, build, objects, program, &command);
  } else {
    if (check_library(build, diag) || begin_cuda(arena, build, input, diag, &command))
      return STATUS_USAGE;
    command_add(arena, &command, emitted);
    link_cuda(arena, build, objects, program, &command);
  }
  return perform(arena, build, &command, input, diag);
}
