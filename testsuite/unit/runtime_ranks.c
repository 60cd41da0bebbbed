/* SPDX-License-Identifier: MIT */
/* runtime_ranks.c - random programs over GPUs of several ranks, on cuda_sim.c and nccl_sim.c. Run
 * under mpirun with MESI_RANKS; by itself it is one rank. Each rank makes the same program, and
 * compares what the host reads with the same program on plain arrays. The status says whether all
 * is right. RANKS_FAULT: in the middle rank 1 ends (leave), never goes on (stop) or makes a launch
 * with another value (differ).
 */
#include "cuda_sim.h"
#include "mesi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 512, BLOCKS = 40, BYTES = BLOCK * BLOCKS, OBJECTS = 4, STEPS = 400, PAGE = 4096 };
enum { WIDE = 5 << 17 };

#define PAGED(name) \
  static struct { \
    _Alignas(PAGE) unsigned char value[BYTES]; \
    char end; \
  } name

PAGED(a_store);
PAGED(b_store);
static const struct mesi_var vars[] = {
    {"a", a_store.value, BYTES, NULL, 0, NULL, "r.mcu:1"},
    {"b", b_store.value, BYTES, NULL, MESI_VAR_GUARDED, NULL, "r.mcu:2"},
};
static const struct mesi_site sites[] = {{"k0", "r.mcu:10", NULL, 0, 0},
                                         {"k1", "r.mcu:11", NULL, 0, 0}};
static const struct mesi_file file = {MESI_ABI, "r.mcu", vars, 2, sites, 2};
static const struct mesi_part none;

static unsigned char *objects[OBJECTS], models[OBJECTS][BYTES];
static unsigned draws = 12345; /* the same on all ranks */

static unsigned draw(unsigned below)
{
  draws = draws * 1664525 + 1013904223;
  return (draws >> 8) % below;
}

struct work { /* of a run of blocks: mixes what is near an element into it */
  const unsigned char *source;
  unsigned char *target;
  ptrdiff_t below, above;
  unsigned first, blocks, seed;
};

static bool work_on(void *context)
{
  const struct work *work = context;
  ptrdiff_t end = (ptrdiff_t)(work->first + work->blocks) * BLOCK;
  for (ptrdiff_t i = (ptrdiff_t)work->first * BLOCK; i < end; i++) {
    ptrdiff_t low = i - work->below, high = i + work->above;
    unsigned sum = work->seed + work->source[i];
    if (low >= 0) sum = sum * 31 + work->source[low];
    if (high < BYTES) sum = sum * 31 + work->source[high];
    work->target[i] = (unsigned char)(sum + (unsigned)i * 7);
  }
  return true;
}

static void start(cudaStream_t stream, const struct work *work)
{
  const unsigned grid[] = {work->blocks, 1, 1}, block[] = {BLOCK, 1, 1};
  if (mesi_launch_elsewhere(grid, block)) return;
  struct work *copy = malloc(sizeof *copy);
  *copy = *work;
  cuda_sim_submit(stream, work_on, copy);
}

static void launch(struct work *work, unsigned site, bool parts, cudaStream_t stream)
{
  ptrdiff_t low = work->below, high = work->above;
  struct mesi_part reads = {BLOCK, -low, BLOCK + high}, writes = {BLOCK, 0, BLOCK};
  struct work part = *work;
  unsigned some;
  mesi_launch_begin(&file, site);
  if (parts) mesi_launch_on_devices();
  mesi_launch_stream(stream);
  part.source =
      mesi_launch_arg_parts(work->source, -low, BYTES + high, 0, 0, MESI_READ, reads, none);
  part.target = mesi_launch_arg_parts(work->target, 0, 0, 0, BYTES, MESI_WRITE | MESI_OVERWRITE,
                                      none, writes);
  const unsigned char *source = part.source;
  unsigned char *target = part.target;
  if (!mesi_launch_parts(BLOCKS, BLOCKS)) start(stream, &part);
  while (mesi_launch_next_part(&part.first, &some)) {
    part.blocks = some;
    part.source = mesi_launch_part_pointer(source);
    part.target = mesi_launch_part_pointer(target);
    start(mesi_launch_part_stream(stream), &part);
  }
  mesi_launch_end();
}

