/* SPDX-License-Identifier: MIT */
/* symbol.h - the integers in affine forms, as parameters of isl spaces.
 *
 * Every quantity (kernel scalar, built-in index, loop iterator, value that is not understood) is an
 * isl parameter named by an isl_id whose user pointer is the struct symbol. A symbol has one value:
 * a loop iterator within one iteration, an unknown at one evaluation. So affine forms stay valid
 * wherever they are kept. */
#ifndef MESI_ANALYSIS_SYMBOL_H
#define MESI_ANALYSIS_SYMBOL_H

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include "analysis/data/facts.h"
#include "analysis/data/launch_value.h"
#include "translator/base/name_map.h"

enum { ACCESS_DIMS = 8 }; /* dimensions of an array that can be distinguished */

struct value; /* value.h */

/* The most factors of a stride: of [n][c][h][w] that of n is c * h * w. */
enum { STRIDE_FACTORS = 4 };

enum symbol_kind {
  SYMBOL_SCALAR,  /* an integer kernel parameter that is never assigned */
  SYMBOL_BUILTIN, /* threadIdx.x ... */
  /* A block-uniform expression that is not affine, or must be a stride: `expr`. */
  SYMBOL_UNIFORM,
  SYMBOL_LOOP,    /* iterator of a canonical loop */
  SYMBOL_LAUNCH,  /* a number that the launch finds: `var` */
  SYMBOL_UNKNOWN, /* any value within its bounds */
  SYMBOL_KIND_COUNT
};

struct table_read {     /* an element of a table that the launch inspects */
  struct ir_var *table; /* a parameter */
  const struct ir_type *element;
  struct value *index; /* owned by symbols */
  bool wraps;          /* it is the index only if it is a number of 32 bits */
};

struct symbol {
  enum symbol_kind kind;
  unsigned index;                /* order of creation, position in symbols.items */
  const char *name;              /* unique within the kernel */
  isl_id *id;                    /* owned by symbols */
  isl_set *bounds;               /* its facts: [symbol, ...] -> { : ... }; owned by symbols */
  struct own_interval *interval; /* of interval.c */
  struct ir_var *var;            /* SCALAR, LOOP, LAUNCH */
  enum ir_builtin builtin;
  struct ir_expr *expr; /* UNIFORM: its value, of block-uniform operands */
  /* UNIFORM product: coefficient * stride; owned by symbols. NULL otherwise */
  isl_pw_aff *coefficient;
  struct symbol *stride[STRIDE_FACTORS]; /* by index; NULL from the last one on */
  bool in_step;        /* LOOP: the same for all threads of a block (facts.uniform) */
  int64_t multiple_of; /* LOOP: every value is a multiple of it; 0: not known */
  bool from_table;     /* UNKNOWN: an element of a table that the launch inspects; `read` */
  struct table_read read;
  bool of_thread; /* from_table: at an index that differs between threads */
  bool of_block;  /* it differs between blocks (blockIdx, or a UNIFORM that involves it) */
};

struct table_seen { /* an expression in the kernel for such an element */
  const struct ir_expr *expr;
  struct symbol *symbol;
};

struct symbols {
  isl_ctx *ctx; /* borrowed */
  struct arena *arena;
  const struct kernel_facts *facts;
  LIST_OF(struct symbol *) items;
  struct name_map names; /* by name as in the source: the number of symbols with that name */
  unsigned unknown_count;
  /* The launch can inspect tables and objects: an element of a table is between two of its
   * values. */
  bool inspects;
  /* The requested values; number i has the positions 2 i and 2 i + 1. */
  LIST_OF(struct launch_value) values;
  LIST_OF(struct table_seen) tables;
  isl_set *context;                 /* [symbols] -> { : facts->context }; owned, set by the walk */
  struct interval_cache *intervals; /* of interval.c */
  struct closed *closed;            /* of close.c */
  unsigned closed_count;
  struct witness *witnesses; /* of witness.c */
  struct kept_ends *ends;    /* of ends.c */
  unsigned ends_count;
  /* Forms are lowered for host code, which limits 64-bit arguments itself. */
  bool for_host;
};

