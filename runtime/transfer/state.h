/* SPDX-License-Identifier: MIT */
/* state.h - transfer: the valid bytes of each copy of an object, and the transfers between copies.
 * Internal to the runtime. All functions require the lock.
 *
 * The room takes uses of bytes, by the host or on a device, and makes the bytes valid there. It
 * moves stale bytes (transfer.h) and guards an object's pages by the state of their bytes (this
 * header). It finds host accesses that nobody announced (verify.h), and has the variables of the
 * program's files as objects (register.h). The rooms above tell it about the uses. */
#ifndef MESI_STATE_H
#define MESI_STATE_H

#include "../object/object.h"

/* Chooses how host use of the object is noticed; the second call does nothing. */
void mesi_state_prepare(struct mesi_object *object);
/* An entry asks for a guard, although the object has been prepared without one. */
void mesi_state_want_guard(struct mesi_object *object);

/* From now on the host uses the object without notice. Requires: only its host copy is valid. */
void mesi_state_keep(struct mesi_object *object);

/* The bytes that a use of the span uses: the part of it inside the object, or the whole of an
 * object with pointers. */
struct mesi_span mesi_state_span(const struct mesi_object *object, struct mesi_span span);

/* Makes the device's bytes valid; returns the address of the device copy. Host use is noticed from
 * now on. `cause` is for the trace. Work that uses the bytes must wait for the copies in
 * `arriving`. */
char *mesi_state_to_device(struct mesi_object *object, int device, struct mesi_span span,
                           const char *cause);

/* The number of bytes in the span that are not valid on the device. */
size_t mesi_state_missing(const struct mesi_object *object, int device, struct mesi_span span);

/* Makes the host's bytes valid, for a read of the protected view or a look by the runtime
 * itself. */
void mesi_state_to_host(struct mesi_object *object, struct mesi_span span, const char *cause);
/* Starts the copy of bytes that the host is expected to read after a launch of the site. All of
 * them are stale on the host. */
void mesi_state_prefetch(struct mesi_object *object, int device, struct mesi_span span,
                         const struct mesi_site *site);

/* The host writes the bytes: from now on they are valid there and on no device, and no transfer
 * uses the host's copy any more. Requires: the caller has made bytes valid that are not
 * overwritten. */
void mesi_state_host_writes(struct mesi_object *object, struct mesi_span span);

/* A kernel on the device writes the bytes: every other copy of them is invalid from now on. */
void mesi_state_device_writes(struct mesi_object *object, int device, struct mesi_span span);

#endif
