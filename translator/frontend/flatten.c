/* SPDX-License-Identifier: MIT */
/* flatten.c - expands, by one level, macro uses around text that must be edited.
 *
 *     #define RUN(k) k<<<grid, 128>>>(a)
 *     RUN(step);                              =>   step<<<grid, 128>>>(a);
 *
 * Requires: a collected unit. Produces: new file texts (line structure kept) and 1 where the unit
 * must be parsed again; a launch two macros deep takes two rounds. Gives up where macro_expand
 * does; codegen then refuses the edit with a diagnostic. */
#include <stdlib.h>
#include <string.h>

#include "translator/frontend/internal.h"

/* ---- the choice of uses ---- */

struct chosen {
  LIST_OF(const struct macro_use *) uses;
};

static void choose(struct frontend *f, struct chosen *chosen, struct ir_place place)
{
  const struct macro_use *outermost = NULL;
  for (unsigned i = 0; i < f->macros.count; i++) {
    const struct macro_use *use = &f->macros.items[i];
    if (use->file != place.file || use->begin > place.begin || use->end < place.begin ||
        use->end <= place.begin)
      continue;
    if (!outermost || use->end - use->begin > outermost->end - outermost->begin) outermost = use;
  }
  if (!outermost) return;
  for (unsigned i = 0; i < chosen->uses.count; i++)
    if (chosen->uses.items[i]->file == outermost->file &&
        chosen->uses.items[i]->begin == outermost->begin)
      return;
  *ARENA_PUSH(f->arena, &chosen->uses) = outermost;
}

/* Chooses a macro that writes several parts of the launch's shape: its text does not separate
 * them. */
static void choose_shape(struct frontend *f, struct chosen *chosen, const struct launch *launch)
{
  const struct ir_expr *parts[] = {launch->grid, launch->block, launch->shared, launch->stream};
  for (unsigned i = 0; i + 1 < sizeof parts / sizeof *parts; i++)
    if (parts[i] && parts[i + 1] && parts[i]->place.in_macro &&
        parts[i]->place.begin == parts[i + 1]->place.begin)
      choose(f, chosen, parts[i]->place);
}

/* Chooses a macro around the launch. In CHECK(k<<<1, 64>>>(a)) with #x in the body the string stays
 * that of the source. */
static void choose_around(struct frontend *f, struct chosen *chosen, const struct launch *launch)
{
  for (unsigned i = 0; i < f->macros.count; i++) {
    const struct macro_use *use = &f->macros.items[i];
    bool around = use->file == launch->place.file && use->begin < launch->place.begin &&
                  launch->place.end <= use->end;
    if (around && !macro_only_passes(f, use, launch->place.begin)) choose(f, chosen, launch->place);
  }
}

static void choose_all(struct frontend *f, struct chosen *chosen)
{
  struct unit *unit = f->unit;
  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct launch *launch = unit->launches.items[i];
    choose_around(f, chosen, launch);
    if (!launch->place.in_macro) continue;
    choose(f, chosen, launch->open.in_macro ? launch->open : launch->place);
    choose_shape(f, chosen, launch);
    if (launch->close.in_macro && !launch->open.in_macro) choose(f, chosen, launch->close);
    if (launch->paren.in_macro && !launch->close.in_macro) choose(f, chosen, launch->paren);
    for (unsigned k = 0; k < launch->arg_count; k++)
      if (launch->args[k].place.in_macro) choose(f, chosen, launch->args[k].place);
  }
  for (unsigned i = 0; i < unit->vs_vars.count; i++) {
    const struct vs_var *vs = unit->vs_vars.items[i];
    if (vs->qualifier.in_macro) choose(f, chosen, vs->qualifier);
    if (vs->name_place.in_macro) choose(f, chosen, vs->name_place);
  }
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    bool edited =
        function->is_kernel ||
        ((function->vs_use_count || function->dynamic_shared_count) && function->is_device);
    if (function->has_definition && edited && function->body_place.in_macro)
      choose(f, chosen, function->body_place);
  }
}

static int compare_uses(const void *a, const void *b)
{ /* last in the file first */
  const struct macro_use *x = *(const struct macro_use *const *)a,
                         *y = *(const struct macro_use *const *)b;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  return x->begin < y->begin ? 1 : -1;
}

static bool replace(struct frontend *f, const struct macro_use *use)
{
  struct text expansion = {0}, result = {0};
  bool fine = macro_expand(f, use, &expansion);
  struct unit_file *file = &f->unit->files.items[use->file];
  if (fine) {
    text_add_bytes(&result, file->text, use->begin);
    text_add_bytes(&result, text_string(&expansion), expansion.length);
    for (unsigned at = use->begin; at < use->end; at++)
      if (file->text[at] == '\n') text_add(&result, "\n");
    text_add_bytes(&result, file->text + use->end, file->length - use->end);
    file->text = arena_copy(f->arena, text_string(&result), result.length);
    file->length = result.length;
  }
  text_finish(&expansion);
  text_finish(&result);
  return fine;
}

int flatten_macros(struct frontend *f, const struct ir_places *places)
{
  struct chosen chosen = {0};
  choose_all(f, &chosen);
  for (unsigned i = 0; i < places->list.count; i++) choose(f, &chosen, places->list.items[i]);
  for (unsigned i = 0; i < f->named.list.count; i++) choose(f, &chosen, f->named.list.items[i]);
  if (!chosen.uses.count) return 0;
  qsort(chosen.uses.items, chosen.uses.count, sizeof *chosen.uses.items, compare_uses);
  int changed = 0;
  for (unsigned i = 0; i < chosen.uses.count; i++) changed |= replace(f, chosen.uses.items[i]);
  return changed;
}
