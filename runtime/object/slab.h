/* SPDX-License-Identifier: MIT */
/* slab.h - dynamic VS memory: blocks in slabs, each slab one object. Internal to the runtime. */
#ifndef MESI_SLAB_H
#define MESI_SLAB_H

#include "object.h"
#include "../base/pointer_map.h"

struct mesi_block { /* one allocation, or a place for one */
  uint64_t serial;  /* number of the allocation, from 1 in the order of the calls; 0: free */
  size_t bytes;     /* requested */
  const struct mesi_pointer_map *pointers; /* NULL: holds none */
  unsigned types; /* MESI_OF_... of all launches that had the block as an argument */
  char *memory;   /* the user's address, set by mesi_slab_live */
};

struct mesi_slab {
  struct mesi_object object; /* size: up to the end of the highest block ever used */
  char name[64];
  int size_class;     /* MESI_CLASS_OWN: a single large block */
  size_t cell;        /* bytes from block to block */
  size_t count;       /* blocks that fit */
  size_t used;        /* blocks ever used; the others are still zero on the host */
  size_t live, typed; /* blocks in use; those of them with a pointer map */
  size_t *free_cells; /* stack of freed indices below `used` */
  size_t free_count;
  struct mesi_block *blocks;       /* count */
  struct mesi_slab *next, *before; /* in the list of its class with room */
};

/* Allocates a block of so many bytes, whose pointers the map describes (NULL: it has none), and
 * returns its address for the user. NULL with errno ENOMEM: there is no memory. This function and
 * the next three require the lock. */
void *mesi_slab_allocate(size_t bytes, const struct mesi_pointer_map *pointers);
/* The slab of the live block that starts at `memory`, and the block's index. Ends the program where
 * there is none. */
struct mesi_slab *mesi_slab_find(const void *memory, size_t *ret_index);
/* Frees the block, and its slab where no other block needs it. */
void mesi_slab_release(struct mesi_slab *slab, size_t index);
/* Would a block of so many bytes keep its cell when it is resized? */
bool mesi_slab_stays(const struct mesi_slab *slab, size_t bytes);

bool mesi_slab_typed(const struct mesi_slab *slab);
/* Visits the pointer words of all live blocks in a copy of the slab at `base`. */
void mesi_slab_visit_words(struct mesi_slab *slab, char *base, mesi_word_fn *visit, void *context);

/* For the checker of the CPU backend, inside kernels: the block that contains or is near the
 * address on device 0, and its start there. *ret_bytes is 0 for a free block. False: the address is
 * in no slab. */
bool mesi_slab_block_on_device(const void *address, const void **ret_start, size_t *ret_bytes);
/* The bytes, in its object, of the variable or live block that contains the address; empty: none
 * does. Requires the lock. */
struct mesi_span mesi_slab_span(const struct mesi_object *object, const void *address);
/* The bytes that a pointer of this value leads to: a block of more than 4096 bytes, otherwise the
 * whole object. Requires the lock. */
struct mesi_span mesi_slab_led_to(const struct mesi_object *object, const void *pointer);
/* Ends the program where the address lies in freed VS memory that is still remembered. `user`: the
 * user, for the message. */
void mesi_slab_check_freed(const void *address, const char *user);

/* A launch takes an address in the slab as a pointer to some type (MESI_OF_...). Requires the lock.
 */
void mesi_slab_note_type(struct mesi_object *object, const void *address, unsigned type);

/* The live blocks in the order of their allocation, in a new array that the caller frees. Requires
 * the lock. */
struct mesi_block *mesi_slab_live(size_t *ret_count);

#endif
