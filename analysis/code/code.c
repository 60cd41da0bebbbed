/* SPDX-License-Identifier: MIT */
/* code.c - scans of a kernel's code, and the questions that transformations ask about them.
 *
 * Requires: facts of a launch. Produces: arrays and accesses of the code as it is. Gives up: never;
 * an exhausted scan leaves a kernel-wide reason in `access.reject`.
 */
#include "analysis/code/code.h"

#include "analysis/sets/budget.h"
#include "analysis/code/loop_init.h"
#include "translator/base/diag.h"
#include "runtime/seeded.h"

#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 300000 }; /* of isl, for the walk and for each question */

/* Puts the facts that hold for the ids of all threads in front of the body, as guards like those of
 * users. */
static struct ir_stmt *with_guards(struct arena *arena, const struct kernel_facts *facts,
                                   struct ir_stmt *body)
{
  struct ir_list all = {0};

  for (unsigned i = 0; i < facts->within_count; i++) {
    struct ir_stmt *leave = ARENA_NEW(arena, struct ir_stmt);
    leave->kind = IR_STMT_RETURN;
    leave->place = facts->kernel->name_place;
    ir_list_add(arena, &all, ir_build_if(arena, ir_build_not(arena, facts->within[i]), leave));
  }
  if (!facts->within_count) return body;
  ir_list_add(arena, &all, body);
  return ir_build_block(arena, &all);
}

void code_init(struct code *code, struct unit *unit, struct effects *effects,
               const struct kernel_facts *facts, struct remarks *remarks)
{
  memset(code, 0, sizeof *code);
  code->unit = unit;
  code->arena = unit->arena;
  code->effects = effects;
  code->facts = *facts;
  code->kernel = facts->kernel;
  code->facts.kernel = ir_copy_function(unit->arena, facts->kernel);
  code->facts.kernel->body =
      with_guards(unit->arena, facts, loop_init_split(unit->arena, facts->kernel->body));
  code->remarks = remarks;
}

void code_finish(struct code *code) { code_drop_scan(code); }

bool code_exhausted(struct code *code)
{
  bool failed = budget_unanswered(code->ctx);

  isl_ctx_reset_error(code->ctx);
  isl_ctx_reset_operations(code->ctx);
  return failed;
}

static int by_expr(const void *a, const void *b)
{
  uintptr_t x = (uintptr_t)((const struct code_access *)a)->expr,
            y = (uintptr_t)((const struct code_access *)b)->expr;
  return (x > y) - (x < y);
}

static void index_accesses(struct code *code)
{
  unsigned count = 0;

  for (unsigned i = 0; i < code->access.arrays.count; i++)
    count += code->access.arrays.items[i]->accesses.count;
  code->accesses = arena_alloc(code->arena, (count + 1) * sizeof *code->accesses);
  code->access_count = count;
  count = 0;
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    struct array *array = code->access.arrays.items[i];
    for (unsigned k = 0; k < array->accesses.count; k++)
      code->accesses[count++] =
          (struct code_access){array->accesses.items[k].expr, array, &array->accesses.items[k]};
  }
  qsort(code->accesses, count, sizeof *code->accesses, by_expr);
}

void code_scan(struct code *code)
{
  if (code->scanned) return;
  code->ctx = budget_new_ctx(OPERATIONS);
  symbols_init(&code->symbols, code->ctx, code->arena, &code->facts);
  access_collect(code->effects, &code->symbols, &code->access);
  if (code_exhausted(code) && !code->access.reject) {
    code->access.reject = budget_obstacle("the index expressions are too complex");
    code->access.reject_place = code->kernel->name_place;
  }
  index_accesses(code);
  code->scanned = true;
}

void code_drop_scan(struct code *code)
{
  if (!code->scanned) return;
  kernel_access_finish(&code->access);
  symbols_finish(&code->symbols);
  budget_free_ctx(code->ctx);
  code->scanned = false;
}

const struct code_access *code_access_of(const struct code *code, const struct ir_expr *expr)
{
  struct code_access key = {.expr = expr};

  return code->access_count ? bsearch(&key, code->accesses, code->access_count, sizeof key, by_expr)
                            : NULL;
}

bool code_disjoint(const struct code *code, const struct array *a, const struct array *b)
{
  return arrays_disjoint(&code->symbols, a->var, b->var);
}

static bool may_overlap(const struct code *code, const struct array *array,
                        const struct array *other)
{
  return other != array && other->written && !code_disjoint(code, array, other);
}

