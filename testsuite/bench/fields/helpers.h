/* SPDX-License-Identifier: MIT */
/* helpers.h - inputs and checksums of the programs here. */
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static unsigned long long fnv(const void *p, size_t n)
{
  const unsigned char *b = (const unsigned char *)p;
  unsigned long long h = 1469598103934665603ull;
  for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * 1099511628211ull;
  return h;
}
template <class T> static void show(const char *name, const T *dev, size_t n)
{
  std::vector<T> h(n);
  cudaMemcpy(h.data(), dev, n * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%s %016llx\n", name, fnv(h.data(), n * sizeof(T)));
}
static unsigned g_seed = 12345u;
static float rnd()
{
  g_seed = g_seed * 1664525u + 1013904223u;
  return (g_seed >> 8) * (1.0f / 16777216.0f);
}
template <class T> static T *upload(const std::vector<T> &v)
{
  T *d;
  cudaMalloc((void **)&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
static float *random_floats(size_t n, float lo, float hi)
{
  std::vector<float> v(n);
  for (size_t i = 0; i < n; i++) v[i] = lo + (hi - lo) * rnd();
  return upload(v);
}
template <class T> static T *zeros(size_t n)
{
  T *d;
  cudaMalloc((void **)&d, n * sizeof(T));
  cudaMemset(d, 0, n * sizeof(T));
  return d;
}
