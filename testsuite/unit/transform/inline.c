/* SPDX-License-Identifier: MIT */
/* inline.c - calls of device functions: which become a body or a value, as what, and which stay. */
#include "analysis/transform/inline/inline.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[4096], b[4096], m[64][64]; __global__ int t[4096];\n" \
  "__device__ float at(const float *p, int i) { return p[i]; }\n" \
  "__device__ int clamped(int i, int n) { if (i < 0) return 0; if (i >= n) return n - 1; return " \
  "i; }\n" \
  "__device__ double wide(const float *p, int i) { return p[i]; }\n" \
  "__device__ float sum(const float *p, int n) { float s = 0; for (int k = 0; k < n; k++) s += " \
  "p[k]; return s; }\n" \
  "__device__ float down(const float *p, int n) { float s = 0; while (n) s += p[--n]; return s; " \
  "}\n" \
  "__device__ void put(float *p, int i, float v) { if (v < 0) { p[i] = 0; return; } p[i] = v; }\n" \
  "__device__ int find(const int *p, int v) { for (int k = 0; k < 9; k++) if (p[k] == v) return " \
  "k; return 9; }\n" \
  "__device__ float taken(float *p, int i) { float v = p[i]; p[i] = 0; return v; }\n" \
  "__device__ float named(int i) { return a[i]; }\n" \
  "__device__ int down_to(const int *p, int n) { return n ? down_to(p, n - 1) : p[0]; }\n" \
  "__device__ __noinline__ float apart(const float *p) { return p[0]; }\n" \
  "__device__ float shared(const float *p) { __shared__ float s[4]; s[0] = p[0]; return s[0]; }\n" \
  "__device__ void add(float &to, const float *p, int i) { to += p[i]; }\n" \
  "namespace other { __device__ float at(const float *p, int i) { return p[i + 1]; } }\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<32, 128>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")

/* A line without its implicit conversions. */
static void show_line(const char *line, size_t length, struct text *shown)
{
  const char *const end = line + length, *const conversion = "convert<";

  for (line += strspn(line, " "); line < end; line++)
    if (!strncmp(line, conversion, strlen(conversion)))
      line = strchr(line, '>');
    else
      text_format(shown, "%c", *line);
}

/* Lines of the code as it prints, from the one that sets the kernel's index on. */
static void show_body(struct subject *s, struct text *shown)
{
  struct text printed = {0};
  const char *line;

  ir_print_function(&printed, s->code.facts.kernel);
  line = strstr(text_string(&printed), "threadIdx");
  for (line = line ? strchr(line, '\n') + 1 : ""; *line && *line != '}'; line += *line == '\n') {
    size_t length = strcspn(line, "\n");
    text_add(shown, *text_string(shown) ? "; " : "");
    show_line(line, length, shown);
    line += length;
  }
  text_finish(&printed);
}

/* The code, or why calls stay. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  unsigned count = inline_calls(&draft);

  s->code = draft.code;
  if (count)
    show_body(s, shown);
  else
    transform_show_decisions(s, DECISION_FORM, shown);
}

static const struct transform_case found[] = {
    {"a load", CASE("b[i] = at(a, i + 1);"), "((b)[i] = ((a))[(i + 1)])"},
    {"a clamp", CASE("b[i] = a[clamped(i - 1, n)];"),
     "((b)[i] = (a)[(((i - 1) < 0) ? 0 : (((i - 1) >= n) ? (n - 1) : (i - 1)))])"},
    {"under a condition", CASE("b[i] = i < n && at(a, i) > 0 ? 1 : 0;"),
     "((b)[i] = ((((i < n) && (((a))[i] > (0))) ? 1 : 0)))"},
    {"a value in its type", CASE("b[i] = wide(a, i) / 3;"),
     "((b)[i] = ((cast<double>(((a))[i]) / (3))))"},
    {"a loop", CASE("b[i] = sum(a, n) + 1;"),
     "var s_2: float = (0); for [k from 0 while < n step 1]; (s_2 += (a[k])); ((b)[i] = (s_2 + "
     "(1)))"},
    {"a pointer of its own", CASE("b[i] = sum(m[i], n);"),
     "var p: const float * = (((m)[i])); var s_2: float = (0); for [k from 0 while < n step 1]; "
     "(s_2 += (p[k])); ((b)[i] = s_2)"},
    {"a parameter that changes", CASE("b[i] = down(a, n);"),
     "var n_2: int = n; var s_2: float = (0); while (n_2); (s_2 += (a[--n_2])); ((b)[i] = s_2)"},
    {"an early return", CASE("put(b, i, 3);"),
     "var v: float = (3); if (v < (0)); (b[i] = (0)); else; (b[i] = v)"},
    {"an effect that is all", CASE("b[i] = taken(a, i);"),
     "var v: float = a[i]; (a[i] = (0)); ((b)[i] = v)"},
    {"an array named inside", CASE("b[i] = named(i);"), "((b)[i] = (a)[i])"},
    {"a reference", CASE("float s = 0; add(s, a, i); b[i] = s;"),
     "var s: float = (0); (s += (a[i])); ((b)[i] = s)"},
};

static const struct transform_case declined[] = {
    {"numbers only", CASE("b[i] = sqrtf(i);"), ""},
    {"a return in a loop", CASE("t[i] = find(t, n);"),
     "-: it returns from inside a loop or a switch"},
    {"recursion", CASE("t[i] = down_to(t, n);"), ""},
    {"noinline", CASE("b[i] = apart(a);"), "-: it is marked as noinline"},
    {"shared memory", CASE("b[i] = shared(a);"), "-: it has shared or static variables of its own"},
    {"a loop in a condition", CASE("b[i] = i < n ? sum(a, n) : 0;"),
     "-: it is under a condition, or in the head of a loop"},
    {"a loop in the head of a loop", CASE("for (int k = 0; k < sum(a, n); k++) b[i] += k;"),
     "-: it is in the head of a loop"},
    {"an effect beside", CASE("b[i] = taken(a, i) + a[i];"),
     "-: it has an effect, and its statement does more than to take its value"},
    {"an effect before", CASE("b[i] = n++ + sum(a, 3);"),
     "-: another part of its statement has an effect of its own"},
    {"a hidden name", CASE("int a = 3; b[i] = named(i) + a;"),
     "-: a name in it means something else in the kernel"},
    {"a reference to an element", CASE("add(b[i], a, i);"),
     "-: a parameter refers to more than a local"},
    {"another namespace", CASE("b[i] = other::at(a, i);"), "-: it belongs to another namespace"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
