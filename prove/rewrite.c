/* SPDX-License-Identifier: MIT */
/* rewrite.c - gives each value of a function its parts.
 *
 *     %s = fmul float %x, %y             %s = fmul float %x, %y
 *                                        %s1 = call i64 @prove_mul(i64 %x1, i64 %y1)
 *     store float %s, ptr %p             store float %s, ptr %p
 *                                        call void @prove_store_f32(ptr %p, float %s, i64 %s1)
 *
 * Requires: allocas promoted (sroa), critical edges broken. Blocks are visited in an order with
 * definitions before uses; the parts of phi nodes are filled in at the end. */
#include "rewriter.h"
#include "shadow.h"

#include <stdlib.h>

enum { WORD_BITS = 32 };

/* ---- places ---- */

static LLVMValueRef first_place(LLVMBasicBlockRef block)
{
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (at && (LLVMIsAPHINode(at) || LLVMIsALandingPadInst(at))) at = LLVMGetNextInstruction(at);
  return at;
}

LLVMValueRef behind(LLVMValueRef instruction)
{
  if (LLVMIsAPHINode(instruction)) return first_place(LLVMGetInstructionParent(instruction));
  if (LLVMIsAInvokeInst(instruction)) return first_place(LLVMGetNormalDest(instruction));
  return LLVMGetNextInstruction(instruction);
}

/* ---- moving ---- */

static void rewrite_extract_value(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef aggregate = LLVMGetOperand(i, 0), *parts = parts_of(r, aggregate);
  LLVMTypeRef type = LLVMTypeOf(aggregate);
  for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
    unsigned at = LLVMGetIndices(i)[k];
    parts += part_offset(type, at);
    type = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, at)
                                                       : LLVMGetElementType(type);
  }
  set_parts(r, i, parts);
}

static LLVMValueRef *copy_of_parts(struct rewriter *r, LLVMValueRef value)
{
  unsigned count = part_count(LLVMTypeOf(value));
  LLVMValueRef *copy = malloc((count + 1) * sizeof *copy), *parts = parts_of(r, value);
  for (unsigned i = 0; i < count; i++) copy[i] = parts[i];
  return copy;
}

static void rewrite_insert_value(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef aggregate = LLVMGetOperand(i, 0), element = LLVMGetOperand(i, 1),
               *copy = copy_of_parts(r, aggregate);
  LLVMTypeRef type = LLVMTypeOf(aggregate);
  unsigned offset = 0;
  for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
    unsigned at = LLVMGetIndices(i)[k];
    offset += part_offset(type, at);
    type = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, at)
                                                       : LLVMGetElementType(type);
  }
  LLVMValueRef *from = parts_of(r, element);
  for (unsigned k = 0; k < part_count(LLVMTypeOf(element)); k++) copy[offset + k] = from[k];
  set_parts(r, i, copy);
  free(copy);
}

/* if_equal where the two integers of one type are equal, otherwise the other. */
static LLVMValueRef choose(struct rewriter *r, LLVMValueRef index, unsigned at,
                           LLVMValueRef if_equal, LLVMValueRef otherwise)
{
  LLVMValueRef wanted = LLVMConstInt(LLVMTypeOf(index), at, false);
  LLVMValueRef equal = LLVMBuildICmp(r->builder, LLVMIntEQ, index, wanted, "");
  return LLVMBuildSelect(r->builder, equal, if_equal, otherwise, "");
}

static void rewrite_extract_element(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1),
               *copy = copy_of_parts(r, vector);
  unsigned each = part_count(LLVMTypeOf(i)), lanes = LLVMGetVectorSize(LLVMTypeOf(vector));
  for (unsigned lane = 1; lane < lanes; lane++)
    for (unsigned k = 0; k < each; k++)
      copy[k] = choose(r, index, lane, copy[lane * each + k], copy[k]);
  set_parts(r, i, copy);
  free(copy);
}

static void rewrite_insert_element(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef index = LLVMGetOperand(i, 2), *copy = copy_of_parts(r, LLVMGetOperand(i, 0)),
               *from = parts_of(r, LLVMGetOperand(i, 1));
  unsigned each = part_count(LLVMTypeOf(LLVMGetOperand(i, 1))),
           lanes = LLVMGetVectorSize(LLVMTypeOf(i));
  for (unsigned lane = 0; lane < lanes; lane++)
    for (unsigned k = 0; k < each; k++)
      copy[lane * each + k] = choose(r, index, lane, from[k], copy[lane * each + k]);
  set_parts(r, i, copy);
  free(copy);
}

