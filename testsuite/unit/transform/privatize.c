/* SPDX-License-Identifier: MIT */
/* privatize.c - private arrays of a block: which they are, over which elements, and why others are
 * not; the shape that blocks get. */
#include "analysis/transform/privatize/privatize.h"
#include "analysis/data/version.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ int bins[256], total, table[16][16], more[16384], u1[4], u2[4], u3[4], u4[4], " \
  "u5[4]; __global__ unsigned char px[1 << 22];\n" \
  "__global__ float sums[256]; __global__ long long wide[16]; __device__ int " \
  "plain[4];\n__device__ void add(int i) { bins[i] = 0; } __device__ int reads(int i) { return " \
  "bins[i]; } __device__ void addto(int *p) { atomicAdd(p, 1); }\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<16384, 256>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")

static const char *const operations[] = {"+", "*", "min", "max", "&", "|", "^", "none"};

static void show(const struct private_arrays *arrays, struct text *shown)
{
  for (unsigned i = 0; i < arrays->count; i++) {
    const struct private_array *c = &arrays->items[i];
    text_format(shown, "%s%s %s", *text_string(shown) ? "; " : "", c->var->name, operations[c->op]);
    for (unsigned d = 0; d < c->dim_count; d++)
      text_format(shown, " [%lld, %lld)", (long long)c->low[d],
                  (long long)(c->low[d] + c->size[d]));
    if (c->open)
      text_add(shown, " and others");
    else if (c->length)
      text_format(shown, " of %s", c->length->name);
    else
      text_format(shown, " x %lld", (long long)c->copies);
  }
  if (arrays->count)
    text_format(shown, "; %u updates%s", arrays->updates, arrays->in_loops ? " in loops" : "");
}

/* "bins + [0, 256) x 8; 1 updates": elements, copies of a block. */
static void find(struct subject *s, bool floats, uint64_t capacity, struct text *shown)
{
  struct private_arrays arrays;

  code_scan(&s->code);
  privatize_find(&s->code, floats, capacity, &arrays);
  show(&arrays, shown);
  transform_show_decisions(s, DECISION_PRIVATE, shown);
}

static void look(struct subject *s, struct text *shown) { find(s, false, 49152, shown); }

static void look_floats(struct subject *s, struct text *shown) { find(s, true, 49152, shown); }

static void look_plan(struct subject *s, struct text *shown)
{
  struct plan_options options = {.level = PLAN_O2, .shared_memory = 49152, .tuned_for = 90};
  struct privatize_plan plan;
  struct text dump = {0};

  if (privatize_choose(&s->code, &options, &dump, &plan) && plan.mapping)
    text_format(shown, "%lld x %lld elements, %lld blocks",
                (long long)plan.mapping->versions[0].block[0],
                (long long)plan.mapping->versions[0].block[1],
                (long long)plan.mapping->versions[0].most_blocks);
  else if (plan.code)
    text_add(shown, "in place");
  else
    transform_show_decisions(s, DECISION_PRIVATE, shown);
  text_finish(&dump);
}

