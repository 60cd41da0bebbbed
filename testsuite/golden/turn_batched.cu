#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_e545d120; }
// args: -O2 --no-line --hook-launches -Rmesi=map,parts
/* Launches of a loop whose elements have other axes than their blocks: they go out together, and on
 * one device. */
#include <cstdlib>
#include <mesi.h>

__global__ void scaled(float *out, const float *in, int nx, int ny, int nz, float by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] += by * in[(i * ny + j) * nz + k];
}
// scaled_mapped: scaled with blocks of 32 x 8 elements for 32 x 8 threads.
// Predicted gain: 2.8.
static __global__ void __launch_bounds__(256) scaled_mapped(float *out, const float *in, int nx, int ny, int nz, float by, int _total_x, int _total_y) {
  if ((int)(blockIdx.y * 8 + threadIdx.y) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
    int i = (int)blockIdx.z; int j = (int)(blockIdx.y * 8 + threadIdx.y); int k = (int)(blockIdx.x * 32 + threadIdx.x);
    if (i < nx && j < ny && k < nz) {
      out[(i * ny + j) * nz + k] += by * in[(i * ny + j) * nz + k];
    }
  }
}
// scaled_mapped_large: scaled with blocks of 256 x 1 elements for 64 x 1 threads.
static __global__ void __launch_bounds__(64) scaled_mapped_large(float *out, const float *__restrict__ in, int nx, int ny, int nz, float by, int _total_x, int _total_y) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 256 + 0) < _total_x && (int)blockIdx.z < nx && (int)blockIdx.y < ny && (int)(blockIdx.x * 256 + 0) < nz && ((int)(blockIdx.x * 256 + 255) < _total_x && (int)blockIdx.z < nx && (int)blockIdx.y < ny && (int)(blockIdx.x * 256 + 255) < nz) && (mesi_vector_at(&out[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + 0)]) && mesi_vector_at(&in[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + 0)])));
  if (_whole) {
    float _w_out[4];
    mesi_vector_load(&_w_out[0], &out[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    float _w_in[4];
    mesi_vector_load(&_w_in[0], &in[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _w_out[_x] = _w_out[_x] + by * _w_in[_x];
      }
    }
    mesi_vector_store(&out[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)) < _total_x) {
        int i = (int)blockIdx.z, j = (int)blockIdx.y, k = (int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64));
        if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] += by * in[(i * ny + j) * nz + k];
      }
    }
}
// scaled_written: scaled for launches whose rows are short or whose arguments may overlap.
static __global__ void scaled_written(float *out, const float *in, int nx, int ny, int nz, float by, int _total_x, int _total_y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] += by * in[(i * ny + j) * nz + k];
}

int main(int argc, char **argv)
{
  int nx = argc > 1 ? atoi(argv[1]) : 64, ny = argc > 2 ? atoi(argv[2]) : 64;
  int nz = argc > 3 ? atoi(argv[3]) : 64;
  int steps = argc > 4 ? atoi(argv[4]) : 10;
  size_t bytes = sizeof(float) * nx * ny * nz;
  float *out, *in, *host = (float *)calloc(1, bytes);
  cudaMalloc(&out, bytes);
  cudaMalloc(&in, bytes);
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(out, host, bytes, cudaMemcpyHostToDevice);
  dim3 block(8, 8, 8), grid((nx + 7) / 8, (ny + 7) / 8, (nz + 7) / 8);
  { mesi_batch _mesi_batch; for (int t = 0; t < steps; t++) (mesi_launch_begin(&_mesi_e545d120, 0), mesi_stream(0), mesi_map(grid, block), mesi_turn(2, 1, 0, 32), mesi_choose(true, {{}, {32, 8, 32, 8, 33792, false, true, 1, 1}, {256, 1, 64, 1, 4325376, false, mesi_rows_of(1024), 1, 1}}), mesi_batched(mesi_pick(scaled_written, scaled_mapped, scaled_mapped_large), mesi_mapped().grid, mesi_mapped().block)(mesi_arg_range(out, 0, mesi_times(mesi_times((long long)nx * 4 - 4, ny), nz) + mesi_times((long long)ny * 4 - 4, nz) + (long long)nz * 4, 0, mesi_times(mesi_times((long long)nx * 4 - 4, ny), nz) + mesi_times((long long)ny * 4 - 4, nz) + (long long)nz * 4, MESI_READ_WRITE), mesi_arg_range(in, 0, mesi_times(mesi_times((long long)nx * 4 - 4, ny), nz) + mesi_times((long long)ny * 4 - 4, nz) + (long long)nz * 4, 0, 0, MESI_READ), nx, ny, nz, 0.5f, mesi_mapped().total_x, mesi_mapped().total_y), mesi_launch_end()); }
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  return host[0] != 0;
}

/* ---- for the runtime ---- */
static const struct mesi_site _mesi_e545d120_sites[] = {
  {"scaled", "turn_batched.mcu:26", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_e545d120 = {MESI_ABI, "turn_batched.mcu", 0, 0, _mesi_e545d120_sites, 1}; }
MESI_REGISTER(_mesi_e545d120)
