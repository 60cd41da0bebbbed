/* cooperate_plan.c - decides how many threads share a loop that sums up.
 *
 *     gemv<<<(m + 127) / 128, 128>>>     =>     a block of 128 threads a row, 16-byte loads, where rows have enough elements
 *
 * Rows that a thread walks element by element go to threads that are neighbours; columns, which neighbouring threads walk side by
 * side, to threads of other rows of the block. The time of a loop is that of its bytes, or of the loads that are waited for: LATENCY
 * cycles for each batch of a thread, in as many waves as it takes. As written a thread waits WAIT_ROWS or WAIT_COLUMNS cycles an
 * iteration (fitted to gemv and bicg of samples/bench on an H200, docs/performance.md). There is a version with 16-byte loads for launches
 * that allow it, and the kernel as written stays for loops that are short, and for launches that fill the device without.
 * Requires: promoted code. Gives up with a remark: not shape-free, no such loop, no gain.
 */
#include "analysis/cooperate.h"

#include <math.h>
#include <string.h>

#include "runtime/seeded.h"

#define GAIN_NEEDED 1.5
#define LATENCY 800.0       /* cycles of a batch of loads from device memory */
#define STREAM 20.0         /* bytes a cycle of a multiprocessor, when all read */
#define ALONE 1.5           /* times as many for one of few */
#define WAIT_ROWS 150.0
#define WAIT_COLUMNS 107.0
#define SCATTERED 2.0       /* times as long for lines of which a warp uses a part each time */
#define COMBINE 300.0       /* cycles for putting the parts of a team together */
#define START 1500.0

enum { WIDE_BATCH = 4, BATCH = 8, ASSUMED_TRIPS = 1024, SMALLEST = 64, LARGEST = 1 << 20, SHARE_WORTH = 2 /* iterations of a thread */ };

static const struct team teams[] = {
  { 1, 128, true }, { 1, 256, true }, { 4, 32, true }, { 32, 32, false }, { 1, 512, true }, { 1, 1024, true }, { 32, 16, false }, { 32, 8, false }, { 16, 32, false }, { 8, 64, false },
};

enum { LOOKED_AT = 3 /* blocks of several elements */ };

struct choosing {
  const struct code *from;
  const struct plan_options *options;
  const struct target *target;
  int64_t elements;          /* of the launch; -1: not constant */
  struct cooperation found;  /* by looking only */
  struct kernel_mapping *out;
};

static void decline(const struct choosing *c, const char *reason, const struct ir_place *place)
{
  code_remark((struct code *)c->from, DIAG_NOT_COOPERATIVE, place, "the loop of '%s' is not shared by several threads: %s", c->from->kernel->name, reason);
}

/* ---- time, in cycles ---- */

static double trips_of(const struct choosing *c)
{
  return c->found.trips >= 0 ? (double)c->found.trips : ASSUMED_TRIPS;
}

static double written_time(const struct choosing *c, double elements)
{
  double sms = c->target->multiprocessors, waves = fmax(1, elements / (sms * c->target->threads_per_sm));
  double wait = trips_of(c) * (c->found.rows ? WAIT_ROWS : WAIT_COLUMNS) * waves;

  return START + fmax(wait, elements * trips_of(c) * c->found.bytes / (STREAM * sms) * (c->found.rows ? SCATTERED : 1));
}

static double team_time(const struct choosing *c, const struct team *team, double elements)
{
  double sms = c->target->multiprocessors, blocks = ceil(elements / (double)team->elements);
  double slots = sms * floor((double)c->target->threads_per_sm / (double)(team->elements * team->threads));
  double waves = fmax(1, blocks / slots), batch = c->found.vector ? WIDE_BATCH * (double)c->found.vector : BATCH;
  double rounds = ceil(trips_of(c) / ((double)team->threads * batch)), reading = fmin(blocks * ALONE, sms);
  double wait = waves * (rounds * LATENCY + COMBINE + (team->in_rows ? 0 : 10 * (double)team->threads));

  double narrow = team->in_rows || team->elements >= 32 ? 1 : team->elements >= 16 ? 1.1 : 1.3;

  return START + fmax(wait, elements * trips_of(c) * c->found.bytes * narrow / (STREAM * reading));
}

static double gain_of(const struct choosing *c, const struct team *team, double elements)
{
  return written_time(c, elements) / team_time(c, team, elements);
}

/* The sum of the logarithms of the times over the sizes that launches may have. */
static double mean_time(const struct choosing *c, const struct team *team)
{
  double sum = 0;

  if (c->elements > 0)
    return log(team_time(c, team, (double)c->elements));
  for (int64_t elements = 512; elements <= 1 << 15; elements *= 2)
    sum += log(team_time(c, team, (double)elements));
  return sum;
}

