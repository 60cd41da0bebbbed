/* SPDX-License-Identifier: MIT */
/* tree_merge.c - a block does the work of several blocks, a warp for the tree of each.
 *
 *     s[t] = in[b * 256 + t];  __syncthreads();  ...tree...  if (t == 0) out[b] = s[0];
 *   =>
 *     __shared__ float _s_s[4][256];
 *     for (_u = 0; _u < 4; _u++) {
 *       unsigned _b = blockIdx.x * 4 + _u;
 *       if (_b < blocks) _s_s[_u][t] = in[_b * 256 + t];     (if all four are: without the if)
 *     }
 *     __syncthreads();
 *     const int _w = t / 32;  unsigned _b = blockIdx.x * 4 + _w;
 *     if (_w < 4 && _b < blocks) {
 *       float _v_s = mesi_tree_halved<256>(_s_s[_w], t % 32, mesi_sum());
 *       if (t % 32 == 0) out[_b] = _v_s;
 *     }
 *
 * The loads of several blocks are in flight together, and their trees share a barrier. A doubled
 * tree gives each lane neighbours; one element of padding behind them keeps lanes in banks of their
 * own. Requires: one tree, in the kernel's own list; rows of blocks along x only. Gives up:
 * barriers or loops of unknown length in front of it; behind it anything else than statements of
 * thread 0; other shared arrays.
 */
#include "analysis/transform/tree_reduce/tree_reduce.h"

#include "analysis/code/loop.h"
#include "runtime/seeded.h"

enum { MOST_MERGED = 4, MOST_MERGED_BYTES = 16384, SHORT_LOOP = 16 };

struct part { /* of the kernel: what is rewritten for a block of the launch */
  struct merging *m;
  struct ir_var *block;   /* its number */
  struct ir_var *copy;    /* the number of its arrays; NULL: behind the tree */
  struct ir_stmt *before; /* the statements in front of the tree */
  struct ir_var *values[MOST_TREE_SUMS];
  unsigned depth;
};

static struct tree *tree_of(struct merging *m) { return &m->trees->items[0]; }

static bool give_up(struct merging *m, const char *reason)
{
  if (!m->reason) m->reason = reason;
  return false;
}

static struct ir_expr *use(struct merging *m, struct ir_var *var)
{
  return ir_build_var(m->trees->code->arena, var);
}

static struct ir_expr *number(struct merging *m, int64_t value)
{
  return ir_build_int(m->trees->code->arena, value);
}

static struct ir_expr *binary(struct merging *m, enum ir_op op, struct ir_expr *a,
                              struct ir_expr *b)
{
  return ir_build_binary(m->trees->code->arena, op, a, b);
}

static const struct ir_type *index_type(struct merging *m)
{
  return ir_build_builtin(m->trees->code->arena, IR_THREAD_IDX)->type;
}

/* ---- legality ---- */

struct search {
  struct merging *m;
  bool barrier, loop, shared;
};

static void note_expr(struct ir_expr *expr, void *context)
{
  struct search *s = context;

  if (expr->kind == IR_EXPR_CALL)
    s->barrier |= expr->effect == IR_EFFECT_BARRIER || expr->effect == IR_EFFECT_WARP;
  if (expr->kind != IR_EXPR_VAR || expr->var->kind != IR_VAR_SHARED) return;
  bool own = false;
  for (unsigned i = 0; i < tree_of(s->m)->sum_count; i++)
    own |= tree_of(s->m)->sums[i].var == expr->var;
  s->shared |= !own;
}

/* Behind the barrier no array is read. */
static void note_late(struct ir_expr *expr, void *context)
{
  struct search *s = context;

  s->shared |= expr->kind == IR_EXPR_INDEX;
  note_expr(expr, context);
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct search *s = context;
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  int64_t trips = stmt->loop ? loop_trips(s->m->trees->code, stmt->loop) : -1;

  s->loop |= loop && (trips < 0 || trips > SHORT_LOOP);
  return true;
}

