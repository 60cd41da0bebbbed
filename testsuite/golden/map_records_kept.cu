// args: --no-line
struct body { float x, y, z; };

// arithmetic that branches hides the requests that elements of a thread would share
__global__ void pulls(const body *__restrict__ p, float *__restrict__ f, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < m; k++) {
    float x = p[k].x - p[i].x, y = p[k].y - p[i].y, z = p[k].z - p[i].z;
    sum += x / sqrtf(x * x + y * y + z * z + 0.5f);
  }
  f[i] = sum;
}

// of 16 bytes for each of 4 that are shared
__global__ void mixes(const float4 *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < m; k++) {
    float4 v = x[k * n + i];
    sum += w[k] * (v.x + v.y * v.z - v.w);
  }
  y[i] = sum;
}

void host(const body *p, const float4 *x, const float *w, float *y, int n, int m)
{
  pulls<<<(n + 127) / 128, 128>>>(p, y, n, m);
  mixes<<<(n + 127) / 128, 128>>>(x, w, y, n, m);
}
