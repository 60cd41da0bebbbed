/* SPDX-License-Identifier: MIT */
/* tile.c - the arrays that a loop reads again and again, and the box of each that a tile of
 * iterations needs.
 *
 *     for (k = 0; k < n; k++) sum += a[row][k] * b[k][col];
 *         64 x 64 threads, tiles of 16 iterations
 *   =>
 *     for (_k = 0; _k < n; _k += 16)      a: [64 blockIdx.y .. +64][_k .. +16],
 *         each element used 64 times; b likewise
 *
 * All threads of a block must run the loop in step, with a constant step and bounds that it does
 * not change. The boxes come from the same functions as those of whole kernels. The walk sees the
 * loop over tiles, with its iterator as a symbol that is the same for the block, and an `if` for
 * iterations behind the last one. Arrays that the kernel writes are staged only where each thread
 * writes a row of its own (tile_rows.c). Few threads that go through their own rows or columns once
 * get tiles, too (streamed arrays): for whole lines, and to have more in flight than loads that are
 * waited for. Requires: shaped code, its scan and instances. Gives up per array with a remark.
 */
#include "analysis/mapping/tile/tile.h"
#include "analysis/mapping/tile/tile_copying.h"

#include <string.h>

#define WHOLE_BOX \
  0.9 /* accesses to an element of a box of which hardly anything is read in vain \
       */
#include "analysis/code/precondition.h"
#include "analysis/sets/budget.h"
#include "analysis/sets/lower.h"
#include "analysis/code/loop.h"
#include "runtime/seeded.h"

enum { MOST_LOOPS = 16, MOST_STEP = 64, MOST_ARRAYS = 16, MOST_TRIED = 8 };
enum { LEAST_REUSE = 4 };

struct nest { /* the loops around a place, outermost first */
  struct ir_stmt *loops[MOST_LOOPS];
  unsigned count;
};

struct tiling {
  struct code *code;
  const struct instances *in;
  const struct geometry *geometry;
  struct stager *stager;
  int64_t wanted; /* iterations of a tile */
  uint64_t capacity;
  struct tile *out;           /* that is being planned */
  struct buffering buffering; /* of its arrays */
  struct tiles *all;
  struct nest nest;
  unsigned tried; /* loops that were planned; each needs a walk */
};

/* ---- the loop ---- */

struct assigned {
  struct ir_expr *expr;
  bool found;
};

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct assigned *a = context;
  const struct ir_var *var = ir_assigned_var(expr);
  a->found |= var && ir_expr_has_var(a->expr, var);
}

static bool changes_in(struct ir_stmt *body, struct ir_expr *expr)
{
  struct assigned a = {expr, false};
  ir_visit_stmt_exprs(body, note_assigned, &a);
  return a.found;
}

struct memory_search {
  struct code *code;
  bool changes;
};

static void note_changing_load(struct ir_expr *expr, void *context)
{
  struct memory_search *search = context;
  const struct code_access *found = code_access_of(search->code, expr);
  search->changes |= found && !code_read_only(search->code, found->array);
}

static bool is_invariant(struct code *code, struct ir_stmt *body, struct ir_expr *expr)
{
  struct memory_search search = {code, false};

  ir_visit_expr(expr, note_changing_load, &search);
  return !search.changes && !ir_has_effects(expr) && !changes_in(body, expr);
}

static bool has_return(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_BREAK;
  return true;
}

static bool iterator_is_own(struct code *code, struct ir_stmt *loop)
{
  if (loop->loop->declared) return true;
  return ir_count_var(code->facts.kernel->body, loop->loop->iterator) ==
         ir_count_var(loop, loop->loop->iterator);
}

static bool counts_up(const struct ir_loop *loop)
{
  return loop->step > 0 && loop->step <= MOST_STEP &&
         (loop->relation == IR_OP_LT || loop->relation == IR_OP_LE);
}

static bool counts_down(const struct ir_loop *loop)
{
  return loop->step < 0 && loop->step >= -MOST_STEP && loop->iterator->type->is_signed &&
         (loop->relation == IR_OP_GT || loop->relation == IR_OP_GE);
}

/* One row of threads, each of which has one element. */
static bool has_own_threads(const struct tiling *t)
{
  const struct geometry *geometry = t->geometry;

  return geometry->block[1] == 1 && geometry->block[0] == geometry->threads[0] &&
         geometry->layers == 0;
}

