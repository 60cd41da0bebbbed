/* SPDX-License-Identifier: MIT */
/* watch.c - the part of `mesicc prove` in the running program: the memory of cells, the events, and
 * the final contents.
 *
 * Environment: PROVE_OUT (the output file), PROVE_SEED (inputs become random elements; 0: they keep
 * their values), PROVE_SECONDS (limit on processor time).
 *
 * Random inputs: a number that the program's host code stores from the main thread, outside of
 * kernels and stacks, becomes a random element. It must still have the element of its value, and
 * not be 0. The key is the seed and the count of such stores: both runs have the same host code,
 * and so the same order. */
#define _GNU_SOURCE
#include "record.h"
#include "shadow.h"

#include "../runtime/cpu/scheduler.h"
#include "../runtime/object/guard.h"
#include "../runtime/base/watch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

_Thread_local struct slot prove_args[SLOTS] __attribute__((tls_model("initial-exec")));
_Thread_local struct slot prove_results[SLOTS] __attribute__((tls_model("initial-exec")));
uint32_t prove_random, prove_launch;

enum { STACK_ROOM = 8 << 20, EXIT_UNABLE = 75, WORD = 4 };

static uint64_t seed;
static struct prove_trailer trailer = {.kind = RECORD_END};
static FILE *out;
static _Thread_local const char *stack_top; /* of the main thread */

/* Of the CPU backend (scheduler_internal.h). */
const char *report_kernel_name(const struct mesi_cpu_launch *launch);

/* ---- the memory of cells ---- */

void prove_copy(void *to, const void *from, uint64_t bytes)
{
  uint64_t lead = -(uint64_t)to & (WORD - 1);
  if (((uint64_t)to ^ (uint64_t)from) & (WORD - 1)) {
    prove_clear(to, bytes);
    return;
  }
  if (bytes < lead + WORD) return;
  memmove(cell_of((char *)to + lead), cell_of((const char *)from + lead),
          (bytes - lead) / WORD * sizeof(struct cell));
}

void prove_clear(void *to, uint64_t bytes)
{
  uint64_t lead = -(uint64_t)to & (WORD - 1);
  if (bytes >= lead + WORD)
    memset(cell_of((char *)to + lead), 0, (bytes - lead) / WORD * sizeof(struct cell));
}

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
  void *memory = __real_calloc(count, bytes);
  if (memory) prove_clear(memory, (uint64_t)count * bytes);
  return memory;
}

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes)
{
  struct cell *first = memory ? cell_of(memory) : NULL;
  void *moved = __real_realloc(memory, bytes);
  if (moved && first && moved != memory)
    memmove(cell_of(moved), first, bytes / WORD * sizeof *first);
  return moved;
}

static void fresh_pages(void *memory, size_t bytes)
{
  if (memory != MAP_FAILED)
    madvise(cell_of(memory), bytes * (sizeof(struct cell) / WORD), MADV_DONTNEED);
}

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
  void *memory = __real_mmap(at, bytes, protection, flags, file, offset);
  fresh_pages(memory, bytes);
  return memory;
}

/* Two views of one memory share one memory of cells, at two addresses. */
int __real_mesi_guard_map(struct mesi_object *object, size_t bytes);
int __wrap_mesi_guard_map(struct mesi_object *object, size_t bytes);
int __wrap_mesi_guard_map(struct mesi_object *object, size_t bytes)
{
  int status = __real_mesi_guard_map(object, bytes);
  size_t cells = (bytes + 4095) / 4096 * 4096 * (sizeof(struct cell) / WORD);
  if (status) return status;
  int file = memfd_create("prove", MFD_CLOEXEC);
  bool done = file >= 0 && !ftruncate(file, (off_t)cells);
  char *const views[] = {object->host, object->view};
  for (unsigned i = 0; i < 2 && done; i++)
    done = __real_mmap(cell_of(views[i]), cells, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                       file, 0) != MAP_FAILED;
  if (file >= 0) close(file);
  if (!done) _exit(EXIT_UNABLE);
  return 0;
}

