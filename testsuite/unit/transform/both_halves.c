/* SPDX-License-Identifier: MIT */
/* both_halves.c - sums over both halves of a triangle: which elements they are of, and why others
 * stay two passes. */
#include "analysis/transform/both_halves/both_halves.h"
#include "analysis/transform/promote/promote.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[1 << 20], b[1 << 20], x[4096], y[4096], square[256][256];\n" \
  "__global__ int c[1 << 20];\n"
#define KERNEL(shape, body) \
  "__global__ void k(int n, int d) {\n" \
  "  int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;\n" body "\n}\n" \
  "void run(int n, int d) { k<<<" shape ">>>(n, d); }"
#define CASE(body) KERNEL("(n + 127) / 128, 128", "if (i >= n) return;\n" body " y[i] = s;")
#define BELOW(element) "for (int j = 0; j <= i; j++) s += " element " * x[j];"
#define ABOVE(element) "for (int j = i + 1; j < n; j++) s += " element " * x[j];"
#define ALL(update) "for (int j = 0; j < n; j++) " update
#define ROW "a[i * d + j]"
#define COLUMN "a[j * d + i]"

/* "below 1, above 0 of n": the side of the diagonal of the sums along rows, with the diagonal or
 * without it; that of the sums along columns; "apart": there are two sums, or something uses the
 * sum between the loops; the number of rows. */
static void look_at(struct subject *s, bool floats, struct text *shown)
{
  struct geometry block = {{128, 1}, {128, 1}, {1, 1}, 0, false};
  struct ir_var *totals[2];
  struct halves h;
  struct ir_place place;
  const char *reason;

  promote_registers(&s->code);
  if (!transform_shape(s, &block, totals, shown)) return;
  code_drop_scan(&s->code);
  halves_spread(&s->code);
  code_scan(&s->code);
  if (!halves_find(&s->code, floats, &h, &reason, &place)) {
    text_format(shown, "%s%s", h.alike ? "" : "no word: ", reason);
    return;
  }
  text_format(shown, "%s %d, %s %d", h.low ? "below" : "above", h.terms[0].diagonal,
              h.low ? "above" : "below", h.terms[1].diagonal);
  if (h.terms[0].factor_count != 1 || h.terms[1].factor_count != 1)
    text_format(shown, ", factors %u %u", h.terms[0].factor_count, h.terms[1].factor_count);
  text_add(shown, h.joined ? " of " : ", apart of ");
  ir_print_expr(shown, h.rows);
}

static void look(struct subject *s, struct text *shown) { look_at(s, true, shown); }

static void look_exact(struct subject *s, struct text *shown) { look_at(s, false, shown); }

static const struct transform_case found[] = {
    {"lower, rows", CASE(BELOW(ROW) ABOVE(COLUMN)), "below 1, above 0 of n"},
    {"lower, columns", CASE(BELOW(COLUMN) ABOVE(ROW)), "above 0, below 1 of n"},
    {"one loop, a choice of elements", CASE(ALL("s += (j <= i ? " ROW " : " COLUMN ") * x[j];")),
     "below 1, above 0 of n"},
    {"a choice of indices", CASE(ALL("s += a[j < i ? i * d + j : j * d + i] * x[j];")),
     "below 0, above 1 of n"},
    {"a value that is chosen",
     CASE(ALL("{ float v = i > j ? " COLUMN " : " ROW "; s += v * x[j]; }")),
     "above 1, below 0 of n"},
    {"an if", CASE(ALL("if (j > i) s += " COLUMN " * x[j]; else s += " ROW " * x[j];")),
     "below 1, above 0 of n"},
    {"without the diagonal", CASE("for (int j = 0; j < i; j++) s += " ROW " * x[j];" ABOVE(COLUMN)),
     "below 0, above 0 of n"},
    {"the diagonal twice", CASE(BELOW(ROW) "for (int j = i; j < n; j++) s -= " COLUMN " * x[j];"),
     "below 1, above 1 of n"},
    {"other factors", CASE(BELOW("2 * x[n - 1 - j] * " ROW) ABOVE("(float)j * " COLUMN)),
     "below 1, above 0, factors 2 1 of n"},
    {"an iterator of the kernel's",
     CASE("int j; for (j = 0; j <= i; j++) s += " ROW " * x[j];"
          "for (j = i + 1; j < n; j++) s += " COLUMN " * x[j];"),
     "below 1, above 0 of n"},
    {"an array with rows, a constant launch",
     KERNEL("2, 128",
            "for (int j = 0; j < 256; j++) s += (j <= i ? square[i][j] : square[j][i]) * x[j]; "
            "if (i < n) y[i] = s;"),
     "below 1, above 0 of 256"},
    {"a guard around the sums alone",
     KERNEL("(n + 127) / 128, 128", "if (i < n) { " BELOW(ROW) ABOVE(COLUMN) " } y[i] = s;"),
     "below 1, above 0 of n"},
    {"used between", CASE(BELOW(ROW) "y[i] = s;" ABOVE(COLUMN)), "below 1, above 0, apart of n"},
    {"two sums",
     CASE("float t = 0;" BELOW(ROW) "for (int j = i + 1; j < n; j++) t += " COLUMN
                                    " * x[j]; s *= t;"),
     "below 1, above 0, apart of n"},
    {"a sum in memory",
     KERNEL("(n + 127) / 128, 128",
            "if (i < n) { for (int j = 0; j <= i; j++) y[i] += " ROW " * x[j];"
            "for (int j = i + 1; j < n; j++) y[i] += " COLUMN " * x[j]; }"),
     "below 1, above 0, apart of n"},
};

