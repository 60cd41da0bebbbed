/* marching: a thread has four points of a line and goes through a slab of planes with three of them
 * in registers; the lines above and below come through the L1 cache, the neighbours along the line
 * by shuffles. */
#include "../../peer.h"
#include "../stencil3d.h"

enum { LANES = 32, LINES = 8, SLAB = 32 };

__device__ static float4 at(const float *p) { return *(const float4 *)p; }

__global__ __launch_bounds__(LANES * LINES) void seven_points(const float *__restrict__ in,
                                                             float *__restrict__ out)
{
  const long plane = (long)N * N;
  int k = (blockIdx.x * LANES + threadIdx.x) * 4, j = blockIdx.y * LINES + threadIdx.y + 1;
  int first = blockIdx.z * SLAB + 1, last = min(first + SLAB, N - 1);
  bool inside = k < N && j < N - 1;
  const float *p = in + first * plane + (long)j * N + k;
  float *to = out + first * plane + (long)j * N + k;
  float4 before = make_float4(0, 0, 0, 0), here = before, behind = before, up = before,
         down = before;

  if (inside) {
    before = at(p - plane);
    here = at(p);
  }
#pragma unroll 2
  for (int i = first; i < last; i++, p += plane, to += plane) {
    if (inside) {
      behind = at(p + plane);
      up = at(p - N);
      down = at(p + N);
    }
    float left = __shfl_up_sync(0xffffffffu, here.w, 1),
          right = __shfl_down_sync(0xffffffffu, here.x, 1);
    if (threadIdx.x == 0 && inside && k > 0)
      left = p[-1];
    if (threadIdx.x == LANES - 1 && inside && k + 4 < N)
      right = p[4];
    float4 r;
    r.x = 0.25f * here.x + 0.125f * (left + here.y + up.x + down.x + before.x + behind.x);
    r.y = 0.25f * here.y + 0.125f * (here.x + here.z + up.y + down.y + before.y + behind.y);
    r.z = 0.25f * here.z + 0.125f * (here.y + here.w + up.z + down.z + before.z + behind.z);
    r.w = 0.25f * here.w + 0.125f * (here.z + right + up.w + down.w + before.w + behind.w);
    if (inside && k > 0 && k + 4 < N) {
      *(float4 *)to = r;
    } else if (inside) {
      if (k > 0)
        to[0] = r.x;
      to[1] = r.y;
      to[2] = r.z;
      if (k + 4 < N)
        to[3] = r.w;
    }
    before = here;
    here = behind;
  }
}

int main()
{
  static_assert(N % 4 == 0, "16-byte loads");
  long size = (long)N * N * N;
  float *ha = new float[size];

  fill(ha, size, 1);
  float *a = device_copy(ha, size), *b = device_array<float>(size);
  dim3 grid((N + 4 * LANES - 1) / (4 * LANES), (N - 2 + LINES - 1) / LINES,
            (N - 2 + SLAB - 1) / SLAB);
  auto work = [&] { seven_points<<<grid, dim3(LANES, LINES)>>>(a, b); };
  work();
  check(ha, host_copy(b, size));
  print_kernel_ms(work);
  return check_done();
}
