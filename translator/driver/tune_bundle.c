/* SPDX-License-Identifier: MIT */
/* tune_bundle.c - tuning on a machine with nvcc and a GPU only.
 *
 *     mesicc tune --emit DIR -DN=1024 prog.mcu    adds a case; its name has the macros in it
 *     (there) DIR/run.sh                          builds, runs, compares with -O0, writes results
 *     mesicc tune --read DIR                      tables; prog.tune beside prog.mcu, or -o's file
 *
 * DIR is a folder as `mesicc bundle` writes it, with
 *
 *     DIR/cases                a line a case: name, number of rounds
 *     DIR/src/NAME.tune.json   input, level, architecture, kernels with their candidates by round
 *     DIR/src/NAME_ref.cu, NAME_r0.cu ...
 *     DIR/results/NAME.txt     `gpu NAME`, then for each round `round R`, and `ok` and the `site`
 *                              lines of MESI_STATS, or `differs: ...`
 */
#include "translator/driver/tune_bundle.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/bundle.h"
#include "translator/driver/parts.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/plot.h"
#include "translator/driver/together.h"
#include "translator/driver/tune_report.h"

enum { FORM = 1, NAME_LENGTH = 255 };

static int fail(struct diag *diag, const char *path)
{
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return STATUS_USAGE;
}

static int refuse(struct diag *diag, const char *path, const char *reason)
{
  diag_report(diag, DIAG_TUNE_FILE, &(struct diag_place){.file = path}, "%s", reason);
  return STATUS_USAGE;
}

/* ---- writing ---- */

static json_t *candidates_of(const struct tune_kernel *kernel)
{
  json_t *list = json_array();
  for (unsigned i = 0; i < kernel->candidates.count; i++)
    json_array_append_new(list,
                          json_pack("{s:s, s:f}", "plan", kernel->candidates.items[i].key,
                                    "predicted_ms", kernel->candidates.items[i].predicted_ms));
  return list;
}

static json_t *manifest_of(const struct options *options, const struct tune_program *program)
{
  json_t *kernels = json_array();
  for (unsigned i = 0; i < program->kernels.count; i++) {
    const struct tune_kernel *kernel = &program->kernels.items[i];
    json_t *sites = json_array();
    for (unsigned k = 0; k < kernel->sites.count; k++)
      json_array_append_new(sites, json_string(kernel->sites.items[k]));
    json_array_append_new(kernels, json_pack("{s:s, s:s, s:s, s:o, s:o}", "kernel", kernel->kernel,
                                             "shape", kernel->shape, "code", kernel->code, "sites",
                                             sites, "candidates", candidates_of(kernel)));
  }
  return json_pack("{s:i, s:s, s:i, s:i, s:i, s:o}", "mesi_candidates", FORM, "input",
                   options->input, "level", (int)program->level, "arch", (int)program->arch,
                   "rounds", (int)program->rounds, "kernels", kernels);
}

static int write_manifest(const struct options *options, const struct tune_program *program,
                          const char *path, struct diag *diag)
{
  json_t *root = manifest_of(options, program);
  char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
  json_decref(root);
  int status = text && !file_write(path, text, strlen(text)) ? 0 : fail(diag, path);
  free(text);
  return status;
}

/* Writes the texts of the reference and of each round. */
static int write_rounds(struct arena *arena, const struct build *build,
                        const struct tune_program *program, const char *stem, struct diag *diag)
{
  struct options reference = *build->options;
  reference.level = PLAN_O0;
  reference.tuned_count = 0;
  reference.explain = EXPLAIN_NONE;
  int status =
      build_translate(arena, build, &reference, arena_format(arena, "%s_ref.cu", stem), diag);
  for (unsigned round = 0; round < program->rounds && !status; round++) {
    struct options options = tune_round_options(arena, build, program, round, -1),
                   wanted = build_again(arena, &options);
    status =
        build_translate(arena, build, &wanted, arena_format(arena, "%s_r%u.cu", stem, round), diag);
  }
  return status;
}

