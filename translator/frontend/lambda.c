/* SPDX-License-Identifier: MIT */
/* lambda.c - lambdas that the body of device code gives a name.
 *
 *     auto at = [&](int i, int j) { return u[j * n + i]; };
 *     v[y * n + x] = at(x + 1, y) - at(x - 1, y);
 *   =>
 *     v[y * n + x] = u[y * n + (x + 1)] - u[y * n + (x - 1)];
 *
 * The expression that the body comes to takes the place of each call (accessor.c), and no text that
 * is printed from the IR has the lambda. What it captures is the variable itself: by a reference
 * always, by value where the variable is a number or a pointer that nothing changes while the
 * lambda lives, which is up to the end of its block. Requires: a kernel or a device function that
 * is no method. Gives up, and the function is kept, with a capture that has a value of its own
 * ([k = 2 * n]), is an object or a pack, and where the lambda is used other than by a call.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

/* ---- captures ---- */

/* Is the variable captured by value, as `text` behind the [ says? False as well where it cannot be
 * told, with *ret_why. */
static bool by_value(const char *text, const char *name, const char **ret_why)
{
  bool all_by_value = false, named = false, value = false;
  for (unsigned at = scan_skip_space(text, 0); text[at] && text[at] != ']';) {
    bool reference = text[at] == '&';
    unsigned end = at;
    if (reference || text[at] == '=') end = scan_skip_space(text, at + 1);
    if (text[at] == '=') all_by_value = true;
    bool has_name = scan_is_identifier_start(text[end]);
    if (has_name) {
      at = end;
      end = scan_skip_token(text, at);
      bool own = strlen(name) == end - at && !strncmp(text + at, name, end - at);
      named |= own;
      value |= own && !reference;
    }
    at = scan_skip_space(text, end);
    if (text[at] == ',')
      at = scan_skip_space(text, at + 1);
    else if (text[at] != ']') {
      *ret_why = "a lambda that captures more than a variable";
      return false;
    }
  }
  return named ? value : all_by_value;
}

struct capture_walk {
  struct lower *l;
  struct lambda *lambda;
  const char *captures; /* the text behind the [ */
  const char *why;      /* NULL: it can be taken */
};

static bool is_simple(const struct ir_type *type)
{
  return type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
         type->kind == IR_TYPE_POINTER;
}

static enum CXChildVisitResult note_capture(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct capture_walk *walk = data;
  struct lower *l = walk->l;
  CXCursor target = clang_getNullCursor();
  if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr)
    target = clang_getCursorReferenced(cursor);
  enum CXCursorKind kind = clang_getCursorKind(target);
  if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) return CXChildVisit_Recurse;
  CXCursor owner = clang_getCanonicalCursor(clang_getCursorSemanticParent(target));
  if (clang_equalCursors(owner, clang_getCanonicalCursor(walk->lambda->function)))
    return CXChildVisit_Recurse;
  struct ir_var *var = var_of(l->frontend, target, l->function);
  if (var->kind != IR_VAR_LOCAL && var->kind != IR_VAR_PARAM) return CXChildVisit_Recurse;
  bool copied = by_value(walk->captures, var->name, &walk->why);
  if (copied && !is_simple(var->type)) walk->why = "a lambda has a copy of an object";
  if (copied) *ARENA_PUSH(l->frontend->arena, &walk->lambda->copied) = var;
  return walk->why ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* ---- declarations ---- */

static CXCursor lambda_in(struct frontend *f, CXCursor init)
{
  init = without_elided_copy(init);
  while (clang_getCursorKind(init) == CXCursor_UnexposedExpr ||
         (clang_getCursorKind(init) == CXCursor_CallExpr &&
          clang_getCursorKind(clang_getCursorReferenced(init)) == CXCursor_Constructor)) {
    struct children children = children_of(f, init);
    if (children.count != 1) break;
    init = children.items[0];
  }
  return init;
}

static enum CXChildVisitResult find_operator(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind != CXCursor_CXXMethod) return CXChildVisit_Continue;
  *(CXCursor *)data = cursor;
  return CXChildVisit_Break;
}

