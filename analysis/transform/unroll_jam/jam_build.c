/* SPDX-License-Identifier: MIT */
/* jam_build.c - the code of a loop that runs several iterations at once.
 *
 *     sum += v[b[p] + k];    =>    float _v = v[b[p] + k],
 *         _v_1 = _inner & 1 ? v[b[p + 1] + k] : _v;
 *                                  sum += _v; sum_1 += _v_1;
 *
 * This is for a load that, as the launch may find, equals that of another iteration. The bits are
 * constants of the kernel, so one of the two choices disappears. With four iterations, two of them
 * neighbours, the second bit says the same about the iterations 0 and 2, 1 and 3. Loads that all
 * iterations have in common anyway are left to the compiler: there is no store between the copies
 * of a statement. Requires: jam_fits.
 */
#include "analysis/code/loop.h"
#include "analysis/transform/unroll_jam/jam.h"
#include "runtime/seeded.h"

/* ---- one iteration's copy ---- */

struct copying {
  struct jam *j;
  unsigned number; /* of the iteration, from 0 */
  /* The only variable that changes: it replaces the iterator. NULL: `number` gives the
   * iteration. */
  struct ir_var *other;
  const struct ir_expr **loads; /* loads that have become variables */
  struct ir_var **values;       /* [load * count + iteration] */
  unsigned load_count;
};

static bool is_copied(const struct jam *j, const struct ir_var *var)
{
  return var->kind == IR_VAR_LOCAL && var->id < j->var_count && j->code->vars[var->id] == var &&
         j->varies[var->id];
}

static struct ir_var *local(struct jam *j, const char *wanted, unsigned number,
                            const struct ir_type *type)
{
  const char *name = number ? arena_format(j->unit->arena, "%s_%u", wanted, number) : wanted;

  return ir_add_local(j->unit->arena, j->code, unit_local_name(j->unit, name), type);
}

static struct ir_var *instance_of(struct jam *j, struct ir_var *var, unsigned number)
{
  struct ir_var **place = &j->instances[var->id * j->count + number];

  if (!number) return var;
  if (!*place) *place = local(j, var->name, number, var->type);
  return *place;
}

static struct ir_expr *copied(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct copying *c = r->context;
  struct ir_var *iterator = c->j->loop->loop->iterator;

  for (unsigned i = 0; i < c->load_count; i++)
    if (c->loads[i] == expr) return ir_build_var(r->arena, c->values[i * c->j->count + c->number]);
  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == iterator && c->other) return ir_build_var(r->arena, c->other);
  if (expr->var == iterator && c->number)
    return ir_build_binary(r->arena, IR_OP_ADD, expr, ir_build_int(r->arena, c->number));
  if (!c->other && c->number && is_copied(c->j, expr->var))
    return ir_build_var(r->arena, instance_of(c->j, expr->var, c->number));
  return NULL;
}

static struct ir_expr *copy_expr(struct copying *c, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {c->j->unit->arena, copied, c};

  return ir_rewrite_expr(&rewriter, expr);
}

static struct ir_loop *copy_loop(struct copying *c, const struct ir_loop *loop)
{
  struct ir_loop *copy = ARENA_NEW(c->j->unit->arena, struct ir_loop);

  *copy = *loop;
  copy->lower = copy_expr(c, loop->lower);
  copy->bound = copy_expr(c, loop->bound);
  if (!c->other && is_copied(c->j, loop->iterator))
    copy->iterator = instance_of(c->j, loop->iterator, c->number);
  return copy;
}

static struct ir_stmt *copy_stmt(struct copying *c, const struct ir_stmt *stmt)
{
  struct arena *arena = c->j->unit->arena;

  if (!stmt) return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->expr = copy_expr(c, stmt->expr);
  copy->increment = copy_expr(c, stmt->increment);
  copy->init = copy_stmt(c, stmt->init);
  copy->body = copy_stmt(c, stmt->body);
  copy->else_body = copy_stmt(c, stmt->else_body);
  copy->loop = stmt->loop ? copy_loop(c, stmt->loop) : NULL;
  if (stmt->kind == IR_STMT_DECL && !c->other && is_copied(c->j, stmt->var))
    copy->var = instance_of(c->j, stmt->var, c->number);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = copy_stmt(c, stmt->children[i]);
  return copy;
}

/* ---- loads that may equal those of another iteration ---- */

/* Finds the loads that happen whenever the expression is evaluated. */
static void find_loads(struct copying *c, struct ir_expr *expr)
{
  const struct array *array = NULL;
  unsigned count = expr ? expr->operand_count : 0;
  bool reads = expr && c->j->array &&
               (expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_UNARY) &&
               jam_access(c->j, expr, &array);

  if (reads && array == c->j->array) {
    const struct ir_expr **grown =
        arena_alloc(c->j->unit->arena, (c->load_count + 1) * sizeof *grown);
    for (unsigned i = 0; i < c->load_count; i++) grown[i] = c->loads[i];
    grown[c->load_count++] = expr;
    c->loads = grown;
    return;
  }
  if (expr && (expr->kind == IR_EXPR_COND ||
               (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR))))
    count = 1;
  for (unsigned i = 0; i < count; i++) find_loads(c, expr->operands[i]);
}

