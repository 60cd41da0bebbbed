/* model.c - how long a multiprocessor works on the tiled loops, as written and mapped.
 *
 * A multiprocessor has four schedulers, each issues one warp's instruction a cycle. A warp takes
 * for an iteration of a tiled loop
 *
 *     c = ARITHMETIC * operations + ITERATION + STAGED_LOAD * staged accesses + COPY or COPY_TURNED
 *         * requests of the copy
 *
 * cycles of its scheduler. With q warps of a block and R resident blocks a scheduler, an iteration
 * of all of them takes
 *
 *     ((R q c (1 + TOGETHER (q - 1)))^4 + (ALONE max(q, 1) c)^4)^(1/4)
 *
 * , and what it waits for the loads of its tiles where those are not under way by then: a block
 * that is alone waits at its barriers; where the code branches, c is CHAIN times as long in the
 * second term (n-body, 65536 bodies: 10.9 ms with two bodies a thread, 7.2 ms with one). A launch
 * has START cycles besides. The constants are fitted to an H200 (sweep of 2026-11-21,
 * docs/performance.md: 23 shapes for float at three sizes, 8 for int and double; the root of the
 * mean squared error is 15%, mostly of shapes that are not in the table; of its shapes the best is
 * taken for float and int).
 *
 * Streamed arrays come from device memory, at STREAM bytes a cycle of a multiprocessor at most. As
 * written a warp waits LATENCY for each sector of its rows, or for a few lines at once; mapped, for
 * a tile. These constants are estimates that agree with the sweep in docs/performance.md.
 *
 * As written, the load/store unit of the multiprocessor takes two and a half cycles for a coalesced
 * request of a warp, two for a broadcast, one for each pair of sectors otherwise, or the arithmetic
 * at the rate that the warps in flight allow. The last wave counts whole: a multiprocessor works on
 * ceil(blocks / multiprocessors) blocks.
 */
#include "analysis/model/model.h"

#include "analysis/code/guarded.h"

#include <math.h>
#include <string.h>

#define ARITHMETIC 1.2
#define PRODUCT \
  0.9 /* of a multiply-add of doubles on tensor cores, whose loads are hidden. Fitted to 27 runs \
         in 18 shapes (2026-11-22) */
#define PRODUCT_TILE \
  51.0 /* of a warp before the first product of a tile: its barrier, and loads that nothing hides \
        */
#define ALONE_PRODUCT \
  1.5 /* 2048 x 2048: 0.333 ms in four blocks of four warps with 32 sums, 0.348 in two of four \
         with 64; 0.394 in one of eight */
#define ITERATION 4.0
#define STAGED_LOAD 2.7 /* up to STAGED_WORDS words a thread */
#define STAGED_WORDS 8.0
#define COPY 7.0 /* of up to 16 bytes a thread */
#define COPY_TURNED \
  14.0 /* of an element: a b^T of 2048 x 2048, where both are turned, takes 0.444 ms with 1.5 an \
          iteration, 0.403 with one */
#define TOGETHER \
  0.03             /* for each warp more of a block on a scheduler: they wait for one another \
                    */
#define ALONE 0.88 /* of a warp's cycles: what others cannot hide where a block is alone */
#define ALONE_LOADED \
  1.9 /* ... where the block's threads load and store its tiles, whatever its warps: 128 x 64 for \
         128 threads takes 0.464 ms where three of four blocks have the registers, 0.413 with all \
         four and tiles that are waited for */
#define WAIT_COPY \
  850.0 /* cycles of a block for loads of a tile that it waits for: 128 x 128 for 256 threads \
           takes 0.410 ms with them */
#define WAIT_BARRIER 350.0 /* for what it stores between two barriers: 0.388 ms */
#define WAIT_SHARED \
  6.0 /* resident blocks that hide half of it. 0.371 ms with registers and two copies */
#define ALONE_WIDE \
  2.0 /* of multiply-adds of doubles: 2048 x 2048 takes 0.799 ms in three blocks of four warps, \
         0.953 in four of two */
#define CHAIN \
  3.75 /* where calls and divisions branch, one element's come after the other's: a warp waits for \
          its own results */
#define CHAIN_SHORT \
  2.7 /* where they are short (-use_fast_math). n-body, 65536 bodies: 3.35 ms with one body a \
         thread, 4.17 with two */
