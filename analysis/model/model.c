/* SPDX-License-Identifier: MIT */
/* model.c - predicted work of a multiprocessor on the tiled loops, as written and mapped.
 *
 * A multiprocessor has four schedulers, and each issues one warp's instruction a cycle. For an
 * iteration of a tiled loop a warp takes
 *
 *     c = ARITHMETIC * operations + ITERATION + STAGED_LOAD * staged accesses
 *         + COPY or COPY_TRANSPOSED * requests of the copy
 *
 * cycles of its scheduler (work.c counts the work of an iteration). With q warps of a block and R
 * resident blocks per scheduler, an iteration of all of them takes
 *
 *     ((R q c (1 + TOGETHER (q - 1)))^4 + (ALONE max(q, 1) c)^4)^(1/4)
 *
 * cycles, plus the waits for the loads of its tiles that are not in flight by then. A block that is
 * alone waits at its barriers. Where the code branches, c is CHAIN times as long in the second term
 * (n-body, 65536 bodies: 10.9 ms with two bodies a thread, 7.2 ms with one). A launch takes START
 * cycles in addition. The constants are fitted to an H200 (sweep of 2026-11-21,
 * docs/inside/measurements.md: 23 shapes for float at three sizes, 8 for int and double). The root
 * of the mean squared error is 15%, mostly from shapes that are not in the table; of its shapes the
 * best is taken for float and int.
 *
 * Streamed arrays come from device memory, at STREAM bytes a cycle of a multiprocessor at most. As
 * written, a warp waits LATENCY for each sector of its rows, or for a few lines at once; mapped, it
 * waits once for a tile. These constants are estimates that agree with the sweep in
 * docs/inside/measurements.md.
 *
 * As written, the load/store unit of the multiprocessor takes two and a half cycles for a coalesced
 * request of a warp, two for a broadcast, and otherwise one for each pair of sectors; or the
 * arithmetic is the limit, at the rate that the warps in flight allow. The last wave counts whole:
 * a multiprocessor works on ceil(blocks / multiprocessors) blocks.
 */
#include "analysis/model/work.h"

#include <math.h>

#define ARITHMETIC 1.2
/* of a multiply-add of doubles on tensor cores, whose loads are hidden. Fitted to 27 runs in 18
 * shapes (2026-11-22) */
#define PRODUCT 0.9
/* 2048 x 2048: 0.333 ms in four blocks of four warps with 32 sums, 0.348 in two of four with 64;
 * 0.394 in one of eight */
#define ALONE_PRODUCT 1.5
#define ITERATION 4.0
#define STAGED_LOAD 2.7 /* up to STAGED_WORDS words a thread (work.c) */
/* For each further warp of a block on a scheduler: warps wait for one another. */
#define TOGETHER 0.03
#define ALONE 0.88 /* of a warp's cycles: the share that others cannot hide if a block is alone */
/* ... if the block's threads load and store its tiles, whatever its warps are. 128 x 64 for 128
 * threads takes 0.464 ms where three of four blocks have the registers, 0.413 with all four and
 * tiles that are waited for. */
#define ALONE_LOADED 1.9
/* Cycles of a block for loads of a tile that it waits for. 128 x 128 for 256 threads takes 0.410 ms
 * with them. */
#define WAIT_COPY 850.0
#define WAIT_BARRIER 350.0 /* for stores between two barriers: 0.388 ms */
/* Resident blocks that hide half of the wait. 0.371 ms with registers and two copies. */
#define WAIT_SHARED 6.0
/* of multiply-adds of doubles: 2048 x 2048 takes 0.799 ms in three blocks of four warps, 0.953 in
 * four of two */
#define ALONE_WIDE 2.0
/* Where calls and divisions branch, the elements of a thread come one after the other: a warp waits
 * for its own results. */
#define CHAIN 3.75
/* where they are short (-use_fast_math). n-body, 65536 bodies: 3.35 ms with one body a thread, 4.17
 * with two */
#define CHAIN_SHORT 2.7
#define START 20000.0
#define PEAK 0.64  /* as written: of 128 multiply-adds a cycle */
#define HALF 404.0 /* as written: warps in flight at which half of the peak is reached */
#define SCHEDULERS 4.0
#define STREAM 20.0 /* 4.8 TB/s over 132 multiprocessors */
/* Replaces START where the kernel as written waits for device memory as well. */
#define FIRST_TILE 1600.0
/* Cycles of a warp for a load under an element's predicate; such loads come one after the other. A
 * product of 1024 x 1024 whose rows are not staged takes 2.40 ms with 64 elements a thread in 128
 * blocks of four warps, each of which makes 64 such loads an iteration. */
