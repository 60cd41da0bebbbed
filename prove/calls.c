/* SPDX-License-Identifier: MIT */
/* calls.c - arguments and results: through slots between instrumented functions, with copies of
 * cells for memory. */
#include "rewriter.h"
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

static unsigned kind_of(const char *attribute)
{
  return LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
}

/* ---- slots ---- */

/* The slots of a value: one for each real number, and one for each word of an integer. */
static unsigned slots_of(LLVMTypeRef type, bool by_value)
{
  return by_value ? 1 : part_count(type);
}

static void give_value(struct rewriter *r, LLVMValueRef value, unsigned at, const char *how)
{
  struct leaves leaves;
  leaves_of(r, value, &leaves);
  LLVMValueRef *from = parts_of(r, value);
  for (unsigned i = 0; i < leaves.count; i++) {
    struct leaf *leaf = &leaves.items[i];
    for (unsigned w = 0; w < leaf->words; w++, from++) {
      LLVMValueRef bits, element = *from;
      if (leaf->kind == LEAF_INT)
        bits = word_of(r, leaf->real, w);
      else
        bits =
            LLVMBuildBitCast(r->builder, leaf->real, leaf->kind == LEAF_F32 ? r->i32 : r->i64, "");
      if (leaf->kind != LEAF_INT)
        element = tagged(r, leaf->kind == LEAF_F32 ? TAG_F32 : TAG_F64_LOW, element);
      LLVMValueRef args[] = {constant32(r, at++), LLVMBuildZExt(r->builder, bits, r->i64, ""),
                             element};
      helper(r, how, 3, args);
    }
  }
  free(leaves.items);
}

static void take_value(struct rewriter *r, LLVMValueRef value, unsigned at, bool result)
{
  static const char *const names[2][3] = {
      {"prove_taken_f32", "prove_taken_f64", "prove_taken_word"},
      {"prove_returned_f32", "prove_returned_f64", "prove_returned_word"}};
  struct leaves leaves;
  leaves_of(r, value, &leaves);
  LLVMValueRef *parts = malloc((part_count(LLVMTypeOf(value)) + 1) * sizeof *parts), *into = parts;
  for (unsigned i = 0; i < leaves.count; i++) {
    struct leaf *leaf = &leaves.items[i];
    for (unsigned w = 0; w < leaf->words; w++) {
      LLVMValueRef args[] = {constant32(r, at++), leaf->real};
      if (leaf->kind == LEAF_INT) args[1] = word_of(r, leaf->real, w);
      *into++ = helper(r, names[result][leaf->kind], 2, args);
    }
  }
  set_parts(r, value, parts);
  free(parts);
  free(leaves.items);
}

/* ---- callers ---- */

static LLVMAttributeRef by_value_of_call(LLVMValueRef call, unsigned argument)
{
  return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind_of("byval"));
}

static void pass_arguments(struct rewriter *r, LLVMValueRef call)
{
  unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call)), at = 0;
  for (unsigned i = 0; i < fixed && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef value = LLVMGetOperand(call, i);
    bool by_value = by_value_of_call(call, i) != NULL;
    unsigned slots = slots_of(LLVMTypeOf(value), by_value);
    if (!slots || at + slots > SLOTS) continue;
    LLVMValueRef args[] = {constant32(r, at), value};
    if (by_value)
      helper(r, "prove_pass_memory", 2, args);
    else
      give_value(r, value, at, "prove_pass");
    at += slots;
  }
}

/* Empties the slots before a call: results of an uninstrumented callee have no elements. */
static void empty_results(struct rewriter *r, LLVMTypeRef type)
{
  unsigned slots = part_count(type);
  for (unsigned i = 0; i < slots && slots <= SLOTS; i++) {
    LLVMValueRef args[] = {constant32(r, i), constant(r, 0), constant(r, 0)};
    helper(r, "prove_return", 3, args);
  }
}

static LLVMValueRef as_bytes(struct rewriter *r, LLVMValueRef count)
{
  return LLVMBuildZExtOrBitCast(r->builder, count, r->i64, "");
}

