/* SPDX-License-Identifier: MIT */
/* team_plan.c - decides how many threads share a loop that sums up.
 *
 *     gemv<<<(m + 127) / 128, 128>>>     =>     a block of 128 threads a row, 16-byte loads,
 *                                               where rows have enough elements
 *
 * A row that a thread walks element by element goes to neighbouring threads. Columns, which
 * neighbouring threads walk side by side, go to threads of other rows of the block. The planner
 * takes the team with the least time (team_time.c). A version with 16-byte loads is for launches
 * that allow it. The kernel as written stays for short loops, and for launches that fill the device
 * without teams. Requires: promoted code. Gives up with a remark: the kernel is not shape-free, it
 * has no such loop, no gain.
 */
#include "analysis/transform/team_reduce/team_reduce.h"
#include "analysis/code/partial_sums.h"
#include "analysis/data/version.h"

#include <math.h>
#include <string.h>

#include "runtime/seeded.h"

#define GAIN_NEEDED 1.5

enum {
  FEWEST_UNITS = 4,
  MOST_ACCESSES = 200,
  SMALLEST = 64,
  LARGEST = 1 << 20,
  FILLED = 1 << 16 /* elements that fill the device with a thread for each */
};

static const struct team teams[] = {
    {1, 128, true},  {1, 256, true},  {4, 32, true},  {32, 32, false}, {1, 512, true},
    {1, 1024, true}, {32, 16, false}, {32, 8, false}, {16, 32, false}, {8, 64, false},
};

enum { LOOKED_AT = 3 /* a team with several elements per block, for the first look */ };

struct choosing {
  const struct code *from;
  const struct plan_options *options;
  const struct target *target;
  int64_t elements;                    /* of the launch; -1: not constant */
  struct team_loop found;              /* by the first look */
  const struct kernel_mapping *mapped; /* another mapping of the kernel; NULL: none */
  unsigned before;                     /* number of its versions */
  struct kernel_mapping *out;
  double gain;
  const char *reason; /* why there is no version */
  struct ir_place place;
};

static void decline(const struct choosing *c, const char *reason, const struct ir_place *place)
{
  code_decide((struct code *)c->from,
              (struct decision){.kind = DECISION_TEAMS, .place = *place, .why = reason});
  code_remark((struct code *)c->from, DIAG_NOT_COOPERATIVE, place,
              "the loop of '%s' is not shared by several threads: %s", c->from->kernel->name,
              reason);
}

/* ---- gains ---- */

static double written_time(const struct choosing *c, double elements)
{
  return team_reduce_written_time(&c->found, c->target, elements);
}

static double team_time(const struct choosing *c, const struct team *team, double elements)
{
  return team_reduce_team_time(&c->found, c->target, team, elements);
}

static double gain_of(const struct choosing *c, const struct team *team, double elements)
{
  return written_time(c, elements) / team_time(c, team, elements);
}

/* The sum of the logarithms of the times for the sizes that launches may have. */
static double mean_time(const struct choosing *c, const struct team *team)
{
  double sum = 0;

  if (c->elements > 0) return log(team_time(c, team, (double)c->elements));
  for (int64_t elements = 512; elements <= 1 << 15; elements *= 2)
    sum += log(team_time(c, team, (double)elements));
  return sum;
}

static const struct team *given_team(const struct choosing *c)
{
  const struct team_shape *given = &c->options->team;

  for (unsigned i = 0; i < sizeof teams / sizeof *teams; i++)
    if (teams[i].in_rows == c->found.rows && teams[i].elements == given->elements &&
        teams[i].threads == given->threads)
      return &teams[i];
  return NULL;
}

static const struct team *best_team(const struct choosing *c)
{
  const struct team *best = NULL;

  for (unsigned i = 0; i < sizeof teams / sizeof *teams; i++)
    if (teams[i].in_rows == c->found.rows &&
        (!best || mean_time(c, &teams[i]) < mean_time(c, best)))
      best = &teams[i];
  return best;
}

