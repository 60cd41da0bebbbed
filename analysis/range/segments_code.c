/* SPDX-License-Identifier: MIT */
/* segments_code.c - the base and the positions of segments in the kernel's arithmetic.
 *
 *     v[b[p] + t[threadIdx.x] - 2]    =>  base mesi_element(b, p, begin, end),
 *         position t[threadIdx.x] - 2
 *
 * A position is the index as written without the addends of the base, if the base consists of such
 * addends. Else it is built from its symbols. Requires: a base. Produces: device arithmetic. Gives
 * up: indices with effects, symbols without a form.
 */
#include "analysis/sets/lower.h"
#include "analysis/range/segments.h"
#include "translator/ir/ir_rewrite.h"

/* ---- bases ---- */

static struct ir_expr *call(struct arena *arena, const char *name, const struct ir_type *type,
                            unsigned count)
{
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);

  expr->kind = IR_EXPR_CALL;
  expr->id = UINT32_MAX;
  expr->type = type;
  expr->text = name;
  expr->operands = arena_alloc(arena, count * sizeof *expr->operands);
  expr->operand_count = count;
  return expr;
}

struct ir_expr *segment_table_index(struct segmenting *r, const struct value *index)
{
  struct ir_expr *sum = NULL;

  for (unsigned t = 0; t <= index->term_count; t++) {
    struct ir_expr *expr = lower_wide(r->symbols, t ? index->terms[t - 1].coefficient : index->aff);
    if (!expr) return NULL;
    sum = segment_sum(r, sum, t ? segment_times(r, expr, index->terms[t - 1].stride) : expr);
  }
  return sum;
}

/* The first and the last element of the object behind a parameter, and the bit of the launch's
 * value. */
static bool extents(struct segmenting *r, struct ir_var *var, const struct ir_type *element,
                    struct ir_expr *ret[2])
{
  for (unsigned which = 0; which < 2; which++) {
    struct symbol *symbol = symbol_of_launch(r->symbols, var, element, true, which);
    if (!symbol) return false;
    r->c->values |= 1u << symbol->var->value / 2;
    ret[which] = lower_symbol(r->symbols, symbol);
  }
  return true;
}

static const struct ir_type unsigned_word = {
    .kind = IR_TYPE_INT, .spelling = "unsigned", .size = 4, .align = 4, .extent = -1};

static struct ir_expr *lower_element(struct segmenting *r, const struct symbol *symbol)
{
  struct arena *arena = r->symbols->arena;
  struct ir_expr *index = segment_table_index(r, symbol->read.index), *ends[2];

  if (!index || symbol->read.element->size > 4 ||
      !extents(r, symbol->read.table, symbol->read.element, ends))
    return NULL;
  if (symbol->read.wraps) index = ir_build_cast(arena, &unsigned_word, index);
  struct ir_expr *expr = call(arena, "mesi_element", lower_int_type(arena, true), 4);
  expr->operands[0] = ir_build_var(arena, symbol->read.table);
  expr->operands[1] = index;
  expr->operands[2] = ends[0];
  expr->operands[3] = ends[1];
  return expr;
}

/* Parameter `i` of the form, and what it is multiplied by; NULL: it is not part of the form. */
static const struct symbol *symbol_at(isl_aff *aff, int i, int64_t *ret_by)
{
  isl_space *space = isl_aff_get_domain_space(aff);
  const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
  isl_val *val = isl_aff_get_coefficient_val(aff, isl_dim_param, i);

  *ret_by = isl_val_get_num_si(val);
  isl_space_free(space);
  isl_val_free(val);
  return *ret_by ? symbol : NULL;
}

static struct ir_expr *multiplied(struct arena *arena, struct ir_expr *term, int64_t by)
{
  return term && by != 1 ? ir_build_binary(arena, IR_OP_MUL, term, ir_build_int(arena, by)) : term;
}

/* Lowers a sum of symbols; tables are read within their objects. NULL: it has no form. */
static struct ir_expr *lower_base(struct segmenting *r, isl_pw_aff *form)
{
  struct arena *arena = r->symbols->arena;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  struct ir_expr *sum = NULL;
  bool failed = false;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param) && !failed; i++) {
    int64_t by;
    const struct symbol *symbol = symbol_at(aff, i, &by);
    if (!symbol) continue;
    struct ir_expr *term =
        symbol->kind == SYMBOL_UNKNOWN
            ? lower_element(r, symbol)
            : ir_build_cast(arena, lower_int_type(arena, true), lower_symbol(r->symbols, symbol));
    failed = !term;
    term = multiplied(arena, term, by);
    sum = failed ? NULL : sum ? ir_build_binary(arena, IR_OP_ADD, sum, term) : term;
  }
  isl_aff_free(aff);
  return failed ? NULL : sum ? sum : ir_build_int(arena, 0);
}

static struct symbol *table_at(struct segmenting *r, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < r->symbols->tables.count; i++)
    if (ir_strip((struct ir_expr *)r->symbols->tables.items[i].expr) == expr)
      return r->symbols->tables.items[i].symbol;
  return NULL;
}

