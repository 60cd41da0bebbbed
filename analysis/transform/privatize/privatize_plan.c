/* SPDX-License-Identifier: MIT */
/* privatize_plan.c - decides whether blocks keep private copies, and in which shape.
 *
 *     histogram<<<(n + 255) / 256, 256>>>
 *         =>     at most 528 blocks of 512 threads, four elements a thread at a time
 *
 * A shape-free kernel gets blocks that take turns at the launch's elements, so that few blocks add
 * their copies. Any other kernel keeps its shape; then a block must update more often than it adds.
 * As written, device memory takes about LINE_RATE updates of a cache line in a cycle, and
 * DEVICE_RATE of all lines; a multiprocessor takes UPDATE cycles for a warp's updates of its copy.
 * The instructions of the kernel take their time in both: where loops in front of an update take
 * longer than the update, nothing is gained. The first two constants are fitted to the histogram of
 * samples/bench on an H200 (docs/inside/measurements.md), the last one to its peer. Requires:
 * promoted code. Gives up with a remark: no such arrays, threads that do not reach the end, no
 * gain.
 */
#include "analysis/transform/privatize/privatize.h"
#include "analysis/code/instructions.h"
#include "analysis/code/loop.h"
#include "analysis/data/version.h"
#include "runtime/seeded.h"

#include <math.h>

#define GAIN_NEEDED 1.3
#define LINE_RATE 0.28 /* updates a cycle of one cache line in device memory */
#define DEVICE_RATE 24.0
#define LINE 128.0
#define UPDATE 6.0           /* cycles of a multiprocessor for a warp's request */
#define COMPARED_UPDATE 36.0 /* 64 bits and floats: a loop of compare and swap */
#define REGISTER_UPDATE 1.0
#define STREAM 20.0     /* bytes a cycle of a multiprocessor from device memory */
#define BYTES_READ 8.0  /* per update */
#define FLUSH 4.0       /* cycles to add a line */
#define BLOCK 600.0     /* cycles of a block for its barriers */
#define MOST_LINES 96.0 /* lines that are updated at the same time */

enum {
  THREADS = 512,
  ROUNDS = 4,
  ROWS = 8,
  COLUMNS = 64,
  LEAST_UPDATES = 4, /* per block, for each element that it adds */
  /* the lengths that are compared where only the launch knows the length */
  LEAST_LENGTH = 4,
  MOST_LENGTH = 4096,
  MOST_CALLS = 4,    /* inside one another */
  ASSUMED_TRIPS = 16 /* of loops around updates, as the counts of the updates do */
};

struct choosing {
  struct code *code;
  const struct plan_options *options;
  const struct target *target;
  struct private_arrays arrays;
  struct privatize_shape shape;
  int64_t totals[2]; /* -1: not constant */
  int64_t most_blocks;
  double work; /* cycles of a multiprocessor for all instructions of a warp */
  bool open;   /* how long threads are on their way is not known */
};

static bool decline(struct choosing *c, const char *reason, const struct ir_place *place)
{
  code_decide(c->code, (struct decision){.kind = DECISION_PRIVATE, .place = *place, .why = reason});
  code_remark(c->code, DIAG_NOT_PRIVATE, place, "no array of '%s' is privatised by block: %s",
              c->code->kernel->name, reason);
  return false;
}

/* ---- time, in cycles of the device ---- */

static double lines_of(const struct private_array *own)
{
  return ceil((double)(own->elements * own->element->size) / LINE);
}

static bool is_compared(const struct private_array *own)
{
  return own->element->size > 4 || own->element->kind == IR_TYPE_FLOAT;
}

/* The time of an update as written. A warp's updates of one element count as one: the compiler adds
 * them up. */
static double written_update(const struct private_array *own)
{
  double rate = fmin(lines_of(own) * LINE_RATE, DEVICE_RATE);
  return 1 / rate / (own->elements == 1 && !is_compared(own) ? 32 : 1);
}

static double private_update(const struct choosing *c, const struct private_array *own)
{
  double cycles = own->elements == 1 ? REGISTER_UPDATE
                  : is_compared(own) ? COMPARED_UPDATE
                                     : UPDATE;
  return cycles / 32 / c->target->multiprocessors;
}

/* The elements of a block's copy, all of which it clears and adds. */
static double elements_of_copy(const struct private_array *own)
{
  return (double)((own->open ? own->size[0] : own->elements) * own->copies);
}

static double adding(const struct private_array *own)
{
  double lines =
      ceil(elements_of_copy(own) / (double)own->copies * (double)own->element->size / LINE);
  return lines * FLUSH / fmin(lines, MOST_LINES);
}