/* memcpy, memmove and memset, as intrinsics or by name. */
static bool rewrite_memory(struct rewriter *r, LLVMValueRef call, const char *callee)
{
  bool intrinsic = !strncmp(callee, "llvm.mem", 8);
  const char *name = intrinsic ? callee + 5 : callee;
  bool copies = intrinsic ? !strncmp(name, "memcpy", 6) || !strncmp(name, "memmove", 7)
                          : !strcmp(name, "memcpy") || !strcmp(name, "memmove");
  bool sets = intrinsic ? !strncmp(name, "memset", 6) : !strcmp(name, "memset");
  if (!copies && !sets) return false;
  LLVMValueRef to = LLVMGetOperand(call, 0), bytes = as_bytes(r, LLVMGetOperand(call, 2));
  LLVMValueRef copy[] = {to, LLVMGetOperand(call, 1), bytes}, clear[] = {to, bytes};
  if (copies)
    helper(r, "prove_moved", 3, copy);
  else
    helper(r, "prove_filled", 2, clear);
  return true;
}

static const char *name_of_callee(LLVMValueRef call)
{
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool is_plain_call(LLVMValueRef call, const char *callee)
{
  return !LLVMIsAInlineAsm(LLVMGetCalledValue(call)) && strncmp(callee, "llvm.", 5) != 0;
}

static bool must_tail(LLVMValueRef call)
{
  return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

/* sincos(x, &s, &c) and sincosf. */
static bool rewrite_sincos(struct rewriter *r, LLVMValueRef call, const char *callee)
{
  bool single = !strcmp(callee, "sincosf");
  if (!single && strcmp(callee, "sincos")) return false;
  static const char *const names[] = {"sin", "cos"};
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef mixed[] = {constant(r, field_name(names[i])),
                            parts_of(r, LLVMGetOperand(call, 0))[0]};
    LLVMValueRef hash = helper(r, "prove_mix", 2, mixed), place = LLVMGetOperand(call, 1 + i);
    LLVMValueRef real = LLVMBuildLoad2(r->builder, single ? r->f32 : r->f64, place, "");
    LLVMValueRef args[] = {place, real, helper(r, "prove_hash", 1, &hash)};
    helper(r, single ? "prove_store_f32" : "prove_store_f64", 3, args);
  }
  return true;
}

void rewrite_call(struct rewriter *r, LLVMValueRef call, bool after)
{
  const char *callee = name_of_callee(call);
  bool plain = is_plain_call(call, callee);
  LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                  kind_of("memory"));
  if (!after) {
    if (!plain) return;
    pass_arguments(r, call);
    empty_results(r, LLVMTypeOf(call));
    return;
  }
  if (must_tail(call) || rewrite_memory(r, call, callee) || rewrite_sincos(r, call, callee)) {
    if (part_count(LLVMTypeOf(call))) set_parts_by_value(r, call);
    return;
  }
  if (!part_count(LLVMTypeOf(call)) && strncmp(callee, "llvm.", 5)) return;
  if (rewrite_math(r, call, callee)) return;
  if (plain && part_count(LLVMTypeOf(call)) <= SLOTS)
    take_value(r, call, 0, true);
  else if (part_count(LLVMTypeOf(call)))
    set_parts_by_value(r, call);
}

/* ---- callees ---- */

void rewrite_entry(struct rewriter *r, LLVMValueRef function)
{
  unsigned at = 0;
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef value = LLVMGetParam(function, i);
    LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(function, i + 1, kind_of("byval"));
    unsigned slots = slots_of(LLVMTypeOf(value), by_value != NULL);
    if (!slots) continue;
    if (at + slots > SLOTS) {
      set_parts_by_value(r, value);
      continue;
    }
    if (by_value) {
      uint64_t bytes = LLVMABISizeOfType(r->layout, LLVMGetTypeAttributeValue(by_value));
      LLVMValueRef args[] = {constant32(r, at), value, constant(r, bytes)};
      helper(r, "prove_take_memory", 3, args);
    } else {
      take_value(r, value, at, false);
    }
    at += slots;
  }
}

void rewrite_return(struct rewriter *r, LLVMValueRef instruction)
{
  if (!LLVMGetNumOperands(instruction)) return;
  LLVMValueRef value = LLVMGetOperand(instruction, 0),
               before = LLVMGetPreviousInstruction(instruction);
  if (before && LLVMIsACallInst(before) && must_tail(before)) return;
  if (part_count(LLVMTypeOf(value)) <= SLOTS) give_value(r, value, 0, "prove_return");
}
