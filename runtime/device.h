/* device.h - what the runtime needs of a device, as a table of operations.
 *
 * Two tables exist, chosen when the program is linked: device_cuda.c (libmesi) and device_cpu.c
 * (libmesi_cpu_core). Each defines mesi_device. The calls are made with the runtime's lock held.
 *
 * An operation that can fail returns NULL when it went well and otherwise the cause, a string that stays valid
 * until the thread's next operation. `device` is an index from 0 to MESI_DEVICE_MAX - 1.
 */
#ifndef MESI_DEVICE_H
#define MESI_DEVICE_H

#include <stddef.h>

enum { MESI_DEVICE_MAX = 8 }; /* devices of which copies are kept */

struct mesi_kernel_launch;

struct mesi_device_ops {
  const char *name; /* "cuda" or "cpu" */

  /* The calling thread's current device, initialised at the first call. */
  const char *(*current)(int *ret_device);

  /* Device memory, aligned to 256 bytes. *ret_memory is NULL, without an error, when there is not enough. */
  const char *(*alloc)(int device, size_t bytes, void **ret_memory);
  const char *(*free)(int device, void *memory);
  const char *(*memory)(int device, size_t *ret_total, size_t *ret_free); /* bytes */

  /* Synchronous: the bytes have arrived on return. Neither waits for kernels. */
  const char *(*copy_to_device)(int device, void *to, const void *from, size_t bytes);
  const char *(*copy_to_host)(int device, void *to, const void *from, size_t bytes);

  /* Until all kernels launched so far are done; an error is one of theirs. */
  const char *(*wait)(int device);

  /* Sets the pointer in constant memory that `symbol` stands for. Waits for kernels in flight. */
  const char *(*set_symbol)(int device, const void *symbol, void *value);

  /* Page-locks host memory for faster copies. 0 when done, -1 when the memory stays pageable. */
  int (*pin)(void *memory, size_t bytes);
  void (*unpin)(void *memory);

  /* Brackets a launch. `launch_error` tells whether the launch between was accepted. */
  void (*before_launch)(int device);
  const char *(*launch_error)(int device);

  /* Time of the work submitted between start and stop. stop waits for its end. */
  const char *(*time_start)(int device);
  const char *(*time_stop)(int device, double *ret_ms);

  /* Kernel launches on the default stream. NULL where the program alone makes launches. A graph runs its launches one
   * after the other; it keeps copies of their arguments. graph_free is fine while it runs. */
  const char *(*launch)(int device, const struct mesi_kernel_launch *launch);
  const char *(*graph_create)(int device, const struct mesi_kernel_launch *const *launches, unsigned count, void **ret_graph);
  const char *(*graph_launch)(int device, void *graph);
  void (*graph_free)(int device, void *graph);
};

extern const struct mesi_device_ops mesi_device;

#endif
