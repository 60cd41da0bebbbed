/* SPDX-License-Identifier: MIT */
/* promote.c - array elements that are kept in registers over a loop: which, and why not. */
#include "analysis/transform/promote/promote.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[4096], b[4096], c[4096]; __global__ double d[4096]; __global__ int " \
  "t[4096];\n" \
  "__device__ int twice(int i) { return 2 * i; }\nstruct pair { int x, y; };\nextern __device__ " \
  "void other(float *);\n__global__ float lone;\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<32, 128>>>(" args "); }"
#define TWO(body) KERNEL("float *c, float *a, int n", body) RUN("c, a, n")

/* "1, 2 stores; c: ...": one element is kept in a local; stores from c's; what was decided. */
static void look(struct subject *s, struct text *shown)
{
  struct text decided = {0};
  unsigned count = promote_registers(&s->code);

  transform_show_decisions(s, DECISION_REGISTERS, &decided);
  text_format(shown, "%u, %u stores", count, transform_printed(s, " = _r_c)"));
  if (*text_string(&decided)) text_format(shown, "; %s", text_string(&decided));
  text_finish(&decided);
}

#define KEPT "c: the element that the loop updates is kept in a register over it"

static const struct transform_case found[] = {
    {"behind a plain write", TWO("c[i] = 0; for (int k = 0; k < n; k++) c[i] += a[k];"),
     "1, 1 stores; " KEPT},
    {"a loop that runs", TWO("for (int k = 0; k < 8; k++) c[i] += a[k];"), "1, 1 stores; " KEPT},
    {"down", TWO("for (int k = 8; k > 0; k--) c[i] += a[k];"), "1, 1 stores; " KEPT},
    {"other comparisons",
     TWO("for (int k = 8; k >= 0; k--) c[i] += a[k]; for (int k = 0; k <= 8; k++) c[i] *= a[k];"),
     "1, 1 stores; " KEPT},
    {"a do loop", TWO("int k = 0; do { c[i] += a[k]; k++; } while (k < n);"), "1, 1 stores; " KEPT},
    {"under its condition", TWO("for (int k = 0; k < n; k++) c[i] += a[k];"), "1, 1 stores; " KEPT},
    {"under its condition, turned", TWO("for (unsigned k = 0; n > k; k++) c[i] += a[k];"),
     "1, 1 stores; " KEPT},
    {"both branches write",
     TWO("for (int k = 0; k < 8; k++) if (a[k] > 0) c[i] += a[k]; else c[i] -= 1;"),
     "1, 1 stores; " KEPT},
    {"a loop in a loop",
     TWO("c[i] = 0; for (int l = 0; l < n; l++) for (int k = 0; k < n; k++) c[i] += a[k + l];"),
     "1, 1 stores; " KEPT},
    {"a call of numbers beside it",
     TWO("for (int k = 0; k < n; k++) { c[i] += a[k]; c[i] += twice(k); }"), "1, 1 stores; " KEPT},
    {"a pure call beside it", TWO("for (int k = 0; k < 8; k++) c[i] += a[twice(3)];"),
     "1, 1 stores; " KEPT},
    {"two arrays",
     KERNEL("float *c, double *d, float *a",
            "for (int k = 0; k < 8; k++) { c[i] += a[k]; d[i] += a[k]; }") RUN("c, d, a"),
     "2, 1 stores; " KEPT "; d: the element that the loop updates is kept in a register over it"},
    {"its index comes from a table",
     KERNEL("float *c, float *a, int *t", "for (int k = 0; k < 8; k++) c[t[i]] += a[k];")
         RUN("c, a, t"),
     "1, 1 stores; " KEPT},
    {"no way back over a jump",
     TWO("for (int l = 0; l < 4; l++) { c[i] = 0; if (a[l] > 0) continue; for (int k = 0; k < 8; "
         "k++) c[i] += a[k]; }"),
     "1, 1 stores; " KEPT},
    {"restrict pointers of unknown objects",
     KERNEL("float *__restrict__ c, const float *__restrict__ a",
            "for (int k = 0; k < 8; k++) c[i] += a[k];") "void run(float *p, float *q) { k<<<32, "
                                                         "128>>>(p, q); }",
     "1, 1 stores; " KEPT},
};

