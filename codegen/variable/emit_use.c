/* SPDX-License-Identifier: MIT */
/* emit_use.c - the uses of VS variables in kernels and device functions.
 *
 *     __global__ void k() { a[i] = 0; }
 *         =>  __global__ void k() { auto &a = *_d_a; a[i] = 0; }
 *     __global__ void k(int *a) { a[i] = ns::a; }
 *         =>  __global__ void k(int *a) { a[i] = (*ns::_d_a); }
 *     __host__ __device__ int f() { return n; }
 *         =>  ... { auto &n = mesi_select(::n, _d_n); return n; }
 *
 * One reference at the head of the body serves all unqualified uses. Qualified ones, uses beside a
 * parameter or local of the same name, and uses in functions with lambdas (which would capture the
 * reference by value) are replaced one by one. In functions without IR they are replaced at the
 * places that the parser saw; further ones are searched for among the tokens of the body.
 */
#include <ctype.h>
#include <string.h>

#include "codegen/variable/variable.h"
#include "runtime/seeded.h"

struct use { /* the uses of one VS variable in one function */
  struct codegen *cg;
  struct ir_function *function;
  struct vs_names *names;
  const struct ir_var *var;
  const char *text;    /* of the function's file */
  const char *access;  /* expression for the device copy */
  bool hidden;         /* the plain name means something else in the outermost block */
  bool one_by_one;     /* no reference: each use is replaced */
  bool other_is_plain; /* the plain name means another used VS variable */
  bool needs_reference;
  bool found;
};

static bool starts_with(const char *text, const char *prefix)
{
  return !strncmp(text, prefix, strlen(prefix));
}

const char *vs_pointer_in(struct codegen *cg, const struct ir_function *function,
                          struct vs_names *names)
{
  const char *scope = names->definition->scope;
  if (!*scope || starts_with(function->qualified, scope)) return names->pointer;
  return arena_format(cg->arena, "::%s%s", scope, names->pointer);
}

static bool declares(const struct ir_stmt *stmt, const char *name)
{
  if (stmt->kind == IR_STMT_DECL) return !strcmp(stmt->var->name, name);
  for (unsigned i = 0; stmt->kind == IR_STMT_DECLS && i < stmt->child_count; i++)
    if (declares(stmt->children[i], name)) return true;
  return false;
}

bool vs_name_hidden(const struct ir_function *function, const struct vs_var *vs)
{
  for (unsigned i = 0; i < function->param_count; i++)
    if (function->params[i]->name && !strcmp(function->params[i]->name, vs->name)) return true;
  for (unsigned i = 0; function->body && i < function->body->child_count; i++)
    if (declares(function->body->children[i], vs->name)) return true;
  return false;
}

/* Of several variables with one name, the plain name means that of the innermost scope around the
 * function, otherwise the outermost. */
bool vs_loses_name(const struct ir_function *function, const struct vs_var *vs)
{
  bool around = starts_with(function->qualified, vs->scope);
  for (unsigned i = 0; i < function->vs_use_count; i++) {
    const struct vs_var *other = function->vs_uses[i];
    if (other->var == vs->var || strcmp(other->name, vs->name)) continue;
    bool other_around = starts_with(function->qualified, other->scope);
    bool longer = strlen(other->scope) > strlen(vs->scope);
    if (other_around != around ? other_around : longer == around) return true;
  }
  return false;
}

static const char *access_expression(struct use *use)
{
  struct codegen *cg = use->cg;
  const char *pointer = vs_pointer_in(cg, use->function, use->names);
  if (!use->function->is_host) return arena_format(cg->arena, "*%s", pointer);
  cg->needs_select = true;
  const struct vs_var *vs = use->names->definition;
  const char *name = vs_global_name(cg, vs);
  bool global = !strcmp(name, vs->name);
  return arena_format(cg->arena, "mesi_select(%s%s, %s)", global ? "::" : "", name, pointer);
}

