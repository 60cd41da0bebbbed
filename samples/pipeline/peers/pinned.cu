/* pinned: page-locked memory, each frame in one of several streams, transfers in both directions
 * beside the kernels. */
#include "../pipeline.h"
#include "kernels.h"

enum { STREAMS = 3 };

static cudaStream_t streams[STREAMS];
static float *device[STREAMS][4];

static void process(const float *in, float *out)
{
  size_t frame = PIXELS * sizeof(float);

  for (long f = 0; f < FRAMES; f++) {
    cudaStream_t stream = streams[f % STREAMS];
    float **d = device[f % STREAMS];
    cudaMemcpyAsync(d[0], in + f * PIXELS, frame, cudaMemcpyHostToDevice, stream);
    smooth<<<BLOCKS, BLOCK, 0, stream>>>(d[0], d[1]);
    take_root<<<BLOCKS, BLOCK, 0, stream>>>(d[1], d[2]);
    sigmoid<<<BLOCKS, BLOCK, 0, stream>>>(d[2], d[3]);
    cudaMemcpyAsync(out + f * PIXELS, d[3], frame, cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
}

int main()
{
  size_t frame = PIXELS * sizeof(float);
  float *in, *out, sum = 0;

  cudaMallocHost((void **)&in, FRAMES * frame);
  cudaMallocHost((void **)&out, FRAMES * frame);
  for (int s = 0; s < STREAMS; s++) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    for (int k = 0; k < 4; k++)
      cudaMalloc((void **)&device[s][k], frame);
  }
  fill(in);
  for (int round = 0; round < WARM_UP; round++) {
    change(in, round);
    process(in, out);
    sum += look(out, round);
  }
  double start = now_ms();
  for (int round = 0; round < ROUNDS; round++) {
    change(in, round);
    process(in, out);
    sum += look(out, round);
  }
  return verdict(in, out, now_ms() - start, sum);
}
