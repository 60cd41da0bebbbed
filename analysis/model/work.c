/* SPDX-License-Identifier: MIT */
/* work.c - the work of one virtual thread in one iteration of a tiled loop, and the registers of a
 * thread.
 *
 *     for (k ...) sum += a[y][k] * b[k][x];
 *
 * is one operation (one instruction multiplies and adds) and two loads as written. Mapped, it is
 * two accesses of copies; the instances of a thread share a value along the axis that its index
 * does not have. The cost of a warp's request depends on its addresses: one element for all,
 * neighbours, or lines of their own. Device functions count as their bodies, other calls as
 * CALL_COST operations, and code under an `if` counts half. Requires: shaped code with its scan,
 * tiles with their layout. Never gives up: trip counts that neither the
 * code nor all launches give have an assumed value.
 */
#include "analysis/model/work.h"

#include "analysis/code/guarded.h"
#include "analysis/code/number.h"
#include "runtime/seeded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* cycles of a warp in front of the first product of a tile: its barrier, and loads that nothing
 * hides */
#define PRODUCT_TILE 51.0
#define STAGED_WORDS 8.0
#define COPY 7.0 /* of up to 16 bytes a thread */
/* of an element: a b^T of 2048 x 2048, where both are transposed, takes 0.444 ms with 1.5 an
 * iteration, 0.403 with one */
#define COPY_TRANSPOSED 14.0
#define LATENCY 800.0 /* of device memory */
#define SECTOR 32.0   /* bytes */
/* from a store to a load of its element, through the L2 cache: an estimate */
#define CARRIED 270.0

enum {
  OWN_REGISTERS = 40,
  UNKNOWN_TRIPS = 16,
  CALL_COST = 8,
  SCATTERED = 16,
  MOST_CALLS = 4,
  LOADS_AT_ONCE = 4 /* of a warp, in a loop that the compiler unrolls */
};

struct counting {
  struct code *code;
  const struct instances *in;
  const struct geometry *geometry;
  const struct tile *tile;
  /* Axes of the conditions that stay around each element's loads from device memory. */
  unsigned predicates;
  double around;         /* executions of this place in an iteration */
  unsigned calls;        /* calls of device functions around it */
  unsigned loops, tests; /* around it: loops of unknown length, conditions in them */
  double adds, multiplies, others;
  double called; /* issue slots of calls, less CALL_COST for each */
  struct work work;
};

double model_factor(const struct geometry *geometry, int axis)
{
  return (double)geometry->block[axis] / (double)geometry->threads[axis];
}

/* The number of instances of a thread that share a value that depends on `axes`. */
static double sharers(const struct geometry *geometry, unsigned axes)
{
  double count = 1;

  for (int axis = 0; axis < 2; axis++)
    if (!(axes & (1u << axis))) count *= model_factor(geometry, axis);
  return count;
}

/* Is `form` the thread's index along the axis plus a multiple of `vector`? */
static bool is_position(struct symbols *symbols, isl_pw_aff *form, int axis, int64_t vector)
{
  struct symbol *thread = symbol_of_builtin(symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));

  if (!form || isl_pw_aff_isa_aff(form) != isl_bool_true) return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  isl_space *space = isl_aff_get_domain_space(aff);
  bool is = isl_aff_dim(aff, isl_dim_div) == 0;
  for (int i = -1; is && i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_val *by =
        i < 0 ? isl_aff_get_constant_val(aff) : isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    bool of_thread = i >= 0 && symbol_of_param(space, (unsigned)i) == thread;
    isl_val *whole = isl_val_int_from_si(symbols->ctx, vector);
    is = of_thread ? isl_val_is_one(by) == isl_bool_true
                   : isl_val_is_divisible_by(by, whole) == isl_bool_true;
    isl_val_free(whole);
    isl_val_free(by);
  }
  isl_space_free(space);
  isl_aff_free(aff);
  return is;
}

double model_request(struct symbols *symbols, const struct access *access)
{
  return model_request_along(symbols, access, 0);
}

