/* fused: both products in one pass over the matrix. */
#include "../../both_products.h"
#include "../mvt.h"

int main()
{
  static_assert(N % 4 == 0, "16-byte loads");
  float *h[5];

  for (int i = 0; i < 5; i++)
    h[i] = new float[i == 0 ? (long)N * N : N];
  fill_all(h[0], h[1], h[2], h[3], h[4]);
  float *a = device_copy(h[0], (long)N * N), *u = device_copy(h[1], N), *v = device_copy(h[2], N);
  float *x1 = device_copy(h[3], N), *x2 = device_copy(h[4], N);
  auto work = [&] { add_both_products(N, N, a, u, v, x1, x2); };
  work();
  check(h[0], h[1], h[2], host_copy(x1, N), host_copy(x2, N), 1);
  print_kernel_ms(work);
  return check_done();
}
