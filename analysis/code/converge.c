/* SPDX-License-Identifier: MIT */
/* converge.c - brings all threads of a block to statements that need them all: barriers and shared
 * copies.
 *
 *     if (i < n) {                                        const bool _p = i < n;
 *       const float x = p[i];                             if (__syncthreads_or(_p)) {
 *       float sum = 0;                            =>        const float x = _p ? p[i] : (float)0;
 *       for (c = lo; c < hi; c++)                           float sum = 0;
 *         TARGET                                            for (c = lo; c < hi; c++)
 *       q[i] = sum;                                           TARGET, for the threads with `_p`
 *     }                                                     if (_p) q[i] = sum;
 *                                                         }
 *
 * Ifs and loops around a target stay if all threads take them alike (uniform.c); then all threads
 * compute their conditions and bounds. An `if` that threads decide differently becomes a predicate.
 * A loop whose trip count differs between threads runs as long as one of them goes on. The vote in
 * front ensures that some thread computes these values in the original code, so all may compute
 * them. The threads that did everything else before still do it. Requires: a normal body, whose
 * early returns and continues are conditions. Gives up, with a reason: other jumps, switches,
 * barriers of the user under a predicate, statements that cannot be taken apart.
 */
#include "analysis/code/converge.h"

#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

struct joining {
  struct convergence *c;
  struct arena *arena;
  struct ir_expr *active; /* NULL: all threads */
  struct ir_list run;     /* statements of active threads, not written yet */
};

static void give_up(struct convergence *c, const char *reason, const struct ir_place *place)
{
  if (c->reason) return;
  c->reason = reason;
  c->place = *place;
}

/* ---- questions ---- */

struct target_search {
  const struct convergence *c;
  bool found;
};

static bool note_target(struct ir_stmt *stmt, void *context)
{
  struct target_search *s = context;

  for (unsigned i = 0; i < s->c->target_count; i++) s->found |= s->c->targets[i] == stmt;
  return !s->found;
}

static bool has_target(const struct convergence *c, struct ir_stmt *stmt)
{
  struct target_search s = {c, false};

  ir_visit_stmts(stmt, note_target, &s);
  return s.found;
}

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

/* Does the statement jump out, to the end of the loop around it or to its next iteration? */
static bool jumps_out(const struct ir_stmt *stmt, bool in_switch)
{
  bool found = false;

  if (!stmt || is_loop(stmt)) return false;
  if (stmt->kind == IR_STMT_CONTINUE || (stmt->kind == IR_STMT_BREAK && !in_switch)) return true;
  in_switch |= stmt->kind == IR_STMT_SWITCH;
  found = jumps_out(stmt->body, in_switch) || jumps_out(stmt->else_body, in_switch);
  for (unsigned i = 0; i < stmt->child_count && !found; i++)
    found = jumps_out(stmt->children[i], in_switch);
  return found;
}

struct meeting_search {
  struct effects *effects;
  bool found;
};

static void note_meeting(struct ir_expr *expr, void *context)
{
  struct meeting_search *s = context;

  s->found |= effects_join(s->effects, expr);
}

/* Has the statement a barrier, or may it have one? */
static bool meets(const struct convergence *c, struct ir_stmt *stmt)
{
  struct meeting_search s = {c->code->effects, false};

  ir_visit_stmt_exprs(stmt, note_meeting, &s);
  return s.found;
}

struct harm_search {
  bool quotients; /* those of block numbers have a safe form */
  bool found;
};

static void note_harm(struct ir_expr *expr, void *context)
{
  struct harm_search *s = context;
  const struct ir_var *root = expr->kind == IR_EXPR_MEMBER ? ir_holder(expr) : NULL;
  bool own = root && (root->kind == IR_VAR_LOCAL || root->kind == IR_VAR_PARAM);

  s->found |= ir_may_trap(expr) && !(s->quotients && code_is_block_quotient(expr));
  switch (expr->kind) {
  case IR_EXPR_INDEX: s->found = true; break;
  case IR_EXPR_MEMBER: s->found |= !own && expr->type->kind != IR_TYPE_ARRAY; break;
  case IR_EXPR_UNARY:
    s->found |= expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS || ir_is_step(expr);
    break;
  case IR_EXPR_CALL: s->found |= expr->effect != IR_EFFECT_NONE; break;
  case IR_EXPR_VAR:
    s->found |=
        expr->var->kind != IR_VAR_LOCAL && expr->var->kind != IR_VAR_PARAM && !expr->var->has_value;
    break;
  case IR_EXPR_ASSIGN:
  case IR_EXPR_CONSTRUCT: s->found = true; break;
  default: break;
  }
}

