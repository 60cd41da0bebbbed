/* SPDX-License-Identifier: MIT */
/* specialize.c - specialises templates of host code that launch kernels.
 *
 *     template <class T> void run(T *p, int n) { scale<T, 64><<<n / 64, 64>>>(p); }
 *     run(floats, n);
 *         =>  behind the template, in its last line:
 *     template <> __attribute__((weak)) void run<float>(float *p, int n)
 *         { scale<float, 64><<<n / 64, 64>>>(p); }
 *
 * In a template neither the kernel of a launch nor its shape is known. In the specialisation both
 * are, and every later step sees an ordinary function. It is the compiler's own instance of the
 * template. It is weak, like an implicit instantiation: another unit may have one, too.
 *
 * A method of a class template is specialised likewise, behind the class:
 *
 *     template <> __attribute__((weak)) void solver<float>::step(float dt) { ... }
 *
 * Requires: a collected unit. Uses of a template are calls outside of templates and in the
 * compiler's own instances of templates, and explicit instantiations of it or of its class. Lines
 * keep their numbers: the text has no line ends. Gives up, and the launch keeps an unknown kernel:
 * constructors, destructors, virtual methods, operators but the call's, classes in classes, static
 * locals, default arguments, packs, directives in the body, arguments without a name that is known
 * there. Where the parser refuses a specialisation (a branch of `if constexpr` that does not fit
 * the arguments) frontend.c parses without those of methods, then without those of bodies with
 * constexpr, then without any. */
#include <stdlib.h>
#include <string.h>

#include "runtime/seeded.h"
#include "translator/base/scan.h"
#include "translator/frontend/internal.h"

enum { SPECIALIZATIONS_MOST = 64 };

struct host_template {
  CXCursor cursor;
  CXCursor owner; /* of a method: the class template; else null */
  struct ir_place place, body;
  struct ir_function *function;
  bool launches; /* it launches a kernel, itself or through another of these */
};

struct addition {
  unsigned file, at;
  bool defines; /* behind the declarations at the same place */
  const char *text;
};

struct search {
  struct frontend *f;
  LIST_OF(struct host_template) templates;
  LIST_OF(struct addition) additions;
  struct cursor_map seen; /* instances whose bodies were visited */
};

/* ---- the templates ---- */

static bool has_word(const char *text, const char *word)
{
  size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !scan_is_identifier(at[-1])) && !scan_is_identifier(at[length])) return true;
  return false;
}

static bool is_in_namespace(CXCursor cursor)
{
  enum CXCursorKind kind = clang_getCursorKind(clang_getCursorSemanticParent(cursor));
  return kind == CXCursor_Namespace || clang_isTranslationUnit(kind);
}

/* Sets the class template of a method that may be specialised, null for a function template. */
static bool find_owner(const struct frontend *f, const struct ir_function *function,
                       CXCursor cursor, CXCursor *ret)
{
  *ret = clang_getNullCursor();
  if (function->is_template) return !function->is_method && is_in_namespace(cursor);
  if (clang_getCursorKind(cursor) != CXCursor_CXXMethod || clang_CXXMethod_isVirtual(cursor) ||
      f->specialize != SPECIALIZE_ALL ||
      (!strncmp(function->name, "operator", 8) && strcmp(function->name, "operator()")))
    return false;
  *ret = clang_getCursorSemanticParent(cursor);
  return clang_getCursorKind(*ret) == CXCursor_ClassTemplate && is_in_namespace(*ret);
}

static void add_template(struct search *s, struct ir_function *function)
{
  struct frontend *f = s->f;
  CXCursor cursor = f->bodies.items[function->id], owner;
  if (!function->has_definition || function->is_kernel || function->is_device ||
      function->place.in_macro || function->body_place.in_macro || function->name_place.in_macro ||
      !find_owner(f, function, cursor, &owner))
    return;
  struct host_template *made = ARENA_PUSH(f->arena, &s->templates);
  *made =
      (struct host_template){cursor, owner, function->place, function->body_place, function, false};
  for (unsigned i = 0; i < f->unit->launches.count; i++) {
    const struct ir_place *place = &f->unit->launches.items[i]->place;
    made->launches |= place->file == made->body.file && place->begin >= made->body.begin &&
                      place->end <= made->body.end;
  }
}

