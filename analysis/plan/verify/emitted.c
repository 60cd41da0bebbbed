/* SPDX-License-Identifier: MIT */
/* emitted.c - checks one code of a plan: its arrays, vector accesses, barriers, shared memory.
 *
 *     for (_e = 0; _e < 4; _e++) _s_a[_t % 16][_e * 8 + _t / 16]     _s_a[16][36], _t < 128: inside
 *     if (_t < 100) __syncthreads();                                           M3005
 *
 * The walk visits the code once more, in the shape in which it runs and under the conditions that
 * its launches checked. It shows each access and call to the functions of emitted_*.c. Each of them
 * answers proved, wrong or not told. Wrong means that it happens in some iteration of some thread,
 * whatever the launch's arguments are. Requires: a body that codegen prints. Gives up (counts it):
 * a form is not affine, or isl's limit is reached.
 */
#include "analysis/plan/verify/emitted_parts.h"
#include "analysis/plan/verify/surely.h"

#include <stdarg.h>
#include <string.h>

#include "analysis/model/model.h"
#include "analysis/sets/budget.h"

enum { MOST_EXHAUSTED = 6, STATIC_SHARED = 49152, EXPR_SHOWN = 160 };

/* ---- findings ---- */

static const char *shown(struct look *l, const struct ir_expr *expr)
{
  struct text text = {0};

  if (expr) ir_print_expr(&text, expr);
  const char *copy = arena_format(l->arena, "%.*s", EXPR_SHOWN, text_string(&text));
  text_finish(&text);
  return copy;
}

static void add_finding(struct look *l, const char *text)
{
  for (unsigned i = 0; i < l->report->findings.count; i++)
    if (l->report->findings.items[i].kernel == l->emitted->kernel &&
        !strcmp(l->report->findings.items[i].text, text))
      return;
  *ARENA_PUSH(l->arena, &l->report->findings) = (struct emitted_finding){l->emitted->kernel, text};
}

void look_find(struct look *l, const struct ir_expr *expr, const char *format, ...)
{
  char reason[256];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  add_finding(l, expr ? arena_format(l->arena, "'%s': %s", shown(l, expr), reason)
                      : arena_string(l->arena, reason));
}

void look_untold(struct look *l, const struct ir_expr *expr, const char *what)
{
  *ARENA_PUSH(l->arena, &l->report->untold) =
      arena_format(l->arena, "%s: '%s': %s", l->emitted->kernel->name, shown(l, expr), what);
}

/* ---- variables ---- */

static bool has_var(const struct ir_function *function, const struct ir_var *var)
{
  for (unsigned i = 0; function && i < function->var_count; i++)
    if (function->vars[i] == var) return true;
  return false;
}

bool look_is_made(const struct look *l, const struct ir_var *var)
{
  if (var->kind != IR_VAR_LOCAL && var->kind != IR_VAR_SHARED) return false;
  for (unsigned i = 0; i < l->unit->globals.count; i++)
    if (l->unit->globals.items[i] == var) return false;
  return !has_var(l->emitted->kernel, var) && !has_var(l->emitted->other, var);
}

struct decl_search {
  const struct ir_var *var;
  struct ir_expr *value;
  bool assigned;
};

static bool find_decl(struct ir_stmt *stmt, void *context)
{
  struct decl_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var) s->value = stmt->expr;
  return true;
}

static void find_assigned(struct ir_expr *expr, void *context)
{
  struct decl_search *s = context;
  s->assigned |= ir_assigned_var(expr) == s->var;
}

struct ir_expr *look_value_of(const struct look *l, const struct ir_var *var)
{
  struct decl_search s = {.var = var};

  if (var->kind != IR_VAR_LOCAL || var->address_taken) return NULL;
  ir_visit_stmts(l->emitted->code->body, find_decl, &s);
  ir_visit_stmt_exprs(l->emitted->code->body, find_assigned, &s);
  return s.assigned ? NULL : s.value;
}

bool look_happens(struct look *l, struct walk *w, isl_set *bad)
{
  if (!l->jumps) return surely_happens(w, l->emitted->facts.grid, bad);
  isl_set_free(bad);
  return false;
}

/* ---- the watch ---- */

/* Renews isl's budget, which is for one question. A code that needs too many budgets is not read to
 * its end. */
static void renew(struct look *l, struct walk *w)
{
  isl_ctx *ctx = w->symbols->ctx;

  if (!budget_unanswered(ctx) || l->exhausted == MOST_EXHAUSTED) return;
  isl_ctx_reset_error(ctx);
  isl_ctx_reset_operations(ctx);
  l->exhausted++;
}

static void see_access(void *context, struct walk *w, const struct address *address,
                       const struct ir_expr *expr)
{
  struct look *l = context;

  renew(l, w);
  look_stage(l, w, expr);
  if (ir_strip((struct ir_expr *)expr)->kind == IR_EXPR_UNARY)
    look_vector_cast(l, w, expr);
  else if (address->base && look_is_made(l, address->base) &&
           address->base->type->kind == IR_TYPE_ARRAY)
    look_index(l, w, address, 1, expr);
}

static void see_call(void *context, struct walk *w, struct ir_expr *call)
{
  struct look *l = context;

  renew(l, w);
  if (call->effect == IR_EFFECT_BARRIER || call->effect == IR_EFFECT_WARP)
    look_meeting(l, w, call);
  else if (!strncmp(call->text, "mesi_", 5))
    look_vector_call(l, w, call);
}

