/* bench.h - one bucket with data, for measurements and checks. */
#ifndef MPF_BENCH_H
#define MPF_BENCH_H

#include "bucket.h"
#include "device.h"

struct mpf_case {
  struct mpf_bucket bucket;
  size_t bases[64]; /* where the tables start in `values` */
  const real *tables[64];
  size_t size;  /* of the values */
  real *values; /* of the device; owned */
  real *output; /* of the device; owned */
};

/* Takes the bucket, also where it fails. 0, or -1 when out of memory. */
int mpf_case_begin(struct mpf_case *, struct mpf_bucket *);
void mpf_case_end(struct mpf_case *);
/* Runs on the device with at most `pages` pages a block (0: as many as leave enough threads). 0, or
 * -1 when it does not fit. */
int mpf_case_run(struct mpf_case *, enum mpf_domain, size_t pages);

/* The largest error of outputs against what they should be: relative, and in the log domain
 * absolute where that is less. */
double mpf_error_of(enum mpf_domain, const real *wanted, const real *have, size_t count);

#endif
