/* SPDX-License-Identifier: MIT */
/* pipeline.c - the flow of a translation on one page; every arrow is one struct.
 *
 *     options -> frontend -> unit -> analysis -> plan -> codegen -> text -> files
 */
#include "translator/driver/pipeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plan/verify/emitted.h"
#include "analysis/host/host_touch.h"
#include "codegen/codegen.h"
#include "translator/base/file.h"
#include "translator/driver/depfile.h"
#include "translator/driver/explain_write.h"
#include "translator/driver/outputs.h"
#include "translator/driver/paths.h"
#include "translator/driver/sandbox.h"
#include "translator/driver/types_file.h"
#include "translator/frontend/frontend.h"

enum { EXPANSIONS = 8 }; /* levels of macros in macros */

/* The -W words for clang; none where all of them disable warnings or only make errors of them. */
static struct string_list clang_warnings(struct arena *arena, const struct options *options)
{
  struct string_list words = {0};
  bool wanted = false;
  for (unsigned i = 0; i < options->warning_words.count; i++) {
    const char *word = options->warning_words.items[i];
    if (!strcmp(word, "-w")) return (struct string_list){0};
    if (diag_is_own_word(word)) continue;
    wanted |= strncmp(word, "-Wno-", 5) && strcmp(word, "-Werror");
    *ARENA_PUSH(arena, &words) = word;
  }
  return wanted ? words : (struct string_list){0};
}

struct frontend_options pipeline_frontend_options(struct arena *arena,
                                                  const struct options *options,
                                                  const struct paths *paths)
{
  struct string_list warnings = clang_warnings(arena, options);
  bool cpu = options->target == TARGET_CPU;
  return (struct frontend_options){
      .input = options->input,
      .clang_args = options->clang_args.items,
      .clang_arg_count = options->clang_args.count,
      .warnings = warnings.items,
      .warning_count = warnings.count,
      .standard = cpu ? option_cpu_standard(options->standard) : options->standard,
      .toolkit = cpu ? NULL : paths->toolkit,
      .surface = paths->surface,
      .cccl = paths->cccl,
      .compiler = paths->compiler,
      .prelude = paths->prelude,
      .runtime = paths->runtime,
      .cache = paths->cache,
      .arch = options->arch,
      .device_on_host = cpu,
  };
}

static int verify(struct arena *arena, const struct unit *unit, struct diag *diag)
{
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const char *wrong = ir_verify_function(arena, unit->functions.items[i]);
    if (!wrong) continue;
    diag_report(diag, DIAG_INTERNAL, NULL, "the IR is malformed: %s", wrong);
    return -1;
  }
  return 0;
}

static void dump_ir(const struct unit *unit, struct text *out)
{
  for (unsigned i = 0; i < unit->functions.count; i++)
    if (unit->functions.items[i]->has_definition) ir_print_function(out, unit->functions.items[i]);
}

static struct plan *make_plan(struct unit *unit, const struct options *options, struct diag *diag,
                              struct text *dump)
{
  struct plan_options plan_options = {
      .level = options->level,
      .associative = options->level >= PLAN_O3 && !options->keep_order,
      .fast_math = options->fast_math && options->target != TARGET_CPU,
      .shared_memory = options->shared_memory,
      .mapping = options->mapping,
      .mapping_shape = options->mapping_shape,
      .share = options->share,
      .share_count = options->share_count,
      .effort = options->effort,
      .products = options->products,
      .parts = options->check ? PARTS_NEVER : options->launch_parts,
      .temporal = options->check ? TEMPORAL_NEVER : options->temporal,
      .checked = options->check,
      .temporal_wish = options->temporal_wish,
      .arch = options->arch,
      .newest_arch = options->arch_given ? options->newest_arch : 0,
      .tuned_for = options->arch_given ? options->arch : TUNED_FOR,
      .target_cpu = options->target == TARGET_CPU,
      .hook_launches = options->hook_launches,
      .whole_program = options->whole_program,
      .tuned = options->tuned,
      .tuned_count = options->tuned_count,
      .verify_emitted = options->verify_emitted,
      .explain = options->explain != EXPLAIN_NONE,
      .dump_access = options->dump == DUMP_ACCESS ? dump : NULL,
      .dump_range = options->dump == DUMP_RANGE ? dump : NULL,
      .dump_plan = options->dump == DUMP_PLAN ? dump : NULL,
  };
  return plan_unit(unit, &plan_options, diag);
}

