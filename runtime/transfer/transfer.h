/* SPDX-License-Identifier: MIT */
/* transfer.h - copies between host and device, in the lanes. Internal to the runtime. All functions
 * require the lock.
 *
 * Each comes behind the launches and copies that it depends on, and leaves its ticket in the
 * object's copy: in `arriving` for what is to use the device's bytes, in `leaving` for what is to
 * write the host's. The states are the caller's. */
#ifndef MESI_TRANSFER_H
#define MESI_TRANSFER_H

#include "../object/object.h"

/* Submits the copy. The host's bytes may still be read until it is done where the object is
 * page-locked. */
void mesi_transfer_to_device(struct mesi_object *object, int device, struct mesi_span span,
                             const char *cause);

/* The bytes have arrived on return. */
void mesi_transfer_to_host(struct mesi_object *object, int device, struct mesi_span span,
                           const char *cause);

/* Submits a copy of the other device's bytes to the device; the object has no pointers. */
void mesi_transfer_between(struct mesi_object *object, int device, int other, struct mesi_span span,
                           const char *cause);

/* Submits the copy and returns its ticket. 0: it cannot be done without waiting. */
uint64_t mesi_transfer_prefetch(struct mesi_object *object, int device, struct mesi_span span,
                                const char *cause);

#endif
