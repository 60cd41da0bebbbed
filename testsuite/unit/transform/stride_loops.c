/* SPDX-License-Identifier: MIT */
/* stride_loops.c - loops by which threads share elements, and steps of blocks: their elements, and
 * which loops stay. */
#include "analysis/transform/stride_loops/stride_loops.h"

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ int a[65536]; __global__ int c[65536];\n"
#define KERNEL(body) \
  "__global__ void k(int n, int m) { " body " }\n" \
  "void run(int n, int m) { k<<<dim3(n, m), 64>>>(n, m); }"
#define ROWS(body) \
  "__global__ void k(int n, int m) { " body " }\n" \
  "void run(int n, int m) { k<<<n, 64>>>(n, m); }"
#define STEPS(body) \
  "__global__ void k(int n, int m) { int x = blockIdx.x * 32 + threadIdx.x, " \
  "y = blockIdx.y * 32 + threadIdx.y; " body " }\n" \
  "void run(int n, int m) { k<<<dim3(n, m), dim3(32, 8)>>>(n, m); }"
#define BY(from, end, step) "for (int j = " from "; j < " end "; j += " step ") "
#define ALONG(i, x, n) \
  "for (int " i " = blockIdx." x " * blockDim." x " + threadIdx." x "; " i " < " n "; " i \
  " += gridDim." x " * blockDim." x ") "
#define RUNS(body) \
  "__global__ void k(int n, int m) { int id = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n" \
  "void run(int n, int m) { k<<<n, 64>>>(n, m); }"
#define UNSIGNED_RUNS(body) \
  "__global__ void k(int n, unsigned m) { unsigned id = blockIdx.x * blockDim.x + " \
  "threadIdx.x; " body " }\n" \
  "void run(int n, int m) { k<<<n, 64>>>(n, m); }"
#define SUM "int s = 0; for (int k = 0; k < 9; k++) s += a[k]; "

static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_stride_loops(&draft);

  s->code = draft.code;
  if (!taken) {
    text_add(shown, "stays");
    return;
  }
  for (int axis = 0; axis < 2; axis++) {
    if (axis) text_add(shown, " x ");
    if (draft.extents->along[axis])
      ir_print_expr(shown, draft.extents->along[axis]);
    else
      text_add(shown, draft.extents->of_block ? "blocks" : "threads");
  }
}

static const struct transform_case found[] = {
    {"over a launch", KERNEL(ALONG("i", "x", "n") "{ " SUM "c[i] = s; }"),
     "cast<long long>(n) x threads"},
    {"over both axes",
     KERNEL(ALONG("j", "y", "m") ALONG("i", "x", "n") "{ " SUM "c[j * n + i] = s; }"),
     "cast<long long>(n) x cast<long long>(m)"},
    {"rows longer than their loop",
     KERNEL(ALONG("j", "y", "m") ALONG("i", "x", "32") "{ " SUM "c[j * 40 + i] = s; }"),
     "cast<long long>(32) x cast<long long>(m)"},
    {"over a block",
     ROWS("int r = blockIdx.x; for (int i = threadIdx.x; i < n; i += blockDim.x) { " SUM
          "c[r * n + i] = s; }"),
     "cast<long long>(n) x blocks"},
    {"names",
     KERNEL("int f = blockIdx.x * blockDim.x + threadIdx.x, w = blockDim.x * gridDim.x; "
            "for (int i = f; i < n; i += w) { " SUM "c[3 * i + m] += s; }"),
     "cast<long long>(n) x threads"},
};

static const struct transform_case spelled[] = {
    {"no loop inside", KERNEL(ALONG("i", "x", "n") "c[i] = 1;"), "cast<long long>(n) x threads"},
    {"while",
     KERNEL("int i = blockIdx.x * blockDim.x + threadIdx.x; "
            "while (i < n) { c[i] = a[i]; i += gridDim.x * blockDim.x; }"),
     "cast<long long>(n) x threads"},
    {"a counter in front",
     KERNEL("int i = blockIdx.x * blockDim.x + threadIdx.x, w = blockDim.x * gridDim.x; "
            "for (; i < n; i += w) c[i] = a[i];"),
     "cast<long long>(n) x threads"},
    {"64 bits",
     KERNEL("for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n; "
            "i += blockDim.x * gridDim.x) c[i] = a[i];"),
     "cast<long long>(cast<unsigned long>(convert<unsigned long>(n))) x threads"},
    {"without a sign",
     KERNEL("for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n; "
            "i += blockDim.x * gridDim.x) c[3 * i] = a[i];"),
     "cast<long long>(cast<unsigned int>(convert<unsigned int>(n))) x threads"},
    {"every other element without a sign",
     KERNEL("for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n; "
            "i += blockDim.x * gridDim.x) c[2 * i] = a[i];"),
     "stays"},
};