/* Writes a line about the checked kernels to standard error, or appends it to the file of
 * MESI_VERIFY_EMITTED. */
static void tell_emitted(struct arena *arena, const struct options *options,
                         const struct emitted_report *report, const struct diag *diag)
{
  const char *path = getenv("MESI_VERIFY_EMITTED");
  FILE *out = path && strchr(path, '/') ? fopen(path, "a") : NULL;
  if (out) {
    fprintf(out, "%s -O%d sm_%u: %s\n", options->input, options->level, options->arch,
            emitted_line(arena, report));
    for (unsigned i = 0; i < report->untold.count; i++)
      fprintf(out, "  %s\n", report->untold.items[i]);
    fclose(out);
  } else if (!path) {
    fprintf(diag->out, "mesicc: emitted code: %s\n", emitted_line(arena, report));
  }
}

static int verify_emitted(struct arena *arena, const struct unit *unit, const struct plan *plan,
                          const struct options *options, struct diag *diag)
{
  const struct emitted_report *report = plan->emitted;
  if (!report) return 0;
  tell_emitted(arena, options, report, diag);
  for (unsigned i = 0; i < report->findings.count; i++) {
    const struct ir_function *kernel = report->findings.items[i].kernel;
    const struct unit_file *file = &unit->files.items[kernel->name_place.file];
    struct diag_place where = {file->path, kernel->name_place.line, kernel->name_place.column,
                               file->text};
    diag_report(diag, DIAG_INTERNAL, &where, "the code made of '%s' is wrong: %s", kernel->name,
                report->findings.items[i].text);
  }
  return report->findings.count ? -1 : 0;
}

static int emit(struct unit *unit, const struct plan *plan, const struct options *options,
                struct diag *diag, struct text *out, struct printed_texts *printed)
{
  struct codegen_options codegen_options = {
      .target_cpu = options->target == TARGET_CPU,
      .check = options->check && options->target == TARGET_CPU,
      .folders = options->folders.items,
      .folder_count = options->folders.count,
      .line_directives = !options->no_line,
      .printed = printed,
  };
  if (codegen_unit(unit, plan, &codegen_options, diag, out)) return -1;
  const struct unit_file *flattened = &unit->files.items[0];
  bool unchanged =
      out->length == flattened->length && !memcmp(text_string(out), flattened->text, out->length);
  if (unchanged) { /* the source, macros included */
    out->length = 0;
    text_add_bytes(out, unit->original.text, unit->original.length);
  }
  return 0;
}

/* Parses the unit, and expands macros around the places where the plan will write announcements.
 * NULL after an error. */
static struct unit *parse(struct arena *arena, const struct frontend_options *options,
                          struct diag *diag)
{
  struct unit *unit = frontend_parse(arena, options, diag), *before = NULL;
  for (unsigned round = 0; unit && unit != before && round < EXPANSIONS; round++) {
    struct ir_places places = {0};
    host_touch_in_macros(unit, &places);
    if (!places.list.count) break;
    before = unit;
    unit = frontend_expand(arena, options, unit, &places, diag);
  }
  return unit;
}

/* Makes the text to write, in whatever form was requested. 0 or an exit status. */
static int translate(struct arena *arena, const struct options *options, struct diag *diag,
                     struct text *out, struct printed_texts *printed, struct unit **ret_unit,
                     struct plan **ret_plan)
{
  struct paths paths;
  paths_find(arena, options, diag, &paths);
  struct frontend_options frontend_options = pipeline_frontend_options(arena, options, &paths);

