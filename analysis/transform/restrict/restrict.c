/* SPDX-License-Identifier: MIT */
/* restrict.c - __restrict__ for parameters that, as a launch has found, lead to different memory.
 *
 *     __global__ void k(float *out, float *in)
 *     for (i = first; i < n; i += stride) out[i] = in[i] * f;
 *   =>
 *     __global__ void k_restrict(float *__restrict__ out, float *__restrict__ in)
 *     #pragma unroll 4
 *     for (i = first; i < n; i += stride) out[i] = in[i] * f;
 *
 * This is for launches whose bytes used through `out` and through `in` are disjoint. Loads move in
 * front of stores then, and the loads of several iterations are in flight together (waits.h says
 * how much that gains). Requires: known effects, no fence, nothing volatile. For each pair of
 * parameters of which one is written, the launch's facts or the launch's checks must say that they
 * are apart. A parameter that is both written and read in a kernel whose threads synchronise stays
 * unmarked: one thread reads through it the values that another has written. Gives up: a global
 * variable that a parameter may lead to, pointers from memory, more pairs than a launch compares in
 * passing.
 */
#include "analysis/code/rounding_pin.h"
#include "analysis/transform/restrict/restrict.h"

#include "analysis/range/candidate.h"
#include "analysis/transform/restrict/waits.h"
#include "runtime/seeded.h"

#define LEAST_GAIN 1.05

/* The comparisons of a launch: of ranges, and of objects, which take 0.2 us each. */
enum { MOST_PAIRS = 10, MOST_OBJECTS = 4 };

struct restricting {
  struct draft *draft;
  const struct function_effects *effects;
  const struct kernel_facts *facts;
  const struct ir_function *kernel;
  const char *reason; /* NULL: none so far */
};

/* ---- obstacles in the code ---- */

static bool is_volatile(const struct ir_type *type)
{
  return type->is_volatile || (type->kind == IR_TYPE_ARRAY && is_volatile(type->element));
}

static void note_volatile(struct ir_expr *expr, void *context)
{
  *(bool *)context |= is_volatile(expr->type);
}

static bool is_used_pointer(const struct restricting *r, unsigned i)
{
  return r->kernel->params[i]->type->kind == IR_TYPE_POINTER && r->effects->params[i];
}

static void check_effects(struct restricting *r)
{
  bool has_volatile = false;

  ir_visit_stmt_exprs(r->kernel->body, note_volatile, &has_volatile);
  if (r->effects->unknown_call)
    r->reason = "it calls a function whose effects are not known";
  else if (r->effects->unknown_read || r->effects->unknown_write)
    r->reason = "it uses pointers that come from memory";
  else if (r->effects->fence)
    r->reason = "it has a memory fence";
  else if (has_volatile)
    r->reason = "it accesses volatile memory";
  else if (r->kernel->param_count > MOST_ROOTS)
    r->reason = "it has too many parameters";
  for (unsigned i = 0; i < r->kernel->param_count && !r->reason; i++)
    if (is_used_pointer(r, i) && r->kernel->params[i]->part_of)
      r->reason = "members of a structure have no __restrict__ of a launch's own";
}

/* As written, an element that gets a product and is read again is stored in between, for all that
 * nvcc knows: the product is rounded. */
static void check_products(struct restricting *r)
{
  const struct code *code = &r->draft->code;

  for (unsigned i = 0; i < r->kernel->param_count && !r->reason && !code->reorders; i++)
    if (r->effects->params[i] == (EFFECT_READ | EFFECT_WRITE) &&
        rounding_stores_product(code, r->kernel->params[i]) && !SEEDED(RESTRICT_PRODUCT_FUSED))
      r->reason = "nvcc would fuse products that it stores";
}

/* ---- disjointness ---- */

static bool is_asked(const struct restricting *r, unsigned i, unsigned k)
{
  for (unsigned a = 0; a < r->draft->no_alias.count; a++) {
    const struct no_alias *no_alias = &r->draft->no_alias.items[a];
    if ((no_alias->param == i && no_alias->other == k) ||
        (no_alias->param == k && no_alias->other == i))
      return true;
  }
  return false;
}

/* Makes the launch check that both lead to different objects. */
static bool ask_objects(struct restricting *r, unsigned i, unsigned k)
{
  struct no_alias_list *list = &r->draft->no_alias;

  if (!r->facts->assumed || !r->facts->repeatable) return false;
  struct no_alias *grown = arena_alloc(r->draft->code.arena, (list->count + 1) * sizeof *grown);
  for (unsigned a = 0; a < list->count; a++) grown[a] = list->items[a];
  grown[list->count] = (struct no_alias){.param = i, .other = k, .objects = true};
  list->items = grown;
  list->count++;
  return *r->facts->assumed = true;
}

static void check_pair(struct restricting *r, unsigned i, unsigned k)
{
  const struct ir_var *a = r->kernel->params[i], *b = r->kernel->params[k];
  bool written = (r->effects->params[i] | r->effects->params[k]) & EFFECT_WRITE;

  if (!written || a->type->is_restrict || b->type->is_restrict || facts_disjoint(r->facts, i, k) ||
      is_asked(r, i, k) || SEEDED(RESTRICT_PAIR_UNASKED) || ask_objects(r, i, k))
    return;
  r->reason = arena_format(r->draft->code.arena, "'%s' and '%s' may overlap", a->name, b->name);
}

