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
};

static const struct transform_case declined[] = {
    {"already an id", KERNEL("b[blockIdx.x * 16 + threadIdx.x + n * (blockIdx.y * 8 + ty)] = 1;"),
     ""},
    {"another width",
     KERNEL("int c = n * 4 * blockIdx.y + 16 * blockIdx.x; b[c + n * ty + tx] = 1;"), ""},
    {"a block's own", KERNEL("int c = 16 * blockIdx.y; b[c + n * tx] = 1;"), ""},
    {"a use beside",
     KERNEL("int c = n * 8 * blockIdx.y + 16 * blockIdx.x; b[c + n * ty + tx] = blockIdx.y;"), ""},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
