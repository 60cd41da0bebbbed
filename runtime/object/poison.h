/* SPDX-License-Identifier: MIT */
/* poison.h - MESI_POISON=1: fills bytes that the program has promised to overwrite, so that a
 * broken promise shows. For tests; slow. Internal to the runtime. All functions require the
 * lock. */
#ifndef MESI_POISON_H
#define MESI_POISON_H

#include "object.h"

/* Fill the bytes of the span where poison is on: in the host copy, or in the device's copy after
 * all work there. */
void mesi_poison_host(struct mesi_object *object, struct mesi_span span);
void mesi_poison_device(struct mesi_object *object, int device, struct mesi_span span);

#endif
