/* SPDX-License-Identifier: MIT */
/* loop_walk.c - loops that a pointer counts, and small changes that make loops regular.
 *
 *     const char *p = d + t * n, *end = p + n;         const char *p = d + t * n;
 *     while (p < end) h = h * 31 + *p++;         =>    for (int k = 0; k < n; k++) {
 *                                                        h = h * 31 + *p++; }
 *     for (const float *p = r; p != r + n; ++p)  =>    { const float *p = r;
 *       s += *p;                                         for (k = 0; k < n; k++) { s += *p; p++; }
 * } for (k = 0; k < n; k++, p++) s += *p;      =>    for (k = 0; k < n; k++) { s += *p; p++; }
 *
 * Then the pointer becomes an expression of the iterator (loop_steps.c). Each iteration steps the
 * pointer once, by one element. Its end is the pointer's value in front of the loop and a number of
 * elements, which are told by the text: p + n, &p[n], the value of a local that keeps it. With `<`
 * there are as many iterations as elements, none if the number is not positive. With `!=` a
 * negative number would lead out of the array, which C++ does not allow, unless the loop is left
 * before. Gives up: an end that is told in another way; iterations that end by a `continue`.
 */
#include "analysis/transform/loop_forms/loop_forms.h"

#include "runtime/seeded.h"

/* ---- the head ---- */

static bool is_walker(const struct ir_var *var)
{
  const struct ir_type *type = var->type;

  return var->kind == IR_VAR_LOCAL && !var->address_taken && !var->is_static && var->name &&
         type->kind == IR_TYPE_POINTER && !type->is_volatile && type->element &&
         type->element->size > 0;
}

static struct ir_var *walker_of(struct ir_expr *expr)
{
  const struct ir_expr *bare = ir_strip(expr);
  return bare->kind == IR_EXPR_VAR && is_walker(bare->var) ? bare->var : NULL;
}

struct walk_head {
  struct ir_var *var;
  struct ir_expr *end;
  bool unequal;
};

/* p < end, p != end, end > p, end != p */
static bool find_head(struct ir_expr *condition, struct ir_stmt *loop, struct walk_head *ret)
{
  const struct ir_expr *bare = condition ? ir_strip(condition) : NULL;

  if (!bare || bare->kind != IR_EXPR_BINARY) return false;
  ret->unequal = bare->op == IR_OP_NE;
  for (unsigned i = 0; i < 2; i++) {
    if (bare->op != IR_OP_NE && bare->op != (i ? IR_OP_GT : IR_OP_LT)) continue;
    ret->var = walker_of(bare->operands[i]);
    ret->end = bare->operands[1 - i];
    if (ret->var && !ir_expr_has_var(ret->end, ret->var) && loop_forms_writes(loop, ret->var))
      return true;
  }
  return false;
}

/* ---- the number of elements ---- */

struct before {
  struct ir_stmt *const *stmts; /* in front of the loop, in its list */
  unsigned count;
};

/* const T *p = a, *end = p + n;   =>   const T *p = a; const T *end = p + n; */
static void add_apart(struct arena *arena, struct ir_list *list, struct ir_stmt *stmt)
{
  if (stmt->kind != IR_STMT_DECLS) ir_list_add(arena, list, stmt);
  for (unsigned i = 0; stmt->kind == IR_STMT_DECLS && i < stmt->child_count; i++)
    ir_list_add(arena, list, stmt->children[i]);
}

/* Is the pointer the walker's value in front of the loop? `told`: it is from a local's declaration,
 * behind which the walker keeps its value */
static bool is_start(const struct before *b, const struct ir_var *var, struct ir_expr *pointer,
                     bool told)
{
  struct ir_expr *bare = ir_strip(pointer), *value;

  if (!bare->type->element || bare->type->element->size != var->type->element->size) return false;
  if (bare->kind == IR_EXPR_VAR && bare->var == var) return told;
  value = loop_forms_value_before(var, b->stmts, b->count, true);
  return value && ir_same_expr(ir_strip(value), bare);
}

static struct ir_expr *number_of(const struct before *b, const struct ir_var *var,
                                 struct ir_expr *end, bool told)
{
  struct ir_expr *bare = ir_strip(end), *pointer, *number;

  if (bare->kind == IR_EXPR_VAR && !told && walker_of(bare)) {
    struct ir_expr *value = loop_forms_value_before(bare->var, b->stmts, b->count, true);
    return value ? number_of(b, var, value, true) : NULL;
  }
  bool address = bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_ADDRESS;
  if (address) bare = ir_strip(bare->operands[0]);
  if (bare->kind != (address ? IR_EXPR_INDEX : IR_EXPR_BINARY) ||
      (!address && bare->op != IR_OP_ADD))
    return NULL;
  bool first = ir_strip(bare->operands[0])->type->kind == IR_TYPE_POINTER;
  pointer = bare->operands[first ? 0 : 1];
  number = ir_strip(bare->operands[first ? 1 : 0]);
  bool counts = number->type->kind == IR_TYPE_INT && number->type->size >= 4;
  return counts && is_start(b, var, pointer, told) ? number : NULL;
}

/* ---- the new loop ---- */

static const struct ir_type *counter_type(const struct ir_type *number)
{
  static const struct ir_type wide = {.kind = IR_TYPE_INT,
                                      .spelling = "long long",
                                      .size = 8,
                                      .align = 8,
                                      .is_signed = true,
                                      .extent = -1};
  return number->is_signed && number->size == 4 ? ir_int_type() : &wide;
}

static struct ir_stmt *as_block(struct arena *arena, struct ir_stmt *body)
{
  struct ir_list list = {0};

  if (body->kind == IR_STMT_BLOCK) return body;
  ir_list_add(arena, &list, body);
  struct ir_stmt *block = ir_build_block(arena, &list);
  block->place = body->place;
  return block;
}