#define START 20000.0
#define PEAK 0.64  /* as written: of 128 multiply-adds a cycle */
#define HALF 404.0 /* as written: warps in flight at which half of the peak is reached */
#define SCHEDULERS 4.0
#define LATENCY 800.0 /* of device memory */
#define STREAM 20.0   /* 4.8 TB/s over 132 multiprocessors */
#define SECTOR 32.0   /* bytes */
#define FIRST_TILE \
  1600.0 /* in place of START where the kernel as written waits for device memory as well */
#define GUARDED_LOAD \
  75.0 /* cycles of a warp for a load under an element's predicate: one comes after the other. A \
          product of 1024 x 1024 whose rows are not staged takes 2.40 ms with 64 elements a thread \
          in 128 blocks of four warps, each of which makes 64 an iteration */
#define REGISTERS 65536.0 /* of a multiprocessor */
#define RANGE_WALKED \
  5.0 /* cycles of a multiprocessor for a warp that finds the ends of a range: 3.3 (bin by bin) to \
         7 (rows of bins), measured */
#define BATCH \
  66.0 /* the same for a warp of a block that looks at a batch of ranges together, measured with \
          batches of 64 */
#define ASSUMED_RANGE 16.0 /* elements of a range in a nest */
#define ASSUMED_BATCH 48.0 /* ranges */

enum {
  OWN_REGISTERS = 40,
  OWN_SHARED = 1024 /* bytes */,
  HELD_BESIDE =
      128 /* 16 that are held take 8 more, 32 take 28, since a copy has some for itself */,
  MOST_REGISTERS = 224,
  UNKNOWN_TRIPS = 16,
  ASSUMED_TRIPS = 512,
  CALL_COST = 8,
  SCATTERED = 16,
  MOST_CALLS = 4,
  LOADS_AT_ONCE = 4 /* of a warp, in a loop that the compiler unrolls */
};

#define COALESCED MODEL_NEIGHBOURS
#define BROADCAST MODEL_BROADCAST

const struct target *target_of(unsigned arch)
{
  static const struct target targets[] = {
#define TARGET(arch, block, sm, count, threads, megahertz, products) \
  {arch, block, sm, count, threads, megahertz, products},
#include "analysis/model/targets.def"
#undef TARGET
  };
  const struct target *best = &targets[0];

  for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
    if (targets[i].arch <= arch) best = &targets[i];
  return best;
}

double model_milliseconds(const struct target *target, double cycles)
{
  return cycles / (target->megahertz * 1e3);
}

/* ---- work of an iteration ---- */

struct counting {
  struct code *code;
  const struct instances *in;
  const struct geometry *geometry;
  const struct tile *tile;
  /* axes of conditions around the loop that stay around each element's loads of device memory */
  unsigned predicates;
  double around;  /* executions of this place in an iteration */
  unsigned calls; /* of device functions around it */
  double adds, multiplies, others;
  struct work work;
};

static double factor(const struct geometry *geometry, int axis)
{
  return (double)geometry->block[axis] / (double)geometry->threads[axis];
}

/* The instances of a thread that share a value which depends on `axes`. */
static double sharers(const struct geometry *geometry, unsigned axes)
{
  double count = 1;

  for (int axis = 0; axis < 2; axis++)
    if (!(axes & (1u << axis))) count *= factor(geometry, axis);
  return count;
}

/* Is `form` the thread's index along the axis, plus what is a multiple of `vector`? */
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

/* Load/store cycles of one request of a warp as written: by how the address changes from thread to
 * thread along the axis. */
double model_request_along(struct symbols *symbols, const struct access *access, int axis)
{
  struct symbol *thread = symbol_of_builtin(symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));
  bool moves = false, scattered = false;

  for (unsigned d = 0; d < access->dim_count; d++) {
    const struct value *value = &access->index[d];
    for (unsigned t = 0; t < value->term_count; t++)
      scattered |=
          isl_pw_aff_involves_param_id(value->terms[t].coefficient, thread->id) == isl_bool_true;
    if (!value->aff || isl_pw_aff_involves_param_id(value->aff, thread->id) != isl_bool_true)
      continue;
    moves = true;
    isl_pw_aff *step = isl_pw_aff_copy(value->aff);
    bool one = false;
    if (isl_pw_aff_isa_aff(step) == isl_bool_true) {
      isl_aff *aff = isl_pw_aff_as_aff(step);
      isl_space *space = isl_aff_get_domain_space(aff);
      int at = isl_space_find_dim_by_id(space, isl_dim_param, thread->id);
      isl_space_free(space);
      isl_val *by = isl_aff_get_coefficient_val(aff, isl_dim_param, at);
      one = isl_val_is_one(by) == isl_bool_true;
      isl_val_free(by);
      isl_aff_free(aff);
    } else {
      isl_pw_aff_free(step);
    }
    scattered |= !one || d + 1 < access->dim_count;
  }
  return scattered ? SCATTERED : moves ? COALESCED : BROADCAST;
}

