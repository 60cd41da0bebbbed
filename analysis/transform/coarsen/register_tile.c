/* SPDX-License-Identifier: MIT */
/* register_tile.c - several elements per thread, which share requests.
 *
 *     out[i][j] = in[i - 1][j] + in[i][j] + in[i + 1][j]     reuse.c: several rows per thread
 *
 * This is for launches that still fill the device. Requires: a shape-free kernel that gets no loops
 * over tiles.
 */
#include "analysis/transform/coarsen/register_tile.h"

#include <math.h>

#include "analysis/code/loop.h"
#include "analysis/code/vector_access.h"
#include "analysis/code/read_only.h"
#include "analysis/code/reuse.h"
#include "analysis/sets/budget.h"

/* Several rows per thread, for kernels whose neighbours along y read the same elements. A 5-point
 * stencil over 12288 x 12288 takes 0.65 times as long (docs/inside/measurements.md). A launch must
 * still fill the device. */
#define SHARED_GAIN_NEEDED 1.25 /* requests as written over the remaining ones */
/* Without loops, a thread also has the requests of all its elements in flight. 1.1 lost a fifth
 * where ids are divided into coordinates (a divergence over a flat grid). */
#define SHARED_GAIN_WITHOUT_LOOPS 1.2
#define LAYERED_GAIN 1.3        /* with layers that the launch alone knows */
#define SHARED_GAIN_VECTORS 1.1 /* the same for rows of 16 bytes at once */

/* ---- requests that instances share ---- */

struct register_tile { /* of a thread */
  int64_t rows;        /* along y, or apart along x if there is no y */
  int64_t layers;      /* 0: as written */
  bool vectorized;     /* 16 bytes of neighbours along x, beside y */
};

/* of the elements of a vector: neighbours at its ends are loaded beside it */
#define VECTOR_SHARE 0.67
#define FEWER_NAMED 1.2 /* the remark names so many times fewer requests */

/* The tiles in the order of trial, larger ones first: each is a part of the first one. The smallest
 * one is taken that leaves hardly more requests than a larger one. */
static const struct register_tile flat_tiles[] = {
    {16, 0, false}, {8, 0, false}, {4, 0, false}, {2, 0, false}};
static const struct register_tile vector_tiles[] = {{4, 0, true}, {2, 0, true}};
static const struct register_tile deep_tiles[] = {
    {4, 8, false}, {2, 8, false}, {4, 4, false}, {2, 4, false}};
#define TILE_GAIN 1.12

enum {
  TILE_THREADS = 256,
  VECTORS_ACROSS = 16 /* conv2d of 8192 x 8192: 0.240 ms, with 32 0.242, with 8, where fewest warps
                      are at the ends of rows, 0.265 */
};
enum {
  MOST_UNROLLED = 128,
  MOST_REGISTERS = 128,
  /* Threads of a multiprocessor: three blocks. With two or less some multiprocessors get one more
   * than others: a 3 x 3 convolution of 768 x 768 took 1.11 times as long. */
  THREADS_NEEDED = 768,
  /* ... percent of its threads, for kernels without loops, whose instructions need the other warps:
   * stencils of 512 x 512 took 1.2 to 1.4 times as long with a quarter of them, those of 1024 x
   * 1024 0.95 times with all */
  THREADS_NEEDED_WITHOUT_LOOPS = 90,
  /* times as many for elements of 8 bytes: stencils of 1536 x 1536 doubles took 1.05 times as long,
   * those of 2048 x 2048 0.9 times */
  WIDE_NEEDED = 4
};

struct tiled {
  struct attempt attempt;
  struct interior interior;
  double gain;
  double fewer; /* times fewer requests; 0: not known */
  bool apart;   /* certainly no two elements of a thread share a request */
  double registers;
};

static struct geometry geometry_of(const struct mapping *m, struct register_tile tile)
{
  if (m->flat)
    return (struct geometry){.block = {128 * tile.rows, 1}, .threads = {128, 1}, .vector = {1, 1}};
  int64_t factor = tile.vectorized ? map_vector_factor(m) : 1,
          across = tile.vectorized ? VECTORS_ACROSS : 32, down = TILE_THREADS / across;
  return (struct geometry){.block = {across * factor, down * tile.rows},
                           .threads = {across, down},
                           .vector = {factor, tile.rows},
                           .layers = tile.layers};
}

