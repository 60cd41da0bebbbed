/* SPDX-License-Identifier: MIT */
/* row_build.c - code in which a team of threads goes through a row together.
 *
 *     for (j = 0; j < n; j++) m = fmaxf(m, x[j]);
 *  =>
 *     mesi_vector<float, 4> _r_x[4];                         // of rows up to 4 * 128 * 4 elements
 *     for (_k = 0; _k < 4; _k++) {
 *       int _j = (_k * 128 + _l) * 4;
 *       if (_j < n) _r_x[_k] = mesi_wide_read<4>(&x[_j]);
 *     }
 *     float _p_m = m;
 *     for (_k ...) if (_j < n) for (_e ...) _p_m = fmaxf(_p_m, _r_x[_k].e[_e]);
 *     ...the parts of the team are put together, for all its threads: m...
 *
 * What several passes use of a row is in registers from the first pass to the last; where a later
 * pass writes the same elements again, only that one stores them. For rows of any length nothing is
 * kept: each thread goes through its iterations in steps of the team. Teams of a warp put their
 * parts together by shuffles, others in shared memory. Requires: row_team_find, and row_team_widen
 * where a place has several elements.
 */
#include "analysis/transform/row_team/row_team.h"

#include <string.h>

#include "analysis/code/loop.h"
#include "runtime/seeded.h"

enum { WARP = 32, UNROLLED = 4 };

struct making {
  struct code *code;
  struct arena *arena;
  struct row_passes *p;
  const struct row_shape *shape;
  struct ir_var *lane;               /* number in the team */
  struct ir_var *kept[MOST_GROUPS];  /* registers of a row; NULL: there are none */
  struct ir_var *place[MOST_GROUPS]; /* what a place of this pass has; NULL: it is in memory */
  struct ir_list shared;             /* declarations */
  /* of the pass that is made: */
  unsigned pass;
  struct ir_var *iterator; /* in the iterator's stead */
  struct ir_var *first;    /* iteration of a place */
  struct ir_var *number;   /* of a place, among those in registers; NULL: rows of any length */
  struct ir_var *element;  /* of a place; NULL: it has one */
};

static struct ir_expr *use(struct making *m, struct ir_var *var)
{
  return ir_build_var(m->arena, var);
}

static struct ir_expr *number(struct making *m, int64_t value)
{
  return ir_build_int(m->arena, value);
}

static struct ir_expr *binary(struct making *m, enum ir_op op, struct ir_expr *left,
                              struct ir_expr *right)
{
  return ir_build_binary(m->arena, op, left, right);
}

static struct ir_stmt *assign(struct making *m, struct ir_expr *target, struct ir_expr *value)
{
  return ir_build_expr_stmt(m->arena, ir_build_assign(m->arena, target, value));
}

static void add(struct making *m, struct ir_list *out, struct ir_stmt *stmt)
{
  ir_list_add(m->arena, out, stmt);
}

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

/* The registers of this place. */
static struct ir_expr *place_of(struct making *m, unsigned g)
{
  if (m->kept[g]) return ir_build_index(m->arena, use(m, m->kept[g]), use(m, m->number));
  return use(m, m->place[g]);
}

struct swap {
  struct making *m;
  const struct ir_var *from;
  struct ir_var *to;
};

static struct ir_expr *swap_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct swap *s = r->context;
  return expr->kind == IR_EXPR_VAR && expr->var == s->from ? use(s->m, s->to) : NULL;
}

