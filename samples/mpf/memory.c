/* memory.c - memory for tables, and how a launch's inputs come together.
 *
 * Device memory that is given back is kept for the next table of about its size: getting it from the system takes longer than
 * most buckets. All of it is written by the device only; what the host contributes goes through one piece of memory of its
 * own, so that no page changes hands back and forth. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "job.h"

enum { KEPT = 16, GRAIN = 1024 }; /* idle blocks; numbers that sizes are rounded to */

struct mpf_block {
  real *memory;
  size_t capacity; /* numbers */
  bool busy;
};

static void free_block(struct mpf_engine *engine, unsigned i)
{
  engine->idle -= engine->blocks[i].busy ? 0 : engine->blocks[i].capacity * sizeof(real);
  engine->idle_count -= !engine->blocks[i].busy;
  mpf_device_free(engine->blocks[i].memory);
  engine->blocks[i] = engine->blocks[--engine->block_count];
}

static void free_idle(struct mpf_engine *engine)
{
  for (unsigned i = engine->block_count; i-- > 0;)
    if (!engine->blocks[i].busy)
      free_block(engine, i);
}

static struct mpf_block *find_idle(struct mpf_engine *engine, size_t count)
{
  struct mpf_block *best = NULL;

  for (unsigned i = 0; i < engine->block_count; i++) {
    struct mpf_block *block = &engine->blocks[i];
    if (!block->busy && block->capacity >= count && block->capacity / 2 <= count + GRAIN && (!best || block->capacity < best->capacity))
      best = block;
  }
  return best;
}

static struct mpf_block *new_block(struct mpf_engine *engine, size_t count)
{
  size_t capacity = (count / GRAIN + 1) * GRAIN;

  if (engine->block_count == engine->block_capacity) {
    unsigned wanted = engine->block_capacity ? 2 * engine->block_capacity : 64;
    struct mpf_block *blocks = realloc(engine->blocks, wanted * sizeof *blocks);
    if (!blocks)
      return NULL;
    engine->blocks = blocks;
    engine->block_capacity = wanted;
  }
  if (engine->used + engine->idle + capacity * sizeof(real) > engine->memory)
    free_idle(engine);
  real *memory = mpf_device_alloc(capacity);
  if (!memory) {
    free_idle(engine);
    memory = mpf_device_alloc(capacity);
  }
  if (!memory)
    return NULL;
  struct mpf_block *block = &engine->blocks[engine->block_count++];
  *block = (struct mpf_block){ memory, capacity, true };
  return block;
}

static void *take(struct mpf_engine *engine, size_t count)
{
  struct mpf_block *block = find_idle(engine, count);

  if (!block)
    block = new_block(engine, count);
  else {
    block->busy = true;
    engine->idle -= block->capacity * sizeof(real);
    engine->idle_count--;
  }
  return block ? block->memory : NULL;
}

static void give_back(struct mpf_engine *engine, const void *memory)
{
  unsigned i = engine->block_count - 1;

  while (engine->blocks[i].memory != memory)
    i--;
  engine->blocks[i].busy = false;
  engine->idle += engine->blocks[i].capacity * sizeof(real);
  engine->idle_count++;
  if (engine->idle_count > KEPT)
    free_block(engine, i);
}

void *mpf_engine_acquire(struct mpf_engine *engine, size_t count, bool device)
{
  size_t bytes = count * sizeof(real);
  void *memory = device ? take(engine, count) : malloc(bytes + 64);

  engine->used += memory ? bytes : 0;
  engine->peak = engine->used > engine->peak ? engine->used : engine->peak;
  return memory;
}

void mpf_engine_release(struct mpf_engine *engine, void *memory, size_t count, bool device)
{
  if (!memory)
    return;
  engine->used -= count * sizeof(real);
  if (device)
    give_back(engine, memory);
  else
    free(memory);
}

void mpf_engine_forget_memory(struct mpf_engine *engine)
{
  free_idle(engine);
  free(engine->blocks);
  if (engine->staging)
    mpf_device_free(engine->staging);
}

/* ---- inputs ---- */

size_t mpf_job_place(unsigned count, const struct mpf_job *jobs, size_t *bases, size_t *ret_host)
{
  size_t size = 0;

  for (int device = 0; device < 2; device++) {
    for (unsigned i = 0; i < count; i++)
      for (unsigned f = 0; f < jobs[i].count; f++)
        if (jobs[i].views[f].table->device == device) {
          bases[i * MPF_MOST_FUNCTIONS + f] = size;
          size += jobs[i].bucket.sizes[f];
        }
    if (!device)
      *ret_host = size;
  }
  return size;
}

static bool reserve_staging(struct mpf_engine *engine, size_t count)
{
  if (engine->staging_size >= count)
    return true;
  if (engine->staging)
    mpf_device_free(engine->staging);
  engine->staging_size = 2 * count;
  engine->staging = mpf_device_alloc(engine->staging_size);
  engine->staging_size = engine->staging ? engine->staging_size : 0;
  return engine->staging != NULL;
}

bool mpf_job_gather(struct mpf_engine *engine, unsigned count, const struct mpf_job *jobs, const size_t *bases, size_t host, real *pool)
{
  if (host && !reserve_staging(engine, host))
    return false;
  for (int device = 0; device < 2; device++) {
    for (unsigned i = 0; i < count; i++)
      for (unsigned f = 0; f < jobs[i].count; f++) {
        const struct mpf_view *view = &jobs[i].views[f];
        const real *from = view->table->values + view->base;
        size_t at = bases[i * MPF_MOST_FUNCTIONS + f], size = jobs[i].bucket.sizes[f];
        if (device && view->table->device)
          mpf_device_copy(pool + at, from, size);
        else if (!device && !view->table->device)
          memcpy(engine->staging + at, from, size * sizeof *from);
      }
    if (!device && host)
      mpf_device_copy(pool, engine->staging, host);
  }
  return true;
}
