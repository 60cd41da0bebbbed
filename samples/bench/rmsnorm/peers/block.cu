/* block: a block a row, which stays in registers; 16-byte loads and stores. */
#include "../rmsnorm.h"
#include "../../row_peer.h"

__global__ __launch_bounds__(THREADS) void rmsnorm_rows(float *__restrict__ y,
                                                        const float *__restrict__ x,
                                                        const float *__restrict__ w)
{
  __shared__ float parts[THREADS / 32];
  float4 v[PLACES], *out = (float4 *)(y + (long)blockIdx.x * N);
  float squares = 0;

  load_row(v, x + (long)blockIdx.x * N);
  for_places([&](int k, int) {
    squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
  });
  float scale = rsqrtf(over_block(squares, parts, add()) / N + 1e-5f);
  for_places([&](int k, int at) {
    float4 p = __ldg((const float4 *)w + at);
    out[at] = make_float4(v[k].x * scale * p.x, v[k].y * scale * p.y, v[k].z * scale * p.z,
                          v[k].w * scale * p.w);
  });
}

int main()
{
  float *x = new float[(long)M * N];
  float *w = new float[N];

  fill_range(x, (long)M * N, 1, -1, 3);
  fill_range(w, N, 2, 0, 2);
  float *dx = device_copy(x, (long)M * N);
  float *dw = device_copy(w, N);
  float *dy = device_array<float>((long)M * N);
  auto work = [&] { rmsnorm_rows<<<M, THREADS>>>(dy, dx, dw); };
  work();
  check(x, w, host_copy(dy, (long)M * N));
  print_kernel_ms(work);
  return check_done();
}
