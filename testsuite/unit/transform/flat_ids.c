/* SPDX-License-Identifier: MIT */
/* flat_ids.c - flat ids that are taken apart: the store in the new ids and the elements along each
 * axis, and which ids stay flat. */
#include "analysis/transform/flat_ids/flat_ids.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[65536]; __global__ int t[4096];\n"
#define KERNEL(params, body, launch) \
  "__global__ void k(float *out, " params ") { " body " }\n" \
  "void run(float *p, int n, int m, int d) { " launch " }"
#define ID "int i = blockIdx.x * blockDim.x + threadIdx.x; "
#define LAUNCH "k<<<n, 128>>>(p, n, m, d);"
#define CASE(body) KERNEL("int n, int m, int d", ID body, LAUNCH)

static unsigned way; /* which axes */

static void show(struct text *shown, const char *name, const struct ir_expr *size)
{
  text_format(shown, " %s ", name);
  if (size)
    ir_print_expr(shown, size);
  else
    text_add(shown, "-");
}

static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code, .way = way};
  bool formed = plan_flat_ids(&draft);

  s->code = draft.code;
  if (!formed) {
    text_add(shown, "stays");
    return;
  }
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *line = strstr(text_string(&printed), "(out[");
  text_format(shown, "%.*s;", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
  text_finish(&printed);
  text_format(shown, " axis %d", draft.extents->derived);
  show(shown, "x", draft.extents->along[0]);
  show(shown, "y", draft.extents->along[1]);
  show(shown, "z", draft.extents->along[2]);
  show(shown, "of", draft.extents->count);
}

static void look_second(struct subject *s, struct text *shown)
{
  way = 1;
  look(s, shown);
  way = 0;
}

