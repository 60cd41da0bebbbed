/* cpu_sched.cpp - blocks, barriers, shared memory, launches. */
#include "cpu_test.h"

static void indices(int *seen, dim3 grid, dim3 block)
{
  CHECK(blockDim.x == block.x && blockDim.y == block.y && blockDim.z == block.z);
  CHECK(gridDim.x == grid.x && gridDim.y == grid.y && gridDim.z == grid.z);
  unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  atomicAdd(&seen[b * block.x * block.y * block.z + t], 1);
}

static void test_indices()
{
  dim3 grid(3, 4, 5), block(7, 3, 2);
  std::vector<int> seen(3 * 4 * 5 * 7 * 3 * 2);
  CHECK_LAUNCH(mesi_cpu::launch(indices, config(grid, block), seen.data(), grid, block),
               cudaSuccess);
  for (int n : seen) CHECK_EQ(n, 1);
}

/* Each thread reads its neighbour's value of the round before: wrong without a working barrier. */
static void rotate(int *out, int rounds)
{
  __shared__ int a[1024];
  unsigned t = threadIdx.x, n = blockDim.x;
  a[t] = (int)(blockIdx.x * n + t);
  for (int i = 0; i < rounds; i++) {
    __syncthreads();
    int v = a[(t + 1) % n];
    __syncthreads();
    a[t] = v;
  }
  out[blockIdx.x * n + t] = a[t];
}

static void test_barrier_loop(unsigned n)
{
  std::vector<int> out(8 * n);
  mesi_cpu::launch(rotate, config(8, n), out.data(), 10);
  for (unsigned b = 0; b < 8; b++)
    for (unsigned t = 0; t < n; t++) CHECK_EQ(out[b * n + t], (int)(b * n + (t + 10) % n));
}

static void reduce(const int *in, int *out)
{
  int *s = (int *)mesi_cpu_dynamic_shared();
  unsigned t = threadIdx.x;
  CHECK_EQ((unsigned)s[t], 0xA5A5A5A5u);
  __syncthreads();
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

static void test_reduce()
{
  std::vector<int> in(64 * 256), out(64);
  for (size_t i = 0; i < in.size(); i++) in[i] = (int)(i * 7 % 31);
  mesi_cpu::launch(reduce, config(64, 256, 256 * sizeof(int)), in.data(), out.data());
  for (unsigned b = 0; b < 64; b++) {
    int sum = 0;
    for (unsigned t = 0; t < 256; t++) sum += in[b * 256 + t];
    CHECK_EQ(out[b], sum);
  }
}

/* Threads leave between barriers; the rest go on. */
static void early_exit(int *count)
{
  __shared__ int alive;
  if (threadIdx.x == 0) alive = 0;
  __syncthreads();
  for (unsigned round = 0;; round++) {
    if (threadIdx.x < round * 16) return;
    atomicAdd(&alive, 1);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
      count[round] = alive;
      alive = 0;
    }
    __syncthreads();
  }
}

static void test_early_exit()
{
  int count[6] = {};
  mesi_cpu::launch(early_exit, config(1, 96), count);
  for (int i = 0; i < 6; i++) CHECK_EQ(count[i], 96 - 16 * i);
}

static void votes(int *bad)
{
  int t = (int)threadIdx.x;
  for (int i = 0; i < 5; i++) {
    if (__syncthreads_count(t % 3 == i) != (i < 3 ? (100 + 2 - i) / 3 : 0)) atomicAdd(bad, 1);
    if (__syncthreads_and(t < 100 - i) != (i == 0)) atomicAdd(bad, 1);
    if (__syncthreads_or(t == 99 + i) != (i == 0)) atomicAdd(bad, 1);
  }
}

static void test_votes()
{
  int bad = 0;
  mesi_cpu::launch(votes, config(10, 100), &bad);
  CHECK_EQ(bad, 0);
}

/* Different places of the barrier in the branches of a block count as one. */
static void two_sites(int *out)
{
  __shared__ int a[2];
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) a[0] = 11;
    __syncthreads();
    out[threadIdx.x] = a[1];
  } else {
    if (threadIdx.x == 32) a[1] = 22;
    __syncthreads();
    out[threadIdx.x] = a[0];
  }
}

static void test_two_sites()
{
  int out[64];
  mesi_cpu::launch(two_sites, config(1, 64), out);
  for (int i = 0; i < 64; i++) CHECK_EQ(out[i], i < 32 ? 22 : 11);
}

static void histogram(unsigned *bins, float *sum, double *dsum, unsigned *most, unsigned *wrap)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[i % 7], 1u);
  atomicAdd(sum, 1.0f);
  atomicAdd(dsum, 0.5);
  atomicMax(most, i);
  atomicInc(wrap, 9u);
}

