/* crew.h - work in units on several threads, which wait for the next work instead of ending. */
#ifndef MPF_CREW_H
#define MPF_CREW_H

#include <stdatomic.h>
#include <stddef.h>

struct mpf_crew {
  /* `memory` is the thread's, NULL at first; not 0: give up */
  int (*work)(void *context, size_t unit, void **memory);
  void (*finish)(void *memory); /* of each thread; NULL: nothing to do */
  void *context;
  size_t units;
  atomic_size_t next; /* the rest is the crew's */
  atomic_int status;
};

/* Does all units on at most `threads` threads, the caller's included. 0, or -1 where a unit gave
 * up. */
int mpf_crew_run(struct mpf_crew *, unsigned threads);

unsigned mpf_cpu_cores(void);

#endif
