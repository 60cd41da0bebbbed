/* SPDX-License-Identifier: MIT */
/* tune_candidates.c - the plans of a program's kernels that are worth measuring.
 *
 *     --explain=json of the program           kernels, launches, shapes by predicted time
 *     ... with each plan asked for            which come out, and which are the same code
 *     round 0: all kernels as the model has them; 1: as written;
 *         2: with the shape of least predicted time; ...
 *
 * Kernels hardly change each other's times, so that a round tries a candidate of each. */
#include "translator/driver/tune_candidates.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plan/tuned.h"
#include "translator/driver/trial.h"

#define WORTH 0.98 /* of the time of the model's choice: a longer time is no gain */

enum { RANKED_FIRST = 2 };

/* ---- the model's plans ---- */

static struct options look_options(const struct build *build, const struct tuned_plan *plans,
                                   unsigned count, const char *json)
{
  struct options options = *build->options;
  options.tuned = plans;
  options.tuned_count = count;
  options.explain = EXPLAIN_JSON;
  options.explain_file = json;
  return options;
}

/* Translates with these plans. Returns the explanation, which the caller frees; NULL after a
 * diagnostic, with *ret_status. */
static json_t *look(struct arena *arena, const struct build *build, const struct tuned_plan *plans,
                    unsigned count, struct diag *diag, int *ret_status)
{
  const char *json = arena_format(arena, "%s/look.json", build->directory),
             *emitted = arena_format(arena, "%s/look.text", build->directory);
  struct options options = look_options(build, plans, count, json);
  json_error_t error;
  *ret_status = build_translate(arena, build, &options, emitted, diag);
  if (*ret_status) return NULL;
  json_t *root = json_load_file(json, 0, &error);
  if (root) return root;
  diag_report(diag, DIAG_TUNE_FILE, &(struct diag_place){.file = json}, "line %d: %s", error.line,
              error.text);
  *ret_status = 1;
  return NULL;
}

