/* library: cuBLAS in pedantic mode. */
#include "../../blas.h"
#include "../abt.h"

int main()
{
  ELEM *ha = new ELEM[(long)M * K], *hb = new ELEM[(long)K * N];

  fill_factors(ha, hb);
  ELEM *a = device_copy(ha, (long)M * K), *b = device_copy(hb, (long)K * N),
       *c = device_array<ELEM>((long)M * N);
  auto work = [&] { gemm(false, true, M, N, K, (ELEM)1, a, b, (ELEM)0, c); };
  work();
  check(ha, hb, host_copy(c, (long)M * N));
  print_kernel_ms(work);
  return check_done();
}
