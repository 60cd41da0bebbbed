/* work.h - the kernel, as in parts.mcu, from element `first` on. */
__global__ void work(const float *a, float *b, long first, long end)
{
  long i = first + (long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < end) {
    float x = FIRST_VALUE(a, i);
    WORK_ON(x);
    b[i] = x;
  }
}
