/* SPDX-License-Identifier: MIT */
/* facts.c - questions about the facts that launches give about a kernel. */
#include "analysis/data/facts.h"

bool facts_disjoint(const struct kernel_facts *facts, unsigned a, unsigned b)
{
  const struct pointer_fact *p = &facts->pointers[a], *q = &facts->pointers[b];
  return p->bound && q->bound && p->object != q->object;
}

bool facts_block_is_constant(const struct kernel_facts *facts)
{
  return facts->block[0] > 0 && facts->block[1] > 0 && facts->block[2] > 0 &&
         facts->block[0] <= 1024 && facts->block[1] <= 1024 && facts->block[2] <= 64 &&
         facts->block[0] * facts->block[1] * facts->block[2] <= 1024;
}
