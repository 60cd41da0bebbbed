/* SPDX-License-Identifier: MIT */
/* row_plan.c - decides how many threads share a row.
 *
 *     softmax<<<(rows + 127) / 128, 128>>>   =>   a warp a row of up to 512 elements, 128 threads
 *                                                 up to 2048, 256 up to 8192, 512 up to 16384,
 *                                                 whose rows stay in registers; 256 for longer ones
 *
 * Each is a version, for launches whose rows have that many elements, and are aligned where a load
 * has 16 bytes. As written, a thread waits for each element of its own row in each pass, and its
 * warp loads 32 lines for 32 elements. A team loads whole lines, once. Requires: promoted code.
 * Gives up with a remark: the kernel is not shape-free, it has no such passes, the launch cannot
 * tell a row's length, no gain.
 */
#include "analysis/transform/row_team/row_team.h"

#include <math.h>
#include <string.h>

#include "analysis/code/loop.h"
#include "analysis/data/version.h"

#define GAIN_NEEDED 1.5
#define LATENCY 800.0 /* cycles of a load from device memory */
#define COMBINE 150.0 /* cycles to combine the parts of a team, per pass */
#define STREAM 20.0   /* bytes a cycle of a multiprocessor when all of them read */
#define START 1500.0

enum {
  WARP = 32,
  MOST_ACCESSES = 200,
  ASSUMED_TRIPS = 1024,
  ASSUMED_ELEMENTS = 4096,
  LEAST = 64,
  WARP_ROW = 256, /* elements of a row that is too short for a block */
  FEW = 2048,     /* rows that leave multiprocessors idle with a warp each */
  MOST_WORDS = 64
};

/* Later sizes are preferred. `vectorized`: a place has 16 bytes. */
struct row_size {
  struct row_shape shape;
  bool vectorized;
  int64_t low;  /* the least number of elements of a row that it is for */
  bool loops;   /* only where loops around passes use the registers again */
  int64_t most; /* only for launches of less than this number of rows; 0: of any number */
};
static const struct row_size sizes[] = {
    {{8, 32, 0, 1}, false, LEAST, false, 0}, {{8, 32, 16, 1}, false, LEAST, true, 0},
    {{8, 32, 4, 1}, false, LEAST, true, 0},  {{1, 128, 0, 1}, false, 257, true, FEW},
    {{1, 256, 0, 1}, false, 1024, false, 0}, {{1, 256, 0, 1}, true, 4096, false, 0},
    {{1, 128, 16, 1}, false, 257, false, 0}, {{8, 32, 4, 1}, true, LEAST, false, 0},
    {{1, 128, 4, 1}, true, 257, false, 0},   {{1, 256, 8, 1}, true, 2049, false, 0},
    {{1, 512, 8, 1}, true, 8193, false, 0},  {{1, 512, 16, 1}, true, 16385, false, 0},
};

struct choosing {
  const struct code *from;
  const struct plan_options *options;
  const struct target *target;
  int64_t elements;        /* threads of the launch, one for each row; -1: not constant */
  struct row_passes found; /* by a first look */
  struct kernel_mapping *out;
  unsigned before; /* number of versions from another mapping */
  int64_t vector;  /* elements in 16 bytes; 0: it differs between arrays */
  double gain;
  const char *reason;
  struct ir_place place;
};

struct attempt {
  struct code code;
  struct remarks remarks;
  struct ir_var *totals[2];
  struct preconditions preconditions;
  struct row_passes passes;
  const char *reason;
  struct ir_place place;
};

static void decline(const struct choosing *c, const char *reason, const struct ir_place *place)
{
  code_decide((struct code *)c->from,
              (struct decision){.kind = DECISION_TEAMS, .place = *place, .why = reason});
  code_remark((struct code *)c->from, DIAG_NOT_COOPERATIVE, place,
              "the rows of '%s' are not gone through by several threads: %s", c->from->kernel->name,
              reason);
}

/* ---- predicted time ---- */

static double trips_of(const struct row_passes *p)
{
  return p->trips >= 0 ? (double)p->trips : ASSUMED_TRIPS;
}

static double written_time(const struct choosing *c, double elements)
{
  struct team_loop pass = {
      .rows = true, .bytes = c->found.bytes, .trips = (int64_t)trips_of(&c->found)};
  return team_reduce_written_time(&pass, c->target, elements) * c->found.runs;
}

