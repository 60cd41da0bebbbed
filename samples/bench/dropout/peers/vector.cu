/* vector: four elements a thread, 16-byte loads and stores, four bytes of the mask at once. */
#include "../../peer.h"
#include "../dropout.h"

__global__ __launch_bounds__(256) void dropout4(float4 *__restrict__ y,
                                                const float4 *__restrict__ x,
                                                const uchar4 *__restrict__ kept, float scale)
{
  int i = blockIdx.x * 256 + threadIdx.x;

  if (i >= N / 4) return;
  float4 v = x[i];
  uchar4 k = kept[i];
  y[i] = make_float4(k.x ? v.x * scale : 0, k.y ? v.y * scale : 0, k.z ? v.z * scale : 0,
                     k.w ? v.w * scale : 0);
}

int main()
{
  float *x = new float[N];
  unsigned char *kept = new unsigned char[N];

  fill(x, N, 1);
  for (long i = 0; i < N; i++) kept[i] = number_at(i, 2) % 5 != 0;
  float *dx = device_copy(x, N), *dy = device_array<float>(N);
  unsigned char *dkept = device_copy(kept, N);
  auto work = [&] {
    dropout4<<<(N / 4 + 255) / 256, 256>>>((float4 *)dy, (const float4 *)dx, (const uchar4 *)dkept,
                                           1.25f);
  };
  work();
  check(x, kept, host_copy(dy, N));
  print_kernel_ms(work);
  return check_done();
}
