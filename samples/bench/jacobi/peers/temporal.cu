/* temporal: DEPTH steps a launch. A block keeps a tile with a rim of DEPTH points in shared memory
 * and computes steps on a part that shrinks by one point on each side; the rims are computed by
 * several blocks. */
#include "../../peer.h"
#include "../jacobi.h"

enum {
  LANES = 32,
  LINES = 16,
  WIDE = 64,
  HIGH = 64,
  MOST = 4,
  OUT_W = WIDE - 2 * MOST,
  OUT_H = HIGH - 2 * MOST
};
enum { ACROSS = WIDE / LANES, DOWN = HIGH / LINES };

__global__ __launch_bounds__(LANES * LINES) void steps(const float *__restrict__ in,
                                                      float *__restrict__ out, int depth)
{
  __shared__ float tile[2][HIGH][WIDE];
  int i0 = blockIdx.y * OUT_H - MOST, j0 = blockIdx.x * OUT_W - MOST, side = 0;
  bool moves[DOWN][ACROSS];

#pragma unroll
  for (int d = 0; d < DOWN; d++)
#pragma unroll
    for (int x = 0; x < ACROSS; x++) {
      int y = d * LINES + threadIdx.y, c = x * LANES + threadIdx.x, i = i0 + y, j = j0 + c;
      float v = i >= 0 && i < N && j >= 0 && j < N ? in[(long)i * N + j] : 0.0f;
      moves[d][x] = i > 0 && i < N - 1 && j > 0 && j < N - 1 && y > 0 && y < HIGH - 1 && c > 0 &&
                    c < WIDE - 1;
      tile[0][y][c] = v;
      tile[1][y][c] = v;
    }
  __syncthreads();
  for (int s = 0; s < depth; s++, side ^= 1) {
#pragma unroll
    for (int d = 0; d < DOWN; d++)
#pragma unroll
      for (int x = 0; x < ACROSS; x++) {
        int y = d * LINES + threadIdx.y, c = x * LANES + threadIdx.x;
        if (moves[d][x])
          tile[side ^ 1][y][c] = (tile[side][y - 1][c] + tile[side][y + 1][c] +
                                  tile[side][y][c - 1] + tile[side][y][c + 1]) *
                                 0.25f;
      }
    __syncthreads();
  }
#pragma unroll
  for (int d = 0; d < DOWN; d++)
#pragma unroll
    for (int x = 0; x < ACROSS; x++) {
      int y = d * LINES + threadIdx.y, c = x * LANES + threadIdx.x, i = i0 + y, j = j0 + c;
      if (y >= MOST && y < HIGH - MOST && c >= MOST && c < WIDE - MOST && i < N && j < N)
        out[(long)i * N + j] = tile[side][y][c];
    }
}

int main()
{
  long size = (long)N * N;
  float *start = new float[size], *other = new float[size], *at[2];
  dim3 grid((N + OUT_W - 1) / OUT_W, (N + OUT_H - 1) / OUT_H);
  int now = 0;

  fill_start(start, other);
  at[0] = device_copy(start, size);
  at[1] = device_copy(start, size);
  auto work = [&] {
    for (int left = STEPS; left > 0; left -= MOST, now ^= 1)
      steps<<<grid, dim3(LANES, LINES)>>>(at[now], at[now ^ 1], left < MOST ? left : MOST);
  };
  work();
  check(host_copy(at[now], size), 1);
  print_kernel_ms(work);
  return check_done();
}
