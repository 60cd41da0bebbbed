/* SPDX-License-Identifier: MIT */
/* mapping.h - a shape-free kernel's work, mapped to threads anew.
 *
 * The room has the parts that all transformations of the slot MAPPING share: shapes and their model
 * (shapes.c, rank.c, boundary.c, pipelining.c), attempts (attempt.c), loops over tiles (tile/),
 * several elements per thread (coarsen/). It takes promoted code and gives versions, each a code
 * with the launches that it is for. It makes no decision: transforms.c gives the order in which
 * transformations try. */
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

struct described { /* the arrays that a version stages */
  unsigned staged; /* arrays, or parts of them */
  /* of these: copied several elements at once; copied by single elements although the layout allows
   * more */
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
  bool flat;         /* one row of threads, or rows that the kernel treats alike */
  int64_t assumed;   /* elements along an axis that is not constant */
  int64_t element;   /* bytes of the widest number in the arrays */
  bool no_products;  /* on tensor cores: a loop that looked like products did not become products */
  struct workload loads[MOST_SHAPES];      /* by shape; count 0: it does not fit */
  struct buffering buffering[MOST_SHAPES]; /* by shape: how its tiles are pipelined */
  const struct shape *shapes;
  unsigned shape_count;
  struct kernel_mapping *out;
  struct preconditions preconditions; /* of all specialised versions */
  struct text *dump;                  /* lines of --dump-plan */
  enum untiled untiled;               /* may it be mapped without loops over tiles? */
  bool tiled;                         /* by loops over tiles, with shapes in `loads` */
  unsigned middle;                    /* tiled: the shape for middle sizes */
  struct described staged;            /* tiled: the arrays that its versions stage */
  bool close;                         /* tiles fit, but gain less than `needed` */
  double needed;
  double regained;    /* extents.regained; 0: neighbours access neighbours as written */
  unsigned divisions; /* extents.divisions */
  bool as_many;       /* extents.as_many */
  /* Why it keeps its mapping, if no transformation says so itself. NULL: no reason. */
  const char *reason;
  struct ir_place place;
  struct ir_stmt *own;        /* the body with products of each element's own; NULL: as in `from` */
  struct ir_var **own_locals; /* of that body */
  unsigned own_axes;          /* along which a thread has several elements then */
  void *behind; /* for the transformation that adds a version behind the existing ones */
  bool alone;   /* ... which is legal for every launch: no other is needed */
};

struct sharing { /* the way in which several blocks share the loop of an attempt */
  /* Gives the loop parts of its own for its sums. False: see *ret_reason and *ret_place. Drops the
   * scan. */
  bool (*prepare)(struct code *, bool floats, struct team_loop *ret, const char **ret_reason,
                  struct ir_place *ret_place);
  /* Combines the parts of blocks behind the loop over tiles, which is built. */
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
  struct block_share *share;     /* the rule for sharing; NULL: blocks share nothing */
  struct team_loop shared;
  const char *reason;
  struct ir_place place;
};

enum precondition_set {
  PRECONDITIONS_NONE,
  PRECONDITIONS_ALIGNED /* the needs of 16-byte copies */,
  PRECONDITIONS_ALL
};

/* Shapes and tiles the code. False: see attempt->reason. The caller drops the scan. `sharing`:
 * several blocks are to share its loop. */
bool map_try_shape(const struct mapping *, unsigned shape, enum precondition_set,
                   const struct sharing *, struct attempt *, struct instances *);

/* Gives the reason for the code that is mapped. */
void map_decline(const struct mapping *, const char *reason, const struct ir_place *place);
/* Records the mapping that is taken. */
void map_take(const struct mapping *, double gain, const char *what);
void map_add_remarks(const struct mapping *, const struct remarks *remarks);
bool map_is_constant(const struct mapping *); /* is the launch's size constant? */
/* Expands the attempt into the next version of m->out. False: see attempt->reason. */
bool map_build_version(const struct mapping *, struct attempt *, const struct prediction *,
                       int64_t least);
/* The same for launches that only need to satisfy attempt->preconditions. `suffix`: the end of its
 * name. */
bool map_build_aligned(const struct mapping *, struct attempt *, const struct prediction *,
                       int64_t least, const char *suffix);
