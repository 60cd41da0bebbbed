/* SPDX-License-Identifier: MIT */
/* emit_vs.c - declarations of VS variables.
 *
 *     __global__ float a[N];
 *   => extern float a[N] MESI_VS(_vs_a); static MESI_CONSTANT decltype(a) *_d_a;
 *
 *     static __global__ int n = 5;
 *   => static int n MESI_VS(_vs_n_1f00); static MESI_CONSTANT decltype(n) *_d_n;
 *      extern "C" { MESI_HIDDEN mesi_page<decltype(n)> _vs_n_1f00 = { 5 }; }
 *
 *     __global__ const int k = 7;
 *   => const int k = 7; static MESI_CONSTANT decltype(k) *_d_k;
 *
 * Each is on one line. A variable without initialiser gets its storage in the epilogue. One with an
 * initialiser gets it right here: the initialiser is then evaluated in its scope, under its macros
 * and in its order among the file's initialisers. The initialiser of the last declarator keeps its
 * place; those of others are copied. A const variable keeps its declaration: nobody writes it, so
 * that no page of it is ever protected. Requires the VS variables in source order.
 */
#include <string.h>

#include "codegen/host/host.h"
#include "codegen/variable/variable.h"

struct declaration { /* the declarators after one __global__ */
  struct codegen *cg;
  struct vs_var **vars;
  unsigned count;
  /* internal linkage in an anonymous namespace, where neither `static` nor an alias works */
  bool hidden;
};

static const char *file_text(const struct codegen *cg, const struct ir_place *place)
{
  return cg->unit->files.items[place->file].text;
}

/* ---- the specifiers ---- */

static void delete_word(struct codegen *cg, unsigned file, struct token token)
{
  const char *text = cg->unit->files.items[file].text;
  unsigned end = token.end;
  while (text[end] == ' ' || text[end] == '\t') end++;
  edit_replace(&cg->edits[file], token.begin, end,
               scan_line_ends(cg->arena, text, token.begin, end));
}

static void delete_static(struct declaration *d)
{
  const struct vs_var *vs = d->vars[0];
  const char *text = file_text(d->cg, &vs->place);
  for (unsigned at = vs->decl_begin; at < vs->place.begin;) {
    struct token token = scan_token(text, at, vs->place.begin);
    if (token.kind == TOKEN_END) return;
    if (token_is(text, token, "static")) {
      delete_word(d->cg, vs->place.file, token);
      return;
    }
    at = token.end;
  }
}

/* The offset after alignas( ) and [[ ]], which must come first. */
static unsigned skip_attributes(const char *text, unsigned at, unsigned end)
{
  for (;;) {
    struct token token = scan_token(text, at, end);
    const char *close = token_is(text, token, "alignas") ? ")"
                        : token_is(text, token, "[[")    ? "]"
                                                         : NULL;
    if (!close) return at;
    int depth = close[0] == ']' ? 2 : 0;
    for (at = token.end; at < end; at = token.end) {
      token = scan_token(text, at, end);
      depth += token_is(text, token, close[0] == ']' ? "[" : "(") - token_is(text, token, close);
      if (token.kind == TOKEN_END || !depth) break;
    }
    at = token.end;
  }
}

static void add_extern(struct declaration *d, struct token word)
{
  const struct vs_var *vs = d->vars[0];
  struct edits *edits = &d->cg->edits[vs->place.file];
  unsigned behind = skip_attributes(file_text(d->cg, &vs->place), word.end, vs->place.begin);
  if (behind == word.end) {
    const char *ends =
        scan_line_ends(d->cg->arena, file_text(d->cg, &vs->place), word.begin, word.end);
    const char *linkage = vs_type_is_unnamed(vs) && !vs->has_external_linkage ? "static" : "extern";
    edit_replace(edits, word.begin, word.end, arena_format(d->cg->arena, "%s%s", linkage, ends));
  } else {
    delete_word(d->cg, vs->place.file, word);
    edit_insert(edits, behind, " extern");
  }
}

/* The start of the attributes [[ ]] before `at`. */
static unsigned attributes_begin(const char *text, unsigned at)
{
  for (unsigned begin = at;; at = begin) {
    while (begin && strchr(" \t\r\n", text[begin - 1])) begin--;
    if (begin < 2 || text[begin - 1] != ']' || text[begin - 2] != ']') return at;
    int depth = 0;
    do {
      begin--;
      depth += (text[begin] == ']') - (text[begin] == '[');
    } while (begin && depth);
  }
}

/* Is there an extern before it already: extern "C", or the word itself? */
static bool in_linkage(struct declaration *d)
{
  const struct vs_var *vs = d->vars[0];
  const char *text = file_text(d->cg, &vs->place);
  unsigned begin = vs->decl_begin < vs->qualifier.begin ? vs->decl_begin : vs->qualifier.begin;
  return vs->is_linkage_extern ||
         token_is(text, scan_token(text, begin, vs->qualifier.begin), "extern");
}

