/* cpu_warp.cpp - operations over the lanes of a warp. */
#include "cpu_test.h"

#define EXPECT(condition) \
  do { \
    if (!(condition)) { \
      atomicAdd(bad, 1); \
      std::printf("%s:%d: thread %u: %s\n", __FILE__, __LINE__, threadIdx.x, #condition); \
    } \
  } while (0)

static void shuffles(int *bad)
{
  const unsigned all = 0xffffffffu;
  int lane = (int)threadIdx.x % 32, base = (int)threadIdx.x - lane, v = (int)threadIdx.x * 10;
  for (int width = 1; width <= 32; width *= 2) {
    int part = lane / width * width;
    EXPECT(__shfl_sync(all, v, 3, width) == (base + part + 3 % width) * 10);
    EXPECT(__shfl_up_sync(all, v, 1, width) == (lane - 1 >= part ? v - 10 : v));
    EXPECT(__shfl_down_sync(all, v, 2, width) == (lane + 2 < part + width ? v + 20 : v));
    if (width >= 2) EXPECT(__shfl_xor_sync(all, v, 1, width) == (base + (lane ^ 1)) * 10);
  }
  EXPECT(__shfl_sync(all, 0.5 + lane, 31) == 31.5);
  EXPECT(__shfl_sync(all, 0.25f * (float)lane, 4) == 1.0f);
  EXPECT(__shfl_down_sync(all, 1ull << 40 | (unsigned)lane, 1) ==
         (1ull << 40 | (lane < 31 ? lane + 1u : 31u)));
  int sum = lane;
  for (int offset = 16; offset; offset /= 2) sum += __shfl_xor_sync(all, sum, offset);
  EXPECT(sum == 496);
}

static void votes(int *bad)
{
  const unsigned all = 0xffffffffu;
  unsigned lane = threadIdx.x % 32;
  EXPECT(__ballot_sync(all, lane % 2) == 0xaaaaaaaau);
  EXPECT(__any_sync(all, lane == 5) == 1);
  EXPECT(__any_sync(all, lane == 32) == 0);
  EXPECT(__all_sync(all, lane < 32) == 1);
  EXPECT(__all_sync(all, lane < 31) == 0);
  EXPECT(__match_any_sync(all, (int)lane / 8) == 0xffu << lane / 8 * 8);
  int same = -1;
  EXPECT(__match_all_sync(all, 7ull, &same) == all && same == 1);
  EXPECT(__match_all_sync(all, lane / 31, &same) == 0 && same == 0);
  EXPECT(__reduce_add_sync(all, lane) == 496);
  EXPECT(__reduce_min_sync(all, (int)lane - 3) == -3);
  EXPECT(__reduce_max_sync(all, (int)lane - 40) == -9);
  EXPECT(__reduce_or_sync(all, 1u << lane) == all);
  EXPECT(__reduce_and_sync(all, ~(1u << lane)) == 0);
  EXPECT(__reduce_xor_sync(all, 1u << lane % 16) == 0);
}

/* Two branches at once, with disjoint masks and different numbers of steps. */
static void divergent(int *bad)
{
  unsigned lane = threadIdx.x % 32;
  if (lane < 8) {
    int sum = 1;
    for (int i = 0; i < 3; i++) sum += __shfl_xor_sync(0xffu, sum, 1 << i);
    EXPECT(sum == 8);
  } else if (lane % 2) {
    for (unsigned i = 0; i < 5; i++) EXPECT(__ballot_sync(0xaaaaaa00u, lane > 20) == 0xaaa00000u);
  } else {
    EXPECT(__reduce_add_sync(0x55555500u, 1u) == 12);
  }
  __syncwarp();
  EXPECT(__ballot_sync(0xffffffffu, 1) == 0xffffffffu);
}

/* Lanes that have exited, and lanes that never were (48 threads), do not hold up the others. */
static void exited(int *bad)
{
  unsigned lane = threadIdx.x % 32;
  if (lane % 4 == 3) return;
  unsigned expected = (threadIdx.x < 32 ? 0xffffffffu : 0xffffu) & 0x77777777u;
  EXPECT(__ballot_sync(0xffffffffu, 1) == expected);
  __syncthreads();
  EXPECT(__ballot_sync(0xffffffffu, lane < 4) == 7u);
}

static void active(int *bad, unsigned *total)
{
  unsigned lane = threadIdx.x % 32;
  unsigned mask = __activemask();
  EXPECT(mask >> lane & 1);
  if (lane >= 10) {
    unsigned now = __activemask();
    EXPECT((now >> lane & 1) && !(now & 0x3ff));
    if (lane == (unsigned)__ffs((int)now) - 1) atomicAdd(total, (unsigned)__popc(now));
  }
}

int main()
{
  int bad = 0;
  unsigned total = 0;
  CHECK_LAUNCH(mesi_cpu::launch(shuffles, config(2, 128), &bad), cudaSuccess);
  CHECK_LAUNCH(mesi_cpu::launch(votes, config(2, 128), &bad), cudaSuccess);
  CHECK_LAUNCH(mesi_cpu::launch(divergent, config(2, 96), &bad), cudaSuccess);
  CHECK_LAUNCH(mesi_cpu::launch(exited, config(2, 48), &bad), cudaSuccess);
  CHECK_LAUNCH(mesi_cpu::launch(active, config(3, 64), &bad, &total), cudaSuccess);
  CHECK_EQ(total, 3u * 2 * 22);
  CHECK_EQ(bad, 0);
  return failures != 0;
}
