/* fused: both products in one pass over the matrix. */
#include "../../both_products.h"
#include "../bicg.h"

int main()
{
  static_assert(N % 4 == 0, "16-byte loads");
  float *ha = new float[(long)M * N], *hp = new float[N], *hr = new float[M];

  fill_factors(ha, hp, hr);
  float *a = device_copy(ha, (long)M * N), *p = device_copy(hp, N), *r = device_copy(hr, M);
  float *q = device_array<float>(M), *s = device_array<float>(N);
  auto work = [&] {
    cudaMemsetAsync(q, 0, M * sizeof(float), 0);
    cudaMemsetAsync(s, 0, N * sizeof(float), 0);
    add_both_products(M, N, a, p, r, q, s);
  };
  work();
  check(ha, hp, hr, host_copy(q, M), host_copy(s, N));
  print_kernel_ms(work);
  return check_done();
}
