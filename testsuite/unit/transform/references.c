/* SPDX-License-Identifier: MIT */
/* references.c - local references: which give way to their elements, and which stay. */
#include "analysis/transform/references/references.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "struct body { int x, y; };\n" \
  "__global__ int a[4096], b[4096], list[4096]; __global__ body all[4096];\n" \
  "__device__ int twice(int &v) { v *= 2; return v; }\n"
#define CASE(body) \
  "__global__ void k(const body *p, float *f, int n) {" \
  " int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n" \
  "void run(const body *p, float *f, int n) { k<<<16, 256>>>(p, f, n); }"

/* How many references are left, and the last line of the body. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  plan_references(&draft);
  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  unsigned left = 0;
  const char *last = "", *line = text_string(&printed);
  for (; *line; line += strcspn(line, "\n") + 1) {
    const char *reference = strstr(line, " & = ");
    left += reference && reference < line + strcspn(line, "\n");
    last = line;
    if (!line[strcspn(line, "\n")]) break;
  }
  last += strspn(last, " ");
  text_format(shown, "%u: %.*s", left, (int)strcspn(last, "\n"), last);
  text_finish(&printed);
}

static const struct transform_case cases[] = {
    {"an element", CASE("float &o = f[i]; o = 1;"), "0: (f[i] = convert<float>(1))"},
    {"of a structure", CASE("const body &q = p[i]; f[i] = q.x;"),
     "0: (f[i] = convert<float>(convert<int>(p[i].x)))"},
    {"of a member", CASE("const int &q = p[i].x; f[i] = q;"),
     "0: (f[i] = convert<float>(convert<int>(p[i].x)))"},
    {"behind a pointer", CASE("const body *q = p + i; f[i] = q->x;"),
     "0: (f[i] = convert<float>(convert<int>(*q.x)))"},
    {"of a reference", CASE("const body &q = p[i]; const int &x = q.x; f[i] = x;"),
     "0: (f[i] = convert<float>(convert<int>(p[i].x)))"},
    {"two of one statement", CASE("float &u = f[i], &v = f[i + 1]; u = v;"),
     "0: (f[i] = f[(i + 1)])"},
    {"stored beside it", CASE("float &o = f[i]; f[i + 1] = o;"), "0: (f[(i + 1)] = f[i])"},
    {"its index moves", CASE("float &o = f[i]; i++; o = 1;"), "1: (o = convert<float>(1))"},
    {"a parameter that moves", CASE("float &o = *f; f += 1; o = 1;"),
     "0: (*f = convert<float>(1))"},
    {"its pointer moves", CASE("float *q = f, &o = *q; q += 1; o = 1;"),
     "1: (o = convert<float>(1))"},
    {"another type", CASE("const double &o = f[i]; f[n] = o;"),
     "1: (f[n] = convert<float>(convert<double>(o)))"},
    {"a local", CASE("float v = 1, &o = v; f[i] = o;"), "1: (f[i] = o)"},
    {"the index is loaded", CASE("float &o = f[p[i].x]; o = 1;"), "1: (o = convert<float>(1))"},
};

static const struct transform_table tables[] = {TABLE(cases, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