/* The copy that the access reads; NULL: it is not staged. */
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

  c->work.streamed += c->around * size;
  c->work.wait_written =
      fmax(c->work.wait_written, LATENCY / (scattered ? SECTOR / size : LOADS_AT_ONCE));
  c->work.wait_mapped = LATENCY / (double)c->tile->size;
}

/* Are the elements that a thread's instances read neighbours at an aligned place of the copy, to be
 * read several at once? */
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

/* Requests to the copy that a thread makes for all its instances, in units of STAGED_WORDS words.
 * Without vectors the lanes of a warp stand `vector` words apart, on a part of the banks. */
static double copy_requests(struct counting *c, const struct tile_array *array,
                            const struct access *access, unsigned axes, double words)
{
  double values =
      factor(c->geometry, 0) * factor(c->geometry, 1) / sharers(c->geometry, axes) * words;

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
  c->work.cycles_left += c->around * cycles / (code_read_only(c->code, found->array) ? shared : 1);
  if (c->predicates) c->work.guarded += c->around / shared;
}

/* Cycles of a scheduler for an instruction, over those of one on floats. */
static double weight_of(const struct ir_type *type)
{
  if (!type || (type->kind != IR_TYPE_INT && type->kind != IR_TYPE_FLOAT)) return 1;
  if (type->kind == IR_TYPE_FLOAT) return type->size > 4 ? 2.4 : 1;
  return type->size > 4 ? 4 : 1.5;
}

/* A call that is an instruction or two, without a branch. */
static bool is_instruction(const struct ir_expr *call)
{
  static const char *const names[] = {"min",  "max",   "fmin", "fmax", "fminf", "fmaxf", "abs",
                                      "fabs", "fabsf", "fma",  "fmaf", "umin",  "umax"};
  bool found = call->effect == IR_EFFECT_LOAD || !strncmp(call->text, "__", 2);

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    found |= !strcmp(call->text, names[i]);
  return found;
}

static bool is_approximated(const char *name)
{
  static const char *const names[] = {"sqrt", "rsqrt", "exp",    "exp2",   "exp10",
                                      "log",  "log2",  "log10",  "pow",    "sin",
                                      "cos",  "tan",   "sincos", "fdivide"};
  size_t space = strncmp(name, "std::", 5) ? 0 : 5;
  bool found = false;

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    found |= !strncmp(name + space, names[i], length) &&
             (!name[space + length] || !strcmp(name + space + length, "f"));
  }
  return found;
}

bool model_is_short(const struct code *code, const struct ir_expr *expr)
{
  bool number =
      code->fast_math && expr->type && expr->type->kind == IR_TYPE_FLOAT && expr->type->size <= 4;
  bool divides = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_DIV;

  return number && (divides || (expr->kind == IR_EXPR_CALL && is_approximated(expr->text)));
}

static void count_stmt(struct counting *c, const struct ir_stmt *stmt);

/* A device function is what its body does: the compiler has it inline. */
static void count_call(struct counting *c, const struct ir_expr *call)
{
  bool inside = call->effect == IR_EFFECT_CALLEE && call->callee && call->callee->body &&
                c->calls < MOST_CALLS;

  if (inside) {
    c->calls++;
    count_stmt(c, call->callee->body);
    c->calls--;
    return;
  }
  bool is_short = model_is_short(c->code, call);
  c->others += c->around * (is_short ? MODEL_SHORT_COST : CALL_COST);
  c->work.waits |= is_short;
  c->work.branches |= !is_short && !is_instruction(call);
}