/* Elements of a block's array; 0: not known. */
static int64_t elements_of(struct merging *m, const struct ir_var *var)
{
  const struct kernel_facts *facts = &m->trees->code->facts;
  const struct ir_type *type = var->type;

  if (!var->is_dynamic_shared) return type->extent > 0 ? type->extent : 0;
  return facts->dynamic_shared > 0 ? facts->dynamic_shared / type->element->size : 0;
}

static int64_t lane_elements(struct merging *m) { return tree_of(m)->leaves / TREE_WARP; }

static bool is_padded(struct merging *m) { return tree_of(m)->doubled && lane_elements(m) > 1; }

static int64_t padded(struct merging *m, int64_t elements)
{
  return is_padded(m) ? elements + (elements - 1) / lane_elements(m) : elements;
}

/* Chooses the number of blocks that one block does. */
static bool choose_blocks(struct merging *m)
{
  int64_t bytes = 0;

  for (unsigned i = 0; i < tree_of(m)->sum_count; i++) {
    const struct ir_var *var = tree_of(m)->sums[i].var;
    int64_t elements = elements_of(m, var);
    if (!elements) return give_up(m, "the length of its array is not known");
    bytes += padded(m, elements) * var->type->element->size;
  }
  m->blocks = m->trees->threads / TREE_WARP;
  if (m->blocks > MOST_MERGED) m->blocks = MOST_MERGED;
  while (m->blocks > 1 && m->blocks * bytes > MOST_MERGED_BYTES) m->blocks /= 2;
  m->shared_bytes = m->blocks * bytes;
  return m->blocks > 1 || give_up(m, "its array is too large");
}

/* Behind the tree thread 0 uses the sum, and the other threads do nothing. */
static bool ends_at_root(struct merging *m, const struct ir_stmt *list)
{
  for (unsigned i = m->at + 1; i < list->child_count; i++) {
    struct ir_stmt *child = list->children[i];
    struct search s = {.m = m};
    if (child->kind == IR_STMT_NULL || tree_is_barrier(child)) continue;
    ir_visit_stmt_exprs(child, note_expr, &s);
    if (child->kind != IR_STMT_IF || child->else_body || s.barrier || s.shared ||
        !tree_only_root(m->trees, child->expr))
      return give_up(m, "behind its tree more than thread 0 goes on");
  }
  return true;
}

static bool is_legal(struct merging *m)
{
  struct trees *t = m->trees;
  const struct kernel_facts *facts = &t->code->facts;
  struct ir_stmt *list = facts->kernel->body;
  struct search s = {.m = m};

  if (t->count != 1 || t->items[0].list != list) return give_up(m, "it has several trees");
  if (t->block[1] != 1 || t->block[2] != 1 || facts->grid[1] != 1 || facts->grid[2] != 1)
    return give_up(m, "its blocks have rows");
  for (m->at = 0; list->children[m->at] != t->items[0].loop;) m->at++;
  unsigned barriers = 0, last = m->at;
  while (last > 0 && (tree_is_barrier(list->children[last - 1]) ||
                      list->children[last - 1]->kind == IR_STMT_DECL))
    barriers += tree_is_barrier(list->children[--last]);
  for (unsigned i = 0; i < m->at; i++) {
    if (i >= last && tree_is_barrier(list->children[i])) continue;
    ir_visit_stmt_exprs(list->children[i], i < last ? note_expr : note_late, &s);
    ir_visit_stmts(list->children[i], note_stmt, &s);
  }
  if (s.barrier || (!barriers && !t->items[0].waits)) return give_up(m, "it has further barriers");
  if (s.loop) return give_up(m, "how long its threads go through loops is not known");
  if (s.shared) return give_up(m, "it has other shared arrays");
  return ends_at_root(m, list) && choose_blocks(m);
}

