/* plan_untiled.c - mappings of kernels in which no loop reads the same elements again and again.
 *
 *     b[j][i] = a[i][j]                                      exchange.c: blocks of 32 x 32 elements, warps turned between load and store
 *     out[i][j] = in[i - 1][j] + in[i][j] + in[i + 1][j]     reuse.c: several rows a thread, which share requests
 *     out[i] = in[i] + in[i + 1]                             wide.c: four neighbours a thread, 16 bytes at once
 *     out[i][j][k] = in[i - 1][j][k] + in[i + 1][j][k]       march.c: several layers a thread, one after the other, with rows in registers
 *
 * Each is for a launch that fills the device all the same. Requires: a shape-free kernel that gets no loops over tiles.
 */
#include <string.h>

#include "analysis/transform/transpose/exchange.h"
#include "analysis/code/lanes.h"
#include "analysis/transform/stream25d/march.h"
#include "analysis/plan/mapping/plan_map_parts.h"
#include "analysis/code/read_only.h"
#include "analysis/code/reuse.h"
#include "analysis/transform/vectorize/wide.h"

/* Several rows a thread, for kernels whose neighbours along y read the same elements. A 5-point stencil over 12288 x 12288 takes
 * 0.65 times as long (docs/performance.md); a launch has to fill the device all the same. */
#define SHARED_GAIN_NEEDED 1.25 /* requests as written over those that are left */
#define SHARED_GAIN_WITHOUT_LOOPS 1.1 /* a thread has the requests of all its elements on their way as well */

/* A block of warps that can be turned; each thread has four elements on its way. */
static const struct geometry square = { { 32, 32 }, { 32, 8 }, { 1, 1 }, 0, false };

/* Wherever it is right. */
static bool is_forced(const struct mapping *m)
{
  return m->options->mapping == MAPPING_ALWAYS || m->options->mapping == MAPPING_UNTILED;
}

static bool shaped(const struct mapping *m, const struct geometry *geometry, struct attempt *attempt)
{
  memset(attempt, 0, sizeof *attempt);
  attempt->code = map_copy(m, &attempt->remarks);
  attempt->geometry = *geometry;
  if (!shape_virtual(&attempt->code, &attempt->geometry, attempt->totals, &attempt->reason, &attempt->place))
    return false;
  code_scan(&attempt->code);
  return true;
}

/* Builds a version, for launches of `least` elements. */
static bool add_version(struct mapping *m, struct attempt *attempt, double gain, int64_t least)
{
  struct prediction prediction = { 0 };
  if (!m->out) {
    m->out = ARENA_NEW(m->from->arena, struct kernel_mapping);
    m->out->gain = gain;
  }
  if (map_build_version(m, attempt, &prediction, map_is_constant(m) || is_forced(m) ? 0 : least))
    return true;
  map_decline(m, attempt->reason, &attempt->place);
  return false;
}

static struct kernel_mapping *finished(struct mapping *m, struct ir_function **ret_code)
{
  map_finish(m);
  *ret_code = m->out->versions[0].code;
  return m->out;
}

static int64_t layers_of(const struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;
  return facts->block[2] > 0 && facts->grid[2] > 0 ? facts->block[2] * facts->grid[2] : 1;
}

static int64_t elements(const struct mapping *m)
{
  return map_is_constant(m) ? m->totals[0] * m->totals[1] * layers_of(m) : INT64_MAX;
}

/* ---- requests that instances share ---- */

struct patch {               /* of a thread */
  int64_t rows;              /* along y, or apart along x where there is no y */
  int64_t layers;            /* 0: as written */
  bool wide;                 /* 16 bytes of neighbours along x, beside y */
};

/* The fewest elements that leave hardly more requests than more of them. */
static const struct patch flat_patches[] = { { 16, 0, false }, { 8, 0, false }, { 4, 0, false }, { 2, 0, false } };
static const struct patch wide_patches[] = { { 4, 0, true }, { 2, 0, true } };
static const struct patch deep_patches[] = { { 4, 8, false }, { 2, 8, false }, { 4, 4, false }, { 2, 4, false } };
#define PATCH_GAIN 1.12

enum { PATCH_THREADS = 256, WIDE_ACROSS = 16 /* conv2d of 8192 x 8192: 0.240 ms, with 32 0.242, with 8, where fewest warps are at the ends of rows, 0.265 */ };
enum { MOST_UNROLLED = 128, MOST_REGISTERS = 128, THREADS_NEEDED = 384 /* of a multiprocessor: each has several requests on its way */ };