/* Templates that call one of these by its name launch, too. */
static void close_calls(struct search *s)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i < s->templates.count; i++)
      for (unsigned k = 0; k < s->templates.count && !s->templates.items[i].launches; k++) {
        const struct host_template *callee = &s->templates.items[k];
        if (!callee->launches ||
            !has_word(text_of(s->f, s->templates.items[i].body), callee->function->name))
          continue;
        s->templates.items[i].launches = changed = true;
      }
  }
}

/* ---- the text ---- */

/* The text on one line: without comments, with blanks for line ends. NULL: it has a directive or a
 * token of several lines. */
static const char *one_line(struct frontend *f, const char *text)
{
  struct text out = {0};
  bool fine = true;
  for (unsigned at = 0; text[at] && fine;) {
    unsigned next = scan_skip_space(text, at);
    if (next > at) text_add(&out, " ");
    at = next;
    if (!text[at]) break;
    next = scan_skip_token(text, at);
    if (next <= at) next = at + 1;
    fine = text[at] != '#' && !memchr(text + at, '\n', next - at);
    text_add_bytes(&out, text + at, next - at);
    at = next;
  }
  const char *result = fine ? arena_string(f->arena, text_string(&out)) : NULL;
  text_finish(&out);
  return result;
}

/* The head without storage classes: an explicit specialisation has the template's without naming
 * it. */
static const char *without_storage(struct frontend *f, const char *head)
{
  struct text out = {0};
  for (unsigned at = 0; head[at];) {
    unsigned end = scan_skip_token(head, at);
    if (end <= at) end = at + 1;
    size_t length = end - at;
    bool storage =
        (length == 6 && (!strncmp(head + at, "static", 6) || !strncmp(head + at, "inline", 6))) ||
        (length == 15 && !strncmp(head + at, "__forceinline__", 15));
    if (!storage) text_add_bytes(&out, head + at, length);
    at = end;
  }
  const char *result = arena_string(f->arena, text_string(&out));
  text_finish(&out);
  return result;
}

static const char *joined(struct frontend *f, const struct instance *instance)
{
  const char *text = "";
  for (unsigned i = 0; i < instance->arguments.count; i++)
    text = arena_format(f->arena, "%s%s%s", text, i ? ", " : "", instance->arguments.items[i].text);
  return text;
}

static const char *part(struct frontend *f, const struct instance *instance, unsigned file,
                        unsigned begin, unsigned end)
{
  struct ir_place place = {.file = file, .begin = begin, .end = end};
  const char *line = one_line(f, instance_text(f, instance, text_of(f, place)));
  return line ? line : "#";
}

/* Does the text before a method's name, which is outside of the class there, name a type of it? */
static bool names_member(struct frontend *f, CXCursor owner, const char *before)
{
  struct children children = children_of(f, owner);
  for (unsigned i = 0; i < children.count; i++) {
    const char *name = spelling_of(f, children.items[i]);
    enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    bool is_type = kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl ||
                   kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
                   kind == CXCursor_EnumDecl || kind == CXCursor_ClassTemplate;
    if (is_type && *name && has_word(before, name)) return true;
  }
  return has_word(before, spelling_of(f, owner));
}

/* Is the method's body in its class? */
static bool is_in_owner(struct frontend *f, const struct host_template *template)
{
  if (clang_Cursor_isNull(template->owner)) return false;
  struct ir_place class = place_of(f, template->owner);
  return class.file == template->body.file && class.begin < template->body.begin &&
         template->body.end <= class.end;
}

