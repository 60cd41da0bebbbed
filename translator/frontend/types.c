/* SPDX-License-Identifier: MIT */
/* types.c - CXType to ir_type. */
#include <string.h>

#include "translator/frontend/internal.h"
#include "runtime/seeded.h"

static enum ir_type_kind kind_of(CXType type)
{
  switch (type.kind) {
  case CXType_Void: return IR_TYPE_VOID;
  case CXType_Bool: return IR_TYPE_BOOL;
  case CXType_Char_U:
  case CXType_UChar:
  case CXType_Char16:
  case CXType_Char32:
  case CXType_UShort:
  case CXType_UInt:
  case CXType_ULong:
  case CXType_ULongLong:
  case CXType_UInt128:
  case CXType_Char_S:
  case CXType_SChar:
  case CXType_WChar:
  case CXType_Short:
  case CXType_Int:
  case CXType_Long:
  case CXType_LongLong:
  case CXType_Int128:
  case CXType_Enum: return IR_TYPE_INT;
  case CXType_Float:
  case CXType_Double:
  case CXType_LongDouble:
  case CXType_Float128:
  case CXType_Half:
  case CXType_Float16:
  case CXType_BFloat16: return IR_TYPE_FLOAT;
  case CXType_Pointer: return IR_TYPE_POINTER;
  case CXType_LValueReference:
  case CXType_RValueReference: return IR_TYPE_REFERENCE;
  case CXType_ConstantArray:
  case CXType_IncompleteArray:
  case CXType_VariableArray:
  case CXType_DependentSizedArray: return IR_TYPE_ARRAY;
  case CXType_Record: return IR_TYPE_RECORD;
  default: return IR_TYPE_OTHER;
  }
}

static bool is_signed_kind(CXType type)
{
  switch (type.kind) {
  case CXType_Char_S:
  case CXType_SChar:
  case CXType_WChar:
  case CXType_Short:
  case CXType_Int:
  case CXType_Long:
  case CXType_LongLong:
  case CXType_Int128: return true;
  case CXType_Enum:
    return is_signed_kind(
        clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type))));
  default: return false;
  }
}

/* ---- pointers inside records ---- */

#define POINTERS_MOST 4096u /* of one record: each has an entry in a table */

struct pointer_walk {
  struct frontend *frontend;
  LIST_OF(uint64_t) offsets;
  bool too_many;
};

static void walk_pointers(struct pointer_walk *walk, CXType type, uint64_t base);

struct field_walk {
  struct pointer_walk *walk;
  uint64_t base;
};

static enum CXVisitorResult walk_field(CXCursor field, CXClientData data)
{
  struct field_walk *at = data;
  long long bits = clang_Cursor_getOffsetOfField(field);
  if (bits >= 0 && !clang_Cursor_isBitField(field))
    walk_pointers(at->walk, clang_getCursorType(field), at->base + (uint64_t)bits / 8);
  return CXVisit_Continue;
}

static enum CXVisitorResult walk_base(CXCursor base, CXClientData data)
{
  struct field_walk *at = data;
  walk_pointers(at->walk, clang_getCursorType(base), at->base);
  return CXVisit_Continue;
}

static void walk_pointers(struct pointer_walk *walk, CXType type, uint64_t base)
{
  type = clang_getCanonicalType(type);
  if (walk->too_many) return;
  if (type.kind == CXType_Pointer) {
    CXType pointee = clang_getCanonicalType(clang_getPointeeType(type));
    if (pointee.kind == CXType_FunctionProto || pointee.kind == CXType_FunctionNoProto) return;
    walk->too_many = walk->offsets.count >= POINTERS_MOST;
    if (!walk->too_many) *ARENA_PUSH(walk->frontend->arena, &walk->offsets) = base;
  } else if (type.kind == CXType_Record) {
    struct field_walk at = {walk, base};
    clang_Type_visitFields(type, walk_field, &at);
    if (type_is_copied(type)) visit_bases(type, walk_base, &at); /* at its beginning */
  } else if (type.kind == CXType_ConstantArray) {
    CXType element = clang_getArrayElementType(type);
    long long count = clang_getArraySize(type), size = clang_Type_getSizeOf(element);
    if (size <= 0) return;
    unsigned before = walk->offsets.count;
    for (long long i = 0; i < count && !walk->too_many; i++) {
      walk_pointers(walk, element, base + (uint64_t)(i * size));
      if (!i && walk->offsets.count == before) return;
    }
  }
}

/* Types are cached by the spelling of the canonical type; different types with one spelling are
 * chained. */
