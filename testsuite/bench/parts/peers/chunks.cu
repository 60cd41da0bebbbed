/* chunks: page-locked memory; CHUNKS parts, copies of each direction in a stream of their own,
 * ordered by events. */
#include "../parts.h"
#include "work.h"

#ifndef CHUNKS
#define CHUNKS 16
#endif

static float *in, *out, *device_in, *device_out;
static cudaStream_t up, run, down;
static cudaEvent_t arrived[CHUNKS], done[CHUNKS];

static void process(void)
{
  for (int c = 0; c < CHUNKS; c++) {
    long first = (long)ELEMENTS * c / CHUNKS, end = (long)ELEMENTS * (c + 1) / CHUNKS;
    size_t bytes = (size_t)(end - first) * sizeof(float);
    cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, up);
    cudaEventRecord(arrived[c], up);
    cudaStreamWaitEvent(run, arrived[c], 0);
    work<<<(unsigned)((end - first + BLOCK - 1) / BLOCK), BLOCK, 0, run>>>(device_in, device_out,
                                                                           first, end);
    cudaEventRecord(done[c], run);
    cudaStreamWaitEvent(down, done[c], 0);
    cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, down);
  }
  cudaStreamSynchronize(down);
}

static float round_of(int round)
{
  change(in, round);
  process();
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
  for (cudaStream_t *stream : {&up, &run, &down})
    cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  for (int c = 0; c < CHUNKS; c++) {
    cudaEventCreateWithFlags(&arrived[c], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done[c], cudaEventDisableTiming);
  }
  fill(in);
  for (int round = 0; round < WARM_UP; round++)
    sum += round_of(round);
  double start = now_ms();
  for (int round = 0; round < ROUNDS; round++)
    sum += round_of(round);
  return verdict(in, out, now_ms() - start, sum);
}