static const struct transform_case two[] = {
    {"a quotient and a remainder",
     CASE("if (i >= n * m) return; int y = i / m, x = i % m; out[i] = a[x * n + y];"),
     "(out[i] = convert<float *>(a)[((x * n) + y)]); axis 1 x (cast<long long>(1) * cast<long "
     "long>(m)) y - z - of ((cast<long long>(1) * cast<long long>(n)) * cast<long long>(m))"},
    {"a difference",
     CASE("if (i >= n * m) return; int y = i / m; out[i] = a[(i - y * m) * n + y];"),
     "(out[i] = convert<float *>(a)[((cast<int>(_digit) * n) + y)]); axis 1 x (cast<long long>(1) "
     "* cast<long long>(m)) y - z - of ((cast<long long>(1) * cast<long long>(n)) * cast<long "
     "long>(m))"},
    {"another difference",
     CASE("if (i >= n * m) return; int y = i / m; out[i] = a[(i - y * d) * n + y];"),
     "(out[i] = convert<float *>(a)[(((i - (y * d)) * n) + y)]); axis 1 x (cast<long long>(1) * "
     "cast<long long>(m)) y - z - of ((cast<long long>(1) * cast<long long>(n)) * cast<long "
     "long>(m))"},
    {"shifts and masks", CASE("if (i >= n * 64) return; out[i] = a[(i & 63) * n + (i >> 6)];"),
     "(out[i] = convert<float *>(a)[((cast<int>(_digit) * n) + cast<int>(_digit_2))]); axis 1 x "
     "cast<long long>(64) y - z - of (cast<long long>(64) * cast<long long>(n))"},
    {"short rows", CASE("if (i >= n * 32) return; out[i] = a[(i & 31) * n + (i >> 5)];"), "stays"},
    {"a mask that is none", CASE("if (i >= n * 64) return; out[i] = a[(i & 62) * n + (i >> 6)];"),
     "(out[i] = convert<float *>(a)[(((i & 62) * n) + cast<int>(_digit_2))]); axis 1 x cast<long "
     "long>(64) y - z - of (cast<long long>(64) * cast<long long>(n))"},
    {"no guard", CASE("out[i] = a[i % m * n + i / m];"),
     "(out[i] = convert<float *>(a)[((cast<int>(_digit) * n) + cast<int>(_digit_2))]); axis 1 x "
     "(cast<long long>(1) * cast<long long>(m)) y - z - of -"},
    {"a guard around all", CASE("if (i < n * m) { out[i] = a[i % m * n + i / m]; }"),
     "(out[i] = convert<float *>(a)[((cast<int>(_digit) * n) + cast<int>(_digit_2))]); axis 1 x "
     "(cast<long long>(1) * cast<long long>(m)) y - z - of ((cast<long long>(1) * cast<long "
     "long>(n)) * cast<long long>(m))"},
    {"a guard that cuts a row", CASE("if (i >= n) return; out[i] = a[i % m * d + i / m];"),
     "(out[i] = convert<float *>(a)[((cast<int>(_digit) * d) + cast<int>(_digit_2))]); axis 1 x "
     "(cast<long long>(1) * cast<long long>(m)) y - z - of (cast<long long>(1) * cast<long "
     "long>(n))"},
    {"a second guard",
     CASE("if (i >= n * m) return; if (i < d * m) out[i] = a[i % m * n + i / m];"),
     "(out[i] = convert<float *>(a)[((cast<int>(_digit) * n) + cast<int>(_digit_2))]); axis 1 x "
     "(cast<long long>(1) * cast<long long>(m)) y - z - of ((cast<long long>(1) * cast<long "
     "long>(n)) * cast<long long>(m))"},
    {"a number changed", CASE("m = m + 1; if (i >= n * m) return; out[i] = a[i % m * n + i / m];"),
     "stays"},
    {"a loaded number", CASE("int w = t[0]; out[i] = a[i % w * n + i / w];"), "stays"},
    {"two bases", CASE("out[i] = a[i % m * n + i / d];"), "stays"},
    {"a remainder alone", CASE("if (i >= n * m) return; out[i] = a[i % m];"),
     "(out[i] = convert<float *>(a)[cast<int>(_digit)]); axis 1 x (cast<long long>(1) * cast<long "
     "long>(m)) y - z - of ((cast<long long>(1) * cast<long long>(n)) * cast<long long>(m))"},
    {"a thread's own number", CASE("out[i] = a[i % m * n + i / m] + threadIdx.x;"), "stays"},
    {"a block's own number", CASE("out[i] = a[i % m * n + i / m] + blockIdx.x;"), "stays"},
    {"a size of the grid", CASE("out[i] = a[i % m * n + i / m] + gridDim.x;"), "stays"},
    {"set again", CASE("int r = i; int y = r / m; r %= m; out[i] = a[r * n + y];"),
     "(out[i] = convert<float *>(a)[((r_2_2 * n) + y)]); axis 1 x (cast<long long>(1) * cast<long "
     "long>(m)) y - z - of -"},
    {"set again below", CASE("int r = i; if (d) r = 0; int y = r / m; out[i] = a[r % m * n + y];"),
     "stays"},
    {"two dimensions",
     KERNEL("int n, int m, int d", ID "out[i] = a[i % m * n + i / m];",
            "k<<<n, dim3(32, 4)>>>(p, n, m, d);"),
     "stays"},
    {"layers",
     KERNEL("int n, int m, int d", ID "out[i] = a[i % m * n + i / m];",
            "k<<<dim3(8, 1, 2), 128>>>(p, n, m, d);"),
     "stays"},
};

