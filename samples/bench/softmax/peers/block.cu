/* block: a block a row, which stays in registers; 16-byte loads and stores. */
#include "../softmax.h"
#include "../../row_peer.h"

__global__ __launch_bounds__(THREADS) void softmax_rows(float *__restrict__ y,
                                                        const float *__restrict__ x)
{
  __shared__ float parts[2][THREADS / 32];
  float4 v[PLACES], *out = (float4 *)(y + (long)blockIdx.x * N);
  float most = -INFINITY, sum = 0;

  load_row(v, x + (long)blockIdx.x * N);
  for_places(
      [&](int k, int) { most = fmaxf(most, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w))); });
  most = over_block(most, parts[0], greater_of());
  for_places([&](int k, int) {
    v[k] = make_float4(expf(v[k].x - most), expf(v[k].y - most), expf(v[k].z - most),
                       expf(v[k].w - most));
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  });
  sum = 1 / over_block(sum, parts[1], add());
  for_places([&](int k, int at) {
    out[at] = make_float4(v[k].x * sum, v[k].y * sum, v[k].z * sum, v[k].w * sum);
  });
}

int main()
{
  float *x = new float[(long)M * N];

  fill_range(x, (long)M * N, 1, -4, 8);
  float *dx = device_copy(x, (long)M * N);
  float *dy = device_array<float>((long)M * N);
  auto work = [&] { softmax_rows<<<M, THREADS>>>(dy, dx); };
  work();
  check(x, host_copy(dy, (long)M * N));
  print_kernel_ms(work);
  return check_done();
}
