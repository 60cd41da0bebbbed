/* block: a block a row, 16-byte loads; a value and its place are one number of 64 bits. */
#include "../argmax.h"
#include "../../row_peer.h"

/* Greater values come later in the order of unsigned numbers, and of equals the first ones. */
static __device__ unsigned long long key(float value, int place)
{
  unsigned bits = __float_as_uint(value);
  bits = bits >> 31 ? ~bits : bits | 0x80000000u;
  return (unsigned long long)bits << 32 | (unsigned)~place;
}

__global__ __launch_bounds__(THREADS) void argmax_rows(int *__restrict__ at,
                                                       const float *__restrict__ x)
{
  __shared__ unsigned long long parts[THREADS / 32];
  float4 v[PLACES];
  unsigned long long best = 0;

  load_row(v, x + (long)blockIdx.x * N);
  for_places([&](int k, int place) {
    best = max(best, max(max(key(v[k].x, 4 * place), key(v[k].y, 4 * place + 1)),
                         max(key(v[k].z, 4 * place + 2), key(v[k].w, 4 * place + 3))));
  });
  for (int lane = 16; lane > 0; lane /= 2)
    best = max(best, __shfl_xor_sync(0xffffffffu, best, lane));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < THREADS / 32; i++) best = max(best, parts[i]);
  at[blockIdx.x] = (int)~(unsigned)best;
}

int main()
{
  float *x = new float[(long)M * N];

  fill_range(x, (long)M * N, 1, -4, 8);
  float *dx = device_copy(x, (long)M * N);
  int *dat = device_array<int>(M);
  auto work = [&] { argmax_rows<<<M, THREADS>>>(dat, dx); };
  work();
  check(x, host_copy(dat, M));
  print_kernel_ms(work);
  return check_done();
}
