/* SPDX-License-Identifier: MIT */
/* objects.c - translates each input and, for a phase of nvcc, compiles the emitted text in a folder
 * of its own, so that nvcc sees no name of the user's. */
#include "translator/driver/objects.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/base/file.h"
#include "translator/driver/compile.h"
#include "translator/driver/outputs.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/progress.h"
#include "translator/driver/sandbox.h"

static const struct phase {
  const char *name, *extension; /* NULL: standard output */
  bool on_cpu;
} phases[] = {{"--compile", ".o", true},      {"--device-c", ".o", true},
              {"--device-w", ".o", true},     {"--preprocess", NULL, true},
              {"--ptx", ".ptx", false},       {"--cubin", ".cubin", false},
              {"--fatbin", ".fatbin", false}, {"--cuda", ".cu.cpp.ii", false},
              {"--ltoir", ".ltoir", false},   {"--optix-ir", ".optixir", false}};

static const struct phase *phase_of(const struct options *options)
{
  for (unsigned i = 0; i < sizeof phases / sizeof *phases; i++)
    if (options->phase && !strcmp(options->phase, phases[i].name)) return &phases[i];
  return NULL;
}

/* The product's name as nvcc chooses it: in the working directory, or in that of -odir. */
static const char *product_of(struct arena *arena, const struct options *options)
{
  const struct phase *phase = phase_of(options);
  if (options->output || options->link) return options->output ? options->output : "a.out";
  if (!phase->extension) return NULL;
  const char *name = file_name(options->input), *dot = strrchr(name, '.');
  const char *product = arena_format(arena, "%.*s%s", (int)(dot ? dot - name : (long)strlen(name)),
                                     name, phase->extension);
  return options->output_dir ? arena_format(arena, "%s/%s", options->output_dir, product) : product;
}

static int fail(struct diag *diag, const char *path)
{
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return STATUS_USAGE;
}

/* Puts the product in its place as a whole: a copy beside it, then a rename. */
static int deliver(struct arena *arena, const char *made, const char *product, struct diag *diag)
{
  char block[65536];
  size_t length;
  struct stat info;
  if (!rename(made, product)) return 0;
  const char *beside = arena_format(arena, "%s.%ld.tmp", product, (long)getpid());
  FILE *from = fopen(made, "rb"), *to = from ? fopen(beside, "wb") : NULL;
  bool fine = to && !fstat(fileno(from), &info) && !fchmod(fileno(to), info.st_mode & 0777);
  while (fine && (length = fread(block, 1, sizeof block, from)) > 0)
    fine = fwrite(block, 1, length, to) == length;
  fine = fine && !ferror(from);
  if (from) fclose(from);
  if (to) fine = !fclose(to) && fine;
  if (fine && !rename(beside, product)) return 0;
  int status = fail(diag, product);
  if (to) unlink(beside);
  return status;
}

/* Names the product in the rule for make. */
static void name_depfile(struct arena *arena, struct options *options, const char *product)
{
  if (!product) return;
  if (!options->dep_target) options->dep_target = product, options->dep_quoted = true;
  if (!options->depfile || options->dep_file) return;
  const char *name = file_name(product), *dot = strrchr(name, '.');
  options->dep_file =
      arena_format(arena, "%.*s.d", (int)((dot ? dot : name + strlen(name)) - product), product);
}

static int compile_one(struct arena *arena, const struct build *build,
                       const struct options *options, struct diag *diag)
{
  struct options wanted = *options;
  const char *product = product_of(arena, options),
             *extension = build->target == TARGET_CPU ? "cpp" : "cu",
             *emitted = arena_format(arena, "%s/emitted.%s", build->directory, extension),
             *made = arena_format(arena, "%s/product", build->directory);
  if (!strcmp(options->input, "-") && !options->output && product) {
    diag_report(diag, DIAG_USAGE, NULL, "an object of standard input needs -o");
    return STATUS_USAGE;
  }
  wanted.output = emitted;
  wanted.target = build->target;
  name_depfile(arena, &wanted, product);
  int status = sandbox_translate(&wanted, diag);
  if (!status)
    status = compile_file(arena, build, options->input, emitted, options->phase,
                          product ? made : NULL, diag);
  return status || !product ? status : deliver(arena, made, product, diag);
}

/* Refuses products that are also inputs, or that are written twice. */
static int check_products(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct string_list inputs = {0}, outputs = {0};
  outputs_add_inputs(arena, options, &inputs);
  for (unsigned i = 0; i < options->inputs.count; i++) {
    struct options one = *options;
    one.input = options->inputs.items[i];
    *ARENA_PUSH(arena, &outputs) =
        options->phase || options->link ? product_of(arena, &one) : pipeline_output(arena, &one);
    if (options->link) break;
  }
  return outputs_check(&inputs, &outputs, diag) ? STATUS_USAGE : 0;
}

static int link_all(struct arena *arena, struct build *build, struct diag *diag)
{
  const char *program;
  int status = build_variant(arena, build, build->options, "program", diag, &program);
  return status ? status : deliver(arena, program, product_of(arena, build->options), diag);
}

static int compile_all(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct build build;
  struct options all = *options;
  if (all.target == TARGET_AUTO) all.target = TARGET_CUDA;
  if (all.phase && all.target == TARGET_CPU && !phase_of(&all)->on_cpu) {
    diag_report(diag, DIAG_USAGE, NULL, "'%s' belongs to --target=cuda", all.phase);
    return STATUS_USAGE;
  }
  process_catch_signals();
  int status = build_begin(arena, &all, diag, &build), first = status;
  if (status) return status;
  if (all.link) first = link_all(arena, &build, diag);
  for (unsigned i = 0; i < all.inputs.count && !all.link && !process_interrupted(); i++) {
    all.input = all.inputs.items[i];
    if (all.inputs.count > 1) progress_show("compiling", all.input, i + 1, all.inputs.count);
    status = compile_one(arena, &build, &all, diag);
    if (!first) first = status;
  }
  build_end(arena, &build);
  return process_interrupted() ? process_interrupted() : first;
}

int objects_make(struct arena *arena, const struct options *options, struct diag *diag)
{
  int first = options->dependencies_only ? 0 : check_products(arena, options, diag);
  if (first) return first;
  if (options->phase || options->link) return compile_all(arena, options, diag);
  for (unsigned i = 0; i < options->inputs.count; i++) {
    struct options one = *options;
    one.input = options->inputs.items[i];
    if (options->inputs.count > 1)
      progress_show("translating", one.input, i + 1, options->inputs.count);
    int status = sandbox_translate(&one, diag);
    if (!first) first = status;
  }
  return first;
}