static const struct transform_case found[] = {
    {"by the array's extents", CASE("if (i < n) atomicAdd(&bins[px[i]], 1);"),
     "bins + [0, 256) x 8; 1 updates"},
    {"by the index's values", CASE("atomicAdd(&more[px[i] & 15], 1);"),
     "more + [0, 16) x 32; 1 updates"},
    {"by the object", KERNEL("int *c", "atomicAdd(c + i, 1);") RUN("bins"),
     "c + [0, 256) x 8; 1 updates"},
    {"by a parameter that a condition keeps it below",
     KERNEL("int *c, int n, int m", "int k = (int)(i * 0.3f); if (k >= 0 && k < m) "
                                    "atomicAdd(&c[k], 1);") "void run(int *p, int n, int m) { "
                                                            "k<<<16384, 256>>>(p, n, m); }",
     "c + [0, 4096) of m; 1 updates"},
    {"by the divisor of a remainder",
     KERNEL("unsigned *c, int n, int m",
            "atomicAdd(c + (unsigned)i * 7u % m, 1u);") "void run(unsigned *p, int n, int m) { "
                                                        "k<<<16384, 256>>>(p, n, m); }",
     "c + [0, 4096) of m; 1 updates"},
    {"of wider numbers",
     KERNEL("unsigned long long *c, int n, unsigned m",
            "unsigned k = i * 3; if (k < m) "
            "atomicMax(&c[k], 1ull);") "void run(unsigned long long *p, int n, unsigned m) { "
                                       "k<<<16384, 256>>>(p, n, m); }",
     "c max [0, 2048) of m; 1 updates"},
    {"by no range",
     KERNEL("int *c", "atomicAdd(c + i * i, 1);") "void run(int *c) { k<<<16384, 256>>>(c); }",
     "c + [0, 4096) and others; 1 updates"},
    {"by a range that does not fit",
     KERNEL("int *c", "atomicAdd(c + i, 1);") "void run(int *c) { k<<<16384, 256>>>(c); }",
     "c + [0, 4096) and others; 1 updates"},
    {"by a range and by none",
     KERNEL("int *c",
            "atomicAdd(&c[i & 3], 1); atomicAdd(&c[i * i], 1);") "void run(int *c) { k<<<16384, "
                                                                 "256>>>(c); }",
     "c + [0, 4096) and others; 2 updates"},
    {"one element", CASE("atomicAdd(&total, px[i]);"), "total + x 32; 1 updates"},
    {"two dimensions", CASE("atomicMax(&table[px[i] >> 4][px[i] & 15], i);"),
     "table max [0, 16) [0, 16) x 8; 1 updates"},
    {"subtraction is addition", CASE("atomicSub(&total, 1); atomicAdd(&total, 2);"),
     "total + x 32; 2 updates"},
    {"other operations",
     CASE("atomicMin(&u1[0], i); atomicAnd(&u2[1], i); atomicOr(&u3[2], i); atomicXor(&u4[3], i);"),
     "u1 min [0, 1) x 32; u2 & [1, 2) x 32; u3 | [2, 3) x 32; u4 ^ [3, 4) x 32; 4 updates"},
    {"in a loop", CASE("for (int l = 0; l < n; l++) atomicAdd(&total, px[l]);"),
     "total + x 32; 1 updates in loops"},
    {"two ranges", CASE("atomicAdd(&bins[i & 3], 1); atomicAdd(&bins[(i & 3) + 8], 1);"),
     "bins + [0, 12) x 32; 2 updates"},
    {"an update by another name of its address", CASE("if (i < n) atomicAdd(bins + px[i], 1);"),
     "bins + [0, 256) x 8; 1 updates"},
    {"the least of a table", CASE("if (i < n) atomicMin(&table[px[i] & 15][px[i] >> 4], i);"),
     "table min [0, 16) [0, 16) x 8; 1 updates"},
    {"in a loop and beside it",
     CASE("for (int k = i; k < n; k += gridDim.x * blockDim.x) atomicAdd(&bins[px[k]], 1); "
          "atomicAdd(&bins[3], 1);"),
     "bins + [0, 256) x 8; 2 updates in loops"},
    {"of a pointer whose bytes are known",
     KERNEL(
         "int *p, int n",
         "if (i < n) atomicAdd(&p[px[i]], 1);") "void run(int n) { k<<<16384, 256>>>(bins, n); }",
     "p + [0, 256) x 8; 1 updates"},
    {"wide numbers", CASE("if (i < n) atomicAdd((unsigned long long *)&wide[px[i] & 15], 1ull);"),
     "wide: a result of an update, or its address, is used"},
    {"the bits of one", CASE("if (i < n) atomicOr(&total, px[i]);"), "total | x 32; 1 updates"},
    {"a constant element", CASE("if (i < n) { atomicAdd(&u1[2], 1); atomicAdd(&u1[2], 3); }"),
     "u1 + [2, 3) x 32; 2 updates"},
};

