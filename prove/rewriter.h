/* SPDX-License-Identifier: MIT */
/* rewriter.h - the state of the instrumenting tool, and the parts of values.
 *
 *   float x            one part: its field element
 *   i64 n              two parts, one for each word: tagged elements (shadow.h), 0 for a word that
 *                      is no float
 *   { <2 x float>, i32 }   three parts, in the order of memory
 *   ptr, i8, half, x86_fp80    no parts
 *
 * A part is an i64 value of the module. A value without parts here gets the element of its number
 * when it enters the field again.
 */
#ifndef MESI_PROVE_REWRITER_H
#define MESI_PROVE_REWRITER_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

struct shadowed { /* a value with its parts */
  LLVMValueRef value;
  LLVMValueRef *parts; /* owned */
  unsigned count;
};

struct rewriter {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMModuleRef helpers; /* declares the functions that instrumented code calls */
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  LLVMTypeRef i32, i64, f32, f64;
  bool inputs;            /* host stores of this module may be inputs of the program */
  struct shadowed *table; /* of the current function, by hash of the value */
  size_t used, room;      /* room is a power of two */
};

enum leaf_kind { LEAF_F32, LEAF_F64, LEAF_INT };

struct leaf { /* a scalar of a value */
  enum leaf_kind kind;
  unsigned words;    /* LEAF_INT: parts */
  LLVMValueRef real; /* the scalar, extracted; NULL: only types were requested */
  uint64_t offset;   /* in memory, bytes */
};

struct leaves {
  struct leaf *items; /* owned */
  unsigned count, room;
};

/* ---- values and parts (parts.c) ---- */

unsigned part_count(LLVMTypeRef);
bool is_real(LLVMTypeRef); /* float or double */
/* First part of the element of an aggregate or vector. */
unsigned part_offset(LLVMTypeRef, unsigned element);
/* The scalars of a value that have parts; extracts them at the builder's place. The caller frees
 * `items`. */
void leaves_of(struct rewriter *, LLVMValueRef, struct leaves *ret);
/* Word `at` of an integer as i32. */
LLVMValueRef word_of(struct rewriter *, LLVMValueRef integer, unsigned at);
LLVMValueRef constant(const struct rewriter *, uint64_t);
LLVMValueRef constant32(const struct rewriter *, uint32_t);
/* The parts of a constant, or the parts set before; zeros where there are none. Valid until the
 * function ends. */
LLVMValueRef *parts_of(struct rewriter *, LLVMValueRef);
/* Copies `parts`. */
void set_parts(struct rewriter *, LLVMValueRef, const LLVMValueRef *parts);
void forget_parts(struct rewriter *);
/* A call of one of the functions of helpers.c. */
LLVMValueRef helper(struct rewriter *, const char *name, unsigned count, LLVMValueRef *args);
LLVMValueRef as_double(struct rewriter *, LLVMValueRef real);
LLVMValueRef offset_pointer(struct rewriter *, LLVMValueRef pointer, uint64_t bytes);
LLVMValueRef tagged(struct rewriter *, unsigned tag, LLVMValueRef element);
/* The relative difference that counts as close in comparisons of this type. */
LLVMValueRef closeness(struct rewriter *, LLVMTypeRef);
/* Sets the parts to the element of the value, where they are not known. */
void set_parts_by_value(struct rewriter *, LLVMValueRef);
void load_parts(struct rewriter *, LLVMValueRef value, LLVMValueRef pointer);
void store_parts(struct rewriter *, LLVMValueRef value, LLVMValueRef pointer);
/* The parts of `value` as one tagged word for each 4 bytes, and back. The caller frees the result.
 */
LLVMValueRef *words_of_parts(struct rewriter *, LLVMValueRef value, unsigned *ret_count);
void set_parts_by_words(struct rewriter *, LLVMValueRef value, LLVMValueRef *words);

/* ---- instructions ---- */

/* calls.c: the builder is after the call with `after`, otherwise before it. */
void rewrite_call(struct rewriter *, LLVMValueRef call, bool after);
void rewrite_entry(struct rewriter *, LLVMValueRef function);
void rewrite_return(struct rewriter *, LLVMValueRef instruction);
/* math.c: true: the callee is a known function of numbers, and the parts are set. */
bool rewrite_math(struct rewriter *, LLVMValueRef call, const char *callee);
/* rewrite.c */
void rewrite_function(struct rewriter *, LLVMValueRef function);
/* The instruction before which code after the given one goes. NULL: there is none. */
LLVMValueRef behind(LLVMValueRef instruction);

#endif
