/* library: cuBLAS in pedantic mode. */
#include "../../blas.h"
#include "../matmul_runtime.h"

int main()
{
  long size = (long)N * N;
  float *ha = new float[size], *hb = new float[size];

  fill(ha, size, 1);
  fill(hb, size, 2);
  float *a = device_copy(ha, size), *b = device_copy(hb, size), *c = device_array<float>(size);
  auto work = [&] { gemm(false, false, N, N, N, 1.0f, a, b, 0.0f, c); };
  work();
  check(ha, hb, host_copy(c, size), N);
  print_kernel_ms(work);
  return check_done();
}
