/* addresses.h - managed memory that holds addresses of other memory: equal where these are the same
 * places in it, though a run has other addresses. */
#include <stdio.h>

enum { ROWS = 16, N = 50 };

__global__ void kernel(float *const *rows, float *sums, int n);

int main(void)
{
  float *data, *sums, **rows;

  cudaMallocManaged((void **)&data, ROWS * N * sizeof *data);
  cudaMallocManaged((void **)&sums, ROWS * sizeof *sums);
  cudaMallocManaged((void **)&rows, ROWS * sizeof *rows);
  for (int i = 0; i < ROWS * N; i++) data[i] = i % 7 + 0.1f;
  for (int i = 0; i < ROWS; i++) rows[i] = data + N * ((i * 3) % ROWS), sums[i] = 0;
  kernel<<<1, ROWS>>>(rows, sums, N);
  cudaDeviceSynchronize();
  printf("%g\n", sums[3]);
  return 0;
}