static bool can_tile(struct tiling *t, struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;
  bool left = false;

  if (stmt->kind != IR_STMT_FOR || !loop || !loop->lower || loop->step_expr ||
      !(counts_up(loop) || (counts_down(loop) && has_own_threads(t))) ||
      loop->iterator->type->size < 4 || !instances_uniform_loop(t->in, stmt))
    return false;
  ir_visit_stmts(stmt->body, has_return, &left);
  return !left && code_is_for_all(t->code, loop->bound) && code_is_for_all(t->code, loop->lower) &&
         is_invariant(t->code, stmt->body, loop->bound) &&
         is_invariant(t->code, stmt->body, loop->lower) && iterator_is_own(t->code, stmt);
}

/* ---- the code that the walk sees ---- */

/* The end in a signed type, in which a slightly smaller value is no large number. */
static struct ir_expr *signed_end(struct arena *arena, struct ir_expr *end)
{
  return end->type->is_signed ? end : ir_build_cast(arena, lower_int_type(arena, true), end);
}

static struct ir_stmt *seen_by_walk(struct tiling *t)
{
  struct arena *arena = t->code->arena;
  const struct tile *tile = t->out;
  const struct ir_loop *loop = tile->loop->loop;
  struct ir_stmt *body = tile->loop->body;

  if (!tile->exact)
    body = ir_build_if(arena,
                       ir_build_binary(arena, loop->step < 0 ? IR_OP_GT : IR_OP_LT,
                                       ir_build_var(arena, loop->iterator), loop_end(arena, loop)),
                       body);
  struct ir_stmt *inner = tile_inner_loop(arena, tile->loop, ir_build_var(arena, tile->first),
                                          tile_end(arena, tile), body);
  struct ir_expr *end = loop_end(arena, loop);
  int64_t last;
  if (tile->exact && ir_constant(end, &last)) /* the last tile starts in front of this */
    end = ir_build_int(arena, last - tile->size * loop->step + (loop->step < 0 ? -1 : 1));
  else if (tile->exact)
    end = ir_build_binary(arena, IR_OP_SUB, signed_end(arena, end),
                          ir_build_int(arena, tile->size * loop->step - 1));
  struct ir_stmt *outer = tile_over(arena, tile, loop->lower, end, inner);
  return loop_swap(arena, t->code->facts.kernel->body, tile->loop, outer);
}

/* ---- arrays ---- */

struct loop_accesses {
  struct code *code;
  struct array *array;
  LIST_OF(struct access) items;
};

static void note_access(struct ir_expr *expr, void *context)
{
  struct loop_accesses *all = context;
  const struct code_access *found = code_access_of(all->code, expr);

  if (found && found->array->var == all->array->var)
    *ARENA_PUSH(all->code->arena, &all->items) = *found->access;
}

/* The array with only its accesses in the loop; `scan` owns them. */
static struct array *within_loop(struct code *scan, struct array *array, struct ir_stmt *loop)
{
  struct loop_accesses all = {scan, array, {0}};
  struct array *part = ARENA_NEW(scan->arena, struct array);

  ir_visit_stmt_exprs(loop->body, note_access, &all);
  *part = *array;
  part->accesses.items = all.items.items;
  part->accesses.count = all.items.count;
  return part;
}

static bool may_store(const struct tiling *t) { return !t->nest.count && has_own_threads(t); }

static double block_threads(const struct geometry *geometry)
{
  return (double)(geometry->block[0] * geometry->block[1]);
}

static bool differ_by_constant(const struct value *a, const struct value *b)
{
  int64_t constant;
  struct value difference = value_sub(value_copy(a), value_copy(b));
  bool is = value_constant(&difference, &constant);

  value_free(&difference);
  return is;
}

static bool same_but_constant(const struct access *a, const struct access *b)
{
  bool same = a->dim_count == b->dim_count;

  for (unsigned d = 0; d < a->dim_count && same; d++)
    same = differ_by_constant(&a->index[d], &b->index[d]);
  return same;
}

/* The box of the array in a tile, in rows if rows need less. */
static struct candidate *boxed(struct code *scan, struct array *array)
{
  struct candidate *best = NULL;

  for (unsigned rows = 0; rows < 2; rows++) {
    struct candidate *c = ARENA_NEW(scan->arena, struct candidate);
    c->array = array;
    c->place = array->accesses.items[0].place;
    c->loose_only = true;
    c->own_rows = array->written;
    c->may_shift = true;
    candidate_shape(&scan->symbols, c, rows);
    if (!c->reject) candidate_footprint(&scan->symbols, c);
    if (!c->reject) candidate_range(&scan->symbols, c);
    if (!c->reject) candidate_permit(&scan->symbols, &scan->access, c);
    if (code_exhausted(scan)) c->reject = budget_obstacle("its accesses are too complex");
    bool better = !best || (best->reject && !c->reject) || (!c->reject && c->bytes < best->bytes);
    if (best) candidate_finish(better ? best : c);
    best = better ? c : best;
    if (array->dim_count > 1 || best->is_flat) break;
  }
  return best;
}

