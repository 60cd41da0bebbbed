/* SPDX-License-Identifier: MIT */
/* jacobi_hand.cu - Jacobi steps by hand on one GPU and on two, by peer copies: what mesicc's
 * launches over several devices are compared with. The kernel is that of
 * testsuite/bench/devices.mcu, over rows [from, to).
 *
 * jacobi_hand N STEPS [N STEPS ...]
 *
 * one     one GPU
 * plain   two: copies of the rims, then the kernel over all rows
 * hidden  two: the inner rows beside the copies of the rims; the rows at the rim behind both, in a
 * stream of their own
 *
 * Each prints the time of a step and a sum of the result, which has to be the same. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) \
  do { \
    cudaError_t status_ = (call); \
    if (status_ != cudaSuccess) { \
      printf("%s: %s\n", #call, cudaGetErrorString(status_)); \
      exit(1); \
    } \
  } while (0)

__global__ void fill(float *a, int n)
{
  long at = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (at < (long)n * n) a[at] = (float)((at / n * 31 + at % n * 17) % 64);
}

__global__ void step(const float *in, float *out, int n, int from, int to)
{
  int i = from + blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1 && i < to && j >= 1 && j < n - 1)
    out[(long)i * n + j] = (in[(long)(i - 1) * n + j] + in[(long)(i + 1) * n + j] +
                            in[(long)i * n + j - 1] + in[(long)i * n + j + 1]) /
                           4;
}

static void launch(cudaStream_t stream, const float *in, float *out, int n, int from, int to)
{
  if (from >= to) return;
  step<<<dim3((n + 31) / 32, (to - from + 7) / 8), dim3(32, 8), 0, stream>>>(in, out, n, from, to);
}

struct device {
  float *a[2]; /* whole arrays, of which a part is used */
  cudaStream_t inner, rim;
  cudaEvent_t inner_done, rim_done, copied, start, stop;
  int from, to;
};

static void open_device(device &d, int index, int n, int count)
{
  CHECK(cudaSetDevice(index));
  for (int k = 0; k < 2; k++) {
    CHECK(cudaMalloc(&d.a[k], (size_t)n * n * sizeof(float)));
    fill<<<(unsigned)(((long)n * n + 255) / 256), 256>>>(d.a[k], n);
  }
  CHECK(cudaStreamCreateWithFlags(&d.inner, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithPriority(&d.rim, cudaStreamNonBlocking, -5));
  CHECK(cudaEventCreateWithFlags(&d.inner_done, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&d.rim_done, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&d.copied, cudaEventDisableTiming));
  CHECK(cudaEventCreate(&d.start));
  CHECK(cudaEventCreate(&d.stop));
  d.from = n * index / count;
  d.to = n * (index + 1) / count;
  CHECK(cudaDeviceSynchronize());
  for (int other = 0; other < count; other++)
    if (other != index) {
      cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
    }
}

static void close_device(device &d, int index)
{
  CHECK(cudaSetDevice(index));
  for (int k = 0; k < 2; k++) CHECK(cudaFree(d.a[k]));
}

static void sync_all(int count)
{
  for (int i = 0; i < count; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaDeviceSynchronize());
  }
}

static void one(device *d, int n, int steps)
{
  for (int s = 0; s < steps; s++) launch(d[0].inner, d[0].a[s % 2], d[0].a[1 - s % 2], n, 0, n);
}

/* The row at the edge that the other one has written in the step before comes by a copy in the
 * stream of the rim. */
static void copy_rims(device *d, int n, int k, cudaEvent_t device::*done)
{
  for (int i = 0; i < 2; i++) {
    int other = 1 - i, row = i ? d[1].from - 1 : d[0].to;
    CHECK(cudaSetDevice(i));
    CHECK(cudaStreamWaitEvent(d[i].rim, d[other].*done, 0));
    CHECK(cudaStreamWaitEvent(d[i].rim, d[i].*done, 0));
    CHECK(cudaMemcpyPeerAsync(d[i].a[k] + (long)row * n, i, d[other].a[k] + (long)row * n, other,
                              n * sizeof(float), d[i].rim));
    CHECK(cudaEventRecord(d[i].copied, d[i].rim));
  }
}

