/* SPDX-License-Identifier: MIT */
/* hoist.c - loads that every iteration of a loop makes again: which are made in front of it, and
 * which are not. */
#include "analysis/transform/hoist/hoist.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[4096], b[4096], c[4096]; __global__ short h[4096]; __global__ int " \
  "t[4096];\n" \
  "__constant__ float w[16];\n__device__ int twice(int i) { return 2 * i; }\n"
#define KERNEL(params, body) \
  "__global__ void k(" params \
  ") { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; " body " c[i] = s; }\n"
#define RUN(args) "void run(int n) { k<<<32, 128>>>(" args "); }"
#define TWO(body) KERNEL("float *c, float *a, float *b, int n", body) RUN("c, a, b, n")

static void show(struct subject *s, bool carries, struct text *shown)
{
  struct text decided = {0};
  unsigned count = hoist_loads(&s->code, carries);

  transform_show_decisions(s, DECISION_REGISTERS, &decided);
  text_format(shown, "%u%s", count, s->code.carries ? ", carried" : "");
  if (*text_string(&decided)) text_format(shown, "; %s", text_string(&decided));
  text_finish(&decided);
}

static void look(struct subject *s, struct text *shown) { show(s, true, shown); }

static void look_steady(struct subject *s, struct text *shown) { show(s, false, shown); }

#define ONE "an element that every iteration loads again is kept in a register over the loop"
#define MANY "elements that every iteration loads again are kept in registers over the loop"
#define STENCIL TWO("for (int j = 1; j < n; j++) for (int x = 0; x < 3; x++) s += a[j + x - 1];")

static const struct transform_case found[] = {
    {"one element", TWO("for (int k = 0; k < n; k++) s += a[i] * b[k];"), "1; a: " ONE},
    {"the same element twice", TWO("for (int k = 0; k < n; k++) s += a[i] * a[i] * b[k];"),
     "1; a: " ONE},
    {"a loop that runs", TWO("for (int k = 0; k < 8; k++) s += a[i] * b[k];"), "1; a: " ONE},
    {"a short loop",
     TWO("for (int k = 0; k < n; k++) for (int d = 0; d < 16; d++) s += a[i * 16 + d] * b[k];"),
     "1; a: " MANY},
    {"short loops",
     TWO("for (int k = 0; k < n; k++) for (int d = 0; d < 4; d++) for (int e = 2; e <= 4; e++) s "
         "+= a[i + d * 4 + e] * b[k];"),
     "1; a: " MANY},
    {"an outer loop first",
     TWO("for (int k = 0; k < n; k++) for (int l = 0; l < n; l++) s += a[i] * b[k] * b[l];"),
     "2; a: " ONE "; b: " ONE},
    {"the condition of an if", TWO("for (int k = 0; k < n; k++) if (a[i] > b[k]) s += 1;"),
     "1; a: " ONE},
    {"loads of three short loops",
     TWO("for (int k = 0; k < n; k++) { s += a[i]; for (int d = 0; d < 4; d++) s += a[i + d]; for "
         "(int d = 0; d < 3; d++) s += a[i + d]; }"),
     "3; a: " ONE "; a: " MANY},
    {"its neighbours in turn", STENCIL, "1, carried; a: " MANY},
    {"an element twice", TWO("for (int k = 0; k < n; k++) s += a[i] * b[k] + a[i];"),
     "1; a: an element that every iteration loads again is kept in a register over the loop"},
    {"a short loop down inside",
     TWO("for (int k = 0; k < n; k++) for (int l = 3; l > 0; l--) s += a[i + l] * b[k];"),
     "1; b: an element that every iteration loads again is kept in a register over the loop"},
    {"with a pragma",
     TWO("for (int k = 0; k < n; k++) { for (int l = 0; l < 3; l++) s += a[i + l] * b[k]; for (int "
         "l = 0; l < 3; l++) s -= a[i + l]; }"),
     "2; a: elements that every iteration loads again are kept in registers over the loop"},
};

static const struct transform_case steady[] = {
    {"its neighbours in turn", STENCIL, "0"},
    {"one element", TWO("for (int k = 0; k < n; k++) s += a[i] * b[k];"), "1; a: " ONE},
};

#define LOOP(body) TWO("for (int k = 0; k < n; k++) " body)

