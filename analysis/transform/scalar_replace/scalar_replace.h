/* SPDX-License-Identifier: MIT */
/* scalar_replace.h - locals that are records, such as sums in a float3, become locals of their
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

/* A type of records that are candidates, and the members that are known of it. */
struct scalar_type {
  const struct ir_type *type;
  bool is_vector;  /* one of CUDA's, float2 to double4: made by make_..., members x, y, z, w */
  bool is_covered; /* the fields, in the order of their offsets, are all of it */
  struct scalar_field fields[SCALAR_FIELDS];
  unsigned count;
};

struct scalar_record {      /* by local */
  struct scalar_type *type; /* NULL: it is no candidate */
  bool apart;               /* a member is written by itself, or it is made of values */
  bool listed;              /* all of its members are wanted, or given, in their order */
  bool whole;               /* a copy is wanted, in an expression */
  bool kept;                /* it is used in a way that needs the record */
  struct ir_var *vars[SCALAR_FIELDS];
};

struct scalar_replacing {
  struct draft *draft;
  struct code *code;
  struct scalar_type types[SCALAR_TYPES];
  unsigned type_count;
  struct scalar_record *records; /* by local of the kernel as it was */
  unsigned var_count;
  unsigned replaced;
};

/* The record that the expression names, parentheses and copies of it aside; NULL: none. */
struct scalar_record *scalar_record_of(struct scalar_replacing *, struct ir_expr *expr);
struct scalar_record *scalar_record_of_var(struct scalar_replacing *, const struct ir_var *var);
/* Arguments of the call that makes a vector of the type, in the order of its members. */
bool scalar_makes(const struct scalar_type *, const struct ir_expr *expr);

/* Which locals can be replaced (scalar_find.c): their records have a type. */
void scalar_find(struct scalar_replacing *, struct ir_stmt *body);
/* The body with locals of the members in their place (scalar_build.c). */
struct ir_stmt *scalar_build(struct scalar_replacing *, struct ir_stmt *body);

#endif
