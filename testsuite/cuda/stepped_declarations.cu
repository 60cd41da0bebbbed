// What is declared beside a counter may step it: the loop begins with the next number then. What a
// loop's head declares besides is there where another loop stands in its place.
#include <cstdio>
#include <cstdlib>

enum { MOST = 96 };

__global__ void by_for(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 0;
  for (int k = 0, first = ++k; k < depth; k++)
    sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col] + first;
  c[row * n + col] = sum;
}

__global__ void by_while(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 1, k = 0, first = k++;
  while (k < depth) {
    sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col];
    k++;
  }
  c[row * n + col] = sum + first;
}

__global__ void by_do(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 1, k = 0, first = k += 2;
  do {
    sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col];
    k++;
  } while (k < depth);
  c[row * n + col] = sum + first;
}

__global__ void by_down(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 1, k = depth, last = --k;
  while (k-- > 0) sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col];
  c[row * n + col] = sum + last;
}

__global__ void beside(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 1;
  for (int k = 0, twice = n * 2; k < depth; k++)
    sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col] + twice;
  c[row * n + col] = sum;
}

__global__ void behind(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 1, x = depth & 1;
  for (int k = x++, next = x; k < depth; k++)
    sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col] + next;
  for (int k = 0, next = k + 2; k < depth; k++)
    sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col] + next;
  c[row * n + col] = sum;
}

static int a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

static int expected(int which, int row, int col, int n, int depth)
{
  int sum = which ? 1 : 0;
#define TERM(k) a[row * MOST + (k)] * b[(k) * MOST + col]
  if (which < 2)
    for (int k = 1; k < depth; k++) sum = sum * 3 + TERM(k) + !which;
  if (which == 2)
    for (int k = 2; k < depth || k == 2; k++) sum = sum * 3 + TERM(k);
  if (which == 3)
    for (int k = depth - 2; k >= 0; k--) sum = sum * 3 + TERM(k);
  if (which == 4)
    for (int k = 0; k < depth; k++) sum = sum * 3 + TERM(k) + 2 * n;
  if (which == 5) {
    for (int k = depth & 1; k < depth; k++) sum = sum * 3 + TERM(k) + (depth & 1) + 1;
    for (int k = 0; k < depth; k++) sum = sum * 3 + TERM(k) + 2;
  }
  return sum + (which == 2 ? 2 : which == 3 ? depth - 1 : 0);
}

int main()
{
  int *da, *db, *dc, wrong = 0;
  for (int i = 0; i < MOST * MOST; i++) a[i] = i % 7 - 3, b[i] = i % 11 - 5;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  const int sizes[] = {64, 75}, depths[] = {1, 2, 3, 64, 95};
  for (int n : sizes)
    for (int depth : depths)
      for (int which = 0; which < 6; which++) {
        dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
        if (which == 0) by_for<<<grid, block>>>(dc, da, db, n, depth);
        if (which == 1) by_while<<<grid, block>>>(dc, da, db, n, depth);
        if (which == 2) by_do<<<grid, block>>>(dc, da, db, n, depth);
        if (which == 3) by_down<<<grid, block>>>(dc, da, db, n, depth);
        if (which == 4) beside<<<grid, block>>>(dc, da, db, n, depth);
        if (which == 5) behind<<<grid, block>>>(dc, da, db, n, depth);
        cudaMemcpy(c, dc, n * n * sizeof *c, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n * n; i++)
          if (c[i] != expected(which, i / n, i % n, n, depth) && !wrong++)
            printf("loop %d, n %d, depth %d: element %d is %d\n", which, n, depth, i, c[i]);
      }
  if (wrong) return printf("%d wrong\n", wrong), 1;
  printf("ok\n");
}