static void edit_specifiers(struct declaration *d)
{
  const struct vs_var *vs = d->vars[0];
  struct edits *edits = &d->cg->edits[vs->place.file];
  const char *text = file_text(d->cg, &vs->place);
  struct token word = {TOKEN_NAME, vs->qualifier.begin,
                       scan_spelling(text, vs->qualifier.begin, "__global__")};
  if (d->hidden) {
    unsigned begin = vs->decl_begin < word.begin ? vs->decl_begin : word.begin;
    edit_insert(edits, attributes_begin(text, begin), "namespace { ");
    edit_insert(edits, begin, "extern ");
    delete_word(d->cg, vs->place.file, word);
    delete_static(d);
  } else if (vs->is_static || vs->is_extern || in_linkage(d)) {
    delete_word(d->cg, vs->place.file, word);
  } else {
    add_extern(d, word);
  }
}

/* ---- the storage ---- */

/* Would braces around the initialiser refuse a conversion that `=` allows? */
static bool may_narrow(const struct ir_type *type, const char *init)
{
  if (type->kind != IR_TYPE_INT && type->kind != IR_TYPE_FLOAT && type->kind != IR_TYPE_BOOL)
    return false;
  size_t digits = strspn(init, "0123456789"), length = strlen(init);
  if (type->kind == IR_TYPE_FLOAT && length && strspn(init, "0123456789.f") == length && length < 8)
    return false;
  return !(type->kind == IR_TYPE_INT && type->size >= 4 && digits && digits == length &&
           length < 10);
}

/* The text before and after the initialiser's value, inside the braces of the page. */
static void init_wrap(struct codegen *cg, const struct vs_var *vs, const char *value,
                      const char **ret_open, const char **ret_close)
{
  bool is_scalar = vs->var->type->kind != IR_TYPE_ARRAY && vs->var->type->kind != IR_TYPE_RECORD;
  bool paren = file_text(cg, &vs->init)[vs->init.begin] == '(' || (is_scalar && value[0] == '{');
  bool narrow = !paren && value[0] != '{' && may_narrow(vs->var->type, value);
  *ret_open = paren    ? arena_format(cg->arena, "decltype(%s)", vs->name)
              : narrow ? arena_format(cg->arena, "static_cast<decltype(%s)>(", vs->name)
                       : "";
  *ret_close = narrow ? ")" : "";
}

static bool has_init(const struct vs_var *vs) { return vs->init.end > vs->init.begin; }

static unsigned value_begin(const struct codegen *cg, const struct vs_var *vs)
{
  const char *text = file_text(cg, &vs->init);
  if (text[vs->init.begin] != '=') return vs->init.begin;
  return scan_token(text, vs->init.begin + 1, vs->init.end).begin;
}

static void add_store_head(struct text *out, const struct vs_var *vs, const struct vs_names *names)
{
  text_format(out, " extern \"C\" { MESI_HIDDEN mesi_page<decltype(%s)> %s", vs->name,
              names->store);
}

/* Adds the storage with a copy of the initialiser, which is deleted in its place. */
static void copy_init(struct declaration *d, struct vs_var *vs, struct vs_names *names,
                      struct text *out)
{
  struct codegen *cg = d->cg;
  const char *text = file_text(cg, &vs->init), *open, *close;
  const char *value = scan_one_line(cg->arena, text, value_begin(cg, vs), vs->init.end);
  if (!value) {
    codegen_error(cg, DIAG_UNSUPPORTED, &vs->init,
                  "preprocessor lines in the initialiser of '%s': give it a declaration of its own",
                  vs->name);
    return;
  }
  init_wrap(cg, vs, value, &open, &close);
  add_store_head(out, vs, names);
  text_format(out, " = { %s%s%s }; }", open, value, close);
  unsigned begin = vs->place.end;
  edit_replace(&cg->edits[vs->place.file], begin, vs->init.end,
               scan_line_ends(cg->arena, text, begin, vs->init.end));
  names->stored = true;
}

/* Puts the storage around the initialiser, which keeps its place. `before`: the text after the
 * declarator. */
static void keep_init(struct declaration *d, struct vs_var *vs, struct vs_names *names,
                      struct text *before)
{
  struct codegen *cg = d->cg;
  struct edits *edits = &cg->edits[vs->place.file];
  const char *text = file_text(cg, &vs->init), *open, *close;
  unsigned value = value_begin(cg, vs);
  init_wrap(cg, vs, arena_copy(cg->arena, text + value, vs->init.end - value), &open, &close);
  add_store_head(before, vs, names);
  edit_insert(edits, vs->place.end, text_string(before));
  const char *head =
      arena_format(cg->arena, text[vs->init.begin] == '=' ? "= { %s" : " = { %s", open);
  const char *ends = scan_line_ends(cg->arena, text, vs->init.begin, value);
  edit_replace(edits, vs->init.begin, value, arena_format(cg->arena, "%s%s", head, ends));
  edit_insert(edits, vs->init.end, arena_format(cg->arena, "%s }", close));
  edit_insert(edits, vs->decl_end, " }");
  names->stored = true;
}

/* ---- the declarators ---- */