static void rewrite_shuffle(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef left = LLVMGetOperand(i, 0), *a = copy_of_parts(r, left),
               *b = copy_of_parts(r, LLVMGetOperand(i, 1));
  unsigned lanes = LLVMGetNumMaskElements(i), own = LLVMGetVectorSize(LLVMTypeOf(left));
  unsigned each = part_count(LLVMGetElementType(LLVMTypeOf(left)));
  LLVMValueRef *parts = malloc((lanes * each + 1) * sizeof *parts);
  for (unsigned lane = 0; lane < lanes; lane++) {
    int from = LLVMGetMaskValue(i, lane);
    for (unsigned k = 0; k < each; k++) {
      LLVMValueRef part = constant(r, 0);
      if (from >= 0)
        part = (unsigned)from < own ? a[(unsigned)from * each + k]
                                    : b[((unsigned)from - own) * each + k];
      parts[lane * each + k] = part;
    }
  }
  set_parts(r, i, parts);
  free(parts), free(a), free(b);
}

static void rewrite_select(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef condition = LLVMGetOperand(i, 0), *a = copy_of_parts(r, LLVMGetOperand(i, 1)),
               *b = parts_of(r, LLVMGetOperand(i, 2));
  unsigned count = part_count(LLVMTypeOf(i));
  bool vector = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
  unsigned each = vector ? count / LLVMGetVectorSize(LLVMTypeOf(condition)) : count;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef which =
        vector ? LLVMBuildExtractElement(r->builder, condition, constant32(r, k / each), "")
               : condition;
    a[k] = LLVMBuildSelect(r->builder, which, a[k], b[k], "");
  }
  set_parts(r, i, a);
  free(a);
}

static void rewrite_bitcast(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef from = LLVMGetOperand(i, 0);
  unsigned count;
  if (!part_count(LLVMTypeOf(from))) {
    set_parts_by_value(r, i);
    return;
  }
  LLVMValueRef *words = words_of_parts(r, from, &count);
  set_parts_by_words(r, i, words);
  free(words);
}

/* ---- integers that carry words ---- */

static void rewrite_width(struct rewriter *r, LLVMValueRef i)
{
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(i, 0)), to = LLVMTypeOf(i);
  unsigned count = part_count(to), given = part_count(from);
  LLVMValueRef *source = parts_of(r, LLVMGetOperand(i, 0)),
               *parts = malloc((count + 1) * sizeof *parts);
  bool scalar = LLVMGetTypeKind(to) == LLVMIntegerTypeKind;
  for (unsigned k = 0; k < count; k++) parts[k] = scalar && k < given ? source[k] : constant(r, 0);
  set_parts(r, i, parts);
  free(parts);
}

static void rewrite_shift(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef by = LLVMGetOperand(i, 1), *source = copy_of_parts(r, LLVMGetOperand(i, 0));
  unsigned count = part_count(LLVMTypeOf(i));
  bool whole = LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) % WORD_BITS == 0 &&
               LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
  unsigned words = whole ? (unsigned)(LLVMConstIntGetZExtValue(by) / WORD_BITS) : count;
  bool left = LLVMGetInstructionOpcode(i) == LLVMShl;
  LLVMValueRef *parts = malloc((count + 1) * sizeof *parts);
  for (unsigned k = 0; k < count; k++) {
    bool inside = left ? k >= words : k + words < count;
    parts[k] = inside ? source[left ? k - words : k + words] : constant(r, 0);
  }
  set_parts(r, i, parts);
  free(parts), free(source);
}

static bool all_none(LLVMValueRef *parts, unsigned count)
{
  for (unsigned k = 0; k < count; k++)
    if (!LLVMIsAConstantInt(parts[k]) || LLVMConstIntGetZExtValue(parts[k])) return false;
  return true;
}

static void rewrite_merge(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1), *a = copy_of_parts(r, x),
               *b = parts_of(r, y);
  unsigned count = part_count(LLVMTypeOf(i));
  bool scalar = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind,
       merges = !all_none(a, count) || !all_none(b, count);
  const char *name = LLVMGetInstructionOpcode(i) == LLVMAnd ? "prove_and_word" : "prove_or_word";
  for (unsigned k = 0; k < count; k++) {
    if (!scalar || !merges) {
      a[k] = constant(r, 0);
      continue;
    }
    LLVMValueRef args[] = {word_of(r, x, k), a[k], word_of(r, y, k), b[k]};
    a[k] = helper(r, name, 4, args);
  }
  set_parts(r, i, a);
  free(a);
}

