/* SPDX-License-Identifier: MIT */
/* helpers.c - the functions that instrumented code calls. The instrumenting tool knows them by
 * name, and takes their declarations from this file's bitcode. They stay calls: with all of them
 * inlined clang takes four times as long. */
#include "shadow.h"

#include <math.h>

#define EFFECT __attribute__((nothrow))
#define PURE __attribute__((nothrow, pure))
#define CONST __attribute__((nothrow, const))

enum { ALIGNED_WORD = 3 };

CONST uint64_t prove_of(double real) { return field_of(real); }

/* ---- memory ---- */

PURE uint64_t prove_load_word(const void *place, uint32_t bits)
{
  const struct cell *cell = cell_of(place);
  return ((uint64_t)place & ALIGNED_WORD) || cell->bits != bits ? 0 : cell->tagged;
}

PURE uint64_t prove_load_f32(const void *place, float real)
{
  uint64_t tagged = prove_load_word(place, bits_of_float(real));
  return TAG_OF(tagged) == TAG_F32 ? ELEMENT_OF(tagged) : field_of((double)real);
}

CONST uint64_t prove_words_f64(uint64_t low, uint64_t high, double real)
{
  int is_double = TAG_OF(low) == TAG_F64_LOW && TAG_OF(high) == TAG_F64_HIGH &&
                  ELEMENT_OF(low) == ELEMENT_OF(high);
  return is_double ? ELEMENT_OF(low) : field_of(real);
}

CONST uint64_t prove_word_f32(uint64_t tagged, float real)
{
  return TAG_OF(tagged) == TAG_F32 ? ELEMENT_OF(tagged) : field_of((double)real);
}

PURE uint64_t prove_load_f64(const void *place, double real)
{
  uint64_t bits = bits_of_double(real);
  uint64_t low = prove_load_word(place, (uint32_t)bits);
  uint64_t high = prove_load_word((const char *)place + 4, (uint32_t)(bits >> 32));
  return prove_words_f64(low, high, real);
}

EFFECT void prove_store_word(void *place, uint32_t bits, uint64_t tagged)
{
  if ((uint64_t)place & ALIGNED_WORD) return;
  struct cell *cell = cell_of(place);
  cell->tagged = tagged;
  cell->bits = bits;
  cell->launch = prove_launch;
}

EFFECT void prove_store_f32(void *place, float real, uint64_t element)
{
  prove_store_word(place, bits_of_float(real), TAGGED(TAG_F32, element));
}

EFFECT void prove_store_f64(void *place, double real, uint64_t element)
{
  uint64_t bits = bits_of_double(real);
  prove_store_word(place, (uint32_t)bits, TAGGED(TAG_F64_LOW, element));
  prove_store_word((char *)place + 4, (uint32_t)(bits >> 32), TAGGED(TAG_F64_HIGH, element));
}

/* For the program's own files: a value that the host stores may be an input. */
EFFECT void prove_input_f32(void *place, float real, uint64_t element)
{
  if (prove_random) element = prove_input(place, (double)real, element);
  prove_store_f32(place, real, element);
}

EFFECT void prove_input_f64(void *place, double real, uint64_t element)
{
  if (prove_random) element = prove_input(place, real, element);
  prove_store_f64(place, real, element);
}

EFFECT void prove_moved(void *to, const void *from, uint64_t bytes) { prove_copy(to, from, bytes); }
EFFECT void prove_filled(void *to, uint64_t bytes) { prove_clear(to, bytes); }

/* ---- atomic operations ---- */

EFFECT void prove_exchange_word(void *place, uint32_t done, uint32_t bits, uint64_t tagged)
{
  if (done) prove_store_word(place, bits, tagged);
}

/* An integer operation has changed `before` to `after`; it may be a minimum or a maximum of the
 * bits of floats. */
EFFECT void prove_update_word(void *place, uint32_t before, uint32_t operand, uint64_t tagged)
{
  uint32_t after = *(volatile uint32_t *)place;
  if (after == operand)
    prove_store_word(place, after, tagged);
  else if (after != before)
    prove_store_word(place, after, 0);
}

/* ---- calls ---- */

EFFECT void prove_pass(uint32_t at, uint64_t bits, uint64_t tagged)
{
  prove_args[at].tagged = tagged;
  prove_args[at].bits = bits;
}

EFFECT void prove_return(uint32_t at, uint64_t bits, uint64_t tagged)
{
  prove_results[at].tagged = tagged;
  prove_results[at].bits = bits;
}

