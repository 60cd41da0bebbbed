/* SPDX-License-Identifier: MIT */
/* device.h - device: the operations of a device, as a table.
 *
 * Two tables exist, chosen when the program is linked: device_cuda.c (libmesi) and device_cpu.c
 * (libmesi_cpu_core). Each defines mesi_device. The calls are made with the runtime's lock held.
 *
 * Work is asynchronous. A *queue* is a stream: the work in one queue happens in the order of its
 * submission. Each device has one queue of the runtime's own per direction of transfer, a *lane*.
 * The other queues are the program's streams, by their handle (NULL: the default stream). An
 * *event* is a point in a queue that other queues and the host can wait for. It may be recorded
 * again; waits that were submitted before stay with the earlier point. order.c builds on these.
 *
 * An operation that can fail returns NULL where it succeeds and otherwise the cause, a string that
 * stays valid until the thread's next operation. `device` is an index from 0 to MESI_DEVICE_MAX -
 * 1.
 */
#ifndef MESI_DEVICE_H
#define MESI_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MESI_DEVICE_MAX = 8 };  /* devices that may hold copies */
enum { MESI_PIECE = 2 << 20 }; /* bytes that get memory together, where memory comes in pieces */

struct mesi_kernel_launch;
struct mesi_bin_steps;

enum mesi_lane { MESI_TO_DEVICE, MESI_TO_HOST, MESI_LANE_COUNT };

struct mesi_stream_info {
  /* events can be recorded in the stream and it can wait for them; false: it is being captured */
  bool known;
  /* no program can destroy the stream: an event is recorded when needed, not after each launch */
  bool permanent;
  uint64_t id; /* no other stream has, or had, this number */
};

struct mesi_device_ops {
  const char *name; /* "cuda" or "cpu" */
  /* a forked process has devices with the same contents; false: it has none */
  bool forks;

  /* The calling thread's current device, initialised at the first call. */
  const char *(*current)(int *ret_device);

  /* Device memory, aligned to 256 bytes. *ret_memory is NULL, without an error, where there is not
   * enough. Work that is submitted to the lane MESI_TO_DEVICE from now on may use it, and work that
   * comes after that. It is freed after the work that the lane holds so far. */
  const char *(*alloc)(int device, size_t bytes, void **ret_memory);
  const char *(*free)(int device, void *memory);
  /* `reserve`: addresses without memory, which `free` takes too. `back`: memory for whole pieces of
   * MESI_PIECE bytes of them, from which all devices can copy. NULL and false, without an error:
   * there is not enough. NULL operations: the devices have none of this. */
  const char *(*reserve)(int device, size_t bytes, void **ret_memory);
  const char *(*back)(int device, void *memory, size_t begin, size_t end, bool *ret_enough);
  const char *(*memory)(int device, size_t *ret_total, size_t *ret_free); /* bytes */

  /* The program's own allocation that contains the address; false: it is not known. The operation
   * is NULL where there is no such allocation. */
  bool (*extent)(const void *memory, const void **ret_begin, size_t *ret_bytes);

  /* Page-locked host memory that is never freed. NULL, without an error, where there is not
   * enough. */
  const char *(*staging)(int device, size_t bytes, void **ret_memory);
  /* Page-locks host memory for faster copies. 0: done; -1: the memory stays pageable. */
  int (*pin)(void *memory, size_t bytes);
  void (*unpin)(void *memory);

  const char *(*lane)(int device, enum mesi_lane lane, void **ret_queue);
  const char *(*stream)(int device, void *stream, struct mesi_stream_info *ret_info);

  /* Submits a copy to the lane. The host side is page-locked and must not change until the copy is
   * done. */
  const char *(*copy)(int device, enum mesi_lane lane, void *to, const void *from, size_t bytes);

  const char *(*event)(int device, bool timed, void **ret_event); /* never destroyed */
  const char *(*record)(int device, void *event, void *queue);
  /* work that is submitted from now on waits for the event */
  const char *(*queue_wait)(int device, void *queue, void *event);
  const char *(*event_wait)(int device, void *event); /* the host waits */
  /* the time between two timed events; waits for them */
  const char *(*elapsed)(int device, void *start, void *stop, double *ret_ms);

  /* Waits until all work of the device is done; an error is that of one of its kernels. */
  const char *(*wait)(int device);

  /* Sets the pointer in constant memory at `symbol`. Waits for kernels in flight. */
  const char *(*set_symbol)(int device, const void *symbol, void *value);

  /* Called before and after a launch. `launch_error` tells whether the device has accepted it. */
  void (*before_launch)(int device);
  const char *(*launch_error)(int device);

  /* A named range of host time for a profiler. NULL: there is no profiler. */
  void (*range_push)(const char *name);
  void (*range_pop)(void);

  /* Kernel launches on the default stream. NULL: only the program makes launches. A graph runs its
   * launches one after the other and keeps copies of their arguments. graph_free may be called
   * while the graph runs. */
  const char *(*launch)(int device, const struct mesi_kernel_launch *launch);
  const char *(*graph_create)(int device, const struct mesi_kernel_launch *const *launches,
                              unsigned count, void **ret_graph);
  const char *(*graph_launch)(int device, void *graph);
  void (*graph_free)(int device, void *graph);

  const struct mesi_bin_steps *bins; /* of mesi_bin_*; NULL: mesi_bin_use sets them */

  /* For several devices. `count` NULL: there is one device, and the operations below are NULL,
   * too. */
  const char *(*count)(int *ret_count);
  /* Makes the device the calling thread's current one, for launches and the values of their
   * symbols. */
  const char *(*use)(int device);
  /* Submits a copy from memory of another device to the lane MESI_TO_DEVICE. */
  const char *(*copy_between)(int device, void *to, int other, const void *from, size_t bytes);
  /* Overwrites device memory that is no longer valid, so that a use of it shows. NULL: does
   * nothing. */
  void (*spoil)(int device, void *memory, size_t bytes);
  /* `use` applies to all threads: only one thread may launch on other devices than the first */
  bool use_is_global;
  /* Devices of other ranks (base/ranks.h) are among them. `on_host`: the devices that this process
   * could have; -1: not known. `only`: it has those with these numbers, and they become 0, 1, ...
   * Both come before all other operations; NULL: each rank has as many as it wants. */
  bool ranks;
  int (*on_host)(void);
  void (*only)(const int *devices, int count);
  /* Between these, copies between ranks go out together, by the latest where another operation
   * has to come behind one of them. NULL: each goes out by itself. */
  const char *(*together)(bool begins);
};

extern const struct mesi_device_ops mesi_device;

#endif