/* The text from the beginning to the name. NULL: it cannot stand behind the template. */
static const char *text_before(struct frontend *f, const struct host_template *template,
                               const struct instance *instance)
{
  const struct ir_place *name = &template->function->name_place;
  const char *text = f->unit->files.items[name->file].text;
  bool inside = is_in_owner(f, template);
  unsigned head =
      inside ? template->place.begin : instance_head(text, template->place.begin, name->begin);
  if ((!head && !inside) || head > name->begin || text[scan_skip_space(text, name->end)] != '(')
    return NULL;
  const char *before = part(f, instance, name->file, head, name->begin);
  if (*before == '#' || has_word(before, "template") || has_word(before, "auto") ||
      has_word(before, "friend"))
    return NULL;
  if (!inside) return before;
  if (names_member(f, template->owner, before)) return NULL;
  return arena_format(f->arena, "%s %s<%s>::", before, spelling_of(f, template->owner),
                      joined(f, instance));
}

/* The specialisation's head, for a declaration, and its whole text. false: the template cannot be
 * written so. */
static bool specialization(struct frontend *f, const struct host_template *template,
                           const struct instance *instance, const char **ret_head,
                           const char **ret_all)
{
  const struct ir_function *function = template->function;
  const struct ir_place *name = &function->name_place;
  bool method = !clang_Cursor_isNull(template->owner);
  const char *before = text_before(f, template, instance);
  if (!before) return false;
  const char *behind = part(f, instance, name->file, name->end, template->body.begin),
             *body = part(f, instance, name->file, template->body.begin, template->body.end);
  if (*behind == '#' || *body == '#' || strchr(behind, '=') || has_word(behind, "requires") ||
      has_word(body, "static") ||
      (f->specialize == SPECIALIZE_UNCONDITIONAL && has_word(body, "constexpr")))
    return false;
  const char *weak = function->is_internal ? "" : "__attribute__((weak)) ";
  const char *arguments = method ? "" : arena_format(f->arena, "<%s>", joined(f, instance));
  *ret_head = arena_format(f->arena, " template <> %s%s%s%s%s", weak, without_storage(f, before),
                           function->name, arguments, behind);
  *ret_all = arena_format(f->arena, "%s%s", *ret_head, body);
  return true;
}

static struct file_lines lines_of(struct frontend *f, const struct ir_place *place)
{
  struct file_lines lines = {place->file, place->line, place->line};
  const char *text = f->unit->files.items[place->file].text;
  for (unsigned at = place->begin; at < place->end; at++) lines.last += text[at] == '\n';
  return lines;
}

struct next_search {
  struct frontend *f;
  CXCursor first; /* the declaration */
  unsigned file;
  bool passed;
  unsigned at; /* 0: nothing is found */
};

static enum CXChildVisitResult look_for_next(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct next_search *s = data;
  bool is = clang_equalCursors(cursor, s->first);
  struct ir_place place = s->passed ? place_of(s->f, cursor) : (struct ir_place){.in_macro = true};
  s->passed |= is;
  if (place.in_macro || place.file != s->file) return CXChildVisit_Continue;
  const char *text = s->f->unit->files.items[s->file].text;
  struct token last = scan_last(text, 0, place.begin);
  if (last.kind == TOKEN_END || token_is(text, last, ";") || token_is(text, last, "}"))
    s->at = place.begin;
  return CXChildVisit_Break;
}

/* The offset in `file` of the next declaration behind one of a header. 0: another text may belong
 * to it, or there is none. */
static unsigned offset_after_header(struct frontend *f, CXCursor first, unsigned file)
{
  struct next_search s = {.f = f, .first = first, .file = file};
  if (clang_isTranslationUnit(clang_getCursorKind(clang_getCursorSemanticParent(first))))
    clang_visitChildren(clang_getTranslationUnitCursor(f->tu), look_for_next, &s);
  return s.at;
}

