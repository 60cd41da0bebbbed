// cuComplex.h in kernels and on the host: Mandelbrot counts, products and quotients.
#include <cstdio>
#include <cuComplex.h>

__host__ __device__ int escape(float re, float im) {
  cuFloatComplex c = make_cuFloatComplex(re, im), z = make_cuComplex(0, 0);
  int n = 0;
  while (n < 50 && cuCabsf(z) < 2) z = cuCaddf(cuCmulf(z, z), c), n++;
  return n;
}

__global__ void mandelbrot(int *out, cuDoubleComplex *quotient) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * 32 + x] = escape(x * 0.1f - 2, y * 0.15f - 1.2f);
  cuDoubleComplex a = make_cuDoubleComplex(x + 1, y), b = make_cuDoubleComplex(y, x + 2);
  quotient[y * 32 + x] = cuCsub(cuCmul(cuCdiv(a, b), b), cuConj(cuConj(a)));
}

int main() {
  int *out, host[512], wrong = 0;
  cuDoubleComplex *quotient, rest[512];
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&quotient, sizeof rest);
  mandelbrot<<<16, 32>>>(out, quotient);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(rest, quotient, sizeof rest, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 512; i++) {
    int difference = host[i] - escape(i % 32 * 0.1f - 2, i / 32 * 0.15f - 1.2f);
    wrong += difference < -1 || difference > 1 || cuCabs(rest[i]) > 1e-12;
  }
  wrong += cuCimagf(cuComplexDoubleToFloat(make_cuDoubleComplex(1, 2))) != 2;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
