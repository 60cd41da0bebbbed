/* SPDX-License-Identifier: MIT */
/* stack.c - stacks of fibers: mapped in slabs, each stack above a guard that faults on overflow.
 *
 * Layout of one stack, low to high: guard | usable | struct fiber. The tops are staggered by a few
 * cache lines so that the hot ends of many stacks do not fall into the same sets of the first-level
 * cache.
 */
#define _GNU_SOURCE
#include "scheduler_internal.h"

#include <stdlib.h>
#include <sys/mman.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard that does not split the mapping */
#endif

enum { GUARD = 64 << 10, SLAB_STACKS = 32, STAGGER = 256, STAGGERS = 16 };

struct stack_slab {
  struct stack_slab *next;
  void *memory;
  size_t bytes;
};

size_t stack_size(void) { return mesi_cpu_options()->stack; }

static bool map_slab(struct stack_arena *arena)
{
  size_t bytes = SLAB_STACKS * (GUARD + stack_size());
  struct stack_slab *slab = malloc(sizeof *slab);
  if (!slab) return false;
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    free(slab);
    return false;
  }
  *slab = (struct stack_slab){arena->slabs, memory, bytes};
  arena->slabs = slab;
  arena->slab = memory;
  arena->left = SLAB_STACKS;
  return true;
}

/* A system may refuse a guard: the process has too many mappings. The stack then works without the
 * check for overflow. */
static void install_guard(char *low)
{
  if (madvise(low, GUARD, MADV_GUARD_INSTALL) != 0) (void)mprotect(low, GUARD, PROT_NONE);
}

struct fiber *stack_create(struct stack_arena *arena, void (*entry)(transfer_t))
{
  if (arena->left == 0 && !map_slab(arena)) return NULL;
  char *low = arena->slab;
  install_guard(low);
  low += GUARD;
  arena->slab = low + stack_size();
  arena->left--;
  size_t shift = (arena->made++ % STAGGERS) * STAGGER;
  struct fiber *fiber = (struct fiber *)(low + stack_size() - shift - sizeof(struct fiber) - 64);
  fiber = (struct fiber *)((uintptr_t)fiber & ~(uintptr_t)63);
  *fiber = (struct fiber){.low = low, .bottom = low, .stack_bytes = (size_t)((char *)fiber - low)};
  fiber->context = make_fcontext(fiber, (size_t)((char *)fiber - low), entry);
  return fiber;
}

void stack_arena_finish(struct stack_arena *arena)
{
  for (struct stack_slab *slab = arena->slabs, *next; slab; slab = next) {
    next = slab->next;
    munmap(slab->memory, slab->bytes);
    free(slab);
  }
  *arena = (struct stack_arena){0};
}

bool stack_is_guard(const struct fiber *fiber, const char *address)
{
  return fiber && fiber->low && address < fiber->low && address >= fiber->low - GUARD;
}
