/* SPDX-License-Identifier: MIT */
/* round_pairs.c - of two products of a sum, the one that is rounded: the factor u of the left one
 * or the factor v of the right one. What is expected is what nvcc 13.0 does (-ptx, sm_90). */
#include "analysis/transform/round_pairs/round_pairs.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "struct T { float q, x, y, z; };\n"
#define CASE(body) \
  "__global__ void k(float *__restrict__ o, const float *__restrict__ a," \
  " const float *__restrict__ b, const float *__restrict__ c, const float2 *__restrict__ A," \
  " const float2 *__restrict__ B, int n, float u, float v, float w, float x) {" \
  " int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n" \
  "void run(float *o, const float *a, const float2 *A, int n) {" \
  " k<<<n, 256>>>(o, a, a, a, A, A, n, 1, 2, 3, 4); }"

/* The parameters among the last factors of rounded products. */
static void look_for(struct subject *s, enum vector_loads vectors, struct text *shown)
{
  struct draft draft = {.code = s->code};
  draft.code.vectors = vectors;
  bool taken = plan_round_pairs(&draft);

  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  if (!taken) text_add(shown, "none");
  for (const char *at = text_string(&printed); (at = strstr(at, "_rn(")); at++) {
    const char *end = at;
    for (unsigned depth = 0; *end && (*end != ')' || --depth); end++) depth += *end == '(';
    text_format(shown, "%c", end[-1]);
  }
  text_finish(&printed);
}

static void look(struct subject *s, struct text *shown) { look_for(s, VECTORS_EITHER, shown); }
static void look_whole(struct subject *s, struct text *shown) { look_for(s, VECTORS_WHOLE, shown); }
static void look_apart(struct subject *s, struct text *shown) { look_for(s, VECTORS_APART, shown); }

