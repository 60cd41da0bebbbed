/* shared: tiles of 32 x 32 through padded shared memory, four elements a thread. */
#include "../../peer.h"
#include "../transpose.h"

enum { SIDE = 32, LINES = 8 };

__global__ __launch_bounds__(SIDE * LINES) void transpose_tiles(const float *__restrict__ a,
                                                               float *__restrict__ b)
{
  __shared__ float tile[SIDE][SIDE + 1];
  int col = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;

#pragma unroll
  for (int l = 0; l < SIDE; l += LINES)
    if (row + l < M && col < N)
      tile[threadIdx.y + l][threadIdx.x] = a[(long)(row + l) * N + col];
  __syncthreads();
  col = blockIdx.y * SIDE + threadIdx.x;
  row = blockIdx.x * SIDE + threadIdx.y;
#pragma unroll
  for (int l = 0; l < SIDE; l += LINES)
    if (row + l < N && col < M)
      b[(long)(row + l) * M + col] = tile[threadIdx.x][threadIdx.y + l];
}

int main()
{
  float *ha = new float[(long)M * N];

  fill_matrix(ha);
  float *a = device_copy(ha, (long)M * N), *b = device_array<float>((long)M * N);
  auto work = [&] {
    transpose_tiles<<<dim3((N + SIDE - 1) / SIDE, (M + SIDE - 1) / SIDE), dim3(SIDE, LINES)>>>(a,
                                                                                               b);
  };
  work();
  check(host_copy(b, (long)M * N));
  print_kernel_ms(work);
  return check_done();
}
