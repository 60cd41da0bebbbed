/* SPDX-License-Identifier: MIT */
/* facts.c - questions about the facts that launches give about a kernel. */
#include "analysis/data/facts.h"
#include "runtime/seeded.h"

bool facts_disjoint(const struct kernel_facts *facts, unsigned a, unsigned b)
{
  const struct pointer_fact *p = &facts->pointers[a], *q = &facts->pointers[b];
  return p->bound && q->bound && p->object != q->object;
}

/* A number along an axis that is more than CUDA has, or none; -1, a number not known, is right. */
static bool is_wrong(int64_t number, int64_t most) { return number == 0 || number > most; }

bool facts_shape_is_refused(const struct kernel_facts *facts)
{
  int64_t threads = 1;
  bool wrong = false;

  if (SEEDED(REFUSED_SHAPE_CHANGES)) return false;
  for (int axis = 0; axis < 3; axis++) {
    wrong |= is_wrong(facts->grid[axis], axis ? 65535 : INT32_MAX) ||
             is_wrong(facts->block[axis], axis < 2 ? 1024 : 64);
    if (!wrong && facts->block[axis] > 0) threads *= facts->block[axis];
  }
  return wrong || threads > 1024;
}

bool facts_block_is_constant(const struct kernel_facts *facts)
{
  return facts->block[0] > 0 && facts->block[1] > 0 && facts->block[2] > 0 &&
         facts->block[0] <= 1024 && facts->block[1] <= 1024 && facts->block[2] <= 64 &&
         facts->block[0] * facts->block[1] * facts->block[2] <= 1024;
}
