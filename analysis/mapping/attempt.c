/* SPDX-License-Identifier: MIT */
/* attempt.c - the trial of a kernel's code in another shape: it is copied, gets the shape and its
 * tiles, and becomes a version of the mapping.
 *
 * All transformations that map a kernel's work to threads anew (transforms.c, MAPPING) use it: they
 * make an attempt for each shape, and build the best one. Requires: promoted code that is free of
 * its shape (shape_free.h).
 */
#include "analysis/mapping/mapping.h"

#include <string.h>

#include "analysis/code/loop.h"
#include "analysis/code/partial_sums.h"
#include "analysis/data/options.h"
#include "analysis/data/version.h"
#include "analysis/mapping/coarsen/coarsen.h"
#include "analysis/mapping/tile/product.h"
#include "analysis/mapping/tile/tile.h"
#include "analysis/code/rounding.h"
#include "analysis/code/rounding_pin.h"
#include "runtime/seeded.h"

#define STATIC_SHARED UINT64_C(49152)

enum {
  WARP = 32,
  MANY_REGISTERS = 96,
  LEAST_ROW = 64 /* elements of a row that a thread writes */
};

uint64_t map_capacity(const struct mapping *m)
{
  uint64_t all = m->options->shared_memory < STATIC_SHARED ? m->options->shared_memory
                                                           : STATIC_SHARED,
           own = (uint64_t)m->from->facts.kernel->static_shared_bytes;
  return own < all ? all - own : 0;
}

static bool streams(const struct tiles *tiles)
{
  for (unsigned i = 0; i < tiles->count; i++)
    for (unsigned k = 0; k < tiles->items[i].array_count; k++)
      if (tiles->items[i].arrays[k].streamed) return true;
  return false;
}

static bool share(const struct mapping *m, struct attempt *attempt)
{
  attempt->share = ARENA_NEW(m->from->arena, struct block_share);
  return attempt->sharing->prepare(&attempt->code, m->options->associative, &attempt->shared,
                                   &attempt->reason, &attempt->place);
}

/* Do blocks share the loop that goes tile by tile? An inner loop does not count. */
static bool shares_tiles(struct attempt *attempt)
{
  struct tile *tile = &attempt->tiles.items[0];

  tile->shared = attempt->tiles.count == 1 &&
                 (tile->loop == attempt->shared.loop || SEEDED(SPLIT_INNER_LOOP)) && !tile->only;
  return tile->shared;
}

/* Makes blocks with one layer of a block that has, or may have, several. */
static void map_layered(const struct mapping *m, struct geometry *geometry)
{
  if (!geometry->layers && m->from->facts.block[2] != 1) geometry->layers = 1;
}

/* ---- rows that threads write ---- */

/* Tiles of 32 and 16 iterations for 32 threads leave room for several blocks, and their loads are
 * all in flight at once. An H200, 65536 rows of 256 floats: a system of equations takes 0.48 ms
 * with 32, 1.76 with 64 and 1.51 as written; sums of doubles 0.100, 0.304 and 0.352. */
static bool has_large_tiles(const struct mapping *m, const struct attempt *attempt)
{
  bool found = false;

  for (unsigned i = 0; i < attempt->tiles.count && m->options->mapping == MAPPING_AUTO; i++)
    found |= attempt->tiles.items[i].stored &&
             (attempt->geometry.block[0] > WARP || attempt->tiles.items[i].size > WARP);
  return found;
}

/* The length of the rows that the tile's loop goes through, about: the far end of its iterator. */
static struct ir_expr *row_length(struct arena *arena, const struct ir_loop *loop)
{
  return loop->step < 0 ? loop->lower : loop_end(arena, loop);
}

/* Short rows share lines as the kernel is written: there is nothing to gain. */
static bool has_short_rows(const struct mapping *m, const struct attempt *attempt)
{
  bool found = false;

  for (unsigned i = 0; i < attempt->tiles.count && m->options->mapping == MAPPING_AUTO; i++) {
    const struct tile *tile = &attempt->tiles.items[i];
    int64_t length;
    found |=
        tile->stored &&
        code_constant(&attempt->code, row_length(attempt->code.arena, tile->loop->loop), &length) &&
        length < LEAST_ROW;
  }
  return found;
}

