/* SPDX-License-Identifier: MIT */
/* explain_words.c - facts and decisions of an explanation in words. */
#include "translator/driver/explain_words.h"

#include <string.h>

/* ---- text that any reader takes ---- */

const char *words_clean(struct arena *arena, const char *string)
{
  struct text clean = {0};
  text_add_clean(&clean, string);
  const char *copy = arena_copy(arena, text_string(&clean), clean.length);
  text_finish(&clean);
  return copy;
}

/* ---- words ---- */

const char *words_place(const struct explained_program *p, const struct ir_place *place)
{
  const struct unit *unit = p->explanation->unit;
  if (!place->line || place->file >= unit->files.count) return "";
  return words_clean(
      p->arena, arena_format(p->arena, "%s:%u", unit->files.items[place->file].path, place->line));
}

const char *words_use(bool read, bool written)
{
  return read && written ? "read and written"
         : written       ? "written"
         : read          ? "read"
                         : "not accessed";
}

const char *words_access(const struct explained_access *access)
{
  return access->atomic                  ? "atomic update"
         : access->read && access->write ? "read and write"
         : access->write                 ? "write"
                                         : "read";
}

const char *words_milliseconds(struct arena *arena, double milliseconds)
{
  double micro = milliseconds * 1e3;
  return micro < 999.5
             ? arena_format(arena, "%.3g us", micro)
             : arena_format(arena, milliseconds < 999.5 ? "%.3g ms" : "%.0f ms", milliseconds);
}

const char *words_plan(struct arena *arena, const struct ranked_plan *plan)
{
  return plan->others ? arena_format(arena, "%s and %u other%s", plan->what, plan->others,
                                     plan->others > 1 ? "s" : "")
                      : plan->what;
}

const char *words_prediction(struct arena *arena, const struct ranked_plan *plan)
{
  if (!(plan->milliseconds > 0)) return plan->why ? plan->why : "no prediction";
  const char *text =
      arena_format(arena, "%s predicted, bound by %s (as written %s, %s)",
                   words_milliseconds(arena, plan->milliseconds), bound_name(plan->bound),
                   words_milliseconds(arena, plan->written), bound_name(plan->written_bound));
  if (plan->totals[0] > 0)
    text = arena_format(arena, "%s, for %lldx%lld elements", text, (long long)plan->totals[0],
                        (long long)plan->totals[1]);
  if (plan->registers) text = arena_format(arena, "%s; %u registers", text, plan->registers);
  if (plan->resident)
    text = arena_format(arena, "%s, %u block%s resident", text, plan->resident,
                        plan->resident > 1 ? "s" : "");
  return plan->why ? arena_format(arena, "%s: %s", text, plan->why) : text;
}

static bool is_launched_at(const struct explained_program *p, const struct explained_kernel *kernel,
                           const char *place)
{
  for (unsigned i = 0; i < kernel->launches.count; i++)
    if (!strcmp(words_place(p, &kernel->launches.items[i]->launch->place), place)) return true;
  return false;
}

bool words_is_measured(const struct explained_program *p, const struct explained_kernel *kernel,
                       const struct measured_time *time)
{
  const char *name =
      kernel->kernel ? kernel->kernel->qualified ? kernel->kernel->qualified : kernel->kernel->name
                     : NULL;
  if (!name || strcmp(name, time->kernel) ||
      (time->code && kernel->code && strcmp(time->code, kernel->code)))
    return false;
  if (time->place && !is_launched_at(p, kernel, time->place)) return false;
  return !time->shape ||
         (kernel->has_facts && !strcmp(time->shape, explain_shape(p->arena, &kernel->facts)));
}

/* ---- the result ---- */

static const char *expression(struct arena *arena, const struct ir_expr *expr)
{
  struct text text = {0};
  explain_expr(&text, arena, expr);
  const char *copy = arena_string(arena, text_string(&text));
  text_finish(&text);
  return copy;
}

