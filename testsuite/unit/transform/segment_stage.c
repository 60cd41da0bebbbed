/* SPDX-License-Identifier: MIT */
/* segment_stage.c - segments that a table gives: which are staged in strips, what of them, and why
 * others are not. */
#include "analysis/code/converge.h"
#include "analysis/transform/segment_stage/strip.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "struct atom { float x, y; }; struct strange { float x; __device__ strange(); __device__ " \
  "strange &operator=(const strange &); };\n" \
  "__global__ int first[1025], index_of[20000]; __global__ atom atoms[20000]; __global__ float " \
  "v[20000], out[65536];\n" \
  "__device__ float plain[64]; __device__ int twice(int i) { return 2 * i; }\n" \
  "__device__ void waits() { __syncthreads(); } static __global__ struct { float x; } " \
  "unnamed[9000];\n" \
  "__global__ float grid[9000][3];\n"
#define KERNEL(params, body) \
  "__global__ void k(" params \
  ") { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; " body " out[i] = s; }\n"
#define RUN(args) "void run(int n) { k<<<1024, 64>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")
#define SEGMENT(body) CASE("for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) " body)
#define NEST(body) \
  CASE("for (int c = 0; c < n; c++) for (int k = first[c]; k < first[c + 1]; k++) " body)

/* "segment: v, 1 accesses", "nest of 1: ...": arrays, accesses, what is carried from segment to
 * segment; then what was declined. */
static void look(struct subject *s, struct text *shown)
{
  struct uniform uniform;
  struct strips *strips = ARENA_NEW(s->unit->arena, struct strips);

  s->code.facts.kernel->body = converge_normal(&s->code);
  code_scan(&s->code);
  uniform_analyze(&s->code, &uniform);
  strip_find(&s->code, &uniform, strips);
  for (unsigned i = 0; i < strips->count; i++) {
    const struct strip *c = &strips->items[i];
    text_format(shown, c->nest == c->segment ? "%ssegment:" : "%snest of %u:", i ? "; " : "",
                c->loop_count);
    for (unsigned k = 0; k < c->array_count; k++)
      text_format(shown, " %s%s%s", c->arrays[k].array->var->name,
                  c->arrays[k].guard ? " guarded" : "", c->arrays[k].row ? " rows" : "");
    text_format(shown, ", %u accesses, %u carried", c->access_count, c->carried_count);
  }
  transform_show_decisions(s, DECISION_TILES, shown);
}

static void look_plan(struct subject *s, struct text *shown)
{
  struct plan_options options = {
      .level = PLAN_O2, .shared_memory = 49152, .tuned_for = 90, .mapping = MAPPING_ALWAYS};
  struct strip_plan plan;
  struct text dump = {0};

  if (plan_strips(&s->code, &options, &dump, &plan)) text_add(shown, plan.note);
  transform_show_remarks(s, DIAG_NOT_STAGED, shown);
  text_finish(&dump);
}