static bool no_division(void *context, struct ir_expr *division)
{
  (void)context;
  (void)division;
  return false;
}

/* Measures what takes its time with either kind of update. A loop that threads may leave early is
 * of unknown length, also with a constant number of iterations. */
static void measure_way(struct choosing *c)
{
  struct numbers numbers = {.code = c->code, .thread = -1};
  struct instructions all = {.numbers = &numbers,
                             .is_cheap = no_division,
                             .assumed = ASSUMED_TRIPS,
                             .calls = SEEDED(WAY_ENDS_AT_CALLS) ? 0 : MOST_CALLS,
                             .around = 1,
                             .unrolled = 1};

  for (int axis = 0; axis < 3; axis++) numbers.block[axis] = c->code->facts.block[axis];
  instructions_count(&all, c->code->facts.kernel->body);
  c->work = SEEDED(PRIVATE_WAY_FREE) ? 0 : instructions_cycles(&all);
  c->open = all.open;
}

/* The time as written over that with private copies, for a number of threads and blocks of the
 * launch, and the present numbers of elements. */
static double gain_of_sizes(const struct choosing *c, double threads, double blocks)
{
  double written = 0, private = 0, read = 0, added = 0, sms = c->target->multiprocessors,
         work = threads * c->work / 32 / sms;

  for (unsigned i = 0; i < c->arrays.count; i++) {
    const struct private_array *own = &c->arrays.items[i];
    written += threads * own->updates * written_update(own);
    private += threads * own->updates * private_update(c, own);
    added += blocks * adding(own) + ceil(blocks / sms) * elements_of_copy(own) * 4 / THREADS;
    read += threads * own->updates * BYTES_READ / STREAM / sms;
  }
  read = fmax(read, work);
  return fmax(written, read) / (fmax(private, read) + added + ceil(blocks / sms) * BLOCK);
}

/* The least one over the lengths that the launch may have. */
static double gain_of(struct choosing *c, double threads, double blocks)
{
  struct private_arrays known = c->arrays;
  double least = INFINITY;
  bool sized = false;

  for (unsigned i = 0; i < known.count; i++)
    sized |= known.items[i].length != NULL || known.items[i].open;
  for (int64_t length = sized ? LEAST_LENGTH : MOST_LENGTH; length <= MOST_LENGTH; length *= 4) {
    for (unsigned i = 0; i < known.count; i++)
      if (known.items[i].length || known.items[i].open) {
        struct private_array *own = &c->arrays.items[i];
        own->elements = length < known.items[i].elements ? length : known.items[i].elements;
        if (!own->open) own->copies = private_copies(own->elements);
      }
    least = fmin(least, gain_of_sizes(c, threads, blocks));
  }
  c->arrays = known;
  return least;
}

/* ---- blocks that take turns ---- */

static bool find_totals(struct choosing *c)
{
  const struct kernel_facts *facts = &c->code->facts;

  for (int axis = 0; axis < 2; axis++) {
    bool known = facts->block[axis] > 0 && facts->grid[axis] > 0;
    c->totals[axis] = known ? facts->block[axis] * facts->grid[axis] : -1;
    if (c->totals[axis] > INT32_MAX) return false;
  }
  return true;
}

/* Has the kernel loops? If loops lead to the updates, as many threads as possible must be under
 * way. */
static bool goes_through_loops(const struct code *code)
{
  return loop_number(code->facts.kernel->body) > 0;
}

static void choose_shape(struct choosing *c)
{
  bool flat = c->totals[1] > 0 ? c->totals[1] == 1 : !shape_names_rows(c->code),
       several =
           !c->arrays.in_loops && c->arrays.updates <= MOST_UPDATES && !goes_through_loops(c->code);
  int64_t rounds = several ? ROUNDS : 1, columns = flat ? THREADS : COLUMNS, rows = flat ? 1 : ROWS;
  uint64_t shared = c->arrays.bytes + 1024;
  int64_t resident = c->target->threads_per_sm / THREADS;

  while (resident > 1 && (uint64_t)resident * shared > c->target->shared_per_sm) resident--;
  c->shape = (struct privatize_shape){{{columns * rounds, rows}, {columns, rows}, {1, 1}, 0, false},
                                      rounds};
  c->most_blocks = (int64_t)c->target->multiprocessors * resident;
}

static double blocks_of(const struct choosing *c, double elements)
{
  const struct geometry *geometry = &c->shape.geometry;
  return fmin(ceil(elements / (double)(geometry->block[0] * geometry->block[1])),
              (double)c->most_blocks);
}

