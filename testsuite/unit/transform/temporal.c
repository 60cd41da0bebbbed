/* SPDX-License-Identifier: MIT */
/* temporal.c - launches of a loop that become one: what a kernel reads around its point, its
 * arrays, and why it may not. */
#include "analysis/transform/temporal/temporal.h"
#include "testsuite/unit/transform/transform_support.h"

#include <string.h>

#define FRONT \
  "enum { N = 1024 }; __global__ float a[N * N], b[N * N], c[N * N], g[N][N], h[N][N], " \
  "u[16][16][16][16], v4[16][16][16][16]; __global__ int t[N];\n" \
  "struct pair { float x, y; }; __device__ float half(float x) { return x / 2; } __device__ " \
  "float unknown(float); __device__ float loads(const float *p, int i) { return p[i]; " \
  "}\n#include <cstdio>\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y " \
  "* blockDim.y + threadIdx.y; " body " }\n"
#define LINE(body) \
  KERNEL("const float *from, float *to, int n, float step", body) \
  "void run(int n) { k<<<N, 256>>>(a, b, N * 256, 1.0f); }"
#define PLANE(body) \
  KERNEL("const float (*from)[N], float (*to)[N], int n, float step", body) \
  "void run(int n) { k<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(g, h, N, 1.0f); }"

static struct ir_var *param(const struct kernel_facts *facts, const char *name)
{
  for (unsigned i = 0; i < facts->kernel->param_count; i++)
    if (!strcmp(facts->kernel->params[i]->name, name)) return facts->kernel->params[i];
  return NULL;
}

/* What a launch does whose arrays `from` and `to` change places in the next one; the scalars `step`
 * differ between launches. */
static void look(struct subject *s, struct text *shown)
{
  struct kernel_facts facts = s->code.facts;
  struct temporal *t = ARENA_NEW(s->unit->arena, struct temporal);
  struct ir_var *from = param(&facts, "from"), *to = param(&facts, "to");
  const struct temporal_handed handed[] = {{from, to}, {to, from}};
  bool varies[16] = {false};

  for (unsigned i = 0; i < facts.kernel->param_count; i++) {
    facts.pointers[i] = (struct pointer_fact){0};
    varies[i] = !strcmp(facts.kernel->params[i]->name, "step");
  }
  temporal_scan(s->unit, s->effects, &facts, varies, &s->remarks, t);
  if (!t->reason) temporal_pair(t, t, handed, 2);
  if (!t->reason) temporal_find(t);
  if (!t->reason) temporal_blind(t);
  if (t->reason) {
    text_add(shown, t->reason);
  } else {
    text_format(shown, "%u axes", t->axes);
    for (unsigned axis = 0; axis < t->axes; axis++)
      text_format(shown, " %lld..%lld", -(long long)t->low[axis], (long long)t->high[axis]);
    text_format(shown, ", %u buffers, %u accesses, %u values%s", t->buffer_count, t->access_count,
                t->value_count, t->blind ? ", blind" : "");
  }
  temporal_finish(t);
}

