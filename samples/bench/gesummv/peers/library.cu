/* library: cublasSgemv twice, the second adds to the first. */
#include "../../blas.h"
#include "../gesummv.h"

int main()
{
  float *ha = new float[(long)N * N], *hb = new float[(long)N * N], *hx = new float[N];

  fill_factors(ha, hb, hx);
  float *a = device_copy(ha, (long)N * N), *b = device_copy(hb, (long)N * N),
        *x = device_copy(hx, N), *y = device_array<float>(N);
  auto work = [&] {
    gemv(false, N, N, ALPHA, a, x, 0.0f, y);
    gemv(false, N, N, BETA, b, x, 1.0f, y);
  };
  work();
  check(ha, hb, hx, host_copy(y, N));
  print_kernel_ms(work);
  return check_done();
}