/* The group's element of the place's first iteration, in memory. */
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
  const char *name = code_read_only(m->code, group->array) ? "mesi_wide_read" : "mesi_wide";
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

  if (m->shape->vector == 1) return assign(m, in_memory(m, group), place_of(m, g));
  struct ir_expr *call = ir_build_call(m->arena, "mesi_wide_store", IR_EFFECT_NONE);
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
                                       use(m, m->element))
                      : place;
  }
  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == pass->loop->loop->iterator) return use(m, m->iterator);
  for (unsigned i = 0; i < pass->sum_count; i++) {
    if (expr->var == pass->sums[i].var) return use(m, pass->sums[i].part);
    if (expr->var == pass->sums[i].at) return use(m, pass->sums[i].at_part);
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
  struct ir_expr *which = use(m, m->first);
  int64_t lower = lower_of(m);

  if (m->element) which = binary(m, IR_OP_ADD, which, use(m, m->element));
  add(m, &out, ir_build_decl(m->arena, m->iterator, which));
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, loop_of(m)->body);
  add(m, &guarded, body);
  if (lower > 0 && !SEEDED(ROW_FIRST_TAKEN))
    body = ir_build_if(m->arena, binary(m, IR_OP_GE, use(m, m->iterator), number(m, lower)),
                       ir_build_block(m->arena, &guarded));
  add(m, &out, body);
  struct ir_stmt *all = ir_build_block(m->arena, &out);
  if (!m->element) return all;
  struct ir_stmt *made =
      ir_build_for(m->arena, m->element, number(m, 0), number(m, m->shape->vector), 1, all);
  made->pragma = "#pragma unroll";
  return made;
}

static bool in_pass(unsigned bits, unsigned pass) { return bits >> pass & 1; }

/* Does a later pass write the same elements, which nobody else looks at? */
static bool written_again(const struct making *m, unsigned g)
{
  const struct row_group *group = &m->p->groups[g];
  return m->kept[g] && !group->elsewhere && group->writes >> (m->pass + 1);
}

/* What a place loads, computes, stores. */
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
      add(m, &out, ir_build_decl(m->arena, m->place[g], reads ? loaded(m, group) : NULL));
    }
    if (writes && !written_again(m, g)) add(m, &back, stored(m, g));
  }
  add(m, &out, iterations(m));
  for (unsigned i = 0; i < back.items.count; i++) add(m, &out, back.items.items[i]);
  return ir_build_block(m->arena, &out);
}

static struct ir_expr *end_of(struct making *m) { return loop_end(m->arena, loop_of(m)->loop); }

/* Threads that share a row, each of which goes on by so many. */
static int64_t sharers(const struct making *m)
{
  return m->shape->threads - SEEDED(ROW_STEP_SHORT);
}

/* for (_k = 0; _k < held; _k++) { int _j = (_k * threads + _l) * vector; if (_j < end) body } */
static struct ir_stmt *over_registers(struct making *m, struct ir_stmt *body)
{
  struct ir_list out = {0};
  struct ir_expr *at =
      binary(m, IR_OP_ADD, binary(m, IR_OP_MUL, use(m, m->number), number(m, sharers(m))),
             use(m, m->lane));

  if (m->shape->vector > 1) at = binary(m, IR_OP_MUL, at, number(m, m->shape->vector));
  add(m, &out, ir_build_decl(m->arena, m->first, at));
  add(m, &out, ir_build_if(m->arena, binary(m, IR_OP_LT, use(m, m->first), end_of(m)), body));
  struct ir_stmt *made = ir_build_for(m->arena, m->number, number(m, 0), number(m, m->shape->held),
                                      1, ir_build_block(m->arena, &out));
  made->pragma = "#pragma unroll";
  return made;
}

/* for (_j = _l * vector; _j < end; _j += threads * vector) body */
static struct ir_stmt *over_row(struct making *m, struct ir_stmt *body)
{
  int64_t step = sharers(m) * m->shape->vector;
  struct ir_expr *from = use(m, m->lane);

  if (m->shape->vector > 1) from = binary(m, IR_OP_MUL, from, number(m, m->shape->vector));
  struct ir_stmt *made = ir_build_for(m->arena, m->first, from, end_of(m), step, body);
  made->pragma = arena_format(m->arena, "#pragma unroll %d", UNROLLED);
  return made;
}

