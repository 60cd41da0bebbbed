/* SPDX-License-Identifier: MIT */
/* strip_nest.c - the segments of a nest as one stream of elements, a strip at a time.
 *
 *     for (by = y0; by <= y1; by++)
 *       for (bx = x0; bx <= x1; bx++) {
 *         const int begin = ..., end = ...;
 *         for (k = begin; k < end; k++) sum += f(items[k], x);
 *       }
 *       =>
 *     const int _m = (y1 - y0 + 1) * (x1 - x0 + 1);
 *     for (int _b = 0; _b < _m; _b += 64) {            64 threads, a segment each
 *       by, bx of iteration _b + _t; const int begin = ..., end = ...;
 *       _first[_t] = begin, _sum[_t] = elements of the threads before; _all = of all
 *       for (long long _a = 0; _a < _all;) {
 *         const int _n = the elements that remain, as many as the strip has room for
 *         ...threads: element _a + _q of the stream, whose segment _sum tells,
 *            to _s_items[_f + _q], for _q = 0 ... _n - 1...
 *         if (the strip is full) { USE }
 *       }
 *     }
 *     if (_f > 0) { USE }
 *
 * The threads of a block ask for the ends of as many segments at the same time; as written, each
 * thread asks for all of these one after another. So many short or empty segments are found in the
 * time of a few, and their elements are in flight together. Each thread goes through them in the
 * order as written. A nest of few segments, for which this may take longer if they are short, runs
 * the original code.
 *
 * Requires: a nest whose iterations can be counted in front of it and do not depend on one another
 * (strip_find.c).
 */
#include "analysis/transform/segment_stage/strip_making.h"
#include "analysis/sets/lower.h"
#include "runtime/seeded.h"

struct nest {
  struct building *b;
  struct ir_var *trips[STRIP_LOOPS], *all; /* iterations of each loop, and of the nest */
  struct ir_var *first, *length;           /* of this thread's segment */
  struct ir_var *own[STRIP_PLACES];        /* the values for the tables */
  struct ir_expr *step;                    /* segments per batch */
  bool all_threads;                        /* each thread of the block has one */
};

static const struct ir_type *wide(struct building *b) { return lower_int_type(b->arena, true); }

static struct ir_expr *ask(struct building *b, const char *name, enum ir_effect effect,
                           const struct ir_type *type)
{
  struct ir_expr *call = ir_build_call(b->arena, name, effect);
  call->type = type;
  return call;
}

static struct ir_expr *at(struct building *b, struct ir_var *table, struct ir_expr *place)
{
  return ir_build_index(b->arena, use(b, table), place);
}

static struct ir_stmt *block_of(struct building *b, struct ir_list *list)
{
  return ir_build_block(b->arena, list);
}

void nest_declare(struct building *b, struct strip *strip, struct ir_list *out)
{
  strip->sums = making_shared(b, "_sum", wide(b), strip->batch + 1, out);
  strip->firsts =
      making_shared(b, "_first", ir_plain_type(b->arena, strip->segment->loop->iterator->type),
                    strip->batch, out);
  for (unsigned i = 0; i < strip->place_count; i++)
    strip->place_tables[i] =
        making_shared(b, arena_format(b->arena, "_r_%s", strip->places[i]->name),
                      ir_plain_type(b->arena, strip->places[i]->type), strip->batch, out);
}

/* ---- iterations ---- */

/* const int _m = mesi_loop_trips<int>(lower, bound, inclusive, step); and the trips of the nest; 0:
 * none, or too many to count */
static void count_loops(struct nest *n, struct ir_list *out)
{
  struct building *b = n->b;
  struct ir_expr *all = ask(b, "mesi_nest_trips", IR_EFFECT_NONE, ir_int_type());

  for (unsigned i = 0; i < b->strip->loop_count; i++) {
    const struct ir_loop *loop = b->strip->loops[i]->loop;
    const char *name = arena_format(b->arena, "mesi_loop_trips<%s>",
                                    ir_plain_type(b->arena, loop->iterator->type)->spelling);
    struct ir_expr *trips = ask(b, name, IR_EFFECT_NONE, ir_int_type());
    ir_add_argument(b->arena, trips, loop->lower);
    ir_add_argument(b->arena, trips, loop->bound);
    ir_add_argument(b->arena, trips, number(b, loop->relation == IR_OP_LE));
    ir_add_argument(b->arena, trips, number(b, loop->step));
    n->trips[i] = local(b, "_m", ir_int_type());
    ir_list_add(b->arena, out, declare(b, n->trips[i], trips));
    ir_add_argument(b->arena, all, use(b, n->trips[i]));
  }
  n->all = local(b, "_m", ir_int_type());
  ir_list_add(b->arena, out, declare(b, n->all, all));
}

