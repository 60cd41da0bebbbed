/* SPDX-License-Identifier: MIT */
/* uses.h - the objects that one launch uses. Internal to the runtime. All functions require the
 * lock. */
#ifndef MESI_USES_H
#define MESI_USES_H

#include "../object/object.h"

enum { MESI_USES_INLINE = 16 };

struct mesi_use {
  struct mesi_object *object;
  struct mesi_span read, write; /* bytes that may be read, may be written */
  unsigned access;              /* MESI_READ and so on, wanted */
  unsigned done;                /* access for which the object has been made ready */
};

struct mesi_uses {
  int device;
  const char *cause; /* for the trace */
  struct mesi_use *items;
  size_t count, capacity;
  uint64_t arrived, left; /* tickets of the lanes that the launch must come behind */
  /* where there are several devices: of the lanes to the others */
  uint64_t taken[MESI_DEVICE_MAX];
  /* of a launch: what all of it overwrites may hold results of other parts */
  bool part;
  const void *thread; /* that makes the launch */
  bool overwrites;    /* bytes as a whole: it is in the list of such, linked by `next` */
  struct mesi_uses *next;
  struct mesi_use first[MESI_USES_INLINE];
};

/* Zeroed before the first time. Until mesi_uses_finish or mesi_uses_abandon it stays in place. */
void mesi_uses_init(struct mesi_uses *uses, int device, const char *cause);
/* In a process that was forked: there are no launches but the thread's own. */
void mesi_uses_in_child(struct mesi_uses *uses);

/* Makes the object ready on the device, and all that its pointers lead to. Returns whether there is
 * more to come behind than before. */
bool mesi_uses_add(struct mesi_uses *uses, struct mesi_object *object, struct mesi_span read,
                   struct mesi_span write, unsigned access);

/* How many of the object's writers are in here. */
unsigned mesi_uses_writes(const struct mesi_uses *uses, const struct mesi_object *object);

/* A launch of the site has written the bytes: what the host is expected to read of them starts its
 * way. */
void mesi_uses_foresee(struct mesi_object *object, int device, const struct mesi_site *site,
                       struct mesi_span written);

/* The launch has been made, in the stream of this index; `site` NULL: it is not one that comes
 * again. */
void mesi_uses_finish(struct mesi_uses *uses, const struct mesi_site *site, unsigned stream);

/* No launch has been made: what it would have written is as it was, and nobody waits for it. */
void mesi_uses_abandon(struct mesi_uses *uses);

/* Where there are several ranks (base/ranks.h) the program ends with the reason. */
void mesi_launch_for_one_rank(const struct mesi_object *, const char *why);

#endif
