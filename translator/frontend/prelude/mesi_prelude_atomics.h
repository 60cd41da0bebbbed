/* SPDX-License-Identifier: MIT */
// mesi_prelude_atomics.h - nvcc's own atomic functions (CUDA 12.8 and later), which it knows
// without a declaration.
#pragma GCC system_header
#ifndef MESI_NV_ATOMIC_ENUMERATORS
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
#endif
#define MESI_DEVICE template <class MesiT> __attribute__((device))
#define MESI_SCOPE int order, int scope = __NV_THREAD_SCOPE_SYSTEM
template <class MesiT> struct mesi_nv_value {
  typedef MesiT type;
};
#define MESI_VALUE typename mesi_nv_value<MesiT>::type
MESI_DEVICE void __nv_atomic_load(MesiT *p, MesiT *ret, MESI_SCOPE);
MESI_DEVICE MesiT __nv_atomic_load_n(MesiT *p, MESI_SCOPE);
MESI_DEVICE void __nv_atomic_store(MesiT *p, MesiT *value, MESI_SCOPE);
MESI_DEVICE void __nv_atomic_store_n(MesiT *p, MESI_VALUE value, MESI_SCOPE);
MESI_DEVICE void __nv_atomic_exchange(MesiT *p, MesiT *value, MesiT *ret, MESI_SCOPE);
MESI_DEVICE MesiT __nv_atomic_exchange_n(MesiT *p, MESI_VALUE value, MESI_SCOPE);
MESI_DEVICE bool __nv_atomic_compare_exchange(MesiT *p, MesiT *expected, MesiT *value, bool weak,
                                              int success, MESI_SCOPE);
MESI_DEVICE bool __nv_atomic_compare_exchange_n(MesiT *p, MesiT *expected, MESI_VALUE value,
                                                bool weak, int success, MESI_SCOPE);
#define MESI_NV_ATOMIC(operation) \
  MESI_DEVICE MesiT __nv_atomic_fetch_##operation(MesiT *p, MESI_VALUE value, MESI_SCOPE); \
  MESI_DEVICE void __nv_atomic_##operation(MesiT *p, MESI_VALUE value, MESI_SCOPE);
MESI_NV_ATOMIC(add)
MESI_NV_ATOMIC(sub)
MESI_NV_ATOMIC(min)
MESI_NV_ATOMIC(max)
MESI_NV_ATOMIC(and)
MESI_NV_ATOMIC(or)
MESI_NV_ATOMIC(xor)
__attribute__((device)) void __nv_atomic_thread_fence(MESI_SCOPE);
#undef MESI_NV_ATOMIC
#undef MESI_DEVICE
#undef MESI_SCOPE
#undef MESI_VALUE
