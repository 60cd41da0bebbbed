/* SPDX-License-Identifier: MIT */
/* split_plan.c - decides whether several blocks share a loop over tiles, and in which shape.
 *
 *     matmul of 128 x 128 elements with 65536 iterations: 2 blocks of 128 x 64 elements
 *         =>     66 blocks for each of the two
 *
 * A launch with few elements and a long loop leaves most of the device idle, whatever the shape of
 * its blocks. Only the loop (the dimension that is called k) can still be divided. The shape is the
 * one with the least predicted time for such a launch: for the launch's size if that is constant,
 * else for ASSUMED_TOTAL x ASSUMED_TOTAL elements and ASSUMED_TRIPS iterations. The launch chooses
 * how many blocks share a sum (mesi_sums.h), by the times in its version; if the number is one, it
 * takes another version. Requires: measured shapes. Gives up with a remark: loops that threads may
 * not share (team_reduce.c), stores in front of them, several loops, a loop whose iterations the
 * launch cannot count.
 */
#include "analysis/transform/split_k/split.h"

#include "analysis/transform/team_reduce/team_reduce.h"

#define GAIN_NEEDED \
  1.5 /* alone, over the kernel as written; and in one dimension, where nothing has been measured \
       */

#define PRODUCTS_SLOWER \
  2.0 /* than the model has iterations on tensor cores, with few warps: 97 to 124 cycles for two \
         blocks of 64 x 32 on an H200 */

static const struct sharing blocks = {split_prepare, split_finish};

enum { ASSUMED_TOTAL = 256, ASSUMED_TRIPS = 8192, FEWEST_TILES = 8 };

static void decline(const struct mapping *m, const char *reason, const struct ir_place *place)
{
  struct code *code = (struct code *)m->from;

  code_decide(code, (struct decision){.kind = DECISION_TEAMS, .place = *place, .why = reason});
  code_remark(code, DIAG_NOT_COOPERATIVE, place,
              "the loop of '%s' is not shared by several blocks: %s", code->kernel->name, reason);
}

static bool is_possible(const struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;
  bool fits = m->options->mapping == MAPPING_AUTO || m->options->mapping == MAPPING_ALWAYS ||
              m->options->mapping == MAPPING_BLOCK;

  return fits && m->options->share != SHARE_NEVER && facts->grid[2] <= 1 && facts->block[2] <= 1;
}

static bool is_asked_for(const struct mapping *m) { return m->options->share == SHARE_ALWAYS; }

/* ---- the shape ---- */

struct wanted {
  int64_t totals[2];
  double iterations;
};

static bool describe(const struct mapping *m, unsigned shape, const struct team_loop *c,
                     struct block_share *ret)
{
  const struct geometry *g = &m->loads[shape].geometry;

  ret->function = PARTIAL_COUNT;
  ret->known = PARTIAL_KNOWN;
  ret->unit = m->shapes[shape].tile;
  ret->bytes = partial_bytes(c, g->block[0] * g->block[1]);
  ret->tree = true;
  ret->fixed = m->options->share_count;
  return m->loads[shape].count == 1 &&
         model_block_time(&m->loads[shape], m->target, &ret->own, &ret->others[0]);
}

static bool is_shape_of(const struct geometry *g, const struct mapped_version *v)
{
  return v->block[0] == g->block[0] && v->block[1] == g->block[1] &&
         v->threads[0] == g->threads[0] && v->threads[1] == g->threads[1];
}

/* Adds the existing versions, besides the kernel as written. */
static void add_others(const struct mapping *m, const struct team_loop *c,
                       struct block_share *split)
{
  split->other_count = 1;
  for (unsigned i = 0; m->out && i < m->out->version_count; i++) {
    const struct mapped_version *v = &m->out->versions[i];
    struct block_share one = {0};
    bool known = v->share || (i && v->block[0] == v[-1].block[0] && v->block[1] == v[-1].block[1]);
    for (unsigned k = 0; k < m->shape_count && !known && split->other_count < MOST_OTHERS; k++)
      if (is_shape_of(&m->shapes[k].geometry, v) && describe(m, k, c, &one)) {
        split->others[split->other_count++] = one.own;
        known = true;
      }
  }
}

struct best_split {
  int shape;
  unsigned count;
  double gain;
};

