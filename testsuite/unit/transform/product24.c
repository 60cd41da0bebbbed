/* SPDX-License-Identifier: MIT */
/* product24.c - products of 24 bits: which are plain, what the launch is asked, and which stay. */
#include "analysis/transform/product24/product24.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[4096]; __global__ unsigned u[4096]; __global__ int t[4096];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x; " body \
  " }\n"
#define CASE(body) KERNEL("int n, unsigned m", body) "void run(int n) { k<<<16, 256>>>(n, n); }"

/* The stores, without their conversions. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_product24(&draft);

  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *line = strstr(text_string(&printed), "(u)[");
  text_format(shown, "%s%.*s", taken ? "" : "kept ", line ? (int)strcspn(line, "\n") : 0,
              line ? line : "");
  text_finish(&printed);
}

static void look_asked(struct subject *s, struct text *shown)
{
  struct ir_expr *asked[6];
  unsigned count = product24_ask(&s->code, asked, 6);

  for (unsigned i = 0; i < count; i++) {
    if (i) text_add(shown, ", ");
    ir_print_expr(shown, asked[i]);
  }
}

static const struct transform_case plain[] = {
    {"an id", CASE("u[i] = 1;"), "(u)[i] = convert<unsigned int>(1))"},
    {"a number", CASE("u[i] = __umul24(threadIdx.x, 7u);"),
     "(u)[i] = (convert<unsigned int>(threadIdx.x) * 7))"},
    {"too large", CASE("u[i] = __umul24(i, 1u << 24);"),
     "(u)[i] = __umul24(convert<unsigned int>(i), (1 << 24)))"},
    {"loaded", CASE("u[i] = __umul24(u[i], 3u);"),
     "(u)[i] = __umul24(convert<unsigned int *>(u)[i], 3))"},
    {"may wrap", CASE("u[i] = __umul24(threadIdx.x - 1u, 3u);"),
     "(u)[i] = __umul24((convert<unsigned int>(threadIdx.x) - 1), 3))"},
    {"an int overflows", CASE("u[i] = __mul24(i * 1024, 8192);"),
     "(u)[i] = convert<unsigned int>(__mul24((i * 1024), 8192)))"},
    {"set twice", CASE("int v = i; v += 3; u[i] = __umul24(v, 3u);"),
     "(u)[i] = __umul24(convert<unsigned int>(v), 3))"},
    {"a local with a part", CASE("int p = __mul24(threadIdx.x, 5), q = p + 1; u[i] = p + q;"),
     "(u)[i] = convert<unsigned int>((p + q)))"},
    {"not asked", CASE("u[i] = __umul24(i, m);"),
     "(u)[i] = __umul24(convert<unsigned int>(i), m))"},
};

static const struct transform_case asked[] = {
    {"nothing", CASE("u[i] = __umul24(i, 3u);"), ""},
    {"a size", CASE("u[i] = __umul24(i, m);"), "(m <= 32767)"},
    {"one with a sign", CASE("u[i] = __mul24(i - 1, n);"), "((n >= 0) && (n <= 32767))"},
    {"a loop", CASE("for (int k = 0; k < n; k++) u[__mul24(k, 16) + i] = 1;"),
     "((n >= 0) && (n <= 32767))"},
    {"blocks", KERNEL("int n", "u[i] = __mul24(i, 3);") "void run(int g) { k<<<g, 256>>>(g); }",
     "(cast<int>(gridDim.x) <= 2097151), (cast<int>(gridDim.x) <= 128)"},
    {"a value that is loaded", CASE("u[i] = __umul24(t[i], m);"), ""},
};

static const struct transform_table tables[] = {TABLE(plain, look), TABLE(asked, look_asked)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
