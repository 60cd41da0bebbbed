/* SPDX-License-Identifier: MIT */
/* scalar_replace.h - locals that are records, such as sums in a float3, give way to locals of their
 * members' types. */
#ifndef MESI_ANALYSIS_SCALAR_REPLACE_H
#define MESI_ANALYSIS_SCALAR_REPLACE_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_scalar_replace(struct draft *);

/* ---- private to the folder ---- */

enum { SCALAR_FIELDS = 16, SCALAR_TYPES = 16 };

struct scalar_field {
  const char *name;
  const struct ir_type *type;
  int64_t offset;
};

/* A type of candidate records, and its known members. */
struct scalar_type {
  const struct ir_type *type;
  bool is_vector;  /* one of CUDA's, float2 to double4: made by make_..., members x, y, z, w */
  bool is_covered; /* the fields, in the order of their offsets, leave no gap */
  struct scalar_field fields[SCALAR_FIELDS];
  unsigned count;
};

struct scalar_record {      /* by local */
  struct scalar_type *type; /* NULL: no candidate */
  bool apart;               /* a member is written by itself, or the record is made of values */
  bool listed;              /* all members are needed, or given, in their order */
  bool whole;               /* an expression needs a copy */
  bool kept;                /* a use needs the record itself */
  struct ir_var *vars[SCALAR_FIELDS];
};

struct scalar_replacing {
  struct draft *draft;
  struct code *code;
  struct scalar_type types[SCALAR_TYPES];
  unsigned type_count;
  struct scalar_record *records; /* by local of the kernel before the change */
  unsigned var_count;
  unsigned replaced;
};

/* The record that the expression names, parentheses and copies of it aside; NULL: none. */
struct scalar_record *scalar_record_of(struct scalar_replacing *, struct ir_expr *expr);
struct scalar_record *scalar_record_of_var(struct scalar_replacing *, const struct ir_var *var);
/* Is the expression the call that makes a vector of the type? Its arguments are the members in
 * order. */
bool scalar_makes(const struct scalar_type *, const struct ir_expr *expr);

/* Finds the locals that can be replaced; their records get a type (scalar_find.c). */
void scalar_find(struct scalar_replacing *, struct ir_stmt *body);
/* The body with locals for the members (scalar_build.c). */
struct ir_stmt *scalar_build(struct scalar_replacing *, struct ir_stmt *body);

#endif