struct sharing {
  struct attempt attempt;
  struct whole whole;
  double gain;
  double registers;
};

static int64_t lanes_of(const struct mapping *m)
{
  return 16 / (m->element > 8 ? 8 : m->element);
}

static struct geometry geometry_of(const struct mapping *m, struct patch patch)
{
  if (m->totals[1] == 1)
    return (struct geometry){ .block = { 128 * patch.rows, 1 }, .threads = { 128, 1 }, .vector = { 1, 1 } };
  int64_t lanes = patch.wide ? lanes_of(m) : 1, across = patch.wide ? WIDE_ACROSS : 32, down = PATCH_THREADS / across;
  return (struct geometry){ .block = { across * lanes, down * patch.rows }, .threads = { across, down }, .vector = { lanes, patch.rows }, .layers = patch.layers };
}

static bool note_short(struct ir_stmt *stmt, void *context)
{
  int64_t first, trips;

  *(bool *)context |= reuse_short_loop(stmt, &first, &trips);
  return true;
}

/* Two iterations at once of a loop around short ones: the loads of the second are on their way while the first computes. k-means, 2^22 points: 0.369
 * ms, 0.385 otherwise. */
static const char *pragma_around(struct ir_stmt *stmt)
{
  bool has_short = false;

  if (stmt->kind == IR_STMT_FOR && stmt->loop && !stmt->pragma)
    ir_visit_stmts(stmt->body, note_short, &has_short);
  return has_short ? "#pragma unroll 2" : stmt->pragma;
}

/* The loops that are short, and those in them, for the compiler to see which requests are the same. */
static struct ir_stmt *unrolled(struct arena *arena, struct ir_stmt *stmt, int64_t around)
{
  int64_t first, trips;

  if (!stmt || stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_SWITCH)
    return stmt;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  if (reuse_short_loop(stmt, &first, &trips) && around * trips <= MOST_UNROLLED) {
    copy->pragma = stmt->pragma ? stmt->pragma : "#pragma unroll";
    around *= trips;
  } else {
    copy->pragma = pragma_around(stmt);
  }
  copy->body = unrolled(arena, stmt->body, around);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = unrolled(arena, stmt->children[i], around);
  return copy;
}

/* The if between the code for whole threads and the code as it was. */
static void choose_whole(struct sharing *s, struct ir_stmt *as_was)
{
  struct code *code = &s->attempt.code;
  struct ir_expr *condition = s->whole.condition ? s->whole.condition : ir_build_int(code->arena, 1);
  struct ir_stmt *choice = ir_build_if(code->arena, condition, s->whole.body);
  struct ir_list all = { 0 };

  choice->else_body = as_was;
  ir_list_add(code->arena, &all, choice);
  code->facts.kernel->body = ir_build_block(code->arena, &all);
  code->choice = choice;
  code->whole = &s->whole;
}

/* 16 bytes at once for all that threads access apart: what stays would be further apart than before. */
static bool takes_rows(const struct mapping *m, struct sharing *s)
{
  struct lanes_used used = lanes_rewrite(&s->attempt.code, &s->whole, lanes_of(m), &s->attempt.tiles.verbatim);
  return used.loads && !used.left;
}

/* The code with a patch of elements a thread, and what that leaves of the requests. */
static bool measure_patch(const struct mapping *m, struct patch patch, struct sharing *ret)
{
  struct geometry geometry = geometry_of(m, patch);
  struct attempt *attempt = &ret->attempt;
  struct instances in;

  if (!shaped(m, &geometry, attempt))
    return false;
  whole_of(&attempt->code, &ret->whole);
  struct ir_stmt *as_was = attempt->code.facts.kernel->body;
  choose_whole(ret, NULL);
  instances_analyze(&attempt->code, &in);
  ret->registers = model_registers(&in, &geometry);
  ret->gain = reuse_of_instances(&attempt->code, ret->whole.body, m->totals[1] == 1 ? 0 : 1, &geometry);
  if (patch.wide && !takes_rows(m, ret))
    return false;
  ret->whole.body = unrolled(attempt->code.arena, read_only_loads(&attempt->code, ret->whole.body), 1);
  code_drop_scan(&attempt->code);
  choose_whole(ret, as_was);
  return true;
}

/* A launch that keeps every multiprocessor busy with a patch a thread, and is not over before the threads at its ends are. */
static int64_t elements_for(const struct mapping *m, struct patch patch)
{
  int64_t each = patch.rows * (patch.layers ? patch.layers : 1) * (patch.wide ? lanes_of(m) : 1);
  int64_t busy = (int64_t)m->target->multiprocessors * THREADS_NEEDED * each, ends = map_elements_for_ends(m, each);

  return busy > ends ? busy : ends;
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  return true;
}

