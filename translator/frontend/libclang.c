/* SPDX-License-Identifier: MIT */
/* libclang.c - functions that libclang 16 to 19 lack, in a few lines each. */
#include "translator/frontend/libclang.h"

#include <stddef.h>
#include <string.h>

#ifdef MESI_CLANG_OPERATORS

enum CXBinaryOperatorKind binary_kind_of(CXCursor cursor)
{
  return clang_getCursorBinaryOperatorKind(cursor);
}

enum CXUnaryOperatorKind unary_kind_of(CXCursor cursor)
{
  return clang_getCursorUnaryOperatorKind(cursor);
}

#else

/* ---- operators, by the text ---- */

struct spelled { /* a place in the text of a file; for a token of a macro's body, its place there */
  const char *text;
  size_t size;
  unsigned at;
  bool expanded; /* the token comes from a macro */
};

struct spelling {
  const char *word;
  int kind;
};

static struct spelled spelled_at(CXCursor cursor, CXSourceLocation location)
{
  struct spelled ret = {0};
  CXFile file, expansion_file;
  unsigned expansion;
  clang_getSpellingLocation(location, &file, NULL, NULL, &ret.at);
  clang_getExpansionLocation(location, &expansion_file, NULL, NULL, &expansion);
  ret.expanded = expansion_file != file || expansion != ret.at;
  if (file)
    ret.text = clang_getFileContents(clang_Cursor_getTranslationUnit(cursor), file, &ret.size);
  if (!ret.text || ret.at > ret.size) ret.text = NULL;
  return ret;
}

static enum CXChildVisitResult collect_two(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  CXCursor *pair = data;
  unsigned at = clang_Cursor_isNull(pair[0]) ? 0 : 1;
  pair[at] = cursor;
  return at ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* The end of the last token before `at`, over blanks, spliced lines and comments. -1: a line in
 * between may end with a comment. */
static int token_end_before(const char *text, int at)
{
  for (;;) {
    bool crossed = false;
    for (; at > 0 && strchr(" \t\r\n\f\v", text[at - 1]); at--) crossed |= text[at - 1] == '\n';
    int line = at;
    while (line > 0 && text[line - 1] != '\n') line--;
    for (int i = line; crossed && i + 1 < at; i++)
      if (text[i] == '/' && text[i + 1] == '/') return -1;
    if (crossed && at > 0 && text[at - 1] == '\\') {
      at--;
    } else if (at > 3 && text[at - 1] == '/' && text[at - 2] == '*') {
      for (at -= 3; at > 1 && !(text[at - 2] == '/' && text[at - 1] == '*');) at--;
      at = at > 1 ? at - 2 : 0;
    } else {
      return at;
    }
  }
}

enum CXBinaryOperatorKind binary_kind_of(CXCursor cursor)
{
  static const struct spelling known[] = {
      {"<<=", CXBinaryOperator_ShlAssign}, {">>=", CXBinaryOperator_ShrAssign},
      {"<=>", CXBinaryOperator_Cmp},       {"->*", CXBinaryOperator_PtrMemI},
      {".*", CXBinaryOperator_PtrMemD},    {"*=", CXBinaryOperator_MulAssign},
      {"/=", CXBinaryOperator_DivAssign},  {"%=", CXBinaryOperator_RemAssign},
      {"+=", CXBinaryOperator_AddAssign},  {"-=", CXBinaryOperator_SubAssign},
      {"&=", CXBinaryOperator_AndAssign},  {"^=", CXBinaryOperator_XorAssign},
      {"|=", CXBinaryOperator_OrAssign},   {"<<", CXBinaryOperator_Shl},
      {">>", CXBinaryOperator_Shr},        {"<=", CXBinaryOperator_LE},
      {">=", CXBinaryOperator_GE},         {"==", CXBinaryOperator_EQ},
      {"!=", CXBinaryOperator_NE},         {"&&", CXBinaryOperator_LAnd},
      {"||", CXBinaryOperator_LOr},        {"*", CXBinaryOperator_Mul},
      {"/", CXBinaryOperator_Div},         {"%", CXBinaryOperator_Rem},
      {"+", CXBinaryOperator_Add},         {"-", CXBinaryOperator_Sub},
      {"<", CXBinaryOperator_LT},          {">", CXBinaryOperator_GT},
      {"&", CXBinaryOperator_And},         {"^", CXBinaryOperator_Xor},
      {"|", CXBinaryOperator_Or},          {"=", CXBinaryOperator_Assign},
      {",", CXBinaryOperator_Comma}};
  CXCursor pair[2] = {clang_getNullCursor(), clang_getNullCursor()};
  clang_visitChildren(cursor, collect_two, pair);
  if (clang_Cursor_isNull(pair[1])) return CXBinaryOperator_Invalid;
  struct spelled right = spelled_at(cursor, clang_getRangeStart(clang_getCursorExtent(pair[1])));
  int end = right.text ? token_end_before(right.text, (int)right.at) : -1;
  for (unsigned i = 0; end > 0 && i < sizeof known / sizeof *known; i++) {
    int length = (int)strlen(known[i].word);
    if (end < length || strncmp(right.text + end - length, known[i].word, (size_t)length)) continue;
    /* a comma between the arguments of a macro is no operator */
    if (known[i].kind == CXBinaryOperator_Comma && right.expanded) break;
    return (enum CXBinaryOperatorKind)known[i].kind;
  }
  return CXBinaryOperator_Invalid;
}

static enum CXUnaryOperatorKind postfix_kind_of(CXCursor cursor)
{
  struct spelled end = spelled_at(cursor, clang_getRangeEnd(clang_getCursorExtent(cursor)));
  if (!end.text || end.at < 2) return CXUnaryOperator_Invalid;
  const char *word = end.text + end.at - 2;
  return !strncmp(word, "++", 2)   ? CXUnaryOperator_PostInc
         : !strncmp(word, "--", 2) ? CXUnaryOperator_PostDec
                                   : CXUnaryOperator_Invalid;
}

enum CXUnaryOperatorKind unary_kind_of(CXCursor cursor)
{
  static const struct spelling known[] = {{"__extension__", CXUnaryOperator_Extension},
                                          {"++", CXUnaryOperator_PreInc},
                                          {"--", CXUnaryOperator_PreDec},
                                          {"&", CXUnaryOperator_AddrOf},
                                          {"*", CXUnaryOperator_Deref},
                                          {"+", CXUnaryOperator_Plus},
                                          {"-", CXUnaryOperator_Minus},
                                          {"~", CXUnaryOperator_Not},
                                          {"!", CXUnaryOperator_LNot}};
  CXCursor pair[2] = {clang_getNullCursor(), clang_getNullCursor()};
  clang_visitChildren(cursor, collect_two, pair);
  CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(cursor));
  if (clang_equalLocations(start, clang_getRangeStart(clang_getCursorExtent(pair[0]))))
    return postfix_kind_of(cursor);
  struct spelled first = spelled_at(cursor, start);
  for (unsigned i = 0; first.text && i < sizeof known / sizeof *known; i++)
    if (!strncmp(first.text + first.at, known[i].word, strlen(known[i].word)))
      return (enum CXUnaryOperatorKind)known[i].kind;
  return CXUnaryOperator_Invalid;
}

