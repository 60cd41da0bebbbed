/* SPDX-License-Identifier: MIT */
/* facts.h - the facts about a kernel from the launches that share one variant. */
#ifndef MESI_ANALYSIS_FACTS_H
#define MESI_ANALYSIS_FACTS_H

#include "translator/ir/unit.h"

struct walk_watch;

struct pointer_fact { /* of a pointer parameter, or of the VS variable itself */
  /* The object is known, and no other binding reaches it under another name. */
  bool bound;
  const void *object; /* identity of the object; only compared within one set of facts */
  bool range_known;   /* low and high are valid: bytes of the object relative to the pointer */
  int64_t low, high;  /* low <= 0 < high */
};

struct scalar_fact {
  bool known;
  int64_t value;
  /* Bounds that the launch has checked (asking.c). They are no fact of launches. */
  bool bounded;
  int64_t low, high;
};

struct kernel_facts {
  struct ir_function *kernel;
  int64_t block[3];              /* threads; -1: not constant */
  int64_t grid[3];               /* blocks; -1: not constant */
  struct scalar_fact *scalars;   /* by parameter */
  struct pointer_fact *pointers; /* by parameter */
  int64_t dynamic_shared;        /* bytes that the launch asks for; -1: not constant */
  /* By parameter: the uses of its object by the launch. NULL, or NULL entries: not known. It
   * follows from the other facts. */
  const struct use_range **footprints;
  /* Quotients and remainders of blockIdx.z are numbers of their own, without a relation to it. */
  bool layers_apart;
  bool repeatable; /* everything that the launch evaluates can be evaluated again in front of it */
  /* Its kernel may get further parameters: its launches go out as wholes. */
  bool adds_params;
  bool asked; /* launches check conditions, and take the kernel as written if one fails */
  /* Iterators of loops that all threads of a block run in step: their symbols are the same for the
   * block. */
  struct ir_var **uniform;
  unsigned uniform_count;
  /* The last of them is at least this far from the end of its type's range. */
  int64_t tile_span;
  int64_t tile_multiple; /* the last of them only has multiples of this; 0: not known */
  /* For code whose shape the planner chose: the number of elements along an axis, which blocks
   * cover. NULL: not known. */
  struct ir_var *totals[2];
  struct ir_expr **context; /* conditions on parameters and gridDim that hold */
  unsigned context_count;
  /* Conditions on global ids that hold for all threads, because the launch has checked them
   * (asking.c). The code of the kernel begins with them. They are no fact of launches. */
  struct ir_expr **within;
  unsigned within_count;
  /* Memory of different parameters is assumed to be disjoint, which each launch checks (alias.c).
   * *assumed: has the analysis used that? NULL: nothing is assumed. It is no fact of launches. */
  bool *assumed;
  bool note_conditions;           /* the walk records them (kernel_access.conditions) */
  const struct walk_watch *watch; /* called at places of the walk (walk.h); NULL: none */
};

/* Are two pointer parameters bound to different objects? */
bool facts_disjoint(const struct kernel_facts *, unsigned a, unsigned b);
/* Has the launch a shape that CUDA takes from no launch? It fails, and nothing runs. */
bool facts_shape_is_refused(const struct kernel_facts *);
/* Is the block's shape constant, and one that CUDA has? */
bool facts_block_is_constant(const struct kernel_facts *);

#endif