/* The number of elements from which the kernel as written is as good, within a factor of two; where
 * idle multiprocessors are all that is gained, within an eighth. 0: none. */
static int64_t most_elements(const struct choosing *c, const struct team *team)
{
  int64_t before = SMALLEST;

  for (int64_t elements = SMALLEST; elements <= LARGEST;
       elements += c->found.uniform ? elements / 8 : elements) {
    if (gain_of(c, team, (double)elements) < GAIN_NEEDED)
      return c->found.uniform ? before : elements;
    before = elements;
  }
  return 0;
}

/* ---- code ---- */

static const char *sum_names(const struct choosing *c)
{
  const char *text = "";

  for (unsigned i = 0; i < c->found.sum_count; i++)
    text =
        arena_format(c->from->arena, "%s%s%s", text, *text ? ", " : "", c->found.sums[i].var->name);
  return text;
}

struct attempt {
  struct code code;
  struct remarks remarks;
  struct ir_var *totals[2];
  struct preconditions preconditions;
  struct team_loop c;
  const char *reason;
  struct ir_place place;
};

/* `blocks`: several blocks are to share the sums. */
static bool try_shape(const struct choosing *c, const struct team *team, bool vectorized,
                      bool blocks, struct attempt *attempt)
{
  struct geometry geometry = {{team->elements, 1}, {team->elements, 1}, {1, 1}, 0, false};

  memset(attempt, 0, sizeof *attempt);
  attempt->code = code_copy(c->from, &attempt->remarks);
  if (!shape_virtual(&attempt->code, &geometry, attempt->totals, &attempt->reason, &attempt->place))
    return false;
  if (blocks) partial_one_layer(&attempt->code);
  code_scan(&attempt->code);
  if (!team_reduce_find(&attempt->code, c->options->associative, &attempt->c, &attempt->reason,
                        &attempt->place))
    return false;
  attempt->code.preconditions = vectorized ? &attempt->preconditions : NULL;
  return !vectorized || (team_reduce_vectorize(&attempt->code, &attempt->c) &&
                         attempt->c.vector_count == c->found.vector_count);
}

static bool try_team(const struct choosing *c, const struct team *team, bool vectorized,
                     struct attempt *attempt)
{
  return try_shape(c, team, vectorized, false, attempt);
}

/* ---- blocks that share sums ---- */

static const struct team *blocks_team(const struct choosing *c)
{
  static const struct team rows = {1, 256, true}, columns = {32, 32, false};
  return c->found.rows ? &rows : &columns;
}

/* Could blocks that share sums be faster, judged by the constants? */
static bool may_share_blocks(const struct choosing *c, const struct team *team, bool vectorized)
{
  const struct plan_options *options = c->options;
  int64_t unit = team->threads * team_reduce_batch(&c->found, vectorized);
  double slots =
      (double)c->target->multiprocessors *
      floor((double)c->target->threads_per_sm / (double)(team->elements * team->threads));
  bool few = c->elements < 0 || 2 * ceil((double)c->elements / (double)team->elements) <= slots;

  if (options->share != SHARE_AUTO) return options->share == SHARE_ALWAYS;
  return few && (c->found.trips < 0 || c->found.trips >= FEWEST_UNITS * unit);
}

static struct ir_expr *elements_of(const struct choosing *c)
{
  static const struct team one = {1, 32, true};
  struct attempt attempt;
  struct ir_expr *elements = c->elements < 0 && try_team(c, &one, false, &attempt)
                                 ? partial_elements(&attempt.code, attempt.c.loop)
                                 : NULL;

  if (c->elements < 0) code_drop_scan(&attempt.code);
  return elements;
}