/* ---- statements for one block of several ---- */

struct local_search {
  const struct ir_var *var;
  bool found;
};

static bool note_local(struct ir_stmt *stmt, void *context)
{
  struct local_search *s = context;
  s->found |= stmt->kind == IR_STMT_DECL && stmt->var == s->var;
  return true;
}

static int sum_of(struct merging *m, const struct ir_var *var)
{
  for (unsigned i = 0; i < tree_of(m)->sum_count; i++)
    if (tree_of(m)->sums[i].var == var) return (int)i;
  return -1;
}

/* The number of blocks of the launch. */
static struct ir_expr *launch_blocks(struct merging *m)
{
  struct ir_expr *all = m->total
                            ? binary(m, IR_OP_DIV, use(m, m->total), number(m, m->trees->threads))
                            : number(m, m->trees->code->facts.grid[0]);
  return ir_build_cast(m->trees->code->arena, index_type(m), all);
}

/* _s_s[_u][index + index / elements of a lane] */
static struct ir_expr *own_element(struct ir_rewriter *r, int sum, struct ir_expr *index)
{
  struct part *p = r->context;
  struct merging *m = p->m;

  index = ir_rewrite_expr(r, index);
  if (is_padded(m))
    index = binary(m, IR_OP_ADD, index, binary(m, IR_OP_DIV, index, number(m, lane_elements(m))));
  struct ir_expr *of_block = ir_build_index(r->arena, use(m, p->values[sum]), use(m, p->copy));
  return ir_build_index(r->arena, of_block, index);
}

/* Behind the tree, a local of the statements in front of it has its value again. */
static struct ir_expr *local_value(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct part *p = r->context;
  struct local_search s = {.var = expr->var};

  ir_visit_stmts(p->before, note_local, &s);
  if (!s.found) return NULL;
  struct ir_expr *value = code_value_of(p->m->trees->code, expr->var);
  if (!value || p->depth > 8) {
    give_up(p->m, "thread 0 uses a local whose value is not known again");
    return expr;
  }
  p->depth++;
  value = code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value));
  p->depth--;
  return value;
}

static struct ir_expr *of_builtin(struct part *p, struct ir_expr *expr)
{
  struct merging *m = p->m;

  if (expr->value == IR_BLOCK_IDX) return use(m, p->block);
  if (expr->value == IR_GRID_DIM) return launch_blocks(m);
  if (expr->value < IR_BLOCK_IDX && !p->copy)
    return ir_build_cast(m->trees->code->arena, expr->type, number(m, 0));
  return NULL;
}

static struct ir_expr *replace(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct part *p = r->context;
  struct ir_expr *index;
  struct ir_var *array = expr->kind == IR_EXPR_INDEX ? tree_element(expr, &index) : NULL;
  int sum = array ? sum_of(p->m, array) : -1;

  if (p->depth && (expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_CALL ||
                   (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF)))
    give_up(p->m, "thread 0 uses a local that was loaded");
  if (sum >= 0) return p->copy ? own_element(r, sum, index) : use(p->m, p->values[sum]);
  if (expr->kind == IR_EXPR_BUILTIN) return of_builtin(p, expr);
  if (expr->kind == IR_EXPR_VAR && !p->copy) return local_value(r, expr);
  return NULL;
}

static bool declares_array(struct merging *m, const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_DECL && sum_of(m, stmt->var) >= 0;
}

/* blockIdx.x * blocks + which, as blockIdx.x has it. */
static struct ir_stmt *name_block(struct merging *m, struct ir_var *block, struct ir_var *which)
{
  struct arena *arena = m->trees->code->arena;
  struct ir_expr *first =
      binary(m, IR_OP_MUL, ir_build_builtin(arena, IR_BLOCK_IDX), number(m, m->blocks));

  first->type = index_type(m);
  struct ir_expr *at = binary(m, IR_OP_ADD, first, use(m, which));
  at->type = index_type(m);
  return ir_build_decl(arena, block, at);
}