static const struct ir_type *cached(struct frontend *f, CXType type, const char *spelling);

const struct ir_type *type_of(struct frontend *f, CXType type)
{
  type = clang_getCanonicalType(type);
  return cached(f, type, type_spelling(f, type));
}

/* libclang crashes when it is asked for the size of its placeholder types (bound members, overload
 * sets).
 */
static bool has_layout(CXType type)
{
  switch (kind_of(type)) {
  case IR_TYPE_VOID: return false;
  case IR_TYPE_OTHER:
    return type.kind == CXType_Vector || type.kind == CXType_ExtVector ||
           type.kind == CXType_NullPtr || type.kind == CXType_Complex ||
           type.kind == CXType_MemberPointer;
  default: return true;
  }
}

/* ---- can elements of a class be made without a constructor, and copied with =? ---- */

static bool is_trivial(CXType type);

static enum CXVisitorResult check_field(CXCursor field, CXClientData data)
{
  bool *fails = data;
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  while (kind_of(type) == IR_TYPE_ARRAY)
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  *fails |= clang_isConstQualifiedType(type) || kind_of(type) == IR_TYPE_REFERENCE ||
            (kind_of(type) == IR_TYPE_RECORD && !is_trivial(type));
  return CXVisit_Continue;
}

static enum CXChildVisitResult check_base(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier) check_field(cursor, data);
  return CXChildVisit_Continue;
}

static bool is_trivial(CXType type)
{
  bool fails = !clang_isPODType(type);
  if (!fails) clang_Type_visitFields(type, check_field, &fails);
  if (!fails) clang_visitChildren(clang_getTypeDeclaration(type), check_base, &fails);
  return !fails;
}

static enum CXVisitorResult check_access(CXCursor field, CXClientData data)
{
  *(bool *)data &= clang_getCXXAccessSpecifier(field) == CX_CXXPublic;
  return CXVisit_Continue;
}

static enum CXChildVisitResult check_no_base(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  *(bool *)data &= clang_getCursorKind(cursor) != CXCursor_CXXBaseSpecifier;
  return CXChildVisit_Continue;
}

static bool is_public(CXType type)
{
  bool fine = true;
  clang_Type_visitFields(type, check_access, &fine);
  clang_visitChildren(clang_getTypeDeclaration(type), check_no_base, &fine);
  return fine;
}

static enum CXChildVisitResult check_copying(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  bool *fine = data, copies = false;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_Destructor: copies = true; break;
  case CXCursor_Constructor:
    copies = clang_CXXConstructor_isCopyConstructor(cursor) ||
             clang_CXXConstructor_isMoveConstructor(cursor);
    break;
  case CXCursor_CXXMethod:
    copies = clang_CXXMethod_isCopyAssignmentOperator(cursor) ||
             clang_CXXMethod_isMoveAssignmentOperator(cursor);
    *fine &= !clang_CXXMethod_isVirtual(cursor);
    break;
  default: break;
  }
  *fine &= !copies || clang_CXXMethod_isDefaulted(cursor);
  return *fine ? CXChildVisit_Continue : CXChildVisit_Break;
}

static enum CXVisitorResult check_copied_field(CXCursor field, CXClientData data)
{
  bool *fine = data;
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  while (kind_of(type) == IR_TYPE_ARRAY)
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  *fine &= !clang_isVolatileQualifiedType(type) && kind_of(type) != IR_TYPE_REFERENCE &&
           (kind_of(type) != IR_TYPE_RECORD || type_is_copied(type));
  return CXVisit_Continue;
}

struct base_look {
  unsigned count;
  bool fine;
};

/* A base that is copied likewise, and whose members any code may name. */
static enum CXVisitorResult check_copied_base(CXCursor base, CXClientData data)
{
  struct base_look *look = data;
  look->count++;
  look->fine = look->fine && look->count == 1 && !clang_isVirtualBase(base) &&
               clang_getCXXAccessSpecifier(base) == CX_CXXPublic &&
               type_is_copied(clang_getCanonicalType(clang_getCursorType(base)));
  return look->fine ? CXVisit_Continue : CXVisit_Break;
}

static enum CXChildVisitResult count_base(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  *(unsigned *)data += clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier;
  return CXChildVisit_Continue;
}

/* Has the class no base, or one at its beginning? The bases of an instance are those that its
 * template declares; an old libclang does not show them. */
