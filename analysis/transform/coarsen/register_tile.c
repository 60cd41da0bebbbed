/* SPDX-License-Identifier: MIT */
/* register_tile.c - several elements per thread, which share requests.
 *
 *     out[i][j] = in[i - 1][j] + in[i][j] + in[i + 1][j]     reuse.c: several rows per thread,
 *                                                            vector_access.c: 16 bytes of each
 *     for (u = -r; u <= r; u++) s += in[i][j + u];           windows.c
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
#include "analysis/code/updates.h"
#include "analysis/data/options.h"
#include "analysis/transform/coarsen/windows.h"
#include "analysis/sets/budget.h"

/* Several rows per thread, for kernels whose neighbours along y read the same elements. A 5-point
 * stencil over 12288 x 12288 takes 0.65 times as long (docs/inside/measurements.md). A launch must
 * still fill the device. */
#define SHARED_GAIN_NEEDED 1.25 /* requests as written over the remaining ones */
/* Without loops, a thread also has the requests of all its elements in flight. 1.1 lost a fifth
 * where ids are divided into coordinates (a divergence over a flat grid). */
#define SHARED_GAIN_WITHOUT_LOOPS 1.2
/* The model is careful with elements of 4 bytes and less, where ids are no quotients: 1.09 and 1.11
 * were 1.29 and 1.35 (a sponge and a curl over 2048 x 2048). */
#define SHARED_GAIN_NARROW 1.08
#define LAYERED_GAIN 1.3        /* with layers that the launch alone knows */
#define SHARED_GAIN_VECTORS 1.1 /* the same for rows of 16 bytes at once */
#define WINDOWS_GAIN 2.0        /* so much is not compared with other tiles */

/* ---- requests that instances share ---- */

struct register_tile { /* of a thread */
  int64_t rows;        /* along y, or apart along x if there is no y */
  int64_t layers;      /* 0: as written */
  bool vectorized;     /* 16 bytes of neighbours along x, beside y */
  bool windows;        /* neighbours along x that go through windows (windows.c) */
};

/* of the elements of a vector: neighbours at its ends are loaded beside it */
#define VECTOR_SHARE 0.67
#define FEWER_NAMED 1.2 /* the remark names so many times fewer requests */

/* The tiles in the order of trial, larger ones first: each is a part of the first one. The smallest
 * one is taken that leaves hardly more requests than a larger one. */
static const struct register_tile flat_tiles[] = {
    {.rows = 16}, {.rows = 8}, {.rows = 4}, {.rows = 2}};
static const struct register_tile vector_tiles[] = {{.rows = 4, .vectorized = true},
                                                    {.rows = 2, .vectorized = true}};
static const struct register_tile deep_tiles[] = {{.rows = 4, .layers = 8},
                                                  {.rows = 2, .layers = 8},
                                                  {.rows = 4, .layers = 4},
                                                  {.rows = 2, .layers = 4}};
#define TILE_GAIN 1.12

enum {
  TILE_THREADS = 256,
  VECTORS_ACROSS = 16 /* conv2d of 8192 x 8192: 0.240 ms, with 32 0.242, with 8, where fewest warps
                      are at the ends of rows, 0.265 */
};
enum {
  ROW_OF_VECTORS = 512, /* elements of a row that only the launch knows: else a quarter of the warps
                         * are at its ends, and run elements one after the other */
  WINDOW_LANES = 4,
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
  WIDE_NEEDED = 4,
  /* ... and for rows of 16 bytes, whose threads have four times as many elements: with one wave of
   * threads stencils of 2048 x 2048 floats took 0.7 to 1.05 times as long, without 0.7 */
  VECTORS_NEEDED = 3
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
  if (tile.windows && m->flat)
    return (struct geometry){
        .block = {128 * WINDOW_LANES, 1}, .threads = {128, 1}, .vector = {WINDOW_LANES, 1}};
  if (tile.windows)
    return (struct geometry){.block = {32 * WINDOW_LANES, TILE_THREADS / 32},
                             .threads = {32, TILE_THREADS / 32},
                             .vector = {WINDOW_LANES, 1}};
  if (m->flat)
    return (struct geometry){.block = {128 * tile.rows, 1}, .threads = {128, 1}, .vector = {1, 1}};
  int64_t factor = tile.vectorized ? map_vector_factor(m) : 1,
          across = tile.vectorized ? VECTORS_ACROSS : 32, down = TILE_THREADS / across;
  return (struct geometry){.block = {across * factor, down * tile.rows},
                           .threads = {across, down},
                           .vector = {factor, tile.rows},
                           .layers = tile.layers};
}