static const struct transform_case declined[] = {
    {"another loop's sum in front, no loop inside",
     KERNEL("int s = a[m]; " ALONG("i", "x", "n") "c[i] = s;"), "stays"},
    {"a counter that is named in front",
     KERNEL("int i = blockIdx.x * blockDim.x + threadIdx.x, f = i; "
            "for (; i < n; i += gridDim.x * blockDim.x) c[i] = f;"),
     "stays"},
    {"a step that is not the last",
     KERNEL("int i = blockIdx.x * blockDim.x + threadIdx.x; while (i < n) { c[i] = 1; "
            "i += gridDim.x * blockDim.x; if (i < n) c[i] = a[i]; }"),
     "stays"},
    {"no loop inside of a block's row",
     ROWS(
         "int r = blockIdx.x; for (int i = threadIdx.x; i < n; i += blockDim.x) c[r * n + i] = 1;"),
     "stays"},
    {"rows shorter than their loop",
     KERNEL(ALONG("j", "y", "m") ALONG("i", "x", "32") "{ " SUM "c[j * 31 + i] = s; }"), "stays"},
    {"rows of another length",
     KERNEL(ALONG("j", "y", "m") ALONG("i", "x", "n") "{ " SUM "c[j * m + i] = s; }"), "stays"},
    {"one element", KERNEL(ALONG("i", "x", "n") "{ " SUM "c[m] = s; }"), "stays"},
    {"elements by a loop inside",
     KERNEL(ALONG("i", "x", "n") "for (int k = 0; k < 9; k++) c[i + k] = a[k];"), "stays"},
    {"another element read", KERNEL(ALONG("i", "x", "n") "{ " SUM "c[i] = s + c[i + 1]; }"),
     "stays"},
    {"a sum over iterations",
     KERNEL(
         "int s = 0; " ALONG("i", "x", "n") "{ for (int k = 0; k < 9; k++) s += a[k]; c[i] = s; }"),
     "stays"},
    {"an end", KERNEL(ALONG("i", "x", "n") "{ " SUM "if (s > 4) break; c[i] = s; }"), "stays"},
    {"the thread's own id",
     KERNEL(
         "int f = blockIdx.x * blockDim.x + threadIdx.x; for (int i = f; i < n; i += gridDim.x * "
         "blockDim.x) { " SUM "c[i] = s + f; }"),
     "stays"},
    {"another step",
     KERNEL("for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) { " SUM
            "c[i] = s; }"),
     "stays"},
    {"code behind the loop", KERNEL(ALONG("i", "x", "n") "{ " SUM "c[i] = s; } c[n] = 1;"),
     "stays"},
    {"an end from memory", KERNEL(ALONG("i", "x", "a[0]") "{ " SUM "c[i] = s; }"), "stays"},
};

static const struct transform_case steps[] = {
    {"rows", STEPS(BY("0", "32", "8") "c[(y + j) * 64 + x] = a[(y + j) * 64 + x];"),
     "threads x (cast<long long>(gridDim.y) * 32)"},
    {"columns", STEPS(BY("0", "32", "blockDim.y") "c[x * n + (y + j)] = a[(y + j) * n + x];"),
     "threads x (cast<long long>(gridDim.y) * 32)"},
    {"rows of a size that may be 0", STEPS(BY("0", "32", "8") "c[(y + j) * n + x] = x;"),
     "threads x ((cast<long long>(gridDim.y) * 32) * cast<long long>((n != 0)))"},
    {"from the thread",
     STEPS("int r = blockIdx.y * 24; " BY("threadIdx.y", "24",
                                          "8") "c[(r + j) * 64 + x] = a[j + r];"),
     "threads x (cast<long long>(gridDim.y) * 24)"},
    {"by one",
     ROWS("int f = blockIdx.x * (4 * blockDim.x) + threadIdx.x; "
          "for (int i = 0; i < 4; i++) { int at = f + i * blockDim.x; c[at] = a[at]; }"),
     "(cast<long long>(gridDim.x) * 256) x threads"},
    {"guards",
     STEPS("if (x >= n) return; if (m > 4) " BY("0", "32", "8") "if (y + j < n) "
                                                                "c[(y + j) * 64 + x] = 1;"),
     "threads x (cast<long long>(gridDim.y) * 32)"},
    {"the number of a step", STEPS(BY("0", "32", "8") "c[(y + j) * 64 + x] = j;"), "stays"},
    {"the thread's row", STEPS(BY("0", "32", "8") "c[(y + j) * 64 + x] = y;"), "stays"},
    {"a guard by the thread's row",
     STEPS("if (y >= n) return; " BY("0", "32", "8") "c[(y + j) * 64 + x] = 1;"), "stays"},
    {"half a tile", STEPS(BY("0", "16", "8") "c[(y + j) * 64 + x] = 1;"), "stays"},
    {"another step", STEPS(BY("0", "32", "4") "c[(y + j) * 64 + x] = 1;"), "stays"},
    {"an end inside of a step", STEPS(BY("0", "30", "8") "c[(y + j) * 64 + x] = 1;"), "stays"},
    {"one element", STEPS(BY("0", "32", "8") "c[x] = a[(y + j) * 64 + x];"), "stays"},
    {"another element read",
     STEPS(BY("0", "32", "8") "c[(y + j) * 64 + x] = c[(y + j) * 64 + x + 64];"), "stays"},
    {"a sum over steps",
     STEPS("int s = 0; " BY("0", "32", "8") "{ s += a[y + j]; c[(y + j) * 64 + x] = s; }"),
     "stays"},
    {"a number of steps that a launch gives", STEPS(BY("0", "n", "8") "c[(y + j) * 64 + x] = 1;"),
     "stays"},
};

