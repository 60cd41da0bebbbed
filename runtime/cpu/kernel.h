/* SPDX-License-Identifier: MIT */
/* kernel.h - launches with CUDA's checks, and the table of known kernels. Used by mesi_cpu.h. */
#ifndef MESI_CPU_KERNEL_H
#define MESI_CPU_KERNEL_H

#include "scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checks the configuration as CUDA does, then mesi_cpu_run. Returns a cudaError_t that is also
 * recorded for cudaGetLastError; on an error the kernel does not run. `stream` is a cudaStream_t.
 */
int mesi_cpu_launch_checked(const struct mesi_cpu_launch *launch, void *stream);

struct mesi_cpu_kernel { /* a kernel that cudaLaunchKernel can launch by its address */
  const void *function;
  const char *name;
  /* Launches `function` with CUDA's argument array. The caller has set all of `launch` except run
   * and context. Returns a cudaError_t. */
  int (*invoke)(const void *function, struct mesi_cpu_launch *launch, void **args, void *stream);
  struct mesi_cpu_kernel *next; /* of the table */
};

/* Adds a kernel to the table; `kernel` must stay valid. May run before main. */
void mesi_cpu_register_kernel(struct mesi_cpu_kernel *kernel);

#ifdef __cplusplus
}
#endif
#endif