static bool note_short(struct ir_stmt *stmt, void *context)
{
  int64_t first, trips;

  *(bool *)context |= reuse_short_loop(stmt, &first, &trips);
  return true;
}

/* Unrolls a loop around short ones by two: the loads of the second iteration are in flight while
 * the first one computes. k-means, 2^22 points: 0.369 ms, 0.385 otherwise. */
static const char *pragma_around(struct ir_stmt *stmt)
{
  bool has_short = false;

  if (stmt->kind == IR_STMT_FOR && stmt->loop && !stmt->pragma)
    ir_visit_stmts(stmt->body, note_short, &has_short);
  return has_short ? "#pragma unroll 2" : stmt->pragma;
}

/* Unrolls short loops, and the loops in them, so that the compiler sees equal requests. */
static struct ir_stmt *unrolled(struct arena *arena, struct ir_stmt *stmt, int64_t around)
{
  int64_t first, trips;

  if (!stmt || stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_SWITCH) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;
  if (reuse_short_loop(stmt, &first, &trips) && around * trips <= MOST_UNROLLED) {
    copy->pragma = stmt->pragma ? stmt->pragma : "#pragma unroll";
    around *= trips;
  } else {
    copy->pragma = pragma_around(stmt);
  }
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = unrolled(arena, *below, around);
  return copy;
}

/* Can all accesses that are apart between threads be made 16 bytes at once? The remaining ones
 * would lie further apart than before. */
static bool takes_rows(const struct mapping *m, struct tiled *s)
{
  struct vector_accesses used = vector_rewrite(&s->attempt.code, &s->interior, map_vector_factor(m),
                                               &s->attempt.tiles.verbatim);
  return used.loads && !used.left;
}

static bool has_loops(const struct mapping *m)
{
  return loop_number(m->from->facts.kernel->body) > 0;
}

/* Measures the code with a tile of elements per thread, and the requests that remain. */
static bool measure_register_tile(const struct mapping *m, struct register_tile tile,
                                  struct tiled *ret)
{
  struct geometry geometry = geometry_of(m, tile);
  struct attempt *attempt = &ret->attempt;
  struct instances in;

  if (!map_shaped(m, &geometry, attempt)) return false;
  interior_of(&attempt->code, &ret->interior);
  struct ir_stmt *as_was = attempt->code.facts.kernel->body;
  map_choose_interior(&attempt->code, &ret->interior, NULL);
  instances_analyze(&attempt->code, &in);
  ret->registers = model_registers(&in, &geometry);
  struct body body = {
      .reuse = reuse_of_instances(&attempt->code, ret->interior.body, m->flat ? 0 : 1, &geometry),
      .together = tile.vectorized ? VECTOR_SHARE * (double)map_vector_factor(m) : 1,
      .divisions = m->divisions};
  double fewer = reuse_fewer(&body.reuse);
  ret->fewer = fewer;
  ret->apart = fewer > 0 && fewer <= 1 && !budget_unanswered(attempt->code.ctx);
  ret->gain = fmax(fewer, 1);
  if (fewer > 0 && !map_is_forced(m))
    ret->gain = has_loops(m) ? model_gain_of_requests(&attempt->code, &in, &geometry, ret->gain)
                             : model_gain_of_body(&attempt->code, &in, &geometry, &body);
  if (tile.vectorized && !takes_rows(m, ret)) return false;
  ret->interior.body =
      unrolled(attempt->code.arena, read_only_loads(&attempt->code, ret->interior.body, false), 1);
  code_drop_scan(&attempt->code);
  map_choose_interior(&attempt->code, &ret->interior, as_was);
  return true;
}

static bool note_test(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_IF;
  return true;
}

static bool note_loop_tests(struct ir_stmt *stmt, void *context)
{
  if (loop_is_one(stmt)) ir_visit_stmts(stmt->body, note_test, context);
  return true;
}

/* Do iterations depend on conditions? Else a thread beyond the end of a row does nothing at all. */
static bool tests_in_loops(const struct mapping *m)
{
  bool found = false;

  ir_visit_stmts(m->from->facts.kernel->body, note_loop_tests, &found);
  return found;
}

