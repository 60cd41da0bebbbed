/* SPDX-License-Identifier: MIT */
/* check_internal.h - declarations that the files of the checker share. Memory and extents are in
 * check_memory.c, the records of accesses in check_shadow.c, the order of threads in check_order.c,
 * blocks and barriers in check_block.c, messages in check_report.c.
 *
 * An *epoch* is a number for one block between two of its barriers; numbers grow over the whole
 * run. Two accesses of different threads in one epoch are concurrent. Accesses in different epochs
 * of one block are ordered. Accesses in epochs of two blocks are concurrent when both epochs are at
 * or above `check.floor`, the first epoch since the launch or the last grid-wide barrier.
 * check_order.c has the exceptions.
 *
 * Blocks take turns, so that one thread at a time is in the checker.
 */
#ifndef MESI_CPU_CHECK_INTERNAL_H
#define MESI_CPU_CHECK_INTERNAL_H

#include "check.h"
#include "scheduler_internal.h"

struct record {   /* an access */
  uint32_t epoch; /* 0: no access */
  uint32_t who;   /* thread << 22 | warp clock << 6 | enum record_flags */
  uint32_t site;  /* its id */
};

enum record_flags {
  RECORD_VOLATILE = 1, /* does not race with atomic accesses */
  RECORD_SEVERAL = 2,  /* other threads did the same; the record is of the last one */
  RECORD_WARPS = 4,    /* with SEVERAL: of several warps of the block */
  RECORD_BLOCKS = 8,   /* with SEVERAL: of several blocks */
  RECORD_SHARED = RECORD_SEVERAL | RECORD_WARPS | RECORD_BLOCKS,
  /* a write of a staged copy: its source raced with the write in the record `atomic` */
  RECORD_STALE = 32,
  RECORD_VALUES = 16, /* a write: the thread wrote several values in the epoch */
  CLOCK_MOST = 0xffff
};

struct cell {              /* the records of one granule of memory */
  struct record writer;    /* last plain write */
  struct record reader[2]; /* reads that a later write may race with: as far apart as possible */
  struct record atomic;    /* atomic or volatile write */
};

enum object_kind { OBJECT_DEVICE, OBJECT_VARIABLE, OBJECT_SHARED };

struct object {
  char *start;
  size_t bytes;
  enum object_kind kind;
  const char *what; /* cudaMalloc, or the variable's name */
  bool freed;
  bool undivided;     /* it holds no blocks of mesi_malloc */
  uint64_t launch;    /* SHARED: the last launch that announced it */
  unsigned granule;   /* bytes per cell, 4 or 1 */
  struct cell *cells; /* NULL until the first access */
  size_t cell_bytes;  /* of the mapping */
};

struct waiting_read { /* a read of shared memory that no thread had written yet */
  struct cell *cell;
  const struct mesi_check_site *site;
  unsigned thread;
  uint32_t epoch;
  long long element;
};

struct acquired { /* a thread has seen releases of others at an address */
  const struct release_log *log;
  unsigned count;  /* entries of the log that it saw */
  unsigned passed; /* the entries among them that were passed on */
  unsigned thread;
  uint32_t epoch;
};

enum { WAITING_MOST = 256, RECENT = 8 };

struct check_block { /* an OS thread that runs blocks, and the block that it runs */
  struct worker *worker;
  uint32_t first, epoch; /* of the block: the first, the present one */
  uint32_t block;        /* linear index */
  uint64_t launch;       /* check.launches when the block began */
  bool trusts;           /* unseen code may have written shared memory */
  bool fenced;           /* a thread executed a fence */
  struct object *last;   /* the object of the last access; NULL: none */
  /* the part of `last` that accesses may reach: all of it, or one block of mesi_malloc */
  const char *low, *high;
  /* shared variables, whose addresses do not change */
  struct object *shared;
  unsigned shared_count, shared_room;
  struct object dynamic; /* the block's dynamic shared memory; bytes 0: none */
  /* arrays of generated code in it */
  struct object *parts;
  unsigned part_count, part_room;
  /* registered shared arrays */
  struct {
    const void *address;
    size_t bytes;
    uint64_t launch;
  } recent[RECENT];
  /* the last index out of range, and its thread */
  const struct mesi_check_site *bad_index;
  unsigned bad_thread;
  struct record peeked; /* the write with which the last PEEK raced; epoch 0: none */
  struct waiting_read waiting[WAITING_MOST];
  unsigned waiting_count;
  struct acquired *acquired;
  unsigned acquired_count, acquired_room;
  const struct mesi_check_site *at[MESI_CPU_BLOCK_THREADS]; /* the place where a thread waits */
  uint16_t (*clocks[WARPS])[MESI_CPU_WARP]; /* [lane][lane]: see check_order.c; NULL: never used */
  uint32_t clocks_epoch[WARPS];             /* the epoch of the clocks; in a later one all are 0 */
};

