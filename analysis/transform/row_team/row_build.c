/* SPDX-License-Identifier: MIT */
/* row_build.c - code in which the threads of a team share the iterations over a row.
 *
 *     for (j = 0; j < n; j++) m = fmaxf(m, x[j]);
 *  =>
 *     mesi_vector<float, 4> _r_x[4];                         // of rows up to 4 * 128 * 4 elements
 *     for (_k = 0; _k < 4; _k++) {
 *       int _j = (_k * 128 + _l) * 4;
 *       if (_j < n) _r_x[_k] = mesi_vector_read<4>(&x[_j]);
 *     }
 *     float _p_m = m;
 *     for (_k ...) if (_j < n) for (_e ...) _p_m = fmaxf(_p_m, _r_x[_k].e[_e]);
 *     ...the parts of the team are combined, for all its threads: m...
 *
 * The elements of a row that several passes use stay in registers from the first pass to the last.
 * Where a later pass writes the same elements again, only that pass stores them. The results of
 * passes in a loop are stored behind the loop, and a row that stays the same and is only read is
 * loaded in the loop's first iteration. For rows of any length nothing is kept: each thread goes
 * through its iterations in steps of the team. row_sums.c combines the parts of sums. Requires:
 * row_team_find, and row_team_vectorize where a place has several elements.
 */
#include "analysis/transform/row_team/row_making.h"

#include <string.h>

#include "analysis/code/loop.h"
#include "runtime/seeded.h"

enum { UNROLLED = 4 };

static const struct ir_stmt *loop_of(const struct making *m) { return m->p->passes[m->pass].loop; }

/* ---- places ---- */

static const struct ir_type *element_of(struct making *m, const struct row_group *group)
{
  return ir_plain_type(m->arena, group->array->element);
}

/* mesi_vector<float, 4>, or float */
static const struct ir_type *place_type(struct making *m, const struct row_group *group)
{
  const struct ir_type *element = element_of(m, group);
  struct ir_type *type = ARENA_NEW(m->arena, struct ir_type);

  if (m->shape->vector == 1) return element;
  *type =
      (struct ir_type){.kind = IR_TYPE_OTHER,
                       .size = 16,
                       .align = 16,
                       .extent = -1,
                       .spelling = arena_format(m->arena, "mesi_vector<%s, %lld>",
                                                element->spelling, (long long)m->shape->vector)};
  return type;
}

static struct ir_expr *elements_of(struct making *m, const struct row_group *group,
                                   struct ir_expr *place)
{
  return ir_build_member(m->arena, place, "e",
                         ir_build_array_type(m->arena, element_of(m, group), m->shape->vector));
}

/* The registers of the current place, for group `g`. */
static struct ir_expr *place_of(struct making *m, unsigned g)
{
  if (m->kept[g]) return ir_build_index(m->arena, row_use(m, m->kept[g]), row_use(m, m->number));
  return row_use(m, m->place[g]);
}

struct swap {
  struct making *m;
  const struct ir_var *from;
  struct ir_var *to;
};

static struct ir_expr *swap_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct swap *s = r->context;
  return expr->kind == IR_EXPR_VAR && expr->var == s->from ? row_use(s->m, s->to) : NULL;
}

/* The group's element in memory for the place's first iteration. */
static struct ir_expr *in_memory(struct making *m, const struct row_group *group)
{
  struct swap swap = {m, m->p->passes[group->pass].loop->loop->iterator, m->first};
  struct ir_rewriter rewriter = {m->arena, swap_var, &swap};

  return ir_rewrite_expr(&rewriter, group->like);
}

static struct ir_expr *address(struct making *m, struct ir_expr *expr)
{
  return ir_build_unary(m->arena, IR_OP_ADDRESS, expr);
}

