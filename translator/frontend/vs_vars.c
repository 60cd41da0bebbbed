/* SPDX-License-Identifier: MIT */
/* vs_vars.c - virtual shared variables, from their declarations to entries of the unit.
 *
 *     static __global__ float a[4][8] = {...};      ->      struct vs_var: its name, its qualifier,
 *                                                           its declarator and its initialiser
 *
 * A variable that host and device cannot both have, by its type, size or storage, is an error of
 * the user's. Requires: source_collect done. Produces: unit->vs_vars, with the places that codegen
 * edits. A declaration from a macro has no such places: it is flattened and parsed again.
 */
#include <string.h>

#include "translator/frontend/internal.h"

/* bytes: 512 GB, more than any device of the target table has */
#define LARGEST_OBJECT (1ll << 39)

void vs_error(struct frontend *f, CXCursor cursor, enum diag_id id, const char *format,
              const char *more)
{
  struct diag_place at = diag_place_of(f, place_of_location(f, clang_getCursorLocation(cursor)));
  diag_report(f->diag, id, &at, "virtual shared variable '%s' %s%s", spelling_of(f, cursor), format,
              more);
}

/* The variable before `vs`, the last, in one declaration; NULL: none. */
static const struct vs_var *declared_before(const struct frontend *f, const struct vs_var *vs)
{
  const struct vs_var *before = vs->id ? f->unit->vs_vars.items[vs->id - 1] : NULL;
  return before && before->place.file == vs->place.file && before->decl_begin == vs->decl_begin &&
                 before->name_place.begin < vs->name_place.begin &&
                 vs->name_place.begin < before->decl_end
             ? before
             : NULL;
}

static void find_declarator(struct frontend *f, struct vs_var *vs, CXCursor cursor, CXCursor init)
{
  const char *text = f->unit->files.items[vs->place.file].text;
  unsigned extent_end = place_of(f, cursor).end, at = vs->name_place.end, last = at;
  for (;;) {
    at = scan_skip_space(text, at);
    if (text[at] == '[') {
      unsigned close = scan_skip_group(text, at), inside = scan_skip_space(text, at + 1);
      if (inside == close - 1 && !vs->extent_end)
        vs->extent_begin = at + 1, vs->extent_end = close - 1;
      last = at = close;
    } else if (text[at] == ')') {
      last = ++at;
    } else {
      break;
    }
  }
  vs->place.begin = vs->name_place.begin;
  vs->place.end = last;
  vs->init = vs->place;
  vs->init.begin = vs->init.end = last;
  bool written =
      !clang_Cursor_isNull(init) && (text[at] == '=' || text[at] == '{' || text[at] == '(');
  /* the range ends before the ) */
  if (written && text[at] == '(') extent_end = scan_skip_group(text, at);
  if (written) vs->init.begin = at, vs->init.end = extent_end;
  if (!written || clang_Cursor_isNull(init)) vs->extent_begin = vs->extent_end = 0;
  const struct vs_var *before = declared_before(f, vs);
  if (before) {
    vs->decl_end = before->decl_end;
    return;
  }
  at = written ? extent_end : last;
  for (at = scan_skip_space(text, at); text[at] && text[at] != ';';)
    at = scan_skip_space(text, strchr("([{", text[at]) ? scan_skip_group(text, at)
                                                       : scan_skip_token(text, at));
  vs->decl_end = text[at] ? at + 1 : at;
}

static bool vs_is_legal(struct frontend *f, CXCursor cursor, const struct ir_type *type)
{
  CXType clang_type = clang_getCursorType(cursor);
  const char *reason = type_not_copyable(f, clang_type);
  if (reason)
    return vs_error(
               f, cursor, DIAG_VS_TYPE,
               "cannot be copied between host and device, its type is not trivially copyable: ",
               reason),
           false;
  const struct ir_type *element = type;
  while (element->kind == IR_TYPE_ARRAY) element = element->element;
  if (element->too_many_pointers)
    return vs_error(f, cursor, DIAG_VS_TYPE, "has more than 4096 pointers in one element", ""),
           false;
  if (type->size >= LARGEST_OBJECT)
    return vs_error(f, cursor, DIAG_VS_SIZE, "is larger than the memory of any device", ""), false;
  if (has_attribute(f, cursor, CXCursor_CUDASharedAttr) ||
      has_attribute(f, cursor, CXCursor_CUDAConstantAttr) ||
      has_attribute(f, cursor, CXCursor_CUDADeviceAttr))
    return vs_error(f, cursor, DIAG_VS_STORAGE,
                    "is also qualified with __device__, __constant__ or __shared__", ""),
           false;
  if (clang_getCursorTLSKind(cursor) != CXTLS_None)
    return vs_error(f, cursor, DIAG_VS_STORAGE, "cannot be thread-local", ""), false;
  return true;
}

