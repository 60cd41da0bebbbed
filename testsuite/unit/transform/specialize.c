/* SPDX-License-Identifier: MIT */
/* specialize.c - arguments that become constants, and kernels for which that does not pay. */
#include "analysis/transform/specialize/specialize.h"

#include <string.h>

#include "analysis/code/rounding.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ int a[1 << 20], out[1 << 16]; __global__ float f[65536], g[65536];\n"
#define KERNEL(params, body, launches) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0; " body \
  " out[i] = s; } " launches
#define CASE(body) \
  KERNEL("int w, unsigned u, int q", body, "void run(int n) { k<<<256, 256>>>(24, 5, n); }")

static bool note_unrolled(struct ir_stmt *stmt, void *context)
{
  *(unsigned *)context += stmt->pragma && !strcmp(stmt->pragma, "#pragma unroll");
  return true;
}

static void look(struct subject *s, struct text *shown)
{
  struct plan_options options = {.level = PLAN_O2, .mapping = MAPPING_AUTO, .tuned_for = 90};
  s->code.facts.block[0] = 256;
  struct draft draft = {.code = s->code, .options = &options};
  bool taken = plan_specialize(&draft);
  unsigned loops = 0;

  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *line = strstr(text_string(&printed), "a)[");
  if (taken) ir_visit_stmts(s->code.facts.kernel->body, note_unrolled, &loops);
  if (loops) text_format(shown, "%u unrolled ", loops);
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
    {"a short loop", CASE("for (int j = 0; j < u; j++) s += a[i + j];"), "1 unrolled a)[(i + j)])"},
    {"a long loop", CASE("for (int j = 0; j < w; j++) s += a[i + j];"), "kept a)[(i + j)])"},
    {"no constant", CASE("s = a[i / q];"), "kept a)[(i / q)])"},
    {"the same for all", CASE("s = a[i + w / 5];"), "kept a)[(i + (w / 5))])"},
    {"changed", CASE("w++; s = a[i / w];"), "kept a)[(i / _w)])"},
    {"changed behind a pointer", CASE("int *p = &w; *p = 7; s = a[i / w];"), "kept a)[(i / w)])"},
    {"a loop with its bound", CASE("for (int j = 1; j <= u; j++) s += a[i + j];"),
     "1 unrolled a)[(i + j)])"},
    {"a shape", CASE("s = a[i / blockDim.x] + a[i % blockDim.x];"),
     "a)[(convert<unsigned int>(i) / convert<unsigned int>(cast<unsigned int>(256)))] + "
     "convert<int *>(a)[(convert<unsigned int>(i) % convert<unsigned int>(cast<unsigned "
     "int>(256)))]))"},
    {"a shape in a local", CASE("int m = blockDim.x * 2; s = a[i / m];"), "kept a)[(i / m)])"},
    {"two short loops",
     CASE("for (int y = 0; y < u; y++) for (int j = 0; j < u; j++) s += a[i + j];"),
     "2 unrolled a)[(i + j)])"},
    {"the inner loops of a deep nest",
     CASE("for (int z = 0; z < u; z++) for (int y = 0; y < u; y++) for (int x = 0; x < u; x++) for "
          "(int j = 0; j < u; j++) s += a[i + j];"),
     "3 unrolled a)[(i + j)])"},
    {"a long loop in a short one",
     CASE("for (int y = 0; y < u; y++) for (int j = 0; j < w; j++) s += a[i / u + j];"),
     "a)[((convert<unsigned int>(i) / cast<unsigned int>(5)) + convert<unsigned int>(j))])"},
    {"a divisor 0", CASE("if (w > 24) s = i / (w - 24); s += a[i / w];"), "a)[(i / 24)])"},
    {"unsigned 0",
     KERNEL("int w, unsigned u",
            "for (unsigned j = 0; j < u; j++) s += j; s += a[i / w + u] + a[i % w];",
            "void run() { k<<<256, 256>>>(24, 0); }"),
     "a)[(convert<unsigned int>((i / 24)) + u)] + convert<int *>(a)[(i % 24)]))"},
    {"two launches",
     KERNEL("int w", "s = a[i / w];",
            "void run(int n) { for (int j = 1; j < n; j++) k<<<256, 256>>>(j); }"),
     "kept a)[(i / w)])"},
};

