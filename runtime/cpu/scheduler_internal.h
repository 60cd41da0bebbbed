/* SPDX-License-Identifier: MIT */
/* scheduler_internal.h - declarations that the files of the scheduler share. A block runs in
 * block.c, its warps in warp.c, a grid in grid.c; stacks come from stack.c, messages from
 * report.c. */
#ifndef MESI_CPU_SCHED_INTERNAL_H
#define MESI_CPU_SCHED_INTERNAL_H

#include "scheduler.h"

#include <signal.h>
#include <stdbool.h>

typedef void *fcontext_t; /* Boost.Context's C entry points */
typedef struct {
  fcontext_t fctx;
  void *data;
} transfer_t;
transfer_t jump_fcontext(fcontext_t to, void *data);
fcontext_t make_fcontext(void *stack_top, size_t size, void (*entry)(transfer_t));

enum { WARPS = MESI_CPU_BLOCK_THREADS / MESI_CPU_WARP, NO_THREAD = -1 };

enum schedule { SCHEDULE_FORWARD, SCHEDULE_REVERSE, SCHEDULE_RANDOM };

struct options {
  unsigned workers;
  size_t stack; /* bytes of a fiber's stack, whole pages */
  enum schedule schedule;
  uint64_t seed; /* of SCHEDULE_RANDOM */
  bool serial;   /* one worker, deterministic */
};
const struct options *mesi_cpu_options(void);

struct fiber {        /* lives at the top of its own stack, except a worker's root */
  fcontext_t context; /* where to resume; stale while it runs */
  unsigned thread;    /* the thread that it runs */
  struct fiber *next_idle;
  char *low; /* lowest usable address of the stack; NULL for a root */
  /* of the stack, and its bytes, for AddressSanitizer; of a root once it has been left */
  const void *bottom;
  size_t stack_bytes;
  void *fake_stack; /* AddressSanitizer's, while the fiber does not run */
  void *race_state; /* ThreadSanitizer's; NULL: it has not run */
};

/* Maps another stack and puts a fiber on it; NULL without memory. Stacks live as long as their
 * arena. */
struct stack_arena {
  char *slab;
  size_t slab_bytes;
  unsigned left, made;
  struct stack_slab *slabs;
};
struct fiber *stack_create(struct stack_arena *arena, void (*entry)(transfer_t));
void stack_arena_finish(struct stack_arena *arena);
bool stack_is_guard(const struct fiber *fiber, const char *address);
size_t stack_size(void);

enum thread_state { /* of one thread of the block */
                    THREAD_NEW,
                    THREAD_RUNNABLE,
                    THREAD_BARRIER,
                    THREAD_GRID,
                    THREAD_WARP,
                    THREAD_ACTIVE_MASK,
                    THREAD_EXITED
};

enum warp_op {
  OP_SYNC,
  OP_SHUFFLE,
  OP_VOTE,
  OP_MATCH_ANY,
  OP_MATCH_ALL,
  OP_REDUCE,
  OP_ACTIVE_MASK
};

struct request { /* a lane's request in a warp operation */
  enum warp_op op;
  unsigned how; /* of the op's own enum */
  unsigned mask;
  int lane, width; /* OP_SHUFFLE */
  uint64_t value;
  uint64_t result;
  unsigned all;     /* OP_MATCH_ALL: predicate */
  const void *site; /* OP_ACTIVE_MASK: return address */
};

struct queue {
  unsigned head, count;
  uint16_t items[MESI_CPU_BLOCK_THREADS];
};

struct coop; /* a cooperative grid, grid.c */

struct worker {                         /* an operating-system thread that runs blocks */
  const struct mesi_cpu_launch *launch; /* NULL: idle */
  struct mesi_cpu_dim block;
  struct fiber root; /* the OS thread's own stack */
  struct fiber *running;
  struct fiber *idle; /* fibers without a thread */
  struct stack_arena stacks;
  unsigned count;                       /* threads of the block */
  unsigned alive;                       /* not exited */
  unsigned current;                     /* running thread */
  unsigned started;                     /* order[0 .. started) have begun */
  unsigned arrived, arrived_true;       /* at the open barrier */
  unsigned barrier_total, barrier_true; /* of the last complete barrier */
  unsigned at_grid;                     /* threads in the grid barrier */
  unsigned asking_active;               /* threads in an active-mask request */
  unsigned idle_yields;                 /* yields since the last other progress */
  uint64_t random;
  struct queue ready, yielded;
  uint32_t warp_alive[WARPS], warp_waiting[WARPS];
  uint8_t state[MESI_CPU_BLOCK_THREADS];
  uint16_t order[MESI_CPU_BLOCK_THREADS];            /* the order in which threads start */
  struct fiber *fiber[MESI_CPU_BLOCK_THREADS];       /* NULL: not started or exited */
  struct mesi_cpu_dim index[MESI_CPU_BLOCK_THREADS]; /* threadIdx, for block dimensions index_of */
  struct request request[MESI_CPU_BLOCK_THREADS];
  struct mesi_cpu_dim index_of;
  char *shared;
  size_t shared_room;
  uint64_t next_block, end_block; /* of its chunk of a pooled grid: blocks not begun */
  /* ns since when its threads only give up their turns; 0: they make progress */
  uint64_t stalled;
  struct coop *coop; /* NULL: not a cooperative grid */
  unsigned coop_rank;
};

extern __thread struct worker *mesi_cpu_worker; /* NULL: this thread never ran a block */

struct worker *worker_create(void);
void worker_destroy(struct worker *worker);
void worker_run_block(struct worker *worker, struct mesi_cpu_dim block, uint64_t linear);

/* Services of block.c to warp.c: runs other threads until the running one, whose state says for
 * what it waits, is chosen again; makes threads runnable in schedule order. */
void block_suspend(struct worker *worker);
void block_make_ready(struct worker *worker, const uint16_t *threads, unsigned count);

void warp_thread_exited(struct worker *worker, unsigned thread);
void warp_complete_active(struct worker *worker);

/* Services of grid.c to block.c: all threads of the block are in the grid barrier; the block has
 * only spinning threads. */
void coop_wait(struct worker *worker);
void coop_relax(struct worker *worker);

uint64_t random_next(uint64_t *state);

void report_install(void); /* signal handlers, once */
int mesi_cpu_fault(int number, siginfo_t *info, void *context);
/* in a forked process: no other thread is in the middle of a message */
void report_in_child(void);
void report_thread_setup(void); /* alternate signal stack of this OS thread */
__attribute__((noreturn)) void report_deadlock(const struct worker *worker);
const char *report_kernel_name(const struct mesi_cpu_launch *launch);
const char *symbol_name(const void *address); /* demangled or NULL; for messages only */

#endif
