/* SPDX-License-Identifier: MIT */
/* team_reduce.c - loops that the threads of a team share: sums, what they read, vector loads, and
 * why a loop is not shared. */
#include "analysis/transform/team_reduce/team_reduce.h"
#include "analysis/code/precondition.h"
#include "analysis/transform/promote/promote.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ int a[1 << 20], b[4096], c[4096], t[64]; __global__ float f[1 << 20], g[4096]; " \
  "__global__ bool q[4096];\n" \
  "struct pair { int x, y; };\n__device__ int twice(int i) { return 2 * i; }\n__device__ void " \
  "add(int *p) { *p = 1; }\n"
#define KERNEL(params, body) \
  "__global__ void k(" params \
  ") { int i = blockIdx.x * blockDim.x + threadIdx.x; int s = 0; float r = 0; " body " }\n"
#define RUN(args) "void run(int n) { k<<<32, 128>>>(" args "); }"
#define CASE(body) KERNEL("int n", body " c[i] = s; g[i] = r;") RUN("n")
#define LOOP(body) CASE("for (int j = 0; j < n; j++) " body)

static const char *const operations[] = {"+", "*", "min", "max", "&", "|", "^", "none"};

/* "s + ; rows 4 bytes": sums and their operations, trips where they are known, bytes that an
 * iteration reads for itself; loads of 16 bytes. */
static void find(struct subject *s, bool floats, struct text *shown)
{
  struct geometry block = {{32, 1}, {32, 1}, {1, 1}, 0, false};
  struct preconditions preconditions = {0};
  struct ir_var *totals[2];
  struct team_loop c;
  struct ir_place place;
  const char *reason;

  promote_registers(&s->code);
  s->code.preconditions = &preconditions;
  if (!transform_shape(s, &block, totals, shown)) return;
  if (!team_reduce_find(&s->code, floats, &c, &reason, &place)) {
    text_add(shown, reason);
    return;
  }
  for (unsigned i = 0; i < c.sum_count; i++)
    text_format(shown, "%s %s; ", c.sums[i].var->name, operations[c.sums[i].op]);
  if (c.trips >= 0) text_format(shown, "%lld trips; ", (long long)c.trips);
  bool reads = team_reduce_reads(&s->code, &c);
  const char *kind = c.uniform ? "the same for all" : c.rows ? "rows" : "columns";
  text_format(shown, reads ? "%s of %.0f bytes" : "nothing of its own", kind, c.bytes);
  if (team_reduce_vectorize(&s->code, &c)) text_format(shown, "; %u vector", c.vector_count);
}

static void look(struct subject *s, struct text *shown) { find(s, false, shown); }

static void look_floats(struct subject *s, struct text *shown) { find(s, true, shown); }

