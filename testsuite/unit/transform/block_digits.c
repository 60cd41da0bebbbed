/* SPDX-License-Identifier: MIT */
/* block_digits.c - blocks in a row whose threads take their number apart: the store in the new axes
 * and the blocks, and which blocks stay in a row. */
#include "analysis/transform/block_digits/block_digits.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[65536]; __global__ int t[4096];\n"
#define LAUNCHED(body, shape) \
  "__global__ void k(float *out, int n, int m) { " body " }\n" \
  "void run(float *p, int n, int m) { k<<<" shape ">>>(p, n, m); }"
#define KERNEL(body) LAUNCHED(body, "dim3(n, m), 256")
#define ROW_FIRST "int y = blockIdx.x * 8 + threadIdx.x / 32, x = blockIdx.y * 32 + "

static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_block_digits(&draft);

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
  text_format(shown, "%.*s; %d x %d%s", line ? (int)strcspn(line, "\n") : 0, line ? line : "",
              (int)s->code.facts.block[0], (int)s->code.facts.block[1],
              draft.extents->turned ? ", turned" : "");
  text_finish(&printed);
}

static const struct transform_case found[] = {
    {"the row from blockIdx.x", KERNEL(ROW_FIRST "threadIdx.x % 32; out[y * n + x] = 1;"),
     "var y: int = convert<int>(((convert<unsigned int>(blockIdx.y) * convert<unsigned int>(8)) + "
     "threadIdx.y)); (out[((y * n) + x)] = convert<float>(1)); 32 x 8, turned"},
    {"the row from blockIdx.y",
     KERNEL("int y = blockIdx.y * 16 + threadIdx.x / 16, x = blockIdx.x * 16 + threadIdx.x % 16; "
            "out[y * n + x] = 1;"),
     "var y: int = convert<int>(((convert<unsigned int>(blockIdx.y) * convert<unsigned int>(16)) + "
     "threadIdx.y)); (out[((y * n) + x)] = convert<float>(1)); 16 x 16"},
    {"shifts, masks and a name",
     KERNEL("int t = threadIdx.x, y = blockIdx.x * 8 + (t >> 5), x = blockIdx.y * 32 + (t & 31); "
            "out[y * n + x] = 1;"),
     "var y: int = convert<int>(((convert<unsigned int>(blockIdx.y) * convert<unsigned int>(8)) + "
     "convert<unsigned int>(cast<int>(threadIdx.y)))); (out[((y * n) + x)] = convert<float>(1)); "
     "32 x 8, turned"},
    {"apart in the index",
     KERNEL("int c = blockIdx.x * 8 * n + blockIdx.y * 32, y = threadIdx.x / 32; "
            "out[c + y * n + (int)threadIdx.x % 32] = 1;"),
     "; (out[(cast<int>(((blockIdx.x * blockDim.x) + threadIdx.x)) + (n * cast<int>(((blockIdx.y * "
     "blockDim.y) + threadIdx.y))))] = convert<float>(1)); 32 x 8, turned"},
    {"a size of the block",
     KERNEL("int y = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32, x = blockIdx.x * 32 + "
            "threadIdx.x % 32; out[y * n + x] = 1;"),
     "var y: int = convert<int>(((convert<unsigned int>(blockIdx.y) * (convert<unsigned "
     "int>(cast<unsigned int>(256)) / convert<unsigned int>(32))) + threadIdx.y)); (out[((y * n) + "
     "x)] = convert<float>(1)); 32 x 8"},
};

static const struct transform_case declined[] = {
    {"a thread's own number", KERNEL(ROW_FIRST "threadIdx.x % 32; out[y * n + x] = threadIdx.x;"),
     "stays"},
    {"two divisors", KERNEL(ROW_FIRST "threadIdx.x % 16; out[y * n + x] = 1;"), "stays"},
    {"a mask that is none", KERNEL(ROW_FIRST "(threadIdx.x & 30); out[y * n + x] = 1;"), "stays"},
    {"another width",
     KERNEL("int y = blockIdx.x * 16 + threadIdx.x / 32, x = blockIdx.y * 32 + "
            "threadIdx.x % 32; out[y * n + x] = 1;"),
     "stays"},
    {"blocks of two dimensions",
     LAUNCHED(ROW_FIRST "threadIdx.x % 32; out[y * n + x] = 1;", "dim3(n, m), dim3(256, 2)"),
     "stays"},
    {"blocks of an unknown size",
     LAUNCHED(ROW_FIRST "threadIdx.x % 32; out[y * n + x] = 1;", "dim3(n, m), n"), "stays"},
    {"a size that leaves a rest",
     LAUNCHED(ROW_FIRST "threadIdx.x % 32; out[y * n + x] = 1;", "dim3(n, m), 240"), "stays"},
    {"a divisor of the launch",
     KERNEL("int y = blockIdx.x * 8 + threadIdx.x / m, x = blockIdx.y * 32 + threadIdx.x % m; "
            "out[y * n + x] = 1;"),
     "stays"},
    {"no number taken apart", KERNEL("out[blockIdx.x * 256 + threadIdx.x] = 1;"), "stays"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
