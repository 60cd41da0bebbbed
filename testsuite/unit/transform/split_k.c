/* SPDX-License-Identifier: MIT */
/* split_k.c - loops whose sums blocks share: which may be, and how many blocks the model takes. */
#include "analysis/transform/split_k/split.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ int a[1 << 20], b[4096], c[4096]; __global__ float f[1 << 20], g[4096];\n"
#define KERNEL(body) \
  "__global__ void k(int n) { int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * " \
  "blockDim.y + threadIdx.y; int s = 0; float r = 0; " body " }\n" \
  "void run(int n) { k<<<dim3(4, 4), dim3(16, 16)>>>(n); }"

static void prepare(struct subject *s, bool floats, struct text *shown)
{
  struct geometry block = {{64, 64}, {16, 16}, {4, 4}, 0, false};
  struct ir_var *totals[2];
  struct team_loop c;
  struct ir_place place;
  const char *reason;

  if (!transform_shape(s, &block, totals, shown)) return;
  if (!split_prepare(&s->code, floats, &c, &reason, &place)) {
    text_add(shown, reason);
    return;
  }
  for (unsigned i = 0; i < c.sum_count; i++)
    text_format(shown, "%s%s %s", i ? "; " : "", c.sums[i].part->name,
                c.sums[i].part->type->spelling);
  text_format(shown, "; first block begins: %u", transform_printed(s, "blockIdx.z"));
}

static void look(struct subject *s, struct text *shown) { prepare(s, false, shown); }

static void look_floats(struct subject *s, struct text *shown) { prepare(s, true, shown); }

#define LOOP "for (int l = 0; l < n; l++) s += a[i * n + l] * b[l * n + j]; "

static const struct transform_case found[] = {
    {"a sum", KERNEL(LOOP "c[i * 64 + j] = s;"), "_p_s unsigned int; first block begins: 1"},
    {"an operand that may come twice",
     KERNEL("for (int l = 0; l < n; l++) s = max(s, a[i * n + l]); c[i * 64 + j] = s;"),
     "_p_s int; first block begins: 0"},
    {"two sums",
     KERNEL("int t = 1; for (int l = 0; l < n; l++) { s += a[i * n + l]; t *= a[j * n + l]; } c[i "
            "* 64 + j] = s + t;"),
     "_p_s unsigned int; _p_t unsigned int; first block begins: 2"},
    {"under a condition", KERNEL("if (i < n) { " LOOP "c[i * 64 + j] = s; }"),
     "_p_s unsigned int; first block begins: 1"},
    {"behind a return", KERNEL("if (i >= n) return; " LOOP "c[i * 64 + j] = s;"),
     "_p_s unsigned int; first block begins: 1"},
};

static const struct transform_case floats[] = {
    {"a sum of floats", KERNEL("for (int l = 0; l < n; l++) r += f[i * n + l]; g[i * 64 + j] = r;"),
     "_p_r float; first block begins: 1"},
};

static const struct transform_case declined[] = {
    {"floats in order", KERNEL("for (int l = 0; l < n; l++) r += f[i * n + l]; g[i * 64 + j] = r;"),
     "sums of floats are taken in another order at -O3 only"},
    {"no loop", KERNEL("c[i * 64 + j] = s;"), "it has no loop"},
    {"a store in front", KERNEL("c[i * 64 + j] = 0; " LOOP "c[i * 64 + j] = s;"),
     "memory is written in front of it"},
    {"something behind a condition", KERNEL("if (i < n) { " LOOP "} c[i * 64 + j] = s;"),
     "something is done where it does not run"},
    {"an else", KERNEL("if (i < n) { " LOOP "c[i * 64 + j] = s; } else { c[i * 64 + j] = 1; }"),
     "something is done where it does not run"},
};

/* The model: blocks for a sum, by elements along x, along y, iterations. */
static void look_model(struct subject *s, struct text *shown)
{
  static const int64_t cases[][3] = {
      {128, 64, 65536}, {4096, 4096, 4096}, {128, 64, 32}, {128, 64, 16}};
  struct block_share split = {.unit = 16, .bytes = 128 * 64 * 4, .own = {{128, 64}, 2, 60, 40}};
  (void)s;

  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    double gain;
    unsigned count = split_count(&split, cases[i], (double)cases[i][2], 132, &gain);
    double one = split_cycles(&split, cases[i], 1, (double)cases[i][2], 132),
           taken = split_cycles(&split, cases[i], count ? count : 1, (double)cases[i][2], 132);
    text_format(shown, "%s%u blocks %.1f%s", i ? "; " : "", count, gain,
                one >= gain * taken * 0.99 ? "" : " wrong gain");
  }
}

static const struct transform_case model[] = {
    {"long and few, many, short, one unit", KERNEL("c[i] = s;"),
     "41 blocks 21.3; 0 blocks 1.0; 0 blocks 1.0; 0 blocks 1.0"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(floats, look_floats),
                                                TABLE(declined, look), TABLE(model, look_model)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
