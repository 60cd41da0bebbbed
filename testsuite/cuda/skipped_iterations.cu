// args: --mapping=always
// Iterations that end early: by a continue in front, in arms, in blocks, in inner loops, in loops
// that count in other forms; and such as stay, in a switch.
#include <cstdio>
#include <cstdlib>

enum { N = 500, MORE = N + 4 };

__device__ __host__ int mix(int a, int b) { return (a * 13 + b * 7) % 11; }

__global__ void others(const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own = x[i], sum = 0;
  for (int j = 0; j < n; j++) {
    if (j == i) continue;
    float d = x[j] - own;
    if (d > 3) { sum += 1; continue; } else if (d < -3) { sum -= 2; } else sum += d;
    sum += d * 2;
  }
  out[i] = sum;
}

__global__ void arms(const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < n; j++) {
    float v = x[j];
    if (v > 0) {
      if (mix(i, j) > 5) sum += v; else { sum += 2 * v; continue; }
      sum += 3;
    } else {
      if (v < -1) continue;
      sum -= v;
    }
    sum += j;
  }
  out[i] = sum;
}

__global__ void nested(const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < n; j += 4) {
    if (mix(i, j) == 0) continue;
    for (int k = 0; k < 4; k++) {
      if (x[j + k] < 0) continue;
      { if (mix(j, k) == 3) continue; sum += x[j + k]; }
      sum += 1;
    }
    if (x[j] > 2) continue;
    sum += x[j] * 2;
  }
  out[i] = sum;
}

__global__ void counted(const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0, k = -1;
  if (i >= n) return;
  float sum = 0;
  while (j < n) {
    float v = x[j++];
    if (v < 0) continue;
    sum += v;
  }
  do {
    k++;
    if (x[k] > 1) continue;
    sum += x[k] * 2;
  } while (k < n - 1);
  for (int l = 0; l < n; l++) {
    switch (mix(i, l)) {
    case 0: continue;
    case 1: sum += 5; break;
    default: if (x[l] > 0) continue;
    }
    sum += x[l];
  }
  out[i] = sum;
}

// What steps in some iterations only is no expression of k: a continue is left in an arm.
__global__ void stepped(const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, from = 0;
  float sum = 0;
  for (int k = 0; k < n; k++) {
    if (k % 2) { if (k % 3 == 1) continue; sum += 1; }
    sum += x[from] + x[i];
    from++;
  }
  out[i] = sum;
}

// Every third number comes twice.
__global__ void twice(const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0, again = 0;
  float sum = 0;
  while (k < n) {
    if (k % 3 == 1 && again == 0) { again = 1; sum += x[k] * 4; continue; }
    again = 0;
    sum += x[k] + x[i];
    k++;
  }
  out[i] = sum;
}

static float at(const float *x, int which, int i, int n)
{
  float sum = 0;
  for (int j = 0; j < n && which == 0; j++) {
    float d = x[j] - x[i];
    if (j != i) sum += d > 3 ? 1 : d < -3 ? -2 + d * 2 : d + d * 2;
  }
  for (int j = 0; j < n && which == 1; j++) {
    float v = x[j];
    if (v > 0 && mix(i, j) > 5) sum += v + 3 + j;
    else if (v > 0) sum += 2 * v;
    else if (v >= -1) sum += -v + j;
  }
  for (int j = 0; j < n && which == 2; j += 4) {
    if (mix(i, j) == 0) continue;
    for (int k = 0; k < 4; k++)
      if (x[j + k] >= 0 && mix(j, k) != 3) sum += x[j + k] + 1;
    if (x[j] <= 2) sum += x[j] * 2;
  }
  for (int j = 0; j < n && which == 3; j++) {
    int m = mix(i, j);
    if (x[j] >= 0) sum += x[j];
    if (x[j] <= 1) sum += x[j] * 2;
    if (m == 1) sum += 5 + x[j];
    else if (m && x[j] <= 0) sum += x[j];
  }
  for (int k = 0, from = 0; k < n && which == 4; k++) {
    if (k % 2 && k % 3 == 1) continue;
    sum += (k % 2) + x[from++] + x[i];
  }
  for (int k = 0; k < n && which == 5; k++) sum += (k % 3 == 1 ? 5 : 1) * x[k] + x[i];
  return sum;
}

int main()
{
  float host[MORE], out[MORE], *x, *y;
  for (int i = 0; i < MORE; i++) host[i] = (float)((i * 29) % 41 - 20) / 4;
  if (cudaMalloc(&x, sizeof host) != cudaSuccess || cudaMalloc(&y, sizeof host) != cudaSuccess)
    return 1;
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  for (int which = 0; which < 6; which++) {
    int n = which > 3 ? 448 : N - which;
    if (which == 0) others<<<(n + 63) / 64, 64>>>(x, y, n);
    if (which == 1) arms<<<(n + 63) / 64, 64>>>(x, y, n);
    if (which == 2) nested<<<(n + 63) / 64, 64>>>(x, y, n);
    if (which == 3) counted<<<(n + 63) / 64, 64>>>(x, y, n);
    if (which == 4) stepped<<<7, 64>>>(x, y, n);
    if (which == 5) twice<<<7, 64>>>(x, y, n);
    cudaMemcpy(out, y, n * sizeof *out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
      if (out[i] != at(host, which, i, n)) { // quarters: sums are exact in any order
        printf("%d: element %d is %g, not %g\n", which, i, out[i], at(host, which, i, n));
        return 1;
      }
  }
  printf("ok\n");
  return cudaFree(x) != cudaSuccess || cudaFree(y) != cudaSuccess;
}