/* lower + number / (trips of the inner loops) % (its own trips) * step */
static struct ir_expr *iterator_of(struct nest *n, unsigned i, struct ir_var *iteration)
{
  struct building *b = n->b;
  const struct ir_loop *loop = b->strip->loops[i]->loop;
  struct ir_expr *value = use(b, iteration), *inside = NULL;

  for (unsigned k = i + 1; k < b->strip->loop_count; k++)
    inside = inside ? binary(b, IR_OP_MUL, inside, use(b, n->trips[k])) : use(b, n->trips[k]);
  if (inside) value = binary(b, IR_OP_DIV, value, inside);
  if (i) value = binary(b, IR_OP_REM, value, use(b, n->trips[i]));
  if (loop->iterator->type->size > 4 || !loop->iterator->type->is_signed)
    value = ir_build_cast(b->arena, ir_plain_type(b->arena, loop->iterator->type), value);
  return binary(b, IR_OP_ADD, loop->lower,
                loop->step == 1 ? value : binary(b, IR_OP_MUL, value, number(b, loop->step)));
}

/* ---- a thread's segment ---- */

struct holding {
  const struct ir_stmt *segment;
  bool found;
};

static bool note_segment(struct ir_stmt *stmt, void *context)
{
  struct holding *h = context;

  h->found |= stmt == h->segment;
  return !h->found;
}

static bool holds_segment(const struct nest *n, struct ir_stmt *stmt)
{
  struct holding h = {n->b->strip->segment, false};

  if (stmt) ir_visit_stmts(stmt, note_segment, &h);
  return h.found;
}

/* _first = lower; _n = mesi_length(_first, end); and the variables that the copies need */
static struct ir_stmt *note_ends(struct nest *n)
{
  struct building *b = n->b;
  struct ir_list out = {0};
  struct ir_expr *length =
      ask(b, arena_format(b->arena, "mesi_segment_length<%s>", n->first->type->spelling),
          IR_EFFECT_NONE, wide(b));

  ir_list_add(b->arena, &out, assign_to(b, use(b, n->first), loop_of(b)->lower));
  ir_add_argument(b->arena, length, use(b, n->first));
  ir_add_argument(b->arena, length, making_segment_end(b));
  ir_list_add(b->arena, &out, assign_to(b, use(b, n->length), length));
  for (unsigned i = 0; i < b->strip->place_count; i++)
    ir_list_add(b->arena, &out, assign_to(b, use(b, n->own[i]), use(b, b->strip->places[i])));
  return block_of(b, &out);
}

/* One iteration of the nest, up to its segment. The code behind it is dropped. */
static struct ir_stmt *one_iteration(struct nest *n, struct ir_stmt *stmt, struct ir_var *iteration)
{
  struct building *b = n->b;
  struct ir_list out = {0};
  unsigned depth = 0;

  if (stmt == b->strip->segment) return note_ends(n);
  if (stmt->kind == IR_STMT_IF) {
    struct ir_stmt *copy = ARENA_NEW(b->arena, struct ir_stmt);
    *copy = *stmt;
    copy->body =
        holds_segment(n, stmt->body) ? one_iteration(n, stmt->body, iteration) : stmt->body;
    copy->else_body = holds_segment(n, stmt->else_body)
                          ? one_iteration(n, stmt->else_body, iteration)
                          : stmt->else_body;
    return copy;
  }
  while (stmt->kind == IR_STMT_FOR && b->strip->loops[depth] != stmt) depth++;
  if (stmt->kind == IR_STMT_FOR) {
    ir_list_add(b->arena, &out, declare(b, stmt->loop->iterator, iterator_of(n, depth, iteration)));
    ir_list_add(b->arena, &out, one_iteration(n, stmt->body, iteration));
    return block_of(b, &out);
  }
  for (unsigned i = 0; i < stmt->child_count; i++) {
    bool holds = holds_segment(n, stmt->children[i]);
    ir_list_add(b->arena, &out,
                holds ? one_iteration(n, stmt->children[i], iteration) : stmt->children[i]);
    if (holds) break;
  }
  return block_of(b, &out);
}

/* T _at = 0; long long _n = 0; ...: a thread without a segment has one without elements. */
static void declare_own(struct nest *n, struct ir_list *out)
{
  struct building *b = n->b;

  n->first = local(b, "_at", loop_of(b)->iterator->type);
  n->length = local(b, "_n", wide(b));
  ir_list_add(b->arena, out,
              declare(b, n->first, ir_build_cast(b->arena, n->first->type, number(b, 0))));
  ir_list_add(b->arena, out, declare(b, n->length, number(b, 0)));
  for (unsigned i = 0; i < b->strip->place_count; i++) {
    const struct ir_type *type = ir_plain_type(b->arena, b->strip->places[i]->type);
    n->own[i] = local(b, arena_format(b->arena, "_%s", b->strip->places[i]->name), type);
    ir_list_add(b->arena, out, declare(b, n->own[i], ir_build_cast(b->arena, type, number(b, 0))));
  }
}

