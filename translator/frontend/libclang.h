/* SPDX-License-Identifier: MIT */
/* libclang.h - libclang 16 to 22: functions that older versions lack are in libclang.c.
 *
 * Meson defines MESI_CLANG_OPERATORS (since 17), MESI_CLANG_BASES and MESI_CLANG_ORDER (since 20)
 * where the linked library has the functions. */
#ifndef MESI_FRONTEND_LIBCLANG_H
#define MESI_FRONTEND_LIBCLANG_H

#include <clang-c/Index.h>
#include <stdbool.h>

#ifndef MESI_CLANG_OPERATORS
enum CXBinaryOperatorKind { /* in the order of libclang 17 */
                            CXBinaryOperator_Invalid,
                            CXBinaryOperator_PtrMemD,
                            CXBinaryOperator_PtrMemI,
                            CXBinaryOperator_Mul,
                            CXBinaryOperator_Div,
                            CXBinaryOperator_Rem,
                            CXBinaryOperator_Add,
                            CXBinaryOperator_Sub,
                            CXBinaryOperator_Shl,
                            CXBinaryOperator_Shr,
                            CXBinaryOperator_Cmp,
                            CXBinaryOperator_LT,
                            CXBinaryOperator_GT,
                            CXBinaryOperator_LE,
                            CXBinaryOperator_GE,
                            CXBinaryOperator_EQ,
                            CXBinaryOperator_NE,
                            CXBinaryOperator_And,
                            CXBinaryOperator_Xor,
                            CXBinaryOperator_Or,
                            CXBinaryOperator_LAnd,
                            CXBinaryOperator_LOr,
                            CXBinaryOperator_Assign,
                            CXBinaryOperator_MulAssign,
                            CXBinaryOperator_DivAssign,
                            CXBinaryOperator_RemAssign,
                            CXBinaryOperator_AddAssign,
                            CXBinaryOperator_SubAssign,
                            CXBinaryOperator_ShlAssign,
                            CXBinaryOperator_ShrAssign,
                            CXBinaryOperator_AndAssign,
                            CXBinaryOperator_XorAssign,
                            CXBinaryOperator_OrAssign,
                            CXBinaryOperator_Comma
};
enum CXUnaryOperatorKind {
  CXUnaryOperator_Invalid,
  CXUnaryOperator_PostInc,
  CXUnaryOperator_PostDec,
  CXUnaryOperator_PreInc,
  CXUnaryOperator_PreDec,
  CXUnaryOperator_AddrOf,
  CXUnaryOperator_Deref,
  CXUnaryOperator_Plus,
  CXUnaryOperator_Minus,
  CXUnaryOperator_Not,
  CXUnaryOperator_LNot,
  CXUnaryOperator_Real,
  CXUnaryOperator_Imag,
  CXUnaryOperator_Extension,
  CXUnaryOperator_Coawait
};
#endif

/* The operator of an expression; Invalid: it is not known, and nobody may rely on it. */
enum CXBinaryOperatorKind binary_kind_of(CXCursor);
enum CXUnaryOperatorKind unary_kind_of(CXCursor);
/* Calls `visit` for each direct base class, until it breaks. Before libclang 20 the bases of an
 * instance of a template are those of the template. */
void visit_bases(CXType, CXFieldVisitor visit, CXClientData);
/* By the order of the translation unit, with headers in the places of their includes. */
bool is_before(CXTranslationUnit, CXSourceLocation, CXSourceLocation);

#endif