/* Does the segment's element differ between neighbours (0) or their groups (1)? */
static struct ir_expr *differs(const struct jam *j, unsigned which)
{
  struct arena *arena = j->unit->arena;
  struct ir_expr *bits = ir_build_var(arena, j->differs[which]);

  if (j->segment) bits = ir_build_binary(arena, IR_OP_SHR, bits, ir_build_var(arena, j->segment));
  return ir_build_binary(arena, IR_OP_AND, bits, ir_build_int(arena, 1));
}

/* The load of iteration `number`, or the equal value of an iteration before it. */
static struct ir_expr *value_of(struct copying *c, unsigned load, unsigned number)
{
  const struct jam *j = c->j;
  struct arena *arena = j->unit->arena;
  struct copying alone = {.j = c->j, .number = number};
  struct ir_expr *own = copy_expr(&alone, (struct ir_expr *)c->loads[load]);
  struct ir_var **values = &c->values[load * j->count];
  unsigned in_group = number % j->inner, group = number - in_group;

  if (!number) return own;
  if (!group || !in_group)
    return ir_build_cond(arena, differs(j, group ? 1 : 0), own, ir_build_var(arena, values[0]));
  if (SEEDED(JAM_GROUPS_SWAPPED)) in_group = group;
  return ir_build_cond(
      arena, differs(j, 0),
      ir_build_cond(arena, differs(j, 1), own, ir_build_var(arena, values[in_group])),
      ir_build_var(arena, values[group]));
}

static void declare_loads(struct copying *c, struct ir_list *out)
{
  struct jam *j = c->j;
  struct arena *arena = j->unit->arena;

  c->values = arena_alloc(arena, (c->load_count * j->count + 1) * sizeof(struct ir_var *));
  for (unsigned i = 0; i < c->load_count; i++)
    for (unsigned k = 0; k < j->count; k++) {
      struct ir_var *var = local(j, arena_format(arena, "_v_%s", j->array->var->name), j->made++,
                                 ir_plain_type(arena, c->loads[i]->type));
      struct ir_stmt *decl = ir_build_decl(arena, var, value_of(c, i, k));
      c->values[i * j->count + k] = var;
      ir_list_add(arena, out, decl);
    }
}

/* ---- statements ---- */

static void copy_each(struct copying *c, const struct ir_stmt *stmt, struct ir_list *out)
{
  for (c->number = 0; c->number < c->j->count; c->number++)
    ir_list_add(c->j->unit->arena, out, copy_stmt(c, stmt));
}

static void mix(struct jam *j, struct ir_stmt *stmt, bool in_loop, struct ir_list *out);

static struct ir_stmt *mix_body(struct jam *j, struct ir_stmt *body, bool in_loop)
{
  struct ir_list list = {0};

  if (body->kind == IR_STMT_BLOCK)
    for (unsigned i = 0; i < body->child_count; i++) mix(j, body->children[i], in_loop, &list);
  else
    mix(j, body, in_loop, &list);
  return ir_build_block(j->unit->arena, &list);
}

static struct ir_stmt *mix_loop(struct jam *j, struct ir_stmt *stmt)
{
  struct ir_stmt *loop = ARENA_NEW(j->unit->arena, struct ir_stmt);

  *loop = *stmt;
  loop->body = mix_body(j, stmt->body, true);
  return loop;
}

/* Copies a statement in front of the first store for all iterations. */
static void mix(struct jam *j, struct ir_stmt *stmt, bool in_loop, struct ir_list *out)
{
  struct arena *arena = j->unit->arena;
  struct copying c = {.j = j};

  if (!jam_stmt_varies(j, stmt)) {
    ir_list_add(arena, out, stmt);
    return;
  }
  switch (stmt->kind) {
  case IR_STMT_BLOCK: ir_list_add(arena, out, mix_body(j, stmt, in_loop)); break;
  case IR_STMT_FOR: ir_list_add(arena, out, mix_loop(j, stmt)); break;
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++) mix(j, stmt->children[i], in_loop, out);
    break;
  case IR_STMT_DECL:
  case IR_STMT_EXPR:
    if (in_loop) find_loads(&c, stmt->expr);
    declare_loads(&c, out);
    copy_each(&c, stmt, out);
    break;
  default: copy_each(&c, stmt, out); break;
  }
}

static struct ir_stmt *next_iterations(struct arena *arena)
{
  struct ir_stmt *stmt = ARENA_NEW(arena, struct ir_stmt);

