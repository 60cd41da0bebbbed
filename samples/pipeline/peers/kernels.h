/* kernels.h - the three steps, as in pipeline.mcu. */
__global__ void smooth(const float *a, float *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < PIXELS)
    b[i] = 0.25f * a[i > 0 ? i - 1 : i] + 0.5f * a[i] + 0.25f * a[i < PIXELS - 1 ? i + 1 : i];
}

__global__ void take_root(const float *a, float *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < PIXELS)
    b[i] = sqrtf(a[i]);
}

__global__ void sigmoid(const float *a, float *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < PIXELS)
    b[i] = 1.0f / (1.0f + expf(-4.0f * (a[i] - 0.5f)));
}
