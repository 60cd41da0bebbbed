/* SPDX-License-Identifier: MIT */
/* frontend.c - source text to unit: parse, collect, flatten macros where edits need it, parse
 * again. */
#include "translator/frontend/frontend.h"

#include <string.h>

#include "translator/base/file.h"
#include "translator/frontend/internal.h"

#define FLATTEN_ROUNDS 16u

static bool read_input(struct arena *arena, const struct frontend_options *options,
                       struct diag *diag, struct unit_file *ret)
{
  bool standard = !strcmp(options->input, "-");
  enum file_status status = file_read(arena, options->input, &ret->text, &ret->length);
  ret->path = standard ? "<stdin>" : options->input;
  ret->is_main = true;
  if (status == FILE_OK) return true;
  diag_report(diag, status == FILE_TOO_LARGE ? DIAG_TOO_LARGE : DIAG_INPUT,
              &(struct diag_place){.file = ret->path}, "%s", file_status_text(status));
  return false;
}

static struct unit *new_unit(struct arena *arena, const struct frontend_options *options,
                             const char *input)
{
  struct unit *unit = ARENA_NEW(arena, struct unit);
  unit->arena = arena;
  unit->input = input;
  unit->arch = options->arch;
  return unit;
}

/* One round: `texts` are the latest texts of the files, the main one first. */
static struct unit *round_of(struct frontend *f, const struct unit *texts,
                             const struct clang_args *args, const char *pch)
{
  f->unit = new_unit(f->arena, f->options, texts->input);
  f->unit->files = texts->files;
  if (parse_unit(f, args, pch)) return NULL;
  memset(&f->unit->files, 0, sizeof f->unit->files);
  if (source_collect(f) || collect_unit(f)) return NULL;
  return f->unit;
}

static void reset(struct frontend *f)
{
  if (f->tu) clang_disposeTranslationUnit(f->tu);
  f->tu = NULL;
  memset(&f->vars, 0, sizeof f->vars);
  memset(&f->functions, 0, sizeof f->functions);
  memset(&f->launches, 0, sizeof f->launches);
  memset(&f->instance_functions, 0, sizeof f->instance_functions);
  memset(&f->instances, 0, sizeof f->instances);
  memset(&f->copyable, 0, sizeof f->copyable);
  memset(&f->types, 0, sizeof f->types);
  memset(&f->clang_files, 0, sizeof f->clang_files);
  memset(&f->macros, 0, sizeof f->macros);
  memset(&f->edges, 0, sizeof f->edges);
  memset(&f->bodies, 0, sizeof f->bodies);
  memset(&f->launched, 0, sizeof f->launched);
  memset(&f->named, 0, sizeof f->named);
  memset(&f->views, 0, sizeof f->views);
  memset(&f->arch.files, 0, sizeof f->arch.files);
  f->arch.known = false;
}

/* All rounds; where the parser refuses a specialisation, again with fewer or none. */
static struct unit *rounds_of(struct frontend *f, struct unit *texts,
                              const struct ir_places *places);

static struct unit *with_fewer(struct frontend *f, struct unit *texts,
                               const struct ir_places *places, struct diag *diag)
{
  f->diag = diag;
  f->specialize++;
  f->specialized.count = f->specializations = 0;
  return rounds_of(f, texts, places);
}

/* A copy of `texts` that keeps them through rounds that change texts. */
static struct unit *copy_of(struct frontend *f, const struct unit *texts)
{
  struct unit *copy = ARENA_NEW(f->arena, struct unit);
  *copy = *texts;
  memset(&copy->files, 0, sizeof copy->files);
  for (unsigned i = 0; i < texts->files.count; i++)
    *ARENA_PUSH(f->arena, &copy->files) = texts->files.items[i];
  return copy;
}

/* Rounds until no use needs expansion; `places` are for the first round. */
static struct unit *rounds_of(struct frontend *f, struct unit *texts,
                              const struct ir_places *places)
{
  static const struct ir_places none;
  struct unit *unit = NULL, *first = copy_of(f, texts);
  struct diag *diag = f->diag, quiet = {0};
  struct clang_args args;
  f->index = clang_createIndex(1, 0);
  clang_args_build(f->arena, f->options, &args);
  const char *pch = pch_file(f->arena, f->index, f->options, &args);
  for (unsigned round = 0; round < FLATTEN_ROUNDS; round++) {
    reset(f);
    unit = round_of(f, texts, &args, pch);
    if (!unit) break;
    if (flatten_macros(f, round ? &none : places) <= 0) {
      if (round + 1 == FLATTEN_ROUNDS || !specialize_hosts(f)) break;
      f->diag = &quiet;
    }
    texts = unit;
    f->expanded = true;
  }
  reset(f);
  clang_disposeIndex(f->index);
  if (!unit && f->diag == &quiet) return with_fewer(f, first, places, diag);
  f->diag = diag;
  if (unit) unit_own_parameters(unit);
  if (unit) unit_part_parameters(unit);
  return unit;
}

struct unit *frontend_parse(struct arena *arena, const struct frontend_options *options,
                            struct diag *diag)
{
  struct unit_file main_file = {0};
  static const struct ir_places none;
  if (!read_input(arena, options, diag, &main_file)) return NULL;
  const struct unit_file original = main_file;
  normalize_text(arena, &main_file);
  if (options->device_on_host) host_text(arena, &main_file);
  struct frontend f = {.arena = arena, .diag = diag, .options = options};
  struct unit *texts = new_unit(arena, options, main_file.path);
  *ARENA_PUSH(arena, &texts->files) = main_file;
  struct unit *unit = rounds_of(&f, texts, &none);
  if (unit) unit->original = original;
  return unit;
}

struct unit *frontend_expand(struct arena *arena, const struct frontend_options *options,
                             struct unit *unit, const struct ir_places *places, struct diag *diag)
{
  struct frontend f = {.arena = arena, .diag = diag, .options = options, .warnings_told = true};
  for (unsigned i = 1; i < unit->files.count; i++)
    if (unit->files.items[i].is_rewritten) *ARENA_PUSH(arena, &f.rewritten) = unit->files.items[i];
  struct unit *expanded = rounds_of(&f, unit, places);
  if (expanded) expanded->original = unit->original;
  return expanded && !f.expanded ? unit : expanded;
}