/* if (the thread has a segment of the batch) find it */
static void find_own(struct nest *n, struct ir_var *base, struct ir_list *out)
{
  struct building *b = n->b;
  struct ir_var *iteration = local(b, "_i", ir_int_type());
  struct ir_expr *has = binary(b, IR_OP_LT, use(b, iteration), use(b, n->all));

  if (!n->all_threads)
    has = binary(b, IR_OP_LAND, binary(b, IR_OP_LT, use(b, b->thread), n->step), has);
  ir_list_add(b->arena, out,
              declare(b, iteration, binary(b, IR_OP_ADD, use(b, base), use(b, b->thread))));
  ir_list_add(b->arena, out,
              ir_build_if(b->arena, has, one_iteration(n, b->strip->nest, iteration)));
}

static void fill_tables(struct nest *n, struct ir_var *before, struct ir_list *out)
{
  struct building *b = n->b;
  struct ir_list keep = {0};

  ir_list_add(b->arena, &keep,
              assign_to(b, at(b, b->strip->sums, use(b, b->thread)), use(b, before)));
  ir_list_add(b->arena, &keep,
              assign_to(b, at(b, b->strip->firsts, use(b, b->thread)), use(b, n->first)));
  for (unsigned i = 0; i < b->strip->place_count; i++)
    ir_list_add(
        b->arena, &keep,
        assign_to(b, at(b, b->strip->place_tables[i], use(b, b->thread)), use(b, n->own[i])));
  struct ir_stmt *kept = block_of(b, &keep);
  ir_list_add(b->arena, out,
              n->all_threads
                  ? kept
                  : ir_build_if(b->arena, binary(b, IR_OP_LT, use(b, b->thread), n->step), kept));
  struct ir_expr *last =
      binary(b, IR_OP_EQ, use(b, b->thread), binary(b, IR_OP_SUB, n->step, number(b, 1)));
  struct ir_expr *end = binary(b, IR_OP_ADD, use(b, before), use(b, n->length));
  ir_list_add(b->arena, out,
              ir_build_if(b->arena, last, assign_to(b, at(b, b->strip->sums, n->step), end)));
}

/* Fills the tables for the batch of segments from `base` on. `all`: the number of their
 * elements. */
static void look_at_segments(struct nest *n, struct ir_var *base, struct ir_var *all,
                             struct ir_list *out)
{
  struct building *b = n->b;
  struct ir_var *before = local(b, "_before", wide(b));
  struct ir_expr *sum = ask(b, "mesi_sum_before", IR_EFFECT_BARRIER, wide(b));

  declare_own(n, out);
  find_own(n, base, out);
  ir_add_argument(b->arena, sum, use(b, b->thread));
  ir_add_argument(b->arena, sum, block_threads(b->code));
  ir_add_argument(b->arena, sum, use(b, n->length));
  ir_list_add(b->arena, out, declare(b, before, sum));
  fill_tables(n, before, out);
  if (!SEEDED(STRIP_SUMS_EARLY))
    ir_list_add(b->arena, out, making_call(b, "__syncthreads", IR_EFFECT_BARRIER));
  ir_list_add(b->arena, out, declare(b, all, at(b, b->strip->sums, n->step)));
}

/* ---- elements ---- */

/* for (_q = _t; _q < _n; _q += threads) { the segment of element _a + _q; copies of its iteration }
 */
static struct ir_stmt *copy_elements(struct nest *n, struct ir_var *done, struct ir_var *count)
{
  struct building *b = n->b;
  struct strip *strip = b->strip;
  struct ir_list out = {0};
  struct ir_var *place = local(b, "_q", ir_int_type()), *segment = local(b, "_r", ir_int_type()),
                *slot = local(b, "_slot", ir_int_type());
  struct ir_expr *element = binary(b, IR_OP_ADD, use(b, done), use(b, place)),
                 *found = ask(b, "mesi_segment_of", IR_EFFECT_NONE, ir_int_type());

  ir_add_argument(b->arena, found, use(b, strip->sums));
  ir_add_argument(b->arena, found, n->step);
  ir_add_argument(b->arena, found, element);
  ir_list_add(b->arena, &out, declare(b, segment, found));
  for (unsigned i = 0; i < strip->place_count; i++)
    ir_list_add(b->arena, &out,
                declare(b, strip->places[i], at(b, strip->place_tables[i], use(b, segment))));
  ir_list_add(b->arena, &out,
              declare(b, slot, binary(b, IR_OP_ADD, use(b, b->filled), use(b, place))));
  struct ir_expr *behind = binary(b, IR_OP_SUB, element, at(b, strip->sums, use(b, segment)));
  struct ir_expr *iteration = binary(b, IR_OP_ADD, at(b, strip->firsts, use(b, segment)),
                                     ir_build_cast(b->arena, n->first->type, behind));
  ir_list_add(b->arena, &out, making_copy_slot(b, slot, iteration));
  return making_by_threads(b, place, use(b, count), block_of(b, &out));
}

