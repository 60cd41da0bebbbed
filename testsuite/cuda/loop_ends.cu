// Products and sums whose loops ask behind an iteration (do), or count down while they ask; some
// have one iteration, or none, and some launches have so few that a do is no loop that counts.
#include <cstdio>
#include <cstdlib>

enum { MOST = 160 };

__global__ void product_do(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 0, k = 0;
  do {
    sum += a[row * MOST + k] * b[k * MOST + col];
    k++;
  } while (k < depth);
  c[row * n + col] = sum + k;
}

__global__ void product_ahead(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 0, k = 0;
  do
    sum += a[row * MOST + k] * b[k * MOST + col];
  while (++k < depth);
  c[row * n + col] = sum - k;
}

__global__ void product_last(int *c, const int *a, const int *b, int n, int last)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    int sum = 0, k = 1;
    do {
      sum += a[row * MOST + k] * b[k * MOST + col];
      k += 2;
    } while (k <= last);
    c[row * n + col] = sum * 3 + k;
  }
}

__global__ void product_down(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 0, k = depth;
  while (k--) sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col];
  c[row * n + col] = sum + k;
}

__global__ void product_above(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int end = depth, k = end;
  end = 7;
  int sum = end;
  while (k-- > 0) sum += a[row * MOST + k] * b[k * MOST + col];
  c[row * n + col] = sum + k;
}

// a constant says that the first iteration of the second loop is its only one
__global__ void once(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 0, j = 5;
  for (int k = 0; k < depth; k++) sum += a[row * MOST + k] * b[k * MOST + col];
  do {
    sum += 1000;
    j++;
  } while (j < 3);
  c[row * n + col] = sum + j;
}

// a continue goes past the step of the second loop
__global__ void skipped(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int sum = 0, j = 0, tries = 0;
  for (int k = 0; k < depth; k++) sum += a[row * MOST + k] * b[k * MOST + col];
  do {
    if (++tries & 1) continue;
    sum += 1000;
    j++;
  } while (j < 3);
  c[row * n + col] = sum + tries;
}

static int a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];
static int *da, *db, *dc, wrong;

static int expected(int which, int row, int col, int depth)
{
  int sum = 0, k = 0;
  if (which == 0 || which == 1) {
    do sum += a[row * MOST + k] * b[k * MOST + col], k++;
    while (k < depth);
    return which ? sum - k : sum + k;
  }
  if (which == 2) {
    k = 1;
    do sum += a[row * MOST + k] * b[k * MOST + col], k += 2;
    while (k <= depth);
    return sum * 3 + k;
  }
  if (which == 3) {
    for (k = depth - 1; k >= 0; k--) sum = sum * 3 + a[row * MOST + k] * b[k * MOST + col];
    return sum - 1;
  }
  if (which == 4) {
    for (k = depth - 1; k >= 0; k--) sum += a[row * MOST + k] * b[k * MOST + col];
    return sum + 7 + k;
  }
  for (k = 0; k < depth; k++) sum += a[row * MOST + k] * b[k * MOST + col];
  return sum + (which == 5 ? 1006 : 3006);
}

static void look(int which, int n, int depth)
{
  cudaMemcpy(c, dc, n * n * sizeof *c, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n * n; i++)
    if (c[i] != expected(which, i / n, i % n, depth) && !wrong++)
      printf("kernel %d, n %d, depth %d: element %d is %d\n", which, n, depth, i, c[i]);
}

int main()
{
  for (int i = 0; i < MOST * MOST; i++) a[i] = i % 7 - 3, b[i] = i % 11 - 5;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  const int depths[] = {-2, 0, 1, 2, 63, 128}, sizes[] = {128, 75};
  for (int n : sizes)
    for (int depth : depths) {
      dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
      product_do<<<grid, block>>>(dc, da, db, n, depth);
      look(0, n, depth);
      product_ahead<<<grid, block>>>(dc, da, db, n, depth);
      look(1, n, depth);
      product_last<<<grid, block>>>(dc, da, db, n, depth);
      look(2, n, depth);
      if (depth >= 0) product_down<<<grid, block>>>(dc, da, db, n, depth);
      if (depth >= 0) look(3, n, depth);
      product_above<<<grid, block>>>(dc, da, db, n, depth);
      look(4, n, depth);
      once<<<grid, block>>>(dc, da, db, n, depth);
      look(5, n, depth);
      skipped<<<grid, block>>>(dc, da, db, n, depth);
      look(6, n, depth);
    }
  if (wrong) return printf("%d wrong\n", wrong), 1;
  printf("ok\n");
}
