/* SPDX-License-Identifier: MIT */
/* declared.c - the names in namespaces, in the order of their declarations.
 *
 *     float h(float);  float f(int i) { return h(i); }  float h(int);  kernel: f(i)
 *
 * At the kernel's place h(i) is another call than in f. Produces: unit.declared. Constants of an
 * enumeration without a scope are names of the enclosing namespace.
 */
#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

void declared_note(struct frontend *f, CXCursor cursor, CXCursor parent)
{
  enum CXCursorKind kind = clang_getCursorKind(cursor), outer = clang_getCursorKind(parent);
  bool directive = kind == CXCursor_UsingDirective;
  bool of_namespace = clang_isTranslationUnit(outer) || outer == CXCursor_Namespace ||
                      outer == CXCursor_LinkageSpec || outer == CXCursor_UnexposedDecl;
  if (!of_namespace || !clang_isDeclaration(kind) || kind == CXCursor_LinkageSpec ||
      kind == CXCursor_UnexposedDecl || SEEDED(DECLARED_BEHIND))
    return;
  if (!clang_equalCursors(cursor, clang_getCanonicalCursor(cursor))) return;
  const char *scope = scope_of(f, cursor, NULL);
  *ARENA_PUSH(f->arena, &f->unit->declared) =
      (struct declared_name){directive ? "" : spelling_of(f, cursor), scope};
  struct children constants = {0};
  if (kind == CXCursor_EnumDecl && !clang_EnumDecl_isScoped(cursor))
    constants = children_of(f, cursor);
  for (unsigned i = 0; i < constants.count; i++)
    *ARENA_PUSH(f->arena, &f->unit->declared) =
        (struct declared_name){spelling_of(f, constants.items[i]), scope};
}

struct place { /* outside of a function's body */
  struct frontend *f;
  const char *what;
};

/* Refuses a VS variable there: it would mean the host's variable, and no launch knows of it. */
static enum CXChildVisitResult refuse_vs(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  const struct place *place = data;
  struct frontend *f = place->f;
  CXCursor target = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
      clang_getCursorKind(target) == CXCursor_VarDecl && has_mesi_global(f, target))
    vs_error(f, cursor, DIAG_UNSUPPORTED, place->what, "");
  return CXChildVisit_Recurse;
}

struct naming { /* a search for a parameter's name in the function's body */
  CXCursor parameter;
  bool found;
};

static enum CXChildVisitResult find_naming(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct naming *naming = data;
  naming->found |= clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
                   clang_equalCursors(clang_getCursorReferenced(cursor), naming->parameter);
  return naming->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Is the parameter named? One that nobody names may have any default. */
static bool is_named(CXCursor function, CXCursor parameter)
{
  struct naming naming = {parameter, !clang_isCursorDefinition(function)};
  if (!naming.found) clang_visitChildren(function, find_naming, &naming);
  return naming.found;
}

/* Does the constructor's list of initialisers stand there, in device code alone? */
static bool is_initialiser(const struct ir_function *function, CXCursor cursor, CXCursor part)
{
  enum CXCursorKind kind = clang_getCursorKind(cursor), of_part = clang_getCursorKind(part);
  bool constructor =
      kind == CXCursor_Constructor || (kind == CXCursor_FunctionTemplate &&
                                       clang_getTemplateCursorKind(cursor) == CXCursor_Constructor);
  return constructor && !function->is_host && clang_isExpression(of_part) &&
         !SEEDED(INITIALISER_OF_HOST);
}

void declared_outside(struct frontend *f, const struct ir_function *function, CXCursor cursor)
{
  struct children children = children_of(f, cursor);
  struct place argument = {f, "is a default argument of device code"};
  struct place initialiser = {f, "is in an initialiser of a constructor of device code"};
  for (unsigned i = 0; i < children.count; i++) {
    CXCursor part = children.items[i];
    if (clang_getCursorKind(part) == CXCursor_ParmDecl && is_named(cursor, part))
      clang_visitChildren(part, refuse_vs, &argument);
    if (!is_initialiser(function, cursor, part)) continue;
    refuse_vs(part, cursor, &initialiser);
    clang_visitChildren(part, refuse_vs, &initialiser);
  }
}
