/* SPDX-License-Identifier: MIT */
/* coarsen.c - makes one thread do the work of several.
 *
 *     int col = ...; float sum = 0;                       float sum[8][8];
 *     if (row < n && col < n) {                           bool _p[8], _p_2[8];
 *       for (k ...) sum += ...;                    =>     for _y: _p[_y] = row < n; ...
 *       c[row * n + col] = sum;                           for (k ...) { ...all instances... }
 *     }                                                   for _y for _x: if (_p[_y]
 *         && _p_2[_x]) c[..] = sum[_y][_x];
 *
 * Loops and ifs that depend on no axis stay around all instances; their bodies are coarsened in
 * turn. An `if` that threads decide differently is a statement of the instances, unless a loop over
 * tiles is in it. Then it becomes a predicate, since every thread must reach the barriers; its else
 * becomes another predicate, and the arms stand one after the other. Statements at one level with
 * equal axes share the loops over instances. An `if` that all instances of a thread decide together
 * (code->choice) separates code for all of them, which share their reads, from a loop over them
 * with the original code:
 *
 *     bool _whole = true; for _y: _whole = _whole && row > 0 && row < n;
 *     if (_whole) { ...all instances... } else for _y { ...as it was... }
 *
 * Requires: code of shape_virtual and tile_build, with a scan. Gives up: loops that threads leave
 * at different times (their instances could not be interleaved), references and lists that each
 * instance would have to keep.
 */
#include "analysis/mapping/coarsen/coarsen.h"

#include <string.h>

#include "analysis/mapping/tile/product.h"
#include "analysis/code/interior.h"
#include "runtime/seeded.h"

void coarsen_fail(struct coarsening *e, const char *reason, const struct ir_place *place)
{
  if (e->reason) return;
  e->reason = reason;
  e->place = *place;
}

bool coarsen_owns(const struct coarsening *e, const struct ir_var *var)
{
  return !var->of_thread && var->id < e->var_count && ir_owns(e->code->facts.kernel, var);
}

unsigned coarsen_axes(const struct coarsening *e, const struct ir_expr *expr)
{
  return instances_of_expr(&e->in, expr) & e->active;
}

unsigned coarsen_stmt_axes(const struct coarsening *e, struct ir_stmt *stmt)
{
  return instances_of_stmt(&e->in, stmt) & e->active;
}

/* ---- questions about statements ---- */

struct tile_search {
  const struct tiles *tiles;
  bool found;
};

static bool find_tile(struct ir_stmt *stmt, void *context)
{
  struct tile_search *s = context;

  for (unsigned i = 0; i < s->tiles->count; i++) s->found |= s->tiles->items[i].built == stmt;
  return true;
}

bool coarsen_has_tile(const struct coarsening *e, struct ir_stmt *stmt)
{
  struct tile_search s = {e->tiles, false};
  ir_visit_stmts(stmt, find_tile, &s);
  return s.found;
}

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

static bool find_loop(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= is_loop(stmt);
  return true;
}

struct jump_search {
  bool found;
  unsigned loops, switches;
};

/* Does control jump out of the statement, to the loop around it? */
static void find_jump(struct jump_search *s, struct ir_stmt *stmt)
{
  struct jump_search outer = *s;

  if (!stmt) return;
  if (stmt->kind == IR_STMT_BREAK) s->found |= !s->loops && !s->switches;
  if (stmt->kind == IR_STMT_CONTINUE) s->found |= !s->loops;
  s->loops += is_loop(stmt);
  s->switches += stmt->kind == IR_STMT_SWITCH;
  find_jump(s, stmt->body);
  find_jump(s, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) find_jump(s, stmt->children[i]);
  s->loops = outer.loops;
  s->switches = outer.switches;
}

static bool jumps_out(struct ir_stmt *stmt)
{
  struct jump_search s = {0};
  find_jump(&s, stmt);
  return s.found;
}

/* ---- structure ---- */

