/* SPDX-License-Identifier: MIT */
/* tile.c - arrays that a loop reads again and again: loops, boxes, and why an array or a loop gets
 * no tiles; loops of products. */
#include "analysis/code/precondition.h"
#include "analysis/code/instance.h"
#include "analysis/mapping/tile/product.h"
#include "analysis/mapping/tile/tile.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "enum { N = 256 }; __global__ float a[N][N], b[N][N], c[N][N]; __global__ double d[N][N], " \
  "e[N][N], f[N][N]; __global__ int t[N];\n" \
  "struct strange { float x; __device__ strange(); __device__ strange &operator=(const strange " \
  "&); }; __device__ float plain[N]; __global__ double2 wide[N];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x " \
  "* blockDim.x + threadIdx.x; float s = 0; double r = 0; " body " }\n"
#define RUN(args) "void run(int n) { k<<<dim3(4, 4), dim3(64, 16)>>>(" args "); }"
#define CASE(body) KERNEL("int n", body " c[i][j] = s; f[i][j] = r;") RUN("n")
#define LOOP(body) CASE("for (int l = 0; l < N; l++) " body)

/* "tile of 16: a 64x16, b 16x64; 8448 bytes": of each loop; then what was declined. */
static void look(struct subject *s, struct text *shown)
{
  struct geometry quarter = {{64, 64}, {16, 16}, {4, 4}, 0, false};
  struct stager stager = {.unit = s->unit};
  struct buffering none = {0};
  struct ir_var *totals[2];
  struct instances in;
  struct tiles tiles;

  if (!transform_shape(s, &quarter, totals, shown)) return;
  instances_analyze(&s->code, &in);
  tile_plan(&s->code, &in, &quarter, &stager, 16, 49152, &none, &tiles);
  for (unsigned i = 0; i < tiles.count; i++) {
    const struct tile *tile = &tiles.items[i];
    text_format(shown, "%stile of %lld%s%s:", i ? "; " : "", (long long)tile->size,
                tile->exact ? " exact" : "", tile->only ? " only" : "");
    for (unsigned k = 0; k < tile->array_count; k++) {
      text_format(shown, " %s", tile->arrays[k].stage.array->name);
      for (unsigned n = 0; n < tile->arrays[k].stage.dim_count; n++)
        text_format(shown, "%s%lld", n ? "x" : " ", (long long)tile->arrays[k].stage.dims[n].size);
    }
    text_format(shown, ", %llu bytes", (unsigned long long)tile->bytes);
  }
  transform_show_decisions(s, DECISION_TILES, shown);
  if (tiles.count) tile_build(&s->code, &quarter, &tiles);
}

static void look_products(struct subject *s, struct text *shown)
{
  struct geometry quarter = {{64, 64}, {16, 16}, {4, 4}, 0, false};
  struct ir_var *totals[2];
  struct instances in;
  struct products products;
  struct ir_stmt *loop = NULL;

  if (!transform_shape(s, &quarter, totals, shown)) return;
  instances_analyze(&s->code, &in);
  struct ir_stmt *body = s->code.facts.kernel->body;
  for (unsigned i = 0; i < body->child_count; i++)
    loop = body->children[i]->kind == IR_STMT_FOR ? body->children[i] : loop;
  if (!loop || !products_of(&in, loop->body, &products)) {
    text_add(shown, "no products");
    return;
  }
  for (unsigned i = 0; i < products.count; i++) {
    text_format(shown, "%s%s: ", i ? "; " : "", products.items[i].sum->name);
    ir_print_expr(shown, products.items[i].row);
    text_add(shown, ", ");
    ir_print_expr(shown, products.items[i].column);
  }
}