static struct ir_expr *loaded(struct making *m, const struct row_group *group)
{
  if (m->shape->vector == 1) return in_memory(m, group);
  const char *name =
      code_read_only(m->code, group->array) ? "mesi_vector_read" : "mesi_vector_from";
  struct ir_expr *call =
      ir_build_call(m->arena, arena_format(m->arena, "%s<%lld>", name, (long long)m->shape->vector),
                    IR_EFFECT_NONE);

  call->type = place_type(m, group);
  ir_add_argument(m->arena, call, address(m, in_memory(m, group)));
  return call;
}

static struct ir_stmt *stored(struct making *m, unsigned g)
{
  const struct row_group *group = &m->p->groups[g];

  if (m->shape->vector == 1) return row_assign(m, in_memory(m, group), place_of(m, g));
  struct ir_expr *call = ir_build_call(m->arena, "mesi_vector_store", IR_EFFECT_NONE);
  ir_add_argument(m->arena, call, address(m, in_memory(m, group)));
  ir_add_argument(m->arena, call, elements_of(m, group, place_of(m, g)));
  return ir_build_expr_stmt(m->arena, call);
}

/* ---- iterations ---- */

static int group_at(const struct row_passes *p, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < p->place_count; i++)
    if (p->places[i].expr == expr) return (int)p->places[i].group;
  return -1;
}

static struct ir_expr *replace(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct making *m = r->context;
  const struct team_loop *pass = &m->p->passes[m->pass];
  int g = group_at(m->p, expr);

  if (g >= 0 && (m->kept[g] || m->place[g])) {
    struct ir_expr *place = place_of(m, (unsigned)g);
    return m->element ? ir_build_index(m->arena, elements_of(m, &m->p->groups[g], place),
                                       row_use(m, m->element))
                      : place;
  }
  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == pass->loop->loop->iterator) return row_use(m, m->iterator);
  for (unsigned i = 0; i < pass->sum_count; i++) {
    if (expr->var == pass->sums[i].var) return row_use(m, pass->sums[i].part);
    if (expr->var == pass->sums[i].at) return row_use(m, pass->sums[i].at_part);
  }
  return NULL;
}

static int64_t lower_of(const struct making *m)
{
  int64_t lower = 0;

  ir_constant(loop_of(m)->loop->lower, &lower);
  return lower;
}

/* The iterations of a place: int j = _j + _e; body */
static struct ir_stmt *iterations(struct making *m)
{
  struct ir_rewriter rewriter = {m->arena, replace, m};
  struct ir_list out = {0}, guarded = {0};
  struct ir_expr *which = row_use(m, m->first);
  int64_t lower = lower_of(m);

  if (m->element) which = row_binary(m, IR_OP_ADD, which, row_use(m, m->element));
  row_add(m, &out, ir_build_decl(m->arena, m->iterator, which));
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, loop_of(m)->body);
  row_add(m, &guarded, body);
  if (lower > 0 && !SEEDED(ROW_FIRST_TAKEN))
    body = ir_build_if(m->arena,
                       row_binary(m, IR_OP_GE, row_use(m, m->iterator), row_number(m, lower)),
                       ir_build_block(m->arena, &guarded));
  row_add(m, &out, body);
  struct ir_stmt *all = ir_build_block(m->arena, &out);
  if (!m->element) return all;
  struct ir_stmt *made =
      ir_build_for(m->arena, m->element, row_number(m, 0), row_number(m, m->shape->vector), 1, all);
  made->pragma = "#pragma unroll";
  return made;
}

static bool in_pass(unsigned bits, unsigned pass) { return bits >> pass & 1; }

/* Does a later pass, or the store behind the loops, write the same elements, which no other
 * statement reads? Only a pass in the same loop is sure to come after a pass in a loop. */
static bool written_again(const struct making *m, unsigned g)
{
  const struct row_passes *p = m->p;
  const struct row_group *group = &p->groups[g];
  bool again = group->sunk != NULL;

  for (unsigned i = m->pass + 1; i < p->pass_count; i++)
    again |= in_pass(group->writes, i) && (!p->around[i] || p->around[i] == p->around[m->pass]);
  return m->kept[g] && !group->elsewhere && again;
}

