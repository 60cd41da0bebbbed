/* SPDX-License-Identifier: MIT */
/* again.h - launches of a batch that are as one before them. Internal to the runtime. All functions
 * are about the calling thread's launch.
 *
 *     for (...) { k(a, b); k(b, a); }     from the third round on nothing is looked up: every array
 *         is where it was, valid, as it was
 */
#ifndef MESI_AGAIN_H
#define MESI_AGAIN_H

#include "../object/object.h"

enum mesi_call_kind { MESI_CALL_RANGE, MESI_CALL_STREAM, MESI_CALL_ARG, MESI_CALL_ARG_RANGE };

struct mesi_call { /* of the program, between the begin and the end of a launch */
  enum mesi_call_kind kind;
  unsigned access, use;
  const void *pointer; /* or a stream */
  ptrdiff_t read_begin, read_end, write_begin, write_end;
};

/* Makes a call, as the program did. */
typedef void mesi_make_fn(const struct mesi_call *call);

/* A launch of the site begins; `make` makes calls that have passed, where it turns out to be
 * another one. Without the lock. */
void mesi_again_begin(const struct mesi_site *site, mesi_make_fn *make);

/* Has the call nothing to do? Otherwise it is made; where it is the first one that differs from the
 * launch before, those in front of it have been made now. Without the lock. */
bool mesi_again_passes(const struct mesi_call *call, void **ret_result);

/* The call has been made, with this result. */
void mesi_again_note(const struct mesi_call *call, void *result);

/* The launch is none that can be repeated. Without the lock. */
void mesi_again_never(void);

/* It is over without an end. */
void mesi_again_left(void);

/* Its device, while it is a repetition; -1: it is none. */
int mesi_again_device(void);

/* At the end of a repetition, without the lock: true: it is over; false: its calls have been made,
 * it goes on as any other. */
bool mesi_again_ends(bool held);

/* At the end of another one, with the lock: it writes the object; then, held back, it is what later
 * ones may be a repetition of. */
void mesi_again_writes(struct mesi_object *object);
void mesi_again_keep(int device, unsigned stream);

#endif
