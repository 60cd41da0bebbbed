/* SPDX-License-Identifier: MIT */
/* ragged_plan.c - decides whether the ranges of a block's threads go through shared memory
 * together, and in chunks of how many elements.
 *
 *     256 threads, 8 bytes an element   =>   chunks of 1024 elements, 8192 bytes
 *
 * A chunk has several elements for each thread, so that threads of several warps have elements in
 * it, and leaves a part of the memory that shared memory and the cache have together to the cache.
 * Requires: promoted code, --mapping=always. Gives up with a remark: no room.
 */
#include <math.h>

#include "analysis/code/converge.h"
#include "analysis/transform/ragged_stage/ragged_time.h"
#include "translator/base/diag.h"
#include "analysis/data/options.h"
#include "runtime/seeded.h"

enum {
  LEAST_EACH = 1, /* elements of a chunk for each thread */
  MOST_EACH = 8,
  BLOCKS_PER_SM = 32,
  STATIC_SHARED = 49152,
  OWN_SHARED = 1024,
  ASYNCHRONOUS_FROM = 80,
  SHOWN_LENGTH = 32,       /* elements of a range, for the gain in remarks */
  MOST_EXPRESSIONS = 10000 /* the analysis takes time in proportion to their square */
};

struct choosing {
  struct code code; /* a copy, with a normal body */
  struct draft *draft;
  const struct plan_options *options;
  const struct target *target;
  struct uniform uniform;
  struct ragged_all all;
  int64_t threads; /* of a block */
  double gain;
};

static bool decline(struct choosing *c, const char *reason, const struct ir_place *place)
{
  code_decide(&c->code, (struct decision){.kind = DECISION_TILES, .place = *place, .why = reason});
  code_remark(&c->code, DIAG_RANGES_KEPT, place,
              "nothing is staged in chunks of the threads' ranges in '%s': %s",
              c->draft->code.kernel->name, reason);
  return false;
}

/* ---- sizes ---- */

static uint64_t slot_bytes(const struct strip *strip)
{
  uint64_t bytes = 0;

  for (unsigned i = 0; i < strip->array_count; i++)
    bytes += (uint64_t)(strip->arrays[i].array->element->size * strip->arrays[i].row_trips);
  return bytes;
}

/* Half of a block's share of shared memory, if all threads are to be resident. */
static uint64_t share_of(const struct choosing *c)
{
  int64_t resident = c->target->threads_per_sm / c->threads;

  if (resident > BLOCKS_PER_SM) resident = BLOCKS_PER_SM;
  return c->target->shared_per_sm / (uint64_t)(resident + 1) / 2;
}

/* Chooses the chunk's size. False: not even the smallest one fits. */
static bool choose_slots(struct choosing *c, struct strip *strip, uint64_t capacity)
{
  uint64_t each = slot_bytes(strip), share = share_of(c);
  int64_t least = LEAST_EACH * c->threads, slots = MOST_EACH * c->threads;

  if (share > capacity) share = capacity;
  while (slots > least && (uint64_t)slots * each + OWN_SHARED > share) slots /= 2;
  strip->slots = slots < least ? least : slots;
  strip->bytes = (uint64_t)strip->slots * each;
  strip->asynchronous = c->options->tuned_for >= ASYNCHRONOUS_FROM;
  return strip->bytes <= capacity;
}

static bool has_room(struct choosing *c)
{
  const struct ir_function *kernel = c->draft->code.kernel;
  uint64_t own = (uint64_t)kernel->static_shared_bytes,
           all = c->options->shared_memory < STATIC_SHARED ? c->options->shared_memory
                                                           : STATIC_SHARED;
  int64_t dynamic = c->code.facts.dynamic_shared;

  if (dynamic < 0)
    return decline(c, "the size of the kernel's dynamic shared memory is not constant",
                   &kernel->name_place);
  own += (uint64_t)dynamic;
  uint64_t capacity = own < all ? (all - own) / c->all.count : 0;
  for (unsigned i = 0; i < c->all.count; i++)
    if (!choose_slots(c, &c->all.items[i].strip, capacity))
      return decline(c, "its copies do not fit shared memory besides the kernel's own arrays",
                     &kernel->name_place);
  return true;
}

static double most_gain(struct choosing *c)
{
  double most = 0;

  for (unsigned i = 0; i < c->all.count; i++)
    most = fmax(most, ragged_gain(&c->code, &c->all.items[i], SHOWN_LENGTH));
  return most;
}

/* ---- the report ---- */