/* The loads, iterations and stores of a place. */
static struct ir_stmt *place(struct making *m)
{
  struct ir_list out = {0}, back = {0};

  for (unsigned g = 0; g < m->p->group_count; g++) {
    const struct row_group *group = &m->p->groups[g];
    bool reads = in_pass(group->reads, m->pass), writes = in_pass(group->writes, m->pass);
    m->place[g] = NULL;
    if (group->maybe || (!reads && !writes)) continue;
    if (!m->kept[g] && !m->element) continue;
    if (!m->kept[g]) {
      m->place[g] = code_local(m->code, arena_format(m->arena, "_v_%s", group->array->var->name),
                               place_type(m, group));
      row_add(m, &out, ir_build_decl(m->arena, m->place[g], reads ? loaded(m, group) : NULL));
    }
    if (writes && !written_again(m, g)) row_add(m, &back, stored(m, g));
  }
  row_add(m, &out, iterations(m));
  for (unsigned i = 0; i < back.items.count; i++) row_add(m, &out, back.items.items[i]);
  return ir_build_block(m->arena, &out);
}

static struct ir_expr *end_of(struct making *m) { return loop_end(m->arena, loop_of(m)->loop); }

/* The number of threads that share a row, which is the step of each. */
static int64_t sharers(const struct making *m)
{
  return m->shape->threads - SEEDED(ROW_STEP_SHORT);
}

/* for (_k = 0; _k < kept; _k++) { int _j = (_k * threads + _l) * vector; if (_j < end) body } */
static struct ir_stmt *over_registers(struct making *m, struct ir_stmt *body)
{
  struct ir_list out = {0};
  struct ir_expr *at = row_binary(
      m, IR_OP_ADD, row_binary(m, IR_OP_MUL, row_use(m, m->number), row_number(m, sharers(m))),
      row_use(m, m->lane));

  if (m->shape->vector > 1) at = row_binary(m, IR_OP_MUL, at, row_number(m, m->shape->vector));
  row_add(m, &out, ir_build_decl(m->arena, m->first, at));
  row_add(m, &out,
          ir_build_if(m->arena, row_binary(m, IR_OP_LT, row_use(m, m->first), end_of(m)), body));
  struct ir_stmt *made =
      ir_build_for(m->arena, m->number, row_number(m, 0), row_number(m, m->shape->kept), 1,
                   ir_build_block(m->arena, &out));
  made->pragma = "#pragma unroll";
  return made;
}

/* for (_j = _l * vector; _j < end; _j += threads * vector) body */
static struct ir_stmt *over_row(struct making *m, struct ir_stmt *body)
{
  int64_t step = sharers(m) * m->shape->vector;
  struct ir_expr *from = row_use(m, m->lane);

  if (m->shape->vector > 1) from = row_binary(m, IR_OP_MUL, from, row_number(m, m->shape->vector));
  struct stepped s = {.var = m->first,
                      .declares = true,
                      .begin = from,
                      .end = end_of(m),
                      .step = step,
                      .pragma = arena_format(m->arena, "#pragma unroll %d", UNROLLED)};
  return loop_stepped(m->code, &s, body);
}

static void name_variables(struct making *m)
{
  const struct ir_var *iterator = loop_of(m)->loop->iterator;
  const struct ir_type *type = ir_plain_type(m->arena, iterator->type);

  m->iterator = code_local(m->code, iterator->name, type);
  m->first = code_local(m->code, arena_format(m->arena, "_%s", iterator->name), type);
  m->number = m->shape->kept ? code_local(m->code, "_k", ir_int_type()) : NULL;
  m->element = m->shape->vector > 1 ? code_local(m->code, "_e", ir_int_type()) : NULL;
}

/* ---- the body ---- */

