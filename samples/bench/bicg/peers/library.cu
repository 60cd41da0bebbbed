/* library: cublasSgemv twice. */
#include "../../blas.h"
#include "../bicg.h"

int main()
{
  float *ha = new float[(long)M * N], *hp = new float[N], *hr = new float[M];

  fill_factors(ha, hp, hr);
  float *a = device_copy(ha, (long)M * N), *p = device_copy(hp, N), *r = device_copy(hr, M);
  float *q = device_array<float>(M), *s = device_array<float>(N);
  auto work = [&] {
    gemv(false, M, N, 1.0f, a, p, 0.0f, q);
    gemv(true, M, N, 1.0f, a, r, 0.0f, s);
  };
  work();
  check(ha, hp, hr, host_copy(q, M), host_copy(s, N));
  print_kernel_ms(work);
  return check_done();
}