/* The condition on the launch's arguments that all such rows are long. *ret NULL: they are in any
 * case. False: the launch cannot tell. */
static bool have_long_rows(const struct mapping *m, struct attempt *attempt, struct ir_expr **ret)
{
  struct arena *arena = m->from->arena;

  *ret = NULL;
  for (unsigned i = 0; i < attempt->tiles.count && m->options->mapping == MAPPING_AUTO; i++) {
    const struct tile *tile = &attempt->tiles.items[i];
    struct ir_expr *length = tile->stored ? row_length(arena, tile->loop->loop) : NULL;
    int64_t known;
    if (!length || code_constant(&attempt->code, length, &known)) continue;
    length = precondition_host_form(&attempt->code, length);
    if (!length) return false;
    struct ir_expr *least = ir_build_int(arena, LEAST_ROW);
    if (!length->type->is_signed) least = ir_build_cast(arena, length->type, least);
    *ret = ir_build_both(arena, *ret, ir_build_binary(arena, IR_OP_GE, length, least));
  }
  return true;
}

/* The condition under which the layers of a launch are whole blocks, of which the code does not ask
 * the last one. NULL: all launches. */
static struct ir_expr *whole_layers(const struct mapping *m, const struct attempt *attempt)
{
  const struct kernel_facts *facts = &m->from->facts;
  struct arena *arena = m->from->arena;
  int64_t layers = attempt->geometry.layers;

  if (layers <= 1 || (facts->block[2] > 0 && facts->grid[2] > 0) || SEEDED(LAYERS_NOT_WHOLE))
    return NULL;
  struct ir_expr *left = ir_build_binary(arena, IR_OP_REM, ir_build_var(arena, &version_total_z),
                                         ir_build_int(arena, layers));
  left->type = version_total_z.type;
  return ir_build_binary(arena, IR_OP_EQ, left, ir_build_int(arena, 0));
}

static const char NO_TILES[] = "no loop reads the same elements again and again";
static const char NOT_TOGETHER[] =
    "no loop that its threads go through together reads the same elements again and again";
static const char NOT_FOLLOWED[] = "it reads through a pointer that is not followed";

struct loops {
  const struct instances *in;
  unsigned uniform, all; /* those that the block goes through together; all that were visited */
};

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct loops *loops = context;
  if (!loop_is_one(stmt)) return true;
  bool uniform = instances_uniform_loop(loops->in, stmt);
  loops->all++;
  loops->uniform += uniform;
  return uniform;
}

/* Gives the reason why no loop has a tile. */
static void tell_no_tiles(struct attempt *attempt, const struct instances *in)
{
  struct loops loops = {.in = in};
  ir_visit_stmts(attempt->code.facts.kernel->body, note_loop, &loops);
  attempt->reason = loops.all && !loops.uniform ? NOT_TOGETHER : NO_TILES;
  if (attempt->reason == NOT_TOGETHER || !attempt->code.access.unknown_read) return;
  attempt->reason = NOT_FOLLOWED;
  attempt->place = attempt->code.access.unknown_place;
}

bool map_try_shape(const struct mapping *m, unsigned number, enum precondition_set allowed,
                   const struct sharing *sharing, struct attempt *attempt, struct instances *in)
{
  const struct shape *shape = &m->shapes[number];

  memset(attempt, 0, sizeof *attempt);
  attempt->sharing = sharing;
  attempt->code = code_copy(m->from, &attempt->remarks);
  attempt->code.facts.kernel->body =
      rounding_pin_pairs(&attempt->code, attempt->code.facts.kernel->body);
  attempt->code.preconditions = allowed ? &attempt->preconditions : NULL;
  attempt->preconditions.only_aligned = allowed == PRECONDITIONS_ALIGNED;
  attempt->geometry = map_fitted(m, shape);
  map_layered(m, &attempt->geometry);
  if (!shape_virtual(&attempt->code, &attempt->geometry, attempt->totals, &attempt->reason,
                     &attempt->place))
    return false;
  if (allowed == PRECONDITIONS_ALL) precondition_guards(&attempt->code);
  if (sharing && !share(m, attempt)) return false;
  if (!loop_number(attempt->code.facts.kernel->body)) { /* known without a walk */
    attempt->reason = NO_TILES;
    return false;
  }
  instances_analyze(&attempt->code, in);
  tile_plan(&attempt->code, in, &attempt->geometry, m->stager, shape->tile, map_capacity(m),
            &m->buffering[number], &attempt->tiles);
  if (!attempt->tiles.count)
    tell_no_tiles(attempt, in);
  else if (shape->streams && !streams(&attempt->tiles))
    attempt->reason = NO_TILES;
  else if (has_large_tiles(m, attempt))
    attempt->reason = "rows that its threads write go through smaller tiles";
  else if (has_short_rows(m, attempt))
    attempt->reason = "the rows that its threads write are short";
  else if (shape->geometry.fragments && !products_plan(in, &attempt->tiles))
    attempt->reason =
        "no loop does nothing but add products of doubles, of a row's factor and a column's";
  if (sharing && !attempt->reason && !shares_tiles(attempt)) {
    attempt->reason = "it is not the loop whose tiles are staged";
    attempt->place = attempt->shared.loop->place;
  }
  return !attempt->reason;
}

