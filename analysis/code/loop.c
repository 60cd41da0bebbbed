/* SPDX-License-Identifier: MIT */
/* loop.c - loops in canonical form: their ends, runs of their iterations, steps through them, and
 * replacements. */
#include "analysis/code/loop.h"

#include <math.h>

#include "runtime/seeded.h"

/* The first value for which the loop does not run. */
struct ir_expr *loop_end(struct arena *arena, const struct ir_loop *loop)
{
  int64_t bound;

  if (loop->relation == IR_OP_LT || loop->relation == IR_OP_GT) return loop->bound;
  bool up = loop->relation == IR_OP_LE;
  if (ir_constant(loop->bound, &bound)) return ir_build_int(arena, bound + (up ? 1 : -1));
  return ir_build_binary(arena, up ? IR_OP_ADD : IR_OP_SUB, loop->bound, ir_build_int(arena, 1));
}

struct ir_stmt *loop_swap(struct arena *arena, struct ir_stmt *stmt, const struct ir_stmt *old,
                          struct ir_stmt *new)
{
  if (!stmt || stmt == old) return stmt ? new : NULL;
  struct ir_stmt changed = *stmt;
  changed.body = loop_swap(arena, stmt->body, old, new);
  changed.else_body = loop_swap(arena, stmt->else_body, old, new);
  changed.children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *changed.children);
  bool same = changed.body == stmt->body && changed.else_body == stmt->else_body;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    changed.children[i] = loop_swap(arena, stmt->children[i], old, new);
    same &= changed.children[i] == stmt->children[i];
  }
  if (same) return stmt;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = changed;
  return copy;
}

static struct ir_expr *run_at(struct code *code, const struct ir_loop *loop, int64_t unit,
                              const struct ir_type *type, bool behind)
{
  struct arena *arena = code->arena;
  struct ir_expr *call =
      ir_build_call(arena, arena_format(arena, "mesi_run_at<%s>", type->spelling), IR_EFFECT_NONE);
  struct ir_expr *which = ir_build_builtin(arena, IR_BLOCK_IDX + 2);

  call->type = type;
  ir_add_argument(arena, call, loop->lower);
  ir_add_argument(arena, call, loop_end(arena, loop));
  ir_add_argument(arena, call, ir_build_int(arena, loop->step));
  ir_add_argument(arena, call, ir_build_int(arena, unit));
  ir_add_argument(arena, call,
                  behind ? ir_build_binary(arena, IR_OP_ADD, which, ir_build_int(arena, 1))
                         : which);
  return call;
}

void loop_run(struct code *code, const struct ir_loop *loop, int64_t unit, struct ir_var *ret[2],
              struct ir_list *out)
{
  const struct ir_type *type = ir_plain_type(code->arena, loop->iterator->type);

  for (int i = 0; i < 2; i++) {
    ret[i] = code_local(code, i ? "_last" : "_first", type);
    ir_list_add(code->arena, out,
                ir_build_decl(code->arena, ret[i],
                              run_at(code, loop, unit, type, i && !SEEDED(SPLIT_RUN_EMPTY))));
  }
}

struct iterator_search {
  const struct ir_var *var;
  bool found;
};

static bool note_iterator(struct ir_stmt *stmt, void *context)
{
  struct iterator_search *s = context;
  s->found |= stmt->kind == IR_STMT_FOR && stmt->loop && stmt->loop->iterator == s->var;
  return true;
}

bool loop_counts(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct iterator_search search = {var, false};
  ir_visit_stmts(stmt, note_iterator, &search);
  return search.found;
}

int64_t loop_trips(const struct code *code, const struct ir_loop *loop)
{
  int64_t lower, bound;

  if (!loop || !loop->lower || loop->step_expr || loop->step <= 0 ||
      (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE) ||
      !code_constant(code, loop->lower, &lower) || !code_constant(code, loop->bound, &bound) ||
      (!loop->iterator->type->is_signed && (lower < 0 || bound < 0)))
    return -1;
  bound += loop->relation == IR_OP_LE;
  return bound <= lower ? 0 : (bound - lower + loop->step - 1) / loop->step;
}

