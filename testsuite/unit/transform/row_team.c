/* SPDX-License-Identifier: MIT */
/* row_team.c - passes over rows that the threads of a team share: what stays in registers, where
 * the team waits, what is loaded 16 bytes at once, and why passes are not shared. */
#include "analysis/transform/row_team/row_team.h"
#include "analysis/code/precondition.h"
#include "analysis/transform/promote/promote.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ int a[1 << 20], b[1 << 20], c[4096], t[4096]; __global__ float f[1 << 20], " \
  "g[4096]; __device__ void add(int *p) { *p = 1; }\n" \
  "__global__ double wide[1 << 18]; __global__ short narrow[1 << 18]; __global__ int2 pairs[1 << " \
  "18];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params \
  ") { int i = blockIdx.x * blockDim.x + threadIdx.x; int s = 0; float r = 0; " body " }\n"
#define CASE(body) \
  KERNEL("int n", body " c[i] = s; g[i] = r;") "void run(int n) { k<<<32, 128>>>(n); }"
#define LOOP(body) "for (int j = 0; j < n; j++) " body " "

/* "2 passes; a: 0-1 kept; waits 1; 1 vectors": for each row the passes that access it, how often
 * the team waits, whether all rows are loaded 16 bytes at once. */
static void find(struct subject *s, bool floats, struct text *shown)
{
  struct geometry block = {{32, 1}, {32, 1}, {1, 1}, 0, false};
  struct preconditions preconditions = {0};
  struct ir_var *totals[2];
  struct row_passes *p = arena_alloc(s->code.arena, sizeof *p);
  struct ir_place place;
  const char *reason;

  promote_registers(&s->code);
  s->code.preconditions = &preconditions;
  if (!transform_shape(s, &block, totals, shown)) return;
  if (!row_team_find(&s->code, floats, ROW_EITHER, p, &reason, &place)) {
    text_add(shown, reason);
    return;
  }
  text_format(shown, "%u passes", p->pass_count);
  for (unsigned g = 0; g < p->group_count; g++) {
    const struct row_group *group = &p->groups[g];
    text_format(shown, "; %s %u-%u%s%s%s", group->array->var->name, group->pass, group->last,
                group->own ? " own" : "", group->kept ? " kept" : "", group->maybe ? " maybe" : "");
  }
  if (p->wait_count) text_format(shown, "; waits %u", p->wait_count);
  if (!p->same_ends) text_add(shown, "; other ends");
  if (!p->straight) text_add(shown, "; branches");
  if (row_team_vectorize(&s->code, p, 4)) text_add(shown, "; vectors");
}

static void look(struct subject *s, struct text *shown) { find(s, false, shown); }

static void look_floats(struct subject *s, struct text *shown) { find(s, true, shown); }

