/* block: a block a row, which stays in registers; 16-byte loads. */
#include "../crossentropy.h"
#include "../../row_peer.h"

__global__ __launch_bounds__(THREADS) void crossentropy_rows(float *__restrict__ loss,
                                                             const float *__restrict__ x,
                                                             const int *__restrict__ target)
{
  __shared__ float parts[2][THREADS / 32];
  const float *in = x + (long)blockIdx.x * N;
  float4 v[PLACES];
  float most = -INFINITY, sum = 0;

  load_row(v, in);
  for_places(
      [&](int k, int) { most = fmaxf(most, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w))); });
  most = over_block(most, parts[0], greater_of());
  for_places([&](int k, int) {
    sum += expf(v[k].x - most) + expf(v[k].y - most) + expf(v[k].z - most) + expf(v[k].w - most);
  });
  sum = over_block(sum, parts[1], add());
  if (threadIdx.x == 0) loss[blockIdx.x] = logf(sum) + most - in[target[blockIdx.x]];
}

int main()
{
  float *x = new float[(long)M * N];
  int *target = new int[M];

  fill_range(x, (long)M * N, 1, -4, 8);
  for (long i = 0; i < M; i++) target[i] = (int)(number_at(i, 5) % N);
  float *dx = device_copy(x, (long)M * N);
  int *dtarget = device_copy(target, M);
  float *dloss = device_array<float>(M);
  auto work = [&] { crossentropy_rows<<<M, THREADS>>>(dloss, dx, dtarget); };
  work();
  check(x, target, host_copy(dloss, M));
  print_kernel_ms(work);
  return check_done();
}
