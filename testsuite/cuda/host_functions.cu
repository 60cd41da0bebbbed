// What cuda_runtime.h declares for host code, without another header: extremes, classification, time, strings.
#include <stdio.h>

__host__ __device__ int spread(int a, int b) { return max(a, b) - min(a, b) + (isnan((float)a) ? 100 : 0); }

__global__ void extremes(float *p, int n) {
  long long t = clock64();
  p[threadIdx.x] = fmaxf(max(p[threadIdx.x], 1.0f), (float)min(n, 3)) + spread(n, 2) + (clock64() - t < 0) + umax(n, 1u);
}

int main() {
  int x = 1, y = 2;
  float f = 1.0f, whole_f, sine_f, cosine_f;
  double d = 2.0, whole_d, sine, cosine;
  clock_t t = clock();
  size_t n = 3;
  if (max(x, y) != 2 || !isfinite(f) || isinf(d) || signbit(f) || t < 0 || time(NULL) <= 0) return 1;
  if (max(n, (size_t)4) != 4 || max(1, 2u) != 2 || min(-1LL, 2LL) != -1 || max(1.0f, 2.0) != 2 || umax(1, 2) != 2 || llmin(-1, 1) != -1) return 2;
  sincos(d, &sine, &cosine);
  sincos(f, &sine_f, &cosine_f);
  sincosf(f, &sine_f, &cosine_f);
  if (modf(f, &whole_f) != 0 || modf(d, &whole_d) != 0 || whole_f != 1 || fabs(sine * sine + cosine * cosine - 1) > 1e-12) return 3;
  if (abs(-1) != 1 || llabs(-2LL) != 2 || rsqrtf(f) != 1 || fabs(exp10(d) - 100) > 1e-9 || INT_MAX < 0 || strlen("ab") != 2) return 4;
  float *p, h[4] = {0, 5, 2, 9};
  cudaMalloc(&p, sizeof h);
  cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
  extremes<<<1, 4>>>(p, 4);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  if (h[0] != 3 + 2 + 4 || h[1] != 5 + 2 + 4 || h[3] != 9 + 6 || spread(3, 9) != 6) return 5;
  puts("ok");
  return 0;
}
