// Cooperative groups: tiles, coalesced threads, reduce, and a grid-wide barrier.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int v = in[block.thread_rank()];
  int sum = cg::reduce(tile, v, cg::plus<int>());
  int first = tile.shfl(v, 0);
  unsigned odd = tile.ballot(v & 1);
  block.sync();
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum * 1000 + first + (int)odd * 1000000;
}

// no clusters on the CPU, nor below sm_90
#if __has_include(<cooperative_groups/details/info.h>) && \
    (!defined __CUDA_ARCH_LIST__ || __CUDA_ARCH_LIST__ >= 900)
__global__ void __cluster_dims__(2, 1, 1) neighbours(const int *in, int *out) {
  __shared__ int mine[64];
  cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  cluster.sync();
  int *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = theirs[threadIdx.x];
  cluster.sync();
}
#endif

__device__ int aggregated(int *counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0) base = atomicAdd(counter, (int)active.size());
  return active.shfl(base, 0) + (int)active.thread_rank();
}

__global__ void compact(const int *in, int n, int *out, int *counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) out[aggregated(counter)] = in[i];
}

__global__ void relax(int *a, int *b, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int i = (int)grid.thread_rank(), n = (int)grid.size();
  for (int r = 0; r < rounds; r++) {
    b[i] = a[(i + 1) % n];
    grid.sync();
    int *t = a;
    a = b;
    b = t;
  }
}

int main() {
  const int n = 64;
  int host[n], out[n], *in, *d_out, *counter, count = 0;
  for (int i = 0; i < n; i++) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&counter, sizeof count);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  tiles<<<1, n>>>(in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n / 8; i++)
    if (out[i] != (64 * i + 28) * 1000 + 8 * i + 0xaa * 1000000) return 1;
  cudaMemset(counter, 0, sizeof count);
  compact<<<2, 32>>>(in, n, d_out, counter);
  cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < count; i++) sum += out[i];
  if (count != 22 || sum != 693) return 2;
  int rounds = 5;
  void *args[] = {&in, &d_out, &rounds};
  if (cudaLaunchCooperativeKernel(relax, dim3(2), dim3(32), args, 0, 0) != cudaSuccess) return 3;
  if (cudaDeviceSynchronize() != cudaSuccess) return 4;
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (out[i] != (i + 5) % n) return 5;
  std::printf("%d %d\n", count, sum);
  return 0;
}
