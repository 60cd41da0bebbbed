/* SPDX-License-Identifier: MIT */
/* atomics.h - atomic functions. All are sequentially consistent and system-wide, which is stronger
 * than CUDA requires. */
#ifndef MESI_CUDA_ATOMICS_H
#define MESI_CUDA_ATOMICS_H

#include "rounding.h"
#include "scheduler.h"

/* Calls `update` until its value, computed from the old one, was stored. Returns the old value. */
template <class Word, class Update> MESI_FN Word mesi_cpu_atomic_update(Word *p, Update update)
{
  Word old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(p, &old, update(old), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  return old;
}
template <class MesiT> MESI_FN MesiT mesi_cpu_atomic_add(MesiT *p, MesiT v)
{
  if (v == 0) mesi_cpu_spin(); /* a load in disguise */
  return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}
template <class MesiT, class Word> MESI_FN MesiT mesi_cpu_atomic_fadd(MesiT *p, MesiT v)
{
  Word old = mesi_cpu_atomic_update((Word __attribute__((may_alias)) *)p, [v](Word w) {
    return mesi_cpu_bits<Word>((MesiT)(mesi_cpu_bits<MesiT>(w) + v));
  });
  return mesi_cpu_bits<MesiT>(old);
}
template <class MesiT> MESI_FN MesiT mesi_cpu_atomic_exchange(MesiT *p, MesiT v)
{
  mesi_cpu_spin();
  return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
}
template <class MesiT> MESI_FN MesiT mesi_cpu_atomic_cas(MesiT *p, MesiT expected, MesiT v)
{
  if (!__atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    mesi_cpu_spin();
  return expected;
}
template <class MesiT> MESI_FN MesiT mesi_cpu_atomic_min(MesiT *p, MesiT v)
{
  return mesi_cpu_atomic_update(p, [v](MesiT old) { return old < v ? old : v; });
}
template <class MesiT> MESI_FN MesiT mesi_cpu_atomic_max(MesiT *p, MesiT v)
{
  return mesi_cpu_atomic_update(p, [v](MesiT old) { return old > v ? old : v; });
}
MESI_FN unsigned int mesi_cpu_atomic_inc(unsigned int *p, unsigned int v)
{
  return mesi_cpu_atomic_update(p, [v](unsigned int old) { return old >= v ? 0u : old + 1; });
}
MESI_FN unsigned int mesi_cpu_atomic_dec(unsigned int *p, unsigned int v)
{
  return mesi_cpu_atomic_update(
      p, [v](unsigned int old) { return old == 0 || old > v ? v : old - 1; });
}

/* A version of each function for the device, the block and the system. */
#define MESI_ATOMIC(name, MesiT, body) \
  MESI_FN MesiT name(MesiT *p, MesiT v) { return body; } \
  MESI_FN MesiT name##_block(MesiT *p, MesiT v) { return body; } \
  MESI_FN MesiT name##_system(MesiT *p, MesiT v) { return body; }
#define MESI_ATOMIC_CAS(MesiT) \
  MESI_FN MesiT atomicCAS(MesiT *p, MesiT e, MesiT v) { return mesi_cpu_atomic_cas(p, e, v); } \
  MESI_FN MesiT atomicCAS_block(MesiT *p, MesiT e, MesiT v) \
  { \
    return mesi_cpu_atomic_cas(p, e, v); \
  } \
  MESI_FN MesiT atomicCAS_system(MesiT *p, MesiT e, MesiT v) \
  { \
    return mesi_cpu_atomic_cas(p, e, v); \
  }

MESI_ATOMIC(atomicAdd, int, mesi_cpu_atomic_add(p, v))
MESI_ATOMIC(atomicAdd, unsigned int, mesi_cpu_atomic_add(p, v))
MESI_ATOMIC(atomicAdd, unsigned long long, mesi_cpu_atomic_add(p, v))
MESI_ATOMIC(atomicAdd, float, (mesi_cpu_atomic_fadd<float, unsigned int>(p, v)))
MESI_ATOMIC(atomicAdd, double, (mesi_cpu_atomic_fadd<double, unsigned long long>(p, v)))
MESI_ATOMIC(atomicSub, int, __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST))
MESI_ATOMIC(atomicSub, unsigned int, __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST))
MESI_ATOMIC(atomicExch, int, mesi_cpu_atomic_exchange(p, v))
MESI_ATOMIC(atomicExch, unsigned int, mesi_cpu_atomic_exchange(p, v))
MESI_ATOMIC(atomicExch, unsigned long long, mesi_cpu_atomic_exchange(p, v))
MESI_ATOMIC(atomicExch, float,
            mesi_cpu_bits<float>(mesi_cpu_atomic_exchange(
                (unsigned int __attribute__((may_alias)) *)p, mesi_cpu_bits<unsigned int>(v))))
MESI_ATOMIC(atomicMin, int, mesi_cpu_atomic_min(p, v))
MESI_ATOMIC(atomicMin, unsigned int, mesi_cpu_atomic_min(p, v))
MESI_ATOMIC(atomicMin, long long, mesi_cpu_atomic_min(p, v))
MESI_ATOMIC(atomicMin, unsigned long long, mesi_cpu_atomic_min(p, v))
MESI_ATOMIC(atomicMax, int, mesi_cpu_atomic_max(p, v))
MESI_ATOMIC(atomicMax, unsigned int, mesi_cpu_atomic_max(p, v))
MESI_ATOMIC(atomicMax, long long, mesi_cpu_atomic_max(p, v))
MESI_ATOMIC(atomicMax, unsigned long long, mesi_cpu_atomic_max(p, v))
MESI_ATOMIC(atomicInc, unsigned int, mesi_cpu_atomic_inc(p, v))
MESI_ATOMIC(atomicDec, unsigned int, mesi_cpu_atomic_dec(p, v))
#define MESI_ATOMIC_LOGIC(MesiT) \
  MESI_ATOMIC(atomicAnd, MesiT, __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST)) \
  MESI_ATOMIC(atomicOr, MesiT, __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST)) \
  MESI_ATOMIC(atomicXor, MesiT, __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST))
MESI_ATOMIC_LOGIC(int)
MESI_ATOMIC_LOGIC(unsigned int)
MESI_ATOMIC_LOGIC(unsigned long long)
MESI_ATOMIC_CAS(int)
MESI_ATOMIC_CAS(unsigned int)
MESI_ATOMIC_CAS(unsigned long long)
MESI_ATOMIC_CAS(unsigned short)
#undef MESI_ATOMIC
#undef MESI_ATOMIC_LOGIC
#undef MESI_ATOMIC_CAS

#endif