static const struct transform_case declined[] = {
    {"its result is used", CASE("px[i] = atomicAdd(&total, 1);"),
     "total: a result of an update, or its address, is used"},
    {"it is read", CASE("atomicAdd(&bins[i & 255], 1); px[i] = bins[0];"),
     "bins: it is used in another way, too"},
    {"its parameter is assigned", KERNEL("int *c", "atomicAdd(c, 1); c = 0;") RUN("bins"),
     "c + [0, 1) x 32; 1 updates"},
    {"a device function uses it", CASE("atomicAdd(&bins[i & 255], 1); add(i & 255);"),
     "bins: a device function uses it"},
    {"another name", KERNEL("int *c", "atomicAdd(c + (i & 3), 1); px[i] = bins[1];") RUN("bins"),
     "c: 'bins' may overlap it"},
    {"different operations", CASE("atomicAdd(&total, 1); atomicMax(&total, 5);"),
     "total: it is updated by different operations"},
    {"an exchange", CASE("atomicExch(&total, i);"),
     "total: its updates cannot be taken in any order"},
    {"a comparison", CASE("atomicCAS(&total, 1, i);"),
     "total: its updates cannot be taken in any order"},
    {"sums of floats", CASE("atomicAdd(&sums[px[i]], 1.0f);"),
     "sums: sums of floats are taken in another order at -O3 only"},
    {"an unknown range of several dimensions",
     KERNEL("int (*c)[8]",
            "atomicAdd(&c[i * i][i & 7], 1);") "void run(int (*c)[8]) { k<<<16384, 256>>>(c); }",
     "c: the range of its index is not known"},
    {"a range of too many elements",
     KERNEL(
         "int (*c)[65536]",
         "atomicAdd(&c[i][i & 65535], 1);") "void run(int (*c)[65536]) { k<<<16384, 256>>>(c); }",
     "c: the range of its index is too large"},
    {"an unknown range of a known object", KERNEL("int *c", "atomicAdd(c + i * 8, 1);") RUN("more"),
     "c: 65536 bytes do not fit shared memory"},
    {"a large range", CASE("atomicAdd(&more[i & 16383], 1);"),
     "more: 65536 bytes do not fit shared memory"},
    {"a fence", CASE("atomicAdd(&total, 1); __threadfence();"),
     "total: the kernel has a memory fence"},
    {"a pointer from memory",
     KERNEL("int **x", "atomicAdd(&total, x[0][i]);") "void run(int **x) { k<<<16384, 256>>>(x); }",
     "total: the kernel uses pointers that are not followed"},
    {"more than four",
     CASE("atomicAdd(&u1[0], 1); atomicAdd(&u2[0], 1); atomicAdd(&u3[0], 1); atomicAdd(&u4[0], 1); "
          "atomicAdd(&u5[0], 1);"),
     "u1 + [0, 1) x 32; u2 + [0, 1) x 32; u3 + [0, 1) x 32; u4 + [0, 1) x 32; 4 updates; u5: there "
     "are too many such arrays"},
    {"a device variable", CASE("atomicAdd(&plain[i & 3], 1);"),
     "plain: a result of an update, or its address, is used"},
    {"no atomic operation", CASE("bins[i & 255] = 1;"), ""},
    {"it is read in a function", CASE("if (i < n) atomicAdd(&bins[px[i]], 1); total = reads(i);"),
     "bins: a device function uses it"},
    {"a minimum and a sum",
     CASE("if (i < n) { atomicAdd(&bins[px[i]], 1); atomicMin(&bins[3], 1); }"),
     "bins: it is updated by different operations"},
    {"a difference", CASE("if (i < n) atomicSub(&bins[px[i]], 1);"),
     "bins + [0, 256) x 8; 1 updates"},
    {"an address that is kept", CASE("int *p = &bins[px[i]]; if (i < n) atomicAdd(p, 1);"),
     "bins: a result of an update, or its address, is used"},
    {"an address that is passed on", CASE("addto(&bins[px[i]]);"), ""},
    {"the whole block alone", CASE("if (i < n) atomicAdd_block(&bins[px[i]], 1);"),
     "bins: its updates cannot be taken in any order"},
    {"a pointer of the launch whose bytes are not known",
     KERNEL("int *p, int n", "if (i < n) atomicAdd(&p[px[i]], 1);") "void run(int *p, int n) { "
                                                                    "k<<<16384, 256>>>(p, n); }",
     "p: 'px' may overlap it"},
    {"a parameter that changes",
     KERNEL("int *p, int n",
            "p += 1; if (i < n) atomicAdd(&p[px[i]], 1);") "void run(int n) { k<<<16384, "
                                                           "256>>>(bins, n); }",
     "p: a result of an update, or its address, is used"},
    {"far elements of many", CASE("if (i < n) atomicAdd(&more[px[i] * 64], 1);"),
     "more: 65536 bytes do not fit shared memory"},
    {"a barrier under a condition",
     CASE("if (i < n) { __syncthreads(); atomicAdd(&bins[px[i]], 1); }"),
     "bins + [0, 256) x 8; 1 updates"},
    {"a return before it", CASE("if (i >= n) return; atomicAdd(&bins[px[i]], 1);"),
     "bins + [0, 256) x 8; 1 updates"},
};

static const struct transform_case floats[] = {
    {"floats in another order", CASE("atomicAdd(&sums[px[i]], 1.0f);"),
     "sums + [0, 256) x 8; 1 updates"},
};

