/* SPDX-License-Identifier: MIT */
/* survey_rows.c - the kernels of a unit, from its explanation as JSON.
 *
 *     explanation: a kernel for each set of facts, with launches, decisions, plans
 *         -> one row for each kernel of the source: changed or kept, how or why, gain
 *
 * Of the reasons for declined decisions the row keeps the first by class (survey_reasons.def). A
 * reason that excludes the whole kernel comes before aliasing, and that before indices. "Nothing to
 * gain" is the reason only where there is no other.
 */
#include "translator/driver/survey_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/seeded.h"

#define USED_RARELY 8.0 /* uses of an element by a block: with fewer a copy gains nothing */

static const char *const class_names[] = {
#define CLASS(id, name, advice) name,
#include "translator/driver/survey_reasons.def"
};

static const char *const class_advice[] = {
#define CLASS(id, name, advice) advice,
#include "translator/driver/survey_reasons.def"
};

static const struct {
  enum survey_class class;
  const char *words;
} reasons[] = {
#define REASON(class, words) {SURVEY_##class, words},
#include "translator/driver/survey_reasons.def"
};

const char *survey_class_name(enum survey_class class) { return class_names[class]; }

const char *survey_class_advice(enum survey_class class) { return class_advice[class]; }

const char *survey_reason_form(struct arena *arena, const char *reason)
{
  struct text form = {0};
  for (const char *c = reason; *c; c++) {
    const char *end = *c == '\'' ? strchr(c + 1, '\'') : NULL;
    if (end && (c == reason || c[-1] == ' ')) {
      text_add(&form, "'...'");
      c = end;
    } else {
      text_add_bytes(&form, c, 1);
    }
  }
  const char *copied = arena_copy(arena, text_string(&form), form.length);
  text_finish(&form);
  return copied;
}

