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

/* The distance of an element from another one: layers, rows in a layer, elements in a row. */
struct layer_stream_step {
  int64_t layer, row, place;
};

/* The elements of a layer in one row that are beside the thread's own 16 bytes. */
struct layer_stream_row {
  bool used;
  int64_t left, right; /* numbers of elements: in front of the 16 bytes, and behind */
  int64_t first, last; /* layers in which they are accessed, relative to the thread's */
  /* Layers that are held at a time, relative to the thread's layer in its first stage. */
  int64_t oldest, newest;
};

struct layer_stream_group {      /* loads of an array that only differ by layers, rows and places */
  const struct array *array;     /* of the scan */
  const struct ir_expr *element; /* one of them ... */
  struct ir_var *iterators[LAYER_STREAM_LOOPS]; /* ... those of the short loops in its index, ... */
  unsigned iterator_count;
  int64_t place;     /* ... and its distance from the lane where they are 0 */
  bool by_row;       /* a thread's next element along y is in the next row */
  int64_t first_row; /* of rows[0], from the element's */
  struct layer_stream_row rows[LAYER_STREAM_LINES];
  unsigned row_count;
  int64_t left, right, oldest, newest; /* of all rows */
  /* [layers held][rows of all of a thread's elements][elements of a row]; made by
   * layer_stream_build */
  struct ir_var *var;
};

/* A short loop, and the step of an iteration. */
struct layer_stream_around {
  struct ir_var *iterator;
  int64_t first, trips, by;
  struct layer_stream_step step;
};

struct layer_stream_load {
  const struct ir_expr *expr;
  unsigned group;
  /* Relative to the group's element, where all iterators are 0; its place is relative to the
   * lane. */
  struct layer_stream_step at;
  struct layer_stream_around loops[LAYER_STREAM_LOOPS];
  unsigned loop_count;
};

struct layer_stream_fixed {
  struct ir_var *iterator;
  int64_t value;
};

/* A statement of the body, for some values of the iterators around it. */
struct layer_stream_item {
  struct ir_stmt *stmt;
  struct layer_stream_fixed fixed[LAYER_STREAM_LOOPS];
  unsigned fixed_count;
  int64_t stage; /* layers that the thread has advanced when it runs */
  bool asks;     /* it only runs for layers that exist */
};

struct layer_stream_local { /* a local of the body; each stage has one */
  struct ir_var *var;
  int64_t first, last;                        /* stages */
  struct ir_var *copies[LAYER_STREAM_STAGES]; /* from the first one's; made by layer_stream_build */
};

struct layer_stream { /* a body in its virtual shape, split into its parts */
  struct code *code;
  int64_t factor, rows; /* elements of a thread: in 16 bytes along x, and along y */
  int64_t z_parts;      /* blocks along z that share the layers */
  struct ir_stmt *loop; /* over the layers */
  /* conditions on x, on y, and on neither */
  struct ir_expr *x_in[LAYER_STREAM_CONDITIONS], *rows_in[LAYER_STREAM_CONDITIONS],
      *threads_in[LAYER_STREAM_CONDITIONS];
  unsigned lane_count, row_count, thread_count;
  struct ir_list before; /* the code in front of the loop */
  struct ir_list work;   /* its body */
  struct layer_stream_group groups[LAYER_STREAM_GROUPS];
  unsigned group_count;
  struct layer_stream_load loads[LAYER_STREAM_LOADS];
  unsigned load_count, store_count;
  double others; /* other loads per element than those of layers */
  struct layer_stream_item items[LAYER_STREAM_ITEMS];
  unsigned item_count;
  int64_t stages;
  struct layer_stream_local locals[LAYER_STREAM_LOCALS];
  unsigned local_count;
  bool associative;   /* floats may be rounded in another way */
  const char *reason; /* why there is no such form; NULL: there is one */
};

/* Splits code that is in its virtual shape, for the vector factor, rows and parts along z that the
 * caller has set. The requirements are in code->preconditions. The code stays unchanged and
 * scanned. */
bool layer_stream_find(struct layer_stream *);
/* Requests for a thread's elements of a layer: as written over the remaining ones. */
double layer_stream_gain(const struct layer_stream *);
double layer_stream_registers(const struct layer_stream *); /* of a thread, an estimate */
/* The code with the new body, without a scan. Adds statements of real threads to `verbatim`. */
void layer_stream_build(struct layer_stream *, struct ir_list *verbatim);

/* ---- for layer_stream_*.c ---- */
bool layer_stream_take_apart(
    struct layer_stream *); /* layer_stream_parts.c: loop, conditions, before, work */
bool layer_stream_find_loads(
    struct layer_stream *); /* layer_stream_loads.c: groups, loads; false: s->reason */
bool layer_stream_give_up(struct layer_stream *, const char *reason); /* false */
/* The value of a local of the body that only depends on indices, parameters and the layer. NULL: it
 * is no such local. */
struct ir_expr *layer_stream_value_of(const struct layer_stream *, const struct ir_var *);
struct layer_stream_local *layer_stream_local_of(struct layer_stream *,
                                                 const struct ir_var *); /* NULL: none */
bool layer_stream_keeps_rounding(struct layer_stream *);                 /* false: s->reason */
bool layer_stream_short(const struct ir_stmt *,
                        struct layer_stream_around *ret); /* a loop with few iterations */

/* ---- layer_stream_plan.c ---- */
enum outcome plan_stream_layers(struct mapping *); /* decides whether it gains */
/* Adds a version behind those of m->out; if that is NULL, the first one. */
bool also_stream_layers(struct mapping *);

#endif
