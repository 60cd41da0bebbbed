/* SPDX-License-Identifier: MIT */
/* temporal_model.c - the number of launches that are put together, and their tiles.
 *
 *     a launch as written  max(LAUNCH, bytes of all points / BANDWIDTH)
 *     a step of depth      (START + waves * (FILL + depth * max(shared, arithmetic,
 *         STEP)) ) / depth, and not below bytes / BANDWIDTH / depth
 *
 * A step takes as long as the shared memory of a multiprocessor needs for the accesses of the
 * tiles' points, including those at the rim; or as its instructions, if elements are in registers.
 * Deeper tiles have fewer points of their own: the sum has a minimum, which is taken. The constants
 * are for an H200.
 *
 * Produces a shape, or the reason why there is none: no shape fits into shared memory, or no shape
 * gains.
 */
#include "analysis/transform/temporal/temporal.h"

#include <string.h>

#define LAUNCH 1.0      /* us, of one launch in a graph */
#define START 3.0       /* us, of a launch of steps */
#define BANDWIDTH 3.3e6 /* bytes a us, of device memory */
#define CACHED 6.5e6    /* ... of the cache */
#define CACHE 40e6      /* bytes */
#define FILL 1.5        /* us, for a block's tile to arrive */
#define STEP 0.2        /* us, at least, between two barriers */
#define LANE_STEP 0.04  /* us, without barriers */
#define SHARED 7.0e6    /* accesses to shared memory a us, of all multiprocessors */
#define ARITHMETIC 20e6 /* operations */
#define OTHERS 4.0      /* of a point */
#define BETTER 0.95     /* of the time of a shape that comes first */
#define FETCH 1.5       /* us, for a step's other loads, if a barrier waits for them */
#define GAIN_NEEDED 1.15

enum {
  MOST_SHAPES = 8,
  HELD = 128 /* bytes of an array that a thread holds */,
  MULTIPROCESSORS = 132,
  RESIDENT = 2048 /* threads */,
  REGISTERS = 65536,
  HOLDING = 100 /* registers of a thread that holds elements */,
  USUAL = 64,
  SHARED_BYTES = 227 << 10,
  MOST_DEPTH = 63,
  ASSUMED_1D = 1 << 20,
  ASSUMED_2D = 2048,
  ASSUMED_3D = 256
};

/* Among shapes with about equal times the first is taken. On an H200 (docs/inside/measurements.md),
 * jacobi 4096 x 4096 takes 0.36 ms for 20 steps at depth 5 on the first of the planes, 0.44 on the
 * second, 0.52 on the third; dif takes 27.7 ms for 100000 steps at depth 63 on the first of the
 * lines, 39.6 on the second, 47.6 on the fourth. */
static const struct temporal_shape shapes[TEMPORAL_AXES][MOST_SHAPES] = {
    {{{256, 1, 1}, {32, 4, 1}, true, 0, 0, 0},
     {{128, 1, 1}, {32, 8, 1}, true, 0, 0, 0},
     {{64, 1, 1}, {32, 8, 1}, true, 0, 0, 0},
     {{2048, 1, 1}, {512, 1, 1}, false, 0, 0, 0},
     {{1024, 1, 1}, {256, 1, 1}, false, 0, 0, 0},
     {{512, 1, 1}, {128, 1, 1}, false, 0, 0, 0},
     {{256, 1, 1}, {128, 1, 1}, false, 0, 0, 0}},
    {{{64, 64, 1}, {32, 8, 1}, true, 3, 0, 0},
     {{64, 64, 1}, {32, 16, 1}, true, 2, 0, 0},
     {{64, 64, 1}, {32, 8, 1}, false, 0, 0, 0},
     {{64, 32, 1}, {32, 8, 1}, false, 0, 0, 0},
     {{32, 32, 1}, {32, 8, 1}, false, 0, 0, 0}},
    {{{32, 16, 8}, {32, 4, 4}, false, 0, 0, 0},
     {{32, 12, 12}, {32, 4, 4}, false, 0, 0, 0},
     {{32, 8, 8}, {32, 4, 4}, false, 0, 0, 0},
     {{16, 8, 8}, {16, 4, 4}, false, 0, 0, 0}},
};

static unsigned axes_of(const struct temporal_period *p) { return p->kernels[0]->axes; }

/* The accesses to buffers per point, as the mean over the two launches. */
static double loads(const struct temporal_period *p)
{
  return (p->kernels[0]->loads + p->kernels[1]->loads) / 2;
}

static double operations_of(const struct temporal_period *p)
{
  return (p->kernels[0]->operations + p->kernels[1]->operations) / 2;
}

static double other_bytes(const struct temporal_period *p)
{
  return (p->kernels[0]->other_bytes + p->kernels[1]->other_bytes) / 2;
}

