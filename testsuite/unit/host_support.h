/* SPDX-License-Identifier: MIT */
/* host_support.h - the host analyses on a source text, as text: one line a launch, VS variable and
 * edit. */
#ifndef MESI_TEST_HOST_SUPPORT_H
#define MESI_TEST_HOST_SUPPORT_H

struct host_case {
  const char *name;
  const char *source;
  const char *launches; /* "k 4,1,1 32,1,1 a+0/256 =5\n": grid, block, arguments; ? unknown */
  const char *plan;     /* "a guarded: reason\n", "n announced\n", then "use n 3: text\n", "arg 1:
                           text\n", "all: text\n";     NULL: not compared */
};

/* Runs the frontend and the analyses on each case and compares; a cmocka failure names the case.
 * The folders of the sources are found below the environment's MESI_SOURCE_ROOT, "." without it. */
void host_check(const struct host_case *cases, unsigned count);

#endif
