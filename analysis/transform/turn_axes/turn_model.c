/* SPDX-License-Identifier: MIT */
/* turn_model.c - the order of a launch's axes with the least predicted time.
 *
 *     out[(i * ny + j) * nz + k]      elements apart: ny * nz along i, nz along j, 1 along k
 *
 * A request takes as long as the sectors that the lanes of a warp meet. The lanes of a warp as
 * written follow from the block's shape. A sector that other warps of the block meet, too, comes
 * from the L1 cache for loads, and not for stores. Device memory moves each element once in each
 * order. Requires: the elements between neighbours along each axis, loops of the same length for
 * all threads. Where that of an access is not known, it costs least as written and most in another
 * order. A block whose shape only the launch knows is taken for the best one that mesi_turn takes.
 */
#include "analysis/transform/turn_axes/turn_axes.h"

#include <math.h>

#include "analysis/code/loop.h"
#include "analysis/code/shape_free.h"
#include "analysis/model/model.h"

enum {
  LANES = 32,
  SECTOR = 32,   /* bytes */
  RUN = 2,       /* the most neighbours of a warp as written, where the launch tells its block */
  ASSUMED = 256, /* elements along a dimension whose size is not known */
  MOST_Y = 65535 /* elements along y and z in the new order */
};
#define LEAST_GAIN 1.25
#define CYCLES 1.0 /* of a multiprocessor for a sector from the L2 cache */
#define HITS 0.5   /* ... from its own */

struct steps { /* of one access: the elements between neighbours along the launch's axes */
  const struct array *array;
  const struct access *access;
  double bytes; /* of a request's unit */
  bool known;
  double of[3];
};

struct choosing {
  struct code *code;
  struct steps *steps; /* of all accesses */
  unsigned count;
  double bytes; /* that device memory moves for a thread */
};

/* ---- the elements between neighbours ---- */

struct stepping_by {
  const struct symbol *by;
  double most; /* of all pieces */
  bool known;
};

static double step_of(struct stepping_by *, isl_pw_aff *form);

static double factor_of(struct symbol *const *stride)
{
  double ret = 1;

  for (unsigned i = 0; i < STRIDE_FACTORS && stride[i]; i++) ret *= ASSUMED;
  return ret;
}

static void note_builtin(struct ir_expr *expr, void *context)
{
  struct stepping_by *s = context;
  s->known &= expr->kind != IR_EXPR_BUILTIN || expr->value != (int64_t)s->by->builtin;
}

static double step_of_symbol(struct stepping_by *s, const struct symbol *symbol)
{
  if (symbol == s->by) return 1;
  if (symbol->kind == SYMBOL_UNKNOWN) s->known = false;
  if (symbol->kind != SYMBOL_UNIFORM) return 0;
  if (symbol->coefficient) return step_of(s, symbol->coefficient) * factor_of(symbol->stride);
  ir_visit_expr(symbol->expr, note_builtin, s);
  return 0;
}

static isl_stat note_piece(isl_set *domain, isl_aff *form, void *context)
{
  struct stepping_by *s = context;
  isl_space *space = isl_aff_get_domain_space(form);
  double step = 0;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    if (isl_aff_involves_dims(form, isl_dim_param, (unsigned)i, 1) != isl_bool_true) continue;
    isl_val *by = isl_aff_get_coefficient_val(form, isl_dim_param, i);
    double own = step_of_symbol(s, symbol_of_param(space, (unsigned)i));
    s->known &= !own || isl_val_is_zero(by) == isl_bool_false; /* else it is in a quotient */
    step += isl_val_get_d(by) * own;
    isl_val_free(by);
  }
  s->most = fmax(s->most, fabs(step));
  isl_space_free(space);
  isl_aff_free(form);
  isl_set_free(domain);
  return isl_stat_ok;
}

static double step_of(struct stepping_by *s, isl_pw_aff *form)
{
  struct stepping_by inner = {s->by, 0, true};

  if (!form || isl_pw_aff_foreach_piece(form, note_piece, &inner) != isl_stat_ok)
    inner.known = false;
  s->known &= inner.known;
  return inner.most;
}

