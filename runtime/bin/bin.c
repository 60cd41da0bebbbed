/* SPDX-License-Identifier: MIT */
/* bin.c - mesi_bin_*: the checks, the memory and the order of the steps.
 *
 *     count    locate -> bin, rank, counts;  measure -> depths
 *     place    stable: starts = sums of counts, rank;
 *              limit and scan -> offsets, overflow offsets;  place
 *     split    pieces of the overflow
 *
 * Each step is a launch to the rest of the runtime: the arrays are VS objects, and their uses by
 * the step are announced. Arrays that a step writes in full never move. Only `found`, which has the
 * results of the steps, comes to the host.
 */
#include "bin.h"

#include "../base/error.h"
#include "../mesi_bin_steps.h"
#include "../launch/uses.h"
#include "../object/object.h"
#include "../stream/order.h"
#include "../transfer/state.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the steps as launches ---- */

enum step { CLEAR, LOCATE, RANK, ORDER, MEASURE, LIMIT, SCAN, SENTINELS, PLACE, SPLIT, STEP_COUNT };

static const struct mesi_site sites[STEP_COUNT] = {
    [CLEAR] = {.kernel = "mesi_bin clear", .place = "mesi_bin.h"},
    [LOCATE] = {.kernel = "mesi_bin locate", .place = "mesi_bin.h"},
    [RANK] = {.kernel = "mesi_bin rank", .place = "mesi_bin.h"},
    [ORDER] = {.kernel = "mesi_bin order", .place = "mesi_bin.h"},
    [MEASURE] = {.kernel = "mesi_bin measure", .place = "mesi_bin.h"},
    [LIMIT] = {.kernel = "mesi_bin limit", .place = "mesi_bin.h"},
    [SCAN] = {.kernel = "mesi_bin scan", .place = "mesi_bin.h"},
    [SENTINELS] = {.kernel = "mesi_bin sentinels", .place = "mesi_bin.h"},
    [PLACE] = {.kernel = "mesi_bin place", .place = "mesi_bin.h"},
    [SPLIT] = {.kernel = "mesi_bin split", .place = "mesi_bin.h"},
};
static const struct mesi_file file = {MESI_ABI, "mesi_bin.h", NULL, 0, sites, STEP_COUNT};
static const struct mesi_bin_steps *used; /* under the lock */

void mesi_bin_use(const struct mesi_bin_steps *given) { used = given; }

static void register_once(void)
{
  static bool done; /* under the lock */
  mesi_lock();
  bool first = !done;
  done = true;
  mesi_unlock();
  if (first) mesi_register(&file);
}

static const struct mesi_bin_steps *steps(void)
{
  const struct mesi_bin_steps *ret = used ? used : mesi_device.bins;
  mesi_launch_for_one_rank(NULL, "bins are made by one rank alone");
  if (!ret)
    mesi_fatal("mesi_bin", NULL,
               "no file of the program that is compiled for the device includes mesi_bin.h");
  return ret;
}

static void begin(enum step step)
{
  mesi_launch_begin(&file, step);
  mesi_launch_stream(NULL);
}

static void end(const char *cause)
{
  mesi_check(cause, NULL, "mesi_bin");
  mesi_launch_end();
}

static void *reads(const void *memory, size_t bytes)
{
  return mesi_launch_arg_range(memory, 0, (ptrdiff_t)bytes, 0, 0, MESI_READ);
}

static void *fills(void *memory, size_t bytes)
{
  return mesi_launch_arg_range(memory, 0, 0, 0, (ptrdiff_t)bytes, MESI_WRITE | MESI_OVERWRITE);
}

static void *updates(void *memory, size_t bytes)
{
  return mesi_launch_arg_range(memory, 0, (ptrdiff_t)bytes, 0, (ptrdiff_t)bytes, MESI_READ_WRITE);
}

