/* vector: eight elements a thread, 16-byte loads and stores, two in an instruction. */
#include "../../peer.h"
#include "../residual16.h"

union eight {
  uint4 all;
  __nv_bfloat162 two[4];
  __device__ eight() {}
};

__global__ __launch_bounds__(256) void residual8(uint4 *__restrict__ y, const uint4 *__restrict__ x,
                                                 const uint4 *__restrict__ r)
{
  int i = blockIdx.x * 256 + threadIdx.x;
  eight a, b;

  if (i >= N / 8) return;
  a.all = x[i];
  b.all = r[i];
#pragma unroll
  for (int k = 0; k < 4; k++) a.two[k] = __hadd2(a.two[k], b.two[k]);
  y[i] = a.all;
}

int main()
{
  unsigned short *x = new unsigned short[N], *r = new unsigned short[N];

  fill16(x, N, 1);
  fill16(r, N, 2);
  unsigned short *dx = device_copy(x, N), *dr = device_copy(r, N),
                 *dy = device_array<unsigned short>(N);
  auto work = [&] {
    residual8<<<(N / 8 + 255) / 256, 256>>>((uint4 *)dy, (const uint4 *)dx, (const uint4 *)dr);
  };
  work();
  check(x, r, host_copy(dy, N));
  print_kernel_ms(work);
  return check_done();
}
