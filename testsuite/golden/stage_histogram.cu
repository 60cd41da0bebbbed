#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_bdea4964; }
// args: -O1 --no-line
// Private rows of counts: the second index depends on data, the row is staged whole, since all of it is written. What lies in it as it was
// may be another kernel's meanwhile.
static unsigned counts[4096][10] MESI_VS(_vs_counts_bdea4964); static MESI_CONSTANT decltype(counts) *_d_counts;
static unsigned data[4096][64] MESI_VS(_vs_data_bdea4964); static MESI_CONSTANT decltype(data) *_d_data;

__global__ void count() { auto &counts = *_d_counts; auto &data = *_d_data;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int b = 0; b < 10; b++) counts[t][b] = 0;
  for (int i = 0; i < 64; i++)
    counts[t][data[t][i] % 10] += 1;
}
// count_cached: count with the following in shared memory, for blocks of 128 threads.
//   counts[blockIdx.x * 128 .. +128][0 .. +10]  5120 bytes, copied out, 74 accesses per thread, 0.01445 per byte
//   data[blockIdx.x * 128 .. +128][0 .. +64]  33280 bytes, copied in, 64 accesses per thread, 0.001923 per byte, rows padded by 1
__global__ void count_cached() {
  auto &counts = *_d_counts;
  auto &data = *_d_data;
  __shared__ unsigned int _s_counts[128][10];
  __shared__ unsigned int _s_data[128][65];
  const int _t = threadIdx.x;
  const int _o_counts_0 = blockIdx.x * 128;
  const int _o_data_0 = blockIdx.x * 128;
  for (int _e = _t; _e < 8192; _e += 128) {
    const int _i0 = _e / 64;
    const int _i1 = _e % 64;
    _s_data[_i0][_i1] = data[_o_data_0 + _i0][_i1];
  }
  __syncthreads();
  for (int b = 0; b < 10; b++) _s_counts[threadIdx.x][b] = 0;
  for (int i = 0; i < 64; i++)
    _s_counts[threadIdx.x][_s_data[threadIdx.x][i] % 10] += 1;
  __syncthreads();
  for (int _e = _t; _e < 1280; _e += 128) {
    const int _i0 = _e / 10;
    const int _i1 = _e % 10;
    counts[_o_counts_0 + _i0][_i1] = _s_counts[_i0][_i1];
  }
}
__global__ void add() { auto &counts = *_d_counts; auto &data = *_d_data;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 64; i++)
    counts[t][data[t][i] % 10] += 1;
}
// add_cached: add with the following in shared memory, for blocks of 128 threads.
//   data[blockIdx.x * 128 .. +128][0 .. +64]  33280 bytes, copied in, 64 accesses per thread, 0.001923 per byte, rows padded by 1
__global__ void add_cached() {
  auto &counts = *_d_counts;
  auto &data = *_d_data;
  __shared__ unsigned int _s_data[128][65];
  const int _t = threadIdx.x;
  const int _o_data_0 = blockIdx.x * 128;
  for (int _e = _t; _e < 8192; _e += 128) {
    const int _i0 = _e / 64;
    const int _i1 = _e % 64;
    _s_data[_i0][_i1] = data[_o_data_0 + _i0][_i1];
  }
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 64; i++)
    counts[t][_s_data[threadIdx.x][i] % 10] += 1;
}

int main() {
  (mesi_launch_begin(&_mesi_bdea4964, 0), mesi_stream(0), count_cached<<<4096 / 128, 128>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_bdea4964, 1), mesi_stream(0), add_cached<<<4096 / 128, 128>>>(), mesi_launch_end());
  mesi_use_bytes(counts, 0, 4, MESI_READ); return counts[0][0] != 64;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(counts)> _vs_counts_bdea4964; }
extern "C" { MESI_HIDDEN mesi_page<decltype(data)> _vs_data_bdea4964; }
static const struct mesi_var _mesi_bdea4964_vars[] = {
  {"counts", (void *)&counts, sizeof(counts), &_d_counts, 0, 0, "stage_histogram.mcu:4"},
  {"data", (void *)&data, sizeof(data), &_d_data, 0, 0, "stage_histogram.mcu:5"},
};
static const struct mesi_site_use _mesi_bdea4964_uses_0[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_bdea4964_uses_1[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site _mesi_bdea4964_sites[] = {
  {"count", "stage_histogram.mcu:20", _mesi_bdea4964_uses_0, 2, 0},
  {"add", "stage_histogram.mcu:21", _mesi_bdea4964_uses_1, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_bdea4964 = {MESI_ABI, "stage_histogram.mcu", _mesi_bdea4964_vars, 2, _mesi_bdea4964_sites, 2}; }
MESI_REGISTER(_mesi_bdea4964)