static void count_expr(struct counting *c, const struct ir_expr *expr)
{
  if (!expr) return;
  const struct code_access *found = code_access_of(c->code, expr);
  if (found) { /* its indices are address arithmetic */
    count_access(c, found, expr);
    return;
  }
  double weight = weight_of(expr->type) * c->around;
  bool compares = expr->kind == IR_EXPR_BINARY && expr->type && expr->type->kind == IR_TYPE_BOOL;
  bool number =
           expr->type && (expr->type->kind == IR_TYPE_FLOAT || expr->type->kind == IR_TYPE_INT),
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

static double trips_of(const struct ir_stmt *stmt, double unknown)
{
  int64_t lower, bound;
  bool known = stmt->loop && stmt->loop->lower && !stmt->loop->step_expr &&
               ir_constant(stmt->loop->lower, &lower) && ir_constant(stmt->loop->bound, &bound) &&
               stmt->loop->step;

  return known ? fabs((double)(bound - lower) / (double)stmt->loop->step) : unknown;
}

static void count_stmt(struct counting *c, const struct ir_stmt *stmt)
{
  double around = c->around;

  if (!stmt) return;
  count_expr(c, stmt->expr);
  if (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO)
    c->around *= trips_of(stmt, UNKNOWN_TRIPS);
  if (stmt->kind == IR_STMT_IF) c->around /= 2;
  count_stmt(c, stmt->body);
  count_stmt(c, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) count_stmt(c, stmt->children[i]);
  c->around = around;
}

/* Cycles of a thread for its part of a copy, an iteration. The elements of a copy whose layout is
 * turned go one by one, each to another row; others go 16 bytes at once in the versions that large
 * launches take. */
static double copy_cycles(const struct tile *tile, const struct tile_array *array, double threads)
{
  double words = (double)array->bytes / 4 / (double)tile->size / (tile->buffered ? 2 : 1) / threads;
  unsigned last = array->stage.dim_count - 1;
  const struct ir_type *element = array->stage.element; /* NULL: chunks of a range */

  if (array->order[last] != last)
    return COPY_TURNED * words * 4 / fmax(4, element ? (double)element->size : 4);
  bool at_once = element && !array->streamed && (element->size == 4 || element->size == 8);
  return COPY * words / (at_once ? 16 / (double)element->size : (double)array->vector);
}

static struct work work_of(struct code *code, const struct instances *in,
                           const struct geometry *geometry, const struct tile *tile)
{
  struct counting c = {.code = code, .in = in, .geometry = geometry, .tile = tile, .around = 1};
  double threads = (double)(geometry->threads[0] * geometry->threads[1]);

  if (sharers(geometry, 0) > 1)
    c.predicates = guarded_axes(in, code->facts.kernel->body, tile->loop);
  count_stmt(&c, tile->loop->body);
  /* a product is added to a sum in one instruction */
  c.work.operations = c.others + fmax(c.adds, c.multiplies);
  c.work.products = tile->products;
  c.work.product_tile = PRODUCT_TILE / (double)tile->size;
  for (unsigned i = 0; i < tile->array_count; i++) {
    c.work.copied += copy_cycles(tile, &tile->arrays[i], threads);
  }
  return c.work;
}

/* ---- registers ---- */

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
    words += each * factor(geometry, 0) * factor(geometry, 1) / sharers(geometry, axes);
  }
  return words + factor(geometry, 0) + factor(geometry, 1);
}

/* ---- time ---- */

/* Cycles of an iteration as written where there are few warps: loads are waited for (products of
 * small matrices on an H200: 66 to 71). */
#define WRITTEN_ALONE 65.0

static double efficiency(double in_flight) { return PEAK * in_flight / (in_flight + HALF); }

struct limit { /* of an iteration, or of a loop */
  double cycles;
  enum bound by;
};

static struct limit later(struct limit a, struct limit b) { return b.cycles > a.cycles ? b : a; }

/* Cycles of a multiprocessor for a warp's iteration as written: arithmetic at its efficiency, the
 * load/store unit, or device memory. */
static struct limit written_cycles(const struct work *work, double in_flight)
{
  struct limit issue = {work->operations / SCHEDULERS / efficiency(in_flight) +
                            work->loads * 3 / SCHEDULERS,
                        BOUND_ISSUE};
  struct limit memory = later((struct limit){work->wait_written * 32 / in_flight, BOUND_LATENCY},
                              (struct limit){work->streamed * 32 / STREAM, BOUND_BANDWIDTH});

  return later(later(issue, (struct limit){work->cycles_written, BOUND_REQUESTS}), memory);
}

static double warps_of(const struct geometry *geometry)
{
  return (double)(geometry->threads[0] * geometry->threads[1]) / 32 / SCHEDULERS;
}

