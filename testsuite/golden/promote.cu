#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_6c8ceded; }
// args: -O2 --no-line --mapping=never
extern int sum[64] MESI_VS(_vs_sum), tail[64] MESI_VS(_vs_tail), v[64][64] MESI_VS(_vs_v); static MESI_CONSTANT decltype(sum) *_d_sum; static MESI_CONSTANT decltype(tail) *_d_tail; static MESI_CONSTANT decltype(v) *_d_v;
__global__ void sums(int n) { auto &sum = *_d_sum; auto &v = *_d_v; auto &tail = *_d_tail;
  int i = threadIdx.x;
  for (int k = 0; k < n; k++) sum[i] += v[k][i];
  tail[i] = 1;
  for (int k = 0; k < n; k++) {
    if (v[k][i] == 0) tail[i] = 0;
    tail[i] *= 2;
  }
  tail[i] += n;
}
// sums_promoted: sums with array elements in registers over loops.
__global__ void sums_promoted(int n) {
  auto &sum = *_d_sum;
  auto &v = *_d_v;
  auto &tail = *_d_tail;
  int i = threadIdx.x;
  if (0 < n) {
    int _r_sum = sum[i];
    for (int k = 0; k < n; k++) _r_sum += v[k][i];
    sum[i] = _r_sum;
  }
  int _r_tail = 1;
  for (int k = 0; k < n; k++) {
    if (v[k][i] == 0) _r_tail = 0;
    _r_tail *= 2;
  }
  _r_tail += n;
  tail[i] = _r_tail;
}
__global__ void declined(int *p, int *q, int n) { auto &sum = *_d_sum;
  for (int k = 0; k < n; k++) p[threadIdx.x] += q[k];
  for (int k = 0; k < n; k++) {
    sum[threadIdx.x] += k;
    __syncthreads();
  }
}
// declined_formed: declined in another form.
__global__ void declined_formed(int *p, int *q, int n) {
  auto &sum = *_d_sum;
#pragma unroll
  for (int k = 0; k < 7; k++) p[threadIdx.x] += q[k];
#pragma unroll
  for (int k = 0; k < 7; k++) {
    sum[threadIdx.x] += k;
    __syncthreads();
  }
}
int main() {
  (mesi_launch_begin(&_mesi_6c8ceded, 0), mesi_launch_range(1, 0, 10240, 0, 0, MESI_READ), mesi_launch_range(2, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), sums_promoted<<<1, 64>>>(40), mesi_launch_end());
  (mesi_launch_begin(&_mesi_6c8ceded, 1), mesi_stream(0), declined_formed<<<1, 64>>>(mesi_arg(sum, MESI_READ_WRITE), mesi_arg_range(sum, 0, 28, 0, 0, MESI_READ), 7), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(sum)> _vs_sum; }
extern "C" { MESI_HIDDEN mesi_page<decltype(tail)> _vs_tail; }
extern "C" { MESI_HIDDEN mesi_page<decltype(v)> _vs_v; }
static const struct mesi_var _mesi_6c8ceded_vars[] = {
  {"sum", (void *)&sum, sizeof(sum), &_d_sum, MESI_VAR_GUARDED, 0, "promote.mcu:2"},
  {"tail", (void *)&tail, sizeof(tail), &_d_tail, MESI_VAR_GUARDED, 0, "promote.mcu:2"},
  {"v", (void *)&v, sizeof(v), &_d_v, MESI_VAR_GUARDED, 0, "promote.mcu:2"},
};
static const struct mesi_site_use _mesi_6c8ceded_uses_0[] = {{0, MESI_READ_WRITE}, {2, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_6c8ceded_uses_1[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_6c8ceded_sites[] = {
  {"sums", "promote.mcu:21", _mesi_6c8ceded_uses_0, 3, 0},
  {"declined", "promote.mcu:22", _mesi_6c8ceded_uses_1, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_6c8ceded = {MESI_ABI, "promote.mcu", _mesi_6c8ceded_vars, 3, _mesi_6c8ceded_sites, 2}; }
MESI_REGISTER(_mesi_6c8ceded)
