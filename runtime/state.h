/* state.h - consistency: which copies of an object are valid, and the transfers between them.
 * Internal to the runtime. All functions require the lock. */
#ifndef MESI_STATE_H
#define MESI_STATE_H

#include "object.h"

/* Chooses how host use of the object is noticed and page-locks its memory; does nothing the second time. */
void mesi_state_prepare(struct mesi_object *object);
/* An entry asks for a guard after the object has been prepared without one. */
void mesi_state_want_guard(struct mesi_object *object);

/* Makes the device copy valid; returns its address. Host use is noticed from now on. `cause` is for the trace. */
char *mesi_state_to_device(struct mesi_object *object, int device, const char *cause);

/* Makes the host copy valid, for reading the protected view or for the runtime's own look at it. */
void mesi_state_to_host(struct mesi_object *object, const char *cause);

/* The host writes the object, whole or in part: brings it up to date and makes each device copy invalid. */
void mesi_state_host_writes(struct mesi_object *object, const char *cause);

/* A kernel on the device writes the object: every other copy is invalid from now on. */
void mesi_state_device_writes(struct mesi_object *object, int device);

/* No device copy is valid from now on. Requires: the host copy is. */
void mesi_state_forget_device(struct mesi_object *object);

#endif