/* The number of elements from which private copies gain; 0: never. */
static int64_t least_elements(struct choosing *c)
{
  for (int64_t elements = 1; elements < INT64_C(1) << 31; elements *= 2)
    if (gain_of(c, (double)elements, blocks_of(c, (double)elements)) >= GAIN_NEEDED)
      return elements;
  return 0;
}

static const char *names(const struct choosing *c)
{
  const char *text = "";

  for (unsigned i = 0; i < c->arrays.count; i++)
    text = arena_format(c->code->arena, "%s%s%s", text, *text ? ", " : "",
                        c->arrays.items[i].var->name);
  return text;
}

static int64_t clipped(int64_t blocks, int64_t most)
{
  return blocks < most ? blocks : most > 1 ? most : 1;
}

/* Sets the grid as mesi_few does. */
static void constant_grid(const struct choosing *c, struct kernel_mapping *out)
{
  const struct geometry *geometry = &c->shape.geometry;

  for (int axis = 0; axis < 2; axis++)
    out->grid[axis] = c->totals[axis] < 0
                          ? -1
                          : (c->totals[axis] + geometry->block[axis] - 1) / geometry->block[axis];
  out->grid[2] = c->code->facts.grid[2];
  if (out->grid[0] < 0 || out->grid[1] < 0 || out->grid[2] < 0) {
    out->grid[0] = out->grid[1] = -1;
    return;
  }
  out->grid[0] = clipped(out->grid[0], c->most_blocks);
  out->grid[1] = clipped(out->grid[1], c->most_blocks / out->grid[0]);
}

static struct kernel_mapping *in_turns(struct choosing *c, const char **ret_reason,
                                       struct ir_place *ret_place)
{
  const struct geometry *geometry = &c->shape.geometry;
  struct ir_var *totals[2];
  struct ir_function *code =
      privatize_build(c->code, &c->arrays, &c->shape, totals, ret_reason, ret_place);

  if (!code) return NULL;
  struct kernel_mapping *out = ARENA_NEW(c->code->arena, struct kernel_mapping);
  out->version_count = 1;
  out->versions[0] =
      (struct mapped_version){.code = code,
                              .block = {geometry->block[0], geometry->block[1]},
                              .threads = {geometry->threads[0], geometry->threads[1]},
                              .shared_bytes = c->arrays.bytes,
                              .most_blocks = c->most_blocks};
  for (int axis = 0; axis < 2; axis++) {
    out->has_total[axis] = totals[axis] != NULL;
    out->totals[axis] = totals[axis];
  }
  constant_grid(c, out);
  out->versions[0].suffix = "private";
  return out;
}

/* False: another shape has no form; *ret_reason says why. */
static bool take_turns(struct choosing *c, struct privatize_plan *ret, const char **ret_reason,
                       struct ir_place *ret_place)
{
  bool always = c->options->mapping == MAPPING_ALWAYS,
       constant = c->totals[0] > 0 && c->totals[1] > 0;
  double elements = constant ? (double)c->totals[0] * (double)c->totals[1] : 0;

  choose_shape(c);
  if (!always && c->open && !c->arrays.in_loops) {
    *ret_reason = "how long its threads go through loops before they update is not known";
    return false;
  }
  int64_t least = always || constant ? 0 : least_elements(c);
  double gain = gain_of(c, constant ? elements : fmax((double)least, 1 << 24),
                        blocks_of(c, constant ? elements : fmax((double)least, 1 << 24)));
  if (!always && ((!constant && !least) || gain < GAIN_NEEDED)) {
    *ret_reason = arena_format(
        c->code->arena, "blocks of their own are predicted to gain a factor of %.2f only", gain);
    return false;
  }
  for (unsigned i = 0; i < c->code->kernel->param_count; i++)
    if (c->code->kernel->params[i]->type->is_unnamed || !c->code->kernel->params[i]->name) {
      *ret_reason = "a parameter of it, or its type, has no name";
      return false;
    }
  struct kernel_mapping *out = ret->mapping = in_turns(c, ret_reason, ret_place);
  if (!out) return false;
  out->gain = gain;
  out->least = out->versions[0].least = least;
  out->versions[0].when = private_lengths(c->code, &c->arrays);
  out->plain = least > 1 || out->versions[0].when ? c->code->facts.kernel : NULL;
  ret->code = out->versions[0].code;
  return true;
}

/* ---- the launch's own shape ---- */

