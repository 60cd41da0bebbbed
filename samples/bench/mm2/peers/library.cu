/* library: cuBLAS in pedantic mode. */
#include "../../blas.h"
#include "../mm2.h"

int main()
{
  long size = (long)N * N;
  float *ha = new float[size], *hb = new float[size], *hc = new float[size];

  fill_factors(ha, hb, hc);
  float *a = device_copy(ha, size), *b = device_copy(hb, size), *c = device_copy(hc, size);
  float *ab = device_array<float>(size), *d = device_array<float>(size);
  auto work = [&] {
    gemm(false, false, N, N, N, 1.0f, a, b, 0.0f, ab);
    gemm(false, false, N, N, N, 1.0f, ab, c, 0.0f, d);
  };
  work();
  check(ha, hb, hc, host_copy(ab, size), host_copy(d, size));
  print_kernel_ms(work);
  return check_done();
}
