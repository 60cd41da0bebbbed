/* SPDX-License-Identifier: MIT */
/* ragged_time.c - the share of the model for ranges of neighbouring threads.
 *
 *     sum += val[j] * x[col[j]], ranges of 32 elements       cycles of the load/store unit, a warp
 *       as written: val and col in 32 lines each, x anywhere           16 + 16 + 16
 *       in chunks: neighbours of val and col, x anywhere, two copies   2.5 + 2.5 + 16 + 2 * 2.7
 *
 * As written, the threads of a warp ask for elements that are as far apart as their ranges are
 * long: below 128 bytes several of them are in one line. Nothing is known of the ranges when the
 * code is planned: the gain is for ranges of one length.
 */
#include <math.h>

#include "analysis/transform/ragged_stage/ragged_time.h"
#include "translator/base/diag.h"

/* Cycles: of a warp's request whose elements are in 32 lines, or anywhere; of a request of a
 * copy. */
#define APART 16.0
#define STAGED_LOAD 2.7
/* Bytes between neighbours from which on each of them is in a line of its own. */
#define LINE 128.0

struct counting {
  struct code *code;
  double length; /* of a range, elements */
  double near;   /* loads of neighbours by the copying threads; cycles of these loads as written */
  double written;
  double far; /* cycles of other loads, whichever thread makes them */
};

struct load_search {
  const struct ir_expr *whole;
  bool found;
};

static void note_inner(struct ir_expr *expr, void *context)
{
  struct load_search *s = context;
  s->found |= expr != s->whole && ragged_is_element(expr);
}

/* A load of a copied element: by the iterator alone, or by what another load gives. */
static void note_load(struct ir_expr *expr, void *context)
{
  struct counting *c = context;
  struct load_search inner = {expr, false};

  if (!ragged_is_element(expr)) return;
  ir_visit_expr(expr, note_inner, &inner);
  if (inner.found || expr->type->size <= 0) {
    c->far += APART;
    return;
  }
  c->near += MODEL_NEIGHBOURS;
  c->written +=
      fmax(MODEL_NEIGHBOURS, APART * fmin(1, c->length * (double)expr->type->size / LINE));
}

static void note_left(struct ir_expr *expr, void *context)
{
  struct counting *c = context;
  const struct code_access *found = code_access_of(c->code, expr);

  if (found)
    c->far += model_request(&c->code->symbols, found->access);
  else if (ragged_is_element(expr))
    c->far += APART;
}

/* Cycles of the load/store unit for a warp's iteration, as written and in chunks. */
static void requests(struct code *code, const struct ragged *r, double length, double *ret_written,
                     double *ret_staged)
{
  struct counting c = {.code = code, .length = length};
  const struct strip *strip = &r->strip;

  for (unsigned i = 0; i < strip->array_count; i++) {
    struct counting one = {.code = code, .length = length};
    ir_visit_expr(strip->arrays[i].element, note_load, &one);
    double count = fmax(1, strip->arrays[i].count);
    c.near += one.near * (double)strip->arrays[i].row_trips;
    c.written += one.written * count;
    c.far += one.far * count;
  }
  ir_visit_stmt_exprs(r->seen, note_left, &c);
  *ret_written = c.written + c.far;
  *ret_staged = c.near + c.far + STAGED_LOAD * (double)strip->access_count;
}

double ragged_gain(struct code *code, const struct ragged *r, double length)
{
  double written, staged;

  requests(code, r, length, &written, &staged);
  return staged > 0 ? written / staged : 0;
}
