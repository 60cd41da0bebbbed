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
    {"rounded up otherwise",
     LOOP("int p = 0; p < (n - 1) / 16 + 1; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < n step 1]; (sum += (((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + _k)])))"},
    {"another number of tiles",
     LOOP("int p = 0; p < (n + 31) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < (((n + 31) / 16) * 16) step 1]; (sum += (((_k < n) ? "
     "(a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : (0))))"},
    {"constant ends",
     LOOP("int p = 0; p < 4; p++",
          "s[ty][tx] = row < m && p * 16 + tx < 60 ? a[row * 60 + p * 16 + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < 60 step 1]; (sum += (((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * 60) + _k)])))"},
    {"constant ends, too few tiles",
     LOOP("int p = 0; p < 3; p++",
          "s[ty][tx] = row < m && p * 16 + tx < 60 ? a[row * 60 + p * 16 + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < 48 step 1]; (sum += (((_k < 60) ? "
     "(a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * 60) + _k)] : (0))))"},
    {"steps of a tile to a constant",
     LOOP("int p = 0; p < 60; p += 16", "s[ty][tx] = p + tx < 60 ? a[row * 60 + p + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < 60 step 1]; (sum += (((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * 60) + _k)])))"},
    {"a maximum",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "sum = fmaxf(sum, s[ty][i])"),
     "if (row < m); for [_k from 0 while < (((n + 15) / 16) * 16) step 1]; (sum = fmaxf(sum, (((_k "
     "< n) ? (a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : (0)))))"},
    {"a sum that starts elsewhere",
     KERNEL("sum = -1; for (int p = 0; p < (n + 15) / 16; p++) { s[ty][tx] = row < m && p * 16 + "
            "tx < n ? a[row * n + p * 16 + tx] : 0; __syncthreads(); for (int i = 0; i < 16; i++) "
            "sum += s[ty][i]; __syncthreads(); } if (row < m) c[row] = sum;"),
     "if (row < m); (sum = (-1)); for [_k from 0 while < (((n + 15) / 16) * 16) step 1]; (sum += "
     "(((_k < n) ? (a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : (0))))"},
    {"a difference",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "sum += s[ty][i] - s[ty][i] * s[ty][i]"),
     "if (row < m); for [_k from 0 while < n step 1]; (sum += ((((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + _k)])) - ((((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + _k)])) * (((a)[(((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + _k)])))))"},
    {"something added besides",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "sum += s[ty][i] + 1"),
     "if (row < m); for [_k from 0 while < (((n + 15) / 16) * 16) step 1]; (sum += ((((_k < n) ? "
     "(a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : (0))) + (1)))"},
    {"a value of its own",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "{ float v = s[ty][i]; sum += v * b[3]; }"),
     "if (row < m); for [_k from 0 while < (((n + 15) / 16) * 16) step 1]; (sum += (v * (b)[3]))"},
    {"two statements",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "{ sum += s[ty][i]; sum += s[ty][i] * 2; ; }"),
     "if (row < m); for [_k from 0 while < (((n + 15) / 16) * 16) step 1]; (sum += (((_k < n) ? "
     "(a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : (0)))); (sum += ((((_k "
     "< n) ? (a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : (0))) * (2)))"},
    {"from the second on",
     LOOP("int p = 1; p < (n + 15) / 16; p++",
          "s[ty][tx] = row < m && p * 16 + tx < n ? a[row * n + p * 16 + tx] : 0",
          "sum += s[ty][i]"),
     "if (row < m); for [p from 1 while < ((n + 15) / 16) step 1]; for [i from 0 while < 16 step "
     "1]; (sum += (((((p * 16) + i) < n) ? (a)[((((((((blockIdx.y) * (16)) + "
     "((((threadIdx.y))))))) * n) + (p * 16)) + i)] : (0))))"},
    {"every other",
     KERNEL("for (int p = 0; p < n / 16; p++) { u[tx] = a[p * 16 + tx]; __syncthreads(); for (int "
            "i = 0; i < 16; i += 2) sum += u[i]; __syncthreads(); } c[row] = sum;"),
     "for [p from 0 while < (n / 16) step 1]; for [i from 0 while < 16 step 2]; (sum += ((a)[((p * "
     "16) + i)]))"},
    {"by the tile's number",
     LOOP("int p = 0; p < n / 16; p++", "u[tx] = a[p * 16 + tx]", "sum += u[i] * p"),
     "if (row < m); for [p from 0 while < (n / 16) step 1]; for [i from 0 while < 16 step 1]; (sum "
     "+= (((a)[((p * 16) + i)]) * (p)))"},
    {"an index through memory",
     LOOP("int p = 0; p < n / 16; p++", "u[tx] = a[t[p * 16 + tx]]", "sum += u[i]"),
     "if (row < m); for [_k from 0 while < ((n / 16) * 16) step 1]; (sum += ((a)[(t)[_k]]))"},
    {"a limit on both sides",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = (p * 16 + tx < n && row < m) ? a[row * n + p * 16 + tx] * 2.0f : 0.0f",
          "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < n step 1]; (sum += ((__fmul_rn((a)[(((((((blockIdx.y) * "
     "(16)) + ((((threadIdx.y))))))) * n) + _k)], 2.0f))))"},
    {"minus zero",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = p * 16 + tx < n ? a[row * n + p * 16 + tx] : -0.0f", "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < (((n + 15) / 16) * 16) step 1]; (sum += (((_k < n) ? "
     "(a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : -0.0f)))"},
    {"numbers for what is behind",
     LOOP("int p = 0; p < (n + 15) / 16; p++",
          "s[ty][tx] = p * 16 + tx < n ? a[row * n + p * 16 + tx] : 1", "sum += s[ty][i]"),
     "if (row < m); for [_k from 0 while < (((n + 15) / 16) * 16) step 1]; (sum += (((_k < n) ? "
     "(a)[(((((((blockIdx.y) * (16)) + ((((threadIdx.y))))))) * n) + _k)] : (1))))"},
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
    {"an atomic", KERNEL("u[tx] = a[col]; __syncthreads(); atomicAdd(&c[0], u[15 - tx]);"),
     "-: it has calls that barriers may order"},
    {"a fence",
     KERNEL("u[tx] = a[col]; __threadfence(); __syncthreads(); for (int i = 0; i < 16; i++) sum += "
            "u[i]; c[col] = sum;"),
     "-: it has calls that barriers may order"},
    {"a function that uses memory",
     "__device__ float from(const float *q) { return q[3]; }\n" KERNEL(
         "u[tx] = from(a); __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; c[col] = "
         "sum;"),
     "for [i from 0 while < 16 step 1]; (sum += (callee from(((a)))))"},
    {"a call that barriers may order",
     KERNEL("u[tx] = a[col]; __syncwarp(); __syncthreads(); for (int i = 0; i < 16; i++) sum += "
            "u[i]; c[col] = sum;"),
     "-: it has calls that barriers may order"},
    {"a switch",
     KERNEL("u[tx] = a[col]; switch (n) { case 1: sum = 2; } __syncthreads(); for (int i = 0; i < "
            "16; i++) sum += u[i]; c[col] = sum;"),
     "-: it has other statements than loops that count and ifs"},
    {"a while",
     KERNEL("u[tx] = a[col]; while (m > 3) m--; __syncthreads(); for (int i = 0; i < 16; i++) sum "
            "+= u[i]; c[col] = sum;"),
     "-: it has other statements than loops that count and ifs"},
    {"what the kernel writes",
     KERNEL("b[col] = 2; u[tx] = b[col]; __syncthreads(); for (int i = 0; i < 16; i++) sum += "
            "u[i]; c[col] = sum;"),
     "-: the kernel writes what fills a tile"},
    {"shared memory of the launch",
     "extern __shared__ float l[];\n" KERNEL(
         "l[tx] = a[col]; __syncthreads(); c[col] = l[15 - tx];"),
     ""},
    {"a shared number",
     KERNEL("__shared__ float one; if (!tx) one = a[0]; __syncthreads(); c[col] = one;"),
     "-: a shared variable is no array of numbers"},
    {"records",
     "struct pair { float x, y; };\n" KERNEL(
         "__shared__ pair l[16]; l[tx].x = a[col]; __syncthreads(); c[col] = l[15 - tx].x;"),
     "-: a shared variable is no array of numbers"},
    {"an index with an effect",
     KERNEL("u[tx] = a[col]; __syncthreads(); int i = 0; c[col] = u[i++];"),
     "-: an index has an effect of its own"},
    {"by its address", KERNEL("u[tx] = a[col]; __syncthreads(); float *q = u; c[col] = q[3];"),
     "-: a tile is used otherwise than by its elements"},
    {"a parameter that changes",
     KERNEL("m++; u[tx] = a[m]; __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; c[col] "
            "= sum;"),
     "-: a tile is filled by values of a variable that changes"},
    {"from shared memory",
     KERNEL("s[ty][tx] = a[col]; __syncthreads(); u[tx] = s[tx][ty]; __syncthreads(); for (int i = "
            "0; i < 16; i++) sum += u[i]; c[col] = sum;"),
     "-: a tile is filled from shared memory"},
    {"a value with an effect",
     KERNEL("u[tx] = a[col] + n++; __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; "
            "c[col] = sum;"),
     "-: a value that fills a tile has an effect of its own"},
    {"at another thread's",
     KERNEL("u[2 * tx & 15] = a[col]; __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; "
            "c[col] = sum;"),
     "-: a tile is filled at other indices than a thread's"},
    {"along its diagonal", KERNEL("s[tx][tx] = a[col]; __syncthreads(); c[col] = s[3][ty];"),
     "-: a tile is filled along its diagonal"},
    {"volatile",
     KERNEL(
         "__shared__ volatile float l[16]; l[tx] = a[col]; __syncthreads(); c[col] = l[15 - tx];"),
     "-: a shared variable is no array of numbers"},
    {"filled behind the barrier, too",
     KERNEL("u[tx] = a[col]; __syncthreads(); sum = u[15 - tx]; __syncthreads(); u[tx] = b[col]; "
            "__syncthreads(); c[col] = sum + u[15 - tx];"),
     "-: a shared array is not filled, and read behind a barrier, by one list of statements"},
    {"added to",
     KERNEL("u[tx] = a[col]; u[tx] += b[col]; __syncthreads(); for (int i = 0; i < 16; i++) sum += "
            "u[i]; c[col] = sum;"),
     "-: a shared array is not filled, and read behind a barrier, by one list of statements"},
    {"a function that uses what is written",
     "__device__ float from(const float *q) { return q[3]; }\n" KERNEL(
         "u[tx] = from(c); __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; c[col] = "
         "sum;"),
     "-: the kernel writes what fills a tile"},
    {"a function that names what is written",
     "__device__ float named() { return c[3]; }\n" KERNEL(
         "u[tx] = named(); __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; c[col] = "
         "sum;"),
     "-: it calls a function that uses memory"},
    {"a function that names an array",
     "__device__ float named() { return a[3]; }\n" KERNEL(
         "u[tx] = named(); __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; c[col] = "
         "sum;"),
     "-: it calls a function that uses memory"},
    {"a function that computes",
     "__device__ float twice(float x) { return x * 2; }\n" KERNEL(
         "u[tx] = twice(a[col]); __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; c[col] "
         "= sum;"),
     "for [i from 0 while < 16 step 1]; (sum += (__fmul_rn(callee twice((a)[(((((blockIdx.x) * "
     "(16)) + (i))))]), 1.0f)))"},
    {"a function that writes",
     "__device__ float sets(float *q, int i) { q[i] = 1; return 2; }\n" KERNEL(
         "u[tx] = sets(b, col); __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; c[col] "
         "= sum;"),
     "-: barriers may order what it does with an array that it writes"},
    {"a function that writes what is read behind",
     "__device__ float sets(float *q, int i) { q[i] = 1; return 2; }\n" KERNEL(
         "u[tx] = sets(c, col); __syncthreads(); for (int i = 0; i < 16; i++) sum += u[i]; b[col] "
         "= c[15 - tx] + sum;"),
     "-: the kernel writes what fills a tile"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