  struct unit *unit = parse(arena, &frontend_options, diag);
  if (!unit || verify(arena, unit, diag)) return -1;
  *ret_unit = unit;
  if (options->dump == DUMP_IR) return dump_ir(unit, out), 0;

  sandbox_analyses(true);
  struct plan *plan = *ret_plan = make_plan(unit, options, diag, out);
  sandbox_analyses(false);
  if (!plan) return -1;
  if (options->dump != DUMP_NONE) return 0;
  if (options->verify_emitted && verify(arena, unit, diag)) return -1;
  if (verify_emitted(arena, unit, plan, options, diag)) return -1;

  return emit(unit, plan, options, diag, out, printed);
}

const char *pipeline_output(struct arena *arena, const struct options *options)
{
  if (options->output) return options->output;
  if (options->dump != DUMP_NONE || !strcmp(options->input, "-")) return "-";
  const char *input = options->input;
  if (options->output_dir)
    input = arena_format(arena, "%s/%s", options->output_dir, file_name(input));
  const char *dot = strrchr(file_name(input), '.');
  size_t stem = dot ? (size_t)(dot - input) : strlen(input);
  const char *extension = options->target == TARGET_CPU ? ".cpp" : ".cu";
  const char *name = arena_format(arena, "%.*s%s", (int)stem, input, extension);
  return strcmp(name, options->input)
             ? name
             : arena_format(arena, "%.*s.mesi%s", (int)stem, input, extension);
}

static int write_output(const char *path, const struct text *text, struct diag *diag)
{
  if (!file_write(path, text_string(text), text->length)) return 0;
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return -1;
}

static int write_types(const struct options *options, const struct unit *unit, struct diag *diag)
{
  if (!options->types_file || !types_file_write(options->types_file, unit)) return 0;
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = options->types_file},
              "the file cannot be written: %s", strerror(errno));
  return -1;
}

/* Refuses outputs that are inputs, or are written twice. */
static int check_outputs(struct arena *arena, const struct options *options,
                         const struct unit *unit, const char *path, struct diag *diag)
{
  struct string_list inputs = {0}, outputs = {0};
  outputs_add_inputs(arena, options, &inputs);
  for (unsigned i = 0; i < unit->dependencies.count; i++)
    *ARENA_PUSH(arena, &inputs) = unit->dependencies.items[i];
  for (unsigned i = 0; i < unit->system_dependencies.count; i++)
    *ARENA_PUSH(arena, &inputs) = unit->system_dependencies.items[i];
  const char *all[] = {options->dependencies_only ? NULL : path, depfile_name(arena, options, path),
                       options->fragment, options->types_file,
                       explain_output(arena, options, path)};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) *ARENA_PUSH(arena, &outputs) = all[i];
  return outputs_check(&inputs, &outputs, diag);
}

static int status_of(const struct diag *diag)
{
  return diag->worst_status ? diag->worst_status : STATUS_SOURCE;
}

int pipeline_run(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct text out = {0};
  struct unit *unit = NULL;
  struct plan *plan = NULL;
  struct printed_texts printed = {{0}};
  const char *path = pipeline_output(arena, options);
  int failed = translate(arena, options, diag, &out, &printed, &unit, &plan);
  if (!failed && diag->error_count) failed = -1;
  if (!failed) failed = check_outputs(arena, options, unit, path, diag);
  if (!failed) failed = depfile_write(arena, options, unit, path, diag);
  if (!failed) failed = write_types(options, unit, diag);
  if (!failed && plan) {
    struct emitted_output emitted = {&printed, text_string(&out)};
    failed = explain_write(arena, options, plan, &emitted, path, diag);
  }
  if (!failed && !options->dependencies_only) failed = write_output(path, &out, diag);
  text_finish(&out);
  return failed ? status_of(diag) : STATUS_FINE;
}