/* The elements of a row, or of several, below dimension `d`. */
static double below(const struct array *array, const struct access *access, unsigned d)
{
  double ret = 1;

  for (unsigned i = d + 1; i < access->dim_count; i++)
    ret *= array->extents[i] > 0 ? (double)array->extents[i] : ASSUMED;
  return ret;
}

static struct steps steps_of(struct code *code, const struct array *array,
                             const struct access *access)
{
  bool one_address = array->var->is_constant_memory; /* that it serves at once */
  struct steps ret = {.array = array,
                      .access = access,
                      .bytes = one_address ? SECTOR : (double)array->element->size,
                      .known = access->dim_count > 0};

  for (int axis = 0; axis < 3; axis++) {
    int builtin = (code->facts.block[axis] == 1 ? IR_BLOCK_IDX : IR_THREAD_IDX) + axis;
    struct stepping_by s = {symbol_of_builtin(&code->symbols, (enum ir_builtin)builtin), 0, true};
    for (unsigned d = 0; d < access->dim_count; d++) {
      const struct value *value = &access->index[d];
      double own = step_of(&s, value->aff);
      for (unsigned t = 0; t < value->term_count; t++)
        own += step_of(&s, value->terms[t].coefficient) * factor_of(value->terms[t].stride);
      ret.of[axis] += own * below(array, access, d);
    }
    ret.known &= s.known;
  }
  return ret;
}

/* Has each thread elements of its own, as far as others have some? Else threads share them, and
 * device memory moves few. */
static bool is_own(const struct steps *steps, const bool moves[3])
{
  bool own = true;

  for (int axis = 0; axis < 3; axis++) own &= !moves[axis] || steps->of[axis] > 0;
  return own || !steps->known;
}

/* The bytes of a thread's elements, each once for loads and once for stores. */
static double bytes_of(const struct choosing *c)
{
  double ret = 0;
  bool moves[3] = {false, false, false};

  for (unsigned i = 0; i < c->count; i++)
    for (int axis = 0; axis < 3; axis++) moves[axis] |= c->steps[i].of[axis] > 0;
  for (unsigned i = 0, begin = 0; i < c->count; i++) {
    const struct steps *steps = &c->steps[i];
    double more = is_own(steps, moves) ? steps->access->count * steps->bytes : 0;
    if (i && steps->array != c->steps[i - 1].array) begin = i;
    for (unsigned k = begin; k < i; k++) /* an element comes once for several accesses */
      if (is_own(&c->steps[k], moves) && c->steps[k].access->write == steps->access->write)
        more = fmax(0, more - c->steps[k].access->count * steps->bytes);
    ret += more;
  }
  return ret;
}

static struct choosing choosing_of(struct code *code)
{
  struct choosing ret = {.code = code};

  code_scan(code);
  ret.steps = arena_alloc(code->arena, (code->access_count + 1) * sizeof *ret.steps);
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    const struct array *array = code->access.arrays.items[i];
    for (unsigned k = 0; k < array->accesses.count && ret.count < code->access_count; k++)
      ret.steps[ret.count++] = steps_of(code, array, &array->accesses.items[k]);
  }
  ret.bytes = bytes_of(&ret);
  return ret;
}

/* ---- requests ---- */

/* The sectors that a box of threads meets. */
static double sectors_of(const struct steps *steps, const double box[3])
{
  double ret = 1;

  for (int axis = 0; axis < 3; axis++)
    if (steps->of[axis] > 0)
      ret *= fmin(box[axis], fmax(1, box[axis] * steps->of[axis] * steps->bytes / SECTOR));
  return ret;
}

static double threads_of(const double box[3]) { return box[0] * box[1] * box[2]; }

struct order { /* of the axes; `from` as in struct turned */
  int from[3];
  double warp[3], block[3]; /* threads along the launch's axes */
  double used;              /* the share of a warp's lanes with elements */
  double unknown;           /* sectors of a request of which nothing is known */
};

