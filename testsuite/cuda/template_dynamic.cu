// Templates with dynamic shared memory: two instances of each, with the block as an argument.
#include <cstdio>
template <typename T, unsigned B> __global__ void sums(const T *in, T *out, int n)
{
  extern __shared__ T part[];
  int t = threadIdx.x, i = blockIdx.x * B + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned d = B / 2; d > 0; d >>= 1) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
template <int K> __global__ void blur(const float *in, float *out, int n)
{
  extern __shared__ float row[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  row[t] = i < n ? in[i] : 0;
  __syncthreads();
  float s = 0;
  for (int k = 0; k < K; k++) s += row[(t + k) % blockDim.x];
  if (i < n) out[i] = s;
}
int main()
{
  enum { N = 10000 };
  static float h[N], got[N];
  float *a, *o;
  for (int i = 0; i < N; i++) h[i] = i % 17 / 4.f;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&o, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  double all = 0;
  sums<float, 128><<<(N + 127) / 128, 128, 128 * sizeof(float)>>>(a, o, N);
  cudaMemcpy(got, o, sizeof h, cudaMemcpyDeviceToHost);
  for (int b = 0; b < (N + 127) / 128; b++) all += got[b];
  sums<float, 256><<<(N + 255) / 256, 256, 256 * sizeof(float)>>>(a, o, N);
  cudaMemcpy(got, o, sizeof h, cudaMemcpyDeviceToHost);
  for (int b = 0; b < (N + 255) / 256; b++) all -= got[b];
  blur<3><<<(N + 127) / 128, 128, 512>>>(a, o, N);
  blur<5><<<(N + 127) / 128, 128, 512>>>(a, o, N);
  cudaMemcpy(got, o, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < 5; k++) {
      int j = i / 128 * 128 + (i % 128 + k) % 128;
      sum += j < N ? h[j] : 0;
    }
    all += sum != got[i];
  }
  printf(all ? "FAILED\n" : "ok\n");
  return all != 0;
}
