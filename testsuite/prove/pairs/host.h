/* host.h - the host program of each pair: out = what the kernel makes of a and b, both of N numbers. */
#include <stdio.h>
#include <stdlib.h>

#ifndef VALUE
#define VALUE(i) ((i) % 7 + 0.1f)
#endif
enum { N = 256 };

__global__ void kernel(const float *a, const float *b, float *out, int *number);

int main(void)
{
  static float a[N], b[N], host[N];
  float *d_a, *d_b, *d_out;
  int *d_number;

  for (int i = 0; i < N; i++)
    a[i] = VALUE(i), b[i] = (float)(i * i % 11);
  cudaMalloc((void **)&d_a, sizeof a);
  cudaMalloc((void **)&d_b, sizeof b);
  cudaMalloc((void **)&d_out, sizeof host);
  cudaMalloc((void **)&d_number, sizeof(int));
  cudaMemset(d_out, 0, sizeof host);
  cudaMemset(d_number, 0, sizeof(int));
  cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(d_a, d_b, d_out, d_number);
  cudaMemcpy(host, d_out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_out), cudaFree(d_number);
  return 0;
}