static void coarsen_list(struct coarsening *e, struct ir_stmt **list, unsigned count,
                         struct ir_list *out);

struct ir_stmt *coarsen_body(struct coarsening *e, struct ir_stmt *stmt)
{
  struct ir_list out = {0};

  if (!stmt) return NULL;
  if (stmt->kind == IR_STMT_BLOCK)
    coarsen_list(e, stmt->children, stmt->child_count, &out);
  else
    coarsen_list(e, &stmt, 1, &out);
  return ir_build_block(e->arena, &out);
}

/* Coarsens an `if` or loop that all instances go through together. */
static struct ir_stmt *coarsen_uniform(struct coarsening *e, struct ir_stmt *stmt)
{
  struct products products;

  if (coarsen_can_skew(e, stmt)) return coarsen_skewed(e, stmt, coarsen_body);
  if (coarsen_can_multiply(e, stmt, &products)) return coarsen_multiplied(e, stmt, &products);
  struct ir_stmt *copy = ARENA_NEW(e->arena, struct ir_stmt);

  *copy = *stmt;
  copy->init = coarsen_stmt(e, stmt->init);
  copy->expr = coarsen_expr(e, stmt->expr);
  copy->increment = coarsen_expr(e, stmt->increment);
  e->loops += is_loop(stmt);
  copy->body = coarsen_body(e, stmt->body);
  e->loops -= is_loop(stmt);
  copy->else_body = coarsen_body(e, stmt->else_body);
  return copy;
}

/* ---- locals that are computed again ---- */

struct cheap_search {
  struct coarsening *e;
  bool costly;
};

static void note_cost(struct ir_expr *expr, void *context)
{
  struct cheap_search *s = context;

  switch (expr->kind) {
  case IR_EXPR_INT:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_PAREN: break;
  case IR_EXPR_BINARY: s->costly |= expr->op == IR_OP_DIV || expr->op == IR_OP_REM; break;
  case IR_EXPR_VAR:
    s->costly |= !coarsen_owns(s->e, expr->var) ||
                 (!s->e->remade[expr->var->id] &&
                  !(expr->var->kind == IR_VAR_PARAM && !expr->var->write_count));
    break;
  default: s->costly = true; break;
  }
}

static bool has_twin(const struct coarsening *e, const struct ir_var *var)
{
  const struct ir_function *function = e->code->facts.kernel;
  unsigned same = 0;

  for (unsigned i = 0; i < function->var_count; i++)
    same += function->vars[i]->name && !strcmp(function->vars[i]->name, var->name);
  return same > 1;
}

/* Is it a thread's own index, such as row and col? Its declaration is repeated where it is used. */
static bool is_remade(struct coarsening *e, struct ir_stmt *decl)
{
  struct cheap_search s = {e, false};
  const struct ir_var *var = decl->var;

  if (!decl->expr || var->write_count != 1 || var->address_taken ||
      var->type->kind != IR_TYPE_INT || has_twin(e, var))
    return false;
  ir_visit_expr(decl->expr, note_cost, &s);
  return !s.costly;
}

/* ---- an if for all instances ---- */

static struct ir_stmt *over_instances(struct coarsening *e, unsigned axes, bool ends,
                                      const char *pragma, struct ir_stmt *body)
{
  for (int axis = 0; axis < 2; axis++) {
    if (!(axes & (1u << axis))) continue;
    int64_t step = ends ? e->factor[axis] - 1 : 1;
    body = ir_build_for(e->arena, e->counter[axis], ir_build_int(e->arena, 0),
                        ir_build_int(e->arena, e->factor[axis]), step, body);
    body->pragma = pragma;
  }
  return body;
}

/* The original code, for one instance after the other. */
static struct ir_stmt *one_by_one(struct coarsening *e, struct ir_stmt *stmt)
{
  struct ir_var **array = e->array;
  struct ir_stmt **remade = e->remade;
  const struct geometry *geometry = e->geometry;
  struct geometry apart = *geometry;