static void skip(struct tiling *t, const struct array *array, const char *reason)
{
  code_decide(t->code, (struct decision){.kind = DECISION_TILES,
                                         .place = array->accesses.items[0].place,
                                         .array = array->var->name,
                                         .why = reason});
  code_remark(t->code, DIAG_NOT_STAGED, &array->accesses.items[0].place,
              "'%s' is not staged tile by tile in '%s': %s", array->var->name,
              t->code->kernel->name, reason);
}

/* Does an index change with the loop? An array whose index does not is better staged by an inner
 * loop, or kept in a register. */
static bool changes_in_loop(const struct candidate *c, const struct ir_var *iterator)
{
  for (unsigned i = 0; i < c->array->accesses.count * c->dim_count; i++) {
    isl_space *space = isl_pw_aff_get_domain_space(c->index[i]);
    bool changes = false;
    for (int p = 0; p < isl_space_dim(space, isl_dim_param); p++) {
      const struct symbol *symbol = symbol_of_param(space, (unsigned)p);
      changes |= symbol->kind == SYMBOL_LOOP && symbol->var == iterator &&
                 isl_pw_aff_involves_param_id(c->index[i], symbol->id) == isl_bool_true;
    }
    isl_space_free(space);
    if (changes) return true;
  }
  return false;
}

/* Is most of the loop whole tiles, as far as that is known? A thread loads numbers of one or two
 * bytes of a whole tile each time (dot products of rows of 40 bytes in tiles of 32: 192 us for 79
 * as written; of 100 bytes: 198 for 175). */
static bool fills_tiles(const struct tiling *t)
{
  int64_t trips = loop_trips(t->code, t->out->loop->loop), size = t->out->size;
  return trips < 0 || trips % size == 0 || trips >= TILES_OF_BYTES * size;
}

/* May elements with a single use be streamed? If a thread has one element and goes through the loop
 * once, a copy pays even for them: threads that take turns at the elements of a row read whole
 * lines, and more is in flight than waiting loads allow. */
static bool may_stream(struct tiling *t, const struct ir_type *element)
{
  const struct geometry *geometry = t->geometry;

  return (t->buffering.asynchronous || t->buffering.registers) &&
         (tile_can_copy_async(element) || (element->size < 4 && fills_tiles(t))) &&
         !t->nest.count && geometry->block[1] == 1 && geometry->block[0] == geometry->threads[0];
}

/* Why the array is not worth its copies. Sets reuse and kind of `out`. */
static const char *too_few_uses(struct tiling *t, const struct candidate *c, struct array *part,
                                struct tile_array *out)
{
  if (!changes_in_loop(c, t->out->loop->loop->iterator))
    return "its elements do not change with the loop";
  double elements = (double)c->bytes / (double)c->array->element->size;
  memset(out, 0, sizeof *out);
  out->array = part;
  out->count = tile_accesses_each(t->code, t->out->loop, part);
  out->reuse = out->count * (double)t->out->size * block_threads(t->geometry) / elements;
  out->stored = c->store;
  out->streamed = out->reuse >= WHOLE_BOX &&
                  (out->stored || (out->reuse < LEAST_REUSE && may_stream(t, part->element)));
  return (out->reuse < LEAST_REUSE || out->stored) && !out->streamed
             ? "each element is used too rarely in a tile"
             : NULL;
}

/* The sets of the box, once it is worth their steps. */
static const char *too_complex(struct code *scan, struct candidate *c)
{
  candidate_sets(&scan->symbols, c);
  return code_exhausted(scan) ? budget_obstacle("its accesses are too complex") : NULL;
}

/* The reason of an earlier shape. NULL: none. */
static const char *unsized_before(const struct tiling *t, const struct array *part)
{
  const struct unsized *at = t->code->unsized;

  while (at && !(at->array == part->var && at->count == part->accesses.count &&
                 code_same_place(&at->first, &part->accesses.items[0].place) &&
                 code_same_place(&at->loop, &t->out->loop->place)))
    at = at->next;
  return at ? at->reason : NULL;
}

static void note_unsized(struct tiling *t, const struct array *part, const char *reason)
{
  struct unsized *noted = ARENA_NEW(t->code->arena, struct unsized);

  if (!t->code->unsized) return;
  *noted =
      (struct unsized){t->code->unsized->next, part->var,           part->accesses.items[0].place,
                       part->accesses.count,   t->out->loop->place, reason};
  t->code->unsized->next = noted;
}

