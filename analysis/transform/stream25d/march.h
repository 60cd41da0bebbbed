/* SPDX-License-Identifier: MIT */
/* march.h - threads that go through the layers of a grid with what they have loaded of them in
 * registers. */
#ifndef MESI_ANALYSIS_MARCH_H
#define MESI_ANALYSIS_MARCH_H

#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"

enum {
  MARCH_ROWS = 4,
  MARCH_CONDITIONS = 16,
  MARCH_LOADS = 64,
  MARCH_DEEP = 8 /* layers of a row */
};

struct march_row {               /* 16 bytes of each of several layers, at one place of them */
  const struct array *array;     /* of the scan */
  int64_t first, last;           /* layers, relative to the thread's */
  const struct ir_expr *element; /* an access to it ... */
  int64_t layer;                 /* ... and its layer */
  struct ir_var *var;            /* the registers, by layer and lane; made by march_build */
};

struct march_load {
  const struct ir_expr *expr;
  int row;       /* that has it; -1: it is loaded where it is used */
  int64_t layer; /* of a row, from its first one */
  int64_t place; /* what is added to the lane: in its row, or in its 16 bytes */
};

struct march { /* a body in its virtual shape, taken apart */
  struct code *code;
  int64_t lanes;        /* elements of 16 bytes */
  int64_t ahead;        /* layers that are loaded before they are needed */
  bool checked;         /* lanes that do not store name no elements but those of rows */
  struct ir_stmt *loop; /* over the layers */
  struct ir_expr *lanes_in[MARCH_CONDITIONS];  /* conditions on the index along x, ... */
  struct ir_expr *layers_in[MARCH_CONDITIONS]; /* ... on the layer, ... */
  /* ... and others; made of indices and parameters alone */
  struct ir_expr *threads_in[MARCH_CONDITIONS];
  unsigned lane_count, layer_count, thread_count;
  struct ir_list work; /* declarations, assignments and stores, in order */
  struct march_row rows[MARCH_ROWS];
  unsigned row_count;
  struct march_load loads[MARCH_LOADS];
  /* uniform: loads of what neighbours along x have in common, which stay as they are */
  unsigned load_count, store_count, uniform_count;
  const char *reason; /* why there is no such form; NULL: there is */
};

/* Takes code apart that is in its virtual shape, with layers, for lanes and layers ahead that the
 * caller has set. The code stays as it is, scanned. */
bool march_find(struct march *);
/* Requests for a layer of a thread's elements, as written over those that are left. */
double march_gain(const struct march *);
/* Are most loads of rows? One of an element beside a row takes a request of as many lines as a row,
 * for less. */
bool march_pays(const struct march *);
double march_registers(const struct march *);
/* The code with the new body, without a scan. Statements of real threads go to `verbatim`. */
void march_build(struct march *, struct ir_list *verbatim);

enum outcome plan_stream25d(struct mapping *);

#endif