static const char *text_of(json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

static double number_of(json_t *object, const char *key)
{
  return json_number_value(json_object_get(object, key));
}

static bool is_set(json_t *object, const char *key)
{
  return json_is_true(json_object_get(object, key));
}

static struct survey_kernel *kernel_of(struct arena *arena, json_t *from, struct survey_unit *unit)
{
  const char *name = text_of(from, "qualified");
  json_t *place = json_object_get(from, "place");
  const char *file = text_of(place, "file");
  unsigned line = (unsigned)json_integer_value(json_object_get(place, "line"));
  if (!name) name = "?";
  for (unsigned i = 0; i < unit->kernels.count; i++) {
    struct survey_kernel *known = &unit->kernels.items[i];
    if (!strcmp(known->name, name) && known->line == line &&
        (known->file && file ? !strcmp(known->file, file) : known->file == file))
      return known;
  }
  struct survey_kernel *made = ARENA_PUSH(arena, &unit->kernels);
  *made = (struct survey_kernel){.name = arena_string(arena, name),
                                 .file = file ? arena_string(arena, file) : NULL,
                                 .line = line,
                                 .why_class = SURVEY_CLASS_COUNT};
  return made;
}

/* ---- reasons ---- */

static enum survey_class class_of(const char *reason)
{
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (strstr(reason, reasons[i].words)) return reasons[i].class;
  return SURVEY_FORM;
}

static void offer(struct arena *arena, struct survey_kernel *kernel, enum survey_class class,
                  const char *reason)
{
  if (class >= kernel->why_class && !SEEDED(SURVEY_LAST_REASON)) return;
  kernel->why_class = class;
  kernel->why = arena_string(arena, reason);
}

/* Would the kernel gain nothing with the array staged as a whole, apart from other obstacles? */
static bool is_used_rarely(json_t *kernel, const char *name)
{
  json_t *arrays = json_object_get(kernel, "arrays");
  for (size_t i = 0; name && i < json_array_size(arrays); i++) {
    json_t *array = json_array_get(arrays, i);
    const char *other = text_of(array, "name");
    double reuse = number_of(array, "reuse");
    if (other && !strcmp(other, name)) return reuse > 0 && reuse < USED_RARELY;
  }
  return false;
}

/* Was a decision of the kind declined with a reason of the class (COUNT: of any)? */
static bool declines(json_t *decisions, const char *kind, enum survey_class class)
{
  for (size_t i = 0; i < json_array_size(decisions); i++) {
    json_t *decision = json_array_get(decisions, i);
    const char *why = text_of(decision, "why"), *own = text_of(decision, "kind");
    bool declined = why && own && !strcmp(own, kind) && !is_set(decision, "taken");
    if (declined && (class == SURVEY_CLASS_COUNT || class_of(why) == class)) return true;
  }
  return false;
}

/* Staging needs a constant block shape; another mapping does not. Where the shape is not constant
 * and the mapping was declined, too, the mapping's reason is the true one. */
static bool staging_needs_shape(json_t *kernel)
{
  json_t *launches = json_object_get(kernel, "launches");
  if (!declines(json_object_get(kernel, "decisions"), "mapping", SURVEY_CLASS_COUNT)) return false;
  for (size_t i = 0; i < json_array_size(launches); i++)
    if (declines(json_object_get(json_array_get(launches, i), "decisions"), "staging",
                 SURVEY_LAUNCH))
      return true;
  return false;
}

/* The target of atomic operations is never staged. Where blocks could keep it privately, the reason
 * why they do not is the true one. */
static bool has_reason_of_its_own(json_t *kernel, const char *kind, const char *why)
{
  return !strcmp(kind, "staging") && class_of(why) == SURVEY_ATOMICS &&
         declines(json_object_get(kernel, "decisions"), "privatize", SURVEY_CLASS_COUNT);
}

static void offer_decisions(struct arena *arena, json_t *kernel, json_t *decisions,
                            struct survey_kernel *row)
{
  bool shapeless = staging_needs_shape(kernel);
  for (size_t i = 0; i < json_array_size(decisions); i++) {
    json_t *decision = json_array_get(decisions, i);
    const char *why = text_of(decision, "why"), *kind = text_of(decision, "kind");
    if (is_set(decision, "taken") || !why || !kind || !strcmp(kind, "parts") ||
        !strcmp(kind, "devices") || (shapeless && !strcmp(kind, "staging")) ||
        has_reason_of_its_own(kernel, kind, why))
      continue;
    bool rarely = !strcmp(kind, "staging") && is_used_rarely(kernel, text_of(decision, "array"));
    if (rarely)
      offer(arena, row, SURVEY_GAIN, "each element is used less than 8 times in a block");
    else
      offer(arena, row, !strcmp(kind, "kernel") ? SURVEY_KERNEL : class_of(why), why);
  }
}

static void offer_reasons(struct arena *arena, json_t *kernel, struct survey_kernel *row)
{
  const char *reject = text_of(kernel, "why_not_understood");
  json_t *launches = json_object_get(kernel, "launches");
  enum survey_class class = reject ? class_of(reject) : SURVEY_KERNEL;
  bool calls = class == SURVEY_UNDEFINED || class == SURVEY_MEMBER || class == SURVEY_UNKNOWN;
  if (reject) offer(arena, row, calls ? class : SURVEY_KERNEL, reject);
  for (size_t i = 0; i < json_array_size(launches); i++)
    offer_decisions(arena, kernel, json_object_get(json_array_get(launches, i), "decisions"), row);
  offer_decisions(arena, kernel, json_object_get(kernel, "decisions"), row);
}

/* ---- gains ---- */

static void add_how(struct arena *arena, struct survey_kernel *row, const char *kind)
{
  for (unsigned i = 0; i < row->how.count; i++)
    if (!strcmp(row->how.items[i], kind)) return;
  *ARENA_PUSH(arena, &row->how) = arena_string(arena, kind);
}

static void add_gain(struct survey_kernel *row, double gain)
{
  if (!(gain > 0)) return;
  row->gain_log += log(gain);
  row->gain_count++;
  row->gain = exp(row->gain_log / row->gain_count);
}

/* The predicted gain where the plan's blocks only serve for several to share a loop. */
static double sharing_gain(json_t *decisions)
{
  double gain = 0;
  for (size_t i = 0; i < json_array_size(decisions); i++) {
    json_t *decision = json_array_get(decisions, i);
    const char *kind = text_of(decision, "kind");
    if (!is_set(decision, "taken") || !kind) continue;
    if (!strcmp(kind, "mapping")) return 0;
    if (!strcmp(kind, "teams")) gain = fmax(gain, number_of(decision, "gain"));
  }
  return gain;
}

/* The gain of the plan that was taken, otherwise the largest gain that a decision names. */
static double gain_of(json_t *kernel)
{
  json_t *plans = json_object_get(kernel, "plans"),
         *decisions = json_object_get(kernel, "decisions");
  double gain = 0;
  for (size_t i = 0; i < json_array_size(plans); i++) {
    json_t *plan = json_array_get(plans, i);
    double planned = number_of(plan, "predicted_ms"), written = number_of(plan, "written_ms");
    if (is_set(plan, "taken") && planned > 0 && written > 0)
      return fmax(written / planned, sharing_gain(decisions));
  }
  for (size_t i = 0; i < json_array_size(decisions); i++) {
    json_t *decision = json_array_get(decisions, i);
    if (is_set(decision, "taken")) gain = fmax(gain, number_of(decision, "gain"));
  }
  return gain;
}

static void add_change(struct arena *arena, json_t *kernel, struct survey_kernel *row)
{
  json_t *decisions = json_object_get(kernel, "decisions");
  add_gain(row, gain_of(kernel));
  for (size_t i = 0; i < json_array_size(decisions); i++) {
    json_t *decision = json_array_get(decisions, i);
    const char *kind = text_of(decision, "kind");
    if (is_set(decision, "taken") && kind) add_how(arena, row, kind);
  }
}

static void add_launches(struct arena *arena, json_t *kernel, struct survey_kernel *row)
{
  json_t *launches = json_object_get(kernel, "launches");
  bool changed = false;
  for (size_t i = 0; i < json_array_size(launches); i++) {
    json_t *launch = json_array_get(launches, i);
    bool stepped = is_set(launch, "stepped"), other = is_set(launch, "changed");
    if (stepped) add_how(arena, row, "steps");
    row->launches++;
    row->changed += stepped || other;
    changed |= other;
  }
  if (changed) add_change(arena, kernel, row);
}

static void add_unlaunched(struct arena *arena, json_t *from, struct survey_unit *unit)
{
  struct survey_kernel *row = kernel_of(arena, from, unit);
  const char *named = text_of(from, "named");
  if (row->launches) return;
  if (!named)
    offer(arena, row, SURVEY_UNLAUNCHED, "no launch of this unit names it");
  else if (!strcmp(named, "launch"))
    offer(arena, row, SURVEY_KERNEL, "the code around its launch is not analysed");
  else
    offer(arena, row, SURVEY_KERNEL, "its name is handed on, and launched elsewhere");
}

void survey_add_kernels(struct arena *arena, json_t *explanation, struct survey_unit *unit)
{
  json_t *kernels = json_object_get(explanation, "kernels"),
         *others = json_object_get(explanation, "not_launched");
  for (size_t i = 0; i < json_array_size(kernels); i++) {
    json_t *kernel = json_array_get(kernels, i);
    struct survey_kernel *row = kernel_of(arena, kernel, unit);
    add_launches(arena, kernel, row);
    offer_reasons(arena, kernel, row);
  }
  for (size_t i = 0; i < json_array_size(others); i++)
    add_unlaunched(arena, json_array_get(others, i), unit);
}
