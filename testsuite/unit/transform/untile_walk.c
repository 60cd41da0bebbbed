/* SPDX-License-Identifier: MIT */
/* untile_walk.c - pointers that walk in front of tiles by hand, and blocks in a row: the indices in
 * their place, and the pointers that stay. */
#include "analysis/transform/untile/untile.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float c[65536], w[65536];\n"
#define LAUNCHED(head, walk, behind, shape, size) \
  "__global__ void k(const float *a, int n) { __shared__ float s[256]; " head \
  " float sum = 0; for (int t = 0; t < n; t += 16) { s[row * 16 + col] = a[row * n + col]; " \
  "__syncthreads(); " walk \
  " for (int i = 0; i < 16; i++) sum += s[row * 16 + i]; __syncthreads(); " behind \
  " } c[(blockIdx.y * 16 + row) * 256 + blockIdx.x * 16 + col] = sum; }\n" \
  "void run(int n) { k<<<" shape ">>>(w, " size "); }"
#define ROWS "int row = threadIdx.y, col = threadIdx.x; "
#define A_ROW "unsigned row = threadIdx.x / 16, col = threadIdx.x % 16; "
#define WALK(walk, behind) \
  LAUNCHED(ROWS "a += blockIdx.y * 16 * n;", walk, behind, "dim3(4, 4), dim3(16, 16)", "64")

static bool computes(const char *line, size_t length)
{
  const char *first = line + strspn(line, " ");

  return length && (!strncmp(first, "for ", 4) || !strncmp(first, "(sum", 4));
}

static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool taken = plan_untile(&draft);

  s->code = draft.code;
  if (taken)
    transform_show_code(s, computes, (const char *[]){"convert<", "cast<", NULL}, shown);
  else
    transform_show_decisions(s, DECISION_FORM, shown);
}

static const struct transform_case found[] = {
    {"a step in front of the use", WALK("a += 16;", ""),
     "for [_k from 0 while < n step 1]; (sum += ((a[((((threadIdx.y) * n) + _k) + (((blockIdx.y) * "
     "n) * 16))])))"},
    {"a step behind it", WALK("", "a += 16;"),
     "for [_k from 0 while < n step 1]; (sum += ((a[((((threadIdx.y) * n) + _k) + (((blockIdx.y) * "
     "n) * 16))])))"},
    {"a step of rows", WALK("a += 16 * n;", ""),
     "for [t from 0 while < n step 16]; for [i from 0 while < 16 step 1]; (sum += ((a[((((t * n) + "
     "((threadIdx.y) * n)) + i) + (((blockIdx.y) * n) * 16))])))"},
    {"a block in a row",
     LAUNCHED(A_ROW "a += blockIdx.x * 16 * n;", "a += 16;", "", "dim3(4, 4), 256", "64"),
     "for [_k from 0 while < n step 1]; (sum += ((a[((((threadIdx.y) * n) + _k) + (((blockIdx.x) * "
     "n) * 16))])))"},
    {"another name",
     "__global__ void k(const float *a, int n) { __shared__ float s[256]; " ROWS
     "const float *p = a + blockIdx.y * 16 * n; float sum = 0; for (int t = 0; t < n; t += 16) { "
     "s[row * 16 + col] = p[row * n + t + col]; __syncthreads(); for (int i = 0; i < 16; i++) sum "
     "+= s[row * 16 + i]; __syncthreads(); } c[row] = sum; }\n"
     "void run(int n) { k<<<dim3(4, 4), dim3(16, 16)>>>(w, 64); }",
     "for [_k from 0 while < n step 1]; (sum += ((a[((((threadIdx.y) * n) + _k) + (((blockIdx.y) * "
     "n) * 16))])))"},
};

/* No bounds: the pointer stays. Another step than one in each iteration: the tile stays, too. */
static const struct transform_case unbounded[] = {
    {"a size without bounds",
     LAUNCHED(ROWS "a += blockIdx.y * 16 * n;", "a += 16;", "", "dim3(4, 4), dim3(16, 16)", "n"),
     "for [t from 0 while < n step 16]; for [i from 0 while < 16 step 1]; (sum += (((((a) + "
     "(((blockIdx.y) * (16)) * (n))))[((t) + (((((threadIdx.y))) * n) + i))])))"},
    {"a grid without bounds",
     LAUNCHED(ROWS "a += blockIdx.y * 16 * n;", "a += 16;", "", "dim3(4, n), dim3(16, 16)", "64"),
     "for [_k from 0 while < n step 1]; (sum += (((((a) + (((blockIdx.y) * (16)) * "
     "(n))))[(((((threadIdx.y))) * n) + _k)])))"},
    {"two steps", WALK("a += 16;", "a += 16;"),
     "-: a tile is filled by values of a variable that changes"},
    {"a step under a condition", WALK("if (sum > 3) a += 16;", ""),
     "-: a tile is filled by values of a variable that changes"},
    {"a step that is no multiple", WALK("a += 8 + n;", ""),
     "-: a tile is filled by values of a variable that changes"},
    {"back", WALK("a -= 16;", ""),
     "for [t from 0 while < n step 16]; for [i from 0 while < 16 step 1]; (sum += (((((a) + "
     "(((blockIdx.y) * (16)) * (n))))[(-(t) + (((((threadIdx.y))) * n) + i))])))"},
    {"products beyond an int",
     LAUNCHED(ROWS "a += blockIdx.y * 16 * n;", "a += 16;", "", "dim3(4, 65535), dim3(16, 16)",
              "65536"),
     "for [_k from 0 while < n step 1]; (sum += (((((a) + (((blockIdx.y) * (16)) * "
     "(n))))[(((((threadIdx.y))) * n) + _k)])))"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(unbounded, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
