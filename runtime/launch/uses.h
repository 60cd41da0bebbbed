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
  uint64_t arrived, left; /* tickets of the transfers that the launch must wait for */
  /* where there are several devices: tickets of the transfers to the others */
  uint64_t taken[MESI_DEVICE_MAX];
  /* a part of a launch: bytes that the launch overwrites may hold results of other parts */
  bool part;
  const void *thread; /* the thread that makes the launch */
  bool overwrites; /* bytes as a whole: the uses are in the list `overwriting`, linked by `next` */
  struct mesi_uses *next;
  struct mesi_use first[MESI_USES_INLINE];
};

/* Zeroed before the first call. Stays in place until mesi_uses_finish or mesi_uses_abandon. */
void mesi_uses_init(struct mesi_uses *uses, int device, const char *cause);
/* In a forked process: only the thread's own launch exists. */
void mesi_uses_in_child(struct mesi_uses *uses);

/* Makes the object and all objects that its pointers lead to ready on the device. Returns whether
 * the launch has more transfers to wait for than before. */
bool mesi_uses_add(struct mesi_uses *uses, struct mesi_object *object, struct mesi_span read,
                   struct mesi_span write, unsigned access);

/* The number of the object's writers among these uses. */
unsigned mesi_uses_writes(const struct mesi_uses *uses, const struct mesi_object *object);

/* A launch of the site has written the bytes: those that the host is expected to read start their
 * way. */
void mesi_uses_foresee(struct mesi_object *object, int device, const struct mesi_site *site,
                       struct mesi_span written);

/* The launch has been made in the stream with this index. `site` NULL: the launch has no site that
 * comes again. */
void mesi_uses_finish(struct mesi_uses *uses, const struct mesi_site *site, unsigned stream);

/* No launch has been made: the bytes that it would have written are unchanged, and nobody waits for
 * them. */
void mesi_uses_abandon(struct mesi_uses *uses);

/* Where there are several ranks (base/ranks.h), ends the program with the reason. */
void mesi_launch_for_one_rank(const struct mesi_object *, const char *why);

#endif