/* `expr` without the addends that are tables of the base, which are subtracted from `left`. NULL:
 * nothing is left. */
static struct ir_expr *without_base(struct segmenting *r, struct ir_expr *expr, isl_pw_aff **left)
{
  struct ir_expr *bare = ir_strip(expr);

  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_ADD) {
    struct ir_expr *a = without_base(r, bare->operands[0], left),
                   *b = without_base(r, bare->operands[1], left);
    if (a == bare->operands[0] && b == bare->operands[1]) return expr;
    return a && b ? ir_build_binary(r->symbols->arena, IR_OP_ADD, a, b) : a ? a : b;
  }
  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_SUB) {
    struct ir_expr *a = without_base(r, bare->operands[0], left);
    if (a == bare->operands[0]) return expr;
    return a ? ir_build_binary(r->symbols->arena, IR_OP_SUB, a, bare->operands[1])
             : ir_build_unary(r->symbols->arena, IR_OP_NEG, bare->operands[1]);
  }
  struct symbol *symbol = table_at(r, bare);
  if (!symbol || !segment_in_base(r, symbol)) return expr;
  *left = isl_pw_aff_sub(*left, symbol_aff(r->symbols, symbol));
  return NULL;
}

/* The position in the index as written, if the base's tables are addends in it. */
static struct ir_expr *written_position(struct segmenting *r, const struct access *access)
{
  struct value rest = {.aff = isl_pw_aff_copy(r->base)};
  int64_t constant = 1;

  struct ir_expr *expr = access->source[0] ? without_base(r, access->source[0], &rest.aff) : NULL;
  bool all = access->source[0] && value_constant(&rest, &constant) && !constant;
  value_free(&rest);
  if (!all) return NULL;
  return expr ? expr : ir_build_int(r->symbols->arena, 0);
}

/* The position built from its symbols; tables are read once more. */
static struct ir_expr *formed_position(struct segmenting *r, unsigned i)
{
  struct arena *arena = r->symbols->arena;
  isl_pw_aff *form = segment_position(r, i),
             *plain = segment_part(r, form, segment_is_no_table, true);
  isl_aff *aff = isl_pw_aff_as_aff(form);
  plain = isl_pw_aff_add_constant_val(plain, isl_aff_get_constant_val(aff));
  struct ir_expr *sum = lower_index(r->symbols, plain);

  for (int k = 0; k < isl_aff_dim(aff, isl_dim_param) && sum; k++) {
    int64_t by;
    const struct symbol *symbol = symbol_at(aff, k, &by);
    if (!symbol || symbol->kind != SYMBOL_UNKNOWN) continue;
    struct ir_expr *index = symbol->from_table && symbol->read.index->aff
                                ? segment_table_index(r, symbol->read.index)
                                : NULL;
    struct ir_expr *term =
        index ? ir_build_index(arena, ir_build_var(arena, symbol->read.table), index) : NULL;
    term = multiplied(arena, term, by);
    sum = term ? segment_sum(r, sum, term) : NULL;
  }
  isl_aff_free(aff);
  isl_pw_aff_free(plain);
  return sum;
}

static struct ir_expr *lower_position(struct segmenting *r, unsigned i)
{
  const struct access *access = &r->c->array->accesses.items[i];
  struct ir_expr *expr = access->has_effects ? NULL : written_position(r, access);

  if (!expr && !access->has_effects) expr = formed_position(r, i);
  if (!expr) return NULL;
  struct arena *arena = r->symbols->arena;
  struct ir_expr *segment =
      r->segment ? ir_build_var(arena, r->segment->var) : ir_build_int(arena, 0);
  struct ir_expr *shift = ir_build_index(
      arena, ir_build_var(arena, segment_launch_var(r, "shift", SEGMENT_SHIFT)), segment);
  return ir_build_binary(arena, IR_OP_ADD, shift, expr);
}

bool segment_positions(struct segmenting *r)
{
  unsigned count = r->c->array->accesses.count;

  r->c->positions = arena_alloc(r->symbols->arena, (count + 1) * sizeof *r->c->positions);
  for (unsigned i = 0; i < count; i++) {
    r->c->positions[i] = lower_position(r, i);
    if (!r->c->positions[i]) {
      candidate_reject(r->c, &r->c->array->accesses.items[i].place,
                       "its index is no sum of a base and a position in the source");
      return false;
    }
  }
  return true;
}

bool segment_base(struct segmenting *r, struct segmentation *out)
{
  struct ir_expr *ends[2];

  if (r->outer) {
    const struct nest_level *nest = r->nest[r->outer - 1];
    out->loop = nest->stmt;
    out->iterator = nest->symbol->var;
    out->from = nest->from;
    out->step = nest->step;
    isl_pw_aff *changing = segment_part(r, r->base, segment_stays, false);
    out->changing = lower_base(r, changing);
    isl_pw_aff_free(changing);
  }
  out->base = lower_base(r, r->base);
  if (!out->base || (r->outer && !out->changing) ||
      !extents(r, r->c->array->var, r->c->array->element, ends))
    return false;
  out->begin = ends[0];
  out->end = ends[1];
  return true;
}