#endif

/* ---- bases ---- */

#ifdef MESI_CLANG_BASES

void visit_bases(CXType type, CXFieldVisitor visit, CXClientData data)
{
  clang_visitCXXBaseClasses(type, visit, data);
}

#else

struct bases {
  CXFieldVisitor visit;
  CXClientData data;
};

static enum CXChildVisitResult visit_base(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct bases *bases = data;
  if (clang_getCursorKind(cursor) != CXCursor_CXXBaseSpecifier) return CXChildVisit_Continue;
  return bases->visit(cursor, bases->data) == CXVisit_Break ? CXChildVisit_Break
                                                            : CXChildVisit_Continue;
}

void visit_bases(CXType type, CXFieldVisitor visit, CXClientData data)
{
  struct bases bases = {visit, data};
  CXCursor declaration = clang_getTypeDeclaration(type);
  CXCursor primary = clang_getSpecializedCursorTemplate(declaration);
  CXCursor from = clang_Cursor_isNull(primary) ? declaration : primary;
  CXCursor definition = clang_getCursorDefinition(from);
  clang_visitChildren(clang_Cursor_isNull(definition) ? from : definition, visit_base, &bases);
}

#endif

/* ---- order ---- */

#ifdef MESI_CLANG_ORDER

bool is_before(CXTranslationUnit tu, CXSourceLocation a, CXSourceLocation b)
{
  (void)tu;
  return clang_isBeforeInTranslationUnit(a, b);
}

#else

enum { DEPTH = 256 };

struct chain { /* a chain of includes, from the main file down; empty: a file of the prelude */
  CXFile files[DEPTH];
  unsigned offsets[DEPTH], count;
};

struct chain_search {
  CXFile wanted;
  struct chain *chain;
};

static void add_link(struct chain *chain, CXSourceLocation at)
{
  if (chain->count >= DEPTH) return;
  clang_getFileLocation(at, &chain->files[chain->count], NULL, NULL, &chain->offsets[chain->count]);
  chain->count += chain->files[chain->count] != NULL;
}

/* The stack begins with the place of the #include in the including file. */
static void visit_inclusion(CXFile included, CXSourceLocation *stack, unsigned depth,
                            CXClientData data)
{
  struct chain_search *search = data;
  if (search->chain->count || !clang_File_isEqual(included, search->wanted)) return;
  for (unsigned i = depth; i > 0; i--) add_link(search->chain, stack[i - 1]);
}

static void chain_of(CXTranslationUnit tu, CXSourceLocation at, struct chain *ret)
{
  CXFile file = NULL, main_file = NULL;
  ret->count = 0;
  clang_getFileLocation(at, &file, NULL, NULL, NULL);
  CXString name = clang_getTranslationUnitSpelling(tu);
  main_file = clang_getFile(tu, clang_getCString(name));
  clang_disposeString(name);
  if (file && !clang_File_isEqual(file, main_file)) {
    clang_getInclusions(tu, visit_inclusion, &(struct chain_search){file, ret});
    if (!ret->count || !clang_File_isEqual(ret->files[0], main_file)) {
      ret->count = 0;
      return;
    }
  }
  add_link(ret, at);
}

bool is_before(CXTranslationUnit tu, CXSourceLocation a, CXSourceLocation b)
{
  struct chain first, second;
  chain_of(tu, a, &first);
  chain_of(tu, b, &second);
  for (unsigned i = 0; i < first.count && i < second.count; i++) {
    if (!clang_File_isEqual(first.files[i], second.files[i])) return false;
    if (first.offsets[i] != second.offsets[i]) return first.offsets[i] < second.offsets[i];
  }
  return !first.count && second.count;
}

#endif
