/* SPDX-License-Identifier: MIT */
/* block_steps.c - a block that goes through a tile in steps becomes a thread for each element.
 *
 *     int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;    32 x 8 threads
 *     for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
 *   =>
 *     out[x * n + y] = in[y * n + x];       as many elements along y as blocks, times 32
 *
 * The block's index, the thread's index and the iterator are the digits of an element's number.
 * The loop counts by the block's threads from 0 or from the thread's index, or by one, where the
 * iterator is multiplied by the block's threads. Its end is a constant that the step divides.
 * Sums are polynomials: one digit is replaced by the element less the other digits, and what is
 * left of these has to vanish. Requires: in front of the loop only declarations and guards, and
 * nothing behind it; iterations that hand nothing on (stride_legal.c). Gives up: another use of a
 * digit. A thread's own elements are such digits, too (thread_runs.c). */
#include "analysis/code/shape_free.h"
#include "analysis/code/shape_linear.h"
#include "analysis/transform/stride_loops/stepping.h"
#include "runtime/seeded.h"

enum { MOST_STEPS = 64 };

/* ---- find ---- */

static bool is_guard(const struct ir_stmt *stmt)
{
  const struct ir_stmt *body = stmt->kind == IR_STMT_IF ? stmt->body : NULL;

  if (!body || stmt->else_body || ir_has_effects(stmt->expr)) return false;
  while (body->kind == IR_STMT_BLOCK && body->child_count == 1) body = body->children[0];
  return body->kind == IR_STMT_RETURN;
}

/* The loop that ends the kernel, behind declarations and guards, perhaps under conditions. */
static struct ir_stmt *loop_of(struct ir_stmt *stmt)
{
  while (stmt && stmt->kind != IR_STMT_FOR) {
    bool block = stmt->kind == IR_STMT_BLOCK && stmt->child_count,
         condition = stmt->kind == IR_STMT_IF && !stmt->else_body && !ir_has_effects(stmt->expr);
    for (unsigned i = 0; block && i + 1 < stmt->child_count; i++)
      if (!stride_is_plain(stmt->children[i]) && !is_guard(stmt->children[i])) return NULL;
    stmt = block ? stmt->children[stmt->child_count - 1] : condition ? stmt->body : NULL;
  }
  return stmt;
}

/* A constant, or a size of the launch's block that is one. */
static bool number_of(struct code *code, struct ir_expr *expr, int64_t *ret)
{
  struct ir_expr *resolved = code_resolve(code, expr);
  const struct ir_expr *bare = resolved ? linear_bare(resolved) : NULL;

  if (bare && bare->kind == IR_EXPR_BUILTIN && bare->value >= IR_BLOCK_DIM &&
      bare->value < IR_GRID_DIM) {
    *ret = code->facts.block[bare->value % 3];
    return *ret > 0;
  }
  return bare && code_constant(code, bare, ret);
}

static bool starts_at_thread(struct stepping *s, struct ir_expr *lower)
{
  struct ir_expr *resolved = code_resolve(s->code, lower);
  const struct ir_expr *bare = resolved ? linear_bare(resolved) : NULL;

  return bare && bare->kind == IR_EXPR_BUILTIN && bare->value == IR_THREAD_IDX + s->axis;
}

/* Does the loop go through a tile of the block along the axis? */
static bool find_steps(struct stepping *s)
{
  const struct ir_loop *loop = s->loop->loop;
  const struct ir_type *type = loop ? loop->iterator->type : NULL;
  int64_t first, end, step = loop ? loop->step : 0, block = s->code->facts.block[s->axis];

  if (!loop || !loop->lower || !loop->declared || loop->relation != IR_OP_LT ||
      loop->iterator->write_count > 2 || type->kind != IR_TYPE_INT || type->size != 4 ||
      !number_of(s->code, loop->bound, &end) ||
      (loop->step_expr && !number_of(s->code, loop->step_expr, &step)) || block < 2 || step < 1 ||
      end < 2 || end % step || end / step < 2 || end / step > MOST_STEPS)
    return false;
  s->form = starts_at_thread(s, loop->lower) ? FROM_THREAD : step == block ? BY_BLOCKS : BY_ONE;
  if (s->form == FROM_THREAD ? step != block
                             : !number_of(s->code, loop->lower, &first) || first != 0)
    return false;
  s->tile = s->form == BY_ONE ? end * block : end;
  return s->form != BY_ONE || step == 1;
}

/* ---- sums ---- */