  apart.vector[0] = 1;
  if (e->code->interior->by_block) { /* neighbouring threads take neighbouring elements */
    e->geometry = &apart;
    e->from_thread = true;
  }
  e->array = arena_alloc(e->arena, (e->var_count + 1) * sizeof *e->array);
  e->remade = arena_alloc(e->arena, (e->var_count + 1) * sizeof *e->remade);
  struct ir_stmt *loop = over_instances(
      e, e->active, false, e->code->interior->by_block ? "#pragma unroll" : "#pragma unroll 1",
      coarsen_stmt(e, stmt));
  e->array = array;
  e->remade = remade;
  e->geometry = geometry;
  e->from_thread = false;
  return loop;
}

struct corner {
  struct ir_expr *thread;
};

static struct ir_expr *at_corner(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct corner *corner = r->context;
  return expr->kind == IR_EXPR_BUILTIN && expr->value == IR_THREAD_IDX ? corner->thread : NULL;
}

/* The condition for the first and the last thread of the block along x, and the further
 * condition. */
static struct ir_expr *block_condition(struct coarsening *e)
{
  const struct interior *interior = e->code->interior;
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < 2 && interior->condition; i++) {
    struct corner corner = {ir_build_int(e->arena, i ? e->geometry->block[0] - 1 : 0)};
    struct ir_rewriter rewriter = {e->arena, at_corner, &corner};
    struct ir_expr *one = ir_rewrite_expr(&rewriter, interior->condition);
    all = all ? ir_build_binary(e->arena, IR_OP_LAND, all, one) : one;
  }
  return all && interior->also ? ir_build_binary(e->arena, IR_OP_LAND, all, interior->also)
         : all                 ? all
                               : interior->also;
}

static void add_all(struct coarsening *e, const struct ir_stmt *block, struct ir_list *out)
{
  for (unsigned i = 0; i < block->child_count; i++) ir_list_add(e->arena, out, block->children[i]);
}

static void coarsen_choice(struct coarsening *e, struct ir_stmt *stmt, struct ir_list *out)
{
  struct ir_expr *condition =
      e->code->interior->by_block ? block_condition(e) : e->code->interior->condition;
  struct ir_stmt *scope = e->scope;

  e->scope = stmt->body;
  if (!condition) {
    add_all(e, coarsen_body(e, stmt->body), out);
    e->scope = scope;
    return;
  }
  struct ir_var *whole = code_local(e->code, "_whole", ir_bool_type());
  struct ir_expr *name = ir_build_var(e->arena, whole), *value = coarsen_expr(e, condition);
  struct ir_expr *all =
      ir_build_assign(e->arena, name, ir_build_binary(e->arena, IR_OP_LAND, name, value));
  struct ir_expr *yes = ir_build_int(e->arena, 1);
  yes->text = "true";
  yes->type = ir_bool_type();
  ir_list_add(e->arena, out, ir_build_decl(e->arena, whole, yes));
  bool ends = e->code->interior->convex;
  ir_list_add(e->arena, out,
              over_instances(e, e->code->interior->by_block ? 0 : coarsen_axes(e, condition), ends,
                             "#pragma unroll", ir_build_expr_stmt(e->arena, all)));
  struct ir_stmt *both = ir_build_if(e->arena, name, coarsen_body(e, stmt->body));
  both->else_body = one_by_one(e, stmt->else_body);
  ir_list_add(e->arena, out, both);
  e->scope = scope;
}

/* ---- statements ---- */

static bool is_plain(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_EXPR || stmt->kind == IR_STMT_BREAK ||
         stmt->kind == IR_STMT_CONTINUE;
}

static bool is_barrier(const struct ir_stmt *stmt)
{
  return stmt->expr && stmt->expr->kind == IR_EXPR_CALL && stmt->expr->effect == IR_EFFECT_BARRIER;
}

