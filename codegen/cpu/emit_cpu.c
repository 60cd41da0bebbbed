/* SPDX-License-Identifier: MIT */
/* emit_cpu.c - dynamic shared arrays for the CPU backend.
 *
 *     extern __shared__ float s[];
 *   => float (&s)[] = *(float (*)[])mesi_cpu_dynamic_shared();
 *
 * This happens inside functions. A declaration at namespace scope is removed, and each function
 * that names the array gets the reference after its {. Requires declarations of one declarator
 * each. Works on the text, so in templates too.
 */
#include <string.h>

#include "codegen/cpu/cpu.h"

static bool is_skipped_word(const char *text, struct token token)
{
  static const char *const words[] = {"extern", "__shared__", "static"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is(text, token, words[i])) return true;
  return false;
}

static bool takes_group(const char *text, struct token token)
{
  return token_is(text, token, "__align__") || token_is(text, token, "alignas") ||
         token_is(text, token, "__attribute__");
}

static unsigned skip_group(const char *text, unsigned at, unsigned end)
{
  int depth = 0;
  for (;;) {
    struct token token = scan_token(text, at, end);
    if (token.kind == TOKEN_END) return end;
    depth += token_is(text, token, "(") - token_is(text, token, ")");
    at = token.end;
    if (!depth) return at;
  }
}

/* The declaration text[begin .. end), which ends with its ;, as a reference; NULL: it is not
 * understood. */
static const char *reference_text(struct codegen *cg, const char *text, unsigned begin,
                                  unsigned end, const char **ret_name)
{
  struct text type = {0};
  struct token name = {TOKEN_END, begin, begin};
  unsigned at = begin;
  for (;;) {
    struct token token = scan_token(text, at, end);
    if (token.kind == TOKEN_END || token_is(text, token, ",") || token_is(text, token, ";")) break;
    at = token.end;
    if (takes_group(text, token)) at = skip_group(text, at, end);
    if (takes_group(text, token) || is_skipped_word(text, token)) continue;
    struct token next = scan_token(text, at, end);
    if (token.kind == TOKEN_NAME && token_is(text, next, "[")) {
      name = token;
      break;
    }
    text_add_bytes(&type, text + token.begin, token.end - token.begin);
    if (next.begin > token.end || token.kind == TOKEN_NAME) text_add(&type, " ");
  }
  const char *bounds = scan_one_line(cg->arena, text, at, end - 1), *result = NULL;
  if (name.kind == TOKEN_NAME && bounds && !strchr(bounds, ',')) {
    *ret_name = arena_copy(cg->arena, text + name.begin, name.end - name.begin);
    result = arena_format(cg->arena, "%s(&%s)%s = *(%s(*)%s)mesi_cpu_dynamic_shared();",
                          text_string(&type), *ret_name, bounds, text_string(&type), bounds);
  }
  text_finish(&type);
  return result;
}

/* The end of the declaration at `begin`, after its ;  */
static unsigned declaration_end(const char *text, unsigned begin, unsigned end)
{
  for (unsigned at = begin;;) {
    struct token token = scan_token(text, at, end);
    if (token.kind == TOKEN_END || token_is(text, token, ";")) return token.end;
    at = token.end;
  }
}

/* Is the statement from `begin` an extern __shared__ declaration? */
static bool is_dynamic(const char *text, unsigned begin, unsigned end)
{
  bool is_extern = false, is_shared = false;
  for (unsigned at = begin, words = 0; words < 24; words++) {
    struct token token = scan_token(text, at, end);
    if (token.kind != TOKEN_NAME && !token_is(text, token, "(") && !token_is(text, token, ")") &&
        token.kind != TOKEN_NUMBER)
      break;
    is_extern |= token_is(text, token, "extern");
    is_shared |= token_is(text, token, "__shared__");
    at = token.end;
  }
  return is_extern && is_shared;
}

/* The begin of the declaration itself. Names before it that are neither type nor attribute (both
 * come later) are macros, which stand for statements. */
static unsigned behind_macros(const char *text, unsigned begin, unsigned end)
{
  unsigned found = begin, names = 0;
  bool own = false;
  for (unsigned at = begin;;) {
    struct token token = scan_token(text, at, end);
    if (token.kind == TOKEN_END || token_is(text, token, "[") || token_is(text, token, ";")) break;
    if (at == begin && takes_group(text, token)) return begin;
    if (!own && is_skipped_word(text, token)) found = token.begin;
    own |= is_skipped_word(text, token);
    names += own && token.kind == TOKEN_NAME && !is_skipped_word(text, token);
    at = token.end;
  }
  return names >= 2 ? found : begin;
}

typedef LIST_OF(const char *) name_list;

