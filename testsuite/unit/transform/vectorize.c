/* SPDX-License-Identifier: MIT */
/* vectorize.c - neighbours that a thread accesses 16 bytes at once: which windows there are, and
 * why there are none. */
#include "analysis/transform/vectorize/vectorize.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[65536], b[65536], c[65536], m[64][1024]; __global__ double d[65536]; " \
  "__global__ short h[65536]; __global__ unsigned char o[262144], q[262144]; __global__ uchar4 " \
  "u4[65536];\n" \
  "__global__ int t[65536]; __constant__ float w[16]; struct pair { float x, y; }; __global__ " \
  "pair p[65536];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<(n + 255) / 256, 256>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")

static bool is_used(const struct vectorized *vectorized, int window)
{
  for (unsigned i = 0; i < vectorized->access_count; i++)
    if (vectorized->accesses[i].window == window) return true;
  return false;
}

static void choose_interior(struct code *code, struct interior *interior)
{
  struct ir_list all = {0};

  code_drop_scan(code);
  code->choice = ir_build_if(
      code->arena, interior->condition ? interior->condition : ir_build_int(code->arena, 1),
      interior->body);
  code->interior = interior;
  ir_list_add(code->arena, &all, (struct ir_stmt *)code->choice);
  code->facts.kernel->body = ir_build_block(code->arena, &all);
}

/* "gain 2.00; a -1..1 load; b 0..0 store": the windows, by offsets of the first thread's elements;
 * or why there is nothing to gain. */
static void look(struct subject *s, struct text *shown)
{
  struct geometry lanes = {.block = {1024, 1}, .threads = {256, 1}, .vector = {4, 1}};
  struct ir_var *totals[2];
  struct interior interior;
  struct vectorized vectorized;
  struct ir_list verbatim = {0};

  if (!transform_shape(s, &lanes, totals, shown)) return;
  interior_of(&s->code, &interior);
  choose_interior(&s->code, &interior);
  if (!vectorize_plan(&s->code, &interior, 4, &vectorized)) {
    text_add(shown, vectorized.reason);
    return;
  }
  text_format(shown, "gain %.2f", vectorized.gain);
  for (unsigned i = 0; i < vectorized.window_count; i++)
    if (is_used(&vectorized, (int)i))
      text_format(shown, "; %s %lld..%lld%s%s", vectorized.windows[i].array->var->name,
                  (long long)vectorized.windows[i].low, (long long)vectorized.windows[i].high,
                  vectorized.windows[i].load ? " load" : "",
                  vectorized.windows[i].store ? " store" : "");
  vectorize_build(&vectorized, &interior, &verbatim);
}

#define FEW "its threads access few neighbours"

static const struct transform_case found[] = {
    {"a copy", CASE("b[i] = a[i];"), "gain 4.00; a 0..0 load; b 0..0 store"},
    {"under a condition", CASE("if (i < n) b[i] = a[i];"), "gain 4.00; a 0..0 load; b 0..0 store"},
    {"neighbours", CASE("if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];"),
     "gain 4.00; a -1..1 load; b 0..0 store"},
    {"a row", CASE("c[i] = m[5][i];"), "gain 4.00; m 0..0 load; c 0..0 store"},
    {"an update", CASE("b[i] = b[i] + a[i];"), "gain 4.00; b 0..0 load store; a 0..0 load"},
    {"what neighbours have in common", CASE("b[i] = a[i] * a[n];"),
     "gain 2.00; a 0..0 load; b 0..0 store"},
    {"stored twice", CASE("b[i] = 1; b[i] = t[n / 2];"), "gain 1.60; b 0..0 store"},
    {"neighbours by a quotient", CASE("b[i] = t[i / 2];"), "its threads access few neighbours"},
    {"apart beside its store", CASE("b[i] = t[2 * i];"), "its threads access few neighbours"},
    {"read behind its store", CASE("b[i] = a[i] + 1; c[i] = b[i] * 2;"),
     "gain 4.00; a 0..0 load; b 0..0 store; c 0..0 store"},
    {"a load behind a store elsewhere", CASE("b[i] = a[i]; c[i] = a[i] * 2;"),
     "gain 5.33; a 0..0 load; b 0..0 store; c 0..0 store"},
    {"two places in a row", CASE("if (i < n) { float x = a[i]; b[i] = x + a[i] * 2; }"),
     "gain 6.00; a 0..0 load; b 0..0 store"},
    {"a row of a matrix", CASE("if (i < 1020) b[i] = m[3][i] + m[4][i + 1] + m[3][i + 2];"),
     "its threads access few neighbours"},
    {"a row of the launch", CASE("if (i < n) b[i] = a[n + i] + a[i];"),
     "gain 4.00; a 0..0 load; a 0..0 load; b 0..0 store"},
    {"rows at a product of the launch",
     KERNEL(
         "const float *__restrict__ v, int n, int rows",
         "if (i < n) b[i] = v[rows * n + i] + v[(rows + 4) * n + i + 1];") "void run(int n) { "
                                                                           "k<<<(n + 255) / 256, "
                                                                           "256>>>(a, n, 4); }",
     "its threads access few neighbours"},
    {"updates of elements", CASE("if (i < n) { a[i] += b[i]; a[i] *= 2; }"),
     "its threads access few neighbours"},
    {"wide numbers", CASE("if (i < n) d[i] = d[i] * 2 + a[i];"),
     "its threads access few neighbours"},
};

