/* SPDX-License-Identifier: MIT */
/* parts.c - the parts of types and values, and the code that moves parts between values and
 * memory. */
#include "rewriter.h"
#include "shadow.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORD_BITS = 32, INTEGER_WORDS_MOST = 4, ROOM_AT_FIRST = 256 };

/* ---- types ---- */

bool is_real(LLVMTypeRef type)
{
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static unsigned integer_words(LLVMTypeRef type)
{
  unsigned width = LLVMGetIntTypeWidth(type);
  return width % WORD_BITS == 0 && width / WORD_BITS <= INTEGER_WORDS_MOST ? width / WORD_BITS : 0;
}

static unsigned element_count(LLVMTypeRef type)
{
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind: return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind: return (unsigned)LLVMGetArrayLength2(type);
  case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
  default: return 0;
  }
}

static LLVMTypeRef element_type(LLVMTypeRef type, unsigned at)
{
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, at)
                                                     : LLVMGetElementType(type);
}

unsigned part_offset(LLVMTypeRef type, unsigned element)
{
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return element * part_count(LLVMGetElementType(type));
  unsigned sum = 0;
  for (unsigned i = 0; i < element; i++) sum += part_count(LLVMStructGetTypeAtIndex(type, i));
  return sum;
}

unsigned part_count(LLVMTypeRef type)
{
  switch (LLVMGetTypeKind(type)) {
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind: return 1;
  case LLVMIntegerTypeKind: return integer_words(type);
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind: return part_offset(type, element_count(type));
  default: return 0;
  }
}

/* ---- the scalars of a value ---- */

static uint64_t element_bytes(struct rewriter *r, LLVMTypeRef type, unsigned at)
{
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) return LLVMOffsetOfElement(r->layout, type, at);
  return at * LLVMABISizeOfType(r->layout, LLVMGetElementType(type));
}

static LLVMValueRef extract(struct rewriter *r, LLVMValueRef value, unsigned at)
{
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
    return LLVMBuildExtractElement(r->builder, value, constant32(r, at), "");
  return LLVMBuildExtractValue(r->builder, value, at, "");
}

static void collect_leaves(struct rewriter *r, LLVMValueRef value, uint64_t offset,
                           struct leaves *leaves)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned parts = part_count(type);
  if (!parts) return;
  if (is_real(type) || kind == LLVMIntegerTypeKind) {
    if (leaves->count == leaves->room) {
      leaves->room = leaves->room ? 2 * leaves->room : 8;
      leaves->items = realloc(leaves->items, leaves->room * sizeof *leaves->items);
    }
    enum leaf_kind leaf = kind == LLVMFloatTypeKind    ? LEAF_F32
                          : kind == LLVMDoubleTypeKind ? LEAF_F64
                                                       : LEAF_INT;
    leaves->items[leaves->count++] = (struct leaf){leaf, parts, value, offset};
    return;
  }
  for (unsigned i = 0; i < element_count(type); i++)
    if (part_count(element_type(type, i)))
      collect_leaves(r, extract(r, value, i), offset + element_bytes(r, type, i), leaves);
}

void leaves_of(struct rewriter *r, LLVMValueRef value, struct leaves *ret)
{
  *ret = (struct leaves){0};
  collect_leaves(r, value, 0, ret);
}

LLVMValueRef word_of(struct rewriter *r, LLVMValueRef integer, unsigned at)
{
  LLVMTypeRef type = LLVMTypeOf(integer);
  LLVMValueRef shifted =
      at ? LLVMBuildLShr(r->builder, integer, LLVMConstInt(type, at * WORD_BITS, false), "")
         : integer;
  return LLVMBuildTrunc(r->builder, shifted, r->i32, "");
}

/* ---- constants and helpers ---- */

LLVMValueRef constant(const struct rewriter *r, uint64_t value)
{
  return LLVMConstInt(r->i64, value, false);
}
LLVMValueRef constant32(const struct rewriter *r, uint32_t value)
{
  return LLVMConstInt(r->i32, value, false);
}

/* The attributes tell what a call may read and write, so that calls with unused results are
 * removed. */
static LLVMValueRef declare(struct rewriter *r, LLVMValueRef helper, const char *name)
{
  LLVMValueRef function = LLVMAddFunction(r->module, name, LLVMGlobalGetValueType(helper));
  unsigned count =
      LLVMGetAttributeCountAtIndex(helper, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  LLVMAttributeRef *attributes = malloc((count + 1) * sizeof *attributes);
  LLVMGetAttributesAtIndex(helper, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attributes);
  for (unsigned i = 0; i < count; i++)
    if (LLVMIsEnumAttribute(attributes[i]))
      LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                              attributes[i]);
  free(attributes);
  return function;
}

