/* SPDX-License-Identifier: MIT */
/* untile.c - tiles by hand: what stands in their place, which loops become one, and what stays. */
#include "analysis/transform/untile/untile.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[4096], b[4096], c[4096]; __global__ int t[4096];\n"
#define HEAD \
  "int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + " \
  "tx; float sum = 0; "
#define KERNEL(body) \
  "__global__ void k(int m, int n) { __shared__ float s[16][16], u[16]; " HEAD body \
  " }\nvoid run(int n) { k<<<dim3(4, 4), dim3(16, 16)>>>(n, n); }"
#define LOOP(head, fill, use) \
  KERNEL("for (" head ") { " fill "; __syncthreads(); for (int i = 0; i < 16; i++) " use \
         "; __syncthreads(); } if (row < m) c[row] = sum;")

static bool computes(const char *line, size_t length)
{
  const char *first = line + strspn(line, " ");

  return length &&
         (!strncmp(first, "for ", 4) || !strncmp(first, "if ", 3) || !strncmp(first, "(sum", 4));
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
    {"a guarded row",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "sum += s[ty][i] * b[i]"),
     "if (row < m); for [p from 0 while < ((n + 15) / 16) step 1]; for [i from 0 while < 16 step "
     "1]; (sum += ((((((p * 16) + i) < n) ? (a)[((((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + (p * 16)) + i)] : (0))) * (b)[i]))"},
    {"a guarded product",
     LOOP(
         "int p = 0; p < (n + 15) / 16; p++",
         "if (row < m && p * 16 + tx < n) s[ty][tx] = a[row * n + p * 16 + tx]; else s[ty][tx] = 0",
         "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < n step 1]; (sum += (((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + _k)])))"},
    {"a step of a tile",
     LOOP("int p = 0; p < n; p += 16", "s[ty][tx] = p + tx < n ? a[row * n + p + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < n step 1]; (sum += (((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + _k)])))"},
    {"columns of a turned tile",
     LOOP("int p = 0; p < 8; p++", "s[tx][ty] = a[(p * 16 + ty) * 128 + col]", "sum += s[tx][i]"),
     "if (row < m); for [_k from 0 while < 128 step 1]; (sum += ((a)[((_k * 128) + "
     "(((((blockIdx.x) * (16)) + ((((threadIdx.x))))))))]))"},
    {"whole tiles", LOOP("int p = 0; p < n / 16; p++", "u[tx] = a[p * 16 + tx]", "sum += u[i]"),
     "if (row < m); for [_k from 0 while < ((n / 16) * 16) step 1]; (sum += ((a)[_k]))"},
    {"two counters",
     LOOP("int p = n * 16 * blockIdx.y, q = 0; p <= n * 16 * blockIdx.y + n - 1; p += 16, q += 32",
          "s[ty][tx] = a[p + n * ty + tx] + b[q + 2 * tx]", "sum += s[ty][i]"),
     "if (row < m); for [_t from 0 while < n step 16]; for [i from 0 while < 16 step 1]; (sum += "
     "(((a)[(((((n * (blockIdx.y)) * 16) + _t) + (n * (((threadIdx.y))))) + i)] + (b)[((_t * 2) + "
     "(2 * i))])))"},
    {"no loop",
     KERNEL("u[tx] = a[col]; __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; "
            "c[col] = sum;"),
     "for [i from 0 while < 16 step 1]; (sum += ((a)[(((((blockIdx.x) * (16)) + (i))))]))"},
    {"steps that overlap",
     LOOP("int p = 0; p < n; p += 8", "s[ty][tx] = p + tx < n ? a[row * n + p + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [p from 0 while < n step 8]; for [i from 0 while < 16 step 1]; (sum += "
     "((((p + i) < n) ? (a)[((((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + p) + i)] : "
     "(0))))"},
    {"backwards",
     LOOP("int p = 0; p < (n + 15) / 16; p++", "s[ty][tx] = a[row * n + p * 16 + tx]",
          "sum += s[ty][15 - i]"),
     "if (row < m); for [p from 0 while < ((n + 15) / 16) step 1]; for [i from 0 while < 16 step "
     "1]; (sum += ((a)[((((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + (p * 16)) + (15 "
     "- i))]))"},
};

static const struct transform_case declined[] = {
    {"a path that leaves it",
     LOOP("int p = 0; p < 8; p++", "if (row < m) s[ty][tx] = a[row]", "sum += s[ty][i]"),
     "-: a thread leaves an element of a tile as it was"},
    {"in a loop",
     KERNEL("for (int y = 0; y < 16; y++) s[y][tx] = a[y]; __syncthreads(); c[col] = s[ty][tx];"),
     "-: a tile is filled in a loop"},
    {"at two places",
     LOOP("int p = 0; p < 8; p++", "s[ty][tx] = a[p]; s[ty][15 - tx] = b[p]", "sum += s[ty][i]"),
     "-: a tile is filled at several places by a thread"},
    {"beyond what is filled",
     LOOP("int p = 0; p < 8; p++", "s[ty][tx] = a[p]", "sum += s[ty][i + 1]"),
     "-: an element of a tile is read that may not be filled"},
    {"at an index from memory",
     LOOP("int p = 0; p < 8; p++", "s[ty][tx] = a[p]", "sum += s[ty][t[i]]"),
     "-: an element of a tile is read that may not be filled"},
    {"from what changes",
     LOOP("int p = 0; p < 8; p++", "s[ty][tx] = a[p] + sum", "sum += s[ty][i]"),
     "-: a tile is filled by values of a variable that changes"},
    {"from what is stored", LOOP("int p = 0; p < 8; p++", "s[ty][tx] = c[p]", "sum += s[ty][i]"),
     "-: barriers may order what it does with an array that it writes"},
    {"what two names write on two sides of the barrier",
     "__global__ void k(float *p, float *q, int m) { __shared__ float u[16]; int tx = threadIdx.x; "
     "p[tx] = 1; u[tx] = a[tx]; __syncthreads(); q[15 - tx] = u[15 - tx]; }\n"
     "void run(float *p, float *q) { k<<<1, 16>>>(p, q, 3); }",
     "-: what the kernel writes under another name may overlap it"},
    {"by an iterator of the thread's",
     LOOP("int p = threadIdx.x; p < 8 + threadIdx.x; p++", "s[ty][tx] = a[p]", "sum += s[ty][i]"),
     "-: a tile is filled by values of a variable that changes"},
    {"in front of the barrier",
     KERNEL("u[tx] = a[col]; sum = u[15 - tx]; __syncthreads(); c[col] = sum + u[tx];"),
     "-: a shared array is not filled, and read behind a barrier, by one list of statements"},
    {"an early end",
     KERNEL("if (row >= m) return; u[tx] = a[col]; __syncthreads(); c[col] = u[0];"),
     "-: it has other statements than loops that count and ifs"},
    {"a barrier under a condition",
     KERNEL("u[tx] = a[col]; if (n > 3) __syncthreads(); c[col] = u[0];"),
     "-: a barrier stands under a condition"},
    {"an update", KERNEL("u[tx] = a[col]; __syncthreads(); u[tx] += 1; c[col] = u[tx];"), ""},
    {"an atomic operation",
     KERNEL("u[tx] = a[col]; __syncthreads(); atomicAdd(&t[0], 1); c[col] = u[0];"),
     "-: it has calls that barriers may order"},
    {"its address", KERNEL("u[tx] = a[col]; __syncthreads(); float *p = u; c[col] = p[0];"),
     "-: a tile is used otherwise than by its elements"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
