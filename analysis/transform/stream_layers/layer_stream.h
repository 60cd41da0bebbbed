/* SPDX-License-Identifier: MIT */
/* layer_stream.h - threads that load each layer of an array once and add it to the sums of all
 * layers that need it. */
#ifndef MESI_ANALYSIS_LAYER_STREAM_H
#define MESI_ANALYSIS_LAYER_STREAM_H

#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"

enum {
  LAYER_STREAM_CONDITIONS = 16,
  LAYER_STREAM_GROUPS = 4,
  LAYER_STREAM_LOADS = 64,
  LAYER_STREAM_LOOPS = 4,
  LAYER_STREAM_ITEMS = 96,
  LAYER_STREAM_LOCALS = 16
};
enum {
  LAYER_STREAM_PARTS = 6 /* of an index */,
  LAYER_STREAM_STAGES = 10,
  LAYER_STREAM_LINES = 16 /* rows of a layer */,
  LAYER_STREAM_BESIDE = 8 /* elements at an end of a row */
};

/* an element's, from another one's: layers, rows of them, elements of a row */
struct layer_stream_step {
  int64_t layer, row, place;
};

/* elements of a layer that lie in one row, beside those of the thread's own 16 bytes */
struct layer_stream_row {
  bool used;
  int64_t left, right; /* of them: in front of the 16 bytes, and behind */
  int64_t first, last; /* layers in which they are accessed, from the thread's */
  /* layers that are held at a time, from the one that the thread is at in its first stage */
  int64_t oldest, newest;
};

struct layer_stream_group {      /* loads of an array that differ by layers, rows and places only */
  const struct array *array;     /* of the scan */
  const struct ir_expr *element; /* one of them ... */
  struct ir_var *iterators[LAYER_STREAM_LOOPS]; /* ... those of short loops in its index, ... */
  unsigned iterator_count;
  int64_t place;     /* ... and what is added to its lane where they are 0 */
  bool by_row;       /* a thread's next element along y is in the next row */
  int64_t first_row; /* of rows[0], from the element's */
  struct layer_stream_row rows[LAYER_STREAM_LINES];
  unsigned row_count;
  int64_t left, right, oldest, newest; /* of all rows */
  /* [layers held][rows of all of a thread's elements][elements of a row]; made by
   * layer_stream_build */
  struct ir_var *var;
};

/* a short loop, and what an iteration adds */
struct layer_stream_around {
  struct ir_var *iterator;
  int64_t first, trips, by;
  struct layer_stream_step step;
};

struct layer_stream_load {
  const struct ir_expr *expr;
  unsigned group;
  /* from the group's element, where all iterators are 0; its place from the lane */
  struct layer_stream_step at;
  struct layer_stream_around loops[LAYER_STREAM_LOOPS];
  unsigned loop_count;
};

struct layer_stream_fixed {
  struct ir_var *iterator;
  int64_t value;
};

/* a statement of the body, for some values of the iterators around it */
struct layer_stream_item {
  struct ir_stmt *stmt;
  struct layer_stream_fixed fixed[LAYER_STREAM_LOOPS];
  unsigned fixed_count;
  int64_t stage; /* layers that the thread has gone on when it is done */
  bool asks;     /* only for layers that there are */
};

struct layer_stream_local { /* declared in the body; each stage has one */
  struct ir_var *var;
  int64_t first, last;                        /* stages */
  struct ir_var *copies[LAYER_STREAM_STAGES]; /* from the first one's; made by layer_stream_build */
};

struct layer_stream { /* a body in its virtual shape, taken apart */
  struct code *code;
  int64_t factor, rows; /* elements of a thread: of 16 bytes along x, and along y */
  int64_t z_parts;      /* blocks along z that share the layers */
  struct ir_stmt *loop; /* over the layers */
  /* conditions on x, on y, and on neither */
  struct ir_expr *x_in[LAYER_STREAM_CONDITIONS], *rows_in[LAYER_STREAM_CONDITIONS],
      *threads_in[LAYER_STREAM_CONDITIONS];
  unsigned lane_count, row_count, thread_count;
  struct ir_list before; /* what stands in front of the loop */
  struct ir_list work;   /* its body */
  struct layer_stream_group groups[LAYER_STREAM_GROUPS];
  unsigned group_count;
  struct layer_stream_load loads[LAYER_STREAM_LOADS];
  unsigned load_count, store_count;
  double others; /* loads for an element that are not of layers */
  struct layer_stream_item items[LAYER_STREAM_ITEMS];
  unsigned item_count;
  int64_t stages;
  struct layer_stream_local locals[LAYER_STREAM_LOCALS];
  unsigned local_count;
  const char *reason; /* why there is no such form; NULL: there is */
};

/* Takes code apart that is in its virtual shape, for the vector factor, rows and parts along z that
 * the caller has set; what it requires is in code->preconditions. The code stays as it is, scanned.
 */
bool layer_stream_find(struct layer_stream *);
/* Requests for a thread's elements of a layer, as written over those that are left. */
double layer_stream_gain(const struct layer_stream *);
double layer_stream_registers(const struct layer_stream *); /* of a thread, an estimate */
/* The code with the new body, without a scan. Statements of real threads go to `verbatim`. */
void layer_stream_build(struct layer_stream *, struct ir_list *verbatim);

/* ---- for layer_stream_*.c ---- */
bool layer_stream_take_apart(
    struct layer_stream *); /* layer_stream_parts.c: loop, conditions, before, work */
bool layer_stream_find_loads(
    struct layer_stream *); /* layer_stream_loads.c: groups, loads; false: s->reason */
bool layer_stream_give_up(struct layer_stream *, const char *reason); /* false */
/* Is it a local of the body that stands for its value: of indices, parameters and the layer? */
struct ir_expr *layer_stream_value_of(const struct layer_stream *, const struct ir_var *);
struct layer_stream_local *layer_stream_local_of(struct layer_stream *,
                                                 const struct ir_var *); /* NULL: none */
bool layer_stream_short(const struct ir_stmt *,
                        struct layer_stream_around *ret); /* a loop with few iterations */

/* ---- layer_stream_plan.c ---- */
enum outcome plan_stream_layers(struct mapping *); /* finds out whether it gains */
/* the version behind those of m->out; NULL there: the first one */
bool also_stream_layers(struct mapping *);

#endif