/* Cycles of a multiprocessor for an iteration of `resident` blocks; a block that is alone takes
 * `alone` times those of a warp. */
static struct limit block_cycles(const struct work *work, const struct geometry *geometry,
                                 double resident, double alone)
{
  double instances = factor(geometry, 0) * factor(geometry, 1);
  double warps = warps_of(geometry);
  double arithmetic =
      ARITHMETIC * work->operations * instances + ITERATION + STAGED_LOAD * work->staged;
  double products = PRODUCT * work->products * instances + work->product_tile;
  double warp = (work->products > 0 ? products : arithmetic) + work->copied +
                work->cycles_left * instances * SCHEDULERS;
  double all = resident * warps * warp * (1 + TOGETHER * fmax(warps - 1, 0)), one = alone * warp;

  if (work->loaded) one = fmax(one, ALONE_LOADED * warp);
  double issued = pow(pow(all, 4) + pow(one, 4), 0.25) + work->pause / (1 + resident / WAIT_SHARED),
         threads = (double)(geometry->threads[0] * geometry->threads[1]);
  struct limit memory =
      later((struct limit){work->wait_mapped, BOUND_LATENCY},
            (struct limit){resident * threads * work->streamed / STREAM, BOUND_BANDWIDTH});
  memory = later(memory, (struct limit){GUARDED_LOAD * work->guarded * instances, BOUND_LATENCY});
  return later((struct limit){issued, one > all ? BOUND_BARRIERS : BOUND_ISSUE}, memory);
}

static double chain_of(const struct work *work)
{
  return work->branches ? CHAIN : work->waits ? CHAIN_SHORT : 1;
}

static struct limit mapped_cycles(const struct work *work, const struct geometry *geometry,
                                  double resident)
{
  return block_cycles(work, geometry, resident,
                      fmax(warps_of(geometry), 1) * (chain_of(work) > 1   ? chain_of(work)
                                                     : work->products > 0 ? ALONE_PRODUCT
                                                     : work->wide         ? ALONE_WIDE
                                                                          : ALONE));
}

/* Of `each` blocks, so many together as are resident; those that are left have the multiprocessor
 * to themselves. */
static double waves_cycles(const struct work *work, const struct geometry *geometry, double each,
                           double resident)
{
  double whole = floor(each / resident), rest = each - whole * resident;
  return whole * mapped_cycles(work, geometry, resident).cycles +
         (rest > 0 ? mapped_cycles(work, geometry, rest).cycles : 0);
}

void model_measure(struct code *code, const struct instances *in, const struct geometry *geometry,
                   const struct tiles *tiles, struct workload *ret)
{
  *ret = (struct workload){
      .geometry = *geometry, .count = tiles->count, .own_registers = model_registers(in, geometry)};
  for (unsigned i = 0; i < tiles->count; i++) {
    ret->work[i] = work_of(code, in, geometry, &tiles->items[i]);
    ret->trips[i] = trips_of(tiles->items[i].loop, ASSUMED_TRIPS);
  }
  model_rebuffer(ret, tiles);
}

/* Registers that hold the next tile, besides those that its copies take anyway. */
static double beside_copies(double held)
{
  return held > 0 ? fmax(0, held - HELD_BESIDE / held) : 0;
}

void model_rebuffer(struct workload *load, const struct tiles *tiles)
{
  static const double pauses[] = {[PAUSE_NONE] = 0,
                                  [PAUSE_STORE] = 0,
                                  [PAUSE_BARRIER] = WAIT_BARRIER,
                                  [PAUSE_COPY] = WAIT_COPY};
  unsigned held = 0;

  load->shared = OWN_SHARED;
  for (unsigned i = 0; i < tiles->count; i++) {
    const struct tile *tile = &tiles->items[i];
    load->shared += (double)tile->bytes;
    bool streams = load->work[i].streamed > 0; /* device memory decides */
    load->work[i].pause = streams ? 0 : pauses[tile->pause] / (double)tile->size;
    load->work[i].loaded = tile->pause != PAUSE_NONE && !streams;
    held = tile->held > held ? tile->held : held;
  }
  load->registers = load->own_registers + beside_copies(held);
}

static double resident_blocks(const struct workload *w, const struct target *target)
{
  double threads = (double)(w->geometry.threads[0] * w->geometry.threads[1]);
  return floor(
      fmin(fmin(REGISTERS / (w->registers * threads), (double)target->shared_per_sm / w->shared),
           (double)target->threads_per_sm / threads));
}

