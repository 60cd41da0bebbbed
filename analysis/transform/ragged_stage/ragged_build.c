/* SPDX-License-Identifier: MIT */
/* ragged_build.c - code that goes over the ranges of a block's threads one chunk at a time.
 *
 *     if (i < n)                              if (...n is behind the last thread's i...) {
 *       for (j = row[i]; j < row[i + 1];        int _first = row[i], _end = row[i + 1];
 *            j++)                               int _low = row[...of the first thread];
 *         sum += val[j] * x[col[j]];            int _high = row[...of the last thread, + 1];
 *                                               if (_high - _low > 4096 && !__syncthreads_or(
 *                                                   ...is the range not between these...)) {
 *                                        =>       int j = _first;
 *                                                 for (...chunks from _at, of _n elements...) {
 *                                                   ...threads: _s_val[_q] = val[_at + _q];...
 *                                                   __syncthreads();
 *                                                   for (; j < min(_end, _at + _n); j++)
 *                                                     sum += _s_val[j - _at] * _s_x[j - _at];
 *                                                   __syncthreads();
 *                                                 }
 *                                               } else ...the loop as written...
 *                                             } else if (i < n) ...all as written...
 *
 * A guard around the loop becomes a choice of the block: if it holds for the first and the last
 * thread it holds for all of them, else the block does all as written. _low and _high are loads
 * that these threads make as well, and the same for all threads, so a block with short ranges pays
 * for them and no barrier. The vote makes sure that the ranges of all threads are in what is
 * copied, in whatever order the array has them. A thread goes through its elements in the order as
 * written, and leaves the loop as written: a `break` sets its end, and the block goes on until no
 * thread has an element left. Requires: loops of ragged_find with their slots, at least one element
 * a thread.
 */
#include "analysis/transform/ragged_stage/ragged.h"

#include "analysis/code/loop.h"
#include "analysis/transform/segment_stage/strip_making.h"
#include "runtime/seeded.h"

struct ragged_making {
  struct building b;
  struct ragged_all *all;
  struct ragged *r;           /* the current one */
  const struct ir_type *type; /* of the iterator */
  struct ir_var *first, *end, *low, *high;
  struct ir_var *at, *count; /* the chunk's first element, and its number of elements */
  struct ir_var *left;       /* does the thread return behind the loop? NULL: none does */
};

static struct ir_expr *converted_to(struct building *b, const struct ir_type *type,
                                    struct ir_expr *value)
{
  return ir_build_cast(b->arena, type, value);
}

static struct ir_expr *converted(struct ragged_making *m, struct ir_expr *value)
{
  return converted_to(&m->b, m->type, value);
}

static struct ir_expr *threads_of(struct ragged_making *m)
{
  int64_t block = m->b.code->facts.block[0];

  if (block > 0) return number(&m->b, block);
  return ir_build_cast(m->b.arena, ir_int_type(), ir_build_builtin(m->b.arena, IR_BLOCK_DIM));
}

static struct ir_expr *last_thread(struct ragged_making *m)
{
  int64_t block = m->b.code->facts.block[0];
  return block > 0 ? number(&m->b, block - 1)
                   : binary(&m->b, IR_OP_SUB, threads_of(m), number(&m->b, 1));
}

/* The condition that a block is one row of threads. NULL: it certainly is. */
static struct ir_expr *is_row(struct ragged_making *m)
{
  struct ir_expr *all = NULL;

  for (int axis = 1; axis < 3; axis++)
    if (m->b.code->facts.block[axis] != 1)
      all =
          ir_build_both(m->b.arena, all,
                        binary(&m->b, IR_OP_EQ,
                               ir_build_builtin(m->b.arena, (enum ir_builtin)(IR_BLOCK_DIM + axis)),
                               number(&m->b, 1)));
  return all;
}

/* Does the range of the thread reach out of what the block copies? */
static struct ir_expr *reaches_out(struct ragged_making *m)
{
  struct building *b = &m->b;
  bool unequal = m->r->strip.segment->loop->relation == IR_OP_NE;
  struct ir_expr *out = binary(b, IR_OP_LOR, binary(b, IR_OP_LT, use(b, m->first), use(b, m->low)),
                               binary(b, IR_OP_GT, use(b, m->end), use(b, m->high)));

