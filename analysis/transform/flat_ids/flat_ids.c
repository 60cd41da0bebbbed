/* SPDX-License-Identifier: MIT */
/* flat_ids.c - ids that are taken apart become an id along each axis.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i >= n * m) return;
 *     int y = i / n, x = i % n;
 *     out[i] = f(x, y);
 *   =>
 *     int d0 = blockIdx.x * blockDim.x + threadIdx.x,        n elements along x,
 *         d1 = blockIdx.y * blockDim.y + threadIdx.y;        as many along y as threads need
 *     if (d0 >= n) return;
 *     if (d1 >= m) return;
 *     out[d1 * n + d0] = f(d0, d1);
 *
 * Digit 0 lies along x, one other along y; the rest of them share z. draft->way says which one lies
 * along y. A comparison of the id with a number that the digits' places divide becomes one of the
 * last digit. The launch computes the elements along each axis from its arguments and its threads,
 * and takes the kernel as written where a size is 0 or less, the threads end within a row that the
 * kernel does not cut off itself, or the grid has more than one dimension.
 * Requires: an id along x alone; all arguments can be evaluated twice. Produces: code in the new
 * ids, whose facts follow, and draft->extents. Gives up: another use of indices or of the launch's
 * shape is left; the parts are no digits of one number; rows of a few elements.
 */
#include "analysis/transform/flat_ids/flat_ids.h"

#include "analysis/code/renew.h"
#include "analysis/code/shape_free.h"
#include "analysis/transform/flat_ids/flat_digits.h"
#include "runtime/seeded.h"

enum { LEAST_ROW = 64 }; /* elements, where their number is constant */

/* ---- the axes ---- */

/* The digit along y, the one next to the rows first; the others but digit 0 share z. */
static unsigned digit_along_y(unsigned way) { return 1 + way; }

static struct ir_expr *id_along(struct arena *arena, int axis)
{
  if (axis == 2)
    return ir_build_cast(arena, ir_int_type(), ir_build_builtin(arena, IR_BLOCK_IDX + 2));
  return shape_global_id(arena, axis);
}

static struct ir_stmt *declare(struct flat_digits *f, unsigned digit, struct ir_expr *value)
{
  struct ir_var *var = code_local(f->code, "_digit", ir_int_type());

  var->init = value;
  var->write_count = 1;
  f->digits[digit] = var;
  return ir_build_decl(f->code->arena, var, value);
}

/* The digits that share z, the lower ones first: z % s, z / s % t, z / s / t. */
static void declare_along_z(struct flat_digits *f, unsigned along_y, struct ir_list *out)
{
  struct arena *arena = f->code->arena;
  struct ir_expr *rest = id_along(arena, 2);
  unsigned last = f->count - 1 == along_y ? f->count - 2 : f->count - 1;

  for (unsigned i = 1; i <= last; i++) {
    if (i == along_y) continue;
    if (i == last) {
      ir_list_add(arena, out, declare(f, i, rest));
      return;
    }
    struct ir_expr *size = polynomial_expr(arena, &f->sizes[i]);
    ir_list_add(arena, out, declare(f, i, ir_build_binary(arena, IR_OP_REM, rest, size)));
    rest = ir_build_binary(arena, IR_OP_DIV, rest, size);
  }
}

static struct ir_stmt *leave_from(struct arena *arena, struct ir_var *digit,
                                  const struct polynomial *size)
{
  struct ir_stmt *leave = ARENA_NEW(arena, struct ir_stmt);

  *leave = (struct ir_stmt){.kind = IR_STMT_RETURN, .id = UINT32_MAX};
  return ir_build_if(
      arena,
      ir_build_binary(arena, IR_OP_GE, ir_build_var(arena, digit), polynomial_expr(arena, size)),
      leave);
}

static struct extents *extents_of(struct flat_digits *f, unsigned along_y)
{
  struct arena *arena = f->code->arena;
  struct extents *ret = ARENA_NEW(arena, struct extents);
  struct polynomial deep = polynomial_constant(1);
  bool shared = false;

  *ret = (struct extents){.derived = along_y == f->count - 1 ? 1 : 2, .divisions = f->count - 1};
  ret->along[0] = flat_wide(arena, &f->sizes[0]);
  if (ret->derived == 2) ret->along[1] = flat_wide(arena, &f->sizes[along_y]);
  for (unsigned i = 1; i + 1 < f->count; i++) {
    if (i == along_y) continue;
    deep = polynomial_product(&deep, &f->sizes[i]);
    shared = true;
  }
  if (shared) ret->along[2] = flat_wide(arena, &deep);
  return ret;
}

/* ---- the body ---- */

struct rewriting {
  struct flat_digits *digits;
  bool left; /* an index that is no digit */
};

