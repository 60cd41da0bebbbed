/* SPDX-License-Identifier: MIT */
/* walk_operators.c - quotients, shifts and masks of the values that the walk finds.
 *
 *     i / 4, i % 4, i << 2, i & 3       =>   forms with divisions
 *     blockIdx.z / H, blockIdx.z % H    =>   symbols of the block
 *
 * Gives up: divisors and masks that are neither constants nor numbers of the block.
 */
#include "analysis/access/walk.h"

static bool non_negative(struct walk *w, const struct value *v)
{
  return v->aff && value_within(w->symbols, v, w->domain, isl_val_zero(w->symbols->ctx), NULL);
}

/* Is the form a number of blockIdx.z whose quotients need no relation to it? */
static bool is_layer_apart(struct walk *w, isl_pw_aff *form)
{
  const struct symbol *z = symbol_of_builtin(w->symbols, IR_BLOCK_IDX + 2);
  isl_space *space = w->symbols->facts->layers_apart ? isl_pw_aff_get_domain_space(form) : NULL;
  bool apart = space && isl_space_dim(space, isl_dim_param) > 0;

  for (int i = 0; apart && i < isl_space_dim(space, isl_dim_param); i++)
    apart = symbol_of_param(space, (unsigned)i) == z;
  isl_space_free(space);
  return apart;
}

struct value walk_divided(struct walk *w, enum ir_op op, struct value a, struct value b,
                          const struct ir_type *type)
{
  int64_t by;

  bool known = value_constant(&b, &by) && by > 0;
  if (!known || (a.aff && is_layer_apart(w, a.aff))) {
    struct symbol *symbol =
        a.term_count || b.term_count
            ? NULL
            : symbol_of_quotient(w->symbols, a.aff, b.aff, op == IR_OP_REM, type);
    value_free(&a);
    value_free(&b);
    return symbol ? value_take(symbol_aff(w->symbols, symbol)) : (struct value){0};
  }
  value_free(&b);
  bool positive = non_negative(w, &a);
  return op == IR_OP_DIV ? value_div(a, by, positive) : value_rem(a, by, positive);
}

struct value walk_shifted(enum ir_op op, struct value a, struct value b)
{
  int64_t by;
  bool known = value_constant(&b, &by) && by >= 0 && by < 31;

  value_free(&b);
  if (!known) {
    value_free(&a);
    return a;
  }
  return op == IR_OP_SHL ? value_scale(a, INT64_C(1) << by) : value_floor_div(a, INT64_C(1) << by);
}

struct value walk_masked(struct walk *w, struct value a, struct value b)
{
  int64_t mask;

  if (!value_constant(&b, &mask)) {
    struct value swap = a;
    a = b;
    b = swap;
  }
  if (!value_constant(&b, &mask) || mask < 0 || mask > INT32_MAX) {
    value_free(&a);
    value_free(&b);
    return (struct value){0};
  }
  value_free(&b);
  if ((mask & (mask + 1)) == 0 && a.aff && !a.term_count) return value_mod(a, mask + 1);
  value_free(&a);
  return walk_between(w, 0, mask);
}
