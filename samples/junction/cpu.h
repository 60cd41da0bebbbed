/* cpu.h - the primitives on the CPU: the best version, which follows the same plans as the device,
 * and the plain one, which follows the definition as the paper's does: mapping vectors, and for
 * each entry of the clique its place in the separator. */
#ifndef JUNCTION_CPU_H
#define JUNCTION_CPU_H

#include <stdbool.h>

#include "extend.h"
#include "marginal.h"
#include "real.h"

/* As the functions of primitives.h, on `threads` threads. 0, or -1 when out of memory. */
int junction_cpu_marginalise(const struct junction_marginal *, enum mpf_domain, unsigned threads,
                             const real *clique, real *scratch);
int junction_cpu_multiply(const struct junction_extend *, enum mpf_domain, unsigned threads,
                          const real *factors, bool fresh, real *clique);
void junction_cpu_divide(enum mpf_domain, const real *above, const real *below, size_t count,
                         real *ret);

/* ---- plain ---- */

/* of a separator to a clique: for each of its variables, the most significant first */
struct junction_mapping {
  unsigned count;
  size_t sizes[JUNCTION_MOST_DIGITS];   /* values */
  size_t strides[JUNCTION_MOST_DIGITS]; /* in the clique */
  size_t first;                         /* where the separator starts in an array of several */
  size_t size;
};

void junction_mapping_build(const struct junction_shape *, uint64_t digits, size_t first,
                            struct junction_mapping *ret);
/* The entry of the separator that belongs to an entry of the clique. */
size_t junction_mapping_place(const struct junction_mapping *, size_t entry);
/* Linear domain. 0, or -1 when out of memory. */
int junction_plain_marginalise(unsigned count, const struct junction_mapping *, unsigned threads,
                               const real *clique, size_t size, real *separators);
int junction_plain_multiply(unsigned count, const struct junction_mapping *, unsigned threads,
                            const real *factors, real *clique, size_t size);
/* The same sums with double precision throughout. */
int junction_reference_marginalise(unsigned count, const struct junction_mapping *,
                                   unsigned threads, const real *clique, size_t size,
                                   double *separators);

#endif
