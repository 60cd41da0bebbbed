/* SPDX-License-Identifier: MIT */
/* lower_expr.c - cursors of expressions to IR.
 *
 * Requires: the cursor is an expression of a function that is not a template.
 * Produces: one ir_expr tree; implicit conversions stay as CONVERT, so that types are those of C++.
 * Gives up: in strict functions (kernels, device functions) lower_fail records the first form that
 * the IR lacks and the whole function is kept verbatim; in host functions the form becomes OPAQUE
 * with its parts as operands. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"
#include "translator/ir/ir_rewrite.h"

struct ir_expr *new_expr(struct lower *l, enum ir_expr_kind kind, CXCursor cursor,
                         unsigned operand_count)
{
  struct ir_expr *expr = ARENA_NEW(l->frontend->arena, struct ir_expr);
  expr->kind = kind;
  expr->id = l->function->expr_count++;
  expr->type = type_of(l->frontend, clang_getCursorType(cursor));
  const struct ir_place *folded = fold_place(l);
  expr->place = folded ? *folded : place_of(l->frontend, cursor);
  expr->operand_count = operand_count;
  if (operand_count)
    expr->operands = arena_alloc(l->frontend->arena, operand_count * sizeof *expr->operands);
  return expr;
}

const char *lowered_text(struct lower *l, struct ir_place place)
{
  return instance_text(l->frontend, l->instance, text_of(l->frontend, place));
}

void lower_fail(struct lower *l, CXCursor cursor, const char *reason)
{
  if (l->failed) return;
  l->failed = reason;
  const struct ir_place *folded = fold_place(l);
  l->failed_place = folded ? *folded : place_of(l->frontend, cursor);
}

/* ---- opaque ---- */

struct opaque_walk {
  struct lower *lower;
  LIST_OF(struct ir_expr *) parts;
  bool captures; /* a lambda for the device: its body does not run here */
};

static bool gather_stmt(struct ir_stmt *stmt, void *context)
{
  struct opaque_walk *walk = context;
  struct arena *arena = walk->lower->frontend->arena;
  if (stmt->expr) *ARENA_PUSH(arena, &walk->parts) = stmt->expr;
  if (stmt->increment) *ARENA_PUSH(arena, &walk->parts) = stmt->increment;
  for (unsigned i = 0; i < stmt->expr_count; i++) *ARENA_PUSH(arena, &walk->parts) = stmt->exprs[i];
  return true;
}

/* Gathers the expressions in lambda bodies and statement expressions; the lowered statements are
 * dropped. */
static enum CXChildVisitResult gather_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct opaque_walk *walk = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (walk->captures && (clang_isStatement(kind) || kind == CXCursor_ParmDecl))
    return CXChildVisit_Continue;
  if (clang_isExpression(kind)) {
    *ARENA_PUSH(walk->lower->frontend->arena, &walk->parts) = lower_expr(walk->lower, cursor);
  } else if (clang_isStatement(kind)) {
    bool outside = walk->lower->in_lambda;
    walk->lower->in_lambda = true;
    ir_visit_stmts(lower_stmt(walk->lower, cursor), gather_stmt, walk);
    walk->lower->in_lambda = outside;
  } else if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) {
    ir_visit_stmts(lower_decl(walk->lower, cursor, place_of(walk->lower->frontend, cursor)),
                   gather_stmt, walk);
  }
  return CXChildVisit_Continue;
}

struct ir_expr *lower_opaque(struct lower *l, CXCursor cursor)
{
  if (l->strict)
    lower_fail(l, cursor,
               arena_format(l->frontend->arena, "the construct %s is not analysed",
                            string_of(l->frontend,
                                      clang_getCursorKindSpelling(clang_getCursorKind(cursor)))));
  struct opaque_walk walk = {.lower = l};
  bool is_lambda = clang_getCursorKind(cursor) == CXCursor_LambdaExpr;
  walk.captures = is_lambda && !clang_Cursor_isNull(device_lambda(l->frontend, cursor));
  clang_visitChildren(cursor, gather_part, &walk);
  struct ir_expr *expr = new_expr(l, IR_EXPR_OPAQUE, cursor, 0);
  expr->operands = walk.parts.items;
  expr->operand_count = walk.parts.count;
  return expr;
}

