/* SPDX-License-Identifier: MIT */
/* sweep.h - threads that load each layer of an array once and add it to the sums of all layers that
 * need it. */
#ifndef MESI_ANALYSIS_SWEEP_H
#define MESI_ANALYSIS_SWEEP_H

#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"

enum {
  SWEEP_CONDITIONS = 16,
  SWEEP_GROUPS = 4,
  SWEEP_LOADS = 64,
  SWEEP_LOOPS = 4,
  SWEEP_ITEMS = 96,
  SWEEP_LOCALS = 16
};
enum {
  SWEEP_PARTS = 6 /* of an index */,
  SWEEP_STAGES = 10,
  SWEEP_LINES = 16 /* rows of a layer */,
  SWEEP_BESIDE = 8 /* elements at an end of a row */
};

/* an element's, from another one's: layers, rows of them, elements of a row */
struct sweep_step {
  int64_t layer, row, place;
};

/* elements of a layer that lie in one row, beside those of the thread's own 16 bytes */
struct sweep_row {
  bool used;
  int64_t left, right; /* of them: in front of the 16 bytes, and behind */
  int64_t first, last; /* layers in which they are accessed, from the thread's */
  /* layers that are held at a time, from the one that the thread is at in its first stage */
  int64_t oldest, newest;
};

struct sweep_group {             /* loads of an array that differ by layers, rows and places only */
  const struct array *array;     /* of the scan */
  const struct ir_expr *element; /* one of them ... */
  struct ir_var *iterators[SWEEP_LOOPS]; /* ... those of short loops in its index, ... */
  unsigned iterator_count;
  int64_t place;     /* ... and what is added to its lane where they are 0 */
  bool by_row;       /* a thread's next element along y is in the next row */
  int64_t first_row; /* of rows[0], from the element's */
  struct sweep_row rows[SWEEP_LINES];
  unsigned row_count;
  int64_t left, right, oldest, newest; /* of all rows */
  /* [layers held][rows of all of a thread's elements][elements of a row]; made by sweep_build */
  struct ir_var *var;
};

/* a short loop, and what an iteration adds */
struct sweep_around {
  struct ir_var *iterator;
  int64_t first, trips, by;
  struct sweep_step step;
};

struct sweep_load {
  const struct ir_expr *expr;
  unsigned group;
  /* from the group's element, where all iterators are 0; its place from the lane */
  struct sweep_step at;
  struct sweep_around loops[SWEEP_LOOPS];
  unsigned loop_count;
};

struct sweep_fixed {
  struct ir_var *iterator;
  int64_t value;
};

/* a statement of the body, for some values of the iterators around it */
struct sweep_item {
  struct ir_stmt *stmt;
  struct sweep_fixed fixed[SWEEP_LOOPS];
  unsigned fixed_count;
  int64_t stage; /* layers that the thread has gone on when it is done */
  bool asks;     /* only for layers that there are */
};

struct sweep_local { /* declared in the body; each stage has one */
  struct ir_var *var;
  int64_t first, last;                 /* stages */
  struct ir_var *copies[SWEEP_STAGES]; /* from the first one's; made by sweep_build */
};

struct sweep { /* a body in its virtual shape, taken apart */
  struct code *code;
  int64_t lanes, rows;  /* elements of a thread: of 16 bytes along x, and along y */
  int64_t z_parts;      /* blocks along z that share the layers */
  struct ir_stmt *loop; /* over the layers */
  /* conditions on x, on y, and on neither */
  struct ir_expr *lanes_in[SWEEP_CONDITIONS], *rows_in[SWEEP_CONDITIONS],
      *threads_in[SWEEP_CONDITIONS];
  unsigned lane_count, row_count, thread_count;
  struct ir_list before; /* what stands in front of the loop */
  struct ir_list work;   /* its body */
  struct sweep_group groups[SWEEP_GROUPS];
  unsigned group_count;
  struct sweep_load loads[SWEEP_LOADS];
  unsigned load_count, store_count;
  double others; /* loads for an element that are not of layers */
  struct sweep_item items[SWEEP_ITEMS];
  unsigned item_count;
  int64_t stages;
  struct sweep_local locals[SWEEP_LOCALS];
  unsigned local_count;
  const char *reason; /* why there is no such form; NULL: there is */
};

/* Takes code apart that is in its virtual shape, for lanes, rows and slabs that the caller has set;
 * what it takes for granted is in code->assume. The code stays as it is, scanned. */
bool sweep_find(struct sweep *);
/* Requests for a thread's elements of a layer, as written over those that are left. */
double sweep_gain(const struct sweep *);
double sweep_registers(const struct sweep *); /* of a thread, an estimate */
/* The code with the new body, without a scan. Statements of real threads go to `verbatim`. */
void sweep_build(struct sweep *, struct ir_list *verbatim);

/* ---- for sweep*.c ---- */
bool sweep_take_apart(struct sweep *); /* sweep_parts.c: loop, conditions, before, work */
bool sweep_find_loads(struct sweep *); /* sweep_loads.c: groups, loads; false: s->reason */
bool sweep_give_up(struct sweep *, const char *reason); /* false */
/* Is it a local of the body that stands for its value: of indices, parameters and the layer? */
struct ir_expr *sweep_value_of(const struct sweep *, const struct ir_var *);
struct sweep_local *sweep_local_of(struct sweep *, const struct ir_var *); /* NULL: none */
bool sweep_short(const struct ir_stmt *, struct sweep_around *ret); /* a loop with few iterations */

/* ---- sweep_plan.c ---- */
enum outcome plan_stream_layers(struct mapping *); /* finds out whether it gains */
/* the version behind those of m->out; NULL there: the first one */
bool also_stream_layers(struct mapping *);

#endif