void code_ask_no_alias(struct code *code, struct no_alias_list *list)
{
  for (unsigned i = 0; i < code->access.arrays.count; i++)
    for (unsigned k = 0; k < code->access.arrays.count; k++) {
      const struct array *array = code->access.arrays.items[i],
                         *other = code->access.arrays.items[k];
      if (!array->written && may_overlap(code, array, other))
        alias_ask(&code->symbols, array, other, list);
    }
}

void code_ask_assumed(struct code *code, struct no_alias_list *list)
{
  bool *assumed = code->facts.assumed;

  code_scan(code);
  code->facts.assumed = NULL;
  for (unsigned i = 0; i < code->access.arrays.count; i++)
    for (unsigned k = i + 1; k < code->access.arrays.count; k++) {
      const struct array *array = code->access.arrays.items[i],
                         *other = code->access.arrays.items[k];
      if ((array->written || other->written) && !code_disjoint(code, array, other) &&
          (list->count || !SEEDED(APART_PAIR_LOST) || k + 1 == code->access.arrays.count))
        alias_ask(&code->symbols, array, other, list);
    }
  code->facts.assumed = assumed;
}

bool code_written_elsewhere(const struct code *code, const struct array *array)
{
  bool restricted = array->var->kind == IR_VAR_PARAM && array->var->type->is_restrict;

  if (code->access.unknown_write && !restricted) return true;
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    const struct array *other = code->access.arrays.items[i];
    if (may_overlap(code, array, other) &&
        !(code->no_alias && !array->written && alias_may_ask(&code->symbols, array, other)))
      return true;
  }
  return false;
}

bool code_read_only(const struct code *code, const struct array *array)
{
  return !array->written && !code_written_elsewhere(code, array);
}

const char *code_why_written(const struct code *code, const struct array *array)
{
  if (code_read_only(code, array)) return NULL;
  return array->written ? "the kernel writes it"
                        : "what the kernel writes under another name may overlap it";
}

bool code_granted(const struct code *code, const struct ir_expr *condition)
{
  for (unsigned i = 0; i < code->facts.context_count; i++)
    if (ir_same_expr(code->facts.context[i], condition)) return true;
  return false;
}

unsigned code_add_asked(struct ir_expr **ret, unsigned count, unsigned most,
                        struct ir_expr *const *asked, unsigned asked_count)
{
  unsigned before = count;

  for (unsigned i = 0; i < asked_count; i++) {
    unsigned at = 0;
    while (at < count && !ir_same_expr(ret[at], asked[i])) at++;
    if (at < count) continue;
    if (count == most) return before;
    ret[count++] = asked[i];
  }
  return count;
}

bool code_constant(const struct code *code, const struct ir_expr *expr, int64_t *ret)
{
  const struct ir_function *kernel = code->facts.kernel;
  const struct ir_expr *bare = ir_strip((struct ir_expr *)expr);

  if (ir_constant(expr, ret)) return true;
  if (bare->kind != IR_EXPR_VAR || bare->var->kind != IR_VAR_PARAM || bare->var->write_count ||
      (bare->var->address_taken && !SEEDED(SPECIALIZED_CHANGED)) || !code->facts.scalars)
    return false;
  for (unsigned i = 0; i < kernel->param_count; i++)
    if (kernel->params[i] == bare->var && code->facts.scalars[i].known &&
        ir_same_type(bare->type, bare->var->type)) {
      *ret = code->facts.scalars[i].value;
      return expr == bare || (*ret >= 0 && *ret <= INT32_MAX && expr->type->size >= 4);
    }
  return false;
}

struct code code_copy(const struct code *code, struct remarks *remarks)
{
  struct code copy = *code;

  copy.scanned = false;
  copy.remarks = remarks;
  copy.facts.kernel = ir_copy_function(code->arena, code->facts.kernel);
  return copy;
}

bool code_same_place(const struct ir_place *a, const struct ir_place *b)
{
  return a->file == b->file && a->begin == b->begin;
}

