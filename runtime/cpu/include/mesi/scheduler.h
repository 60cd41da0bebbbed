/* SPDX-License-Identifier: MIT */
/* scheduler.h - the scheduler's calls that device functions need. The scheduler's own header has
 * the meaning of each. */
#ifndef MESI_CUDA_SCHED_API_H
#define MESI_CUDA_SCHED_API_H

#include "attributes.h"
#include "../../scheduler.h"

#if MESI_PARSE
static __inline__ void mesi_cpu_spin() {}
static __inline__ bool mesi_cpu_turn() { return true; }
#else
extern "C" {
extern __thread unsigned mesi_cpu_spins; /* steps of a loop that may wait for another thread */
}
/* Called in a loop that may wait: after a while other threads of the block run. */
static __inline__ void mesi_cpu_spin()
{
  if (__builtin_expect(++mesi_cpu_spins > 256, 0)) mesi_cpu_yield();
}
/* The same in the condition of a loop: codegen/cpu/emit_waits.c. */
static __inline__ bool mesi_cpu_turn() { return mesi_cpu_spin(), true; }
#endif

#endif
