/* cases.cpp - the instrumenting tool of `mesicc prove`: each way that a number can take keeps its
 * element.
 *
 * A number is marked with an element that it does not have, goes some way, and must come out with
 * it. Compiled as prove compiles programs, and linked with its part (prove/watch.c). Prints the
 * first case that fails, and "ok". */
#include "cells.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "prove/field.h"

static const uint64_t A = 12345678901234567ull, B = 98765432109876543ull, C = 5551212;
static int failures;
static volatile int opaque_zero;

static void expect(const char *what, uint64_t got, uint64_t wanted)
{
  if (got == wanted) return;
  printf("%s: element %llu, expected %llu\n", what, (unsigned long long)got,
         (unsigned long long)wanted);
  failures++;
}

struct marked { /* three numbers with elements of their own */
  float a = 1.5f, b = 2.25f, c = -3;
  double x = 1.5, y = 2.25;
  marked()
  {
    mark_float(&a, A), mark_float(&b, B), mark_float(&c, C), mark_double(&x, A), mark_double(&y, B);
  }
};

/* ---- arithmetic ---- */

static void arithmetic()
{
  marked m;
  float sum = m.a + m.b, product = m.a * m.b, quotient = m.a / m.b, difference = m.a - m.b,
        negative = -m.a;
  float fused = std::fma(m.a, m.b, m.c), root = std::sqrt(m.a), other = std::sqrt(m.b),
        largest = std::fmax(m.a, m.b);
  double wide = (double)m.a + m.y, magnitude = std::fabs((double)m.c);
  expect("a sum", element_of_float(&sum), field_add(A, B));
  expect("a difference", element_of_float(&difference), field_sub(A, B));
  expect("a product", element_of_float(&product), field_mul(A, B));
  expect("a quotient", field_mul(element_of_float(&quotient), B), A);
  expect("a negative", element_of_float(&negative), field_neg(A));
  expect("a fused sum", element_of_float(&fused), field_add(field_mul(A, B), C));
  expect("a maximum", element_of_float(&largest), B);
  expect("a sum of types", element_of_double(&wide), field_add(A, B));
  expect("a magnitude", element_of_double(&magnitude), field_neg(C));
  expect("equal roots of others", element_of_float(&root) == element_of_float(&other), 0);
  float again = sqrtf(m.a);
  expect("a root again", element_of_float(&again), element_of_float(&root));
}

static void constants()
{
  float tenth = 0.1f, one = 1, two = one + 1 + opaque_zero;
  float third = two / 3;
  expect("a constant", element_of_float(&tenth), field_of(0.1f));
  expect("two", element_of_float(&two), 2);
  expect("two thirds", field_mul(element_of_float(&third), 3), 2);
}

/* ---- ways through memory ---- */

struct mixed {
  float f;
  int i;
  double d;
};
struct large {
  float f[40];
};

static void copies()
{
  marked m;
  float out[8];
  memcpy(out, &m.a, 4);
  expect("memcpy of 4 bytes", element_of_float(out), A);
  std::vector<float> from(1000, 2.25f), to(1000), moved;
  mark_float(&from[777], B);
  std::copy(from.begin(), from.end(), to.begin());
  expect("std::copy", element_of_float(&to[777]), B);
  memmove(&from[776], &from[777], 40);
  expect("memmove", element_of_float(&from[776]), B);
  moved = to;
  moved.resize(100000);
  expect("a vector that grows", element_of_float(&moved[777]), B);
  std::sort(moved.begin(), moved.end(), [](float a, float b) { return a > b; });
  expect("std::sort",
         element_of_float(std::find_if(moved.data(), moved.data() + 1000,
                                       [](float &f) { return element_of_float(&f) == B; })),
         B);
  mixed x = {m.a, 7, m.y}, y;
  y = x;
  expect("a structure's float", element_of_float(&y.f), A);
  expect("a structure's double", element_of_double(&y.d), B);
  memset(&y, 0, sizeof y);
  expect("memset", element_of_float(&y.f), 0);
  float *grown = (float *)malloc(16);
  grown[1] = m.b;
  grown = (float *)realloc(grown, 1 << 20);
  expect("realloc", element_of_float(&grown[1]), B);
  free(grown);
}

static void foreign()
{
  marked m;
  overwrite_float(&m.a, 0.75f);
  float sum = m.a + 1;
  expect("a number that others wrote", element_of_float(&sum), field_of(1.75));
  float *fresh = (float *)calloc(4, 4);
  expect("calloc", element_of_float(fresh), 0);
  free(fresh);
}

/* ---- ways through integers ---- */

union bits {
  float f[4];
  double d[2];
  int i[4];
  long long l[2];
};
typedef int int4_vector __attribute__((vector_size(16)));
typedef float float4_vector __attribute__((vector_size(16)));

static unsigned long long as_integer(double d)
{
  unsigned long long bits;
  memcpy(&bits, &d, 8);
  return bits;
}

__attribute__((noinline)) static int pass_integer(int value) { return value; }
__attribute__((noinline)) static unsigned long long join(int low, int high)
{
  return (unsigned long long)(unsigned)high << 32 | (unsigned)low;
}