static void test_atomics()
{
  unsigned bins[7] = {}, most = 0, wrap = 0;
  float sum = 0;
  double dsum = 0;
  mesi_cpu::launch(histogram, config(100, 70), bins, &sum, &dsum, &most, &wrap);
  for (unsigned b : bins) CHECK_EQ(b, 1000u);
  CHECK_EQ(sum, 7000.0f);
  CHECK_EQ(dsum, 3500.0);
  CHECK_EQ(most, 6999u);
  CHECK_EQ(wrap, 0u);
}

/* A thread waits for another of its block that may not have started. */
static void wait_for_flag(volatile int *flag, int *lock, int *guarded)
{
  unsigned last = blockDim.x - 1;
  if (threadIdx.x == last) atomicExch((int *)flag, 1);
  while (*flag == 0) __nanosleep(10);
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  ++*guarded;
  __threadfence();
  atomicExch(lock, 0);
}

static void test_waiting()
{
  int flag = 0, lock = 0, guarded = 0;
  mesi_cpu::launch(wait_for_flag, config(4, 128), (volatile int *)&flag, &lock, &guarded);
  CHECK_EQ(guarded, 512);
}

static void huge_grid(unsigned *last)
{
  if (blockIdx.x == gridDim.x - 1) *last = blockIdx.x;
}

static void test_huge_grid()
{
  unsigned last = 0;
  mesi_cpu::launch(huge_grid, config(5000000, 1), &last);
  CHECK_EQ(last, 4999999u);
}

struct pair {
  int a;
  float b;
};
static void by_value(pair p, const pair &shared, int *out)
{
  p.a += (int)threadIdx.x;
  out[threadIdx.x] = p.a + shared.a + (int)p.b;
}

static void test_arguments()
{
  int out[32];
  pair p = {1, 2.5f};
  mesi_cpu::launch(by_value, config(1, 32), p, p, out);
  for (int i = 0; i < 32; i++) CHECK_EQ(out[i], 1 + i + 1 + 2);
}

static void test_callable()
{
  int out[32];
  auto kernel = [](auto *o, auto n) { o[threadIdx.x] = (int)n + (int)threadIdx.x; };
  CHECK_LAUNCH(mesi_cpu::launch(kernel, config(1, 32), out, 7.9), cudaSuccess);
  for (int i = 0; i < 32; i++) CHECK_EQ(out[i], 7 + i);
}

static void grid_sync(int *data, int *bad)
{
  for (int round = 0; round < 4; round++) {
    if (threadIdx.x == 0) atomicAdd(data, 1);
    mesi_cpu_grid_barrier();
    if (*(volatile int *)data != (int)gridDim.x * (round + 1)) atomicAdd(bad, 1);
    mesi_cpu_grid_barrier();
  }
}

static void test_cooperative()
{
  int data = 0, bad = 0, *d = &data, *b = &bad;
  void *args[] = {&d, &b};
  CHECK_EQ(cudaLaunchCooperativeKernel(grid_sync, 2, 64, args), cudaSuccess);
  CHECK_EQ(data, 8);
  CHECK_EQ(bad, 0);
  CHECK_EQ(cudaLaunchCooperativeKernel(grid_sync, 100000, 1024, args),
           cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
}

static mesi_cpu::known_kernel known(indices, "indices");

static void test_launch_by_address()
{
  dim3 grid(2), block(8);
  std::vector<int> seen(16);
  int *p = seen.data();
  void *args[] = {&p, &grid, &block};
  CHECK_EQ(cudaLaunchKernel((const void *)indices, grid, block, args), cudaSuccess);
  CHECK_EQ(cudaLaunchKernel(indices, grid, block, args), cudaSuccess);
  for (int n : seen) CHECK_EQ(n, 2);
}

static void nothing() {}

static void test_configuration()
{
  mesi_cpu::launch(nothing, config(1, 1025));
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_LAUNCH(mesi_cpu::launch(nothing, config(0, 32)), cudaErrorInvalidConfiguration);
  CHECK_LAUNCH(mesi_cpu::launch(nothing, config(dim3(1, 65536), 32)),
               cudaErrorInvalidConfiguration);
  CHECK_LAUNCH(mesi_cpu::launch(nothing, config(1, dim3(1, 1, 65))), cudaErrorInvalidConfiguration);
  CHECK_LAUNCH(mesi_cpu::launch(nothing, config(1, 1, 49153)), cudaErrorInvalidValue);
  CHECK_EQ(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448),
           cudaSuccess);
  CHECK_LAUNCH(mesi_cpu::launch(nothing, config(1, 1, 232448)), cudaSuccess);
  CHECK_EQ(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449),
           cudaErrorInvalidValue);
  cudaGetLastError();
}

int main()
{
  test_indices();
  for (unsigned n : {1u, 31u, 33u, 256u, 1024u}) test_barrier_loop(n);
  test_reduce();
  test_early_exit();
  test_votes();
  test_two_sites();
  test_atomics();
  test_waiting();
  test_huge_grid();
  test_arguments();
  test_callable();
  test_cooperative();
  test_launch_by_address();
  test_configuration();
  return failures != 0;
}