static struct ir_place qualifier_place(struct frontend *f, CXCursor cursor)
{
  struct children children = children_of(f, cursor);
  for (unsigned i = 0; i < children.count; i++)
    if (clang_getCursorKind(children.items[i]) == CXCursor_AnnotateAttr) {
      struct ir_place place = place_of(f, children.items[i]);
      place.end = place.begin + (unsigned)strlen("__global__");
      place.in_macro = !starts_with_at(f, place, "__global__");
      return place;
    }
  return (struct ir_place){.in_macro = true};
}

static bool is_linkage_extern(struct frontend *f, CXCursor cursor, unsigned decl_begin)
{
  CXCursor parent = clang_getCursorLexicalParent(cursor);
  enum CXCursorKind kind = clang_getCursorKind(parent);
  if (kind != CXCursor_LinkageSpec && kind != CXCursor_UnexposedDecl) return false;
  struct ir_place place = place_of(f, parent);
  const char *text = f->unit->files.items[place.file].text;
  return place.begin < decl_begin && !memchr(text + place.begin, '{', decl_begin - place.begin);
}

/* Is the variable inline? Every file would have storage of its own for it. */
static bool is_inline(const struct frontend *f, const struct vs_var *vs)
{
  const char *text = f->unit->files.items[vs->place.file].text;
  const struct vs_var *before = declared_before(f, vs);
  if (before) return before->is_inline;
  for (unsigned at = vs->decl_begin, end; at < vs->name_place.begin; at = end) {
    end = scan_skip_space(text, at);
    if (end > at) continue;
    end = scan_skip_token(text, at) > at ? scan_skip_token(text, at) : at + 1;
    if (end - at == strlen("inline") && !strncmp(text + at, "inline", end - at)) return true;
  }
  return false;
}

void collect_vs(struct frontend *f, CXCursor cursor)
{
  struct ir_var *var = var_of(f, cursor, NULL);
  if (!vs_is_legal(f, cursor, var->type)) return;
  struct vs_var *vs = ARENA_NEW(f->arena, struct vs_var);
  vs->id = f->unit->vs_vars.count;
  *ARENA_PUSH(f->arena, &f->unit->vs_vars) = vs;
  vs->var = var;
  if (!var->vs) var->vs = vs;
  vs->name = var->name;
  vs->scope = scope_of(f, cursor, &vs->in_anonymous_namespace);
  vs->in_namespace = *vs->scope || vs->in_anonymous_namespace;
  vs->qualified = arena_format(f->arena, "%s%s", vs->scope, vs->name);
  vs->name_place = place_of_location(f, clang_getCursorLocation(cursor));
  vs->name_place.end = vs->name_place.begin + (unsigned)strlen(vs->name);
  vs->name_place.in_macro = !starts_with_at(f, vs->name_place, vs->name);
  vs->place = vs->name_place;
  vs->qualifier = qualifier_place(f, cursor);
  vs->decl_begin = place_of(f, cursor).begin;
  vs->is_linkage_extern = is_linkage_extern(f, cursor, vs->decl_begin);
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
  vs->is_static = storage == CX_SC_Static;
  CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
  vs->is_extern = storage == CX_SC_Extern && clang_Cursor_isNull(init);
  vs->is_definition = !vs->is_extern;
  if (vs->is_definition) var->vs = vs;
  /* a later declaration may give the extent */
  if (var->type->kind == IR_TYPE_ARRAY && var->type->extent < 0) {
    const struct ir_type *type = type_of(f, clang_getCursorType(cursor));
    if (type->extent >= 0) var->type = type;
  }
  vs->has_external_linkage = clang_getCursorLinkage(cursor) == CXLinkage_External;
  vs->is_const = var->type->is_const;
  /* flattened and parsed again, or reported later */
  if (vs->qualifier.in_macro || vs->name_place.in_macro) return;
  find_declarator(f, vs, cursor, init);
  vs->is_inline = is_inline(f, vs);
  if (vs->is_inline)
    vs_error(f, cursor, DIAG_VS_STORAGE, "is inline",
             ": declare it extern in the header, and define it in one file");
}