static void random_launch(cudaStream_t stream)
{
  unsigned from = draw(OBJECTS), to = (from + 1 + draw(OBJECTS - 1)) % OBJECTS;
  unsigned reach = draw(4) ? 100 : BYTES;
  struct work work = {objects[from], objects[to], draw(reach), draw(reach), 0, BLOCKS, draw(256)};
  struct work model = work;
  launch(&work, draw(2), draw(5) > 0, stream);
  model.source = models[from];
  model.target = models[to];
  work_on(&model);
}

static void random_write(void)
{
  unsigned object = draw(OBJECTS), begin = draw(BYTES), bytes = 1 + draw(BYTES - begin);
  mesi_touch_range(objects[object] + begin, bytes, MESI_WRITE);
  for (unsigned i = begin; i < begin + bytes; i++)
    objects[object][i] = models[object][i] = (unsigned char)draw(256);
}

static bool is_right(unsigned object, unsigned begin, unsigned bytes)
{
  mesi_touch_range(objects[object] + begin, bytes, MESI_READ);
  for (unsigned i = begin; i < begin + bytes; i++)
    if (objects[object][i] != models[object][i]) {
      fprintf(stderr, "object %u, byte %u: %u in place of %u\n", object, i, objects[object][i],
              models[object][i]);
      return false;
    }
  return true;
}

static bool random_read(void)
{
  unsigned object = draw(OBJECTS), begin = draw(BYTES);
  return is_right(object, begin, 1 + draw(BYTES - begin));
}

/* Moves an object that goes in several copies on a rank where it is not page-locked. */
static void send_wide(cudaStream_t stream)
{
  const unsigned grid[] = {1, 1, 1}, block[] = {1, 1, 1};
  unsigned char *wide = mesi_malloc(WIDE);
  for (int time = 0; time < 6; time++) {
    mesi_touch_range(wide, WIDE, MESI_WRITE);
    memset(wide, time, WIDE);
    mesi_launch_begin(&file, 0);
    mesi_launch_stream(stream);
    mesi_launch_arg(wide, MESI_READ);
    mesi_launch_elsewhere(grid, block); /* the kernel would do nothing */
    mesi_launch_end();
  }
  mesi_free(wide);
}

/* The fault of this rank in this step. */
static bool has_fault(const char *name, int step)
{
  const char *fault = getenv("RANKS_FAULT"), *rank = getenv("OMPI_COMM_WORLD_RANK");
  return step == STEPS / 2 && fault && rank && strcmp(rank, "1") == 0 && strcmp(fault, name) == 0;
}

int main(int argc, char **argv)
{
  cudaStream_t streams[2] = {NULL, NULL};
  bool right = true;
  if (argc > 1) draws = (unsigned)atoi(argv[1]);
  mesi_register(&file);
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&streams[1], 0);
  objects[0] = a_store.value;
  objects[1] = b_store.value;
  objects[2] = mesi_malloc(BYTES);
  objects[3] = mesi_malloc(BYTES);
  mesi_touch_range(objects[2], BYTES, MESI_WRITE);
  mesi_touch_range(objects[3], BYTES, MESI_WRITE);
  memset(objects[2], 0, BYTES);
  memset(objects[3], 0, BYTES);
  unsigned stream = draw(2); /* one: the streams of a program are for it to order */
  for (int step = 0; step < STEPS && right; step++) {
    if (has_fault("leave", step)) _exit(7);
    while (has_fault("stop", step)) pause();
    if (has_fault("differ", step)) draw(2);
    if (draw(10) < 8)
      random_launch(streams[stream]);
    else if (draw(2))
      random_write();
    else
      right = random_read();
  }
  send_wide(streams[stream]);
  for (unsigned i = 0; i < OBJECTS && right; i++) right = is_right(i, 0, BYTES);
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