static struct ir_stmt *in_launch(struct merging *m, struct ir_var *block, struct ir_stmt *body)
{
  if (SEEDED(TREE_BLOCKS_BEYOND)) return body;
  return ir_build_if(m->trees->code->arena, binary(m, IR_OP_LT, use(m, block), launch_blocks(m)),
                     body);
}

/* The statements in front of the tree, for each of the blocks. `guarded`: some may be behind the
 * launch's last one. Without that condition the loads of all blocks are in flight together. */
static struct ir_stmt *fill(struct merging *m, struct ir_var **arrays, bool guarded)
{
  struct code *code = m->trees->code;
  struct arena *arena = code->arena;
  struct ir_list body = {0}, before = {0};
  struct part p = {.m = m,
                   .block = code_local(code, "_b", index_type(m)),
                   .copy = code_local(code, "_u", ir_int_type())};
  struct ir_rewriter rewriter = {arena, replace, &p};
  const struct ir_stmt *list = code->facts.kernel->body;

  for (unsigned i = 0; i < tree_of(m)->sum_count; i++) p.values[i] = arrays[i];
  for (unsigned i = 0; i < m->at; i++)
    if (!tree_is_barrier(list->children[i]) && !declares_array(m, list->children[i]))
      ir_list_add(arena, &before, ir_rewrite_stmt(&rewriter, list->children[i]));
  struct ir_stmt *one = ir_build_block(arena, &before);
  ir_list_add(arena, &body, name_block(m, p.block, p.copy));
  ir_list_add(arena, &body, guarded ? in_launch(m, p.block, one) : one);
  struct ir_stmt *loop = ir_build_for(arena, p.copy, number(m, 0), number(m, m->blocks), 1,
                                      ir_build_block(arena, &body));
  loop->pragma = "#pragma unroll";
  return loop;
}

/* Is each of the blocks one of the launch, for certain? */
static bool is_whole(const struct merging *m)
{
  int64_t grid = m->trees->code->facts.grid[0];
  return grid > 0 && grid % m->blocks == 0;
}

static void fill_arrays(struct merging *m, struct ir_var **arrays, struct ir_list *out)
{
  struct arena *arena = m->trees->code->arena;

  if (is_whole(m)) {
    ir_list_add(arena, out, fill(m, arrays, false));
    return;
  }
  struct ir_expr *behind = binary(
      m, IR_OP_MUL, binary(m, IR_OP_ADD, ir_build_builtin(arena, IR_BLOCK_IDX), number(m, 1)),
      number(m, m->blocks));
  behind->operands[0]->type = behind->type = index_type(m);
  struct ir_stmt *choice =
      ir_build_if(arena, binary(m, IR_OP_LE, behind, launch_blocks(m)), fill(m, arrays, false));
  choice->else_body = fill(m, arrays, true);
  ir_list_add(arena, out, choice);
}

/* The statements of thread 0 behind the tree. */
static struct ir_stmt *at_root(struct merging *m, struct part *p)
{
  struct arena *arena = m->trees->code->arena;
  struct ir_rewriter rewriter = {arena, replace, p};
  const struct ir_stmt *list = m->trees->code->facts.kernel->body;
  struct ir_list out = {0};

  for (unsigned i = m->at + 1; i < list->child_count; i++) {
    struct ir_stmt *child = list->children[i];
    if (child->kind != IR_STMT_IF) continue;
    bool alone =
        ir_strip(child->expr)->kind != IR_EXPR_BINARY || ir_strip(child->expr)->op != IR_OP_LAND;
    ir_list_add(arena, &out, ir_rewrite_stmt(&rewriter, alone ? child->body : child));
  }
  return ir_build_block(arena, &out);
}