static const struct transform_case declined[] = {
    {"no loop", TWO("c[i] += a[i];"), "0, 0 stores"},
    {"its address changes", TWO("for (int k = 0; k < 8; k++) c[i + k] += a[k];"), "0, 0 stores"},
    {"a local of its address", TWO("for (int k = 0; k < 8; k++) { c[i] += a[k]; i++; }"),
     "0, 0 stores"},
    {"its address is declared in the loop",
     TWO("for (int k = 0; k < 8; k++) { int j = k + i; c[j] += a[k]; }"), "0, 0 stores"},
    {"a volatile element",
     KERNEL("volatile float *c, float *a", "for (int k = 0; k < 8; k++) c[i] += a[k];") RUN("c, a"),
     "0, 0 stores"},
    {"a fence", TWO("for (int k = 0; k < 8; k++) c[i] += a[k]; __threadfence();"), "0, 0 stores"},
    {"a call as index", TWO("for (int k = 0; k < 8; k++) c[abs(i)] += a[k];"),
     "0, 0 stores; c: its address is not a plain index"},
    {"a member as index", TWO("pair p = { i, i }; for (int k = 0; k < 8; k++) c[p.x] += a[k];"),
     "0, 0 stores; c: its address is not a plain index"},
    {"a step as index", TWO("for (int k = 0; k < 8; k++) c[i++] = a[k];"),
     "0, 0 stores; c: evaluating its address has effects"},
    {"an index with an address",
     TWO("int j = i; int *p = &j; for (int k = 0; k < 8; k++) { c[j] += a[k]; *p = k; }"),
     "0, 0 stores; c: its address depends on memory"},
    {"an index of a reference", TWO("int &j = i; for (int k = 0; k < 8; k++) c[j] += a[k];"),
     "0, 0 stores; c: its address depends on memory"},
    {"a table that is written",
     KERNEL("float *c, float *a, int *t",
            "for (int k = 0; k < 8; k++) c[t[i]] += a[k]; t[i + 1] = 0;") RUN("c, a, t"),
     "0, 0 stores; c: its address depends on memory that the kernel writes; t: its loop "
     "may end without writing the element"},
    {"a barrier", TWO("for (int k = 0; k < 8; k++) { c[i] += a[k]; __syncthreads(); }"),
     "0, 0 stores; c: a call beside it may reach it"},
    {"an atomic operation",
     TWO("for (int k = 0; k < 8; k++) { c[i] += a[k]; atomicAdd(&c[k], 1.0f); }"),
     "0, 0 stores; c: a call beside it may reach it"},
    {"another name",
     KERNEL("float *c, float *a", "for (int k = 0; k < 8; k++) c[i] += a[k];") RUN("c, c"),
     "0, 0 stores; c: 'a' may overlap it"},
    {"unknown objects",
     KERNEL("float *c, float *a",
            "for (int k = 0; k < 8; k++) c[i] += a[k];") "void run(float *p, float *q) { k<<<32, "
                                                         "128>>>(p, q); }",
     "0, 0 stores; c: 'a' may overlap it"},
    {"a neighbour", TWO("for (int k = 0; k < 8; k++) c[i] += c[i + 1];"),
     "0, 0 stores; c: another element of the array is used beside it"},
    {"threads return", TWO("for (int k = 0; k < 8; k++) { if (a[k] > 0) return; c[i] += a[k]; }"),
     "0, 0 stores; c: threads return from the loop"},
    {"a switch",
     TWO("for (int k = 0; k < 8; k++) { switch (k) { case 1: c[i] += a[k]; break; default: break; "
         "} }"),
     "0, 0 stores; c: a statement beside it is not understood"},
    {"a write under a condition", TWO("for (int k = 0; k < 8; k++) if (a[k] > 0) c[i] += a[k];"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a loop that runs zero times", TWO("for (int k = 0; k < 0; k++) if (a[k] > 0) c[i] += a[k];"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a condition with two iterators",
     TWO("for (int k = 0, l = 0; k < n && l < n; k++, l++) c[i] += a[k];"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a while loop", TWO("int k = 0; while (k < n) { c[i] += a[k]; k++; }"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"its iterator is looked at", TWO("int k; for (k = 0; k < n; k++) c[i] += a[k]; a[i] = k;"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a pointer from memory",
     KERNEL("float *c, float **p, int n",
            "for (int k = 0; k < 8; k++) c[i] += 1; p[i][0] = 1;") "void run(float *p, float **q) "
                                                                   "{ k<<<32, 128>>>(c, q, 1); }",
     "0, 0 stores; c: another name in the kernel may reach it"},
    {"a read by a pointer from memory",
     KERNEL("float *c, float **p, float *a",
            "for (int k = 0; k < 8; k++) c[i] += 1; a[i] = p[i][0];") "void run(float **q) { "
                                                                      "k<<<32, 128>>>(c, q, a); }",
     "0, 0 stores; c: another name in the kernel may reach it"},
    {"a pointer that a condition chooses",
     TWO("for (int k = 0; k < 8; k++) c[i] += a[k]; float *p = n ? c : a; p[i] = 1;"),
     "0, 0 stores; c: its address is chosen by a condition"},
    {"elements of another type",
     TWO("for (int k = 0; k < 8; k++) c[i] += a[k]; ((double *)c)[i] = 1;"),
     "0, 0 stores; c: it is accessed through a pointer whose target is not followed"},
    {"another array's, which may overlap it",
     KERNEL("float *c, float *a, float *b", "for (int k = 0; k < 8; k++) c[i] += b[k]; b[i] = "
                                            "((double *)a)[i];") "void run(float *p) { k<<<32, "
                                                                 "128>>>(c, c, b); }",
     "0, 0 stores; c: an array that may overlap it is used in a way that is not followed"},
    {"a place with a call", TWO("for (int k = 0; k < n; k++) c[twice(i)] += a[k];"),
     "0, 0 stores; c: its address is not a plain index"},
    {"a place with an assignment", TWO("int l; for (int k = 0; k < n; k++) c[(l = i)] += a[k];"),
     "0, 0 stores; c: its address is not a plain index"},
    {"a place with a step", TWO("int l = i; for (int k = 0; k < n; k++) c[-l] += a[k];"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"a place with a member", TWO("pair q = {i, 2}; for (int k = 0; k < n; k++) c[q.x] += a[k];"),
     "0, 0 stores; c: its address is not a plain index"},
    {"a place that steps", TWO("for (int k = 0; k < n; k++) c[i++] += a[k];"),
     "0, 0 stores; c: evaluating its address has effects"},
    {"a place of a local whose address is taken",
     TWO("int l = i; int *q = &l; for (int k = 0; k < n; k++) { c[l] += a[k]; *q += 1; }"),
     "0, 0 stores; c: its address depends on memory"},
    {"a place of a reference", TWO("int &l = n; for (int k = 0; k < 9; k++) c[l] += a[k];"),
     "0, 0 stores; c: its address depends on memory"},
    {"a place in memory that is written",
     TWO("for (int k = 0; k < n; k++) { c[t[i]] += a[k]; t[k] = 1; }"),
     "0, 0 stores; c: its address depends on memory that the kernel writes; t: another element of "
     "the array is used beside it"},
    {"a place in memory", TWO("for (int k = 0; k < n; k++) c[t[i]] += a[k];"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"a call beside it", TWO("for (int k = 0; k < n; k++) { c[i] += a[k]; other(a); }"),
     "0, 0 stores"},
    {"a function of the library beside it", TWO("for (int k = 0; k < n; k++) c[i] += sqrtf(a[k]);"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"an atomic operation beside it",
     TWO("for (int k = 0; k < n; k++) { c[i] += a[k]; atomicAdd(&b[k], 1.0f); }"),
     "0, 0 stores; c: a call beside it may reach it"},
    {"a neighbour beside it", TWO("for (int k = 0; k < n; k++) { c[i] += a[k]; c[i + 1] = 2; }"),
     "0, 0 stores; c: another element of the array is used beside it"},
    {"another name beside it", TWO("for (int k = 0; k < n; k++) { c[i] += a[k]; a[i] = 2; }"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it; a: another "
     "element of the array is used beside it"},
    {"a return beside it", TWO("for (int k = 0; k < n; k++) { c[i] += a[k]; if (k > i) return; }"),
     "0, 0 stores; c: threads return from the loop"},
    {"a switch beside it",
     TWO("for (int k = 0; k < n; k++) switch (k) { case 1: c[i] += a[k]; break; default: c[i] -= "
         "1; }"),
     "0, 0 stores; c: a statement beside it is not understood"},
    {"an iteration that goes on",
     TWO("for (int k = 0; k < n; k++) { if (k == i) continue; c[i] += a[k]; }"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"an iteration that is left",
     TWO("for (int k = 0; k < n; k++) { if (k == i) break; c[i] += a[k]; }"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a declaration of its place", TWO("for (int k = 0; k < n; k++) { int l = k; c[l] += a[k]; }"),
     "0, 0 stores"},
    {"no condition", TWO("for (int k = 0;; k++) { c[i] += a[k]; if (k > n) break; }"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a bound that steps", TWO("for (int k = 0; k < n--; k++) c[i] += a[k];"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a bound the other way round", TWO("for (int k = 0; n > k; k++) c[i] += a[k];"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"a bound of two parts", TWO("for (int k = 0; k < n && i; k++) c[i] += a[k];"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"a bound with its iterator", TWO("for (int k = 0; k < n - k; k++) c[i] += a[k];"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"an unsigned iterator", TWO("for (unsigned k = 0; k < n; k++) c[i] += a[k];"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"from below zero", TWO("for (int k = -3; k < 5; k++) c[i] += a[k + 3];"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"to below zero", TWO("for (int k = -9; k < -5; k++) c[i] += a[k + 9];"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"under a condition with an else",
     TWO("for (int k = 0; k < n; k++) if (k > i) c[i] += a[k]; else c[i] = 0;"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
    {"under a condition", TWO("for (int k = 0; k < n; k++) if (k > i) c[i] += a[k];"),
     "0, 0 stores; c: its loop may end without writing the element"},
    {"volatile",
     KERNEL("volatile float *c, float *a, int n", "for (int k = 0; k < n; k++) c[i] += a[k];")
         RUN("c, a, n"),
     "0, 0 stores"},
    {"a record",
     KERNEL("pair *p, float *a, int n",
            "for (int k = 0; k < n; k++) p[i].x += k;") "void run(pair *p) { k<<<32, 128>>>(p, a, "
                                                        "9); }",
     "0, 0 stores"},
    {"one variable", TWO("for (int k = 0; k < n; k++) lone += a[k];"), "0, 0 stores"},
    {"stores that are read", TWO("for (int k = 0; k < n; k++) { c[i] = a[k]; a[k] = c[i]; }"),
     "1, 2 stores; c: the element that the loop updates is kept in a register over it"},
    {"in loops in loops",
     TWO("for (int l = 0; l < n; l++) { c[i] = 0; for (int k = 0; k < n; k++) c[i] += a[k]; c[i] "
         "*= 2; }"),
     "1, 1 stores; c: the element that the loop updates is kept in a register over it"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
