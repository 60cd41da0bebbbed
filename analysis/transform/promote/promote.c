/* SPDX-License-Identifier: MIT */
/* promote.c - keeps an array element in a register over a loop that updates it.
 *
 *     c[row][col] = 0;                           float _r_c = 0;
 *     for (k = 0; k < N; k++)              =>    for (k = 0; k < N; k++)
 *       c[row][col] += a[row][k] * b[k][col];      _r_c += a[row][k] * b[k][col];
 *                                                c[row][col] = _r_c;
 *
 * The region is the loop with the statements beside it that use the same element. Every access to
 * the array in it names this element by the same expression, whose operands do not change. No other
 * code in it may reach the array's memory. It has no barrier, so no other thread may read the
 * element meanwhile. The element is loaded in front of its first read and stored at the end, so the
 * region must write it in any case. If only the loop writes it, and may run zero times, the whole
 * region stands under the loop's condition. Requires: a scan. Gives up per loop and array, with a
 * remark if the address would have been invariant.
 */
#include "analysis/transform/promote/promote.h"

#include "analysis/code/rounding_pin.h"
#include "runtime/seeded.h"

#include <string.h>

enum { MOST_ACCESSES = 4000 }; /* of a kernel: the search for regions is not linear */

struct promoting {
  struct code *code;
  unsigned count;
  LIST_OF(const struct ir_var *) stored; /* registers of elements that nvcc would store each time */
};

struct promotion {
  struct code *code;
  const struct array *array;
  struct ir_expr *element; /* its expression in the region */
  unsigned first, last;    /* of the list's statements */
  struct promoting *all;
  const char *reason; /* why a statement does not fit; NULL: it does */
  bool uses;          /* the statement accesses the array */
};

static struct ir_function *function_of(struct promotion *p) { return p->code->facts.kernel; }

/* ---- the address ---- */

static bool is_changed_from_afar(const struct ir_var *var)
{
  bool local = var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM;
  return var->kind == IR_VAR_SHARED || (local && var->address_taken) ||
         var->type->kind == IR_TYPE_REFERENCE;
}

static void note_address_part(struct ir_expr *expr, void *context)
{
  struct promotion *p = context;

  switch (expr->kind) {
  case IR_EXPR_CALL:
  case IR_EXPR_ASSIGN:
  case IR_EXPR_MEMBER: p->reason = "its address is not a plain index"; break;
  case IR_EXPR_UNARY:
    if (ir_is_step(expr)) p->reason = "evaluating its address has effects";
    break;
  case IR_EXPR_VAR:
    if (is_changed_from_afar(expr->var)) p->reason = "its address depends on memory";
    break;
  default: break;
  }
}

/* Checks other memory that the address is read from: it must not change. */
static void note_address_load(struct ir_expr *expr, void *context)
{
  struct promotion *p = context;
  const struct code_access *found = code_access_of(p->code, expr);

  if (found && found->array != p->array && !code_read_only(p->code, found->array))
    p->reason = "its address depends on memory that the kernel writes";
}

static bool address_fits(struct promotion *p)
{
  p->reason = NULL;
  ir_visit_expr(p->element, note_address_part, p);
  ir_visit_expr(p->element, note_address_load, p);
  return !p->reason;
}

/* ---- the statements of the region ---- */

static void note_expr(struct ir_expr *expr, void *context)
{
  struct promotion *p = context;
  const struct code_access *found = code_access_of(p->code, expr);
  const struct ir_var *assigned = ir_assigned_var(expr);

  if (assigned && ir_expr_has_var(p->element, assigned)) p->reason = "its address changes";
  if (expr->kind == IR_EXPR_CALL && !effects_pure(p->code->effects, expr))
    p->reason = "a call beside it may reach it";
  if (!found) return;
  if (found->array != p->array) {
    if (!code_disjoint(p->code, p->array, found->array) && !SEEDED(PROMOTED_OVER_ALIAS))
      p->reason = arena_format(p->code->arena, "'%s' may overlap it", found->array->var->name);
    return;
  }
  p->uses = true;
  if ((!ir_same_expr(expr, p->element) && !SEEDED(PROMOTED_OVER_NEIGHBOUR)) ||
      found->access->partial)
    p->reason = "another element of the array is used beside it";
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct promotion *p = context;

  if (stmt->kind == IR_STMT_RETURN) p->reason = "threads return from the loop";
  if (stmt->kind == IR_STMT_CASE) p->reason = "a statement beside it is not understood";
  if (stmt->kind == IR_STMT_DECL && ir_expr_has_var(p->element, stmt->var))
    p->reason = "its address changes";
  return true;
}

