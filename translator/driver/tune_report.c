/* SPDX-License-Identifier: MIT */
/* tune_report.c - the outcome of tuning: a table, and the file of tuned plans.
 *
 *     matmul, block 128x1x1 grid 8x1024x1, 15 launches
 *       plan                    ms a launch  predicted  over original
 *       * 128x64/16x8/16             0.0655     0.0884          18.6
 *         model                      0.0692                     17.6
 *         original                   1.2200
 */
#include "translator/driver/tune_report.h"

#include <stdio.h>
#include <string.h>

#include "analysis/plan/tuned.h"
#include "translator/driver/pipeline.h"

#define CLOSE 1.1 /* the model's choice over the best, at most: the goal of issue 6 */

static double original_of(const struct tune_kernel *kernel)
{
  for (unsigned i = 0; i < kernel->candidates.count; i++)
    if (!strcmp(kernel->candidates.items[i].key, TUNED_ORIGINAL))
      return kernel->candidates.items[i].milliseconds;
  return kernel->candidates.items[0].milliseconds; /* the model keeps the kernel as written */
}

static void print_candidate(const struct tune_kernel *kernel,
                            const struct tune_candidate *candidate, bool wins)
{
  double launch = candidate->milliseconds / kernel->launches;
  char predicted[32] = "";
  if (candidate->predicted_ms > 0)
    snprintf(predicted, sizeof predicted, "%.4f", candidate->predicted_ms);
  printf("  %c %-24s", wins ? '*' : ' ', candidate->key);
  if (candidate->problem)
    printf(" cannot win: %s\n", candidate->problem);
  else if (!(candidate->milliseconds > 0))
    printf(" was not measured\n");
  else
    printf(" %11.4f %10s %14.2f\n", launch, predicted,
           original_of(kernel) / candidate->milliseconds);
}

static bool has_problem(const struct tune_kernel *kernel)
{
  bool any = false;
  for (unsigned i = 0; i < kernel->candidates.count; i++)
    any |= kernel->candidates.items[i].problem != NULL;
  return any;
}

static void print_kernel(const struct tune_kernel *kernel, const struct tune_candidate *winner)
{
  if (!(kernel->launches > 0) && !has_problem(kernel)) {
    printf("%s, %s: it was not launched\n", kernel->kernel, kernel->shape);
    return;
  }
  printf("%s, %s, %.0f launches\n", kernel->kernel, kernel->shape, kernel->launches);
  printf("  %-26s %11s %10s %14s\n", "plan", "ms a launch", "predicted", "over original");
  for (unsigned i = 0; i < kernel->candidates.count; i++)
    print_candidate(kernel, &kernel->candidates.items[i], &kernel->candidates.items[i] == winner);
}

static struct tune_entry entry_of(struct arena *arena, const struct tune_program *program,
                                  const struct tune_kernel *kernel,
                                  const struct tune_candidate *winner, const char *gpu)
{
  struct tune_entry entry = {.gpu = gpu,
                             .plan = {.kernel = kernel->kernel,
                                      .shape = kernel->shape,
                                      .code = kernel->code,
                                      .key = winner->key,
                                      .level = program->level,
                                      .arch = program->arch}};
  for (unsigned i = 0; i < kernel->candidates.count; i++) {
    const struct tune_candidate *candidate = &kernel->candidates.items[i];
    if (!candidate->problem && candidate->milliseconds > 0)
      *ARENA_PUSH(arena, &entry.times) =
          (struct tune_time){candidate->key, candidate->milliseconds / kernel->launches};
  }
  return entry;
}

int tune_report(struct arena *arena, const struct tune_program *program, const char *gpu,
                const char *name, const char *path, struct diag *diag)
{
  struct tune_file file;
  unsigned judged = 0, close = 0;
  bool wrong = false;
  if (tune_file_read(arena, path, false, diag, &file)) return STATUS_USAGE;
  printf("%s on %s\n", name, gpu);
  for (unsigned i = 0; i < program->kernels.count; i++) {
    const struct tune_kernel *kernel = &program->kernels.items[i];
    const struct tune_candidate *winner = tune_winner(kernel);
    const struct tune_candidate *model =
        kernel->candidates.count ? &kernel->candidates.items[0] : NULL;
    print_kernel(kernel, winner);
    wrong |= model && model->problem;
    if (!winner) continue;
    judged++;
    close += model->milliseconds > 0 && !model->problem &&
             model->milliseconds <= CLOSE * winner->milliseconds;
    struct tune_entry entry = entry_of(arena, program, kernel, winner, gpu);
    tune_file_add(arena, &file, &entry);
  }
  if (judged)
    printf("the model's choice is within 10%% of the best for %u of %u kernels\n", close, judged);
  if (judged && tune_file_write(arena, path, &file, diag)) return STATUS_USAGE;
  puts(judged ? arena_format(arena, "tuned plans are in %s", path) : "nothing was measured");
  return wrong ? STATUS_DIFFERENT : STATUS_FINE;
}
