/* block: a block a row, which stays in registers; 16-byte loads and stores. */
#include "../layernorm.h"
#include "../../row_peer.h"

__global__ __launch_bounds__(THREADS) void layernorm_rows(
    float *__restrict__ y, float *__restrict__ mean, float *__restrict__ rstd,
    const float *__restrict__ x, const float *__restrict__ g, const float *__restrict__ b)
{
  __shared__ float parts[2][THREADS / 32];
  float4 v[PLACES], *out = (float4 *)(y + (long)blockIdx.x * N);
  float sum = 0, squares = 0;

  load_row(v, x + (long)blockIdx.x * N);
  for_places([&](int k, int) { sum += v[k].x + v[k].y + v[k].z + v[k].w; });
  float middle = over_block(sum, parts[0], add()) / N;
  for_places([&](int k, int) {
    v[k] = make_float4(v[k].x - middle, v[k].y - middle, v[k].z - middle, v[k].w - middle);
    squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
  });
  float scale = rsqrtf(over_block(squares, parts[1], add()) / N + 1e-5f);
  for_places([&](int k, int at) {
    float4 p = __ldg((const float4 *)g + at), q = __ldg((const float4 *)b + at);
    out[at] = make_float4(v[k].x * scale * p.x + q.x, v[k].y * scale * p.y + q.y,
                          v[k].z * scale * p.z + q.z, v[k].w * scale * p.w + q.w);
  });
  if (threadIdx.x == 0) mean[blockIdx.x] = middle, rstd[blockIdx.x] = scale;
}

int main()
{
  float *x = new float[(long)M * N];
  float *g = new float[N];
  float *b = new float[N];

  fill_range(x, (long)M * N, 1, -1, 3);
  fill_range(g, N, 2, 0, 2);
  fill_range(b, N, 3, -1, 2);
  float *dx = device_copy(x, (long)M * N);
  float *dg = device_copy(g, N);
  float *db = device_copy(b, N);
  float *dy = device_array<float>((long)M * N);
  float *dmean = device_array<float>(M);
  float *drstd = device_array<float>(M);
  auto work = [&] { layernorm_rows<<<M, THREADS>>>(dy, dmean, drstd, dx, dg, db); };
  work();
  check(x, g, b, host_copy(dy, (long)M * N));
  print_kernel_ms(work);
  return check_done();
}
