/* SPDX-License-Identifier: MIT */
/* state.h - transfer: which bytes of which copies of an object are valid, and the transfers between
 * them. Internal to the runtime. All functions require the lock.
 *
 * The room takes uses of bytes, by the host or on a device. It gives valid bytes there: it moves
 * the stale ones (transfer.h), guards an object's pages by what is valid (this header), finds host
 * accesses that nobody announced (verify.h), and has the variables of the program's files as
 * objects (register.h). Who uses what, and when, is told by the rooms above. */
#ifndef MESI_STATE_H
#define MESI_STATE_H

#include "../object/object.h"

/* Chooses how host use of the object is noticed; does nothing the second time. */
void mesi_state_prepare(struct mesi_object *object);
/* An entry asks for a guard after the object has been prepared without one. */
void mesi_state_want_guard(struct mesi_object *object);

/* The host uses the object without telling from now on. Requires: its host copy alone is valid. */
void mesi_state_keep(struct mesi_object *object);

/* What a use of the span is a use of: the part of it that the object has, or the whole of an object
 * with pointers. */
struct mesi_span mesi_state_span(const struct mesi_object *object, struct mesi_span span);

/* Makes the device's bytes valid; returns the address of the device copy. Host use is noticed from
 * now on. `cause` is for the trace. Work that uses the bytes must come behind the copies in
 * `arriving`. */
char *mesi_state_to_device(struct mesi_object *object, int device, struct mesi_span span,
                           const char *cause);

/* Bytes of the span that are not valid on the device. */
size_t mesi_state_missing(const struct mesi_object *object, int device, struct mesi_span span);

/* Makes the host's bytes valid, for reading the protected view or for the runtime's own look at it.
 */
void mesi_state_to_host(struct mesi_object *object, struct mesi_span span, const char *cause);
/* Starts that for bytes that the host is expected to read after a launch of the site, all stale
 * there. */
void mesi_state_prefetch(struct mesi_object *object, int device, struct mesi_span span,
                         const struct mesi_site *site);

/* The host writes the bytes: they are valid there (the caller has made them so where they are not
 * overwritten) and on no device from now on, and no transfer uses the host's copy any more. */
void mesi_state_host_writes(struct mesi_object *object, struct mesi_span span);

/* A kernel on the device writes the bytes: every other copy of them is invalid from now on. */
void mesi_state_device_writes(struct mesi_object *object, int device, struct mesi_span span);

#endif