/* ---- what floats do with the constants ---- */

#define FLOATS(body) \
  "__global__ void k(float *o, const float *x, const int w, int q, int m) { int i = blockIdx.x * " \
  "blockDim.x + threadIdx.x; " body " } void run() { k<<<256, 256>>>(f, g, 8, 3, 2); }"
#define SUM(body) FLOATS("float s = 0; for (int j = 0; j < q; j++) { " body " } o[i] = s;")
#define FUSES "nvcc would fuse other products and sums"
#define COMPUTES "nvcc would compute a function of constants by itself"

static void look_floats(struct subject *s, struct text *shown)
{
  struct ir_place place;
  const char *reason = rounding_differs(&s->code, &place);

  text_add(shown, reason ? reason : "same");
}

#define SPLITS "nvcc may round products where the ways to a factor part"
static const struct transform_case floats[] = {
    {"a sum of products", SUM("s += x[i / w + j] * x[j];"), "same"},
    {"a sum of squares", SUM("float d = x[i + j] - x[j]; s += d * d;"), "same"},
    {"a maximum", SUM("s = fmaxf(s, x[i / w + j]);"), "same"},
    {"a mean", FLOATS("o[i] = (x[i / w] + x[i % w]) / q;"), "same"},
    {"a product in front of a loop",
     FLOATS("float s = x[i] * x[w]; for (int j = 0; j < q; j++) s += x[i + j]; o[i] = s;"), FUSES},
    {"a product behind a loop",
     FLOATS("float s = 1; for (int j = 0; j < q; j++) s *= x[i + j]; o[i] = s + x[i];"), FUSES},
    {"a product that is handed on", SUM("s += x[i]; s = s * x[j];"), FUSES},
    {"a product of the iteration before",
     FLOATS("float s = 0, t = 0; for (int j = 0; j < q; j++) "
            "{ s += t; t = x[i + j] * x[j]; } o[i] = s;"),
     FUSES},
    {"a product in front of a loop of unknown length",
     FLOATS("float s = x[i] * x[w]; for (int j = 0; j < i; j++) s += x[i + j]; o[i] = s;"), "same"},
    {"a product in front of a condition",
     FLOATS("float s = x[i] * x[w]; if (q > 2) s += x[i + 1]; o[i] = s;"), FUSES},
    {"a condition on data", FLOATS("float s = x[i] * x[w]; if (i > 2) s += x[i + 1]; o[i] = s;"),
     "same"},
    {"an arm that is not taken",
     FLOATS("float s = x[i]; if (q > 3) s = s * x[w]; o[i] = s + x[i + 1];"), "same"},
    {"a choice", FLOATS("float s = x[i] * x[w]; o[i] = q > 2 ? s + x[i] : s;"), FUSES},
    {"a product that moves out of its loop", SUM("float d = x[w] * x[i] - x[j]; s += d;"), FUSES},
    {"a product in memory", FLOATS("o[i] = x[i] * x[w]; for (int j = 0; j < q; j++) o[i] += x[j];"),
     FUSES},
    {"a factor 1", FLOATS("o[i] = x[i] * x[w] * (q - 2) + x[i + 1];"), FUSES},
    {"a factor 3", FLOATS("o[i] = x[i] * x[w] * q + x[i + 1];"), "same"},
    {"a factor 1 in the first iteration",
     FLOATS(
         "float s = 0, p = 1; for (int j = 0; j < q; j++) { s += p * (j + 1); p *= x[i]; } o[i] = "
         "s;"),
     "same"},
    {"a factor 1 in the second iteration",
     FLOATS("float s = 0, p = 1; for (int j = 0; j < q; j++) { s += p * j; p *= x[i]; } o[i] = s;"),
     "same"},
    {"a factor 1 in the third iteration",
     FLOATS(
         "float s = 0, p = 1; for (int j = 0; j < q; j++) { s += p * (j - 1); p *= x[i]; } o[i] = "
         "s;"),
     FUSES},
    {"two products with a constant", FLOATS("o[i] = x[i] * x[w] - x[i + 1] * q;"), FUSES},
    {"a sum with 1, multiplied", FLOATS("o[i] = (x[i] + (q - 2)) * x[w];"), FUSES},
    {"a difference from 0", FLOATS("o[i] = x[i] * x[w] - (float)(q - 3) + x[i + 1];"), FUSES},
    {"a quotient by a power of two", FLOATS("o[i] = x[i] / w + x[i + 1];"), FUSES},
    {"... and a large number", FLOATS("o[i] = x[i] / w - 0.5f;"), "same"},
    {"a quotient by 3", FLOATS("o[i] = x[i] / q + x[i + 1];"), "same"},
    {"a function of an iterator", SUM("s += x[i + j] * expf(-0.5f * j * j);"), COMPUTES},
    {"a function of data", SUM("s += expf(x[i + j]);"), "same"},
    {"a function of a product by 0", SUM("s += cosf(0.1f * (i * j));"), COMPUTES},
    {"a function of a local that was constant",
     FLOATS(
         "float s = 0, p = 1; for (int j = 0; j < q; j++) { s += expf(p); p = x[i + j]; } o[i] = "
         "s;"),
     COMPUTES},
    {"a function of a table",
     FLOATS("const float c[3] = {1, 2, 1}; float s = 0; for (int j = 0; j < "
            "q; j++) s += expf(c[j]); o[i] = s;"),
     COMPUTES},
    {"a function with one rounding", SUM("s = fmaxf(s, sqrtf(j));"), "same"},
    {"a loop by while",
     FLOATS("float s = x[i] * x[w]; int d = q; while (d > 0) { s += x[i + d]; "
            "d--; } o[i] = s;"),
     FUSES},
    {"a choice of a number by an argument, multiplied",
     FLOATS("o[i] = x[i] + (q > 2 ? x[i + 1] : 0) * 0.1f;"), SPLITS},
    {"... by another argument", FLOATS("o[i] = x[i] + (q > 2 ? x[i + 1] : 0) * (x[0] + w);"),
     "same"},
    {"a value set under an argument, multiplied",
     FLOATS("float a = 0; if (q > 2) a = x[i + 1]; o[i] = x[i] + a * 0.1f;"), SPLITS},
    {"a sum by a loop, multiplied",
     FLOATS("float s = 0; for (int j = 0; j < q; j++) s += x[i + j]; o[i] = s * 0.1f + x[i];"),
     SPLITS},
    {"a loop whose bound is no constant",
     FLOATS("float s = 0, t = 0; for (int j = 0; j < i; j++) { s "
            "+= t; t = x[i + j] * x[j]; } o[i] = s;"),
     "same"},
};

