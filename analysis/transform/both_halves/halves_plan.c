/* SPDX-License-Identifier: MIT */
/* halves_plan.c - decides whether a kernel's sums over both halves of a triangle are one pass.
 *
 *     symv<<<(n + 127) / 128, 128>>>   =>   blocks of 256 threads for strips of 128 rows, each with
 *                                           runs of up to 4 strips of columns
 *
 * It is one version behind all others, for launches of which the model of mesi_halves.h predicts
 * that it is faster than the kernel as written: that reads each element of the triangle twice, half
 * of it in lines of which a warp uses a part at a time, with as many threads as rows. Behind teams
 * that share its loop it is for launches of TEAM_ROWS rows and more. Requires: promoted code. Gives
 * up with a remark: its sums are others (halves_find.c, halves_legal.c), floats may not be added in
 * another order, or no gain; without one: the kernel is not shape-free.
 */
#include "analysis/transform/both_halves/both_halves.h"

#include <math.h>
#include <string.h>

#include "analysis/code/partial_sums.h"
#include "analysis/code/precondition.h"
#include "analysis/code/reduce.h"
#include "analysis/code/shape_free.h"
#include "analysis/model/model.h"

#define GAIN_NEEDED 1.25
#define LATENCY 800.0 /* cycles of loads from device memory that are on their way together */
#define STREAM 20.0   /* bytes a cycle of a multiprocessor, when all of them read */
#define SCATTERED 4.0 /* bytes that move for one that a thread of a row of its own reads */
#define WAIT 90.0     /* cycles of an iteration of a thread as written (64 to 128 rows, H200) */

/* rows for which teams, whose sums stay in a block, are as good */
enum { TEAM_ROWS = 1024 };

enum { MOST_ACCESSES = 200, ASSUMED_ROWS = 4096, LOOKED = 32, RESIDENT = 2 };

struct choosing {
  const struct code *from;
  const struct plan_options *options;
  const struct target *target;
  int64_t elements; /* threads of the launch; -1: not constant */
};

struct attempt {
  struct code code; /* scanned */
  struct remarks remarks;
  struct ir_var *totals[2];
  struct halves halves;
  const char *reason;
  struct ir_place place;
};

static void decline(const struct choosing *c, const struct attempt *attempt)
{
  struct code *code = (struct code *)c->from;

  code_decide(code, (struct decision){
                        .kind = DECISION_TEAMS, .place = attempt->place, .why = attempt->reason});
  code_remark(code, DIAG_HALVES_APART, &attempt->place,
              "the sums of '%s' over both halves of a matrix are not one pass: %s",
              code->kernel->name, attempt->reason);
}

/* ---- attempts ---- */

static bool try_halves(const struct choosing *c, struct attempt *attempt)
{
  int64_t threads = c->from->facts.block[0] > 1 ? c->from->facts.block[0] : LOOKED;
  struct geometry geometry = {{threads, 1}, {threads, 1}, {1, 1}, 0, false};

  memset(attempt, 0, sizeof *attempt);
  attempt->code = code_copy(c->from, &attempt->remarks);
  if (!shape_virtual(&attempt->code, &geometry, attempt->totals, &attempt->reason, &attempt->place))
    return false;
  partial_one_layer(&attempt->code);
  halves_spread(&attempt->code);
  code_scan(&attempt->code);
  bool found = halves_find(&attempt->code, c->options->associative, &attempt->halves,
                           &attempt->reason, &attempt->place);
  if (found) attempt->place = attempt->halves.loops[0]->place;
  return found;
}

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

/* ---- predicted time ---- */

/* A strip of a run, for a block with others on its multiprocessor and for one alone. */
static struct block_time own_time(const struct halves *h)
{
  struct halves_shape shape = halves_shape_of(h);
  double bytes = (double)(shape.strip * shape.strip * h->terms[0].element->type->size);

  return (struct block_time){.block = {shape.strip, 1},
                             .resident = RESIDENT,
                             .alone = 3 * LATENCY, /* factors, elements, what a warp waits for */
                             .busy = fmax(bytes / STREAM, LATENCY)};
}