/* The bits of a float as a number, used in one place: the real value decides the result. */
static void look_at_bits(struct rewriter *r, LLVMValueRef i)
{
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    if (!LLVMIsABitCastInst(operand) || !is_real(LLVMTypeOf(LLVMGetOperand(operand, 0)))) continue;
    LLVMValueRef real = LLVMGetOperand(operand, 0),
                 args[] = {as_double(r, real), parts_of(r, real)[0]};
    helper(r, "prove_look", 2, args);
  }
}

/* ---- arithmetic ---- */

static void rewrite_arithmetic(struct rewriter *r, LLVMValueRef i, const char *name)
{
  LLVMValueRef *a = copy_of_parts(r, LLVMGetOperand(i, 0)), *b = parts_of(r, LLVMGetOperand(i, 1));
  for (unsigned k = 0; k < part_count(LLVMTypeOf(i)); k++) {
    LLVMValueRef args[] = {a[k], b[k]};
    a[k] = helper(r, name, 2, args);
  }
  set_parts(r, i, a);
  free(a);
}

static void rewrite_remainder(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef *a = copy_of_parts(r, LLVMGetOperand(i, 0)), *b = parts_of(r, LLVMGetOperand(i, 1));
  for (unsigned k = 0; k < part_count(LLVMTypeOf(i)); k++) {
    LLVMValueRef first[] = {constant(r, field_name("fmod")), a[k]},
                 second[] = {helper(r, "prove_mix", 2, first), b[k]};
    LLVMValueRef hash = helper(r, "prove_mix", 2, second);
    a[k] = helper(r, "prove_hash", 1, &hash);
  }
  set_parts(r, i, a);
  free(a);
}

static void rewrite_negation(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef *a = copy_of_parts(r, LLVMGetOperand(i, 0));
  for (unsigned k = 0; k < part_count(LLVMTypeOf(i)); k++) a[k] = helper(r, "prove_neg", 1, &a[k]);
  set_parts(r, i, a);
  free(a);
}

static void rewrite_comparison(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
  struct leaves a, b;
  if (!part_count(LLVMTypeOf(x))) return;
  leaves_of(r, x, &a);
  leaves_of(r, y, &b);
  for (unsigned k = 0; k < a.count; k++) {
    LLVMValueRef args[] = {as_double(r, a.items[k].real), parts_of(r, x)[k],
                           as_double(r, b.items[k].real), parts_of(r, y)[k],
                           closeness(r, LLVMTypeOf(a.items[k].real))};
    helper(r, "prove_compare", 5, args);
  }
  free(a.items), free(b.items);
}

static void rewrite_to_integer(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef x = LLVMGetOperand(i, 0);
  struct leaves leaves;
  leaves_of(r, x, &leaves);
  for (unsigned k = 0; k < leaves.count; k++) {
    LLVMValueRef args[] = {as_double(r, leaves.items[k].real), parts_of(r, x)[k],
                           closeness(r, LLVMTypeOf(leaves.items[k].real))};
    helper(r, "prove_convert", 3, args);
  }
  free(leaves.items);
}

/* float to double and back; a value of another type gets the element of its number. */
static void rewrite_precision(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef from = LLVMGetOperand(i, 0);
  if (part_count(LLVMTypeOf(from)))
    set_parts(r, i, parts_of(r, from));
  else
    set_parts_by_value(r, i);
}

/* ---- atomic operations ---- */

static void rewrite_exchange(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef place = LLVMGetOperand(i, 0), desired = LLVMGetOperand(i, 2);
  unsigned count = part_count(LLVMTypeOf(desired));
  LLVMValueRef old = LLVMBuildExtractValue(r->builder, i, 0, ""),
               done = LLVMBuildExtractValue(r->builder, i, 1, "");
  if (!count || LLVMGetTypeKind(LLVMTypeOf(desired)) != LLVMIntegerTypeKind) return;
  load_parts(r, old, place);
  set_parts(r, i, parts_of(r, old)); /* the flag has no parts */
  LLVMValueRef *parts = parts_of(r, desired), flag = LLVMBuildZExt(r->builder, done, r->i32, "");
  for (unsigned w = 0; w < count; w++) {
    LLVMValueRef args[] = {offset_pointer(r, place, 4 * w), flag, word_of(r, desired, w), parts[w]};
    helper(r, "prove_exchange_word", 4, args);
  }
}