static const struct team *best_team(const struct choosing *c)
{
  const struct team *best = NULL;

  for (unsigned i = 0; i < sizeof teams / sizeof *teams; i++)
    if (teams[i].in_rows == c->found.rows && (!best || mean_time(c, &teams[i]) < mean_time(c, best)))
      best = &teams[i];
  return best;
}

/* The sizes of launches at which the team gains; false: none. */
static bool find_range(const struct choosing *c, const struct team *team, int64_t *ret_least, int64_t *ret_most)
{
  *ret_least = *ret_most = 0;
  for (int64_t elements = SMALLEST; elements <= LARGEST; elements *= 2) {
    bool gains = gain_of(c, team, (double)elements) >= GAIN_NEEDED;
    if (gains && !*ret_least)
      *ret_least = elements;
    if (!gains && *ret_least) {
      *ret_most = elements;
      return true;
    }
  }
  return *ret_least > 0;
}

/* ---- code ---- */

struct attempt {
  struct code code;
  struct remarks remarks;
  struct ir_var *totals[2];
  struct assumptions assume;
  struct cooperation c;
  const char *reason;
  struct ir_place place;
};

static bool try_team(const struct choosing *c, const struct team *team, bool wide, struct attempt *attempt)
{
  struct geometry geometry = { { team->elements, 1 }, { team->elements, 1 }, { 1, 1 }, 0 };

  memset(attempt, 0, sizeof *attempt);
  attempt->code = *c->from;
  attempt->code.scanned = false;
  attempt->code.remarks = &attempt->remarks;
  attempt->code.facts.kernel = ir_copy_function(c->from->arena, c->from->facts.kernel);
  if (!shape_virtual(&attempt->code, &geometry, attempt->totals, &attempt->reason, &attempt->place))
    return false;
  code_scan(&attempt->code);
  if (!cooperate_find(&attempt->code, c->options->associative, &attempt->c, &attempt->reason, &attempt->place))
    return false;
  attempt->code.assume = wide ? &attempt->assume : NULL;
  return !wide || (cooperate_widen(&attempt->code, &attempt->c) && attempt->c.wide_count == c->found.wide_count);
}

static void add_version(const struct choosing *c, struct attempt *attempt, const struct team *team, int64_t least, bool exact)
{
  struct kernel_mapping *out = c->out;
  struct mapped_version *version = &out->versions[out->version_count++];

  cooperate_build(&attempt->code, &attempt->c, team);
  *version = (struct mapped_version){ .code = attempt->code.facts.kernel, .block = { team->elements, 1 }, .exact = exact, .least = least };
  version->threads[0] = team->in_rows ? team->elements * team->threads : team->elements;
  version->threads[1] = team->in_rows ? 1 : team->threads;
  for (unsigned i = 0; i < attempt->c.sum_count; i++)
    version->shared_bytes += (uint64_t)(team->in_rows ? team->threads / 32 : team->elements * team->threads) * 8;
  for (int axis = 0; axis < 2; axis++)
    if (attempt->totals[axis] && !out->has_total[axis]) {
      out->has_total[axis] = true;
      out->totals[axis] = attempt->totals[axis];
    }
}

/* iterations >= threads of a team * SHARE_WORTH, as the launch can check it; NULL: it cannot. */
static struct ir_expr *long_enough(struct attempt *attempt, const struct team *team)
{
  struct arena *arena = attempt->code.arena;
  const struct ir_loop *loop = attempt->c.loop->loop;
  struct ir_expr *end = assume_host_form(&attempt->code, loop->bound), *lower = assume_host_form(&attempt->code, loop->lower);
  int64_t first;

  if (!end || !lower)
    return NULL;
  if (!end->type->is_signed)
    end = ir_build_cast(arena, ir_int_type(), end);
  struct ir_expr *length = ir_constant(lower, &first) && first == 0 ? end : ir_build_binary(arena, IR_OP_SUB, end, lower);
  return ir_build_binary(arena, IR_OP_GE, length, ir_build_int(arena, team->threads * SHARE_WORTH * loop->step));
}

/* The version for all launches, and one with 16-byte loads; the latter only where nothing has to be checked. */
static bool add_versions(struct choosing *c, const struct team *team, int64_t least, struct attempt *general)
{
  struct attempt wide;
  bool has_wide = team->in_rows && try_team(c, team, true, &wide);

  c->out->condition = has_wide ? assume_condition(c->from->arena, &wide.assume) : NULL;
  if (!has_wide || c->out->condition)
    add_version(c, general, team, least, false);
  if (has_wide)
    add_version(c, &wide, team, least, c->out->condition != NULL);
  if (team->in_rows)
    code_drop_scan(&wide.code);
  return has_wide;
}

static const char *sum_names(const struct choosing *c)
{
  const char *text = "";

  for (unsigned i = 0; i < c->found.sum_count; i++)
    text = arena_format(c->from->arena, "%s%s%s", text, *text ? ", " : "", c->found.sums[i].var->name);
  return text;
}

