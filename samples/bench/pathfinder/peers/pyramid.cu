/* pyramid: RISE rows a launch. A warp has 128 columns, four a lane, in registers; neighbours come
 * by shuffles, and RISE columns on either side are computed by two warps. */
#include "../../peer.h"
#include "../pathfinder.h"

enum { THREADS = 256, RISE = 20, COLUMNS = 128, USED = COLUMNS - 2 * RISE, FAR = 1 << 30 };

__global__ __launch_bounds__(THREADS) void rise(const int *__restrict__ wall,
                                                const int *__restrict__ from, int *__restrict__ to,
                                                int row, int rows)
{
  int warp = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int first = warp * USED - RISE + lane * 4, v[4];
  bool in[4];

#pragma unroll
  for (int e = 0; e < 4; e++) {
    in[e] = first + e >= 0 && first + e < COLS;
    v[e] = in[e] ? from[first + e] : FAR;
  }
#pragma unroll 4
  for (int r = row; r < row + rows; r++) {
    const int *line = wall + (long)r * COLS + first;
    int cost[4], left = __shfl_up_sync(0xffffffffu, v[3], 1),
                 right = __shfl_down_sync(0xffffffffu, v[0], 1), next[4];
    if (COLS % 4 == 0 && in[0]) {
      int4 c = __ldcs((const int4 *)line);
      cost[0] = c.x;
      cost[1] = c.y;
      cost[2] = c.z;
      cost[3] = c.w;
    } else {
#pragma unroll
      for (int e = 0; e < 4; e++)
        cost[e] = in[e] ? line[e] : 0;
    }
    next[0] = min(min(left, v[0]), v[1]);
    next[1] = min(min(v[0], v[1]), v[2]);
    next[2] = min(min(v[1], v[2]), v[3]);
    next[3] = min(min(v[2], v[3]), right);
#pragma unroll
    for (int e = 0; e < 4; e++)
      v[e] = in[e] ? next[e] + cost[e] : FAR;
  }
#pragma unroll
  for (int e = 0; e < 4; e++) {
    int at = lane * 4 + e;
    if (at >= RISE && at < COLUMNS - RISE && in[e])
      to[first + e] = v[e];
  }
}

int main()
{
  int *h = new int[(long)ROWS * COLS], *at[2], now = 0, warps = (COLS + USED - 1) / USED;

  fill_wall(h);
  int *wall = device_copy(h, (long)ROWS * COLS);
  at[0] = device_array<int>(COLS);
  at[1] = device_array<int>(COLS);
  auto work = [&] {
    const int *from = wall;
    for (int row = 1; row < ROWS; row += RISE, now ^= 1) {
      rise<<<(warps + THREADS / 32 - 1) / (THREADS / 32), THREADS>>>(
          wall, from, at[now], row, ROWS - row < RISE ? ROWS - row : RISE);
      from = at[now];
    }
  };
  work();
  check(h, host_copy(at[now ^ 1], COLS));
  print_kernel_ms(work);
  return check_done();
}