bool temporal_rounds(const struct temporal_period *p, const struct temporal_shape *shape)
{
  return shape->warps && axes_of(p) == 1 && shape->threads[1] > 1;
}

/* The number of launches among `depth` that move, rounded as by the runtime (steps.c). */
static int64_t margin_of(const struct temporal_period *p, const struct temporal_shape *shape,
                         int64_t depth)
{
  int64_t margin = p->moves[0] * ((depth + 1) / 2) + p->moves[1] * (depth / 2);
  return temporal_rounds(p, shape) ? (margin + 3) / 4 * 4 : margin;
}

int64_t temporal_bytes(const struct temporal_period *p, const struct temporal_shape *shape)
{
  int64_t points = 1, bytes = 0;

  if (shape->warps)
    points = axes_of(p) > 1 ? shape->tile[0] * shape->threads[1] * (p->low[1] + p->high[1]) : 0;
  for (unsigned axis = 0; axis < axes_of(p) && !shape->warps; axis++)
    points *= shape->tile[axis] + p->low[axis] + p->high[axis];
  for (unsigned i = 0; i < p->kernels[0]->buffer_count; i++)
    bytes += (points * p->kernels[0]->buffers[i].array->element->size + 15) / 16 * 16;
  return bytes;
}

/* The points of a tile that are its own after `depth` steps, along an axis. */
static int64_t own(const struct temporal_period *p, const struct temporal_shape *shape,
                   unsigned axis, int64_t depth)
{
  return shape->tile[axis] - margin_of(p, shape, depth) * (p->low[axis] + p->high[axis]);
}

static double elements_bytes(const struct temporal_period *p)
{
  double bytes = other_bytes(p);

  for (unsigned i = 0; i < p->kernels[0]->buffer_count; i++)
    bytes += (double)p->kernels[0]->buffers[i].array->element->size;
  return bytes;
}

static double bandwidth(double bytes) { return bytes < CACHE ? CACHED : BANDWIDTH; }

static double time_as_is(const struct temporal_period *p, double points)
{
  double bytes = points * elements_bytes(p), time = bytes / bandwidth(bytes);
  return time > LAUNCH ? time : LAUNCH;
}

static double resident_blocks(const struct temporal_shape *shape, int64_t bytes)
{
  int64_t threads = shape->threads[0] * shape->threads[1] * shape->threads[2];
  int64_t by_threads = RESIDENT / threads, by_bytes = SHARED_BYTES / (bytes + 1024);
  int64_t by_registers = shape->resident ? (int64_t)shape->resident
                                         : REGISTERS / (threads * (shape->warps ? HOLDING : USUAL));
  int64_t least = by_threads < by_bytes ? by_threads : by_bytes;
  least = least < by_registers ? least : by_registers;
  return (double)(least > 1 ? least : 1) * MULTIPROCESSORS;
}

/* The time of a step in us; below 0: no points are left. */
static double time_of_step(const struct temporal_period *p, const struct temporal_shape *shape,
                           const int64_t points[TEMPORAL_AXES], int64_t depth)
{
  double blocks = 1, tile = 1, all = 1, other = 0;

  for (unsigned axis = 0; axis < axes_of(p); axis++) {
    int64_t left = own(p, shape, axis, depth);
    if (left <= 0) return -1;
    blocks *= (double)((points[axis] + left - 1) / left) /
              (shape->warps && axes_of(p) == 1 ? (double)shape->threads[1] : 1);
    tile *= (double)shape->tile[axis] *
            (shape->warps && axes_of(p) == 1 ? (double)shape->threads[1] : 1);
    all *= (double)points[axis];
  }
  double computed = blocks * tile, buffers = elements_bytes(p) - other_bytes(p);
  double waves = blocks / resident_blocks(shape, temporal_bytes(p, shape));
  double rounds = waves > 1 ? waves : 1;
  double shared = shape->warps ? 0 : computed * (loads(p) + 1) / SHARED,
         operations = computed * (operations_of(p) + OTHERS) / ARITHMETIC;
  double least = shape->warps && axes_of(p) == 1 ? LANE_STEP : STEP;
  double step = operations > shared ? operations : shared;
  step = step > least * rounds ? step : least * rounds;
  step += !shape->warps && other_bytes(p) > 0 ? FETCH * rounds : 0;
  other = computed * other_bytes(p);
  double moved =
      (computed * buffers / 2 + all * buffers / 2) / bandwidth(all * buffers) / (double)depth +
      other / bandwidth(all * elements_bytes(p));
  double time = (START + FILL * rounds) / (double)depth + step;
  return time > moved ? time : moved;
}

/* Finds the depth with the least time. */
static void find_depth(const struct temporal_period *p, const int64_t points[TEMPORAL_AXES],
                       int64_t most, struct temporal_shape *shape, double *ret_time)
{
  *ret_time = -1;
  for (int64_t depth = 3; depth <= most; depth += 2) {
    double time = time_of_step(p, shape, points, depth);
    if (time < 0) break;
    if (*ret_time < 0 || time < *ret_time) {
      *ret_time = time;
      shape->depth = depth;
    }
  }
}

