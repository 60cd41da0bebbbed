/* facts.c - questions about what launches say of a kernel. */
#include "analysis/data/facts.h"

bool facts_disjoint(const struct kernel_facts *facts, unsigned a, unsigned b)
{
  const struct pointer_fact *p = &facts->pointers[a], *q = &facts->pointers[b];
  return p->bound && q->bound && p->object != q->object;
}