static const char *text_of(json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

static struct tune_kernel *find_kernel(struct tune_program *program, json_t *from)
{
  const char *kernel = text_of(from, "qualified"), *shape = text_of(from, "shape"),
             *code = text_of(from, "code");
  for (unsigned i = 0; kernel && shape && code && i < program->kernels.count; i++) {
    struct tune_kernel *known = &program->kernels.items[i];
    if (!strcmp(known->kernel, kernel) && !strcmp(known->shape, shape) &&
        !strcmp(known->code, code))
      return known;
  }
  return NULL;
}

static void add_sites(struct arena *arena, struct tune_kernel *kernel, json_t *launches)
{
  for (size_t i = 0; i < json_array_size(launches); i++) {
    json_t *place = json_object_get(json_array_get(launches, i), "place");
    const char *file = text_of(place, "file");
    if (file)
      *ARENA_PUSH(arena, &kernel->sites) = arena_format(
          arena, "%s:%lld", file, (long long)json_integer_value(json_object_get(place, "line")));
  }
}

static void add_candidate(struct arena *arena, struct tune_kernel *kernel, const char *key,
                          double predicted)
{
  for (unsigned i = 0; i < kernel->candidates.count; i++)
    if (!strcmp(kernel->candidates.items[i].key, key)) return;
  *ARENA_PUSH(arena, &kernel->candidates) =
      (struct tune_candidate){.key = arena_string(arena, key), .predicted_ms = predicted};
}

/* Adds the teams and the shapes from the first one on, `count` of each, by predicted time. The
 * prediction is for another size of each kind. */
static void add_ranked(struct arena *arena, struct tune_kernel *kernel, json_t *plans, size_t first,
                       size_t count)
{
  size_t seen[2] = {0, 0};
  for (size_t i = 0; i < json_array_size(plans); i++) {
    json_t *plan = json_array_get(plans, i);
    const char *key = text_of(plan, "key");
    double predicted = json_number_value(json_object_get(plan, "predicted_ms"));
    if (!key || predicted <= 0) continue;
    size_t at = seen[!strncmp(key, "team:", 5)]++;
    if (at >= first && at < first + count) add_candidate(arena, kernel, key, predicted);
  }
}

static void add_kernel(struct arena *arena, struct tune_program *program, json_t *from, size_t most)
{
  if (!text_of(from, "shape") || !text_of(from, "code")) return;
  struct tune_kernel *kernel = find_kernel(program, from);
  json_t *plans = json_object_get(from, "plans");
  if (!kernel) {
    kernel = ARENA_PUSH(arena, &program->kernels);
    kernel->kernel = arena_string(arena, text_of(from, "qualified"));
    kernel->shape = arena_string(arena, text_of(from, "shape"));
    kernel->code = arena_string(arena, text_of(from, "code"));
  }
  add_sites(arena, kernel, json_object_get(from, "launches"));
  static const char *const first[] = {TUNED_MODEL, TUNED_ORIGINAL}, *const then[] = {
                                                                        TUNED_STAGED, TUNED_UNTILED,
                                                                        TUNED_ALWAYS,
                                                                        TUNED_REGISTERS};
  for (unsigned i = 0; i < sizeof first / sizeof *first; i++)
    add_candidate(arena, kernel, first[i], 0);
  add_ranked(arena, kernel, plans, 0, RANKED_FIRST);
  for (unsigned i = 0; i < sizeof then / sizeof *then; i++)
    add_candidate(arena, kernel, then[i], 0);
  add_ranked(arena, kernel, plans, RANKED_FIRST, most);
}

/* ---- the plans that are taken ---- */

static struct tuned_plan *plans_of(struct arena *arena, const struct tune_program *program,
                                   unsigned round, int only)
{
  struct tuned_plan *plans = arena_alloc(arena, (program->kernels.count + 1) * sizeof *plans);
  for (unsigned i = 0; i < program->kernels.count; i++) {
    const struct tune_kernel *kernel = &program->kernels.items[i];
    bool tried = round < kernel->candidates.count && (only < 0 || (unsigned)only == i);
    plans[i] = (struct tuned_plan){.kernel = kernel->kernel,
                                   .shape = kernel->shape,
                                   .code = kernel->code,
                                   .level = program->level,
                                   .arch = program->arch,
                                   .key = kernel->candidates.items[tried ? round : 0].key,
                                   .tried = true};
  }
  return plans;
}

/* Notes the code of the round for each kernel; a candidate whose plan is not taken gets no name. */
static void note_planned(struct arena *arena, struct tune_program *program, unsigned round,
                         json_t *root)
{
  json_t *kernels = json_object_get(root, "kernels");
  for (size_t i = 0; i < json_array_size(kernels); i++) {
    json_t *from = json_array_get(kernels, i);
    struct tune_kernel *kernel = find_kernel(program, from);
    const char *planned = text_of(from, "planned"), *tuned = text_of(from, "tuned");
    if (!kernel || round >= kernel->candidates.count || !planned || !tuned ||
        strcmp(tuned, kernel->candidates.items[round].key))
      continue;
    struct tune_candidate *candidate = &kernel->candidates.items[round];
    candidate->planned =
        arena_format(arena, "%s%s", candidate->planned ? candidate->planned : "", planned);
  }
}

/* Keeps the candidates whose plans are taken, each code once. */
static void keep_distinct(struct tune_kernel *kernel, unsigned most)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < kernel->candidates.count; i++) {
    const struct tune_candidate *candidate = &kernel->candidates.items[i];
    bool known = !candidate->planned || kept >= most;
    for (unsigned k = 0; k < kept && !known; k++) {
      struct tune_candidate *same = &kernel->candidates.items[k];
      known = !strcmp(same->planned, candidate->planned);
      if (known && !(same->predicted_ms > 0)) same->predicted_ms = candidate->predicted_ms;
    }
    if (!known) kernel->candidates.items[kept++] = *candidate;
  }
  kernel->candidates.count = kept;
}

static unsigned most_candidates(const struct tune_program *program)
{
  unsigned most = 0;
  for (unsigned i = 0; i < program->kernels.count; i++)
    if (program->kernels.items[i].candidates.count > most)
      most = program->kernels.items[i].candidates.count;
  return most;
}

