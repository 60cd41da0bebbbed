/* SPDX-License-Identifier: MIT */
/* source.c - places of the source: errors, their text, their order; pieces of output. */
#include <stdio.h>

#include "codegen/text/source.h"

void codegen_error(struct codegen *cg, enum diag_id id, const struct ir_place *place,
                   const char *format, ...)
{
  struct diag_place where = {0};
  if (place && place->file < cg->unit->files.count) {
    const struct unit_file *file = &cg->unit->files.items[place->file];
    where = (struct diag_place){file->path, place->line, place->column, file->text};
  }
  va_list arguments;
  va_start(arguments, format);
  diag_vreport(cg->diag, id, &where, format, arguments);
  va_end(arguments);
  cg->failed = true;
}

void codegen_unprintable(struct codegen *cg, const struct ir_function *function)
{
  codegen_error(cg, DIAG_INTERNAL, &function->name_place, "what was planned for '%s' has no text",
                function->name);
}

const char *source_text(const struct codegen *cg, const struct ir_place *place)
{
  const struct unit_file *file = &cg->unit->files.items[place->file];
  return arena_copy(cg->arena, file->text + place->begin, place->end - place->begin);
}

const char *access_name(unsigned access)
{
  static const char *const names[] = {"0", "MESI_READ", "MESI_WRITE", "MESI_READ_WRITE"};
  static const struct {
    unsigned bit;
    const char *name;
  } sums[] = {{SUM_INT, "MESI_READ_WRITE | MESI_SUM_INT"},
              {SUM_LONG, "MESI_READ_WRITE | MESI_SUM_LONG"},
              {SUM_FLOAT, "MESI_READ_WRITE | MESI_SUM_FLOAT"},
              {SUM_DOUBLE, "MESI_READ_WRITE | MESI_SUM_DOUBLE"}};
  for (unsigned i = 0; i < sizeof sums / sizeof *sums; i++)
    if (access & sums[i].bit) return sums[i].name;
  return names[access & 3];
}

const char *quoted(struct arena *arena, const char *text)
{
  struct text out = {0};
  text_add(&out, "\"");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      text_format(&out, "\\%c", c);
    else if (c < 0x20)
      text_format(&out, "\\%03o", c);
    else
      text_add_bytes(&out, text, 1);
  }
  text_add(&out, "\"");
  const char *result = arena_copy(arena, out.data, out.length);
  text_finish(&out);
  return result;
}

/* ---- the user's macros ---- */

const char *member_text(struct codegen *cg, const char *object, const char *member)
{
  bool hidden = name_map_has(&cg->unit->macros, member);
  return arena_format(cg->arena, hidden ? "%s_%s()" : "%s().%s", object, member);
}

void hide_macros(struct codegen *cg, struct text *text)
{
  struct name_map hidden = {0};
  const char *before = "", *behind = "", *data = text_string(text);
  struct token token = scan_token(data, 0, text->length), next;
  for (; token.kind != TOKEN_END; token = next) {
    next = scan_token(data, token.end, text->length);
    if (next.kind != TOKEN_NAME || !token_is(data, token, ".")) continue;
    const char *name = arena_copy(cg->arena, data + next.begin, next.end - next.begin);
    if (!name_map_has(&cg->unit->macros, name) || name_map_has(&hidden, name)) continue;
    name_map_put(cg->arena, &hidden, name, NULL);
    before =
        arena_format(cg->arena, "%s\n#pragma push_macro(\"%s\")\n#undef %s", before, name, name);
    behind = arena_format(cg->arena, "%s#pragma pop_macro(\"%s\")\n", behind, name);
  }
  if (!*before) return;
  const char *whole = arena_format(cg->arena, "%s%s%s", before, data, behind);
  text->length = 0;
  text_add(text, whole);
}

const char *line_directive(struct codegen *cg, unsigned file, unsigned line)
{
  if (!cg->options->line_directives) return "";
  return arena_format(cg->arena, "#line %u %s\n", line,
                      quoted(cg->arena, cg->unit->files.items[file].path));
}

bool is_check_printed(const struct codegen *cg, const struct ir_function *function)
{
  return cg->check_printed && cg->check_printed[function->id];
}