struct ir_stmt *loop_forms_walk(struct loop_forming *f, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count)
{
  struct arena *arena = f->code->arena;
  struct ir_list apart = {0};
  struct walk_head head;

  if (stmt->kind != IR_STMT_WHILE || !find_head(stmt->expr, stmt, &head)) return stmt;
  for (unsigned i = 0; i < count; i++) add_apart(arena, &apart, before[i]);
  struct before b = {apart.items.items, apart.items.count};
  struct ir_expr *number = number_of(&b, head.var, head.end, false);
  if (!number || !loop_forms_stays(head.end, stmt) || !loop_forms_stays(number, stmt) ||
      loop_forms_continues(stmt->body) || (head.unequal && loop_forms_is_left(stmt)) ||
      !loop_forms_steps_once(stmt->body, head.var))
    return stmt;
  const struct ir_type *type = counter_type(number->type);
  struct ir_var *k = code_local(f->code, arena_format(arena, "_at_%s", head.var->name), type);
  struct ir_expr *first = ir_build_int(arena, SEEDED(WALK_FIRST_LOST) ? 1 : 0);
  if (!ir_same_type(number->type, type)) number = ir_build_cast(arena, type, number);
  struct ir_stmt *loop = ir_build_for(arena, k, first, number, 1, stmt->body);
  loop->place = stmt->place;
  loop->pragma = stmt->pragma;
  f->walked = true;
  loop_forms_note(f, stmt, "a loop that counts the elements of a pointer's way");
  return loop;
}

/* ---- regular loops ---- */

/* The body with a statement for the expression at its end. */
static struct ir_stmt *with_last(struct arena *arena, struct ir_stmt *body, struct ir_expr *expr)
{
  struct ir_list list = {0};

  body = as_block(arena, body);
  for (unsigned i = 0; i < body->child_count; i++) ir_list_add(arena, &list, body->children[i]);
  struct ir_stmt *last = ir_build_expr_stmt(arena, expr);
  last->place = expr->place;
  ir_list_add(arena, &list, last);
  struct ir_stmt *block = ir_build_block(arena, &list);
  block->place = body->place;
  return block;
}

static bool declares_walker(const struct ir_stmt *init, const struct ir_var *var)
{
  if (init->kind == IR_STMT_DECL) return init->var == var;
  for (unsigned i = 0; init->kind == IR_STMT_DECLS && i < init->child_count; i++)
    if (init->children[i]->var == var) return true;
  return false;
}

/* for (T *p = a; p != e; p++) body   =>   { T *p = a; while (p != e) { body; p++; } } */
static struct ir_stmt *without_for(struct arena *arena, struct ir_stmt *stmt)
{
  struct walk_head head;
  struct ir_list list = {0};

  if (!stmt->init || !stmt->increment || loop_forms_continues(stmt->body) ||
      !find_head(stmt->expr, stmt, &head) || !declares_walker(stmt->init, head.var))
    return stmt;
  struct ir_stmt *loop = ir_copy_stmt(arena, stmt);
  loop->kind = IR_STMT_WHILE;
  loop->init = NULL;
  loop->increment = NULL;
  loop->body = with_last(arena, stmt->body, stmt->increment);
  ir_list_add(arena, &list, stmt->init);
  ir_list_add(arena, &list, loop);
  struct ir_stmt *block = ir_build_block(arena, &list);
  block->place = stmt->place;
  return block;
}

/* k++, p++   =>   k++, and p++ at the end of the body */
static struct ir_stmt *without_comma(struct arena *arena, struct ir_stmt *stmt)
{
  struct ir_expr *comma = stmt->increment ? ir_strip(stmt->increment) : NULL;
  bool two = comma && comma->kind == IR_EXPR_BINARY && comma->op == IR_OP_COMMA;
  struct ir_expr *counter = stmt->expr ? ir_strip(stmt->expr) : NULL;
  if (!two || stmt->loop || loop_forms_continues(stmt->body) || !counter ||
      counter->kind != IR_EXPR_BINARY)
    return stmt;
  for (unsigned i = 0; i < 2; i++) {
    struct ir_expr *kept = ir_strip(comma->operands[i]), *moved = comma->operands[1 - i];
    const struct ir_var *own = ir_assigned_var(kept), *other = ir_assigned_var(ir_strip(moved));
    bool apart = own && other && own != other && !ir_expr_has_var(kept, other) &&
                 !ir_expr_has_var(moved, own) && ir_expr_has_var(counter, own) &&
                 !ir_expr_has_var(counter, other);
    if (!apart) continue;
    struct ir_stmt *copy = ir_copy_stmt(arena, stmt);
    copy->increment = kept;
    copy->body = with_last(arena, stmt->body, moved);
    return copy;
  }
  return stmt;
}

/* *p++ */
static void note_walk(struct ir_expr *expr, void *context)
{
  const struct ir_var *var = ir_is_step(expr) ? ir_assigned_var(expr) : NULL;
  *(bool *)context |= var && is_walker(var);
}

struct ir_stmt *loop_forms_regular(struct loop_forming *f, struct ir_stmt *stmt)
{
  struct arena *arena = f->code->arena;

  if (stmt->kind != IR_STMT_FOR && stmt->kind != IR_STMT_WHILE) return stmt;
  if (stmt->kind == IR_STMT_FOR) {
    struct ir_stmt *block = without_for(arena, stmt);
    if (block != stmt) return block;
    stmt = without_comma(arena, stmt);
  }
  bool walks = false;
  if (stmt->body->kind == IR_STMT_EXPR) ir_visit_expr(stmt->body->expr, note_walk, &walks);
  if (!walks) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt);
  copy->body = as_block(arena, stmt->body);
  return copy;
}