/* An iteration of a block as written. */
static struct block_time written_time(const struct choosing *c, const struct halves *h)
{
  int64_t threads = c->from->facts.block[0] > 0 ? c->from->facts.block[0] : 256;
  double bytes = (double)(threads * h->terms[0].element->type->size);

  return (struct block_time){
      .block = {threads, 1},
      .resident = (unsigned)fmax(1, floor((double)c->target->threads_per_sm / (double)threads)),
      .alone = WAIT,
      .busy = bytes * (1 + SCATTERED) / 2 / STREAM};
}

static double gain_of(const struct choosing *c, const struct halves *h)
{
  struct block_time own = own_time(h), written = written_time(c, h);
  double rows = c->elements > 0 ? (double)c->elements : ASSUMED_ROWS,
         sms = c->target->multiprocessors, strips = ceil(rows / (double)own.block[0]);
  double tiles = strips * (strips + 1) / 2;
  double new_time = fmax(own.alone, tiles / sms * own.busy) + 2500 + 180 * strips;

  return rows * fmax(written.alone, written.busy * ceil(rows / (double)written.block[0] / sms)) /
         new_time;
}

/* ---- the version ---- */

static const struct block_share *share_of(const struct choosing *c, struct attempt *attempt)
{
  static const struct ir_type longest = {.kind = IR_TYPE_INT,
                                         .spelling = "long long",
                                         .size = 8,
                                         .align = 8,
                                         .is_signed = true,
                                         .extent = -1};
  struct block_share *share = ARENA_NEW(c->from->arena, struct block_share);
  struct ir_expr *rows = precondition_host_form(&attempt->code, attempt->halves.rows);

  *share = (struct block_share){.function = "mesi_halves_blocks",
                                .known = PARTIAL_KNOWN,
                                .iterations = ir_build_cast(c->from->arena, &longest, rows),
                                .unit = halves_shape_of(&attempt->halves).strip,
                                .bytes = halves_slots(&attempt->halves),
                                .own = own_time(&attempt->halves),
                                .others = {written_time(c, &attempt->halves)},
                                .other_count = 1,
                                .fixed = c->options->share_count};
  return share;
}

static bool has_teams(const struct kernel_mapping *mapped)
{
  for (unsigned i = 0; mapped && i < mapped->version_count; i++)
    if (mapped->versions[i].team) return true;
  return false;
}

/* The launches that the version is for, beside what the model predicts: where teams share the loop,
 * those of many rows. NULL: all. */
static struct ir_expr *launches_of(const struct choosing *c, struct attempt *attempt,
                                   const struct kernel_mapping *out)
{
  struct ir_expr *rows = precondition_host_form(&attempt->code, attempt->halves.rows);

  int64_t constant;

  if (!has_teams(out) || c->options->mapping == MAPPING_ALWAYS || ir_constant(rows, &constant))
    return NULL;
  return ir_build_binary(
      c->from->arena, IR_OP_GE, rows,
      reduce_cast(c->from->arena, rows->type, ir_build_int(c->from->arena, TEAM_ROWS)));
}

static void add_version(const struct choosing *c, struct attempt *attempt,
                        struct kernel_mapping *out)
{
  struct ir_expr *when = launches_of(c, attempt, out);
  struct arena *arena = c->from->arena;
  struct mapped_version *version = &out->versions[out->version_count++];
  struct halves_shape shape = halves_shape_of(&attempt->halves);
  const struct block_share *share = share_of(c, attempt);
  struct ir_expr *elements = attempt->totals[0] ? ir_build_var(arena, attempt->totals[0])
                                                : ir_build_int(arena, c->elements);