static void coarsen_member(struct coarsening *e, struct coarsen_group *group, struct ir_stmt *stmt,
                           struct ir_list *out)
{
  bool loops = false;

  ir_visit_stmts(stmt, find_loop, &loops);
  if (loops) coarsen_fail(e, "threads run a loop in it for different times", &stmt->place);
  if (jumps_out(stmt))
    coarsen_fail(e, "threads leave a loop in it at different times", &stmt->place);
  coarsen_group_add(e, group, stmt, out);
}

static void coarsen_decl(struct coarsening *e, struct coarsen_group *group, struct ir_stmt *stmt,
                         struct ir_list *out)
{
  unsigned axes = instances_of_var(&e->in, stmt->var) & e->active;

  if (coarsen_owns(e, stmt->var)) {
    e->declared[stmt->var->id] = (unsigned char)e->predicate_count;
    e->loops_around[stmt->var->id] = (unsigned char)(e->loops < 255 ? e->loops : 255);
  }
  if (axes && is_remade(e, stmt)) {
    e->remade[stmt->var->id] = stmt;
    return;
  }
  if (axes || (e->predicate_count && !coarsen_safe_stmt(e, stmt) && stmt->expr)) {
    coarsen_group_add(e, group, stmt, out);
    return;
  }
  coarsen_group_flush(e, group, out);
  ir_list_add(e->arena, out, coarsen_stmt(e, stmt));
}

static bool is_verbatim(const struct coarsening *e, const struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < e->tiles->verbatim.items.count; i++)
    if (e->tiles->verbatim.items.items[i] == stmt) return true;
  return false;
}

/* Do all instances of a thread take the same way through it? With barriers in it: all threads of
 * the block? */
static bool goes_together(const struct coarsening *e, struct ir_stmt *stmt, bool barriers)
{
  unsigned axes = barriers ? INSTANCE_ALL : e->active;

  if (is_loop(stmt)) return !(instances_of_loop(&e->in, stmt) & axes);
  return stmt->kind == IR_STMT_IF && !(instances_of_expr(&e->in, stmt->expr) & axes) &&
         (!e->predicate_count || coarsen_safe_expr(e, stmt->expr));
}

static void coarsen_one(struct coarsening *e, struct coarsen_group *group, struct ir_stmt *stmt,
                        struct ir_list *out)
{
  bool barriers = coarsen_has_tile(e, stmt);
  bool together = goes_together(e, stmt, barriers);
  bool predicated = stmt->kind == IR_STMT_IF && !together && barriers;

  if (e->code->choice == stmt) {
    coarsen_group_flush(e, group, out);
    coarsen_choice(e, stmt, out);
  } else if (is_verbatim(e, stmt)) { /* real threads run it, whatever the predicates are */
    coarsen_group_flush(e, group, out);
    ir_list_add(e->arena, out, stmt);
  } else if (stmt->kind == IR_STMT_DECL) {
    coarsen_decl(e, group, stmt, out);
  } else if (stmt->kind == IR_STMT_DECLS) {
    for (unsigned i = 0; i < stmt->child_count; i++) coarsen_decl(e, group, stmt->children[i], out);
  } else if (stmt->kind == IR_STMT_BLOCK || together || predicated) {
    coarsen_group_flush(e, group, out);
    ir_list_add(e->arena, out,
                stmt->kind == IR_STMT_BLOCK ? coarsen_body(e, stmt)
                : together                  ? coarsen_uniform(e, stmt)
                                            : coarsen_predicated(e, stmt));
  } else if (is_plain(stmt) && !coarsen_stmt_axes(e, stmt) &&
             (!e->predicate_count || stmt->kind != IR_STMT_EXPR || is_barrier(stmt) ||
              coarsen_safe_stmt(e, stmt))) {
    coarsen_group_flush(e, group, out);
    ir_list_add(e->arena, out, coarsen_stmt(e, stmt));
  } else if (stmt->kind != IR_STMT_NULL) {
    coarsen_member(e, group, stmt, out);
  }
}

