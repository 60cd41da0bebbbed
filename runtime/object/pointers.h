/* SPDX-License-Identifier: MIT */
/* pointers.h - pointers inside objects: translated on the way to a device and back, and followed by
 * launches. Internal to the runtime. */
#ifndef MESI_POINTERS_H
#define MESI_POINTERS_H

#include "object.h"

bool mesi_pointers_any(const struct mesi_object *object);

/* Translate the words that lie whole in a copy of the object's span at `copy`, from host addresses
 * to device addresses and back. Addresses outside VS objects stay as they are. Pointed-to objects
 * get device memory where they have none, but no contents. */
void mesi_pointers_to_device(struct mesi_object *object, int device, struct mesi_span span,
                             char *copy);
void mesi_pointers_to_host(struct mesi_object *object, int device, struct mesi_span span,
                           char *copy);

/* Brings object->reach up to date from the host copy. Requires: the host copy is valid, or
 * reach_epoch is current. */
void mesi_pointers_reach(struct mesi_object *object);
bool mesi_pointers_reach_known(const struct mesi_object *object);

#endif
