// args: -O1 --no-line
// A row of n elements: how much of it is staged only the launch can say.
__global__ void rows(const float *a, const float *b, float *c, int n)
{
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[blockIdx.x * n + k] * b[k];
  c[blockIdx.x * 32 + threadIdx.x] = sum;
}

void f(float *a, float *b, float *c, int n)
{
  static float *d = new float[100];
  rows<<<10, 32>>>(a, b, d, n + 1);
  cudaMalloc(&c, 1280 * sizeof *c);
  rows<<<10, 32>>>(a, b, c, n);
}