  if (unequal)
    out = binary(b, IR_OP_LOR, out, binary(b, IR_OP_GT, use(b, m->first), use(b, m->end)));
  out = binary(b, IR_OP_LAND,
               binary(b, unequal ? IR_OP_NE : IR_OP_LT, use(b, m->first), use(b, m->end)), out);
  if (!m->r->apart) return out;
  struct ir_expr *next = ragged_for_thread(b->code, m->all, m->r->first,
                                           binary(b, IR_OP_ADD, use(b, b->thread), number(b, 1)));
  struct ir_expr *gap =
      binary(b, IR_OP_LAND, binary(b, IR_OP_LT, use(b, b->thread), last_thread(m)),
             binary(b, IR_OP_NE, converted(m, next), use(b, m->end)));
  return binary(b, IR_OP_LOR, out, gap);
}

/* ---- the body ---- */

static struct ir_expr *replace_access(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct ragged_making *m = r->context;
  struct building *b = &m->b;
  const struct strip *strip = &m->r->strip;

  for (unsigned i = 0; i < strip->access_count; i++) {
    if (strip->accesses[i].expr != expr) continue;
    const struct strip_array *array = &strip->arrays[strip->accesses[i].array];
    struct ir_expr *slot = ir_build_cast(
        r->arena, ir_int_type(), binary(b, IR_OP_SUB, use(b, loop_of(b)->iterator), use(b, m->at)));
    struct ir_expr *element = ir_build_index(r->arena, use(b, array->copy), slot);
    if (!array->row) return element;
    struct ir_expr *word = use(b, array->row->loop->iterator);
    return ir_build_index(r->arena, element,
                          array->row_first ? binary(b, IR_OP_SUB, word, number(b, array->row_first))
                                           : word);
  }
  return NULL;
}

/* { _end = j; break; } */
static struct ir_stmt *ended(struct ragged_making *m, bool returns)
{
  struct building *b = &m->b;
  struct ir_list out = {0};
  struct ir_stmt *leave = ARENA_NEW(b->arena, struct ir_stmt);

  *leave = (struct ir_stmt){.kind = IR_STMT_BREAK, .id = UINT32_MAX};
  if (!SEEDED(RAGGED_BREAK_CHUNK))
    ir_list_add(b->arena, &out, assign_to(b, use(b, m->end), use(b, loop_of(b)->iterator)));
  if (returns && !SEEDED(RAGGED_RETURN_STAYS))
    ir_list_add(
        b->arena, &out,
        assign_to(b, use(b, m->left), ir_build_cast(b->arena, ir_bool_type(), number(b, 1))));
  ir_list_add(b->arena, &out, leave);
  return ir_build_block(b->arena, &out);
}

/* The statement with such ends in the place of its breaks and returns. */
static struct ir_stmt *leaving(struct ragged_making *m, struct ir_stmt *stmt, bool in_switch)
{
  if (!stmt) return NULL;
  if (stmt->kind == IR_STMT_RETURN || (stmt->kind == IR_STMT_BREAK && !in_switch))
    return ended(m, stmt->kind == IR_STMT_RETURN);
  if (loop_is_one(stmt)) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(m->b.arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++)
    *below = leaving(m, *below, in_switch || stmt->kind == IR_STMT_SWITCH);
  return copy;
}

/* for (; j < _to; j++) body */
static struct ir_stmt *own_elements(struct ragged_making *m, struct ir_var *to)
{
  struct building *b = &m->b;
  struct ir_rewriter rewriter = {b->arena, replace_access, m};
  struct ir_var *iterator = loop_of(b)->iterator;
  struct ir_stmt *loop = ARENA_NEW(b->arena, struct ir_stmt);

  *loop = *m->r->strip.segment;
  loop->id = UINT32_MAX;
  loop->init = NULL;
  loop->expr = binary(b, IR_OP_LT, use(b, iterator), use(b, to));
  loop->body = leaving(m, ir_rewrite_stmt(&rewriter, m->r->strip.body), false);
  loop->loop = ARENA_NEW(b->arena, struct ir_loop);
  *loop->loop =
      (struct ir_loop){.iterator = iterator, .relation = IR_OP_LT, .bound = use(b, to), .step = 1};
  return loop;
}

static struct ir_stmt *vote_end(struct ragged_making *m)
{
  struct building *b = &m->b;
  struct ir_expr *vote = ir_build_call(b->arena, "__syncthreads_or", IR_EFFECT_BARRIER);
  struct ir_stmt *leave = ARENA_NEW(b->arena, struct ir_stmt);

  vote->type = ir_int_type();
  ir_add_argument(b->arena, vote,
                  binary(b, IR_OP_LT, use(b, loop_of(b)->iterator), use(b, m->end)));
  *leave = (struct ir_stmt){.kind = IR_STMT_BREAK, .id = UINT32_MAX};
  return ir_build_if(b->arena, ir_build_unary(b->arena, IR_OP_NOT, vote), leave);
}