#define GUARDED_LOAD 75.0
#define REGISTERS 65536.0 /* of a multiprocessor */
/* Cycles of a multiprocessor for a warp that finds the ends of a range. Measured: 3.3 (bin by bin)
 * to 7 (rows of bins). */
#define RANGE_WALKED 5.0
/* The same for a warp of a block that handles a batch of ranges together. Measured with batches of
 * 64. */
#define BATCH 66.0
#define ASSUMED_RANGE 16.0 /* elements of a range in a nest */
#define ASSUMED_BATCH 48.0 /* ranges */

enum {
  OWN_SHARED = 1024, /* bytes */
  /* 16 for the next tile take 8 more, 32 take 28, since a copy needs some itself */
  REGISTERS_BESIDE = 128,
  MOST_REGISTERS = 224,
  ASSUMED_TRIPS = 512
};

const struct target *target_of(unsigned arch)
{
  static const struct target targets[] = {
#define TARGET(arch, block, sm, count, threads, megahertz, products) \
  {arch, block, sm, count, threads, megahertz, products},
#include "analysis/model/targets.def"
#undef TARGET
  };
  const struct target *best = &targets[0];

  for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
    if (targets[i].arch <= arch) best = &targets[i];
  return best;
}

double model_milliseconds(const struct target *target, double cycles)
{
  return cycles / (target->megahertz * 1e3);
}

/* Cycles of an iteration as written with few warps, which wait for loads (products of small
 * matrices on an H200: 66 to 71). */
#define WRITTEN_ALONE 65.0

static double efficiency(double in_flight) { return PEAK * in_flight / (in_flight + HALF); }

struct limit { /* of an iteration, or of a loop */
  double cycles;
  enum bound by;
};

static struct limit later(struct limit a, struct limit b) { return b.cycles > a.cycles ? b : a; }

/* Cycles of a multiprocessor for a warp's iteration as written: arithmetic at its efficiency, the
 * load/store unit, or device memory. */
static struct limit written_cycles(const struct work *work, double in_flight)
{
  double operations = work->operations + work->converted;
  struct limit issue = {
      operations / SCHEDULERS / efficiency(in_flight) + work->loads * 3 / SCHEDULERS, BOUND_ISSUE};
  double wait =
      work->wait_written + work->wait_carried + (work->streamed > 0 ? work->wait_left : 0);
  struct limit memory = later((struct limit){wait * 32 / in_flight, BOUND_LATENCY},
                              (struct limit){work->streamed * 32 / STREAM, BOUND_BANDWIDTH});

  return later(later(issue, (struct limit){work->cycles_written, BOUND_REQUESTS}), memory);
}

static double warps_of(const struct geometry *geometry)
{
  return (double)(geometry->threads[0] * geometry->threads[1]) / 32 / SCHEDULERS;
}

/* Cycles of a multiprocessor for an iteration of `resident` blocks. A block that is alone takes
 * `alone` times the cycles of a warp. */
static struct limit block_cycles(const struct work *work, const struct geometry *geometry,
                                 double resident, double alone)
{
  double instances = model_factor(geometry, 0) * model_factor(geometry, 1);
  double warps = warps_of(geometry);
  double arithmetic = ARITHMETIC * (work->operations + work->converted_left) * instances +
                      ITERATION + STAGED_LOAD * work->staged;
  double products = PRODUCT * work->products * instances + work->product_tile;
  double warp = (work->products > 0 ? products : arithmetic) + work->copied +
                work->cycles_left * instances * SCHEDULERS;
  /* copies that a tile waits for stand apart from the chain of its iterations */
  double apart = work->stored ? work->copied : 0;
  double all = resident * warps * warp * (1 + TOGETHER * fmax(warps - 1, 0)),
         one = alone * (warp - apart) + apart;

  if (work->loaded) one = fmax(one, ALONE_LOADED * warp);
  double issued = pow(pow(all, 4) + pow(one, 4), 0.25) + work->pause / (1 + resident / WAIT_SHARED),
         threads = (double)(geometry->threads[0] * geometry->threads[1]);
  struct limit memory =
      later((struct limit){work->wait_mapped, BOUND_LATENCY},
            (struct limit){resident * threads * work->streamed / STREAM, BOUND_BANDWIDTH});
  if (work->streamed > 0) memory = later(memory, (struct limit){work->wait_left, BOUND_LATENCY});
  memory = later(memory, (struct limit){GUARDED_LOAD * work->guarded * instances, BOUND_LATENCY});
  return later((struct limit){issued, one > all ? BOUND_BARRIERS : BOUND_ISSUE}, memory);
}