/* ---- references ---- */

static const struct {
  const char *name;
  enum ir_builtin first;
} builtin_objects[] = {{"threadIdx", IR_THREAD_IDX},
                       {"blockIdx", IR_BLOCK_IDX},
                       {"blockDim", IR_BLOCK_DIM},
                       {"gridDim", IR_GRID_DIM}};

/* Is the declaration outside the files of the unit: in the prelude? */
static bool is_prelude_cursor(struct frontend *f, CXCursor declaration)
{
  CXFile file;
  clang_getExpansionLocation(clang_getCursorLocation(declaration), &file, NULL, NULL, NULL);
  return source_file_index(f, file) < 0;
}

static int builtin_object(struct lower *l, CXCursor object)
{
  while (clang_getCursorKind(object) == CXCursor_UnexposedExpr) {
    struct children children = children_of(l->frontend, object);
    if (children.count != 1) return -1;
    object = children.items[0];
  }
  if (clang_getCursorKind(object) != CXCursor_DeclRefExpr) return -1;
  CXCursor target = clang_getCursorReferenced(object);
  if (clang_getCursorKind(target) != CXCursor_VarDecl || !is_prelude_cursor(l->frontend, target))
    return -1;
  const char *name = spelling_of(l->frontend, object);
  for (unsigned i = 0; i < sizeof builtin_objects / sizeof *builtin_objects; i++)
    if (!strcmp(name, builtin_objects[i].name)) return (int)builtin_objects[i].first;
  return -1;
}

static struct ir_expr *lower_member(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  const char *name = spelling_of(l->frontend, cursor);
  struct children objects = {0};
  for (unsigned i = 0; i < children.count; i++)
    if (clang_isExpression(clang_getCursorKind(children.items[i])) &&
        clang_getCursorKind(children.items[i]) != CXCursor_TypeRef)
      *ARENA_PUSH(l->frontend->arena, &objects) = children.items[i];
  if (objects.count == 1) {
    int object = builtin_object(l, objects.items[0]);
    if (object < 0 && l->strict) object = known_block_member(l->frontend, objects.items[0]);
    if (object >= 0 && strlen(name) == 1 && *name >= 'x' && *name <= 'z') {
      struct ir_expr *expr = new_expr(l, IR_EXPR_BUILTIN, cursor, 0);
      expr->value = object + (*name - 'x');
      return expr;
    }
  }
  if (objects.count > 1) return lower_opaque(l, cursor);
  struct ir_expr *expr = new_expr(l, IR_EXPR_MEMBER, cursor, objects.count);
  expr->text = name;
  expr->field_offset = -1;
  CXCursor target = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(target) == CXCursor_FieldDecl) {
    long long bits = clang_Cursor_getOffsetOfField(target);
    if (bits >= 0 && clang_Cursor_isBitField(target)) {
      expr->bit_offset = (unsigned)bits;
      expr->bit_size = (unsigned)clang_getFieldDeclBitWidth(target);
    } else if (bits >= 0 && bits % 8 == 0) {
      expr->field_offset = bits / 8;
    }
    lower_note_access(l, cursor, target, expr);
  } else if (l->strict && clang_getCursorKind(target) == CXCursor_VarDecl) {
    lower_fail(l, cursor, "a static data member is used");
  }
  bool own = !objects.count || is_this(l->frontend, objects.items[0]);
  if (own && (l->fold || l->self)) {
    expr->operand_count = 1;
    expr->operands = arena_alloc(l->frontend->arena, sizeof *expr->operands);
    expr->operands[0] = lower_this(l);
    expr->is_arrow = expr->operands[0]->type->kind == IR_TYPE_POINTER;
    if (l->fold) lower_note_base(l, cursor, target, expr);
    return expr;
  }
  if (!objects.count) {
    if (l->strict) lower_fail(l, cursor, "a member of this is used");
    return expr;
  }
  expr->operands[0] = lower_expr(l, objects.items[0]);
  expr->is_arrow = expr->operands[0]->type->kind == IR_TYPE_POINTER;
  return expr;
}

