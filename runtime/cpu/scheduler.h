/* SPDX-License-Identifier: MIT */
/* scheduler.h - runs CUDA kernels on the CPU: blocks over worker threads, the threads of a block as
 * fibers.
 *
 * One block runs on one operating-system thread, so that the threads of a block share a
 * `thread_local` object, and no others do: that is how __shared__ works here. Fibers switch only at
 * barriers, warp operations and yields.
 *
 * Environment: MESI_THREADS (workers), MESI_STACK (bytes of a fiber's stack, suffix K or M),
 * MESI_SCHEDULE=forward|reverse|random:SEED (order of blocks and threads; when set, one worker,
 * deterministic). A program error inside a kernel is a message on stderr and exit status
 * MESI_CPU_EXIT.
 */
#ifndef MESI_CPU_SCHED_H
#define MESI_CPU_SCHED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MESI_CPU_EXIT = 70, MESI_CPU_BLOCK_THREADS = 1024, MESI_CPU_WARP = 32 };

struct mesi_cpu_dim {
  unsigned x, y, z;
};

struct mesi_cpu_launch {
  /* of the kernel, for messages; NULL: looked up from `function` when needed */
  const char *name;
  const void *function;            /* address of the kernel; NULL for a callable object */
  void (*run)(void *context);      /* runs the kernel for the current thread */
  void *context;                   /* borrowed for the launch */
  struct mesi_cpu_dim grid, block; /* none zero; block of at most MESI_CPU_BLOCK_THREADS threads */
  size_t shared;                   /* dynamic shared memory of a block, bytes */
  /* all blocks are resident together: mesi_cpu_grid_barrier may be called */
  int cooperative;
};

/* Runs a grid; returns when all of its threads have finished. Host threads may call it at the same
 * time: the grids run one after another. Must not be called inside a kernel. */
void mesi_cpu_run(const struct mesi_cpu_launch *launch);

/* Workers that a launch uses: cores, or MESI_THREADS. */
unsigned mesi_cpu_workers(void);

/* ---- inside a kernel ---- */

int mesi_cpu_in_kernel(void);
int mesi_cpu_is_cooperative(void);
/* of the block; aligned to 128; poisoned with 0xA5 at the block's start */
void *mesi_cpu_dynamic_shared(void);
size_t mesi_cpu_dynamic_shared_size(void);
unsigned mesi_cpu_thread_rank(void); /* linear index in the block: x fastest */
enum mesi_cpu_space { MESI_CPU_GLOBAL, MESI_CPU_SHARED, MESI_CPU_LOCAL };
enum mesi_cpu_space mesi_cpu_space_of(const void *pointer);

/* __syncthreads and its voting forms. The result is that of the requested vote, 0 for
 * MESI_CPU_SYNC. */
enum mesi_cpu_sync { MESI_CPU_SYNC, MESI_CPU_SYNC_COUNT, MESI_CPU_SYNC_AND, MESI_CPU_SYNC_OR };
int mesi_cpu_barrier(enum mesi_cpu_sync kind, int predicate);
void mesi_cpu_grid_barrier(void); /* all threads of a cooperative grid */

/* Warp operations: the call returns when all lanes in `mask` that have not exited have made the
 * same call with the same mask. `mask` must name the caller. A value from a lane outside the mask
 * is the caller's own. */
enum mesi_cpu_shuffle { MESI_CPU_SHFL, MESI_CPU_SHFL_UP, MESI_CPU_SHFL_DOWN, MESI_CPU_SHFL_XOR };
enum mesi_cpu_vote { MESI_CPU_BALLOT, MESI_CPU_ANY, MESI_CPU_ALL };
enum mesi_cpu_reduce {
  MESI_CPU_ADD,
  MESI_CPU_MIN_U,
  MESI_CPU_MAX_U,
  MESI_CPU_MIN_S,
  MESI_CPU_MAX_S,
  MESI_CPU_AND,
  MESI_CPU_OR,
  MESI_CPU_XOR
};
void mesi_cpu_warp_barrier(unsigned mask);
uint64_t mesi_cpu_shuffle(unsigned mask, enum mesi_cpu_shuffle how, uint64_t value, int lane,
                          int width);
unsigned mesi_cpu_vote(unsigned mask, enum mesi_cpu_vote how, int predicate);
unsigned mesi_cpu_match_any(unsigned mask, uint64_t value);
unsigned mesi_cpu_match_all(unsigned mask, uint64_t value, int *ret_all);
unsigned mesi_cpu_reduce(unsigned mask, enum mesi_cpu_reduce how, unsigned value);
/* The lanes that reach this call before any other thread runs; always includes the caller. */
unsigned mesi_cpu_active_mask(void);

/* Lets other threads run, for loops that wait for them. No effect outside a kernel. */
void mesi_cpu_yield(void);

/* Message with kernel, block and thread on stderr, then exit status MESI_CPU_EXIT. */
__attribute__((noreturn, format(printf, 1, 2))) void mesi_cpu_fail(const char *format, ...);

/* ---- for a check mode ---- */

/* Each may be NULL. Called on the thread that runs the block, the last four on any thread; threads
 * are given by linear index. With hooks one worker runs all blocks, and blocks of a cooperative
 * grid take turns.
 */
struct mesi_cpu_hooks {
  void (*block_begin)(const struct mesi_cpu_launch *launch, struct mesi_cpu_dim block);
  void (*block_end)(const struct mesi_cpu_launch *launch, struct mesi_cpu_dim block);
  void (*thread_exit)(unsigned thread);
  /* site: return address of the barrier call */
  void (*barrier_arrive)(unsigned thread, const void *site);
  void (*barrier_complete)(unsigned arrived);
  /* lanes that took part in a warp operation; is_barrier: __syncwarp */
  void (*warp_complete)(unsigned warp, unsigned lanes, int is_barrier);
  /* all blocks are in a grid-wide barrier */
  void (*grid_complete)(void);
  void (*grid_resume)(void); /* this block continues after it */
  void (*launch_begin)(const struct mesi_cpu_launch *launch);
  /* this block's threads wait for ever; called before the message */
  void (*deadlock)(void);
  /* an illegal access in a kernel has been reported */
  void (*fault)(const void *address);
  /* the program is about to end with `status`; returns the status to end with */
  int (*leave)(int status);
};
extern const struct mesi_cpu_hooks *mesi_cpu_hooks; /* NULL: none. Set it while no kernel runs */

struct mesi_cpu_memory { /* the source of device and page-locked memory */
  /* aligned to 512; NULL without memory. `what` stays valid */
  void *(*allocate)(size_t bytes, const char *what);
  size_t (*release)(void *memory); /* returns the requested bytes */
};
/* For `mesicc prove`: memory from cudaMalloc for emitted code itself, which is no result of the
 * program. */
void mesi_cpu_workspace(const void *pointer);
/* The program's allocation that contains the address; false: there is none. */
int mesi_cpu_extent(const void *pointer, const void **ret_begin, size_t *ret_bytes);
/* NULL: the heap. Set it before the first allocation */
extern const struct mesi_cpu_memory *mesi_cpu_memory;

#ifdef __cplusplus
}
#endif
#endif