static double chain_of(const struct work *work)
{
  return work->branches ? CHAIN : work->waits ? CHAIN_SHORT : 1;
}

static struct limit mapped_cycles(const struct work *work, const struct geometry *geometry,
                                  double resident)
{
  return block_cycles(work, geometry, resident,
                      fmax(warps_of(geometry), 1) * (chain_of(work) > 1   ? chain_of(work)
                                                     : work->products > 0 ? ALONE_PRODUCT
                                                     : work->wide         ? ALONE_WIDE
                                                                          : ALONE));
}

/* Cycles of `each` blocks: as many run together as are resident, and the remaining ones have the
 * multiprocessor to themselves. */
static double waves_cycles(const struct work *work, const struct geometry *geometry, double each,
                           double resident)
{
  double whole = floor(each / resident), rest = each - whole * resident;
  return whole * mapped_cycles(work, geometry, resident).cycles +
         (rest > 0 ? mapped_cycles(work, geometry, rest).cycles : 0);
}

struct beside {
  struct code *code;
  const struct instances *in;
  const struct geometry *geometry;
  const struct tiles *tiles;
  struct workload *out;
};

static bool measure_loop(struct ir_stmt *stmt, void *context)
{
  struct beside *b = context;
  struct tile none = {.loop = stmt, .size = 1};
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;

  for (unsigned i = 0; i < b->tiles->count; i++)
    if (stmt == b->tiles->items[i].loop) return false;
  if (!loop || b->out->beside_count == MOST_TILES) return true;
  b->out->beside[b->out->beside_count] = model_work(b->code, b->in, b->geometry, &none);
  b->out->beside_trips[b->out->beside_count++] = model_trips(b->code, stmt, ASSUMED_TRIPS);
  return false;
}

/* Measures loops without tiles, where tiles leave a multiprocessor few threads. */
static void measure_beside(struct code *code, const struct instances *in,
                           const struct geometry *geometry, const struct tiles *tiles,
                           struct workload *ret)
{
  struct beside beside = {code, in, geometry, tiles, ret};
  bool streams = false;

  for (unsigned i = 0; i < ret->count; i++) streams |= ret->work[i].streamed > 0;
  if (streams) ir_visit_stmts(code->facts.kernel->body, measure_loop, &beside);
}

void model_measure(struct code *code, const struct instances *in, const struct geometry *geometry,
                   const struct tiles *tiles, struct workload *ret)
{
  const struct kernel_facts *facts = &code->facts;
  bool known = facts->block[2] > 0 && facts->grid[2] > 0;

  *ret = (struct workload){.geometry = *geometry,
                           .count = tiles->count,
                           .own_registers = model_registers(in, geometry),
                           .layers = known ? (double)(facts->block[2] * facts->grid[2]) : 1};
  for (unsigned i = 0; i < tiles->count; i++) {
    ret->work[i] = model_work(code, in, geometry, &tiles->items[i]);
    ret->trips[i] = model_trips(code, tiles->items[i].loop, ASSUMED_TRIPS);
  }
  measure_beside(code, in, geometry, tiles, ret);
  model_rebuffer(ret, tiles);
}

double model_gain_of_requests(struct code *code, const struct instances *in,
                              const struct geometry *geometry, double fewer)
{
  struct tiles none = {0};
  struct workload load = {0};
  struct beside beside = {code, in, geometry, &none, &load};
  double written = 0, left = 0;

  ir_visit_stmts(code->facts.kernel->body, measure_loop, &beside);
  for (unsigned i = 0; i < load.beside_count; i++) {
    const struct work *work = &load.beside[i];
    /* the chain of one element comes behind that of another */
    double issue = work->branches || work->tests ? CHAIN * work->operations / SCHEDULERS / PEAK : 0;
    written += load.beside_trips[i] * fmax(issue, work->cycles_written);
    left += load.beside_trips[i] * fmax(issue, work->cycles_written / fewer);
  }
  return left > 0 ? written / left : fewer;
}

