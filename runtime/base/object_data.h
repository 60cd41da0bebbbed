/* SPDX-License-Identifier: MIT */
/* object_data.h - a VS object as data, which messages name and the room `object` keeps. Internal to
 * the runtime. */
#ifndef MESI_OBJECT_DATA_H
#define MESI_OBJECT_DATA_H

#include "../device/device.h"
#include "../mesi.h"
#include "flight.h"
#include "ranges.h"

#include <stdbool.h>
#include <stdint.h>

struct mesi_slab;

enum mesi_mode {                 /* how the runtime learns of host use */
                 MESI_ANNOUNCED, /* by mesi_touch_object */
                 MESI_GUARDED,   /* also by page protection */
                 /* not at all: the host copy is valid outside launches, the device copy inside only
                  */
                 MESI_EAGER
};

struct mesi_copy { /* on one device */
  /* device memory of mesi_object_capacity() bytes; NULL until first used there */
  void *address;
  bool hidden;               /* streams of the program's own are among those that were settled */
  bool reserved;             /* the device has not room for all of it: there is memory for */
  struct mesi_ranges backed; /* these bytes alone, whole pieces */
  struct mesi_ranges valid;
  /* streams (order.h) whose launches read it, wrote it, since the lane to here came behind them */
  uint64_t readers, writers;
  struct mesi_ranges used; /* bytes that these launches use */
  uint64_t arrived;        /* ticket of the last copy to here: copies back come behind it */
  /* copies to here: launches come behind those of their bytes, and so do host writes */
  struct mesi_flights arriving;
  struct mesi_flights leaving; /* copies from here that nobody waited for at once */
};

enum { MESI_HABITS = 3 };

/* what the host does after the launches of one site that write the object, see habit.c */
struct mesi_habit {
  const struct mesi_site *site; /* NULL: not in use */
  struct mesi_ranges wrote;     /* bytes that a launch of the site was the last to write */
  /* of such bytes: what the host has read, and is expected to read again */
  struct mesi_ranges read;
  unsigned misses; /* prefetches that nobody used, less those that were used */
  unsigned pause;  /* chances to prefetch that are to be let pass */
};

struct mesi_coming {     /* is on its way to the host without having been asked for */
  struct mesi_span span; /* stale on the host, valid on the device */
  int device;
  uint64_t ticket;              /* of the copy */
  const struct mesi_site *site; /* whose launch wrote it */
};

struct mesi_window { /* how far a fault, or an announced read, reaches */
  size_t next;       /* end of what the last one brought */
  size_t bytes;
  /* since the last launch that wrote the object; announced reads: in sequence */
  unsigned faults;
  /* announced reads of elements that were stale, since that launch, in any order */
  unsigned scattered;
};

struct mesi_object {
  const char *name;  /* for messages */
  const char *place; /* file:line of the declaration; NULL for dynamic memory */
  char *host;        /* user's view: the address that the program knows */
  /* runtime's view of the same bytes, never protected; == host where there is one mapping */
  char *view;
  size_t size;   /* bytes that have contents and are copied */
  size_t extent; /* bytes from `host` that belong to the object alone, >= size */
  const struct mesi_pointer_map *pointers; /* of the whole object; NULL where it holds none */
  /* of a dynamic object: the blocks in it; NULL for a variable */
  struct mesi_slab *slab;

  bool defined;     /* by an entry that is not extern */
  bool wants_guard; /* an entry has MESI_VAR_GUARDED */
  bool constant;    /* MESI_VAR_CONST */
  bool kept;        /* the system or a library uses the host copy when it likes */
  bool prepared;    /* mode chosen, host memory mapped */
  bool pinned;      /* view is page-locked */
  bool pin_failed;  /* it cannot be */
  enum mesi_mode mode;
  /* another process may have the same memory: it is not written, see mesi_guard_own */
  bool shared;
  /* the process was forked, and has no devices: what is not valid on the host is lost */
  bool orphaned;
  bool verified;                         /* guarded only to find accesses that nobody announced */
  struct mesi_ranges readable, writable; /* pages of the user's view, when MESI_GUARDED */
  bool coarse;     /* all of these are alike, since mappings are short; see guard.c */
  size_t mappings; /* counted for it by mesi_mappings_count */
  struct mesi_window reading, writing; /* of faults */
  /* of announced reads of stale bytes, one behind the other */
  struct mesi_window ahead;
  size_t moved; /* bytes transferred so far; the decision to page-lock */

  /* Each byte below mesi_object_capacity() is in host_valid or in at least one device[].valid. In
   * the first and in none of the others: the host may write it at will. */
  struct mesi_ranges host_valid;
  struct mesi_copy device[MESI_DEVICE_MAX];
  int device_count; /* devices from 0 on that may have a copy */
  /* where there are several: a ticket of each one's lane to it, behind all readers and writers that
   * the lane came behind, in front of the copy that made it do so */
  uint64_t settled[MESI_DEVICE_MAX];
  struct mesi_habit habits[MESI_HABITS];
  unsigned next_habit;        /* modulo MESI_HABITS: the one that gives way to a new one */
  struct mesi_coming *coming; /* disjoint; own array */
  size_t coming_count, coming_room;

  /* another one, of all objects', whenever contents may have changed since bytes came to a
   * device */
  uint64_t version;
  unsigned writers; /* launches that are being made and write the object */
  size_t mark;      /* index into the use list that last held it; a hint */
  uint64_t scan;    /* number of the last reach scan that met it */

  /* objects that its pointers lead to, own array; see mesi_pointers_reach */
  struct mesi_object **reach;
  size_t reach_count;
  uint64_t reach_epoch; /* mesi_objects_epoch() for which `reach` holds; 0: it does not */
};

#endif
