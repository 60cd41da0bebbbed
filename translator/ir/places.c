/* SPDX-License-Identifier: MIT */
/* places.c - queries about the text of a unit. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/ir/places.h"

/* ---- order ---- */

static unsigned depth_of(const struct unit *unit, unsigned file)
{
  unsigned depth = 0;
  for (int at = unit->files.items[file].included_from; at >= 0;
       at = unit->files.items[at].included_from)
    depth++;
  return depth;
}

static void lift(const struct unit *unit, unsigned *file, unsigned *at)
{
  *at = unit->files.items[*file].include_begin;
  *file = (unsigned)unit->files.items[*file].included_from;
}

bool position_before(const struct unit *unit, unsigned file, unsigned at, unsigned other_file,
                     unsigned other_at)
{
  unsigned depth = depth_of(unit, file), other_depth = depth_of(unit, other_file);
  for (; depth > other_depth; depth--) lift(unit, &file, &at);
  for (; other_depth > depth; other_depth--) lift(unit, &other_file, &other_at);
  while (file != other_file) {
    lift(unit, &file, &at);
    lift(unit, &other_file, &other_at);
  }
  return at < other_at;
}

bool function_precedes(const struct unit *unit, const struct ir_function *function,
                       const struct ir_place *place)
{
  const struct ir_place *body = &function->body_place;
  return position_before(unit, body->file, body->begin, place->file, place->begin);
}

/* Do the parentheses match? */
static bool is_balanced(const char *text, unsigned begin, unsigned end)
{
  int depth = 0;

  for (struct token token = scan_token(text, begin, end); token.kind != TOKEN_END && depth >= 0;
       token = scan_token(text, token.end, end))
    depth += token_is(text, token, "(") - token_is(text, token, ")");
  return !depth;
}

const char *place_one_line(const struct unit *unit, struct arena *arena,
                           const struct ir_place *place)
{
  const char *text = unit->files.items[place->file].text;
  bool empty = scan_token(text, place->begin, place->end).kind == TOKEN_END;

  return !empty && is_balanced(text, place->begin, place->end)
             ? scan_one_line(arena, text, place->begin, place->end)
             : NULL;
}

/* ---- functions ---- */

bool function_is_outside(const struct unit *unit, const struct ir_function *function)
{
  const struct ir_place *name = &function->name_place;
  const char *text = unit->files.items[name->file].text;
  return token_is(text, scan_last(text, function->place.begin, name->begin), "::");
}

bool function_is_overloaded(const struct unit *unit, const struct ir_function *function)
{
  for (unsigned i = 0; function && i < unit->functions.count; i++) {
    const struct ir_function *other = unit->functions.items[i];
    if (!unit_same_source(other, function) && !strcmp(other->qualified, function->qualified))
      return true;
  }
  return false;
}

size_t function_scope_length(const struct ir_function *function)
{
  return strlen(function->qualified) - strlen(function->name);
}

bool function_head(const struct unit *unit, const struct ir_function *function,
                   struct ir_place *ret_before, struct ir_place *ret_behind)
{
  const struct ir_place *name = &function->name_place, *body = &function->body_place;
  if (function->instance_of) return false;
  if (function->place.file != name->file || function->place.file != body->file) return false;
  if (function->place.begin > name->begin || name->end > body->begin) return false;
  const char *text = unit->files.items[name->file].text;
  struct token word = {TOKEN_NAME, name->begin, name->end},
               after = scan_token(text, name->end, body->begin);
  if (!token_is(text, word, function->name) || !token_is(text, after, "(")) return false;
  if (!token_is(text, scan_last(text, after.begin, body->begin), ")") || text[body->begin] != '{')
    return false;
  /* HEAD(k(int *p)) { ... }: a parameter behind the last one would be the macro's */
  if (!is_balanced(text, function->place.begin, name->begin) && !SEEDED(HEAD_IN_MACRO))
    return false;
  *ret_before = *ret_behind = *name;
  ret_before->begin = function->place.begin;
  ret_before->end = name->begin;
  ret_behind->begin = name->end;
  ret_behind->end = body->begin;
  return true;
}

/* ---- launches ---- */

bool launch_is_repeated(const struct unit *unit, const struct launch *launch)
{
  for (unsigned i = 0; i < launch->id; i++) {
    const struct ir_place *other = &unit->launches.items[i]->place;
    if (other->file == launch->place.file && other->begin == launch->place.begin) return true;
  }
  return false;
}

struct ir_place launch_shape_place(const struct unit *unit, const struct launch *launch)
{
  struct ir_place place = launch->open;
  place.begin = scan_spelling(unit->files.items[place.file].text, launch->open.begin, "<<<");
  place.end = launch->shared ? launch->block->place.end : launch->close.begin;
  return place;
}

bool launch_shape_is_text(const struct unit *unit, struct arena *arena, const struct launch *launch)
{
  if (!launch->block) return false;
  const struct ir_place *block = &launch->block->place;
  struct ir_place shape = launch_shape_place(unit, launch);
  const char *text = unit->files.items[launch->place.file].text;
  bool inside = block->file == launch->place.file && block->begin > shape.begin &&
                block->end <= launch->close.begin;
  return inside && scan_one_line(arena, text, shape.begin, shape.end);
}

const char *launch_dimension_text(const struct unit *unit, struct arena *arena,
                                  const struct launch *launch, const struct ir_expr *dimension)
{
  bool both =
      launch->grid && launch->block && launch->grid->place.begin == launch->block->place.begin;
  return dimension && !both ? place_one_line(unit, arena, &dimension->place) : NULL;
}

bool launch_arguments_are_text(const struct unit *unit, struct arena *arena,
                               const struct launch *launch)
{
  for (unsigned i = 0; i < launch->arg_count; i++)
    if (!place_one_line(unit, arena, &launch->args[i].place)) return false;
  return true;
}

bool launch_dimensions_are_text(const struct unit *unit, struct arena *arena,
                                const struct launch *launch)
{
  return launch_dimension_text(unit, arena, launch, launch->grid) &&
         launch_dimension_text(unit, arena, launch, launch->block);
}
