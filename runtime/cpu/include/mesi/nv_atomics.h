/* SPDX-License-Identifier: MIT */
/* nv_atomics.h - nvcc's own atomic functions (CUDA 12.8 and later): CUDA C++ Programming Guide,
 * "Built-in atomic functions". All are sequentially consistent and system-wide, which is stronger
 * than every order and scope of CUDA. */
#ifndef MESI_CUDA_NV_ATOMICS_H
#define MESI_CUDA_NV_ATOMICS_H

#include <cstdint>

#include "atomics.h"
#include "memory.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

template <int bytes> struct mesi_cpu_word;
template <> struct mesi_cpu_word<1> {
  typedef std::uint8_t type __attribute__((may_alias));
};
template <> struct mesi_cpu_word<2> {
  typedef std::uint16_t type __attribute__((may_alias));
};
template <> struct mesi_cpu_word<4> {
  typedef std::uint32_t type __attribute__((may_alias));
};
template <> struct mesi_cpu_word<8> {
  typedef std::uint64_t type __attribute__((may_alias));
};

/* Objects of up to 8 bytes, as one word. */
template <class MesiT, bool wide = (sizeof(MesiT) > 8)> struct mesi_cpu_cell {
  typedef typename mesi_cpu_word<sizeof(MesiT)>::type word;
  static word bits(MesiT v) { return mesi_cpu_bits<word>(v); }
  static MesiT load(MesiT *p)
  {
    mesi_cpu_spin();
    return mesi_cpu_bits<MesiT>(__atomic_load_n((word *)p, __ATOMIC_SEQ_CST));
  }
  static void store(MesiT *p, MesiT v) { __atomic_store_n((word *)p, bits(v), __ATOMIC_SEQ_CST); }
  static MesiT exchange(MesiT *p, MesiT v)
  {
    mesi_cpu_spin();
    return mesi_cpu_bits<MesiT>(__atomic_exchange_n((word *)p, bits(v), __ATOMIC_SEQ_CST));
  }
  static bool compare_exchange(MesiT *p, MesiT *expected, MesiT v)
  {
    word old = bits(*expected);
    bool same = __atomic_compare_exchange_n((word *)p, &old, bits(v), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST);
    if (!same) mesi_cpu_spin();
    if (!same) *expected = mesi_cpu_bits<MesiT>(old);
    return same;
  }
};

/* Objects of 16 bytes, under a lock that a fiber never keeps across a switch. */
struct mesi_cpu_wide_lock {
  static char *word()
  {
    static char held;
    return &held;
  }
  mesi_cpu_wide_lock()
  {
    while (__atomic_test_and_set(word(), __ATOMIC_ACQUIRE)) {
    }
  }
  ~mesi_cpu_wide_lock() { __atomic_clear(word(), __ATOMIC_RELEASE); }
};
template <class MesiT> struct mesi_cpu_cell<MesiT, true> {
  static_assert(sizeof(MesiT) == 16, "atomic functions take objects of 1, 2, 4, 8 and 16 bytes");
  static MesiT load(MesiT *p)
  {
    mesi_cpu_spin();
    mesi_cpu_wide_lock lock;
    return *p;
  }
  static void store(MesiT *p, MesiT v)
  {
    mesi_cpu_wide_lock lock;
    *p = v;
  }
  static MesiT exchange(MesiT *p, MesiT v)
  {
    mesi_cpu_spin();
    mesi_cpu_wide_lock lock;
    MesiT old = *p;
    *p = v;
    return old;
  }
  static bool compare_exchange(MesiT *p, MesiT *expected, MesiT v)
  {
    bool same;
    {
      mesi_cpu_wide_lock lock;
      same = !__builtin_memcmp(p, expected, sizeof v);
      if (same)
        *p = v;
      else
        *expected = *p;
    }
    if (!same) mesi_cpu_spin();
    return same;
  }
};

