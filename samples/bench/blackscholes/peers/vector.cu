/* vector: four options a thread with 16-byte loads and stores; normal(-d) is 1 - normal(d); fast
 * exponential and logarithm. */
#include "../../peer.h"
#include "../blackscholes.h"

enum { THREADS = 128 };

__device__ static float2 prices(float s, float x, float t)
{
  float root = VOLATILITY * sqrtf(t),
        d1 = (__logf(__fdividef(s, x)) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t) / root;
  float n1 = normcdff(d1), n2 = normcdff(d1 - root), later = x * __expf(-RATE * t);

  return make_float2(s * n1 - later * n2, later * (1 - n2) - s * (1 - n1));
}

__global__ __launch_bounds__(THREADS) void black_scholes(const float4 *__restrict__ price,
                                                         const float4 *__restrict__ strike,
                                                         const float4 *__restrict__ years,
                                                         float4 *__restrict__ call,
                                                         float4 *__restrict__ put)
{
  int i = blockIdx.x * THREADS + threadIdx.x;

  if (i >= N / 4)
    return;
  float4 s = __ldcs(price + i), x = __ldcs(strike + i), t = __ldcs(years + i);
  float2 r[4] = {prices(s.x, x.x, t.x), prices(s.y, x.y, t.y), prices(s.z, x.z, t.z),
                 prices(s.w, x.w, t.w)};
  __stcs(call + i, make_float4(r[0].x, r[1].x, r[2].x, r[3].x));
  __stcs(put + i, make_float4(r[0].y, r[1].y, r[2].y, r[3].y));
}

int main()
{
  static_assert(N % 4 == 0, "16-byte loads");
  float *h[3];
  float4 *d[5];

  for (int i = 0; i < 3; i++)
    h[i] = new float[N];
  fill_options(h[0], h[1], h[2], N);
  for (int i = 0; i < 5; i++)
    d[i] = (float4 *)(i < 3 ? device_copy(h[i], N) : device_array<float>(N));
  auto work = [&] {
    black_scholes<<<(N / 4 + THREADS - 1) / THREADS, THREADS>>>(d[0], d[1], d[2], d[3], d[4]);
  };
  work();
  check(h[0], h[1], h[2], host_copy((float *)d[3], N), host_copy((float *)d[4], N), N);
  print_kernel_ms(work);
  return check_done();
}
