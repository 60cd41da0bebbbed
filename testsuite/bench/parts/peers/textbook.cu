/* textbook: page-locked memory; copy, kernel, copy. */
#include "../parts.h"
#include "work.h"

static float *in, *out, *device_in, *device_out;

static float round_of(int round)
{
  size_t bytes = ELEMENTS * sizeof(float);

  change(in, round);
  cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
  work<<<BLOCKS, BLOCK>>>(device_in, device_out, 0, ELEMENTS);
  cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
  return look(out, round);
}

int main()
{
  size_t bytes = ELEMENTS * sizeof(float);
  float sum = 0;

  cudaMallocHost((void **)&in, bytes);
  cudaMallocHost((void **)&out, bytes);
  cudaMalloc((void **)&device_in, bytes);
  cudaMalloc((void **)&device_out, bytes);
  fill(in);
  for (int round = 0; round < WARM_UP; round++)
    sum += round_of(round);
  double start = now_ms();
  for (int round = 0; round < ROUNDS; round++)
    sum += round_of(round);
  return verdict(in, out, now_ms() - start, sum);
}