/* Checks a variable that the kernel names itself against the parameters that may lead to it. */
static void check_use(struct restricting *r, const struct effects_use *use)
{
  if (use->var->is_constant_memory) return;
  for (unsigned i = 0; i < r->kernel->param_count && !r->reason; i++) {
    const struct pointer_fact *fact = &r->facts->pointers[i];
    bool no_alias = fact->bound && fact->object != use->var;
    if (is_used_pointer(r, i) && !no_alias && !r->kernel->params[i]->type->is_restrict &&
        (use->access | r->effects->params[i]) & EFFECT_WRITE)
      r->reason = arena_format(r->draft->code.arena, "'%s' may lead to '%s'",
                               r->kernel->params[i]->name, use->var->name);
  }
}

static bool asks_too_much(const struct restricting *r)
{
  unsigned objects = 0;

  for (unsigned a = 0; a < r->draft->no_alias.count; a++)
    objects += r->draft->no_alias.items[a].objects;
  return r->draft->no_alias.count > MOST_PAIRS || objects > MOST_OBJECTS;
}

static void check_no_alias(struct restricting *r)
{
  for (unsigned i = 0; i < r->kernel->param_count; i++)
    for (unsigned k = i + 1; k < r->kernel->param_count && !r->reason; k++)
      if (is_used_pointer(r, i) && is_used_pointer(r, k)) check_pair(r, i, k);
  for (unsigned i = 0; i < r->effects->uses.count && !r->reason; i++)
    check_use(r, &r->effects->uses.items[i]);
  if (!r->reason && asks_too_much(r))
    r->reason = "its launch would have to compare too many pairs of arguments";
}

/* ---- the change ---- */

/* Does another thread read, through the parameter, the values that this one has written? */
static bool is_handed_on(const struct restricting *r, unsigned i)
{
  bool both = r->effects->params[i] == (EFFECT_READ | EFFECT_WRITE);
  return both && (r->effects->barrier || r->effects->warp);
}

static bool is_marked(const struct restricting *r, unsigned i)
{
  const struct ir_type *type = r->kernel->params[i]->type;
  return is_used_pointer(r, i) && !type->is_restrict && !type->is_volatile && !is_handed_on(r, i);
}

/* The marks by parameter. NULL: loads wait for none of the parameters that can be marked. */
static bool *marks_of(const struct restricting *r, const struct waits *waits)
{
  bool *marks = arena_alloc(r->draft->code.arena, r->kernel->param_count + 1);
  unsigned told = 0;

  for (unsigned i = 0; i < r->kernel->param_count; i++) {
    marks[i] = is_marked(r, i);
    told += marks[i] && waits->roots >> i & 1;
  }
  return told ? marks : NULL;
}

static const char *names_of(const struct restricting *r, const bool *marks)
{
  const char *names = "";

  for (unsigned i = 0; i < r->kernel->param_count; i++)
    if (marks[i])
      names = arena_format(r->draft->code.arena, "%s%s%s", names, *names ? ", " : "",
                           r->kernel->params[i]->name);
  return names;
}

static bool decline(struct restricting *r, const struct waits *waits, const char *reason)
{
  struct code *code = &r->draft->code;

  code_decide(code,
              (struct decision){.kind = DECISION_REGISTERS, .place = waits->place, .why = reason});
  code_remark(code, DIAG_NOT_RESTRICTED, &waits->place,
              "loads of '%s' stay behind stores to what other parameters lead to: %s",
              r->kernel->name, reason);
  return false;
}

static void take(struct restricting *r, const struct waits *waits, const bool *marks)
{
  struct code *code = &r->draft->code;
  const char *names = names_of(r, marks);
  double gain = waits->written / waits->ahead;

  code_drop_scan(code);
  code->facts.kernel = ir_copy_function(code->arena, code->facts.kernel);
  code->facts.kernel->body = waits_unrolled(code, code->facts.kernel->body);
  draft_own_body(r->draft);
  r->draft->changed = code->facts.kernel;
  r->draft->restricted = marks;
  r->draft->suffix = "restrict";
  r->draft->note = arena_format(
      code->arena, "with loads in front of stores, where %s lead to different memory", names);
  code_decide(code,
              (struct decision){.kind = DECISION_REGISTERS,
                                .taken = true,
                                .place = waits->place,
                                .what = "loads in front of stores to other parameters' memory",
                                .gain = gain});
  code_remark(code, DIAG_RESTRICTED, &waits->place,
              "loads of '%s' may go in front of stores, as %s lead to different memory: predicted "
              "gain %.2f",
              code->kernel->name, names, gain);
  text_format(r->draft->dump, "  plan restrict: %s gain %.2f\n", names, gain);
}

bool plan_restrict(struct draft *draft)
{
  struct code *code = &draft->code;
  struct no_alias_list asked = draft->no_alias;
  struct restricting r = {.draft = draft,
                          .effects = effects_of(code->effects, code->kernel),
                          .facts = &code->facts,
                          .kernel = code->facts.kernel};
  struct waits waits;

  code_scan(code);
  waits_of(code, target_of(draft->options->tuned_for), &waits);
  if (!waits.count) return false;
  check_effects(&r);
  if (!r.reason && waits.written < LEAST_GAIN * waits.ahead)
    r.reason = "the loads that could go in front of stores take too little of its time";
  if (!r.reason) check_products(&r);
  if (!r.reason) check_no_alias(&r);
  bool *marks = r.reason ? NULL : marks_of(&r, &waits);
  if (!r.reason && !marks) r.reason = "threads hand on through them what others read";
  if (r.reason) {
    draft->no_alias = asked;
    return decline(&r, &waits, r.reason);
  }
  take(&r, &waits, marks);
  return true;
}
