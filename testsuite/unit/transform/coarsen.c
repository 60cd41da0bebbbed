/* SPDX-License-Identifier: MIT */
/* coarsen.c - one thread that does the work of several: codes that have such a form, and why others
 * have none. */
#include "analysis/mapping/coarsen/coarsen.h"
#include "analysis/code/instance.h"
#include "analysis/mapping/tile/tile.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT "enum { N = 256 }; __global__ float a[N][N], b[N][N], c[N][N]; __global__ int t[N];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x " \
  "* blockDim.x + threadIdx.x; float s = 0; " body " }\n"
#define CASE(body) \
  KERNEL("int n", body " c[i][j] = s;") "void run(int n) { k<<<dim3(4, 4), dim3(64, 16)>>>(n); }"

/* "3 _y, 2 _x", behind the number of tiled loops where tiles are planned: loops over a thread's
 * instances along each axis. */
static void coarsen(struct subject *s, bool tiled, struct text *shown)
{
  struct geometry quarter = {{64, 64}, {16, 16}, {4, 4}, 0, false};
  struct tiles tiles = {.count = 0};
  struct stager stager = {.unit = s->unit};
  struct buffering none = {0};
  struct instances in;
  struct ir_var *totals[2];
  struct ir_place place;
  const char *reason;

  if (!transform_shape(s, &quarter, totals, shown)) return;
  if (tiled) {
    instances_analyze(&s->code, &in);
    tile_plan(&s->code, &in, &quarter, &stager, 16, 49152, &none, &tiles);
    tile_build(&s->code, &quarter, &tiles);
    text_format(shown, "%u tiles; ", tiles.count);
  }
  if (!coarsen_instances(&s->code, &quarter, &tiles, &reason, &place))
    text_add(shown, reason);
  else
    text_format(shown, "%u _y, %u _x", transform_printed(s, "[_y from"),
                transform_printed(s, "[_x from"));
}

static void look(struct subject *s, struct text *shown) { coarsen(s, false, shown); }

static void look_tiled(struct subject *s, struct text *shown) { coarsen(s, true, shown); }

static const struct transform_case found[] = {
    {"a sum", CASE("for (int l = 0; l < N; l++) s += a[i][l] * b[l][j];"), "4 _y, 4 _x"},
    {"a condition of each", CASE("if (i < n && j < n) s = a[i][j];"), "1 _y, 1 _x"},
    {"a condition of all", CASE("if (n > 3) for (int l = 0; l < N; l++) s += a[i][l];"),
     "3 _y, 1 _x"},
    {"an else", CASE("if (i < n) s = a[i][j]; else s = b[i][j];"), "1 _y, 1 _x"},
    {"behind a return", CASE("if (i >= n || j >= n) return;"), "1 _y, 1 _x"},
    {"a reference of each", CASE("float &x = a[i][j]; s = x;"), "1 _y, 1 _x"},
    {"a list", CASE("float x[2] = { a[i][j], 1 }; s = x[0] + x[1];"), "1 _y, 1 _x"},
    {"an address of each", CASE("float x = a[i][j], *p = &x; s = *p;"), "1 _y, 1 _x"},
    {"a reference to a local of each", CASE("float x = a[i][j]; float &y = x; y += 1; s = x;"),
     "1 _y, 1 _x"},
    {"a counter that some change",
     CASE("int u = 0; for (int l = 0; l < N; l++) { if (a[i][l] > 0) u++; if (u > 3) s += 1; }"),
     "3 _y, 1 _x"},
    {"a break of all", CASE("for (int l = 0; l < N; l++) { if (l == n) break; s += a[i][l]; }"),
     "3 _y, 1 _x"},
    {"a table of locals",
     CASE("float part[4] = {0, 1, 2, 3}; for (int l = 0; l < n; l++) part[l & 3] += a[i][l]; s = "
          "part[n & 3];"),
     "a local variable cannot be kept once for each of a thread's elements"},
    {"records", CASE("float2 q = {a[i][j], 2}; q.x += b[i][j]; s = q.x * q.y;"), "1 _y, 1 _x"},
    {"branches that some take",
     CASE("if (i > 3) s = a[i][j]; else if (j > 3) s = b[i][j]; else { s = 1; }"), "1 _y, 1 _x"},
    {"several declarations",
     CASE("{ int l = i, m = j; ; s = a[l][m]; } { float u, v; u = v = 2; s += u * v; }"),
     "4 _y, 4 _x"},
    {"a loop whose iterator a row shares",
     CASE("for (int l = i; l < i + 4; l++) s += a[l & 255][j];"),
     "threads run a loop in it for different times"},
    {"a triangle", CASE("for (int l = 0; l < N; l++) { float u = a[(i + l) & 255][j]; s += u; }"),
     "3 _y, 3 _x"},
    {"a quotient that all make", CASE("s = a[i][j] / (n + 1); int l = i / (n + 1); s += l;"),
     "3 _y, 2 _x"},
    {"atomic operations", CASE("atomicAdd(&t[i], 1); s = a[i][j];"), "1 _y, 1 _x"},
    {"an else that all take", CASE("if (n > 3) s = a[i][j]; else s = b[j][i];"), "4 _y, 4 _x"},
};