static void report(struct choosing *c, const struct team *team, bool wide, struct text *dump)
{
  struct arena *arena = c->from->arena;
  const char *order = c->found.floats ? "; sums of floats are rounded in another order" : "";
  const char *loads = wide ? ", 16-byte loads where the launch allows it" : "";

  c->out->suffix = "shared";
  c->out->note = arena_format(arena, "with %lld threads that share the loop for %s%s%s", (long long)team->threads, sum_names(c), loads, order);
  code_remark((struct code *)c->from, DIAG_COOPERATIVE, &c->found.loop->place, "%lld threads share this loop of '%s' for %s%s; predicted gain %.1f%s",
              (long long)team->threads, c->from->kernel->name, sum_names(c), loads, c->out->gain, order);
  text_format(dump, "  plan share %s threads %lld of %lld elements wide %d from %lld to %lld gain %.1f\n", sum_names(c), (long long)team->threads,
              (long long)team->elements, wide, (long long)c->out->least, (long long)c->out->most, c->out->gain);
}

static struct kernel_mapping *build(struct choosing *c, const struct team *team, int64_t least, int64_t most, struct text *dump)
{
  struct attempt attempt;
  bool always = c->options->mapping == MAPPING_ALWAYS, fits = try_team(c, team, false, &attempt);
  struct ir_expr *worth = fits && !always && c->found.trips < 0 ? long_enough(&attempt, team) : NULL;
  struct kernel_mapping *out = NULL;

  if (fits && !always && c->found.trips < 0 && !worth)
    attempt.reason = "the launch cannot tell how often it runs";
  if (attempt.reason) {
    decline(c, attempt.reason, &attempt.place);
  } else {
    out = c->out = ARENA_NEW(c->from->arena, struct kernel_mapping);
    out->worth = worth;
    out->least = least;
    out->most = most;
    out->gain = gain_of(c, team, c->elements > 0 ? (double)c->elements : (double)least * 4);
    bool wide = add_versions(c, team, least, &attempt);
    out->grid[0] = c->elements > 0 ? (c->elements + team->elements - 1) / team->elements : -1;
    out->grid[1] = 1;
    out->grid[2] = c->from->facts.grid[2];
    out->plain = least > 1 || most || worth ? c->from->facts.kernel : NULL;
    report(c, team, wide, dump);
  }
  code_drop_scan(&attempt.code);
  return out;
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
  if (facts->block[1] != 1 || facts->grid[1] != 1 || facts->block[2] != 1 || !shape_free(&looked, &reason, &place))
    return false;
  c->elements = facts->block[0] > 0 && facts->grid[0] > 0 ? facts->block[0] * facts->grid[0] : -1;
  return c->elements <= INT32_MAX;
}

/* Looks at the loop with the code in some shape. */
static bool look(struct choosing *c)
{
  struct attempt attempt;
  bool found = try_team(c, &teams[LOOKED_AT], false, &attempt);

  if (found && !cooperate_reads(&attempt.code, &attempt.c)) {
    attempt.reason = "it reads nothing that other threads do not";
    attempt.place = attempt.c.loop->place;
    found = false;
  }
  c->found = attempt.c;
  if (found && attempt.c.rows) {
    attempt.code.assume = &attempt.assume;
    bool wide = cooperate_widen(&attempt.code, &attempt.c);
    c->found.vector = wide ? attempt.c.vector : 0;
    c->found.wide_count = wide ? attempt.c.wide_count : 0;
  } else if (!found && attempt.c.sum_count && (c->options->associative || !attempt.c.floats)) {
    decline(c, attempt.reason, &attempt.place);
  }
  code_drop_scan(&attempt.code);
  return found;
}

struct kernel_mapping *plan_cooperation(const struct code *code, const struct plan_options *options, struct text *dump, struct ir_function **ret_code)
{
  struct choosing c = { .from = code, .options = options, .target = target_of(options->tuned_for) };
  bool always = options->mapping == MAPPING_ALWAYS;
  int64_t least = 0, most = 0;

  if ((options->mapping != MAPPING_AUTO && !always) || !can_shape(&c))
    return NULL;
  code_scan((struct code *)code);
  if (code->access.reject || !look(&c))
    return NULL;
  const struct team *team = best_team(&c);
  bool gains = c.elements > 0 ? gain_of(&c, team, (double)c.elements) >= GAIN_NEEDED : find_range(&c, team, &least, &most);
  if (!always && !gains) {
    decline(&c, arena_format(code->arena, "it is predicted to gain a factor of %.2f only", gain_of(&c, team, c.elements > 0 ? (double)c.elements : 4096)),
            &c.found.loop->place);
    return NULL;
  }
  struct kernel_mapping *out = build(&c, team, always ? 0 : least, always ? 0 : most, dump);
  if (out)
    *ret_code = out->versions[0].code;
  return out;
}
