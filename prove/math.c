/* SPDX-License-Identifier: MIT */
/* math.c - functions of numbers by name: those with a meaning in the field, those that follow the
 * real value, and hashes. */
#include "rewriter.h"
#include "shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const hashed[] = {"sqrt",
                                     "cbrt",
                                     "exp",
                                     "exp2",
                                     "exp10",
                                     "expm1",
                                     "log",
                                     "log2",
                                     "log10",
                                     "log1p",
                                     "pow",
                                     "powi",
                                     "sin",
                                     "cos",
                                     "tan",
                                     "asin",
                                     "acos",
                                     "atan",
                                     "atan2",
                                     "sinh",
                                     "cosh",
                                     "tanh",
                                     "asinh",
                                     "acosh",
                                     "atanh",
                                     "erf",
                                     "erfc",
                                     "tgamma",
                                     "lgamma",
                                     "hypot",
                                     "fmod",
                                     "remainder",
                                     "nextafter",
                                     "j0",
                                     "j1",
                                     "jn",
                                     "y0",
                                     "y1",
                                     "yn",
                                     "mesi_cpu_erfinv",
                                     "mesi_cpu_erfcinv",
                                     "mesi_cpu_erfcx",
                                     "mesi_cpu_bessel_i0",
                                     "mesi_cpu_bessel_i1",
                                     "mesi_cpu_sinpi",
                                     "mesi_cpu_cospi",
                                     NULL};
static const char *const whole[] = {"floor",     "ceil",  "trunc",     "rint",
                                    "nearbyint", "round", "roundeven", NULL};
static const char *const converting[] = {"lrint", "llrint", "lround", "llround", NULL};
static const char *const lesser[] = {"minnum", "minimum", "minimumnum", "fmin", NULL};
static const char *const greater[] = {"maxnum", "maximum", "maximumnum", "fmax", NULL};
static const char *const fused[] = {"fma", "fmuladd", NULL};

enum { NAME_ROOM = 64, OPERANDS_MOST = 3 };

/* "llvm.sqrt.f32" and "sqrtf" are sqrt; names outside the tables stay as they are. */
static void base_name(const char *callee, char ret[NAME_ROOM])
{
  bool intrinsic = !strncmp(callee, "llvm.", 5);
  snprintf(ret, NAME_ROOM, "%s", intrinsic ? callee + 5 : callee);
  if (intrinsic) ret[strcspn(ret, ".")] = '\0';
}

static bool is_in(const char *const *table, const char *name)
{
  size_t length = strlen(name);
  for (; *table; table++) {
    size_t own = strlen(*table);
    if (!strncmp(*table, name, own) && (length == own || (length == own + 1 && name[own] == 'f')))
      return true;
  }
  return false;
}

static LLVMValueRef lane_of(struct rewriter *r, LLVMValueRef value, unsigned lane)
{
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind) return value;
  return LLVMBuildExtractElement(r->builder, value, constant32(r, lane), "");
}

struct lane { /* a lane of a call on vectors, or the whole of one on scalars */
  /* of the operands; element NULL: no real number */
  LLVMValueRef real[OPERANDS_MOST], element[OPERANDS_MOST];
  LLVMValueRef result;
  unsigned operands;
};

static LLVMValueRef hash_of(struct rewriter *r, const char *name, const struct lane *lane)
{
  char key[NAME_ROOM];
  snprintf(key, sizeof key, "%s", name);
  size_t length = strlen(key);
  if (length > 1 && key[length - 1] == 'f' && strcmp(key, "erf")) key[length - 1] = '\0';
  LLVMValueRef hash = constant(r, field_name(key));
  for (unsigned i = 0; i < lane->operands; i++) {
    LLVMValueRef element = lane->element[i];
    if (!element) element = LLVMBuildIntCast2(r->builder, lane->real[i], r->i64, true, "");
    LLVMValueRef args[] = {hash, element};
    hash = helper(r, "prove_mix", 2, args);
  }
  return helper(r, "prove_hash", 1, &hash);
}

static LLVMValueRef fused_of(struct rewriter *r, const struct lane *lane)
{
  LLVMValueRef factors[] = {lane->element[0], lane->element[1]};
  LLVMValueRef terms[] = {helper(r, "prove_mul", 2, factors), lane->element[2]};
  return helper(r, "prove_add", 2, terms);
}

static void note_comparison(struct rewriter *r, const struct lane *lane)
{
  LLVMValueRef args[] = {as_double(r, lane->real[0]), lane->element[0], as_double(r, lane->real[1]),
                         lane->element[1], closeness(r, LLVMTypeOf(lane->real[0]))};
  helper(r, "prove_compare", 5, args);
}

/* The element of the operand that is the result; a NaN result has none of them. */
static LLVMValueRef chosen_of(struct rewriter *r, const struct lane *lane, bool is_lesser)
{
  note_comparison(r, lane);
  LLVMRealPredicate order = is_lesser ? LLVMRealOLE : LLVMRealOGE;
  LLVMValueRef first = LLVMBuildFCmp(r->builder, order, lane->real[0], lane->real[1], "");
  LLVMValueRef unordered = LLVMBuildFCmp(r->builder, LLVMRealUNO, lane->real[0], lane->real[1], "");
  LLVMValueRef result = as_double(r, lane->result), own = helper(r, "prove_of", 1, &result);
  LLVMValueRef ordered = LLVMBuildSelect(r->builder, first, lane->element[0], lane->element[1], "");
  return LLVMBuildSelect(r->builder, unordered, own, ordered, "");
}