static const char *plan_part(struct tiling *t, struct code *scan, struct array *part,
                             struct tile_array *out)
{
  const char *reason = unsized_before(t, part);

  if (reason) return reason;
  struct candidate *c = boxed(scan, part);
  reason = c->reject;
  if (reason && c->unsized && !code_exhausted(scan)) note_unsized(t, part, reason);
  if (!reason) reason = too_few_uses(t, c, part, out);
  if (!reason) reason = too_complex(scan, c);
  if (!reason) {
    tile_layout(scan, t->geometry, c, &t->buffering, out);
    if (t->out->bytes + out->bytes > t->capacity)
      reason = "its tile does not fit shared memory";
    else if (!candidate_lower(t->stager, &scan->symbols, c, &out->stage))
      reason = c->reject;
    else if (tile_guard_divides(&out->stage))
      reason = "which elements of its tile may be read takes divisions to find out";
    else
      tile_choose_pipelining(t->geometry, t->out, &t->buffering, out);
    if (!reason && out->streamed && !out->stored && out->pipelining == TILE_COPIED)
      reason = "its tile does not fit registers";
  }
  candidate_finish(c);
  return reason;
}

static void take(struct tiling *t, const struct tile_array *array)
{
  t->out->bytes += (array->bytes + 15) / 16 * 16;
  t->out->next_registers += array->next_registers;
  t->out->stored |= array->stored;
  t->out->own_rows |= array->array->written;
  t->out->array_count++;
}

/* The next group of accesses from `first` on; *done marks those that have been in one. */
static struct array *next_group(struct code *scan, const struct array *part, unsigned first,
                                bool *done)
{
  struct array *group = ARENA_NEW(scan->arena, struct array);

  *group = *part;
  memset(&group->accesses, 0, sizeof group->accesses);
  for (unsigned i = first; i < part->accesses.count; i++) {
    if (done[i] ||
        (i != first && !same_but_constant(&part->accesses.items[first], &part->accesses.items[i])))
      continue;
    done[i] = true;
    *ARENA_PUSH(scan->arena, &group->accesses) = part->accesses.items[i];
  }
  return group;
}

static bool is_written(const struct array *part)
{
  bool written = false;

  for (unsigned i = 0; i < part->accesses.count; i++) written |= part->accesses.items[i].write;
  return written;
}

/* Plans one box for all accesses, or else a box for each group whose indices differ by
 * constants. */
static void plan_array(struct tiling *t, struct code *scan, struct array *array)
{
  struct array *part = within_loop(scan, array, t->out->loop);
  unsigned count = part->accesses.count;

  if (!count) return;
  const char *reason = tile_unfit(scan, array, may_store(t));
  if (!reason && array->written && !tile_may_store(scan, t->geometry, array))
    reason = tile_why_written(scan, array);
  if (reason) {
    skip(t, part, reason);
    return;
  }
  reason = plan_part(t, scan, part, &t->out->arrays[t->out->array_count]);
  if (!reason) {
    take(t, &t->out->arrays[t->out->array_count]);
    return;
  }
  if (is_written(part)) {
    skip(t, part, reason);
    return;
  }
  bool *done = arena_alloc(scan->arena, count + 1);
  for (unsigned i = 0; i < count; i++) {
    if (done[i]) continue;
    struct array *group = next_group(scan, part, i, done);
    const char *why = t->out->array_count == MOST_ARRAYS ? "too many arrays are staged"
                      : group->accesses.count == count
                          ? reason
                          : plan_part(t, scan, group, &t->out->arrays[t->out->array_count]);
    if (why)
      skip(t, group, why);
    else
      take(t, &t->out->arrays[t->out->array_count]);
  }
}

/* Is the number of iterations a multiple of the tile's? */
static bool is_whole(struct tiling *t, const struct ir_loop *loop, int64_t trips, int64_t size)
{
  struct arena *arena = t->code->arena;
  int64_t lower;

  if (trips > 0) return trips % size == 0;
  if (loop->step < 0) return false;
  struct ir_expr *end = loop_end(arena, loop);
  if (!ir_constant(loop->lower, &lower) || lower)
    end = ir_build_binary(arena, IR_OP_SUB, ir_build_cast(arena, lower_int_type(arena, true), end),
                          loop->lower);
  struct preconditions *preconditions = t->code->preconditions;
  if (preconditions && preconditions->only_aligned) t->code->preconditions = NULL;
  bool whole = precondition_multiple(t->code, end, size * loop->step);
  t->code->preconditions = preconditions;
  return whole;
}

