/* shared: bodies as float4, tiles of them in shared memory, two bodies a thread, reciprocal square
 * roots. */
#include "../../peer.h"
#include "../nbody.h"

enum { THREADS = 128, MINE = 2 };

__global__ __launch_bounds__(THREADS) void accelerate(const float4 *__restrict__ body, float *ax,
                                                      float *ay, float *az)
{
  __shared__ float4 tile[THREADS];
  int first = blockIdx.x * THREADS * MINE + threadIdx.x;
  float4 me[MINE];
  float sum[MINE][3] = {};

#pragma unroll
  for (int e = 0; e < MINE; e++)
    me[e] = body[min(first + e * THREADS, N - 1)];
  for (int j0 = 0; j0 < N; j0 += THREADS) {
    tile[threadIdx.x] = j0 + threadIdx.x < N ? body[j0 + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 32
    for (int j = 0; j < THREADS; j++) {
      float4 b = tile[j];
#pragma unroll
      for (int e = 0; e < MINE; e++) {
        float dx = b.x - me[e].x, dy = b.y - me[e].y, dz = b.z - me[e].z;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING),
              force = b.w * inverse * inverse * inverse;
        sum[e][0] += force * dx;
        sum[e][1] += force * dy;
        sum[e][2] += force * dz;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < MINE; e++)
    if (first + e * THREADS < N) {
      ax[first + e * THREADS] = sum[e][0];
      ay[first + e * THREADS] = sum[e][1];
      az[first + e * THREADS] = sum[e][2];
    }
}

int main()
{
  float *h[4];
  float4 *bodies = new float4[N];

  for (int i = 0; i < 4; i++)
    h[i] = new float[N];
  fill_bodies(h[0], h[1], h[2], h[3]);
  for (int i = 0; i < N; i++)
    bodies[i] = make_float4(h[0][i], h[1][i], h[2][i], h[3][i]);
  float4 *body = device_copy(bodies, N);
  float *ax = device_array<float>(N), *ay = device_array<float>(N), *az = device_array<float>(N);
  auto work = [&] {
    accelerate<<<(N + THREADS * MINE - 1) / (THREADS * MINE), THREADS>>>(body, ax, ay, az);
  };
  work();
  check(h[0], h[1], h[2], h[3], host_copy(ax, N), host_copy(ay, N), host_copy(az, N));
  print_kernel_ms(work);
  return check_done();
}
