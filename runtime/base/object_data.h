/* SPDX-License-Identifier: MIT */
/* object_data.h - the data of a VS object, which messages name and the room `object` keeps.
 * Internal to the runtime. */
#ifndef MESI_OBJECT_DATA_H
#define MESI_OBJECT_DATA_H

#include "../device/device.h"
#include "../mesi.h"
#include "flight.h"
#include "ranges.h"

#include <stdbool.h>
#include <stdint.h>

struct mesi_slab;

enum mesi_mode {                 /* the way in which the runtime learns of host use */
                 MESI_ANNOUNCED, /* by mesi_touch_object */
                 MESI_GUARDED,   /* also by page protection */
                 /* by nothing: the host copy is valid outside launches only, the device copy inside
                  * only */
                 MESI_EAGER
};

struct mesi_copy { /* an object's copy on one device */
  /* device memory of mesi_object_capacity() bytes; NULL until first used there */
  void *address;
  bool hidden;               /* the settled streams include streams of the program's own */
  bool reserved;             /* the device lacks room for all of it, and has memory only */
  struct mesi_ranges backed; /* for these bytes, whole pieces */
  struct mesi_ranges valid;
  /* streams (order.h) with launches that read it, or wrote it, since the lane to here waited for
   * them */
  uint64_t readers, writers;
  struct mesi_ranges used; /* bytes that these launches use */
  uint64_t arrived;        /* ticket of the last copy to here, after which copies back come */
  /* copies to here: launches and host writes wait for those of their bytes */
  struct mesi_flights arriving;
  struct mesi_flights leaving; /* copies from here for which the host did not wait at once */
};

enum { MESI_HABITS = 3 };

/* the host reads after the launches of one site that write the object, see habit.c */
struct mesi_habit {
  const struct mesi_site *site; /* NULL: unused */
  struct mesi_ranges wrote;     /* bytes that a launch of the site was the last to write */
  /* those of these bytes that the host has read, and is expected to read again */
  struct mesi_ranges read;
  unsigned misses; /* prefetches that nobody used, minus those that were used */
  unsigned pause;  /* chances to prefetch that still pass */
};

struct mesi_coming {     /* a prefetch on its way to the host */
  struct mesi_span span; /* stale on the host, valid on the device */
  int device;
  uint64_t ticket;              /* of the copy */
  const struct mesi_site *site; /* of the launch that wrote the bytes */
};

struct mesi_window { /* the number of bytes that a fault, or an announced read, brings */
  size_t next;       /* end of the bytes that the last one brought */
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
  bool kept;        /* the system or a library may use the host copy at any time */
  bool prepared;    /* mode chosen, host memory mapped */
  bool pinned;      /* view is page-locked */
  bool pin_failed;  /* the view cannot be page-locked */
  enum mesi_mode mode;
  /* another process may have the same memory, which is not written then; see mesi_guard_own */
  bool shared;
  /* a forked process without devices: bytes that are not valid on the host are lost */
  bool orphaned;
  bool verified;                         /* guarded only to find accesses that nobody announced */
  struct mesi_ranges readable, writable; /* pages of the user's view, when MESI_GUARDED */
  bool coarse;     /* all pages have one protection, since mappings are short; see guard.c */
  size_t mappings; /* those that mesi_mappings_count has counted for the object */
  struct mesi_window reading, writing; /* of faults */
  /* of announced reads of stale bytes, one after the other */
  struct mesi_window ahead;
  size_t moved; /* bytes transferred so far, for the decision to page-lock */

  /* Each byte below mesi_object_capacity() is in host_valid or in at least one device[].valid.
   * Where it is in host_valid only, the host may write it without notice. */
  struct mesi_ranges host_valid;
  struct mesi_copy device[MESI_DEVICE_MAX];
  int device_count; /* devices from 0 on that may have a copy */
  /* where there are several: a ticket of each one's lane to it, behind all readers and writers that
   * the lane came behind, in front of the copy that made it do so */
  uint64_t settled[MESI_DEVICE_MAX];
  struct mesi_habit habits[MESI_HABITS];
  unsigned next_habit;        /* modulo MESI_HABITS: the habit that gives way to a new one */
  struct mesi_coming *coming; /* disjoint; own array */
  size_t coming_count, coming_room;

  /* changes, to a number no object has had, whenever contents may have changed since bytes came to
   * a device */
  uint64_t version;
  unsigned writers; /* launches that are being made and write the object */
  size_t mark;      /* index into the use list that last held it; a hint */
  uint64_t scan;    /* number of the last reach scan that visited it */

  /* objects that its pointers lead to, own array; see mesi_pointers_reach */
  struct mesi_object **reach;
  size_t reach_count;
  uint64_t reach_epoch; /* mesi_objects_epoch() at which `reach` was built; 0: it is not valid */
};

#endif