static const struct transform_case found[] = {
    {"a line", LINE("if (i > 0 && i < n - 1) to[i] = from[i - 1] + from[i + 1];"),
     "1 axes -1..1, 2 buffers, 3 accesses, 1 values, blind"},
    {"a plane",
     PLANE("if (i > 0 && i < n - 1 && j > 0 && j < n - 1) to[j][i] = from[j][i - 1] + from[j][i + "
           "1] + from[j - 1][i] + from[j + 2][i];"),
     "2 axes -1..1 -1..2, 2 buffers, 5 accesses, 1 values, blind"},
    {"other arrays", LINE("if (i > 0 && i < n - 1) to[i] = from[i - 1] * c[i];"),
     "1 axes -1..0, 2 buffers, 2 accesses, 1 values, blind"},
    {"clamped", LINE("if (i < n) to[i] = from[max(i - 1, 0)] + from[min(i + 1, n - 1)];"),
     "1 axes -1..1, 2 buffers, 3 accesses, 1 values, blind"},
    {"a value of each launch", LINE("if (i < n) to[i] = from[i] * step;"),
     "1 axes 0..0, 2 buffers, 2 accesses, 1 values, blind"},
    {"a short loop",
     LINE("if (i > 1 && i < n - 2) { float s = 0; for (int l = -2; l <= 2; l++) s += from[i + l]; "
          "to[i] = s; }"),
     "1 axes -2..2, 2 buffers, 2 accesses, 1 values, blind"},
    {"a place of another element", LINE("if (i > 0 && i < n - 1) to[i] = c[(int)from[i] & 15];"),
     "1 axes 0..0, 2 buffers, 2 accesses, 1 values, blind"},
    {"a function of numbers",
     LINE("if (i > 0 && i < n - 1) to[i] = half(from[i - 1]) + from[i + 1] * step;"),
     "1 axes -1..1, 2 buffers, 3 accesses, 1 values, blind"},
    {"locals and blocks",
     LINE("if (i < 1 || i >= n - 1) return; { float l = from[i - 1], r; r = from[i + 1]; to[i] = l "
          "+ r; }"),
     "1 axes -1..1, 2 buffers, 3 accesses, 1 values, blind"},
    {"a table beside them",
     LINE("if (i > 0 && i < n - 1) to[i] = from[i - 1] + c[i] * step + t[3];"),
     "1 axes -1..0, 2 buffers, 2 accesses, 1 values, blind"},
    {"parameters in the guard",
     PLANE("if (i > 0 && i < N - 1 && j > 0 && j < n - 1) to[j][i] = from[j][i - 1] + from[j - "
           "1][i] + from[j + 1][i + 1];"),
     "2 axes -1..1 -1..1, 2 buffers, 4 accesses, 1 values, blind"},
};