static const struct transform_case found[] = {
    {"a segment", SEGMENT("s += v[k] * i;"), "segment: v, 1 accesses, 0 carried"},
    {"by a table", SEGMENT("s += v[index_of[k]] * i;"), "segment: v, 1 accesses, 0 carried"},
    {"a nest", NEST("s += v[k] * i;"), "nest of 1: v, 1 accesses, 0 carried"},
    {"a nest whose iterator is used", NEST("s += v[k] * i + c;"),
     "nest of 1: v, 1 accesses, 1 carried"},
    {"records", SEGMENT("{ atom e = atoms[k]; s += e.x * i + e.y; }"),
     "segment: atoms, 1 accesses, 0 carried"},
    {"a short loop", SEGMENT("for (int d = 0; d < 3; d++) s += v[k * 3 + d] * i;"),
     "segment: v rows, 1 accesses, 0 carried"},
    {"two arrays", SEGMENT("s += v[k] * atoms[k].x * i;"),
     "segment: v atoms, 2 accesses, 0 carried"},
    {"not always", SEGMENT("if (k != i) s += v[k] * i;"),
     "segment: v guarded, 1 accesses, 0 carried"},
    {"bounds in locals",
     CASE("int from = first[blockIdx.x], to = first[blockIdx.x + 1]; for (int k = from; k < to; "
          "k++) s += v[k] * i;"),
     "segment: v, 1 accesses, 0 carried"},
    {"not always, at quotients", SEGMENT("if (k != i) s += v[(k + 7) / 2 % 5000] * i;"),
     "segment: v guarded, 1 accesses, 0 carried"},
    {"not always, of a table that is read in any case",
     SEGMENT("{ s += index_of[k]; if (k != i) s += v[index_of[k]] * i; }"),
     "segment: index_of v guarded, 3 accesses, 0 carried"},
    {"not always, of two dimensions",
     KERNEL("int n", "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) if (k != i) "
                     "s += grid[k][i % 3] * i + grid[k][2];") RUN("n"),
     "segment: grid guarded, 1 accesses, 0 carried"},
    {"not always, in a short loop",
     SEGMENT("if (k != i) for (int d = 0; d < 3; d++) s += v[k * 3 + d] * i;"),
     "segment: v guarded rows, 1 accesses, 0 carried"},
    {"not always, through a local", SEGMENT("if (k != i) { int at = k + 1; s += v[at] * i; }"),
     "segment: v guarded, 1 accesses, 0 carried"},
    {"a pointer whose bytes are known",
     KERNEL("const float *__restrict__ p",
            "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) if (k != i) s += p[k] "
            "* i;") "void run() { k<<<1024, 64>>>(v); }",
     "segment: p guarded, 1 accesses, 0 carried"},
    {"twice and once not always", SEGMENT("{ s += v[k] * i; if (k != i) s += v[k]; }"),
     "segment: v, 2 accesses, 0 carried"},
    {"the iterator of the nest in a local", NEST("{ int from = c * 2; s += v[k] * i + from; }"),
     "nest of 1: v, 1 accesses, 1 carried"},
    {"a do loop around",
     CASE("int c = 0; do { for (int k = first[c]; k < first[c + 1]; k++) s += v[k] * i; c++; } "
          "while (c < n);"),
     "segment: v, 1 accesses, 0 carried"},
    {"five arrays",
     SEGMENT("s += v[k] * i + v[k + 1] + v[k + 2] + v[k + 3] + v[k + 4] + v[k + 5] + v[k + 6] + "
             "v[k + 7] + v[k + 8];"),
     "segment: v v v v v v v v, 8 accesses, 0 carried"},
};

