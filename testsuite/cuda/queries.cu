// Device queries, pointer attributes, occupancy, kernel attributes, large dynamic shared memory, launch by array.
#include <cstdio>
#include <cstring>

__global__ void fill(int *out, int value) {
  extern __shared__ char raw[];
  int *s = reinterpret_cast<int *>(raw);
  s[threadIdx.x * 200] = value;
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x * 200];
}

int main() {
  int count = 0, device = -1, warp = 0, blocks = 0, min_grid = 0, best = 0;
  cudaDeviceProp prop;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return 1;
  cudaSetDevice(0);
  cudaGetDevice(&device);
  cudaGetDeviceProperties(&prop, device);
  cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (warp != 32 || prop.warpSize != 32 || prop.maxThreadsPerBlock != 1024 || prop.multiProcessorCount < 1) return 2;
  int *d, host[64];
  cudaMalloc(&d, sizeof host);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, d + 3);
  if (attributes.type != cudaMemoryTypeDevice) return 3;
  size_t free_bytes, total_bytes, shared = 64 * 200 * sizeof(int);
  cudaMemGetInfo(&free_bytes, &total_bytes);
  if (free_bytes > total_bytes) return 4;
  cudaFuncAttributes fa;
  if (cudaFuncGetAttributes(&fa, fill) != cudaSuccess || fa.maxThreadsPerBlock < 64) return 5;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 64, 1024);
  cudaOccupancyMaxPotentialBlockSize(&min_grid, &best, fill, 0, 0);
  if (blocks < 1 || best % 32 || min_grid < 1) return 6;
  fill<<<1, 64, shared>>>(d, 7); // more than 48 KB without asking
  if (cudaGetLastError() != cudaErrorInvalidValue) return 7;
  if (cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared) != cudaSuccess) return 8;
  fill<<<1, 64, shared>>>(d, 7);
  if (cudaDeviceSynchronize() != cudaSuccess) return 9;
  int value = 9;
  void *args[] = {&d, &value};
  if (cudaLaunchKernel(fill, dim3(1), dim3(64), args, shared, 0) != cudaSuccess) return 10;
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    if (host[i] != 9) return 11;
  std::printf("%s %s\n", cudaGetErrorName(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorMemoryAllocation));
  return cudaFree(d) != cudaSuccess;
}