void map_decline(const struct mapping *m, const char *reason, const struct ir_place *place)
{
  struct code *code = (struct code *)m->from;
  code_decide(code, (struct decision){.kind = DECISION_MAPPING,
                                      .place = place ? *place : code->kernel->name_place,
                                      .why = reason});
  code_remark(code, DIAG_NOT_MAPPED, place, "'%s' keeps its mapping to threads: %s",
              code->kernel->name, reason);
}

void map_take(const struct mapping *m, double gain, const char *what)
{
  code_decide(
      (struct code *)m->from,
      (struct decision){.kind = DECISION_MAPPING, .taken = true, .what = what, .gain = gain});
}

void map_add_remarks(const struct mapping *m, const struct remarks *remarks)
{
  remarks_append(m->from->arena, m->from->remarks, remarks);
}

/* All versions have the same parameters for totals. */
bool map_take_totals(struct kernel_mapping *out, struct ir_var *const totals[2])
{
  for (int axis = 0; axis < 2; axis++)
    if (totals[axis] && !out->has_total[axis]) {
      out->has_total[axis] = true;
      out->totals[axis] = totals[axis];
    }
  return true;
}

static bool multiplies(const struct tiles *tiles)
{
  for (unsigned i = 0; i < tiles->count; i++)
    if (tiles->items[i].multiplied) return true;
  return false;
}

bool map_build_version(const struct mapping *m, struct attempt *attempt,
                       const struct prediction *prediction, int64_t least)
{
  struct kernel_mapping *out = m->out;
  struct mapped_version *version = &out->versions[out->version_count];
  struct ir_expr *when;

  if (!have_long_rows(m, attempt, &when)) {
    attempt->reason = "the launch cannot tell how long the rows are that its threads write";
    return false;
  }
  when = ir_build_both(m->from->arena, when, whole_layers(m, attempt));
  tile_build(&attempt->code, &attempt->geometry, &attempt->tiles);
  struct ir_var *parts = attempt->share ? partial_param(&attempt->code) : NULL;
  if (parts)
    attempt->sharing->finish(&attempt->code, &attempt->geometry, &attempt->tiles, &attempt->shared,
                             parts);
  if (!coarsen_instances(&attempt->code, &attempt->geometry, &attempt->tiles, &attempt->reason,
                         &attempt->place))
    return false;
  if (attempt->geometry.fragments && !multiplies(&attempt->tiles)) {
    attempt->reason = "its sums belong to threads that do not all add to them";
    return false;
  }
  *version = (struct mapped_version){
      .code = attempt->code.facts.kernel,
      .specialised = attempt->code.preconditions != NULL,
      .means = attempt->geometry.fragments ? "products of doubles on tensor cores" : NULL,
      .share = attempt->share,
      .least = least,
      .when = when,
      .registers = prediction->registers};
  for (int axis = 0; axis < 2; axis++) {
    version->block[axis] = attempt->geometry.block[axis];
    version->threads[axis] = attempt->geometry.threads[axis];
    version->layers = attempt->geometry.layers;
  }
  map_take_totals(out, attempt->totals);
  if (parts) out->workspace = parts;
  for (unsigned i = 0; i < attempt->tiles.count; i++) {
    const struct tile *tile = &attempt->tiles.items[i];
    version->shared_bytes += tile->bytes;
    version->next_registers = tile->next_registers > version->next_registers
                                  ? tile->next_registers
                                  : version->next_registers;
  }
  version->resident = prediction->registers >= MANY_REGISTERS && prediction->blocks_per_sm > 1
                          ? prediction->blocks_per_sm
                          : 0;
  out->version_count++;
  return true;
}