static void add_pointer(struct text *out, const struct vs_var *vs, struct vs_names *names)
{
  if (names->declared) return;
  text_format(out, " static MESI_CONSTANT decltype(%s) *%s;", vs->name, names->pointer);
  if (names->alias)
    text_format(out, " static __attribute__((unused)) decltype(%s) &%s = %s;", vs->name,
                names->alias, vs->name);
  names->declared = true;
}

static void edit_extent(struct codegen *cg, const struct vs_var *vs)
{
  if (!vs->extent_end || vs->var->type->extent < 0) return;
  bool brackets = file_text(cg, &vs->place)[vs->extent_begin] == '[';
  edit_replace(
      &cg->edits[vs->place.file], vs->extent_begin, vs->extent_end,
      arena_format(cg->arena, brackets ? "[%lld]" : "%lld", (long long)vs->var->type->extent));
}

/* Is the alias made by a constructor? A static alias is made like any variable, which a class
 * without a suitable constructor does not allow. All declarators of a declaration are alike. */
static bool has_constructed_alias(const struct vs_var *vs)
{
  const struct ir_type *type = vs->var->type;
  while (type->element) type = type->element;
  return vs->is_static && type->kind == IR_TYPE_RECORD && !type->is_trivial;
}

/* Does the storage need an assembler name? nvcc finds an alias's target only at global scope;
 * storage in a namespace, for the sake of its initialiser, is found by that name. */
static bool needs_label(const struct vs_var *vs)
{
  return (has_init(vs) && (*vs->scope || vs->in_anonymous_namespace)) || has_constructed_alias(vs);
}

static const char *attribute(struct codegen *cg, const struct vs_var *vs,
                             const struct vs_names *names)
{
  if (!names->store || !vs->is_definition) return "";
  return arena_format(cg->arena, needs_label(vs) ? " __asm__(\"%s\")" : " MESI_VS(%s)",
                      names->store);
}

static void emit_declaration(struct declaration *d)
{
  struct codegen *cg = d->cg;
  struct text tail = {0};
  struct vs_var *last = d->vars[d->count - 1];
  edit_specifiers(d);
  if (d->hidden) text_add(&tail, " }");
  for (unsigned i = 0; i < d->count; i++) {
    struct vs_var *vs = d->vars[i];
    struct vs_names *names = vs_names_of(cg, vs->var);
    edit_extent(cg, vs);
    if (!has_init(vs) || vs != last)
      edit_insert(&cg->edits[vs->place.file], vs->place.end, attribute(cg, vs, names));
    add_pointer(&tail, vs, names);
    if (has_init(vs) && vs != last) copy_init(d, vs, names, &tail);
  }
  if (has_init(last)) {
    struct text before = {0};
    text_format(&before, "%s;%s", attribute(cg, last, vs_names_of(cg, last->var)),
                text_string(&tail));
    keep_init(d, last, vs_names_of(cg, last->var), &before);
    text_finish(&before);
  } else {
    edit_insert(&cg->edits[last->place.file], last->decl_end, text_string(&tail));
  }
  text_finish(&tail);
}

/* const variables: the qualifier is removed, and the pointers are added. */
static void emit_constants(struct declaration *d)
{
  struct codegen *cg = d->cg;
  const struct vs_var *vs = d->vars[0];
  const char *text = file_text(cg, &vs->place);
  delete_word(cg, vs->place.file,
              (struct token){TOKEN_NAME, vs->qualifier.begin,
                             scan_spelling(text, vs->qualifier.begin, "__global__")});
  struct text tail = {0};
  for (unsigned i = 0; i < d->count; i++)
    add_pointer(&tail, d->vars[i], vs_names_of(cg, d->vars[i]->var));
  edit_insert(&cg->edits[vs->place.file], d->vars[d->count - 1]->decl_end, text_string(&tail));
  text_finish(&tail);
}

static bool check_place(struct codegen *cg, const struct vs_var *vs)
{
  const char *text = file_text(cg, &vs->name_place);
  struct token name = scan_token(text, vs->name_place.begin, vs->place.end);
  if (token_is(text, name, vs->name) && scan_spelling(text, vs->qualifier.begin, "__global__"))
    return true;
  codegen_error(cg, DIAG_MACRO_EDIT, &vs->name_place, "the declaration of '%s' comes from a macro",
                vs->name);
  return false;
}

void emit_vs_declarations(struct codegen *cg)
{
  struct vs_var **vars = cg->unit->vs_vars.items;
  for (unsigned i = 0, next; i < cg->unit->vs_vars.count; i = next) {
    next = i + 1;
    while (next < cg->unit->vs_vars.count &&
           vars[next]->qualifier.file == vars[i]->qualifier.file &&
           vars[next]->qualifier.begin == vars[i]->qualifier.begin)
      next++;
    struct declaration d = {.cg = cg, .vars = vars + i, .count = next - i};
    d.hidden = vars[i]->is_static && needs_label(vars[next - 1]);
    if (!check_place(cg, vars[i])) continue;
    if (vars[i]->is_const)
      emit_constants(&d);
    else
      emit_declaration(&d);
  }
}