static const struct transform_case declined[] = {
    {"one loop of one half", CASE(BELOW(ROW)), "no word: it does not sum up two halves"},
    {"a loop around them", CASE("for (int l = 0; l < 2; l++) {" BELOW(ROW) "}"),
     "no word: it has another statement than sums"},
    {"two matrices", CASE(BELOW(ROW) ABOVE("b[j * d + i]")),
     "no word: its halves are of different arrays"},
    {"the next column", CASE(BELOW(ROW) ABOVE("a[j * d + i + 1]")),
     "no word: the elements of one half are not those of the other half's transpose"},
    {"the same element", CASE(BELOW(ROW) ABOVE(ROW)),
     "no word: the elements of one half are not those of the other half's transpose"},
    {"other leading dimensions", CASE(BELOW(ROW) ABOVE("a[j * n + i]")),
     "no word: the elements of one half are not those of the other half's transpose"},
    {"not to the end", CASE(BELOW(ROW) "for (int j = i + 1; j < n - 1; j++) s += " COLUMN ";"),
     "its sums are not over the two sides of the diagonal of as many rows as threads"},
    {"overlapping sides", CASE(BELOW(ROW) "for (int j = i - 1; j < n; j++) s += " COLUMN ";"),
     "its sums are not over the two sides of the diagonal of as many rows as threads"},
    {"both below", CASE(BELOW(ROW) "for (int j = 0; j < i; j++) s += " COLUMN ";"),
     "its sums are not over the two sides of the diagonal of as many rows as threads"},
    {"an element of the thread's own", CASE(BELOW("x[i] * " ROW) ABOVE(COLUMN)),
     "it reads an element of the thread's own in each iteration"},
    {"more elements at both indices", CASE(BELOW("b[i * d + j] * " ROW) ABOVE(COLUMN)),
     "no word: it reads several elements at both indices"},
    {"a condition on data",
     CASE("for (int j = 0; j <= i; j++) if (x[j] > 0) s += " ROW ";" ABOVE(COLUMN)),
     "a condition around its sums is not understood"},
    {"steps of two",
     CASE("for (int j = 0; j <= i; j += 2) s += " ROW ";"
          "for (int j = i + 1; j < n; j += 2) s += " COLUMN ";"),
     "it does not count up by one"},
    {"a product",
     CASE("for (int j = 0; j <= i; j++) s *= " ROW ";"
          "for (int j = i + 1; j < n; j++) s *= " COLUMN ";"),
     "no word: its loops do not sum up"},
    {"written memory",
     KERNEL("(n + 127) / 128, 128", "if (i >= n) return; " BELOW(ROW) ABOVE(COLUMN) " x[i] = s;"),
     "it reads memory that the kernel writes"},
    {"a value from the front",
     CASE("float t = y[i]; if (t > 3) t = 1; " BELOW("t * " ROW) ABOVE(COLUMN)),
     "it uses a value that is computed in front of it"},
    {"the number of threads",
     KERNEL("(n + 127) / 128, 128", "if (i < n && 2 * i < gridDim.x * blockDim.x) {" BELOW(ROW)
                                        ABOVE(COLUMN) "y[i] = s; }"),
     "it uses the number of threads"},
    {"no guard", KERNEL("(n + 127) / 128, 128", BELOW(ROW) ABOVE(COLUMN) "y[i] = s;"),
     "its sums are not over the two sides of the diagonal of as many rows as threads"},
};

static const struct transform_case exact[] = {
    {"floats in order", CASE(BELOW(ROW) ABOVE(COLUMN)),
     "sums of floats are taken in another order at -O3 only"},
    {"integers",
     KERNEL("(n + 127) / 128, 128", "if (i >= n) return; int t = 0; "
                                    "for (int j = 0; j <= i; j++) t += c[i * d + j];"
                                    "for (int j = i + 1; j < n; j++) t += c[j * d + i]; y[i] = t;"),
     "below 1, above 0, factors 0 0 of n"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(exact, look_exact)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
