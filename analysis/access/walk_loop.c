/* SPDX-License-Identifier: MIT */
/* walk_loop.c - loops in a kernel.
 *
 *     for (int k = lo; k < n; k += 4) body
 *         =>   body in the domain { lo <= k < n and (k - lo) mod 4 = 0 }
 *
 * The trip count is the exact one if it is constant, the mean if it varies between known bounds,
 * and TRIPS if only the run time tells it. Gives up (no bounds, no certain access inside): loops
 * that are not canonical, while, do.
 */
#include "analysis/sets/lower.h"
#include "analysis/access/walk.h"
#include "runtime/seeded.h"

enum { TRIPS = 16, MOST_TRIPS = 1 << 24 };

struct leaving {
  bool breaks, returns, continues;
};

static bool find_return(struct ir_stmt *stmt, void *context)
{
  struct leaving *leaving = context;
  leaving->returns |= stmt->kind == IR_STMT_RETURN;
  return true;
}

static bool find_continue(struct ir_stmt *stmt, void *context)
{
  struct leaving *leaving = context;
  leaving->continues |= stmt->kind == IR_STMT_CONTINUE;
  return stmt->kind != IR_STMT_FOR && stmt->kind != IR_STMT_WHILE && stmt->kind != IR_STMT_DO;
}

static bool find_break(struct ir_stmt *stmt, void *context)
{
  struct leaving *leaving = context;
  leaving->breaks |= stmt->kind == IR_STMT_BREAK;
  return stmt->kind != IR_STMT_FOR && stmt->kind != IR_STMT_WHILE && stmt->kind != IR_STMT_DO &&
         stmt->kind != IR_STMT_SWITCH;
}

static struct leaving how_it_is_left(struct ir_stmt *body)
{
  struct leaving leaving = {0};

  ir_visit_stmts(body, find_return, &leaving);
  ir_visit_stmts(body, find_break, &leaving);
  ir_visit_stmts(body, find_continue, &leaving);
  return leaving;
}

struct around { /* the state in front of a loop */
  isl_set *domain, *loops;
  double count, scale;
  struct ir_expr *trips;
  const struct nest_level *nest;
  bool must;
};

static struct around enter(struct walk *w)
{
  struct around around = {isl_set_copy(w->domain),
                          isl_set_copy(w->loops),
                          w->count,
                          w->scale,
                          w->trips,
                          w->nest,
                          w->must};

  w->loop_depth++;
  return around;
}

static void leave(struct walk *w, struct around *around, struct ir_stmt *stmt)
{
  isl_set_free(w->domain);
  isl_set_free(w->loops);
  w->domain = around->domain;
  w->loops = around->loops;
  w->count = around->count;
  w->scale = around->scale;
  w->trips = around->trips;
  w->nest = around->nest;
  w->must = around->must && (SEEDED(LOOP_RETURN_IGNORED) || !how_it_is_left(stmt->body).returns);
  w->dead = false;
  w->loop_depth--;
  walk_forget_stmt(w, stmt->body);
  walk_forget_expr(w, stmt->expr);
  walk_forget_expr(w, stmt->increment);
}

static void restrict_to(struct walk *w, isl_set *set, bool loops_too)
{
  if (loops_too) w->loops = isl_set_intersect(w->loops, isl_set_copy(set));
  w->domain = isl_set_coalesce(isl_set_intersect(w->domain, set));
}

static void walk_body(struct walk *w, struct ir_stmt *stmt)
{
  struct leaving leaving = how_it_is_left(stmt->body);

  if ((leaving.breaks || leaving.returns) && !SEEDED(BREAK_IGNORED)) w->must = false;
  walk_stmt(w, stmt->body);
  w->dead = false;
}

static struct nest_level *push_nest(struct walk *w, const struct ir_stmt *stmt)
{
  struct nest_level *nest = ARENA_NEW(w->symbols->arena, struct nest_level);