/* The square root: the runtime is linked without the mathematical library. */
static double square_root(double of)
{
  double ret = of > 1 ? of : 1;
  if (!(of > 0)) return 0;
  for (double next = (ret + of / ret) / 2; next < ret; next = (ret + of / ret) / 2) ret = next;
  return ret;
}

/* ---- memory ---- */

enum array {
  FOUND,
  BIN,
  RANKS,
  NUMBERS,
  COUNTS,
  STARTS,
  OFFSETS,
  SIZES,
  ELEMENTS,
  OVERFLOW,
  OVERFLOW_OFFSETS,
  PIECES,
  TEMPORARY,
  ARRAY_COUNT
};

static const char *const array_names[ARRAY_COUNT] = {"results",
                                                     "bin numbers",
                                                     "places in the bins",
                                                     "numbers",
                                                     "counts",
                                                     "sums",
                                                     "offsets",
                                                     "sizes",
                                                     "binned elements",
                                                     "overflow",
                                                     "offsets of the overflow",
                                                     "pieces",
                                                     "working memory"};

struct mesi_bin_store {
  void *memory[ARRAY_COUNT];     /* VS memory; NULL: none */
  size_t room[ARRAY_COUNT];      /* bytes */
  bool counted, ordered, summed; /* summed: STARTS has the sums of the counts */
};

static void release(struct mesi_bin_store *store, enum array array)
{
  if (store->memory[array]) mesi_free(store->memory[array]);
  store->memory[array] = NULL;
  store->room[array] = 0;
}

static size_t available(void)
{
  size_t total = 0, ret = 0;
  mesi_lock();
  int device = mesi_order_device();
  mesi_check(mesi_device.memory(device, &total, &ret), NULL, "asking for the device's memory size");
  mesi_unlock();
  return ret;
}

/* Gets device memory for the object that contains the address. false: the device lacks room. */
static bool obtain(const void *memory)
{
  mesi_lock();
  int device = mesi_order_device();
  struct mesi_object *object = mesi_object_of_pointer(memory);
  mesi_state_prepare(object);
  bool ret = mesi_object_room(object, device) != NULL;
  mesi_unlock();
  return ret;
}

/* The array with room for so many bytes; a larger one is new, and the old contents are lost. */
static void *reserve(struct mesi_bins *bins, enum array array, size_t bytes)
{
  struct mesi_bin_store *store = bins->store;
  if (store->memory[array] && bytes <= store->room[array]) return store->memory[array];
  release(store, array);
  void *memory = bytes ? mesi_malloc(bytes) : NULL;
  if (memory && !obtain(memory)) {
    mesi_free(memory);
    memory = NULL;
  }
  if (!memory) {
    mesi_bin_fail(bins->message, MESI_BIN_NO_MEMORY,
                  "not enough memory: %zu bytes for the %s of %lld bins and %lld elements, %zu are "
                  "free on the device",
                  bytes, array_names[array], bins->bin_count, bins->count, available());
    return NULL;
  }
  store->memory[array] = memory;
  store->room[array] = bytes;
  return memory;
}

static size_t ints(long long count) { return (size_t)count * sizeof(int); }

/* ---- beginning and end ---- */

int mesi_bin_init(struct mesi_bins *bins, const struct mesi_bin_grid *grid,
                  const struct mesi_bin_options *options)
{
  register_once();
  memset(bins, 0, sizeof *bins);
  bins->grid = *grid;
  bins->options = *options;
  int status = mesi_bin_check_grid(bins);
  if (!status) status = mesi_bin_check_options(bins);
  if (!status && !(bins->store = calloc(1, sizeof *bins->store)))
    status = mesi_bin_fail(bins->message, MESI_BIN_NO_MEMORY, "not enough memory");
  return status;
}

void mesi_bin_finish(struct mesi_bins *bins)
{
  if (!bins->store) return;
  for (int i = 0; i < ARRAY_COUNT; i++) release(bins->store, (enum array)i);
  free(bins->store);
  memset(bins, 0, sizeof *bins);
}

