/* timing.cuh - how long the device takes for something, and matrices to time with. */
#include <stdio.h>
#include <stdlib.h>

#include "blas2.h"

enum { BUSY_ROUNDS = 30000 };

/* Some tens of microseconds on one thread. */
__global__ void busy(REAL *result, REAL x, int rounds)
{
  REAL sum = 1;

  for (int r = 0; r < rounds; r++) sum = sum * x + 1;
  result[0] = sum;
}

/* Element (i, j) and (j, i) are the same number between -1 and 1. */
__global__ void fill_symmetric(REAL *a, int m, int n)
{
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  int i = (int)(at % m), j = (int)(at / m);

  if (j < n) {
    unsigned hash =
        (unsigned)(i < j ? i : j) * 2654435761u ^ (unsigned)(i < j ? j : i) * 2246822519u;
    hash = (hash ^ hash >> 15) * 3266489917u;
    a[at] = (REAL)(int)(hash >> 8 & 0xffff) / 32768 - 1;
  }
}

void blas2_fill_symmetric(real *a, int m, int n)
{
  fill_symmetric<<<(int)(((long long)m * n + 255) / 256), 256>>>(a, m, n);
}

const real *blas2_device_address(const real *memory)
{
  return (const real *)mesi_device_ptr(memory, MESI_READ);
}

real *blas2_device_result(real *memory) { return (real *)mesi_device_ptr(memory, MESI_WRITE); }

void blas2_wait(void) { cudaDeviceSynchronize(); }

int blas2_on_gpu(void)
{
#ifdef __NVCC__
  return 1;
#else
  return 0;
#endif
}

const char *blas2_device(void)
{
  static cudaDeviceProp properties;

  return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "a device";
}

double blas2_peak_bytes(void)
{
  int kilohertz = 0, bits = 0;

  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) != cudaSuccess)
    return 0;
  return 2e3 * kilohertz * bits / 8;
}

static int compare_times(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* A kernel in front of each run keeps the device busy while the host launches: what is measured is
 * the device's work alone. */
double blas2_time(void (*body)(void *), void *context, int repeats)
{
  cudaEvent_t begin = NULL, end = NULL;
  float *times = (float *)calloc(repeats + 1, sizeof *times);
  real *result = blas2_alloc(1);
  bool ready = times && result && cudaEventCreate(&begin) == cudaSuccess &&
               cudaEventCreate(&end) == cudaSuccess;

  for (int i = -1; ready && i < repeats; i++) {
    busy<<<1, 1>>>(result, (real)1e-6, blas2_on_gpu() ? BUSY_ROUNDS : 1);
    cudaEventRecord(begin, 0);
    body(context);
    cudaEventRecord(end, 0);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&times[i < 0 ? 0 : i], begin, end);
  }
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  blas2_free(result);
  if (ready) qsort(times, repeats, sizeof *times, compare_times);
  double median = ready ? times[repeats / 2] : NAN;
  free(times);
  return median;
}