static void add(struct arena *arena, struct words *words, const char *line)
{
  *ARENA_PUSH(arena, &words->lines) = line;
}

/* The conditions of launches for which a version is used. */
static const char *conditions(struct arena *arena, const struct kernel_mapping *mapping,
                              const struct mapped_version *version)
{
  const char *text = "";
  if (version->least > 1)
    text = arena_format(arena, "%s, from %lld elements on", text, (long long)version->least);
  if (version->least > 1 && mapping->extents && mapping->extents->flat)
    text = arena_format(arena, "%s or 2 for each thread as written", text);
  if (version->most)
    text = arena_format(arena, "%s, below %lld elements", text, (long long)version->most);
  if (version->specialised && mapping->condition)
    text = arena_format(arena, "%s, where %s", text, expression(arena, mapping->condition));
  if (version->when)
    text = arena_format(arena, "%s, where %s", text, expression(arena, version->when));
  if (version->share) text = arena_format(arena, "%s, where that fills the device better", text);
  return text;
}

static void add_version(struct arena *arena, const struct kernel_mapping *mapping,
                        const struct mapped_version *version, struct words *ret)
{
  const char *text = arena_format(arena, "blocks of %lldx%lld elements for %lldx%lld threads",
                                  (long long)version->block[0], (long long)version->block[1],
                                  (long long)version->threads[0], (long long)version->threads[1]);
  if (version->note) text = arena_format(arena, "%s, %s", text, version->note);
  if (version->share && !version->note)
    text = arena_format(arena, "%s, several blocks share the loop", text);
  if (version->means) text = arena_format(arena, "%s, %s", text, version->means);
  if (version->shared_bytes && !version->most_blocks)
    text = arena_format(arena, "%s, %llu bytes of shared memory", text,
                        (unsigned long long)version->shared_bytes);
  if (version->registers)
    text = arena_format(arena, "%s, about %u registers", text, version->registers);
  add(arena, ret, arena_format(arena, "%s%s", text, conditions(arena, mapping, version)));
}

static void add_stages(struct arena *arena, const struct kernel_variant *variant, struct words *ret)
{
  const char *names = "";
  for (unsigned i = 0; i < variant->stage_count; i++)
    names = arena_format(arena, "%s%s%s", names, i ? ", " : "", variant->stages[i].array->name);
  if (variant->choice)
    add(arena, ret,
        arena_format(arena, "the launch chooses what of %s it stages in %llu bytes", names,
                     (unsigned long long)variant->choice->capacity));
  else
    add(arena, ret,
        arena_format(arena, "%s staged for the whole kernel, %llu bytes", names,
                     (unsigned long long)variant->bytes));
}

void words_result(struct arena *arena, const struct kernel_variant *variant, struct words *ret)
{
  if (!variant) {
    add(arena, ret, "as written");
    return;
  }
  if (variant->promoted)
    add(arena, ret,
        arena_format(arena, "%u element%s kept in registers over loops", variant->promoted,
                     variant->promoted > 1 ? "s" : ""));
  if (variant->stage_count) add_stages(arena, variant, ret);
  if (variant->note) add(arena, ret, variant->note);
  if (variant->no_alias_count) add(arena, ret, "launches whose arguments overlap: as written");
  if (variant->asks)
    add(arena, ret,
        arena_format(arena, "launches without %s: as written", expression(arena, variant->asks)));
  const struct kernel_mapping *mapping = variant->mapping;
  for (unsigned i = 0; mapping && i < mapping->version_count; i++)
    add_version(arena, mapping, &mapping->versions[i], ret);
  if (mapping && mapping->plain)
    add(arena, ret,
        mapping->most ? arena_format(arena,
                                     "launches for which there is no version, and those from %lld "
                                     "elements on: as written",
                                     (long long)mapping->most)
                      : "launches for which there is no version: as written");
}
