/* memory.c - memory for tables, and how a launch's inputs come together.
 *
 * Device memory that is given back is kept for the next table of about its size: getting it from
 * the system takes longer than most buckets. All of it is written by the device only; what the host
 * contributes goes through one piece of memory of its own, so that no page changes hands back and
 * forth. */
#include <stdio.h>
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
    if (!engine->blocks[i].busy) free_block(engine, i);
}

static struct mpf_block *find_idle(struct mpf_engine *engine, size_t count)
{
  struct mpf_block *best = NULL;

  for (unsigned i = 0; i < engine->block_count; i++) {
    struct mpf_block *block = &engine->blocks[i];
    if (!block->busy && block->capacity >= count && block->capacity / 2 <= count + GRAIN &&
        (!best || block->capacity < best->capacity))
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
    if (!blocks) return NULL;
    engine->blocks = blocks;
    engine->block_capacity = wanted;
  }
  if (engine->used + engine->idle + capacity * sizeof(real) > engine->memory) free_idle(engine);
  real *memory = mpf_device_alloc(capacity);
  if (!memory) {
    free_idle(engine);
    memory = mpf_device_alloc(capacity);
  }
  if (!memory) return NULL;
  struct mpf_block *block = &engine->blocks[engine->block_count++];
  *block = (struct mpf_block){memory, capacity, true};
  return block;
}

/* A block is counted as a whole, which may be more than is asked for. */
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
  engine->used += block ? block->capacity * sizeof(real) : 0;
  return block ? block->memory : NULL;
}

static void give_back(struct mpf_engine *engine, const void *memory)
{
  unsigned i = engine->block_count - 1;

  while (engine->blocks[i].memory != memory) i--;
  engine->blocks[i].busy = false;
  engine->used -= engine->blocks[i].capacity * sizeof(real);
  engine->idle += engine->blocks[i].capacity * sizeof(real);
  engine->idle_count++;
  if (engine->idle_count > KEPT) free_block(engine, i);
}

void *mpf_engine_acquire(struct mpf_engine *engine, size_t count, bool device)
{
  size_t bytes = count * sizeof(real);
  void *memory = device ? take(engine, count) : malloc(bytes + 64);

  engine->used += memory && !device ? bytes : 0;
  engine->peak = engine->used > engine->peak ? engine->used : engine->peak;
  return memory;
}

void mpf_engine_release(struct mpf_engine *engine, void *memory, size_t count, bool device)
{
  if (!memory) return;
  if (device) {
    give_back(engine, memory);
  } else {
    engine->used -= count * sizeof(real);
    free(memory);
  }
}

void mpf_engine_forget_memory(struct mpf_engine *engine)
{
  free_idle(engine);
  free(engine->blocks);
  if (engine->staging) mpf_device_free(engine->staging);
}

/* ---- the machine ---- */

/* The number behind `name` in a file of lines, or the first one where that is NULL; `other` where
 * there is none. */
static double read_number(const char *path, const char *name, double other)
{
  FILE *file = fopen(path, "r");
  char line[256];
  double value, found = other;

  while (file && fgets(line, sizeof line, file)) {
    size_t skip = name ? strlen(name) : 0;
    if (name && strncmp(line, name, skip)) continue;
    if (sscanf(line + skip, "%lf", &value) == 1) found = value;
    break;
  }
  if (file) fclose(file);
  return found;
}

size_t mpf_machine_memory(void)
{
  const double unknown = 6e9, kilobyte = 1024;
  double all = read_number("/proc/meminfo", "MemTotal:", unknown / kilobyte) * kilobyte;
  double free_bytes = read_number("/proc/meminfo", "MemAvailable:", all / kilobyte) * kilobyte;
  double group = read_number("/sys/fs/cgroup/memory.max", NULL,
                             read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", NULL, all));
  double least = group < all ? group : all;

  return (size_t)(0.7 * least < 0.85 * free_bytes ? 0.7 * least : 0.85 * free_bytes);
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
    if (!device) *ret_host = size;
  }
  return size;
}

bool mpf_engine_reserve(struct mpf_engine *engine, size_t count)
{
  if (engine->staging_size >= count) return true;
  if (engine->staging) mpf_device_free(engine->staging);
  engine->used -= engine->staging_size * sizeof(real);
  engine->staging_size = 2 * count;
  engine->staging = mpf_device_alloc(engine->staging_size);
  engine->staging_size = engine->staging ? engine->staging_size : 0;
  engine->used += engine->staging_size * sizeof(real);
  return engine->staging != NULL;
}

bool mpf_job_gather(struct mpf_engine *engine, unsigned count, const struct mpf_job *jobs,
                    const size_t *bases, size_t host, real *pool)
{
  if (host && !mpf_engine_reserve(engine, host)) return false;
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
    if (!device && host) mpf_device_copy(pool, engine->staging, host);
  }
  return true;
}