/* Writes a case into `directory`; `lines` gets the case's lines of the list. */
static int emit_case(struct arena *arena, const struct options *all, const char *input,
                     const char *directory, struct text *lines, struct diag *diag)
{
  struct options options = *all;
  options.input = input;
  const char *name = bundle_case_name(arena, &options, input);
  const char *stem = arena_format(arena, "%s/src/%s", directory, name);
  struct build build = {.options = &options, .directory = directory, .target = TARGET_CUDA};
  struct tune_program program;
  int status = bundle_add_files(arena, &options, input, stem, diag);
  if (!status) status = tune_find_candidates(arena, &build, diag, &program);
  remove(arena_format(arena, "%s/look.json", directory));
  remove(arena_format(arena, "%s/look.text", directory));
  if (status) return status;
  if (!program.kernels.count)
    return refuse(diag, input, "it has no kernel with plans to choose from");
  status = write_rounds(arena, &build, &program, stem, diag);
  if (!status)
    status = write_manifest(&options, &program, arena_format(arena, "%s.tune.json", stem), diag);
  text_format(lines, "%s %u\n", name, program.rounds);
  if (!status)
    printf("%s: %u kernels, %u programs\n", name, program.kernels.count, program.rounds + 1);
  return status;
}

int tune_bundle_emit(struct arena *arena, const struct options *given, struct diag *diag)
{
  const struct options *options = bundle_options(arena, given);
  struct together t;
  struct text lines = {0};
  if (options->target == TARGET_CPU) {
    diag_report(diag, DIAG_USAGE, NULL, "tune --emit is for a GPU: it takes no --target=cpu");
    return STATUS_USAGE;
  }
  int status = together_begin(arena, options->tune_emit, diag, &t);
  if (status) return status;
  status = bundle_begin(arena, options, t.making, "testsuite/tools/tune_run.sh", diag);
  for (unsigned i = 0; i < options->inputs.count && !status; i++)
    status = emit_case(arena, options, options->inputs.items[i], t.making, &lines, diag);
  status = together_end(arena, &t, status, "cases", text_string(&lines), diag);
  text_finish(&lines);
  return status;
}

/* ---- reading ---- */

static const char *text_of(struct arena *arena, json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? arena_string(arena, text) : NULL;
}

static bool read_kernel(struct arena *arena, json_t *from, struct tune_kernel *ret)
{
  json_t *sites = json_object_get(from, "sites"), *candidates = json_object_get(from, "candidates");
  ret->kernel = text_of(arena, from, "kernel");
  ret->shape = text_of(arena, from, "shape");
  ret->code = text_of(arena, from, "code");
  for (size_t i = 0; i < json_array_size(sites); i++)
    if (json_is_string(json_array_get(sites, i)))
      *ARENA_PUSH(arena, &ret->sites) =
          arena_string(arena, json_string_value(json_array_get(sites, i)));
  for (size_t i = 0; i < json_array_size(candidates); i++) {
    json_t *candidate = json_array_get(candidates, i);
    const char *key = text_of(arena, candidate, "plan");
    if (!key) return false;
    *ARENA_PUSH(arena, &ret->candidates) = (struct tune_candidate){
        .key = key, .predicted_ms = json_number_value(json_object_get(candidate, "predicted_ms"))};
  }
  return ret->kernel && ret->shape && ret->code && ret->candidates.count;
}

static bool read_manifest(struct arena *arena, json_t *root, struct tune_program *ret,
                          const char **ret_input)
{
  int form, level, arch, rounds;
  json_t *kernels;
  const char *input;
  *ret = (struct tune_program){0};
  if (json_unpack(root, "{s:i, s:s, s:i, s:i, s:i, s:o}", "mesi_candidates", &form, "input", &input,
                  "level", &level, "arch", &arch, "rounds", &rounds, "kernels", &kernels) ||
      form != FORM || level < PLAN_O1 || level > PLAN_O3 || arch <= 0 || rounds < 0)
    return false;
  ret->level = (enum plan_level)level;
  ret->arch = (unsigned)arch;
  ret->rounds = (unsigned)rounds;
  *ret_input = arena_string(arena, input);
  for (size_t i = 0; i < json_array_size(kernels); i++)
    if (!read_kernel(arena, json_array_get(kernels, i), ARENA_PUSH(arena, &ret->kernels)))
      return false;
  return true;
}

