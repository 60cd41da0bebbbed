/* SPDX-License-Identifier: MIT */
/* stream25d.c - threads that go through layers with rows in registers: rows, loads, conditions, and
 * why there are none. */
#include "analysis/transform/stream25d/stream25d.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "enum { N = 256 }; __global__ float a[N][N][N], b[N][N][N], c[N][N][N], w[8]; __global__ int " \
  "t[N][N][N];\n" \
  "__global__ float line[N][N][N + 3], plane[N][N]; const int last = 200; __device__ void " \
  "unknown(int);\n"
#define KERNEL(params, body) \
  "__global__ void k(" params \
  ") { int i = blockIdx.z * blockDim.z + threadIdx.z, j = blockIdx.y * blockDim.y + threadIdx.y, " \
  "k = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<dim3(N / 32, N / 4, N / 2), dim3(32, 4, 2)>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")

/* "rows a -1..1; 3 loads, 1 stores, 0 uniform; conditions 2 0 2; gain 2.40 pays": conditions on x,
 * on the layer, on neither. */
static void look(struct subject *s, struct text *shown)
{
  struct geometry geometry = {.block = {128, 8}, .threads = {32, 8}, .vector = {4, 1}, .layers = 8};
  struct stream25d stream = {.code = &s->code, .factor = 4, .ahead = 1};
  struct ir_list verbatim = {0};
  struct ir_var *totals[2];

  if (!transform_shape(s, &geometry, totals, shown)) return;
  if (!stream25d_find(&stream)) {
    text_add(shown, stream.reason);
    return;
  }
  text_add(shown, "rows");
  for (unsigned i = 0; i < stream.row_count; i++)
    text_format(shown, " %s %lld..%lld", stream.rows[i].array->var->name,
                (long long)stream.rows[i].first, (long long)stream.rows[i].last);
  text_format(shown,
              "; %u loads, %u stores, %u uniform; conditions %u %u %u; gain %.2f%s; %.0f registers",
              stream.load_count, stream.store_count, stream.uniform_count, stream.lane_count,
              stream.layer_count, stream.thread_count, stream25d_gain(&stream),
              stream25d_pays(&stream) ? " pays" : "", stream25d_registers(&stream));
  stream25d_build(&stream, &verbatim);
}

#define BODY "its body has loops, branches or calls"

