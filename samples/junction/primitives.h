/* primitives.h - the node-level primitives on the device: marginalise, divide, multiply.
 * primitives.cuh implements them.
 *
 * Tables come from junction_device_alloc and are used by the host as ordinary memory; what the
 * device may still write after junction_device_wait, which virtual shared memory would not need.
 * Work is done in the order of the calls. In the log domain tables hold base-2 logarithms: a
 * product is a sum, a quotient a difference. */
#ifndef JUNCTION_PRIMITIVES_H
#define JUNCTION_PRIMITIVES_H

#include <stdbool.h>

#include "extend.h"
#include "marginal.h"
#include "real.h"

#ifdef __cplusplus
extern "C" {
#endif

real *junction_device_alloc(size_t count); /* of numbers; NULL where there is no memory */
void junction_device_free(real *);
size_t junction_device_memory(void); /* bytes for tables */
const char *junction_device_name(void);

/* Plans with their index tables on the device; the plans have to outlive them. NULL where there is
 * no memory. */
struct junction_device_marginal;
struct junction_device_extend;
struct junction_device_marginal *junction_device_marginal(const struct junction_marginal *);
struct junction_device_extend *junction_device_extend(const struct junction_extend *);
void junction_device_marginal_release(struct junction_device_marginal *);
void junction_device_extend_release(struct junction_device_extend *);

/* The sums of a clique's table onto all separators of the plan, at the start of `scratch`. */
void junction_device_marginalise(const struct junction_device_marginal *, enum mpf_domain,
                                 const real *clique, real *scratch);
/* ret[i] = above[i] / below[i], and 0 where both are 0. */
void junction_device_divide(enum mpf_domain, const real *above, const real *below, size_t count,
                            real *ret);
/* Multiplies the factors into a clique's table; `fresh`: the table is all 1 before, whatever it
 * holds. */
void junction_device_multiply(const struct junction_device_extend *, enum mpf_domain,
                              const real *factors, bool fresh, real *clique);
/* The largest of the numbers; false where there is no memory. */
bool junction_device_largest(const real *table, size_t count, enum mpf_domain, real *ret);
/* to[i] = from[i] * 2^exponent */
void junction_device_scale(real *to, const real *from, size_t count, enum mpf_domain, int exponent);
void junction_device_wait(void); /* for what the calling thread began */
/* From here on the calling thread's work is in a stream of its own; `begin` false: that ends. */
void junction_device_branch(bool begin);

/* Milliseconds of one call of `body`: the median over `repeats` groups of `group` calls, after one
 * group that does not count. */
double junction_device_time(void (*body)(void *), void *context, int repeats, int group);

#ifdef __cplusplus
}
#endif
#endif