/* Declares the specialisation after the template's first declaration, or behind the class, where
 * that is in the same file, or behind the header that declares the template: otherwise a use before
 * the definition would make an instance. */
static void add_declaration(struct search *s, const struct host_template *template,
                            const char *head)
{
  struct frontend *f = s->f;
  unsigned file = template->place.file, at;
  bool method = !clang_Cursor_isNull(template->owner);
  CXCursor declared = method ? template->owner : clang_getCanonicalCursor(template->cursor);
  struct ir_place first = place_of(f, declared);
  const char *text = f->unit->files.items[file].text;
  if (first.in_macro || first.file != file) {
    at = method ? 0 : offset_after_header(f, declared, file);
    if (at && at < template->place.begin && !SEEDED(DECLARED_UNSEEN))
      *ARENA_PUSH(f->arena, &s->additions) =
          (struct addition){file, at, false, arena_format(f->arena, "%s; ", head)};
    return;
  }
  at = scan_skip_space(text, first.end);
  if (first.begin >= template->place.begin || text[at] != ';') return;
  *ARENA_PUSH(f->arena, &s->additions) =
      (struct addition){file, at + 1, false, arena_format(f->arena, "%s;", head)};
}

/* The offset behind the template, or behind the class around it; 0: there is none. */
static unsigned offset_behind(struct frontend *f, const struct host_template *template)
{
  if (!is_in_owner(f, template)) return template->place.end;
  struct ir_place class = place_of(f, template->owner);
  const char *text = f->unit->files.items[class.file].text;
  unsigned at = scan_skip_space(text, class.end);
  return class.in_macro || text[at] != ';' ? 0 : at + 1;
}

/* `later`: the place behind the types that the text names. NULL: behind the template. */
static void add_text(struct search *s, const struct host_template *template,
                     const struct instance *instance, const struct ir_place *later)
{
  struct frontend *f = s->f;
  const char *head, *text;
  unsigned file = later ? later->file : template->place.file,
           behind = later ? later->end : offset_behind(f, template);
  if (!behind || !specialization(f, template, instance, &head, &text) ||
      f->specializations >= SPECIALIZATIONS_MOST)
    return;
  for (unsigned i = 0; i < s->additions.count; i++)
    if (!strcmp(s->additions.items[i].text, text)) return;
  if (strstr(f->unit->files.items[template->place.file].text, text)) return; /* of a past round */
  *ARENA_PUSH(f->arena, &s->additions) = (struct addition){file, behind, true, text};
  if (!later) add_declaration(s, template, head);
  *ARENA_PUSH(f->arena, &f->specialized) = lines_of(f, &template->body);
  f->specializations++;
}

/* ---- uses ---- */

static struct host_template *template_of(struct search *s, CXCursor cursor)
{
  for (unsigned i = 0; i < s->templates.count; i++)
    if (clang_equalCursors(clang_getCanonicalCursor(s->templates.items[i].cursor),
                           clang_getCanonicalCursor(cursor)))
      return s->templates.items[i].launches ? &s->templates.items[i] : NULL;
  return NULL;
}

/* Is the place in the template, or for a method in its class? Otherwise a specialisation exists
 * already. */
static bool is_general(struct frontend *f, const struct host_template *template, CXCursor target)
{
  struct ir_place own = place_of(f, target), class = {0};
  bool inside = own.file == template->place.file && own.begin >= template->place.begin &&
                own.begin < template->place.end;
  if (clang_Cursor_isNull(template->owner) || inside) return inside;
  class = place_of(f, template->owner);
  return own.file == class.file && own.begin >= class.begin && own.begin < class.end;
}

