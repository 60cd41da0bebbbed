/* SPDX-License-Identifier: MIT */
/* stream25d.h - threads that go through the layers of a grid and keep loaded rows in registers. */
#ifndef MESI_ANALYSIS_STREAM25D_H
#define MESI_ANALYSIS_STREAM25D_H

#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"

enum {
  STREAM25D_ROWS = 4,
  STREAM25D_CONDITIONS = 16,
  STREAM25D_LOADS = 64,
  STREAM25D_DEEP = 8 /* layers of a row */
};

struct stream25d_row {           /* 16 bytes of each of several layers, at one place of the
                                  * layers */
  const struct array *array;     /* of the scan */
  int64_t first, last;           /* layers, relative to the thread's */
  const struct ir_expr *element; /* an access to it ... */
  int64_t layer;                 /* ... and its layer */
  struct ir_var *var;            /* the registers, by layer and lane; made by stream25d_build */
};

struct stream25d_load {
  const struct ir_expr *expr;
  int row;       /* the row that has it; -1: it is loaded where it is used */
  int64_t layer; /* in the row, from the first one */
  int64_t place; /* relative to the lane: in its row, or in its 16 bytes */
};

struct stream25d { /* a body in its virtual shape, split into its parts */
  struct code *code;
  int64_t factor;       /* elements of 16 bytes */
  int64_t ahead;        /* layers that are loaded in advance */
  bool checked;         /* lanes that do not store only name elements of rows */
  struct ir_stmt *loop; /* over the layers */
  struct ir_expr *x_in[STREAM25D_CONDITIONS];      /* conditions on the index along x, ... */
  struct ir_expr *layers_in[STREAM25D_CONDITIONS]; /* ... on the layer, ... */
  /* ... and other conditions. They only use indices and parameters. */
  struct ir_expr *threads_in[STREAM25D_CONDITIONS];
  unsigned lane_count, layer_count, thread_count;
  struct ir_list work; /* declarations, assignments and stores, in order */
  struct stream25d_row rows[STREAM25D_ROWS];
  unsigned row_count;
  struct stream25d_load loads[STREAM25D_LOADS];
  /* uniform: loads that neighbours along x share, which stay as they are */
  unsigned load_count, store_count, uniform_count;
  const char *reason; /* why there is no such form; NULL: there is one */
};

/* Splits code that is in its virtual shape, with layers, for the vector factor and the layers ahead
 * that the caller has set. The code stays unchanged and scanned. */
bool stream25d_find(struct stream25d *);
/* Requests for a layer of a thread's elements: as written over the remaining ones. */
double stream25d_gain(const struct stream25d *);
/* Are most loads loads of rows? A load of an element beside a row requests as many lines as a row,
 * for less data. */
bool stream25d_pays(const struct stream25d *);
double stream25d_registers(const struct stream25d *);
/* The code with the new body, without a scan. Adds statements of real threads to `verbatim`. */
void stream25d_build(struct stream25d *, struct ir_list *verbatim);

enum outcome plan_stream25d(struct mapping *);

#endif
