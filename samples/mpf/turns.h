/* turns.h - times of kernels where several programs share a device.
 *
 *     mpf bench ... --turns FILE --share 0/2 &    each prepares its buckets while another one's
 *     mpf bench ... --turns FILE --share 1/2 &    kernel is timed; the lock of FILE says whose
 */
#ifndef MPF_TURNS_H
#define MPF_TURNS_H

#include "device.h"

/* mpf_device_time with the lock of --turns; without that option, at once. */
double mpf_turns_time(const struct mpf_device_plan *, enum mpf_domain, const real *values,
                      real *output, int repeats);

#endif