static const struct transform_case planned[] = {
    {"blocks take turns", CASE("if (i < n) atomicAdd(&bins[px[i]], 1);"),
     "2048 x 1 elements, 528 blocks"},
    {"rows and columns",
     "__global__ void k(int n) { int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * "
     "blockDim.y + threadIdx.y; "
     "atomicAdd(&bins[px[j * 2048 + i]], 1); } void run(int n) { k<<<dim3(64, 128), dim3(32, "
     "16)>>>(n); }",
     "256 x 8 elements, 528 blocks"},
    {"a small launch",
     KERNEL("int n",
            "if (i < n) atomicAdd(&bins[px[i]], 1);") "void run(int n) { k<<<1, 256>>>(n); }",
     "-: blocks of their own are predicted to gain a factor of 0.09 only"},
    {"a large grid",
     KERNEL(
         "int n",
         "if (i < n) atomicAdd(&bins[px[i]], 1);") "void run(int n) { k<<<16777216, 256>>>(n); }",
     "-: a block updates them too rarely"},
    {"threads that go far",
     KERNEL("int n", "unsigned s = i; for (int r = 0; r < n; r++) s = s * 1664525u + 1013904223u; "
                     "atomicAdd(&total, (int)s);") "void run() { k<<<16384, 256>>>(4096); }",
     "-: blocks of their own are predicted to gain a factor of 1.00 only"},
    {"threads that go far in a function",
     "__device__ int walk(unsigned s, int n) { for (int r = 0; r < n; r++) s = s * 1664525u + 9u; "
     "return s; }\n" KERNEL("int n", "atomicAdd(&total, walk(i, n));") RUN("4096"),
     "-: blocks of their own are predicted to gain a factor of 1.00 only"},
    {"threads that go a few steps",
     KERNEL("int n", "unsigned s = i; for (int r = 0; r < n; r++) s = s * 1664525u + 1013904223u; "
                     "atomicAdd(&total, (int)s);") "void run() { k<<<16384, 256>>>(4); }",
     "512 x 1 elements, 528 blocks"},
    {"threads that go any number of steps",
     KERNEL("int n", "unsigned s = i; for (int r = 0; r < n; r++) s = s * 1664525u + 1013904223u; "
                     "atomicAdd(&total, (int)s);") "void run(int n) { k<<<16384, 256>>>(n); }",
     "-: how long its threads go through loops before they update is not known"},
    {"no atomic operation", CASE("bins[i & 255] = 1;"), ""},
    {"no gain",
     "__global__ void k(int n) { __shared__ int part[32]; part[threadIdx.x] = px[threadIdx.x]; "
     "atomicAdd(&bins[part[threadIdx.x] & 15], 1); "
     "atomicAdd(&bins[part[threadIdx.x] & 15], 1); } void run(int n) { k<<<512, 32>>>(n); }",
     "in place"},
    {"a shape of its own",
     "__global__ void k(int n) { __shared__ int part[128]; for (int i = blockIdx.x * 128 + "
     "threadIdx.x; i < n; i += gridDim.x * 128) { "
     "part[threadIdx.x] = px[i]; atomicAdd(&bins[part[threadIdx.x] % 16], 1); } } void run(int n) "
     "{ k<<<512, 128>>>(n); }",
     "in place"},
    {"threads return from a loop",
     "__global__ void k(int n) { __shared__ int part[128]; for (int i = blockIdx.x * 128 + "
     "threadIdx.x; i < n; i += gridDim.x * 128) { "
     "part[threadIdx.x] = px[i]; __syncthreads(); if (part[0] == 7) return; "
     "atomicAdd(&bins[part[threadIdx.x] % 16], 1); } } "
     "void run(int n) { k<<<512, 128>>>(n); }",
     "-: threads return early from a loop in a kernel with barriers or warp operations"},
    {"few updates",
     "__global__ void k(int n) { __shared__ int part[128]; part[threadIdx.x] = px[threadIdx.x]; "
     "atomicAdd(&bins[part[threadIdx.x]], 1); } void run(int n) { k<<<512, 128>>>(n); }",
     "-: a block updates them too rarely"},
    {"no room",
     "__global__ void k(int n) { __shared__ int part[12000]; for (int i = 0; i < n; i++) { "
     "part[threadIdx.x] = px[i]; "
     "atomicAdd(&bins[part[threadIdx.x]], 1); } } void run(int n) { k<<<512, 128>>>(n); }",
     "-: they do not fit shared memory besides the kernel's own arrays"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(floats, look_floats),
                                                TABLE(planned, look_plan)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