/* Do all arrays of the loop lack tiles for reasons that the scan of the shaped code shows? Then it
 * needs no walk of its own. */
static bool is_refused(struct tiling *t, struct ir_stmt *loop)
{
  struct kernel_access *access = &t->code->access;

  if (access->reject) return false;
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < access->arrays.count; i++) {
      struct array *part = within_loop(t->code, access->arrays.items[i], loop);
      if (!part->accesses.count) continue;
      const char *reason = tile_unfit(t->code, access->arrays.items[i], may_store(t));
      if (!reason && part->accesses.count == 1) reason = unsized_before(t, part); /* one group */
      if (!reason) return false;
      if (pass) skip(t, part, reason);
    }
  return true;
}

static void plan_loop(struct tiling *t, struct ir_stmt *loop)
{
  struct tile *tile = t->out;
  struct code scan = *t->code;
  int64_t trips = loop_trips(t->code, loop->loop);

  memset(tile, 0, sizeof *tile);
  tile->loop = loop;
  tile->size = trips > 0 && trips <= 2 * t->wanted ? trips : t->wanted;
  tile->only = trips == tile->size;
  tile->exact = is_whole(t, loop->loop, trips, tile->size);
  t->buffering = tile_own_buffering(tile, &t->all->buffering);
  tile->first = code_local(t->code, arena_format(t->code->arena, "_%s", loop->loop->iterator->name),
                           loop->loop->iterator->type);
  tile->arrays = arena_alloc(t->code->arena, (MOST_ARRAYS + 1) * sizeof *tile->arrays);
  if (is_refused(t, loop)) return;
  scan.facts.kernel = ir_copy_function(t->code->arena, t->code->facts.kernel);
  scan.facts.kernel->body = seen_by_walk(t);
  struct ir_var *uniform[MOST_LOOPS + 1];
  unsigned count = 0;
  for (unsigned i = 0; i < t->nest.count; i++)
    if (t->nest.loops[i]->loop) uniform[count++] = t->nest.loops[i]->loop->iterator;
  uniform[count++] = tile->first;
  scan.facts.uniform = uniform;
  scan.facts.uniform_count = count;
  scan.facts.tile_span = counts_up(loop->loop) ? tile->size * loop->loop->step : 0;
  int64_t lower;
  scan.facts.tile_multiple = counts_up(loop->loop) && ir_constant(loop->loop->lower, &lower) &&
                                     lower % (tile->size * loop->loop->step) == 0
                                 ? tile->size * loop->loop->step
                                 : 0;
  scan.scanned = false;
  code_scan(&scan);
  for (unsigned i = 0;
       i < scan.access.arrays.count && tile->array_count < MOST_ARRAYS && !scan.access.reject; i++)
    plan_array(t, &scan, scan.access.arrays.items[i]);
  code_drop_scan(&scan);
}

/* ---- all loops ---- */

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

static bool try_loop(struct tiling *t, struct ir_stmt *stmt)
{
  if (t->tried == MOST_TRIED) return false;
  t->tried++;
  t->out = &t->all->items[t->all->count];
  struct preconditions saved = {0};
  if (t->code->preconditions) saved = *t->code->preconditions;
  plan_loop(t, stmt);
  if (!t->out->array_count) {
    if (t->code->preconditions) *t->code->preconditions = saved;
    return false;
  }
  tile_set_buffering(t->out, &t->buffering);
  t->capacity -= t->out->bytes;
  t->all->count++;
  return true;
}

/* Visits the loops that the block reaches together, from the outside in. */
static void visit(struct tiling *t, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_SWITCH || t->all->count == MOST_TILES ||
      t->nest.count == MOST_LOOPS)
    return;
  bool loop = is_loop(stmt);
  if (loop && (!instances_uniform_loop(t->in, stmt) || (can_tile(t, stmt) && try_loop(t, stmt))))
    return;
  if (loop) t->nest.loops[t->nest.count++] = stmt;
  visit(t, stmt->body);
  visit(t, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) visit(t, stmt->children[i]);
  t->nest.count -= loop;
}

void tile_plan(struct code *code, const struct instances *in, const struct geometry *geometry,
               struct stager *stager, int64_t size, uint64_t capacity,
               const struct buffering *buffering, struct tiles *ret)
{
  struct tiling t = {.code = code,
                     .in = in,
                     .geometry = geometry,
                     .stager = stager,
                     .wanted = size,
                     .capacity = capacity,
                     .all = ret};

  memset(ret, 0, sizeof *ret);
  ret->buffering = *buffering;
  visit(&t, code->facts.kernel->body);
}
