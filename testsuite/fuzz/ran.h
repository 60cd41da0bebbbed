/* SPDX-License-Identifier: MIT */
// ran.h - versions of kernels that ran: `static fuzz_ran _fuzz_ran("k0_0_mapped");` in each, their
// names in the file FUZZ_RAN at the end.
#ifndef RAN_H
#define RAN_H

#include <stdio.h>
#include <stdlib.h>

static const char *fuzz_ran_names[4096];
static unsigned fuzz_ran_count;

struct fuzz_ran {
  fuzz_ran(const char *name) { fuzz_ran_names[fuzz_ran_count++ % 4096] = name; }
};

static struct fuzz_ran_end {
  ~fuzz_ran_end()
  {
    const char *path = getenv("FUZZ_RAN");
    FILE *file = path ? fopen(path, "w") : nullptr;
    for (unsigned i = 0; file && i < fuzz_ran_count; i++) fprintf(file, "%s\n", fuzz_ran_names[i]);
    if (file) fclose(file);
  }
} fuzz_ran_at_end;

#endif