void code_remark(struct code *code, enum diag_id id, const struct ir_place *place,
                 const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  const char *text = arena_vformat(code->arena, format, arguments);
  va_end(arguments);
  const struct ir_place *where = place && place->line ? place : &code->kernel->name_place;
  for (unsigned i = 0; i < code->remarks->items.count; i++) {
    const struct remark *other = &code->remarks->items.items[i];
    if (code_same_place(&other->place, where) && !strcmp(other->text, text)) return;
  }
  *ARENA_PUSH(code->arena, &code->remarks->items) =
      (struct remark){id, *where, text, budget_is_spent()};
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static void add_decision(struct arena *arena, struct remarks *remarks,
                         const struct decision *decision)
{
  for (unsigned i = 0; i < remarks->decisions.count; i++) {
    const struct decision *other = &remarks->decisions.items[i];
    if (other->kind == decision->kind && other->taken == decision->taken &&
        other->place.file == decision->place.file && other->place.begin == decision->place.begin &&
        same_text(other->array, decision->array) && same_text(other->what, decision->what) &&
        same_text(other->why, decision->why))
      return;
  }
  *ARENA_PUSH(arena, &remarks->decisions) = *decision;
}

void remarks_decide(struct arena *arena, struct remarks *remarks, const struct decision *decision)
{
  struct decision made = *decision;

  made.late = budget_is_spent();
  add_decision(arena, remarks, &made);
}

void code_decide(struct code *code, struct decision decision)
{
  if (!decision.place.line) decision.place = code->kernel->name_place;
  remarks_decide(code->arena, code->remarks, &decision);
}

void remarks_supersede(struct remarks *remarks, enum decision_kind first, enum decision_kind last,
                       const char *why)
{
  for (unsigned i = 0; i < remarks->decisions.count; i++) {
    struct decision *d = &remarks->decisions.items[i];
    if (d->taken && d->kind >= first && d->kind <= last) {
      d->taken = false;
      d->why = why;
    }
  }
  for (unsigned i = 0; i < remarks->plans.count; i++) {
    remarks->plans.items[i].why = remarks->plans.items[i].taken ? why : remarks->plans.items[i].why;
    remarks->plans.items[i].taken = false;
  }
}

void remarks_append(struct arena *arena, struct remarks *remarks, const struct remarks *more)
{
  for (unsigned i = 0; i < more->items.count; i++)
    *ARENA_PUSH(arena, &remarks->items) = more->items.items[i];
  for (unsigned i = 0; i < more->decisions.count; i++)
    add_decision(arena, remarks, &more->decisions.items[i]);
  for (unsigned i = 0; i < more->plans.count; i++)
    *ARENA_PUSH(arena, &remarks->plans) = more->plans.items[i];
}

static bool has_local(const struct ir_function *function, const char *name, bool scratch)
{
  for (unsigned i = 0; i < function->var_count; i++) {
    const struct ir_var *var = function->vars[i];
    if (var->name && !strcmp(var->name, name) && (scratch || !var->is_scratch)) return true;
  }
  return false;
}

struct ir_var *code_local(struct code *code, const char *wanted, const struct ir_type *type)
{
  const char *name = unit_local_name(code->unit, wanted);

  for (unsigned number = 2; has_local(code->facts.kernel, name, true); number++)
    name = unit_local_name(code->unit, arena_format(code->arena, "%s_%u", wanted, number));
  return ir_add_local(code->arena, code->facts.kernel, name, type);
}

struct ir_var *code_scratch(struct code *code, const char *wanted, const struct ir_type *type)
{
  const char *name = unit_local_name(code->unit, wanted);

  for (unsigned number = 2;
       has_local(code->facts.kernel, name, false) && !SEEDED(SCRATCH_NAME_TAKEN); number++)
    name = unit_local_name(code->unit, arena_format(code->arena, "%s_%u", wanted, number));
  struct ir_var *var = ir_add_local(code->arena, code->facts.kernel, name, type);
  var->is_scratch = true;
  return var;
}

/* ---- locals that keep one value ---- */

struct decl_search {
  const struct ir_var *var;
  struct ir_stmt *found;
};

static bool note_decl(struct ir_stmt *stmt, void *context)
{
  struct decl_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var) s->found = stmt;
  return true;
}

struct ir_expr *code_value_of(const struct code *code, const struct ir_var *var)
{
  struct decl_search s = {var, NULL};

  if (var->kind != IR_VAR_LOCAL || var->write_count != 1 || var->address_taken ||
      var->type->kind == IR_TYPE_REFERENCE || var->type->kind == IR_TYPE_ARRAY ||
      var->type->kind == IR_TYPE_RECORD)
    return NULL;
  ir_visit_stmts(code->facts.kernel->body, note_decl, &s);
  return s.found ? s.found->expr : NULL;
}

struct ir_expr *code_cast_value(struct arena *arena, const struct ir_var *var,
                                struct ir_expr *value)
{
  const struct ir_type *type = ir_plain_type(arena, var->type);
  bool cast = (value->kind == IR_EXPR_CAST || value->kind == IR_EXPR_INT) &&
              !strcmp(value->type->spelling, type->spelling);

  return cast ? value : ir_build_cast(arena, type, value);
}