static const struct transform_case runs[] = {
    {"a constant", RUNS("for (int j = 0; j < 4; j++) c[4 * id + j] = a[4 * id + j];"),
     "(cast<long long>(gridDim.x) * 256) x threads"},
    {"the end of the loop", RUNS("int f = id * 8; for (int i = f; i < f + 8; i++) c[i] = a[i];"),
     "(cast<long long>(gridDim.x) * 512) x threads"},
    {"a parameter",
     RUNS("int f = id * m, e = min(f + m, n); for (int i = f; i < e; i++) c[i] = a[i];"),
     "(cast<long long>(gridDim.x) * ((cast<long long>(m) * cast<long long>(64)) * "
     "cast<long long>((m >= 4)))) x threads"},
    {"an end that the row of clamps has cut",
     RUNS("int f = id * 8, e = f + 8, g = min(e, n); for (int i = f; i < g; i++) c[i] = a[i];"),
     "(cast<long long>(gridDim.x) * 512) x threads"},
    {"two conditions",
     RUNS("int f = id * 8; for (int i = f; i < f + 8 && i < n; i++) c[i] = a[i];"),
     "(cast<long long>(gridDim.x) * 512) x threads"},
    {"a break at the limit",
     RUNS("for (int j = 0; j < 4; j++) { int at = 4 * id + j; if (at >= n) break; c[at] = 1; }"),
     "(cast<long long>(gridDim.x) * 256) x threads"},
    {"a guard by the thread",
     RUNS("if (id >= n / 4) return; for (int j = 0; j < 4; j++) c[4 * id + j] = 1;"),
     "(cast<long long>(gridDim.x) * 256) x threads"},
    {"without a sign", UNSIGNED_RUNS("for (unsigned j = 0; j < 4; j++) c[4 * id + j] = 1;"),
     "(cast<long long>(gridDim.x) * 256) x threads"},
    {"elements apart by a number without a sign",
     UNSIGNED_RUNS("for (unsigned j = 0; j < 4; j++) c[m * (4 * id + j)] = 1;"), "stays"},
    {"a break by another number",
     RUNS("for (int j = 0; j < 4; j++) { if (n - 4 * id - j >= 0) break; c[4 * id + j] = 1; }"),
     "stays"},
    {"a break by data",
     RUNS("for (int j = 0; j < 4; j++) { if (a[4 * id + j] >= 0) break; c[4 * id + j] = 1; }"),
     "stays"},
    {"an end of the thread's own",
     RUNS("int f = id * 8, e = min(f + 8, id + n); for (int i = f; i < e; i++) c[i] = a[i];"),
     "stays"},
    {"an end by data",
     RUNS("int f = id * 8, e = min(f + 8, a[id]); for (int i = f; i < e; i++) c[i] = a[i];"),
     "stays"},
    {"another number of elements",
     RUNS("int f = id * 8; for (int i = f; i < f + 9; i++) c[i] = a[i];"), "stays"},
    {"the number of an element", RUNS("for (int j = 0; j < 4; j++) c[4 * id + j] = j;"), "stays"},
    {"a sum of the thread's",
     RUNS("int s = 0; for (int j = 0; j < 4; j++) { s += a[4 * id + j]; c[4 * id + j] = s; }"),
     "stays"},
    {"one element", RUNS("for (int j = 0; j < 4; j++) c[id] = a[4 * id + j];"), "stays"},
    {"code behind the loop", RUNS("for (int j = 0; j < 4; j++) c[4 * id + j] = 1; c[n] = 2;"),
     "stays"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(spelled, look),
                                                TABLE(declined, look), TABLE(steps, look),
                                                TABLE(runs, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
