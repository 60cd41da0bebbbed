/* SPDX-License-Identifier: MIT */
/* sim_objects.h - the objects of random programs on a device_sim.h, and what the host does with
 * them. Each has a plain array beside it, which holds what it should. */
#ifndef SIM_OBJECTS_H
#define SIM_OBJECTS_H

#include "device_sim.h"

enum { SIM_OBJECTS = 5, SIM_MOST_BYTES = 6 * PAGE, SIM_READERS = 64 };

struct sim_object {
  unsigned char *host;
  unsigned char model[SIM_MOST_BYTES];
  bool announced;                         /* host uses need an announcement */
  struct sim_queue *writer;               /* stream of the last kernel that wrote it */
  struct sim_queue *readers[SIM_READERS]; /* streams that have read it since then */
  unsigned reader_count;
};

/* The test sets these before it uses the functions below. */
struct sim_shape {
  size_t bytes; /* of each object */
  int dynamic;  /* the objects from this one on are dynamic memory */
  int whole;    /* one of so many random ranges is all of an object */
};
extern struct sim_shape sim_shape;
extern struct sim_object sim_objects[SIM_OBJECTS];

struct sim_object *sim_any_object(void);
void sim_random_range(size_t *ret_begin, size_t *ret_end);

/* The program's part: a stream comes behind the other streams whose work on the object matters to
 * it. */
void sim_order_streams(struct sim_object *, unsigned stream, bool writes);

/* A use of some range by the host: what it reads must be what the plain array has. */
void sim_host_read(void);
void sim_host_write(void);

void sim_allocate(struct sim_object *);
void sim_replace(void); /* a dynamic object by a new one */

/* The host sees in each object what its plain array has. */
void sim_compare_objects(void);

#endif