static struct ir_stmt *when_full(struct building *b)
{
  struct ir_list out = {0};

  making_use_strip(b, number(b, b->strip->slots), NULL, &out);
  ir_list_add(b->arena, &out, assign_to(b, use(b, b->filled), number(b, 0)));
  return ir_build_if(b->arena, binary(b, IR_OP_EQ, use(b, b->filled), number(b, b->strip->slots)),
                     block_of(b, &out));
}

/* Adds the elements of a batch, as many at a time as the strip has room for. */
static void add_elements(struct nest *n, struct ir_var *all, struct ir_list *out)
{
  struct building *b = n->b;
  struct ir_list body = {0};
  struct ir_var *done = local(b, "_a", wide(b)), *count = local(b, "_c", ir_int_type());
  struct ir_expr *room = binary(b, IR_OP_SUB, number(b, b->strip->slots), use(b, b->filled));

  ir_list_add(b->arena, out, declare(b, done, number(b, 0)));
  ir_list_add(
      b->arena, &body,
      declare(b, count, making_least(b, binary(b, IR_OP_SUB, use(b, all), use(b, done)), room)));
  ir_list_add(b->arena, &body, copy_elements(n, done, count));
  ir_list_add(b->arena, &body, making_add(b, b->filled, use(b, count)));
  ir_list_add(b->arena, &body, making_add(b, done, use(b, count)));
  ir_list_add(b->arena, &body, when_full(b));
  struct ir_stmt *loop = ARENA_NEW(b->arena, struct ir_stmt);
  *loop = (struct ir_stmt){.kind = IR_STMT_WHILE,
                           .id = UINT32_MAX,
                           .expr = binary(b, IR_OP_LT, use(b, done), use(b, all)),
                           .body = block_of(b, &body)};
  ir_list_add(b->arena, out, loop);
}

/* ---- the nest ---- */

/* Chooses the segments of a batch: one for each thread of the block, up to the room in the
 * tables. */
static void choose_batch(struct nest *n, struct ir_list *out)
{
  struct building *b = n->b;
  struct ir_expr *threads = block_threads(b->code);
  int64_t known;

  n->step = number(b, b->strip->batch);
  if (ir_constant(threads, &known)) {
    n->all_threads = known == b->strip->batch;
    return;
  }
  struct ir_var *step = local(b, "_w", ir_int_type());
  ir_list_add(b->arena, out, declare(b, step, making_least(b, threads, n->step)));
  n->step = use(b, step);
}

static struct ir_stmt *stream(struct nest *n)
{
  struct building *b = n->b;
  struct ir_list out = {0}, body = {0}, rest = {0};
  struct ir_var *base = local(b, "_b", ir_int_type()), *all = local(b, "_all", wide(b));
  int64_t known;

  b->filled = local(b, "_f", ir_int_type());
  ir_list_add(b->arena, &out, declare(b, b->filled, number(b, 0)));
  choose_batch(n, &out);
  look_at_segments(n, base, all, &body);
  add_elements(n, all, &body);
  struct ir_stmt *loop = ir_build_for(b->arena, base, number(b, 0), use(b, n->all),
                                      ir_constant(n->step, &known) ? known : 1, block_of(b, &body));
  if (!ir_constant(n->step, &known)) {
    loop->increment = making_add(b, base, n->step)->expr;
    loop->loop->step_expr = n->step;
  }
  ir_list_add(b->arena, &out, loop);
  making_use_strip(b, use(b, b->filled), NULL, &rest);
  if (!SEEDED(STRIP_REST_LOST))
    ir_list_add(b->arena, &out,
                ir_build_if(b->arena, binary(b, IR_OP_GT, use(b, b->filled), number(b, 0)),
                            block_of(b, &rest)));
  return block_of(b, &out);
}

struct ir_stmt *nest_build(struct building *b)
{
  struct nest n = {.b = b};
  struct ir_list out = {0}, few = {0};
  struct ir_stmt *nest = b->strip->nest;

  count_loops(&n, &out);
  struct ir_stmt *choice = ir_build_if(
      b->arena, binary(b, IR_OP_GT, use(b, n.all), number(b, b->strip->few)), stream(&n));
  ir_list_add(b->arena, &few, b->active ? ir_build_if(b->arena, b->active, nest) : nest);
  choice->else_body = block_of(b, &few);
  ir_list_add(b->arena, &out, choice);
  return block_of(b, &out);
}