/* Cycles of a multiprocessor for a warp's access and each word of it, bytes a cycle of device
 * memory, and cycles for an issue slot. Fitted to 38 stencils of floats and doubles over 4096 x
 * 4096 on an H200 (docs/inside/measurements.md). */
#define BODY_ACCESS 4.5
#define BODY_WORD 0.5
#define BODY_STREAM 18.0
#define BODY_ISSUE 1.3
#define BODY_DIVISION 24.0 /* issue slots, of an index by a size of the launch */

static double body_cycles(double requests, double stream, double slots)
{
  return model_overlapping(requests, model_overlapping(stream, BODY_ISSUE * slots / SCHEDULERS));
}

double model_gain_of_body(struct code *code, const struct instances *in,
                          const struct geometry *geometry, const struct body *body)
{
  const struct reuse *reuse = &body->reuse;
  double accesses = BODY_ACCESS * reuse->accesses, words = BODY_WORD * reuse->words,
         fewer = reuse_fewer(reuse), slots = model_issue(code, in, geometry),
         stream = reuse->bytes * 32 / BODY_STREAM;

  return body_cycles(accesses + words, stream, slots + BODY_DIVISION * body->divisions) /
         body_cycles((accesses / body->together + words) / fewer, stream, slots);
}

/* The registers that hold the next tile, without those that its copies take anyway. */
static double beside_copies(double registers)
{
  return registers > 0 ? fmax(0, registers - REGISTERS_BESIDE / registers) : 0;
}

void model_rebuffer(struct workload *load, const struct tiles *tiles)
{
  static const double pauses[] = {[PAUSE_NONE] = 0,
                                  [PAUSE_STORE] = 0,
                                  [PAUSE_BARRIER] = WAIT_BARRIER,
                                  [PAUSE_COPY] = WAIT_COPY};
  unsigned next = 0;

  load->shared = OWN_SHARED;
  for (unsigned i = 0; i < tiles->count; i++) {
    const struct tile *tile = &tiles->items[i];
    load->shared += (double)tile->bytes;
    bool streams = load->work[i].streamed > 0; /* device memory decides */
    load->work[i].pause = load->work[i].stored ? (WAIT_COPY + WAIT_BARRIER) / (double)tile->size
                          : streams            ? 0
                                               : pauses[tile->pause] / (double)tile->size;
    load->work[i].loaded = tile->pause != PAUSE_NONE && !streams;
    next = tile->next_registers > next ? tile->next_registers : next;
  }
  load->registers = load->own_registers + beside_copies(next);
}

static double resident_blocks(const struct workload *w, const struct target *target)
{
  double threads = (double)(w->geometry.threads[0] * w->geometry.threads[1]);
  return floor(
      fmin(fmin(REGISTERS / (w->registers * threads), (double)target->shared_per_sm / w->shared),
           (double)target->threads_per_sm / threads));
}

double model_gain_in_place(const struct workload *w, const struct target *target,
                           struct prediction *ret)
{
  double threads = (double)(w->geometry.threads[0] * w->geometry.threads[1]),
         resident = resident_blocks(w, target);
  double without =
      floor(fmin(REGISTERS / (w->registers * threads), (double)target->threads_per_sm / threads));

  *ret =
      (struct prediction){.registers = (unsigned)w->registers, .blocks_per_sm = (unsigned)resident};
  if (resident < 1) return 0;
  for (unsigned i = 0; i < w->count; i++) {
    double range = w->nested[i] ? RANGE_WALKED / ASSUMED_RANGE : 0,
           batch = w->nested[i] ? BATCH / ASSUMED_BATCH / ASSUMED_RANGE : 0;
    /* its warps hide the chains of one another */
    double alone = fmax(warps_of(&w->geometry), chain_of(&w->work[i]));
    struct limit of_block = block_cycles(&w->work[i], &w->geometry, resident, alone);
    struct limit of_warp =
        written_cycles(&w->work[i], fmin(without * threads, (double)target->threads_per_sm));
    ret->mapped += w->trips[i] * (of_block.cycles / resident + batch * ceil(threads / 32));
    ret->written += w->trips[i] * (of_warp.cycles + range) * ceil(threads / 32);
    ret->mapped_bound = of_block.by;
    ret->written_bound = of_warp.by;
  }
  return ret->written / ret->mapped;
}

