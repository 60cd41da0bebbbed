/* SPDX-License-Identifier: MIT */
/* ragged_stage.c - ranges of neighbouring threads that arrays give: which are staged in chunks,
 * what of them, under which conditions of a block, and why others are not. */
#include "analysis/code/converge.h"
#include "analysis/transform/ragged_stage/ragged.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "struct pair { float x, y; };\n" \
  "__global__ int first[1025], last[1025], col[20000], seen[20000]; __global__ pair " \
  "pairs[20000];\n" \
  "__global__ float v[20000], x[20000], out[65536]; __global__ long long wide[1025];\n" \
  "__device__ void waits() { __syncthreads(); }\n"
#define KERNEL(params, body) \
  "__global__ void k(" params \
  ") { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; " body " }\n"
#define RUN(args) "void run(int n, float *p, int *q) { k<<<16, 64>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")
#define LOOP(body) "for (int j = first[i]; j < first[i + 1]; j++) " body
#define RANGE(body) CASE("if (i < n) { " LOOP(body) " out[i] = s; }")

/* "v, 1 accesses[, apart][, breaks][, returns]; 1 around": for each loop, then what was declined.
 */
static void look(struct subject *s, struct text *shown)
{
  struct uniform uniform;
  struct ragged_all *all = ARENA_NEW(s->unit->arena, struct ragged_all);

  s->code.facts.kernel->body = converge_normal(&s->code);
  code_scan(&s->code);
  uniform_analyze(&s->code, &uniform);
  ragged_find(&s->code, &uniform, false, all);
  for (unsigned i = 0; i < all->count; i++) {
    const struct ragged *r = &all->items[i];
    for (unsigned k = 0; k < r->strip.array_count; k++)
      text_format(shown, "%s%s%s%s", k ? " " : "", r->strip.arrays[k].array->var->name,
                  r->strip.arrays[k].guard ? " guarded" : "",
                  r->strip.arrays[k].row ? " rows" : "");
    text_format(shown, ", %u accesses%s%s%s; ", r->strip.access_count, r->apart ? ", apart" : "",
                r->breaks ? ", breaks" : "", r->returns ? ", returns" : "");
  }
  for (unsigned i = 0; i < all->around_count; i++) {
    unsigned own = 0;
    for (unsigned k = 0; k < all->around[i].count; k++) own += all->around[i].own[k];
    if (all->around[i].base)
      text_format(shown, "strided; ");
    else
      text_format(shown, "%u of %u conditions%s; ", own, all->around[i].count,
                  all->around[i].otherwise ? ", otherwise" : "");
  }
  transform_show_decisions(s, DECISION_TILES, shown);
}

static void look_plan_with(struct subject *s, enum plan_mapping mapping, struct text *shown)
{
  struct plan_options options = {
      .level = PLAN_O2, .shared_memory = 49152, .tuned_for = 90, .mapping = mapping};
  struct text dump = {0};
  struct draft draft = {.code = s->code, .options = &options, .dump = &dump};

  if (plan_ragged_stage(&draft)) text_add(shown, draft.note);
  transform_show_remarks(s, DIAG_RANGES_KEPT, shown);
  text_finish(&dump);
}

static void look_plan(struct subject *s, struct text *shown)
{
  look_plan_with(s, MAPPING_ALWAYS, shown);
}