/* The threads copy a chunk, wait, go through it, and wait. */
static struct ir_stmt *chunk(struct ragged_making *m)
{
  struct building *b = &m->b;
  struct ir_list body = {0};
  struct ir_var *slot = local(b, "_q", ir_int_type()), *to = local(b, "_to", m->type);
  bool leaves = m->r->breaks || m->r->returns;

  m->count = local(b, "_n", ir_int_type());
  ir_list_add(b->arena, &body,
              declare(b, m->count,
                      making_least(b, binary(b, IR_OP_SUB, use(b, m->high), use(b, m->at)),
                                   number(b, m->r->strip.slots))));
  struct ir_expr *place = binary(b, IR_OP_ADD, use(b, m->at), converted(m, use(b, slot)));
  ir_list_add(b->arena, &body,
              making_by_threads(b, slot, use(b, m->count), making_copy_slot(b, slot, place)));
  struct ir_expr *behind = binary(b, IR_OP_ADD, use(b, m->at), converted(m, use(b, m->count)));
  struct ir_expr *least =
      ir_build_cond(b->arena, binary(b, IR_OP_LT, use(b, m->end), behind), use(b, m->end), behind);
  least->type = m->type;
  ir_list_add(b->arena, &body, declare(b, to, least));
  if (m->r->strip.asynchronous)
    ir_list_add(b->arena, &body, making_call(b, "mesi_copy_wait", IR_EFFECT_NONE));
  if (!SEEDED(RAGGED_READ_EARLY))
    ir_list_add(b->arena, &body, making_call(b, "__syncthreads", IR_EFFECT_BARRIER));
  ir_list_add(b->arena, &body, own_elements(m, to));
  if (!SEEDED(RAGGED_FILLED_EARLY))
    ir_list_add(b->arena, &body,
                leaves ? vote_end(m) : making_call(b, "__syncthreads", IR_EFFECT_BARRIER));
  ir_list_add(b->arena, &body, making_add(b, m->at, converted(m, use(b, m->count))));
  return ir_build_block(b->arena, &body);
}

/* for (T _at = _low; _at < _high;) chunk */
static struct ir_stmt *chunks(struct ragged_making *m)
{
  struct building *b = &m->b;
  struct ir_stmt *loop = ARENA_NEW(b->arena, struct ir_stmt);
  struct ir_list out = {0};
  struct ir_loop *written = loop_of(b);

  m->at = local(b, "_at", m->type);
  if (m->r->returns) {
    m->left = local(b, "_left", ir_bool_type());
    ir_list_add(b->arena, &out,
                declare(b, m->left, ir_build_cast(b->arena, ir_bool_type(), number(b, 0))));
  }
  if (written->declared)
    ir_list_add(b->arena, &out, ir_build_decl(b->arena, written->iterator, use(b, m->first)));
  else
    ir_list_add(b->arena, &out, assign_to(b, use(b, written->iterator), use(b, m->first)));
  *loop = (struct ir_stmt){.kind = IR_STMT_FOR,
                           .id = UINT32_MAX,
                           .init = ir_build_decl(b->arena, m->at, use(b, m->low)),
                           .expr = binary(b, IR_OP_LT, use(b, m->at), use(b, m->high)),
                           .body = chunk(m)};
  ir_list_add(b->arena, &out, loop);
  if (m->r->returns) {
    struct ir_stmt *leave = ARENA_NEW(b->arena, struct ir_stmt);
    *leave = (struct ir_stmt){.kind = IR_STMT_RETURN, .id = UINT32_MAX};
    ir_list_add(b->arena, &out, ir_build_if(b->arena, use(b, m->left), leave));
  }
  return ir_build_block(b->arena, &out);
}

/* The loop as written, with its bounds in registers. */
static struct ir_stmt *as_written(struct ragged_making *m)
{
  struct building *b = &m->b;
  const struct ir_loop *loop = loop_of(b);
  struct ir_stmt *copy = ARENA_NEW(b->arena, struct ir_stmt);

  *copy = *m->r->strip.segment;
  copy->id = UINT32_MAX;
  copy->init = loop->declared ? ir_build_decl(b->arena, loop->iterator, use(b, m->first))
                              : assign_to(b, use(b, loop->iterator), use(b, m->first));
  copy->expr = binary(b, loop->relation, use(b, loop->iterator), use(b, m->end));
  copy->loop = ARENA_NEW(b->arena, struct ir_loop);
  *copy->loop = *loop;
  copy->loop->lower = use(b, m->first);
  copy->loop->bound = use(b, m->end);
  return copy;
}

