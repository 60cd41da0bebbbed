/* library: cublasSgemv twice. */
#include "../../blas.h"
#include "../mvt.h"

int main()
{
  float *h[5];

  for (int i = 0; i < 5; i++)
    h[i] = new float[i == 0 ? (long)N * N : N];
  fill_all(h[0], h[1], h[2], h[3], h[4]);
  float *a = device_copy(h[0], (long)N * N), *u = device_copy(h[1], N), *v = device_copy(h[2], N);
  float *x1 = device_copy(h[3], N), *x2 = device_copy(h[4], N);
  auto work = [&] {
    gemv(false, N, N, 1.0f, a, u, 1.0f, x1);
    gemv(true, N, N, 1.0f, a, v, 1.0f, x2);
  };
  work();
  check(h[0], h[1], h[2], host_copy(x1, N), host_copy(x2, N), 1);
  print_kernel_ms(work);
  return check_done();
}
