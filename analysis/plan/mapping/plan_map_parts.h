/* plan_map_parts.h - what the files that plan mappings share; private to plan_map.c and plan_untiled.c. */
#ifndef MESI_ANALYSIS_PLAN_MAP_PARTS_H
#define MESI_ANALYSIS_PLAN_MAP_PARTS_H

#include "analysis/code/assume.h"
#include "analysis/transform/coarsen/expand.h"
#include "analysis/model/model.h"
#include "analysis/plan/mapping/plan_map.h"
#include "analysis/transform/split_k/split.h"
#include "analysis/transform/stream_layers/sweep.h"

enum { MOST_SHAPES = 24 };

struct shape {
  struct geometry geometry;
  int64_t tile;              /* iterations */
  bool streams;              /* only for kernels with arrays that are streamed through tiles */
  bool wide;                 /* only for elements of 8 bytes */
};

struct mapping {
  const struct code *from;
  struct stager *stager;
  const struct plan_options *options;
  const struct target *target;
  int64_t totals[2];         /* -1: not constant */
  int64_t assumed;           /* elements along an axis that is not constant */
  int64_t element;           /* bytes of the widest number in the arrays */
  bool no_products;          /* on tensor cores: what looked like them has not come out so */
  struct workload loads[MOST_SHAPES]; /* by shape; count 0: it does not fit */
  struct buffering buffering[MOST_SHAPES]; /* by shape: how its tiles arrive */
  const struct shape *shapes;
  unsigned shape_count;
  struct kernel_mapping *out;
  struct assumptions *assume; /* of all exact versions */
};

struct attempt {
  struct code code;
  struct geometry geometry;
  struct tiles tiles;
  struct ir_var *totals[2];
  struct assumptions assume;
  struct remarks remarks;
  struct split *split;       /* several blocks share the sums of `shared`; NULL: none do */
  struct cooperation shared;
  const char *reason;
  struct ir_place place;
};

enum granted { GRANTED_NOTHING, GRANTED_ALIGNED /* what copies of 16 bytes need */, GRANTED_ALL };

/* Shapes and tiles the code; false: attempt->reason. The caller drops the scan. `split`: several blocks are to share its loop. */
bool map_try_shape(const struct mapping *, unsigned shape, enum granted, bool split, struct attempt *, struct instances *);

struct code map_copy(const struct mapping *, struct remarks *remarks); /* of the code that is mapped */
void map_decline(const struct mapping *, const char *reason, const struct ir_place *place);
void map_take(const struct mapping *, double gain, const char *what); /* records the mapping that is taken */
void map_add_remarks(const struct mapping *, const struct remarks *remarks);
bool map_is_constant(const struct mapping *); /* the launch's size */
/* Expands the attempt into the next version of m->out. False: attempt->reason. */
bool map_build_version(const struct mapping *, struct attempt *, const struct prediction *, int64_t least);
/* The same for launches of which it takes no more for granted than attempt->assume says; `suffix` of its name. */
bool map_build_aligned(const struct mapping *, struct attempt *, const struct prediction *, int64_t least, const char *suffix);
void map_finish(struct mapping *);

/* plan_shapes.c: the shapes that are planned */
void map_shapes(struct mapping *); /* sets element, shapes, shape_count */
bool map_tries(const struct mapping *, const struct shape *); /* of them, as options and the kernel's numbers are */
struct geometry map_fitted(const struct mapping *, const struct shape *); /* for numbers of m->element bytes */
void map_prefer_products(struct mapping *); /* where the options want them on tensor cores, the others do not fit */

/* plan_arrival.c: the way in which shapes are planned first, and the one that takes the least predicted time for a launch of `totals` */
void map_first_buffering(struct mapping *, unsigned shape);
void map_choose_buffering(struct mapping *, unsigned shape, struct attempt *, uint64_t capacity, const int64_t totals[2]);

struct described {           /* what a version stages */
  unsigned staged;           /* arrays, or parts of them */
  unsigned wide, narrow;     /* of them: copied several elements at once; one, though their layout lets them be more */
  int64_t tile;              /* iterations of the first loop's tiles */
  const char *names;
};

/* plan_rank.c: what --explain shows of the shapes, and what is told of the mapping */
struct described map_describe(const struct mapping *, const struct tiles *);
void map_report(const struct mapping *, const struct described *, struct text *dump);
void map_rank_unfit(const struct mapping *, unsigned shape, const char *reason); /* it has no plan */
void map_rank(const struct mapping *, int taken, const char *why); /* all others, by predicted time; `why` none is taken (-1) */
void map_note_tiles(const struct mapping *, const struct tiles *tiles); /* the arrays that are staged */

/* plan_ends.c: elements of a launch that hides what threads at the ends of rows take, with `each` elements a thread */
int64_t map_elements_for_ends(const struct mapping *, int64_t each);

/* plan_sweep.c: threads that go through the layers of an array in a loop of their own. */
struct swept {
  struct attempt attempt;    /* with a scan, for the caller to drop */
  struct sweep sweep;
  double gain, registers;
  bool alone;                /* right for every launch: it needs no other version */
};
bool plan_sweep(const struct mapping *, struct swept *ret); /* false: there is none that gains; no scan */
bool plan_add_sweep(struct mapping *, struct swept *, struct text *dump); /* the version behind those of m->out; NULL there: the first one */

/* plan_split.c: adds versions in which several blocks share a loop, where that may gain. */
void map_add_split(const struct mapping *);
/* ... to none, where nothing else gains; false: that does not either. */
bool map_split_alone(struct mapping *, struct described *ret);

/* plan_untiled.c: mappings without loops over tiles; NULL: there is none that gains. */
struct kernel_mapping *plan_untiled(struct mapping *, struct text *dump, struct ir_function **ret_code);

#endif