static const struct transform_case found[] = {
    {"a product", LOOP("s += a[i][l] * b[l][j];"), "tile of 16 exact: a 64x16 b 16x64, 8448 bytes"},
    {"a bound that is not known", CASE("for (int l = 0; l < n; l++) s += a[i][l] * b[l][j];"),
     "tile of 16: a 64x16 b 16x64, 8448 bytes"},
    {"a short loop", CASE("for (int l = 0; l < 24; l++) s += a[i][l] * b[l][j];"),
     "tile of 24 exact only: a 64x24 b 24x64, 12672 bytes"},
    {"up to and with, by two", CASE("for (int l = 2; l <= 65; l += 2) s += a[i][l] * b[l][j];"),
     "tile of 32 exact only: a 64x63 b 63x64, 33264 bytes"},
    {"two loops", LOOP("s += a[i][l] * 2; for (int l = 0; l < N; l++) s += b[l][j];"),
     "tile of 16 exact: a 64x16, 4352 bytes; tile of 16 exact: b 16x64, 4096 bytes"},
    {"an inner loop", LOOP("for (int m = 0; m < N; m++) s += a[i][m] * b[m][j];"),
     "tile of 16 exact: a 64x16 b 16x64, 8448 bytes; a: its elements do not change with the loop; "
     "b: its elements do not change with the loop"},
};

static const struct transform_case declined[] = {
    {"no loop", CASE("s = a[i][j];"), ""},
    {"a while loop", CASE("int l = 0; while (l < N) { s += a[i][l]; l++; }"), ""},
    {"down", CASE("for (int l = N - 1; l >= 0; l--) s += a[i][l];"), ""},
    {"a loop that threads leave apart", CASE("for (int l = 0; l < i; l++) s += a[i][l];"), ""},
    {"a break", LOOP("{ if (n == l) break; s += a[i][l]; }"), ""},
    {"a bound that changes", CASE("for (int l = 0; l < n; l++) { s += a[i][l]; n -= 1; }"), ""},
    {"a bound in memory that is written",
     CASE("for (int l = 0; l < t[0]; l++) s += a[i][l]; t[j & 255] = 1;"), ""},
    {"its iterator is looked at", CASE("int l; for (l = 0; l < n; l++) s += a[i][l]; s += l;"), ""},
    {"an iterator of two bytes", CASE("for (short l = 0; l < 200; l++) s += a[i][l];"), ""},
    {"in a switch", CASE("switch (n) { case 1: for (int l = 0; l < N; l++) s += a[i][l]; }"), ""},
    {"it is written", LOOP("s += c[i][l];"), "c: the kernel writes it"},
    {"a parameter that is assigned",
     KERNEL("float (*p)[N], int n",
            "p += 1; for (int l = 0; l < N; l++) s += p[i][l]; c[i][j] = s;") RUN("a, n"),
     "p: the kernel assigns its parameter"},
    {"a device variable", LOOP("s += plain[l];"),
     "plain: it is a variable of the device, which tiles leave out"},
    {"elements with a constructor",
     KERNEL("const strange *__restrict__ p, int n",
            "for (int l = 0; l < N; l++) s += p[i * N + l].x; c[i][j] = s;") "void run(strange *p) "
                                                                             "{ k<<<dim3(4, 4), "
                                                                             "dim3(64, 16)>>>(p, "
                                                                             "1); }",
     "p: its elements have a constructor, constants or an operator= of their own"},
    {"elements that do not change with the loop", LOOP("s += a[i][3] * l;"),
     "a: its elements do not change with the loop"},
    {"used too rarely", LOOP("s += a[i][j] * l + d[i][(j + l) & 255];"),
     "a: its elements do not change with the loop; d: its tile does not fit shared memory"},
    {"no room", LOOP("s += a[l & 7][(i * 7 + j * 64 + l) & 255] + b[i][(l * 64) & 255];"),
     "tile of 16 exact: a 8x256, 8192 bytes; b: its tile does not fit shared memory"},
    {"an index from a table", LOOP("s += a[t[l]][j];"),
     "tile of 16 exact: t 16, 64 bytes; a: the range of its dimension 1 in a block has no constant "
     "size"},
    {"another name",
     KERNEL("float (*p)[N], float (*q)[N]", "for (int l = 0; l < N; l++) s += p[i][l]; q[i][j] = "
                                            "s;") "void run(float (*p)[N], float (*q)[N]) { "
                                                  "k<<<dim3(4, 4), dim3(64, 16)>>>(p, q); }",
     "p: what the kernel writes under another name may overlap it"},
    {"volatile elements",
     KERNEL("volatile float *p, int n", "for (int l = 0; l < N; l++) s += p[i * N + l]; c[i][j] = "
                                        "s;") "void run(float *p) { k<<<dim3(4, 4), dim3(64, "
                                              "16)>>>(p, 9); }",
     "no shape: it accesses volatile memory"},
    {"a beginning that changes",
     CASE("int from = n; for (int l = from; l < N; l++) { s += a[i][l]; from += 1; }"), ""},
    {"a return in it", LOOP("{ s += a[i][l]; if (n > 3) return; }"),
     "no shape: threads return from inside a loop or a nested statement"},
    {"a step of the launch", CASE("for (int l = 0; l < N; l += n) s += a[i][l];"), ""},
    {"an end below the beginning", CASE("for (int l = -3; l < N; l++) s += a[i][l + 3];"),
     "a: an index runs out of its dimension"},
    {"a rest in a place", LOOP("s += a[i][l % 7] * b[l % n][j];"),
     "tile of 16 exact: a 64x7, 1904 bytes; b: the range of its dimension 1 in a block has no "
     "constant size"},
};