static bool leaves_list(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE;
  return stmt->kind != IR_STMT_FOR && stmt->kind != IR_STMT_WHILE && stmt->kind != IR_STMT_DO;
}

/* May the statement be part of the region? *p->uses: it accesses the element. */
static bool stmt_fits(struct promotion *p, struct ir_stmt *stmt)
{
  bool leaves = false;

  p->reason = NULL;
  p->uses = false;
  ir_visit_stmts(stmt, note_stmt, p);
  ir_visit_stmt_exprs(stmt, note_expr, p);
  ir_visit_stmts(stmt, leaves_list, &leaves);
  if (leaves && !p->reason) p->reason = "control leaves the loop around it";
  return !p->reason;
}

/* ---- certain writes ---- */

static bool writes_always(struct promotion *p, struct ir_expr *expr)
{
  if (!expr) return false;
  if ((expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)) &&
      ir_same_expr(expr->operands[0], p->element))
    return true;
  unsigned count = expr->operand_count;
  if (expr->kind == IR_EXPR_COND ||
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR)))
    count = 1;
  for (unsigned i = 0; i < count; i++)
    if (writes_always(p, expr->operands[i])) return true;
  return false;
}

static bool is_left(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |=
      stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE || stmt->kind == IR_STMT_RETURN;
  return true;
}

static bool runs_once(const struct ir_loop *loop)
{
  int64_t lower, bound;

  if (!loop || !loop->lower || !ir_constant(loop->lower, &lower) ||
      !ir_constant(loop->bound, &bound) ||
      (!loop->iterator->type->is_signed && (lower < 0 || bound < 0)))
    return false;
  switch (loop->relation) {
  case IR_OP_LT: return lower < bound;
  case IR_OP_LE: return lower <= bound;
  case IR_OP_GT: return lower > bound;
  case IR_OP_GE: return lower >= bound;
  default: return lower != bound;
  }
}

static bool stmt_writes_always(struct promotion *p, struct ir_stmt *stmt)
{
  bool left = false;

  switch (stmt->kind) {
  case IR_STMT_EXPR:
  case IR_STMT_DECL: return writes_always(p, stmt->expr);
  case IR_STMT_IF:
    return stmt->else_body && stmt_writes_always(p, stmt->body) &&
           stmt_writes_always(p, stmt->else_body);
  case IR_STMT_DO: return stmt_writes_always(p, stmt->body);
  case IR_STMT_FOR: return runs_once(stmt->loop) && stmt_writes_always(p, stmt->body);
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count && !left; i++) {
      if (stmt_writes_always(p, stmt->children[i])) return true;
      ir_visit_stmts(stmt->children[i], is_left, &left);
    }
    return false;
  default: return false;
  }
}

/* Is it `c[row][col] = value;`, with a value that does not use the element? */
static bool is_plain_write(struct promotion *p, struct ir_stmt *stmt)
{
  if (stmt->kind != IR_STMT_EXPR) return false;
  struct ir_expr *expr = ir_strip(stmt->expr);
  if (expr->kind != IR_EXPR_ASSIGN || expr->op != IR_OP_ASSIGN ||
      !ir_same_expr(expr->operands[0], p->element))
    return false;
  struct promotion value = *p;
  struct ir_stmt right = {.kind = IR_STMT_EXPR, .expr = expr->operands[1]};
  return stmt_fits(&value, &right) && !value.uses;
}