static void rewrite_update_of_real(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef place = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1);
  LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(i);
  LLVMValueRef now = LLVMBuildLoad2(r->builder, LLVMTypeOf(i), place, ""),
               args[] = {parts_of(r, i)[0], parts_of(r, operand)[0]};
  LLVMSetVolatile(now, true);
  if (operation == LLVMAtomicRMWBinOpXchg)
    set_parts(r, now, &args[1]);
  else if (operation == LLVMAtomicRMWBinOpFAdd || operation == LLVMAtomicRMWBinOpFSub)
    args[0] = helper(r, operation == LLVMAtomicRMWBinOpFAdd ? "prove_add" : "prove_sub", 2, args),
    set_parts(r, now, args);
  else
    set_parts_by_value(r, now);
  store_parts(r, now, place);
}

static void rewrite_update(struct rewriter *r, LLVMValueRef i)
{
  LLVMValueRef place = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1);
  unsigned count = part_count(LLVMTypeOf(i));
  if (!count) return;
  load_parts(r, i, place);
  if (is_real(LLVMTypeOf(i))) {
    rewrite_update_of_real(r, i);
    return;
  }
  if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind) return;
  for (unsigned w = 0; w < count; w++) {
    LLVMValueRef args[] = {offset_pointer(r, place, 4 * w), word_of(r, i, w),
                           word_of(r, operand, w), parts_of(r, operand)[w]};
    helper(r, "prove_update_word", 4, args);
  }
}

/* ---- instructions ---- */

static void rewrite_phi(struct rewriter *r, LLVMValueRef i)
{
  unsigned count = part_count(LLVMTypeOf(i));
  LLVMValueRef *parts = malloc((count + 1) * sizeof *parts);
  LLVMPositionBuilderBefore(r->builder, i);
  for (unsigned k = 0; k < count; k++) parts[k] = LLVMBuildPhi(r->builder, r->i64, "");
  set_parts(r, i, parts);
  free(parts);
}

static void fill_phi(struct rewriter *r, LLVMValueRef i)
{
  for (unsigned k = 0; k < part_count(LLVMTypeOf(i)); k++)
    for (unsigned from = 0; from < LLVMCountIncoming(i); from++) {
      LLVMValueRef part = parts_of(r, LLVMGetIncomingValue(i, from))[k];
      LLVMBasicBlockRef block = LLVMGetIncomingBlock(i, from);
      LLVMAddIncoming(parts_of(r, i)[k], &part, &block, 1);
    }
}

/* Computed integers are no floats; only operations that move words are followed. */
static void rewrite_value(struct rewriter *r, LLVMValueRef i, LLVMOpcode opcode)
{
  switch (opcode) {
  case LLVMFAdd: rewrite_arithmetic(r, i, "prove_add"); break;
  case LLVMFSub: rewrite_arithmetic(r, i, "prove_sub"); break;
  case LLVMFMul: rewrite_arithmetic(r, i, "prove_mul"); break;
  case LLVMFDiv: rewrite_arithmetic(r, i, "prove_div"); break;
  case LLVMFRem: rewrite_remainder(r, i); break;
  case LLVMFNeg: rewrite_negation(r, i); break;
  case LLVMFPExt:
  case LLVMFPTrunc: rewrite_precision(r, i); break;
  case LLVMLoad: load_parts(r, i, LLVMGetOperand(i, 0)); break;
  case LLVMSelect: rewrite_select(r, i); break;
  case LLVMBitCast: rewrite_bitcast(r, i); break;
  case LLVMFreeze: set_parts(r, i, parts_of(r, LLVMGetOperand(i, 0))); break;
  case LLVMExtractValue: rewrite_extract_value(r, i); break;
  case LLVMInsertValue: rewrite_insert_value(r, i); break;
  case LLVMExtractElement: rewrite_extract_element(r, i); break;
  case LLVMInsertElement: rewrite_insert_element(r, i); break;
  case LLVMShuffleVector: rewrite_shuffle(r, i); break;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt: rewrite_width(r, i); break;
  case LLVMShl:
  case LLVMLShr: rewrite_shift(r, i); break;
  case LLVMAdd:
  case LLVMOr:
  case LLVMXor:
  case LLVMAnd: rewrite_merge(r, i); break;
  default: set_parts_by_value(r, i); break;
  }
}

