#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_9f6a87d6; }
// args: -O1 --no-line --shared-memory=96k -arch=sm_80
// Where a launch of a staged kernel may stand: before its definition, in methods, templates, namespaces, initialisers and lambdas.
static int a[64] MESI_VS(_vs_a_9f6a87d6), b[14000] MESI_VS(_vs_b_9f6a87d6); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;
__global__ void late(int n);
int counted = 3;
__global__ void late_cached(int n); int first() { (mesi_launch_begin(&_mesi_9f6a87d6, 0), mesi_stream(0), late_cached<<<1, 64>>>(1), mesi_launch_end()); return 0; }
struct holder { void go() { (mesi_launch_begin(&_mesi_9f6a87d6, 1), mesi_stream(0), late<<<1, 64>>>(2), mesi_launch_end()); } static void stand() { (mesi_launch_begin(&_mesi_9f6a87d6, 2), mesi_stream(0), late<<<1, 64>>>(3), mesi_launch_end()); } };
template <class T> void generic(T n) { (mesi_launch_begin(&_mesi_9f6a87d6, 3), mesi_stream(0), late<<<1, 64>>>(n), mesi_launch_end()); }
namespace space { __global__ void far(int n); void before() { (mesi_launch_begin(&_mesi_9f6a87d6, 4), mesi_stream(0), late<<<1, 64>>>(4), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 5), mesi_stream(0), far<<<1, 64>>>(5), mesi_launch_end()); } }
static int made = ([] { (mesi_launch_begin(&_mesi_9f6a87d6, 6), mesi_stream(0), late<<<1, 64>>>(6), mesi_launch_end()); return 1; })();
extern "C" { void linked() { (mesi_launch_begin(&_mesi_9f6a87d6, 7), mesi_stream(0), late<<<1, 64>>>(7), mesi_launch_end()); } }
template <class T> struct box { void go() { (mesi_launch_begin(&_mesi_9f6a87d6, 8), mesi_stream(0), late<<<1, 64>>>(8), mesi_launch_end()); } };
typedef int other; __global__ void late_cached(int n); void behind() { (mesi_launch_begin(&_mesi_9f6a87d6, 9), mesi_stream(0), late_cached<<<1, 64>>>(9), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 10), mesi_stream(0), space::far<<<1, 64>>>(10), mesi_launch_end()); }
__global__ void late(int n) { auto &a = *_d_a; for (int k = 0; k < 9; k++) a[threadIdx.x] += n; }
// late_cached: late with the following in shared memory, for blocks of 64 threads.
//   a[0 .. +64]  256 bytes, copied in and out, 9 accesses per thread, 0.03516 per byte
__global__ void late_cached(int n) {
  auto &a = *_d_a;
  __shared__ int _s_a[64];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_a[_i0] = a[_i0];
  __syncthreads();
  for (int k = 0; k < 9; k++) _s_a[threadIdx.x] += n;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    a[_i0] = _s_a[_i0];
}
namespace space { __global__ void far(int n) { auto &a = *_d_a; for (int k = 0; k < 9; k++) a[threadIdx.x] += n; }
// far_cached: far with the following in shared memory, for blocks of 64 threads.
//   a[0 .. +64]  256 bytes, copied in and out, 9 accesses per thread, 0.03516 per byte
__global__ void far_cached(int n) {
  auto &a = *_d_a;
  __shared__ int _s_a[64];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_a[_i0] = a[_i0];
  __syncthreads();
  for (int k = 0; k < 9; k++) _s_a[threadIdx.x] += n;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    a[_i0] = _s_a[_i0];
}
 void after() { (mesi_launch_begin(&_mesi_9f6a87d6, 11), mesi_stream(0), far_cached<<<1, 64>>>(11), mesi_launch_end()); } }
