/* vector: sixteen bytes a thread, four in an instruction. */
#include "../../peer.h"
#include "../relu8.h"

__global__ __launch_bounds__(256) void relu16(uint4 *__restrict__ y, const uint4 *__restrict__ x)
{
  int i = blockIdx.x * 256 + threadIdx.x;

  if (i >= N / 16) return;
  uint4 v = x[i];
  y[i] = make_uint4(__vmaxs4(v.x, 0), __vmaxs4(v.y, 0), __vmaxs4(v.z, 0), __vmaxs4(v.w, 0));
}

int main()
{
  signed char *x = new signed char[N];

  fill(x, N, 1);
  signed char *dx = device_copy(x, N), *dy = device_array<signed char>(N);
  auto work = [&] { relu16<<<(N / 16 + 255) / 256, 256>>>((uint4 *)dy, (const uint4 *)dx); };
  work();
  check(x, host_copy(dy, N));
  print_kernel_ms(work);
  return check_done();
}