static const struct transform_case declined[] = {
    {"written", LOOP("{ s += a[i] * b[k]; a[i + 1] = 0; }"), "0"},
    {"written under another name",
     KERNEL("float *c, float *a",
            "for (int k = 0; k < 9; k++) { s += a[i]; c[k] = s; }") "void run(float *p, float *q) "
                                                                    "{ k<<<32, 128>>>(p, q); }",
     "0"},
    {"written by a pointer from memory",
     KERNEL("float *c, float *a, float **p",
            "for (int k = 0; k < 9; k++) { s += a[i]; p[k][0] = s; }") "void run(float **p) { "
                                                                       "k<<<32, 128>>>(c, a, p); }",
     "0"},
    {"a fence", LOOP("s += a[i] * b[k]; __threadfence();"), "0"},
    {"a volatile array",
     KERNEL("float *c, volatile float *a", "for (int k = 0; k < 9; k++) s += a[i];") RUN("c, a"),
     "0"},
    {"numbers of two bytes",
     KERNEL("float *c, short *h", "for (int k = 0; k < 9; k++) s += h[i];") RUN("c, h"), "0"},
    {"constant memory", LOOP("s += w[3] * b[k];"), "0"},
    {"a dereferenced pointer", LOOP("s += *a * b[k];"), "0"},
    {"a step in its address", LOOP("s += a[i++] * b[k];"), "0"},
    {"its address changes", LOOP("{ s += a[i] * b[k]; i++; }"), "0"},
    {"a local of its address is the loop's", LOOP("{ int j = k & 3; s += a[j] * b[k]; }"), "0"},
    {"a local of its address has an address",
     TWO("int j = i, *p = &j; for (int k = 0; k < n; k++) { s += a[j] * b[k]; *p = k; }"), "0"},
    {"a table in its address",
     KERNEL("float *c, float *a, int *t", "for (int k = 0; k < 9; k++) s += a[t[i]] * k;")
         RUN("c, a, t"),
     "1; t: " ONE},
    {"a call in its address", LOOP("s += a[min(i, 3)] * b[k];"), "0"},
    {"the iterator is declared outside", TWO("int k; for (k = 0; k < n; k++) s += a[k];"), "0"},
    {"the iterator in its address", LOOP("s += a[k];"), "0"},
    {"neighbours that move apart",
     TWO("for (int j = 1; j < n; j++) for (int x = 0; x < 3; x++) s += a[2 * j + x - 1];"), "0"},
    {"neighbours of every other iteration",
     TWO("for (int j = 1; j < n; j += 2) for (int x = 0; x < 3; x++) s += a[j + x - 1];"), "0"},
    {"a long loop in its address", LOOP("for (int d = 0; d < 17; d++) s += a[i * 16 + d];"), "0"},
    {"too many words",
     LOOP("for (int d = 0; d < 6; d++) for (int e = 0; e < 6; e++) s += a[i + d * 6 + e];"), "0"},
    {"four short loops",
     LOOP("for (int d = 0; d < 2; d++) for (int e = 0; e < 2; e++) for (int f = 0; f < 2; f++) for "
          "(int g = 0; g < 2; g++) "
          "s += a[i + d + 2 * e + 4 * f + 8 * g];"),
     "0"},
    {"under a condition", LOOP("if (b[k] > 0) s += a[i];"), "0"},
    {"under a condition in an expression", LOOP("s += b[k] > 0 ? a[i] : 0;"), "0"},
    {"in a loop that may run zero times", LOOP("{ int l = n; while (l-- > 0) s += a[i] * b[k]; }"),
     "0"},
    {"one iteration", TWO("for (int k = 0; k < 1; k++) s += a[i] * b[k];"), "0"},
    {"a break", LOOP("{ if (b[k] > 0) break; s += a[i]; }"), "0"},
    {"a continue", LOOP("{ s += a[i]; if (b[k] > 0) continue; s += 1; }"), "0"},
    {"a return", LOOP("{ s += a[i]; if (b[k] > 0) return; }"), "0"},
    {"a while loop", TWO("int k = 0; while (k < n) { s += a[i] * b[k]; k++; }"), "0"},
    {"a bound with effects", TWO("for (int k = 0; k < n++; k++) s += a[i] * b[k];"), "0"},
    {"no plain comparison", TWO("for (int k = 0; k + i < n; k++) s += a[i] * b[k];"), "0"},
    {"in a switch", TWO("switch (n) { case 1: for (int k = 0; k < n; k++) s += a[i] * b[k]; }"),
     "0"},
    {"a place that steps", TWO("for (int k = 0; k < n; k++) s += a[i++] * b[k];"), "0"},
    {"a place behind a pointer", TWO("for (int k = 0; k < n; k++) s += a[*&i] * b[k];"), "0"},
    {"a place with a call", TWO("for (int k = 0; k < n; k++) s += a[twice(i)] * b[k];"), "0"},
    {"volatile",
     KERNEL("float *c, volatile float *a, float *b, int n",
            "for (int k = 0; k < n; k++) s += a[i] * b[k];") RUN("c, a, b, n"),
     "0"},
    {"a bound with an effect", TWO("for (int k = 0; k < n--; k++) s += a[i] * b[k];"), "0"},
    {"a beginning with an effect", TWO("for (int k = n++; k < 99; k++) s += a[i] * b[k];"), "0"},
    {"a bound of two parts", TWO("for (int k = 0; k < n && n < 99; k++) s += a[i] * b[k];"), "0"},
    {"no condition", TWO("for (int k = 0;; k++) { if (k > n) break; s += a[i] * b[k]; }"), "0"},
    {"a bound the other way round", TWO("for (int k = 0; n > k; k++) s += a[i] * b[k];"),
     "1; a: an element that every iteration loads again is kept in a register over the loop"},
    {"a bound with its iterator", TWO("for (int k = 0; k < n - k; k++) s += a[i] * b[k];"), "0"},
    {"many loads",
     TWO("for (int k = 0; k < n; k++) { for (int l = 0; l < 8; l++) for (int m = 0; m < 9; m++) s "
         "+= a[i + l * 9 + m] * b[k]; }"),
     "1; b: an element that every iteration loads again is kept in a register over the loop"},
    {"a loop of other lengths inside",
     TWO("for (int k = 0; k < n; k++) for (int l = 0; l < k; l++) s += a[i + l] * b[k];"),
     "1; b: an element that every iteration loads again is kept in a register over the loop"},
    {"a loop in steps of the launch inside",
     TWO("for (int k = 0; k < n; k++) for (int l = 0; l < 8; l += n) s += a[i + l] * b[k];"),
     "1; b: an element that every iteration loads again is kept in a register over the loop"},
    {"a place of a quotient", TWO("for (int k = 0; k < n; k++) s += a[i / 3 + k / 2] * b[k];"),
     "0"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(steady, look_steady),
                                                TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