struct polynomial stepping_builtin(struct stepping *s, int builtin, const struct polynomial *times)
{
  struct polynomial p = polynomial_of(ir_build_builtin(s->code->arena, (enum ir_builtin)builtin));

  return polynomial_product(&p, times);
}

struct polynomial stepping_var(struct stepping *s, struct ir_var *var)
{
  return polynomial_of(ir_build_var(s->code->arena, var));
}

struct polynomial stepping_threads(const struct stepping *s, int axis)
{
  int64_t known = s->code->facts.block[axis];

  return known > 0 ? polynomial_constant(known)
                   : polynomial_of(
                         ir_build_builtin(s->code->arena, (enum ir_builtin)(IR_BLOCK_DIM + axis)));
}

/* The digit that gives way along the axis, and the element less the other digits. */
static struct polynomial digit_of(struct stepping *s, int axis, const struct ir_var **ret_digit)
{
  bool steps = axis == s->axis;

  if (steps && s->form == OF_THREAD) return runs_digit(s, ret_digit);
  struct polynomial threads = stepping_threads(s, axis),
                    width = steps ? polynomial_constant(s->tile) : threads,
                    rest = stepping_var(s, s->elements[axis]), other,
                    block = stepping_builtin(s, IR_BLOCK_IDX + axis, &width);
  struct ir_var *iterator = s->run->loop->iterator;

  *ret_digit = steps && s->form != BY_ONE ? iterator : s->threads[axis];
  rest = polynomial_sum(&rest, &block, -1);
  if (!steps || s->form == FROM_THREAD) return rest;
  other = stepping_var(s, s->form == BY_BLOCKS ? s->threads[axis] : iterator);
  if (s->form == BY_ONE) other = polynomial_product(&other, &threads);
  return polynomial_sum(&rest, &other, -1);
}

static struct ir_expr *replace_thread(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct stepping *s = r->context;
  int axis = (int)expr->value % 3;

  if (expr->kind != IR_EXPR_BUILTIN || expr->value == IR_WARP_SIZE || axis == 2) return NULL;
  if (expr->value < IR_BLOCK_IDX) return ir_build_var(r->arena, s->threads[axis]);
  bool size = expr->value >= IR_BLOCK_DIM && expr->value < IR_GRID_DIM;
  int64_t threads = s->code->facts.block[axis];
  return size && threads > 0 ? ir_build_int(r->arena, threads) : NULL;
}

struct polynomial stepping_sum(struct stepping *s, struct ir_expr *resolved)
{
  struct ir_rewriter threads = {s->code->arena, replace_thread, s};

  return polynomial_of(ir_rewrite_expr(&threads, resolved));
}

/* Is a digit left in the polynomial, or does it name no element? */
static bool has_digit(const struct stepping *s, const struct polynomial *p)
{
  bool element = false;

  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; k < p->terms[i].factor_count; k++) {
      const struct ir_expr *factor = p->terms[i].factors[k];
      const struct ir_var *var = factor->kind == IR_EXPR_VAR ? factor->var : NULL;
      if (factor->kind == IR_EXPR_BUILTIN) return true;
      if (var && (var == s->threads[0] || var == s->threads[1] || var == s->run->loop->iterator))
        return true;
      element |= var && (var == s->elements[0] || var == s->elements[1] || var == s->owner);
    }
  for (int axis = 0; axis < 2; axis++)
    if (polynomial_hides(p, s->threads[axis])) return true;
  return !element || polynomial_hides(p, s->run->loop->iterator);
}

static bool is_element(const struct polynomial *p)
{
  return p->count == 1 && p->terms[0].coefficient == 1 && p->terms[0].factor_count == 1;
}

/* The sum in elements. False: a digit is left. */
static bool sum_of_elements(struct stepping *s, struct ir_expr *resolved, struct polynomial *ret)
{
  struct polynomial p = stepping_sum(s, resolved), value;
  const struct ir_var *digit;

  for (int axis = 0; axis < 2 && p.known; axis++) {
    value = digit_of(s, axis, &digit);
    p = polynomial_swap(&p, digit, &value);
  }
  *ret = p;
  if (!p.known || !has_digit(s, &p)) return p.known;
  if (!s->owner) return false;
  value = runs_owner(s, &digit);
  *ret = polynomial_swap(&p, digit, &value);
  return ret->known && !has_digit(s, ret);
}

/* The iterator, where it is the element. */
static struct ir_expr *replace_iterator(struct stepping *s, const struct ir_expr *expr)
{
  struct arena *arena = s->code->arena;

