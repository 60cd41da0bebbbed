/* SPDX-License-Identifier: MIT */
/* mapping.h - a shape-free kernel's work, mapped to threads anew.
 *
 * The room has what all transformations of the slot MAPPING share: shapes and their model
 * (shapes.c, rank.c, boundary.c, pipelining.c), attempts (attempt.c), loops over tiles (tile/),
 * several elements a thread (coarsen/). It takes promoted code and gives versions, each a code with
 * the launches that it is for. It decides nothing: transforms.c has who tries, in which order.
 */
#ifndef MESI_ANALYSIS_MAPPING_H
#define MESI_ANALYSIS_MAPPING_H

#include "analysis/code/precondition.h"
#include "analysis/mapping/coarsen/coarsen.h"
#include "analysis/code/sums.h"
#include "analysis/code/interior.h"
#include "analysis/data/options.h"
#include "analysis/model/model.h"

enum { MOST_SHAPES = 24 };

struct shape {
  struct geometry geometry;
  int64_t tile; /* iterations */
  bool streams; /* only for kernels with arrays that are streamed through tiles */
  bool wide;    /* only for elements of 8 bytes */
};

struct described { /* what a version stages */
  unsigned staged; /* arrays, or parts of them */
  /* of them: copied several elements at once; one, though their layout lets them be more */
  unsigned wide, narrow;
  int64_t tile; /* iterations of the first loop's tiles */
  const char *names;
};

enum untiled { UNTILED_UNKNOWN, UNTILED_NO, UNTILED_YES };

struct mapping {
  const struct code *from;
  struct stager *stager;
  const struct plan_options *options;
  const struct target *target;
  int64_t totals[2]; /* -1: not constant */
  bool flat;         /* one row of threads, or rows that the kernel does not tell apart */
  int64_t assumed;   /* elements along an axis that is not constant */
  int64_t element;   /* bytes of the widest number in the arrays */
  bool no_products;  /* on tensor cores: what looked like them has not come out so */
  struct workload loads[MOST_SHAPES];      /* by shape; count 0: it does not fit */
  struct buffering buffering[MOST_SHAPES]; /* by shape: how its tiles are pipelined */
  const struct shape *shapes;
  unsigned shape_count;
  struct kernel_mapping *out;
  struct preconditions preconditions; /* of all specialised versions */
  struct text *dump;                  /* lines of --dump-plan */
  enum untiled untiled;               /* may it be mapped without loops over tiles? */
  bool tiled;                         /* by loops over tiles, whose shapes are in `loads` */
  unsigned middle;                    /* tiled: the shape for middle sizes */
  struct described staged;            /* tiled: what its versions stage */
  bool close;                         /* tiles fit, and gain less than `needed` */
  double needed;
  /* why it keeps its mapping, where no transformation says so itself; NULL */
  const char *reason;
  struct ir_place place;
  void *behind; /* of the transformation that adds a version behind those of others */
  bool alone;   /* ... which is right for every launch: no other is needed */
};

struct sharing { /* how several blocks share the loop of an attempt */
  /* Gives the loop parts of its own for its sums. False: *ret_reason, *ret_place. Drops the scan.
   */
  bool (*prepare)(struct code *, bool floats, struct team_loop *ret, const char **ret_reason,
                  struct ir_place *ret_place);
  /* Puts the parts of blocks together behind the loop over tiles, which is built. */
  void (*finish)(struct code *, const struct geometry *, struct tiles *, struct team_loop *,
                 struct ir_var *parts);
};

struct attempt {
  struct code code;
  struct geometry geometry;
  struct tiles tiles;
  struct ir_var *totals[2];
  struct preconditions preconditions;
  struct remarks remarks;
  const struct sharing *sharing; /* several blocks share the sums of `shared`; NULL: none do */
  struct block_share *share;     /* how they do; NULL: they do not */
  struct team_loop shared;
  const char *reason;
  struct ir_place place;
};

enum precondition_set {
  PRECONDITIONS_NONE,
  PRECONDITIONS_ALIGNED /* what copies of 16 bytes need */,
  PRECONDITIONS_ALL
};