static struct block_share *share_of(const struct choosing *c, struct attempt *attempt,
                                    const struct team *team)
{
  struct block_share *share = ARENA_NEW(c->from->arena, struct block_share);
  bool vectorized = attempt->c.vector_count;
  static const struct team rows = {1, 512, true}, columns = {16, 64, false};

  *share = (struct block_share){
      .function = PARTIAL_COUNT,
      .known = PARTIAL_KNOWN,
      .elements = elements_of(c),
      .iterations = partial_iterations(&attempt->code, attempt->c.loop->loop),
      .unit = team_reduce_unit(&attempt->c, team),
      .bytes = partial_bytes(&attempt->c, team->elements),
      .own = team_reduce_block_time(&c->found, c->target, team, vectorized, c->found.rows),
      .others = {team_reduce_block_time(&c->found, c->target, c->found.rows ? &rows : &columns,
                                        vectorized, false)},
      .other_count = 1,
      .fixed = c->options->share_count};
  return share->iterations ? share : NULL;
}

/* Adds a version for launches of less than `most` elements (0: any number) that satisfy `when`. */
static void add_version(const struct choosing *c, struct attempt *attempt, const struct team *team,
                        struct ir_expr *when, int64_t most, struct block_share *share)
{
  struct kernel_mapping *out = c->out;
  struct mapped_version *version = &out->versions[out->version_count++];
  const char *order = c->found.floats ? "; sums of floats are rounded in another order" : "",
             *loads = attempt->c.vector_count ? ", 16-byte loads" : "";

  struct ir_var *parts = share ? partial_param(&attempt->code) : NULL;
  team_reduce_build(&attempt->code, &attempt->c, team, parts);
  *version = (struct mapped_version){.code = attempt->code.facts.kernel,
                                     .block = {team->elements, 1},
                                     .team = true,
                                     .when = when,
                                     .most = most,
                                     .share = share};
  if (parts) out->workspace = parts;
  version->suffix = arena_format(c->from->arena, "%s%s", share ? "split" : "shared",
                                 attempt->c.vector_count ? "_vector" : "");
  version->note = arena_format(c->from->arena, "with %lld threads%s that share the loop for %s%s%s",
                               (long long)team->threads, share ? " of each of several blocks" : "",
                               sum_names(c), loads, order);
  version->threads[0] = team->in_rows ? team->elements * team->threads : team->elements;
  version->threads[1] = team->in_rows ? 1 : team->threads;
  for (unsigned i = 0; i < attempt->c.sum_count; i++)
    version->shared_bytes += (uint64_t)(team->threads / team_reduce_in_warp(team) *
                                        (team->in_rows ? 1 : team->elements)) *
                             8;
  for (int axis = 0; axis < 2; axis++)
    if (attempt->totals[axis] && !out->has_total[axis]) {
      out->has_total[axis] = true;
      out->totals[axis] = attempt->totals[axis];
    }
  version->when = precondition_in_totals(c->from->arena, when, attempt->totals, out->totals);
  if (share)
    share->iterations =
        precondition_in_totals(c->from->arena, share->iterations, attempt->totals, out->totals);
}

/* The condition iterations >= trips in a form that the launch can check; NULL: it cannot. */
static struct ir_expr *long_enough(struct attempt *attempt, int64_t trips)
{
  struct arena *arena = attempt->code.arena;
  const struct ir_loop *loop = attempt->c.loop->loop;
  struct ir_expr *end = precondition_host_form(&attempt->code, loop->bound),
                 *lower = precondition_host_form(&attempt->code, loop->lower);
  int64_t first;

  if (!end || !lower) return NULL;
  if (!end->type->is_signed) end = ir_build_cast(arena, ir_int_type(), end);
  struct ir_expr *length = ir_constant(lower, &first) && first == 0
                               ? end
                               : ir_build_binary(arena, IR_OP_SUB, end, lower);
  return ir_build_binary(arena, IR_OP_GE, length, ir_build_int(arena, trips * loop->step));
}