static const struct transform_case found[] = {
    {"rows of a matrix", RANGE("s += v[j] * x[col[j]];"), "v x, 2 accesses; 1 of 1 conditions; "},
    {"without a guard", CASE(LOOP("s += v[j];") " out[i] = s;"), "v, 1 accesses; "},
    {"behind an early return", CASE("if (i >= n) return; " LOOP("s += v[j];") " out[i] = s;"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"bounds in locals",
     CASE("if (i < n) { int from = first[i], to = first[i + 1]; for (int j = from; j < to; j++) s "
          "+= v[j]; out[i] = s; }"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"wide bounds",
     CASE("if (i < n) { for (long long j = wide[i]; j < wide[i + 1]; j++) s += v[j]; out[i] = s; "
          "}"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"a gather that stays", RANGE("{ int u = col[j]; if (!seen[u]) seen[u + 1] = 1; }"),
     "col, 1 accesses; 1 of 1 conditions; ; seen: the kernel writes it"},
    {"a gather that is read only", RANGE("{ int u = col[j]; if (!seen[u]) s += 1; }"),
     "seen, 1 accesses; 1 of 1 conditions; "},
    {"an element of the thread's stays", RANGE("s += v[j] * x[i];"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"an element by the thread and the iterator", RANGE("s += v[j] * x[j + i];"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"records", RANGE("s += pairs[j].x * pairs[j].y;"), "pairs, 2 accesses; 1 of 1 conditions; "},
    {"rows of words", RANGE("for (int d = 0; d < 3; d++) s += v[3 * j + d];"),
     "v rows, 1 accesses; 1 of 1 conditions; "},
    {"not always", RANGE("if (j & 1) s += v[j];"), "v guarded, 1 accesses; 1 of 1 conditions; "},
    {"a break", RANGE("{ s += v[j]; if (s > 9) break; }"),
     "v guarded, 1 accesses, breaks; 1 of 1 conditions; "},
    {"a return", RANGE("{ s += v[j]; if (s > 9) return; }"),
     "v guarded, 1 accesses, returns; 1 of 1 conditions; "},
    {"a continue in front", RANGE("{ if (col[j] < 3) continue; s += v[j]; }"),
     "col v guarded, 2 accesses; 1 of 1 conditions; "},
    {"bounds of two arrays",
     CASE("if (i < n) { for (int j = first[i]; j < last[i]; j++) s += v[j]; out[i] = s; }"),
     "v, 1 accesses, apart; 1 of 1 conditions; "},
    {"bounds two apart",
     CASE("if (i < n) { for (int j = first[i]; j < first[i + 2]; j++) s += v[j]; out[i] = s; }"),
     "v, 1 accesses, apart; 1 of 1 conditions; "},
    {"an unequal end",
     CASE("if (i < n) { for (int j = first[i]; j != first[i + 1]; j++) s += v[j]; out[i] = s; }"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"an iterator from outside",
     CASE("int j = first[i]; for (; j < first[i + 1]; j++) s += v[j]; out[i] = s + j;"),
     "v, 1 accesses; "},
    {"two guards", CASE("if (i >= 3) if (i < n && n > 2) { " LOOP("s += v[j];") " out[i] = s; }"),
     "v, 1 accesses; 1 of 1 conditions; 1 of 2 conditions; "},
    {"in the else",
     CASE("if (i < 3 || i >= n) out[i] = 0; else { " LOOP("s += v[j];") " out[i] = s; }"),
     "v, 1 accesses; 2 of 2 conditions, otherwise; "},
    {"a condition of the block", CASE("if (n > 3) { " LOOP("s += v[j];") " out[i] = s; }"),
     "v, 1 accesses; "},
    {"a loop around",
     CASE("for (int c = 0; c < n; c++) { " LOOP("s += v[j] * c;") " } out[i] = s;"),
     "v, 1 accesses; "},
    {"a stride of the grid",
     CASE("for (int r = i; r < n; r += blockDim.x * gridDim.x) { s = 0; for (int j = first[r]; j < "
          "first[r + 1]; j++) s += v[j]; out[r] = s; }"),
     "v, 1 accesses; strided; "},
    {"two loops", CASE("if (i < n) { " LOOP("s += v[j];") LOOP("s += x[j];") " out[i] = s; }"),
     "v, 1 accesses; x, 1 accesses; 1 of 1 conditions; "},
    {"a sum by parts", RANGE("s = s * 0.5f + v[j];"), "v, 1 accesses; 1 of 1 conditions; "},
};

static const struct transform_case declined[] = {
    {"by two", CASE("for (int j = first[i]; j < first[i + 1]; j += 2) s += v[j]; out[i] = s;"),
     "-: the loop does not go up by one from a first value to an end"},
    {"compared in another type",
     CASE("for (int j = first[i]; j < wide[i + 1]; j++) s += v[j]; out[i] = s;"),
     "-: the loop's iterator is compared in another type than its own"},
    {"a barrier", CASE(LOOP("{ s += v[j]; waits(); }") " out[i] = s;"),
     "-: threads meet in the loop"},
    {"a warp operation", CASE(LOOP("s += __shfl_sync(~0u, v[j], 0);") " out[i] = s;"),
     "-: threads meet in the loop"},
    {"rows that are apart",
     CASE("for (int j = first[2 * i]; j < first[2 * i + 1]; j++) s += v[j]; out[i] = s;"),
     "-: the ranges of neighbouring threads are not known to be neighbours"},
    {"rows of a list",
     CASE("int r = seen[i]; for (int j = first[r]; j < first[r + 1]; j++) s += "
          "v[j]; out[i] = s;"),
     "-: the ranges of neighbouring threads are not known to be neighbours"},
    {"rows along y",
     CASE("int r = threadIdx.y; for (int j = first[r]; j < first[r + 1]; j++) s += "
          "v[j]; out[i] = s;"),
     ""},
    {"no array", CASE("for (int j = 3 * i; j < 3 * i + 3; j++) s += v[j]; out[i] = s;"), ""},
    {"a guard by data", CASE("if (i < n && seen[i]) { " LOOP("s += v[j];") " out[i] = s; }"),
     "-: which threads of a block come to the loop depends on data"},
    {"a guard that is not for neighbours",
     CASE("if (i != 5) { " LOOP("s += v[j];") " out[i] = s; }"),
     "-: which threads of a block come to the loop depends on data"},
    {"a guard by a remainder", CASE("if (i % 3 < n) { " LOOP("s += v[j];") " out[i] = s; }"),
     "-: which threads of a block come to the loop depends on data"},
    {"a guard that changes",
     CASE("int m = n; int g = i + m; m = 3; if (g < n) { " LOOP("s += v[j];") " out[i] = s + m; }"),
     "-: which threads of a block come to the loop depends on data"},
    {"a loop around of other lengths",
     CASE("for (int c = i; c < n; c += 7) { " LOOP("s += v[j];") " } out[i] = s;"),
     "v, 1 accesses; strided; "},
    {"a loop around of each thread's own length",
     CASE("for (int c = 0; c < i; c++) { " LOOP("s += v[j];") " } out[i] = s;"),
     "-: threads go through a loop around it at different times"},
    {"a stride that is left",
     CASE("for (int r = i; r < n; r += 64) { for (int j = first[r]; j < first[r + 1]; j++) s += "
          "v[j]; if (s > 3) break; } out[i] = s;"),
     "-: threads go through a loop around it at different times"},
    {"in a switch", CASE("switch (n) { case 1: " LOOP("s += v[j];") " } out[i] = s;"),
     "-: it stands in a statement that threads go through at different times"},
    {"bounds that are written", CASE(LOOP("s += v[j];") " first[i] = 3; out[i] = s;"),
     "-: the kernel writes it"},
    {"bounds under another name",
     KERNEL("const int *r, float *o", "for (int j = r[i]; j < r[i + 1]; j++) s += v[j]; o[i] = s;")
         RUN("q, p"),
     "-: what the kernel writes under another name may overlap it"},
    {"elements that are written", RANGE("v[j] += x[j];"), "x, 1 accesses; 1 of 1 conditions; "},
    {"an index that is written", RANGE("{ s += x[col[j]]; col[j] = 3; }"),
     "col: the kernel writes it"},
    {"not always, of unknown size",
     KERNEL("const float *__restrict__ p", LOOP("if (j & 1) s += p[j];") " out[i] = s;") RUN("p"),
     "p: not every iteration is sure to read it, and what is not read may not exist"},
    {"behind a break, of unknown size",
     KERNEL("const float *__restrict__ p", LOOP("{ s += p[j]; if (s > 9) break; }") " out[i] = s;")
         RUN("p"),
     "p: not every iteration is sure to read it, and what is not read may not exist"},
    {"threads that wait for one another",
     KERNEL("volatile int *f",
            "while (i % 64 && !f[i - 1]) {} " LOOP("s += v[j];") " out[i] = s; f[i] = 1;") RUN("q"),
     "-: a thread may wait for what another one of its block does"},
    {"a lock around it",
     KERNEL("int *__restrict__ f", "while (atomicCAS(f, 0, 1)) {} " LOOP(
                                       "s += v[j];") " out[i] = s; atomicExch(f, 0);") RUN("q"),
     "-: a thread may wait for what another one of its block does"},
    {"a fence", CASE(LOOP("s += v[j];") " out[i] = s; __threadfence();"),
     "-: a thread may wait for what another one of its block does"},
    {"an atomic operation that nobody repeats",
     KERNEL("float *__restrict__ p", LOOP("s += v[j];") " atomicAdd(p, s);") RUN("p"),
     "v, 1 accesses; "},
    {"a loop in it", RANGE("for (int d = 0; d < n; d++) s += v[j] * d;"),
     "-: the time of an iteration is not known"},
    {"a return from a loop in it",
     RANGE("for (int d = 0; d < 3; d++) { s += v[j]; if (s > 9) return; }"),
     "-: threads return from a loop inside of it"},
    {"a return in a loop around",
     CASE("for (int c = 0; c < n; c++) { " LOOP("{ s += v[j]; if (s > 9) return; }") " }"),
     "-: threads return from inside of a loop around it"},
    {"a return in front",
     CASE("for (int c = 0; c < n; c++) { if (out[i] > c) return; } " LOOP(
         "s += v[j];") " out[i] = s;"),
     "-: threads return from inside a loop or a nested statement"},
    {"a product that waits",
     CASE("float w = 0; " LOOP("{ s += w; w = v[j] * x[j]; }") " out[i] = s;"),
     "-: a product waits for a sum of the next iteration, and nvcc may round it differently"},
    {"a product that waits in an array",
     CASE("float w[2] = {0, 0}; " LOOP("{ s = s - w[0]; w[0] = v[j] * x[j]; }") " out[i] = s;"),
     "-: a product waits for a sum of the next iteration, and nvcc may round it differently"},
    {"a result that a constant scales",
     CASE("if (i < n) { " LOOP("s += v[j];") " out[i] = x[i] + 0.85f * s; }"),
     "-: nvcc fuses the product of its result and a constant with a sum, which it does not as "
     "written"},
    {"a result that a constant scales, in a local",
     CASE(
         "const float c = 0.85f; " LOOP("s += v[j];") " float t = (s + 1) * c; out[i] = x[i] - t;"),
     "-: nvcc fuses the product of its result and a constant with a sum, which it does not as "
     "written"},
    {"a result that a constant scales, alone", CASE(LOOP("s += v[j];") " out[i] = 0.85f * s;"),
     "v, 1 accesses; "},
    {"a result that an argument scales",
     KERNEL("float a", LOOP("s += v[j];") " out[i] = x[i] + a * s;") RUN("n"), "v, 1 accesses; "},
    {"a product in front of the guard",
     KERNEL("int n, float a", "float t = a * x[i]; if (i < n) { " LOOP(
                                  "s += v[j];") " out[i] = s + t; }") RUN("n, n"),
     "-: a product in front of a condition on threads waits for its sum, and nvcc may round it "
     "differently"},
    {"a product in front of the guard, that nobody adds",
     KERNEL("int n, float a", "float t = a * x[i]; if (i < n) { " LOOP(
                                  "s += v[j] * t;") " out[i] = s * t; }") RUN("n, n"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"a product behind the guard",
     KERNEL("int n, float a", "if (i < n) { float t = a * x[i]; " LOOP(
                                  "s += v[j];") " out[i] = s + t; }") RUN("n, n"),
     "v, 1 accesses; 1 of 1 conditions; "},
    {"an iterator that the body changes", CASE(LOOP("{ s += v[j]; j += n; }") " out[i] = s;"), ""},
    {"shared memory",
     CASE("__shared__ float t[99]; t[threadIdx.x] = i; __syncthreads(); " LOOP(
         "s += t[j % 99];") " out[i] = s;"),
     ""},
};

static const struct transform_case planned[] = {
    {"rows of a matrix", RANGE("s += v[j] * x[col[j]];"),
     "with ranges of neighbouring threads in shared memory: v, x, 256 elements at a time of the "
     "threads' ranges, of any length, 2048 bytes"},
    {"a gather that stays", RANGE("{ int u = col[j]; if (!seen[u]) seen[u + 1] = 1; }"),
     "with ranges of neighbouring threads in shared memory: col, 512 elements at a time of the "
     "threads' ranges, of any length, 2048 bytes; 'seen' is not staged "
     "in chunks of its threads' ranges in 'k': the kernel writes it"},
    {"a break", RANGE("{ s += v[j]; if (s > 9) break; }"),
     "with ranges of neighbouring threads in shared memory: v, 512 elements at a time of the "
     "threads' ranges, of any length, 2048 bytes"},
    {"bytes",
     KERNEL("const unsigned char *__restrict__ p",
            LOOP("s += p[j];") " out[i] = s;") "void run(unsigned char *p) { k<<<16, 64>>>(p); }",
     "with ranges of neighbouring threads in shared memory: p, 512 elements at a time of the "
     "threads' ranges, of any length, 512 bytes"},
    {"blocks of several rows",
     KERNEL("int n",
            LOOP("s += v[j];") " out[i] = s;") "void run(int n) { k<<<16, dim3(16, 4)>>>(n); }",
     "nothing is staged in chunks of the threads' ranges in 'k': its blocks have several rows of "
     "threads"},
    {"dynamic shared memory of unknown size",
     KERNEL("int n", LOOP("s += v[j];") " out[i] = s;") "void run(int n) { k<<<16, 64, n>>>(n); }",
     "nothing is staged in chunks of the threads' ranges in 'k': the size of the kernel's dynamic "
     "shared memory is not constant"},
    {"large records",
     "struct large { float x[300]; };\n" KERNEL(
         "const large *__restrict__ p",
         "for (int j = first[i]; j < first[i + 1]; j++) { large e = p[j]; s += e.x[0]; } out[i] = "
         "s;") "void run(large *p) { k<<<16, 64>>>(p); }",
     "nothing is staged in chunks of the threads' ranges in 'k': its copies do not fit shared "
     "memory besides the kernel's own arrays"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(planned, look_plan)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