  nest->outer = w->nest;
  nest->stmt = stmt;
  nest->count = TRIPS;
  w->nest = nest;
  return nest;
}

static void walk_unbounded(struct walk *w, struct ir_stmt *stmt)
{
  struct around around = enter(w);

  push_nest(w, stmt);
  walk_forget_stmt(w, stmt->body);
  walk_forget_expr(w, stmt->expr);
  walk_forget_expr(w, stmt->increment);
  w->must = false;
  w->count *= TRIPS;
  w->scale *= TRIPS;
  w->divergent++;
  if (stmt->expr && stmt->kind != IR_STMT_DO) {
    isl_set *yes, *no;
    bool exact;
    walk_condition(w, stmt->expr, &yes, &no, &exact);
    isl_set_free(no);
    restrict_to(w, yes, false);
  }
  walk_body(w, stmt);
  if (stmt->increment) walk_effects(w, stmt->increment);
  if (stmt->expr && stmt->kind == IR_STMT_DO) {
    walk_forget_stmt(w, stmt->body);
    walk_effects(w, stmt->expr);
  }
  w->divergent--;
  leave(w, &around, stmt);
}

void walk_while(struct walk *w, struct ir_stmt *stmt) { walk_unbounded(w, stmt); }

static int64_t step_of(struct walk *w, const struct ir_loop *loop)
{
  int64_t step = 0;

  if (!loop->step_expr) return loop->step;
  struct value value = walk_value(w, loop->step_expr);
  if (!value_constant(&value, &step) || step == INT64_MIN) step = 0;
  value_free(&value);
  return step;
}

static bool is_positive(struct walk *w, struct ir_expr *expr)
{
  struct value value = walk_value(w, expr);
  bool positive =
      value.aff && value_within(w->symbols, &value, w->domain, isl_val_one(w->symbols->ctx), NULL);

  value_free(&value);
  return positive;
}

/* Adds { lower <= k, k - lower a multiple of step }; for a negative step lower >= k. Takes
 * `lower`. */
static void start_at(struct walk *w, struct symbol *k, struct value lower, int64_t step,
                     bool positive)
{
  lower = value_flatten(w->symbols, lower);
  if (!lower.aff || (!step && !positive)) {
    w->must = false;
    value_free(&lower);
    return;
  }
  isl_pw_aff *distance = isl_pw_aff_sub(symbol_aff(w->symbols, k), lower.aff);
  if (step < 0) distance = isl_pw_aff_neg(distance);
  isl_pw_aff *from = isl_pw_aff_copy(distance);
  restrict_to(w, SEEDED(LOOP_FROM_SECOND) ? isl_pw_aff_pos_set(from) : isl_pw_aff_nonneg_set(from),
              true);
  int64_t size = step < 0 ? -step : step;
  /* in a loop over tiles, all starts occur: it stays a plain symbol */
  if (size > 1 && !k->in_step && !SEEDED(LOOP_STEP_IGNORED)) {
    isl_pw_aff *rest =
        isl_pw_aff_mod_val(isl_pw_aff_copy(distance), isl_val_int_from_si(w->symbols->ctx, size));
    restrict_to(w, isl_pw_aff_zero_set(rest), true);
  }
  if (!step) w->must = false; /* the stride is symbolic */
  isl_pw_aff_free(distance);
}

/* Adds the condition under which the loop goes on. For k != bound it is the side of bound where the
 * iterator starts, since it would overflow from the other side. A loop that may be left early need
 * not reach bound. */
