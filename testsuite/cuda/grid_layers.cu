// The grid is a dim3 that comes from elsewhere. Where it has one layer, kernels that name one axis
// are changed; where it has several, each of its threads does what it does as written.
#include <cstdio>

enum { ROWS = 300, COLUMNS = 96, BLOCK = 128 };

// Adds the sum of a row, as often as the grid has layers.
__global__ void sums(int *out, const int *in, int rows, int columns)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int sum = 0;
  for (int k = 0; k < columns; k++) sum += in[i * columns + k];
  atomicAdd(out + i, sum);
}

// As sums, with a layer that a function names.
__device__ int layer() { return blockIdx.y; }

__global__ void sums_of_layers(int *out, const int *in, int rows, int columns)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int sum = layer();
  for (int k = 0; k < columns; k++) sum += in[i * columns + k];
  atomicAdd(out + i, sum);
}

// As sums, with quotients in groups of columns.
__global__ void groups(int *out, const int *in, int rows, int columns, int group)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int sum = 0;
  for (int k = 0; k < columns; k++) sum += in[i * columns + k] * (k / group);
  atomicAdd(out + i, sum);
}

// A sum of all: a tree in shared memory, and an atomic operation a block.
__global__ void total(int *out, const int *in, int n)
{
  __shared__ int part[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

static int input[ROWS * COLUMNS], host[ROWS];

static int sum_of(int row, int group)
{
  int sum = 0;
  for (int k = 0; k < COLUMNS; k++) sum += input[row * COLUMNS + k] * (group ? k / group : 1);
  return sum;
}

static int go(dim3 grid, int *out, const int *in)
{
  int bad = 0, layers = (int)(grid.y * grid.z), of_y = (int)(grid.z * (grid.y * (grid.y - 1) / 2));

  cudaMemset(out, 0, sizeof host);
  sums<<<grid, BLOCK>>>(out, in, ROWS, COLUMNS);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < ROWS; i++) bad += host[i] != layers * sum_of(i, 0);
  if (bad) printf("sums: %d wrong with %u x %u layers\n", bad, grid.y, grid.z);
  int before = bad;
  cudaMemset(out, 0, sizeof host);
  sums_of_layers<<<grid, BLOCK>>>(out, in, ROWS, COLUMNS);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < ROWS; i++) bad += host[i] != layers * sum_of(i, 0) + of_y;
  if (bad > before) printf("sums_of_layers: wrong with %u x %u layers\n", grid.y, grid.z);
  before = bad;
  cudaMemset(out, 0, sizeof host);
  groups<<<grid, BLOCK>>>(out, in, ROWS, COLUMNS, 7);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < ROWS; i++) bad += host[i] != layers * sum_of(i, 7);
  if (bad > before) printf("groups: wrong with %u x %u layers\n", grid.y, grid.z);
  before = bad;
  cudaMemset(out, 0, sizeof host);
  total<<<grid, BLOCK>>>(out, in, ROWS);
  cudaMemcpy(host, out, sizeof *host, cudaMemcpyDeviceToHost);
  int wanted = 0;
  for (int i = 0; i < ROWS; i++) wanted += input[i];
  bad += host[0] != layers * wanted;
  if (bad > before) printf("total: wrong with %u x %u layers\n", grid.y, grid.z);
  return bad;
}

int main()
{
  int *in, *out, blocks = (ROWS + BLOCK - 1) / BLOCK;
  for (int i = 0; i < ROWS * COLUMNS; i++) input[i] = i * 7 % 13 - 4;
  cudaMalloc(&in, sizeof input);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, input, sizeof input, cudaMemcpyHostToDevice);
  int bad = go(dim3(blocks), out, in) + go(dim3(blocks, 2), out, in) +
            go(dim3(blocks, 1, 3), out, in) + go(dim3(blocks, 2, 2), out, in);
  printf(bad ? "%d wrong\n" : "right\n", bad);
  return bad != 0;
}
