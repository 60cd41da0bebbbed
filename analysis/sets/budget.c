/* SPDX-License-Identifier: MIT */
/* budget.c - the work that the analysis of one kernel, and of one unit, may take.
 *
 * isl's limit on operations bounds each question. It does not bound a unit: operations differ in
 * cost by orders of magnitude with the size of sets and of numbers, and a unit may ask thousands of
 * questions. So there is also a count of steps: isl computes in GMP's integers, and each allocation
 * of one is a step. Pivots of a large tableau change its integers in place; there isl makes the
 * numbers of each changed row smaller (isl_seq_normalize), and NUMBERS of these are a step, too.
 * When a kernel or the unit has used up its steps, all contexts are aborted. From then on their
 * operations fail as at isl's limit, and the remaining code is left as it is, with the reason in
 * the remarks. Time plays no role, so the same input gives the same output on every machine.
 *
 * Requires: one analysis at a time in a process. Produces: nothing. Gives up: never.
 */
#include "analysis/sets/budget.h"
#include "runtime/seeded.h"
#include "translator/base/arena.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>
#include <isl/options.h>

enum { CONTEXTS = 64 }; /* contexts that can be aborted; only its operations bound a further one */
enum { NUMBERS = 16 };  /* of changed rows, that take the time of a step */
enum { SMALL = 8, WORD = 8, CHUNK = 1 << 16 }; /* words of a small integer; bytes */

/* A free word of memory, in a list for integers of one size. */
struct unused {
  struct unused *next;
};

/* Nearly all integers have one word and a short life, so they come from lists, not from malloc. A
 * chunk stays as long as the process, which translates once. */
static struct {
  struct unused *free[SMALL + 1]; /* by the count of words */
  char *next, *end;               /* the rest of the newest chunk */
} pool;

static struct {
  unsigned long steps;  /* since the budget began */
  unsigned numbers;     /* of changed rows, that are no step yet */
  unsigned long limit;  /* of the current kernel, or of the unit; 0: no budget */
  unsigned long unit;   /* the unit's limit */
  unsigned long kernel; /* of each kernel */
  unsigned left;        /* number of remaining kernels */
  bool spent;
  bool cut;     /* since the kernel began steps have ended */
  bool counted; /* GMP calls these functions */
  isl_ctx *contexts[CONTEXTS];
} budget;

static void spend(void)
{
  budget.spent = budget.cut = true;
  for (unsigned i = 0; i < CONTEXTS; i++)
    if (budget.contexts[i]) isl_ctx_abort(budget.contexts[i]);
}

/* Ends the program if memory is exhausted: GMP could not continue. */
static void *checked(void *memory)
{
  if (!memory) arena_exhausted();
  return memory;
}

static void *carve(size_t words)
{
  if ((size_t)(pool.end - pool.next) < words * WORD) {
    pool.next = checked(malloc(CHUNK));
    pool.end = pool.next + CHUNK;
  }
  void *memory = pool.next;
  pool.next += words * WORD;
  return memory;
}

static size_t words_of(size_t bytes) { return bytes > WORD ? (bytes + WORD - 1) / WORD : 1; }

static void *take(size_t bytes)
{
  size_t words = words_of(bytes);

  if (words > SMALL) return checked(malloc(bytes));
  struct unused *first = pool.free[words];
  if (!first) return carve(words);
  pool.free[words] = first->next;
  return first;
}

static void release(void *memory, size_t bytes)
{
  size_t words = words_of(bytes);

  if (words > SMALL) {
    free(memory);
    return;
  }
  struct unused *first = memory;
  first->next = pool.free[words];
  pool.free[words] = first;
}

static void count(unsigned long steps)
{
  bool within = budget.steps < budget.limit;

  budget.steps += steps;
  if (within && budget.steps >= budget.limit) spend();
}

static void *allocate(size_t bytes)
{
  count(1);
  return take(bytes);
}

static void count_row(unsigned length)
{
  if (SEEDED(ROWS_UNCOUNTED)) return;
  budget.numbers += length;
  if (budget.numbers < NUMBERS) return;
  count(budget.numbers / NUMBERS);
  budget.numbers %= NUMBERS;
}

/* isl's own function, with a count before it: from an archive by the linker's --wrap (meson.build),
 * from a shared library because the program's symbols come first. */