/* Adds the kernel with this team, if the launch can tell whether it fits. */
static void try_version(struct choosing *c, const struct team *team, bool vectorized, int64_t trips,
                        int64_t most)
{
  struct attempt attempt;
  struct arena *arena = c->from->arena;
  bool open = c->found.trips < 0 && trips > 0,
       fits = c->out->version_count < MOST_VERSIONS && try_team(c, team, vectorized, &attempt);
  struct ir_expr *enough = fits && open ? long_enough(&attempt, trips) : NULL;

  if (c->out->version_count == MOST_VERSIONS) return;
  if (fits && open && !enough) {
    c->reason = "the launch cannot tell how often it runs";
    c->place = attempt.c.loop->place;
  } else if (fits) {
    struct ir_expr *when = ir_build_both(
        arena, enough, vectorized ? precondition_condition(arena, &attempt.preconditions) : NULL);
    if (vectorized && !when && !most) /* nothing to check: it replaces the version without */
      c->out->version_count = c->before;
    add_version(c, &attempt, team, when, most, NULL);
  } else if (!vectorized) {
    c->reason = attempt.reason;
    c->place = attempt.place;
  }
  code_drop_scan(&attempt.code);
}

/* Adds the version with shared blocks, for launches that do not satisfy `unless`. *ret_when: the
 * condition of its launches. */
static bool try_blocks(struct choosing *c, bool vectorized, struct ir_expr *unless,
                       struct ir_expr **ret_when)
{
  const struct team *team = blocks_team(c);
  struct attempt attempt;

  if (!may_share_blocks(c, team, vectorized) || c->out->version_count == MOST_VERSIONS)
    return false;
  struct block_share *share =
      try_shape(c, team, vectorized, true, &attempt) ? share_of(c, &attempt, team) : NULL;
  *ret_when = share && vectorized ? precondition_condition(c->from->arena, &attempt.preconditions)
              : unless            ? ir_build_not(c->from->arena, unless)
                                  : NULL;
  if (share) add_version(c, &attempt, team, *ret_when, 0, share);
  code_drop_scan(&attempt.code);
  return share;
}

/* Adds versions behind all others, for launches of few elements and long loops, which leave most of
 * the device idle. */
static void add_blocks(struct choosing *c)
{
  struct ir_expr *when = NULL, *none;

  if (c->from->facts.grid[2] > 1 || c->out->version_count == c->before || c->found.uniform) return;
  bool vectorized = c->found.rows && c->found.vector_count && try_blocks(c, true, NULL, &when);
  if (!vectorized || when) try_blocks(c, false, when, &none);
}

/* ---- versions by size ---- */

/* A team for launches of less than `most` elements with long enough loops. */
struct by_size {
  struct team team;
  bool vectorized;
  int64_t trips, most; /* 0: any number */
};

/* Later sizes are preferred. */
static const struct by_size row_sizes[] = {
    {{1, 128, true}, false, 256, FILLED},
    {{4, 32, true}, true, 128, FILLED},
    {{1, 128, true}, true, 1024, 0},
    {{1, 512, true}, true, 1 << 14, 512},
};
static const struct by_size uniform_sizes[] = {
    {{32, 16, false}, false, 256, FILLED},
    {{16, 64, false}, false, 2048, 2560},
    {{8, 128, false}, false, 4096, 1536},
};
static const struct by_size column_sizes[] = {
    {{32, 32, false}, false, 64, FILLED},
    {{16, 32, false}, false, 64, 896},
    {{16, 64, false}, false, 896, 2560},
    {{8, 128, false}, false, 4096, 1536},
};

static void add_by_size(struct choosing *c)
{
  const struct by_size *sizes = c->found.uniform ? uniform_sizes
                                : c->found.rows  ? row_sizes
                                                 : column_sizes;
  unsigned count = c->found.uniform ? sizeof uniform_sizes / sizeof *uniform_sizes
                   : c->found.rows  ? sizeof row_sizes / sizeof *row_sizes
                                    : sizeof column_sizes / sizeof *column_sizes;

  for (unsigned i = 0; i < count; i++) {
    const struct by_size *size = &sizes[i];
    int64_t limit = most_elements(c, &size->team),
            most = !size->most || (limit && limit < size->most) ? limit : size->most;
    if (size->most == FILLED && !limit && !c->mapped)
      most = 0; /* a thread for each element is worse at any size */
    bool too_short = c->found.trips >= 0 &&
                     c->found.trips<size->trips, too_large = c->elements> 0 && most &&
                     c->elements >= most;
    if (!too_short && !too_large)
      try_version(c, &size->team, size->vectorized, size->trips, c->elements > 0 ? 0 : most);
  }
}