static double team_time(const struct choosing *c, const struct row_shape *shape, double elements)
{
  double sms = c->target->multiprocessors, blocks = ceil(elements / (double)shape->elements),
         slots = sms * floor((double)c->target->threads_per_sm /
                             (double)(shape->elements * shape->threads));
  double waves = fmax(1, blocks / slots), trips = trips_of(&c->found),
         reading = fmin(blocks * 1.5, sms);
  double rounds =
      ceil(trips / (double)(shape->threads * shape->vector * (shape->kept ? shape->kept : 4)));
  double loads = shape->kept && c->found.runs <= c->found.pass_count ? 1 : c->found.runs;

  return START + fmax(waves * (rounds * loads * LATENCY + c->found.summed * COMBINE),
                      elements * trips * (c->found.bytes + c->found.moved) / (STREAM * reading));
}

static double gain_of(const struct choosing *c)
{
  static const struct row_shape warp = {8, WARP, 4, 1}, block = {1, 128, 4, 4};
  double elements = c->elements > 0 ? (double)c->elements : ASSUMED_ELEMENTS;
  const struct row_shape *shape = trips_of(&c->found) <= WARP_ROW ? &warp : &block;

  return written_time(c, elements) / team_time(c, shape, elements);
}

/* ---- attempts ---- */

static bool try_team(const struct choosing *c, const struct row_shape *shape, enum row_loops loops,
                     struct attempt *attempt)
{
  struct geometry geometry = {{shape->elements, 1}, {shape->elements, 1}, {1, 1}, 0, false};

  memset(attempt, 0, sizeof *attempt);
  attempt->code = code_copy(c->from, &attempt->remarks);
  if (!shape_virtual(&attempt->code, &geometry, attempt->totals, &attempt->reason, &attempt->place))
    return false;
  row_team_names(&attempt->code);
  code_scan(&attempt->code);
  if (!row_team_find(&attempt->code, c->options->associative, loops, &attempt->passes,
                     &attempt->reason, &attempt->place))
    return false;
  attempt->code.preconditions = &attempt->preconditions;
  return shape->vector == 1 || row_team_vectorize(&attempt->code, &attempt->passes, shape->vector);
}

/* The number of elements of a row, in a form that the launch can compute: the end of the first pass
 * (with `same`, all passes have it), else of the first pass that has such an end. NULL: there is
 * none. */
static struct ir_expr *row_length(struct attempt *attempt, bool same)
{
  struct ir_expr *end = NULL;

  for (unsigned i = 0; i < attempt->passes.pass_count && !end && (!i || !same); i++) {
    const struct ir_loop *loop = attempt->passes.passes[i].loop->loop;
    end = precondition_host_form(&attempt->code, loop_end(attempt->code.arena, loop));
  }
  return end;
}

/* The condition low <= length <= high that the launch checks; `high` 0: no upper limit. NULL: it
 * cannot check the length. */
static struct ir_expr *of_length(struct attempt *attempt, int64_t low, int64_t high)
{
  struct arena *arena = attempt->code.arena;
  struct ir_expr *end = row_length(attempt, high > 0);

  if (!end) return NULL;
  struct ir_expr *enough = ir_build_binary(
      arena, IR_OP_GE, end,
      end->type->is_signed ? ir_build_int(arena, low)
                           : ir_build_cast(arena, end->type, ir_build_int(arena, low)));
  if (!high) return enough;
  struct ir_expr *most = ir_build_int(arena, high);
  if (!end->type->is_signed) most = ir_build_cast(arena, end->type, most);
  return ir_build_both(arena, enough, ir_build_binary(arena, IR_OP_LE, end, most));
}

static const char *what_of(const struct choosing *c, const struct row_shape *shape)
{
  return arena_format(c->from->arena, "%lld threads a row%s%s", (long long)shape->threads,
                      shape->kept
                          ? arena_format(c->from->arena, " of up to %lld elements in registers",
                                         (long long)(shape->threads * shape->kept * shape->vector))
                          : "",
                      shape->vector > 1 ? ", 16-byte loads" : "");
}

static void add_version(struct choosing *c, struct attempt *attempt, const struct row_shape *shape,
                        struct ir_expr *when, int64_t most)
{
  struct kernel_mapping *out = c->out;
  struct mapped_version *version = &out->versions[out->version_count++];
  uint64_t sums = 0;