static struct ir_expr *truth(struct making *m, int64_t value)
{
  struct ir_expr *expr = row_number(m, value);
  expr->text = value ? "true" : "false";
  expr->type = ir_bool_type();
  return expr;
}

/* if (!_h) { _h = true; load for all places }: in the first iteration of the loops around. */
static void load_once(struct making *m, unsigned g, struct ir_stmt *load, struct ir_list *out)
{
  struct ir_list one = {0}, once = {0};

  row_add(m, &one, load);
  row_add(m, &once, row_assign(m, row_use(m, m->has[g]), truth(m, 1)));
  row_add(m, &once, over_registers(m, ir_build_block(m->arena, &one)));
  name_variables(m);
  row_add(m, out,
          ir_build_if(m->arena, ir_build_not(m->arena, row_use(m, m->has[g])),
                      ir_build_block(m->arena, &once)));
}

/* Loads into registers the elements that this pass is the first to read. */
static void load_kept(struct making *m, struct ir_list *out)
{
  struct ir_list loads = {0};

  name_variables(m);
  for (unsigned g = 0; g < m->p->group_count; g++) {
    const struct row_group *group = &m->p->groups[g];
    bool first = group->pass == m->pass && in_pass(group->reads, m->pass);
    if (!m->kept[g] || !first) continue;
    struct ir_stmt *load = row_assign(m, place_of(m, g), loaded(m, group));
    if (m->has[g])
      load_once(m, g, load, out);
    else
      row_add(m, &loads, load);
  }
  if (!loads.items.count) return;
  row_add(m, out, over_registers(m, ir_build_block(m->arena, &loads)));
}

static struct ir_stmt *made_pass(struct making *m)
{
  struct ir_list out = {0};

  load_kept(m, &out);
  name_variables(m);
  row_declare_parts(m, &out);
  struct ir_stmt *body = place(m);
  row_add(m, &out, m->number ? over_registers(m, body) : over_row(m, body));
  row_put_together(m, &out);
  return ir_build_block(m->arena, &out);
}

static int pass_at(const struct row_passes *p, const struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < p->pass_count; i++)
    if (p->passes[i].loop == stmt) return (int)i;
  return -1;
}

static bool waits_behind(const struct row_passes *p, const struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < p->wait_count; i++)
    if (p->waits[i] == stmt) return true;
  return false;
}

static struct ir_stmt *made(struct making *m, struct ir_stmt *stmt);
static void made_children(struct making *m, const struct ir_stmt *stmt, struct ir_list *out);

static struct ir_stmt *made_branch(struct making *m, struct ir_stmt *branch)
{
  struct ir_list out = {0};
  struct ir_stmt only = {.child_count = 1, .children = &branch};

  if (branch->kind == IR_STMT_BLOCK) return made(m, branch);
  made_children(m, &only, &out);
  return ir_build_block(m->arena, &out);
}

/* Stores the results that passes in the loop have left in registers. */
static void store_sunk(struct making *m, const struct ir_stmt *loop, struct ir_list *out)
{
  for (unsigned g = 0; g < m->p->group_count; g++) {
    if (!m->kept[g] || m->p->groups[g].sunk != loop || SEEDED(ROW_SUNK_LOST)) continue;
    struct ir_list one = {0};
    m->pass = m->p->groups[g].pass;
    name_variables(m);
    row_add(m, &one, stored(m, g));
    row_add(m, out, over_registers(m, ir_build_block(m->arena, &one)));
  }
}

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE;
}

static void made_children(struct making *m, const struct ir_stmt *stmt, struct ir_list *out)
{
  for (unsigned i = 0; i < stmt->child_count; i++) {
    row_add(m, out, made(m, stmt->children[i]));
    if (is_loop(stmt->children[i])) store_sunk(m, stmt->children[i], out);
    if (waits_behind(m->p, stmt->children[i]))
      row_add(m, out, row_barrier(m, m->shape->threads == ROW_WARP));
  }
}