/* Adds one version for all launches, and one with vector loads. */
static void add_team(struct choosing *c, const struct team *team)
{
  try_version(c, team, false, 0, 0);
  if (team->in_rows) try_version(c, team, true, 0, 0);
}

static const char *report(struct choosing *c, struct text *dump)
{
  const char *order = c->found.floats ? "; sums of floats are rounded in another order" : "",
             *teams = "";

  for (unsigned i = c->before; i < c->out->version_count; i++) {
    const struct mapped_version *v = &c->out->versions[i];
    long long threads = c->found.rows ? v->threads[0] / v->block[0] : v->threads[1];
    const char *loads = strstr(v->suffix, "vector") ? " with 16-byte loads" : "",
               *blocks = v->share ? " of several blocks, where the launch has few" : "";
    teams = arena_format(c->from->arena, "%s%s%lld%s%s", teams, *teams ? ", " : "", threads, loads,
                         blocks);
    text_format(dump, "  plan share %s threads %lld of %lld elements below %lld %s\n", sum_names(c),
                threads, (long long)v->block[0], (long long)v->most, v->suffix);
  }
  code_decide(
      (struct code *)c->from,
      (struct decision){.kind = DECISION_TEAMS,
                        .taken = true,
                        .place = c->found.loop->place,
                        .gain = c->gain,
                        .what = arena_format(c->from->arena,
                                             "teams share the loop for %s, threads of a team: %s%s",
                                             sum_names(c), teams, order)});
  code_remark((struct code *)c->from, DIAG_COOPERATIVE, &c->found.loop->place,
              "threads share this loop of '%s' for %s, in teams of %s; predicted gain %.1f%s",
              c->from->kernel->name, sum_names(c), teams, c->gain, order);
  return teams;
}

/* The entry of a team in --explain: its time for `elements`. */
static struct ranked_plan ranked(const struct choosing *c, const struct team *team, double elements)
{
  struct arena *arena = c->from->arena;
  double streamed = team_reduce_stream_time(&c->found, c->target, elements),
         cycles = team_time(c, team, elements);

  return (struct ranked_plan){
      .key = arena_format(arena, "team:%lldx%lld", (long long)team->elements,
                          (long long)team->threads),
      .what = arena_format(arena, "%lld threads that share the loop, %lld element%s a block",
                           (long long)team->threads, (long long)team->elements,
                           team->elements > 1 ? "s" : ""),
      .milliseconds = model_milliseconds(c->target, cycles),
      .written = model_milliseconds(c->target, written_time(c, elements)),
      .bound = cycles < 1.5 * streamed ? BOUND_BANDWIDTH : BOUND_LATENCY,
      .written_bound = BOUND_LATENCY,
      .totals = {(int64_t)elements, 1}};
}

static void rank(const struct choosing *c, double elements, const struct team *taken)
{
  struct remarks *remarks = c->from->remarks;
  unsigned first = remarks->plans.count;

  for (unsigned i = 0; i < sizeof teams / sizeof *teams; i++) {
    if (teams[i].in_rows != c->found.rows) continue;
    struct ranked_plan plan = ranked(c, &teams[i], elements);
    plan.taken = &teams[i] == taken;
    ARENA_PUSH(c->from->arena, &remarks->plans);
    unsigned at = remarks->plans.count - 1;
    for (; at > first && remarks->plans.items[at - 1].milliseconds > plan.milliseconds; at--)
      remarks->plans.items[at] = remarks->plans.items[at - 1];
    remarks->plans.items[at] = plan;
  }
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
  if (facts->block[1] != 1 || facts->grid[1] != 1 || facts->block[2] != 1 ||
      !shape_free(&looked, &reason, &place))
    return false;
  c->elements = facts->block[0] > 0 && facts->grid[0] > 0 ? facts->block[0] * facts->grid[0] : -1;
  return c->elements <= INT32_MAX;
}

