/* SPDX-License-Identifier: MIT */
/* transpose.c - accesses that are apart for a warp's threads: which go through shared memory, and
 * why others do not. */
#include "analysis/transform/transpose/transpose.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[1024][1024], b[1024][1024], c[1024][1024], d[1024][1024], e[1024][1024], " \
  "f[1024][1024], limit[1024]; __device__ float one;\n" \
  "struct pair { float x, y; }; __global__ pair p[1024][1024], q[1024][1024]; __global__ short " \
  "h[1024][1024];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x " \
  "* blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<dim3(32, 32), dim3(32, 32)>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")

/* "b: 4224 bytes", "along y, a: ..." of what is transposed, or why nothing is; then what was
 * declined. */
static void look(struct subject *s, struct text *shown)
{
  struct geometry square = {{32, 32}, {32, 8}, {1, 1}, 0, false};
  struct ir_var *totals[2];
  struct transposes transposes;
  uint64_t bytes;

  if (!transform_shape(s, &square, totals, shown)) return;
  bool found = transpose_plan(&s->code, &transposes);
  text_add(shown, transposes.along_y ? "along y" : "straight");
  for (unsigned i = 0; i < transposes.count; i++)
    text_format(shown, " %s", transposes.items[i]->array->var->name);
  if (transposes.reason) text_format(shown, "; %s", transposes.reason);
  transform_show_decisions(s, DECISION_TRANSPOSE, shown);
  if (!found) return;
  transpose_build(&s->code, &square, &transposes, &bytes);
  text_format(shown, "; %llu bytes", (unsigned long long)bytes);
}

#define NOTHING "; the threads of its warps access neighbours already"
#define MORE \
  ": its address or a condition around it depends on more than thread indices and parameters"

static const struct transform_case found[] = {
    {"a store apart", CASE("b[j][i] = a[i][j];"), "straight b; 4224 bytes"},
    {"a load apart", CASE("b[i][j] = a[j][i];"), "straight a; 4224 bytes"},
    {"under conditions", CASE("if (i < n && j < n) b[j][i] = a[i][j];"), "straight b; 4224 bytes"},
    {"in an else", CASE("if (i < n) c[i][j] = 1; else b[j][i] = a[i][j];"),
     "straight b; 4224 bytes"},
    {"behind a return", CASE("if (i >= n) return; b[j][i] = a[i][j];"), "straight b; 4224 bytes"},
    {"elements of two bytes", CASE("h[j][i] = (short)a[i][j];"), "straight h; 2176 bytes"},
    {"locals that keep a value", CASE("int row = j, col = i + n; b[row][col] = a[i][j];"),
     "straight b; 4224 bytes"},
    {"in a condition", CASE("if (a[j][i] > 0) c[i][j] = 1;"), "straight a; 4224 bytes"},
    {"two of them", CASE("b[j][i] = a[i][j] + c[j][i];"), "along y a; 4224 bytes"},
    {"all apart", KERNEL("int n", "c[j][i] = a[j][i] * 2;") RUN("n"), "along y; 0 bytes"},
    {"locals and quotients",
     CASE("int l = i, m = j; float x = a[l][m] / 2 + (n ? 1 : 2); b[m][l] = x;"),
     "straight b; 4224 bytes"},
    {"an update", CASE("b[j][i] += a[i][j];"),
     "along y a; b: it is read and written by one statement; 4224 bytes"},
    {"loads apart", CASE("b[i][j] = a[j][i] * 2 + c[i][j];"), "straight a; 4224 bytes"},
    {"a function of numbers", CASE("b[j][i] = sqrtf(a[i][j]);"), "straight b; 4224 bytes"},
};

#define DEEP "if (n > 1) if (n > 2) if (n > 3) if (n > 4) "