static struct patch patch_of(const struct mapping *m, const struct patch *tried, unsigned count, double *ret_gain)
{
  bool loops = false;
  double found = 0;
  struct patch best = { 0 };

  ir_visit_stmts(m->from->facts.kernel->body, note_loop, &loops);
  double least = is_forced(m) ? 1 : loops ? SHARED_GAIN_NEEDED : SHARED_GAIN_WITHOUT_LOOPS;
  for (unsigned i = 0; i < count; i++) {
    struct sharing s;
    if (!is_forced(m) && elements(m) < elements_for(m, tried[i]))
      continue;
    if (measure_patch(m, tried[i], &s) && s.registers <= MOST_REGISTERS && s.gain > least && s.gain * PATCH_GAIN > found) {
      found = s.gain > found ? s.gain : found;
      best = tried[i];
      *ret_gain = s.gain;
    }
    code_drop_scan(&s.attempt.code);
  }
  return best;
}

static bool add_patch(struct mapping *m, struct patch patch)
{
  struct sharing s;
  bool added = false;

  if (measure_patch(m, patch, &s)) {
    added = add_version(m, &s.attempt, s.gain, elements_for(m, patch));
  }
  code_drop_scan(&s.attempt.code);
  return added;
}

/* Where the launch's size is not constant there is a version for smaller launches, with half of the rows. */
static struct kernel_mapping *share_requests(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  bool deep = map_is_constant(m) && layers_of(m) > 1;
  double gain = 0;
  struct patch patch = { 0 };
  if (m->totals[1] != 1 && !deep)
    patch = patch_of(m, wide_patches, sizeof wide_patches / sizeof *wide_patches, &gain);
  if (!patch.rows)
    patch = deep ? patch_of(m, deep_patches, sizeof deep_patches / sizeof *deep_patches, &gain)
                 : patch_of(m, flat_patches, sizeof flat_patches / sizeof *flat_patches, &gain);
  struct patch half = { patch.rows / 2, patch.layers, patch.wide };
  bool sizes = patch.rows > 2 && !map_is_constant(m);

  m->out = NULL;
  if (!patch.rows || (sizes && !add_patch(m, half)) || !add_patch(m, patch))
    return NULL;
  m->out->gain = gain;
  struct geometry geometry = geometry_of(m, patch);
  long long layers = patch.layers ? patch.layers : 1;
  const char *rows = patch.wide ? "; 16 bytes of a row at once" : "";
  const char *shape = arena_format(m->from->arena, "%lldx%lldx%lld threads %lldx%lld", (long long)geometry.block[0], (long long)geometry.block[1],
                                   layers, (long long)geometry.threads[0], (long long)geometry.threads[1]);
  map_take(m, gain, arena_format(m->from->arena, "blocks of %lld x %lld x %lld elements for %lld x %lld threads, whose elements share requests%s",
                                 (long long)geometry.block[0], (long long)geometry.block[1], layers, (long long)geometry.threads[0], (long long)geometry.threads[1], rows));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %lld x %lld x %lld elements for %lld x %lld threads: a thread's elements share %.2f times as many requests%s",
              m->from->kernel->name, (long long)geometry.block[0], (long long)geometry.block[1], layers, (long long)geometry.threads[0],
              (long long)geometry.threads[1], gain, rows);
  text_format(dump, "  plan map %s shared gain %.2f\n", shape, gain);
  finished(m, ret_code);
  if (patch.layers)
    m->out->grid[2] = (layers_of(m) + patch.layers - 1) / patch.layers;
  return m->out;
}

/* ---- layers that threads go through ---- */

/* stencil3d of 512^3: blocks of 32 x 8 threads, one layer ahead, 16 layers 0.295 ms, 32 layers 0.299, 64 layers 0.315, two layers ahead 0.299; a patch of
 * 4 x 4 elements takes 0.334, a copy 0.258. */
enum { MARCH_THREADS = 256, MARCH_AHEAD = 1, MARCH_NEEDED = 1024 /* threads of a multiprocessor */ };
static const int64_t march_layers[] = { 16, 8, 4 };
static const int64_t march_across[] = { 32, 16 };
#define ROW_USED 0.75        /* of a row of blocks */
#define MARCH_REGISTERS 64

