/* SPDX-License-Identifier: MIT */
/* clamps.c - ifs that keep a local within limits: the value that it gets, and which stay. */
#include "analysis/transform/clamps/clamps.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[4096], b[4096]; __global__ int t[4096];\n"
#define CASE(body) \
  "__global__ void k(int n, unsigned m, int *p) { int i = blockIdx.x * blockDim.x + " \
  "threadIdx.x; " body " }\nvoid run(int n, int *p) { k<<<32, 128>>>(n, n, p); }"

static bool is_joined(const char *line, size_t length)
{
  const char *found = strstr(line, "var _x");
  return found && found < line + length;
}

/* The values of the second locals, or that there are none. */
static void look(struct subject *s, struct text *shown)
{
  unsigned count;
  struct ir_stmt *body = clamps_joined(&s->code, s->code.facts.kernel->body, &count);

  code_drop_scan(&s->code);
  s->code.facts.kernel->body = body;
  if (count)
    transform_show_code(s, is_joined, (const char *[]){NULL}, shown);
  else
    text_add(shown, "stays");
}

static const struct transform_case found[] = {
    {"both limits", CASE("int x = i - 1; if (x < 0) x = 0; if (x >= n) x = n - 1; b[i] = a[x];"),
     "var _x: int = mesi_min(mesi_max((i - 1), 0), (n - 1))"},
    {"the nearest number", CASE("int x = i - 1; if (x <= -1) x = 0; b[i] = a[x];"),
     "var _x: int = mesi_max((i - 1), 0)"},
    {"turned comparisons", CASE("int x = i + 1; if (n - 1 < x) { x = n - 1; } b[i] = a[x];"),
     "var _x: int = mesi_min((i + 1), (n - 1))"},
    {"an else", CASE("int x = i; if (x < 1) x = 1; else if (x > n) x = n; b[i] = a[x];"),
     "var _x: int = ((x < 1) ? 1 : ((x > n) ? n : x))"},
    {"selections", CASE("int x = i; x = x < 0 ? 0 : x; x = x < n ? x : n; b[i] = a[x];"),
     "var _x: int = mesi_min(mesi_max(i, 0), n)"},
    {"calls", CASE("int x = i - 1; x = max(0, x); x = min(x, n - 1); b[i] = a[x];"),
     "var _x: int = mesi_min(mesi_max((i - 1), 0), (n - 1))"},
    {"reflection",
     CASE("int x = i - 1; if (x < 0) x = -x; if (x >= n) x = 2 * n - 2 - x; b[i] = "
          "a[x];"),
     "var _x: int = ((x < 0) ? ((-x >= n) ? (((2 * n) - 2) - -x) : -x) : ((x >= n) ? (((2 * n) - "
     "2) - x) : x))"},
    {"a ring", CASE("int x = i - 1; if (x < 0) x += n; b[i] = a[x];"),
     "var _x: int = ((x < 0) ? (x + n) : x)"},
    {"a load as the first value", CASE("int x = t[i]; if (x < 0) x = 0; b[i] = a[x];"),
     "var _x: int = mesi_max(x, 0)"},
    {"a read in front of the ifs", CASE("int x = i - 1; b[i] = x; if (x < 0) x = 0; b[i] = a[x];"),
     "var _x: int = mesi_max((i - 1), 0)"},
    {"a read between the ifs",
     CASE("int x = i - 1; if (x < 0) x = 0; t[i] = x; if (x > n) x = n; b[i] = a[x];"), "stays"},
    {"another assignment", CASE("int x = i - 1; if (x < 0) x = 0; b[i] = a[x]; x = 3; t[i] = x;"),
     "stays"},
    {"without a sign", CASE("int x = i; if (x >= m) x = m - 1; b[i] = a[x];"), "stays"},
    {"a limit from memory", CASE("int x = i; if (x >= t[0]) x = t[0]; b[i] = a[x];"), "stays"},
    {"a limit that changes", CASE("int x = i; n++; if (x >= n) x = n; b[i] = a[x];"), "stays"},
    {"an address", CASE("int x = i; p[0] = *&x; if (x >= n) x = n; b[i] = a[x];"), "stays"},
    {"an else with another effect", CASE("int x = i; if (x < 0) x = 0; else b[i] = 1; a[i] = x;"),
     "stays"},
    {"labels", CASE("switch (n) { case 1: int x; x = i; if (x < 0) x = 0; b[i] = a[x]; }"),
     "stays"},
};

static const struct transform_table tables[] = {TABLE(found, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