static bool is_class_member(CXCursor target)
{
  enum CXCursorKind kind = clang_getCursorKind(clang_getCursorSemanticParent(target));
  return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

/* The text as written where it names `target`; a macro may be there instead. */
static const char *name_text(struct lower *l, struct ir_place place, CXCursor target)
{
  const char *name = spelling_of(l->frontend, target),
             *text = place.in_macro || l->is_member ? "" : lowered_text(l, place);
  size_t length = strlen(name), written = strlen(text);
  bool names = written >= length && !strcmp(text + written - length, name) &&
               (written == length || !scan_is_identifier(text[written - length - 1]));
  return names ? text : NULL;
}

static struct ir_expr *lower_reference(struct lower *l, CXCursor cursor)
{
  CXCursor target = clang_getCursorReferenced(cursor);
  enum CXCursorKind kind = clang_getCursorKind(target);
  if (clang_Cursor_isNull(target) &&
      (l->instance || l->fold || l->is_member)) { /* a parameter of the template */
    struct children children = children_of(l->frontend, cursor);
    return children.count == 1 ? lower_expr(l, children.items[0]) : lower_opaque(l, cursor);
  }
  struct ir_expr *bound = kind == CXCursor_ParmDecl  ? lower_bound_parameter(l, target)
                          : kind == CXCursor_VarDecl ? lower_bound_local(l, cursor, target)
                                                     : NULL;
  if (bound) return bound;
  if (kind == CXCursor_VarDecl && l->is_member && is_class_member(target))
    lower_fail(l, cursor, "a static data member is used");
  if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) {
    if (is_prelude_cursor(l->frontend, target) &&
        !strcmp(spelling_of(l->frontend, target), "warpSize")) {
      struct ir_expr *expr = new_expr(l, IR_EXPR_BUILTIN, cursor, 0);
      expr->value = IR_WARP_SIZE;
      return expr;
    }
    struct ir_expr *expr = new_expr(l, IR_EXPR_VAR, cursor, 0);
    if (lambda_named(l, target)) lower_fail(l, cursor, "a lambda is copied or handed on");
    expr->var = var_of(l->frontend, target, l->function);
    /* decayed */
    if (kind == CXCursor_ParmDecl && expr->type->kind == IR_TYPE_ARRAY)
      expr->type = expr->var->type;
    const char *text = name_text(l, expr->place, target);
    expr->text = text                  ? text
                 : expr->var->function ? expr->var->name
                                       : qualified_name(l->frontend, target);
    if (hiding_is_told_by_local(l, expr->text))
      lower_fail(l, cursor, "a name whose template arguments name a local");
    return expr;
  }
  if (kind == CXCursor_EnumConstantDecl) {
    struct ir_expr *expr = new_expr(l, IR_EXPR_INT, cursor, 0);
    expr->value = expr->type->is_signed || SEEDED(ENUMERATOR_SIGNED)
                      ? clang_getEnumConstantDeclValue(target)
                      : (int64_t)clang_getEnumConstantDeclUnsignedValue(target);
    const char *text = name_text(l, expr->place, target);
    expr->text = text ? text : qualified_name(l->frontend, target);
    if (l->is_member || hiding_is_told_by_local(l, expr->text))
      expr->text = lower_int_text(l, expr->type, expr->value);
    return expr;
  }
  struct ir_expr *constant = kind == CXCursor_UnexposedDecl ? lower_constant(l, cursor) : NULL;
  if (constant) return constant;
  struct ir_expr *expr = lower_opaque(l, cursor);
  if (kind == CXCursor_FunctionDecl && !l->strict) expr->callee = function_of(l->frontend, target);
  return expr;
}

/* ---- operators ---- */

