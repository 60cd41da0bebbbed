// args: -O2
// Plain CUDA in which nothing is gained comes out byte for byte, macros and line splices included.
#define RUN(k, p) \
  k<<<1, 32>>>(p)
__global__ void k(float *p) { p[threadIdx.x] = 1; }

int main() {
  float *p;
  cudaMalloc(&p, 32 * sizeof(float));
  RUN(k, p);
  return cudaFree(p) != cudaSuccess;
}
