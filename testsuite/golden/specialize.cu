#include <mesi_cuda.h>
// args: -O2 --no-line --mapping=never
/* Arguments that are the same number in all launches, where they divide and end short loops. Not
 * where nvcc would then round in another way, and not the bound of a long loop. */
#include <mesi.h>

__global__ void pool(float *out, const float *in, int w, int h, int k, int s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, wo = (w - k) / s + 1, ho = (h - k) / s + 1;
  if (i >= wo * ho) return;
  int x = i % wo, y = i / wo;
  float most = -1e30f;
  for (int dy = 0; dy < k; dy++)
    for (int dx = 0; dx < k; dx++) most = fmaxf(most, in[(y * s + dy) * w + x * s + dx]);
  out[i] = most;
}
// pool_formed: pool in another form.
__global__ void pool_formed(float *out, const float *in, int w, int h, int k, int s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, wo = (130 - 3) / 2 + 1, ho = (100 - 3) / 2 + 1;
  if (i >= wo * ho) return;
  int x = i % wo, y = i / wo;
  float most = -1e30f;
#pragma unroll
  for (int dy = 0; dy < 3; dy++)
#pragma unroll
    for (int dx = 0; dx < 3; dx++) most = fmaxf(most, in[(y * 2 + dy) * 130 + x * 2 + dx]);
  out[i] = most;
}

__global__ void product(float *out, const float *in, int w, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float all = 1;
  for (int j = 0; j < k; j++) all *= in[i % w + j];
  out[i] = all + in[i / w];
}
// product_divided: product with divisions by numbers of the launch as multiplications.
__global__ void product_divided(float *out, const float *in, int w, int k, const mesi_divisor<int> _by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float all = 1;
  for (int j = 0; j < k; j++) all *= in[mesi_remainder(i, _by) + j];
  out[i] = all + in[mesi_quotient(i, _by)];
}

__global__ void sum(float *out, const float *in, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float all = 0;
  for (int j = 0; j < k; j++) all += in[i + j];
  out[i] = all;
}

void run(float *out, const float *in, int k)
{
  pool_formed<<<200, 128>>>(out, in, 130, 100, 3, 2);
  product_divided<<<64, 128>>>(out, in, 100, 3, mesi_divisor<int>(100));
  sum<<<64, 128>>>(out, in, 1000);
}