static void replace_use(struct use *use, unsigned begin, unsigned end)
{
  const char *format = use->function->is_host ? "%s" : "(%s)";
  edit_replace(&use->cg->edits[use->function->body_place.file], begin, end,
               arena_format(use->cg->arena, format, use->access));
}

/* ---- functions with IR ---- */

/* Is the text there the variable's name, and not a macro for more? */
static bool names_variable(const struct use *use, const struct ir_place *place)
{
  const char *name = use->names->definition->name;
  size_t length = strlen(name), written = place->end - place->begin;
  return written >= length && !strncmp(use->text + place->end - length, name, length);
}

static bool is_qualified(const struct use *use, const struct ir_place *place)
{
  return memchr(use->text + place->begin, ':', place->end - place->begin) != NULL;
}

static unsigned without_blanks(const char *text, unsigned end)
{
  while (end && strchr(" \t\r\n", text[end - 1])) end--;
  return end;
}

/* decltype(a): the type of the variable, which the host's has as well. */
static bool is_in_decltype(const struct use *use, const struct ir_place *place)
{
  static const char word[] = "decltype";
  const char *text = use->cg->unit->files.items[place->file].text;
  unsigned open = without_blanks(text, place->begin), length = sizeof word - 1;
  if (!open || text[open - 1] != '(' ||
      text[place->end + strspn(text + place->end, " \t\r\n")] != ')')
    return false;
  unsigned end = without_blanks(text, open - 1);
  return end >= length && !strncmp(text + end - length, word, length);
}

static void edit_use(struct use *use, const struct ir_place *place)
{
  if (!place->in_macro && is_in_decltype(use, place)) return;
  use->found = true;
  if (place->in_macro || !names_variable(use, place)) {
    if (use->hidden)
      codegen_error(use->cg, DIAG_VS_NAME, place,
                    "'%s' is used in a macro beside a variable of that name",
                    use->names->definition->name);
    use->needs_reference = true;
  } else if (use->hidden || use->one_by_one || use->other_is_plain || is_qualified(use, place)) {
    replace_use(use, place->begin, place->end);
  } else {
    use->needs_reference = true;
  }
}

static void visit_use(struct ir_expr *expr, void *context)
{
  struct use *use = context;
  if (expr->kind == IR_EXPR_VAR && expr->var == use->var) edit_use(use, &expr->place);
}

/* ---- functions without IR ---- */

/* Must the uses be replaced one by one? A lambda would capture a reference, decltype would
 * distinguish it from the variable, a using declares the name again. */
static bool needs_one_by_one(const char *text, const struct ir_place *body)
{
  struct token before = {TOKEN_PUNCTUATOR, body->begin, body->begin + 1};
  for (;;) {
    struct token token = scan_token(text, before.end, body->end);
    if (token.kind == TOKEN_END) return false;
    bool operand = before.kind != TOKEN_PUNCTUATOR || token_is(text, before, "]") ||
                   token_is(text, before, ")");
    if (token_is(text, token, "[") && (!operand || token_is(text, before, "return"))) return true;
    if (token_is(text, token, "decltype") || token_is(text, token, "using")) return true;
    before = token;
  }
}

struct qualifier_run { /* the chain a::b:: before the present token */
  unsigned begin;      /* valid when open */
  bool open;
  bool member;         /* the token before is . or -> */
  int decltype_tokens; /* 1, 2 after `decltype`, `decltype (` */
};

static bool is_keyword(const char *text, struct token token)
{
  static const char *const words[] = {"return", "else", "case", "throw", "do"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is(text, token, words[i])) return true;
  return false;
}

static void run_over(struct qualifier_run *run, const char *text, struct token token,
                     struct token next)
{
  bool part = token.kind == TOKEN_NAME && token_is(text, next, "::") && !is_keyword(text, token);
  bool open = part || token_is(text, token, "::");
  if (open && !run->open) run->begin = token.begin;
  run->open = open;
  run->member = token_is(text, token, ".") || token_is(text, token, "->");
  run->decltype_tokens = token_is(text, token, "decltype")                         ? 1
                         : token_is(text, token, "(") && run->decltype_tokens == 1 ? 2
                                                                                   : 0;
}

