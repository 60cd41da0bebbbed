/* SPDX-License-Identifier: MIT */
/* invariant_division.c - divisions by numbers of the launch, and those that stay. */
#include "analysis/transform/invariant_division/invariant_division.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "struct box { int w, h; };\n" \
  "__global__ int a[1 << 20], out[1 << 16]; __global__ float f[65536], g[65536];\n"
#define KERNEL(params, body, launches) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0; " body \
  " out[i] = s; } " launches
#define CASE(body) \
  KERNEL("int w, unsigned u, long q, box b, short t", body, \
         "void run(int n, box b) { k<<<256, 256>>>(n, n, n, b, n); }")
#define FLOATS(body) \
  "__global__ void k(float *o, const float *x, int w, long q) { long i = blockIdx.x * " \
  "blockDim.x + threadIdx.x; " body " } void run(int n) { k<<<256, 256>>>(f, g, n, n); }"

static void look(struct subject *s, struct text *shown)
{
  struct plan_options options = {.level = PLAN_O2, .mapping = MAPPING_AUTO, .tuned_for = 90};
  struct draft draft = {.code = s->code, .options = &options};

  draft.code.facts.adds_params = true;
  bool taken = plan_invariant_division(&draft);
  struct text printed = {0};
  ir_print_function(&printed, taken ? draft.changed : s->code.facts.kernel);
  unsigned calls = 0;
  for (const char *at = text_string(&printed); (at = strstr(at, "mesi_")); at++)
    calls += !strncmp(at, "mesi_q", 6) || !strncmp(at, "mesi_r", 6);
  text_format(shown, taken ? "%u of" : "kept%.0u", calls);
  for (unsigned i = 0; i < draft.added.count; i++) {
    text_add(shown, i ? ", " : " ");
    text_add(shown, draft.added.items[i].type + strlen("mesi_"));
    text_add(shown, " ");
    ir_print_expr(shown, draft.added.items[i].value);
  }
  s->code = draft.code;
  text_finish(&printed);
}

static const struct transform_case divided[] = {
    {"a quotient and a remainder", CASE("s = a[i / w] + a[i % w];"), "2 of divisor<int> w"},
    {"an unsigned divisor", CASE("s = a[i / u] + a[i % u];"), "2 of divisor<unsigned int> u"},
    {"another type", CASE("s = a[i / w] + a[i / u];"),
     "2 of divisor<int> w, divisor<unsigned int> u"},
    {"64 bits", CASE("s = a[i / q] + a[i % q];"), "2 of divisor<long> q"},
    {"steps", CASE("int r = i; s = r % w; r /= w; s += a[r]; r %= w; s *= r;"),
     "3 of divisor<int> w"},
    {"a local", CASE("int m = w; s = a[i / m] * (i % m);"), "2 of divisor<int> w"},
    {"changed", CASE("w++; s = a[i / w] + a[i % w];"), "kept"},
    {"changed behind a pointer", CASE("int *p = &w; *p = 7; s = a[i / w] + a[i % w];"), "kept"},
    {"a constant", CASE("s = a[i / 24];"), "kept"},
    {"a number of the thread", CASE("s = a[w / (i + 1)];"), "kept"},
    {"a number of memory", CASE("s = a[i / a[w]];"), "kept"},
    {"the same for all", CASE("s = a[i + w / u];"), "kept"},
    {"an element", CASE("out[i + 256] /= w; s = a[i];"), "kept"},
    {"a long loop without divisions",
     CASE("s = a[i / w]; for (int j = 0; j < w; j++) s += a[i + 17 * j] * s;"), "kept"},
    {"beside a product of floats", FLOATS("o[i] = x[i / w] * x[i] + x[i % w];"), "kept"},
    {"64 bits beside a product of floats", FLOATS("o[i] = x[i / q] * x[i] + x[i % q];"), "kept"},
    {"64 bits beside a sum of floats", FLOATS("o[i] = x[i / q] + x[i] + x[i % q];"),
     "2 of divisor<long> q"},
};

static const struct transform_table tables[] = {TABLE(divided, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
