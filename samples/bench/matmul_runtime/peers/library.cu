/* library: cuBLAS in pedantic mode. */
#include "../../blas.h"
#include "../matmul_runtime.h"

int main()
{
  long size = (long)N * N;
  ELEM *ha = new ELEM[size], *hb = new ELEM[size];

  fill(ha, size, 1);
  fill(hb, size, 2);
  ELEM *a = device_copy(ha, size), *b = device_copy(hb, size), *c = device_array<ELEM>(size);
  auto work = [&] { gemm(false, false, N, N, N, (ELEM)1, a, b, (ELEM)0, c); };
  work();
  check(ha, hb, host_copy(c, size), N);
  print_kernel_ms(work);
  return check_done();
}