  if (s->form != OF_THREAD || !s->counts || expr->var != s->run->loop->iterator) return NULL;
  struct ir_expr *element = ir_build_var(arena, s->elements[s->axis]);
  return ir_same_type(expr->type, element->type)
             ? element
             : ir_build_cast(arena, ir_plain_type(arena, expr->type), element);
}

/* A sum of type int in elements; of another type of integers where it is an element. NULL: it stays
 * as it is. */
static struct ir_expr *replace_sum(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct stepping *s = r->context;
  const struct ir_expr *bare = ir_strip(expr);
  struct polynomial p;

  if (expr->kind == IR_EXPR_VAR) return replace_iterator(s, expr);
  if (bare->kind != IR_EXPR_BINARY || (bare->op != IR_OP_ADD && bare->op != IR_OP_SUB) ||
      bare->type->kind != IR_TYPE_INT || bare->type->size < 4 || expr->type->kind != IR_TYPE_INT ||
      expr->type->size < 4)
    return NULL;
  struct ir_expr *resolved = code_resolve(s->code, expr);
  if (!resolved || !sum_of_elements(s, resolved, &p)) return NULL;
  bool plain = expr->type->size == 4 && expr->type->is_signed;
  if (!plain && !is_element(&p)) return NULL;
  struct ir_expr *sum = polynomial_expr(r->arena, &p);
  return plain ? sum : ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), sum);
}

/* ---- build ---- */

/* `stmt` with the loop's body in its place. */
static struct ir_stmt *without_loop(struct stepping *s, struct ir_stmt *stmt)
{
  struct arena *arena = s->code->arena;
  struct ir_list out = {0};

  if (stmt == s->loop) return s->body;
  if (stmt->kind == IR_STMT_IF) return ir_build_if(arena, stmt->expr, without_loop(s, stmt->body));
  for (unsigned i = 0; i < stmt->child_count; i++)
    ir_list_add(arena, &out,
                i + 1 < stmt->child_count ? stmt->children[i] : without_loop(s, stmt->children[i]));
  return ir_build_block(arena, &out);
}

/* Does a local that is left hold a digit? Sums of locals are replaced with their values. */
static void note_left(struct ir_expr *expr, void *context)
{
  struct stepping *s = context;

  s->left |= expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE;
  s->left |= expr->kind == IR_EXPR_VAR && expr->var == s->run->loop->iterator;
}

static void name_digits(struct stepping *s)
{
  struct arena *arena = s->code->arena;

  for (int axis = 0; axis < 2 && s->loop; axis++) {
    struct ir_var *var = code_local(s->code, "_element", ir_int_type());
    var->init = shape_global_id(arena, axis);
    var->write_count = 1;
    s->elements[axis] = var;
    s->threads[axis] = code_local(s->code, "_thread", ir_int_type());
  }
}

static struct ir_var *owner_of(struct stepping *s)
{
  struct arena *arena = s->code->arena;
  struct ir_var *var = code_local(s->code, "_owner", ir_int_type());

  var->init = ir_build_binary(arena, IR_OP_DIV, ir_build_var(arena, s->elements[s->axis]),
                              ir_build_int(arena, s->each_known));
  var->write_count = 1;
  return var;
}

/* NULL: a digit is used otherwise. */
static struct ir_stmt *body_of_element(struct stepping *s)
{
  struct arena *arena = s->code->arena;
  struct ir_rewriter rewriter = {arena, replace_sum, s};
  struct ir_list out = {0};

  s->left = false;
  s->owner = s->form == OF_THREAD && s->each_known ? owner_of(s) : NULL;
  struct ir_stmt *body = without_loop(s, s->source);
  body = code_without_unused(arena, ir_rewrite_stmt(&rewriter, body));
  ir_visit_stmt_exprs(body, note_left, s);
  bool owned = s->owner && ir_stmt_has_var(body, s->owner);
  for (int axis = 0; axis < 2; axis++)
    if (ir_stmt_has_var(body, s->elements[axis]) || (owned && axis == s->axis))
      ir_list_add(arena, &out, ir_build_decl(arena, s->elements[axis], s->elements[axis]->init));
  if (owned) ir_list_add(arena, &out, ir_build_decl(arena, s->owner, s->owner->init));
  ir_list_add(arena, &out, body);
  return s->left ? NULL : ir_build_block(arena, &out);
}