/* The coefficient of the thread's index. Takes `form`. */
static double thread_coefficient(isl_aff *form, const struct symbol *thread)
{
  isl_space *space = isl_aff_get_domain_space(form);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, thread->id);
  isl_val *by = at < 0 ? NULL : isl_aff_get_coefficient_val(form, isl_dim_param, at);
  double coefficient = by ? isl_val_get_d(by) : 0;

  isl_val_free(by);
  isl_space_free(space);
  isl_aff_free(form);
  return coefficient;
}

double model_step(struct symbols *symbols, const struct access *access)
{
  struct symbol *thread = symbol_of_builtin(symbols, IR_THREAD_IDX);
  const struct value *last = &access->index[access->dim_count - 1];
  bool plain = last->aff && isl_pw_aff_isa_aff(last->aff) == isl_bool_true;

  for (unsigned d = 0; d < access->dim_count && plain; d++) {
    const struct value *value = &access->index[d];
    plain &= d + 1 == access->dim_count ||
             (value->aff && isl_pw_aff_involves_param_id(value->aff, thread->id) == isl_bool_false);
    for (unsigned t = 0; t < value->term_count && plain; t++)
      plain =
          isl_pw_aff_involves_param_id(value->terms[t].coefficient, thread->id) == isl_bool_false;
  }
  isl_aff *form = plain ? isl_pw_aff_as_aff(isl_pw_aff_copy(last->aff)) : NULL;
  if (form && isl_aff_dim(form, isl_dim_div) > 0) form = isl_aff_free(form);
  return form ? fabs(thread_coefficient(form, thread)) : 0;
}

/* Is the next thread's index the next one or the one before, or for (i / n) the same or the next
 * one? The fall of a remainder at its turn does not count. */
static bool is_step_of_one(isl_pw_aff *form, const struct symbol *thread)
{
  if (isl_pw_aff_isa_aff(form) != isl_bool_true) return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  double own = thread_coefficient(isl_aff_copy(aff), thread);
  unsigned stepped = 0;
  bool small = own == 0;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_div) && own == 0; i++) {
    double inner = thread_coefficient(isl_aff_get_div(aff, i), thread);
    isl_val *by = isl_aff_get_coefficient_val(aff, isl_dim_div, i);
    bool used = inner != 0 && isl_val_is_zero(by) == isl_bool_false;
    stepped += used;
    small &= !used || (isl_val_is_one(by) == isl_bool_true && fabs(inner) <= 1);
    isl_val_free(by);
  }
  isl_aff_free(aff);
  return fabs(own) == 1 || (small && stepped == 1);
}

/* Load/store cycles of one request of a warp as written, from the change of the address between
 * neighbouring threads along the axis. */
double model_request_along(struct symbols *symbols, const struct access *access, int axis)
{
  struct symbol *thread = symbol_of_builtin(symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));
  bool moves = false, scattered = false;

  for (unsigned d = 0; d < access->dim_count; d++) {
    const struct value *value = &access->index[d];
    for (unsigned t = 0; t < value->term_count; t++)
      scattered |=
          isl_pw_aff_involves_param_id(value->terms[t].coefficient, thread->id) == isl_bool_true;
    isl_bool by_thread =
        value->aff ? isl_pw_aff_involves_param_id(value->aff, thread->id) : isl_bool_false;
    if (by_thread == isl_bool_false) continue;
    moves = true; /* or isl has given up */
    bool one = is_step_of_one(value->aff, thread);
    scattered |= !one || d + 1 < access->dim_count;
  }
  return scattered ? SCATTERED : moves ? MODEL_NEIGHBOURS : MODEL_BROADCAST;
}

/* The copy that the access reads. NULL: it is not staged. */
static const struct tile_array *copy_of(const struct counting *c, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < c->tile->array_count; i++)
    for (unsigned k = 0; k < c->tile->arrays[i].stage.access_count; k++)
      if (c->tile->arrays[i].stage.accesses[k].expr == expr) return &c->tile->arrays[i];
  return NULL;
}

