/* library: cublasSgemv in pedantic mode. */
#include "../../blas.h"
#include "../gemv.h"

int main()
{
  float *ha = new float[(long)M * N], *hx = new float[N];

  fill(ha, (long)M * N, 1);
  fill(hx, N, 2);
  float *a = device_copy(ha, (long)M * N), *x = device_copy(hx, N), *y = device_array<float>(M);
  auto work = [&] { gemv(false, M, N, 1.0f, a, x, 0.0f, y); };
  work();
  check(ha, hx, host_copy(y, M));
  print_kernel_ms(work);
  return check_done();
}