/* The shortest row of a launch for which the warps at its ends do not cost more than the others
 * gain. Such a warp runs its elements one after the other with few lanes, in SERIAL times the time
 * of the warps as written. (Convolutions of 32 planes of 256 x 256, on an H200: 1.31 of the time as
 * written where 32 elements of a thread have a sixth of the requests, 1.33 where 16 have two
 * ninths, both with a quarter of the warps at ends.) 0: any row; -1: none. Kernels without loops
 * wait for memory instead. */
#define SERIAL 4.7
#define KEPT 0.9 /* of the time as written may be needed */
static int64_t shortest_row(const struct mapping *m, const struct tiled *s,
                            struct register_tile tile)
{
  struct geometry geometry = geometry_of(m, tile);

  if (m->flat || !has_loops(m) || !s->interior.condition || map_is_forced(m) || !tests_in_loops(m))
    return 0;
  int64_t lanes = geometry.threads[0] < 32 ? geometry.threads[0] : 32,
          across = geometry.block[0] / geometry.threads[0] * lanes;
  double part = (KEPT - 1 / s->gain) / SERIAL;
  return part <= 0 ? -1 : (int64_t)(2.0 * (double)across / part) + 1;
}

static bool has_rows(const struct mapping *m, int64_t shortest)
{
  return shortest >= 0 && (m->totals[0] <= 0 || m->totals[0] >= shortest);
}

/* The size of a launch that keeps every multiprocessor busy with a tile per thread, and that takes
 * longer than the threads at its boundary. */
static int64_t elements_for(const struct mapping *m, struct register_tile tile)
{
  int64_t each =
      tile.rows * (tile.layers ? tile.layers : 1) * (tile.vectorized ? map_vector_factor(m) : 1);
  int64_t threads = has_loops(m) ? THREADS_NEEDED
                                 : m->target->threads_per_sm * THREADS_NEEDED_WITHOUT_LOOPS / 100;
  threads *= m->element > 4 ? WIDE_NEEDED : 1;
  int64_t busy = (int64_t)m->target->multiprocessors * threads * each,
          boundary = map_elements_for_boundary(m, each);

  return busy > boundary ? busy : boundary;
}

static void note_gain(struct mapping *m, const struct tiled *s)
{
  if (has_loops(m) || s->fewer < FEWER_NAMED || s->registers > MOST_REGISTERS) return;
  m->reason = arena_format(m->from->arena,
                           "%.2f times fewer requests by several elements a thread are predicted "
                           "to gain a factor of %.2f only",
                           s->fewer, s->gain);
  m->place = m->from->kernel->name_place;
}

static struct register_tile register_tile_of(struct mapping *m, const struct register_tile *tried,
                                             unsigned count, double *ret_gain)
{
  double found = 0;
  struct register_tile best = {0};

  bool apart = false; /* those of a larger tile, so those of each smaller one */
  for (unsigned i = 0; i < count && !apart; i++) {
    double least = map_is_forced(m)      ? 1
                   : has_loops(m)        ? SHARED_GAIN_NEEDED
                   : tried[i].vectorized ? SHARED_GAIN_VECTORS
                                         : SHARED_GAIN_WITHOUT_LOOPS;
    struct tiled s;
    if (!map_is_forced(m) && map_elements(m) < elements_for(m, tried[i])) continue;
    bool measured = measure_register_tile(m, tried[i], &s);
    apart = measured && s.apart;
    if (measured && s.registers <= MOST_REGISTERS && s.gain > least && s.gain * TILE_GAIN > found &&
        has_rows(m, shortest_row(m, &s, tried[i]))) {
      found = s.gain > found ? s.gain : found;
      best = tried[i];
      *ret_gain = s.gain;
    } else if (measured && s.gain <= least) {
      note_gain(m, &s);
    }
    code_drop_scan(&s.attempt.code);
    if (budget_is_spent()) break;
  }
  return best;
}

/* ... along which a thread has several elements, a bit each */
static unsigned axes_of(const struct mapping *m, struct register_tile tile)
{
  if (m->flat) return 1;
  return (tile.vectorized ? 1u : 0) | (tile.rows > 1 ? 2u : 0) | (tile.layers > 1 ? 4u : 0);
}

