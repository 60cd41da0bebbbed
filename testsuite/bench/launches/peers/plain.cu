/* plain: the same launches, without virtual shared variables. */
#include "../launches.h"

static float *a, *b;

__global__ void add(const float *from, float *to)
{
  to[threadIdx.x] += from[threadIdx.x];
}

static cudaStream_t stream;

static double burst(void)
{
  double start = now_us();
  for (int i = 0; i < BURST; i++) {
    add<<<1, ELEMENTS>>>(a, b);
    cudaPeekAtLastError();
  }
  return now_us() - start;
}

static double burst_in_stream(void)
{
  double start = now_us();
  for (int i = 0; i < BURST; i++) {
    add<<<1, ELEMENTS, 0, stream>>>(a, b);
    cudaPeekAtLastError();
  }
  return now_us() - start;
}

static void loop(void)
{
  for (int i = 0; i < LOOP; i++)
    add<<<1, ELEMENTS>>>(a, b);
  cudaDeviceSynchronize();
}

int main()
{
  float start_a[ELEMENTS], start_b[ELEMENTS] = { 0 }, end;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc((void **)&a, sizeof start_a);
  cudaMalloc((void **)&b, sizeof start_b);
  for (int i = 0; i < ELEMENTS; i++)
    start_a[i] = 1;
  cudaMemcpy(a, start_a, sizeof start_a, cudaMemcpyHostToDevice);
  cudaMemcpy(b, start_b, sizeof start_b, cudaMemcpyHostToDevice);
  double launch = shortest(burst), in_stream = shortest(burst_in_stream);
  loop();
  double start = now_us();
  loop();
  double each = (now_us() - start) / LOOP;
  cudaMemcpy(&end, b + ELEMENTS - 1, sizeof end, cudaMemcpyDeviceToHost);
  return verdict(launch, in_stream, each, end, 2 * BURST * BURSTS + 2 * LOOP);
}
