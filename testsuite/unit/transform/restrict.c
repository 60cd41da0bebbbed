/* SPDX-License-Identifier: MIT */
/* restrict.c - kernels whose loads stand behind stores: which parameters are said to be apart, and
 * why none are. */
#include "analysis/transform/restrict/restrict.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[65536], b[65536], c[65536]; __global__ int t[65536]; __global__ float *p;\n" \
  "struct node { float v; node *next; }; __global__ node nodes[64]; __device__ void " \
  "unknown(float *);\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<32, 128>>>(" args "); }"
#define CASE(body) KERNEL("float *x, float *y, int n", body) RUN("a, b, n")
#define LOOP "for (int k = i; k < n; k += gridDim.x * blockDim.x) "

static bool note_pragma(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->pragma && strstr(stmt->pragma, "unroll 4");
  return true;
}

/* The parameters that are marked and the loops' pragmas, or why there are none. */
static void look(struct subject *s, struct text *shown)
{
  struct plan_options options = {.level = PLAN_O2, .tuned_for = 90};
  bool unrolled = false;
  struct text dump = {0};
  struct draft draft = {.code = s->code, .options = &options, .dump = &dump};
  bool taken = plan_restrict(&draft);

  s->code = draft.code;
  if (!taken) {
    transform_show_decisions(s, DECISION_REGISTERS, shown);
    return;
  }
  for (unsigned i = 0; i < s->code.kernel->param_count; i++)
    if (draft.restricted[i])
      text_format(shown, "%s%s", *text_string(shown) ? " " : "", s->code.kernel->params[i]->name);
  ir_visit_stmts(s->code.facts.kernel->body, note_pragma, &unrolled);
  text_add(shown, unrolled ? ", unrolled" : "");
  text_finish(&dump);
}

static const struct transform_case found[] = {
    {"a loop that stores", CASE(LOOP "x[k] = y[k] * 2;"), "x y, unrolled"},
    {"an update", CASE(LOOP "x[k] += y[k];"), "x y, unrolled"},
    {"two stores", CASE("x[i] = y[i]; x[i + 8192] = y[i + 8192];"), "x y"},
    {"under an if", CASE("if (i < n) { x[i] = y[i]; x[i + 8192] = y[i + 8192]; }"), "x y"},
    {"through a pointer of its own", CASE("float *to = x + i; " LOOP "{ to[0] = y[k]; to += n; }"),
     "x y, unrolled"},
    {"read only and apart",
     KERNEL("float *__restrict__ x, float *y, float *z, int n",
            LOOP "{ z[k] = y[k]; x[k] = z[k] + y[k]; x[k + 1] = y[k + 1]; }") RUN("a, b, c, n"),
     "y z, unrolled"},
    {"a loop that threads leave", CASE(LOOP "{ if (k == 9) break; x[k] = y[k]; x[k + 1] = y[k]; }"),
     "x y"},
    {"a barrier beside it",
     KERNEL("float *x, float *y, float *z, int n",
            LOOP "{ z[k] = y[k]; __syncthreads(); x[k] = z[k] + y[k]; x[k + 1] = y[k + 1]; }")
         RUN("a, b, c, n"),
     "x y"},
    {"an update of each element", CASE("for (int k = i; k < n; k++) x[k] += y[k] * 2;"),
     "x y, unrolled"},
    {"a loop in a loop",
     CASE("for (int l = 0; l < 4; l++) for (int k = i; k < n; k++) x[k] = y[k + l] * 2;"),
     "x y, unrolled"},
    {"a while loop", CASE("int k = i; while (k < n) { x[k] = y[k] * 2; k += 128; }"),
     "-: the loads that could go in front of stores take too little of its time"},
    {"a do loop", CASE("int k = i; do { x[k] = y[k] / n; k += 128; } while (k < n);"),
     "-: the loads that could go in front of stores take too little of its time"},
    {"choices and functions",
     CASE("for (int k = i; k < n; k++) x[k] = y[k] > 2 && n ? sqrtf(y[k]) : -y[k + 1];"),
     "x y, unrolled"},
    {"a switch",
     CASE("for (int k = i; k < n; k++) switch (k & 1) { case 0: x[k] = y[k]; break; default: x[k] "
          "= y[k + 1]; }"),
     "x y"},
    {"members of records",
     KERNEL("node *v, float *y, int n",
            "for (int k = i; k < n; k++) v[k].v = y[k] * 2;") "void run(int n) { k<<<32, "
                                                              "128>>>(nodes, b, n); }",
     "v y, unrolled"},
    {"a name for a place",
     CASE("float *to = x + i; const float *from = &y[i]; for (int k = 0; k < n; k++) to[k] = "
          "*from++ * 2;"),
     "x y, unrolled"},
};

static const struct transform_case declined[] = {
    {"loads first", CASE("float v = y[i], w = y[i + 8192]; x[i] = v; x[i + 8192] = w;"), ""},
    {"one element", CASE("x[i] = y[i];"), ""},
    {"a sum", CASE("float s = 0; for (int k = 0; k < n; k++) s += y[k]; x[i] = s;"), ""},
    {"one object", KERNEL("float *x, float *y, int n", LOOP "x[k] = y[k];") RUN("a, a + n, n"),
     "-: 'x' and 'y' may overlap"},
    {"said already",
     KERNEL("float *__restrict__ x, const float *__restrict__ y, int n", LOOP "x[k] = y[k];")
         RUN("a, b, n"),
     ""},
    {"a fence", CASE(LOOP "{ x[k] = y[k]; __threadfence(); }"), "-: it has a memory fence"},
    {"volatile memory",
     KERNEL("volatile float *x, float *y, int n", LOOP "x[k] = y[k];") RUN("a, b, n"),
     "-: it accesses volatile memory"},
    {"pointers from memory",
     KERNEL("float *x, node *y, int n", LOOP "x[k] = y[k].next->v;") RUN("a, nodes, n"),
     "-: it uses pointers that come from memory"},
    {"much arithmetic",
     KERNEL("float *x, float *y, int n",
            "x[i] = y[i]; x[i + n] = "
            "sinf(cosf(sinf(cosf(sinf(cosf(sinf(cosf(sinf(cosf(sinf(cosf("
            "sinf(cosf(sinf(cosf(sinf(cosf(sinf(cosf(y[i + "
            "n]))))))))))))))))))));") "void run(int n) { k<<<65536, "
                                       "256>>>(a, b, n); }",
     "-: the loads that could go in front of stores take too little of its time"},
    {"a rows array that is volatile",
     KERNEL("volatile float (*x)[4], float *y, int n",
            "for (int k = i; k < n; k++) x[k][1] = y[k];") "void run(float (*v)[4], int n) { "
                                                           "k<<<32, 128>>>(v, b, n); }",
     "-: it accesses volatile memory"},
    {"an unknown function", CASE("for (int k = i; k < n; k++) { x[k] = y[k]; unknown(x); }"),
     "-: it calls a function whose effects are not known"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