/* ---- the choice ---- */

/* Does the block copy? The vote comes last, where all threads make it. */
static struct ir_expr *choice(struct ragged_making *m)
{
  struct building *b = &m->b;
  struct ir_type *type = ARENA_NEW(b->arena, struct ir_type);
  struct ir_expr *vote = ir_build_call(b->arena, "__syncthreads_or", IR_EFFECT_BARRIER);

  *type = *m->type;
  type->is_signed = false;
  type->spelling = type->size > 4 ? "unsigned long long" : "unsigned int";
  struct ir_expr *number_of = binary(b, IR_OP_SUB, ir_build_cast(b->arena, type, use(b, m->high)),
                                     ir_build_cast(b->arena, type, use(b, m->low)));
  struct ir_expr *all = binary(b, IR_OP_LAND, binary(b, IR_OP_LT, use(b, m->low), use(b, m->high)),
                               binary(b, IR_OP_GT, number_of, number(b, 0)));
  all = ir_build_both(b->arena, is_row(m), all);
  vote->type = ir_int_type();
  ir_add_argument(b->arena, vote, reaches_out(m));
  if (SEEDED(RAGGED_NO_VOTE)) return all;
  return binary(b, IR_OP_LAND, all, ir_build_unary(b->arena, IR_OP_NOT, vote));
}

static struct ir_stmt *build_loop(struct ragged_making *m)
{
  struct building *b = &m->b;
  struct ir_list out = {0}, written = {0};
  struct ir_loop *loop = loop_of(b);

  m->type = ir_plain_type(b->arena, loop->iterator->type);
  m->first = local(b, "_first", m->type);
  m->end = local(b, "_end", m->type);
  m->low = local(b, "_low", m->type);
  m->high = local(b, "_high", m->type);
  struct ir_expr *low = converted(m, ragged_for_thread(b->code, m->all, m->r->first, number(b, 0))),
                 *high =
                     converted(m, ragged_for_thread(b->code, m->all, m->r->end, last_thread(m)));
  struct ir_expr *lower = loop->lower ? loop->lower : use(b, loop->iterator);
  ir_list_add(b->arena, &out, ir_build_decl(b->arena, m->first, converted(m, lower)));
  ir_list_add(b->arena, &out, ir_build_decl(b->arena, m->end, converted(m, loop->bound)));
  ir_list_add(b->arena, &out, ir_build_decl(b->arena, m->low, low));
  ir_list_add(b->arena, &out, ir_build_decl(b->arena, m->high, high));
  struct ir_stmt *branch = ir_build_if(b->arena, choice(m), chunks(m));
  ir_list_add(b->arena, &written, as_written(m));
  branch->else_body = ir_build_block(b->arena, &written);
  ir_list_add(b->arena, &out, branch);
  return ir_build_block(b->arena, &out);
}

/* ---- the statements around ---- */

struct target_search {
  const struct ragged_making *m;
  bool found;
};

static bool note_target(struct ir_stmt *stmt, void *context)
{
  struct target_search *s = context;

  for (unsigned i = 0; i < s->m->all->count; i++)
    s->found |= s->m->all->items[i].strip.segment == stmt;
  return !s->found;
}

static bool has_target(const struct ragged_making *m, struct ir_stmt *stmt)
{
  struct target_search s = {m, false};

  ir_visit_stmts(stmt, note_target, &s);
  return s.found;
}

static const struct ragged_around *around_of(const struct ragged_making *m,
                                             const struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < m->all->around_count; i++)
    if (m->all->around[i].stmt == stmt) return &m->all->around[i];
  return NULL;
}

static struct ir_stmt *built(struct ragged_making *m, struct ir_stmt *stmt);

/* if (...the condition of the first thread, and of the last one...) arm; else ...as written... */
static struct ir_stmt *built_if(struct ragged_making *m, const struct ragged_around *a,
                                struct ir_stmt *stmt)
{
  struct building *b = &m->b;
  struct ir_expr *whole = NULL;

  for (unsigned i = 0; i < a->count; i++) {
    struct ir_expr *condition = a->conditions[i];
    if (!a->own[i]) {
      whole = ir_build_both(b->arena, whole, condition);
      continue;
    }
    if (!SEEDED(RAGGED_FIRST_UNASKED))
      whole = ir_build_both(b->arena, whole,
                            ragged_for_thread(b->code, m->all, condition, number(b, 0)));
    if (!SEEDED(RAGGED_LAST_UNASKED))
      whole = ir_build_both(b->arena, whole,
                            ragged_for_thread(b->code, m->all, condition, last_thread(m)));
  }
  struct ir_stmt *choice =
      ir_build_if(b->arena, whole, built(m, a->otherwise ? stmt->else_body : stmt->body));
  choice->else_body = stmt;
  return choice;
}

