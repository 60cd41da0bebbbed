/* mpf_cpu.h - buckets on the CPU: the plain version that speed-ups are counted against, and the
 * best one. */
#ifndef MPF_CPU_H
#define MPF_CPU_H

#include "bucket.h"

/* Outputs [from, to) by the definition, one after another, as compiled C with the library's exp2
 * and log2: the kind of baseline that the MPF paper has. output[0] is the output `from`. */
void mpf_scalar(const struct mpf_bucket *, enum mpf_domain, const real *const *tables, size_t from,
                size_t to, real *output);

/* The whole bucket on `threads` threads (0: all cores), with SIMD. 0, or -1 when out of memory. */
int mpf_cpu(const struct mpf_bucket *, enum mpf_domain, const real *const *tables, unsigned threads,
            real *output);

#endif