static const struct transform_case three[] = {
    {"from above",
     CASE("if (i >= d * n * m) return; int z = i / (n * m), y = i / m % n, x = i % m;"
          " out[i] = a[(x * n + y) * d + z];"),
     "(out[i] = convert<float *>(a)[((((x * n) + y) * d) + z)]); axis 2 x (cast<long long>(1) * "
     "cast<long long>(m)) y (cast<long long>(1) * cast<long long>(n)) z - of (((cast<long long>(1) "
     "* cast<long long>(d)) * cast<long long>(n)) * cast<long long>(m))"},
    {"from what is left",
     CASE("if (i >= d * n * m) return; int r = i; int z = r / (n * m); r -= z * (n * m);"
          " int y = r / m; int x = r % m; out[i] = a[(x * n + y) * d + z];"),
     "(out[i] = convert<float *>(a)[((((x * n) + y) * d) + z)]); axis 2 x (cast<long long>(1) * "
     "cast<long long>(m)) y (cast<long long>(1) * cast<long long>(n)) z - of (((cast<long long>(1) "
     "* cast<long long>(d)) * cast<long long>(n)) * cast<long long>(m))"},
    {"a difference to the rest",
     CASE("if (i >= d * n * m) return; int z = i / (n * m); int r = i - z * (n * m);"
          " int y = r / m; int x = r % m; out[i] = a[(x * n + y) * d + z];"),
     "(out[i] = convert<float *>(a)[((((x * n) + y) * d) + z)]); axis 2 x (cast<long long>(1) * "
     "cast<long long>(m)) y (cast<long long>(1) * cast<long long>(n)) z - of (((cast<long long>(1) "
     "* cast<long long>(d)) * cast<long long>(n)) * cast<long long>(m))"},
    {"a product of factors",
     CASE("if (i >= d * n * m) return; int z = i / (n * m); int r = i - z * n * m;"
          " int y = r / m; int x = r % m; out[i] = a[(x * n + y) * d + z];"),
     "(out[i] = convert<float *>(a)[((((x * n) + y) * d) + z)]); axis 2 x (cast<long long>(1) * "
     "cast<long long>(m)) y (cast<long long>(1) * cast<long long>(n)) z - of (((cast<long long>(1) "
     "* cast<long long>(d)) * cast<long long>(n)) * cast<long long>(m))"},
    {"set to a difference",
     CASE("if (i >= d * n * m) return; int r = i; int z = r / (n * m); r = r - z * (n * m);"
          " int y = r / m; int x = r % m; out[i] = a[(x * n + y) * d + z];"),
     "(out[i] = convert<float *>(a)[((((x * n) + y) * d) + z)]); axis 2 x (cast<long long>(1) * "
     "cast<long long>(m)) y (cast<long long>(1) * cast<long long>(n)) z - of (((cast<long long>(1) "
     "* cast<long long>(d)) * cast<long long>(n)) * cast<long long>(m))"},
    {"one by one",
     CASE("if (i >= d * n * m) return; int x = i % m; int r = i / m; int y = r % n; int z = r / n;"
          " out[i] = a[(x * n + y) * d + z];"),
     "(out[i] = convert<float *>(a)[((((x * n) + y) * d) + z)]); axis 2 x (cast<long long>(1) * "
     "cast<long long>(m)) y (cast<long long>(1) * cast<long long>(n)) z - of (((cast<long long>(1) "
     "* cast<long long>(d)) * cast<long long>(n)) * cast<long long>(m))"},
    {"a number that is left out", CASE("out[i] = a[i / (n * m) * m + i % m];"),
     "(out[i] = convert<float *>(a)[((cast<int>(_digit_3) * m) + cast<int>(_digit))]); axis 2 x "
     "(cast<long long>(1) * cast<long long>(m)) y (cast<long long>(1) * cast<long long>(n)) z - of "
     "-"},
};

static const struct transform_case others[] = {
    {"y is the middle one",
     CASE("if (i >= d * n * m) return; int z = i / (n * m), y = i / m % n, x = i % m;"
          " out[i] = a[(x * n + y) * d + z];"),
     "(out[i] = convert<float *>(a)[((((x * n) + y) * d) + z)]); axis 1 x (cast<long long>(1) * "
     "cast<long long>(m)) y - z (cast<long long>(1) * cast<long long>(n)) of (((cast<long long>(1) "
     "* cast<long long>(d)) * cast<long long>(n)) * cast<long long>(m))"},
    {"there is one way", CASE("if (i >= n * m) return; out[i] = a[i % m * n + i / m];"), "stays"},
};

static const struct transform_table tables[] = {TABLE(two, look), TABLE(three, look),
                                                TABLE(others, look_second)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