static const struct transform_case found[] = {
    {"two layers", CASE("if (i > 0) b[i][j][k] = a[i - 1][j][k] + a[i][j][k];"),
     "rows a -1..0; 2 loads, 1 stores, 0 uniform; conditions 0 1 0; gain 6.00 pays; 12 registers"},
    {"seven points",
     CASE("if (i > 0 && i < N - 1 && j > 0 && j < N - 1 && k > 0 && k < N - 1) b[i][j][k] = "
          "a[i][j][k] + a[i][j][k - 1] + a[i][j][k + 1] + "
          "a[i][j - 1][k] + a[i][j + 1][k] + a[i - 1][j][k] + a[i + 1][j][k];"),
     "rows a -1..1 a 0..0 a 0..0; 7 loads, 1 stores, 0 uniform; conditions 2 2 2; gain 5.33 pays; "
     "16 registers"},
    {"layers that are not used",
     CASE("if (i > 1 && i < N - 2) b[i][j][k] = a[i - 2][j][k] + a[i + 2][j][k];"),
     "rows a -2..2; 2 loads, 1 stores, 0 uniform; conditions 0 2 0; gain 6.00 pays; 24 registers"},
    {"behind returns",
     CASE("if (i < 1) return; if (k >= n) return; b[i][j][k] = a[i - 1][j][k] + a[i][j][k];"),
     "rows a -1..0; 2 loads, 1 stores, 0 uniform; conditions 1 1 0; gain 6.00 pays; 12 registers"},
    {"a factor of all", CASE("if (i > 0) b[i][j][k] = a[i - 1][j][k] * w[0] + a[i][j][k] * w[1];"),
     "rows a -1..0; 2 loads, 1 stores, 2 uniform; conditions 0 1 0; gain 5.00 pays; 12 registers"},
    {"two arrays",
     CASE("if (i > 0) b[i][j][k] = a[i - 1][j][k] + a[i][j][k] + c[i][j][k] - c[i - 1][j][k];"),
     "rows a -1..0 c -1..0; 4 loads, 1 stores, 0 uniform; conditions 0 1 0; gain 6.67 pays; 24 "
     "registers"},
    {"more elements beside rows than rows",
     CASE("if (i > 0 && k > 1 && k < N - 2 && j > 0) b[i][j][k] = a[i - 1][j][k] + a[i][j - 1][k + "
          "1] + a[i][j - 1][k - 1] + a[i - 1][j - 1][k - 2] + a[i][j][k];"),
     "rows a -1..0; 5 loads, 1 stores, 0 uniform; conditions 2 1 1; gain 4.80; 12 registers"},
    {"conditions in parentheses",
     CASE("if (((i > 0)) && ((k < n) && (n != 3)) && n) b[i][j][k] = (a[i - 1][j][k]) + "
          "a[i][j][k];"),
     "rows a -1..0; 2 loads, 1 stores, 0 uniform; conditions 1 1 2; gain 6.00 pays; 12 registers"},
    {"conditions with signs and quotients",
     CASE("if (-i < 0 && !(i > N - 2) && k / 2 > 3 && (k % 4 + 1) > 0) b[i][j][k] = a[i - 1][j][k] "
          "+ a[i][j][k];"),
     "rows a -1..0; 2 loads, 1 stores, 0 uniform; conditions 2 2 0; gain 6.00 pays; 12 registers"},
    {"a condition on constants",
     KERNEL("int n", "const int first = 1; if (i > first && i < last) { ; float x; x = a[i - "
                     "1][j][k]; b[i][j][k] = x + a[i][j][k]; }") RUN("n"),
     "rows a -1..0; 2 loads, 1 stores, 0 uniform; conditions 0 2 0; gain 6.00 pays; 12 registers"},
    {"locals for places",
     CASE(
         "int l = i - 1, m = k; long long o = k; if (i > 0) b[i][j][k] = a[l][j][m] + a[i][j][o];"),
     "rows a -1..0; 2 loads, 1 stores, 0 uniform; conditions 0 1 0; gain 6.00 pays; 12 registers"},
    {"an element twice",
     CASE("if (i > 0 && k > 0 && k < N - 1) b[i][j][k] = a[i - 1][j][k] * a[i - 1][j][k] + "
          "a[i][j][k] + a[i][j][k - 1] + a[i][j][k - 1] + a[i][j + 1][k] + a[i][j + 1][k] + a[i][j "
          "+ 1][k + 1];"),
     "rows a -1..0 a 0..0; 8 loads, 1 stores, 0 uniform; conditions 2 1 0; gain 7.20 pays; 12 "
     "registers"},
    {"neighbours at a distance of a vector",
     CASE("if (i > 0 && k > 8 && k < N - 8) b[i][j][k] = a[i - 1][j][k] + a[i][j][k] + a[i][j][k - "
          "4] + a[i][j][k + 4] + a[i - 1][j][k - 8];"),
     "rows a -1..0 a 0..0 a 0..0 a -1..-1; 5 loads, 1 stores, 0 uniform; conditions 2 1 0; gain "
     "4.80 pays; 12 registers"},
    {"layers of a flat array",
     KERNEL("const float *__restrict__ p, int n",
            "if (i > 0) b[i][j][k] = p[(i * N + j) * N + k] + "
            "p[((i - 1) * N + j) * N + k];") "void run(int n, "
                                             "float *p) { "
                                             "k<<<dim3(N / 32, "
                                             "N / 4, N / 2), "
                                             "dim3(32, 4, "
                                             "2)>>>(p, n); }",
     "its rows do not begin at multiples of 16 bytes"},
    {"layers in rows of a flat array of the launch",
     KERNEL("const float *__restrict__ p, int n",
            "if (i > 0) b[i][j][k] = p[(i * n + j) * n + k] + "
            "p[((i - 1) * n + j) * n + k];") "void run(int n, "
                                             "float *p) { "
                                             "k<<<dim3(N / 32, "
                                             "N / 4, N / 2), "
                                             "dim3(32, 4, "
                                             "2)>>>(p, n); }",
     "its rows do not begin at multiples of 16 bytes"},
    {"two dimensions",
     KERNEL(
         "const float *__restrict__ p, int n",
         "if (i > 0) b[i][j][k] = plane[i][k] + plane[i - 1][k];") "void run(int n, float *p) { "
                                                                   "k<<<dim3(N / 32, N / 4, N / "
                                                                   "2), dim3(32, 4, 2)>>>(p, n); }",
     "rows plane -1..0; 2 loads, 1 stores, 0 uniform; conditions 0 1 0; gain 6.00 pays; 12 "
     "registers"},
    {"two steps",
     CASE("if (i > 1 && i < N / 2) b[i][j][k] = a[2 * i][j][k] + a[2 * i - 1][j][k] + a[2 * i - "
          "2][j][k] + a[2 * i + 1][j][k];"),
     "rows a -1..0 a 0..1; 4 loads, 1 stores, 0 uniform; conditions 0 2 0; gain 6.67 pays; 24 "
     "registers"},
    {"many rows",
     CASE("if (i > 0 && j > 4 && j < N - 5) b[i][j][k] = a[i][j][k] + a[i - 1][j][k] + a[i][j - "
          "1][k] + a[i][j - 2][k] + a[i][j - 3][k] + a[i][j - 4][k] + a[i][j + 1][k] + a[i][j + "
          "2][k] + a[i][j + 3][k] + a[i][j + 4][k] + c[i][j][k] + c[i][j - 1][k] + c[i][j - 2][k] "
          "+ c[i][j - 3][k] + c[i][j - 4][k] + c[i][j + 1][k] + c[i][j + 2][k] + c[i][j + 3][k] + "
          "c[i][j + 4][k];"),
     "rows a -1..0 a 0..0 a 0..0 a 0..0; 19 loads, 1 stores, 0 uniform; conditions 0 1 2; gain "
     "4.21 pays; 12 registers"},
};

