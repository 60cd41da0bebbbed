/* SPDX-License-Identifier: MIT */
/* block_rows.c - a row a block: the store in the new ids and the elements along x, and which
 * kernels stay. */
#include "analysis/transform/block_rows/block_rows.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[65536]; __global__ int t[4096];\n"
#define LAUNCHED(body, shape) \
  "__global__ void k(float *out, int n, int m) { " body " }\n" \
  "void run(float *p, int n, int m) { k<<<" shape ">>>(p, n, m); }"
#define KERNEL(body) LAUNCHED(body, "n, m")

static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_block_rows(&draft);

  s->code = draft.code;
  if (!taken) {
    text_add(shown, "stays");
    return;
  }
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *row = strstr(text_string(&printed), "var y"),
             *line = strstr(text_string(&printed), "(out[");
  text_format(shown, "%.*s; ", row ? (int)strcspn(row, "\n") : 0, row ? row : "");
  text_format(shown, "%.*s; ", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
  ir_print_expr(shown, draft.extents->along[0]);
  text_finish(&printed);
}

static const struct transform_case found[] = {
    {"a row and a column", KERNEL("int y = blockIdx.x; out[y * n + threadIdx.x] = 1;"),
     "var y: int = convert<int>(convert<unsigned int>(((blockIdx.y * blockDim.y) + "
     "threadIdx.y))); (out[(convert<unsigned int>((y * n)) + convert<unsigned "
     "int>(((blockIdx.x * blockDim.x) + threadIdx.x)))] = convert<float>(1)); cast<long "
     "long>(blockDim.x)"},
    {"the size of a block", KERNEL("out[blockIdx.x * blockDim.x * 2 + threadIdx.x] = 1;"),
     "; (out[(((convert<unsigned int>(((blockIdx.y * blockDim.y) + threadIdx.y)) * "
     "convert<unsigned int>((gridDim.x * blockDim.x))) * convert<unsigned int>(2)) + "
     "convert<unsigned int>(((blockIdx.x * blockDim.x) + threadIdx.x)))] = "
     "convert<float>(1)); cast<long long>(blockDim.x)"},
    {"blocks of a known size",
     LAUNCHED("int y = blockIdx.x; out[y * blockDim.x * 2 + threadIdx.x] = 1;", "n, 256"),
     "var y: int = convert<int>(convert<unsigned int>(((blockIdx.y * blockDim.y) + "
     "threadIdx.y))); (out[(((convert<unsigned int>(y) * convert<unsigned int>(cast<unsigned "
     "int>(256))) * convert<unsigned int>(2)) + convert<unsigned int>(((blockIdx.x * "
     "blockDim.x) + threadIdx.x)))] = convert<float>(1)); cast<long long>(blockDim.x)"},
    {"the number of rows", KERNEL("int y = blockIdx.x; out[threadIdx.x * gridDim.x + y] = 1;"),
     "var y: int = convert<int>(convert<unsigned int>(((blockIdx.y * blockDim.y) + "
     "threadIdx.y))); (out[((convert<unsigned int>(((blockIdx.x * blockDim.x) + threadIdx.x)) "
     "* convert<unsigned int>((gridDim.y * blockDim.y))) + convert<unsigned int>(y))] = "
     "convert<float>(1)); cast<long long>(blockDim.x)"},
    {"loops over the row",
     KERNEL("int y = blockIdx.x; for (int j = threadIdx.x; j < n; j += blockDim.x) "
            "out[y * n + j] = 1;"),
     "var y: int = convert<int>(convert<unsigned int>(((blockIdx.y * blockDim.y) + "
     "threadIdx.y))); (out[((y * n) + j)] = convert<float>(1)); cast<long long>(blockDim.x)"},
};

static const struct transform_case declined[] = {
    {"global ids", KERNEL("out[blockIdx.x * blockDim.x + threadIdx.x] = 1;"), "stays"},
    {"only blocks", KERNEL("out[blockIdx.x] = 1;"), "stays"},
    {"only threads", KERNEL("out[threadIdx.x] = 1;"), "stays"},
    {"blocks of one thread", LAUNCHED("out[blockIdx.x * n + threadIdx.x] = 1;", "n, 1"), "stays"},
    {"rows of threads", LAUNCHED("out[blockIdx.x * n + threadIdx.x] = 1;", "n, dim3(32, 8)"),
     "stays"},
    {"rows of blocks", LAUNCHED("out[blockIdx.x * n + threadIdx.x] = 1;", "dim3(32, 8), n"),
     "stays"},
    {"a barrier", KERNEL("out[blockIdx.x * n + threadIdx.x] = 1; __syncthreads();"), "stays"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
