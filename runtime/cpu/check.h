/* SPDX-License-Identifier: MIT */
/* check.h - the interface between instrumented device code (mesi/check.h) and the checker of
 * --check.
 *
 * Instrumented code announces each access before it happens. The checker knows the extent of every
 * object in device and shared memory. For each four bytes of them (each byte where smaller elements
 * are used) it keeps the last writer and the last readers. It reports on stderr:
 *
 *   - accesses outside the object, or of freed memory
 *   - reads of shared memory that no thread of the block wrote
 *   - two accesses of different threads, one of them a write, without an order: within a block
 *     since the last barrier, or between blocks since the launch or the last grid-wide barrier.
 *     __syncwarp orders the lanes that take part. Atomic accesses, and volatile ones of device
 *     memory, do not race with each other. After a __threadfence they order the accesses before
 *     them with those after an atomic or volatile access of the same address that sees them. Two
 *     writes of equal values are no race.
 *   - barriers that not all threads of a block reach, or that they reach at different places, and
 *     deadlocks
 *
 * With the checker one worker runs all blocks, in the order of MESI_SCHEDULE. The findings do not
 * depend on it, except through the order of atomic accesses. At exit the problems are counted, and
 * the status is MESI_CHECK_STATUS where there were any. The first problem creates the file at the
 * path in MESI_CHECK_MARK, if set.
 */
#ifndef MESI_CPU_CHECK_H
#define MESI_CPU_CHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MESI_CHECK_STATUS = 4 };

/* MESI_CHECK_IN_SHARED: an element of a shared variable, accessed by name */
enum mesi_check_flags { MESI_CHECK_IN_SHARED = 1 };

struct mesi_check_site { /* an access in the source */
  const char *file;
  unsigned line, column;
  const char *text;     /* as written */
  const char *variable; /* at its beginning; "": none */
  unsigned flags;       /* enum mesi_check_flags */
  unsigned id;          /* set by the checker, from 1 */
};

/* a __device__ or __managed__ variable */
struct mesi_check_var {
  const char *name;
  const void *address;
  size_t size;
};
/* a kernel that is not instrumented */
struct mesi_check_kept {
  const char *name, *reason;
  int is_kernel;
};

struct mesi_check_file { /* the table of one emitted file; lives as long as the program */
  struct mesi_check_site *sites;
  unsigned site_count;
  const struct mesi_check_var *vars;
  unsigned var_count;
  const struct mesi_check_kept *kept;
  unsigned kept_count;
  struct mesi_check_file *next;
};

/* Adds a file and turns the checker on. Before main. */
void mesi_check_register(struct mesi_check_file *file);

enum mesi_check_mode { /* the kind of access */
                       MESI_CHECK_READ = 1,
                       MESI_CHECK_WRITE = 2,
                       MESI_CHECK_UPDATE = 3,
                       MESI_CHECK_ATOMIC = 7,   /* read and written in one step */
                       MESI_CHECK_EXCHANGE = 6, /* atomic, and the old value does not matter */
                       MESI_CHECK_IS_ATOMIC = 4,
                       MESI_CHECK_VOLATILE = 8, /* added to the others */
                       /* The copy that fills a staged array may read elements that the block never
                        * uses and other blocks write. That is no race unless the block later reads
                        * the copy. */
                       MESI_CHECK_PEEK = 16, /* added to READ: such a read of device memory */
                       MESI_CHECK_STAGE =
                           32 /* added to WRITE: the write of the copy, right after the PEEK */
};

/* Announces an access of `size` bytes. 0: it has been reported and must not happen; use
 * mesi_check_scratch instead. Outside kernels every access is valid. `element` is the size of the
 * elements that an index counts. */
int mesi_check_access(const volatile void *address, size_t size, size_t element,
                      const struct mesi_check_site *site, unsigned mode);
/* Memory for an access that must not happen: `size` bytes of zeros, aligned to 64. */
void *mesi_check_scratch(size_t size);
/* Reports an index that is outside 0 .. extent - 1. */
void mesi_check_bad_index(long long index, long long extent, const struct mesi_check_site *site);
/* The block's shared array at `address`. At the first call of a block, the block has not written
 * its memory yet. */
void mesi_check_shared(const void *address, size_t size, size_t element, const char *name);

void mesi_check_fence(void);
/* A fence and an atomic update of the address, in code that is not instrumented. Only their order
 * counts. */
void mesi_check_order(const volatile void *address);
void mesi_check_wait(const struct mesi_check_site *site); /* the thread is about to wait there */
/* code that is not instrumented is about to run, and may write shared memory */
void mesi_check_unknown(void);

#ifdef __cplusplus
}
#endif
#endif