__global__ void large(int n) { auto &b = *_d_b; for (int k = 0; k < 14000; k++) b[k] += n; }
// large_cached: large with the following in shared memory, for blocks of 64 threads.
//   b[0 .. +14000]  56000 bytes, copied in and out, 1.4e+04 accesses per thread, 0.25 per byte
__global__ void large_cached(int n) {
  auto &b = *_d_b;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  int (&_s_b)[14000] = *(int (*)[14000])(_mesi_shared + 0);
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 14000; _i0 += 64)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  for (int k = 0; k < 14000; k++) _s_b[k] += n;
  __syncthreads();
  for (int _i0 = _t; _i0 < 14000; _i0 += 64)
    b[_i0] = _s_b[_i0];
}
__global__ void defaulted(int n = 4) { auto &a = *_d_a; for (int k = 0; k < 9; k++) a[threadIdx.x] += n; }
// defaulted_cached: defaulted with the following in shared memory, for blocks of 64 threads.
//   a[0 .. +64]  256 bytes, copied in and out, 9 accesses per thread, 0.03516 per byte
__global__ void defaulted_cached(int n = 4) {
  auto &a = *_d_a;
  __shared__ int _s_a[64];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_a[_i0] = a[_i0];
  __syncthreads();
  for (int k = 0; k < 9; k++) _s_a[threadIdx.x] += n;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    a[_i0] = _s_a[_i0];
}
using space::far;
int main() {
  int bytes = 0;
  (mesi_launch_begin(&_mesi_9f6a87d6, 12), mesi_stream(0), cudaFuncSetAttribute(large_cached, cudaFuncAttributeMaxDynamicSharedMemorySize, 56000), large_cached<<<1, 64, 56000>>>(12), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 13), mesi_stream(0), cudaFuncSetAttribute(large_cached, cudaFuncAttributeMaxDynamicSharedMemorySize, 56000), large_cached<<<1, 64, 56000>>>(13), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 14), mesi_stream(0), large<<<1, 64, 16>>>(14), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 15), mesi_stream(0), large<<<1, 64, bytes>>>(15), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 16), cudaFuncSetAttribute(large_cached, cudaFuncAttributeMaxDynamicSharedMemorySize, 56000), large_cached<<<1, 64, 56000, mesi_stream(0)>>>(16), mesi_launch_end());
  (mesi_launch_begin(&_mesi_9f6a87d6, 17), mesi_stream(0), defaulted<<<1, 64>>>(), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 18), mesi_stream(0), defaulted_cached<<<1, 64>>>(17), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 19), mesi_stream(0), space::far_cached<<<1, 64>>>(18), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 20), mesi_stream(0), (late)<<<1, 64>>>(19), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 21), mesi_stream(0), ::late_cached<<<1, 64>>>(20), mesi_launch_end()); (mesi_launch_begin(&_mesi_9f6a87d6, 22), mesi_stream(0), ::space::far_cached<<<1, 64>>>(21), mesi_launch_end());
  auto f = [] { (mesi_launch_begin(&_mesi_9f6a87d6, 23), mesi_stream(0), late_cached<<<1, 64>>>(22), mesi_launch_end()); }; f();
  first(); holder().go(); holder::stand(); generic(23); space::before(); linked(); box<int>().go(); behind(); space::after();
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_9f6a87d6; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_9f6a87d6; }
static const struct mesi_var _mesi_9f6a87d6_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED, 0, "launch_places.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED, 0, "launch_places.mcu:3"},
};
static const struct mesi_site_use _mesi_9f6a87d6_uses_0[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_1[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_2[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_3[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_4[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_5[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_6[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_7[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_8[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_9[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_10[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_11[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_12[] = {{1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_13[] = {{1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_14[] = {{1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_15[] = {{1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_16[] = {{1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_17[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_18[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_19[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_20[] = {{0, MESI_READ_WRITE}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_21[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_22[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_9f6a87d6_uses_23[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_9f6a87d6_sites[] = {
  {"late", "launch_places.mcu:6", _mesi_9f6a87d6_uses_0, 1, 0},
  {"late", "launch_places.mcu:7", _mesi_9f6a87d6_uses_1, 1, 0},
  {"late", "launch_places.mcu:7", _mesi_9f6a87d6_uses_2, 1, 0},
  {"late", "launch_places.mcu:8", _mesi_9f6a87d6_uses_3, 1, 0},
  {"late", "launch_places.mcu:9", _mesi_9f6a87d6_uses_4, 1, 0},
  {"space::far", "launch_places.mcu:9", _mesi_9f6a87d6_uses_5, 1, 0},
  {"late", "launch_places.mcu:10", _mesi_9f6a87d6_uses_6, 1, 0},
  {"late", "launch_places.mcu:11", _mesi_9f6a87d6_uses_7, 1, 0},
  {"late", "launch_places.mcu:12", _mesi_9f6a87d6_uses_8, 1, 0},
  {"late", "launch_places.mcu:13", _mesi_9f6a87d6_uses_9, 1, 0},
  {"space::far", "launch_places.mcu:13", _mesi_9f6a87d6_uses_10, 1, 0},
  {"space::far", "launch_places.mcu:15", _mesi_9f6a87d6_uses_11, 1, 0},
  {"large", "launch_places.mcu:21", _mesi_9f6a87d6_uses_12, 1, 0},
  {"large", "launch_places.mcu:21", _mesi_9f6a87d6_uses_13, 1, 0},
  {"large", "launch_places.mcu:21", _mesi_9f6a87d6_uses_14, 1, 0},
  {"large", "launch_places.mcu:21", _mesi_9f6a87d6_uses_15, 1, 0},
  {"large", "launch_places.mcu:21", _mesi_9f6a87d6_uses_16, 1, 0},
  {"defaulted", "launch_places.mcu:22", _mesi_9f6a87d6_uses_17, 1, 0},
  {"defaulted", "launch_places.mcu:22", _mesi_9f6a87d6_uses_18, 1, 0},
  {"space::far", "launch_places.mcu:22", _mesi_9f6a87d6_uses_19, 1, 0},
  {"(late)", "launch_places.mcu:22", _mesi_9f6a87d6_uses_20, 2, MESI_READ_WRITE},
  {"late", "launch_places.mcu:22", _mesi_9f6a87d6_uses_21, 1, 0},
  {"space::far", "launch_places.mcu:22", _mesi_9f6a87d6_uses_22, 1, 0},
  {"late", "launch_places.mcu:23", _mesi_9f6a87d6_uses_23, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_9f6a87d6 = {MESI_ABI, "launch_places.mcu", _mesi_9f6a87d6_vars, 2, _mesi_9f6a87d6_sites, 24}; }
MESI_REGISTER(_mesi_9f6a87d6)
