/* SPDX-License-Identifier: MIT */
/* stride.c - products of symbols that are the strides of indices.
 *
 *     q[((b * T + t) * H + h) * D + i]   =>   b has the stride T * H * D, t has H * D, h has D
 *     T * H * D by H * D                 =>   T
 *
 * Factors are sorted by index, so that equal products have equal factors. Gives up: products of
 * more than STRIDE_FACTORS symbols.
 */
#include "analysis/sets/stride.h"

#include <string.h>

#include "analysis/sets/lower.h"
#include "runtime/seeded.h"

bool stride_same(struct symbol *const a[STRIDE_FACTORS], struct symbol *const b[STRIDE_FACTORS])
{
  bool same = true;

  for (unsigned i = 0; i < STRIDE_FACTORS && same; i++) same = a[i] == b[i];
  return same;
}

void stride_copy(struct symbol *to[STRIDE_FACTORS], struct symbol *const from[STRIDE_FACTORS])
{
  memcpy(to, from, STRIDE_FACTORS * sizeof *to);
}

unsigned stride_count(struct symbol *const stride[STRIDE_FACTORS])
{
  unsigned count = 0;

  while (count < STRIDE_FACTORS && stride[count]) count++;
  return count;
}

bool stride_times(struct symbol *stride[STRIDE_FACTORS], struct symbol *by)
{
  unsigned at = stride_count(stride);

  if (at == STRIDE_FACTORS) return false;
  for (; at > 0 && stride[at - 1]->index > by->index; at--) stride[at] = stride[at - 1];
  stride[at] = by;
  return true;
}

bool stride_quotient(struct symbol *const of[STRIDE_FACTORS],
                     struct symbol *const by[STRIDE_FACTORS], struct symbol *ret[STRIDE_FACTORS])
{
  unsigned next = 0, count = 0;

  memset(ret, 0, STRIDE_FACTORS * sizeof *ret);
  for (unsigned i = 0; i < STRIDE_FACTORS && of[i]; i++) {
    if (next < STRIDE_FACTORS && by[next] == of[i])
      next++;
    else
      ret[count++] = of[i];
  }
  return next == stride_count(by);
}

bool stride_has(struct symbol *const stride[STRIDE_FACTORS], const struct symbol *factor)
{
  bool has = false;

  for (unsigned i = 0; i < STRIDE_FACTORS && stride[i]; i++) has |= stride[i] == factor;
  return has;
}

struct ir_expr *stride_expr(struct symbols *symbols, struct ir_expr *expr,
                            struct symbol *const stride[STRIDE_FACTORS])
{
  unsigned count = stride_count(stride);

  if (count > 2 && SEEDED(THIRD_FACTOR_LOST)) count = 2;
  for (unsigned i = 0; i < count; i++) {
    struct ir_expr *factor = lower_symbol(symbols, stride[i]);
    if (!factor) return NULL;
    expr = expr ? ir_build_binary(symbols->arena, IR_OP_MUL, expr, factor) : factor;
  }
  return expr;
}
