/* SPDX-License-Identifier: MIT */
/* launches.c - kernel launches: the calls that are launches, and the places of their tokens. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

static bool is_configuration(struct frontend *f, CXCursor call)
{
  if (clang_getCursorKind(call) != CXCursor_CallExpr) return false;
  const char *name = spelling_of(f, call);
  return !strcmp(name, "__cudaPushCallConfiguration") || !strcmp(name, "cudaConfigureCall");
}

bool is_launch(struct frontend *f, CXCursor call)
{
  struct children children = children_of(f, call);
  return children.count >= 2 && is_configuration(f, children.items[1]);
}

static bool has_place(CXCursor cursor)
{
  CXFile file;
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  return file != NULL;
}

/* Finds the tokens <<< >>> ( from the configuration's range; sets in_macro where the text does not
 * have them. */
static void find_tokens(struct frontend *f, struct launch *launch, CXCursor config)
{
  struct ir_place range = place_of(f, config);
  launch->open = range;
  launch->open.end = range.begin + 3;
  launch->open.in_macro = !starts_with_at(f, launch->open, "<<<");
  launch->close = range;
  launch->close.begin = range.end >= 3 ? range.end - 3 : 0;
  launch->close.in_macro = launch->open.in_macro || !starts_with_at(f, launch->close, ">>>");
  launch->paren = launch->close;
  launch->paren.begin = scan_skip_space(f->unit->files.items[range.file].text, launch->close.end);
  launch->paren.end = launch->paren.begin + 1;
  launch->paren.in_macro = launch->close.in_macro || !starts_with_at(f, launch->paren, "(");
}

static bool text_ends_with_paren(struct frontend *f, struct ir_place place)
{
  return place.end && f->unit->files.items[place.file].text[place.end - 1] == ')';
}

/* For a pack x... the pattern is edited. */
static void find_pack(struct frontend *f, struct launch_arg *arg)
{
  const char *text = f->unit->files.items[arg->place.file].text;
  unsigned end = arg->place.end;
  if (arg->place.in_macro || end < arg->place.begin + 4 || strncmp(text + end - 3, "...", 3))
    return;
  if (SEEDED(PACK_AS_ARGUMENT)) return;
  arg->is_pack = true;
  for (unsigned at = scan_skip_space(text, arg->place.begin); at < end - 3;) {
    arg->place.end = scan_skip_token(text, at);
    at = scan_skip_space(text, arg->place.end);
  }
}

/* Can the arguments be wrapped? Their ranges must be inside the call, in order, without overlap. */
static void check_places(struct frontend *f, struct launch *launch, CXCursor call,
                         const struct children *children)
{
  bool macro =
      is_widened(f, call, launch->place) || launch->open.in_macro || launch->close.in_macro ||
      launch->paren.in_macro || !text_ends_with_paren(f, launch->place) ||
      launch->callee.begin != launch->place.begin || launch->callee.end > launch->open.begin;
  unsigned at = launch->paren.end;
  for (unsigned i = 0; i < launch->arg_count; i++) {
    struct ir_place *place = &launch->args[i].place;
    place->in_macro = is_widened(f, children->items[i + 2], *place) || place->begin < at ||
                      place->end > launch->place.end - 1 || place->end <= place->begin;
    macro |= place->in_macro;
    at = place->end;
  }
  launch->place.in_macro = macro;
}

/* Is it a function's name in parentheses? Where it is overloaded its type alone does not do. */
static bool is_name_of_function(struct frontend *f, CXCursor callee)
{
  enum CXCursorKind kind = clang_getCursorKind(callee);

  if (kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr) {
    struct children inside = children_of(f, callee);
    return inside.count == 1 && is_name_of_function(f, inside.items[0]);
  }
  return kind == CXCursor_DeclRefExpr &&
         clang_getCursorKind(clang_getCursorReferenced(callee)) == CXCursor_FunctionDecl;
}

/* The type of functions to which an expression points, as in `table[i]<<<1, 32>>>(a)`, or which it
 * has, as in `(c ? k1 : k2)<<<1, 32>>>(a)`; NULL: it depends on a template, or calls an object. */
static const char *pointed_type(struct frontend *f, CXCursor callee)
{
  CXType type = clang_getCanonicalType(clang_getCursorType(callee));
  if (type.kind == CXType_Pointer) type = clang_getCanonicalType(clang_getPointeeType(type));
  if (type.kind != CXType_FunctionProto || is_name_of_function(f, callee) ||
      SEEDED(POINTED_KERNEL_COPIES))
    return NULL;
  const struct ir_type *function = type_of(f, type);
  return function->is_unnamed ? NULL : function->spelling;
}

struct launch *launch_of(struct frontend *f, CXCursor call)
{
  CXCursor key = call;
  /* the declaration through which the cursor was reached is not part of its identity */
  key.data[0] = NULL;
  struct launch *launch = cursor_map_get(&f->launches, key);
  if (launch) return launch;
  launch = ARENA_NEW(f->arena, struct launch);
  cursor_map_put(f->arena, &f->launches, key, launch);
  launch->id = f->unit->launches.count;
  *ARENA_PUSH(f->arena, &f->unit->launches) = launch;
  struct children children = children_of(f, call);
  launch->place = place_of(f, call);
  launch->callee = place_of(f, children.items[0]);
  find_tokens(f, launch, children.items[1]);
  for (unsigned i = 2; i < children.count; i++) launch->arg_count += has_place(children.items[i]);
  launch->args = arena_alloc(f->arena, (launch->arg_count + 1) * sizeof *launch->args);
  for (unsigned i = 0; i < launch->arg_count; i++)
    launch->args[i].place = place_of(f, children.items[i + 2]);
  for (unsigned i = 0; i < launch->arg_count; i++) find_pack(f, &launch->args[i]);
  check_places(f, launch, call, &children);
  launch->callee_text = text_of(f, launch->callee);
  CXCursor target = clang_getCursorReferenced(call);
  if (clang_Cursor_isNull(target)) target = clang_getCursorReferenced(children.items[0]);
  *ARENA_PUSH(f->arena, &f->launched) = target;
  enum CXCursorKind kind = clang_getCursorKind(target);
  if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate) {
    launch->callee_is_template = kind == CXCursor_FunctionTemplate ||
                                 !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(target));
    launch->kernel = launch->callee_is_template && kind == CXCursor_FunctionDecl
                         ? instance_of(f, target)
                         : function_of(f, target);
    const struct ir_type *type = type_of(f, clang_getCursorType(target));
    if (kind == CXCursor_FunctionDecl && !type->is_unnamed) {
      launch->callee_type = type->spelling;
      launch->callee_params = (unsigned)clang_Cursor_getNumArguments(target);
    }
  } else {
    launch->callee_type = pointed_type(f, children.items[0]);
  }
  return launch;
}

void launches_settle(struct frontend *f)
{
  for (unsigned i = 0; i < f->unit->launches.count; i++) {
    struct launch *launch = f->unit->launches.items[i];
    CXCursor target = f->launched.items[i];
    if (launch->kernel && launch->kernel->is_template &&
        clang_getCursorKind(target) == CXCursor_FunctionDecl)
      launch->kernel = instance_of(f, target);
  }
}