/* ---- counting ---- */

static struct mesi_bin_found *ask(struct mesi_bins *bins)
{
  struct mesi_bin_found *found = reserve(bins, FOUND, sizeof *found);
  if (!found) return NULL;
  mesi_touch_range(found, sizeof *found, MESI_WRITE | MESI_OVERWRITE);
  *found = (struct mesi_bin_found){
      .not_finite = MESI_BIN_NONE, .outside = MESI_BIN_NONE, .least = MESI_BIN_NONE};
  return found;
}

static struct mesi_bin_found answer(const struct mesi_bin_found *found)
{
  mesi_touch_range(found, sizeof *found, MESI_READ);
  return *found;
}

static void measure(struct mesi_bins *bins, const int *counts, int depth,
                    struct mesi_bin_found *found)
{
  begin(MEASURE);
  end(steps()->measure(reads(counts, ints(bins->bin_count)), bins->bin_count, depth,
                       bins->options.align, updates(found, sizeof *found)));
}

/* Both steps run before the host looks at `found`. */
static int locate(struct mesi_bins *bins, const void *elements, struct mesi_bin_found *ret_found)
{
  /* the last one stays 0, for sums */
  size_t each = ints(bins->count), all = ints(bins->bin_count + 1);
  int *bin = reserve(bins, BIN, each), *rank = reserve(bins, RANKS, each),
      *counts = reserve(bins, COUNTS, all);
  struct mesi_bin_found *found = ask(bins);
  if (!bin || !rank || !counts || !found) return MESI_BIN_NO_MEMORY;
  begin(CLEAR);
  end(steps()->clear(fills(counts, all), 0, all));
  begin(LOCATE);
  end(steps()->locate(&bins->grid, reads(elements, each * bins->options.words), bins->options.words,
                      bins->count, fills(bin, each), fills(rank, each), updates(counts, all),
                      updates(found, sizeof *found)));
  measure(bins, counts, INT32_MAX, found);
  *ret_found = answer(found);
  if (ret_found->not_finite != MESI_BIN_NONE)
    return mesi_bin_fail(bins->message, MESI_BIN_NOT_FINITE,
                         "a coordinate of element %lld is infinite or not a number",
                         ret_found->not_finite);
  if (ret_found->outside != MESI_BIN_NONE)
    return mesi_bin_fail(bins->message, MESI_BIN_OUTSIDE,
                         "element %lld lies outside of the box of the bins", ret_found->outside);
  bins->counts = counts;
  return 0;
}

/* The elements beyond a depth, and the slots of bins of that depth. */
static struct mesi_bin_found measure_depth(struct mesi_bins *bins, int depth)
{
  if (depth >= bins->depths.most && bins->options.align <= 1)
    return (struct mesi_bin_found){.beyond = 0, .slots = (unsigned long long)bins->count};
  struct mesi_bin_found *found = ask(bins);
  measure(bins, bins->counts, depth, found);
  return answer(found);
}

static void forget_places(struct mesi_bins *bins)
{
  bins->offsets = bins->sizes = bins->overflow_offsets = NULL;
  bins->elements = bins->overflow = NULL;
  bins->overflow_count = bins->capacity = 0;
  bins->depth = 0;
  bins->bytes = 0;
}

static int start_counting(struct mesi_bins *bins, const void *elements, long long count)
{
  forget_places(bins);
  bins->message[0] = '\0';
  bins->store->counted = bins->store->ordered = bins->store->summed = false;
  bins->counts = NULL;
  bins->count = count;
  bins->depths = (struct mesi_bin_depths){0, 0, 0, 0, 0};
  if (count <= 0 || !elements)
    return mesi_bin_fail(bins->message, MESI_BIN_EMPTY, "there are no elements");
  if (count > INT32_MAX)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION,
                         "%lld elements: at most %d are possible", count, INT32_MAX);
  return 0;
}