bool code_is_harmless(struct ir_expr *expr, bool quotients)
{
  struct harm_search s = {quotients, false};

  ir_visit_expr(expr, note_harm, &s);
  return !s.found;
}

struct change_search {
  const struct joining *j;
  struct ir_stmt *stmt;
  bool found;
};

static void note_change(struct ir_expr *expr, void *context)
{
  struct change_search *s = context;
  const struct ir_var *var =
      expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr) ? ir_holder(expr->operands[0]) : NULL;
  const struct uniform *u = s->j->c->uniform;

  s->found |= var && uniform_var(u, var) &&
              ir_count_var(u->code->facts.kernel->body, var) > ir_count_var(s->stmt, var);
}

/* Does it change a variable that all threads need? */
static bool changes_uniform(const struct joining *j, struct ir_stmt *stmt)
{
  struct change_search s = {j, stmt, false};

  ir_visit_stmt_exprs(stmt, note_change, &s);
  return s.found;
}

/* ---- statements of active threads ---- */

static void end_run(struct joining *j, struct ir_list *out)
{
  if (!j->run.items.count) return;
  ir_list_add(j->arena, out, ir_build_if(j->arena, j->active, ir_build_block(j->arena, &j->run)));
  j->run = (struct ir_list){0};
}

/* The value of a variable in threads that do not compute it. */
static struct ir_expr *nothing(struct joining *j, const struct ir_type *type)
{
  type = ir_plain_type(j->arena, type);
  if (type->kind != IR_TYPE_RECORD) return ir_build_cast(j->arena, type, ir_build_int(j->arena, 0));
  struct ir_expr *value = ARENA_NEW(j->arena, struct ir_expr);
  *value = (struct ir_expr){.kind = IR_EXPR_CONSTRUCT,
                            .id = UINT32_MAX,
                            .type = type,
                            .text = type->spelling,
                            .field_offset = -1};
  return value;
}

/* T v = active ? init : T(); */
static void add_decl(struct joining *j, struct ir_stmt *decl, struct ir_list *out)
{
  const struct ir_type *type = decl->var->type;
  bool record = type->kind == IR_TYPE_RECORD;
  bool simple = type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
                type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_POINTER;

  if (!decl->expr || uniform_stmt(j->c->uniform, decl) ||
      (code_is_harmless(decl->expr, false) && type->kind != IR_TYPE_REFERENCE)) {
    ir_list_add(j->arena, out, decl);
    return;
  }
  if (meets(j->c, decl) || decl->expr->kind == IR_EXPR_INIT_LIST ||
      decl->init_style == IR_INIT_BRACE || type->is_volatile || type->is_unnamed ||
      !(simple || (record && type->is_trivial))) {
    give_up(j->c, "a variable beside the loop cannot be declared for all threads", &decl->place);
    return;
  }
  struct ir_stmt *copy = ARENA_NEW(j->arena, struct ir_stmt);
  *copy = *decl;
  copy->expr = ir_build_cond(j->arena, j->active, decl->expr, nothing(j, type));
  copy->expr->type = ir_plain_type(j->arena, type);
  ir_list_add(j->arena, out, copy);
}

static struct ir_stmt *joined(struct joining *j, struct ir_stmt *stmt);

/* Adds one statement of a list that contains no target. */
static void add_plain(struct joining *j, struct ir_stmt *stmt, struct ir_list *out)
{
  bool computes = uniform_stmt(j->c->uniform, stmt);

  if (!j->active || computes || stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_DECLS ||
      jumps_out(stmt, false) || (stmt->kind == IR_STMT_IF && changes_uniform(j, stmt))) {
    end_run(j, out);
    if (!j->active || computes)
      ir_list_add(j->arena, out, stmt);
    else if (stmt->kind == IR_STMT_DECL)
      add_decl(j, stmt, out);
    else if (stmt->kind == IR_STMT_DECLS)
      for (unsigned i = 0; i < stmt->child_count; i++) add_decl(j, stmt->children[i], out);
    else
      ir_list_add(j->arena, out, joined(j, stmt));
    return;
  }
  if (meets(j->c, stmt))
    give_up(j->c,
            "threads that have left it would miss a barrier or a warp operation beside the loop",
            &stmt->place);
  if (changes_uniform(j, stmt))
    give_up(j->c,
            "it is reached by some threads only, and what changes with it decides about the loop",
            &stmt->place);
  ir_list_add(j->arena, &j->run, stmt);
}

