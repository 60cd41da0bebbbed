#include <mesi_cuda.h>
// args: -O2 --no-line -Rmesi=stage,unroll
// Several iterations of a loop at once: what they load in common is loaded once by the device's compiler. A condition, a remainder, and an overlap
// that the launch asks for.
__global__ void rows(const float *x, const float *y, float *z, const int *last, int n, int m, int k)
{
  __shared__ int unit;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    unit = 1;
  __syncthreads();
  for (int r = 0; r < n; r++) {
    if (col * unit < last[r]) {
      float sum = 0;
      for (int i = 0; i < k; i++)
        sum += x[r * k + i] * y[i * m + col];
      z[r * m + col] = sum;
    }
  }
}
// rows_jammed: rows with 4 iterations of the loop over r at once, which load in common what they can.
__global__ void rows_jammed(const float *x, const float *y, float *z, const int *last, int n, int m, int k)
{
  __shared__ int unit;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    unit = 1;
  __syncthreads();
  for (int r = 0; r < n; r += 4) {
    if (r + 3 < n) {
      if ((col * unit < last[r]) & (col * unit < last[r + 1]) & (col * unit < last[r + 2]) & (col * unit < last[r + 3])) {
        float sum = 0; float sum_1 = 0; float sum_2 = 0; float sum_3 = 0;
        for (int i = 0; i < k; i++) {
          sum += x[r * k + i] * y[i * m + col]; sum_1 += x[(r + 1) * k + i] * y[i * m + col]; sum_2 += x[(r + 2) * k + i] * y[i * m + col]; sum_3 += x[(r + 3) * k + i] * y[i * m + col];
        }
        z[r * m + col] = sum; z[(r + 1) * m + col] = sum_1; z[(r + 2) * m + col] = sum_2; z[(r + 3) * m + col] = sum_3;
        continue;
      }
    }
    for (int r_4 = r; r_4 < (r + 3 < n ? r + 4 : n); r_4++) {
      if (col * unit < last[r_4]) {
        float sum = 0;
        for (int i = 0; i < k; i++)
          sum += x[r_4 * k + i] * y[i * m + col];
        z[r_4 * m + col] = sum;
      }
    }
  }
}

void f(float *x, float *y, float *z, int *last, int n)
{
  mesi_pick_if(mesi_allocated_apart(last, z) && mesi_allocated_apart(x, z) && mesi_allocated_apart(y, z), rows_jammed, rows)<<<n, 128>>>(x, y, z, last, n, 128 * n, n);
}
