/* SPDX-License-Identifier: MIT */
/* candidate.h - one array of one kernel on its way to being staged.
 *
 * The room takes the accesses of an array and gives the elements that a block touches
 * (footprint.c), and the box around them (range.c) or segments of a table (segments.c). It decides
 * whether another name may reach them (alias.c), and which elements may be loaded and written back
 * (legal.c). It lowers all that to IR (stage.c). Each step may reject the candidate, with a
 * reason. */
#ifndef MESI_ANALYSIS_CANDIDATE_H
#define MESI_ANALYSIS_CANDIDATE_H

#include "analysis/access/access.h"
#include "analysis/data/staged.h"

/* The stride of a dimension of a flat array: constant * symbol[0] * ... elements. */
struct stride {
  int64_t constant;
  struct symbol *symbol[STRIDE_FACTORS]; /* by index, and NULL after the last one */
};

struct table_use {
  struct ir_var *table;
  bool in_base; /* it is in the base of the segments */
};

struct candidate {
  struct array *array;
  unsigned order;            /* of first appearance */
  const char *reject;        /* NULL while it may be staged */
  bool unsized;              /* ... since a range of its has no constant size */
  struct no_alias *no_alias; /* it may be staged where these hold */
  unsigned no_alias_count;
  unsigned values;       /* bits of the launch's values that its sets depend on */
  bool too_complex;      /* the reason is isl's limit */
  struct ir_place place; /* of the reason, or of the first access */
  double count;          /* accesses of a thread */
  bool at_launch;        /* its box may have sizes that only the launch's arguments give */
  bool measured;         /* the launch finds the begin and the end of its object */
  bool only_beside;      /* a copy is worth its barriers only beside another one that is */
  bool loose_only;       /* the box covers the accesses of threads that take every `if` */
  bool own_rows;         /* each element belongs to one thread: no other reads or writes it */
  bool may_shift;        /* dimension 0 may be where the block's rows begin; nothing is written */

  /* ---- shape.c: coordinates ---- */
  const struct value *values_of; /* the accesses' indices in other terms; NULL: their own */
  unsigned dim_count;
  bool is_flat; /* the array is split from one dimension by strides */
  bool shifted; /* dimension 0 is where the block's rows begin; no dimension has an extent */
  struct stride strides[ACCESS_DIMS];
  int64_t first[ACCESS_DIMS]; /* is_flat: the least coordinate of an inner dimension */
  isl_pw_aff **index;         /* [access * dim_count + dim]: [symbols] -> { [coordinate] }; owned */
  /* Exactly the coordinates in `valid` are elements of the object. */
  bool has_extents;
  /* [symbols] -> { [d0, ...] : coordinates that can be in the object }; owned */
  isl_set *valid;

  /* ---- footprint.c: [block symbols] -> { [d0, ...] }; owned ---- */
  isl_set *may;      /* elements the block may access */
  isl_set *may_read; /* ... whose value from before the kernel it may need */
  isl_set *may_write;
  isl_set *must; /* elements that it accesses in any case */
  isl_set *must_write;
  isl_set *loose; /* without the ifs around the accesses */

  /* ---- range.c ---- */
  isl_pw_aff *offset[ACCESS_DIMS]; /* [block symbols] -> { [first coordinate] }, one piece; owned */
  /* A dimension covers the uses of any launch, or the whole extent for an index that is not
   * understood. */
  bool over_all;
  int64_t size[ACCESS_DIMS]; /* -1: `length` */
  /* [symbols known at the launch] -> { [elements] }, one piece; NULL: `size`; owned */
  isl_pw_aff *length[ACCESS_DIMS];
  isl_set *box;   /* [block symbols] -> { [d0, ...] }; owned */
  uint64_t bytes; /* 0: some dimension has no constant size */

  struct segmentation *segmentation; /* replaces the box: the result of segments.c; NULL: none */
  struct ir_expr **positions;        /* by access: its position in its segment */
  struct table_use *tables;          /* the tables in the index */
  unsigned table_count;

  /* ---- legal.c ---- */
  bool load, store;
  /* [block symbols] -> { [d0, ...] } within the box; owned; NULL: all of the box */
  isl_set *load_set, *store_set;
};

/* Keeps the first reason. */
void candidate_reject(struct candidate *, const struct ir_place *, const char *reason);
void candidate_finish(struct candidate *);