  out->workspace = partial_param(&attempt->code);
  halves_build(&attempt->code, &attempt->halves, (struct ir_var *)out->workspace, elements);
  *version = (struct mapped_version){
      .code = attempt->code.facts.kernel,
      .block = {shape.strip, 1},
      .threads = {shape.threads, 1},
      .team = true,
      .when = when,
      .shared_bytes = halves_shared(&attempt->halves),
      .resident = RESIDENT,
      .share = share,
      .suffix = "halves",
      .note = arena_format(arena,
                           "with %lld threads for tiles of %lld x %lld elements, each for both of "
                           "its sums%s",
                           (long long)shape.threads, (long long)shape.strip, (long long)shape.strip,
                           attempt->halves.floats ? "; sums of floats are rounded in another order"
                                                  : "")};
  if (attempt->totals[0] && !out->has_total[0]) {
    out->has_total[0] = true;
    out->totals[0] = attempt->totals[0];
  }
}

static void report(const struct choosing *c, const struct attempt *attempt, double gain,
                   struct text *dump)
{
  struct code *code = (struct code *)c->from;
  const struct halves *h = &attempt->halves;
  const struct ir_place *place = &h->loops[0]->place;
  const char *order = h->floats ? "; sums of floats are rounded in another order" : "";
  const struct halves_shape shape = halves_shape_of(h);

  text_format(dump, "  plan halves strip %lld threads %lld %s\n", (long long)shape.strip,
              (long long)shape.threads, h->low ? "low" : "high");
  code_decide(code,
              (struct decision){.kind = DECISION_TEAMS,
                                .taken = true,
                                .place = *place,
                                .gain = gain,
                                .what = arena_format(code->arena,
                                                     "one pass over the triangle adds up both "
                                                     "halves of %s%s",
                                                     h->terms[0].sum->name, order)});
  code_remark(code, DIAG_HALVES_JOINED, place,
              "'%s' reads each element of one triangle once, for both of its sums; predicted gain "
              "%.1f%s",
              code->kernel->name, gain, order);
}

/* Puts the version behind those that there are. */
static void take(const struct choosing *c, struct attempt *attempt, struct draft *draft,
                 double gain)
{
  struct kernel_mapping *out = ARENA_NEW(c->from->arena, struct kernel_mapping);

  if (draft->mapping) {
    *out = *draft->mapping;
  } else {
    *out =
        (struct kernel_mapping){.grid = {-1, 1, 1}, .plain = c->from->facts.kernel, .gain = gain};
  }
  add_version(c, attempt, out);
  report(c, attempt, gain, draft->dump);
  draft->mapping = out;
  if (out->version_count == 1) draft->changed = out->versions[0].code;
}

bool plan_both_halves(struct draft *draft)
{
  struct choosing c = {.from = &draft->code,
                       .options = draft->options,
                       .target = target_of(draft->options->tuned_for)};
  bool always = draft->options->mapping == MAPPING_ALWAYS;
  struct attempt attempt;
  int64_t constant;

  if ((draft->options->mapping != MAPPING_AUTO && !always) ||
      draft->options->share == SHARE_NEVER || !can_shape(&c) ||
      (draft->mapping && draft->mapping->version_count == MOST_VERSIONS))
    return false;
  code_scan(&draft->code);
  if (draft->code.access.reject || draft->code.access_count > MOST_ACCESSES) return false;
  bool found = try_halves(&c, &attempt);
  double gain = found ? gain_of(&c, &attempt.halves) : 0;
  if (found && halves_shared(&attempt.halves) > draft->options->shared_memory) {
    attempt.reason = "its tiles do not fit shared memory";
    found = false;
  }
  if (found && !always && has_teams(draft->mapping) &&
      ir_constant(attempt.halves.rows, &constant) && constant < TEAM_ROWS) {
    attempt.reason = "threads that share the loop are predicted to be as fast for so few rows";
    found = false;
  }
  if (found && gain < GAIN_NEEDED && !always) {
    attempt.reason =
        arena_format(c.from->arena, "it is predicted to gain a factor of %.2f only", gain);
    found = false;
  }
  if (found)
    take(&c, &attempt, draft, gain);
  else if (attempt.halves.alike)
    decline(&c, &attempt);
  code_drop_scan(&attempt.code);
  return found;
}
