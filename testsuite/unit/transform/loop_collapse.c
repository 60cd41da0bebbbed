/* SPDX-License-Identifier: MIT */
/* loop_collapse.c - two loops over neighbouring rows: which become one, what the launch is asked,
 * and which stay. */
#include "analysis/transform/loop_collapse/loop_collapse.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ int a[1 << 20]; __global__ int out[4096];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int p = blockIdx.x * blockDim.x + threadIdx.x, s = 0; " body \
  " out[p] = s; }\n"
#define CASE(body) \
  KERNEL("int h, int w, int q", body) "void run(int n) { k<<<16, 256>>>(n, n, n); }"
#define NEST(h, w, body) \
  "for (int y = 0; y < " h "; y++) for (int x = 0; x < " w "; x++) { " body " }"

/* The first loop of the kernel's text, up to its body's end. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_loop_collapse(&draft);

  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *line = strstr(text_string(&printed), "a)[");
  text_format(shown, "%s%.*s", taken ? "" : "kept ", line ? (int)strcspn(line, "\n") : 0,
              line ? line : "");
  text_finish(&printed);
}

static void look_asked(struct subject *s, struct text *shown)
{
  struct ir_expr *asked[6];
  unsigned count = loop_collapse_ask(&s->code, asked, 6);

  for (unsigned i = 0; i < count; i++) {
    if (i) text_add(shown, ", ");
    ir_print_expr(shown, asked[i]);
  }
}

static const struct transform_case collapsed[] = {
    {"constants", CASE(NEST("8", "16", "s += a[p * 128 + y * 16 + x];")), "a)[((p * 128) + x)])"},
    {"three loops",
     CASE("for (int z = 0; z < 4; z++) " NEST("8", "16", "s += a[z * 128 + y * 16 + x];")),
     "a)[x])"},
    {"a pitch", CASE(NEST("8", "16", "s += a[p * 128 + y * 20 + x];")),
     "kept a)[(((p * 128) + (y * 20)) + x)])"},
    {"another use", CASE(NEST("8", "16", "s += a[y * 16 + x] * y;")),
     "kept a)[((y * 16) + x)] * y))"},
    {"an exit", CASE(NEST("8", "16", "if (a[y * 16 + x] == 3) break; s++;")),
     "kept a)[((y * 16) + x)] == 3)"},
    {"not from 0",
     CASE("for (int y = 0; y < 8; y++) for (int x = 1; x < 16; x++) s += a[y * 16 + "
          "x];"),
     "kept a)[((y * 16) + x)])"},
    {"a statement beside it",
     CASE("for (int y = 0; y < 8; y++) { s++; for (int x = 0; x < 16; x++) s += a[y * 16 + x]; }"),
     "kept a)[((y * 16) + x)])"},
    {"not asked", CASE(NEST("h", "w", "s += a[y * w + x];")), "kept a)[((y * w) + x)])"},
};

static const struct transform_case asked[] = {
    {"constants", CASE(NEST("8", "16", "s += a[y * 16 + x];")), ""},
    {"arguments", CASE(NEST("h", "w", "s += a[y * w + x];")),
     "(((h >= 0) && (w >= 0)) && ((cast<long long>(h) * cast<long long>(w)) <= cast<long "
     "long>(2147483647)))"},
    {"one of them", CASE(NEST("8", "w", "s += a[y * w + x];")),
     "((w >= 0) && ((cast<long long>(8) * cast<long long>(w)) <= cast<long long>(2147483647)))"},
    {"an expression", CASE(NEST("h - q + 1", "w", "s += a[y * w + x];")),
     "(((((h - q) + 1) >= 0) && (w >= 0)) && ((cast<long long>(((h - q) + 1)) * cast<long "
     "long>(w)) <= cast<long long>(2147483647)))"},
    {"loaded", CASE("int m = a[0]; " NEST("h", "m", "s += a[y * m + x];")), ""},
    {"another use", CASE(NEST("h", "w", "s += a[y * w + x] + x;")), ""},
};

static const struct transform_table tables[] = {TABLE(collapsed, look), TABLE(asked, look_asked)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
