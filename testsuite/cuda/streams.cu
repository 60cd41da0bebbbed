// Streams, events, page-locked memory, asynchronous copies, host functions.
#include <cstdio>

__global__ void scale(float *p, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= f;
}

static void CUDART_CB count(void *p) { ++*(int *)p; }

int main() {
  const int parts = 4, n = 4096;
  float *host, *device;
  int done = 0, least, greatest;
  cudaStream_t stream[parts];
  cudaEvent_t start, stop, ready;
  cudaMallocHost(&host, parts * n * sizeof(float));
  cudaMalloc(&device, parts * n * sizeof(float));
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  for (int i = 0; i < parts * n; i++) host[i] = i % 100;
  for (int s = 0; s < parts; s++)
    if (s % 2) cudaStreamCreateWithPriority(&stream[s], cudaStreamNonBlocking, greatest);
    else cudaStreamCreate(&stream[s]);
  cudaEventRecord(start);
  for (int s = 0; s < parts; s++) {
    float *h = host + s * n, *d = device + s * n;
    cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, stream[s]);
    scale<<<(n + 127) / 128, 128, 0, stream[s]>>>(d, n, 2.0f);
    if (s > 0) cudaStreamWaitEvent(stream[s], ready, 0);
    scale<<<(n + 127) / 128, 128, 0, stream[s]>>>(d, n, 0.5f + s);
    cudaEventRecord(ready, stream[s]);
    cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, stream[s]);
    cudaLaunchHostFunc(stream[s], count, &done);
    cudaStreamSynchronize(stream[s]);
  }
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms = -1;
  if (cudaEventElapsedTime(&ms, start, stop) != cudaSuccess || ms < 0) return 1;
  for (int i = 0; i < parts * n; i++)
    if (host[i] != (i % 100) * 2.0f * (0.5f + i / n)) return 2;
  for (int s = 0; s < parts; s++)
    if (cudaStreamQuery(stream[s]) != cudaSuccess || cudaStreamDestroy(stream[s]) != cudaSuccess) return 3;
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaEventDestroy(ready);
  cudaFreeHost(host);
  cudaFree(device);
  std::printf("%d\n", done);
  return done != parts;
}
