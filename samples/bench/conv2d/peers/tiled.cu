/* tiled: the filter in constant memory, a tile of the image with its rim in shared memory, four
 * pixels of a row a thread whose inputs are kept in registers along the row. */
#include "../../peer.h"
#include "../conv2d.h"

enum { PIXELS = 4, LANES = 32, LINES = 8, DOWN = 4, WIDE = LANES * PIXELS, HIGH = LINES * DOWN };

__constant__ float weights[SIDE][SIDE];

__global__ __launch_bounds__(LANES * LINES) void convolve(const float *__restrict__ image,
                                                         float *__restrict__ out)
{
  __shared__ __align__(16) float tile[HIGH + 2 * RADIUS][WIDE + 8];
  int x0 = blockIdx.x * WIDE, y0 = blockIdx.y * HIGH;

  for (int y = threadIdx.y; y < HIGH + 2 * RADIUS; y += LINES)
    for (int x = threadIdx.x; x < WIDE + 2 * RADIUS; x += LANES) {
      int gy = y0 + y - RADIUS, gx = x0 + x - RADIUS;
      tile[y][x] = gy >= 0 && gy < H && gx >= 0 && gx < W ? image[(long)gy * W + gx] : 0.0f;
    }
  __syncthreads();
  float sum[DOWN][PIXELS] = {};
  int left = threadIdx.x * PIXELS, top = threadIdx.y * DOWN;
#pragma unroll
  for (int row = 0; row < DOWN + 2 * RADIUS; row++) {
    float line[PIXELS + 8];
#pragma unroll
    for (int e = 0; e < PIXELS + 8; e += 4)
      *(float4 *)(line + e) = *(const float4 *)&tile[top + row][left + e];
#pragma unroll
    for (int d = 0; d < DOWN; d++) {
      int v = row - d;
      if (v < 0 || v >= SIDE)
        continue;
#pragma unroll
      for (int u = 0; u < SIDE; u++)
#pragma unroll
        for (int e = 0; e < PIXELS; e++)
          sum[d][e] += line[e + u] * weights[v][u];
    }
  }
#pragma unroll
  for (int d = 0; d < DOWN; d++) {
    int y = y0 + top + d, x = x0 + left;
    if (y < H && x < W)
      *(float4 *)(out + (long)y * W + x) = make_float4(sum[d][0], sum[d][1], sum[d][2], sum[d][3]);
  }
}

int main()
{
  static_assert(W % 4 == 0, "16-byte stores");
  long size = (long)H * W;
  float *hi = new float[size], hf[SIDE * SIDE];

  fill(hi, size, 1);
  fill(hf, SIDE * SIDE, 2);
  MUST(cudaMemcpyToSymbol(weights, hf, sizeof hf));
  float *image = device_copy(hi, size), *out = device_array<float>(size);
  auto work = [&] {
    convolve<<<dim3((W + WIDE - 1) / WIDE, (H + HIGH - 1) / HIGH), dim3(LANES, LINES)>>>(image,
                                                                                         out);
  };
  work();
  check(hi, hf, host_copy(out, size));
  print_kernel_ms(work);
  return check_done();
}
