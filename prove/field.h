/* SPDX-License-Identifier: MIT */
/* field.h - the integers modulo p = 2^61 - 1, in which `mesicc prove` computes beside the real
 * arithmetic.
 *
 *   x + y, x * y            the sum and the product of the elements of x and y
 *   0.75f                   3 * 2^-2: every finite float and double is m * 2^e, an element
 *   sqrt(x)                 a keyed hash of ("sqrt", x): equal for equal arguments, and without any
 *                           other property
 *
 * Since 2^61 is 1, a power of two only rotates the 61 bits. Elements are below p, in the low bits
 * of 64. Two different expressions of degree d have the same value with probability about d / p.
 */
#ifndef MESI_PROVE_FIELD_H
#define MESI_PROVE_FIELD_H

#include <stdint.h>
#include <string.h>

#define FIELD_BITS 61
#define FIELD_P ((UINT64_C(1) << FIELD_BITS) - 1)
#define FIELD_FN static inline __attribute__((always_inline, unused))

FIELD_FN uint64_t field_reduce(uint64_t a)
{
  a = (a & FIELD_P) + (a >> FIELD_BITS);
  return a >= FIELD_P ? a - FIELD_P : a;
}

FIELD_FN uint64_t field_add(uint64_t a, uint64_t b)
{
  uint64_t sum = a + b;
  return sum >= FIELD_P ? sum - FIELD_P : sum;
}

FIELD_FN uint64_t field_neg(uint64_t a) { return a ? FIELD_P - a : 0; }

FIELD_FN uint64_t field_sub(uint64_t a, uint64_t b) { return a >= b ? a - b : a + FIELD_P - b; }

FIELD_FN uint64_t field_mul(uint64_t a, uint64_t b)
{
  unsigned __int128 product = (unsigned __int128)a * b;
  return field_reduce((uint64_t)(product & FIELD_P) + (uint64_t)(product >> FIELD_BITS));
}

/* a * 2^by */
FIELD_FN uint64_t field_scale(uint64_t a, int by)
{
  int turn = by % FIELD_BITS;
  if (turn < 0) turn += FIELD_BITS;
  return turn ? ((a << turn) & FIELD_P) | a >> (FIELD_BITS - turn) : a;
}

/* a^(2^n) */
FIELD_FN uint64_t field_square(uint64_t a, int n)
{
  while (n-- > 0) a = field_mul(a, a);
  return a;
}

/* a^(p - 2), where p - 2 is (2^59 - 1) * 4 + 1; powers a^(2^n - 1) are built from halves. 0 for 0.
 */
FIELD_FN uint64_t field_inverse(uint64_t a)
{
  uint64_t p2 = field_mul(field_square(a, 1), a), p3 = field_mul(field_square(p2, 1), a);
  uint64_t p6 = field_mul(field_square(p3, 3), p3), p7 = field_mul(field_square(p6, 1), a);
  uint64_t p14 = field_mul(field_square(p7, 7), p7), p28 = field_mul(field_square(p14, 14), p14);
  uint64_t p29 = field_mul(field_square(p28, 1), a), p58 = field_mul(field_square(p29, 29), p29);
  uint64_t p59 = field_mul(field_square(p58, 1), a);
  return field_mul(field_square(p59, 2), a);
}

/* One step of a keyed hash (the finaliser of splitmix64). */
FIELD_FN uint64_t field_mix(uint64_t hash, uint64_t value)
{
  uint64_t x = hash * UINT64_C(0x9e3779b97f4a7c15) + value + UINT64_C(0x632be59bd9b4e019);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* The element of a number: m * 2^e exactly. Infinities and NaN are hashes; -0 is 0. */
FIELD_FN uint64_t field_of(double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  if (exponent == 0x7ff) return field_reduce(field_mix(UINT64_C(0x1f), mantissa ? 1 : bits));
  if (exponent) mantissa |= UINT64_C(1) << 52;
  uint64_t element = field_scale(mantissa, (exponent ? exponent : 1) - 1075);
  return bits >> 63 ? field_neg(element) : element;
}

/* a / b; without a quotient a hash of both. */
FIELD_FN uint64_t field_div(uint64_t a, uint64_t b)
{
  return b ? field_mul(a, field_inverse(b))
           : field_reduce(field_mix(field_mix(UINT64_C(0xd1), a), b));
}

/* The key of a function's name, the same for sqrt, sqrtf and llvm.sqrt.f64 (see the instrumenting
 * tool). */
FIELD_FN uint64_t field_name(const char *name)
{
  uint64_t hash = 0;
  for (; *name; name++) hash = field_mix(hash, (unsigned char)*name);
  return hash;
}

#endif
