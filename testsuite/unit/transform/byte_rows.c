/* SPDX-License-Identifier: MIT */
/* byte_rows.c - rows some bytes apart: which are rows of elements, what the launch is asked, and
 * which stay. */
#include "analysis/transform/byte_rows/byte_rows.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define CASE(row) \
  "__global__ void k(const float *in, float *out, unsigned long pitch, int p, unsigned u, " \
  "short *s) { int y = threadIdx.y; out[y] = (" row ")[7]; } " \
  "void run(const float *in, float *out, short *s, int n) { " \
  "k<<<n, dim3(32, 8)>>>(in, out, n, n, n, s); }"
#define BYTES(base) "(const float *)((const char *)" base

/* The store. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_byte_rows(&draft);

  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *line = strstr(text_string(&printed), "[y] = ");
  text_format(shown, "%s%.*s", taken ? "" : "kept ", taken && line ? (int)strcspn(line, "\n") : 0,
              line ? line : "");
  text_finish(&printed);
}

static void look_asked(struct subject *s, struct text *shown)
{
  struct ir_expr *asked[6];
  unsigned count = byte_rows_ask(&s->code, asked, 6);

  for (unsigned i = 0; i < count; i++) {
    if (i) text_add(shown, ", ");
    ir_print_expr(shown, asked[i]);
  }
}

static const struct transform_case rows[] = {
    {"a constant", CASE(BYTES("in + y * 64)")),
     "[y] = convert<float>((in + (y * cast<int>(16)))[7]))"},
    {"not asked", CASE(BYTES("in + y * pitch)")), "kept "},
    {"no whole elements", CASE(BYTES("in + y * 6)")), "kept "},
    {"other elements", CASE("(const float *)((const char *)s + y * 64)"), "kept "},
    {"may wrap", CASE(BYTES("in + threadIdx.y * 64u)")), "kept "},
};

static const struct transform_case asked[] = {
    {"nothing", CASE(BYTES("in + y * 64)")), ""},
    {"a pitch", CASE(BYTES("in + y * pitch)")), "((pitch % 4) == 0)"},
    {"two", CASE(BYTES("in + y * p + pitch)")), "((p % 4) == 0), ((pitch % 4) == 0)"},
    {"32 bits may wrap", CASE(BYTES("in + y * u)")), ""},
    {"its own number", CASE(BYTES("in + y)")), ""},
};

static const struct transform_table tables[] = {TABLE(rows, look), TABLE(asked, look_asked)};

int main(void) { return transform_run("", tables, COUNT(tables)); }