/* Shapes and tiles the code; false: attempt->reason. The caller drops the scan. `sharing`: several
 * blocks are to share its loop. */
bool map_try_shape(const struct mapping *, unsigned shape, enum precondition_set,
                   const struct sharing *, struct attempt *, struct instances *);

/* of the code that is mapped */
void map_decline(const struct mapping *, const char *reason, const struct ir_place *place);
/* records the mapping that is taken */
void map_take(const struct mapping *, double gain, const char *what);
void map_add_remarks(const struct mapping *, const struct remarks *remarks);
bool map_is_constant(const struct mapping *); /* the launch's size */
/* Expands the attempt into the next version of m->out. False: attempt->reason. */
bool map_build_version(const struct mapping *, struct attempt *, const struct prediction *,
                       int64_t least);
/* The same for launches of which it requires no more than attempt->preconditions say; `suffix`
 * of its name. */
bool map_build_aligned(const struct mapping *, struct attempt *, const struct prediction *,
                       int64_t least, const char *suffix);
void map_finish(struct mapping *);

/* shapes.c: the shapes that are planned */
void map_shapes(struct mapping *); /* sets element, shapes, shape_count */
/* of them, as options and the kernel's numbers are */
bool map_tries(const struct mapping *, const struct shape *);
/* for numbers of m->element bytes */
struct geometry map_fitted(const struct mapping *, const struct shape *);
/* where the options want them on tensor cores, the others do not fit */
void map_prefer_products(struct mapping *);

/* pipelining.c: the way in which shapes are planned first, and the one that takes the least
 * predicted time for a launch of `totals` */
void map_first_buffering(struct mapping *, unsigned shape);
void map_choose_buffering(struct mapping *, unsigned shape, struct attempt *, uint64_t capacity,
                          const int64_t totals[2]);

/* rank.c: what --explain shows of the shapes, and what is told of the mapping */
struct described map_describe(const struct mapping *, const struct tiles *);
void map_report(const struct mapping *, const struct described *, struct text *dump);
/* it has no plan */
void map_rank_unfit(const struct mapping *, unsigned shape, const char *reason);
/* all others, by predicted time; `why` none is taken (-1) */
void map_rank(const struct mapping *, int taken, const char *why);
/* the arrays that are staged */
void map_note_tiles(const struct mapping *, const struct tiles *tiles);

/* boundary.c: elements of a launch that hides what boundary threads take, at the ends of rows, with
 * `each` elements a thread */
int64_t map_elements_for_boundary(const struct mapping *, int64_t each);

enum outcome { OUTCOME_PASSED, OUTCOME_TAKEN, OUTCOME_ENDED /* nor may others try */ };

uint64_t map_capacity(const struct mapping *); /* bytes of shared memory for tiles */
bool map_find_totals(struct mapping *);        /* sets totals; false: the grid is too large */
/* parameters for totals are the same for all versions; true */
bool map_take_totals(struct kernel_mapping *, struct ir_var *const totals[2]);

/* ---- without loops over tiles ---- */
bool map_untiled(struct mapping *);         /* may it be mapped so? False: a remark says why */
bool map_is_forced(const struct mapping *); /* wherever it is right */
/* in this shape, scanned; false: attempt->reason */
bool map_shaped(const struct mapping *, const struct geometry *, struct attempt *);
/* Builds a version, for launches of `least` elements, of m->out or of a mapping that is made.
 * False: a remark says why. */
bool map_add_version(struct mapping *, struct attempt *, double gain, int64_t least);
int64_t map_layers(const struct mapping *);        /* elements of the launch along z */
int64_t map_elements(const struct mapping *);      /* of the launch; INT64_MAX: not constant */
int64_t map_vector_factor(const struct mapping *); /* elements of 16 bytes */
/* The if between the code for interior threads and the code as it was (NULL: nothing). */
void map_choose_interior(struct code *, struct interior *, struct ir_stmt *as_was);

#endif