/* The shape with the least time for the best number of sharing blocks; shape -1: none gains. */
static struct best_split best_split(const struct mapping *m, const struct team_loop *c,
                                    const struct wanted *wanted)
{
  struct best_split best = {-1, 0, 1};
  double least = 0;

  for (unsigned i = 0; i < m->shape_count; i++) {
    struct block_share split = {0};
    double gain;
    if (!describe(m, i, c, &split)) continue;
    add_others(m, c, &split);
    unsigned count =
        split_count(&split, wanted->totals, wanted->iterations, m->target->multiprocessors, &gain);
    double time = split_cycles(&split, wanted->totals, count > 1 ? count : 1, wanted->iterations,
                               m->target->multiprocessors);
    if ((count < 2 && !is_asked_for(m)) || (best.shape >= 0 && time >= least)) continue;
    least = time;
    best = (struct best_split){(int)i, count, gain};
  }
  return best;
}

/* ---- versions ---- */

static const char *suffix_of(enum precondition_set allowed)
{
  return allowed == PRECONDITIONS_ALL       ? "split_exact"
         : allowed == PRECONDITIONS_ALIGNED ? "split_aligned"
                                            : "split";
}

/* The totals of the versions have the same names. */
static bool add_version(const struct mapping *m, unsigned shape, enum precondition_set allowed,
                        unsigned staged, struct described *ret)
{
  struct attempt attempt;
  struct instances in;
  struct prediction prediction;
  struct preconditions preconditions = {0};
  const int64_t totals[2] = {ASSUMED_TOTAL, ASSUMED_TOTAL};
  bool fits = m->out->version_count < MOST_VERSIONS &&
              map_try_shape(m, shape, allowed, &blocks, &attempt, &in) &&
              model_predict(&m->loads[shape], totals, m->target, &prediction) &&
              describe(m, shape, &attempt.shared, attempt.share);

  if (fits) {
    *ret = map_describe(m, &attempt.tiles);
    add_others(m, &attempt.shared, attempt.share);
    if (attempt.geometry.fragments) {
      attempt.share->own.alone *= PRODUCTS_SLOWER;
      attempt.share->own.busy *= PRODUCTS_SLOWER;
    }
    attempt.share->iterations =
        partial_iterations(&attempt.code, attempt.tiles.items[0].loop->loop);
    fits = attempt.share->iterations && ret->staged >= staged;
  }
  if (fits && map_take_totals(m->out, attempt.totals))
    attempt.share->iterations = precondition_in_totals(m->from->arena, attempt.share->iterations,
                                                       attempt.totals, m->out->totals);
  fits = fits &&
         (!allowed || precondition_also(m->from->arena, &preconditions, &attempt.preconditions,
                                        &attempt.geometry, attempt.totals, m->out->totals)) &&
         map_build_version(m, &attempt, &prediction, 0);
  if (fits) {
    struct mapped_version *version = &m->out->versions[m->out->version_count - 1];
    version->team = true; /* behind the others */
    version->specialised = allowed == PRECONDITIONS_ALL;
    version->suffix = suffix_of(allowed);
    version->when = allowed ? precondition_condition(m->from->arena, &preconditions) : NULL;
  }
  code_drop_scan(&attempt.code);
  return fits;
}

/* Adds a version for all launches, or for those with aligned rows if that lets it copy more at
 * once, and a version for launches with whole blocks. */
static bool add_versions(const struct mapping *m, unsigned shape, struct described *ret)
{
  struct kernel_mapping *out = m->out;
  struct described other;
  unsigned before = out->version_count;
  bool general = add_version(m, shape, PRECONDITIONS_NONE, 0, ret);

  if (!general) return false;
  if (ret->narrow && add_version(m, shape, PRECONDITIONS_ALIGNED, ret->staged, &other)) {
    if (other.wide > ret->wide) out->versions[before] = out->versions[before + 1];
    out->version_count = before + 1;
  }
  if (add_version(m, shape, PRECONDITIONS_ALL, ret->staged, &other)) {
    const struct mapped_version *specialised = &out->versions[out->version_count - 1];
    if (!specialised->when && map_is_constant(m)) { /* nothing to check */
      out->versions[before] = *specialised;
      out->version_count = before + 1;
    }
  }
  return true;
}

