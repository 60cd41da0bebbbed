/* tiled: planes with their rim in shared memory, one after the other. A thread has four points of a
 * line; each plane adds to the sums of three output planes, which are kept in registers. */
#include "../../peer.h"
#include "../conv3d.h"

enum {
  LANES = 32,
  LINES = 8,
  POINTS = 4,
  WIDE = LANES * POINTS,
  SLAB = 32,
  TALL = LINES + 2,
  LONG = WIDE + 8
};

__constant__ float weights[3][3][3];

__device__ static void load_plane(float (*plane)[LONG], const float *in, int i, int j0, int k0)
{
  for (int y = threadIdx.y; y < TALL; y += LINES)
    for (int x = threadIdx.x * 4; x < LONG; x += LANES * 4) {
      int j = j0 + y - 1, k = k0 + x - 4;
      bool inside = i < N && j >= 0 && j < N && k >= 0 && k < N;
      *(float4 *)&plane[y][x] =
          inside ? *(const float4 *)(in + ((long)i * N + j) * N + k) : make_float4(0, 0, 0, 0);
    }
}

__global__ __launch_bounds__(LANES * LINES) void convolve(const float *__restrict__ in,
                                                         float *__restrict__ out)
{
  __shared__ __align__(16) float plane[2][TALL][LONG];
  int k0 = blockIdx.x * WIDE, j0 = blockIdx.y * LINES, k = k0 + threadIdx.x * POINTS,
      j = j0 + threadIdx.y;
  int first = blockIdx.z * SLAB + 1, last = min(first + SLAB, N - 1);
  float sum[3][POINTS] = {};

  load_plane(plane[0], in, first - 1, j0, k0);
  __syncthreads();
  for (int i = first - 1, side = 0; i <= last; i++, side ^= 1) {
    if (i < last)
      load_plane(plane[side ^ 1], in, i + 1, j0, k0);
#pragma unroll
    for (int y = 0; y < 3; y++) {
      float line[12];
#pragma unroll
      for (int e = 0; e < 12; e += 4)
        *(float4 *)(line + e) =
            *(const float4 *)&plane[side][threadIdx.y + y][threadIdx.x * POINTS + e];
#pragma unroll
      for (int x = 0; x < 3; x++)
#pragma unroll
        for (int z = 0; z < 3; z++)
#pragma unroll
          for (int e = 0; e < POINTS; e++)
            sum[x][e] += weights[x][y][z] * line[3 + e + z];
    }
    int done = i - 1; /* has had its last plane: sum[2] */
    if (done >= first && j >= 1 && j < N - 1 && k < N) {
      float *to = out + ((long)done * N + j) * N + k;
      if (k > 0 && k + 4 < N) {
        *(float4 *)to = make_float4(sum[2][0], sum[2][1], sum[2][2], sum[2][3]);
      } else {
        for (int e = 0; e < POINTS; e++)
          if (k + e >= 1 && k + e < N - 1)
            to[e] = sum[2][e];
      }
    }
#pragma unroll
    for (int e = 0; e < POINTS; e++) {
      sum[2][e] = sum[1][e];
      sum[1][e] = sum[0][e];
      sum[0][e] = 0;
    }
    __syncthreads();
  }
}

int main()
{
  static_assert(N % 4 == 0, "16-byte loads");
  long size = (long)N * N * N;
  float *ha = new float[size], hf[27];

  fill(ha, size, 1);
  fill(hf, 27, 2);
  MUST(cudaMemcpyToSymbol(weights, hf, sizeof hf));
  float *a = device_copy(ha, size), *b = device_array<float>(size);
  dim3 grid((N + WIDE - 1) / WIDE, (N + LINES - 1) / LINES, (N - 2 + SLAB - 1) / SLAB);
  auto work = [&] { convolve<<<grid, dim3(LANES, LINES)>>>(a, b); };
  work();
  check(ha, hf, host_copy(b, size));
  print_kernel_ms(work);
  return check_done();
}
