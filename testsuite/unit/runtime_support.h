/* SPDX-License-Identifier: MIT */
/* runtime_support.h - for the runtime's tests: the CPU device with counters and failures on
 * request. */
#ifndef RUNTIME_SUPPORT_H
#define RUNTIME_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/device.h"
#include "mesi.h"

#define PAGE 4096

/* Storage as mesi_page<T> lays it out. */
#define PAGED(type, dimensions) \
  struct { \
    _Alignas(PAGE) type value dimensions; \
    char end; \
  }

/* Volatile: touching an object changes and reads these, which the compiler does not know. */
struct device_counts {
  unsigned to_device, to_host; /* copies */
  size_t bytes_to_device, bytes_to_host;
  unsigned allocations;
};

extern volatile struct device_counts counts;
extern volatile int current_device;         /* the one that launches go to */
extern const char *volatile launch_failure; /* what the next launch reports; NULL: accepted */
extern const char *volatile wait_failure;   /* what waiting reports; NULL: all kernels went well */

/* called in each copy, by the thread that makes it, with the lock */
extern void (*volatile while_copying)(void);

void reset_counts(void);

/* Begins a launch in the default stream. */
void begin_launch(const struct mesi_file *file, unsigned site);

/* Runs `body` in a child with stderr collected; returns its exit status, or 256 + the signal that
 * ended it. */
int run_child(void (*body)(void), char *ret_text, size_t size);

#endif