static void name_variables(struct making *m)
{
  const struct ir_var *iterator = loop_of(m)->loop->iterator;
  const struct ir_type *type = ir_plain_type(m->arena, iterator->type);

  m->iterator = code_local(m->code, iterator->name, type);
  m->first = code_local(m->code, arena_format(m->arena, "_%s", iterator->name), type);
  m->number = m->shape->held ? code_local(m->code, "_k", ir_int_type()) : NULL;
  m->element = m->shape->vector > 1 ? code_local(m->code, "_e", ir_int_type()) : NULL;
}

/* ---- sums ---- */

static const char *operation(const struct shared_sum *sum)
{
  static const char *const names[REDUCE_COUNT] = {
      "mesi_sum", "mesi_product", "mesi_least", "mesi_greatest", "mesi_and", "mesi_or", "mesi_xor"};

  if (sum->at) return sum->op == REDUCE_MIN ? "mesi_under" : "mesi_above";
  if (sum->called) return sum->op == REDUCE_MIN ? "mesi_called_least" : "mesi_called_greatest";
  return names[sum->op];
}

static struct ir_expr *call_on(struct making *m, const char *name, int64_t count,
                               const struct shared_sum *sum, struct ir_expr *const *arguments)
{
  struct ir_expr *call = ir_build_call(
      m->arena, arena_format(m->arena, "%s<%lld>", name, (long long)count), IR_EFFECT_WARP);

  call->type = sum->part->type;
  for (; *arguments; arguments++) ir_add_argument(m->arena, call, *arguments);
  ir_add_argument(m->arena, call, ir_build_call(m->arena, operation(sum), IR_EFFECT_NONE));
  return call;
}

static void declare_parts(struct making *m, struct ir_list *out)
{
  struct team_loop *pass = &m->p->passes[m->pass];

  for (unsigned i = 0; i < pass->sum_count; i++) {
    struct shared_sum *sum = &pass->sums[i];
    bool from = reduce_repeats(sum->op) && !SEEDED(ROW_PART_EMPTY);
    sum->part = code_local(m->code, arena_format(m->arena, "_p_%s", sum->var->name),
                           reduce_type(m->arena, sum->op, sum->var->type));
    struct ir_expr *none = number(m, sum->op == REDUCE_PRODUCT ? 1 : 0);
    add(m, out, ir_build_decl(m->arena, sum->part, from ? use(m, sum->var) : none));
    if (!sum->at) continue;
    sum->at_part = code_local(m->code, arena_format(m->arena, "_p_%s", sum->at->name),
                              ir_plain_type(m->arena, sum->at->type));
    add(m, out, ir_build_decl(m->arena, sum->at_part, use(m, sum->at)));
  }
}

static struct ir_var *shared_parts(struct making *m, const struct ir_var *part)
{
  struct ir_var *var =
      code_local(m->code, arena_format(m->arena, "_s%s", part->name + 2),
                 ir_build_array_type(m->arena, part->type, m->shape->threads / WARP));

  var->kind = IR_VAR_SHARED;
  add(m, &m->shared, ir_build_decl(m->arena, var, NULL));
  return var;
}

static struct ir_stmt *barrier(struct making *m, bool warp)
{
  return ir_build_expr_stmt(m->arena, ir_build_call(m->arena, warp ? "__syncwarp" : "__syncthreads",
                                                    warp ? IR_EFFECT_WARP : IR_EFFECT_BARRIER));
}

/* _s[_l / 32] = part */
static struct ir_stmt *leave(struct making *m, struct ir_var *parts, struct ir_var *part)
{
  return assign(m,
                ir_build_index(m->arena, use(m, parts),
                               binary(m, IR_OP_DIV, use(m, m->lane), number(m, WARP))),
                use(m, part));
}