/* id / a < b  =>  last digit < b * a / (the last digit's place); NULL: it is no such comparison, or
 * leaves a remainder */
static struct ir_expr *compared(struct flat_digits *f, struct ir_expr *expr)
{
  bool less = expr->op == IR_OP_LT || expr->op == IR_OP_GE,
       more = expr->op == IR_OP_GT || expr->op == IR_OP_LE;

  if (expr->kind != IR_EXPR_BINARY || (!less && !more)) return NULL;
  struct flat_part part = flat_part_of(f, expr->operands[more]);
  struct polynomial bound, all, size;
  if (!part.known || part.bounded || !flat_host_number(f, expr->operands[less], &bound))
    return NULL;
  all = polynomial_product(&bound, &part.low);
  if (!all.known || !polynomial_quotient(&all, &f->places[f->count - 1], &size)) return NULL;
  struct arena *arena = f->code->arena;
  if (f->limit.known && /* all elements are below it */
      (polynomial_same(&f->limit, &all) || SEEDED(FLAT_LIMIT_ASSUMED)))
    return ir_build_int(arena, expr->op == IR_OP_LT || expr->op == IR_OP_GT);
  struct ir_expr *last = ir_build_var(arena, f->digits[f->count - 1]),
                 *end = polynomial_expr(arena, &size);
  struct ir_expr *ret = ir_build_binary(arena, expr->op, less ? last : end, less ? end : last);
  ret->place = expr->place;
  return ret;
}

static struct ir_expr *replace_part(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct rewriting *w = r->context;
  struct flat_digits *f = w->digits;

  if (expr->kind == IR_EXPR_BUILTIN) w->left |= expr->value != IR_WARP_SIZE;
  if (expr->kind == IR_EXPR_VAR || expr->kind == IR_EXPR_BUILTIN) return NULL;
  struct ir_expr *comparison = compared(f, expr);
  if (comparison) return comparison;
  struct flat_part part = flat_part_of(f, expr);
  struct ir_expr *digits = part.known ? flat_part_expr(f, &part) : NULL;
  if (!digits) return NULL;
  struct ir_expr *ret = ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), digits);
  ret->place = expr->place;
  return ret;
}

static void note_index(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE;
}

/* The body without conditions that are constants. */
static struct ir_stmt *settled(struct arena *arena, struct ir_stmt *stmt)
{
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;
  static struct ir_stmt nothing = {.kind = IR_STMT_NULL, .id = UINT32_MAX};
  int64_t value;

  for (unsigned i = 0; (below = ir_below(copy, i)); i++)
    if (*below) *below = settled(arena, *below);
  if (copy->kind != IR_STMT_IF || copy->expr->kind != IR_EXPR_INT ||
      !ir_constant(copy->expr, &value))
    return copy;
  struct ir_stmt *taken = value ? copy->body : copy->else_body;
  return taken ? taken : &nothing;
}

/* The body in digits; NULL: an index is left. */
static struct ir_stmt *in_digits(struct flat_digits *f, struct ir_stmt *body)
{
  struct rewriting w = {.digits = f};
  struct ir_rewriter rewriter = {f->code->arena, replace_part, &w};
  bool left = false;

  body = settled(f->code->arena, ir_rewrite_stmt(&rewriter, body));
  body = code_without_unused(f->code->arena, body);
  ir_visit_stmt_exprs(body, note_index, &left);
  return left ? NULL : body;
}

/* ---- threads that do nothing ---- */

static bool is_return(const struct ir_stmt *stmt)
{
  if (stmt && stmt->kind == IR_STMT_BLOCK && stmt->child_count == 1) stmt = stmt->children[0];
  return stmt && stmt->kind == IR_STMT_RETURN;
}

/* Sets f->limit to the number from which on the condition on the id is (`op` GE) or is not (LT)
 * met. False: there is none. */
static bool limit_in(struct flat_digits *f, struct ir_expr *condition, enum ir_op op)
{
  struct ir_expr *expr = ir_strip(condition);

  if (expr->kind != IR_EXPR_BINARY) return false;
  if (expr->op == (op == IR_OP_GE ? IR_OP_LOR : IR_OP_LAND))
    return limit_in(f, expr->operands[0], op) || limit_in(f, expr->operands[1], op);
  bool turned = expr->op == (op == IR_OP_GE ? IR_OP_LE : IR_OP_GT);
  if (expr->op != op && !turned) return false;
  struct flat_part part = flat_part_of(f, expr->operands[turned]);
  if (!part.known || part.bounded || part.low.count != 1 || part.low.terms[0].factor_count ||
      part.low.terms[0].coefficient != 1)
    return false;
  return flat_host_number(f, expr->operands[!turned], &f->limit);
}