bool loop_is_one(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  *(unsigned *)context += loop_is_one(stmt);
  return true;
}

unsigned loop_number(struct ir_stmt *stmt)
{
  unsigned number = 0;

  ir_visit_stmts(stmt, note_loop, &number);
  return number;
}

static struct ir_expr *use(struct code *code, struct ir_var *var)
{
  return ir_build_var(code->arena, var);
}

static struct ir_stmt *assigned(struct code *code, struct ir_var *var, struct ir_expr *value)
{
  return ir_build_expr_stmt(code->arena, ir_build_assign(code->arena, use(code, var), value));
}

/* from < end ? (end - from - 1) / step + 1 : 0 */
static struct ir_expr *steps_between(struct code *code, struct ir_var *from, struct ir_expr *end,
                                     int64_t step)
{
  struct arena *arena = code->arena;
  struct ir_expr *length = ir_build_binary(arena, IR_OP_SUB, end, use(code, from)),
                 *within = ir_build_binary(arena, IR_OP_LT, use(code, from), end);
  struct ir_expr *behind = ir_build_binary(
      arena, IR_OP_DIV, ir_build_binary(arena, IR_OP_SUB, length, ir_build_int(arena, 1)),
      ir_build_int(arena, step));

  return ir_build_cond(
      arena, within,
      ir_build_binary(arena, IR_OP_ADD, behind, ir_build_int(arena, 1 - SEEDED(COUNTED_SHORT))),
      ir_build_int(arena, 0));
}

static struct ir_stmt *counted(struct code *code, const struct stepped *s, struct ir_stmt *body)
{
  struct arena *arena = code->arena;
  const struct ir_type *type = ir_plain_type(arena, s->var->type);
  struct ir_var *from = code_local(code, "_f", type), *count = code_local(code, "_n", type),
                *which = code_local(code, "_c", type);
  struct ir_expr *at = ir_build_binary(
      arena, IR_OP_ADD, use(code, from),
      ir_build_binary(arena, IR_OP_MUL, use(code, which), ir_build_int(arena, s->step)));
  struct ir_list inside = {0}, out = {0};

  ir_list_add(arena, &inside,
              s->declares ? ir_build_decl(arena, s->var, at) : assigned(code, s->var, at));
  ir_list_add(arena, &inside, body);
  struct ir_stmt *made = ir_build_for(arena, which, ir_build_int(arena, 0), use(code, count), 1,
                                      ir_build_block(arena, &inside));
  made->pragma = s->pragma;
  ir_list_add(arena, &out, ir_build_decl(arena, from, s->begin));
  ir_list_add(arena, &out, ir_build_decl(arena, count, steps_between(code, from, s->end, s->step)));
  ir_list_add(arena, &out, made);
  return ir_build_block(arena, &out);
}

struct ir_stmt *loop_stepped(struct code *code, const struct stepped *s, struct ir_stmt *body)
{
  if (!s->var->type->is_signed && s->step > 1) return counted(code, s, body);
  struct ir_stmt *made = ir_build_for(code->arena, s->var, s->begin, s->end, s->step, body);
  if (!s->declares) made->init = assigned(code, s->var, s->begin);
  made->pragma = s->pragma;
  return made;
}

double loop_trips_between(const struct ir_loop *loop, double lower, double bound)
{
  double step = (double)loop->step, distance = bound - lower;
  bool with_bound = loop->relation == IR_OP_LE || loop->relation == IR_OP_GE;

  if (loop->relation != IR_OP_NE &&
      (step > 0) != (loop->relation == IR_OP_LT || loop->relation == IR_OP_LE))
    return INFINITY;
  return fmax(with_bound ? floor(distance / step) + 1 : ceil(distance / step), 0);
}