static const struct transform_case declined[] = {
    {"a loop for different times", CASE("for (int l = 0; l < i; l++) s += a[i][l];"),
     "threads run a loop in it for different times"},
    {"a break of each",
     CASE("for (int l = 0; l < N; l++) { if (a[i][l] > 0) break; s += a[i][l]; }"),
     "threads run a loop in it for different times"},
    {"a continue of each",
     CASE("for (int l = 0; l < N; l++) { if (a[i][l] > 0) continue; s += a[i][l]; }"),
     "threads run a loop in it for different times"},
    {"a loop under a condition of each",
     CASE("if (j < n) for (int l = 0; l < N; l++) s += a[i][l];"),
     "threads run a loop in it for different times"},
    {"a while loop of each", CASE("float x = a[i][j]; while (x > 0) { s += x; x -= 1; }"),
     "threads run a loop in it for different times"},
    {"a parameter that each assigns", CASE("n += i; s = n;"), "2 _y, 1 _x"},
    {"a list for a loop",
     CASE("float x[2] = { a[i][j], 1 }; for (int l = 0; l < N; l++) s += x[l & 1] * b[l][j];"),
     "a local variable cannot be kept once for each of a thread's elements"},
    {"a reference for a loop",
     CASE("float &x = a[i][j]; for (int l = 0; l < N; l++) s += x * b[l][j];"),
     "a local variable cannot be kept once for each of a thread's elements"},
    {"a while loop for different times", CASE("int l = i; while (l > 0) { s += a[l][j]; l -= 3; }"),
     "threads run a loop in it for different times"},
    {"a do loop for different times",
     CASE("int l = i; do { s += a[l & 255][j]; l -= 3; } while (l > 0);"),
     "threads run a loop in it for different times"},
    {"a break that some take",
     CASE("for (int l = 0; l < N; l++) { if (l > i) break; s += a[l][j]; }"),
     "threads run a loop in it for different times"},
    {"a switch that some take", CASE("switch (i & 3) { case 1: s = 2; break; default: s = 3; }"),
     "2 _y, 1 _x"},
    {"a reference to an element", CASE("const float &q = a[i][j]; s = q;"), "1 _y, 1 _x"},
    {"the address of a local", CASE("float l = a[i][j], *q = &l; s = *q;"), "1 _y, 1 _x"},
};

#define TIMES(condition) "if (" condition ") for (int l = 0; l < N; l++) s += a[i][l] * b[l][j];"
#define DEEP "if (j < n) if (j > n / 2) if (i < n) if (i > n / 2) "

static const struct transform_case tiled[] = {
    {"a product with tiles", CASE("for (int l = 0; l < N; l++) s += a[i][l] * b[l][j];"),
     "1 tiles; 4 _y, 4 _x"},
    {"a predicate around tiles", CASE(TIMES("i < n && j < n")), "1 tiles; 5 _y, 5 _x"},
    {"a predicate on values", CASE(TIMES("t[i] > 0")), "1 tiles; 5 _y, 4 _x"},
    {"an else around tiles", CASE(TIMES("i < n") " else s = 1;"), "1 tiles; 8 _y, 5 _x"},
    {"seventeen predicates", CASE(DEEP DEEP DEEP DEEP TIMES("i + 3 < n")),
     "1 tiles; its conditions are nested too deeply"},
    {"what elements share is changed by some",
     CASE("int u = 0; if (j < n) for (int l = 0; l < N; l++) { u += 2; s += a[i][l] * b[l][j]; } s "
          "+= u;"),
     "1 tiles; 4 _y, 7 _x"},
    {"what the loop leaves by",
     CASE("for (int l = 0; l < N; l++) { s += a[i][l] * b[l][j]; if (s > j) continue; s += 1; }"),
     "0 tiles; threads run a loop in it for different times"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(tiled, look_tiled)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
