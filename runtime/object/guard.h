/* SPDX-License-Identifier: MIT */
/* guard.h - host memory with two mappings, and the protection of the user's mapping. Internal to
 * the runtime. */
#ifndef MESI_GUARD_H
#define MESI_GUARD_H

#include "object.h"

size_t mesi_page_size(void);
size_t mesi_round_to_pages(size_t bytes);

/* Allocates zeroed memory of whole pages with two mappings: the object's host and view. -1 with
 * errno: there is no memory. */
int mesi_guard_map(struct mesi_object *object, size_t bytes);

/* Puts two mappings under a variable that has its pages to itself. Requires: the object is in the
 * table, its extent is whole pages. Other threads may use the variable meanwhile. Ends the program
 * where the system refuses. */
void mesi_guard_adopt(struct mesi_object *object);

/* Sets the protection of the user's pages that meet the span by the object's state; does nothing
 * where the object is not MESI_GUARDED. Afterwards the fault handler is in place, even where the
 * program has installed one of its own since. */
void mesi_guard_update(struct mesi_object *object, struct mesi_span span);

/* Is asked about a fault at the address by such an access, with the signal's context. true: the
 * address is in a guarded object, which now allows the access. */
typedef bool mesi_fault_fn(const void *address, unsigned access, const void *context);
void mesi_guard_tell(mesi_fault_fn *asked);

/* From now on the runtime gets faults first. The CPU backend, which reports faults in kernels, may
 * call this first. */
void mesi_guard_catch(void);

/* The whole pages that meet the span and are opened together; a coarse object: all its pages. */
struct mesi_span mesi_guard_pages(const struct mesi_object *object, struct mesi_span span);

/* A process with the same memory is about to be made: from now on neither writes to this memory. */
void mesi_guard_share(struct mesi_object *object);
/* Where another process has the same memory, gives the object memory of its own. Called before any
 * write to the view. Ends the program where there is no memory. */
void mesi_guard_own(struct mesi_object *object);

/* Keeps the addresses of the object's host memory taken; a use of them faults. */
void mesi_guard_close(const struct mesi_object *object);

#endif
