/* SPDX-License-Identifier: MIT */
/* memory.h - loads and stores with cache hints, fences, address spaces, clocks, traps. */
#ifndef MESI_CUDA_MEMORY_H
#define MESI_CUDA_MEMORY_H

#include "math.h"
#include "scheduler.h"

/* ---- cache hints mean nothing here ---- */

template <class MesiT> MESI_FN MesiT __ldg(const MesiT *p) { return *p; }
template <class MesiT> MESI_FN MesiT __ldca(const MesiT *p) { return *p; }
template <class MesiT> MESI_FN MesiT __ldcg(const MesiT *p) { return *p; }
template <class MesiT> MESI_FN MesiT __ldcs(const MesiT *p) { return *p; }
template <class MesiT> MESI_FN MesiT __ldlu(const MesiT *p) { return *p; }
template <class MesiT> MESI_FN MesiT __ldcv(const MesiT *p)
{
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return *p;
}
template <class MesiT> struct mesi_cpu_same {
  typedef MesiT type;
};
template <class MesiT> MESI_FN void __stwb(MesiT *p, typename mesi_cpu_same<MesiT>::type v)
{
  *p = v;
}
template <class MesiT> MESI_FN void __stcg(MesiT *p, typename mesi_cpu_same<MesiT>::type v)
{
  *p = v;
}
template <class MesiT> MESI_FN void __stcs(MesiT *p, typename mesi_cpu_same<MesiT>::type v)
{
  *p = v;
}
template <class MesiT> MESI_FN void __stwt(MesiT *p, typename mesi_cpu_same<MesiT>::type v)
{
  *p = v;
}
MESI_FN void __prefetch_global_l1(const void *p) { __builtin_prefetch(p); }
MESI_FN void __prefetch_global_l2(const void *p) { __builtin_prefetch(p); }

/* ---- fences ---- */

MESI_FN void __threadfence()
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  mesi_cpu_spin();
}
MESI_FN void __threadfence_block()
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  mesi_cpu_spin();
}
MESI_FN void __threadfence_system()
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  mesi_cpu_spin();
}

/* ---- address spaces ---- */

MESI_FN unsigned int __isShared(const void *p) { return mesi_cpu_space_of(p) == MESI_CPU_SHARED; }
MESI_FN unsigned int __isLocal(const void *p) { return mesi_cpu_space_of(p) == MESI_CPU_LOCAL; }
MESI_FN unsigned int __isGlobal(const void *p) { return mesi_cpu_space_of(p) == MESI_CPU_GLOBAL; }
MESI_FN unsigned int __isGridConstant(const void *) { return 0; }
MESI_FN __SIZE_TYPE__ __cvta_generic_to_global(const void *p) { return (__SIZE_TYPE__)p; }
MESI_FN __SIZE_TYPE__ __cvta_generic_to_shared(const void *p) { return (__SIZE_TYPE__)p; }
MESI_FN __SIZE_TYPE__ __cvta_generic_to_constant(const void *p) { return (__SIZE_TYPE__)p; }
MESI_FN __SIZE_TYPE__ __cvta_generic_to_local(const void *p) { return (__SIZE_TYPE__)p; }
MESI_FN void *__cvta_global_to_generic(__SIZE_TYPE__ p) { return (void *)p; }
MESI_FN void *__cvta_shared_to_generic(__SIZE_TYPE__ p) { return (void *)p; }
MESI_FN void *__cvta_constant_to_generic(__SIZE_TYPE__ p) { return (void *)p; }
MESI_FN void *__cvta_local_to_generic(__SIZE_TYPE__ p) { return (void *)p; }

/* ---- time and the end ---- */

MESI_FN long long clock64()
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}
MESI_FN void __nanosleep(unsigned int) { mesi_cpu_yield(); }
MESI_FN void __trap() { mesi_cpu_fail("__trap"); }
#define __prof_trigger(counter) ((void)(counter))
MESI_FN void __brkpt() { mesi_cpu_fail("__brkpt"); }
MESI_FN unsigned int __mesi_dynamic_smem_size() { return (unsigned)mesi_cpu_dynamic_shared_size(); }

#define __assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#ifndef __clang__
#define __builtin_assume(condition) __assume(condition)
#endif

#endif
