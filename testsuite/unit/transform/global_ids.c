/* SPDX-License-Identifier: MIT */
/* global_ids.c - indices of blocks and threads apart: what they become, and which stay. */
#include "analysis/transform/global_ids/global_ids.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[4096], b[4096];\n"
#define KERNEL(body) \
  "__global__ void k(int n) { int tx = threadIdx.x, ty = threadIdx.y; " body \
  " }\nvoid run(int n) { k<<<dim3(4, 4), dim3(16, 8)>>>(n); }"

static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  struct text printed = {0};
  bool taken = plan_global_ids(&draft);

  s->code = draft.code;
  if (!taken) return;
  ir_print_function(&printed, s->code.facts.kernel);
  const char *line = strstr(text_string(&printed), "(b)[");
  text_format(shown, "%.*s", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
  text_finish(&printed);
}

static const struct transform_case found[] = {
    {"rows and columns",
     KERNEL("int c = n * 8 * blockIdx.y + 16 * blockIdx.x; b[c + n * ty + tx] = 1;"),
     "(b)[(cast<int>(((blockIdx.x * blockDim.x) + threadIdx.x)) + (n * cast<int>(((blockIdx.y * "
     "blockDim.y) + threadIdx.y))))] = convert<float>(1))"},
    {"a factor and a rest",
     KERNEL("int c = 32 * blockIdx.x, r = blockIdx.y; b[c + 2 * tx + 5 + n * (r * 8 + ty)] = 1;"),
     "(b)[(((2 * cast<int>(((blockIdx.x * blockDim.x) + threadIdx.x))) + (n * "
     "cast<int>(((blockIdx.y * blockDim.y) + threadIdx.y)))) + 5)] = convert<float>(1))"},
    {"a step of several elements", KERNEL("int c = 64 * blockIdx.x; b[c + 4 * tx + 3] = n;"),
     "(b)[((4 * cast<int>(((blockIdx.x * blockDim.x) + threadIdx.x))) + 3)] = convert<float>(n))"},
    {"offsets in between", KERNEL("int i = n + tx + 1 + 16 * blockIdx.x; b[i] = 1;"),
     "(b)[(cast<int>(((blockIdx.x * blockDim.x) + threadIdx.x)) + (n + 1))] = convert<float>(1))"},
};

static const struct transform_case declined[] = {
    {"already an id", KERNEL("b[blockIdx.x * 16 + threadIdx.x + n * (blockIdx.y * 8 + ty)] = 1;"),
     ""},
    {"another width",
     KERNEL("int c = n * 4 * blockIdx.y + 16 * blockIdx.x; b[c + n * ty + tx] = 1;"), ""},
    {"a block's own", KERNEL("int c = 16 * blockIdx.y; b[c + n * tx] = 1;"), ""},
    {"a use beside",
     KERNEL("int c = n * 8 * blockIdx.y + 16 * blockIdx.x; b[c + n * ty + tx] = blockIdx.y;"), ""},
    {"a square of a block's index", KERNEL("int c = blockIdx.x * blockIdx.x; b[c + tx] = 1;"), ""},
    {"a square of a thread's index", KERNEL("b[16 * blockIdx.x + tx * tx] = 1;"), ""},
    {"an index without a sign",
     KERNEL("unsigned c = n * 8 * blockIdx.y + 16 * blockIdx.x; b[c + n * ty + threadIdx.x] = 1;"),
     ""},
    {"an index from memory", KERNEL("int c = 16 * blockIdx.x; b[c + tx + (int)a[tx]] = 1;"), ""},
    {"rows of a shared array",
     KERNEL("__shared__ float s[16][16]; s[ty][tx] = a[16 * blockIdx.x + tx]; __syncthreads(); "
            "b[blockIdx.y] = s[0][0];"),
     ""},
    {"an offset and another width", KERNEL("int i = n + tx + 1 + 8 * blockIdx.x; b[i] = 1;"), ""},
    {"threads only", KERNEL("b[tx + n * ty] = 1;"), ""},
    {"one axis, an id already", KERNEL("int c = 16 * blockIdx.x; b[c + tx] = n;"), ""},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
