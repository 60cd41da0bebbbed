/* SPDX-License-Identifier: MIT */
/* stride_legal.c - may the iterations of a thread run in any order, or at once?
 *
 * Yes, where they hand nothing on: no local from outside of the body is written, no iteration ends
 * the loop, and the elements of written arrays are an iteration's own. All accesses to such an
 * array have one index, which is a sum of the iterators and of numbers of the launch that differs
 * from iteration to iteration:
 *
 *     c[row * n + col], for col < n; c[row * 1024 + col], for col < 1024; c[4 * i + 1]; c[row][col]
 *
 * Numbers without a sign, and of 64 bits, may wrap around: there a distance has to be odd, or so
 * short that no thread's iterations come to a multiple of 2^32. Other arrays must be apart from
 * written ones. */
#include "analysis/code/polynomial.h"
#include "analysis/code/shape_linear.h"
#include "analysis/transform/stride_loops/stride_loops.h"
#include "runtime/seeded.h"

enum {
  MOST_APART = 1 << 16, /* elements between two of a thread's few iterations */
  MOST_SIDE = 32767     /* two such numbers have a product that does not wrap around */
};

struct checking {
  struct code *code;
  struct stride_nest *nest;
  bool wraps;                         /* the index that is looked at may wrap around */
  LIST_OF(const struct ir_var *) own; /* locals of the body */
  bool failed;
};

/* ---- statements and locals ---- */

static bool note_own(struct ir_stmt *stmt, void *context)
{
  struct checking *c = context;

  if (stmt->kind == IR_STMT_DECL) *ARENA_PUSH(c->code->arena, &c->own) = stmt->var;
  if (stmt->kind == IR_STMT_FOR && stmt->loop && stmt->loop->declared)
    *ARENA_PUSH(c->code->arena, &c->own) = stmt->loop->iterator;
  c->failed |= stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_GOTO ||
               stmt->kind == IR_STMT_LABEL || stmt->kind == IR_STMT_SWITCH ||
               stmt->kind == IR_STMT_OPAQUE;
  return true;
}

/* Does a jump leave the body, which is in no loop of its own? */
static bool jumps(struct ir_stmt *stmt)
{
  struct ir_stmt **below;
  bool found = stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE;

  if (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO)
    return false;
  for (unsigned i = 0; (below = ir_below(stmt, i)); i++)
    if (*below) found |= jumps(*below);
  return found;
}

/* Are locals from outside of the body constants, as far as the body goes? */
static void note_var(struct ir_expr *expr, void *context)
{
  struct checking *c = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;

  if (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
      expr->effect != IR_EFFECT_LOAD)
    c->failed |= !effects_pure(c->code->effects, expr);
  if (!var || var->kind != IR_VAR_LOCAL) return;
  for (unsigned i = 0; i < c->own.count; i++)
    if (c->own.items[i] == var) return;
  bool iterator = false;
  for (unsigned i = 0; i < c->nest->count; i++)
    iterator |= c->nest->levels[i].loop->loop->iterator == var;
  c->failed |= !iterator && (var->write_count > 1 || var->type->kind != IR_TYPE_INT);
}

/* ---- elements ---- */

static const struct ir_var *iterator_of(const struct stride_nest *nest, unsigned level)
{
  return nest->levels[level].loop->loop->iterator;
}

/* Takes the terms with the iterator from `p`. *ret: its factor. False: there is a power of it. */
static bool take_iterator(struct polynomial *p, const struct ir_var *iterator,
                          struct polynomial *ret)
{
  struct polynomial rest = polynomial_constant(0);

  *ret = polynomial_constant(0);
  for (unsigned i = 0; i < p->count; i++) {
    struct polynomial_term term = p->terms[i];
    unsigned kept = 0;
    for (unsigned k = 0; k < term.factor_count; k++)
      if (term.factors[k]->kind != IR_EXPR_VAR || term.factors[k]->var != iterator)
        term.factors[kept++] = term.factors[k];
    unsigned found = term.factor_count - kept;
    if (found > 1) return false;
    term.factor_count = kept;
    struct polynomial one = {.known = true, .count = 1, .terms = {term}}, *to = found ? ret : &rest;
    *to = polynomial_sum(to, &one, 1);
  }
  *p = rest;
  return ret->known && rest.known;
}