/* Cycles of a thread's access. */
static double cycles_of(const struct steps *steps, const struct order *order)
{
  double threads = threads_of(order->warp),
         sectors = steps->known ? sectors_of(steps, order->warp) : order->unknown,
         fresh = steps->known && !steps->access->write
                     ? sectors_of(steps, order->block) * threads / threads_of(order->block)
                     : sectors;
  return steps->access->count * fmax(MODEL_NEIGHBOURS, fmax(fresh * CYCLES, sectors * HITS)) /
         threads;
}

/* The time of a thread in this order. */
static double time_of(const struct choosing *c, const struct order *order)
{
  double cycles = 0;

  for (unsigned i = 0; i < c->count; i++) cycles += cycles_of(&c->steps[i], order);
  return model_overlapping(cycles / order->used, c->bytes / MODEL_STREAM);
}

/* ---- orders ---- */

/* The lanes of a warp in blocks of this shape, about. */
static void lanes_of(const double block[3], double ret[3])
{
  double left = LANES;

  for (int axis = 0; axis < 3; axis++) {
    ret[axis] = fmax(1, floor(fmin(left, block[axis])));
    left /= ret[axis];
  }
}

static double total_along(const struct code *code, int axis)
{
  const struct kernel_facts *facts = &code->facts;
  bool known = facts->block[axis] > 0 && facts->grid[axis] > 0;

  return known ? (double)(facts->block[axis] * facts->grid[axis]) : -1;
}

/* The least time as written in the blocks that the launch may have. */
static double time_as_written(const struct choosing *c, int along, int64_t *ret_run)
{
  const int64_t *block = c->code->facts.block;
  struct order order = {.block = {1, 1, 1}, .used = 1, .unknown = 1};
  double least = INFINITY;

  *ret_run = LANES;
  if (block[1] > 0 && block[2] > 0 && (block[0] > 0 || block[1] * block[2] == 1)) {
    for (int axis = 0; axis < 3; axis++)
      order.block[axis] = block[axis] > 0 ? (double)block[axis] : LANES;
    lanes_of(order.block, order.warp);
    return time_of(c, &order);
  }
  *ret_run = RUN;
  for (int axis = 0; axis < 3; axis++) {
    if (axis == along) continue;
    for (int i = 0; i < 3; i++)
      order.block[i] = order.warp[i] = i == along ? RUN : i == axis ? LANES / RUN : 1;
    least = fmin(least, time_of(c, &order));
  }
  return least;
}

/* How far apart are neighbours along the axis in all accesses? */
static double distance_along(const struct choosing *c, int axis)
{
  double ret = 0;

  for (unsigned i = 0; i < c->count; i++)
    ret += c->steps[i].access->count * log2(1 + c->steps[i].of[axis]);
  return ret;
}

/* Warps along `along`; of the other axes the one with neighbours further apart lies along z. */
static struct order order_along(const struct choosing *c, int along)
{
  int a = along ? 0 : 1, b = along == 2 ? 1 : 2;
  double apart[2] = {distance_along(c, a), distance_along(c, b)},
         total = total_along(c->code, along);
  bool first = apart[0] > 0 && (apart[0] < apart[1] || apart[1] == 0);
  struct order ret = {.from = {along, first ? a : b, first ? b : a},
                      .warp = {1, 1, 1},
                      .block = {1, 1, 1},
                      .used = 1,
                      .unknown = LANES};

  ret.warp[along] = ret.block[along] = LANES;
  if (total > 0) ret.used = total / (ceil(total / LANES) * LANES);
  return ret;
}

/* ---- loops ---- */

struct ends {
  const struct code *code;
  unsigned depth;
  bool same;
};

static void note_end(struct ir_expr *expr, void *context);

static void note_end_var(struct ends *e, const struct ir_var *var)
{
  struct ir_expr *value = var->kind == IR_VAR_LOCAL ? code_value_of(e->code, var) : NULL;
  bool param = var->kind == IR_VAR_PARAM && !var->write_count && !var->address_taken;

  if (param || var->has_value) return;
  if (!value || e->depth > 8) {
    e->same = false;
    return;
  }
  e->depth++;
  ir_visit_expr(value, note_end, e);
  e->depth--;
}