/* shape.c: dims, strides, index, valid. */
/* The parameters for which the flat array, taken as rows, has an index outside its row: [symbols]
 * -> { : }, owned by the caller. NULL: none, or not known. */
__isl_give isl_set *candidate_missing(struct symbols *, struct array *);
void candidate_shape(struct symbols *, struct candidate *, bool split_constants);
/* ... its `valid`, for the coordinates of `index` and `strides`. */
void candidate_valid(struct symbols *, struct candidate *);
/* begin.c: takes the part that all indices have in common, and that is the same for the block's
 * threads, out of the values. NULL: there is none, or it is a constant. */
__isl_give isl_pw_aff *candidate_take_begin(struct symbols *, struct value *values, unsigned count);
/* pack.c: coordinates by distances between elements. They descend, and each is a multiple of the
 * next. */
enum { MOST_PACKINGS = 12 };
struct packing {
  int64_t strides[2];
  unsigned count;
  /* For one stride: an index is counted from the nearest multiple, not from the one below. */
  bool nearest;
};
/* Is a box of `bytes` in other coordinates worth their arithmetic? */
bool candidate_saves(double bytes, uint64_t of);
/* Finds packings that may save memory. Returns their number. */
unsigned candidate_packings(struct symbols *, const struct array *, uint64_t bytes,
                            struct packing ret[MOST_PACKINGS]);
/* Replaces shape.c. */
void candidate_pack(struct symbols *, struct candidate *, const struct packing *);
/* footprint.c: the sets. */
void candidate_footprint(struct symbols *, struct candidate *);
/* Does access `i` happen everywhere in its domain? */
/* The elements { [d0, ...] } of access i in `domain`, for each thread and iteration. */
__isl_give isl_set *candidate_elements(struct symbols *, const struct candidate *, unsigned i,
                                       __isl_keep isl_set *domain);
bool candidate_certain(const struct candidate *, unsigned i);
/* exposed.c: may access `i` read a value that its thread has not written? */
bool candidate_exposed(struct symbols *, const struct candidate *, unsigned i);
/* range.c: offset, size, box, bytes. */
void candidate_range(struct symbols *, struct candidate *);
bool candidate_has_unknown(const struct candidate *);
/* legal.c: store; may reject. */
void candidate_permit(struct symbols *, const struct kernel_access *, struct candidate *);
/* ... load, and the sets of both, which take the most steps; for candidates that were not
 * rejected. */
void candidate_sets(struct symbols *, struct candidate *);
/* Both. */
void candidate_legal(struct symbols *, const struct kernel_access *, struct candidate *);
/* alias.c: rejects an array that another name may write. `at_launch`: it becomes a condition if the
 * launch can check it. */
void candidate_alias(struct symbols *, const struct kernel_access *, struct candidate *,
                     bool at_launch);
/* alias.c: finds the values of the launch on which the ranges depend. Rejects if a table may change
 * while the kernel runs. */
void candidate_inspected(struct symbols *, const struct kernel_access *, struct candidate *);
/* alias.c: conditions of a launch. Can the launch check whether one of two arrays is written and
 * the same memory is used through the other? Adds the condition to the list. False: it cannot. */
struct no_alias_list {
  struct no_alias *items;
  unsigned count;
};
bool alias_may_ask(const struct symbols *, const struct array *, const struct array *other);
bool alias_ask(struct symbols *, const struct array *, const struct array *other,
               struct no_alias_list *);
/* Are two of the kernel's arrays certainly different memory? */
bool arrays_disjoint(const struct symbols *, const struct ir_var *, const struct ir_var *);
/* The extent of dimension d > 0 of a flat array: stride[d - 1] / stride[d]. */
__isl_give isl_pw_aff *candidate_extent(struct symbols *, const struct candidate *, unsigned d);
/* segments.c: finds segments whose bases change in a loop; it replaces shape, footprint and range.
 * False: there are none. `reused`: an inner loop uses them again, not only the threads. */
bool candidate_segments(struct symbols *, const struct kernel_access *, struct candidate *,
                        bool reused);
/* stage.c: the IR of a stage. False: some part has no form (rejected). */
struct stager { /* shared by the stages of a unit */
  struct unit *unit;
  struct ir_var *element_vars[2][ACCESS_DIMS]; /* [wide][dim]; made when first needed */
  unsigned exhausted; /* how often isl has reached its computation limit so far */
};
bool candidate_lower(struct stager *, struct symbols *, struct candidate *, struct stage *ret);

#endif
