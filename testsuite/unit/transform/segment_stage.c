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
  "__device__ float plain[64]; __device__ int twice(int i) { return 2 * i; }\n"
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
     "p: the kernel assigns its parameter"},
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
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(planned, look_plan)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