static void report(const struct mapping *m, const struct team_loop *c,
                   const struct best_split *best, const struct wanted *wanted)
{
  struct code *code = (struct code *)m->from;
  struct arena *arena = code->arena;
  const char *names = "", *order = c->floats ? "; sums of floats are rounded in another order" : "";
  const char *count =
      best->count > 1
          ? arena_format(arena, ", %u of them for %lld x %lld elements and %.0f iterations",
                         best->count, (long long)wanted->totals[0], (long long)wanted->totals[1],
                         wanted->iterations)
          : "";

  for (unsigned i = 0; i < c->sum_count; i++)
    names = arena_format(arena, "%s%s%s", names, *names ? ", " : "", c->sums[i].var->name);
  const char *what =
      arena_format(arena, "several blocks share the loop for %s where the launch has few%s%s",
                   names, count, order);
  code_decide(code, (struct decision){.kind = DECISION_TEAMS,
                                      .taken = true,
                                      .place = c->loop->place,
                                      .what = what,
                                      .gain = best->gain});
  code_remark(code, DIAG_COOPERATIVE, &c->loop->place,
              "several blocks share this loop of '%s' for %s where a launch has few%s; predicted "
              "gain %.1f%s",
              code->kernel->name, names, count, best->gain, order);
}

/* ---- the choice ---- */

/* Finds the loop that blocks may share, in the first shape that fits. False: there is none. */
static bool look(const struct mapping *m, struct team_loop *ret, double *ret_trips)
{
  for (unsigned i = 0; i < m->shape_count; i++) {
    struct attempt attempt;
    struct instances in;
    if (!m->loads[i].count) continue;
    bool found = map_try_shape(m, i, PRECONDITIONS_NONE, &blocks, &attempt, &in);
    /* then it is for teams of threads (team_plan.c) */
    if (found && m->flat && team_reduce_reads(&attempt.code, &attempt.shared)) found = false;
    struct ir_expr *iterations =
        found ? partial_iterations(&attempt.code, attempt.tiles.items[0].loop->loop) : NULL;
    if (found && !iterations)
      decline(m, "the launch cannot tell how often it runs", &attempt.shared.loop->place);
    else if (!found && !m->flat && attempt.reason && attempt.shared.sum_count &&
             (m->options->associative || !attempt.shared.floats))
      decline(m, attempt.reason, &attempt.place);
    *ret = attempt.shared;
    *ret_trips = attempt.shared.trips >= 0 ? (double)attempt.shared.trips : ASSUMED_TRIPS;
    code_drop_scan(&attempt.code);
    return found && iterations &&
           (attempt.shared.trips < 0 || attempt.shared.trips >= FEWEST_TILES * m->shapes[i].tile ||
            is_asked_for(m));
  }
  return false;
}

static bool choose(const struct mapping *m, struct team_loop *c, struct best_split *ret,
                   struct wanted *wanted)
{
  if (!is_possible(m) || !look(m, c, &wanted->iterations)) return false;
  for (int axis = 0; axis < 2; axis++)
    wanted->totals[axis] = m->totals[axis] > 0 ? m->totals[axis]
                           : axis && m->flat   ? 1
                                               : ASSUMED_TOTAL;
  *ret = best_split(m, c, wanted);
  return ret->shape >= 0 &&
         (!map_is_constant(m) || !m->flat || ret->gain >= GAIN_NEEDED || is_asked_for(m));
}

bool also_split(struct mapping *m)
{
  struct team_loop c;
  struct best_split best;
  struct wanted wanted;
  struct described described;

  if (!m->tiled || !choose(m, &c, &best, &wanted) ||
      !add_versions(m, (unsigned)best.shape, &described))
    return false;
  report(m, &c, &best, &wanted);
  return true;
}

/* No shape gains, neither alone nor shared by blocks. */
static enum outcome keep(struct mapping *m)
{
  map_rank(
      m, -1,
      arena_format(m->from->arena, "it is predicted to gain less than a factor of %g", m->needed));
  return OUTCOME_PASSED;
}

enum outcome plan_split_k(struct mapping *m)
{
  struct team_loop c;
  struct best_split best;
  struct wanted wanted;

  if (!m->close) return OUTCOME_PASSED;
  if (!map_is_constant(m) || !choose(m, &c, &best, &wanted) || best.gain < GAIN_NEEDED)
    return keep(m);
  m->out = ARENA_NEW(m->from->arena, struct kernel_mapping);
  m->out->gain = map_over_written(m, best.gain);
  if (!add_versions(m, (unsigned)best.shape, &m->staged)) return keep(m);
  map_finish(m);
  m->out->plain = m->from->facts.kernel;
  map_rank(m, best.shape, NULL);
  report(m, &c, &best, &wanted);
  return OUTCOME_TAKEN;
}
