/* SPDX-License-Identifier: MIT */
/* tuned.c - turns a plan that a measurement chose into options of the planning.
 *
 *     { kernel "matmul", shape "block 128x1x1 grid 8x1024x1", plan "128x64/16x8/16" }
 *         =>    mapping BLOCK with that shape
 *
 * A tuned plan is a choice among the legal ones. It goes through the same passes, which decline
 * illegal plans. Requires: a kernel whose code reads as when it was measured. Gives up: the plan
 * does not come out; the caller plans as usual then, with a warning.
 */
#include "analysis/plan/tuned.h"

#include <stdio.h>
#include <string.h>

#include "analysis/plan/staging/plan_kernel.h"

const char *tuned_hash(struct arena *arena, const char *text)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return arena_format(arena, "%016llx", (unsigned long long)hash);
}

const char *tuned_code_of(struct arena *arena, const struct ir_function *kernel)
{
  struct text text = {0};

  ir_print_function(&text, kernel);
  const char *hash = tuned_hash(arena, text_string(&text));
  text_finish(&text);
  return hash;
}

/* ---- keys ---- */

/* Does the shape give threads that share a block's elements evenly, or no threads? */
static bool is_shape(const struct mapping_shape *shape)
{
  const unsigned *threads = shape->threads;

  if (!shape->block[0] || !shape->block[1]) return false;
  if (!threads[0] && !threads[1]) return true;
  return threads[0] && threads[1] && threads[0] * threads[1] <= 1024 &&
         shape->block[0] % threads[0] == 0 && shape->block[1] % threads[1] == 0;
}

bool mapping_shape_parse(const char *text, struct mapping_shape *ret)
{
  int used = 0;

  *ret = (struct mapping_shape){0};
  int read =
      sscanf(text, "%4ux%4u%n/%4ux%4u%n/%4u%n/%1u%n", &ret->block[0], &ret->block[1], &used,
             &ret->threads[0], &ret->threads[1], &used, &ret->tile, &used, &ret->pipelining, &used);
  ret->products = read >= 5 && !strcmp(text + used, "/mma");
  return (read == 2 || read >= 4) && (ret->products || !text[used]) && is_shape(ret);
}

/* team:ELEMENTSxTHREADS */
static bool team_parse(const char *text, struct team_shape *ret)
{
  int used = 0;

  return sscanf(text, "team:%4ux%4u%n", &ret->elements, &ret->threads, &used) == 2 && !text[used];
}

static const struct named {
  const char *key;
  enum plan_level least; /* the least level at which the plan exists */
  enum plan_mapping mapping;
  enum plan_staging staging;
} named[] = {
    {TUNED_MODEL, PLAN_O0, MAPPING_AUTO, STAGING_AUTO},
    {TUNED_ORIGINAL, PLAN_O0, MAPPING_NEVER, STAGING_NEVER},
    {TUNED_REGISTERS, PLAN_O2, MAPPING_NEVER, STAGING_NEVER},
    {TUNED_STAGED, PLAN_O1, MAPPING_NEVER, STAGING_ALWAYS},
    {TUNED_UNTILED, PLAN_O2, MAPPING_UNTILED, STAGING_NEVER},
    {TUNED_ALWAYS, PLAN_O2, MAPPING_ALWAYS, STAGING_NEVER},
};

static const struct named *named_of(const char *key)
{
  for (unsigned i = 0; i < sizeof named / sizeof *named; i++)
    if (!strcmp(named[i].key, key)) return &named[i];
  return NULL;
}

bool tuned_options(const struct plan_options *usual, const char *key, struct plan_options *ret)
{
  const struct named *plan = named_of(key);

  *ret = *usual;
  if (!plan) {
    bool team = team_parse(key, &ret->team);
    ret->mapping = team ? MAPPING_TEAM : MAPPING_BLOCK;
    ret->staging = STAGING_NEVER;
    return usual->level >= PLAN_O2 && (team || mapping_shape_parse(key, &ret->mapping_shape));
  }
  if (!strcmp(key, TUNED_MODEL)) return true;
  ret->mapping = plan->mapping;
  ret->staging = plan->staging;
  if (!strcmp(key, TUNED_ORIGINAL)) ret->level = PLAN_O0;
  return usual->level >= plan->least;
}

bool tuned_is_taken(const char *key, const struct kernel_plan *plan)
{
  const struct named *of = named_of(key);

  if (!of || of->mapping == MAPPING_UNTILED || of->mapping == MAPPING_ALWAYS)
    return plan->mapping != NULL;
  return of->staging != STAGING_ALWAYS || plan->stage_count;
}

/* ---- the plan for a launch ---- */

static const char *name_of(const struct ir_function *kernel)
{
  return kernel->qualified ? kernel->qualified : kernel->name;
}

enum tuned_match tuned_plan_of(struct arena *arena, const struct plan_options *options,
                               const struct kernel_facts *facts, const struct tuned_plan **ret_plan)
{
  enum tuned_match match = TUNED_NONE;
  const char *shape = NULL, *code = NULL;

  for (unsigned i = 0; i < options->tuned_count; i++) {
    const struct tuned_plan *plan = &options->tuned[i];
    if (strcmp(plan->kernel, name_of(facts->kernel)) || plan->level > options->level ||
        plan->arch != (options->target_cpu ? 0 : options->tuned_for))
      continue;
    shape = shape ? shape : explain_shape(arena, facts);
    if (strcmp(plan->shape, shape)) continue;
    code = code ? code : tuned_code_of(arena, facts->kernel);
    *ret_plan = plan;
    if (!strcmp(plan->code, code)) return TUNED_FOUND;
    match = TUNED_STALE;
  }
  return match;
}