double model_gain_in_place(const struct workload *w, const struct target *target,
                           struct prediction *ret)
{
  double threads = (double)(w->geometry.threads[0] * w->geometry.threads[1]),
         resident = resident_blocks(w, target);
  double without =
      floor(fmin(REGISTERS / (w->registers * threads), (double)target->threads_per_sm / threads));

  *ret =
      (struct prediction){.registers = (unsigned)w->registers, .blocks_per_sm = (unsigned)resident};
  if (resident < 1) return 0;
  for (unsigned i = 0; i < w->count; i++) {
    double range = w->nested[i] ? RANGE_WALKED / ASSUMED_RANGE : 0,
           batch = w->nested[i] ? BATCH / ASSUMED_BATCH / ASSUMED_RANGE : 0;
    /* its warps hide the chains of one another */
    double alone = fmax(warps_of(&w->geometry), chain_of(&w->work[i]));
    struct limit of_block = block_cycles(&w->work[i], &w->geometry, resident, alone);
    struct limit of_warp =
        written_cycles(&w->work[i], fmin(without * threads, (double)target->threads_per_sm));
    ret->mapped += w->trips[i] * (of_block.cycles / resident + batch * ceil(threads / 32));
    ret->written += w->trips[i] * (of_warp.cycles + range) * ceil(threads / 32);
    ret->mapped_bound = of_block.by;
    ret->written_bound = of_warp.by;
  }
  return ret->written / ret->mapped;
}

bool model_predict(const struct workload *w, const int64_t totals[2], const struct target *target,
                   struct prediction *ret)
{
  double sms = target->multiprocessors, blocks = 1;

  for (int axis = 0; axis < 2; axis++)
    blocks *= ceil((double)totals[axis] / (double)w->geometry.block[axis]);
  double resident = resident_blocks(w, target);
  double each = ceil(blocks / sms), warps = (double)(totals[0] * totals[1]) / 32;
  if (w->registers > MOST_REGISTERS || resident < 1) return false;
  double together = fmin(each, resident);
  /* a warp has about 32 lines in flight */
  double written_flight = fmin(ceil(warps / sms), (double)target->threads_per_sm / 32) * 32;
  struct limit mapped = {0, BOUND_UNKNOWN}, written = {0, BOUND_UNKNOWN};
  *ret =
      (struct prediction){.registers = (unsigned)w->registers, .blocks_per_sm = (unsigned)resident};
  for (unsigned i = 0; i < w->count; i++) {
    double start = w->work[i].streamed > 0 ? FIRST_TILE : START / w->count;
    struct limit of_block = mapped_cycles(&w->work[i], &w->geometry, together),
                 of_warp = written_cycles(&w->work[i], written_flight);
    double cycles = w->work[i].loaded ? waves_cycles(&w->work[i], &w->geometry, each, together)
                                      : each / together * of_block.cycles;
    ret->mapped += w->trips[i] * cycles + start;
    ret->written += w->trips[i] * ceil(warps / sms) * of_warp.cycles;
    mapped = later(mapped, (struct limit){w->trips[i] * of_block.cycles, of_block.by});
    written = later(written, (struct limit){w->trips[i] * of_warp.cycles, of_warp.by});
  }
  ret->mapped_bound = mapped.by;
  ret->written_bound = written.by;
  return true;
}

bool model_block_time(const struct workload *w, const struct target *target, struct block_time *ret,
                      struct block_time *ret_written)
{
  double resident = resident_blocks(w, target), warps = (double)target->threads_per_sm / 32;

  if (w->registers > MOST_REGISTERS || resident < 1) return false;
  *ret = (struct block_time){.block = {w->geometry.block[0], w->geometry.block[1]},
                             .resident = (unsigned)resident};
  *ret_written = (struct block_time){.block = {32, 1}, .resident = (unsigned)warps};
  for (unsigned i = 0; i < w->count; i++) {
    ret->alone += mapped_cycles(&w->work[i], &w->geometry, 1).cycles;
    ret->busy += mapped_cycles(&w->work[i], &w->geometry, resident).cycles / resident;
    ret_written->alone += written_cycles(&w->work[i], 32).cycles;
    ret_written->alone = fmax(ret_written->alone, WRITTEN_ALONE);
    ret_written->busy += written_cycles(&w->work[i], warps * 32).cycles;
  }
  return true;
}