static void count_streamed(struct counting *c, const struct code_access *found, bool scattered)
{
  double size = (double)found->array->element->size;

  if (!found->access->read) return;
  c->work.streamed += c->around * size;
  c->work.wait_written =
      fmax(c->work.wait_written, LATENCY / (scattered ? SECTOR / size : LOADS_AT_ONCE));
  c->work.wait_mapped = LATENCY / (double)c->tile->size;
}

/* Can the elements that a thread's instances read be read several at once? They must be neighbours
 * at an aligned place of the copy. */
static bool reads_vectors(struct counting *c, const struct tile_array *array,
                          const struct access *access, unsigned axes)
{
  int axis = axes & 1u ? 0 : 1;
  unsigned d = array->order[array->stage.dim_count - 1];

  bool rows_aligned = array->stage.dims[d].size % c->geometry->vector[axis] == 0;
  if (array->stage.dim_count != access->dim_count || c->geometry->vector[axis] == 1 ||
      !rows_aligned)
    return false;
  return is_position(&c->code->symbols, access->index[d].aff, axis, c->geometry->vector[axis]);
}

/* The requests to the copy that a thread makes for all its instances, in units of STAGED_WORDS
 * words. Without vectors the lanes of a warp are `vector` words apart and use only some of the
 * banks. */
static double copy_requests(struct counting *c, const struct tile_array *array,
                            const struct access *access, unsigned axes, double words)
{
  double values = model_factor(c->geometry, 0) * model_factor(c->geometry, 1) /
                  sharers(c->geometry, axes) * words;

  if (!axes || reads_vectors(c, array, access, axes)) return fmax(1, values / STAGED_WORDS);
  double apart = axes & 1u ? (double)c->geometry->vector[0] : 1;
  return fmax(1, values * apart / 2);
}

static void count_access(struct counting *c, const struct code_access *found,
                         const struct ir_expr *expr)
{
  double words = found->array->element->size > 4 && !found->access->partial
                     ? (double)found->array->element->size / 4
                     : 1;
  c->work.tests |= c->tests > 0 && found->access->read;
  double cycles = model_request(&c->code->symbols, found->access) * words;
  unsigned axes = instances_of_expr(c->in, expr);
  double shared = sharers(c->geometry, axes | c->predicates);
  const struct tile_array *copy = copy_of(c, expr);

  c->work.loads += c->around;
  c->work.cycles_written += c->around * cycles;
  if (copy && copy->streamed) count_streamed(c, found, cycles >= SCATTERED);
  if (copy) {
    c->work.staged += c->around * copy_requests(c, copy, found->access, axes, words);
    return;
  }
  if (cycles >= SCATTERED && found->access->read)
    c->work.wait_left += c->around * LATENCY * (double)found->array->element->size / SECTOR;
  c->work.cycles_left += c->around * cycles / (code_read_only(c->code, found->array) ? shared : 1);
  if (c->predicates) c->work.guarded += c->around / shared;
}

/* The cycles of a scheduler for an instruction, relative to one on floats. */
static double weight_of(const struct ir_type *type)
{
  if (!type || (type->kind != IR_TYPE_INT && type->kind != IR_TYPE_FLOAT)) return 1;
  if (type->kind == IR_TYPE_FLOAT) return type->size > 4 ? 2.4 : 1;
  return type->size > 4 ? 4 : 1.5;
}

/* Is the call one or two instructions, without a branch? */
static bool is_instruction(const struct ir_expr *call)
{
  static const char *const names[] = {"min",   "max", "fmin",     "fmax",     "fminf",
                                      "fmaxf", "abs", "mesi_min", "mesi_max", "fabs",
                                      "fabsf", "fma", "fmaf",     "umin",     "umax"};
  bool found = call->effect == IR_EFFECT_LOAD || !strncmp(call->text, "__", 2);

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    found |= !strcmp(call->text, names[i]);
  return found;
}

/* Is it a product and a sum in one instruction, like a * b + c? */
static bool is_fused(const struct ir_expr *call)
{
  static const char *const names[] = {"fma",      "fmaf",     "__fmaf_rn",
                                      "__fma_rn", "std::fma", "std::fmaf"};
  bool found = false;

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    found |= !strcmp(call->text, names[i]);
  return found && call->effect == IR_EFFECT_NONE && call->type->kind == IR_TYPE_FLOAT;
}

