/* SPDX-License-Identifier: MIT */
/* emit_host.c - announcements of host use.
 *
 *     fwrite(a, 4, n, f);      =>  fwrite(mesi_touch(a, MESI_READ), 4, n, f);
 *     sum += *p;               =>  mesi_use(&a, MESI_READ); sum += *p;
 *     sum += a[i];             =>  mesi_use_bytes(a, (long long)i * 4, (long long)i * 4 + 4,
 *                                                 MESI_READ); sum += a[i];
 *     sum += p[i];             =>  mesi_use_pointed(p, (long long)i * 4, (long long)i * 4 + 4,
 *                                                   MESI_READ); sum += p[i];
 *     if (x) a[0] = 1;         =>  if (x) { mesi_use(&a, MESI_READ_WRITE); a[0] = 1; }
 *     for (...) k<<<...>>>();  =>  { mesi_batch _mesi_batch; for (...) mesi_batched(k, ...)(); }
 *
 * Text before a statement goes before its pragmas (#pragma omp parallel for), on a line of its own.
 */
#include <assert.h>
#include <string.h>

#include "codegen/host/host.h"
#include "codegen/kernel/kernel.h"
#include "codegen/print/print.h"
#include "codegen/variable/variable.h"
#include "runtime/seeded.h"

static const struct ir_function *host_at(const struct codegen *cg, const struct ir_place *place)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    const struct ir_function *function = cg->unit->functions.items[i];
    const struct ir_place *body = &function->body_place;
    if (function->has_definition && body->file == place->file && body->begin <= place->begin &&
        place->end <= body->end)
      return function;
  }
  return NULL;
}

/* The variable's name; with :: where a local may have the same name. */
static const char *host_name(struct codegen *cg, const struct vs_var *vs,
                             const struct ir_place *place)
{
  const struct ir_function *host = host_at(cg, place);
  bool hidden = !host || !host->body || host->is_method;
  for (unsigned i = 0; host && i < host->var_count && !hidden; i++)
    hidden = host->vars[i]->name && !strcmp(host->vars[i]->name, vs->name);
  const char *name = vs_global_name(cg, vs);
  return hidden && !strcmp(name, vs->name) ? arena_format(cg->arena, "::%s", name) : name;
}

struct naming {
  struct codegen *cg;
  const struct ir_place *place;
};

static const char *rename_vs(struct printer *printer, const struct ir_var *var)
{
  const struct naming *naming = printer->context;
  return var->kind == IR_VAR_VS
             ? host_name(naming->cg, unit_vs_definition(naming->cg->unit, var), naming->place)
             : NULL;
}

static const char *bytes_text(struct codegen *cg, const struct host_edit *edit,
                              const struct ir_expr *expr)
{
  struct text out = {0};
  struct naming naming = {cg, &edit->place};
  struct printer printer = {
      .arena = cg->arena, .out = &out, .rename = rename_vs, .context = &naming};
  print_expr(&printer, expr);
  const char *text = printer.failed ? NULL : arena_string(cg->arena, text_string(&out));
  text_finish(&out);
  return text;
}

static const char *access_text(struct codegen *cg, unsigned access)
{
  return access & 8 ? arena_format(cg->arena, "%s | MESI_OVERWRITE", access_name(access))
                    : access_name(access);
}

static const char *use_call(struct codegen *cg, const struct host_edit *edit)
{
  const char *name = host_name(cg, edit->vs, &edit->place);
  const char *begin = edit->begin ? bytes_text(cg, edit, edit->begin) : NULL,
             *end = edit->end ? bytes_text(cg, edit, edit->end) : NULL;
  if (!begin || !end)
    return arena_format(cg->arena, "mesi_use(&%s, %s); ", name, access_name(edit->access));
  return arena_format(cg->arena, "mesi_use_bytes(%s, %s, %s, %s); ", name, begin, end,
                      access_text(cg, edit->access));
}

static const char *pointed_call(struct codegen *cg, const struct host_edit *edit)
{
  const struct ir_var *pointer = edit->pointer;
  const char *name = pointer->kind == IR_VAR_VS
                         ? host_name(cg, unit_vs_definition(cg->unit, pointer), &edit->place)
                         : pointer->name;
  const char *begin = bytes_text(cg, edit, edit->begin), *end = bytes_text(cg, edit, edit->end);
  if (!begin || !end) return "";
  return arena_format(cg->arena, "mesi_use_pointed(%s, %s, %s, %s); ", name, begin, end,
                      access_text(cg, edit->access));
}