static enum ir_op binary_op(CXCursor cursor)
{
  static const enum ir_op table[] = {[CXBinaryOperator_Mul] = IR_OP_MUL,
                                     [CXBinaryOperator_Div] = IR_OP_DIV,
                                     [CXBinaryOperator_Rem] = IR_OP_REM,
                                     [CXBinaryOperator_Add] = IR_OP_ADD,
                                     [CXBinaryOperator_Sub] = IR_OP_SUB,
                                     [CXBinaryOperator_Shl] = IR_OP_SHL,
                                     [CXBinaryOperator_Shr] = IR_OP_SHR,
                                     [CXBinaryOperator_LT] = IR_OP_LT,
                                     [CXBinaryOperator_GT] = IR_OP_GT,
                                     [CXBinaryOperator_LE] = IR_OP_LE,
                                     [CXBinaryOperator_GE] = IR_OP_GE,
                                     [CXBinaryOperator_EQ] = IR_OP_EQ,
                                     [CXBinaryOperator_NE] = IR_OP_NE,
                                     [CXBinaryOperator_And] = IR_OP_AND,
                                     [CXBinaryOperator_Xor] = IR_OP_XOR,
                                     [CXBinaryOperator_Or] = IR_OP_OR,
                                     [CXBinaryOperator_LAnd] = IR_OP_LAND,
                                     [CXBinaryOperator_LOr] = IR_OP_LOR,
                                     [CXBinaryOperator_Assign] = IR_OP_ASSIGN,
                                     [CXBinaryOperator_MulAssign] = IR_OP_MUL_ASSIGN,
                                     [CXBinaryOperator_DivAssign] = IR_OP_DIV_ASSIGN,
                                     [CXBinaryOperator_RemAssign] = IR_OP_REM_ASSIGN,
                                     [CXBinaryOperator_AddAssign] = IR_OP_ADD_ASSIGN,
                                     [CXBinaryOperator_SubAssign] = IR_OP_SUB_ASSIGN,
                                     [CXBinaryOperator_ShlAssign] = IR_OP_SHL_ASSIGN,
                                     [CXBinaryOperator_ShrAssign] = IR_OP_SHR_ASSIGN,
                                     [CXBinaryOperator_AndAssign] = IR_OP_AND_ASSIGN,
                                     [CXBinaryOperator_XorAssign] = IR_OP_XOR_ASSIGN,
                                     [CXBinaryOperator_OrAssign] = IR_OP_OR_ASSIGN,
                                     [CXBinaryOperator_Comma] = IR_OP_COMMA};
  enum CXBinaryOperatorKind kind = binary_kind_of(cursor);
  if (kind < CXBinaryOperator_Mul || kind == CXBinaryOperator_Cmp || kind > CXBinaryOperator_Comma)
    return IR_OP_COUNT;
  return table[kind];
}

static struct ir_expr *lower_binary(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  enum ir_op op = binary_op(cursor);
  if (op == IR_OP_COUNT || children.count != 2) return lower_opaque(l, cursor);
  bool assigns = op >= IR_OP_ASSIGN && op <= IR_OP_OR_ASSIGN;
  struct ir_expr *expr = new_expr(l, assigns ? IR_EXPR_ASSIGN : IR_EXPR_BINARY, cursor, 2);
  expr->op = op;
  expr->operands[0] = lower_expr(l, children.items[0]);
  expr->operands[1] = lower_expr(l, children.items[1]);
  return expr;
}

static struct ir_expr *lower_unary(struct lower *l, CXCursor cursor)
{
  static const enum ir_op table[] = {
      [CXUnaryOperator_PostInc] = IR_OP_POST_INC, [CXUnaryOperator_PostDec] = IR_OP_POST_DEC,
      [CXUnaryOperator_PreInc] = IR_OP_PRE_INC,   [CXUnaryOperator_PreDec] = IR_OP_PRE_DEC,
      [CXUnaryOperator_AddrOf] = IR_OP_ADDRESS,   [CXUnaryOperator_Deref] = IR_OP_DEREF,
      [CXUnaryOperator_Plus] = IR_OP_PLUS,        [CXUnaryOperator_Minus] = IR_OP_NEG,
      [CXUnaryOperator_Not] = IR_OP_BIT_NOT,      [CXUnaryOperator_LNot] = IR_OP_NOT};
  struct children children = children_of(l->frontend, cursor);
  enum CXUnaryOperatorKind kind = unary_kind_of(cursor);
  if (kind == CXUnaryOperator_Extension && children.count == 1)
    return lower_expr(l, children.items[0]);
  if (kind == CXUnaryOperator_Deref && children.count == 1 && l->self &&
      is_this(l->frontend, children.items[0]))
    return lower_this(l);
  if (kind < CXUnaryOperator_PostInc || kind > CXUnaryOperator_LNot || children.count != 1)
    return lower_opaque(l, cursor);
  struct ir_expr *expr = new_expr(l, IR_EXPR_UNARY, cursor, 1);
  expr->op = table[kind];
  expr->operands[0] = lower_expr(l, children.items[0]);
  return expr;
}