/* The text without blanks and comments; "" where it has preprocessor lines. */
static const char *closed_up(struct use *use, unsigned begin, unsigned end)
{
  const char *line = scan_one_line(use->cg->arena, use->text, begin, end);
  char *to = arena_string(use->cg->arena, line ? line : ""), *out = to;
  for (const char *at = to; *at; at++)
    if (!isspace((unsigned char)*at)) *out++ = *at;
  *out = '\0';
  return to;
}

/* The namespace, followed by ::, for which the name at the start of a chain is an alias; NULL: it
 * is none. */
static const char *alias_target(struct use *use, const char *chain)
{
  const char *name = arena_copy(use->cg->arena, chain, strcspn(chain, ":"));
  unsigned end = use->function->body_place.end;
  for (struct token token = scan_token(use->text, 0, end); token.kind != TOKEN_END;) {
    struct token alias = scan_token(use->text, token.end, end),
                 equals = scan_token(use->text, alias.end, end);
    bool found = token_is(use->text, token, "namespace") && token_is(use->text, alias, name) &&
                 token_is(use->text, equals, "=");
    token = found ? equals : alias;
    if (!found) continue;
    unsigned close = equals.end;
    while (close < end && use->text[close] != ';') close++;
    return arena_format(use->cg->arena, "%s::", closed_up(use, equals.end, close));
  }
  return NULL;
}

enum { MOST_ALIASES = 8 }; /* of aliases */

/* Can the chain text[begin .. end) name the scope? */
static bool names_scope(struct use *use, unsigned begin, unsigned end)
{
  const char *chain = closed_up(use, begin, end), *scope = use->names->definition->scope;
  bool whole = starts_with(chain, "::");
  if (whole) chain += 2;
  for (unsigned i = 0; i < MOST_ALIASES; i++) {
    const char *target = alias_target(use, chain);
    if (!target) break;
    whole |= starts_with(target, "::");
    chain = arena_format(use->cg->arena, "%s%s", target + (starts_with(target, "::") ? 2 : 0),
                         chain + strcspn(chain, ":") + 2);
  }
  size_t length = strlen(chain), total = strlen(scope);
  if (whole || length >= total) return !strcmp(chain, scope);
  return !strcmp(scope + total - length, chain) && scope[total - length - 1] == ':';
}

/* Did the parser see the name, as this variable's or another's? */
static bool is_parsed(const struct ir_function *function, unsigned file, unsigned name_end)
{
  for (unsigned i = 0; i < function->vs_place_count; i++)
    if (function->vs_places[i].place.end == name_end && function->vs_places[i].place.file == file)
      return true;
  return false;
}

static void edit_parsed_uses(struct use *use)
{
  const struct ir_function *function = use->function;
  for (unsigned i = 0; i < function->vs_place_count; i++)
    if (function->vs_places[i].var == use->var) edit_use(use, &function->vs_places[i].place);
}

static bool means_other(const struct ir_function *function, unsigned at)
{
  for (unsigned i = 0; i < function->other_name_count; i++)
    if (function->other_names[i] == at) return true;
  return false;
}

static void use_token(struct use *use, const struct qualifier_run *run, struct token token,
                      struct token next)
{
  bool in_decltype = run->decltype_tokens == 2 && token_is(use->text, next, ")");
  if (run->member || in_decltype ||
      is_parsed(use->function, use->function->body_place.file, token.end) ||
      means_other(use->function, token.begin))
    return;
  if (run->open) {
    if (!names_scope(use, run->begin, token.begin)) return;
    replace_use(use, run->begin, token.end);
    use->found = true;
  } else if (!use->hidden && !use->other_is_plain) {
    if (use->one_by_one)
      replace_use(use, token.begin, token.end);
    else
      use->needs_reference = true;
    use->found = true;
  }
}