static LLVMValueRef of_result(struct rewriter *r, const struct lane *lane)
{
  LLVMValueRef result = as_double(r, lane->result);
  return helper(r, "prove_of", 1, &result);
}

static void note_conversion(struct rewriter *r, const struct lane *lane)
{
  LLVMValueRef args[] = {as_double(r, lane->real[0]), lane->element[0],
                         closeness(r, LLVMTypeOf(lane->real[0]))};
  helper(r, "prove_convert", 3, args);
}

/* ---- powers ---- */

/* What pow(x, y) is depends on the values of both (prove_power): with its parts, the hashes that it
 * may need. */
static LLVMValueRef power_of(struct rewriter *r, const struct lane *lane)
{
  LLVMValueRef x = lane->element[0], y = lane->element[1], real = lane->real[1];
  if (!x) return NULL;
  if (!y) real = LLVMBuildSIToFP(r->builder, real, LLVMDoubleTypeInContext(r->context), "");
  real = as_double(r, real);
  if (!y) y = helper(r, "prove_of", 1, &real);
  struct lane base = {.element = {x}, .operands = 1}, exponent = {.element = {y}, .operands = 1};
  LLVMValueRef args[] = {x,
                         as_double(r, lane->real[0]),
                         y,
                         real,
                         hash_of(r, "sqrt", &base),
                         hash_of(r, "exp2", &exponent),
                         hash_of(r, "exp10", &exponent),
                         hash_of(r, "pow", lane)};
  return helper(r, "prove_power", 8, args);
}

static bool is_power(const char *name)
{
  return !strcmp(name, "pow") || !strcmp(name, "powf") || !strcmp(name, "powi");
}

/* NULL: the name is not known. */
static LLVMValueRef element_of(struct rewriter *r, const char *name, const struct lane *lane)
{
  if (is_in(fused, name) && lane->operands == 3) return fused_of(r, lane);
  LLVMValueRef own = is_power(name) && lane->operands == 2 ? power_of(r, lane) : NULL;
  if (own) return own;
  if (is_in(hashed, name)) return hash_of(r, name, lane);
  if (is_in(lesser, name) || is_in(greater, name)) return chosen_of(r, lane, is_in(lesser, name));
  if (is_in(whole, name)) {
    note_conversion(r, lane);
    return of_result(r, lane);
  }
  LLVMValueRef sign[] = {NULL, NULL, lane->element[0]}, power[] = {lane->element[0], lane->real[1]};
  if (!strcmp(name, "fabs") || !strcmp(name, "fabsf") || !strcmp(name, "copysign") ||
      !strcmp(name, "copysignf")) {
    sign[0] = as_double(r, lane->result), sign[1] = as_double(r, lane->real[0]);
    return helper(r, "prove_signed", 3, sign);
  }
  if (!strcmp(name, "ldexp") || !strcmp(name, "ldexpf") || !strcmp(name, "scalbn") ||
      !strcmp(name, "scalbnf"))
    return helper(r, "prove_scale", 2, power);
  return NULL;
}

static bool fill_lane(struct rewriter *r, LLVMValueRef call, unsigned at, struct lane *ret)
{
  unsigned count = LLVMGetNumArgOperands(call);
  if (count < 1 || count > OPERANDS_MOST) return false;
  *ret = (struct lane){.operands = count, .result = lane_of(r, call, at)};
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(call, i), real = lane_of(r, operand, at);
    bool number = is_real(LLVMTypeOf(real)),
         integer = LLVMGetTypeKind(LLVMTypeOf(real)) == LLVMIntegerTypeKind;
    if (!number && !integer) return false;
    ret->real[i] = real;
    if (number) ret->element[i] = parts_of(r, operand)[operand == real ? 0 : at];
  }
  return ret->element[0] != NULL || ret->operands > 1;
}

static bool is_known(const char *name)
{
  static const char *const others[] = {"fabs", "copysign", "ldexp", "scalbn", NULL};
  return is_in(hashed, name) || is_in(whole, name) || is_in(lesser, name) || is_in(greater, name) ||
         is_in(fused, name) || is_in(others, name);
}

static bool rewrite_conversion(struct rewriter *r, LLVMValueRef call, const char *name)
{
  struct lane lane;
  bool saturating = !strcmp(name, "fptosi") || !strcmp(name, "fptoui");
  if (!saturating && !is_in(converting, name)) return false;
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind || !fill_lane(r, call, 0, &lane) ||
      !lane.element[0])
    return false;
  note_conversion(r, &lane);
  set_parts_by_value(r, call);
  return true;
}

bool rewrite_math(struct rewriter *r, LLVMValueRef call, const char *callee)
{
  char name[NAME_ROOM];
  base_name(callee, name);
  LLVMValueRef function = LLVMGetCalledValue(call);
  LLVMTypeRef type = LLVMTypeOf(call), scalar = type;
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  if (vector) scalar = LLVMGetElementType(type);
  if (!LLVMIsAFunction(function) || !LLVMIsDeclaration(function)) return false;
  if (rewrite_conversion(r, call, name)) return true;
  if (!is_real(scalar) || !is_known(name)) return false;
  unsigned lanes = vector ? LLVMGetVectorSize(type) : 1;
  LLVMValueRef *parts = calloc(lanes, sizeof *parts);
  bool done = true;
  for (unsigned i = 0; i < lanes && done; i++) {
    struct lane lane;
    done = fill_lane(r, call, i, &lane) && (parts[i] = element_of(r, name, &lane)) != NULL;
  }
  if (done) set_parts(r, call, parts);
  free(parts);
  return done;
}
