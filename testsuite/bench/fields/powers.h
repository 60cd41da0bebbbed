// Sizes from the command line, checksums and the time of launches.
#ifndef COMMON_H
#define COMMON_H
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static inline int size_of(int argc, char **argv, int at, int usual)
{
  return argc > at ? atoi(argv[at]) : usual;
}
static inline double unit(unsigned i)
{
  i = (i ^ 61u) ^ (i >> 16), i *= 9u, i ^= i >> 4, i *= 0x27d4eb2du, i ^= i >> 15;
  return i / 4294967296.0;
}
template <class T> static T *to_device(const std::vector<T> &from)
{
  T *to;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}
template <class T> static void checksum(const char *name, const T *device, size_t count)
{
  std::vector<T> all(count);
  cudaMemcpy(all.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < count; i++) sum += all[i], weighted += all[i] * (double)(i % 1013 + 1);
  printf("%s %.10g %.10g\n", name, sum, weighted);
}
struct timer {
  cudaEvent_t a, b;
  timer() { cudaEventCreate(&a), cudaEventCreate(&b), cudaEventRecord(a); }
  void show(int launches)
  {
    float ms;
    cudaEventRecord(b), cudaEventSynchronize(b), cudaEventElapsedTime(&ms, a, b);
    fprintf(stderr, "%g us a launch\n", ms * 1000 / launches);
  }
};
#endif