static void plain(device *d, int n, int steps)
{
  for (int s = 0; s < steps; s++) {
    copy_rims(d, n, s % 2, &device::inner_done);
    for (int i = 0; i < 2; i++) {
      CHECK(cudaSetDevice(i));
      CHECK(cudaStreamWaitEvent(d[i].inner, d[i].copied, 0));
      CHECK(cudaStreamWaitEvent(d[i].inner, d[1 - i].copied,
                                0)); /* the other one has taken what is overwritten */
      launch(d[i].inner, d[i].a[s % 2], d[i].a[1 - s % 2], n, d[i].from, d[i].to);
      CHECK(cudaEventRecord(d[i].inner_done, d[i].inner));
    }
  }
}

/* The 8 rows at the rim are computed in the stream of the rim, behind the copy of the row beyond.
 */
static void hidden(device *d, int n, int steps)
{
  for (int s = 0; s < steps; s++) {
    copy_rims(d, n, s % 2, &device::rim_done);
    for (int i = 0; i < 2; i++) {
      float *in = d[i].a[s % 2], *out = d[i].a[1 - s % 2];
      int edge = i ? d[1].from + 8 : d[0].to - 8;
      CHECK(cudaSetDevice(i));
      CHECK(cudaStreamWaitEvent(d[i].rim, d[i].inner_done, 0));
      CHECK(cudaStreamWaitEvent(d[i].rim, d[1 - i].copied, 0));
      CHECK(cudaStreamWaitEvent(d[i].inner, d[i].rim_done, 0));
      launch(d[i].inner, in, out, n, i ? edge : d[0].from, i ? d[1].to : edge);
      CHECK(cudaEventRecord(d[i].inner_done, d[i].inner));
      launch(d[i].rim, in, out, n, i ? d[1].from : edge, i ? edge : d[0].to);
      CHECK(cudaEventRecord(d[i].rim_done, d[i].rim));
    }
  }
}

static unsigned long sum_of(device *d, int n, int count, int k)
{
  unsigned long sum = 0;
  std::vector<unsigned> row(n);
  for (int i = 0; i < count; i++) {
    CHECK(cudaSetDevice(i));
    for (int r = d[i].from; r < d[i].to; r += 97 - r % 2) {
      CHECK(cudaMemcpy(row.data(), d[i].a[k] + (long)r * n, n * sizeof(float),
                       cudaMemcpyDeviceToHost));
      for (int j = 0; j < n; j++) sum = sum + row[j] * (unsigned long)(r * 31L + j);
    }
  }
  return sum;
}

static void run(const char *name, void (*steps_of)(device *, int, int), int n, int steps, int count)
{
  device d[2];
  for (int i = 0; i < count; i++) open_device(d[i], i, n, count);
  steps_of(d, n, 20);
  sync_all(count);
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  steps_of(d, n, steps);
  sync_all(count);
  clock_gettime(CLOCK_MONOTONIC, &end);
  double ms = (end.tv_sec - begin.tv_sec) * 1e3 + (end.tv_nsec - begin.tv_nsec) * 1e-6;
  if (count == 1) { /* as two would sum it up */
    d[1] = d[0];
    d[0].to = d[1].from = n / 2;
    d[1].to = n;
  }
  unsigned long sum = 0;
  if (count == 1) {
    device halves[2] = {d[0], d[1]};
    sum = sum_of(halves, n, 1, 0);
    halves[0] = d[1];
    sum += sum_of(halves, n, 1, 0);
  } else {
    sum = sum_of(d, n, 2, 0);
  }
  printf("hand %s %d: %.4f ms a step, sum %016lx\n", name, n, ms / steps, sum);
  for (int i = 0; i < count; i++) close_device(d[i], i);
}

int main(int argc, char **argv)
{
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  for (int k = 1; k + 1 < argc; k += 2) {
    int n = atoi(argv[k]), steps = atoi(argv[k + 1]);
    run("one", one, n, steps, 1);
    if (devices < 2) continue;
    run("plain", plain, n, steps, 2);
    run("hidden", hidden, n, steps, 2);
  }
  return 0;
}