static bool has_plain_base(CXType type, CXCursor declaration)
{
  struct base_look look = {0, true};
  unsigned declared = 0;
  visit_bases(type, check_copied_base, &look);
  clang_visitChildren(declaration, count_base, &declared);
  return look.fine && look.count == declared;
}

/* Functions are looked for in the template of an instance. */
bool type_is_copied(CXType type)
{
  CXCursor declaration = clang_getTypeDeclaration(type);
  CXCursor general = clang_getSpecializedCursorTemplate(declaration);
  bool fine = clang_Type_getSizeOf(type) > 0;
  clang_visitChildren(declaration, check_copying, &fine);
  if (fine && !clang_Cursor_isNull(general))
    clang_visitChildren(clang_getCursorDefinition(general), check_copying, &fine);
  bool instance = !clang_Cursor_isNull(general);
  fine = fine && has_plain_base(type, instance ? clang_getCursorDefinition(general) : declaration);
  if (fine) clang_Type_visitFields(type, check_copied_field, &fine);
  return fine;
}

/* ---- declared without a value ---- */

struct bare_look {
  bool constructors, plain; /* it declares some; one of them takes nothing */
  bool fine;                /* so are its fields and its base */
};

static bool is_bare(CXType type);

static enum CXChildVisitResult note_constructor(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct bare_look *look = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_CXXBaseSpecifier)
    look->fine &= is_bare(clang_getCanonicalType(clang_getCursorType(cursor)));
  if (kind == CXCursor_Constructor || (kind == CXCursor_FunctionTemplate &&
                                       clang_getTemplateCursorKind(cursor) == CXCursor_Constructor))
    look->constructors = true;
  look->plain |= kind == CXCursor_Constructor && clang_CXXConstructor_isDefaultConstructor(cursor);
  return CXChildVisit_Continue;
}

static enum CXVisitorResult check_bare_field(CXCursor field, CXClientData data)
{
  struct bare_look *look = data;
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  while (kind_of(type) == IR_TYPE_ARRAY)
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  look->fine &= kind_of(type) != IR_TYPE_REFERENCE && !clang_isConstQualifiedType(type) &&
                (kind_of(type) != IR_TYPE_RECORD || is_bare(type));
  return look->fine ? CXVisit_Continue : CXVisit_Break;
}

/* Constructors are looked for in the template of an instance. */
static bool is_bare(CXType type)
{
  CXCursor declaration = clang_getTypeDeclaration(type);
  CXCursor general = clang_getSpecializedCursorTemplate(declaration);
  struct bare_look look = {.fine = true};
  bool instance = !clang_Cursor_isNull(general);
  clang_visitChildren(declaration, note_constructor, &look);
  if (instance) clang_visitChildren(clang_getCursorDefinition(general), note_constructor, &look);
  if (look.constructors) return look.plain;
  clang_Type_visitFields(type, check_bare_field, &look);
  return look.fine;
}

/* The type with its qualifiers. For clang the canonical `const float[4]` is a const array of plain
 * floats: the elements get the qualifiers back. */
static const struct ir_type *qualified(struct frontend *f, const struct ir_type *type,
                                       bool is_const, bool is_volatile)
{
  is_const &= !type->is_const;
  is_volatile &= !type->is_volatile;
  if (!is_const && !is_volatile) return type;
  struct ir_type *built = ARENA_NEW(f->arena, struct ir_type);
  *built = *type;
  built->is_const |= is_const;
  built->is_volatile |= is_volatile;
  const char *words = is_const && is_volatile ? "const volatile" : is_const ? "const" : "volatile";
  if (type->kind == IR_TYPE_POINTER)
    built->spelling = arena_format(f->arena, "%s%s", type->spelling, words);
  else
    built->spelling = arena_format(f->arena, "%s %s", words, type->spelling);
  if (type->kind == IR_TYPE_ARRAY)
    built->element = qualified(f, type->element, is_const, is_volatile);
  return built;
}

static const char *keyword_of(CXType type)
{
  switch (clang_getCursorKind(clang_getTypeDeclaration(type))) {
  case CXCursor_ClassDecl: return "class";
  case CXCursor_UnionDecl: return "union";
  default: return "struct";
  }
}

/* C++ requires 256 levels of compilers. Each level has a spelling: n levels take n * n bytes. */
enum { LEVELS_MOST = 256 };