int mesi_bin_count(struct mesi_bins *bins, const void *elements, long long count)
{
  struct mesi_bin_found what;
  int status = start_counting(bins, elements, count);
  if (!status) status = locate(bins, elements, &what);
  if (status) {
    bins->count = 0;
    return status;
  }
  double mean = (double)what.sum / (double)bins->bin_count,
         square = (double)what.squares / (double)bins->bin_count;
  bins->depths = (struct mesi_bin_depths){what.least, what.most, mean,
                                          square_root(square - mean * mean), what.empty};
  bins->store->counted = true;
  return 0;
}

long long mesi_bin_beyond(struct mesi_bins *bins, int depth)
{
  if (!bins->store || !bins->store->counted) return -1;
  return (long long)measure_depth(bins, depth < 0 ? 0 : depth).beyond;
}

/* ---- placing ---- */

static int limited(struct mesi_bins *bins, unsigned align, int beyond, int *to)
{
  size_t all = ints(bins->bin_count);
  begin(LIMIT);
  end(steps()->limit(reads(bins->counts, all), bins->bin_count, bins->depth, align, beyond,
                     fills(to, all + sizeof *to)));
  return 0;
}

/* Makes sums of the values; `from` NULL: in place. */
static void scanned(struct mesi_bins *bins, const int *from, int *to)
{
  size_t bytes = ints(bins->bin_count + 1), room = bins->store->room[TEMPORARY];
  begin(SCAN);
  const int *values = from ? reads(from, bytes) : NULL;
  int *sums = from ? fills(to, bytes) : updates(to, bytes);
  end(steps()->scan(from ? values : sums, sums, bins->bin_count + 1,
                    fills(bins->store->memory[TEMPORARY], room), room));
}

/* The starts of the bins: the sums of the elements that they keep, or, with `beyond`, do not
 * keep. */
static const int *sums(struct mesi_bins *bins, enum array array, unsigned align, int beyond)
{
  int *to = reserve(bins, array, ints(bins->bin_count + 1));
  if (!to) return NULL;
  limited(bins, align, beyond, to);
  scanned(bins, NULL, to);
  return to;
}

/* The starts of bins without a limit. */
static const int *starts_of(struct mesi_bins *bins)
{
  struct mesi_bin_store *store = bins->store;
  size_t temporary = steps()->temporary(bins->count, bins->bin_count + 1, bins->options.stable);
  if (store->summed) return store->memory[STARTS];
  int *to =
      reserve(bins, TEMPORARY, temporary) ? reserve(bins, STARTS, ints(bins->bin_count + 1)) : NULL;
  if (to) scanned(bins, bins->counts, to);
  store->summed = to != NULL;
  return to;
}

/* Replaces the ranks, which have any order, by ranks in the order of the elements. */
static int rank_in_order(struct mesi_bins *bins)
{
  struct mesi_bin_store *store = bins->store;
  size_t each = ints(bins->count);
  const int *starts = starts_of(bins);
  if (!starts) return MESI_BIN_NO_MEMORY;
  begin(RANK);
  end(steps()->rank(reads(store->memory[BIN], each), bins->count, bins->bin_count,
                    reads(starts, ints(bins->bin_count + 1)), fills(store->memory[RANKS], each),
                    fills(store->memory[TEMPORARY], store->room[TEMPORARY]),
                    store->room[TEMPORARY]));
  return 0;
}

int mesi_bin_order(struct mesi_bins *bins, const int **ret_order)
{
  struct mesi_bin_store *store = bins->store;
  if (!store || !store->counted)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION,
                         "mesi_bin_order without mesi_bin_count");
  size_t each = ints(bins->count);
  int *order = reserve(bins, NUMBERS, each);
  const int *starts = !order ? NULL : store->ordered ? order : starts_of(bins);
  if (!starts) return MESI_BIN_NO_MEMORY;
  if (!store->ordered) {
    begin(ORDER);
    end(steps()->order(reads(store->memory[BIN], each), reads(store->memory[RANKS], each),
                       reads(starts, ints(bins->bin_count + 1)), bins->count, fills(order, each)));
  }
  store->ordered = true;
  *ret_order = order;
  return 0;
}