/* ---- ... and with several elements a thread ---- */

#define PLANE(body) \
  "__global__ void k(float *o, const float *x, float w, int n) { int i = blockIdx.x * blockDim.x " \
  "+ " \
  "threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y; " body \
  " } void run() { k<<<dim3(9, 9), " \
  "256>>>(f, g, 8, 3); }"
#define AWAY "nvcc may fuse products with sums of other basic blocks"
#define SHARES "its elements would share products, which nvcc would not fuse"

#define ARMS "nvcc may make one sum of those in the arms of an if"

/* Rows of a thread, with conditions between them. */
static void look_rows(struct subject *s, struct text *shown)
{
  struct remapped rows = {.axes = 2, .apart = true};
  struct ir_place place;
  const char *reason = rounding_remapped(&s->code, &rows, &place);

  text_add(shown, reason ? reason : "same");
}

/* ... which may be each element's own. */
static void look_own(struct subject *s, struct text *shown)
{
  struct remapped rows = {.axes = 2, .apart = true, .owns = true};
  struct ir_place place;
  struct ir_stmt *body;
  const char *reason = rounding_remapped_own(&s->code, &rows, &body, &place);
  struct text printed = {0};
  unsigned count = 0;

  if (body) s->code.facts.kernel->body = rounding_own_keys(&s->code, body, 2);
  ir_print_function(&printed, s->code.facts.kernel);
  for (const char *at = text_string(&printed); (at = strstr(at, "mesi_own")); at++) count++;
  text_finish(&printed);
  if (reason)
    text_add(shown, reason);
  else
    text_format(shown, "%u", count);
}