static struct ir_stmt *made(struct making *m, struct ir_stmt *stmt)
{
  struct ir_list out = {0};
  int pass = pass_at(m->p, stmt);

  if (pass >= 0) {
    m->pass = (unsigned)pass;
    return made_pass(m);
  }
  if (stmt->kind == IR_STMT_EXPR && team_reduce_stores(stmt) && !SEEDED(ROW_STORES))
    return ir_build_if(m->arena, row_binary(m, IR_OP_EQ, row_use(m, m->lane), row_number(m, 0)),
                       stmt);
  if (stmt->kind == IR_STMT_IF || is_loop(stmt)) {
    struct ir_stmt *copy = ARENA_NEW(m->arena, struct ir_stmt);
    *copy = *stmt;
    copy->body = made_branch(m, stmt->body);
    copy->else_body = stmt->else_body ? made_branch(m, stmt->else_body) : NULL;
    return copy;
  }
  if (stmt->kind != IR_STMT_BLOCK) return stmt;
  made_children(m, stmt, &out);
  return ir_build_block(m->arena, &out);
}

/* threadIdx.x in the kernel's code is now the number of the team in its block. */
static struct ir_expr *replace_thread(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct making *m = r->context;

  if (expr->kind != IR_EXPR_BUILTIN || expr->value != IR_THREAD_IDX) return NULL;
  struct ir_expr *team = row_binary(m, IR_OP_DIV, ir_build_builtin(m->arena, IR_THREAD_IDX),
                                    row_number(m, m->shape->threads));
  team->type = expr->type;
  return team;
}

/* Declares registers for groups that several passes use. */
static void keep_rows(struct making *m, struct ir_list *out)
{
  for (unsigned g = 0; g < m->p->group_count && m->shape->kept; g++) {
    const struct row_group *group = &m->p->groups[g];
    bool loaded_first = in_pass(group->reads | group->writes, group->pass);
    bool again = m->p->around[group->pass] && !group->moving && !group->written;
    if (!group->kept || (group->pass == group->last && !again) || !loaded_first) continue;
    m->kept[g] = code_local(m->code, arena_format(m->arena, "_r_%s", group->array->var->name),
                            ir_build_array_type(m->arena, place_type(m, group), m->shape->kept));
    m->kept[g]->of_thread = true;
    row_add(m, out, ir_build_decl(m->arena, m->kept[g], NULL));
    if (!m->p->around[group->pass] || group->moving || group->written) continue;
    m->has[g] = code_local(m->code, "_h", ir_bool_type());
    row_add(m, out, ir_build_decl(m->arena, m->has[g], truth(m, 0)));
  }
}

void row_team_build(struct code *code, struct row_passes *p, const struct row_shape *shape)
{
  struct making m = {.code = code, .arena = code->arena, .p = p, .shape = shape};
  struct ir_function *kernel = code->facts.kernel;
  struct ir_rewriter rewriter = {m.arena, replace_thread, &m};
  struct ir_list out = {0}, kept = {0};
  struct ir_expr *lane = ir_build_builtin(m.arena, IR_THREAD_IDX);

  if (shape->elements > 1) lane = row_binary(&m, IR_OP_REM, lane, row_number(&m, shape->threads));
  m.lane = code_local(code, "_l", ir_int_type());
  keep_rows(&m, &kept);
  struct ir_stmt *body = made(&m, kernel->body);
  if (shape->elements > 1) body = ir_rewrite_stmt(&rewriter, body);
  for (unsigned i = 0; i < m.shared.items.count; i++) row_add(&m, &out, m.shared.items.items[i]);
  row_add(&m, &out, ir_build_decl(m.arena, m.lane, lane));
  for (unsigned i = 0; i < kept.items.count; i++) row_add(&m, &out, kept.items.items[i]);
  for (unsigned i = 0; i < body->child_count; i++) row_add(&m, &out, body->children[i]);
  kernel->body = ir_build_block(m.arena, &out);
}
