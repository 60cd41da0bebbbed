#include <mesi_cuda.h>
// args: -O2 --no-line -arch=sm_90
// Counters whose indices have no known range: those within a block's copy, and others where they are.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void distances(const float *__restrict__ x, int *__restrict__ count, int n, float width)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[(int)(x[i] / width)], 1);
}
// distances_private: distances with what it updates of count in shared memory, 16384 bytes; at most 528 blocks, which take turns.
// Predicted gain: 11.4.
static __global__ void __launch_bounds__(512) distances_private(const float *__restrict__ x, int *__restrict__ count, int n, float width, int _total_x) {
  int _t = (int)threadIdx.x;
  __shared__ int _s_count[4096];
  for (int _e = _t; _e < 4096; _e += 512)
    _s_count[_e] = 0;
  __syncthreads();
  for (unsigned int _i = blockIdx.x * 2048 + threadIdx.x; _i < (unsigned int)_total_x; _i += gridDim.x * 2048) {
    int _k[4];
#pragma unroll
    for (int _u = 0; _u < 4; _u++) {
      unsigned int _x = _i + _u * 512;
      _k[_u] = -1;
      if (_x < (unsigned int)_total_x) {
        int i = (int)_x;
        if (i < n) {
          int _i_2 = (int)(x[i] / width);
          if ((unsigned long long)_i_2 < 4096) {
            _k[_u] = _i_2;
          } else
            atomicAdd(&count[_i_2], 1);
        }
      }
    }
#pragma unroll
    for (int _u = 0; _u < 4; _u++)
      if (_k[_u] >= 0)
        atomicAdd(&_s_count[_k[_u]], 1);
  }
  __syncthreads();
  for (int _e_2 = _t; _e_2 < 4096; _e_2 += 512) {
    unsigned int _v = (unsigned int)_s_count[_e_2];
    if ((int)_v != 0)
      atomicAdd(&count[_e_2], (int)_v);
  }
}
// distances_plain: distances for launches of less than 65536 threads.
static __global__ void distances_plain(const float *__restrict__ x, int *__restrict__ count, int n, float width, int _total_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[(int)(x[i] / width)], 1);
}
// distances_private_if: what distances_private is for.
static inline bool distances_private_if(int *__restrict__ count) {
  return mesi_allocated_within(count, 16384);
}

// the launch's shape stays: its length is known to the launch only
__global__ void chains(const int *__restrict__ next, int *__restrict__ seen, int n)
{
  __shared__ int at[128];
  at[threadIdx.x] = next[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k++) atomicMax(&seen[next[at[127 - threadIdx.x]]], k);
}

int main(int argc, char **argv)
{
  float *x;
  int *count, n = atoi(argv[1]);
  cudaMalloc((void **)&x, n * sizeof(float));
  cudaMalloc((void **)&count, atoi(argv[2]) * sizeof(int));
  (mesi_map((n + 255) / 256, 256), mesi_choose(true, {{}, {2048, 1, 512, 1, 65536, false, distances_private_if(count)}}), mesi_few(528), mesi_pick(distances_plain, distances_private)<<<mesi_mapped().grid, mesi_mapped().block>>>(x, count, n, 0.5f, mesi_mapped().total_x));
  chains<<<n, 128>>>((const int *)x, count, argc);
  return cudaDeviceSynchronize();
}
