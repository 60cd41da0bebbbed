/* object.h - VS objects: the unit of consistency, and the table of all of them. Internal to the runtime. */
#ifndef MESI_OBJECT_H
#define MESI_OBJECT_H

#include "device.h"
#include "mesi.h"

#include <stdbool.h>
#include <stdint.h>

struct mesi_slab;

enum mesi_mode {   /* how the runtime learns of host use */
  MESI_ANNOUNCED,  /* by mesi_touch_object */
  MESI_GUARDED,    /* also by page protection */
  MESI_EAGER       /* not at all: the host copy is valid outside launches, the device copy inside only */
};

struct mesi_copy {
  void *address; /* device memory of mesi_object_capacity() bytes; NULL until first used there */
  bool valid;
};

struct mesi_object {
  const char *name;  /* for messages */
  const char *place; /* file:line of the declaration; NULL for dynamic memory */
  char *host;        /* user's view: the address that the program knows */
  char *view;        /* runtime's view of the same bytes, never protected; == host where there is one mapping */
  size_t size;       /* bytes that have contents and are copied */
  size_t extent;     /* bytes from `host` that belong to the object alone, >= size */
  const struct mesi_pointer_map *pointers; /* of the whole object; NULL where it holds none */
  struct mesi_slab *slab;                  /* of a dynamic object: the blocks in it; NULL for a variable */

  bool defined;      /* by an entry that is not extern */
  bool wants_guard;  /* an entry has MESI_VAR_GUARDED */
  bool constant;     /* MESI_VAR_CONST */
  bool prepared;     /* mode chosen, host memory mapped and page-locked */
  bool pinned;       /* view is page-locked */
  enum mesi_mode mode;
  int protection;    /* PROT_ bits of the user's view, when MESI_GUARDED */

  /* host_valid or at least one device[].valid. Host valid and no device valid: the host may write at will. */
  bool host_valid;
  struct mesi_copy device[MESI_DEVICE_MAX];

  unsigned writers;   /* launches that are being made and write the object */
  size_t mark;        /* index into the use list that last held it; a hint */
  uint64_t scan;      /* number of the last reach scan that met it */

  struct mesi_object **reach; /* objects that its pointers lead to, own array; see mesi_pointers_reach */
  size_t reach_count;
  uint64_t reach_epoch;       /* mesi_objects_epoch() for which `reach` holds; 0: it does not */
};

/* The lock that protects everything in the runtime, and the condition signalled when `writers` falls to 0. */
void mesi_lock(void);
void mesi_unlock(void);
void mesi_writers_wait(void);
void mesi_writers_signal(void);

/* Enters an object, which stays the caller's memory, into the table. NULL fields other than host and extent are set
 * up for an object whose host copy alone is valid. Aborts when out of memory. */
void mesi_object_enter(struct mesi_object *object);
/* Takes it out and frees what it has on devices and its page lock, not its host memory. */
void mesi_object_leave(struct mesi_object *object);

/* True where no object contains or ends at the address, without taking the lock. */
bool mesi_object_reject(const void *address);
/* The object whose extent contains the address, or NULL. */
struct mesi_object *mesi_object_containing(const void *address);
/* The object that a pointer of this value leads to: its end belongs to it where nothing else starts there. */
struct mesi_object *mesi_object_of_pointer(const void *pointer);
/* The object whose memory on the device contains the address or ends there, or NULL. */
struct mesi_object *mesi_object_on_device(int device, const void *address);

size_t mesi_object_count(void);
struct mesi_object *mesi_object_at(size_t index); /* in the order of host addresses */

/* Changes whenever an object enters or leaves; never 0. */
uint64_t mesi_objects_epoch(void);

/* The device memory of the object, allocated at the first call; of mesi_object_capacity() bytes. */
void *mesi_object_device_memory(struct mesi_object *object, int device);
size_t mesi_object_capacity(const struct mesi_object *object);

#endif