static const struct transform_case found[] = {
    {"a row", LOOP("s += a[i * n + j] * b[j];"), "s +; rows of 4 bytes; 2 vector"},
    {"a row of constant length", CASE("for (int j = 0; j < 64; j++) s += a[i * 64 + j];"),
     "s +; 64 trips; rows of 4 bytes; 1 vector"},
    {"a column", LOOP("s += a[j * 4096 + i];"), "s +; columns of 4 bytes"},
    {"up to and with the bound", CASE("for (int j = 1; j <= 64; j += 2) s += a[i * 64 + j];"),
     "s +; 32 trips; rows of 4 bytes"},
    {"an element of an array",
     KERNEL("int n", "for (int j = 0; j < 64; j++) c[i] += a[i * 64 + j];") RUN("n"),
     "_r_c +; 64 trips; rows of 4 bytes; 1 vector"},
    {"written out", LOOP("s = a[i * n + j] + s;"), "s +; rows of 4 bytes; 1 vector"},
    {"subtraction is addition", LOOP("{ s -= a[i * n + j]; s++; }"),
     "s +; rows of 4 bytes; 1 vector"},
    {"a product", LOOP("s *= a[i * n + j];"), "s *; rows of 4 bytes; 1 vector"},
    {"the least", LOOP("s = min(s, a[i * n + j]);"), "s min; rows of 4 bytes; 1 vector"},
    {"the greatest by an if", LOOP("if (a[i * n + j] > s) s = a[i * n + j];"),
     "s max; rows of 8 bytes; 1 vector"},
    {"the least by an if", LOOP("{ if (s >= a[i * n + j]) { s = a[i * n + j]; } }"),
     "s min; rows of 8 bytes; 1 vector"},
    {"bits",
     CASE("int u = 1, v = 2; for (int j = 0; j < n; j++) { s |= a[i * n + j]; u &= a[j]; v ^= "
          "a[j]; } s += u + v;"),
     "s |; u &; v ^; rows of 4 bytes; 3 vector"},
    {"under a condition", LOOP("if (b[j] > 0) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"behind a condition", CASE("if (i < n) for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"a local of its own", LOOP("{ int x = a[i * n + j]; x += 1; s += x; }"),
     "s +; rows of 4 bytes; 1 vector"},
    {"a pure call", LOOP("s += twice(a[i * n + j]);"), "s +; rows of 4 bytes; 1 vector"},
    {"continue", LOOP("{ if (b[j] > 0) continue; s += a[i * n + j]; }"), "s +; rows of 4 bytes"},
    {"the same for all threads", LOOP("s += b[j];"), "s +; the same for all of 4 bytes; 1 vector"},
    {"a store in front",
     KERNEL("int n", "c[i] = 0; for (int j = 0; j < n; j++) s += a[i * n + j]; c[i] = s;") RUN("n"),
     "s +; rows of 4 bytes; 1 vector"},
    {"an atomic operation behind",
     KERNEL("int n", "for (int j = 0; j < n; j++) s += a[i * n + j]; atomicAdd(&c[0], s);")
         RUN("n"),
     "s +; rows of 4 bytes; 1 vector"},
    {"a function of two", LOOP("s = max(s, a[i * n + j]);"), "s max; rows of 4 bytes; 1 vector"},
    {"the greatest by a choice", LOOP("s = a[i * n + j] > s ? a[i * n + j] : s;"),
     "it sums up nothing"},
    {"a step a hit", LOOP("if (a[i * n + j] > 3) s++;"), "s +; rows of 4 bytes; 1 vector"},
    {"the other way round", LOOP("s = a[i * n + j] + s;"), "s +; rows of 4 bytes; 1 vector"},
    {"under a condition with an else",
     CASE("if (i < n) { for (int j = 0; j < n; j++) s += a[i * n + j]; } else s = 3;"),
     "s +; rows of 4 bytes; 1 vector"},
    {"in an else", CASE("if (i > n) s = 3; else for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"behind a store", CASE("c[i] = 3; for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"a place by its function", LOOP("{ if (f[i * n + j] > r) { r = f[i * n + j]; s = j; } }"),
     "it sums up nothing"},
};

static const struct transform_case floats[] = {
    {"sums of floats in another order", LOOP("r += f[i * n + j];"),
     "r +; rows of 4 bytes; 1 vector"},
    {"the least of floats", LOOP("r = fminf(r, f[i * n + j]);"),
     "r min; rows of 4 bytes; 1 vector"},
};

static const struct transform_case declined[] = {
    {"no loop", CASE("s = a[i];"), "it has no loop"},
    {"several loops",
     CASE("for (int j = 0; j < n; j++) s += a[j]; for (int j = 0; j < n; j++) s += b[j];"),
     "it has several loops"},
    {"a while loop", CASE("int j = 0; while (j < n) { s += a[j]; j++; }"),
     "it does not count up by a constant"},
    {"down", CASE("for (int j = n; j > 0; j--) s += a[j];"), "it does not count up by a constant"},
    {"a step that is not constant", CASE("for (int j = 0; j < n; j += n) s += a[j];"),
     "it does not count up by a constant"},
    {"a large step", CASE("for (int j = 0; j < n; j += 65) s += a[j];"),
     "it does not count up by a constant"},
    {"an iterator of two bytes", CASE("for (short j = 0; j < 9; j++) s += a[j];"),
     "it does not count up by a constant"},
    {"a break", LOOP("{ if (b[j] > 0) break; s += a[j]; }"), "it is left early"},
    {"its iterator is looked at", CASE("int j; for (j = 0; j < n; j++) s += a[j]; s += j;"),
     "its bounds, or its iterator behind it, are not fixed"},
    {"its bound changes", LOOP("{ s += a[j]; n--; }"),
     "its bounds, or its iterator behind it, are not fixed"},
    {"a sum of nothing", LOOP("b[j] = a[j];"), "it sums up nothing"},
    {"different operations", LOOP("{ s += a[j]; s *= 2; }"),
     "it updates a value by different operations"},
    {"floats", LOOP("r += f[j];"), "sums of floats are taken in another order at -O3 only"},
    {"no plain number",
     CASE("pair p = { 0, 0 }; bool u = false; for (int j = 0; j < n; j++) u |= q[j]; s = u;"),
     "what it sums up is no plain number"},
    {"it looks at the sum", LOOP("{ s += a[j]; b[j] = s; }"), "it looks at what it sums up"},
    {"the sum decides", LOOP("if (s < 9) s += a[j];"), "it looks at what it sums up"},
    {"more than the most sums",
     CASE("int x1 = 0, x2 = 0, x3 = 0, x4 = 0, x5 = 0, x6 = 0, x7 = 0, x8 = 0, x9 = 0; for (int j "
          "= 0; j < n; j++) { x1 += a[j]; x2 += a[j]; "
          "x3 += a[j]; x4 += a[j]; x5 += a[j]; x6 += a[j]; x7 += a[j]; x8 += a[j]; x9 += a[j]; } s "
          "= x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9;"),
     "it sums up too many values"},
    {"memory that is written",
     KERNEL("int n", "for (int j = 0; j < n; j++) s += c[j]; c[i] = s;") RUN("n"),
     "it reads memory that the kernel writes"},
    {"another name",
     KERNEL("int *x, int *y, int n",
            "for (int j = 0; j < n; j++) s += x[j]; y[i] = s;") "void run(int *x, int *y) { "
                                                                "k<<<32, 128>>>(x, y, 9); }",
     "it reads memory that the kernel writes"},
    {"an atomic operation", LOOP("{ s += a[j]; atomicAdd(&c[0], 1); }"),
     "it calls a function that may do more than compute a value"},
    {"an address",
     CASE("int u = 0; for (int j = 0; j < n; j++) { s += a[j]; int *p = &u; *p = 1; }"),
     "it has an expression that is not understood"},
    {"a value from iteration to iteration",
     CASE("int u = 0; for (int j = 0; j < n; j++) { s += a[j] * u; u = a[j]; }"),
     "a value goes from iteration to iteration"},
    {"it writes memory", LOOP("{ s += a[j]; b[j] = 1; }"), "it writes memory"},
    {"a call in front", CASE("int u = 0; add(&u); for (int j = 0; j < n; j++) s += a[j];"),
     "an expression in front of it is not understood"},
    {"an address in front",
     CASE("int u = 0, *p = &u; for (int j = 0; j < n; j++) s += a[j]; s += *p;"),
     "an expression in front of it is not understood"},
    {"written memory is read in front",
     KERNEL("int n",
            "c[i] = 1; s = c[i + 1]; for (int j = 0; j < n; j++) s += a[i * n + j]; c[i] = s;")
         RUN("n"),
     "memory that the kernel writes is read in front of it"},
    {"an update of memory in front",
     CASE("if (n) b[i]++; for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "a statement in front of it writes memory"},
    {"in a switch", CASE("switch (n) { case 1: for (int j = 0; j < n; j++) s += a[i * n + j]; }"),
     "it stands in a statement that cannot be taken apart"},
    {"a pointer from memory",
     KERNEL(
         "int n, int **x",
         "for (int j = 0; j < n; j++) s += a[i * n + j]; x[0][i] = s;") "void run(int **x) { "
                                                                        "k<<<32, 128>>>(9, x); }",
     "it reads memory that the kernel writes"},
    {"a fence", CASE("for (int j = 0; j < n; j++) s += a[i * n + j]; c[i] = 0; __threadfence();"),
     "no shape: it has a memory fence"},
    {"a parameter is assigned", CASE("n += 1; for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"a pointer that is not followed",
     KERNEL("int n", "for (int j = 0; j < n; j++) s += a[i * n + j]; ((double *)c)[i] = s;")
         RUN("n"),
     "'c' is used in a way that is not followed"},
    {"an address in it", LOOP("{ const int *q = &b[j]; s += *q; }"),
     "it has an expression that is not understood"},
    {"a jump in it", LOOP("{ if (b[j] > 3) break; s += b[j]; }"), "it is left early"},
    {"a jump forward in it", LOOP("{ if (b[j] > 3) continue; s += b[j]; }"),
     "s +; the same for all of 8 bytes"},
    {"a return in it", LOOP("{ if (b[j] > 3) return; s += b[j]; }"),
     "no shape: threads return from inside a loop or a nested statement"},
    {"a call with effects in it", LOOP("{ add(&b[j]); s += b[j]; }"),
     "it has an expression that is not understood"},
    {"an atomic operation in it", LOOP("{ atomicAdd(&b[j], 1); s += a[j]; }"),
     "it calls a function that may do more than compute a value"},
    {"memory that is written in it", LOOP("{ c[j] = 1; s += a[j]; }"), "it writes memory"},
    {"an address in front of it",
     CASE("int l = 3; int *q = &l; for (int j = 0; j < n; j++) s += a[i * n + j] + *q;"),
     "an expression in front of it is not understood"},
    {"an atomic operation in front of it",
     CASE("atomicAdd(&b[i], 1); for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"what it wrote is read in front of it",
     CASE("c[i] = 3; s = c[i + 1]; for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "memory that the kernel writes is read in front of it"},
    {"memory that steps in front of it",
     CASE("b[i]++; for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"in a loop of its own",
     CASE("for (int l = 0; l < 2; l++) for (int j = 0; j < n; j++) s += a[i * n + j];"),
     "s +; 2 trips; nothing of its own"},
    {"a wide bound", CASE("for (int j = 0; j < (long long)n; j++) s += a[i * n + j];"),
     "s +; rows of 4 bytes; 1 vector"},
    {"a bound that changes", CASE("for (int j = 0; j < n; j++) { s += a[i * n + j]; n--; }"),
     "its bounds, or its iterator behind it, are not fixed"},
    {"a sum of itself", LOOP("s += s + a[j];"), "it sums up nothing"},
    {"its iterator is another one",
     CASE("int j; for (j = 0; j < n; j++) s += a[i * n + j]; s += j;"),
     "its bounds, or its iterator behind it, are not fixed"},
    {"a sum of a smaller type",
     CASE("short w = 0; for (int j = 0; j < n; j++) w += a[i * n + j]; s = w;"),
     "what it sums up is no plain number"},
    {"a sum of booleans", CASE("bool w = false; for (int j = 0; j < n; j++) w |= q[j]; s = w;"),
     "what it sums up is no plain number"},
    {"a function of three", LOOP("s = min(max(s, 3), a[j]);"), "it sums up nothing"},
    {"a quotient", LOOP("s /= b[j];"), "it sums up nothing"},
    {"a record", CASE("pair w = {0, 0}; for (int j = 0; j < n; j++) w.x += a[i * n + j]; s = w.x;"),
     "it sums up nothing"},
    {"an array",
     CASE("int w[2] = {0, 0}; for (int j = 0; j < n; j++) w[j & 1] += a[i * n + j]; s = w[0] + "
          "w[1];"),
     "it sums up nothing"},
    {"an else in it that sums up otherwise", LOOP("if (b[j] > 3) s += b[j]; else s = 2;"),
     "it looks at what it sums up"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(floats, look_floats),
                                                TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