/* (int &)x and reinterpret_cast<int &>(x): libclang gives the expression the type int, so the text
 * decides. */
static bool casts_to_reference(struct lower *l, CXCursor cursor)
{
  CXFile file;
  unsigned at;
  size_t size = 0;
  clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL, NULL,
                            &at);
  const char *text = file ? clang_getFileContents(l->frontend->tu, file, &size) : NULL;
  bool c_style = text && at < size && text[at] == '(';
  for (unsigned depth = 0; text && at < size; at++) {
    if (text[at] == '&') return true;
    if (text[at] == '(' && !c_style) return false;
    depth += text[at] == '(';
    if (text[at] == ')' && --depth == 0) return false;
  }
  return false;
}

/* static_cast<const D &>(*this) of an object that is a D: the object. NULL: it is none. */
static struct ir_expr *lower_downcast(struct lower *l, CXCursor cursor, CXCursor operand)
{
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(cursor));
  const struct ir_type *from = type_of(l->frontend, clang_getCursorType(operand));
  if (type->kind != IR_TYPE_RECORD || from->kind != IR_TYPE_RECORD || ir_same_type(type, from) ||
      clang_getCursorKind(cursor) != CXCursor_CXXStaticCastExpr || !casts_to_reference(l, cursor))
    return NULL;
  struct ir_expr *object = ir_strip(lower_expr(l, operand));
  return object->type && ir_same_type(object->type, type) ? object : NULL;
}

/* Explicit casts: the operand is the last child, after the parts of the type. */
static struct ir_expr *lower_cast(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  if (!children.count ||
      !clang_isExpression(clang_getCursorKind(children.items[children.count - 1])))
    return lower_opaque(l, cursor);
  struct ir_expr *same =
      l->strict ? lower_downcast(l, cursor, children.items[children.count - 1]) : NULL;
  if (same) return same;
  struct ir_expr *expr = new_expr(l, IR_EXPR_CAST, cursor, 1);
  expr->text = expr->type->spelling; /* of the canonical type: (decltype(i))x does not name i */
  expr->operands[0] = lower_expr(l, children.items[children.count - 1]);
  if (expr->type->is_unnamed && l->strict) lower_fail(l, cursor, "a cast to an unnamed type");
  if (l->strict && casts_to_reference(l, cursor)) lower_fail(l, cursor, "a cast to a reference");
  return expr;
}

static struct ir_expr *lower_functional_cast(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  if (!children.count) return lower_opaque(l, cursor);
  CXCursor operand = children.items[children.count - 1];
  if (clang_getCursorKind(operand) == CXCursor_CallExpr &&
      clang_getCursorKind(clang_getCursorReferenced(operand)) == CXCursor_Constructor)
    return lower_expr(l, operand); /* T(a): the construction itself */
  return lower_cast(l, cursor);
}

/* Forms without a cursor kind of their own: implicit conversions, temporaries, default arguments.
 */
static struct ir_expr *lower_unexposed(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  if (children.count != 1 || !clang_isExpression(clang_getCursorKind(children.items[0]))) {
    struct ir_expr *zero = children.count < 2 ? lower_zero(l, cursor) : NULL;
    return zero ? zero : lower_opaque(l, cursor);
  }
  struct ir_expr *operand = lower_expr(l, children.items[0]);
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(cursor));
  if (type == operand->type || type->kind == IR_TYPE_OTHER) return operand;
  /* a parameter as declared */
  if (type->kind == IR_TYPE_ARRAY && operand->type->kind == IR_TYPE_POINTER) return operand;
  struct ir_expr *expr = new_expr(l, IR_EXPR_CONVERT, cursor, 1);
  expr->operands[0] = operand;
  return expr;
}