/* Blocks as wide as leaves few threads beyond the ends of rows, with as many layers a thread as leave the device enough of them. */
static bool march_geometry(const struct mapping *m, struct geometry *ret)
{
  int64_t lanes = lanes_of(m), across = 0, layers = 0, threads = elements(m) / lanes / m->target->multiprocessors;

  for (unsigned i = 0; i < sizeof march_across / sizeof *march_across && !across; i++) {
    int64_t wide = march_across[i] * lanes, blocks = (m->totals[0] + wide - 1) / wide;
    across = (double)m->totals[0] >= ROW_USED * (double)(blocks * wide) ? march_across[i] : 0;
  }
  for (unsigned i = 0; i < sizeof march_layers / sizeof *march_layers && !layers; i++)
    layers = threads / march_layers[i] >= MARCH_NEEDED ? march_layers[i] : 0;
  if (is_forced(m)) {
    across = across ? across : march_across[0];
    layers = layers ? layers : march_layers[2];
  }
  if (!across || !layers)
    return false;
  int64_t down = MARCH_THREADS / across;
  *ret = (struct geometry){ .block = { across * lanes, down }, .threads = { across, down }, .vector = { lanes, 1 }, .layers = layers };
  return true;
}

static void report_march(struct mapping *m, const struct geometry *geometry, double gain, struct text *dump)
{
  const char *shape = arena_format(m->from->arena, "blocks of %lld x %lld x %lld elements for %lld x %lld threads", (long long)geometry->block[0],
                                   (long long)geometry->block[1], (long long)geometry->layers, (long long)geometry->threads[0], (long long)geometry->threads[1]);

  map_take(m, gain, arena_format(m->from->arena, "%s, which go through the layers with rows of 16 bytes in registers", shape));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets %s, which go through the layers with rows of 16 bytes in registers: %.2f times as many requests as written", m->from->kernel->name,
              shape, 1 / gain);
  text_format(dump, "  plan map %lldx%lldx%lld threads %lldx%lld marching gain %.2f\n", (long long)geometry->block[0], (long long)geometry->block[1],
              (long long)geometry->layers, (long long)geometry->threads[0], (long long)geometry->threads[1], gain);
}

static struct kernel_mapping *march(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  struct geometry geometry;
  struct attempt attempt;
  double gain = 0;
  struct kernel_mapping *out = NULL;

  if (!map_is_constant(m) || layers_of(m) < march_layers[2] || !march_geometry(m, &geometry))
    return NULL;
  if (shaped(m, &geometry, &attempt)) {
    struct march found = { .code = &attempt.code, .lanes = geometry.vector[0], .ahead = MARCH_AHEAD, .checked = m->options->checked };
    bool fits = march_find(&found) && march_registers(&found) <= MARCH_REGISTERS && (is_forced(m) || march_pays(&found));
    gain = fits ? march_gain(&found) : 0;
    m->out = NULL;
    if (gain > SHARED_GAIN_NEEDED) {
      march_build(&found, &attempt.tiles.verbatim);
      out = add_version(m, &attempt, gain, 0) ? finished(m, ret_code) : NULL;
    }
  }
  code_drop_scan(&attempt.code);
  if (!out)
    return NULL;
  out->grid[2] = (layers_of(m) + geometry.layers - 1) / geometry.layers;
  report_march(m, &geometry, gain, dump);
  return out;
}

/* ---- requests that are apart ---- */

static const char *names_of(const struct mapping *m, const struct exchanges *exchanges)
{
  const char *names = "";

  for (unsigned i = 0; i < exchanges->count; i++)
    names = arena_format(m->from->arena, "%s%s%s", names, *names ? ", " : "", exchanges->items[i]->array->var->name);
  return names;
}

static struct kernel_mapping *exchange(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  bool always = is_forced(m);
  int64_t least = (int64_t)m->target->multiprocessors * square.block[0] * square.block[1];
  struct kernel_mapping *out = NULL;
  struct exchanges exchanges = { 0 };
  struct attempt attempt;
  uint64_t bytes = 0;
  const char *names = "";

  if (!always && elements(m) < least)
    return NULL;
  if (shaped(m, &square, &attempt) && exchange_plan(&attempt.code, &exchanges)) {
    names = names_of(m, &exchanges);
    exchange_build(&attempt.code, &square, &exchanges, &bytes);
    m->out = NULL;
    out = add_version(m, &attempt, exchanges.gain, least) ? finished(m, ret_code) : NULL;
  }
  code_drop_scan(&attempt.code);
  map_add_remarks(m, &attempt.remarks);
  if (!out)
    return NULL;
  out->versions[0].shared_bytes = bytes;
  map_take(m, exchanges.gain, arena_format(m->from->arena, "blocks of 32 x 32 elements for 32 x 8 threads%s; %s exchanged through shared memory",
                                           exchanges.turned ? ", whose warps are turned" : "", *names ? names : "nothing"));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL, "'%s' gets blocks of 32 x 32 elements for 32 x 8 threads%s; %s exchanged through %llu bytes; predicted gain %.1f",
              m->from->kernel->name, exchanges.turned ? ", whose warps are turned" : "", *names ? names : "nothing", (unsigned long long)bytes, exchanges.gain);
  text_format(dump, "  plan map 32x32 threads 32x8 %sexchanged %s bytes %llu gain %.1f\n", exchanges.turned ? "turned " : "", names,
              (unsigned long long)bytes, exchanges.gain);
  return out;
}