/* Is it a product or a sum that is never fused? *ret_op: which. */
static bool is_rounded(const struct ir_expr *call, enum ir_op *ret_op)
{
  bool one = !strncmp(call->text, "__f", 3) || !strncmp(call->text, "__d", 3);

  *ret_op = one && !strcmp(call->text + 3, "mul_rn")   ? IR_OP_MUL
            : one && !strcmp(call->text + 3, "add_rn") ? IR_OP_ADD
                                                       : IR_OP_COUNT;
  return *ret_op != IR_OP_COUNT && call->effect == IR_EFFECT_NONE;
}

double model_overlapping(double a, double b) { return sqrt(sqrt(a * a * a * a + b * b * b * b)); }

double model_gain_of_vectors(double requests, double bytes, double fewer)
{
  double issue = MODEL_REQUEST * requests, memory = 32.0 * bytes / MODEL_STREAM;

  return model_overlapping(issue, memory) / model_overlapping(issue / fewer, memory);
}

#define POWER "mesi_power" /* of mesi_power.h: products */

double model_call_operations(const struct code *code, const struct ir_expr *call)
{
  static const struct {
    const char *begin;
    double operations;
  } known[] = {{"erf", 60},
               {"norm", 60},
               {"pow", 60},
               {"lgamma", 90},
               {"tgamma", 90},
               {"sin", 30},
               {"cos", 30},
               {"tan", 40},
               {"acos", 30},
               {"asin", 30},
               {"atan", 30},
               {"log", 22},
               {"exp", 18},
               {"cbrt", 30},
               {"hypot", 20},
               {POWER, 4},
               {"mesi_half_power", 12},
               {"mesi_two_to", 12},
               {"mesi_exp", 18}};
  const double other = 12, of_doubles = 300;
  const char *name = !strncmp(call->text, "std::", 5) ? call->text + 5 : call->text;

  if (call->effect == IR_EFFECT_LOAD) return 0;
  if (call->effect != IR_EFFECT_NONE) return other;
  if (model_is_short(code, call)) return MODEL_SHORT_COST;
  enum ir_op op;
  if (is_fused(call) || is_rounded(call, &op)) return 1;
  if (!strcmp(name, "pow") && call->type->size > 4) return of_doubles;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strncmp(name, known[i].begin, strlen(known[i].begin))) return known[i].operations;
  return other;
}

static void count_stmt(struct counting *c, const struct ir_stmt *stmt);

static bool is_half(const struct ir_type *type)
{
  return type->kind == IR_TYPE_RECORD && type->size == 2;
}

/* Is it one instruction that makes a float of a number of 2 bytes, or the reverse? */
static bool is_conversion(const struct ir_expr *call)
{
  if (call->operand_count != 1 || call->effect != IR_EFFECT_NONE) return false;
  const struct ir_type *from = ir_strip(call->operands[0])->type, *to = call->type;

  return from && to &&
         ((is_half(from) && to->kind == IR_TYPE_FLOAT) ||
          (from->kind == IR_TYPE_FLOAT && is_half(to)));
}

static void count_conversion(struct counting *c, const struct ir_expr *call)
{
  unsigned axes = instances_of_expr(c->in, call->operands[0]);

  c->work.converted += c->around;
  c->work.converted_left += c->around / sharers(c->geometry, axes);
}