static struct ir_expr *rename_first(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct ragged_around *a = r->context;
  bool own = expr->kind == IR_EXPR_VAR && expr->var == a->stmt->loop->iterator;

  return own ? ir_build_var(r->arena, a->base) : NULL;
}

/* for (int _i = ...of the first thread; _i < n; _i += stride) {
 *   int i = _i + threadIdx.x;
 *   if (_i + 255 < n) body else if (i < n) ...as written...
 * } */
static struct ir_stmt *built_strided(struct ragged_making *m, const struct ragged_around *a,
                                     struct ir_stmt *stmt)
{
  struct building *b = &m->b;
  struct ir_rewriter rewriter = {b->arena, rename_first, (void *)a};
  struct ir_list body = {0};
  struct ir_var *iterator = stmt->loop->iterator;
  const struct ir_type *type = ir_plain_type(b->arena, iterator->type);
  struct ir_expr *lower =
      ragged_for_thread(b->code, m->all, code_resolve(b->code, stmt->loop->lower), number(b, 0));
  struct ir_expr *own = ir_build_cast(b->arena, type, use(b, b->thread));

  ir_list_add(b->arena, &body,
              ir_build_decl(b->arena, iterator, binary(b, IR_OP_ADD, use(b, a->base), own)));
  struct ir_stmt *choice =
      ir_build_if(b->arena, ragged_for_thread(b->code, m->all, stmt->expr, last_thread(m)),
                  built(m, stmt->body));
  choice->else_body = ir_build_if(b->arena, stmt->expr, stmt->body);
  ir_list_add(b->arena, &body, choice);
  struct ir_stmt *loop = ARENA_NEW(b->arena, struct ir_stmt);
  *loop = (struct ir_stmt){.kind = IR_STMT_FOR,
                           .id = UINT32_MAX,
                           .place = stmt->place,
                           .init = ir_build_decl(b->arena, a->base, converted_to(b, type, lower)),
                           .expr = ir_rewrite_expr(&rewriter, stmt->expr),
                           .increment = ir_rewrite_expr(&rewriter, stmt->increment),
                           .body = ir_build_block(b->arena, &body)};
  return loop;
}

/* The statement with its loops over chunks, where all threads of the block come to it. */
static struct ir_stmt *built(struct ragged_making *m, struct ir_stmt *stmt)
{
  if (!stmt || !has_target(m, stmt)) return stmt;
  for (unsigned i = 0; i < m->all->count; i++)
    if (m->all->items[i].strip.segment == stmt) {
      m->r = &m->all->items[i];
      m->b.strip = &m->r->strip;
      return build_loop(m);
    }
  const struct ragged_around *a = around_of(m, stmt);
  if (a) return a->base ? built_strided(m, a, stmt) : built_if(m, a, stmt);
  struct ir_stmt *copy = ir_copy_stmt(m->b.arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = built(m, *below);
  return copy;
}

static void declare_copies(struct building *b, struct strip *strip, struct ir_list *out)
{
  for (unsigned i = 0; i < strip->array_count; i++) {
    struct strip_array *array = &strip->arrays[i];
    const struct ir_type *type = ir_plain_type(b->arena, array->array->element);
    type = array->row ? ir_build_array_type(b->arena, type, array->row_trips) : type;
    array->copy = making_shared(b, arena_format(b->arena, "_s_%s", array->array->var->name), type,
                                strip->slots, out);
  }
}

struct ir_stmt *ragged_build(struct code *code, struct ragged_all *all)
{
  struct ragged_making m = {.b = {.code = code, .arena = code->arena}, .all = all};
  struct building *b = &m.b;
  struct ir_list out = {0};

  b->thread = code_local(code, "_t", ir_int_type());
  for (unsigned i = 0; i < all->count; i++) declare_copies(b, &all->items[i].strip, &out);
  ir_list_add(b->arena, &out,
              ir_build_decl(b->arena, b->thread,
                            ir_build_cast(b->arena, ir_int_type(),
                                          ir_build_builtin(b->arena, IR_THREAD_IDX))));
  ir_list_add(b->arena, &out, built(&m, code->facts.kernel->body));
  return ir_build_block(b->arena, &out);
}
