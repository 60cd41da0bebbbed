/* SPDX-License-Identifier: MIT */
/* tree_reduce.c - sums over the threads of a block: which loops are trees, in which order, for how
 * many blocks at once, and why others stay. */
#include "analysis/transform/tree_reduce/tree_reduce.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[1 << 22], out[1 << 15]; __global__ int count[4];\n"
#define KERNEL(shared, body, end) \
  "__global__ void k(int n) { __shared__ " shared \
  "; int t = threadIdx.x; s[t] = a[blockIdx.x * 256 + t]; __syncthreads(); " body " " end \
  " } void run(int n) { k<<<1 << 14, 256>>>(n); }"
#define CASE(body) KERNEL("float s[256]", body, "if (t == 0) out[blockIdx.x] = s[0];")
#define HALVED(step) "for (int d = 128; d > 0; d /= 2) { " step " __syncthreads(); }"
#define DOUBLED(step) "for (int d = 1; d < 256; d *= 2) { " step " __syncthreads(); }"

/* The functions of the trees, the number of blocks in one, or the reason. */
static void look(struct subject *s, struct text *shown)
{
  struct plan_options options = {.level = PLAN_O2, .mapping = MAPPING_AUTO, .tuned_for = 90};
  struct text dump = {0}, printed = {0};
  struct draft draft = {.code = s->code, .options = &options, .dump = &dump};

  if (!plan_tree_reduce(&draft)) {
    s->code = draft.code;
    transform_show_remarks(s, DIAG_TREES_KEPT, shown);
    text_finish(&dump);
    return;
  }
  ir_print_function(&printed, draft.changed);
  for (const char *at = text_string(&printed); (at = strstr(at, "mesi_tree_")); at++)
    text_format(shown, "%.*s ", (int)strcspn(at, "("), at);
  text_format(shown, "%lld blocks",
              draft.mapping ? (long long)draft.mapping->versions[0].block[0] / 256 : 1);
  text_finish(&printed);
  text_finish(&dump);
  s->code = draft.code;
}

static const struct transform_case found[] = {
    {"halved", CASE(HALVED("if (t < d) s[t] += s[t + d];")), "mesi_tree_halved<256> 4 blocks"},
    {"by a remainder", CASE(DOUBLED("if (t % (2 * d) == 0) s[t] = s[t] + s[t + d];")),
     "mesi_tree_doubled<256, 9> 4 blocks"},
    {"by a product", CASE(DOUBLED("int i = 2 * d * t; if (i < 256) s[i] += s[i + d];")),
     "mesi_tree_doubled<256, 9> 4 blocks"},
    {"while",
     CASE("int d = blockDim.x / 2; while (d != 0) { if (t < d) s[t] += s[t + d]; "
          "__syncthreads(); d >>= 1; }"),
     "mesi_tree_halved<256> 4 blocks"},
    {"the greatest", CASE(HALVED("if (t < d && s[t] < s[t + d]) s[t] = s[t + d];")),
     "mesi_tree_halved<256> 4 blocks"},
    {"half of the threads",
     CASE("for (int d = 64; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; "
          "__syncthreads(); }"),
     "mesi_tree_halved<128> 4 blocks"},
    {"for all threads",
     KERNEL("float s[256]", HALVED("if (t < d) s[t] += s[t + d];"),
            "out[blockIdx.x * 2 + t % 2] = s[0];"),
     "mesi_tree_halved<256> 1 blocks"},
    {"behind a long loop",
     KERNEL("float s[256]",
            "for (int j = 0; j < n; j++) s[t] += a[j * 256 + t]; __syncthreads(); " HALVED(
                "if (t < d) s[t] += s[t + d];"),
            "if (t == 0) out[blockIdx.x] = s[0];"),
     "mesi_tree_halved<256> 1 blocks"},
    {"an atomic sum",
     KERNEL("float s[256]", HALVED("if (t < d) s[t] += s[t + d];"),
            "if (t == 0) atomicAdd(&count[0], (int)s[0]);"),
     "mesi_tree_halved<256> 4 blocks"},
};

static const struct transform_case kept[] = {
    {"no loop", CASE("if (t < 128) s[t] += s[t + 128];"), ""},
    {"mirrored", CASE(HALVED("if (t < d) s[t] += s[2 * d - 1 - t];")),
     "the trees over threads of 'k' stay as they are: the steps of a loop are no tree over the "
     "block's threads"},
    {"read by others", CASE(HALVED("s[t] += s[t ^ d];")),
     "the trees over threads of 'k' stay as they are: the steps of a loop are no tree over the "
     "block's threads"},
    {"another element",
     KERNEL("float s[256]", HALVED("if (t < d) s[t] += s[t + d];"),
            "if (t == 0) out[blockIdx.x] = s[1];"),
     "the trees over threads of 'k' stay as they are: other elements than the sum are read behind "
     "a "
     "tree"},
    {"stale", CASE(HALVED("if (t < d) s[t] += s[t + d];") HALVED("if (t < d) s[t] += s[t + d];")),
     "the trees over threads of 'k' stay as they are: not all threads store to its array in front "
     "of a tree"},
    {"an early end", CASE("if (n < t) return; " HALVED("if (t < d) s[t] += s[t + d];")),
     "the trees over threads of 'k' stay as they are: threads of a block may end before its tree"},
    {"handed on",
     KERNEL("float s[256]", HALVED("if (t < d) s[t] += s[t + d];"),
            "float *p = s; if (t == 0) out[blockIdx.x] = p[0];"),
     "the trees over threads of 'k' stay as they are: its array is used otherwise than by "
     "elements"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(kept, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