static struct ir_expr *lower_list(struct lower *l, CXCursor cursor, enum ir_expr_kind kind,
                                  unsigned wanted)
{
  struct children children = children_of(l->frontend, cursor);
  if (wanted && children.count != wanted) return lower_opaque(l, cursor);
  struct ir_expr *expr = new_expr(l, kind, cursor, children.count);
  for (unsigned i = 0; i < children.count; i++) {
    if (!clang_isExpression(clang_getCursorKind(children.items[i]))) return lower_opaque(l, cursor);
    expr->operands[i] = lower_expr(l, children.items[i]);
  }
  if (kind == IR_EXPR_PAREN) { /* (a) for a parameter declared as an array */
    const struct ir_type *inner = expr->operands[0]->type;
    if (expr->type->kind == IR_TYPE_ARRAY && inner->kind == IR_TYPE_POINTER) expr->type = inner;
  }
  return expr;
}

/* { a } for a number or a pointer is a; { } is 0. */
static struct ir_expr *lower_braces(struct lower *l, CXCursor cursor)
{
  struct ir_expr *zero = children_of(l->frontend, cursor).count ? NULL : lower_zero(l, cursor);
  if (zero) return zero;
  struct ir_expr *expr = lower_list(l, cursor, IR_EXPR_INIT_LIST, 0);
  enum ir_type_kind kind = expr->type->kind;
  bool scalar = kind == IR_TYPE_BOOL || kind == IR_TYPE_INT || kind == IR_TYPE_FLOAT ||
                kind == IR_TYPE_POINTER;
  bool one = expr->kind == IR_EXPR_INIT_LIST && expr->operand_count == 1;
  return scalar && one ? expr->operands[0] : expr;
}

/* (struct point){1, 2} is point{1, 2}: a value of the class. */
static struct ir_expr *lower_compound_literal(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(cursor));
  if (type->kind != IR_TYPE_RECORD || type->is_unnamed || !children.count ||
      clang_getCursorKind(children.items[children.count - 1]) != CXCursor_InitListExpr)
    return lower_opaque(l, cursor);
  struct ir_expr *expr = lower_list(l, children.items[children.count - 1], IR_EXPR_INIT_LIST, 0);
  if (expr->kind != IR_EXPR_INIT_LIST) return expr;
  expr->kind = IR_EXPR_CONSTRUCT;
  expr->type = type;
  expr->text = type->spelling;
  expr->is_brace = true;
  return expr;
}

struct ir_expr *lower_expr(struct lower *l, CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CharacterLiteral:
  case CXCursor_CXXBoolLiteralExpr:
  case CXCursor_StringLiteral:
  case CXCursor_CXXNullPtrLiteralExpr:
  case CXCursor_GNUNullExpr:
  case CXCursor_UnaryExpr: return lower_literal(l, cursor);
  case CXCursor_DeclRefExpr: return lower_reference(l, cursor);
  case CXCursor_MemberRefExpr: return lower_member(l, cursor);
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator: return lower_binary(l, cursor);
  case CXCursor_UnaryOperator: return lower_unary(l, cursor);
  case CXCursor_ConditionalOperator: return lower_list(l, cursor, IR_EXPR_COND, 3);
  case CXCursor_ArraySubscriptExpr: return lower_list(l, cursor, IR_EXPR_INDEX, 2);
  case CXCursor_ParenExpr: return lower_list(l, cursor, IR_EXPR_PAREN, 1);
  case CXCursor_InitListExpr: return lower_braces(l, cursor);
  case CXCursor_CompoundLiteralExpr: return lower_compound_literal(l, cursor);
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXReinterpretCastExpr:
  case CXCursor_CXXConstCastExpr: return lower_cast(l, cursor);
  case CXCursor_CXXFunctionalCastExpr: return lower_functional_cast(l, cursor);
  case CXCursor_CallExpr: return lower_call(l, cursor);
  case CXCursor_UnexposedExpr: return lower_unexposed(l, cursor);
  default: return lower_opaque(l, cursor);
  }
}