/* Is each factor one number for all iterations of a thread? */
static bool is_fixed(const struct polynomial *p)
{
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; k < p->terms[i].factor_count; k++) {
      const struct ir_expr *factor = p->terms[i].factors[k];
      bool param = factor->kind == IR_EXPR_VAR && factor->var->kind == IR_VAR_PARAM &&
                   !factor->var->write_count;
      if (!param && factor->kind != IR_EXPR_BUILTIN) return false;
    }
  return true;
}

static int64_t number_of(const struct polynomial *p)
{
  return p->count == 1 && !p->terms[0].factor_count ? p->terms[0].coefficient : 0;
}

/* Is the distance no number but 0, as far as a launch can be asked? */
static bool ask_distance(struct checking *c, const struct polynomial *distance)
{
  struct arena *arena = c->code->arena;

  if (!c->nest->asks || distance->count != 1 ||
      (c->wraps && (!c->nest->few || distance->terms[0].factor_count > 1 ||
                    distance->terms[0].coefficient > MOST_APART / MOST_THREADS ||
                    distance->terms[0].coefficient < 0)))
    return false;
  for (unsigned i = 0; i < distance->terms[0].factor_count; i++) {
    const struct ir_expr *factor = distance->terms[0].factors[i];
    bool size = factor->kind == IR_EXPR_BUILTIN && factor->value >= IR_BLOCK_DIM &&
                (!c->wraps || factor->value < IR_GRID_DIM);
    if (size) continue; /* of a block or a grid */
    if (factor->kind != IR_EXPR_VAR || (c->wraps && !SEEDED(DISTANCE_WRAPS))) return false;
    struct ir_expr *apart =
        ir_build_binary(arena, IR_OP_NE, ir_build_var(arena, factor->var), ir_build_int(arena, 0));
    c->nest->distances =
        c->nest->distances ? ir_build_binary(arena, IR_OP_LAND, c->nest->distances, apart) : apart;
  }
  return true;
}

/* Is the number of elements between two iterations so that none meet? */
static bool is_apart(const struct checking *c, int64_t distance)
{
  bool odd = distance % 2 != 0, few = c->nest->few;

  return distance &&
         (!c->wraps || odd || (few && distance <= MOST_APART && distance >= -MOST_APART));
}

/* Is it a number of at most MOST_SIDE in each launch? */
static bool is_side(const struct checking *c, const struct polynomial *p)
{
  const struct kernel_facts *facts = &c->code->facts;
  int64_t number = number_of(p);

  if (number) return number > 0 && number <= MOST_SIDE;
  if (p->count != 1 || p->terms[0].coefficient != 1 || p->terms[0].factor_count != 1) return false;
  const struct ir_expr *factor = p->terms[0].factors[0];
  if (factor->kind != IR_EXPR_VAR) return false;
  for (unsigned i = 0; i < facts->kernel->param_count; i++)
    if (facts->kernel->params[i] == factor->var)
      return facts->scalars[i].bounded && facts->scalars[i].low >= 0 &&
             facts->scalars[i].high <= MOST_SIDE;
  return false;
}

/* Do all rows together end before an index wraps around? */
static bool is_short(const struct checking *c)
{
  for (unsigned i = 0; i < c->nest->count; i++) {
    struct polynomial length = polynomial_of(c->nest->levels[i].bound);
    if (!length.known || !is_side(c, &length)) return false;
  }
  return true;
}

/* Has each iteration an element of its own? With two loops, one of them goes through a row whose
 * length is the other's stride, or is not beyond it. */