static const struct transform_case declined[] = {
    {"neighbours", CASE("b[i][j] = a[i][j];"), "straight" NOTHING},
    {"elements that are no numbers", CASE("q[j][i] = p[i][j];"),
     "straight" NOTHING "; q: its elements are not numbers"},
    {"too many conditions", CASE(DEEP DEEP DEEP DEEP "if (n > 5) b[j][i] = a[i][j];"),
     "straight" NOTHING "; b: the conditions around it are nested too deeply"},
    {"a choice", CASE("c[i][j] = n ? a[j][i] : 0;"),
     "along y c; a: it is accessed under a condition within an expression; 4224 bytes"},
    {"the end of a conjunction", CASE("if (n > 0 && a[j][i] > 0) c[i][j] = 1;"),
     "along y; a: it is accessed under a condition within an expression; 0 bytes"},
    {"a loop", CASE("for (int l = 0; l < n; l++) b[j][i] = a[i][j] + l;"),
     "straight" NOTHING "; b: it is accessed in a loop or a switch"},
    {"a switch", CASE("switch (n) { case 1: b[j][i] = a[i][j]; }"),
     "straight" NOTHING "; b: it is accessed in a loop or a switch"},
    {"an update", CASE("b[j][i] += a[i][j];"),
     "along y a; b: it is read and written by one statement; 4224 bytes"},
    {"a step", CASE("b[j][i]++; c[i][j] = a[i][j];"),
     "along y a c; b: it is read and written by one statement; 8448 bytes"},
    {"stored twice", CASE("b[j][i] = a[i][j]; b[j][i] = 2;"),
     "along y a; b: the kernel accesses it elsewhere, or may do so through another name; b: the "
     "kernel accesses it elsewhere, or may do so through another name; 4224 bytes"},
    {"stored under another name",
     KERNEL("float (*b)[1024], float (*a)[1024]", "b[j][i] = a[i][j];") RUN("b, b"),
     "straight" NOTHING "; b: the kernel accesses it elsewhere, or may do so through another name"},
    {"stored, and a pointer from memory read",
     KERNEL("float **x",
            "b[j][i] = x[0][i];") "void run(float **x) { k<<<dim3(32, 32), dim3(32, 32)>>>(x); }",
     "along y; b: the kernel accesses it elsewhere, or may do so through another name; 0 bytes"},
    {"loaded and written", CASE("c[i][j] = a[j][i]; a[i][j] = 0;"),
     "straight" NOTHING "; a: the kernel writes it"},
    {"a condition on memory", CASE("if (limit[j] > 0) b[j][i] = a[i][j];"),
     "along y" NOTHING "; b" MORE},
    {"a local that is assigned", CASE("int row = j; if (n) row = j + 1; b[row][i] = a[i][j];"),
     "along y a; b" MORE "; 4224 bytes"},
    {"a parameter that is assigned", CASE("n++; if (i < n) b[j][i] = a[i][j];"),
     "straight" NOTHING "; b" MORE},
    {"an index from memory", CASE("b[j + (int)limit[0]][i] = a[i][j];"),
     "straight; it is not known which elements neighbouring threads access"},
    {"neighbours by a mask",
     CASE("int low = j & (n - 1), at = ((j - low) << 2) + low; c[i][at] = b[i][at + n];"),
     "straight; it is not known which elements neighbouring threads access"},
    {"more than four",
     CASE("a[j][i] = b[i][j]; c[j][i] = 1; d[j][i] = 1; e[j][i] = 1; f[j][i] = 1;"),
     "along y b; 4224 bytes"},
    {"a store in an else", CASE("if (n > 3) c[i][j] = 2; else b[j][i] = a[i][j];"),
     "straight b; 4224 bytes"},
    {"an address", CASE("float *q = &b[j][i]; *q = a[i][j];"),
     "along y a; b: its address or a condition around it depends on more than thread indices and "
     "parameters; 4224 bytes"},
    {"a member behind a pointer",
     KERNEL("const pair *v, int n", "b[j][i] = a[i][j] + v->x;") "void run(pair *v) { k<<<dim3(32, "
                                                                 "32), dim3(32, 32)>>>(v, 9); }",
     "along y a; b: the kernel accesses it elsewhere, or may do so through another name; 4224 "
     "bytes"},
    {"a local whose address is taken", CASE("int l = i; int *q = &l; b[j][l] = a[i][j] + *q;"),
     "straight; it is not known which elements neighbouring threads access"},
    {"a reference", CASE("int &l = i; b[j][l] = a[i][j];"),
     "straight; it is not known which elements neighbouring threads access"},
    {"a device variable", CASE("b[j][i] = a[i][j] * one;"), "straight b; 4224 bytes"},
    {"volatile memory",
     KERNEL("volatile float *v, int n",
            "v[j * 1024 + i] = a[i][j];") "void run(float *v) { k<<<dim3(32, 32), dim3(32, "
                                          "32)>>>(v, 9); }",
     "no shape: it accesses volatile memory"},
    {"two stores", CASE("b[j][i] = a[i][j]; b[j][i] = 2;"),
     "along y a; b: the kernel accesses it elsewhere, or may do so through another name; b: the "
     "kernel accesses it elsewhere, or may do so through another name; 4224 bytes"},
    {"what it wrote", CASE("b[j][i] = a[i][j]; c[i][j] = b[j][i];"),
     "along y a c; b: the kernel accesses it elsewhere, or may do so through another name; b: the "
     "kernel writes it; 8448 bytes"},
    {"a return", CASE("if (n > 3) return; b[j][i] = a[i][j];"), "straight b; 4224 bytes"},
    {"a place from a table", CASE("b[(int)limit[j]][i] = a[i][j];"),
     "straight; it is not known which elements neighbouring threads access"},
    {"an object in its place", CASE("pair l = {2, 3}; b[j][i] = a[i][j] + l.x + pair{1, 2}.y;"),
     "straight b; 4224 bytes"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
