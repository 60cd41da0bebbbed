/* SPDX-License-Identifier: MIT */
/* specialize.c - arguments that become constants, and kernels for which that does not pay. */
#include "analysis/transform/specialize/specialize.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ int a[1 << 20], out[1 << 16];\n"
#define KERNEL(params, body, launches) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0; " body \
  " out[i] = s; } " launches
#define CASE(body) \
  KERNEL("int w, unsigned u, int q", body, "void run(int n) { k<<<256, 256>>>(24, 5, n); }")

static void look(struct subject *s, struct text *shown)
{
  struct plan_options options = {.level = PLAN_O2, .mapping = MAPPING_AUTO, .tuned_for = 90};
  struct draft draft = {.code = s->code, .options = &options};
  bool taken = plan_specialize(&draft);

  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *line = strstr(text_string(&printed), "a)[");
  text_format(shown, "%s%.*s", taken ? "" : "kept ", line ? (int)strcspn(line, "\n") : 0,
              line ? line : "");
  text_finish(&printed);
}

static const struct transform_case specialized[] = {
    {"a divisor", CASE("s = a[i / w] + a[i % w];"), "a)[(i / 24)] + convert<int *>(a)[(i % 24)]))"},
    {"an unsigned divisor", CASE("s = a[i / u] * (i % u);"),
     "a)[(convert<unsigned int>(i) / cast<unsigned int>(5))]) * (convert<unsigned int>(i) % "
     "cast<unsigned int>(5)))))"},
    {"a divisor of others", CASE("int m = w * 2 + 1; s = a[i / m] * (i % m);"),
     "a)[(i / m)] * (i % m)))"},
    {"a short loop", CASE("for (int j = 0; j < u; j++) s += a[i + j];"), "a)[(i + j)])"},
    {"a long loop", CASE("for (int j = 0; j < w; j++) s += a[i + j];"), "kept a)[(i + j)])"},
    {"no constant", CASE("s = a[i / q];"), "kept a)[(i / q)])"},
    {"the same for all", CASE("s = a[i + w / 5];"), "kept a)[(i + (w / 5))])"},
    {"changed", CASE("w++; s = a[i / w];"), "kept a)[(i / w)])"},
    {"two launches",
     KERNEL("int w", "s = a[i / w];",
            "void run(int n) { for (int j = 1; j < n; j++) k<<<256, 256>>>(j); }"),
     "kept a)[(i / w)])"},
};

static const struct transform_table tables[] = {TABLE(specialized, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
