// A block reads what another one has written before, and judges it if a counter says so: the two
// run at the same time, or one after the other. Where the other's row lies is known, or depends on
// a product of blockIdx. Programs do this without a fence, and get away with it; the checker says
// that it is a race.
#include <cstdio>

enum { WIDTH = 64, TIMES = 40 };

/* Waits for the other block, but not forever: it may not run before this one ends. */
__device__ bool meet(int *counter)
{
  if (threadIdx.x == 0) {
    atomicAdd(counter, 1);
    for (int n = 0; n < 30000000 && *(volatile int *)counter < 2; n++)
      ;
  }
  __syncthreads();
  return *(volatile int *)counter == 2;
}

/* Each block writes a row, and reads the other's. */
__global__ void exchange(int *rows, int *counters, int *wrong)
{
  int t = threadIdx.x, b = blockIdx.x, sum = 0;
  meet(&counters[0]);
  for (int k = 0; k < TIMES; k++)
    rows[b * WIDTH + t] = 100 * b + t + k;
  __syncthreads();
  bool met = meet(&counters[1]);
  for (int k = 0; k < TIMES; k++)
    sum += rows[(1 - b) * WIDTH + t];
  if (met && sum != TIMES * (100 * (1 - b) + t + TIMES - 1))
    atomicAdd(wrong, 1);
}

/* With the pitch -WIDTH the second block reads what the first one writes. */
__global__ void by_product(int *row, int pitch, int *counters, int *wrong)
{
  int t = threadIdx.x, b = blockIdx.x, sum = 0;
  meet(&counters[0]);
  if (blockIdx.x == 0)
    for (int k = 0; k < TIMES; k++)
      row[b * pitch + b * WIDTH + t] = t + k;
  __syncthreads();
  bool met = meet(&counters[1]);
  if (blockIdx.x == 1) {
    for (int k = 0; k < TIMES; k++)
      sum += row[b * pitch + b * WIDTH + t];
    if (met && sum != TIMES * (t + TIMES - 1))
      atomicAdd(wrong, 1);
  }
}

int main(int argc, char **argv)
{
  int *rows, *row, *counters, wrong[2];
  cudaMalloc(&rows, 2 * WIDTH * sizeof *rows);
  cudaMalloc(&row, WIDTH * sizeof *row);
  cudaMalloc(&counters, 6 * sizeof *counters);
  cudaMemset(rows, 0, 2 * WIDTH * sizeof *rows);
  cudaMemset(row, 0, WIDTH * sizeof *row);
  cudaMemset(counters, 0, 6 * sizeof *counters);
  exchange<<<2, WIDTH>>>(rows, counters, counters + 4);
  by_product<<<2, WIDTH>>>(row, argc > 100 ? argc : -WIDTH, counters + 2, counters + 5);
  cudaMemcpy(wrong, counters + 4, sizeof wrong, cudaMemcpyDeviceToHost);
  printf("%d wrong by rows, %d by a product\n", wrong[0], wrong[1]);
  cudaFree(rows);
  cudaFree(row);
  cudaFree(counters);
  return wrong[0] || wrong[1];
}
