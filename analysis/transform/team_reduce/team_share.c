/* SPDX-License-Identifier: MIT */
/* team_share.c - a thread's share of the iterations of a loop that its team runs together.
 *
 *     for (j = 0; j < n; j++) sum += a[j] * x[j];
 *  =>
 *     int _b_j = lane;                                       // 128 threads
 *     int _e_j = _b_j < n ? _b_j + (int)(((long long)n - _b_j + 127) / 1024) * 1024 : _b_j;
 *     #pragma unroll 8
 *     for (j = _b_j; j < _e_j; j += 128) _p_sum += a[j] * x[j];
 *     if (_e_j < n)                                          // the last batch
 *       #pragma unroll
 *       for (_u = 0; _u < 7; _u++) {
 *         int j = _e_j + _u * 128 < n ? _e_j + _u * 128 : _e_j;
 *         float _q_sum = _p_sum;
 *         _q_sum += a[j] * x[j];
 *         _p_sum = _e_j + _u * 128 < n ? _q_sum : _p_sum;
 *       }
 *
 * This way the loads of a batch go out together, also in the last batch. The loop stays a plain
 * one, lane by lane, where the iterations are long or their number is a multiple of batches. With
 * loads of 16 bytes an iteration covers one load's elements. Requires: the parts of the sums are
 * declared.
 */
#include "analysis/transform/team_reduce/team_building.h"

#include "analysis/code/loop.h"
#include "analysis/code/partial_sums.h"
#include "runtime/seeded.h"

enum { WARP = 32, UNROLLED_VECTORS = 4, UNROLLED = 8 };

static struct ir_expr *replace_sums(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;

  for (unsigned i = 0; i < b->c->vector_count && b->first; i++)
    if (b->c->vectors[i].expr == expr) {
      struct ir_expr *elements = ir_build_member(
          b->arena, use(b, b->c->vectors[i].var), "e",
          ir_build_array_type(b->arena, ir_plain_type(b->arena, expr->type), b->c->vector));
      return ir_build_index(b->arena, elements, use(b, b->element));
    }
  for (unsigned i = 0; i < b->c->sum_count; i++)
    if (expr->kind == IR_EXPR_VAR && expr->var == b->c->sums[i].var)
      return use(b, b->c->sums[i].part);
  return NULL;
}

static struct ir_expr *replace_iterator(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;
  return expr->kind == IR_EXPR_VAR && expr->var == b->c->loop->loop->iterator ? use(b, b->first)
                                                                              : NULL;
}

/* const mesi_vector<float, 4> _v_a = mesi_vector_from<4>(&a[row * n + _j]); */
static struct ir_stmt *load_vector(struct building *b, struct vector_load *load)
{
  struct ir_rewriter rewriter = {b->arena, replace_iterator, b};
  const struct ir_type *element = ir_plain_type(b->arena, load->array->element);
  struct ir_type *type = ARENA_NEW(b->arena, struct ir_type);

  *type = (struct ir_type){.kind = IR_TYPE_OTHER,
                           .size = 16,
                           .align = 16,
                           .extent = -1,
                           .spelling = arena_format(b->arena, "mesi_vector<%s, %lld>",
                                                    element->spelling, (long long)b->c->vector)};
  load->var = code_local(b->code, arena_format(b->arena, "_v_%s", load->array->var->name), type);
  struct ir_expr *call = ir_build_call(
      b->arena, arena_format(b->arena, "mesi_vector_from<%lld>", (long long)b->c->vector),
      IR_EFFECT_NONE);
  call->type = type;
  ir_add_argument(b->arena, call,
                  ir_build_unary(b->arena, IR_OP_ADDRESS,
                                 ir_rewrite_expr(&rewriter, (struct ir_expr *)load->expr)));
  return ir_build_decl(b->arena, load->var, call);
}

static struct ir_expr *end_of_run(struct building *b)
{
  return b->run[1] ? use(b, b->run[1]) : loop_end(b->arena, b->c->loop->loop);
}

static struct ir_expr *first_iteration(struct building *b, int64_t step)
{
  return plus(b, b->run[0] ? use(b, b->run[0]) : b->c->loop->loop->lower,
              times(b, use(b, b->lane), step));
}

/* for (var = begin; var < end; var += all) body */
static struct ir_stmt *stepped(struct building *b, struct ir_var *var, struct ir_expr *begin,
                               struct ir_expr *end, int64_t all, struct ir_stmt *body,
                               const char *pragma)
{
  const struct ir_loop *loop = b->c->loop->loop;
  struct stepped s = {var, loop->declared || var != loop->iterator, begin, end, all, pragma};

  return loop_stepped(b->code, &s, body);
}

/* for (var = lower + lane * step; var < end; var += all) body */
static struct ir_stmt *plain_share(struct building *b, struct ir_var *var, int64_t step,
                                   int64_t all, struct ir_stmt *body)
{
  return stepped(
      b, var, first_iteration(b, step), end_of_run(b), all, body,
      arena_format(b->arena, "#pragma unroll %d", b->first ? UNROLLED_VECTORS : UNROLLED));
}