static const struct transform_case sums[] = {
    {"one after the other", CASE("float p = a[i], q = b[i]; o[i] = p * u + q * v;"), "v"},
    {"the right one first", CASE("float q = b[i], p = a[i]; o[i] = p * u + q * v;"), "u"},
    {"where they stand", CASE("o[i] = a[i] * u + b[i] * v;"), "v"},
    {"in a loop",
     CASE("float s = 0; for (int k = 0; k < n; k++) { float q = b[i + k], p = a[i + k]; s "
          "+= p * u + q * v; } o[i] = s;"),
     "u"},
    {"one in front of a loop",
     CASE("float q = b[i]; float s = 0; for (int k = 0; k < n; k++) { float p = a[i + k]; s "
          "+= p * u + q * v * k; } o[i] = s;"),
     "u"},
    {"parameters", CASE("o[i] = x * u + w * v;"), "u"},
    {"parameters in order", CASE("o[i] = w * u + x * v;"), "v"},
    {"a parameter and a load", CASE("float q = b[i]; o[i] = q * u + w * v;"), "u"},
    {"more operations", CASE("float p = a[i], q = b[i]; o[i] = ((p + w) * x) * u + q * v;"), "u"},
    {"differences of the wrong order",
     CASE("float py = b[i], px = a[i], q = py - w, p = px - x; o[i] = p * u + q * v;"), "u"},
    {"a conversion", CASE("o[i] = (float)n * u + a[i] * v;"), "v"},
    {"carried by a loop",
     CASE("float s = 0; for (int k = 0; k < n; k++) { float q = b[i + k]; s = q * u + s * "
          "v; } o[i] = s;"),
     "u"},
    {"carried, in order",
     CASE("float s = 0; for (int k = 0; k < n; k++) { float q = b[i + k]; s = s * u + q * "
          "v; } o[i] = s;"),
     "v"},
    {"the counter", CASE("for (int k = 0; k < n; k++) o[i + k] = a[k] * u + k * v;"), "u"},
    {"two that are carried",
     CASE("float p = 0, s = 0; for (int k = 0; k < n; k++) { float y = b[i + k]; float np = "
          "s * u + p * v; s = s + y; p = np; } o[i] = p + s;"),
     "u"},
    {"the counter and another",
     CASE("float s = 0; for (int k = 0; k < n; k++) { float y = b[i + k]; s = k * u + s * "
          "v; s += y; } o[i] = s;"),
     "u"},
    {"behind a loop",
     CASE("float s = 0, p = 0; for (int k = 0; k < n; k++) { float y = b[i + k]; p += y * "
          "y; s += y * 3; } o[i] = p * u + s * v;"),
     "u"},
    {"behind a loop, in order",
     CASE("float s = 0, p = 0; for (int k = 0; k < n; k++) { float y = b[i + k]; p += y * "
          "y; s += y * 3; } o[i] = s * u + p * v;"),
     "v"},
    {"behind an inner loop",
     CASE("float s = 0, p = 0; for (int j = 0; j < n; j++) { for (int k = 0; k < n; k++) { "
          "float y = b[i + k]; s += y * 3; p += y * y; } s = p * u + s * v; } o[i] = s + p;"),
     "u"},
    {"behind a do loop",
     CASE("float p = 0, s = 0; int k = 0; do { float y = b[i + k]; p += y * w; s += y * y; "
          "k++; } while (k < n); o[i] = s * u + p * v;"),
     "v"},
    {"behind a while loop",
     CASE("float p = 0, s = 0; int k = 0; while (k < n) { float y = b[i + k]; p += y * w; s "
          "+= y * y; k++; } o[i] = s * u + p * v;"),
     "u"},
    {"a branch in between",
     CASE("float q = b[i]; if (q > 3) { float p = a[i]; o[i] = p * u + q * v; }"), "u"},
    {"vectors", CASE("float2 q = B[i], p = A[i]; o[i] = p.x * u + q.x * v;"), "u"},
    {"members of a structure",
     CASE("const T *T0 = (const T *)a; T e = T0[i]; o[i] = "
          "e.x * u + e.q * v;"),
     "u"},
    {"members in order",
     CASE("const T *T0 = (const T *)a; T e = T0[i]; o[i] = "
          "e.q * u + e.x * v;"),
     "v"},
    {"members where they stand",
     CASE("const T *T0 = (const T *)a; o[i] = T0[i].y * u + "
          "T0[i].q * v;"),
     "v"},
    {"loaded before", CASE("float t = b[i] + 1; o[i] = t + (a[i] * u + b[i] * v);"), "u"},
    {"behind a logarithm", CASE("float l = logf(w); o[i] = (l - a[i]) * u + (l - x) * v;"), "none"},
    {"in front of a logarithm", CASE("float p = a[i] * u, l = logf(w); o[i] = p + (l - x) * v;"),
     "none"},
    {"behind a root", CASE("float l = sqrtf(w); o[i] = (l - a[i]) * u + (l - x) * v;"), "u"},
    {"by __ldg", CASE("float q = __ldg(&b[i]), p = a[i]; o[i] = p * u + q * v;"), "u"},
    {"shared memory",
     CASE("__shared__ float t[64]; t[threadIdx.x] = a[i]; __syncthreads(); float q = t[63 - "
          "threadIdx.x], p = b[i]; o[i] = p * u + q * v;"),
     "u"},
    {"two of three", CASE("float r = c[i], q = b[i], p = a[i]; o[i] = p * u + q * v + r * w;"),
     "u"},
    {"a local that holds it", CASE("float t = b[i] * v; float p = a[i]; o[i] = p * u + t;"), "u"},
    {"added up", CASE("float s = a[i + 1] * u; s += b[i] * v; o[i] = s;"), "v"},
    {"added up, the other first",
     CASE("float q = b[i]; float s = a[i + 1] * u; s += q * v; o[i] = s;"), "u"},
    {"a root", CASE("float q = b[i], p = a[i]; o[i] = p * u + sqrtf(q) * v;"), "v"},
    {"factors of both", CASE("float q = b[i], p = a[i]; o[i] = p * u + q * p * v;"), "v"},
    {"a conversion to an integer", CASE("o[i] = (int)a[i] * u + b[i] * v;"), "v"},
    {"another, and more", CASE("o[i] = ((int)a[i] + w) * u + b[i] * v;"), "u"},
    {"two of them", CASE("o[i] = (int)((int)a[i] * 1.5f) * u + b[i] * v;"), "v"},
    {"a conversion to a short", CASE("o[i] = (float)(short)(a[i] + w) * u + b[i] * v;"), "none"},
    {"a division", CASE("const int *t = (const int *)c; o[i] = (float)(t[i] / n) * u + b[i] * v;"),
     "v"},
    {"a remainder", CASE("const int *t = (const int *)c; o[i] = (float)(t[i] % n) * u + b[i] * v;"),
     "v"},
    {"a division by a constant",
     CASE("const int *t = (const int *)c; o[i] = (float)(t[i] / 3) * u + b[i] * v;"), "u"},
    {"a function in between",
     CASE("float y = (a[i] + w) * x; o[i] = y * u + b[i + min(n, 7)] * v;"), "none"},
    {"a load of an index", CASE("float q = b[(int)c[i]], p = a[i]; o[i] = p * u + q * v;"), "u"},
};

