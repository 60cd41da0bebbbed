// Votes, matches and shuffles, in full and divergent warps.
#include <cstdio>

__device__ int bad;
#define EXPECT(c) do { if (!(c)) { atomicAdd(&bad, 1); printf("line %d thread %d\n", __LINE__, (int)threadIdx.x); } } while (0)

__global__ void ops() {
  const unsigned all = 0xffffffffu;
  int lane = threadIdx.x % warpSize;
  EXPECT(__ballot_sync(all, lane & 1) == 0xaaaaaaaau);
  EXPECT(__any_sync(all, lane == 7) && !__all_sync(all, lane == 7));
  EXPECT(__shfl_sync(all, lane, 9) == 9);
  EXPECT(__shfl_up_sync(all, lane, 1) == (lane ? lane - 1 : 0));
  EXPECT(__shfl_down_sync(all, lane, 1, 8) == (lane % 8 == 7 ? lane : lane + 1));
  EXPECT(__shfl_xor_sync(all, lane * 0.5, 3) == (lane ^ 3) * 0.5);
  EXPECT(__match_any_sync(all, lane / 4) == 0xfu << lane / 4 * 4);
  if (lane < 16) {
    int v = lane;
    for (int d = 8; d; d /= 2) v += __shfl_xor_sync(0xffffu, v, d);
    EXPECT(v == 120);
  } else {
    EXPECT(__ballot_sync(0xffff0000u, lane >= 24) == 0xff000000u);
  }
  __syncwarp();
  EXPECT(__syncthreads_count(lane < 3) == 3 * (int)blockDim.x / 32);
  EXPECT(__popc(__brev(0xf0u)) == 4 && __clz(1) == 31 && __ffs(8) == 4);
}

int main() {
  int n = 0;
  ops<<<3, 96>>>();
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  cudaMemcpyFromSymbol(&n, bad, sizeof n);
  std::printf("%d\n", n);
  return n != 0;
}