static const struct transform_case declined[] = {
    {"no store", LINE("if (i < n) c[i] = from[i];"),
     "the next launch does not read what it writes to 'c'"},
    {"it reads what it writes", LINE("if (i < n) to[i] += from[i];"), "it reads and writes 'to'"},
    {"another array that it changes", LINE("if (i < n) { to[i] = from[i]; c[i] += 1; }"),
     "it reads and writes 'c'"},
    {"nothing handed on",
     KERNEL("const float *from, float *to, int n",
            "float x = from[i]; n = (int)x;") "void run(int n) { k<<<N, 256>>>(a, b, n); }",
     "it hands no array on"},
    {"a record by value",
     KERNEL("const float *from, float *to, pair p",
            "to[i] = from[i] * p.x;") "void run(int n) { pair p = { 1, 2 }; k<<<N, "
                                      "256>>>(a, b, p); }",
     "'p' is passed by value"},
    {"a fence", LINE("if (i < n) to[i] = from[i]; __threadfence();"), "it has a memory fence"},
    {"an atomic operation", LINE("if (i < n) { to[i] = from[i]; atomicAdd(&c[0], 1.0f); }"),
     "it has atomic operations"},
    {"volatile memory",
     KERNEL("volatile float *from, volatile float *to",
            "to[i] = from[i];") "void run(int n) { k<<<N, 256>>>(a, b); }",
     "it accesses volatile memory"},
    {"a pointer from memory",
     KERNEL("const float *from, float *to, float **q",
            "to[i] = from[i] + q[0][i];") "void run(float **q) { k<<<N, 256>>>(a, b, q); }",
     "it uses memory through a pointer that is not followed"},
    {"its parameter is assigned", LINE("to = to + 1; if (i < n) to[i] = from[i];"),
     "'to' is used other than by its elements"},
    {"scattered", LINE("if (i < n) to[i] = from[t[i & 1023]];"),
     "an index is not known to be near the element that the thread writes"},
    {"turned", LINE("if (i < n) to[n - 1 - i] = from[i];"),
     "an index is not known to be near the element that the thread writes"},
    {"every other element", LINE("if (i < n) to[2 * i] = from[2 * i];"),
     "an index is not known to be near the element that the thread writes"},
    {"two stores", LINE("if (i < n) { to[i] = from[i]; to[i + 1] = 0; }"),
     "it writes 'to' in several places"},
    {"a store by value", LINE("if (i < n && from[i] > 0) to[i] = from[i] + 1;"),
     "whether it writes an element depends on more than indices"},
    {"a store by a value of each launch", LINE("if (i < (int)step) to[i] = from[i];"),
     "whether it writes an element depends on more than indices"},
    {"an index of each launch",
     KERNEL("const float *from, float *to, int step",
            "if (i > 1 && i < N) to[i] = from[i - (step & 1)];") "void run(int n) { k<<<N, "
                                                                 "256>>>(a, b, n); }",
     "its indices differ between launches"},
    {"four dimensions",
     KERNEL("const float (*from)[16][16][16], float (*to)[16][16][16]",
            "to[j][i & 15][0][0] = from[j][i & 15][0][0];") "void run(int n) { k<<<N, "
                                                            "256>>>(u, v4); }",
     "its arrays have different dimensions"},
    {"an array by itself",
     LINE("if (i < n) to[i] = from[i]; const float *q = from + i; if (q == to) c[i] = 1;"),
     "the next launch does not read what it writes to 'c'"},
    {"rows that run into one another",
     KERNEL("const float *from, float *to",
            "int l = j * N + i; if (l > N && l < N * N - N) to[l] = from[l - 1] + from[l + "
            "1];") "void run(int n) { k<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(a, b); }",
     "an index is not known to be near the element that the thread writes"},
    {"a step", LINE("if (i < n && from[i] > 0) to[i]++;"), "it reads and writes 'to'"},
    {"a barrier", LINE("to[i] = from[i]; __syncthreads();"), "it has a barrier"},
    {"it prints", LINE("to[i] = from[i]; printf(\"%d\", i);"), "it prints"},
    {"an unknown function", LINE("if (i < n) to[i] = unknown(from[i]);"),
     "it calls a function whose effects are not known"},
    {"a function that loads", LINE("if (i < n) to[i] = loads(from, i);"),
     "it is passed to the device function 'loads'"},
    {"an address", LINE("const float *q = &from[i]; to[i] = *q;"),
     "'from' is used other than by its elements"},
    {"far elements", LINE("if (i > 99 && i < n - 99) to[i] = from[i - 70] + from[i + 70];"),
     "an index is not known to be near the element that the thread writes"},
    {"elements from the end", LINE("if (i < n) to[i] = from[n - 1 - i];"),
     "an index is not known to be near the element that the thread writes"},
    {"a table of places", LINE("if (i < n) to[i] = from[t[i]];"),
     "an index is not known to be near the element that the thread writes"},
    {"a store to another place",
     LINE("if (i > 0 && i < n) { to[i] = from[i]; to[i - 1] = from[i - 1]; }"),
     "it writes 'to' in several places"},
    {"rows that end elsewhere", PLANE("to[j][i] = from[j][i + 1];"), "an index may leave its row"},
    {"rows turned", PLANE("to[i][j] = from[j][i];"),
     "an index is not known to be near the element that the thread writes"},
    {"another array is written", LINE("if (i < n) { to[i] = from[i]; c[i] = 1; }"),
     "the next launch does not read what it writes to 'c'"},
    {"records",
     KERNEL("const pair *from, pair *to, int n, float step",
            "if (i < n) to[i] = from[i];") "void run(pair *x, pair *y) { k<<<N, 256>>>(x, y, N * "
                                           "256, 1.0f); }",
     "1 axes 0..0, 2 buffers, 2 accesses, 1 values, blind"},
    {"wide parameters",
     KERNEL("const float *from, float *to, int n, pair step",
            "if (i > 0 && i < n - 1) to[i] = from[i - 1] * step.x;") "void run(pair x) { k<<<N, "
                                                                     "256>>>(a, b, N * 256, x); }",
     "'step' is passed by value"},
    {"the guard asks what differs",
     LINE("if (i > 0 && i < n - 1 && step > 0) to[i] = from[i - 1];"),
     "whether it writes an element depends on more than indices"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
