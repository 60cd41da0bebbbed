/* SPDX-License-Identifier: MIT */
/* guard.h - host memory with two mappings and the protection of the user's one. Internal to the
 * runtime. */
#ifndef MESI_GUARD_H
#define MESI_GUARD_H

#include "object.h"

size_t mesi_page_size(void);
size_t mesi_round_to_pages(size_t bytes);

/* Fresh zeroed memory of whole pages with two mappings, the object's host and view; -1 with errno
 * when there is none. */
int mesi_guard_map(struct mesi_object *object, size_t bytes);

/* Puts two mappings under a variable that has its pages to itself. Requires: object in the table,
 * extent whole pages. Other threads may use the variable meanwhile. Ends the program where it
 * cannot be done. */
void mesi_guard_adopt(struct mesi_object *object);

/* Brings the protection of the user's pages that meet the span in line with the object's state;
 * does nothing where it is not MESI_GUARDED. The fault handler is in place afterwards, again where
 * the program has put one of its own since. */
void mesi_guard_update(struct mesi_object *object, struct mesi_span span);

/* Whom to ask about a fault at the address, by such an access, with the signal's context: true
 * where it was one of a guarded object, which now allows the access. */
typedef bool mesi_fault_fn(const void *address, unsigned access, const void *context);
void mesi_guard_tell(mesi_fault_fn *asked);

/* Faults come to the runtime first from now on. The CPU backend, which tells of those in kernels,
 * may ask for it first. */
void mesi_guard_catch(void);

/* The whole pages that the span meets, which are opened together: all of a coarse object. */
struct mesi_span mesi_guard_pages(const struct mesi_object *object, struct mesi_span span);

/* A process is about to be made that has the same memory: from now on nothing is written to it. */
void mesi_guard_share(struct mesi_object *object);
/* Gives the object, where another process has the same memory, memory of its own: before anything
 * is written to the view. Ends the program where there is none. */
void mesi_guard_own(struct mesi_object *object);

/* The addresses of the object's host memory stay taken, and a use of them faults. */
void mesi_guard_close(const struct mesi_object *object);

#endif