static bool stay_in_place(struct choosing *c, struct privatize_plan *ret)
{
  const struct kernel_facts *facts = &c->code->facts;
  bool always = c->options->mapping == MAPPING_ALWAYS,
       known = facts->block[0] > 0 && facts->block[1] > 0 && facts->block[2] > 0;
  double threads = known ? (double)(facts->block[0] * facts->block[1] * facts->block[2]) : 128,
         blocks = (double)c->target->multiprocessors * 16;

  for (unsigned i = 0; i < c->arrays.count; i++)
    c->arrays.items[i].updates += c->arrays.items[i].block_updates / threads;
  for (unsigned i = 0; i < c->arrays.count; i++)
    if (c->arrays.items[i].length || c->arrays.items[i].open)
      return decline(c, "its length is known to the launch only, and it keeps its shape",
                     &c->code->kernel->name_place);
  if (c->code->access.tail_reject)
    return decline(c, c->code->access.tail_reject, &c->code->access.tail_place);
  if (c->code->kernel->static_shared_bytes + (int64_t)c->arrays.bytes > 49152)
    return decline(c, "they do not fit shared memory besides the kernel's own arrays",
                   &c->code->kernel->name_place);
  for (unsigned i = 0; i < c->arrays.count; i++)
    if (!always && threads * c->arrays.items[i].updates <
                       (double)(LEAST_UPDATES * c->arrays.items[i].elements))
      return decline(c, "a block updates them too rarely", &c->code->kernel->name_place);
  if (!always && gain_of_sizes(c, threads * blocks, blocks) < GAIN_NEEDED)
    return decline(c, "no gain is predicted", &c->code->kernel->name_place);
  ret->code = privatize_build_in_place(c->code, &c->arrays);
  return true;
}

bool privatize_choose(struct code *code, const struct plan_options *options, struct text *dump,
                      struct privatize_plan *ret)
{
  struct choosing c = {.code = code, .options = options, .target = target_of(options->tuned_for)};
  uint64_t capacity = options->shared_memory < 49152 ? options->shared_memory : 49152;
  const char *reason = NULL;
  struct ir_place place = code->kernel->name_place;

  *ret = (struct privatize_plan){0};
  code_scan(code);
  if (options->mapping == MAPPING_NEVER || options->mapping == MAPPING_TEAM ||
      code->access.reject || !code->access.atomics.count ||
      !privatize_find(code, options->associative, capacity, &c.arrays))
    return false;
  measure_way(&c);
  struct code looked = *code;
  looked.facts.kernel = ir_copy_function(code->arena, code->facts.kernel);
  bool free = code->facts.block[2] == 1 && shape_free(&looked, &reason, &place) && find_totals(&c),
       turns = free && take_turns(&c, ret, &reason, &place);
  if (free && !turns) return decline(&c, reason, &place);
  if (!free && !stay_in_place(&c, ret)) return false;
  ret->note =
      arena_format(code->arena, "with what it updates of %s in shared memory, %llu bytes%s",
                   names(&c), (unsigned long long)c.arrays.bytes,
                   turns ? arena_format(code->arena, "; at most %lld blocks, which take turns",
                                        (long long)c.most_blocks)
                         : "");
  if (ret->mapping) ret->mapping->versions[0].note = ret->note;
  code_decide(
      code,
      (struct decision){
          .kind = DECISION_PRIVATE,
          .taken = true,
          .array = c.arrays.count == 1 ? c.arrays.items[0].var->name : NULL,
          .what = arena_format(
              code->arena, "what blocks update of %s is kept in shared memory, %llu bytes%s",
              names(&c), (unsigned long long)c.arrays.bytes, turns ? "; blocks take turns" : ""),
          .gain = ret->mapping ? ret->mapping->gain : 0});
  code_remark(code, DIAG_PRIVATE, NULL, "'%s' privatises %s by block, %llu bytes%s",
              code->kernel->name, names(&c), (unsigned long long)c.arrays.bytes,
              turns ? arena_format(code->arena, "; predicted gain %.1f", ret->mapping->gain) : "");
  text_format(dump, "  plan private %s bytes %llu blocks %lld\n", names(&c),
              (unsigned long long)c.arrays.bytes, (long long)(turns ? c.most_blocks : 0));
  return true;
}

bool plan_privatize(struct draft *draft)
{
  struct privatize_plan arrays;

  if (!privatize_choose(&draft->code, draft->options, draft->dump, &arrays)) return false;
  draft->mapping = arrays.mapping;
  draft->suffix = arrays.mapping ? NULL : "private";
  draft->note = arrays.mapping ? NULL : arrays.note;
  draft->changed = arrays.code;
  ir_own_body(draft->code.arena, arrays.code);
  return true;
}