int tune_find_candidates(struct arena *arena, const struct build *build, struct diag *diag,
                         struct tune_program *ret)
{
  const struct options *options = build->options;
  int status;
  *ret = (struct tune_program){.level = options->level,
                               .arch = build->target == TARGET_CPU ? 0
                                       : options->arch_given       ? options->arch
                                                                   : TUNED_FOR};
  json_t *root = look(arena, build, NULL, 0, diag, &status);
  json_t *kernels = json_object_get(root, "kernels");
  for (size_t i = 0; i < json_array_size(kernels); i++)
    add_kernel(arena, ret, json_array_get(kernels, i), (size_t)options->candidates);
  json_decref(root);
  unsigned rounds = status ? 0 : most_candidates(ret);
  for (unsigned round = 0; round < rounds && !status; round++) {
    root = look(arena, build, plans_of(arena, ret, round, -1), ret->kernels.count, diag, &status);
    if (root) note_planned(arena, ret, round, root);
    json_decref(root);
  }
  unsigned kept = 0;
  for (unsigned i = 0; i < ret->kernels.count; i++) {
    keep_distinct(&ret->kernels.items[i], (unsigned)options->candidates);
    if (ret->kernels.items[i].candidates.count) ret->kernels.items[kept++] = ret->kernels.items[i];
  }
  ret->kernels.count = kept;
  ret->rounds = most_candidates(ret);
  return status;
}

struct options tune_round_options(struct arena *arena, const struct build *build,
                                  const struct tune_program *program, unsigned round, int only)
{
  struct options options = *build->options;
  options.tuned = plans_of(arena, program, round, only);
  options.tuned_count = program->kernels.count;
  options.explain = EXPLAIN_NONE;
  return options;
}

/* ---- measurements ---- */

/* Milliseconds of the kernel's launches: median times count, over its sites. */
static double time_of(const struct tune_kernel *kernel, const char *stats, double *ret_launches)
{
  struct trial_site site;
  double sum = 0;
  *ret_launches = 0;
  while (trial_next_site(&stats, &site)) {
    bool own = false;
    for (unsigned i = 0; i < kernel->sites.count && !strcmp(site.kernel, kernel->kernel) && !own;
         i++)
      own = strlen(kernel->sites.items[i]) == site.place_length &&
            !strncmp(kernel->sites.items[i], site.place, site.place_length);
    if (!own) continue;
    sum += site.milliseconds * site.launches;
    *ret_launches += site.launches;
  }
  return sum;
}

void tune_add_times(struct tune_program *program, unsigned round, int only, const char *stats)
{
  for (unsigned i = 0; i < program->kernels.count; i++) {
    struct tune_kernel *kernel = &program->kernels.items[i];
    if (round >= kernel->candidates.count || (only >= 0 && (unsigned)only != i)) continue;
    double launches, time = time_of(kernel, stats, &launches);
    struct tune_candidate *candidate = &kernel->candidates.items[round];
    kernel->launches = launches > 0 ? launches : kernel->launches;
    if (time > 0 && (candidate->milliseconds <= 0 || time < candidate->milliseconds))
      candidate->milliseconds = time;
  }
}

void tune_add_problem(struct tune_program *program, unsigned round, int only, const char *problem)
{
  for (unsigned i = 0; i < program->kernels.count; i++) {
    struct tune_kernel *kernel = &program->kernels.items[i];
    if (round < kernel->candidates.count && (only < 0 || (unsigned)only == i))
      kernel->candidates.items[round].problem = problem;
  }
}

const struct tune_candidate *tune_winner(const struct tune_kernel *kernel)
{
  const struct tune_candidate *best = NULL, *model = kernel->candidates.count
                                                         ? &kernel->candidates.items[0]
                                                         : NULL;
  for (unsigned i = 0; i < kernel->candidates.count; i++) {
    const struct tune_candidate *candidate = &kernel->candidates.items[i];
    if (candidate->problem || !(candidate->milliseconds > 0)) continue;
    if (!best || candidate->milliseconds < best->milliseconds) best = candidate;
  }
  bool good = best && !model->problem && model->milliseconds > 0 &&
              best->milliseconds > WORTH * model->milliseconds;
  return good ? model : best;
}
