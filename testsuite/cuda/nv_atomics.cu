// nvcc: -std=c++17 -Wno-deprecated-gpu-targets
// nvcc's own atomic functions (CUDA 12.8 and later), and `register`.
#include <cstdio>
#include <cstring>
struct pair16 { alignas(16) unsigned long long a, b; };
static __managed__ unsigned n[16]; static __managed__ float f[4]; static __managed__ double d[4]; static __managed__ long long ll[4]; static __managed__ unsigned long long u[4];
__global__ void kernel() {
  __nv_atomic_fetch_add(&n[0], 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&n[1], 2, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(&n[2], 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_sub(&n[2], 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&n[3], threadIdx.x, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_min(&n[4], threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(&n[5], 1u << threadIdx.x % 32, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_xor(&n[6], 1u << threadIdx.x % 32, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_and(&n[7], ~(1u << threadIdx.x % 32), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(&f[0], 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&d[0], 0.25, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&ll[0], (long long)threadIdx.x - 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  register unsigned old; unsigned val = 7;
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    __nv_atomic_store_n(&n[8], 5u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    old = __nv_atomic_load_n(&n[8], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store(&n[9], &val, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    unsigned back = 0;
    __nv_atomic_load(&n[9], &back, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    n[10] = old + back;
    n[11] = __nv_atomic_exchange_n(&n[8], 9u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    val = 70;
    __nv_atomic_exchange(&n[9], &val, &back, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    n[12] = back;
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  }
  unsigned long long seen = __nv_atomic_load_n(&u[0], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  while (!__nv_atomic_compare_exchange_n(&u[0], &seen, seen * 1 + 3, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {}
  unsigned long long e = __nv_atomic_load_n(&u[1], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE), want;
  do want = e + 1; while (!__nv_atomic_compare_exchange(&u[1], &e, &want, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE));
}
int main() {
  n[4] = 99; n[7] = ~0u; n[2] = 1000; ll[0] = -100;
  kernel<<<4, 32>>>();
  cudaDeviceSynchronize();
  bool ok = n[0] == 128 && n[1] == 256 && n[2] == 1000 - 256 && n[3] == 31 && n[4] == 0 && n[5] == ~0u && n[6] == 0 && n[7] == 0 && n[8] == 9 && n[9] == 70 && n[10] == 12 && n[11] == 5 && n[12] == 7;
  ok = ok && f[0] == 64 && d[0] == 32 && ll[0] == 26 && u[0] == 384 && u[1] == 128;
  puts(ok ? "ok" : "wrong"); return !ok;
}