static void note_end(struct ir_expr *expr, void *context)
{
  struct ends *e = context;

  switch (expr->kind) {
  case IR_EXPR_VAR: note_end_var(e, expr->var); break;
  case IR_EXPR_BUILTIN: e->same &= expr->value >= IR_BLOCK_DIM; break;
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER:
  case IR_EXPR_CALL: e->same = false; break;
  case IR_EXPR_UNARY: e->same &= expr->op != IR_OP_DEREF; break;
  default: break;
  }
}

struct loops {
  const struct code *code;
  const struct ir_stmt *other; /* a loop that is not the same for all threads */
};

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct loops *loops = context;
  struct ends e = {loops->code, 0, stmt->loop != NULL};

  if (!loop_is_one(stmt)) return true;
  if (stmt->loop) {
    e.same &= stmt->loop->lower != NULL;
    if (stmt->loop->lower) ir_visit_expr(stmt->loop->lower, note_end, &e);
    ir_visit_expr(stmt->loop->bound, note_end, &e);
    if (stmt->loop->step_expr) ir_visit_expr(stmt->loop->step_expr, note_end, &e);
  }
  if (!e.same && !loops->other) loops->other = stmt;
  return true;
}

/* ---- the choice ---- */

static const char *obstacle(struct code *code, const struct order *order, struct ir_place *ret)
{
  struct loops loops = {code, NULL};

  for (int axis = 1; axis < 3; axis++)
    if (total_along(code, order->from[axis]) > MOST_Y)
      return "more than 65535 elements lie along an axis that is not that of rows";
  ir_visit_stmts(code->facts.kernel->body, note_loop, &loops);
  if (!loops.other) return NULL;
  *ret = loops.other->place;
  return "a loop may take another number of iterations for each thread";
}

/* Do some accesses step by one along x, and others along z? The transposes of blocks (transpose)
 * take accesses along x and y. */
static bool lie_along_x_and_z(const struct choosing *c)
{
  bool x = false, z = false;

  for (unsigned i = 0; i < c->count; i++) {
    const struct steps *steps = &c->steps[i];
    x |= steps->known && steps->of[0] == 1 && steps->of[2] > 1;
    z |= steps->known && steps->of[2] == 1 && steps->of[0] > 1;
  }
  return x && z;
}

/* Are neighbours along the axis neighbours in memory, for some access? A launch may have one layer
 * along an axis that no access names. */
static bool has_rows_along(const struct choosing *c, int axis)
{
  bool found = false;

  for (unsigned i = 0; i < c->count; i++)
    found |= c->steps[i].known && c->steps[i].of[axis] > 0 &&
             c->steps[i].of[axis] * c->steps[i].bytes < SECTOR;
  return found;
}

/* Does the code name an axis beside x? */
static bool has_axes(const struct code *code)
{
  return shape_names_rows(code) || shape_names_layers(code);
}

bool turn_find(struct code *code, struct turned *ret)
{
  *ret = (struct turned){.gain = 0, .place = code->kernel->name_place};
  if (!has_axes(code)) return false;
  struct choosing c = choosing_of(code);
  if (code->access.reject || code->access.unknown_read || code->access.unknown_write) return false;
  for (int along = 1; along < 3; along++) {
    int64_t run;
    if (!has_rows_along(&c, along)) continue;
    struct order order = order_along(&c, along);
    double gain = time_as_written(&c, along, &run) / time_of(&c, &order);
    if (gain < LEAST_GAIN || gain <= ret->gain) continue;
    ret->gain = gain;
    ret->run = run;
    for (int axis = 0; axis < 3; axis++) ret->from[axis] = order.from[axis];
    ret->reason = obstacle(code, &order, &ret->place);
  }
  if (!ret->gain && lie_along_x_and_z(&c)) {
    struct order order = {.from = {0, 2, 1}};
    struct ir_place place;
    *ret = (struct turned){.from = {0, 2, 1}, .gain = 1, .run = LANES, .place = ret->place};
    return !obstacle(code, &order, &place);
  }
  return ret->gain > 0 && !ret->reason;
}