#define TAKE(name, slots) \
  PURE uint64_t name##_word(uint32_t at, uint32_t bits) \
  { \
    return slots[at].bits == bits ? slots[at].tagged : 0; \
  } \
  PURE uint64_t name##_f32(uint32_t at, float real) \
  { \
    uint64_t tagged = slots[at].bits == bits_of_float(real) ? slots[at].tagged : 0; \
    return TAG_OF(tagged) == TAG_F32 ? ELEMENT_OF(tagged) : field_of((double)real); \
  } \
  PURE uint64_t name##_f64(uint32_t at, double real) \
  { \
    uint64_t tagged = slots[at].bits == bits_of_double(real) ? slots[at].tagged : 0; \
    return TAG_OF(tagged) == TAG_F64_LOW ? ELEMENT_OF(tagged) : field_of(real); \
  }
TAKE(prove_taken, prove_args)
TAKE(prove_returned, prove_results)

EFFECT void prove_pass_memory(uint32_t at, const void *from)
{
  prove_args[at].bits = (uint64_t)from;
}

EFFECT void prove_take_memory(uint32_t at, void *to, uint64_t bytes)
{
  prove_copy(to, (const void *)prove_args[at].bits, bytes);
}

/* ---- arithmetic ---- */

CONST uint64_t prove_add(uint64_t a, uint64_t b) { return field_add(a, b); }
CONST uint64_t prove_sub(uint64_t a, uint64_t b) { return field_sub(a, b); }
CONST uint64_t prove_mul(uint64_t a, uint64_t b) { return field_mul(a, b); }
CONST uint64_t prove_div(uint64_t a, uint64_t b) { return field_div(a, b); }
CONST uint64_t prove_neg(uint64_t a) { return field_neg(a); }
/* pow: where the exponent is a number of halves, a power in the field, times the root's hash; where
 * the base is 2 or 10, what exp2 and exp10 are; else `other`. */
CONST uint64_t prove_power(uint64_t x, double base, uint64_t y, double exponent, uint64_t root,
                           uint64_t of_2, uint64_t of_10, uint64_t other)
{
  double size = fabs(exponent);
  if (size <= INT32_MAX && 2 * size == floor(2 * size) && y == field_of(exponent)) {
    uint64_t power = size == floor(size) ? 1 : root;
    for (uint64_t left = (uint64_t)size; left; left /= 2) {
      if (left % 2) power = field_mul(power, x);
      x = field_mul(x, x);
    }
    return exponent < 0 ? field_div(1, power) : power;
  }
  int exact = x == field_of(base);
  return exact && base == 2 ? of_2 : exact && base == 10 ? of_10 : other;
}
CONST uint64_t prove_scale(uint64_t a, int32_t by) { return field_scale(a, by); }
CONST uint64_t prove_mix(uint64_t hash, uint64_t a) { return field_mix(hash, a); }
CONST uint64_t prove_hash(uint64_t hash) { return field_reduce(hash); }

/* The element of `result`, which is `real` with another sign or the same. */
CONST uint64_t prove_signed(double result, double real, uint64_t element)
{
  return (bits_of_double(result) ^ bits_of_double(real)) >> 63 ? field_neg(element) : element;
}

/* A word of a | b, a ^ b or a + b, where one operand has no bits in it. */
CONST uint64_t prove_or_word(uint32_t a, uint64_t tagged_a, uint32_t b, uint64_t tagged_b)
{
  if (!b && (a || !tagged_b)) return tagged_a;
  return !a ? tagged_b : 0;
}

CONST uint64_t prove_and_word(uint32_t a, uint64_t tagged_a, uint32_t b, uint64_t tagged_b)
{
  return b == UINT32_MAX ? tagged_a : a == UINT32_MAX ? tagged_b : 0;
}

/* ---- functions that follow the real values ---- */

static __attribute__((noinline)) void note_close(double a, uint64_t element_a, double b,
                                                 uint64_t element_b)
{
  if (field_of(a) == element_a && field_of(b) == element_b) return;
  prove_event(a == b ? EVENT_TIE : EVENT_NARROW);
}

EFFECT void prove_compare(double a, uint64_t element_a, double b, uint64_t element_b, double close)
{
  double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
  if (!(fabs(a - b) <= close * larger) || (a == b && element_a == element_b)) return;
  note_close(a, element_a, b, element_b);
}

static __attribute__((noinline)) void note_boundary(double real, uint64_t element)
{
  if (field_of(real) != element) prove_event(EVENT_BOUNDARY);
}

/* A number is rounded to an integer: rounding errors may change the result close to an integer or
 * to the middle of two. */
EFFECT void prove_convert(double real, uint64_t element, double close)
{
  double twice = real * 2, away = fabs(twice - rint(twice));
  if (away <= close * (fabs(twice) > 1 ? fabs(twice) : 1)) note_boundary(real, element);
}

/* The bits of a float are used. */
EFFECT void prove_look(double real, uint64_t element)
{
  if (field_of(real) != element) prove_event(EVENT_BITS);
}