/* The type behind a pointer, reference or array; where there are more levels, an unknown type. */
static const struct ir_type *element_of(struct frontend *f, CXType type, bool is_array)
{
  CXType element = is_array ? clang_getArrayElementType(type) : clang_getPointeeType(type);
  CXType at = element = clang_getCanonicalType(element);

  for (unsigned level = 1; level <= LEVELS_MOST; level++) {
    enum ir_type_kind kind = kind_of(at);
    if (kind == IR_TYPE_POINTER || kind == IR_TYPE_REFERENCE)
      at = clang_getPointeeType(at);
    else if (kind == IR_TYPE_ARRAY)
      at = clang_getArrayElementType(at);
    else
      return type_of(f, element);
    at = clang_getCanonicalType(at);
  }
  struct ir_type *deep = ARENA_NEW(f->arena, struct ir_type);
  deep->kind = IR_TYPE_OTHER;
  deep->spelling = type_spelling(f, element);
  deep->size = clang_Type_getSizeOf(element);
  deep->align = clang_Type_getAlignOf(element);
  deep->extent = -1;
  return deep;
}

static struct ir_type *build(struct frontend *f, CXType type, const char *spelling)
{
  struct ir_type *built = ARENA_NEW(f->arena, struct ir_type);
  built->kind = kind_of(type);
  built->spelling = spelling;
  built->size = built->align = -1;
  if (has_layout(type)) {
    long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
    if (size >= 0) built->size = size;
    if (align >= 0) built->align = align;
  }
  built->is_signed = is_signed_kind(type);
  built->is_const = clang_isConstQualifiedType(type);
  built->is_volatile = clang_isVolatileQualifiedType(type) && !SEEDED(VOLATILE_LOST);
  built->is_restrict = clang_isRestrictQualifiedType(type);
  built->is_unnamed =
      strstr(spelling, "(lambda") || strstr(spelling, "(unnamed") || strstr(spelling, "(anonymous");
  built->extent = -1;
  if (built->kind == IR_TYPE_POINTER || built->kind == IR_TYPE_REFERENCE) {
    built->element = element_of(f, type, false);
    built->is_unnamed |= built->element->is_unnamed;
  }
  if (built->kind == IR_TYPE_ARRAY) {
    built->element = qualified(f, element_of(f, type, true), built->is_const, built->is_volatile);
    built->is_unnamed |= built->element->is_unnamed;
    built->is_const |= built->element->is_const;
    if (type.kind == CXType_ConstantArray) built->extent = clang_getArraySize(type);
  }
  if (built->kind == IR_TYPE_RECORD) {
    struct pointer_walk walk = {.frontend = f};
    walk_pointers(&walk, type, 0);
    built->pointer_offsets = walk.offsets.items;
    built->pointer_count = walk.too_many ? 0 : walk.offsets.count;
    built->too_many_pointers = walk.too_many;
    built->is_trivial = is_trivial(type);
    built->is_public = is_public(type);
    built->is_copied = type_is_copied(type);
    built->is_bare = is_bare(type);
    built->keyword = keyword_of(type);
  }
  return built;
}

struct type_entry {
  CXType type;
  const struct ir_type *built;
  struct type_entry *next;
};

static const struct ir_type *cached(struct frontend *f, CXType type, const char *spelling)
{
  struct type_entry *first = name_map_get(&f->types, spelling);
  for (struct type_entry *entry = first; entry; entry = entry->next)
    if (clang_equalTypes(entry->type, type)) return entry->built;
  struct type_entry *entry = ARENA_NEW(f->arena, struct type_entry);
  entry->type = type;
  entry->built = build(f, type, spelling);
  entry->next = name_map_get(&f->types, spelling);
  name_map_put(f->arena, &f->types, spelling, entry);
  return entry->built;
}

/* ---- can a VS variable have the type? ---- */

struct copy_walk {
  struct frontend *frontend;
  const char *reason;
};

static enum CXChildVisitResult check_statement(CXCursor cursor, CXCursor parent, CXClientData data)
{
  bool *empty = data;
  *empty = clang_isStatement(clang_getCursorKind(parent))
               ? false
               : *empty || clang_getCursorKind(cursor) == CXCursor_CompoundStmt;
  return CXChildVisit_Recurse;
}

/* `~vector3() {}` */
static bool does_nothing(CXCursor destructor)
{
  bool empty = false;
  clang_visitChildren(destructor, check_statement, &empty);
  return empty;
}

