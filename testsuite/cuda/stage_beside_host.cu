// While a kernel runs, the host writes elements that the kernel leaves as they are, beside those
// that it writes: what a block keeps in shared memory may not be stored over them.
#include <atomic>
#include <cstdio>
#include <thread>

__global__ void sums(int *a, const int *marks, volatile int *begun, volatile int *done)
{
  int base = blockIdx.x * 32, s = 0;
  for (int j = 0; j < 32; j++)
    if (marks[base + j]) s += a[base + j];
  __syncthreads();
  if (threadIdx.x == 0) {
    *begun = 1;
    while (!*done) { }
  }
  if (marks[base + threadIdx.x]) a[base + threadIdx.x] = s;
}

int main()
{
  const int n = 64;
  int *a, *marks, *begun, *done, wrong = 0;
  if (cudaMallocHost(&a, n * sizeof(int)) || cudaMallocHost(&marks, n * sizeof(int))) return 1;
  if (cudaMallocHost(&begun, sizeof(int)) || cudaMallocHost(&done, sizeof(int))) return 1;
  for (int i = 0; i < n; i++) a[i] = i, marks[i] = i % 3 == 0;
  *begun = *done = 0;
  std::thread host([&] {
    while (!*(volatile int *)begun) std::this_thread::yield();
    for (int i = 0; i < n; i++)
      if (!marks[i]) a[i] = 1000 + i;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *(volatile int *)done = 1;
  });
  sums<<<n / 32, 32>>>(a, marks, begun, done);
  if (cudaDeviceSynchronize()) return 1;
  host.join();
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) s += marks[j] ? j : 0;
    if (a[i] != (marks[i] ? s : 1000 + i) && wrong++ < 8) printf("%d: %d\n", i, a[i]);
  }
  if (!wrong) printf("ok\n");
  return wrong != 0;
}
