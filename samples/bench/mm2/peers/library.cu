/* library: cuBLAS in pedantic mode. */
#include "../../blas.h"
#include "../mm2.h"

int main()
{
  long size = (long)N * N;
  ELEM *ha = new ELEM[size], *hb = new ELEM[size], *hc = new ELEM[size];

  fill_factors(ha, hb, hc);
  ELEM *a = device_copy(ha, size), *b = device_copy(hb, size), *c = device_copy(hc, size);
  ELEM *ab = device_array<ELEM>(size), *d = device_array<ELEM>(size);
  auto work = [&] {
    gemm(false, false, N, N, N, (ELEM)1, a, b, (ELEM)0, ab);
    gemm(false, false, N, N, N, (ELEM)1, ab, c, (ELEM)0, d);
  };
  work();
  check(ha, hb, hc, host_copy(ab, size), host_copy(d, size));
  print_kernel_ms(work);
  return check_done();
}