#define SIX "a[i] + b[i] + c[i] + a[i + 1] + b[i + 1] + c[i + 1] + "
#define MUL "x = x * x + x; "
#define EIGHT MUL MUL MUL MUL MUL MUL MUL MUL

static const struct transform_case declined[] = {
    {"too many accesses", CASE("t[i] = (int)(" SIX SIX SIX SIX SIX SIX "0);"),
     "it has too many accesses"},
    {"a pointer from memory",
     KERNEL("float **x", "b[i] = x[0][i];") "void run(float **x) { k<<<256, 256>>>(x); }",
     "not all of its accesses are followed"},
    {"stores that would stand apart",
     CASE("b[i] = a[i]; b[i + n] = a[i + n]; b[i + 2 * n] = a[i + 2 * n];"),
     "its threads access few neighbours"},
    {"a loop", CASE("for (int l = 0; l < n; l++) b[i] = a[i] + l;"), "it has a loop"},
    {"every other thread", CASE("if (i % 2) b[i] = a[i];"),
     "its conditions do not hold for threads between two others"},
    {"equal to one", CASE("if (i == 7) b[i] = a[i];"),
     "its conditions do not hold for threads between two others"},
    {"a disjunction", CASE("if (i < 7 || i > 9) b[i] = a[i];"),
     "its conditions do not hold for threads between two others"},
    {"not equal to one", CASE("if (i != 7) b[i] = a[i];"),
     "its conditions do not hold for threads between two others"},
    {"much arithmetic",
     CASE("float x = a[i]; " EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT "b[i] = x;"),
     "its arithmetic takes longer than its accesses"},
    {"under a condition on values", CASE("if (t[i] > 0) b[i] = a[i];"), FEW},
    {"in an expression", CASE("b[2 * i] = n ? a[i] : 0;"), FEW},
    {"elements of two bytes", CASE("h[i] = h[i + 8];"), FEW},
    {"elements of eight bytes", CASE("d[i] = d[i + 8];"), FEW},
    {"parts of records", CASE("p[i].x = p[i].y;"), FEW},
    {"every other element", CASE("b[2 * i] = a[2 * i];"), FEW},
    {"down", CASE("b[n - i] = a[n - i];"), FEW},
    {"columns", CASE("b[2 * i] = m[i & 63][5];"), FEW},
    {"an index from a table", CASE("b[t[2 * i]] = a[t[2 * i]];"), FEW},
    {"an index that steps", CASE("int l = i; b[l++] = 1; b[2 * l] = 1; b[3 * l] = 2;"), FEW},
    {"constant memory", CASE("t[2 * i] = (int)w[i & 15];"), FEW},
    {"neighbours far apart", CASE("b[2 * i] = a[i] + a[i + 16];"), FEW},
    {"stored at two places", CASE("b[i] = 1; b[i + 1] = 2;"), FEW},
    {"stored beside its 16 bytes", CASE("b[i + 1] = t[2 * i];"), FEW},
    {"stored, and beside it", CASE("b[i] = 1; b[i + 1] = t[2 * i];"), FEW},
    {"may be the same memory",
     KERNEL("float *a, float *b", "b[i] = 1; t[2 * i] = (int)a[i];") "void run(float *a, float *b) "
                                                                     "{ k<<<256, 256>>>(a, b); }",
     FEW},
    {"pairs", CASE("if (i < n) p[i].x = p[i].y;"), "its threads access few neighbours"},
    {"two bytes", CASE("if (i < n) h[i] = h[i] + 1;"), "gain 4.00; h 0..0 load store"},
    {"volatile numbers",
     KERNEL("volatile float *v, int n",
            "if (i < n) b[i] = v[i];") "void run(int n, float *v) { k<<<(n + 255) / 256, 256>>>(v, "
                                       "n); }",
     "no shape: it accesses volatile memory"},
    {"a place from a table", CASE("if (i < n) b[t[i]] = a[i];"),
     "gain 2.00; a 0..0 load; t 0..0 load"},
    {"a chosen place, of the arm that most take", CASE("if (i < n) b[i] = a[i > 4 ? i : i - 1];"),
     "gain 4.00; a 0..0 load; b 0..0 store"},
    {"interleaved", CASE("if (i < n) q[i] = o[3 * i] + o[3 * i + 1] + o[3 * i + 2];"),
     "gain 4.00; o 0..2 load; q 0..0 store"},
    {"interleaved, all of them stored", CASE("q[2 * i] = o[2 * i + 1]; q[2 * i + 1] = o[2 * i];"),
     "gain 4.00; o 0..1 load; q 0..1 store"},
    {"members of a record", CASE("if (i < n) b[i] = u4[i].x + u4[i].w;"),
     "gain 4.00; u4 0..0 load; b 0..0 store"},
    {"a chosen place beside it", CASE("if (i < n) b[i] = a[i > 4 ? i - 1 : i];"),
     "its threads access few neighbours"},
    {"stores that may meet", CASE("if (i < n) { b[i] = a[i]; b[i + 1] = a[i]; }"),
     "its threads access few neighbours"},
    {"an element of all", CASE("if (i < n) b[i] = w[3] + m[2][5];"),
     "its threads access few neighbours"},
    {"a place far away", CASE("if (i < n) b[i] = a[i + (1 << 21)];"),
     "its threads access few neighbours"},
    {"an address", CASE("if (i < n) { float *q = &b[i]; *q = a[i]; }"),
     "its threads access few neighbours"},
    {"atomic operations", CASE("if (i < n) atomicAdd(&b[i], a[i]);"), "gain 4.00; a 0..0 load"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