  for (unsigned i = 0; i < attempt->passes.pass_count; i++)
    for (unsigned k = 0; k < attempt->passes.passes[i].sum_count; k++)
      sums += attempt->passes.passes[i].sums[k].at ? 16 : 8;
  row_team_build(&attempt->code, &attempt->passes, shape);
  *version = (struct mapped_version){
      .code = attempt->code.facts.kernel,
      .block = {shape->elements, 1},
      .threads = {shape->elements * shape->threads, 1},
      .team = true,
      .when = when,
      .most = most,
      .shared_bytes = shape->threads > WARP ? sums * (uint64_t)(shape->threads / WARP) : 0,
      .suffix = arena_format(c->from->arena, "row%lld%s%s", (long long)shape->threads,
                             shape->kept ? "_kept" : "", shape->vector > 1 ? "_vector" : ""),
      .note = arena_format(c->from->arena, "with %s%s", what_of(c, shape),
                           c->found.floats ? "; sums of floats are rounded in another order" : "")};
  for (int axis = 0; axis < 2; axis++)
    if (attempt->totals[axis] && !out->has_total[axis]) {
      out->has_total[axis] = true;
      out->totals[axis] = attempt->totals[axis];
    }
}

/* Do the kept elements fit into a thread's registers? */
static bool fits_registers(const struct choosing *c, const struct row_shape *shape)
{
  int64_t words = 0;

  for (unsigned g = 0; g < c->found.group_count; g++) {
    const struct row_group *group = &c->found.groups[g];
    int64_t size = group->array->element->size;
    if (group->kept && (group->pass != group->last || c->found.around[group->pass]))
      words += shape->kept * shape->vector * (size > 4 ? size : 4) / 4;
  }
  return words <= (shape->threads > 256 ? MOST_WORDS : 2 * MOST_WORDS);
}

/* Tries a version of this size; the launch checks that the rows' length fits. */
static void try_version(struct choosing *c, const struct row_size *size)
{
  struct attempt attempt;
  struct row_shape shape = size->shape;
  int64_t trips = c->found.trips, low = size->low;

  if (size->vectorized) shape.vector = c->vector;
  if (size->vectorized && c->vector < 2) return;
  int64_t high = shape.kept * shape.threads * shape.vector;
  if (c->options->mapping == MAPPING_ALWAYS && low == LEAST) low = 1;
  if (size->loops && c->found.runs <= c->found.pass_count) return;
  if (size->most && c->elements >= size->most) return;
  if (trips >= 0 && (trips < low || (high && trips > high))) return;
  if (shape.kept && (!c->found.same_ends || !c->found.straight || !fits_registers(c, &shape)))
    return;
  if (c->out->version_count == MOST_VERSIONS) return;
  if (try_team(c, &shape, c->found.which, &attempt)) {
    struct ir_expr *length = trips >= 0 ? NULL : of_length(&attempt, low, high);
    if (trips < 0 && !length) {
      c->reason = "the launch cannot tell how long they are";
      c->place = attempt.passes.passes[0].loop->place;
    } else {
      struct ir_expr *more =
          shape.vector > 1 ? precondition_condition(c->from->arena, &attempt.preconditions) : NULL;
      add_version(c, &attempt, &shape, ir_build_both(c->from->arena, length, more),
                  c->elements > 0 ? 0 : size->most);
    }
  } else if (shape.vector == 1) {
    c->reason = attempt.reason;
    c->place = attempt.place;
  }
  code_drop_scan(&attempt.code);
}

/* ---- the choice ---- */

static bool can_shape(struct choosing *c)
{
  const struct kernel_facts *facts = &c->from->facts;
  struct code looked = *c->from;
  const char *reason;
  struct ir_place place;

  looked.facts.kernel = ir_copy_function(c->from->arena, c->from->facts.kernel);
  for (unsigned i = 0; i < c->from->kernel->param_count; i++)
    if (c->from->kernel->params[i]->type->is_unnamed || !c->from->kernel->params[i]->name)
      return false;
  if (facts->block[1] != 1 || facts->grid[1] != 1 || facts->block[2] != 1 || facts->grid[2] != 1 ||
      !shape_free(&looked, &reason, &place))
    return false;
  c->elements = facts->block[0] > 0 && facts->grid[0] > 0 ? facts->block[0] * facts->grid[0] : -1;
  return c->elements <= INT32_MAX;
}

/* Does a pass go through a row of the thread's own, in a kernel for which team_reduce makes no
 * remark? */
static bool is_worth_a_word(const struct row_passes *p)
{
  bool own = false;

  for (unsigned g = 0; g < p->group_count; g++) own |= p->groups[g].own;
  return own && p->loops > 1;
}