LLVMValueRef helper(struct rewriter *r, const char *name, unsigned count, LLVMValueRef *args)
{
  LLVMValueRef function = LLVMGetNamedFunction(r->module, name),
               known = LLVMGetNamedFunction(r->helpers, name);
  if (!function && known) function = declare(r, known, name);
  if (!function) {
    fprintf(stderr, "mesi-instrument: there is no %s\n", name);
    abort();
  }
  return LLVMBuildCall2(r->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

LLVMValueRef as_double(struct rewriter *r, LLVMValueRef real)
{
  return LLVMTypeOf(real) == r->f64 ? real : LLVMBuildFPExt(r->builder, real, r->f64, "");
}

LLVMValueRef offset_pointer(struct rewriter *r, LLVMValueRef pointer, uint64_t bytes)
{
  LLVMValueRef index = constant(r, bytes);
  return bytes
             ? LLVMBuildGEP2(r->builder, LLVMInt8TypeInContext(r->context), pointer, &index, 1, "")
             : pointer;
}

LLVMValueRef tagged(struct rewriter *r, unsigned tag, LLVMValueRef element)
{
  return LLVMBuildOr(r->builder, element, constant(r, TAGGED(tag, 0)), "");
}

LLVMValueRef closeness(struct rewriter *r, LLVMTypeRef type)
{
  return LLVMConstReal(r->f64, type == r->f32 ? 1e-4 : 1e-6);
}

/* ---- the table of parts ---- */

static size_t place_of(const struct rewriter *r, LLVMValueRef value)
{
  size_t at = (size_t)field_mix(7, (uint64_t)(uintptr_t)value) & (r->room - 1);
  while (r->table[at].value && r->table[at].value != value) at = (at + 1) & (r->room - 1);
  return at;
}

static void grow(struct rewriter *r)
{
  struct shadowed *old = r->table;
  size_t count = r->room;
  r->room = count ? 2 * count : ROOM_AT_FIRST;
  r->table = calloc(r->room, sizeof *r->table);
  for (size_t i = 0; i < count; i++)
    if (old[i].value) r->table[place_of(r, old[i].value)] = old[i];
  free(old);
}

static LLVMValueRef *enter(struct rewriter *r, LLVMValueRef value, unsigned count)
{
  if (2 * r->used >= r->room) grow(r);
  struct shadowed *entry = &r->table[place_of(r, value)];
  if (!entry->value) {
    *entry = (struct shadowed){value, malloc((count + 1) * sizeof *entry->parts), count};
    r->used++;
  }
  return entry->parts;
}

void set_parts(struct rewriter *r, LLVMValueRef value, const LLVMValueRef *parts)
{
  unsigned count = part_count(LLVMTypeOf(value));
  LLVMValueRef *into = enter(r, value, count);
  for (unsigned i = 0; i < count; i++) into[i] = parts[i];
}

void forget_parts(struct rewriter *r)
{
  for (size_t i = 0; i < r->room; i++) free(r->table[i].parts);
  free(r->table);
  r->table = NULL;
  r->used = r->room = 0;
}

static uint64_t element_of_constant(LLVMValueRef value)
{
  LLVMBool loses;
  return LLVMIsAConstantFP(value) ? field_of(LLVMConstRealGetDouble(value, &loses)) : 0;
}

static LLVMValueRef *fill_constant(struct rewriter *r, LLVMValueRef value, LLVMValueRef *into)
{
  LLVMTypeRef type = value ? LLVMTypeOf(value) : NULL;
  unsigned elements = element_count(type), parts = part_count(type);
  if (!parts) return into;
  if (is_real(type)) {
    *into = constant(r, element_of_constant(value));
    return into + 1;
  }
  for (unsigned i = 0; !elements && i < parts; i++) into[i] = constant(r, 0);
  if (!elements) return into + parts;
  for (unsigned i = 0; i < elements; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(value, i);
    into = fill_constant(r, element ? element : LLVMConstNull(element_type(type, i)), into);
  }
  return into;
}

LLVMValueRef *parts_of(struct rewriter *r, LLVMValueRef value)
{
  unsigned count = part_count(LLVMTypeOf(value));
  if (r->room) {
    struct shadowed *entry = &r->table[place_of(r, value)];
    if (entry->value) return entry->parts;
  }
  LLVMValueRef *parts = enter(r, value, count);
  if (LLVMIsConstant(value))
    fill_constant(r, value, parts);
  else
    for (unsigned i = 0; i < count; i++) parts[i] = constant(r, 0);
  return parts;
}

/* ---- memory ---- */

void set_parts_by_value(struct rewriter *r, LLVMValueRef value)
{
  struct leaves leaves;
  leaves_of(r, value, &leaves);
  LLVMValueRef *into = enter(r, value, part_count(LLVMTypeOf(value)));
  for (unsigned i = 0; i < leaves.count; i++) {
    struct leaf *leaf = &leaves.items[i];
    LLVMValueRef real = leaf->kind == LEAF_INT ? NULL : as_double(r, leaf->real);
    for (unsigned w = 0; w < leaf->words; w++)
      *into++ = real ? helper(r, "prove_of", 1, &real) : constant(r, 0);
  }
  free(leaves.items);
}

void load_parts(struct rewriter *r, LLVMValueRef value, LLVMValueRef pointer)
{
  struct leaves leaves;
  leaves_of(r, value, &leaves);
  LLVMValueRef *into = enter(r, value, part_count(LLVMTypeOf(value)));
  for (unsigned i = 0; i < leaves.count; i++) {
    struct leaf *leaf = &leaves.items[i];
    for (unsigned w = 0; w < leaf->words; w++) {
      LLVMValueRef args[] = {offset_pointer(r, pointer, leaf->offset + 4 * w), leaf->real};
      if (leaf->kind == LEAF_INT) args[1] = word_of(r, leaf->real, w);
      const char *const names[] = {"prove_load_f32", "prove_load_f64", "prove_load_word"};
      *into++ = helper(r, names[leaf->kind], 2, args);
    }
  }
  free(leaves.items);
}

void store_parts(struct rewriter *r, LLVMValueRef value, LLVMValueRef pointer)
{
  struct leaves leaves;
  leaves_of(r, value, &leaves);
  LLVMValueRef *from = parts_of(r, value);
  for (unsigned i = 0; i < leaves.count; i++) {
    struct leaf *leaf = &leaves.items[i];
    for (unsigned w = 0; w < leaf->words; w++) {
      LLVMValueRef args[] = {offset_pointer(r, pointer, leaf->offset + 4 * w), leaf->real, *from++};
      if (leaf->kind == LEAF_INT) args[1] = word_of(r, leaf->real, w);
      const char *const names[] = {r->inputs ? "prove_input_f32" : "prove_store_f32",
                                   r->inputs ? "prove_input_f64" : "prove_store_f64",
                                   "prove_store_word"};
      helper(r, names[leaf->kind], 3, args);
    }
  }
  free(leaves.items);
}

/* ---- words ---- */

LLVMValueRef *words_of_parts(struct rewriter *r, LLVMValueRef value, unsigned *ret_count)
{
  struct leaves leaves;
  leaves_of(r, value, &leaves);
  LLVMValueRef *from = parts_of(r, value),
               *words = malloc((2 * part_count(LLVMTypeOf(value)) + 1) * sizeof *words);
  unsigned count = 0;
  for (unsigned i = 0; i < leaves.count; i++) {
    struct leaf *leaf = &leaves.items[i];
    for (unsigned w = 0; w < leaf->words; w++, from++) {
      words[count++] = leaf->kind == LEAF_INT
                           ? *from
                           : tagged(r, leaf->kind == LEAF_F32 ? TAG_F32 : TAG_F64_LOW, *from);
      if (leaf->kind == LEAF_F64) words[count++] = tagged(r, TAG_F64_HIGH, *from);
    }
  }
  free(leaves.items);
  *ret_count = count;
  return words;
}

void set_parts_by_words(struct rewriter *r, LLVMValueRef value, LLVMValueRef *words)
{
  struct leaves leaves;
  leaves_of(r, value, &leaves);
  LLVMValueRef *into = enter(r, value, part_count(LLVMTypeOf(value)));
  for (unsigned i = 0; i < leaves.count; i++) {
    struct leaf *leaf = &leaves.items[i];
    LLVMValueRef single[] = {words[0], leaf->real},
                 pair[] = {words[0], leaf->kind == LEAF_F64 ? words[1] : NULL, leaf->real};
    if (leaf->kind == LEAF_F32)
      *into++ = helper(r, "prove_word_f32", 2, single);
    else if (leaf->kind == LEAF_F64)
      *into++ = helper(r, "prove_words_f64", 3, pair);
    else
      for (unsigned w = 0; w < leaf->words; w++) *into++ = words[w];
    words += leaf->kind == LEAF_F64 ? 2 : leaf->words;
  }
  free(leaves.items);
}