static bool go_on(struct walk *w, struct ir_stmt *stmt, struct symbol *k, int64_t step)
{
  isl_set *yes, *no;
  bool exact;

  if (stmt->loop->relation == IR_OP_NE) {
    struct value bound = value_flatten(w->symbols, walk_value(w, stmt->loop->bound));
    struct leaving leaving = how_it_is_left(stmt->body);
    bool left = (leaving.breaks || leaving.returns) && !SEEDED(UNEQUAL_BOUND);
    bool usable =
        bound.aff && (step == 1 || step == -1) && !left && stmt->loop->iterator->type->is_signed;
    if (usable) {
      isl_pw_aff *self = symbol_aff(w->symbols, k);
      restrict_to(w,
                  step > 0 ? isl_pw_aff_lt_set(self, isl_pw_aff_copy(bound.aff))
                           : isl_pw_aff_gt_set(self, isl_pw_aff_copy(bound.aff)),
                  true);
    }
    value_free(&bound);
    w->must = w->must && usable;
    return usable;
  }
  walk_condition(w, stmt->expr, &yes, &no, &exact);
  isl_set_free(no);
  restrict_to(w, yes, true);
  w->must = w->must && exact;
  return exact;
}

static bool only_loops_and_threads(isl_pw_aff *aff)
{
  isl_space *space = isl_pw_aff_get_domain_space(aff);
  bool only = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    only &= symbol->kind == SYMBOL_BUILTIN || symbol->kind == SYMBOL_LOOP ||
            !isl_pw_aff_involves_param_id(aff, symbol->id);
  }
  isl_space_free(space);
  return only;
}

static isl_stat take_span(isl_set *domain, isl_aff *aff, void *user)
{
  isl_pw_aff **span = user;

  isl_set_free(domain);
  *span = isl_pw_aff_from_aff(aff);
  return isl_stat_ok;
}

static bool known_at_launch(isl_pw_aff *aff)
{
  isl_space *space = isl_pw_aff_get_domain_space(aff);
  bool known = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    known &= symbol_known_at_launch(symbol) || !isl_pw_aff_involves_param_id(aff, symbol->id);
  }
  isl_space_free(space);
  return known;
}

/* mesi_trips(last - first, step). NULL: the host cannot compute it. */
static struct ir_expr *trips_at_launch(struct walk *w, isl_pw_aff *span, int64_t step)
{
  struct arena *arena = w->symbols->arena;
  isl_pw_aff *only = NULL;

  if (isl_pw_aff_n_piece(span) != 1) return NULL;
  isl_pw_aff_foreach_piece(span, take_span, &only);
  struct ir_expr *form = known_at_launch(only) ? lower_wide(w->symbols, only) : NULL;
  isl_pw_aff_free(only);
  if (!form) return NULL;
  struct ir_expr *call = ARENA_NEW(arena, struct ir_expr);
  call->kind = IR_EXPR_CALL;
  call->id = UINT32_MAX;
  call->text = "mesi_trips";
  call->operands = arena_alloc(arena, 2 * sizeof *call->operands);
  call->operands[call->operand_count++] = form;
  call->operands[call->operand_count++] = ir_build_int(arena, step < 0 ? -step : step);
  return call;
}

/* The number of iterations of the loop of `k`, from the least and the greatest value of k.
 * *ret_launch: an expression for the launch, where its arguments are needed. */
static double trips(struct walk *w, struct symbol *k, int64_t step, struct ir_expr **ret_launch)
{
  isl_set *range = symbols_close(w->symbols, isl_set_copy(w->loops));
  int at = isl_set_find_dim_by_id(range, isl_dim_param, k->id);
  double result = TRIPS;

  if (at < 0 || !step) {
    isl_set_free(range);
    return result;
  }
  range = isl_set_from_params(range);
  range = isl_set_move_dims(range, isl_dim_set, 0, isl_dim_param, (unsigned)at, 1);
  isl_pw_aff *least = isl_set_dim_min(isl_set_copy(range), 0);
  isl_pw_aff *most = isl_pw_aff_coalesce(isl_pw_aff_sub(isl_set_dim_max(range, 0), least));
  if (most && isl_pw_aff_n_piece(most) > 0 && only_loops_and_threads(most)) {
    struct value span = {.aff = most};
    isl_val *low, *high;
    isl_set *anywhere = isl_pw_aff_domain(isl_pw_aff_copy(most));
    value_interval(w->symbols, &span, anywhere, &low, &high);
    isl_set_free(anywhere);
    if (isl_val_is_int(low) == isl_bool_true && isl_val_is_int(high) == isl_bool_true &&
        isl_val_cmp_si(high, MOST_TRIPS) < 0)
      result = (isl_val_get_d(low) + isl_val_get_d(high)) / 2 / (double)(step < 0 ? -step : step) +
               !SEEDED(TRIP_COUNT);
    isl_val_free(low);
    isl_val_free(high);
  } else if (most) {
    *ret_launch = trips_at_launch(w, most, step);
  }
  isl_pw_aff_free(most);
  return (double)(int64_t)(result * 2) / 2;
}

