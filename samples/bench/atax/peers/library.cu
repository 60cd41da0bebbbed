/* library: cublasSgemv twice. */
#include "../../blas.h"
#include "../atax.h"

int main()
{
  float *ha = new float[(long)M * N], *hx = new float[N];

  fill_factors(ha, hx);
  float *a = device_copy(ha, (long)M * N), *x = device_copy(hx, N), *ax = device_array<float>(M),
        *y = device_array<float>(N);
  auto work = [&] {
    gemv(false, M, N, 1.0f, a, x, 0.0f, ax);
    gemv(true, M, N, 1.0f, a, ax, 0.0f, y);
  };
  work();
  check(ha, hx, host_copy(y, N));
  print_kernel_ms(work);
  return check_done();
}
