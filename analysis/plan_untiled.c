/* plan_untiled.c - mappings of kernels in which no loop reads the same elements again and again.
 *
 *     b[j][i] = a[i][j]                                      exchange.c: blocks of 32 x 32 elements, warps turned between load and store
 *     out[i][j] = in[i - 1][j] + in[i][j] + in[i + 1][j]     reuse.c: four rows a thread, which share requests
 *
 * Each is for a launch that fills the device all the same. Requires: a shape-free kernel that gets no loops over tiles.
 */
#include <string.h>

#include "analysis/exchange.h"
#include "analysis/plan_map_parts.h"
#include "analysis/reuse.h"

/* Without tiles: four rows a thread, for kernels whose neighbours along y read the same elements. A 5-point stencil over 12288 x 12288 takes
 * 0.65 times as long (docs/performance.md); a launch has to fill the device all the same. */
static const struct geometry shared_rows = { { 32, 32 }, { 32, 8 }, { 1, 4 } };
#define SHARED_GAIN_NEEDED 1.25 /* requests as written over those that are left */
enum { SHARED_WAVES = 2 };

/* A block of warps that can be turned; each thread has four elements on its way. */
static const struct geometry square = { { 32, 32 }, { 32, 8 }, { 1, 1 } };

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

/* Builds the only version, for launches of `least` elements. */
static struct kernel_mapping *only_version(struct mapping *m, struct attempt *attempt, double gain, int64_t least, struct ir_function **ret_code)
{
  struct prediction prediction = { 0 };
  bool any = map_is_constant(m) || m->options->mapping == MAPPING_ALWAYS;

  m->out = ARENA_NEW(m->from->arena, struct kernel_mapping);
  m->out->gain = gain;
  if (!map_build_version(m, attempt, &prediction, any ? 0 : least)) {
    map_decline(m, attempt->reason, &attempt->place);
    return NULL;
  }
  map_finish(m);
  *ret_code = m->out->versions[0].code;
  return m->out;
}

static int64_t elements(const struct mapping *m)
{
  return map_is_constant(m) ? m->totals[0] * m->totals[1] : INT64_MAX;
}

/* ---- requests that instances share ---- */

static struct kernel_mapping *share_requests(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  bool always = m->options->mapping == MAPPING_ALWAYS;
  int64_t least = (int64_t)m->target->multiprocessors * m->target->threads_per_sm * SHARED_WAVES;
  struct kernel_mapping *out = NULL;
  struct attempt attempt;
  struct instances in;
  double gain = 0;

  if (!always && elements(m) < least)
    return NULL;
  if (shaped(m, &shared_rows, &attempt)) {
    instances_analyze(&attempt.code, &in);
    gain = reuse_of_instances(&attempt.code, 1, shared_rows.block[1] / shared_rows.threads[1]);
  }
  if (gain > (always ? 1 : SHARED_GAIN_NEEDED))
    out = only_version(m, &attempt, gain, least, ret_code);
  code_drop_scan(&attempt.code);
  if (!out)
    return NULL;
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL, "'%s' gets blocks of 32 x 32 elements for 32 x 8 threads: rows share %.2f times as many requests",
              m->from->kernel->name, gain);
  text_format(dump, "  plan map 32x32 threads 32x8 shared gain %.2f\n", gain);
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
  bool always = m->options->mapping == MAPPING_ALWAYS;
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
    out = only_version(m, &attempt, exchanges.gain, least, ret_code);
  }
  code_drop_scan(&attempt.code);
  map_add_remarks(m, &attempt.remarks);
  if (!out)
    return NULL;
  out->versions[0].shared_bytes = bytes;
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL, "'%s' gets blocks of 32 x 32 elements for 32 x 8 threads%s; %s exchanged through %llu bytes; predicted gain %.1f",
              m->from->kernel->name, exchanges.turned ? ", whose warps are turned" : "", *names ? names : "nothing", (unsigned long long)bytes, exchanges.gain);
  text_format(dump, "  plan map 32x32 threads 32x8 %sexchanged %s bytes %llu gain %.1f\n", exchanges.turned ? "turned " : "", names,
              (unsigned long long)bytes, exchanges.gain);
  return out;
}

struct kernel_mapping *plan_untiled(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  bool wanted = m->options->mapping == MAPPING_AUTO || m->options->mapping == MAPPING_ALWAYS;
  struct kernel_mapping *out = NULL;

  if (m->totals[1] == 1 || !wanted)
    return NULL;
  out = exchange(m, dump, ret_code);
  return out ? out : share_requests(m, dump, ret_code);
}