#define AT(row) "x[(j + " #row ") * n + i]"
static const struct transform_case owned[] = {
    {"two rows by one number", PLANE("o[i] = " AT(0) " + " AT(1) " * w + w * " AT(2) ";"), "2"},
    {"rows in a loop",
     PLANE("float s = 0; for (int k = 0; k < 3; k++) s += x[(j + k) * n + i] * w; o[i] = s;"), "1"},
    {"rows by numbers of their own", PLANE("o[i] = " AT(0) " + " AT(1) " * w + 2 * " AT(2) ";"),
     "0"},
    {"a product of arguments", PLANE("o[j * n + i] = w * w + " AT(0) ";"), "1"},
    {"... with functions beside it",
     PLANE("o[j * n + i] = expf(" AT(0) ") + " AT(1) " * w + w * " AT(2) ";"), SHARES},
    {"steps",
     PLANE("o[i] = " AT(0) " + (" AT(1) " - " AT(0) ") * w + w * (" AT(2) " - " AT(1) ");"), "2"},
    {"steps by a number",
     PLANE("o[i] = " AT(0) " + (" AT(1) " - " AT(0) ") * 0.1f + 0.1f * (" AT(2) " - " AT(1) ");"),
     SHARES},
    {"a difference", PLANE("o[i] = " AT(0) " - " AT(1) " * w + w * " AT(2) ";"), SHARES},
    {"a negative number", PLANE("o[i] = " AT(0) " + " AT(1) " * -0.1f + -0.1f * " AT(2) ";"),
     SHARES},
    {"two products of one sum", PLANE("o[i] = " AT(1) " * w + w * " AT(2) ";"), SHARES},
    {"a local that two sums use",
     PLANE(
         "float p = " AT(1) " * w; o[i] = " AT(0) " + p; o[j] = " AT(2) " * w + (p + " AT(0) ");"),
     SHARES},
    {"another use of the same",
     PLANE("o[i] = fmaxf(" AT(1) " * w, w) + (" AT(0) " + " AT(1) " * w) + w * " AT(2) ";"),
     SHARES},
    {"a quotient of the same",
     PLANE("o[j] = fmaxf(" AT(1) " / 4, w); o[i] = " AT(0) " + " AT(1) " * w + w * " AT(2) ";"),
     SHARES},
    {"a choice by data beside it",
     PLANE("o[i] = " AT(1) " * w + (x[j] < 9 ? x[i] : 0) + w * " AT(2) ";"), SHARES},
};

