/* SPDX-License-Identifier: MIT */
/* reduce.h - operations whose operands may come in any order, as parts of a whole. */
#ifndef MESI_ANALYSIS_REDUCE_H
#define MESI_ANALYSIS_REDUCE_H

#include "translator/ir/ir_rewrite.h"

enum reduce_op {
  REDUCE_SUM,
  REDUCE_PRODUCT,
  REDUCE_MIN,
  REDUCE_MAX,
  REDUCE_AND,
  REDUCE_OR,
  REDUCE_XOR,
  REDUCE_COUNT,
  REDUCE_NONE = REDUCE_COUNT
};

/* Can a value of this type be split into parts? `floats`: floats may be added in another order. */
bool reduce_fits(enum reduce_op, const struct ir_type *type, bool floats);
bool reduce_repeats(enum reduce_op); /* may an operand be taken twice? */
/* The type of the parts: unsigned where a sum of signed parts might overflow. */
const struct ir_type *reduce_type(struct arena *, enum reduce_op, const struct ir_type *type);
/* The neutral value of SUM, PRODUCT, AND, OR and XOR, and of MIN and MAX of integers. */
struct ir_expr *reduce_neutral(struct arena *, enum reduce_op, const struct ir_type *type);
/* target op= value; `target` is of reduce_type. */
struct ir_stmt *reduce_into(struct arena *, enum reduce_op, struct ir_expr *target,
                            struct ir_expr *value);
/* converts the value where the types differ */
struct ir_expr *reduce_cast(struct arena *, const struct ir_type *type, struct ir_expr *value);

#endif
