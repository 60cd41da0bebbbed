/* textbook: memory from malloc, cudaMemcpy in and out around each kernel. */
#include <stdlib.h>

#include "../pipeline.h"
#include "kernels.h"

static float *device_in, *device_out;

static void step(void (*kernel)(const float *, float *), const float *from, float *to)
{
  cudaMemcpy(device_in, from, PIXELS * sizeof(float), cudaMemcpyHostToDevice);
  kernel<<<BLOCKS, BLOCK>>>(device_in, device_out);
  cudaMemcpy(to, device_out, PIXELS * sizeof(float), cudaMemcpyDeviceToHost);
}

static void process(const float *in, float *out, float *smoothed, float *root)
{
  for (long f = 0; f < FRAMES; f++) {
    step(smooth, in + f * PIXELS, smoothed);
    step(take_root, smoothed, root);
    step(sigmoid, root, out + f * PIXELS);
  }
}

int main()
{
  size_t frame = PIXELS * sizeof(float);
  float *in = (float *)malloc(FRAMES * frame), *out = (float *)malloc(FRAMES * frame);
  float *smoothed = (float *)malloc(frame), *root = (float *)malloc(frame), sum = 0;

  cudaMalloc((void **)&device_in, frame);
  cudaMalloc((void **)&device_out, frame);
  fill(in);
  for (int round = 0; round < WARM_UP; round++) {
    change(in, round);
    process(in, out, smoothed, root);
    sum += look(out, round);
  }
  double start = now_ms();
  for (int round = 0; round < ROUNDS; round++) {
    change(in, round);
    process(in, out, smoothed, root);
    sum += look(out, round);
  }
  return verdict(in, out, now_ms() - start, sum);
}