static bool contains(const name_list *names, const char *name)
{
  for (unsigned i = 0; i < names->count; i++)
    if (!strcmp(names->items[i], name)) return true;
  return false;
}

static void replace_declaration(struct codegen *cg, unsigned file, unsigned begin, unsigned end,
                                name_list *names)
{
  const char *text = cg->unit->files.items[file].text, *name = NULL;
  const char *reference = reference_text(cg, text, begin, end, &name);
  if (!reference) {
    struct ir_place place = {
        .file = file, .begin = begin, .end = end, .line = scan_line(text, begin), .column = 1};
    codegen_error(cg, DIAG_UNSUPPORTED, &place,
                  "this declaration of dynamic shared memory is not understood");
    return;
  }
  *ARENA_PUSH(cg->arena, names) = name;
  edit_replace(
      &cg->edits[file], begin, end,
      arena_format(cg->arena, "%s%s", reference, scan_line_ends(cg->arena, text, begin, end)));
}

/* Edits declarations in the body, by the tokens: statements begin after ; { and }. */
static void edit_body(struct codegen *cg, const struct ir_place *body, name_list *names)
{
  const char *text = cg->unit->files.items[body->file].text;
  bool begins = true;
  for (unsigned at = body->begin + 1;;) {
    struct token token = scan_token(text, at, body->end);
    if (token.kind == TOKEN_END) return;
    at = token.end;
    if (begins && token.kind == TOKEN_NAME && is_dynamic(text, token.begin, body->end)) {
      at = declaration_end(text, token.begin, body->end);
      replace_declaration(cg, body->file, behind_macros(text, token.begin, at), at, names);
      continue;
    }
    begins = token_is(text, token, ";") || token_is(text, token, "{") || token_is(text, token, "}");
  }
}

/* The begin of a namespace-scope declaration: its first token. */
static unsigned declaration_begin(const char *text, const struct ir_place *place)
{
  unsigned begin = place->begin;
  for (unsigned at = 0; at < place->begin;) {
    struct token token = scan_token(text, at, place->begin);
    if (token.kind == TOKEN_END) break;
    bool boundary =
        token_is(text, token, ";") || token_is(text, token, "{") || token_is(text, token, "}");
    at = token.end;
    if (boundary) begin = scan_token(text, at, place->end).begin;
  }
  return begin < place->begin ? begin : place->begin;
}

const char *dynamic_shared_reference(struct codegen *cg, const struct ir_var *var)
{
  const struct unit_file *file = &cg->unit->files.items[var->place.file];
  unsigned begin = var->place.begin,
           end = declaration_end(file->text, begin, (unsigned)file->length);
  const char *name;
  return reference_text(cg, file->text, begin, end, &name);
}

static void edit_function(struct codegen *cg, const struct ir_function *function)
{
  const struct ir_place *body = &function->body_place;
  name_list names = {0};
  edit_body(cg, body, &names);
  struct text head = {0};
  for (unsigned i = 0; i < function->dynamic_shared_count; i++) {
    const struct ir_var *var = function->dynamic_shared[i];
    if (contains(&names, var->name)) continue;
    const char *reference = dynamic_shared_reference(cg, var);
    if (reference) text_format(&head, " %s", reference);
    *ARENA_PUSH(cg->arena, &names) = var->name;
  }
  if (head.length) edit_insert(&cg->edits[body->file], body->begin + 1, head.data);
  text_finish(&head);
}

static bool inside_function(const struct codegen *cg, const struct ir_place *place)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    const struct ir_function *function = cg->unit->functions.items[i];
    const struct ir_place *body = &function->body_place;
    if (function->has_definition && body->file == place->file && body->begin < place->begin &&
        place->begin < body->end)
      return true;
  }
  return false;
}

static void remove_global(struct codegen *cg, const struct ir_var *var)
{
  const struct unit_file *file = &cg->unit->files.items[var->place.file];
  unsigned begin = declaration_begin(file->text, &var->place);
  unsigned end = declaration_end(file->text, var->place.begin, (unsigned)file->length);
  edit_replace(&cg->edits[var->place.file], begin, end,
               scan_line_ends(cg->arena, file->text, begin, end));
}

void emit_dynamic_shared(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    const struct ir_function *function = cg->unit->functions.items[i];
    if (is_check_printed(cg, function) || function->instance_of) continue;
    if (function->has_definition && (function->is_kernel || function->is_device))
      edit_function(cg, function);
  }
  for (unsigned i = 0; i < cg->unit->globals.count; i++) {
    const struct ir_var *var = cg->unit->globals.items[i];
    if (var->is_dynamic_shared && !inside_function(cg, &var->place)) remove_global(cg, var);
  }
}