static const struct transform_case declined[] = {
    {"no table", CASE("for (int k = 0; k < n; k++) s += v[k] * i;"), ""},
    {"down", CASE("for (int k = first[blockIdx.x + 1]; k > first[blockIdx.x]; k--) s += v[k] * i;"),
     "-: the loop does not go up by one from a first value to a last one"},
    {"by two",
     CASE("for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k += 2) s += v[k] * i;"),
     "-: the loop does not go up by one from a first value to a last one"},
    {"compared in another type",
     CASE("for (int k = first[blockIdx.x]; k < (long long)first[blockIdx.x + 1]; k++) s += v[k] * "
          "i;"),
     "-: the loop's iterator is compared in another type than its own"},
    {"a break", SEGMENT("{ if (v[k] > i) break; s += v[k]; }"),
     "-: the loop may be left early, and what is behind that is not sure to exist"},
    {"a return", SEGMENT("{ if (v[k] > i) return; s += v[k]; }"),
     "-: threads return from inside of the loop"},
    {"a barrier", SEGMENT("{ s += v[k] * i; __syncthreads(); }"), "-: threads meet in the loop"},
    {"segments of each thread",
     CASE("for (int k = first[i & 1023]; k < first[(i & 1023) + 1]; k++) s += v[k] * i;"),
     "-: the threads of a block go through different segments"},
    {"it is written", SEGMENT("{ s += v[k] * i; v[k + i] = 0; }"), "v: the kernel writes it"},
    {"another name",
     KERNEL("float *p, float *q", "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) "
                                  "{ s += p[k] * i; q[i] = s; }") RUN("v, v"),
     "p: what the kernel writes under another name may overlap it"},
    {"a parameter that is assigned",
     KERNEL(
         "float *p",
         "p += 1; for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += p[k] * i;")
         RUN("v"),
     "segment: p, 1 accesses, 0 carried"},
    {"a device variable", SEGMENT("s += plain[k & 63] * i;"), "plain: it is a device variable"},
    {"elements with a constructor",
     KERNEL("strange *p", "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += "
                          "p[k].x * i;") "void run(strange *p) { k<<<1024, 64>>>(p); }",
     "p: its element type cannot be copied"},
    {"not always, of unknown size",
     KERNEL("const float *__restrict__ p",
            "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) if (k != i) s += p[k] "
            "* i;") "void run(float *p) { k<<<1024, 64>>>(p); }",
     "p: not every iteration is sure to read it, and what is not read may not exist"},
    {"its own iterator changes", SEGMENT("{ s += v[k] * i; k += n; }"), ""},
    {"a value of the nest changes in the segment",
     CASE("int from = first[blockIdx.x], to = first[blockIdx.x + 1]; for (int k = from; k < to; "
          "k++) { s += v[k] * i; to--; }"),
     "-: the loop changes what its segment depends on"},
    {"iterations that leave something",
     CASE("int from = 0; for (int c = 0; c < n; c++) { for (int k = from; k < first[c + 1]; k++) s "
          "+= v[k] * i; from = first[c + 1]; }"),
     "-: it may be short, and others of its loop cannot be found at the same time"},
    {"a nest that is left early",
     CASE("for (int c = 0; c < n; c++) { if (first[c] < 0) break; for (int k = first[c]; k < "
          "first[c + 1]; k++) s += v[k] * i; }"),
     "-: it may be short, and others of its loop cannot be found at the same time"},
    {"much changes from segment to segment",
     CASE("for (int c = 0; c < n; c++) { float u1 = c, u2 = c * 2, u3 = c * 3, u4 = c * 4, u5 = c "
          "* 5; for (int k = first[c]; k < first[c + 1]; k++) s += v[k] * i * (u1 + u2 * u3 + u4 * "
          "u5); }"),
     "segment: v, 1 accesses, 0 carried"},
    {"each thread its own elements", SEGMENT("s += v[k + i];"), ""},
    {"not always, by a divisor of the launch", SEGMENT("if (k != i) s += v[k / n] * i;"),
     "v: not every iteration is sure to read it, and what is not read may not exist"},
    {"not always, a chosen element", SEGMENT("if (k != i) s += v[k > 3 ? k : 0] * i;"),
     "v: not every iteration is sure to read it, and what is not read may not exist"},
    {"not always, an element of a condition", SEGMENT("if (k != i) s += v[k > 3 && n] * i;"),
     "v: not every iteration is sure to read it, and what is not read may not exist"},
    {"not always, a divisor that is no number", SEGMENT("if (k != i) s += v[k % -3] * i;"),
     "v: not every iteration is sure to read it, and what is not read may not exist"},
    {"not always, by a table of unknown size",
     KERNEL("const int *__restrict__ t",
            "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) if (k != i) s += "
            "v[t[k]] * i;") "void run(int *t) { k<<<1024, 64>>>(t); }",
     "v: not every iteration is sure to read it, and what is not read may not exist; t: not every "
     "iteration is sure to read it, and what is not read may not exist"},
    {"under another condition in an expression", SEGMENT("s += k > 3 || i ? v[k] * i : 0;"),
     "segment: v guarded, 1 accesses, 0 carried"},
    {"a place told by a call", SEGMENT("s += v[twice(k)] * i;"), ""},
    {"a place told by an atomic operation", SEGMENT("s += v[k + atomicAdd(&index_of[0], 0)] * i;"),
     ""},
    {"a local that changes in the segment", SEGMENT("{ int at = k; at += n; s += v[at] * i; }"),
     ""},
    {"elements that are volatile",
     KERNEL("volatile float *p", "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) "
                                 "s += p[k] * i;") "void run(float *p) { k<<<1024, 64>>>(p); }",
     ""},
    {"pairs of an unnamed type",
     KERNEL(
         "int n",
         "for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += unnamed[k].x * i;")
         RUN("n"),
     "unnamed: its element type cannot be copied"},
    {"two short loops in one place",
     SEGMENT(
         "for (int d = 0; d < 3; d++) for (int e = 0; e < 2; e++) s += v[k * 6 + d * 2 + e] * i;"),
     ""},
    {"a long loop", SEGMENT("for (int d = 0; d < 99; d++) s += v[k * 99 + d] * i;"), ""},
    {"a loop that is left",
     SEGMENT("for (int d = 0; d < 3; d++) { s += v[k * 3 + d] * i; if (s > 3) break; }"), ""},
    {"a loop that goes on",
     SEGMENT("for (int d = 0; d < 3; d++) { if (s > 3) continue; s += v[k * 3 + d] * i; }"), ""},
    {"a loop by two", SEGMENT("for (int d = 0; d < 3; d += 2) s += v[k * 3 + d] * i;"), ""},
    {"no else", SEGMENT("{ if (k == i) { s += 1; } else { for (;;) { break; } } s += v[k] * i; }"),
     "segment: v, 1 accesses, 0 carried"},
    {"a warp operation", SEGMENT("{ s += v[k] * i; s += __shfl_sync(~0u, s, 0); }"),
     "-: threads meet in the loop"},
    {"a fence", SEGMENT("{ s += v[k] * i; __threadfence(); }"), "-: threads meet in the loop"},
    {"a function that waits", SEGMENT("{ s += v[k] * i; waits(); }"),
     "-: threads meet in the loop"},
    {"a switch in it that is left",
     SEGMENT("{ switch (k & 1) { case 0: s += v[k] * i; break; default: s += 1; } }"),
     "segment: v guarded, 1 accesses, 0 carried"},
    {"an iterator whose address is taken",
     CASE("int k; const int *where = &k; for (k = first[blockIdx.x]; k < first[blockIdx.x + 1]; "
          "k++) s += v[k] * i + *where;"),
     ""},
    {"a wide iterator",
     CASE("for (long long k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += v[k] * i;"),
     "segment: v, 1 accesses, 0 carried"},
    {"another condition",
     CASE("for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1] && n; k++) s += v[k] * i;"),
     ""},
    {"bounds that differ",
     CASE("for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1] + i; k++) s += v[k] * i;"),
     "-: the threads of a block go through different segments"},
    {"beginnings that differ",
     CASE("for (int k = first[blockIdx.x] + i; k < first[blockIdx.x + 1]; k++) s += v[k] * i;"),
     "-: the threads of a block go through different segments"},
    {"under an else",
     CASE("if (n > 3) s = 1; else for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) "
          "s += v[k] * i;"),
     "segment: v, 1 accesses, 0 carried"},
    {"a nest that changes what its segments depend on",
     CASE("int *from = 0; for (int c = 0; c < n; c++) { from += 1; for (int k = first[c]; k < "
          "first[c + 1]; k++) s += v[k] * i + (from != 0); }"),
     "-: it may be short, and others of its loop cannot be found at the same time"},
    {"a record goes from segment to segment",
     CASE("for (int c = 0; c < n; c++) { atom e = atoms[c]; for (int k = first[c]; k < first[c + "
          "1]; k++) s += v[k] * i + e.x; }"),
     "segment: v, 1 accesses, 0 carried"},
    {"a flag goes from segment to segment",
     CASE("for (int c = 0; c < n; c++) { bool odd = c & 1; const float *q = v + c; for (int k = "
          "first[c]; k < first[c + 1]; k++) s += v[k] * i + (odd ? *q : 0); }"),
     "nest of 1: v, 1 accesses, 2 carried"},
    {"nests in nests",
     CASE("for (int a = 0; a < n; a++) for (int b = 0; b < n; b++) for (int c = 0; c < n; c++) for "
          "(int d = 0; d < n; d++) for (int e = 0; e < n; e++) for (int k = first[a + b + c + d + "
          "e]; k < first[a + b + c + d + e + 1]; k++) s += v[k] * i;"),
     "nest of 4: v, 1 accesses, 0 carried"},
};