/* ---- the region ---- */

/* Extends the region back to a plain write of the element, and forward over its further uses. */
static void extend(struct promotion *p, struct ir_stmt **list, unsigned count)
{
  for (unsigned i = p->first; i-- > 0 && stmt_fits(p, list[i]);)
    if (is_plain_write(p, list[i])) {
      p->first = i;
      break;
    }
  for (unsigned i = p->last + 1; i < count && stmt_fits(p, list[i]); i++)
    if (p->uses) p->last = i;
}

static bool region_writes_always(struct promotion *p, struct ir_stmt **list)
{
  for (unsigned i = p->first; i <= p->last; i++)
    if (stmt_writes_always(p, list[i])) return true;
  return SEEDED(PROMOTED_UNWRITTEN);
}

/* Is the iterator's value unused behind the loop? */
static bool iterator_ends_with(struct promotion *p, struct ir_stmt *loop)
{
  const struct ir_var *iterator = loop->loop->iterator;

  return loop->loop->declared ||
         ir_count_var(function_of(p)->body, iterator) == ir_count_var(loop, iterator);
}

/* The condition under which a loop that writes the element runs at all. NULL: it cannot be
 * given. */
static struct ir_expr *entry_condition(struct promotion *p, struct ir_stmt *loop)
{
  bool canonical = loop->kind == IR_STMT_FOR && loop->loop && loop->loop->lower && loop->expr &&
                   ir_strip(loop->expr)->kind == IR_EXPR_BINARY &&
                   !ir_has_effects(loop->loop->bound) && !ir_has_effects(loop->loop->lower) &&
                   iterator_ends_with(p, loop);

  if (!canonical || !stmt_writes_always(p, loop->body)) return NULL;
  struct ir_expr *written = ir_strip(loop->expr);
  unsigned at = ir_expr_has_var(written->operands[0], loop->loop->iterator) ? 0 : 1;
  if (ir_strip(written->operands[at])->kind != IR_EXPR_VAR ||
      ir_expr_has_var(written->operands[1 - at], loop->loop->iterator))
    return NULL;
  const struct ir_type *type = loop->loop->iterator->type, *from = loop->loop->lower->type;
  bool same =
      from->kind == type->kind && from->size == type->size && from->is_signed == type->is_signed;
  struct ir_expr *lower = same ? loop->loop->lower
                               : ir_build_cast(p->code->arena, type, loop->loop->lower),
                 *bound = written->operands[1 - at];
  return ir_build_binary(p->code->arena, written->op, at ? bound : lower, at ? lower : bound);
}

/* ---- the new code ---- */

struct replacement {
  struct promotion *p;
  struct ir_var *var;
};

static struct ir_expr *replace_element(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct replacement *to = r->context;
  const struct code_access *found = code_access_of(to->p->code, expr);

  return found && found->array == to->p->array ? ir_build_var(r->arena, to->var) : NULL;
}

static struct ir_stmt *store_of(struct promotion *p, struct ir_var *var)
{
  struct arena *arena = p->code->arena;
  return ir_build_expr_stmt(arena, ir_build_assign(arena, p->element, ir_build_var(arena, var)));
}

struct overlap_search {
  struct promotion *p;
  bool found;
};

static void note_overlap(struct ir_expr *expr, void *context)
{
  struct overlap_search *s = context;
  const struct code_access *found = code_access_of(s->p->code, expr);

  if (found && found->array != s->p->array)
    s->found |= !rounding_apart(found->array->var, s->p->array->var);
}

/* Does nvcc store the element each time? It does where other accesses may be to it, for all that
 * nvcc knows. */
static bool is_stored(struct promotion *p, struct ir_stmt **list)
{
  struct overlap_search search = {p, false};

  for (unsigned i = p->first; i <= p->last; i++)
    ir_visit_stmt_exprs(list[i], note_overlap, &search);
  return search.found;
}