static bool add_register_tile(struct mapping *m, struct register_tile tile)
{
  struct tiled s;
  bool added = false;

  if (measure_register_tile(m, tile, &s)) {
    int64_t shortest = shortest_row(m, &s, tile);
    added = map_add_version(m, &s.attempt, s.gain, elements_for(m, tile));
    if (added && shortest > 0 && m->totals[0] <= 0)
      m->out->versions[m->out->version_count - 1].fewest = shortest;
  }
  code_drop_scan(&s.attempt.code);
  return added;
}

/* May the launch have layers, whose number it alone knows? */
static bool has_unknown_layers(const struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;
  return facts->block[2] > 0 && facts->grid[2] <= 0 && !map_is_constant(m) && !m->flat &&
         shape_names_layers(m->from);
}

/* `ret_other`: for launches for which the tile is not, as their layers are no multiple of its. */
static struct register_tile best_tile(struct mapping *m, double *ret_gain,
                                      struct register_tile *ret_other)
{
  bool deep = map_is_constant(m) && map_layers(m) > 1;
  struct register_tile tile = {0}, layered;
  double gain = 0;

  *ret_other = tile;
  if (deep)
    return register_tile_of(m, deep_tiles, sizeof deep_tiles / sizeof *deep_tiles, ret_gain);
  if (!m->flat)
    tile = register_tile_of(m, vector_tiles, sizeof vector_tiles / sizeof *vector_tiles, ret_gain);
  if (tile.rows) return tile;
  tile = register_tile_of(m, flat_tiles, sizeof flat_tiles / sizeof *flat_tiles, ret_gain);
  if (!has_unknown_layers(m)) return tile;
  layered = register_tile_of(m, deep_tiles, sizeof deep_tiles / sizeof *deep_tiles, &gain);
  if (!layered.rows || gain < LAYERED_GAIN || (tile.rows && gain < *ret_gain * TILE_GAIN))
    return tile;
  *ret_gain = gain;
  *ret_other = tile;
  return layered;
}

/* If the launch's size is not constant, there is a version for smaller launches, with half of the
 * rows. */
static enum outcome coarsen(struct mapping *m)
{
  if (!map_untiled(m) || m->alone) return OUTCOME_PASSED;
  double gain = 0;
  struct register_tile other, tile = best_tile(m, &gain, &other);
  struct register_tile half = {tile.rows / 2, tile.layers, tile.vectorized};
  bool sizes = tile.rows > 2 && !map_is_constant(m);

  m->out = NULL;
  if (!tile.rows || !map_keeps_rounding_own(m, axes_of(m, tile)) ||
      (other.rows && !add_register_tile(m, other)) || (sizes && !add_register_tile(m, half)) ||
      !add_register_tile(m, tile))
    return OUTCOME_PASSED;
  m->out->gain = map_over_written(m, gain);
  struct geometry geometry = geometry_of(m, tile);
  long long layers = tile.layers ? tile.layers : 1;
  const char *rows = tile.vectorized ? "; 16 bytes of a row at once" : "";
  const char *shape =
      arena_format(m->from->arena, "%lldx%lldx%lld threads %lldx%lld", (long long)geometry.block[0],
                   (long long)geometry.block[1], layers, (long long)geometry.threads[0],
                   (long long)geometry.threads[1]);
  map_take(m, gain,
           arena_format(m->from->arena,
                        "blocks of %lld x %lld x %lld elements for %lld x %lld threads, whose "
                        "elements share requests%s",
                        (long long)geometry.block[0], (long long)geometry.block[1], layers,
                        (long long)geometry.threads[0], (long long)geometry.threads[1], rows));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %lld x %lld x %lld elements for %lld x %lld threads: a thread's "
              "elements share %.2f times as many requests%s",
              m->from->kernel->name, (long long)geometry.block[0], (long long)geometry.block[1],
              layers, (long long)geometry.threads[0], (long long)geometry.threads[1], gain, rows);
  text_format(m->dump, "  plan map %s shared gain %.2f\n", shape, gain);
  map_finish(m);
  return OUTCOME_TAKEN;
}

enum outcome plan_coarsen(struct mapping *m)
{
  enum outcome outcome = coarsen(m);

  m->own = NULL;
  return outcome;
}