bool map_build_aligned(const struct mapping *m, struct attempt *attempt,
                       const struct prediction *prediction, int64_t least, const char *suffix)
{
  struct preconditions preconditions = {0};
  bool built = m->out->version_count < MOST_VERSIONS && map_take_totals(m->out, attempt->totals) &&
               precondition_also(m->from->arena, &preconditions, &attempt->preconditions,
                                 &attempt->geometry, attempt->totals, m->out->totals) &&
               map_build_version(m, attempt, prediction, least);

  if (built) {
    struct mapped_version *version = &m->out->versions[m->out->version_count - 1];
    version->specialised = false;
    version->suffix = suffix;
    version->when = ir_build_both(m->from->arena, version->when,
                                  precondition_condition(m->from->arena, &preconditions));
  }
  return built;
}

bool map_is_constant(const struct mapping *m) { return m->totals[0] > 0 && m->totals[1] > 0; }

void map_finish(struct mapping *m)
{
  struct kernel_mapping *out = m->out;

  for (int axis = 0; axis < 2; axis++)
    out->grid[axis] = m->totals[axis] < 0 ? -1
                                          : (m->totals[axis] + out->versions[0].block[axis] - 1) /
                                                out->versions[0].block[axis];
  int64_t layers = out->versions[0].layers;
  bool known = m->from->facts.block[2] > 0 && m->from->facts.grid[2] > 0;
  out->grid[2] = !layers ? m->from->facts.grid[2]
                 : known ? (map_layers(m) + layers - 1) / layers
                         : -1;
  out->least = out->versions[0].least;
  if (out->least > 1 || out->most || out->versions[0].fewest || out->versions[0].when ||
      (layers && !known))
    out->plain = m->from->facts.kernel;
}

bool map_find_totals(struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;

  for (int axis = 0; axis < 2; axis++) {
    bool known = facts->block[axis] > 0 && facts->grid[axis] > 0;
    m->totals[axis] = known ? facts->block[axis] * facts->grid[axis] : -1;
    if (m->totals[axis] > INT32_MAX) return false;
  }
  m->flat = m->totals[1] > 0 ? m->totals[1] == 1 : !shape_names_rows(m->from);
  return true;
}

/* ---- mappings without loops over tiles ---- */

/* Is the mapping wanted wherever it is legal? */
bool map_is_forced(const struct mapping *m)
{
  return m->options->mapping == MAPPING_ALWAYS || m->options->mapping == MAPPING_UNTILED;
}

bool map_shaped(const struct mapping *m, const struct geometry *geometry, struct attempt *attempt)
{
  memset(attempt, 0, sizeof *attempt);
  attempt->code = code_copy(m->from, &attempt->remarks);
  attempt->geometry = *geometry;
  map_layered(m, &attempt->geometry);
  if (m->own) {
    attempt->code.facts.kernel->body = m->own;
    attempt->code.facts.kernel->vars = m->own_locals;
  }
  if (!shape_virtual(&attempt->code, &attempt->geometry, attempt->totals, &attempt->reason,
                     &attempt->place))
    return false;
  if (m->own)
    attempt->code.facts.kernel->body =
        rounding_own_keys(&attempt->code, attempt->code.facts.kernel->body, m->own_axes);
  code_scan(&attempt->code);
  return true;
}

double map_over_written(const struct mapping *m, double gain)
{
  return m->regained > 0 ? gain * m->regained : gain;
}

bool map_asks(const struct attempt *attempt)
{
  const struct preconditions *all = &attempt->preconditions;

  return all->multiple_count || all->aligned_count || all->guard_count;
}