/* Of the warp's threads, for all of them. */
static void over_lanes(struct making *m, const struct shared_sum *sum, struct ir_list *out)
{
  struct ir_expr *const one[] = {use(m, sum->part), NULL}, *const two[] = {
                                                               use(m, sum->part),
                                                               sum->at ? use(m, sum->at_part)
                                                                       : NULL,
                                                               NULL};

  if (SEEDED(ROW_LANES_APART)) return;
  if (sum->at)
    add(m, out, ir_build_expr_stmt(m->arena, call_on(m, "mesi_lanes_first", WARP, sum, two)));
  else
    add(m, out, assign(m, use(m, sum->part), call_on(m, "mesi_lanes_all", WARP, sum, one)));
}

/* Of the block's warps. */
static void over_warps(struct making *m, const struct shared_sum *sums, unsigned count,
                       struct ir_list *out)
{
  struct ir_list leaving = {0}, taking = {0};
  int64_t parts = m->shape->threads / WARP - SEEDED(ROW_PART_LOST);

  for (unsigned i = 0; i < count; i++) {
    const struct shared_sum *sum = &sums[i];
    struct ir_var *shared = shared_parts(m, sum->part),
                  *places = sum->at ? shared_parts(m, sum->at_part) : NULL;
    add(m, &leaving, leave(m, shared, sum->part));
    if (places) add(m, &leaving, leave(m, places, sum->at_part));
    struct ir_expr *const one[] = {use(m, shared), NULL};
    struct ir_expr *const two[] = {use(m, shared), places ? use(m, places) : NULL,
                                   use(m, sum->part), places ? use(m, sum->at_part) : NULL, NULL};
    struct ir_expr *call =
        call_on(m, places ? "mesi_parts_first" : "mesi_parts", parts, sum, places ? two : one);
    add(m, &taking,
        places ? ir_build_expr_stmt(m->arena, call) : assign(m, use(m, sum->part), call));
  }
  struct ir_expr *in_warp = binary(m, IR_OP_REM, use(m, m->lane), number(m, WARP));
  add(m, out,
      ir_build_if(m->arena, binary(m, IR_OP_EQ, in_warp, number(m, 0)),
                  ir_build_block(m->arena, &leaving)));
  if (!SEEDED(ROW_PARTS_EARLY)) add(m, out, barrier(m, false));
  for (unsigned i = 0; i < taking.items.count; i++) add(m, out, taking.items.items[i]);
}

/* sum = sum + part */
static struct ir_stmt *result(struct making *m, const struct shared_sum *sum)
{
  bool same = sum->part->type->is_signed == sum->var->type->is_signed ||
              sum->var->type->kind == IR_TYPE_FLOAT;

  if (reduce_repeats(sum->op)) return assign(m, use(m, sum->var), use(m, sum->part));
  if (same) return reduce_into(m->arena, sum->op, use(m, sum->var), use(m, sum->part));
  struct ir_expr *wrapped = ir_build_cast(m->arena, sum->part->type, use(m, sum->var));
  struct ir_expr *both =
      binary(m, sum->op == REDUCE_SUM ? IR_OP_ADD : IR_OP_MUL, wrapped, use(m, sum->part));
  both->type = sum->part->type;
  return assign(m, use(m, sum->var),
                ir_build_cast(m->arena, ir_plain_type(m->arena, sum->var->type), both));
}

static void put_together(struct making *m, struct ir_list *out)
{
  const struct team_loop *pass = &m->p->passes[m->pass];

  for (unsigned i = 0; i < pass->sum_count; i++) over_lanes(m, &pass->sums[i], out);
  if (pass->sum_count && m->shape->threads > WARP) over_warps(m, pass->sums, pass->sum_count, out);
  for (unsigned i = 0; i < pass->sum_count; i++) {
    const struct shared_sum *sum = &pass->sums[i];
    add(m, out, result(m, sum));
    if (sum->at) add(m, out, assign(m, use(m, sum->at), use(m, sum->at_part)));
  }
}

/* ---- the body ---- */