/* Reads `round R`, and the result up to the next one. */
static void read_round(struct arena *arena, struct tune_program *program, const char *text,
                       size_t length)
{
  const char *copy = arena_copy(arena, text, length), *number = copy + strlen("round ");
  char *end;
  unsigned long round = strtoul(number, &end, 10);
  if (end == number || *end != '\n' || !end[1] || round >= program->rounds) return;
  const char *line = end + 1;
  if (!strncmp(line, "ok\n", 3)) {
    for (const char *run = line, *end; (end = strstr(run, "\nrun\n")); run = end + 4)
      tune_add_times(program, (unsigned)round, -1, arena_copy(arena, run, (size_t)(end + 1 - run)));
  } else {
    tune_add_problem(program, (unsigned)round, -1, arena_copy(arena, line, strcspn(line, "\n")));
  }
}

/* Reads the results of the rounds, and the GPU's name; NULL: it has none. A missing round has no
 * result. */
static const char *read_results(struct arena *arena, struct tune_program *program, const char *text)
{
  const char *gpu = NULL;
  for (const char *line = text; line && *line;) {
    const char *next = strstr(line, "\nround ");
    size_t length = next ? (size_t)(next + 1 - line) : strlen(line);
    if (!strncmp(line, "gpu ", 4)) gpu = arena_copy(arena, line + 4, strcspn(line + 4, "\n"));
    if (!strncmp(line, "round ", 6)) read_round(arena, program, line, length);
    line = next ? next + 1 : NULL;
  }
  return gpu && *gpu ? gpu : NULL;
}

static void add_once(struct arena *arena, struct string_list *list, const char *word)
{
  for (unsigned i = 0; i < list->count; i++)
    if (!strcmp(list->items[i], word)) return;
  *ARENA_PUSH(arena, list) = word;
}

/* `written` gets the file of tuned plans. */
static int read_case(struct arena *arena, const struct options *options, const char *name,
                     struct string_list *written, struct diag *diag)
{
  const char *path = arena_format(arena, "%s/src/%s.tune.json", options->tune_read, name), *input,
             *text;
  const char *results = arena_format(arena, "%s/results/%s.txt", options->tune_read, name);
  struct tune_program program;
  size_t length;
  json_t *root = json_load_file(path, 0, NULL);
  bool fine = root && read_manifest(arena, root, &program, &input);
  json_decref(root);
  if (!fine) return refuse(diag, path, "it is no list of candidates, or one of another mesicc");
  if (file_read(arena, results, &text, &length) != FILE_OK)
    return refuse(diag, results, "there are no results: has run.sh run?");
  const char *gpu = read_results(arena, &program, text);
  if (!gpu) return refuse(diag, results, "it does not say on which GPU it was measured");
  const char *file = options->output ? options->output : tune_file_name(arena, input);
  add_once(arena, written, file);
  return tune_report(arena, &program, gpu, name, file, diag);
}

int tune_bundle_read(struct arena *arena, const struct options *options, struct diag *diag)
{
  const char *path = arena_format(arena, "%s/cases", options->tune_read), *text;
  struct string_list written = {0};
  size_t length;
  int worst = 0;
  if (file_read(arena, path, &text, &length) != FILE_OK)
    return refuse(diag, path, "it is no folder of tune --emit");
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    size_t name = strcspn(line, " \n");
    if (!name || name > NAME_LENGTH || memchr(line, '/', name)) continue;
    int status = read_case(arena, options, arena_copy(arena, line, name), &written, diag);
    worst = status > worst ? status : worst;
  }
  return !worst && options->plot ? plot_files(arena, &written, options->plot, diag) : worst;
}
