/* SPDX-License-Identifier: MIT */
/* cpu_test.h - checks for the tests of the CPU backend. A failed check is printed; the exit status
 * says if any was. */
#ifndef CPU_TEST_H
#define CPU_TEST_H

#include "mesi_cpu.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

static int failures;

#define CHECK(condition) \
  do { \
    if (!(condition)) failures++, std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
  } while (0)
#define CHECK_EQ(a, b) \
  do { \
    auto a_ = (a); \
    auto b_ = (b); \
    if (!(a_ == b_)) \
      failures++, std::printf("%s:%d: %s is %g, not %g\n", __FILE__, __LINE__, #a, (double)a_, \
                              (double)b_); \
  } while (0)

/* A launch and the error that it leaves. */
#define CHECK_LAUNCH(launch, error) \
  do { \
    launch; \
    CHECK_EQ(cudaGetLastError(), error); \
  } while (0)

using mesi_cpu::config;

#endif