static int arrange_compact(struct mesi_bins *bins, unsigned long long slots)
{
  unsigned align = bins->options.align;
  if (slots > INT32_MAX - 1024)
    return mesi_bin_fail(bins->message, MESI_BIN_NO_MEMORY,
                         "%llu elements with those that pad bins: at most %d are possible", slots,
                         INT32_MAX - 1024);
  bool whole = bins->depth >= bins->depths.most && align <= 1;
  bins->offsets = whole ? starts_of(bins) : sums(bins, OFFSETS, align, 0);
  bins->capacity = (long long)slots;
  bins->bytes = ints(bins->bin_count + 1);
  return bins->offsets ? 0 : MESI_BIN_NO_MEMORY;
}

/* The sizes of counted and of aligned bins. */
static int arrange_sizes(struct mesi_bins *bins)
{
  bins->bytes += bins->options.form == MESI_BIN_SENTINEL ? 0 : ints(bins->bin_count);
  if (bins->depth >= bins->depths.most) {
    bins->sizes = bins->counts;
    return 0;
  }
  int *sizes = reserve(bins, SIZES, ints(bins->bin_count + 1));
  if (!sizes) return MESI_BIN_NO_MEMORY;
  limited(bins, 1, 0, sizes);
  bins->sizes = sizes;
  return 0;
}

static int arrange(struct mesi_bins *bins, unsigned long long slots)
{
  bool compact = bins->options.form == MESI_BIN_COMPACT;
  int status = compact ? arrange_compact(bins, slots) : 0;
  if (!compact) bins->capacity = bins->bin_count * bins->depth;
  if (!status && (!compact || bins->options.align > 1)) status = arrange_sizes(bins);
  return status;
}

/* Room for the elements, with zeros in the added words and sentinels in free slots. *ret_held: the
 * array has such words or slots. */
static void *prepare_elements(struct mesi_bins *bins, bool *ret_held)
{
  const struct mesi_bin_options *options = &bins->options;
  unsigned vector = options->vector;
  size_t slots = ((size_t)bins->capacity + vector - 1) / vector * vector, bytes;
  if (__builtin_mul_overflow(slots, (size_t)options->pitch * 4, &bytes)) bytes = SIZE_MAX / 4;
  void *to = reserve(bins, ELEMENTS, bytes);
  if (!to) return NULL;
  bool cleared = options->pitch > options->words;
  if (cleared) {
    begin(CLEAR);
    end(steps()->clear(fills(to, bytes), 0, bytes));
  }
  if (options->form == MESI_BIN_SENTINEL) {
    begin(SENTINELS);
    end(steps()->sentinels(reads(bins->sizes, ints(bins->bin_count)), bins->bin_count, bins->depth,
                           options->pitch, vector,
                           cleared ? updates(to, bytes) : fills(to, bytes)));
  }
  *ret_held = cleared || options->form == MESI_BIN_SENTINEL;
  bins->bytes += bytes;
  return to;
}

static int prepare_overflow(struct mesi_bins *bins, unsigned long long beyond)
{
  bins->overflow_count = (long long)beyond;
  if (!beyond) return 0;
  bins->overflow_offsets = sums(bins, OVERFLOW_OFFSETS, 1, 1);
  bins->overflow = reserve(bins, OVERFLOW, (size_t)beyond * bins->options.words * 4);
  return bins->overflow_offsets && bins->overflow ? 0 : MESI_BIN_NO_MEMORY;
}