static const struct transform_case found[] = {
    {"two passes over a row", CASE(LOOP("s += a[i * n + j];") LOOP("s ^= a[i * n + j] + t[j];")),
     "2 passes; a 0-1 own kept; t 1-1 kept; vectors"},
    {"a row that is written and read",
     CASE(LOOP("b[i * n + j] = a[i * n + j];") LOOP("s += b[i * n + j];")),
     "2 passes; a 0-0 own kept; b 0-1 own kept; vectors"},
    {"in place", CASE(LOOP("s += a[i * n + j];") LOOP("a[i * n + j] *= s;")),
     "2 passes; a 0-1 own kept; vectors"},
    {"some iterations write", CASE(LOOP("if (a[i * n + j] > 0) b[i * n + j] = 1;")),
     "1 passes; a 0-0 own kept; b 0-0 own maybe; vectors"},
    {"a row that is read at its end, too",
     CASE(LOOP("b[i * n + j] = a[i * n + j];") "s = b[i * n + n - 1];"),
     "1 passes; a 0-0 own kept; b 0-0 own kept; waits 1; vectors"},
    {"elsewhere in the next pass",
     CASE(LOOP("b[i * n + j] = a[i * n + j];") LOOP("s += b[i * n + j / 2];")),
     "2 passes; a 0-0 own kept; b 0-0 own; waits 1; vectors"},
    {"stored once a row, and read", CASE("c[i] = 1; " LOOP("s += a[i * n + j] * c[j];")),
     "1 passes; c 0-0; a 0-0 own kept; waits 2; vectors"},
    {"other lengths",
     CASE(LOOP("s += a[i * n + j];") "for (int j = 0; j < n - 1; j++) s ^= a[i * n + j];"),
     "2 passes; a 0-1 own kept; other ends; vectors"},
    {"a base that moves",
     CASE("int at = i * n; " LOOP("s += a[at + j];") "at += 8; " LOOP("s ^= a[at + j];")),
     "2 passes"},
    {"in a branch", CASE(LOOP("s += a[i * n + j];") "if (s > 3) { " LOOP("s ^= a[i * n + j];") "}"),
     "2 passes; a 0-1 own kept; branches; vectors"},
    {"a row of 64 bits", CASE("const int *own = a + (unsigned long)i * n; " LOOP("s += own[j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"the place of the greatest",
     CASE("float best = f[i * n]; for (int j = 1; j < n; j++) if (f[i * n + j] > best) { best = "
          "f[i * n + j]; s = j; } r = best;"),
     "1 passes; f 0-0 own kept; vectors"},
    {"the greatest float by its function", CASE(LOOP("r = fmaxf(r, f[i * n + j]);")),
     "1 passes; f 0-0 own kept; vectors"},
    {"an iterator for all loops",
     CASE("int j; for (j = 0; j < n; j++) s += a[i * n + j]; for (j = 0; j < n; j++) s ^= a[i * n "
          "+ j];"),
     "2 passes; a 0-1 own kept; vectors"},
    {"the address of its first element",
     CASE("const int *own = &a[(size_t)i * n]; for (int j = 0; j < n; j++) s += own[j]; "),
     "an expression beside its loops is not understood"},
    {"the address of an element that is no multiple",
     CASE("const int *own = &a[i * n + 1]; for (int j = 0; j < n; j++) s += own[j]; "),
     "an expression beside its loops is not understood"},
    {"a sum of pointers the other way round",
     CASE("const int *own = i * (long long)n + a; for (int j = 0; j < n; j++) s += own[j]; "),
     "1 passes; a 0-0 own kept; vectors"},
    {"a number that stands for a row",
     CASE("int at = i * n, unused = 4; long long wide = (long long)at; for (int j = 0; j < n; j++) "
          "s += a[wide + j]; "),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows behind a few elements",
     CASE("for (int j = 0; j < n; j++) s += a[i * n + 8 + j]; for (int j = 0; j < n; j++) s ^= "
          "a[(long long)i * n - 4 + j]; "),
     "2 passes; a 0-0 own kept; a 1-1 own kept; vectors"},
    {"rows of a few elements more", CASE("for (int j = 0; j < n; j++) s += a[i * (n + 4) + j]; "),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows at eights", CASE("for (int j = 0; j < n; j++) s += a[i * 8 * n + (j + 4)]; "),
     "1 passes; a 0-0 own kept; vectors"},
    {"the iterator in another type", CASE("for (unsigned j = 0; j < n; j++) s += a[i * n + j];"),
     "1 passes; a 0-0 own kept; vectors"},
    {"the iterator made wide",
     CASE("for (int j = 0; j < n; j++) s += a[(size_t)i * n + (size_t)j]; "),
     "1 passes; a 0-0 own kept; vectors"},
    {"the iterator in front",
     CASE("for (int j = 0; j < n; j++) s += a[j + i * n]; for (int j = 0; j < n; j++) s += (a + i "
          "* n)[j]; "),
     "2 passes; a 0-0 own kept; a 1-1 own kept; vectors"},
    {"a narrow place", CASE("for (int j = 0; j < n; j++) s += a[i * n + (short)j]; "), "1 passes"},
    {"doubles",
     CASE("double w = 0; for (int j = 0; j < n; j++) w = fmax(w, wide[i * n + j]);  r = w;"),
     "1 passes; wide 0-0 own kept"},
    {"short numbers", CASE("for (int j = 0; j < n; j++) s += narrow[i * n + j]; "),
     "1 passes; narrow 0-0 own kept"},
    {"pairs", CASE("for (int j = 0; j < n; j++) s += pairs[i * n + j].x; "),
     "1 passes; pairs 0-0 own kept"},
    {"two names of a row",
     CASE("const int *own = a + i * n; const int *same = own; for (int j = 0; j < n; j++) s += "
          "same[j] + own[j]; "),
     "1 passes; a 0-0 own kept; a 0-0 own kept; vectors"},
    {"a name whose address is taken",
     CASE("const int *own = a + i * n; const int **where = &own; for (int j = 0; j < n; j++) s += "
          "own[j]; s += where != nullptr;"),
     "an expression beside its loops is not understood"},
    {"a name that is given twice",
     CASE("const int *own = a + i * n; own = a + i * n; for (int j = 0; j < n; j++) s += own[j]; "),
     "1 passes"},
    {"a name of the launch",
     KERNEL("const int *__restrict__ own, int n",
            "for (int j = 0; j < n; j++) s += own[i * n + j];  "
            "c[i] = s; g[i] = r;") "void run(int n, const int "
                                   "*p) { k<<<32, 128>>>(p, n); "
                                   "}",
     "1 passes; own 0-0 own kept; vectors"},
    {"a name inside of a loop",
     CASE("for (int j = 0; j < n; j++) { const int *own = a + i * n; s += own[j]; } "), "1 passes"},
    {"a block, nothing, and several variables",
     CASE("{ int l = 1, m = 2; s = l + m; } ; for (int j = 0; j < n; j++) s += a[i * n + j]; "),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of a shifted length", CASE("" LOOP("s += a[i * (n << 2) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of a length shifted by itself", CASE("" LOOP("s += a[i * (n << n) + j];")),
     "1 passes; a 0-0 own kept"},
    {"rows of a difference", CASE("" LOOP("s += a[i * (n - c[0] * 0 - 8) + j];")),
     "1 passes; waits 1"},
    {"rows of a rest", CASE("" LOOP("s += a[i * (n % 5) + j];")), "1 passes; a 0-0 own kept"},
    {"rows of a negated length", CASE("" LOOP("s += a[i * (-n) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of a local length", CASE("const int w = n * 2; " LOOP("s += a[i * (w) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of a wide local length", CASE("const long long w = n; " LOOP("s += a[i * (w) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of an unsigned local length",
     CASE("const unsigned w = n; " LOOP("s += a[i * (w) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of a length whose address is taken",
     CASE("const int *q = &n; s = *q; " LOOP("s += a[i * (n) + j];")),
     "an expression beside its loops is not understood"},
    {"rows of the block", CASE("" LOOP("s += a[i * (blockDim.x) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of the grid", CASE("" LOOP("s += a[i * (gridDim.x * 4) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of a product of lengths", CASE("" LOOP("s += a[i * (n * n) + j];")),
     "1 passes; a 0-0 own kept; vectors"},
    {"rows of a length in a table", CASE("" LOOP("s += a[i * (t[0]) + j];")),
     "1 passes; a 0-0 own kept"},
};

static const struct transform_case floats[] = {
    {"sums of floats in another order", CASE(LOOP("r += f[i * n + j];")),
     "1 passes; f 0-0 own kept; vectors"},
};

static const struct transform_case declined[] = {
    {"sums of floats", CASE(LOOP("r += f[i * n + j];")),
     "sums of floats are taken in another order at -O3 only"},
    {"the iteration before", CASE("for (int j = 1; j < n; j++) a[i * n + j] += a[i * n + j - 1];"),
     "an iteration accesses an element that another one writes"},
    {"one element for all iterations", CASE(LOOP("b[t[j]] = a[i * n + j];")),
     "an iteration may write an element that another one accesses"},
    {"a far beginning", CASE("for (int j = 9; j < n; j++) s += a[i * n + j];"),
     "it does not begin with the first elements of a row"},
    {"every second element", CASE("for (int j = 0; j < n; j += 2) s += a[i * n + j];"),
     "it does not count up by one"},
    {"the last of equals",
     CASE("float best = 0; " LOOP("if (f[i * n + j] >= best) { best = f[i * n + j]; s = j; }")),
     "a value goes from iteration to iteration"},
    {"the place is looked at",
     CASE("float best = 0; " LOOP("{ if (f[i * n + j] > best) { best = f[i * n + j]; s = j; } if "
                                  "(s) best = 1; }")),
     "it looks at the place of what it finds"},
    {"a while loop", CASE("while (s < n) s += a[i * n];"),
     "a statement beside its loops cannot be taken apart"},
    {"an address", CASE("add(&s); " LOOP("s += a[i * n + j];")),
     "an expression beside its loops is not understood"},
    {"what a condition reads is written behind it",
     CASE(LOOP("s += a[i * n + j];") "if (t[i] > 0) t[i] = s;"),
     "memory that a condition reads is written behind it"},
    {"a loop down", CASE("for (int j = n - 1; j >= 0; j--) s += a[i * n + j];"),
     "it does not count up by a constant"},
    {"no condition", CASE("for (int j = 0;; j++) { if (a[i * n + j]) break; s += j; }"),
     "it does not count up by a constant"},
    {"a return inside", CASE("for (int j = 0; j < n; j++) { if (a[i * n + j]) return; s += 1; } "),
     "no shape: threads return from inside a loop or a nested statement"},
    {"a break inside", CASE("for (int j = 0; j < n; j++) { if (a[i * n + j]) break; s += 1; } "),
     "it is left early"},
    {"an iteration that goes on",
     CASE("for (int j = 0; j < n; j++) { if (a[i * n + j]) continue; s += 1; } "),
     "1 passes; a 0-0 own kept; vectors"},
    {"a loop inside",
     CASE("for (int j = 0; j < n; j++) for (int l = 0; l < 4; l++) s += a[i * n + j + l]; "),
     "1 passes; a 0-0 own kept"},
    {"a switch inside",
     CASE("for (int j = 0; j < n; j++) switch (a[i * n + j]) { case 1: s += 1; break; default: s "
          "+= 2; } "),
     "1 passes; a 0-0 own kept; vectors"},
    {"an atomic operation", CASE("for (int j = 0; j < n; j++) atomicAdd(&b[a[i * n + j]], 1); "),
     "it calls a function that may do more than compute a value"},
    {"a device function", CASE("for (int j = 0; j < n; j++) add(&b[i * n + j]); "),
     "it has an expression that is not understood"},
    {"a product of values", CASE("for (int j = 0; j < n; j++) s *= a[i * n + j]; "),
     "1 passes; a 0-0 own kept; vectors"},
    {"a difference", CASE("for (int j = 0; j < n; j++) s = a[i * n + j] - s; "),
     "a value goes from iteration to iteration"},
    {"two sums in one",
     CASE("int u = 0; for (int j = 0; j < n; j++) { s += a[i * n + j]; u += s; } "),
     "it looks at what it sums up"},
    {"a switch beside it",
     CASE("switch (n) { case 1: s = 2; } for (int j = 0; j < n; j++) s += a[i * n + j]; "),
     "a statement beside its loops cannot be taken apart"},
    {"an atomic operation beside it",
     CASE("atomicAdd(&c[0], 1); for (int j = 0; j < n; j++) s += a[i * n + j]; "),
     "'c' is used in a way that is not followed"},
    {"a return behind it",
     CASE("for (int j = 0; j < n; j++) s += a[i * n + j]; if (s > 3) return; c[i] = 0;"),
     "1 passes; a 0-0 own kept; waits 1; vectors"},
    {"a return in a branch behind it",
     CASE("for (int j = 0; j < n; j++) s += a[i * n + j]; if (s > 3) { c[i] = 9; return; } for "
          "(int j = 0; j < n; j++) s ^= a[i * n + j]; "),
     "2 passes; a 0-1 own kept; waits 1; branches; vectors"},
    {"its last value is read", CASE("int j; for (j = 0; j < n; j++) s += a[i * n + j]; s += j;"),
     "its bounds, or its iterator behind it, are not fixed"},
    {"volatile memory",
     KERNEL("volatile int *own, int n", "for (int j = 0; j < n; j++) s += own[i * n + j];  c[i] = "
                                        "s; g[i] = r;") "void run(int n, const int *p) { k<<<32, "
                                                        "128>>>((volatile int *)p, n); }",
     "no shape: it accesses volatile memory"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(floats, look_floats),
                                                TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
