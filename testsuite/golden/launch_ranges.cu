#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_4861e2f9; }
// args: --no-line -O0
static float a[64][64] MESI_VS(_vs_a_4861e2f9), b[4096] MESI_VS(_vs_b_4861e2f9); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;

__global__ void shift(const float *x, float *y, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) y[i] = x[i] + x[i + 1]; }
// shift_part: shift for a run of blocks along x, from _run.first of _run.blocks.
__global__ void shift_part(const float *x, float *y, int n, const mesi_run _run) {
  int i = blockDim.x * (blockIdx.x + _run.first) + threadIdx.x;
  if (i < n) y[i] = x[i] + x[i + 1];
}
__global__ void named(float *y) { auto &a = *_d_a; int i = 128 * blockIdx.x + threadIdx.x; y[i] = a[i / 64][i % 64]; }
__global__ void some(float *y) { if (y[threadIdx.x] > 0) y[threadIdx.x + 1] = 1; }
__global__ void every_other(float *y) { y[2 * threadIdx.x] = 1; }
__global__ void rows(const float *x, float *y, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) y[i * n + j] = x[j * n + i];
}
// rows_part: rows for a run of blocks along y, from _run.first of _run.blocks.
__global__ void rows_part(const float *x, float *y, int n, const mesi_run _run) {
  int i = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) y[i * n + j] = x[j * n + i];
}
__global__ void indirect(const int *x, float *y) { y[x[threadIdx.x]] = 1; }

void run(float *p, float *q, int *r, int n, dim3 grid) {
  (mesi_launch_begin(&_mesi_4861e2f9, 0), mesi_launch_on_devices(), mesi_stream(0), mesi_parted(shift, shift_part, 0, (n + 127) / 128, 128)(mesi_arg_range(p, 0, (long long)n * 4 + 4, 0, 0, MESI_READ, {512, 0, 516}, {}), mesi_arg_range(q, 0, 0, 0, (long long)n * 4, MESI_WRITE | (((long long)dim3((n + 127) / 128).x * 128 >= (long long)n) && mesi_no_alias(q, 0, (long long)n * 4, p, 0, (long long)n * 4 + 4) ? MESI_OVERWRITE : 0u), {}, {512, 0, 512}), n), mesi_launch_end());
  (mesi_launch_begin(&_mesi_4861e2f9, 1), mesi_launch_on_devices(), mesi_stream(0), mesi_parted(rows, rows_part, 1, grid, dim3(16, 16))(mesi_arg_range(p, 0, mesi_times((long long)n * 4 - 4, n) + (long long)n * 4, 0, 0, MESI_READ, {64, 0, mesi_times((long long)n * 4 - 4, n) + 64}, {}), mesi_arg_range(q, 0, 0, 0, mesi_times((long long)n * 4 - 4, n) + (long long)n * 4, MESI_WRITE | (((long long)dim3(grid).y * 16 >= (long long)n && (long long)dim3(grid).x * 16 >= (long long)n) && mesi_no_alias(q, 0, mesi_times((long long)n * 4 - 4, n) + (long long)n * 4, p, 0, mesi_times((long long)n * 4 - 4, n) + (long long)n * 4) ? MESI_OVERWRITE : 0u), {}, {mesi_times(64, n), 0, mesi_times(60, n) + (long long)n * 4}), n), mesi_launch_end());
  (mesi_launch_begin(&_mesi_4861e2f9, 2), mesi_stream(0), rows<<<grid, dim3(16, 16)>>>(mesi_arg(p, MESI_READ), mesi_arg(q, MESI_READ_WRITE), n++), mesi_launch_end());
  (mesi_launch_begin(&_mesi_4861e2f9, 3), mesi_stream(0), indirect<<<1, 32>>>(mesi_arg_range(r, 0, 128, 0, 0, MESI_READ), mesi_arg(q, MESI_READ_WRITE)), mesi_launch_end());
}

int main() {
  (mesi_launch_begin(&_mesi_4861e2f9, 4), mesi_stream(0), shift<<<32, 128>>>(mesi_arg_range(&a[0][0], 0, 16004, 0, 0, MESI_READ), mesi_arg_range(b, 0, 0, 0, 16000, MESI_WRITE | MESI_OVERWRITE), 4000), mesi_launch_end());
  (mesi_launch_begin(&_mesi_4861e2f9, 5), mesi_launch_range(0, 0, 8192, 0, 0, MESI_READ), mesi_stream(0), named<<<16, 128>>>(mesi_arg_range(b + 2048, 0, 0, 0, 8192, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  (mesi_launch_begin(&_mesi_4861e2f9, 6), mesi_stream(0), some<<<1, 64>>>(mesi_arg_range(b, 0, 256, 4, 260, MESI_READ_WRITE)), mesi_launch_end());
  (mesi_launch_begin(&_mesi_4861e2f9, 7), mesi_stream(0), every_other<<<1, 64>>>(mesi_arg_range(b, 0, 0, 0, 508, MESI_WRITE)), mesi_launch_end());
  return 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_4861e2f9; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_4861e2f9; }
static const struct mesi_var _mesi_4861e2f9_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "launch_ranges.mcu:2"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_FLOAT, 0, "launch_ranges.mcu:2"},
};
static const struct mesi_site_use _mesi_4861e2f9_uses_5[] = {{0, MESI_READ}};
static const struct mesi_site _mesi_4861e2f9_sites[] = {
  {"shift", "launch_ranges.mcu:15", 0, 0, 0},
  {"rows", "launch_ranges.mcu:16", 0, 0, 0},
  {"rows", "launch_ranges.mcu:17", 0, 0, 0},
  {"indirect", "launch_ranges.mcu:18", 0, 0, 0},
  {"shift", "launch_ranges.mcu:22", 0, 0, 0},
  {"named", "launch_ranges.mcu:23", _mesi_4861e2f9_uses_5, 1, 0},
  {"some", "launch_ranges.mcu:24", 0, 0, 0},
  {"every_other", "launch_ranges.mcu:25", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_4861e2f9 = {MESI_ABI, "launch_ranges.mcu", _mesi_4861e2f9_vars, 2, _mesi_4861e2f9_sites, 8}; }
MESI_REGISTER(_mesi_4861e2f9)
