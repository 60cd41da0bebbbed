/* SPDX-License-Identifier: MIT */
/* types_file.c - writes and reads the types of VS variables. */
#include "translator/driver/types_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/file.h"
#include "translator/base/text.h"
#include "translator/ir/unit.h"

static char kind_of(const struct ir_type *type)
{
  bool real = type->kind == IR_TYPE_FLOAT && (type->size == 4 || type->size == 8);
  bool integer = (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_BOOL) && type->size <= 8;
  return real ? 'f' : integer && type->is_signed ? 'i' : integer ? 'u' : 'b';
}

/* Leaves out a variable of unknown size, or with more dimensions than a reader takes. */
static void add_line(struct text *out, const struct vs_var *vs)
{
  const struct ir_type *type = vs->var->type;
  struct text extents = {0};
  unsigned dims = 0;
  for (; type && type->kind == IR_TYPE_ARRAY; type = type->element, dims++)
    text_format(&extents, " %" PRId64, type->extent);
  if (type && type->size > 0 && dims <= DUMP_DIMS && !strchr(text_string(&extents), '-'))
    text_format(out, "%c%" PRId64 "%s %s\n", kind_of(type), type->size, text_string(&extents),
                vs->qualified);
  text_finish(&extents);
}

int types_file_write(const char *path, const struct unit *unit)
{
  struct text out = {0};
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    if (unit->vs_vars.items[i]->is_definition) add_line(&out, unit->vs_vars.items[i]);
  int result = file_write(path, text_string(&out), out.length);
  text_finish(&out);
  return result;
}

/* Reads one line: the type, and the name after it; "" where it is malformed. */
static const char *read_line(struct arena *arena, const char *line, size_t length,
                             struct object_type *ret)
{
  char *at = (char *)arena_copy(arena, line, length);
  *ret = (struct object_type){.kind = *at};
  if (!*at) return "";
  ret->size = (unsigned)strtoul(at + 1, &at, 10);
  while (ret->dim_count < DUMP_DIMS && at[0] == ' ' && at[1] >= '0' && at[1] <= '9')
    ret->extents[ret->dim_count++] = strtoull(at + 1, &at, 10);
  return *at == ' ' && ret->size ? at + 1 : "";
}

void types_file_apply(struct arena *arena, const char *path, struct dump_file *dump)
{
  const char *text;
  size_t length;
  if (file_read(arena, path, &text, &length) != FILE_OK) return;
  for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
    struct object_type *type = ARENA_NEW(arena, struct object_type);
    const char *name = read_line(arena, line, (size_t)(end - line), type);
    for (unsigned i = 0; i < dump->count; i++)
      if (!strcmp(dump->objects[i].name, name)) dump->objects[i].type = type;
  }
}
