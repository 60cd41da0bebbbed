#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_cb26fcc2; }
// args: -O1 --no-line -Rmesi=host
// An expression too deep for the analysis of host code: nothing is taken for known.
#define TEN(x) x x x x x x x x x x
#define SUM TEN(TEN(TEN(+ n))) TEN(TEN(TEN(+ n))) TEN(TEN(TEN(+ n))) TEN(TEN(TEN(+ n)))
static int a[100] MESI_VS(_vs_a_cb26fcc2), *p MESI_VS(_vs_p_cb26fcc2); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(p) *_d_p;
__global__ void k(int *q, int n) { q[threadIdx.x] += n; }
// k_cached: k with the following in shared memory, for blocks of 100 threads.
//   q[0 .. +100]  400 bytes, copied in and out, 1 accesses per thread, 0.0025 per byte
__global__ void k_cached(int *q, int n) {
  __shared__ int _s_q[100];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 100; _i0 += 100)
    _s_q[_i0] = q[_i0];
  __syncthreads();
  _s_q[threadIdx.x] += n;
  __syncthreads();
  for (int _i0 = _t; _i0 < 100; _i0 += 100)
    q[_i0] = _s_q[_i0];
}
// k_cached_2: k with the following in shared memory, for blocks of 32 threads.
//   q[0 .. +32]  128 bytes, copied in and out, 1 accesses per thread, 0.007812 per byte
__global__ void k_cached_2(int *q, int n) {
  __shared__ int _s_q[32];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    _s_q[_i0] = q[_i0];
  __syncthreads();
  _s_q[threadIdx.x] += n;
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    q[_i0] = _s_q[_i0];
}
static int get(int i) { return a[i] + *p; }
static int *other(int n) { return n ? a + n : p; }
int main(int argc, char **) {
  int n = argc, *q = a, *r = other(n);
  (mesi_launch_begin(&_mesi_cb26fcc2, 0), mesi_stream(0), k_cached<<<1, 100>>>(mesi_arg(a, MESI_READ_WRITE), n), mesi_launch_end());
  for (int i = 0; i < n; i++) a[i] += q[i];
  (mesi_launch_begin(&_mesi_cb26fcc2, 1), mesi_stream(0), k_cached_2<<<1, 32>>>(mesi_arg_range(r, 0, 128, 0, 128, MESI_READ_WRITE), n), mesi_launch_end());
  int s = n SUM;
  return s + get(3) + *r;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_cb26fcc2; }
extern "C" { MESI_HIDDEN mesi_page<decltype(p)> _vs_p_cb26fcc2; }
static const size_t _mesi_cb26fcc2_map_1_offsets[] = {0};
static const struct mesi_pointer_map _mesi_cb26fcc2_map_1 = {8, 1, _mesi_cb26fcc2_map_1_offsets};
static const struct mesi_var _mesi_cb26fcc2_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED, 0, "host_deep.mcu:5"},
  {"p", (void *)&p, sizeof(p), &_d_p, MESI_VAR_GUARDED, &_mesi_cb26fcc2_map_1, "host_deep.mcu:5"},
};
static const struct mesi_site _mesi_cb26fcc2_sites[] = {
  {"k", "host_deep.mcu:11", 0, 0, 0},
  {"k", "host_deep.mcu:13", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_cb26fcc2 = {MESI_ABI, "host_deep.mcu", _mesi_cb26fcc2_vars, 2, _mesi_cb26fcc2_sites, 2}; }
MESI_REGISTER(_mesi_cb26fcc2)