static void add_use(struct search *s, const struct host_template *template, CXCursor target)
{
  bool method = !clang_Cursor_isNull(template->owner);
  CXCursor general = method ? template->owner : template->cursor,
           made = method ? clang_getCursorSemanticParent(target) : target;
  struct instance instance = {.end = clang_getRangeEnd(clang_getCursorExtent(general))};
  if (method && clang_getCursorKind(made) != CXCursor_ClassDecl &&
      clang_getCursorKind(made) != CXCursor_StructDecl)
    return;
  if (!is_general(s->f, template, target)) return;
  struct later later;
  bool moved = later_place(s->f, general, made, &later);
  if (moved) instance.end = later.end;
  if (!instance_arguments(s->f, &instance, general, made))
    add_text(s, template, &instance, moved ? &later.at : NULL);
}

static enum CXChildVisitResult note_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct search *s = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind != CXCursor_DeclRefExpr && kind != CXCursor_MemberRefExpr && kind != CXCursor_CallExpr)
    return CXChildVisit_Recurse;
  CXCursor target = clang_getCursorReferenced(cursor);
  kind = clang_getCursorKind(target);
  if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod && kind != CXCursor_Constructor)
    return CXChildVisit_Recurse;
  CXCursor general = clang_getSpecializedCursorTemplate(target);
  if (clang_Cursor_isNull(general) || is_system_cursor(general) ||
      cursor_map_get(&s->seen, clang_getCanonicalCursor(target)))
    return CXChildVisit_Recurse;
  cursor_map_put(s->f->arena, &s->seen, clang_getCanonicalCursor(target), s);
  const struct host_template *template = template_of(s, general);
  if (template) add_use(s, template, target);
  /* the compiler's own instance: what it calls is used, too */
  CXCursor definition = clang_getCursorDefinition(target);
  if (!clang_Cursor_isNull(definition)) clang_visitChildren(definition, note_use, s);
  return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_file(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct search *s = data;
  CXFile file;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  if (source_file_index(s->f, file) >= 0) clang_visitChildren(cursor, note_use, s);
  return CXChildVisit_Continue;
}

/* ---- explicit instantiations ---- */

/* Does the argument mean the same at every place? */
static bool is_plain_argument(const char *text)
{
  static const char *const words[] = {"unsigned", "signed", "char", "short", "int",   "long",
                                      "float",    "double", "bool", "true",  "false", "const"};
  if (strspn(text, "0123456789") == strlen(text)) return *text != '\0';
  for (size_t at = 0; text[at];) {
    size_t length = strcspn(text + at, " *");
    bool known = !length;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
      known |= strlen(words[i]) == length && !strncmp(words[i], text + at, length);
    if (!known) return false;
    at += length;
    at += strspn(text + at, " *");
  }
  return *text != '\0';
}

/* Reads the arguments between < and > for the parameters of a template of functions or classes. */
static bool read_arguments(struct frontend *f, CXCursor general, const char *text, unsigned length,
                           struct instance *ret)
{
  struct children children = children_of(f, general);
  unsigned at = 0;
  for (unsigned i = 0; i < children.count; i++) {
    enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (kind != CXCursor_TemplateTypeParameter && kind != CXCursor_NonTypeTemplateParameter)
      continue;
    at += (unsigned)strspn(text + at, " ,");
    if (at >= length) return false;
    unsigned size = (unsigned)strcspn(text + at, ",>");
    while (size && text[at + size - 1] == ' ') size--;
    const char *argument = arena_copy(f->arena, text + at, size);
    if (!is_plain_argument(argument)) return false;
    *ARENA_PUSH(f->arena, &ret->arguments) =
        (struct instance_argument){spelling_of(f, children.items[i]), argument};
    at += size;
  }
  return at + strspn(text + at, " ") >= length && ret->arguments.count;
}

/* The last place of the word before a `<` that a name of the template may be; NULL: none. */
static const char *named_list(const char *statement, const char *name)
{
  size_t length = strlen(name);
  for (const char *at = strstr(statement, name); at; at = strstr(at + 1, name)) {
    const char *open = at + length + strspn(at + length, " ");
    if ((at == statement || !scan_is_identifier(at[-1])) && *open == '<') return open;
  }
  return NULL;
}