/* ---- events and inputs ---- */

void prove_event(enum prove_event event)
{
  if (mesi_cpu_in_kernel())
    trailer.in_kernels[event]++;
  else
    trailer.on_host[event]++;
}

static bool is_stack(const void *place)
{
  const char *here = __builtin_frame_address(0);
  return (const char *)place >= here - STACK_ROOM && (const char *)place < stack_top;
}

uint64_t prove_input(const void *place, double real, uint64_t element)
{
  if (!stack_top || real == 0 || is_stack(place) || mesi_cpu_in_kernel() ||
      field_of(real) != element)
    return element;
  return field_reduce(field_mix(field_mix(seed, ++trailer.inputs), 0));
}

/* ---- the output ---- */

static void write_cells(const char *contents, size_t words)
{
  for (size_t i = 0; i < words; i++) {
    uint32_t bits;
    memcpy(&bits, contents + i * WORD, WORD);
    const struct cell *cell = cell_of(contents + i * WORD);
    uint64_t tagged = cell->bits == bits ? cell->tagged : 0;
    fwrite(&tagged, sizeof tagged, 1, out);
  }
  for (size_t i = 0; i < words; i++)
    fwrite(&cell_of(contents + i * WORD)->launch, sizeof(uint32_t), 1, out);
}

/* Launches come from the host's threads one after another (scheduler.h). */
void __real_mesi_cpu_run(const struct mesi_cpu_launch *launch);
void __wrap_mesi_cpu_run(const struct mesi_cpu_launch *launch);
void __wrap_mesi_cpu_run(const struct mesi_cpu_launch *launch)
{
  static uint32_t launches;
  const char *name = report_kernel_name(launch);
  struct prove_launch record = {RECORD_LAUNCH, (uint32_t)strlen(name)};
  if (out) {
    fwrite(&record, sizeof record, 1, out);
    fwrite(name, 1, record.name_bytes, out);
  }
  prove_launch = ++launches;
  __real_mesi_cpu_run(launch);
  prove_launch = 0;
}

void mesi_watch_object(const char *name, unsigned element, const void *contents, const void *shown,
                       size_t bytes)
{
  if (!out) return;
  bool aligned = !((uintptr_t)contents & (WORD - 1));
  struct prove_object object = {RECORD_OBJECT, element, (uint32_t)strlen(name), aligned, bytes};
  fwrite(&object, sizeof object, 1, out);
  fwrite(name, 1, object.name_bytes, out);
  fwrite(shown ? shown : contents, 1, bytes, out);
  if (aligned) write_cells(contents, bytes / WORD);
}

static void finish(void)
{
  if (!out) return;
  fwrite(&trailer, sizeof trailer, 1, out);
  fclose(out);
  out = NULL;
}

/* ---- the start ---- */

static uint64_t number_in(const char *name)
{
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 0) : 0;
}

/* Runs before every constructor, also those of libraries: they may call the wrapped functions. */
static void map_cells(void)
{
  static const char message[] = "prove: the addresses for cells are not free\n";
  void *memory =
      __real_mmap((void *)SHADOW_BASE, SHADOW_BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == (void *)SHADOW_BASE) {
    madvise(memory, SHADOW_BYTES, MADV_DONTDUMP);
    return;
  }
  if (write(2, message, sizeof message - 1)) {
  }
  _exit(EXIT_UNABLE);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = map_cells;

__attribute__((constructor(101))) static void begin(void)
{
  const char *path = getenv("PROVE_OUT");
  uint64_t seconds = number_in("PROVE_SECONDS");
  struct rlimit limit = {seconds, seconds + 5};
  seed = number_in("PROVE_SEED");
  prove_random = seed != 0;
  stack_top = (const char *)__builtin_frame_address(0) + STACK_ROOM;
  if (seconds) setrlimit(RLIMIT_CPU, &limit);
  if (path) out = fopen(path, "wb");
  atexit(finish);
  at_quick_exit(finish);
}