static const struct transform_case products[] = {
    {"a sum of products", LOOP("r += d[i][l] * e[l][j];"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"a factor of no axis", LOOP("r += 2.0 * d[i][l] * e[l][j];"),
     "r: (2.0 * convert<double *>(convert<double (*)[256]>(d)[i])[l]), convert<double "
     "*>(convert<double (*)[256]>(e)[l])[j]"},
    {"subtracted", LOOP("r -= d[i][l] * e[l][j] - d[l][j] * e[i][l];"),
     "r: -convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]; r: convert<double *>(convert<double (*)[256]>(e)[i])[l], convert<double "
     "*>(convert<double (*)[256]>(d)[l])[j]"},
    {"by fma", LOOP("r = fma(d[i][l], e[l][j], r);"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"a named value", LOOP("{ double x = d[i][l]; r = r + x * e[l][j]; }"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"floats are none", LOOP("s += a[i][l] * b[l][j];"), "no products"},
    {"both factors of a row", LOOP("r += d[i][l] * e[i][l];"), "no products"},
    {"a factor of both axes", LOOP("r += d[i][j] * e[l][j];"), "no products"},
    {"a factor of the sum", LOOP("r += r * e[l][j];"), "no products"},
    {"no product", LOOP("r += d[i][l];"), "no products"},
    {"more than updates", LOOP("{ r += d[i][l] * e[l][j]; if (n) s += 1; }"), "no products"},
    {"the sum twice", LOOP("r = r + r + d[i][l] * e[l][j];"), "no products"},
    {"a sum that is subtracted", LOOP("r = d[i][l] * e[l][j] - r;"), "no products"},
    {"a function that multiplies and adds", LOOP("r = fma(d[i][l], e[l][j], r);"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"the same of the library", LOOP("r = std::fma(d[i][l], e[l][j], r);"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"the same of the device", LOOP("r = __fma_rn(d[i][l], e[l][j], r);"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"another function of three", LOOP("r += fmin(d[i][l], e[l][j]);"), "no products"},
    {"with a sign", LOOP("r += -d[i][l] * e[l][j];"),
     "r: -convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"with a sign on the other side", LOOP("r -= d[i][l] * -(e[l][j]);"),
     "r: -convert<double *>(convert<double (*)[256]>(d)[i])[l], -convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"made of floats", LOOP("r += (double)a[i][l] * (double)b[l][j];"),
     "r: convert<double>(convert<float *>(convert<float (*)[256]>(a)[i])[l]), "
     "convert<double>(convert<float *>(convert<float (*)[256]>(b)[l])[j])"},
    {"a product of floats", LOOP("r += (double)(a[i][l] * b[l][j]);"), "no products"},
    {"in a block with nothing",
     LOOP("{ ; const double left = d[i][l], right = e[l][j]; { r += left * right; } }"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"a name that is given twice",
     LOOP("{ double left = d[i][l]; left = 2; r += left * e[l][j]; }"), "no products"},
    {"a name that has nothing", LOOP("{ double left; left = d[i][l]; r += left * e[l][j]; }"),
     "no products"},
    {"a name that is a record", LOOP("{ double2 left = {1, 2}; r += left.x * e[l][j]; }"),
     "no products"},
    {"a name that steps", LOOP("{ int at = n++; r += d[i][l] * e[l][j] + at; }"), "no products"},
    {"a number that counts", LOOP("{ int at = l + 1; r += d[i][at] * e[l][j]; }"), "no products"},
    {"the sum in its product", LOOP("r += d[i][l] * r;"), "no products"},
    {"a sum of sums", LOOP("r = r + (d[i][l] * e[l][j] + d[i][l + 1] * e[l + 1][j]);"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]; r: convert<double *>(convert<double (*)[256]>(d)[i])[(l + 1)], "
     "convert<double *>(convert<double (*)[256]>(e)[(l + 1)])[j]"},
    {"a difference of sums", LOOP("r = r - d[i][l] * e[l][j];"),
     "r: -convert<double *>(convert<double (*)[256]>(d)[i])[l], convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"a difference the other way round", LOOP("r = d[i][l] * e[l][j] - r;"), "no products"},
    {"a quotient", LOOP("r = r / d[i][l];"), "no products"},
    {"three factors", LOOP("r += d[i][l] * e[l][j] * 2.0;"),
     "r: (convert<double *>(convert<double (*)[256]>(d)[i])[l] * 2.0), convert<double "
     "*>(convert<double (*)[256]>(e)[l])[j]"},
    {"four factors", LOOP("r += d[i][l] * e[l][j] * d[i][l] * e[l][j];"),
     "r: (convert<double *>(convert<double (*)[256]>(d)[i])[l] * convert<double *>(convert<double "
     "(*)[256]>(d)[i])[l]), (convert<double *>(convert<double (*)[256]>(e)[l])[j] * convert<double "
     "*>(convert<double (*)[256]>(e)[l])[j])"},
    {"many products",
     LOOP("r += d[i][l] * e[l][j] + d[i][l] * e[l][j] + d[i][l] * e[l][j] + d[i][l] * e[l][j] + "
          "d[i][l] * e[l][j] + d[i][l] * e[l][j] + d[i][l] * e[l][j] + d[i][l] * e[l][j] + d[i][l] "
          "* e[l][j] + d[i][l] * e[l][j];"),
     "no products"},
    {"an integer sum", LOOP("n += t[l] * t[l];"), "no products"},
    {"a call in a factor", LOOP("r += d[i][l] * sqrt(e[l][j]);"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], sqrt(convert<double "
     "*>(convert<double (*)[256]>(e)[l])[j])"},
    {"a pointer in a factor", LOOP("r += d[i][l] * *(&e[l][j]);"),
     "r: convert<double *>(convert<double (*)[256]>(d)[i])[l], *&convert<double *>(convert<double "
     "(*)[256]>(e)[l])[j]"},
    {"a member in a factor", LOOP("r += d[i][l] * wide[l].x;"), "no products"},
    {"a store", LOOP("f[i][l] = d[i][l] * e[l][j];"), "no products"},
    {"an if", LOOP("if (n > l) r += d[i][l] * e[l][j];"), "no products"},
    {"only a number", LOOP("r += 2;"), "no products"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(products, look_products)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
