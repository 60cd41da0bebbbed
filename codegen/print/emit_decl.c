/* SPDX-License-Identifier: MIT */
/* emit_decl.c - declarations of a type and a name.
 *
 *     pointer to array 4 of float, "p"      =>     float (*p)[4]
 */
#include <string.h>

#include "codegen/print/print.h"

static bool is_function(const struct ir_type *type)
{
  size_t length = strlen(type->spelling);
  return type->kind == IR_TYPE_OTHER && length && type->spelling[length - 1] == ')';
}

static bool ends_with(const char *text, const char *tail)
{
  size_t length = strlen(text), wanted = strlen(tail);
  return length >= wanted && !strcmp(text + length - wanted, tail);
}

static const char *sigil(struct arena *arena, const struct ir_type *type)
{
  if (type->kind == IR_TYPE_REFERENCE) return ends_with(type->spelling, "&&") ? "&&" : "&";
  return arena_format(arena, "*%s%s%s", type->is_const ? "const " : "",
                      type->is_volatile ? "volatile " : "",
                      type->is_restrict ? "__restrict__ " : "");
}

static const char *bounds(struct arena *arena, const struct ir_type *type)
{
  return type->extent < 0 ? "[]" : arena_format(arena, "[%lld]", (long long)type->extent);
}

const char *print_declarator(struct arena *arena, const struct ir_type *type, const char *name,
                             const struct ir_type **ret_base)
{
  for (; type->element; type = type->element) {
    if (type->kind == IR_TYPE_ARRAY) {
      name = arena_format(arena, "%s%s", name, bounds(arena, type));
    } else if (type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_REFERENCE) {
      bool group = type->element->kind == IR_TYPE_ARRAY || is_function(type->element);
      name = arena_format(arena, group ? "(%s%s)" : "%s%s", sigil(arena, type), name);
    } else {
      break;
    }
  }
  *ret_base = type;
  return name;
}

const char *print_declaration(struct arena *arena, const struct ir_type *type, const char *name)
{
  const struct ir_type *base;
  const char *declarator = print_declarator(arena, type, name, &base);
  const char *parameters = is_function(base) ? strchr(base->spelling, '(') : NULL;
  if (!parameters)
    return arena_format(arena, *declarator ? "%s %s" : "%s%s", base->spelling, declarator);
  return arena_format(arena, "%.*s%s%s", (int)(parameters - base->spelling), base->spelling,
                      declarator, parameters);
}

const char *print_plain_type(struct arena *arena, const struct ir_type *type)
{
  if (type->element) {
    struct ir_type plain = *type;
    plain.is_const = false;
    return print_declaration(arena, &plain, "");
  }
  const char *spelling = type->spelling;
  return type->is_const && !strncmp(spelling, "const ", 6) ? spelling + 6 : spelling;
}