static bool is_own(struct checking *c, struct ir_expr *index)
{
  struct ir_expr *resolved = code_resolve(c->code, index);
  struct polynomial p = resolved ? polynomial_of(resolved) : (struct polynomial){.known = false},
                    factors[2];

  if (!p.known) return false;
  for (unsigned i = 0; i < c->nest->count; i++)
    if (!take_iterator(&p, iterator_of(c->nest, i), &factors[i]) || !is_fixed(&factors[i]))
      return false;
  if (!is_fixed(&p)) return false;
  if (c->nest->count == 1)
    return number_of(&factors[0]) ? is_apart(c, number_of(&factors[0]))
                                  : ask_distance(c, &factors[0]);
  if (c->wraps && !is_short(c)) return false;
  for (unsigned row = 0; row < 2; row++) {
    struct polynomial length = polynomial_of(c->nest->levels[!row].bound);
    if (number_of(&factors[!row]) != 1 || !length.known) continue;
    int64_t stride = number_of(&factors[row]), most = number_of(&length);
    if (polynomial_same(&factors[row], &length) ||
        (most > 0 && stride >= most && (!c->wraps || stride <= MOST_SIDE)) ||
        SEEDED(STRIDE_ROWS_ASSUMED))
      return true;
  }
  return false;
}

/* Does the index along one of several dimensions grow with this iterator alone? */
static bool is_along(struct checking *c, struct ir_expr *index, unsigned level)
{
  struct ir_expr *resolved = index ? code_resolve(c->code, index) : NULL;
  struct polynomial p = resolved ? polynomial_of(resolved) : (struct polynomial){.known = false},
                    factor;
  bool is = p.known;

  for (unsigned i = 0; i < c->nest->count && is; i++)
    is = take_iterator(&p, iterator_of(c->nest, i), &factor) && is_fixed(&factor) &&
         (i == level ? is_apart(c, number_of(&factor)) : !factor.count);
  return is && is_fixed(&p);
}

/* The same for an element of an array with several dimensions: each iterator has one of its own. */
static bool is_own_of_dimensions(struct checking *c, const struct access *access)
{
  unsigned along = 0;

  for (unsigned i = 0; i < c->nest->count; i++)
    for (unsigned d = 0, found = false; d < access->dim_count && !found; d++)
      along += found = is_along(c, access->source[d], i);
  return along == c->nest->count;
}

/* Have both accesses one index? */
static bool same_element(struct checking *c, const struct access *a, const struct access *b)
{
  if (a->dim_count != b->dim_count) return false;
  for (unsigned d = 0; d < a->dim_count; d++) {
    struct ir_expr *x = a->source[d] ? code_resolve(c->code, a->source[d]) : NULL,
                   *y = b->source[d] ? code_resolve(c->code, b->source[d]) : NULL;
    if (!x || !y) return false;
    struct polynomial p = polynomial_of(x), q = polynomial_of(y);
    if (!p.known || !q.known || !polynomial_same(&p, &q)) return false;
  }
  return true;
}

static bool check_written(struct checking *c, const struct array *array)
{
  const struct kernel_access *access = &c->code->access;

  for (unsigned i = 0; i < access->arrays.count; i++)
    if (access->arrays.items[i] != array && !code_disjoint(c->code, array, access->arrays.items[i]))
      return false;
  if (!array->accesses.count || !array->dim_count) return false;
  const struct access *first = &array->accesses.items[0];
  if (first->dim_count != array->dim_count) return false;
  c->wraps = false;
  for (unsigned i = 0; i < array->accesses.count; i++) c->wraps |= array->accesses.items[i].wide;
  if (array->dim_count > 1 ? !is_own_of_dimensions(c, first)
                           : !first->source[0] || !is_own(c, first->source[0]))
    return false;
  for (unsigned i = 1; i < array->accesses.count; i++)
    if (!same_element(c, first, &array->accesses.items[i])) return false;
  return true;
}

bool stride_legal(struct code *code, struct stride_nest *nest)
{
  struct checking c = {.code = code, .nest = nest};
  const struct kernel_access *access = &code->access;

  ir_visit_stmts(nest->body, note_own, &c);
  ir_visit_stmt_exprs(nest->body, note_var, &c);
  if (c.failed || jumps(nest->body)) return false;
  code_scan(code);
  if (access->unknown_read || access->unknown_write || access->atomics.count || access->lost.count)
    return false;
  for (unsigned i = 0; i < access->arrays.count; i++)
    if (access->arrays.items[i]->written && !check_written(&c, access->arrays.items[i]))
      return false;
  return !code_exhausted(code);
}