static void rewrite_instruction(struct rewriter *r, LLVMValueRef i)
{
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMValueRef after = behind(i);
  LLVMPositionBuilderBefore(r->builder, i);
  switch (opcode) {
  case LLVMPHI: return;
  case LLVMRet: rewrite_return(r, i); return;
  case LLVMFCmp: rewrite_comparison(r, i); return;
  case LLVMCall:
  case LLVMInvoke: rewrite_call(r, i, false); break;
  case LLVMFPToSI:
  case LLVMFPToUI: rewrite_to_integer(r, i); break;
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMICmp: look_at_bits(r, i); break;
  default: break;
  }
  if (!after) return;
  LLVMPositionBuilderBefore(r->builder, after);
  if (opcode == LLVMCall || opcode == LLVMInvoke)
    rewrite_call(r, i, true);
  else if (opcode == LLVMStore)
    store_parts(r, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
  else if (opcode == LLVMAtomicCmpXchg)
    rewrite_exchange(r, i);
  else if (opcode == LLVMAtomicRMW)
    rewrite_update(r, i);
  else if (part_count(LLVMTypeOf(i)))
    rewrite_value(r, i, opcode);
}

/* ---- the order of blocks ---- */

struct order {
  LLVMBasicBlockRef *blocks; /* filled from the end: reverse postorder */
  unsigned at;
  LLVMBasicBlockRef *all;
  bool *seen;
  unsigned count;
};

static int by_address(const void *left, const void *right)
{
  uintptr_t a = (uintptr_t) * (const LLVMBasicBlockRef *)left,
            b = (uintptr_t) * (const LLVMBasicBlockRef *)right;
  return (a > b) - (a < b);
}

static unsigned index_of(const struct order *order, LLVMBasicBlockRef block)
{
  LLVMBasicBlockRef *found = bsearch(&block, order->all, order->count, sizeof block, by_address);
  return (unsigned)(found - order->all);
}

/* The walk has a stack of its own: functions may have thousands of blocks. */
static void visit(struct order *order, LLVMBasicBlockRef entry)
{
  struct {
    LLVMBasicBlockRef block;
    unsigned next;
  } *stack = malloc((order->count + 1) * sizeof *stack);
  unsigned depth = 0;
  order->seen[index_of(order, entry)] = true;
  stack[depth].block = entry, stack[depth++].next = 0;
  while (depth) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(stack[depth - 1].block);
    if (stack[depth - 1].next == LLVMGetNumSuccessors(end)) {
      order->blocks[--order->at] = stack[--depth].block;
      continue;
    }
    LLVMBasicBlockRef successor = LLVMGetSuccessor(end, stack[depth - 1].next++);
    if (order->seen[index_of(order, successor)]) continue;
    order->seen[index_of(order, successor)] = true;
    stack[depth].block = successor, stack[depth++].next = 0;
  }
  free(stack);
}

static struct order order_of(LLVMValueRef function)
{
  struct order order = {.count = LLVMCountBasicBlocks(function)};
  order.at = order.count;
  order.all = calloc(order.count, sizeof *order.all);
  order.blocks = calloc(order.count, sizeof *order.blocks);
  order.seen = calloc(order.count, sizeof *order.seen);
  LLVMGetBasicBlocks(function, order.all);
  qsort(order.all, order.count, sizeof *order.all, by_address);
  visit(&order, LLVMGetEntryBasicBlock(function));
  return order;
}

/* The original instructions of a block, without those that are added. */
static LLVMValueRef *instructions_of(LLVMBasicBlockRef block, unsigned *ret_count)
{
  unsigned count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) count++;
  LLVMValueRef *list = malloc((count + 1) * sizeof *list);
  *ret_count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    list[(*ret_count)++] = i;
  return list;
}

void rewrite_function(struct rewriter *r, LLVMValueRef function)
{
  struct order order = order_of(function);
  unsigned reached = order.count - order.at;
  LLVMValueRef **lists = calloc(reached + 1, sizeof *lists);
  unsigned *counts = calloc(reached + 1, sizeof *counts);
  for (unsigned b = 0; b < reached; b++)
    lists[b] = instructions_of(order.blocks[order.at + b], &counts[b]);
  LLVMPositionBuilderBefore(r->builder, first_place(LLVMGetEntryBasicBlock(function)));
  rewrite_entry(r, function);
  for (unsigned b = 0; b < reached; b++)
    for (unsigned i = 0; i < counts[b] && LLVMIsAPHINode(lists[b][i]); i++)
      rewrite_phi(r, lists[b][i]);
  for (unsigned b = 0; b < reached; b++)
    for (unsigned i = 0; i < counts[b]; i++) rewrite_instruction(r, lists[b][i]);
  for (unsigned b = 0; b < reached; b++)
    for (unsigned i = 0; i < counts[b] && LLVMIsAPHINode(lists[b][i]); i++)
      fill_phi(r, lists[b][i]);
  for (unsigned b = 0; b < reached; b++) free(lists[b]);
  free(lists), free(counts), free(order.all), free(order.blocks), free(order.seen);
  forget_parts(r);
}