/* #pragma unroll  for (count_var = 0; count_var < count; count_var++) { int var = which; body } */
static struct ir_stmt *unrolled(struct building *b, struct ir_var *var, struct ir_expr *which,
                                struct ir_var *count_var, int64_t count, struct ir_stmt *body)
{
  const struct ir_loop *loop = b->c->loop->loop;
  struct ir_list out = {0};

  ir_list_add(b->arena, &out,
              loop->declared || var != loop->iterator ? ir_build_decl(b->arena, var, which)
                                                      : assign(b, use(b, var), which));
  ir_list_add(b->arena, &out, body);
  struct ir_stmt *made = ir_build_for(b->arena, count_var, number(b, 0), number(b, count), 1,
                                      ir_build_block(b->arena, &out));
  made->pragma = "#pragma unroll";
  return made;
}

/* The code of a thread for one iteration, or for those of a vector load. */
static struct ir_stmt *iteration(struct building *b)
{
  const struct ir_stmt *loop = b->c->loop;
  struct ir_rewriter rewriter = {b->arena, replace_sums, b};
  struct ir_list out = {0};

  if (!b->first) return ir_rewrite_stmt(&rewriter, loop->body);
  for (unsigned i = 0; i < b->c->vector_count; i++)
    ir_list_add(b->arena, &out, load_vector(b, &b->c->vectors[i]));
  struct ir_expr *which =
      ir_build_binary(b->arena, IR_OP_ADD, use(b, b->first), use(b, b->element));
  ir_list_add(b->arena, &out,
              unrolled(b, loop->loop->iterator, which, b->element, b->c->vector,
                       ir_rewrite_stmt(&rewriter, loop->body)));
  return ir_build_block(b->arena, &out);
}

static bool is_simple(struct ir_stmt *stmt, void *context)
{
  bool *simple = context;
  *simple &= stmt->kind == IR_STMT_EXPR || stmt->kind == IR_STMT_BLOCK ||
             stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_DECLS || stmt->kind == IR_STMT_IF;
  return *simple;
}

/* ---- batches ---- */

struct batches {
  struct ir_var *var;    /* the iteration */
  struct ir_var *begin;  /* first iteration of a batch */
  struct ir_var *number; /* in the batch */
  /* The step between a thread's iterations, and the number of iterations in a batch. */
  int64_t all, count;
};

static struct ir_expr *in_batch(struct building *b, const struct batches *s,
                                struct ir_expr *number_)
{
  return plus(b, use(b, s->begin), times(b, number_, s->all));
}

static struct ir_expr *is_within(struct building *b, struct ir_expr *iteration_)
{
  return ir_build_binary(b->arena, IR_OP_LT, iteration_, end_of_run(b));
}

/* Is the place in the last batch inside the loop? For unsigned numbers the distance is compared,
 * because the place itself may have wrapped around. */
static struct ir_expr *is_in_rest(struct building *b, const struct batches *s)
{
  if (s->begin->type->is_signed) return is_within(b, in_batch(b, s, use(b, s->number)));
  struct ir_expr *left = ir_build_binary(b->arena, IR_OP_SUB, end_of_run(b), use(b, s->begin));
  return ir_build_binary(b->arena, IR_OP_LT, times(b, use(b, s->number), s->all), left);
}

static const struct ir_type longest = {.kind = IR_TYPE_INT,
                                       .spelling = "long long",
                                       .size = 8,
                                       .align = 8,
                                       .is_signed = true,
                                       .extent = -1};

/* The end of the thread's last whole batch, whose iterations are all inside the loop: begin + (end
 * - begin + all - 1) / size * size */
static struct ir_expr *whole_end(struct building *b, const struct batches *s)
{
  const struct ir_type *type = ir_plain_type(b->arena, s->begin->type);
  struct ir_expr *end = end_of_run(b);
  bool widens = type->size < longest.size;
  struct ir_expr *length = ir_build_binary(
      b->arena, IR_OP_SUB, widens ? ir_build_cast(b->arena, &longest, end) : end, use(b, s->begin));
  struct ir_expr *rounded = ir_build_binary(b->arena, IR_OP_ADD, length, number(b, s->all - 1));
  struct ir_expr *count =
      ir_build_binary(b->arena, IR_OP_DIV, rounded, number(b, s->count * s->all));

  return ir_build_binary(
      b->arena, IR_OP_ADD, use(b, s->begin),
      times(b, widens ? ir_build_cast(b->arena, type, count) : count, s->count * s->all));
}

/* _e_j = ...; for (j = _b_j; j < _e_j; j += all) body, unrolled. The remaining iterations begin at
 * _e_j. */