static bool range_of(void *context, const struct ir_var *var, int64_t *ret_low, int64_t *ret_high)
{
  const struct look *l = context;

  if (!ir_owns(l->code.facts.kernel, var) || !l->values[var->id].count) return false;
  const struct value_set *set = &l->values[var->id];
  *ret_low = *ret_high = set->items[0];
  for (unsigned i = 1; i < set->count; i++) {
    *ret_low = set->items[i] < *ret_low ? set->items[i] : *ret_low;
    *ret_high = set->items[i] > *ret_high ? set->items[i] : *ret_high;
  }
  return true;
}

/* ---- shared memory ---- */

struct shared_search {
  const struct look *look;
  uint64_t bytes;
};

static bool add_shared(struct ir_stmt *stmt, void *context)
{
  struct shared_search *s = context;
  const struct ir_var *var = stmt->kind == IR_STMT_DECL ? stmt->var : NULL;

  if (var && var->kind == IR_VAR_SHARED && !var->is_dynamic_shared && look_is_made(s->look, var)) {
    uint64_t align = var->alignment         ? (uint64_t)var->alignment
                     : var->type->align > 0 ? (uint64_t)var->type->align
                                            : 1;
    s->bytes = (s->bytes + align - 1) / align * align +
               (uint64_t)(var->type->size > 0 ? var->type->size : 0);
  }
  return true;
}

static uint64_t of_kernel(const struct ir_function *kernel)
{
  return kernel && kernel->static_shared_bytes > 0 ? (uint64_t)kernel->static_shared_bytes : 0;
}

static void look_shared(struct look *l)
{
  const struct emitted_code *e = l->emitted;
  struct shared_search s = {l, of_kernel(e->kernel)};
  uint64_t limit = target_of(l->arch)->shared_bytes,
           asked = e->facts.dynamic_shared > 0 ? (uint64_t)e->facts.dynamic_shared : 0;

  ir_visit_stmts(e->code->body, add_shared, &s);
  bool made = s.bytes > of_kernel(e->kernel) || e->staged_bytes;
  uint64_t fixed = s.bytes + (e->dynamic ? 0 : e->staged_bytes),
           all = s.bytes + e->staged_bytes + asked;
  if (made && fixed > STATIC_SHARED)
    look_find(l, NULL,
              "%llu bytes of shared memory that are not asked for at the launch; 49152 is the most",
              (unsigned long long)fixed);
  else if (made && all > limit)
    look_find(l, NULL, "%llu bytes of shared memory; sm_%u has %llu for a block",
              (unsigned long long)all, l->arch, (unsigned long long)limit);
}

/* ---- one code ---- */

static bool find_jump(struct ir_stmt *stmt, void *context)
{
  bool *found = context;
  *found |= stmt->kind == IR_STMT_GOTO;
  return true;
}

static void prepare(struct look *l, const struct walk_watch *watch)
{
  const struct emitted_code *e = l->emitted;
  struct code *code = &l->code;

  code->facts = e->facts;
  code->no_alias = e->no_alias;
  code->facts.kernel = e->code;
  code->facts.watch = watch;
  code->facts.context = e->conditions;
  code->facts.context_count = e->condition_count;
  code->kernel = (struct ir_function *)e->kernel;
  ir_visit_stmts(e->code->body, find_jump, &l->jumps);
  look_values(l);
}

/* The defect of the code's IR. NULL: none. */
static const char *verified(struct arena *arena, const struct emitted_code *emitted)
{
  struct ir_function *function = emitted->code;

  if (emitted->shares) {
    function = ir_copy_function(arena, function);
    ir_own_body(arena, function);
  }
  return ir_verify_function(arena, function);
}

void emitted_check_code(struct unit *unit, struct effects *effects, unsigned arch,
                        const struct emitted_code *emitted, struct emitted_report *report)
{
  struct remarks unused = {0};
  struct look look = {
      .report = report, .emitted = emitted, .arena = unit->arena, .unit = unit, .arch = arch};
  struct walk_watch watch = {
      .context = &look, .access = see_access, .call = see_call, .range = range_of};
  const char *malformed = verified(unit->arena, emitted);

  report->codes++;
  if (malformed) {
    look_find(&look, NULL, "the IR is malformed: %s", malformed);
    return;
  }
  look.code =
      (struct code){.unit = unit, .arena = unit->arena, .effects = effects, .remarks = &unused};
  prepare(&look, &watch);
  look_shared(&look);
  code_scan(&look.code);
  look_meetings(&look);
  report->unread += look.exhausted == MOST_EXHAUSTED;
  code_finish(&look.code);
}

static const char *share(struct arena *arena, const char *what, const struct emitted_share *share)
{
  return arena_format(arena, "%s %u of %u", what, share->proved, share->all);
}

const char *emitted_line(struct arena *arena, const struct emitted_report *r)
{
  return arena_format(
      arena, "%u codes, %u not read to the end; proved: %s, %s, %s, %s; %u found wrong", r->codes,
      r->unread, share(arena, "indices", &r->indices), share(arena, "vector accesses", &r->vectors),
      share(arena, "barriers", &r->barriers), share(arena, "warp operations", &r->warps),
      r->findings.count);
}