static const struct transform_case planned[] = {
    {"a segment that is built", SEGMENT("s += v[k] * i;"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than "
     "32, 1024 bytes"},
    {"a nest that is built", NEST("s += v[k] * i;"),
     "with strips of segments in shared memory: v, 256 elements at a time of all segments of the "
     "loops "
     "around it, 1800 bytes"},
    {"in a switch",
     CASE("switch (n) { case 1: for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s "
          "+= v[k] * i; }"),
     ""},
    {"behind an early return",
     CASE("if (i >= n) return; int at = i; float h = out[i]; const float w = v[i] * 2; for (int k "
          "= first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += v[k] * at * w + h; h += 1; "
          "at++; out[i] = h + at;"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"in an if that threads take apart, with an else",
     CASE(
         "if (i & 1) { int l = i, m = 2; float q = v[i]; l += m; for (int k = first[blockIdx.x]; k "
         "< first[blockIdx.x + 1]; k++) s += v[k] * l + q; s += l; } else { s = v[i]; s *= 2; }"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"in the else",
     CASE("if (i & 1) { s = v[i]; } else for (int k = first[blockIdx.x]; k < first[blockIdx.x + "
          "1]; k++) s += v[k] * i;"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"in a loop of other lengths",
     CASE("for (int c = i; c < n; c += 7) { for (int k = first[blockIdx.x]; k < first[blockIdx.x + "
          "1]; k++) s += v[k] * c; s += 1; }"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"in a while loop of other lengths",
     CASE("int c = i; while (c < n) { for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; "
          "k++) s += v[k] * c; c += 3; }"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"in a do loop of other lengths",
     CASE("int c = i; do { for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += "
          "v[k] * c; c += 3; } while (c < n);"),
     "nothing is staged in strips of a segment in 'k': threads leave a loop around it at different "
     "times"},
    {"in a while loop of one length",
     CASE("int c = 0; while (c < n) { for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; "
          "k++) s += v[k] * i; if (i & 1) s += 2; c += 3; }"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"in a loop that some leave",
     CASE("for (int c = 0; c < n; c++) { if (out[i] > c) break; for (int k = first[blockIdx.x]; k "
          "< first[blockIdx.x + 1]; k++) s += v[k] * c; }"),
     "nothing is staged in strips of a segment in 'k': threads leave a loop around it at different "
     "times"},
    {"in a loop that all leave",
     CASE("for (int c = 0; c < n; c++) { if (n > 99) break; for (int k = first[blockIdx.x]; k < "
          "first[blockIdx.x + 1]; k++) s += v[k] * i; }"),
     "nothing is staged in strips of this segment in 'k': it may be short, and others of its loop "
     "cannot be found at the same time"},
    {"in a loop of other lengths that is left",
     CASE("for (int c = i; c < n; c++) { if (n > 99) break; for (int k = first[blockIdx.x]; k < "
          "first[blockIdx.x + 1]; k++) s += v[k] * i; }"),
     "nothing is staged in strips of a segment in 'k': threads leave a loop around it at different "
     "times"},
    {"in a loop that goes on",
     CASE("for (int c = 0; c < n; c++) { if (out[i] > c) continue; for (int k = first[blockIdx.x]; "
          "k < first[blockIdx.x + 1]; k++) s += v[k] * c; }"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"a loop without a condition",
     CASE("for (int c = i;; c++) { if (c > n) break; for (int k = first[blockIdx.x]; k < "
          "first[blockIdx.x + 1]; k++) s += v[k] * c; }"),
     "nothing is staged in strips of a segment in 'k': threads leave a loop around it at different "
     "times"},
    {"returns inside",
     CASE("for (int c = 0; c < n; c++) { if (out[i] > c) { out[i] = 0; return; } for (int k = "
          "first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += v[k] * c; }"),
     "nothing is staged in strips of a segment in 'k': threads return from inside a loop or a "
     "nested statement"},
    {"a barrier beside it",
     CASE("if (i < n) { __syncthreads(); for (int k = first[blockIdx.x]; k < first[blockIdx.x + "
          "1]; k++) s += v[k] * i; }"),
     "nothing is staged in strips of a segment in 'k': threads that do not come to a barrier or "
     "warp operation may have ended when it goes on"},
    {"a barrier in the other branch",
     CASE("if (i < n) { for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += v[k] "
          "* i; } else { waits(); }"),
     "nothing is staged in strips of a segment in 'k': threads that do not come to a barrier or "
     "warp operation may have ended when it goes on"},
    {"a vote in the condition",
     CASE("if (__any_sync(~0u, i < n) && i < n) { for (int k = first[blockIdx.x]; k < "
          "first[blockIdx.x + 1]; k++) s += v[k] * i; }"),
     "nothing is staged in strips of a segment in 'k': threads leave a loop around it at different "
     "times"},
    {"a vote in the condition of a loop",
     CASE("for (int c = i; __any_sync(~0u, c < n); c++) { for (int k = first[blockIdx.x]; k < "
          "first[blockIdx.x + 1]; k++) s += v[k] * i; }"),
     "nothing is staged in strips of a segment in 'k': threads leave a loop around it at different "
     "times"},
    {"a value of a vote",
     CASE("if (i < n) { int any = __any_sync(~0u, s > 0); for (int k = first[blockIdx.x]; k < "
          "first[blockIdx.x + 1]; k++) s += v[k] * i * any; }"),
     "nothing is staged in strips of a segment in 'k': threads that do not come to a barrier or "
     "warp operation may have ended when it goes on"},
    {"records and pointers in front of it",
     CASE("if (i < n) { atom e = atoms[i]; const float *q = &v[i]; bool odd = out[i] > 3; float "
          "r[2] = {v[i], 2}; int b{out[i] > 2}; for (int k = first[blockIdx.x]; k < "
          "first[blockIdx.x + 1]; k++) s += v[k] * i + e.x + *q + odd + r[1] + b; }"),
     "nothing is staged in strips of a segment in 'k': a variable beside the loop cannot be "
     "declared for all threads"},
    {"records in front of it",
     CASE("if (i < n) { atom e = atoms[i]; const float *q = &v[i]; bool odd = out[i] > 3; double "
          "wide = out[i]; for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += "
          "v[k] * i + e.x + *q + odd + wide; }"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
    {"a reference in front of it",
     CASE("if (i < n) { float &e = out[i]; for (int k = first[blockIdx.x]; k < first[blockIdx.x + "
          "1]; k++) s += v[k] * i + e; }"),
     "nothing is staged in strips of a segment in 'k': a variable beside the loop cannot be "
     "declared for all threads"},
    {"a number that decides changes",
     CASE("int m = n; if (i < 3) { m++; for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; "
          "k++) s += v[k] * i; } if (m > 3) for (int k = first[blockIdx.x]; k < first[blockIdx.x + "
          "1]; k++) s += v[k];"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes; v, 256 elements at a time of a segment of more than 32, 1024 bytes"},
    {"a number that decides changes in the other branch",
     CASE("int m = first[blockIdx.x + 1]; if (i < n) { for (int k = first[blockIdx.x]; k < m; k++) "
          "s += v[k] * i; } else { m--; }"),
     "nothing is staged in strips of this segment in 'k': the threads of a block go through "
     "different segments"},
    {"a block of its own",
     CASE("{ int l = i; { for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++) s += "
          "v[k] * l; } }"),
     "with strips of segments in shared memory: v, 256 elements at a time of a segment of more "
     "than 32, 1024 bytes"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(planned, look_plan)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