void map_finish(struct mapping *);
/* The gain over the kernel as written, of a `gain` over its code with other axes. */
double map_over_written(const struct mapping *, double gain);

/* shapes.c: the shapes that are planned */
void map_shapes(struct mapping *); /* sets element, shapes, shape_count */
/* Do the options and the kernel's numbers allow this shape? */
bool map_tries(const struct mapping *, const struct shape *);
/* The geometry for numbers of m->element bytes. */
struct geometry map_fitted(const struct mapping *, const struct shape *);
/* Where the options want tensor cores, drops the other shapes. */
void map_prefer_products(struct mapping *);

/* pipelining.c: the first way of pipelining for a shape, and the one with the least predicted time
 * for a launch of `totals`. */
void map_first_buffering(struct mapping *, unsigned shape);
void map_choose_buffering(struct mapping *, unsigned shape, struct attempt *, uint64_t capacity,
                          const int64_t totals[2]);

/* rank.c: the shapes in --explain, and the remarks about the mapping */
struct described map_describe(const struct mapping *, const struct tiles *);
void map_report(const struct mapping *, const struct described *, struct text *dump);
/* The shape has no plan. */
void map_rank_unfit(const struct mapping *, unsigned shape, const char *reason);
/* All other shapes, by predicted time. `why` none is taken (-1). */
void map_rank(const struct mapping *, int taken, const char *why);
/* Records the arrays that are staged. */
void map_note_tiles(const struct mapping *, const struct tiles *tiles);

/* boundary.c: the number of elements of a launch that hides the time of boundary threads at the
 * ends of rows, with `each` elements per thread. */
int64_t map_elements_for_boundary(const struct mapping *, int64_t each);
/* Do data choose elements of a local array in a loop, h[a[i]]++? It lies in memory of the thread
 * then, and its time is not known. (Joint histograms of 256 variables, predicted 22.4: 0.88.) */
bool map_counts_in_locals(const struct mapping *);

enum outcome { OUTCOME_PASSED, OUTCOME_TAKEN, OUTCOME_ENDED /* nor may others try */ };

uint64_t map_capacity(const struct mapping *); /* bytes of shared memory for tiles */
bool map_find_totals(struct mapping *);        /* sets totals; false: the grid is too large */
/* All versions have the same parameters for totals. Returns true. */
bool map_take_totals(struct kernel_mapping *, struct ir_var *const totals[2]);

/* ---- without loops over tiles ---- */
bool map_untiled(struct mapping *); /* may it be mapped so? False: a remark says why */
/* Do results stay the same bit for bit where a thread gets several elements along these axes, a bit
 * each? `apart`: there are conditions between them. False: a remark says why not. At -O3 they need
 * not. */
bool map_keeps_rounding(const struct mapping *, unsigned axes, bool apart);
/* Likewise for elements with conditions between them, of which products may be made each element's
 * own: map_shaped uses the body with these then. */
bool map_keeps_rounding_own(struct mapping *, unsigned axes);
bool map_would_keep_rounding(struct mapping *, unsigned axes); /* the same, without a remark */
/* The same for tiles, in which products are shared, and one of a sum's two is rounded. */
bool map_rounds_pairs(const struct mapping *);
bool map_is_forced(const struct mapping *); /* is the mapping wanted wherever it is legal? */
/* The code in this shape, scanned. False: see attempt->reason. */
bool map_shaped(const struct mapping *, const struct geometry *, struct attempt *);
bool map_asks(const struct attempt *); /* does it assume something that a launch is asked for? */
/* Builds a version for launches of at least `least` elements that satisfy attempt->preconditions,
 * in m->out or a new mapping. False: a remark says why. */
bool map_add_version(struct mapping *, struct attempt *, double gain, int64_t least);
int64_t map_layers(const struct mapping *);        /* elements of the launch along z */
int64_t map_elements(const struct mapping *);      /* of the launch; INT64_MAX: not constant */
int64_t map_vector_factor(const struct mapping *); /* elements of 16 bytes */
/* Builds the `if` between the code for interior threads and the original code (NULL: nothing). */
void map_choose_interior(struct code *, struct interior *, struct ir_stmt *as_was);

#endif
