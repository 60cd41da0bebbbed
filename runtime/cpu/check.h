/* SPDX-License-Identifier: MIT */
/* check.h - the interface between instrumented device code (mesi/check.h) and the checker of
 * --check.
 *
 * Instrumented code announces each access before it happens. The checker knows the extent of every
 * object in device and shared memory and keeps for each four bytes of them (each byte where smaller
 * elements are used) who wrote and who read them last. It reports, on stderr:
 *
 *   - accesses outside the object, or of freed memory
 *   - reads of shared memory that nobody in the block wrote
 *   - two accesses of different threads, one a write,
 *       that nothing orders: within a block since the last barrier, or
 *     between blocks since the launch or the last grid-wide barrier. __syncwarp orders the lanes
 *         that take part. Atomic
 *     accesses, and volatile ones of device memory, do not race with each other;
 *         after a __threadfence they order what
 *     came before them with what comes after an atomic or volatile access of the same address that
 *         sees them. Two
 *     writes of equal values are no race.
 *   - barriers that not all threads of a block reach, or that they reach at different places,
 *       and deadlocks
 *
 * With the checker one worker runs all blocks, in the order that MESI_SCHEDULE says. What is found
 * does not depend on it, except through the order of atomic accesses. At exit the problems are
 * counted, and the status is MESI_CHECK_STATUS where there were any. The path in MESI_CHECK_MARK,
 * if set, is created at the first problem.
 */
#ifndef MESI_CPU_CHECK_H
#define MESI_CPU_CHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MESI_CHECK_STATUS = 4 };

/* the access is of an element of a shared variable, by name */
enum mesi_check_flags { MESI_CHECK_IN_SHARED = 1 };

struct mesi_check_site { /* an access in the source */
  const char *file;
  unsigned line, column;
  const char *text;     /* as written */
  const char *variable; /* that it begins with; "": none */
  unsigned flags;       /* enum mesi_check_flags */
  unsigned id;          /* given by the checker, from 1 */
};

/* __device__ or __managed__ */
struct mesi_check_var {
  const char *name;
  const void *address;
  size_t size;
};
/* not instrumented */
struct mesi_check_kept {
  const char *name, *reason;
  int is_kernel;
};

struct mesi_check_file { /* of one emitted file; lives as long as the program */
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

enum mesi_check_mode { /* what is done */
                       MESI_CHECK_READ = 1,
                       MESI_CHECK_WRITE = 2,
                       MESI_CHECK_UPDATE = 3,
                       MESI_CHECK_ATOMIC = 7,   /* read and written in one step */
                       MESI_CHECK_EXCHANGE = 6, /* atomic, and the old value does not matter */
                       MESI_CHECK_IS_ATOMIC = 4,
                       MESI_CHECK_VOLATILE = 8, /* added to the others */
                       /* The copy that fills a staged array may read elements that the block never
                        * uses and other blocks write: no race, unless the block reads the copy
                        * afterwards. */
                       MESI_CHECK_PEEK = 16, /* added to READ: of the device memory */
                       MESI_CHECK_STAGE =
                           32 /* added to WRITE: of the copy, right behind the PEEK */
};

/* Announces an access of `size` bytes. 0: it must not happen (it was reported); use
 * mesi_check_scratch instead. Outside kernels everything is fine. `element` is the size of what an
 * index counts. */
int mesi_check_access(const volatile void *address, size_t size, size_t element,
                      const struct mesi_check_site *site, unsigned mode);
/* Memory for an access that must not happen: `size` bytes, zero, aligned to 64. */
void *mesi_check_scratch(size_t size);
/* An index that is outside 0 .. extent - 1. */
void mesi_check_bad_index(long long index, long long extent, const struct mesi_check_site *site);
/* The block's shared array at `address`. Its memory is what the block has not written yet when this
 * is first called. */
void mesi_check_shared(const void *address, size_t size, size_t element, const char *name);

void mesi_check_fence(void);
/* A fence and an atomic update of the address, in code that is not instrumented: what they order
 * counts, nothing else. */
void mesi_check_order(const volatile void *address);
void mesi_check_wait(const struct mesi_check_site *site); /* the thread is about to wait there */
/* code that is not instrumented is about to run: it may write shared memory */
void mesi_check_unknown(void);

#ifdef __cplusplus
}
#endif
#endif
