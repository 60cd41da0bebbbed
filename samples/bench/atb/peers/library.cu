/* library: cuBLAS in pedantic mode. */
#include "../../blas.h"
#include "../atb.h"

int main()
{
  float *ha = new float[(long)M * K], *hb = new float[(long)K * N];

  fill_factors(ha, hb);
  float *a = device_copy(ha, (long)M * K), *b = device_copy(hb, (long)K * N), *c = device_array<float>((long)M * N);
  auto work = [&] { gemm(true, false, M, N, K, 1.0f, a, b, 0.0f, c); };
  work();
  check(ha, hb, host_copy(c, (long)M * N));
  print_kernel_ms(work);
  return check_done();
}