/* Finds calls of other functions, memory of the class's own, and the like. */
static enum CXChildVisitResult find_more(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  bool *more = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  CXCursor target =
      kind == CXCursor_CallExpr ? clang_getCursorReferenced(cursor) : clang_getNullCursor();
  if (kind == CXCursor_CallExpr && clang_getCursorKind(target) != CXCursor_Constructor &&
      !is_system_cursor(target))
    *more = true;
  *more |= kind == CXCursor_CXXNewExpr || kind == CXCursor_CXXDeleteExpr ||
           kind == CXCursor_CXXThrowExpr || kind == CXCursor_AsmStmt ||
           kind == CXCursor_LambdaExpr || kind == CXCursor_UnaryOperator;
  return *more ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* `vector3(const vector3 &o) : x(o.x), y(o.y) {}`: does the constructor only copy, as far as can be
 * seen? Those of system headers (half2) are assumed to. */
static bool copies_only(CXCursor constructor)
{
  CXCursor definition = clang_getCursorDefinition(constructor);
  bool more = false;
  if (clang_CXXMethod_isDeleted(constructor)) return false;
  if (clang_CXXMethod_isDefaulted(constructor) || is_system_cursor(constructor)) return true;
  if (!clang_Cursor_isNull(definition)) clang_visitChildren(definition, find_more, &more);
  return !clang_Cursor_isNull(definition) && !more;
}

static enum CXChildVisitResult check_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct copy_walk *walk = data;
  struct frontend *f = walk->frontend;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_CXXMethod:
    if (clang_CXXMethod_isVirtual(cursor))
      walk->reason =
          arena_format(f->arena, "the class has a virtual function '%s'", spelling_of(f, cursor));
    break;
  case CXCursor_Destructor:
    if (clang_CXXMethod_isVirtual(cursor))
      walk->reason = "the class has a virtual destructor";
    else if (!clang_CXXMethod_isDefaulted(cursor) && !does_nothing(cursor))
      walk->reason = "the class has a destructor";
    break;
  case CXCursor_Constructor:
    if ((clang_CXXConstructor_isCopyConstructor(cursor) ||
         clang_CXXConstructor_isMoveConstructor(cursor)) &&
        !copies_only(cursor))
      walk->reason = "the class has a copy or move constructor that does more than copy";
    break;
  case CXCursor_CXXBaseSpecifier:
    if (clang_isVirtualBase(cursor)) walk->reason = "the class has a virtual base";
    break;
  default: break;
  }
  return walk->reason ? CXChildVisit_Break : CXChildVisit_Continue;
}

static enum CXVisitorResult check_member_type(CXCursor field, CXClientData data)
{
  struct copy_walk *walk = data;
  walk->reason = type_not_copyable(walk->frontend, clang_getCursorType(field));
  return walk->reason ? CXVisit_Break : CXVisit_Continue;
}

static const char COPYABLE[] = ""; /* in the map of checked classes */

/* For an instance of a template, functions are searched in the template, members and bases in the
 * instance. */
static const char *class_not_copyable(struct frontend *f, CXType type, CXCursor definition)
{
  struct copy_walk walk = {.frontend = f};
  clang_visitChildren(definition, check_member, &walk);
  if (!walk.reason) visit_bases(type, check_member_type, &walk);
  if (!walk.reason) clang_Type_visitFields(type, check_member_type, &walk);
  if (walk.reason || clang_isPODType(type)) return walk.reason;
  CXCursor primary = clang_getSpecializedCursorTemplate(clang_getTypeDeclaration(type));
  /* std::string and the like: only declared here, and instantiated elsewhere */
  if (!clang_Cursor_isNull(primary))
    clang_visitChildren(clang_getCursorDefinition(primary), check_member, &walk);
  return walk.reason;
}

const char *type_not_copyable(struct frontend *f, CXType type)
{
  type = clang_getCanonicalType(type);
  while (kind_of(type) == IR_TYPE_ARRAY)
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  if (kind_of(type) == IR_TYPE_REFERENCE) return "it is a reference";
  if (kind_of(type) == IR_TYPE_OTHER && type.kind != CXType_Vector &&
      type.kind != CXType_ExtVector && type.kind != CXType_NullPtr && type.kind != CXType_Complex &&
      type.kind != CXType_MemberPointer)
    return "its type is not an object type that can be copied";
  if (type.kind != CXType_Record) return NULL;
  CXCursor definition = clang_getCursorDefinition(clang_getTypeDeclaration(type));
  if (clang_Cursor_isNull(definition)) return "its type is incomplete";
  const char *known = cursor_map_get(&f->copyable, definition);
  if (!known) {
    const char *reason = class_not_copyable(f, type, definition);
    known = reason ? reason : COPYABLE;
    cursor_map_put(f->arena, &f->copyable, definition, (void *)(uintptr_t)known);
  }
  return known == COPYABLE ? NULL : known;
}