struct check {
  struct mesi_check_file *files;
  bool kernel_is_kept;                  /* the running kernel is not instrumented */
  const struct mesi_check_site **sites; /* by id */
  unsigned site_count;
  uint32_t next, floor; /* epochs */
  uint32_t *blocks;     /* linear block of epoch first_known + i */
  uint32_t first_known;
  size_t block_count, block_room;
  uint64_t launches, accesses;
  bool volatile_orders; /* a fence was executed in this launch */
  const struct mesi_cpu_launch *launch;
};
extern struct check check;
extern __thread struct check_block *check_block; /* NULL: no block began on this OS thread */

/* check_memory.c */
void check_memory_install(void);
void check_add_variable(const struct mesi_check_var *var);
/* The object that contains or is near the address; NULL: none of the checker's. */
struct object *check_find(struct check_block *block, const char *address);
/* The block of mesi_malloc in the object that contains or is near the address, as an object without
 * cells; false: the object has no blocks. */
bool check_part(struct object *object, const char *address, struct object *ret_part);
/* The cells for an access of `size` bytes at `offset`, in bounds; NULL without memory. */
struct cell *check_cells(struct object *object, size_t offset, size_t size);
void check_forget_cells(void); /* of all objects: epochs start again */
struct object *check_shared_object(struct check_block *block, const void *address, size_t bytes,
                                   size_t element, const char *name);
void check_begin_dynamic(struct check_block *block);
bool check_is_image(const char *address); /* is it in a variable of a program or library? */

/* check_order.c */
/* Does the recorded access of `address` come before the thread's present access? */
bool check_ordered(const struct check_block *block, struct record earlier, unsigned thread,
                   const char *address);
static inline uint32_t check_block_of(uint32_t epoch)
{
  return epoch >= check.first_known ? check.blocks[epoch - check.first_known] : 0;
}
static inline bool check_clocks_hold(const struct check_block *block, unsigned warp)
{
  return block->clocks_epoch[warp] == block->epoch;
}
static inline unsigned check_clock(const struct check_block *block, unsigned thread)
{
  unsigned warp = thread / MESI_CPU_WARP, lane = thread % MESI_CPU_WARP;
  return check_clocks_hold(block, warp) ? block->clocks[warp][lane][lane] : 0;
}
void check_warp_synced(struct check_block *block, unsigned warp, unsigned lanes);
void check_atomic(struct check_block *block, const char *address, unsigned thread, unsigned mode);
void check_begin_order(struct check_block *block);
void check_launch_order(void);

/* check_shadow.c */
void check_settle(void); /* decides about a write that raced, after it has happened */
void check_settle_reads(struct check_block *block); /* the same for reads, at the end of an epoch */

/* check_block.c */
void check_new_epoch(struct check_block *block);

/* check_report.c */
enum problem {
  PROBLEM_BOUNDS,
  PROBLEM_INDEX,
  PROBLEM_NULL,
  PROBLEM_FREED,
  PROBLEM_UNWRITTEN,
  PROBLEM_RACE_BLOCK,
  PROBLEM_RACE_GRID,
  PROBLEM_DIVERGENT,
  PROBLEM_PLACES,
  PROBLEM_DEADLOCK,
  PROBLEM_FAULT,
  PROBLEM_COUNT
};
struct party {
  const struct mesi_check_site *site;
  unsigned thread;
  uint32_t block;
  const char *verb;
};
/* Prints the problem the first time, and counts it afterwards. `detail` is a format for the text
 * after the access, "" for none; `other` is the second access, NULL: none. */
void check_problem(enum problem problem, const struct party *party, const struct party *other,
                   const char *detail, ...) __attribute__((format(printf, 4, 5)));
struct party check_me(const struct mesi_check_site *site, unsigned mode);
struct party check_them(struct record record, const char *verb);
void check_report_install(void);
void check_fault(const void *address);
int check_report_finish(int status); /* the summary, once; the exit status */

#endif