/* As many along the axis as blocks, times the tile; none where iterations meet in an element. */
static struct extents extents_of(struct stepping *s, struct ir_expr *tile,
                                 struct ir_expr *distances)
{
  static const struct ir_type wide = {
      .kind = IR_TYPE_INT, .spelling = "long long", .size = 8, .align = 8, .is_signed = true};
  struct arena *arena = s->code->arena;
  struct extents ret = {.given = true, .regained = s->form == OF_THREAD ? runs_regained(s) : 0};
  int64_t threads = s->code->facts.block[s->axis];
  struct ir_expr *blocks = ir_build_cast(
                     arena, &wide,
                     ir_build_builtin(arena, (enum ir_builtin)(IR_GRID_DIM + s->axis))),
                 *each = SEEDED(STEPS_OF_THREADS) ? ir_build_int(arena, threads) : tile,
                 *all = ir_build_binary(arena, IR_OP_MUL, blocks, each);

  all->type = &wide;
  if (distances && !SEEDED(STEPS_MEET)) {
    all = ir_build_binary(arena, IR_OP_MUL, all, ir_build_cast(arena, &wide, distances));
    all->type = &wide;
  }
  ret.along[s->axis] = all;
  return ret;
}

/* One row of blocks along z at most, and blocks of known sizes but for threads that go through
 * elements of their own. */
static bool has_shape(const struct stepping *s)
{
  const struct kernel_facts *facts = &s->code->facts;
  bool known = facts->block[0] > 0 && facts->block[1] > 0;

  return (known || s->form == OF_THREAD) && facts->block[2] <= 1 && facts->grid[2] <= 1 &&
         facts->repeatable;
}

/* The kernel as its source has it, without the conditions that the launch has checked. NULL: it is
 * in another form. */
static struct ir_stmt *source_of(const struct code *code)
{
  struct ir_stmt *body = code->facts.kernel->body;
  unsigned count = code->facts.within_count;

  if (!count) return body;
  return body->kind == IR_STMT_BLOCK && body->child_count == count + 1 ? body->children[count]
                                                                       : NULL;
}

/* `element` behind the conditions that hold for ids, which are those of elements now. */
static struct ir_stmt *behind_checked(struct code *code, struct ir_stmt *element)
{
  const struct ir_stmt *body = code->facts.kernel->body;
  struct ir_list out = {0};

  for (unsigned i = 0; code->facts.within_count && i + 1 < body->child_count; i++)
    ir_list_add(code->arena, &out, body->children[i]);
  ir_list_add(code->arena, &out, element);
  return ir_build_block(code->arena, &out);
}

/* Puts an element in the place of the loop that is found. */
static bool form_steps(struct stepping *s, struct block_steps *ret)
{
  struct code *code = s->code;
  struct stride_nest nest = {.levels = {{.source = s->loop, .loop = s->run, .axis = s->axis}},
                             .count = 1,
                             .asks = true,
                             .few = s->form != OF_THREAD || s->each_known};

  nest.body = s->body = s->form == OF_THREAD ? runs_body(s) : s->loop->body;
  if (!has_shape(s) || !s->body || !stride_legal(code, &nest)) return false;
  struct ir_stmt *element = body_of_element(s);
  if (element) {
    struct ir_expr *tile = s->form == OF_THREAD ? runs_tile(s) : ir_build_int(code->arena, s->tile);
    *ret = (struct block_steps){extents_of(s, tile, nest.distances), s->axis, tile};
    code->facts.kernel->body = behind_checked(code, element);
    stride_follow_facts(code, &nest);
  }
  code_drop_scan(code);
  return element;
}

static bool find_and_form(struct code *code, struct ir_stmt *source, struct block_steps *ret)
{
  struct stepping s = {.code = code, .source = source, .loop = loop_of(source)};

  s.run = s.loop;
  name_digits(&s);
  for (s.axis = 1; s.loop && s.axis >= 0; s.axis--)
    if (find_steps(&s) && form_steps(&s, ret)) return true;
  s.axis = 0;
  return s.loop && runs_find(&s) && form_steps(&s, ret);
}

bool block_steps_form(struct code *code, struct block_steps *ret)
{
  struct ir_stmt *source = source_of(code);

  return source && find_and_form(code, source, ret);
}

static struct ir_expr *replace_block(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct block_steps *steps = r->context;
  bool is = expr->kind == IR_EXPR_BUILTIN && expr->value == IR_BLOCK_DIM + steps->axis;

  return is ? steps->tile : NULL;
}

struct ir_expr *block_steps_written(struct arena *arena, const struct block_steps *steps,
                                    struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {arena, replace_block, (void *)steps};

  return ir_rewrite_expr(&rewriter, expr);
}