/* ---- the statements around targets ---- */

static struct ir_stmt *joined_list(struct joining *j, struct ir_stmt *const *list, unsigned count)
{
  struct joining inner = {.c = j->c, .arena = j->arena, .active = j->active};
  struct ir_list out = {0};

  for (unsigned i = 0; i < count; i++) {
    if (!has_target(j->c, list[i])) {
      add_plain(&inner, list[i], &out);
      continue;
    }
    end_run(&inner, &out);
    ir_list_add(j->arena, &out, joined(&inner, list[i]));
  }
  end_run(&inner, &out);
  return ir_build_block(j->arena, &out);
}

static struct ir_stmt *joined_body(struct joining *j, struct ir_stmt *body)
{
  if (!body) return NULL;
  return body->kind == IR_STMT_BLOCK ? joined_list(j, body->children, body->child_count)
                                     : joined_list(j, &body, 1);
}

static struct ir_stmt *joined_for(struct joining *j, struct ir_expr *active, struct ir_stmt *body)
{
  struct joining other = {.c = j->c, .arena = j->arena, .active = active};
  return joined_body(&other, body);
}

/* Is the condition true in any thread? */
static struct ir_expr *vote(struct joining *j, struct ir_expr *own)
{
  struct ir_expr *call = ir_build_call(j->arena, "__syncthreads_or", IR_EFFECT_BARRIER);

  call->type = ir_int_type();
  ir_add_argument(j->arena, call, own);
  return call;
}

static struct ir_var *predicate(struct joining *j)
{
  return code_local(j->c->code, "_p", ir_bool_type());
}

/* if (any) body. If no part of it needs all threads: if (own) body. */
static void add_branch(struct joining *j, struct ir_var *own, struct ir_stmt *body,
                       struct ir_list *out)
{
  if (!body) return;
  struct ir_expr *active = ir_build_var(j->arena, own);
  if (has_target(j->c, body)) {
    ir_list_add(j->arena, out,
                ir_build_if(j->arena, SEEDED(CONVERGE_NO_VOTE) ? active : vote(j, active),
                            joined_for(j, active, body)));
    return;
  }
  if (meets(j->c, body))
    give_up(j->c,
            "threads that have left it would miss a barrier or a warp operation beside the loop",
            &body->place);
  if (changes_uniform(j, body))
    give_up(j->c,
            "it is reached by some threads only, and what changes with it decides about the loop",
            &body->place);
  ir_list_add(j->arena, out, ir_build_if(j->arena, active, body));
}

static struct ir_stmt *joined_if(struct joining *j, struct ir_stmt *stmt)
{
  struct ir_list out = {0};

  if (uniform_expr(j->c->uniform, stmt->expr)) {
    struct ir_stmt *copy = ARENA_NEW(j->arena, struct ir_stmt);
    *copy = *stmt;
    copy->body = joined_body(j, stmt->body);
    copy->else_body = joined_body(j, stmt->else_body);
    return copy;
  }
  if (jumps_out(stmt, false) ||
      meets(j->c, &(struct ir_stmt){.kind = IR_STMT_EXPR, .expr = stmt->expr}))
    give_up(j->c, "threads leave a loop around it at different times", &stmt->place);
  struct ir_var *yes = predicate(j), *no = stmt->else_body ? predicate(j) : NULL;
  ir_list_add(j->arena, &out,
              ir_build_decl(j->arena, yes, ir_build_both(j->arena, j->active, stmt->expr)));
  if (no)
    ir_list_add(j->arena, &out,
                ir_build_decl(j->arena, no,
                              ir_build_both(j->arena, j->active,
                                            ir_build_unary(j->arena, IR_OP_NOT,
                                                           ir_build_var(j->arena, yes)))));
  add_branch(j, yes, stmt->body, &out);
  add_branch(j, no, stmt->else_body, &out);
  return ir_build_block(j->arena, &out);
}