static void integers()
{
  marked m;
  bits u = {{m.a, m.b, m.c, m.a}}, v;
  v.i[0] = u.i[1], v.l[1] = u.l[0];
  expect("a union's word", element_of_float(&v.f[0]), B);
  expect("a union's two words, second", element_of_float(&v.f[3]), B);
  *(int4_vector *)&v = *(int4_vector *)&u;
  expect("16 bytes as integers", element_of_float(&v.f[2]), C);
  int word = pass_integer(u.i[1]);
  memcpy(&v.f[0], &word, 4);
  expect("an integer argument and result", element_of_float(&v.f[0]), B);
  unsigned long long both = as_integer(m.x),
                     again = join(pass_integer((int)both), pass_integer((int)(both >> 32)));
  memcpy(&v.d[0], &again, 8);
  expect("a double in two halves", element_of_double(&v.d[0]), A);
  int chosen = opaque_zero ? u.i[0] : u.i[2];
  memcpy(&v.f[1], &chosen, 4);
  expect("a choice of integers", element_of_float(&v.f[1]), C);
}

static void vectors()
{
  marked m;
  float4_vector v = {m.a, m.b, m.c, m.a}, w = __builtin_shufflevector(v, v, 2, 1, 0, 7),
                sum = v + w;
  float out[4];
  memcpy(out, &w, 16);
  expect("a shuffle, first", element_of_float(&out[0]), C);
  expect("a shuffle, last", element_of_float(&out[3]), A);
  memcpy(out, &sum, 16);
  expect("a sum of vectors", element_of_float(&out[1]), field_add(B, B));
  float one = v[opaque_zero + 1];
  expect("an element by number", element_of_float(&one), B);
  v[opaque_zero + 2] = m.b;
  memcpy(out, &v, 16);
  expect("an element set by number", element_of_float(&out[2]), B);
}

/* ---- calls ---- */

struct pair {
  float x, y;
};
struct triple {
  float x, y, z;
};
__attribute__((noinline)) static pair swapped(pair p) { return {p.y, p.x}; }
__attribute__((noinline)) static triple turned(triple t) { return {t.z, t.x, t.y}; }
__attribute__((noinline)) static mixed mixed_of(mixed m) { return {m.f, m.i + 1, m.d}; }
__attribute__((noinline)) static float middle(large l) { return l.f[20]; }
__attribute__((noinline)) static double add(float a, int n, double b) { return n * (a + b); }
static float doubled(float f) { return f + f; }
static float last_of(int count, ...)
{
  va_list list;
  double last = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) last = va_arg(list, double);
  va_end(list);
  return (float)last;
}

static void calls()
{
  marked m;
  pair p = swapped({m.a, m.b});
  expect("a pair", element_of_float(&p.x), B);
  triple t = turned({m.a, m.b, m.c});
  expect("a triple, first", element_of_float(&t.x), C);
  expect("a triple, last", element_of_float(&t.z), B);
  mixed x = mixed_of({m.a, 1, m.y});
  expect("a structure by value", element_of_double(&x.d), B);
  large l = {};
  l.f[20] = m.c;
  float found = middle(l);
  expect("a large structure by value", element_of_float(&found), C);
  double (*volatile pointer)(float, int, double) = add;
  double sum = pointer(m.a, 3, m.y);
  expect("a call by pointer", element_of_double(&sum), field_mul(3, field_add(A, B)));
  float returned = call_back(doubled, 4);
  expect("a call by code that knows nothing", element_of_float(&returned), 8);
  /* the number itself: elements do not go through ... */
  float variadic = last_of(2, (double)m.a, (double)m.b);
  expect("variable arguments", element_of_float(&variadic), field_of(2.25));
}

static void exceptions()
{
  marked m;
  float caught = 0;
  try {
    std::vector<float> v(3, m.b);
    if (!opaque_zero) throw v[1];
  } catch (float f) {
    caught = f;
  }
  expect("an exception", element_of_float(&caught), B);
}

/* ---- atomic operations ---- */

static void atomics()
{
  marked m;
  float sum = 1.5f;
  mark_float(&sum, C);
  int *place = (int *)&sum, old = __atomic_load_n(place, __ATOMIC_RELAXED), wanted;
  float next;
  do {
    memcpy(&next, &old, 4);
    next += m.b;
    memcpy(&wanted, &next, 4);
  } while (
      !__atomic_compare_exchange_n(place, &old, wanted, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  expect("a sum by compare and swap", element_of_float(&sum), field_add(C, B));
  int given, taken;
  memcpy(&given, &m.a, 4);
  taken = __atomic_exchange_n(place, given, __ATOMIC_SEQ_CST);
  memcpy(&next, &taken, 4);
  expect("what an exchange takes", element_of_float(&next), field_add(C, B));
  expect("what an exchange gives", element_of_float(&sum), A);
}

/* ---- control ---- */

__attribute__((noinline)) static float series(const float *values, int count)
{
  float sum = 0;
  for (int i = 0; i < count; i++) sum = i % 2 ? sum + values[i] : sum - values[i];
  return sum;
}

static void control()
{
  float values[3] = {1, 2, 4};
  mark_float(&values[0], A), mark_float(&values[1], B), mark_float(&values[2], C);
  float sum = series(values, 3);
  expect("a loop", element_of_float(&sum), field_sub(field_sub(B, A), C));
}

int main()
{
  arithmetic(), constants(), copies(), foreign(), integers(), vectors(), calls(), exceptions(),
      atomics(), control();
  if (!failures) puts("ok");
  return failures ? 1 : 0;
}