/* What this pass is the first to read goes into registers. */
static void load_kept(struct making *m, struct ir_list *out)
{
  struct ir_list loads = {0};

  name_variables(m);
  for (unsigned g = 0; g < m->p->group_count; g++) {
    const struct row_group *group = &m->p->groups[g];
    bool first = group->pass == m->pass && in_pass(group->reads, m->pass);
    if (!m->kept[g] || !first) continue;
    add(m, &loads, assign(m, place_of(m, g), loaded(m, group)));
  }
  if (!loads.items.count) return;
  add(m, out, over_registers(m, ir_build_block(m->arena, &loads)));
}

static struct ir_stmt *made_pass(struct making *m)
{
  struct ir_list out = {0};

  load_kept(m, &out);
  name_variables(m);
  declare_parts(m, &out);
  struct ir_stmt *body = place(m);
  add(m, &out, m->number ? over_registers(m, body) : over_row(m, body));
  put_together(m, &out);
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

static void made_children(struct making *m, const struct ir_stmt *stmt, struct ir_list *out)
{
  for (unsigned i = 0; i < stmt->child_count; i++) {
    add(m, out, made(m, stmt->children[i]));
    if (waits_behind(m->p, stmt->children[i])) add(m, out, barrier(m, m->shape->threads == WARP));
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
    return ir_build_if(m->arena, binary(m, IR_OP_EQ, use(m, m->lane), number(m, 0)), stmt);
  if (stmt->kind == IR_STMT_IF) {
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

/* threadIdx.x as the code has it is the team's number in its block. */
static struct ir_expr *replace_thread(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct making *m = r->context;

  if (expr->kind != IR_EXPR_BUILTIN || expr->value != IR_THREAD_IDX) return NULL;
  struct ir_expr *team =
      binary(m, IR_OP_DIV, ir_build_builtin(m->arena, IR_THREAD_IDX), number(m, m->shape->threads));
  team->type = expr->type;
  return team;
}

/* Registers for groups that several passes use. */
static void keep_rows(struct making *m, struct ir_list *out)
{
  for (unsigned g = 0; g < m->p->group_count && m->shape->held; g++) {
    const struct row_group *group = &m->p->groups[g];
    bool loaded_first = in_pass(group->reads | group->writes, group->pass);
    if (!group->kept || group->pass == group->last || !loaded_first) continue;
    m->kept[g] = code_local(m->code, arena_format(m->arena, "_r_%s", group->array->var->name),
                            ir_build_array_type(m->arena, place_type(m, group), m->shape->held));
    m->kept[g]->of_thread = true;
    add(m, out, ir_build_decl(m->arena, m->kept[g], NULL));
  }
}

void row_team_build(struct code *code, struct row_passes *p, const struct row_shape *shape)
{
  struct making m = {.code = code, .arena = code->arena, .p = p, .shape = shape};
  struct ir_function *kernel = code->facts.kernel;
  struct ir_rewriter rewriter = {m.arena, replace_thread, &m};
  struct ir_list out = {0}, kept = {0};
  struct ir_expr *lane = ir_build_builtin(m.arena, IR_THREAD_IDX);

  if (shape->elements > 1) lane = binary(&m, IR_OP_REM, lane, number(&m, shape->threads));
  m.lane = code_local(code, "_l", ir_int_type());
  keep_rows(&m, &kept);
  struct ir_stmt *body = made(&m, kernel->body);
  if (shape->elements > 1) body = ir_rewrite_stmt(&rewriter, body);
  for (unsigned i = 0; i < m.shared.items.count; i++) add(&m, &out, m.shared.items.items[i]);
  add(&m, &out, ir_build_decl(m.arena, m.lane, lane));
  for (unsigned i = 0; i < kept.items.count; i++) add(&m, &out, kept.items.items[i]);
  for (unsigned i = 0; i < body->child_count; i++) add(&m, &out, body->children[i]);
  kernel->body = ir_build_block(m.arena, &out);
}