/* Looks for passes, with the code in some shape. */
static bool look(struct choosing *c)
{
  static const struct row_shape looked = {32, 1, 0, 1};
  struct attempt attempt;
  bool found = try_team(c, &looked, ROW_EITHER, &attempt);

  c->found = attempt.passes;
  for (unsigned g = 0; g < c->found.group_count && found; g++) {
    int64_t vector = 16 / c->found.groups[g].array->element->size;
    c->vector = !g || vector == c->vector ? vector : 0;
  }
  if (!found && is_worth_a_word(&c->found)) decline(c, attempt.reason, &attempt.place);
  code_drop_scan(&attempt.code);
  return found && c->found.bytes > 0;
}

static void begin(struct choosing *c, const struct kernel_mapping *mapped)
{
  c->out = ARENA_NEW(c->from->arena, struct kernel_mapping);
  if (mapped) {
    *c->out = *mapped;
    c->before = mapped->version_count;
    return;
  }
  c->out->grid[1] = c->out->grid[2] = 1;
}

static void report(struct choosing *c, struct text *dump)
{
  const char *order = c->found.floats ? "; sums of floats are rounded in another order" : "",
             *teams = "";

  for (unsigned i = c->before; i < c->out->version_count; i++) {
    const struct mapped_version *v = &c->out->versions[i];
    long long threads = v->threads[0] / v->block[0];
    const char *kept = strstr(v->suffix, "kept") ? " with rows in registers" : "",
               *loads = strstr(v->suffix, "vector") ? " with 16-byte loads" : "";
    teams = arena_format(c->from->arena, "%s%s%lld%s%s", teams, *teams ? ", " : "", threads, kept,
                         loads);
    text_format(dump, "  plan rows threads %lld of %lld elements %s\n", threads,
                (long long)v->block[0], v->suffix);
  }
  const struct ir_place *place = &c->found.passes[0].loop->place;
  code_decide((struct code *)c->from,
              (struct decision){.kind = DECISION_TEAMS,
                                .taken = true,
                                .place = *place,
                                .gain = c->gain,
                                .what = arena_format(c->from->arena,
                                                     "teams go through rows, threads of a team: "
                                                     "%s%s",
                                                     teams, order)});
  code_remark((struct code *)c->from, DIAG_COOPERATIVE, place,
              "threads go through the rows of '%s' together, in teams of %s; predicted gain "
              "%.1f%s",
              c->from->kernel->name, teams, c->gain, order);
}

static bool finish(struct choosing *c, struct text *dump)
{
  struct kernel_mapping *out = c->out;
  const struct mapped_version *first = &out->versions[0];

  if (out->version_count == c->before) {
    if (c->reason) decline(c, c->reason, &c->place);
    return false;
  }
  if (!c->before) {
    out->grid[0] = c->elements > 0 ? (c->elements + first->block[0] - 1) / first->block[0] : -1;
    out->plain = first->when ? c->from->facts.kernel : NULL;
  }
  if (c->gain > out->gain) out->gain = c->gain;
  report(c, dump);
  return true;
}

static bool has_teams(const struct kernel_mapping *mapped)
{
  for (unsigned i = 0; mapped && i < mapped->version_count; i++)
    if (mapped->versions[i].team) return true;
  return false;
}

static bool note_nest(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= loop_is_one(stmt) && loop_number(stmt) > 1;
  return true;
}

static bool has_nests(struct ir_stmt *body)
{
  bool found = false;

  ir_visit_stmts(body, note_nest, &found);
  return found;
}

bool plan_row_team(struct draft *draft)
{
  struct choosing c = {.from = &draft->code,
                       .options = draft->options,
                       .target = target_of(draft->options->tuned_for)};
  bool always = draft->options->mapping == MAPPING_ALWAYS;

  if ((draft->options->mapping != MAPPING_AUTO && !always) || !can_shape(&c)) return false;
  code_scan(&draft->code);
  if (draft->code.access.reject || draft->code.access_count > MOST_ACCESSES) return false;
  /* of a nest, other teams share the outer loop, which may be the shorter one */
  if (has_teams(draft->mapping) && !has_nests(draft->code.facts.kernel->body)) return false;
  if (!look(&c) || (has_teams(draft->mapping) && c.found.which != ROW_INNER)) return false;
  c.gain = gain_of(&c);
  if (!always && c.gain < GAIN_NEEDED) {
    decline(
        &c,
        arena_format(draft->code.arena, "it is predicted to gain a factor of %.2f only", c.gain),
        &c.found.passes[0].loop->place);
    return false;
  }
  begin(&c, draft->mapping);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) try_version(&c, &sizes[i]);
  if (!finish(&c, draft->dump)) return false;
  draft->mapping = c.out;
  if (!c.before) draft->changed = c.out->versions[0].code;
  return true;
}
