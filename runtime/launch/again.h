/* SPDX-License-Identifier: MIT */
/* again.h - launches of a batch that repeat an earlier launch. Internal to the runtime. All
 * functions are about the calling thread's launch.
 *
 *     for (...) { k(a, b); k(b, a); }     from the third round on nothing is looked up: every
 *                                         array is at its old address, and valid
 */
#ifndef MESI_AGAIN_H
#define MESI_AGAIN_H

#include "../object/object.h"

enum mesi_call_kind { MESI_CALL_RANGE, MESI_CALL_STREAM, MESI_CALL_ARG, MESI_CALL_ARG_RANGE };

struct mesi_call { /* a call of the program between the begin and the end of a launch */
  enum mesi_call_kind kind;
  unsigned access, use;
  const void *pointer; /* or a stream */
  ptrdiff_t read_begin, read_end, write_begin, write_end;
};

/* Makes a call as the program made it. */
typedef void mesi_make_fn(const struct mesi_call *call);

/* A launch of the site begins. Where it turns out to be no repetition, `make` makes the calls that
 * have passed. Without the lock. */
void mesi_again_begin(const struct mesi_site *site, mesi_make_fn *make);

/* Can the call be skipped? *ret_result is then its result. Otherwise the caller makes it. At the
 * first call that differs from the record, the calls before it have been made by now. Without the
 * lock. */
bool mesi_again_passes(const struct mesi_call *call, void **ret_result);

/* The call has been made with this result. */
void mesi_again_note(const struct mesi_call *call, void *result);

/* The launch cannot be repeated. Without the lock. */
void mesi_again_never(void);

/* The launch is over without an end. */
void mesi_again_left(void);

/* The device of the launch while it is a repetition; -1: it is none. */
int mesi_again_device(void);

/* The end of a repetition, without the lock. true: the launch is over. false: its calls have been
 * made, and it goes on as any other launch. */
bool mesi_again_ends(bool held);

/* The end of another launch, with the lock. mesi_again_writes: it writes the object.
 * mesi_again_keep: it is held back, and later launches may repeat it. */
void mesi_again_writes(struct mesi_object *object);
void mesi_again_keep(int device, unsigned stream);

#endif