static bool has_loops(const struct mapping *m)
{
  return loop_number(m->from->facts.kernel->body) > 0;
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
 * would lie further apart than before. The launch is asked whether rows begin at multiples of 16
 * bytes, where that is not known. */
static bool takes_rows(const struct mapping *m, struct tiled *s)
{
  struct attempt *attempt = &s->attempt;

  attempt->preconditions.only_aligned = true;
  attempt->code.preconditions = &attempt->preconditions;
  struct vector_accesses used =
      vector_rewrite(&attempt->code, &s->interior, map_vector_factor(m), &attempt->tiles.verbatim);
  attempt->code.preconditions = NULL;
  return used.loads && !used.left;
}

/* Measures the code of neighbours that go through windows. */
static bool measure_windows(const struct mapping *m, struct tiled *ret)
{
  struct geometry geometry = geometry_of(m, (struct register_tile){.rows = 1, .windows = true});
  struct attempt *attempt = &ret->attempt;
  struct instances in;

  ret->fewer = 0;
  ret->apart = false;
  if (!map_shaped(m, &geometry, attempt)) return false;
  interior_of_windows(&attempt->code, &ret->interior);
  struct ir_stmt *as_was = attempt->code.facts.kernel->body;
  map_choose_interior(&attempt->code, &ret->interior, NULL);
  instances_analyze(&attempt->code, &in);
  ret->registers = model_registers(&in, &geometry);
  ret->gain = windows_rewrite(&attempt->code, &ret->interior, as_was, WINDOW_LANES,
                              &attempt->tiles.verbatim);
  code_drop_scan(&attempt->code);
  map_choose_interior(&attempt->code, &ret->interior, as_was);
  return ret->gain > 0;
}

/* Measures the code with a tile of elements per thread, and the requests that remain. */
static bool measure_register_tile(const struct mapping *m, struct register_tile tile,
                                  struct tiled *ret)
{
  struct geometry geometry = geometry_of(m, tile);
  struct attempt *attempt = &ret->attempt;
  struct instances in;

  if (tile.windows) return measure_windows(m, ret);
  if (!map_shaped(m, &geometry, attempt)) return false;
  interior_of(&attempt->code, &ret->interior);
  struct ir_stmt *as_was = attempt->code.facts.kernel->body;
  if (tile.vectorized) ret->interior.body = updates_apart(attempt->code.arena, ret->interior.body);
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
#define SERIAL_WINDOWS 1.5 /* four elements one after the other, not 16: not measured */
#define KEPT 0.9           /* of the time as written may be needed */
static int64_t shortest_row(const struct mapping *m, const struct tiled *s,
                            struct register_tile tile)
{
  struct geometry geometry = geometry_of(m, tile);

  if (m->flat || !has_loops(m) || !s->interior.condition || map_is_forced(m) || !tests_in_loops(m))
    return 0;
  int64_t lanes = geometry.threads[0] < 32 ? geometry.threads[0] : 32,
          across = geometry.block[0] / geometry.threads[0] * lanes;
  double part = (KEPT - 1 / s->gain) / (tile.windows ? SERIAL_WINDOWS : SERIAL);
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
  int64_t each = tile.rows * (tile.layers ? tile.layers : 1) *
                 (tile.windows      ? WINDOW_LANES
                  : tile.vectorized ? map_vector_factor(m)
                                    : 1);
  int64_t threads = has_loops(m) ? THREADS_NEEDED
                                 : m->target->threads_per_sm * THREADS_NEEDED_WITHOUT_LOOPS / 100;
  bool wide = m->element > 4, vectors = tile.vectorized && !has_loops(m);
  threads *= vectors ? (wide ? 2 : 1) * VECTORS_NEEDED : wide ? WIDE_NEEDED : 1;
  int64_t busy = (int64_t)m->target->multiprocessors * threads * each,
          boundary = map_elements_for_boundary(m, each);

  return busy > boundary ? busy : boundary;
}

struct chosen {
  struct register_tile tile; /* no rows: none gains */
  double gain;               /* predicted */
  bool asks;                 /* it is for launches with rows of 16 bytes alone */
  struct tiled *measured;    /* its code; NULL: not kept */
};

static bool pays(const struct mapping *m, struct register_tile tile, const struct tiled *s)
{
  bool loops = has_loops(m);
  double least = map_is_forced(m)                                   ? 1
                 : loops                                            ? SHARED_GAIN_NEEDED
                 : tile.vectorized                                  ? SHARED_GAIN_VECTORS
                 : m->element <= 4 && !m->divisions && !tile.layers ? SHARED_GAIN_NARROW
                                                                    : SHARED_GAIN_WITHOUT_LOOPS;

  return s->gain > least;
}

/* Has fewer requests, and gains little all the same. */
static void note_gain(struct mapping *m, const struct tiled *s)
{
  if (has_loops(m) || s->fewer < FEWER_NAMED || s->registers > MOST_REGISTERS) return;
  m->reason = arena_format(m->from->arena,
                           "%.2f times fewer requests by several elements a thread are predicted "
                           "to gain a factor of %.2f only",
                           s->fewer, s->gain);
  m->place = m->from->kernel->name_place;
}

static struct chosen register_tile_of(struct mapping *m, const struct register_tile *tried,
                                      unsigned count)
{
  struct chosen best = {0};
  double found = 0;

  bool apart = false; /* those of a larger tile, so those of each smaller one */
  for (unsigned i = 0; i < count && !apart; i++) {
    struct tiled s;
    if (!map_is_forced(m) && map_elements(m) < elements_for(m, tried[i])) continue;
    bool measured = measure_register_tile(m, tried[i], &s);
    apart = measured && s.apart;
    if (measured && s.registers <= MOST_REGISTERS && pays(m, tried[i], &s) &&
        s.gain * TILE_GAIN > found && has_rows(m, shortest_row(m, &s, tried[i]))) {
      found = fmax(s.gain, found);
      best = (struct chosen){tried[i], s.gain, map_asks(&s.attempt), NULL};
    } else if (measured && !pays(m, tried[i], &s)) {
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
  return (tile.vectorized || tile.windows ? 1u : 0) | (tile.rows > 1 ? 2u : 0) |
         (tile.layers > 1 ? 4u : 0);
}

static bool add_measured(struct mapping *m, struct register_tile tile, struct tiled *s)
{
  int64_t shortest = shortest_row(m, s, tile);

  if (map_asks(&s->attempt) && s->interior.condition && !map_is_forced(m) &&
      shortest < ROW_OF_VECTORS)
    shortest = ROW_OF_VECTORS;
  bool added = map_add_version(m, &s->attempt, s->gain, elements_for(m, tile));
  if (added && shortest > 0 && m->totals[0] <= 0)
    m->out->versions[m->out->version_count - 1].fewest = shortest;
  code_drop_scan(&s->attempt.code);
  return added;
}

static bool add_register_tile(struct mapping *m, struct register_tile tile)
{
  struct tiled s;

  if (measure_register_tile(m, tile, &s)) return add_measured(m, tile, &s);
  code_drop_scan(&s.attempt.code);
  return false;
}

/* May the launch have layers, whose number it alone knows? */
static bool has_unknown_layers(const struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;
  return facts->block[2] > 0 && facts->grid[2] <= 0 && !map_is_constant(m) && !m->flat &&
         shape_names_layers(m->from);
}

#define TILE_OF(tiles) register_tile_of(m, tiles, sizeof(tiles) / sizeof *(tiles))

static bool gains_by_layers(struct chosen layered, struct chosen flat)
{
  return layered.tile.rows && layered.gain >= LAYERED_GAIN &&
         (!flat.tile.rows || layered.gain >= flat.gain * TILE_GAIN);
}

/* `ret_other`: for launches for which the tile is not, as their layers are no multiple of its, or
 * their rows are none of 16 bytes. `vectors`: tiles of such rows may be asked for. */
static struct chosen best_tile(struct mapping *m, bool vectors, struct register_tile *ret_other)
{
  bool layers = has_unknown_layers(m);
  struct chosen tile = {0}, flat = {0}, layered = {0};

  *ret_other = tile.tile;
  if (map_is_constant(m) && map_layers(m) > 1) return TILE_OF(deep_tiles);
  if (!m->flat && vectors && !layers) tile = TILE_OF(vector_tiles);
  if (tile.tile.rows && !tile.asks) return tile;
  flat = TILE_OF(flat_tiles);
  if (layers) layered = TILE_OF(deep_tiles);
  if (gains_by_layers(layered, flat)) tile = layered;
  if (!m->flat && vectors && layers && !tile.tile.rows) tile = TILE_OF(vector_tiles);
  if (tile.tile.rows) *ret_other = flat.tile;
  return tile.tile.rows ? tile : flat;
}

/* A version for smaller launches, with half of the rows. */
static bool add_half(struct mapping *m, struct register_tile tile)
{
  struct register_tile half = tile;

  half.rows /= 2;
  return tile.rows <= 2 || map_is_constant(m) || add_register_tile(m, half);
}

static bool add_tiles(struct mapping *m, const struct chosen *best, struct register_tile other)
{
  struct register_tile tile = best->tile;

  if (best->measured && !m->own) return add_measured(m, tile, best->measured);
  if (other.rows && !tile.layers && !add_half(m, other)) return false;
  if (other.rows && !add_register_tile(m, other)) return false;
  return add_half(m, tile) && add_register_tile(m, tile);
}

static void report(struct mapping *m, const struct chosen *best)
{
  struct register_tile tile = best->tile;
  struct geometry geometry = geometry_of(m, tile);
  long long layers = tile.layers ? tile.layers : 1;
  const char *rows = tile.windows      ? "; each element of their windows is loaded once"
                     : tile.vectorized ? "; 16 bytes of a row at once"
                                       : "";
  const char *shape =
      arena_format(m->from->arena, "%lldx%lldx%lld threads %lldx%lld", (long long)geometry.block[0],
                   (long long)geometry.block[1], layers, (long long)geometry.threads[0],
                   (long long)geometry.threads[1]);

  map_take(m, best->gain,
           arena_format(m->from->arena,
                        "blocks of %lld x %lld x %lld elements for %lld x %lld threads, whose "
                        "elements share requests%s",
                        (long long)geometry.block[0], (long long)geometry.block[1], layers,
                        (long long)geometry.threads[0], (long long)geometry.threads[1], rows));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %lld x %lld x %lld elements for %lld x %lld threads: a thread's "
              "elements share %.2f times as many requests%s",
              m->from->kernel->name, (long long)geometry.block[0], (long long)geometry.block[1],
              layers, (long long)geometry.threads[0], (long long)geometry.threads[1], best->gain,
              rows);
  text_format(m->dump, "  plan map %s shared gain %.2f\n", shape, best->gain);
}

/* Neighbours that go through windows, where that gains. */
static struct chosen windows_of(struct mapping *m)
{
  struct chosen windows = {0};

  if (!has_loops(m) || !windows_possible((struct code *)m->from)) return windows;
  struct register_tile tile = {.rows = 1, .windows = true};
  if (!map_is_forced(m) && map_elements(m) < elements_for(m, tile)) return windows;
  struct tiled *s = ARENA_NEW(m->from->arena, struct tiled);
  bool gains = measure_windows(m, s) && s->registers <= MOST_REGISTERS && pays(m, tile, s) &&
               has_rows(m, shortest_row(m, s, tile));
  code_drop_scan(&s->attempt.code);
  if (gains && map_would_keep_rounding(m, axes_of(m, tile)))
    windows = (struct chosen){tile, s->gain, false, s};
  return windows;
}

static struct chosen choose(struct mapping *m, struct register_tile *ret_other)
{
  struct chosen windows = windows_of(m), best = windows;

  *ret_other = (struct register_tile){0};
  if (windows.tile.rows && windows.gain >= WINDOWS_GAIN) return windows; /* saves steps */
  best = best_tile(m, true, ret_other);
  if (best.asks && !map_would_keep_rounding(m, axes_of(m, best.tile)))
    best = best_tile(m, false, ret_other);
  if (!windows.tile.rows || (best.tile.rows && windows.gain < best.gain * TILE_GAIN)) return best;
  *ret_other = (struct register_tile){0};
  return windows;
}

static enum outcome coarsen(struct mapping *m)
{
  if (!map_untiled(m) || m->alone) return OUTCOME_PASSED;
  if (m->options->mapping == MAPPING_AUTO && map_counts_in_locals(m)) return OUTCOME_PASSED;
  struct register_tile other;
  struct chosen best = choose(m, &other);

  m->out = NULL;
  if (!best.tile.rows || !map_keeps_rounding_own(m, axes_of(m, best.tile)) ||
      !add_tiles(m, &best, other))
    return OUTCOME_PASSED;
  m->out->gain = map_over_written(m, best.gain);
  report(m, &best);
  map_finish(m);
  return OUTCOME_TAKEN;
}

enum outcome plan_coarsen(struct mapping *m)
{
  enum outcome outcome = coarsen(m);

  m->own = NULL;
  return outcome;
}