#ifdef MESI_ISL_ARCHIVE
void __real_isl_seq_normalize(isl_ctx *, mpz_t *row, unsigned length);
void __wrap_isl_seq_normalize(isl_ctx *, mpz_t *row, unsigned length);
void __wrap_isl_seq_normalize(isl_ctx *ctx, mpz_t *row, unsigned length)
{
  count_row(length);
  __real_isl_seq_normalize(ctx, row, length);
}
#else
void isl_seq_normalize(isl_ctx *, mpz_t *row, unsigned length);
void isl_seq_normalize(isl_ctx *ctx, mpz_t *row, unsigned length)
{
  static void (*own)(isl_ctx *, mpz_t *, unsigned);

  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "isl_seq_normalize");
  count_row(length);
  own(ctx, row, length);
}
#endif

static void *reallocate(void *memory, size_t bytes, size_t wanted)
{
  if (bytes > SMALL * WORD && wanted > SMALL * WORD) return checked(realloc(memory, wanted));
  void *other = take(wanted);
  memcpy(other, memory, bytes < wanted ? bytes : wanted);
  release(memory, bytes);
  return other;
}

/* Must run before the first integer exists, because GMP frees with the functions that are set at
 * that time. */
static void count_steps(void)
{
  if (budget.counted) return;
  budget.counted = true;
  mp_set_memory_functions(allocate, reallocate, release);
}

unsigned long budget_of_unit(unsigned kernels)
{
  unsigned long further = kernels > BUDGET_USUAL ? kernels - BUDGET_USUAL : 0,
                steps = BUDGET_UNIT + further * BUDGET_MORE;

  return steps < BUDGET_MOST ? steps : BUDGET_MOST;
}

void budget_begin(unsigned long kernel_steps, unsigned long unit_steps, unsigned kernels)
{
  budget.steps = budget.numbers = 0;
  budget.limit = budget.unit = unit_steps;
  budget.kernel = kernel_steps;
  budget.left = kernels;
  budget.spent = budget.cut = false;
}

void budget_end(void) { budget.limit = 0; }

static unsigned long least(unsigned long a, unsigned long b) { return a < b ? a : b; }

/* The steps that are left up to `end`, for each of the remaining kernels. */
static unsigned long mean_left(unsigned long end)
{
  unsigned long left = budget.steps < end ? end - budget.steps : 0;

  return left / (budget.left > 0 ? budget.left : 1);
}

void budget_begin_kernel(void)
{
  unsigned long last = budget.unit / 4 * 7, floor = least(budget.kernel / 5 * 2, mean_left(last)),
                share = least(budget.kernel, 4 * mean_left(budget.unit));

  budget.limit = least(budget.steps + (share > floor ? share : floor), last);
  budget.spent = budget.cut = budget.steps >= last;
  if (budget.left > 0) budget.left--;
}

void budget_end_kernel(void)
{
  budget.limit = budget.unit;
  budget.spent = budget.steps >= budget.unit;
}

unsigned long budget_begin_part(unsigned parts)
{
  unsigned long all = budget.limit;

  if (!budget.spent && all > budget.steps)
    budget.limit = budget.steps + (all - budget.steps) / parts;
  return all;
}

void budget_end_part(unsigned long begun)
{
  bool own = budget.spent && budget.steps < begun;

  budget.limit = begun;
  if (!own) return;
  budget.spent = false;
  for (unsigned i = 0; i < CONTEXTS; i++)
    if (budget.contexts[i]) isl_ctx_resume(budget.contexts[i]);
}

bool budget_is_spent(void) { return budget.spent; }

bool budget_was_cut(void) { return budget.cut; }

const char *budget_obstacle(const char *otherwise)
{
  return budget.spent ? "its analysis, or that of its unit, takes too many steps" : otherwise;
}

isl_ctx *budget_new_ctx(unsigned long operations)
{
  count_steps();
  isl_ctx *ctx = isl_ctx_alloc();
  unsigned i = 0;

  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(ctx, operations);
  while (i < CONTEXTS && budget.contexts[i]) i++;
  if (i < CONTEXTS) budget.contexts[i] = ctx;
  if (budget.spent) isl_ctx_abort(ctx);
  return ctx;
}

void budget_free_ctx(isl_ctx *ctx)
{
  for (unsigned i = 0; i < CONTEXTS; i++)
    if (budget.contexts[i] == ctx) budget.contexts[i] = NULL;
  isl_ctx_free(ctx);
}

bool budget_unanswered(isl_ctx *ctx)
{
  if (isl_ctx_last_error(ctx) == isl_error_alloc) arena_exhausted();
  return isl_ctx_last_error(ctx) != isl_error_none;
}