/* The region's statements with the register, the declaration in front and the store behind. */
static void rebuild(struct promotion *p, struct ir_stmt **list, struct ir_list *out)
{
  struct arena *arena = p->code->arena;
  const struct ir_type *type = ir_plain_type(arena, p->array->element);
  struct ir_var *var = code_local(p->code, arena_format(arena, "_r_%s", p->array->var->name), type);
  struct replacement to = {p, var};
  struct ir_rewriter rewriter = {arena, replace_element, &to};
  unsigned i = p->first;

  if (is_stored(p, list)) *ARENA_PUSH(arena, &p->all->stored) = var;
  if (is_plain_write(p, list[i])) {
    struct ir_expr *value = ir_strip(list[i]->expr)->operands[1];
    struct ir_stmt *decl = ir_build_decl(arena, var, value);
    decl->place = list[i++]->place;
    ir_list_add(arena, out, decl);
  } else {
    ir_list_add(arena, out,
                ir_build_decl(arena, var,
                              SEEDED(PROMOTED_NOT_LOADED) ? ir_build_int(arena, 0) : p->element));
  }
  for (; i <= p->last; i++) ir_list_add(arena, out, ir_rewrite_stmt(&rewriter, list[i]));
  if (!SEEDED(PROMOTED_NOT_STORED)) ir_list_add(arena, out, store_of(p, var));
}

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

static bool element_type_fits(const struct ir_type *type)
{
  return (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL) &&
         type->size > 0 && !type->is_volatile;
}

static void decline(struct promotion *p, struct ir_stmt *loop, const char *reason)
{
  code_decide(p->code, (struct decision){.kind = DECISION_REGISTERS,
                                         .place = loop->place,
                                         .array = p->array->var->name,
                                         .why = reason});
  code_remark(p->code, DIAG_NOT_PROMOTED, &loop->place,
              "'%s' is not kept in a register in '%s': %s", p->array->var->name,
              p->code->kernel->name, reason);
}

static bool hidden_uses(struct promotion *p)
{
  const struct kernel_access *access = &p->code->access;

  for (unsigned i = 0; i < access->arrays.count; i++) {
    const struct array *other = access->arrays.items[i];
    if (other != p->array && other->reject && !code_disjoint(p->code, p->array, other)) return true;
  }
  return false;
}

/* Promotes p->array over the loop at list[at]: the new statements are in *out. */
static bool promote_array(struct promotion *p, struct ir_stmt **list, unsigned count, unsigned at,
                          struct ir_list *out)
{
  struct ir_stmt *loop = list[at];

  p->first = p->last = at;
  if (!element_type_fits(p->array->element) || !address_fits(p) || !stmt_fits(p, loop)) {
    if (p->reason && strcmp(p->reason, "its address changes")) decline(p, loop, p->reason);
    return false;
  }
  if (p->array->reject || code_written_elsewhere(p->code, p->array) ||
      p->code->access.unknown_read) {
    decline(p, loop,
            p->array->reject ? p->array->reject : "another name in the kernel may reach it");
    return false;
  }
  if (hidden_uses(p)) {
    decline(p, loop, "an array that may overlap it is used in a way that is not followed");
    return false;
  }
  extend(p, list, count);
  struct ir_expr *condition = NULL;
  if (!region_writes_always(p, list)) {
    p->first = p->last = at;
    condition = entry_condition(p, loop);
    if (!condition) {
      decline(p, loop, "its loop may end without writing the element");
      return false;
    }
  }
  for (unsigned i = 0; i < p->first; i++) ir_list_add(p->code->arena, out, list[i]);
  struct ir_list region = {0};
  rebuild(p, list, condition ? &region : out);
  if (condition)
    ir_list_add(p->code->arena, out,
                ir_build_if(p->code->arena, condition, ir_build_block(p->code->arena, &region)));
  for (unsigned i = p->last + 1; i < count; i++) ir_list_add(p->code->arena, out, list[i]);
  code_decide(
      p->code,
      (struct decision){.kind = DECISION_REGISTERS,
                        .taken = true,
                        .place = loop->place,
                        .array = p->array->var->name,
                        .what = "the element that the loop updates is kept in a register over it"});
  code_remark(p->code, DIAG_PROMOTED, &loop->place,
              "an element of '%s' is kept in a register over this loop of '%s'",
              p->array->var->name, p->code->kernel->name);
  return true;
}

