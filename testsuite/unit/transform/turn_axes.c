/* SPDX-License-Identifier: MIT */
/* turn_axes.c - the order of a launch's axes: where warps lie along rows of memory, what the code
 * and its facts become, and which kernels keep their order. */
#include "analysis/transform/turn_axes/turn_axes.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[64][64][64], b[64][64][64]; __global__ int t[64]; __constant__ float " \
  "c[64];\n"
#define LAUNCHED(body, shape) \
  "__global__ void k(float *out, const float *in, int nx, int ny, int nz) {" \
  "int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, " \
  "l = blockIdx.z * blockDim.z + threadIdx.z; " body " }\n" \
  "void run(float *p, const float *q, int nx, int ny, int nz, dim3 any) { k<<<" shape \
  ">>>(p, q, nx, ny, nz); }"
#define KERNEL(body) LAUNCHED(body, "dim3(nx, ny, nz), dim3(8, 8, 4)")
#define AT(i, j, l) "((" i " * ny + " j ") * nz + " l ")"

/* "zyx 32 (4 8 8)": the launch's axes along x, y and z, the neighbours that a warp may have, the
 * block; then the id along the launch's x. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_turn_axes(&draft);

  s->code = draft.code;
  if (!taken) {
    text_format(shown, "stays%s%s", draft.kept_axes ? ": " : "",
                draft.kept_axes ? draft.kept_axes : "");
    return;
  }
  const struct extents *e = draft.extents;
  const int64_t *block = s->code.facts.block;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  const char *id = strstr(text_string(&printed), "var i");
  text_format(shown, "%c%c%c %d (%d %d %d)", 'x' + e->from[0], 'x' + e->from[1], 'x' + e->from[2],
              (int)e->run, (int)block[0], (int)block[1], (int)block[2]);
  text_format(shown, "; %.*s", id ? (int)strcspn(id, "\n") : 0, id ? id : "");
  text_finish(&printed);
}

#define ID(axis) \
  "; var i: int = convert<int>(((convert<unsigned int>(blockIdx." axis ") * convert<unsigned " \
  "int>(blockDim." axis ")) + convert<unsigned int>(threadIdx." axis ")))"

static const struct transform_case found[] = {
    {"rows along z", KERNEL("out[" AT("i", "j", "l") "] = 1;"), "zyx 32 (4 8 8)" ID("z")},
    {"rows along y",
     LAUNCHED("out[(l * nx + i) * ny + j] = 1;", "dim3(nx, ny, nz), dim3(32, 4, 2)"),
     "yxz 32 (4 32 2)" ID("y")},
    {"rows along y, layers along x",
     LAUNCHED("out[(i * nz + l) * ny + j] = 1;", "dim3(nx, ny, nz), dim3(32, 4, 2)"),
     "yzx 32 (4 2 32)" ID("z")},
    {"rows along y, in part neighbours", KERNEL("out[(l * nx + i) * ny + j] = 1;"), "stays"},
    {"rows along z, layers along y", KERNEL("out[(j * nx + i) * nz + l] = 1;"),
     "zxy 32 (4 8 8)" ID("y")},
    {"arrays of known sizes", KERNEL("a[i][j][l] = b[i][j][l];"), "zyx 32 (4 8 8)" ID("z")},
    {"blocks of the launch", LAUNCHED("out[" AT("i", "j", "l") "] = 1;", "any, any"),
     "zyx 2 (-1 -1 -1)" ID("z")},
    {"most accesses", KERNEL("out[" AT("i", "j", "l") "] = in[" AT("i", "j", "l") "] + in[i];"),
     "zyx 32 (4 8 8)" ID("z")},
    {"layers that no thread counts",
     LAUNCHED("out[(i * ny + j) * nz + (int)blockIdx.z] = l;", "dim3(nx, ny, nz), dim3(16, 16)"),
     "zyx 32 (1 16 16)" ID("z")},
    {"a loop of the same length",
     KERNEL("for (int m = 0; m < nx; m++) out[" AT("i", "j", "l") "] += m;"),
     "zyx 32 (4 8 8)" ID("z")},
    {"the other way round", KERNEL("out[(l * ny + j) * nx + i] = in[" AT("i", "j", "l") "];"),
     "xzy 32 (8 4 8)" ID("x")},
    {"pieces of rows", KERNEL("a[i][j][l] = b[i][j][l > 0 ? l - 1 : 63];"),
     "zyx 32 (4 8 8)" ID("z")},
};

static const struct transform_case declined[] = {
    {"rows along x", KERNEL("out[(l * ny + j) * nx + i] = 1;"), "stays"},
    {"one axis", KERNEL("out[i * nx] = 1;"), "stays"},
    {"warps that lie well",
     LAUNCHED("out[" AT("i", "j", "l") "] = 1;", "dim3(nx, ny, nz), dim3(1, 4, 32)"), "stays"},
    {"a loop of another length",
     KERNEL("for (int m = 0; m < t[j]; m++) out[" AT("i", "j", "l") "] = m;"),
     "stays: a loop may take another number of iterations for each thread"},
    {"a loop up to an id", KERNEL("for (int m = 0; m < j; m++) out[" AT("i", "j", "l") "] = m;"),
     "stays: a loop may take another number of iterations for each thread"},
    {"more rows than blocks may have",
     LAUNCHED("out[" AT("i", "j", "l") "] = 1;", "dim3(10000, 8, 8), dim3(8, 8, 8)"),
     "stays: more than 65535 elements lie along an axis that is not that of rows"},
    {"elements that are not known", KERNEL("out[t[i] + t[j] + t[l]] = 1;"), "stays"},
    {"another use of an index", KERNEL("out[" AT("i", "j", "l") "] = threadIdx.x % 2;"), "stays"},
    {"a barrier", KERNEL("out[" AT("i", "j", "l") "] = 1; __syncthreads();"), "stays"},
    {"constant memory, an address at a time", KERNEL("out[j] = c[l] + c[l + 1] + c[l + 2];"),
     "stays"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