static const struct transform_case declined[] = {
    {"a loop", CASE("float s = 0; for (int l = 0; l < n; l++) s += a[i][j][k]; b[i][j][k] = s;"),
     BODY},
    {"a branch", CASE("float s = 0; if (n) s = a[i][j][k]; b[i][j][k] = s + a[i][j][k];"), BODY},
    {"an else", CASE("if (n) b[i][j][k] = a[i][j][k]; else b[i][j][k] = 0;"), BODY},
    {"a condition behind a store", CASE("b[i][j][k] = 0; if (k > 0) b[i][j][k] = a[i][j][k];"),
     BODY},
    {"a step", CASE("t[i][j][k]++;"), BODY},
    {"a condition on values", CASE("if (t[i][j][k] > 0) b[i][j][k] = a[i][j][k];"),
     "a condition is made of more than indices and parameters"},
    {"a condition on a local", CASE("int l = n; l++; if (k > l) b[i][j][k] = a[i][j][k];"), BODY},
    {"a condition on x and z", CASE("if (k + i < N) b[i][j][k] = a[i][j][k];"),
     "a condition is on x and z at once"},
    {"every other layer", CASE("if (i % 2 == 0) b[i][j][k] = a[i][j][k];"),
     "a condition holds for layers that are no interval"},
    {"all layers but one", CASE("if (i != 7) b[i][j][k] = a[i][j][k];"),
     "a condition holds for layers that are no interval"},
    {"seventeen conditions",
     CASE("if (n > 1 && n > 2 && n > 3 && n > 4 && n > 5 && n > 6 && n > 7 && n > 8 && n > 9 && n "
          "> 10 && n > 11 && n > 12 && n > 13 && n > 14 && n > 15 && n > 16 && n > 17) "
          "b[i][j][k] = a[i][j][k];"),
     "it has too many conditions"},
    {"a division that other threads would make",
     CASE("if (k < n) t[i][j][k] = t[i][j][k + 1] / n;"),
     "it divides integers where a thread beside it would not"},
    {"an address", CASE("const float *x = &w[0]; b[i][j][k] = *x + a[i][j][k];"),
     "it takes an address"},
    {"an update", CASE("b[i][j][k] += a[i][j][k];"), "it reads what it writes"},
    {"a load of what is written", CASE("if (i > 0) b[i][j][k] = b[i - 1][j][k] + b[i][j][k];"),
     "it loads what it writes, or not always"},
    {"another name",
     KERNEL(
         "float (*b)[N][N], float (*a)[N][N]",
         "if (i > 0) b[i][j][k] = a[i - 1][j][k] + a[i][j][k];") "void run(float (*a)[N][N], float "
                                                                 "(*b)[N][N]) { k<<<dim3(N / 32, N "
                                                                 "/ 4, N / 2), dim3(32, 4, "
                                                                 "2)>>>(a, b); }",
     "it loads what it writes, or not always"},
    {"a choice", CASE("if (i > 0) b[i][j][k] = n ? a[i - 1][j][k] : a[i][j][k];"),
     "it loads under a condition in an expression"},
    {"rows of another length", CASE("if (i > 0) b[i][j][k] = line[i - 1][j][k] + line[i][j][k];"),
     "its rows do not begin at multiples of 16 bytes"},
    {"a place that changes", CASE("int l = n; l += 1; b[i][j][k] = w[l] + a[i][j][k];"),
     "a place that it loads is told by a local that changes"},
    {"a place from a narrow type", CASE("b[i][j][k] = a[i][j][(unsigned char)k];"),
     "a place that it loads is converted from a type that does not hold those before it"},
    {"a place from memory", CASE("b[i][j][k] = w[t[0][0][0]] + a[i][j][k];"),
     "a place that it loads is told by what it loads"},
    {"one layer", CASE("b[i][j][k] = a[i][j][k] * 2;"),
     "no load of a layer is made again in another one"},
    {"layers far apart", CASE("if (i > 8) b[i][j][k] = a[i - 9][j][k] + a[i][j][k];"),
     "no load of a layer is made again in another one"},
    {"a pointer from memory",
     KERNEL("float **x", "b[i][j][k] = x[i][k];") "void run(float **x) { k<<<dim3(N / 32, N / 4, N "
                                                  "/ 2), dim3(32, 4, 2)>>>(x); }",
     "it accesses memory that is not followed"},
    {"a value that steps", CASE("b[i][j][k] = a[i][j][k] + n++;"),
     "its body has loops, branches or calls"},
    {"a place that steps", CASE("b[i][j][n++] = a[i][j][k];"),
     "its body has loops, branches or calls"},
    {"a reference", CASE("const float &x = a[i][j][k]; b[i][j][k] = x;"),
     "its body has loops, branches or calls"},
    {"a local whose address is taken",
     CASE("int x = 1; int *p = &x; b[i][j][k] = a[i][j][k] + *p;"),
     "its body has loops, branches or calls"},
    {"a local that steps another", CASE("int l = n++; b[i][j][k] = a[i][j][k] + l;"),
     "its body has loops, branches or calls"},
    {"a store behind a condition", CASE("if (i > 0) b[i][j][k] = a[i][j][k]; t[i][j][k] = 1;"),
     "its body has loops, branches or calls"},
    {"a condition on a real number",
     KERNEL("float f",
            "if (f > 0) b[i][j][k] = a[i][j][k];") "void run(int n, float *p) { k<<<dim3(N / 32, N "
                                                   "/ 4, N / 2), dim3(32, 4, 2)>>>(2); }",
     "a condition is made of more than indices and parameters"},
    {"a condition on a parameter that changes",
     CASE("if (n > 0) { b[i][j][k] = a[i][j][k]; n = 2; }"),
     "a condition is made of more than indices and parameters"},
    {"a condition on a parameter whose address is taken",
     CASE("int *x = &n; if (n > 0) b[i][j][k] = a[i][j][k];"),
     "a condition is made of more than indices and parameters"},
    {"a condition that steps", CASE("if (n-- > 0) b[i][j][k] = a[i][j][k];"),
     "a condition is made of more than indices and parameters"},
    {"a condition on memory",
     KERNEL(
         "const int *q, int n",
         "if (*q > 0) b[i][j][k] = a[i][j][k];") "void run(int n, float *p) { k<<<dim3(N / 32, N / "
                                                 "4, N / 2), dim3(32, 4, 2)>>>(t[0][0], n); }",
     "a condition is made of more than indices and parameters"},
    {"a condition with an address", CASE("if (&a[i][j][k] != nullptr) b[i][j][k] = a[i][j][k];"),
     "a condition is made of more than indices and parameters"},
    {"a quotient of the launch", CASE("if (k / n > 0) b[i][j][k] = a[i][j][k];"),
     "a condition is made of more than indices and parameters"},
    {"a rest of a negative number", CASE("if (k % -3 > 0) b[i][j][k] = a[i][j][k];"),
     "a condition is made of more than indices and parameters"},
    {"a chosen place", CASE("if (i > 0) b[i][j][k] = a[i - 1][j][k] + a[i][j][k > 4 ? k - 1 : k];"),
     "its rows do not begin at multiples of 16 bytes"},
    {"sixty-five loads",
     CASE("if (i > 0) b[i][j][k] = a[i][j][k] + a[i - 1][j + 0][k + 0] + a[i - 1][j + 0][k + 1] + "
          "a[i - 1][j + 0][k + 2] + a[i - 1][j + 0][k + 3] + a[i - 1][j + 0][k + 4] + a[i - 1][j + "
          "0][k + 5] + a[i - 1][j + 0][k + 6] + a[i - 1][j + 0][k + 7] + a[i - 1][j + 1][k + 0] + "
          "a[i - 1][j + 1][k + 1] + a[i - 1][j + 1][k + 2] + a[i - 1][j + 1][k + 3] + a[i - 1][j + "
          "1][k + 4] + a[i - 1][j + 1][k + 5] + a[i - 1][j + 1][k + 6] + a[i - 1][j + 1][k + 7] + "
          "a[i - 1][j + 2][k + 0] + a[i - 1][j + 2][k + 1] + a[i - 1][j + 2][k + 2] + a[i - 1][j + "
          "2][k + 3] + a[i - 1][j + 2][k + 4] + a[i - 1][j + 2][k + 5] + a[i - 1][j + 2][k + 6] + "
          "a[i - 1][j + 2][k + 7] + a[i - 1][j + 3][k + 0] + a[i - 1][j + 3][k + 1] + a[i - 1][j + "
          "3][k + 2] + a[i - 1][j + 3][k + 3] + a[i - 1][j + 3][k + 4] + a[i - 1][j + 3][k + 5] + "
          "a[i - 1][j + 3][k + 6] + a[i - 1][j + 3][k + 7] + a[i - 1][j + 4][k + 0] + a[i - 1][j + "
          "4][k + 1] + a[i - 1][j + 4][k + 2] + a[i - 1][j + 4][k + 3] + a[i - 1][j + 4][k + 4] + "
          "a[i - 1][j + 4][k + 5] + a[i - 1][j + 4][k + 6] + a[i - 1][j + 4][k + 7] + a[i - 1][j + "
          "5][k + 0] + a[i - 1][j + 5][k + 1] + a[i - 1][j + 5][k + 2] + a[i - 1][j + 5][k + 3] + "
          "a[i - 1][j + 5][k + 4] + a[i - 1][j + 5][k + 5] + a[i - 1][j + 5][k + 6] + a[i - 1][j + "
          "5][k + 7] + a[i - 1][j + 6][k + 0] + a[i - 1][j + 6][k + 1] + a[i - 1][j + 6][k + 2] + "
          "a[i - 1][j + 6][k + 3] + a[i - 1][j + 6][k + 4] + a[i - 1][j + 6][k + 5] + a[i - 1][j + "
          "6][k + 6] + a[i - 1][j + 6][k + 7] + a[i - 1][j + 7][k + 0] + a[i - 1][j + 7][k + 1] + "
          "a[i - 1][j + 7][k + 2] + a[i - 1][j + 7][k + 3] + a[i - 1][j + 7][k + 4] + a[i - 1][j + "
          "7][k + 5] + a[i - 1][j + 7][k + 6] + a[i - 1][j + 7][k + 7] + a[i - 1][j + 8][k + 0] + "
          "a[i - 1][j + 8][k + 1];"),
     "it has too many loads"},
    {"a local in a place", CASE("int l = n * 2; l = l + 1; b[i][j][k] = a[i][j][k + l];"),
     "its rows do not begin at multiples of 16 bytes"},
    {"a call of unknown effects",
     CASE("unknown(n); if (i > 0) b[i][j][k] = a[i - 1][j][k] + a[i][j][k];"),
     "no shape: it calls a function whose effects are not known"},
    {"a place from memory in a local",
     CASE("int at = t[i][j][k]; if (i > 0) b[i][j][k] = w[at] + a[i - 1][j][k] + a[i][j][k];"),
     "a place that it loads is told by what it loads"},
    {"a place from memory in a local of a local",
     CASE("int at = t[i][j][k], same = at * 2; if (i > 0) b[i][j][k] = a[i][j][k] + a[i - 1][j][k] "
          "+ w[same + 1];"),
     "a place that it loads is told by what it loads"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