/* Reads template void run<float>(float *, int); and, for methods, template class solver<float>; */
static void read_instantiation(struct search *s, const char *text, unsigned at)
{
  struct frontend *f = s->f;
  size_t length = strcspn(text + at, ";{");
  const char *statement = arena_copy(f->arena, text + at, length);
  if (text[at + length] != ';') return;
  bool class = has_word(statement, "class") || has_word(statement, "struct");
  for (unsigned i = 0; i < s->templates.count; i++) {
    const struct host_template *template = &s->templates.items[i];
    bool method = !clang_Cursor_isNull(template->owner);
    CXCursor general = method ? template->owner : template->cursor;
    if (SEEDED(CLASS_INSTANCE_UNREAD) && method) continue;
    const char *open =
        template->launches && method == class ? named_list(statement, spelling_of(f, general))
                                              : NULL;
    const char *close = open ? strchr(open, '>') : NULL;
    struct instance instance = {0};
    if (close && (!method || !close[1 + strspn(close + 1, " \n")]) &&
        read_arguments(f, general, open + 1, (unsigned)(close - open - 1), &instance))
      add_text(s, template, &instance, NULL);
  }
}

static void find_instantiations(struct search *s, const struct unit_file *file)
{
  for (unsigned at = 0; at < file->length;) {
    unsigned next = scan_skip_space(file->text, at);
    if (next >= file->length) break;
    at = next;
    next = scan_skip_token(file->text, at);
    if (next <= at) next = at + 1;
    if (next - at == 8 && !strncmp(file->text + at, "template", 8) &&
        file->text[scan_skip_space(file->text, next)] != '<')
      read_instantiation(s, file->text, next);
    at = next;
  }
}

/* ---- the whole ---- */

static int by_place(const void *a, const void *b)
{ /* last in the file first */
  const struct addition *x = a, *y = b;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  if (x->at != y->at) return x->at < y->at ? 1 : -1;
  return (int)y->defines - (int)x->defines;
}

static void insert(struct frontend *f, const struct addition *addition)
{
  struct unit_file *file = &f->unit->files.items[addition->file];
  struct text out = {0};
  text_add_bytes(&out, file->text, addition->at);
  text_add(&out, addition->text);
  text_add_bytes(&out, file->text + addition->at, file->length - addition->at);
  file->text = arena_copy(f->arena, text_string(&out), out.length);
  file->length = out.length;
  text_finish(&out);
}

int specialize_hosts(struct frontend *f)
{
  struct search s = {.f = f};
  /* with shared variables a launch in a template is also recognised by its type */
  if (f->specialize == SPECIALIZE_NONE || f->unit->vs_vars.count || f->unit->uses_mesi_api)
    return 0;
  for (unsigned i = 0; i < f->unit->functions.count; i++)
    add_template(&s, f->unit->functions.items[i]);
  close_calls(&s);
  bool any = false;
  for (unsigned i = 0; i < s.templates.count; i++) any |= s.templates.items[i].launches;
  if (!any) return 0;
  visit_unit(f, visit_file, &s);
  for (unsigned i = 0; i < f->unit->files.count; i++)
    find_instantiations(&s, &f->unit->files.items[i]);
  if (!s.additions.count) return 0;
  qsort(s.additions.items, s.additions.count, sizeof *s.additions.items, by_place);
  for (unsigned i = 0; i < s.additions.count; i++) insert(f, &s.additions.items[i]);
  return 1;
}

void specialize_mark(struct frontend *f)
{
  for (unsigned i = 0; i < f->unit->launches.count; i++) {
    struct launch *launch = f->unit->launches.items[i];
    for (unsigned k = 0; k < f->specialized.count && !launch->host; k++) {
      const struct file_lines *lines = &f->specialized.items[k];
      launch->is_general |= lines->file == launch->place.file &&
                            lines->first <= launch->place.line && launch->place.line <= lines->last;
    }
  }
}
