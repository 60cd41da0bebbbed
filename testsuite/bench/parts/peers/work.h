/* work.h - the kernel, as in parts.mcu, from element `first` on. */
__global__ void work(const float *a, float *b, long first, long end)
{
  long i = first + (long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < end) {
    float x = a[i] + a[i > 0 ? i - 1 : 0];
    for (int k = 0; k < WORK; k++)
      x = x * 0.75f + 0.125f;
    b[i] = x;
  }
}