template <class MesiT, class Update> MESI_FN MesiT mesi_cpu_nv_update(MesiT *p, Update update)
{
  typedef typename mesi_cpu_word<sizeof(MesiT)>::type word;
  word old = mesi_cpu_atomic_update((word *)p, [update](word w) {
    return mesi_cpu_bits<word>((MesiT)update(mesi_cpu_bits<MesiT>(w)));
  });
  return mesi_cpu_bits<MesiT>(old);
}

template <class MesiT>
MESI_FN void __nv_atomic_load(MesiT *p, MesiT *ret, int, int = __NV_THREAD_SCOPE_SYSTEM)
{
  *ret = mesi_cpu_cell<MesiT>::load(p);
}
template <class MesiT>
MESI_FN MesiT __nv_atomic_load_n(MesiT *p, int, int = __NV_THREAD_SCOPE_SYSTEM)
{
  return mesi_cpu_cell<MesiT>::load(p);
}
template <class MesiT>
MESI_FN void __nv_atomic_store(MesiT *p, MesiT *v, int, int = __NV_THREAD_SCOPE_SYSTEM)
{
  mesi_cpu_cell<MesiT>::store(p, *v);
}
template <class MesiT>
MESI_FN void __nv_atomic_store_n(MesiT *p, typename mesi_cpu_same<MesiT>::type v, int,
                                 int = __NV_THREAD_SCOPE_SYSTEM)
{
  mesi_cpu_cell<MesiT>::store(p, v);
}
template <class MesiT>
MESI_FN void __nv_atomic_exchange(MesiT *p, MesiT *v, MesiT *ret, int,
                                  int = __NV_THREAD_SCOPE_SYSTEM)
{
  *ret = mesi_cpu_cell<MesiT>::exchange(p, *v);
}
template <class MesiT>
MESI_FN MesiT __nv_atomic_exchange_n(MesiT *p, typename mesi_cpu_same<MesiT>::type v, int,
                                     int = __NV_THREAD_SCOPE_SYSTEM)
{
  return mesi_cpu_cell<MesiT>::exchange(p, v);
}
template <class MesiT>
MESI_FN bool __nv_atomic_compare_exchange(MesiT *p, MesiT *expected, MesiT *v, bool, int, int,
                                          int = __NV_THREAD_SCOPE_SYSTEM)
{
  return mesi_cpu_cell<MesiT>::compare_exchange(p, expected, *v);
}
template <class MesiT>
MESI_FN bool __nv_atomic_compare_exchange_n(MesiT *p, MesiT *expected,
                                            typename mesi_cpu_same<MesiT>::type v, bool, int, int,
                                            int = __NV_THREAD_SCOPE_SYSTEM)
{
  return mesi_cpu_cell<MesiT>::compare_exchange(p, expected, v);
}
#define MESI_NV_ATOMIC(operation, value) \
  template <class MesiT> \
  MESI_FN MesiT __nv_atomic_fetch_##operation(MesiT *p, typename mesi_cpu_same<MesiT>::type v, \
                                              int, int = __NV_THREAD_SCOPE_SYSTEM) \
  { \
    return mesi_cpu_nv_update(p, [v](MesiT old) { return (MesiT)(value); }); \
  } \
  template <class MesiT> \
  MESI_FN void __nv_atomic_##operation(MesiT *p, typename mesi_cpu_same<MesiT>::type v, int, \
                                       int = __NV_THREAD_SCOPE_SYSTEM) \
  { \
    mesi_cpu_nv_update(p, [v](MesiT old) { return (MesiT)(value); }); \
  }
MESI_NV_ATOMIC(add, old + v)
MESI_NV_ATOMIC(sub, old - v)
MESI_NV_ATOMIC(min, v < old ? v : old)
MESI_NV_ATOMIC(max, old < v ? v : old)
MESI_NV_ATOMIC(and, old &v)
MESI_NV_ATOMIC(or, old | v)
MESI_NV_ATOMIC(xor, old ^ v)
#undef MESI_NV_ATOMIC
MESI_FN void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM)
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