/* Do all threads go through the loop in step? None enters late, and none leaves before the last
 * iteration. */
static bool goes_together(struct walk *w, const struct ir_stmt *stmt)
{
  struct leaving leaving = how_it_is_left(stmt->body);

  return !w->divergent && !w->divergent_return && !leaving.breaks && !leaving.returns &&
         !w->depth &&
         (!w->nest->outer ||
          (w->nest->outer->together && !how_it_is_left(w->nest->outer->stmt->body).continues));
}

static bool trips_differ(struct walk *w)
{
  isl_space *space = isl_set_get_space(w->loops);
  bool differ = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    differ |= symbol->kind != SYMBOL_LOOP && !symbol_is_uniform(symbol);
  }
  isl_space_free(space);
  return differ;
}

void walk_for(struct walk *w, struct ir_stmt *stmt)
{
  struct ir_loop *loop = stmt->loop;

  if (stmt->init) walk_stmt(w, stmt->init);
  if (!loop || !stmt->expr || !walk_tracked(loop->iterator) || !walk_owns(w, loop->iterator)) {
    walk_unbounded(w, stmt);
    return;
  }
  struct around around = enter(w);
  struct value lower = value_copy(&w->frame->values[loop->iterator->id]);
  lower = walk_all_bits(w, lower, loop->iterator->type);
  if (!SEEDED(LOOP_KEEPS_VALUES)) walk_forget_stmt(w, stmt->body);
  walk_forget_expr(w, stmt->expr);
  walk_forget_expr(w, stmt->increment);
  struct nest_level *nest = push_nest(w, stmt);
  struct symbol *k = nest->symbol = symbol_new_loop(w->symbols, loop->iterator);
  nest->from = w->symbols->inspects && lower.aff && !lower.term_count
                   ? lower_aff(w->symbols, lower.aff)
                   : NULL;
  walk_assign_var(w, loop->iterator, NULL, value_take(symbol_aff(w->symbols, k)));
  int64_t step = nest->step = step_of(w, loop);
  start_at(w, k, lower, step,
           step > 0 || (!step && loop->step_expr && is_positive(w, loop->step_expr)));
  bool exact = go_on(w, stmt, k, step);
  if (k->in_step) /* this holds wherever the symbol occurs */
    k->bounds = isl_set_intersect(k->bounds, isl_set_copy(w->loops));
  bool divergent = !exact || trips_differ(w);
  nest->together = !divergent && goes_together(w, stmt);
  w->divergent += divergent;
  struct ir_expr *at_launch = NULL;
  double times = exact ? trips(w, k, step, &at_launch) : TRIPS;
  w->count *= times;
  nest->count = times;
  nest->trips = at_launch;
  if (at_launch)
    w->trips =
        w->trips ? ir_build_binary(w->symbols->arena, IR_OP_MUL, w->trips, at_launch) : at_launch;
  else
    w->scale *= times;
  walk_body(w, stmt);
  if (stmt->increment) { /* here the iterator no longer has its symbol's value */
    walk_forget_stmt(w, stmt->body);
    walk_forget_expr(w, stmt->increment);
    walk_effects(w, stmt->increment);
  }
  w->divergent -= divergent;
  leave(w, &around, stmt);
}
