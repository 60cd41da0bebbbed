/* SPDX-License-Identifier: MIT */
/* transfer.h - copies between host and device, in the lanes. Internal to the runtime. All functions
 * require the lock.
 *
 * Each copy waits for the launches and copies that it depends on. It leaves its ticket in the
 * object's copy: in `arriving` for uses of the device's bytes, in `leaving` for writes of the
 * host's. The caller keeps the states. */
#ifndef MESI_TRANSFER_H
#define MESI_TRANSFER_H

#include "../object/object.h"

/* Submits the copy. Where the object is page-locked, the copy may read the host's bytes until it is
 * done. */
void mesi_transfer_to_device(struct mesi_object *object, int device, struct mesi_span span,
                             const char *cause);

/* The bytes are on the host on return. */
void mesi_transfer_to_host(struct mesi_object *object, int device, struct mesi_span span,
                           const char *cause);

/* Submits a copy of the other device's bytes to the device; the object has no pointers. */
void mesi_transfer_between(struct mesi_object *object, int device, int other, struct mesi_span span,
                           const char *cause);

/* Submits the copy and returns its ticket. 0: the copy would have to wait. */
uint64_t mesi_transfer_prefetch(struct mesi_object *object, int device, struct mesi_span span,
                                const char *cause);

#endif