/* Of `warps`, those of the multiprocessor that has the most, as written. Blocks count where tiles
 * are stored: such launches have few of them. */
static double most_warps(const struct workload *w, const struct work *work, double warps,
                         double sms)
{
  double block = work->stored && w->written_warps > 0 ? w->written_warps : 1;

  return fmax(ceil(warps / sms), ceil(warps / block / sms) * fmin(block, warps));
}

bool model_predict(const struct workload *w, const int64_t totals[2], const struct target *target,
                   struct prediction *ret)
{
  double sms = target->multiprocessors, blocks = w->layers;

  for (int axis = 0; axis < 2; axis++)
    blocks *= ceil((double)totals[axis] / (double)w->geometry.block[axis]);
  double resident = resident_blocks(w, target);
  double each = ceil(blocks / sms), warps = w->layers * (double)(totals[0] * totals[1]) / 32;
  if (w->registers > MOST_REGISTERS || resident < 1) return false;
  double together = fmin(each, resident);
  double written_flight = 32;
  struct limit mapped = {0, BOUND_UNKNOWN}, written = {0, BOUND_UNKNOWN};
  *ret =
      (struct prediction){.registers = (unsigned)w->registers, .blocks_per_sm = (unsigned)resident};
  for (unsigned i = 0; i < w->count; i++) {
    double start = w->work[i].streamed > 0 ? FIRST_TILE : START / w->count,
           most = most_warps(w, &w->work[i], warps, sms);
    /* a warp has about 32 lines in flight */
    written_flight = fmin(most, (double)target->threads_per_sm / 32) * 32;
    struct limit of_block = mapped_cycles(&w->work[i], &w->geometry, together),
                 of_warp = written_cycles(&w->work[i], written_flight);
    double cycles = w->work[i].loaded ? waves_cycles(&w->work[i], &w->geometry, each, together)
                                      : each / together * of_block.cycles;
    ret->mapped += w->trips[i] * cycles + start;
    ret->written += w->trips[i] * most * of_warp.cycles;
    mapped = later(mapped, (struct limit){w->trips[i] * of_block.cycles, of_block.by});
    written = later(written, (struct limit){w->trips[i] * of_warp.cycles, of_warp.by});
  }
  for (unsigned i = 0; i < w->beside_count; i++) {
    const struct work *work = &w->beside[i];
    double mapped_wait = work->wait_left * each / together,
           mapped_requests = work->cycles_written * each * warps_of(&w->geometry) * SCHEDULERS *
                             model_factor(&w->geometry, 0) * model_factor(&w->geometry, 1);
    ret->mapped += w->beside_trips[i] * fmax(mapped_wait, mapped_requests);
    ret->written += w->beside_trips[i] * ceil(warps / sms) *
                    fmax(work->wait_left * 32 / written_flight, work->cycles_written);
  }
  ret->mapped_bound = mapped.by;
  ret->written_bound = written.by;
  return true;
}

bool model_block_time(const struct workload *w, const struct target *target, struct block_time *ret,
                      struct block_time *ret_written)
{
  double resident = resident_blocks(w, target), warps = (double)target->threads_per_sm / 32;

  if (w->registers > MOST_REGISTERS || resident < 1) return false;
  *ret = (struct block_time){.block = {w->geometry.block[0], w->geometry.block[1]},
                             .resident = (unsigned)resident};
  *ret_written = (struct block_time){.block = {32, 1}, .resident = (unsigned)warps};
  for (unsigned i = 0; i < w->count; i++) {
    ret->alone += mapped_cycles(&w->work[i], &w->geometry, 1).cycles;
    ret->busy += mapped_cycles(&w->work[i], &w->geometry, resident).cycles / resident;
    ret_written->alone += written_cycles(&w->work[i], 32).cycles;
    ret_written->alone = fmax(ret_written->alone, WRITTEN_ALONE);
    ret_written->busy += written_cycles(&w->work[i], warps * 32).cycles;
  }
  return true;
}