static const char *names_of(struct choosing *c, const struct strip *strip)
{
  const char *text = "";

  for (unsigned i = 0; i < strip->array_count; i++) {
    bool again = false;
    for (unsigned k = 0; k < i; k++)
      again |= strip->arrays[k].array->var == strip->arrays[i].array->var;
    if (!again)
      text = arena_format(c->code.arena, "%s%s%s", text, *text ? ", " : "",
                          strip->arrays[i].array->var->name);
  }
  return text;
}

static const char *report(struct choosing *c, const struct ragged *r)
{
  const struct strip *strip = &r->strip;
  const char *names = names_of(c, strip),
             *what = arena_format(
                 c->code.arena,
                 "%lld elements at a time of the threads' ranges, of any length, %llu bytes",
                 (long long)strip->slots, (unsigned long long)strip->bytes),
             *why = "neighbouring threads have neighbouring ranges";

  code_decide(&c->code, (struct decision){.kind = DECISION_TILES,
                                          .taken = true,
                                          .place = strip->segment->place,
                                          .array = names,
                                          .what = what,
                                          .why = why,
                                          .gain = c->gain});
  code_remark(&c->code, DIAG_RANGES_STAGED, &strip->segment->place,
              "'%s' is staged in chunks of the threads' ranges in '%s': %s; %s; predicted gain "
              "%.2f for ranges of %d",
              names, c->draft->code.kernel->name, what, why, c->gain, SHOWN_LENGTH);
  text_format(c->draft->dump, "  plan ranges %s %lld elements %llu bytes\n", names,
              (long long)strip->slots, (unsigned long long)strip->bytes);
  return arena_format(c->code.arena, "%s, %s", names, what);
}

/* ---- */

/* Where the program asks for it: nothing is known of the ranges. On an H200 chunks took 0.12 to
 * 0.25 of the time where few ranges are much longer than the others, and 1.1 to 4 times as long
 * where all are long, or have an element or two (performance-forms.md). */
static bool is_wanted(const struct plan_options *options)
{
  return options->level >= PLAN_O2 && options->mapping == MAPPING_ALWAYS &&
         options->staging != STAGING_NEVER;
}

/* Blocks that are one row of threads, as far as the launch's facts say. */
static bool has_row(const struct choosing *c)
{
  const int64_t *block = c->code.facts.block;
  return (block[1] < 0 || block[1] == 1) && (block[2] < 0 || block[2] == 1);
}

static bool take(struct choosing *c)
{
  struct draft *draft = c->draft;

  if (c->code.access.meet_reject)
    return decline(c, c->code.access.meet_reject, &c->code.access.meet_place);
  if (!has_row(c))
    return decline(c, "its blocks have several rows of threads", &draft->code.kernel->name_place);
  if (!has_room(c)) return false;
  c->gain = most_gain(c);
  struct ir_stmt *body = ragged_build(&c->code, &c->all);
  draft->note = "with ranges of neighbouring threads in shared memory:";
  for (unsigned i = 0; i < c->all.count; i++)
    draft->note = arena_format(c->code.arena, "%s%s %s", draft->note, i ? ";" : "",
                               report(c, &c->all.items[i]));
  code_ask_no_alias(&c->code, &draft->no_alias);
  c->code.facts.kernel->body = body;
  draft->changed = c->code.facts.kernel;
  draft->suffix = "ranges";
  ir_own_body(c->code.arena, draft->changed);
  return true;
}

bool plan_ragged_stage(struct draft *draft)
{
  struct code *code = &draft->code;
  struct choosing c = {.code = *code,
                       .draft = draft,
                       .options = draft->options,
                       .target = target_of(draft->options->tuned_for),
                       .threads = code->facts.block[0]};
  bool taken = false;

  if (!is_wanted(c.options) || code->facts.kernel->expr_count > MOST_EXPRESSIONS) return false;
  if (c.threads <= 0) c.threads = RAGGED_THREADS;
  c.code.scanned = false;
  c.code.no_alias = code->facts.repeatable;
  c.code.facts.kernel = ir_copy_function(code->arena, code->facts.kernel);
  c.code.facts.kernel->body = converge_normal(&c.code);
  code_scan(&c.code);
  if (!c.code.access.reject) {
    uniform_analyze(&c.code, &c.uniform);
    ragged_find(&c.code, &c.uniform, c.options->associative, &c.all);
    taken = c.all.count && take(&c);
  }
  code_drop_scan(&c.code);
  return taken;
}