static void go_through_trees(struct merging *m, struct ir_var **arrays, struct ir_list *out)
{
  struct code *code = m->trees->code;
  struct arena *arena = code->arena;
  struct ir_list warp = {0}, before = {0};
  struct ir_var *which = code_local(code, "_w", ir_int_type()),
                *lane = code_local(code, "_l", ir_int_type());
  struct part p = {.m = m, .block = code_local(code, "_b", index_type(m))};
  const struct tree *tree = tree_of(m);

  for (unsigned i = 0; i < m->at; i++)
    ir_list_add(arena, &before, code->facts.kernel->body->children[i]);
  p.before = ir_build_block(arena, &before);
  struct ir_expr *thread =
      ir_build_cast(arena, ir_int_type(), ir_build_builtin(arena, IR_THREAD_IDX));
  ir_list_add(arena, out,
              ir_build_decl(arena, which, binary(m, IR_OP_DIV, thread, number(m, TREE_WARP))));
  ir_list_add(arena, out,
              ir_build_decl(arena, lane, binary(m, IR_OP_REM, thread, number(m, TREE_WARP))));
  ir_list_add(arena, out, name_block(m, p.block, which));
  for (unsigned i = 0; i < tree->sum_count; i++) {
    const struct ir_var *var = tree->sums[i].var;
    p.values[i] = code_local(code, arena_format(arena, "_v_%s", var->name),
                             ir_plain_type(arena, var->type->element));
    struct ir_expr *from = ir_build_index(arena, use(m, arrays[i]), use(m, which));
    ir_list_add(arena, &warp,
                ir_build_decl(
                    arena, p.values[i],
                    tree_call(code, tree, i, lane_elements(m) + is_padded(m), from, use(m, lane))));
  }
  struct ir_expr *is_root = binary(m, IR_OP_EQ, use(m, lane), number(m, 0));
  ir_list_add(arena, &warp, ir_build_if(arena, is_root, at_root(m, &p)));
  struct ir_expr *works = binary(m, IR_OP_LT, use(m, which), number(m, m->blocks));
  struct ir_stmt *all = ir_build_block(arena, &warp);
  ir_list_add(arena, out,
              ir_build_if(arena, works, is_whole(m) ? all : in_launch(m, p.block, all)));
}

/* __shared__ float _s_s[4][256]; */
static struct ir_var *own_array(struct merging *m, const struct ir_var *var, struct ir_list *out)
{
  struct code *code = m->trees->code;
  const struct ir_type *element = ir_plain_type(code->arena, var->type->element);
  const struct ir_type *one =
      ir_build_array_type(code->arena, element, padded(m, elements_of(m, var)));
  struct ir_var *array = code_local(code, arena_format(code->arena, "_s_%s", var->name),
                                    ir_build_array_type(code->arena, one, m->blocks));

  array->kind = IR_VAR_SHARED;
  ir_list_add(code->arena, out, ir_build_decl(code->arena, array, NULL));
  return array;
}

bool tree_merge(struct merging *m)
{
  struct code copy = *m->trees->code, *was = m->trees->code;
  struct ir_var *arrays[MOST_TREE_SUMS];
  struct ir_list out = {0};

  if (!is_legal(m)) return false;
  copy.facts.kernel = ir_copy_function(was->arena, was->facts.kernel);
  m->trees->code = &copy;
  if (was->facts.grid[0] <= 0)
    m->total = ir_add_param(copy.arena, copy.facts.kernel, unit_local_name(copy.unit, "_total_x"),
                            ir_int_type());
  for (unsigned i = 0; i < tree_of(m)->sum_count; i++)
    arrays[i] = own_array(m, tree_of(m)->sums[i].var, &out);
  fill_arrays(m, arrays, &out);
  ir_list_add(copy.arena, &out, tree_barrier(&copy));
  go_through_trees(m, arrays, &out);
  copy.facts.kernel->body = ir_build_block(copy.arena, &out);
  m->trees->code = was;
  m->code = copy.facts.kernel;
  return !m->reason;
}