/* Builds a version, for launches of at least `least` elements. */
bool map_add_version(struct mapping *m, struct attempt *attempt, double gain, int64_t least)
{
  struct prediction prediction = {0};
  int64_t from = map_is_constant(m) || map_is_forced(m) ? 0 : least;
  if (!m->out) {
    m->out = ARENA_NEW(m->from->arena, struct kernel_mapping);
    m->out->gain = map_over_written(m, gain);
  }
  bool asks = map_asks(attempt) && !SEEDED(ROWS_TILE_UNASKED);
  if (asks ? map_build_aligned(m, attempt, &prediction, from, NULL)
           : map_build_version(m, attempt, &prediction, from))
    return true;
  if (!attempt->reason) {
    attempt->reason = "its launch would be asked for too much";
    attempt->place = m->from->kernel->name_place;
  }
  map_decline(m, attempt->reason, &attempt->place);
  return false;
}

int64_t map_layers(const struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;
  return facts->block[2] > 0 && facts->grid[2] > 0 ? facts->block[2] * facts->grid[2] : 1;
}

int64_t map_elements(const struct mapping *m)
{
  return map_is_constant(m) ? m->totals[0] * m->totals[1] * map_layers(m) : INT64_MAX;
}

int64_t map_vector_factor(const struct mapping *m)
{
  return 16 / (m->element > 8 ? 8 : m->element);
}

/* Builds the `if` between the code for interior threads and the original code. */
void map_choose_interior(struct code *code, struct interior *interior, struct ir_stmt *as_was)
{
  struct ir_expr *condition =
      interior->condition ? interior->condition : ir_build_int(code->arena, 1);
  struct ir_stmt *choice = ir_build_if(code->arena, condition, interior->body);
  struct ir_list all = {0};

  choice->else_body = as_was;
  ir_list_add(code->arena, &all, choice);
  code->facts.kernel->body = ir_build_block(code->arena, &all);
  code->choice = choice;
  code->interior = interior;
}

/* Has the kernel atomic operations? Threads may wait for them, so they decide its time, and fewer
 * requests do not help. */
static bool updates_together(const struct mapping *m)
{
  if (!m->from->access.atomics.count) return false;
  map_decline(m, "its atomic operations take longer than its loads", &m->from->kernel->name_place);
  return true;
}

static bool keeps_rounding(const struct mapping *m, struct remapped remapped)
{
  struct ir_place place;
  const char *reason =
      m->options->associative ? NULL : rounding_remapped((struct code *)m->from, &remapped, &place);

  if (reason) map_decline(m, reason, &place);
  return !reason;
}

bool map_keeps_rounding(const struct mapping *m, unsigned axes, bool apart)
{
  return keeps_rounding(m, (struct remapped){.axes = axes, .apart = apart});
}

/* Why elements of a thread would be rounded otherwise; NULL: they are not. */
static const char *own_rounding(struct mapping *m, unsigned axes, struct ir_place *ret_place)
{
  struct remapped remapped = {.axes = axes, .apart = true, .owns = !(axes & ~3u)};
  struct ir_function *kernel = m->from->facts.kernel;
  struct ir_var **locals = kernel->vars;
  const char *reason =
      m->options->associative
          ? NULL
          : rounding_remapped_own((struct code *)m->from, &remapped, &m->own, ret_place);

  m->own_locals = kernel->vars;
  kernel->vars = locals;
  m->own_axes = axes;
  return reason;
}

bool map_would_keep_rounding(struct mapping *m, unsigned axes)
{
  struct ir_place place;
  bool kept = !own_rounding(m, axes, &place);

  m->own = NULL;
  return kept;
}

bool map_keeps_rounding_own(struct mapping *m, unsigned axes)
{
  struct ir_place place;
  const char *reason = own_rounding(m, axes, &place);

  if (reason) map_decline(m, reason, &place);
  return !reason;
}

bool map_rounds_pairs(const struct mapping *m)
{
  return keeps_rounding(m, (struct remapped){.pinned = true});
}

bool map_untiled(struct mapping *m)
{
  bool wanted = m->options->mapping == MAPPING_AUTO || map_is_forced(m);

  if (m->untiled == UNTILED_UNKNOWN)
    m->untiled = !wanted || (!map_is_forced(m) && updates_together(m)) ? UNTILED_NO : UNTILED_YES;
  return m->untiled == UNTILED_YES;
}