static const struct transform_case rows[] = {
    {"a product and a sum", PLANE("o[j * n + i] = x[j * n + i] * w + x[i];"), "same"},
    {"arguments stay arguments", PLANE("o[j * n + i] = x[j * n + i] * x[i] * n + x[i];"), "same"},
    {"a condition on an index between them",
     PLANE("float t = x[j * n + i] * w; if (j > 0) t += x[i]; o[j * n + i] = t;"), FUSES},
    {"a condition on an index around them",
     PLANE("if (j > 0) { float t = x[j * n + i] * w; o[j * n + i] = t + x[i]; }"), "same"},
    {"a sum at the end of both arms",
     PLANE("float t = 0; if (n > j) t += x[j] * x[i]; else t -= x[n] * x[j]; o[j * n + i] = t;"),
     ARMS},
    {"... of other arms inside",
     PLANE("float t = 0; if (n > j) t = t + x[j] * x[i]; else if (n > i) { if (n > 3) t += x[n] * "
           "x[j]; } o[j * n + i] = t;"),
     ARMS},
    {"sums with two targets",
     PLANE("float t = 0, u = 0; if (n > j) t += x[j] * x[i]; else u -= x[n] * x[j]; o[j * n + i] = "
           "t + u;"),
     "same"},
    {"a condition on data between them",
     PLANE("float t = x[j * n + i] * w; if (x[j] > 0) t += x[i]; o[j * n + i] = t;"), AWAY},
    {"a condition on a real argument",
     PLANE("float t = x[j * n + i] * w; if (w > 0) t += x[i]; o[j * n + i] = t;"), AWAY},
    {"a choice by an index", PLANE("o[j * n + i] = x[j * n + i] * w + (j < 9 ? x[i] : 0);"), FUSES},
    {"a choice by data", PLANE("o[j * n + i] = x[j * n + i] * w + (x[j] < 9 ? x[i] : 0);"), "same"},
    {"a product of arguments", PLANE("o[j * n + i] = w * w + x[j * n + i];"), SHARES},
    {"a product of a column", PLANE("o[j * n + i] = x[i] * x[i + 1] + x[j * n + i];"), SHARES},
    {"a product that no sum uses", PLANE("o[j * n + i] = fmaxf(w * w, x[j * n + i]);"), "same"},
    {"two rows by one number", PLANE("o[j * n + i] = w * x[j * n + i] + w * x[j * n + i + n];"),
     SHARES},
    {"... in locals",
     PLANE("float a = x[j * n + i], b = x[j * n + i + n]; o[j * n + i] = a * w + w * b;"), SHARES},
    {"one row by one number, twice",
     PLANE("o[j * n + i] = w * x[j * n + i] + (w * x[j * n + i] + x[i]);"), "same"},
    {"two rows by two numbers", PLANE("o[j * n + i] = w * x[j * n + i] + 2 * x[j * n + i + n];"),
     "same"},
    {"rows in a loop",
     PLANE(
         "float s = 0; for (int k = 0; k < 3; k++) s += x[(j + k) * n + i] * w; o[j * n + i] = s;"),
     SHARES},
    {"a number or a row, by a number",
     PLANE("o[j * n + i] = x[i] + (j > 0 ? x[j * n + i] : 0) * 0.1f;"), SPLITS},
    {"... by an argument", PLANE("o[j * n + i] = x[i] + (j > 0 ? x[j * n + i] : 0) * w;"), "same"},
    {"... by data", PLANE("o[j * n + i] = x[i] + (x[j] > 0 ? x[j * n + i] : 0) * 0.1f;"), SPLITS},
    {"... of bytes",
     PLANE("o[j * n + i] = x[i] + (j > 0 ? ((const unsigned char *)x)[j * n + i] : 0) * 0.1f;"),
     SPLITS},
    {"... and a row, both by an argument",
     PLANE("o[j * n + i] = x[i] + (j > 0 ? x[j * n + i] : 0) * w + x[j * n + i + n] * w;"), SHARES},
    {"a row that is set under a condition, by a number",
     PLANE("float a = 0; if (j > 0) a = x[j * n + i]; o[j * n + i] = x[i] + a * 0.1f;"), SPLITS},
    {"two rows, by a number",
     PLANE("o[j * n + i] = x[i] + (j > 0 ? x[j * n + i] : x[j * n]) * 0.1f;"), "same"},
    {"a sum by a loop, by a number",
     PLANE("float s = 0; for (int k = 0; k < n; k++) s += x[j * n + k]; o[j] = s * 0.1f + 1;"),
     SPLITS},
    {"... which has iterations",
     PLANE("float s = 0; for (int k = 0; k < 99; k++) s += x[j * n + k]; o[j] = s * 0.1f + 1;"),
     "same"},
    {"... and may have none",
     PLANE("float s = 0; for (int k = 0; k < 99; k++) { if (x[k] < 0) break; s += x[j * n + k]; } "
           "o[j] = s * 0.1f + 1;"),
     SPLITS},
    {"a sum that a loop carries, by a number",
     PLANE("float s = 0; for (int k = 0; k < n; k++) s = s * 0.1f + x[j * n + k]; o[j] = s;"),
     "same"},
    {"steps by one number",
     PLANE(
         "o[j * n + i] = x[i] + (x[j * n + i] - x[j * n + i - n]) * w + (x[j * n + i + n] - x[j * "
         "n + i]) * w;"),
     SHARES},
    {"what a maximum is of and what a sum is of",
     PLANE("o[j * n + i] = fmaxf(x[j * n + i] * w, 0) + (1 + x[j * n + i + n] * w);"), SHARES},
    {"rows in a loop by a table",
     PLANE(
         "float s = 0; for (int k = 0; k < 3; k++) s += x[(j + k) * n + i] * x[k]; o[j * n + i] = "
         "s;"),
     "same"},
};

