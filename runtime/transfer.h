/* transfer.h - copies between host and device, in the lanes. Internal to the runtime. All functions require the lock.
 *
 * Each comes behind the launches and copies that it depends on, and leaves its ticket in the object's copy: `arrived`
 * for what is to use the device's bytes, `left` for what is to use the host's. The states are the caller's. */
#ifndef MESI_TRANSFER_H
#define MESI_TRANSFER_H

#include "object.h"

/* Submits the copy. The host's bytes may still be read until `arrived` where the object is page-locked. */
void mesi_transfer_to_device(struct mesi_object *object, int device, struct mesi_span span, const char *cause);

/* The bytes have arrived on return. */
void mesi_transfer_to_host(struct mesi_object *object, int device, struct mesi_span span, const char *cause);

/* Submits the copy, of which the bytes have arrived after `left`. False: it cannot be done without waiting. */
bool mesi_transfer_prefetch(struct mesi_object *object, int device, struct mesi_span span, const char *cause);

#endif
