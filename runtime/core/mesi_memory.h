/* SPDX-License-Identifier: MIT */
/* mesi_memory.h - dynamic VS memory: blocks in slabs, each slab one object. Internal to the
 * runtime. */
#ifndef MESI_MEMORY_H
#define MESI_MEMORY_H

#include "object.h"
#include "pointers.h"

struct mesi_block { /* one allocation, or a place for one */
  uint64_t serial;  /* number of the allocation, from 1 in the order of the calls; 0: free */
  size_t bytes;     /* asked for */
  const struct mesi_pointer_map *pointers; /* NULL: holds none */
  unsigned types; /* MESI_OF_... of all launches that it was an argument of */
  char *memory;   /* filled in by mesi_memory_live: user's address */
};

bool mesi_slab_typed(const struct mesi_slab *slab);
/* Visits the pointer words of all live blocks in a copy of the slab at `base`. */
void mesi_slab_visit_words(struct mesi_slab *slab, char *base, mesi_word_fn *visit, void *context);

/* For the checker of the CPU backend, inside kernels: the block that the address on device 0 is in
 * or near, with its address there; *ret_bytes is 0 for one that is free. False: the address is in
 * no slab. */
bool mesi_memory_block_on_device(const void *address, const void **ret_start, size_t *ret_bytes);
/* The bytes of the variable or live block that the address is in, in its object; empty: of none.
 * Requires the lock. */
struct mesi_span mesi_memory_span(const struct mesi_object *object, const void *address);
/* What a pointer of this value, alone, means: the block of more than 4096 bytes, otherwise the
 * whole object. Requires the lock. */
struct mesi_span mesi_memory_led_to(const struct mesi_object *object, const void *pointer);
/* Ends the program where the address lies in freed VS memory, as far as that is still known.
 * `user`: who uses it. */
void mesi_memory_check_freed(const void *address, const char *user);

/* A launch takes an address in the slab as a pointer to some type (MESI_OF_...). Requires the lock.
 */
void mesi_memory_note_type(struct mesi_object *object, const void *address, unsigned type);

/* The live blocks in the order of their allocation, a new array for the caller to free. Requires
 * the lock. */
struct mesi_block *mesi_memory_live(size_t *ret_count);

#endif