void symbols_init(struct symbols *, isl_ctx *, struct arena *, const struct kernel_facts *);
void symbols_finish(struct symbols *); /* frees every isl object */

struct symbol *symbol_of_scalar(struct symbols *, struct ir_var *param);
struct symbol *symbol_of_builtin(struct symbols *, enum ir_builtin);
struct symbol *symbol_new_loop(struct symbols *, struct ir_var *iterator);
/* The first (second) of the numbers that the launch finds behind a parameter. NULL: there are too
 * many. */
struct symbol *symbol_of_launch(struct symbols *, struct ir_var *param,
                                const struct ir_type *element, bool is_extent, unsigned which);
/* The unknown element of a table, between two numbers. The same index gives the same symbol. */
struct symbol *symbol_of_table(struct symbols *, const struct table_read *,
                               const struct symbol *low, const struct symbol *high);
/* May a form over the parameters differ between threads in the same iteration of loops? */
bool symbols_differ(__isl_keep isl_space *);
/* The bits of the launch's values among the parameters of a space. */
unsigned symbols_values_of(__isl_keep isl_space *);
/* NULL: none. */
struct symbol *symbol_new_unknown(struct symbols *, __isl_take isl_val *low,
                                  __isl_take isl_val *high);
/* A symbol for an expression of block-uniform operands, without bounds. */
struct symbol *symbol_new_uniform(struct symbols *, struct ir_expr *expr);
/* The symbol that equals the block-uniform `aff` ({ [] -> aff }); aff's own symbol if it is one.
 * NULL: none. */
struct symbol *symbol_of_uniform(struct symbols *, __isl_keep isl_pw_aff *aff);
/* The symbol for coefficient * stride, all of them block-uniform. NULL: none. */
struct symbol *symbol_of_product(struct symbols *, __isl_keep isl_pw_aff *coefficient,
                                 struct symbol *const stride[STRIDE_FACTORS]);
/* ... for a product of symbols, as an index has it. NULL: none. */
struct symbol *symbol_of_factors(struct symbols *, struct symbol *const factors[STRIDE_FACTORS]);

/* The symbol for a / b (`remainder`: a % b) as C truncates, of block-uniform numbers of
 * `type`. Where b is 0 the kernel has no value. NULL: none. */
struct symbol *symbol_of_quotient(struct symbols *, __isl_keep isl_pw_aff *a,
                                  __isl_keep isl_pw_aff *b, bool remainder,
                                  const struct ir_type *type);
/* The symbol for a block-uniform number converted to a `type` of 32 bits without sign. NULL: none.
 */
struct symbol *symbol_of_unsigned(struct symbols *, __isl_keep isl_pw_aff *form,
                                  const struct ir_type *type);

/* Is it exactly a * b? */
bool symbol_is_builtin_product(struct symbols *, const struct symbol *, enum ir_builtin a,
                               enum ir_builtin b);

/* Is it the same for all threads of a block, all the time? */
bool symbol_is_uniform(const struct symbol *);
/* Does it involve only kernel scalars, blockDim and gridDim? Then the host can compute it. */
bool symbol_known_at_launch(const struct symbol *);
struct symbol *symbol_of_param(__isl_keep isl_space *, unsigned position);

__isl_give isl_pw_aff *symbol_aff(struct symbols *, const struct symbol *);
__isl_give isl_pw_aff *symbols_constant(struct symbols *, int64_t value);
__isl_give isl_set *symbols_universe(struct symbols *); /* { : } */
/* `set` with the bounds of every symbol in it, and of the symbols in these bounds. */
__isl_give isl_set *symbols_close(struct symbols *, __isl_take isl_set *set);
void symbols_forget_closed(struct symbols *); /* drops the sets that symbols_close keeps */
/* Projects out the symbols that are not block-uniform. */
__isl_give isl_set *symbols_project_threads(__isl_take isl_set *set);
bool symbols_all_uniform(__isl_keep isl_space *); /* are all parameters of the space uniform? */
bool symbols_any_unknown(__isl_keep isl_space *);

#endif