/* The end of the statement at `place`: its semicolon is not part of an expression's range. */
static unsigned statement_end(const struct codegen *cg, const struct ir_place *place)
{
  const struct unit_file *file = &cg->unit->files.items[place->file];
  if (place->end > place->begin && file->text[place->end - 1] == ';') return place->end;
  struct token next = scan_token(file->text, place->end, (unsigned)file->length);
  return token_is(file->text, next, ";") ? next.end : place->end;
}

static unsigned line_number(const char *text, unsigned at)
{
  unsigned line = 1;
  for (unsigned i = 0; i < at; i++) line += text[i] == '\n';
  return line;
}

static void emit_before(struct codegen *cg, const struct host_edit *edit, const char *call)
{
  struct edits *edits = &cg->edits[edit->place.file];
  const char *text = cg->unit->files.items[edit->place.file].text;
  unsigned begin;
  enum pragma_kind pragma = pragma_before(text, edit->place.begin, &begin);
  if (pragma == PRAGMA_GOVERNS) {
    const char *here = line_directive(cg, edit->place.file, line_number(text, begin));
    /* it ends with a blank */
    call = arena_format(cg->arena, "%.*s\n%s", (int)strlen(call) - 1, call, here);
  }
  if ((edit->needs_braces || pragma == PRAGMA_SECTION) && !SEEDED(BRACES_MISSED))
    edit_wrap(edits, begin, statement_end(cg, &edit->place), arena_format(cg->arena, "{ %s", call),
              " }");
  else
    edit_insert(edits, begin, call);
}

/* Puts a mesi_batch around a loop. On the CPU backend only launches that may become one need it:
 * others are done when they return. */
static void emit_batch(struct codegen *cg, const struct host_edit *edit)
{
  if (cg->options->target_cpu && !edit->steps) return;
  emit_before(cg, edit, arena_format(cg->arena, "mesi_batch %s; ", staged_name(cg, "_mesi_batch")));
}

static void emit_argument(struct codegen *cg, const struct host_edit *edit)
{
  static const char *const calls[HOST_ARG_COUNT] = {
      "mesi_touch(",   "mesi_opened(",   "mesi_kept(", "mesi_kept_control(",
      "mesi_vectors(", "mesi_messages(", "mesi_all("};
  const char *access = access_name(edit->access), *end = arena_format(cg->arena, ", %s)", access);
  if (edit->kind == HOST_KEEP_ARG || edit->kind == HOST_KEEP_CONTROL_ARG) end = ")";
  if (edit->kind == HOST_TOUCH_VECTORS_ARG || edit->kind == HOST_TOUCH_MESSAGES_ARG)
    end = arena_format(cg->arena, ", %s, %s)", access,
                       edit->count ? edit->count : "MESI_VECTORS_UNKNOWN");
  edit_wrap(&cg->edits[edit->place.file], edit->place.begin, edit->place.end, calls[edit->kind],
            end);
}

static void emit_host_edit(struct codegen *cg, const struct host_edit *edit)
{
  const char *access = access_name(edit->access);
  assert(edit->kind < HOST_ARG_COUNT ? !edit->place.in_macro : !edit->place.begins_in_macro);
  if (edit->kind < HOST_ARG_COUNT) {
    emit_argument(cg, edit);
    return;
  }
  switch (edit->kind) {
  default: break;
  case HOST_USE_BEFORE: emit_before(cg, edit, use_call(cg, edit)); break;
  case HOST_USE_POINTED: emit_before(cg, edit, pointed_call(cg, edit)); break;
  case HOST_BATCH: emit_batch(cg, edit); break;
  case HOST_TOUCH_ALL_BEFORE:
    emit_before(cg, edit, arena_format(cg->arena, "mesi_touch_all(%s); ", access));
    break;
  }
}

void emit_host_edits(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->plan->host.edits.count; i++)
    emit_host_edit(cg, &cg->plan->host.edits.items[i]);
}