static void whole_batches(struct building *b, struct batches *s, struct ir_list *out)
{
  const struct ir_loop *loop = b->c->loop->loop;
  struct ir_var *end = code_local(b->code, arena_format(b->arena, "_e_%s", loop->iterator->name),
                                  ir_plain_type(b->arena, loop->iterator->type));

  ir_list_add(b->arena, out,
              ir_build_decl(b->arena, end,
                            ir_build_cond(b->arena, is_within(b, use(b, s->begin)), whole_end(b, s),
                                          use(b, s->begin))));
  ir_list_add(b->arena, out,
              stepped(b, s->var, use(b, s->begin), use(b, end), s->all, iteration(b),
                      arena_format(b->arena, "#pragma unroll %lld", (long long)s->count)));
  s->begin = end;
}

/* The last iterations, too few for a batch. All loads are to go out at once, so each place of a
 * batch runs an iteration. Places behind the end repeat the first one, with a copy of the parts
 * that is dropped. */
static struct ir_stmt *last_batch(struct building *b, struct batches *s)
{
  struct ir_var *parts[MOST_SUMS];
  struct ir_list rest = {0};

  for (unsigned i = 0; i < b->c->sum_count; i++) {
    struct shared_sum *sum = &b->c->sums[i];
    parts[i] = sum->part;
    sum->part =
        code_local(b->code, arena_format(b->arena, "_q_%s", parts[i]->name + 3), parts[i]->type);
    ir_list_add(b->arena, &rest, ir_build_decl(b->arena, sum->part, use(b, parts[i])));
  }
  ir_list_add(b->arena, &rest, iteration(b));
  for (unsigned i = 0; i < b->c->sum_count; i++) {
    struct ir_expr *kept =
        ir_build_cond(b->arena, is_in_rest(b, s), use(b, b->c->sums[i].part), use(b, parts[i]));
    ir_list_add(b->arena, &rest, assign(b, use(b, parts[i]), kept));
    b->c->sums[i].part = parts[i];
  }
  struct ir_expr *place = in_batch(b, s, use(b, s->number));
  struct ir_expr *which = ir_build_cond(b->arena, is_in_rest(b, s), place, use(b, s->begin));
  struct ir_stmt *batch =
      unrolled(b, s->var, which, s->number, s->count - 1, ir_build_block(b->arena, &rest));
  return ir_build_if(b->arena, is_within(b, use(b, s->begin)), batch);
}

static struct ir_stmt *in_batches(struct building *b, struct batches *s, int64_t step)
{
  struct ir_list out = {0};

  s->begin = code_local(b->code, arena_format(b->arena, "_b_%s", b->c->loop->loop->iterator->name),
                        b->c->loop->loop->iterator->type);
  s->number = code_local(b->code, "_u", ir_int_type());
  ir_list_add(b->arena, &out, ir_build_decl(b->arena, s->begin, first_iteration(b, step)));
  whole_batches(b, s, &out);
  ir_list_add(b->arena, &out, last_batch(b, s));
  return ir_build_block(b->arena, &out);
}

/* Batches are not needed where the loop is a multiple of them, or where its iterations are long:
 * the compiler of the output copes then. Teams with fewer elements than a warp are for many
 * elements and long loops, where the registers of a last batch would cost more than it gains. */
static bool wants_batches(struct building *b, const struct batches *s)
{
  bool simple = true,
       whole = b->c->trips >= 0 && b->c->trips * b->c->loop->loop->step % (s->all * s->count) == 0;

  ir_visit_stmts(b->c->loop->body, is_simple, &simple);
  return simple && !whole && (b->team->in_rows || b->team->elements < WARP);
}

int64_t team_reduce_unit(const struct team_loop *c, const struct team *team)
{
  return team->threads * (c->vector_count ? c->vector * UNROLLED_VECTORS : UNROLLED);
}

static struct ir_stmt *iterations(struct building *b)
{
  const struct ir_loop *loop = b->c->loop->loop;
  int64_t step = b->c->vector_count ? b->c->vector : loop->step,
          all = (b->team->threads - SEEDED(SHARED_LOOP_STEP)) * step;
  struct batches batches = {
      .var = loop->iterator, .all = all, .count = b->c->vector_count ? UNROLLED_VECTORS : UNROLLED};

  if (b->c->vector_count) {
    batches.var = b->first = code_local(
        b->code, arena_format(b->arena, "_%s", loop->iterator->name), loop->iterator->type);
    b->element = code_local(b->code, "_e", ir_int_type());
  }
  if (!wants_batches(b, &batches)) return plain_share(b, batches.var, step, all, iteration(b));
  return in_batches(b, &batches, step);
}

/* The loop over a thread's share. Where the operation may take an operand twice, a part begins with
 * the value in front of the loop. */
struct ir_stmt *team_reduce_share(struct building *b)
{
  struct ir_list out = {0};

  for (unsigned i = 0; i < b->c->sum_count; i++)
    if (reduce_repeats(b->c->sums[i].op))
      ir_list_add(b->arena, &out, assign(b, use(b, b->c->sums[i].part), use(b, b->c->sums[i].var)));
  if (b->workspace)
    loop_run(b->code, b->c->loop->loop, team_reduce_unit(b->c, b->team), b->run, &out);
  ir_list_add(b->arena, &out, iterations(b));
  return ir_build_block(b->arena, &out);
}