/* { init; bool _p = active && cond; while (any _p) { body; if (_p) { increment; _p = cond; } } } */
static struct ir_stmt *joined_apart(struct joining *j, struct ir_stmt *stmt)
{
  struct arena *arena = j->arena;
  struct ir_list out = {0}, body = {0}, next = {0};
  struct joining inner = {.c = j->c, .arena = arena, .active = j->active};

  if (stmt->kind == IR_STMT_DO || !stmt->expr || jumps_out(stmt->body, false) ||
      meets(j->c, &(struct ir_stmt){.kind = IR_STMT_EXPR, .expr = stmt->expr})) {
    give_up(j->c, "threads leave a loop around it at different times", &stmt->place);
    return stmt;
  }
  struct ir_var *goes_on = predicate(j);
  struct ir_expr *active = ir_build_var(arena, goes_on);
  if (stmt->init) add_plain(&inner, stmt->init, &out);
  end_run(&inner, &out);
  ir_list_add(arena, &out,
              ir_build_decl(arena, goes_on, ir_build_both(j->arena, j->active, stmt->expr)));
  ir_list_add(arena, &body, joined_for(j, active, stmt->body));
  if (stmt->increment) ir_list_add(arena, &next, ir_build_expr_stmt(arena, stmt->increment));
  ir_list_add(arena, &next, ir_build_expr_stmt(arena, ir_build_assign(arena, active, stmt->expr)));
  ir_list_add(arena, &body, ir_build_if(arena, active, ir_build_block(arena, &next)));
  struct ir_stmt *loop = ARENA_NEW(arena, struct ir_stmt);
  *loop = (struct ir_stmt){.kind = IR_STMT_WHILE,
                           .id = UINT32_MAX,
                           .place = stmt->place,
                           .expr = vote(j, active),
                           .body = ir_build_block(arena, &body)};
  ir_list_add(arena, &out, loop);
  return ir_build_block(arena, &out);
}

static struct ir_stmt *joined_loop(struct joining *j, struct ir_stmt *stmt)
{
  if (!uniform_loop(j->c->uniform, stmt)) return joined_apart(j, stmt);
  struct ir_stmt *copy = ARENA_NEW(j->arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = joined_body(j, stmt->body);
  return copy;
}

static struct ir_stmt *joined(struct joining *j, struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < j->c->target_count; i++)
    if (j->c->targets[i] == stmt) return j->c->build(j->c, i, j->active);
  switch (stmt->kind) {
  case IR_STMT_BLOCK: return joined_body(j, stmt);
  case IR_STMT_IF: return joined_if(j, stmt);
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
  case IR_STMT_DO: return joined_loop(j, stmt);
  case IR_STMT_BREAK:
  case IR_STMT_CONTINUE: return stmt;
  default: give_up(j->c, "it stands in a switch", &stmt->place); return stmt;
  }
}

/* ---- */

struct loop_search {
  const struct ir_stmt *self;
  bool found;
};

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context;

  s->found |= stmt != s->self && is_loop(stmt);
  return true;
}

/* Normalises loops around loops. */
static struct ir_stmt *normal_loops(struct arena *arena, struct ir_stmt *stmt)
{
  struct loop_search s = {stmt, false};

  if (!stmt) return NULL;
  ir_visit_stmts(stmt, note_loop, &s);
  if (!s.found && !is_loop(stmt)) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;
  if (s.found && is_loop(stmt))
    copy->body = shape_without_jumps(arena, copy->body, IR_STMT_CONTINUE);
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = normal_loops(arena, *below);
  return copy;
}

struct ir_stmt *converge_normal(struct code *code)
{
  return normal_loops(code->arena,
                      shape_without_jumps(code->arena, code->facts.kernel->body, IR_STMT_RETURN));
}

struct ir_stmt *converge(struct convergence *c)
{
  struct joining j = {.c = c, .arena = c->code->arena};
  const struct ir_stmt *left = shape_return_in(c->code->facts.kernel->body);

  if (left) give_up(c, "threads return from inside a loop or a nested statement", &left->place);
  struct ir_stmt *body = joined_body(&j, c->code->facts.kernel->body);
  return c->reason ? NULL : body;
}