static bool is_plain_decl(const struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_DECL) return !stmt->expr || !ir_has_effects(stmt->expr);
  if (stmt->kind != IR_STMT_DECLS) return stmt->kind == IR_STMT_NULL;
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (!is_plain_decl(stmt->children[i])) return false;
  return true;
}

/* Sets f->limit to the number from which on threads do nothing, by the first statement that is no
 * declaration. False: there is none. */
static bool find_limit(struct flat_digits *f, const struct ir_stmt *body)
{
  unsigned i = 0;

  while (i < body->child_count &&
         (is_plain_decl(body->children[i]) ||
          (body->children[i]->kind == IR_STMT_EXPR && SEEDED(FLAT_GUARD_LATER))))
    i++;
  if (i == body->child_count || body->children[i]->kind != IR_STMT_IF) return false;
  const struct ir_stmt *guard = body->children[i];
  if (!guard->else_body && is_return(guard->body)) return limit_in(f, guard->expr, IR_OP_GE);
  if (guard->else_body || (i + 1 < body->child_count && !is_return(body->children[i + 1])))
    return false;
  return limit_in(f, guard->expr, IR_OP_LT);
}

/* ---- the row ---- */

/* The launch's shape has no meaning for the new ids; its warps have. */
static void follow_facts(struct code *code, const struct extents *extents)
{
  struct kernel_facts *facts = &code->facts;
  struct ir_expr **context = arena_alloc(code->arena, (facts->context_count + 1) * sizeof *context);
  unsigned count = 0;

  for (unsigned i = 0; i < facts->context_count; i++) {
    bool shape = false;
    ir_visit_expr(facts->context[i], note_index, &shape);
    if (!shape) context[count++] = facts->context[i];
  }
  facts->context = context;
  facts->context_count = count;
  for (int axis = 0; axis < 3; axis++) {
    if (axis) facts->block[axis] = 1;
    facts->grid[axis] = -1;
  }
  if (!extents->along[2] && extents->derived == 1) facts->grid[2] = 1;
  facts->layers_apart = true;
}

static bool is_flat(const struct kernel_facts *facts)
{
  for (int axis = 1; axis < 3; axis++)
    if (facts->block[axis] > 1 || facts->grid[axis] > 1) return false;
  return facts->repeatable;
}

/* Are rows long, or of a length that only the launch knows? */
static bool has_rows(const struct flat_digits *f)
{
  const struct polynomial_term *row = &f->sizes[0].terms[0];
  int64_t length = row->coefficient, value;

  for (unsigned i = 0; i < row->factor_count; i++) {
    if (!code_constant(f->code, row->factors[i], &value)) return true;
    if (__builtin_mul_overflow(length, value, &length)) return false;
  }
  return length >= LEAST_ROW;
}

bool plan_flat_ids(struct draft *draft)
{
  struct code *code = &draft->code;
  struct code_kept kept = code_keep(code);
  struct ir_stmt *before = kept.kernel.body;
  struct arena *arena = code->arena;
  struct flat_digits f;
  struct ir_list out = {0};

  if (!is_flat(&code->facts) || code->facts.within_count) return false;
  code->facts.kernel->body = code_renew_locals(code, flat_single_names(code, before));
  bool found = flat_find(&f, code) && draft->way + 1 < f.count && has_rows(&f);
  unsigned along_y = found ? digit_along_y(draft->way) : 0;
  f.limit.known = found && find_limit(&f, code->facts.kernel->body) && f.limit.known;
  if (found) {
    ir_list_add(arena, &out, declare(&f, 0, id_along(arena, 0)));
    ir_list_add(arena, &out, declare(&f, along_y, id_along(arena, 1)));
    if (f.count > 2) declare_along_z(&f, along_y, &out);
    ir_list_add(arena, &out, leave_from(arena, f.digits[0], &f.sizes[0]));
    if (along_y + 1 < f.count)
      ir_list_add(arena, &out, leave_from(arena, f.digits[along_y], &f.sizes[along_y]));
  }
  struct ir_stmt *body = found ? in_digits(&f, code->facts.kernel->body) : NULL;
  code->facts.kernel->body = before;
  if (!body) {
    code_go_back(code, &kept);
    return false;
  }
  for (unsigned i = 0; i < body->child_count; i++) ir_list_add(arena, &out, body->children[i]);
  code_drop_scan(code);
  body = code_without_unused(arena, ir_build_block(arena, &out));
  code->facts.kernel->body = code_renew_locals(code, body);
  struct extents *extents = extents_of(&f, along_y);
  extents->count = f.limit.known ? flat_wide(arena, &f.limit) : NULL;
  draft->extents = extents;
  follow_facts(code, extents);
  *ARENA_PUSH(arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_FLAT_IDS, DIAG_FLAT_IDS, NULL,
                      "an id along each axis in the place of a flat one"};
  draft_own_body(draft);
  return true;
}