/* Counts a call. A device function counts as its body, which the compiler inlines. */
static void count_call(struct counting *c, const struct ir_expr *call)
{
  if (is_conversion(call)) {
    count_conversion(c, call);
    return;
  }
  bool inside = call->effect == IR_EFFECT_CALLEE && call->callee->body && c->calls < MOST_CALLS;

  if (inside) {
    c->calls++;
    count_stmt(c, call->callee->body);
    c->calls--;
    return;
  }
  enum ir_op op;
  bool fused = is_fused(call);
  if (fused || is_rounded(call, &op)) {
    double weight = weight_of(call->type) * c->around;
    c->work.wide |= call->type->size > 4;
    c->multiplies += fused || op == IR_OP_MUL ? weight : 0;
    c->adds += fused || op == IR_OP_ADD ? weight : 0;
    return;
  }
  if (!strncmp(call->text, POWER, strlen(POWER))) {
    c->work.wide |= call->type->size > 4;
    c->multiplies += weight_of(call->type) * c->around * model_call_operations(c->code, call);
    return;
  }
  bool is_short = model_is_short(c->code, call);
  double operations = is_short ? MODEL_SHORT_COST : CALL_COST;
  c->others += c->around * operations;
  c->called +=
      is_instruction(call) ? 0 : c->around * (model_call_slots(c->code, call) - operations);
  c->work.waits |= is_short;
  c->work.branches |= !is_short && !is_instruction(call);
}

/* Arithmetic of literals (1.f / 25), which nvcc does itself. */
static bool is_folded(const struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL: return true;
  case IR_EXPR_UNARY:
  case IR_EXPR_BINARY:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_PAREN: break;
  default: return false;
  }
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!is_folded(expr->operands[i])) return false;
  return expr->operand_count > 0;
}

static void count_expr(struct counting *c, const struct ir_expr *expr)
{
  if (!expr || (is_folded(expr) && !SEEDED(LITERALS_COUNTED))) return;
  const struct code_access *found = code_access_of(c->code, expr);
  if (found) { /* its indices are address arithmetic */
    count_access(c, found, expr);
    return;
  }
  double weight = weight_of(expr->type) * c->around;
  bool compares = expr->kind == IR_EXPR_BINARY && expr->type->kind == IR_TYPE_BOOL;
  bool number = expr->type->kind == IR_TYPE_FLOAT || expr->type->kind == IR_TYPE_INT,
       is_short = model_is_short(c->code, expr);
  if (number && expr->kind == IR_EXPR_BINARY) {
    c->work.wide |= expr->type->kind == IR_TYPE_FLOAT && expr->type->size > 4;
    c->multiplies += expr->op == IR_OP_MUL ? weight : 0;
    c->adds += expr->op == IR_OP_ADD || expr->op == IR_OP_SUB ? weight : 0;
    c->others +=
        expr->op != IR_OP_MUL && expr->op != IR_OP_ADD && expr->op != IR_OP_SUB ? weight : 0;
    if (expr->op == IR_OP_DIV) c->others += weight * (is_short ? MODEL_SHORT_COST : CALL_COST);
    c->work.waits |= is_short;
    c->work.branches |= expr->op == IR_OP_DIV && expr->type->kind == IR_TYPE_FLOAT && !is_short;
  }
  c->others += compares ? c->around : 0;
  if (number && expr->kind == IR_EXPR_ASSIGN && expr->op != IR_OP_ASSIGN) c->adds += weight;
  if (expr->kind == IR_EXPR_CALL) count_call(c, expr);
  for (unsigned i = 0; i < expr->operand_count; i++) count_expr(c, expr->operands[i]);
}

double model_trips(const struct code *code, const struct ir_stmt *stmt, double unknown)
{
  struct numbers numbers = {.code = code, .thread = -1};
  const struct ir_loop *loop = stmt->loop;
  int64_t lower, bound, is;

  for (int axis = 0; axis < 3; axis++) numbers.block[axis] = code->facts.block[axis];
  bool known = loop && loop->lower && !loop->step_expr && loop->step &&
               number_of(&numbers, loop->lower, &lower) && number_of(&numbers, loop->bound, &bound);
  if (SEEDED(LAUNCH_TRIPS_UNKNOWN)) known &= known && ir_constant(loop->bound, &is);
  return known ? fmax((double)(bound - lower) / (double)loop->step, 0) : unknown;
}