/* Tiles: products are shared, and one of a sum's two is rounded. */
static void look_tiles(struct subject *s, struct text *shown)
{
  struct remapped tiles = {.pinned = true};
  struct ir_place place;
  const char *reason = rounding_remapped(&s->code, &tiles, &place);

  text_add(shown, reason ? reason : "same");
}

#define LOOP(before, body) \
  PLANE("float s = 0, t = 0; " before " for (int k = 0; k < n; k++) { " body " } o[i] = s + t;")

static const struct transform_case tiles[] = {
    {"a product of a row", LOOP("", "s += x[k] * x[k + 1] + x[j * n + i];"), "same"},
    {"two products", LOOP("", "s += x[i + k] * w + x[j + k] * x[k];"), "same"},
    {"... one from the other", LOOP("", "s += x[i + k] * w - x[j + k] * x[k];"), "same"},
    {"... of which the left one stands in front", LOOP("", "s += x[i] * w + x[j + k] * w;"), AWAY},
    {"... of which a number stands in front", LOOP("", "s += w * w + x[j + k] * w;"), "same"},
    {"... which stand there twice",
     LOOP("", "s += x[i + k] * w + x[j + k] * w; t = fmaxf(t, x[i + k] * w);"), FUSES},
    {"... in a loop that is unrolled",
     PLANE("float s = 0; for (int k = 0; k < 8; k++) s += x[i] * w + x[j + k] * w; o[i] = s;"),
     AWAY},
    {"... in locals", LOOP("", "float p = x[i + k] * w, q = x[j + k] * w; s += p + q;"), "same"},
    {"a product in front", LOOP("float p = x[i] * x[j];", "s += p + x[k];"), AWAY},
    {"a sum that begins with a product", LOOP("s = x[i] * w;", "s += x[i + k];"), "same"},
    {"... in a loop that is unrolled",
     PLANE("float s = x[i] * w; for (int k = 0; k < 8; k++) s += x[j + k]; o[i] = s;"), AWAY},
    {"a product for the next iteration", LOOP("", "s += t; t = x[i + k] * x[j + k];"), AWAY},
    {"a product that is stored", LOOP("", "o[k] = x[i + k] * w; s += o[k];"), "same"},
    {"half of a sum", LOOP("", "t += x[i + k]; s = s + t / 2;"), "same"},
    {"infinity", LOOP("t = -INFINITY;", "s += x[i + k] - t;"), "same"},
};

static const struct transform_table tables[] = {TABLE(specialized, look),
                                                TABLE(floats, look_floats), TABLE(rows, look_rows),
                                                TABLE(owned, look_own), TABLE(tiles, look_tiles)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