/* Looks at the loop, with the code in some shape. */
static bool look(struct choosing *c)
{
  struct attempt attempt;
  bool found = try_team(c, &teams[LOOKED_AT], false, &attempt);

  if (found && !team_reduce_reads(&attempt.code, &attempt.c)) {
    attempt.reason = "its iterations read nothing of their own";
    attempt.place = attempt.c.loop->place;
    found = false;
  }
  c->found = attempt.c;
  c->found.block = c->from->facts.block[0];
  if (found && attempt.c.rows) {
    attempt.code.preconditions = &attempt.preconditions;
    bool vectorized = team_reduce_vectorize(&attempt.code, &attempt.c);
    c->found.vector = vectorized ? attempt.c.vector : 0;
    c->found.vector_count = vectorized ? attempt.c.vector_count : 0;
  } else if (!found && attempt.c.sum_count && (c->options->associative || !attempt.c.floats)) {
    decline(c, attempt.reason, &attempt.place);
  }
  code_drop_scan(&attempt.code);
  return found;
}

/* Prepares the mapping that gets the versions: a copy of the existing one, or a new one. */
static void begin(struct choosing *c, bool alone)
{
  c->out = ARENA_NEW(c->from->arena, struct kernel_mapping);
  if (!alone && c->mapped) {
    *c->out = *c->mapped;
    c->before = c->mapped->version_count;
    return;
  }
  c->out->grid[1] = 1;
  c->out->grid[2] = c->from->facts.grid[2];
}

/* False: there is no new version. */
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
    out->gain = c->gain;
    out->plain = first->when || first->most || first->share ? c->from->facts.kernel : NULL;
  }
  report(c, dump);
  return true;
}

struct kernel_mapping *plan_team_loop(const struct code *code, const struct plan_options *options,
                                      struct kernel_mapping *mapped, struct text *dump,
                                      struct ir_function **ret_code)
{
  struct choosing c = {
      .from = code, .options = options, .target = target_of(options->tuned_for), .mapped = mapped};
  bool given = options->mapping == MAPPING_TEAM,
       always = options->mapping == MAPPING_ALWAYS || given;

  if ((options->mapping != MAPPING_AUTO && !always) || !can_shape(&c)) return mapped;
  code_scan((struct code *)code);
  if (code->access.reject || code->access_count > MOST_ACCESSES || !look(&c)) return mapped;
  const struct team *team = given ? given_team(&c) : best_team(&c);
  if (!team) return mapped;
  double assumed = c.elements > 0 ? (double)c.elements : 4096;
  bool constant = c.elements > 0 && c.found.trips >= 0;
  c.gain = gain_of(&c, team, assumed);
  if (!always && c.gain < GAIN_NEEDED) {
    rank(&c, assumed, NULL);
    decline(&c, arena_format(code->arena, "it is predicted to gain a factor of %.2f only", c.gain),
            &c.found.loop->place);
    return mapped;
  }
  if (!always && constant && mapped && c.elements >= FILLED) return mapped;
  begin(&c, always || constant);
  if (always || constant)
    add_team(&c, team);
  else
    add_by_size(&c);
  add_blocks(&c);
  if (!finish(&c, dump)) return mapped;
  bool alone = always || constant;
  if (!c.before)
    remarks_supersede(code->remarks, DECISION_TILES, DECISION_TRANSPOSE,
                      "threads that share the loop are predicted to be faster");
  rank(&c, assumed, alone ? team : NULL);
  *ret_code = c.out->versions[0].code;
  return c.out;
}

bool plan_team_reduce(struct draft *draft)
{
  struct kernel_mapping *before = draft->mapping;

  draft->mapping =
      plan_team_loop(&draft->code, draft->options, before, draft->dump, &draft->changed);
  return draft->mapping != before;
}