/* Finds uses that the parser did not see: in a branch of the preprocessor that is only the
 * device's, or in text that only asks for the type. */
static void search_uses(struct use *use)
{
  edit_parsed_uses(use);
  const struct ir_place *body = &use->function->body_place;
  const char *name = use->names->definition->name;
  struct qualifier_run run = {0};
  struct token token = scan_token(use->text, body->begin + 1, body->end);
  while (token.kind != TOKEN_END) {
    struct token next = scan_token(use->text, token.end, body->end);
    if (token.kind == TOKEN_NAME && token_is(use->text, token, name) &&
        !token_is(use->text, next, "::"))
      use_token(use, &run, token, next);
    run_over(&run, use->text, token, next);
    token = next;
  }
}

/* ---- bodies printed from the IR ---- */

static bool has_reference(const struct ir_function *function, const struct vs_names *names)
{
  return !vs_name_hidden(function, names->definition) &&
         !vs_loses_name(function, names->definition);
}

const char *vs_printed_name(struct codegen *cg, const struct ir_function *function,
                            const struct ir_var *var)
{
  struct vs_names *names = vs_names_of(cg, var);
  if (has_reference(function, names)) return names->definition->name;
  return arena_format(cg->arena, "(*%s)", vs_pointer_in(cg, function, names));
}

void print_vs_references(struct codegen *cg, const struct ir_function *function, struct printer *p)
{
  for (unsigned i = 0; i < function->vs_use_count; i++) {
    struct vs_names *names = vs_names_of(cg, function->vs_uses[i]->var);
    if (!has_reference(function, names)) continue;
    print_text_line(p, "auto &%s = *%s;", names->definition->name,
                    vs_pointer_in(cg, function, names));
  }
}

/* ---- the interface ---- */

static void emit_use(struct codegen *cg, struct ir_function *function, struct vs_var *vs,
                     struct text *head)
{
  struct use use = {
      .cg = cg, .function = function, .var = vs->var, .names = vs_names_of(cg, vs->var)};
  use.text = cg->unit->files.items[function->body_place.file].text;
  use.hidden = vs_name_hidden(function, use.names->definition);
  use.access = access_expression(&use);
  use.other_is_plain = vs_loses_name(function, vs);
  use.one_by_one = needs_one_by_one(use.text, &function->body_place);
  /* the bodies of lambdas are not where they are written: they took the places of their calls */
  if (function->body && (!use.one_by_one || SEEDED(LAMBDA_USES_MISSED)))
    ir_visit_stmt_exprs(function->body, visit_use, &use);
  else
    search_uses(&use);
  if (!use.found && use.hidden)
    codegen_error(cg, DIAG_VS_NAME, &function->name_place,
                  "'%s' uses '%s' beside a variable of that name", function->name, vs->name);
  bool untouched = !use.found && !use.one_by_one && !use.other_is_plain;
  if (use.needs_reference || untouched) text_format(head, " auto &%s = %s;", vs->name, use.access);
}

static void emit_function_uses(struct codegen *cg, struct ir_function *function)
{
  const struct ir_place *body = &function->body_place;
  if (cg->unit->files.items[body->file].text[body->begin] != '{') {
    codegen_error(cg, DIAG_MACRO_EDIT, &function->name_place, "the body of '%s' comes from a macro",
                  function->name);
    return;
  }
  struct text head = {0};
  for (unsigned i = 0; i < function->vs_use_count; i++)
    emit_use(cg, function, function->vs_uses[i], &head);
  if (head.length) edit_insert(&cg->edits[body->file], body->begin + 1, head.data);
  text_finish(&head);
}

void emit_vs_uses(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    struct ir_function *function = cg->unit->functions.items[i];
    bool on_device = function->is_kernel || function->is_device;
    if (is_check_printed(cg, function) || function->instance_of) continue;
    if (on_device && function->has_definition && function->vs_use_count)
      emit_function_uses(cg, function);
  }
}