/* Before sm_100. */
static const struct transform_case whole[] = {
    {"members of a vector", CASE("float2 p = A[i]; o[i] = p.y * u + p.x * v;"), "v"},
    {"complex", CASE("float2 p = A[i], q = B[i]; o[i] = p.x * q.y * u + p.y * q.x * v;"), "v"},
    {"a member with an operation", CASE("float2 p = A[i]; o[i] = (p.x + w) * u + p.y * v;"), "u"},
};

static const struct transform_case apart[] = {
    {"members of a vector", CASE("float2 p = A[i]; o[i] = p.y * u + p.x * v;"), "u"},
    {"complex", CASE("float2 p = A[i], q = B[i]; o[i] = p.x * q.y * u + p.y * q.x * v;"), "u"},
    {"a member with an operation", CASE("float2 p = A[i]; o[i] = (p.x + w) * u + p.y * v;"), "v"},
};

static const struct transform_case kept[] = {
    {"members of a vector", CASE("float2 p = A[i]; o[i] = p.y * u + p.x * v;"), "none"},
    {"complex", CASE("float2 p = A[i], q = B[i]; o[i] = p.x * q.y * u + p.y * q.x * v;"), "none"},
    {"a member with an operation", CASE("float2 p = A[i]; o[i] = (p.x + w) * u + p.y * v;"),
     "none"},

    {"negated", CASE("o[i] = -a[i] * u + b[i] * v;"), "none"},
    {"behind a branch", CASE("float q = 1; if (n > i) q = b[i] + w; o[i] = a[i] * u + q * v;"),
     "none"},
    {"behind a loop with a break",
     CASE("float q = 1; for (int k = 0; k < n; k++) { if (a[k] > w) break; q += a[k]; } "
          "o[i] = a[i] * u + q * v;"),
     "none"},
    {"a local array", CASE("float t[2]; t[1] = b[i]; t[0] = a[i]; o[i] = t[0] * u + t[1] * v;"),
     "none"},
    {"used again", CASE("float t = b[i] * v; o[i] = a[i] * u + t; o[i + n] = t;"), "none"},
    {"of another block", CASE("float t = b[i] * v; if (i < n) o[i] = a[i] * u + t;"), "none"},
    {"one product", CASE("o[i] = a[i] * u + b[i];"), "none"},
    {"a difference", CASE("float q = b[i], p = a[i]; o[i] = p * u - q * v;"), "v"},
    {"twice in a difference", CASE("float q = b[i], p = a[i]; o[i] = p * 2 - q * v;"), "none"},
    {"twice behind it", CASE("float q = b[i], p = a[i]; o[i] = q * v - 2.0f * p;"), "none"},
    {"minus one times", CASE("float q = b[i], p = a[i]; o[i] = p * -1.0f + q * v;"), "none"},
};

int main(void)
{
  static const struct transform_table tables[] = {TABLE(sums, look), TABLE(whole, look_whole),
                                                  TABLE(apart, look_apart), TABLE(kept, look)};

  return transform_run(FRONT, tables, COUNT(tables));
}
