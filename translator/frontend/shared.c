/* SPDX-License-Identifier: MIT */
/* shared.c - the shared memory of a kernel and the functions it calls: their own arrays, and those
 * at file scope.
 *
 *     __shared__ int table[9000];              static_shared_bytes of k: 36000 + 4000
 *     __device__ int f(int i) { __shared__ int own[1000]; ... table[i] ... }
 *     __global__ void k(int *p) { p[0] = f(1); }
 *
 * The search follows the parser's view of the text, so that it includes functions kept as written:
 * names of variables, calls, addresses of functions, constructors and operators. Requires:
 * definitions collected, and instances of templates. Every named array counts, each with its
 * alignment. Arrays of other files, or reached through pointers, are not known.
 */
#include "translator/frontend/internal.h"

enum { SHARED_ALIGNMENT = 16 }; /* of the memory that a plan adds after them */

struct shared_walk {
  struct frontend *frontend;
  struct cursor_map seen; /* variables and functions, by canonical cursor */
  int64_t bytes;
  bool dynamic;
};

static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data);

static bool is_new(struct shared_walk *w, CXCursor declaration)
{
  CXCursor canonical = clang_getCanonicalCursor(declaration);
  if (cursor_map_get(&w->seen, canonical)) return false;
  cursor_map_put(w->frontend->arena, &w->seen, canonical, w);
  return true;
}

static int64_t rounded_up(int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; }

static void add_variable(struct shared_walk *w, CXCursor variable)
{
  CXType type = clang_getCursorType(variable);
  int64_t size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
  if (!has_attribute(w->frontend, variable, CXCursor_CUDASharedAttr) || !is_new(w, variable))
    return;
  if (clang_Cursor_getStorageClass(variable) == CX_SC_Extern)
    w->dynamic = true;
  else if (size > 0)
    w->bytes = rounded_up(w->bytes, align > 0 ? align : 1) + size;
}

static bool is_function(CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_FunctionDecl:
  case CXCursor_CXXMethod:
  case CXCursor_Constructor:
  case CXCursor_Destructor:
  case CXCursor_ConversionFunction: return true;
  default: return false;
  }
}

static void follow_function(struct shared_walk *w, CXCursor function)
{
  CXCursor definition = clang_getCursorDefinition(function);
  if (!clang_Cursor_isNull(definition) && !is_system_cursor(definition) && is_new(w, definition))
    clang_visitChildren(definition, visit_name, w);
}

static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct shared_walk *w = data;
  if (clang_getCursorKind(cursor) == CXCursor_VarDecl) {
    add_variable(w, cursor);
  } else if (clang_isExpression(clang_getCursorKind(cursor))) {
    CXCursor target = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(target) == CXCursor_VarDecl)
      add_variable(w, target);
    else if (is_function(target))
      follow_function(w, target);
  }
  return CXChildVisit_Recurse;
}

void shared_measure(struct frontend *f)
{
  for (unsigned i = 0; i < f->unit->functions.count; i++) {
    struct ir_function *kernel = f->unit->functions.items[i];
    struct shared_walk w = {.frontend = f};
    if (!kernel->is_kernel || !kernel->body || clang_Cursor_isNull(f->bodies.items[i])) continue;
    is_new(&w, f->bodies.items[i]);
    clang_visitChildren(f->bodies.items[i], visit_name, &w);
    kernel->static_shared_bytes = rounded_up(w.bytes, SHARED_ALIGNMENT);
    kernel->reaches_dynamic_shared = w.dynamic;
  }
}