/* Is each element that a thread needs its own, or held by a neighbouring lane or warp? */
static bool fits_warps(const struct temporal_period *p, const struct temporal_shape *shape)
{
  int64_t own[2] = {shape->tile[0] / 32, shape->tile[1] / shape->threads[1]};
  bool fits = axes_of(p) <= 2 && shape->threads[0] == 32 && shape->threads[2] == 1 &&
              shape->tile[0] % 32 == 0 &&
              (axes_of(p) == 1 ? shape->tile[1] == 1 : shape->tile[1] % shape->threads[1] == 0);

  for (unsigned axis = 0; axis < axes_of(p); axis++)
    fits &= p->low[axis] <= own[axis] && p->high[axis] <= own[axis];
  /* a lane's neighbouring elements make loads that are far apart within the warp, in each step */
  if (axes_of(p) == 1 && other_bytes(p) > 0)
    fits &= own[0] * p->kernels[0]->buffers[0].array->element->size <= 16;
  for (unsigned k = 0; k < 2; k++) {
    const struct temporal *t = p->kernels[k];
    for (unsigned i = 0; i < t->access_count; i++)
      for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) fits &= !t->accesses[i].index[axis];
    for (unsigned i = 0; i < t->buffer_count; i++) {
      const struct ir_type *element = t->buffers[i].array->element;
      fits &= own[0] * (axes_of(p) > 1 ? own[1] : 1) * element->size <=
              HELD / (t->buffer_count > 2 ? 2 : 1);
      fits &= (element->kind == IR_TYPE_INT || element->kind == IR_TYPE_FLOAT) &&
              (element->size == 4 || element->size == 8);
    }
  }
  return fits;
}

/* The greatest depth up to `most` for which a point is left. */
static int64_t deepest(const struct temporal_period *p, const struct temporal_shape *shape,
                       int64_t most)
{
  int64_t depth = most - (most % 2 == 0);

  for (unsigned axis = 0; axis < axes_of(p); axis++)
    while (depth > 3 && own(p, shape, axis, depth) <= 0) depth -= 2;
  return depth;
}

static void assume_points(const struct temporal_period *p, const int64_t points[TEMPORAL_AXES],
                          int64_t ret[TEMPORAL_AXES])
{
  static const int64_t assumed[] = {ASSUMED_1D, ASSUMED_2D, ASSUMED_3D};

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++)
    ret[axis] = axis >= axes_of(p) ? 1 : points[axis] > 0 ? points[axis] : assumed[axes_of(p) - 1];
}

bool temporal_choose(const struct temporal_period *p, const struct plan_options *options,
                     const int64_t points[TEMPORAL_AXES], int64_t launches,
                     struct temporal_shape *ret, const char **ret_reason)
{
  int64_t sizes[TEMPORAL_AXES],
      most = launches > 0 && launches - 1 < MOST_DEPTH ? launches - 1 : MOST_DEPTH;
  const struct temporal_wish *wish = &options->temporal_wish;
  double best = -1;

  assume_points(p, points, sizes);
  if (wish->depth && wish->depth < most) most = wish->depth;
  for (unsigned i = 0; i < (wish->tile[0] ? 1 : MOST_SHAPES) && shapes[axes_of(p) - 1][i].tile[0];
       i++) {
    struct temporal_shape shape = shapes[axes_of(p) - 1][i];
    for (unsigned axis = 0; axis < TEMPORAL_AXES && wish->tile[0]; axis++) {
      shape.tile[axis] = wish->tile[axis];
      shape.threads[axis] = wish->threads[axis];
      shape.warps = wish->warps;
      shape.resident = wish->resident;
    }
    if (shape.warps && !fits_warps(p, &shape)) continue;
    double time;
    if ((uint64_t)temporal_bytes(p, &shape) > options->shared_memory ||
        temporal_bytes(p, &shape) > 49152)
      continue;
    find_depth(p, sizes, most, &shape, &time);
    if (wish->depth && time >= 0) shape.depth = deepest(p, &shape, most);
    if (time < 0 || (best >= 0 && time >= best * BETTER)) continue;
    best = time;
    *ret = shape;
  }
  *ret_reason = "its arrays' tiles do not fit into shared memory";
  if (best < 0) return false;
  double all = 1;
  for (unsigned axis = 0; axis < axes_of(p); axis++) all *= (double)sizes[axis];
  ret->gain = time_as_is(p, all) / best;
  *ret_reason = arena_format(p->kernels[0]->code.arena, "predicted gain %.2f", ret->gain);
  return ret->gain >= GAIN_NEEDED || options->temporal == TEMPORAL_ALWAYS;
}