/* ---- all loops ---- */

struct written_arrays {
  struct code *code;
  LIST_OF(const struct code_access *) items; /* the first access of each array that is written */
};

static void note_written(struct ir_expr *expr, void *context)
{
  struct written_arrays *w = context;
  const struct code_access *found = code_access_of(w->code, expr);

  if (!found || !found->array->written || !found->array->dim_count) return;
  for (unsigned i = 0; i < w->items.count; i++)
    if (w->items.items[i]->array == found->array) return;
  *ARENA_PUSH(w->code->arena, &w->items) = found;
}

static bool promote_loop(struct promoting *all, struct ir_stmt *block, unsigned at,
                         struct ir_stmt **ret_block)
{
  struct code *code = all->code;
  struct written_arrays written = {.code = code};

  ir_visit_stmt_exprs(block->children[at], note_written, &written);
  for (unsigned i = 0; i < written.items.count; i++) {
    const struct code_access *first = written.items.items[i];
    struct promotion p = {
        .code = code, .array = first->array, .element = (struct ir_expr *)first->expr, .all = all};
    struct ir_list out = {0};
    if (!promote_array(&p, block->children, block->child_count, at, &out)) continue;
    struct ir_stmt *copy = ARENA_NEW(code->arena, struct ir_stmt);
    *copy = *block;
    copy->children = out.items.items;
    copy->child_count = out.items.count;
    *ret_block = copy;
    return true;
  }
  return false;
}

static struct ir_stmt *promote_stmt(struct promoting *all, struct ir_stmt *stmt);

static struct ir_stmt *promote_block(struct promoting *all, struct ir_stmt *block)
{
  for (unsigned i = 0; i < block->child_count; i++)
    if (is_loop(block->children[i]) && promote_loop(all, block, i, &block)) {
      all->count++;
      i = UINT32_MAX; /* from the start of the new block */
    }
  struct ir_list out = {0};
  for (unsigned i = 0; i < block->child_count; i++)
    ir_list_add(all->code->arena, &out, promote_stmt(all, block->children[i]));
  struct ir_stmt *copy = ARENA_NEW(all->code->arena, struct ir_stmt);
  *copy = *block;
  copy->children = out.items.items;
  return copy;
}

static struct ir_stmt *promote_stmt(struct promoting *all, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_SWITCH) return stmt;
  if (stmt->kind == IR_STMT_BLOCK) return promote_block(all, stmt);
  if (stmt->kind != IR_STMT_IF && !is_loop(stmt)) return stmt;
  struct ir_stmt *copy = ARENA_NEW(all->code->arena, struct ir_stmt);
  *copy = *stmt;
  if (stmt->body && is_loop(stmt->body)) { /* a loop without braces around it */
    struct ir_list alone = {0};
    ir_list_add(all->code->arena, &alone, stmt->body);
    struct ir_stmt *block = promote_block(all, ir_build_block(all->code->arena, &alone));
    copy->body = block->child_count == 1 ? block->children[0] : block;
  } else {
    copy->body = promote_stmt(all, stmt->body);
  }
  copy->else_body = promote_stmt(all, stmt->else_body);
  return copy;
}

unsigned promote_registers(struct code *code)
{
  struct promoting all = {.code = code};

  code_scan(code);
  if (code->access.reject || code->access.has_fence || code->access_count > MOST_ACCESSES) return 0;
  struct ir_stmt *body = promote_block(&all, code->facts.kernel->body);
  if (!all.count) return 0;
  code->facts.kernel->body = rounding_pin(code, body, all.stored.items, all.stored.count);
  code_drop_scan(code);
  return all.count;
}

bool plan_promote(struct draft *draft)
{
  draft->promoted = promote_registers(&draft->code);
  if (draft->promoted) draft_own_body(draft);
  return draft->promoted > 0;
}