static void place(struct mesi_bins *bins, const void *elements, void *to, bool held)
{
  size_t bytes = bins->store->room[ELEMENTS];
  struct mesi_bin_store *store = bins->store;
  size_t each = ints(bins->count), sums_bytes = ints(bins->bin_count + 1);
  struct mesi_bin_placing placing = {.count = bins->count,
                                     .words = bins->options.words,
                                     .pitch = bins->options.pitch,
                                     .vector = bins->options.vector,
                                     .depth = bins->depth};
  begin(PLACE);
  placing.from = reads(elements, each * bins->options.words);
  placing.bin = reads(store->memory[BIN], each);
  placing.rank = reads(store->memory[RANKS], each);
  placing.offsets = bins->offsets ? reads(bins->offsets, sums_bytes) : NULL;
  placing.to = held ? updates(to, bytes) : fills(to, bytes);
  if (bins->overflow_count) {
    placing.overflow_offsets = reads(bins->overflow_offsets, sums_bytes);
    placing.overflow =
        fills(store->memory[OVERFLOW], (size_t)bins->overflow_count * bins->options.words * 4);
  }
  end(steps()->place(&placing));
  bins->elements = to;
}

static void account(struct mesi_bins *bins)
{
  size_t all = 0;
  for (int i = 0; i < ARRAY_COUNT; i++) all += bins->store->room[i];
  bins->scratch_bytes = all > bins->bytes ? all - bins->bytes : 0;
}

static int try_place(struct mesi_bins *bins, const void *elements)
{
  struct mesi_bin_found what = measure_depth(bins, bins->depth);
  size_t temporary = steps()->temporary(bins->count, bins->bin_count + 1, bins->options.stable);
  int status = reserve(bins, TEMPORARY, temporary) ? 0 : MESI_BIN_NO_MEMORY;
  if (!status && bins->options.stable) status = rank_in_order(bins);
  if (!status) status = arrange(bins, what.slots);
  if (!status) status = prepare_overflow(bins, what.beyond);
  bool held = false;
  void *to = status ? NULL : prepare_elements(bins, &held);
  if (!to) return status ? status : MESI_BIN_NO_MEMORY;
  place(bins, elements, to, held);
  account(bins);
  return 0;
}

int mesi_bin_place(struct mesi_bins *bins, const void *elements, int depth)
{
  if (!bins->store || !bins->store->counted)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION,
                         "mesi_bin_place without mesi_bin_count");
  if (depth < 0) return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION, "a depth of %d", depth);
  forget_places(bins);
  bins->message[0] = '\0';
  bins->depth = depth && depth < bins->depths.most ? depth : (int)bins->depths.most;
  int status = try_place(bins, elements);
  if (status) forget_places(bins);
  return status;
}

int mesi_bin_fill(struct mesi_bins *bins, const void *elements, long long count, int depth)
{
  int status = mesi_bin_count(bins, elements, count);
  return status ? status : mesi_bin_place(bins, elements, depth);
}

/* ---- pieces ---- */

int mesi_bin_split(struct mesi_bins *bins, int most, const struct mesi_bin_piece **ret_pieces,
                   int *ret_count)
{
  if (!bins->elements || most < 1)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION,
                         "mesi_bin_split without mesi_bin_place, or into pieces of %d elements",
                         most);
  *ret_pieces = NULL;
  *ret_count = 0;
  if (!bins->overflow_count) return 0;
  long long deep = bins->overflow_count < bins->bin_count ? bins->overflow_count : bins->bin_count;
  size_t bytes = (size_t)(deep + bins->overflow_count / most) * sizeof(struct mesi_bin_piece);
  struct mesi_bin_piece *pieces = reserve(bins, PIECES, bytes);
  if (!pieces) return MESI_BIN_NO_MEMORY;
  struct mesi_bin_found *found = ask(bins);
  begin(SPLIT);
  end(steps()->split(reads(bins->overflow_offsets, ints(bins->bin_count + 1)), bins->bin_count,
                     most, fills(pieces, bytes), updates(found, sizeof *found)));
  *ret_count = answer(found).pieces;
  *ret_pieces = pieces;
  return 0;
}
