// args: --mapping=always
// Arrays of a thread's own that are written through a pointer, in front of loops whose iterations a
// team of threads may share, and between passes over a row: all of the team see what is written.
#include <cstdio>
#include <cstdlib>

struct table {
  int of[4];
};

__global__ void weighted(int *out, const int *in, int rows, int cols, int second)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= cols) return;
  int sum = 0, weights[4] = {1, 2, 4, 8};
  int *own = weights;
  own[1] = second;
  for (int i = 0; i < rows; i++) sum += in[i * cols + j] * weights[i % 4];
  out[j] = sum;
}

__global__ void given(int *out, const int *in, int rows, int cols, table t)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= cols) return;
  int sum = 0, *last = t.of + 3;
  *last = cols;
  for (int i = 0; i < rows; i++) sum += in[i * cols + j] * t.of[i % 4];
  out[j] = sum;
}

__global__ void passes(int *out, const int *in, int rows, int cols)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int most = -1000, sum = 0, kept[2] = {0, 0}, *own = kept;
  for (int j = 0; j < cols; j++) most = max(most, in[i * cols + j]);
  own[0] = most;
  own[1] += most * 2;
  for (int j = 0; j < cols; j++) sum += in[i * cols + j] * kept[0] - kept[1];
  out[i] = sum;
}

int main()
{
  enum { ROWS = 96, COLS = 128, SIZE = ROWS * COLS };
  static int in[SIZE], result[3][COLS], expected[3][COLS];
  table t = {{3, 1, 4, 1}};
  int *device_in, *device_out;
  for (int i = 0; i < SIZE; i++) in[i] = i * 7 % 23 - 9;
  for (int j = 0; j < COLS; j++)
    for (int i = 0; i < ROWS; i++) {
      expected[0][j] += in[i * COLS + j] * (i % 4 == 1 ? 5 : 1 << i % 4);
      expected[1][j] += in[i * COLS + j] * (i % 4 == 3 ? COLS : t.of[i % 4]);
    }
  for (int i = 0; i < ROWS; i++) {
    int most = -1000;
    for (int j = 0; j < COLS; j++) most = in[i * COLS + j] > most ? in[i * COLS + j] : most;
    for (int j = 0; j < COLS; j++) expected[2][i] += in[i * COLS + j] * most - most * 2;
  }
  if (cudaMalloc(&device_in, sizeof in) != cudaSuccess ||
      cudaMalloc(&device_out, sizeof result) != cudaSuccess)
    return 1;
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(device_out, 0, sizeof result);
  weighted<<<COLS / 32, 32>>>(device_out, device_in, ROWS, COLS, 5);
  given<<<COLS / 32, 32>>>(device_out + COLS, device_in, ROWS, COLS, t);
  passes<<<ROWS / 32, 32>>>(device_out + 2 * COLS, device_in, ROWS, COLS);
  cudaMemcpy(result, device_out, sizeof result, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < COLS; j++)
      if (result[k][j] != expected[k][j]) {
        printf("%d: element %d is %d, not %d\n", k, j, result[k][j], expected[k][j]);
        return 1;
      }
  printf("ok\n");
  return 0;
}