/* ---- 16 bytes at once ---- */

/* 16 bytes at once pay where a launch has several waves of threads: 2^26 elements took 0.61 times as long, 2^20 (pathfinder) 1.4 times. */
enum { WIDE_THREADS = 256, WIDE_NEEDED = 8192 /* threads of a multiprocessor */ };

static struct kernel_mapping *widen(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  int64_t lanes = lanes_of(m), least = (int64_t)m->target->multiprocessors * WIDE_NEEDED * lanes;
  struct geometry geometry = { .block = { WIDE_THREADS * lanes, 1 }, .threads = { WIDE_THREADS, 1 }, .vector = { lanes, 1 } };
  struct kernel_mapping *out = NULL;
  struct sharing s;
  struct wide wide = { .reason = NULL };

  if (!is_forced(m) && elements(m) < least)
    return NULL;
  if (shaped(m, &geometry, &s.attempt)) {
    whole_of(&s.attempt.code, &s.whole);
    struct ir_stmt *as_was = s.attempt.code.facts.kernel->body;
    as_was = read_only_loads(&s.attempt.code, as_was); /* a block that is not whole has them all on their way, too */
    code_drop_scan(&s.attempt.code);
    choose_whole(&s, NULL);
    if (wide_plan(&s.attempt.code, &s.whole, lanes, &wide)) {
      wide_build(&wide, &s.whole, &s.attempt.tiles.verbatim);
      code_drop_scan(&s.attempt.code);
      choose_whole(&s, as_was);
      m->out = NULL;
      out = add_version(m, &s.attempt, wide.gain, least) ? finished(m, ret_code) : NULL;
    }
  }
  code_drop_scan(&s.attempt.code);
  if (wide.reason)
    map_decline(m, wide.reason, NULL);
  if (!out)
    return NULL;
  map_take(m, wide.gain, arena_format(m->from->arena, "blocks of %lld elements for %d threads, %lld neighbours at once", (long long)geometry.block[0],
                                      WIDE_THREADS, (long long)lanes));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL, "'%s' gets blocks of %lld elements for %d threads: %lld neighbours at once are %.2f times fewer requests",
              m->from->kernel->name, (long long)geometry.block[0], WIDE_THREADS, (long long)lanes, wide.gain);
  text_format(dump, "  plan map %lldx1 threads %dx1 wide gain %.2f\n", (long long)geometry.block[0], WIDE_THREADS, wide.gain);
  return out;
}

/* Elements that share requests; layers that are loaded once are another version, where they are not the only one. */
static struct kernel_mapping *share_layers(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  struct swept swept;
  bool layers = plan_sweep(m, &swept);
  struct kernel_mapping *out = layers && swept.alone ? NULL : share_requests(m, dump, ret_code);

  if (!layers)
    return out;
  m->out = out;
  if (plan_add_sweep(m, &swept, dump)) {
    out = m->out;
    *ret_code = out->versions[0].code;
  }
  code_drop_scan(&swept.attempt.code);
  return out;
}

/* Atomic operations, which threads may wait for, decide how long the kernel takes: fewer requests do not. */
static bool updates_together(const struct mapping *m)
{
  if (!m->from->access.atomics.count)
    return false;
  map_decline(m, "its atomic operations take longer than its loads", &m->from->kernel->name_place);
  return true;
}

struct kernel_mapping *plan_untiled(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  bool wanted = m->options->mapping == MAPPING_AUTO || is_forced(m);
  struct kernel_mapping *out = NULL;

  if (!wanted || (!is_forced(m) && updates_together(m)))
    return NULL;
  out = m->totals[1] == 1 ? NULL : exchange(m, dump, ret_code);
  out = out ? out : march(m, dump, ret_code);
  out = out ? out : share_layers(m, dump, ret_code);
  return out || m->totals[1] != 1 ? out : widen(m, dump, ret_code);
}
