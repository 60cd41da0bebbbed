/* device.h - buckets on the device. mpf.mcu implements it with virtual shared variables and plain
 * kernels, mpf_hand.cu with CUDA calls and a cache written by hand; a program links one of them.
 *
 * Tables come from mpf_device_alloc and are used by the host as ordinary memory; what the device
 * may still write after mpf_device_wait, which virtual shared memory would not need. Work is done
 * in the order of the calls. */
#ifndef MPF_DEVICE_H
#define MPF_DEVICE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *mpf_device_name(void);   /* which of the two, and the hardware */
size_t mpf_device_parallelism(void); /* threads that run at once */
size_t mpf_device_memory(void);      /* bytes for tables */
/* groups of pages that it computes at once, for struct mpf_shape; 1, 1: none */
void mpf_device_alike(unsigned ret[2]);

real *mpf_device_alloc(size_t count); /* of numbers; NULL where there is no memory */
void mpf_device_free(real *);

struct mpf_device_plan; /* a plan with its tables on the device */
/* `size` of the values that the plan's offsets refer to. NULL where there is no memory. */
struct mpf_device_plan *mpf_device_prepare(const struct mpf_plan *, size_t size);
void mpf_device_release(struct mpf_device_plan *);
void mpf_device_run(const struct mpf_device_plan *, enum mpf_domain, const real *values,
                    real *output);

/* Many small buckets in one launch: the offsets of all plans refer to `values`, the output of plan
 * i is at outputs_at[i] of `output` and has outputs[i] numbers; its largest one goes to
 * ret_largest[i], as from mpf_device_max. 0, or -1: no memory. */
int mpf_device_run_batch(unsigned count, const struct mpf_plan *plans, enum mpf_domain,
                         const real *values, size_t size, real *output, const size_t *outputs_at,
                         const size_t *outputs, real *ret_largest, size_t *ret_denormal);

/* How kernels are made, where a device can choose at run time: the one whose cache is written by
 * hand. */
struct mpf_tuning {
  size_t cache;  /* bytes of on-chip memory for functions' values */
  int unroll;    /* summands at once: 1, 2 or 4 */
  int functions; /* 1: kernels for a given number of functions */
};
/* Takes effect for plans prepared from then on. What is in effect: where the translator has
 * decided, that. */
struct mpf_tuning mpf_device_tune(const struct mpf_tuning *);
double mpf_device_rate(enum mpf_domain); /* operations a second at most; measured */

/* Milliseconds of one run, kernel only, without what the host does to launch it: the median of
 * `repeats` after a first one that does not count. */
double mpf_device_time(const struct mpf_device_plan *, enum mpf_domain, const real *values,
                       real *output, int repeats);
void mpf_device_wait(void); /* until all work is done */
/* tables of the device, which do not overlap */
void mpf_device_copy(real *to, const real *from, size_t count);
/* times 2^exponent */
void mpf_device_shift(real *table, size_t count, enum mpf_domain, int exponent);
/* The largest number of a table. In the linear domain, how many are positive but less than the
 * smallest normal one. */
real mpf_device_max(const real *table, size_t count, enum mpf_domain, size_t *ret_denormal);

#ifdef __cplusplus
}
#endif
#endif