  stmt->kind = IR_STMT_CONTINUE;
  stmt->id = UINT32_MAX;
  return stmt;
}

static struct ir_expr *truth(struct arena *arena, struct ir_expr *condition)
{
  bool is = ir_strip(condition)->type->kind == IR_TYPE_BOOL;
  struct ir_expr *paren = ARENA_NEW(arena, struct ir_expr);

  *paren = (struct ir_expr){
      .kind = IR_EXPR_PAREN, .id = UINT32_MAX, .type = ir_bool_type(), .operand_count = 1};
  paren->operands = arena_alloc(arena, sizeof *paren->operands);
  paren->operands[0] =
      is ? condition : ir_build_binary(arena, IR_OP_NE, condition, ir_build_int(arena, 0));
  return paren;
}

/* Joins the conditions without jumps between them: each iteration evaluates its own in any case,
 * and their loads are in flight together. */
static struct ir_expr *all_conditions(struct jam *j, struct ir_expr *condition)
{
  struct arena *arena = j->unit->arena;
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < j->count; i++) {
    struct copying c = {.j = j, .number = i};
    struct ir_expr *one = truth(arena, copy_expr(&c, condition));
    all = all ? ir_build_binary(arena, IR_OP_AND, all, one) : one;
    if (SEEDED(JAM_FIRST_CONDITION)) break;
  }
  return all;
}

/* Builds all iterations at once. *ret ends with the jump to the next ones, for the case that all
 * conditions hold. */
static void build_level(struct jam *j, struct ir_stmt *body, struct ir_list *ret)
{
  struct arena *arena = j->unit->arena;
  struct ir_stmt *guard = jam_guard(j, body), *single[] = {body};
  bool block = body->kind == IR_STMT_BLOCK;
  struct ir_stmt **children = block ? body->children : single;
  unsigned count = block ? body->child_count : 1, first = 0;

  for (; first < count && children[first] != guard && !jam_stores(j, children[first]); first++)
    mix(j, children[first], false, ret);
  if (first < count && children[first] == guard) {
    struct ir_list inside = {0};
    build_level(j, guard->body, &inside);
    ir_list_add(arena, ret,
                ir_build_if(arena, all_conditions(j, guard->expr), ir_build_block(arena, &inside)));
    return;
  }
  for (unsigned k = 0; k < j->count; k++)
    for (unsigned i = first; i < count; i++) {
      struct copying c = {.j = j, .number = SEEDED(JAM_STORES_TURNED) ? j->count - 1 - k : k};
      ir_list_add(arena, ret, copy_stmt(&c, children[i]));
    }
  ir_list_add(arena, ret, next_iterations(arena));
}

/* Runs the remaining iterations, one after another. */
static struct ir_stmt *build_rest(struct jam *j)
{
  struct arena *arena = j->unit->arena;
  const struct ir_loop *loop = j->loop->loop;
  struct ir_var *each = local(j, loop->iterator->name, j->count, loop->iterator->type);
  struct copying c = {.j = j, .other = each};
  struct ir_expr *first = ir_build_var(arena, loop->iterator);
  struct ir_expr *last =
      ir_build_binary(arena, IR_OP_ADD, first, ir_build_int(arena, j->count - 1));
  struct ir_expr *end = ir_build_binary(arena, IR_OP_ADD, first, ir_build_int(arena, j->count));

  end = ir_build_cond(arena, ir_build_binary(arena, IR_OP_LT, last, loop->bound), end, loop->bound);
  return ir_build_for(arena, each, first, end, 1, copy_stmt(&c, j->loop->body));
}

static struct ir_stmt *build_loop(struct jam *j)
{
  struct arena *arena = j->unit->arena;
  const struct ir_loop *loop = j->loop->loop;
  struct ir_expr *last = ir_build_binary(arena, IR_OP_ADD, ir_build_var(arena, loop->iterator),
                                         ir_build_int(arena, j->count - 1));
  struct ir_list together = {0}, body = {0};

  build_level(j, j->loop->body, &together);
  if (SEEDED(JAM_END_IGNORED)) last = ir_build_var(arena, loop->iterator);
  ir_list_add(arena, &body,
              ir_build_if(arena, ir_build_binary(arena, IR_OP_LT, last, loop->bound),
                          ir_build_block(arena, &together)));
  ir_list_add(arena, &body, build_rest(j));
  struct ir_stmt *stmt = ir_build_for(arena, loop->iterator, loop->lower, loop->bound, j->count,
                                      ir_build_block(arena, &body));
  stmt->place = j->loop->place;
  return stmt;
}

void jam_build(struct jam *j)
{
  struct arena *arena = j->unit->arena;

  j->instances = arena_alloc(arena, (j->var_count + 1) * j->count * sizeof(struct ir_var *));
  j->code->body = loop_swap(arena, j->code->body, j->loop, build_loop(j));
}