/* Why the lambda is no entry of the list; NULL: it is one now. */
static const char *take(struct lower *l, CXCursor declaration, CXCursor cursor)
{
  struct frontend *f = l->frontend;
  struct ir_place place = place_of(f, cursor);
  struct lambda lambda = {.variable = clang_getCanonicalCursor(declaration),
                          .name = spelling_of(f, declaration),
                          .place = place,
                          .end = l->block_end,
                          .function = clang_getNullCursor()};
  const char *text = place.in_macro || place.in_argument ? "" : text_of(f, place);
  clang_visitChildren(clang_getTypeDeclaration(clang_getCursorType(cursor)), find_operator,
                      &lambda.function);
  if (l->self) return "a lambda in a member function";
  if (*text != '[') return "a lambda from a macro";
  if (clang_Cursor_isNull(lambda.function)) return "a lambda whose parameters have no types";
  if (strstr(text, "noinline")) return "a lambda that is marked noinline";
  struct capture_walk walk = {l, &lambda, text + 1, NULL};
  by_value(walk.captures, "", &walk.why);
  if (!walk.why) clang_visitChildren(cursor, note_capture, &walk);
  if (!walk.why) *ARENA_PUSH(f->arena, &l->lambdas) = lambda;
  return walk.why;
}

bool lambda_declare(struct lower *l, CXCursor declaration)
{
  CXCursor init = clang_Cursor_getVarDeclInitializer(declaration);
  if (!l->strict || clang_Cursor_isNull(init)) return false;
  init = lambda_in(l->frontend, init);
  if (clang_getCursorKind(init) != CXCursor_LambdaExpr) return false;
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(declaration));
  const char *why =
      type->kind == IR_TYPE_RECORD ? take(l, declaration, init) : "a reference to a lambda";
  if (why) lower_fail(l, declaration, why);
  return true;
}

/* ---- uses ---- */

const struct lambda *lambda_named(const struct lower *l, CXCursor target)
{
  if (clang_getCursorKind(target) != CXCursor_VarDecl) return NULL;
  for (unsigned i = 0; i < l->lambdas.count; i++)
    if (clang_equalCursors(l->lambdas.items[i].variable, clang_getCanonicalCursor(target)))
      return &l->lambdas.items[i];
  return NULL;
}

bool lambda_is_in_text(const struct lower *l, const char *text)
{
  for (unsigned i = 0; i < l->lambdas.count; i++)
    if (ir_text_has_name(text, l->lambdas.items[i].name)) return true;
  return false;
}

/* ---- at the end of the body ---- */

struct change_walk {
  const struct lambda *lambda;
  const struct ir_var *var;
  bool found;
};

static bool is_elsewhere(const struct lambda *lambda, const struct ir_place *place)
{
  return place->file == lambda->place.file &&
         (place->end <= lambda->place.begin || place->begin >= lambda->end);
}

static void note_change(struct ir_expr *expr, void *context)
{
  struct change_walk *walk = context;
  bool steps =
      expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                      expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
  if (expr->kind != IR_EXPR_ASSIGN && !steps) return;
  const struct ir_expr *target = ir_strip(expr->operands[0]);
  walk->found |= target->kind == IR_EXPR_VAR && target->var == walk->var &&
                 !is_elsewhere(walk->lambda, &expr->place);
}

void lambdas_end(struct lower *l, struct ir_stmt *body)
{
  for (unsigned i = 0; i < l->lambdas.count && !l->failed; i++) {
    const struct lambda *lambda = &l->lambdas.items[i];
    for (unsigned k = 0; k < lambda->copied.count; k++) {
      struct change_walk walk = {lambda, lambda->copied.items[k], false};
      ir_visit_stmt_exprs(body, note_change, &walk);
      if (!(walk.found || walk.var->address_taken) || SEEDED(LAMBDA_COPY_CHANGES)) continue;
      l->failed = arena_format(l->frontend->arena, "a lambda has a copy of '%s', which changes",
                               walk.var->name);
      l->failed_place = lambda->place;
    }
  }
}