static void count_stmt(struct counting *c, const struct ir_stmt *stmt)
{
  double around = c->around;

  if (!stmt) return;
  count_expr(c, stmt->expr);
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  unsigned unknown = loop && model_trips(c->code, stmt, -1) < 0,
           tests = stmt->kind == IR_STMT_IF && c->loops > 0;
  if (loop) c->around *= model_trips(c->code, stmt, UNKNOWN_TRIPS);
  if (stmt->kind == IR_STMT_IF) c->around /= 2;
  c->loops += unknown;
  c->tests += tests;
  count_stmt(c, stmt->body);
  count_stmt(c, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) count_stmt(c, stmt->children[i]);
  c->loops -= unknown;
  c->tests -= tests;
  c->around = around;
}

/* Cycles per iteration of a thread for its part of a copy. The elements of a copy with a transposed
 * layout go one by one, each to another row. Others go 16 bytes at once in the versions for large
 * launches. */
static double copy_cycles(const struct tile *tile, const struct tile_array *array, double threads)
{
  double copies = array->stored ? 1.0 / (1 + array->stage.load) : tile->buffered ? 2 : 1;
  double words = (double)array->bytes / 4 / (double)tile->size / copies / threads;
  unsigned last = array->stage.dim_count - 1;
  const struct ir_type *element = array->stage.element; /* NULL: strips of a segment */

  if (array->order[last] != last)
    return COPY_TRANSPOSED * words * 4 / fmax(4, element ? (double)element->size : 4);
  bool at_once = element && !array->streamed && (element->size == 4 || element->size == 8);
  return COPY * words / (at_once ? 16 / (double)element->size : (double)array->vector);
}

/* Does an iteration read what another one stores? Its box is wider than its iterations are. */
static bool is_carried(const struct tile *tile, const struct tile_array *array)
{
  unsigned last = array->stage.dim_count - 1;

  return array->stage.load &&
         array->stage.dims[last].size > tile->size * llabs(tile->loop->loop->step);
}

struct work model_work(struct code *code, const struct instances *in,
                       const struct geometry *geometry, const struct tile *tile)
{
  struct counting c = {.code = code, .in = in, .geometry = geometry, .tile = tile, .around = 1};
  double threads = (double)(geometry->threads[0] * geometry->threads[1]);

  if (sharers(geometry, 0) > 1)
    c.predicates = guarded_axes(in, code->facts.kernel->body, tile->loop);
  c.loops = model_trips(code, tile->loop, -1) < 0;
  count_stmt(&c, tile->loop->body);
  /* a product is added to a sum in one instruction */
  c.work.operations = c.others + fmax(c.adds, c.multiplies);
  c.work.products = tile->products;
  c.work.product_tile = PRODUCT_TILE / (double)tile->size;
  for (unsigned i = 0; i < tile->array_count; i++) {
    const struct tile_array *array = &tile->arrays[i];
    c.work.copied += copy_cycles(tile, array, threads);
    if (!array->stored) continue;
    c.work.stored = true;
    c.work.streamed += (double)array->stage.element->size;
    if (is_carried(tile, array)) c.work.wait_carried = CARRIED;
  }
  return c.work;
}

double model_issue(struct code *code, const struct instances *in, const struct geometry *geometry)
{
  const struct tile none = {.size = 1};
  struct counting c = {.code = code, .in = in, .geometry = geometry, .tile = &none, .around = 1};

  count_stmt(&c, code->facts.kernel->body);
  return c.others + fmax(c.adds, c.multiplies) + c.called;
}

double model_registers(const struct instances *in, const struct geometry *geometry)
{
  const struct ir_function *function = in->code->facts.kernel;
  double words = OWN_REGISTERS;

  for (unsigned i = 0; i < function->var_count; i++) {
    const struct ir_var *var = function->vars[i];
    unsigned axes = instances_of_var(in, var);
    bool index = var->write_count == 1 && var->type->kind == IR_TYPE_INT;
    if (!axes || index || var->kind != IR_VAR_LOCAL) continue;
    double each = var->type->size > 4 ? (double)var->type->size / 4 : 1;
    words += each * model_factor(geometry, 0) * model_factor(geometry, 1) / sharers(geometry, axes);
  }
  return words + model_factor(geometry, 0) + model_factor(geometry, 1);
}