static void coarsen_list(struct coarsening *e, struct ir_stmt **list, unsigned count,
                         struct ir_list *out)
{
  struct coarsen_group group = {0};

  for (unsigned i = 0; i < count && !e->reason; i++) coarsen_one(e, &group, list[i], out);
  coarsen_group_flush(e, &group, out);
}

/* ---- the kernel ---- */

static struct ir_expr *real_thread(struct coarsening *e, int axis)
{
  return ir_build_cast(e->arena, ir_int_type(), ir_build_builtin(e->arena, IR_THREAD_IDX + axis));
}

static void declare_threads(struct coarsening *e, struct ir_list *out)
{
  struct arena *arena = e->arena;

  if (e->tiles->count) {
    struct ir_expr *index = real_thread(e, 0);
    if (e->geometry->threads[1] > 1)
      index = ir_build_binary(arena, IR_OP_ADD,
                              ir_build_binary(arena, IR_OP_MUL, real_thread(e, 1),
                                              ir_build_int(arena, e->geometry->threads[0])),
                              index);
    ir_list_add(arena, out, ir_build_decl(arena, e->tiles->thread, index));
  }
  if (e->geometry->fragments) {
    coarsen_fragments(e, out);
    return;
  }
  for (int axis = 0; axis < 2; axis++) {
    if (!(e->active & (1u << axis))) continue;
    struct ir_expr *first = real_thread(e, axis);
    if (e->geometry->vector[axis] > 1)
      first =
          ir_build_binary(arena, IR_OP_MUL, first, ir_build_int(arena, e->geometry->vector[axis]));
    ir_list_add(arena, out, ir_build_decl(arena, e->origin[axis], first));
  }
}

static void declare_copies(struct coarsening *e, struct ir_list *out)
{
  for (unsigned i = 0; i < e->tiles->count; i++)
    for (unsigned k = 0; k < e->tiles->items[i].array_count; k++)
      ir_list_add(e->arena, out, ir_build_decl(e->arena, e->tiles->items[i].arrays[k].copy, NULL));
}

static void prepare(struct coarsening *e)
{
  for (int axis = 0; axis < 2; axis++) {
    e->factor[axis] = e->geometry->block[axis] / e->geometry->threads[axis];
    if (e->factor[axis] > 1) e->active |= 1u << axis;
    e->counter[axis] = code_local(e->code, axis ? "_y" : "_x", ir_int_type());
    e->origin[axis] = code_local(e->code, axis ? "_ty" : "_tx", ir_int_type());
  }
  e->var_count = e->code->facts.kernel->var_count;
  e->scope = e->code->facts.kernel->body;
  e->array = arena_alloc(e->arena, (e->var_count + 1) * sizeof *e->array);
  e->remade = arena_alloc(e->arena, (e->var_count + 1) * sizeof *e->remade);
  e->declared = arena_alloc(e->arena, e->var_count + 1);
  e->loops_around = arena_alloc(e->arena, e->var_count + 1);
}

bool coarsen_instances(struct code *code, const struct geometry *geometry, struct tiles *tiles,
                       const char **ret_reason, struct ir_place *ret_place)
{
  struct coarsening e = {.code = code, .arena = code->arena, .geometry = geometry, .tiles = tiles};
  struct ir_list out = {0};

  instances_analyze(code, &e.in);
  prepare(&e);
  for (unsigned i = 0; i < code->facts.kernel->param_count; i++)
    if (instances_of_var(&e.in, code->facts.kernel->params[i]) & e.active)
      coarsen_fail(&e, "it assigns a parameter", &code->kernel->name_place);
  declare_copies(&e, &out);
  declare_threads(&e, &out);
  add_all(&e, coarsen_body(&e, code->facts.kernel->body), &out);
  *ret_reason = e.reason;
  *ret_place = e.place;
  if (e.reason) return false;
  code->facts.kernel->body = ir_build_block(e.arena, &out);
  return true;
}
