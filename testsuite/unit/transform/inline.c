/* SPDX-License-Identifier: MIT */
/* inline.c - calls of device functions: which become a body or a value, as what, and which stay. */
#include "analysis/transform/inline/inline.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[4096], b[4096], m[64][64]; __global__ int t[4096];\n" \
  "__device__ float at(const float *p, int i) { return p[i]; }\n" \
  "__device__ int clamped(int i, int n) { if (i < 0) return 0; if (i >= n) return n - 1; return " \
  "i; }\n" \
  "__device__ double wide(const float *p, int i) { return p[i]; }\n" \
  "__device__ float sum(const float *p, int n) { float s = 0; for (int k = 0; k < n; k++) s += " \
  "p[k]; return s; }\n" \
  "__device__ float down(const float *p, int n) { float s = 0; while (n) s += p[--n]; return s; " \
  "}\n" \
  "__device__ void put(float *p, int i, float v) { if (v < 0) { p[i] = 0; return; } p[i] = v; }\n" \
  "__device__ int find(const int *p, int v) { for (int k = 0; k < 9; k++) if (p[k] == v) return " \
  "k; return 9; }\n" \
  "__device__ float taken(float *p, int i) { float v = p[i]; p[i] = 0; return v; }\n" \
  "__device__ float named(int i) { return a[i]; }\n" \
  "__device__ int down_to(const int *p, int n) { return n ? down_to(p, n - 1) : p[0]; }\n" \
  "__device__ __noinline__ float apart(const float *p) { return p[0]; }\n" \
  "__device__ float shared(const float *p) { __shared__ float s[4]; s[0] = p[0]; return s[0]; }\n" \
  "__device__ void add(float &to, const float *p, int i) { to += p[i]; }\n" \
  "namespace other { __device__ float at(const float *p, int i) { return p[i + 1]; } }\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<32, 128>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")

/* A line without its implicit conversions. */
static void show_line(const char *line, size_t length, struct text *shown)
{
  const char *const end = line + length, *const conversion = "convert<";

  for (line += strspn(line, " "); line < end; line++)
    if (!strncmp(line, conversion, strlen(conversion)))
      line = strchr(line, '>');
    else
      text_format(shown, "%c", *line);
}

/* Lines of the code as it prints, from the one that sets the kernel's index on. */
static void show_body(struct subject *s, struct text *shown)
{
  struct text printed = {0};
  const char *line;

  ir_print_function(&printed, s->code.facts.kernel);
  line = strstr(text_string(&printed), "threadIdx");
  for (line = line ? strchr(line, '\n') + 1 : ""; *line && *line != '}'; line += *line == '\n') {
    size_t length = strcspn(line, "\n");
    text_add(shown, *text_string(shown) ? "; " : "");
    show_line(line, length, shown);
    line += length;
  }
  text_finish(&printed);
}

/* The code, or why calls stay. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  unsigned count = inline_calls(&draft);

  s->code = draft.code;
  if (count)
    show_body(s, shown);
  else
    transform_show_decisions(s, DECISION_FORM, shown);
}

static const struct transform_case found[] = {
    {"a reference for a result",
     "__device__ float &place(float *p, int j) { return p[j]; }\n" CASE("place(b, i) = 1;"),
     "((b)[i] = (1))"},
    {"another namespace, whose names it does not use", CASE("b[i] = other::at(a, i);"),
     "((b)[i] = ((a))[(i + 1)])"},
    {"the size of a parameter",
     "__device__ int size(const float *p) { return sizeof(p); }\n" CASE("t[i] = size(a);"),
     "((t)[i] = cast<int>(8))"},
    {"a load", CASE("b[i] = at(a, i + 1);"), "((b)[i] = ((a))[(i + 1)])"},
    {"a clamp", CASE("b[i] = a[clamped(i - 1, n)];"),
     "((b)[i] = (a)[(((i - 1) < 0) ? 0 : (((i - 1) >= n) ? (n - 1) : (i - 1)))])"},
    {"under a condition", CASE("b[i] = i < n && at(a, i) > 0 ? 1 : 0;"),
     "((b)[i] = ((((i < n) && (((a))[i] > (0))) ? 1 : 0)))"},
    {"a value in its type", CASE("b[i] = wide(a, i) / 3;"),
     "((b)[i] = ((cast<double>(((a))[i]) / (3))))"},
    {"a loop", CASE("b[i] = sum(a, n) + 1;"),
     "var s: float = (0); for [k from 0 while < n step 1]; (s += (a[k])); ((b)[i] = (s + (1)))"},
    {"a pointer of its own", CASE("b[i] = sum(m[i], n);"),
     "var p: const float * = (((m)[i])); var s: float = (0); for [k from 0 while < n step 1]; (s "
     "+= (p[k])); ((b)[i] = s)"},
    {"a parameter that changes", CASE("b[i] = down(a, n);"),
     "var n_2: int = n; var s: float = (0); while (n_2); (s += (a[--n_2])); ((b)[i] = s)"},
    {"an early return", CASE("put(b, i, 3);"),
     "var v: float = (3); if (v < (0)); (b[i] = (0)); else; (b[i] = v)"},
    {"an effect that is all", CASE("b[i] = taken(a, i);"),
     "var v: float = a[i]; (a[i] = (0)); ((b)[i] = v)"},
    {"an array named inside", CASE("b[i] = named(i);"), "((b)[i] = (a)[i])"},
    {"a reference", CASE("float s = 0; add(s, a, i); b[i] = s;"),
     "var s: float = (0); (s += (a[i])); ((b)[i] = s)"},
    {"a void value",
     "__device__ void both(float *p, int i) { return put(p, i, 1); }\n" CASE("both(b, i);"),
     "var v: float = (1); if (v < (0)); (b[i] = (0)); else; (b[i] = v)"},
    {"two returns",
     "__device__ float pick(float *p, int j) { float s = p[j]; p[j] = 0; if (j) return s; else "
     "return s + 1; }\n" CASE("b[i] = pick(a, n);"),
     "var _pick: float; var s: float = a[n]; (a[n] = (0)); if (n); (_pick = s); else; (_pick = (s "
     "+ (1))); ((b)[i] = _pick)"},
    {"an empty arm",
     "__device__ float arm(float *p, int j) { float s = p[j]; if (j < 3) { } else return s; p[0] = "
     "s; return 2; }\n" CASE("b[i] = arm(a, n);"),
     "var _arm: float; var s: float = a[n]; if (n < 3); (a[0] = s); (_arm = cast<float>(2)); else; "
     "(_arm = s); ((b)[i] = _arm)"},
    {"a return of nothing",
     "__device__ void ends(float *p, int j) { if (j) return; p[j] = 1; }\n" CASE("ends(b, i);"),
     "if !(i); (b[i] = (1))"},
    {"a return of nothing in an else",
     "__device__ void ends(float *p, int j) { if (j) p[0] = 2; else return; p[j] = 1; }\n" CASE(
         "ends(b, i);"),
     "if (i); (b[0] = (2)); (b[i] = (1))"},
    {"a block in a body",
     "__device__ float inner(const float *p, int j) { float s = 0; { float r = p[j]; s = r * r; if "
     "(s > 3) return s; } s += p[0]; return s; }\n" CASE("b[i] = inner(a, n);"),
     "var _inner: float; var s: float = (0); var r: float = (a[n]); (s = (r * r)); if (s > (3)); "
     "(_inner = s); else; (s += (a[0])); (_inner = s); ((b)[i] = _inner)"},
    {"a local of the kernel's name",
     "__device__ float own(const float *p, int j) { int i = j + 1; float s = 0; for (; i < 9; i++) "
     "s += p[i]; return s; }\n" CASE("b[i] = own(a, n);"),
     "var i_2: int = (n + 1); var s: float = (0); for [i_2 from current while < 9 step 1]; (s += "
     "(a[i_2])); ((b)[i] = s)"},
    {"a number for a parameter", CASE("b[i] = sum(a, 3);"),
     "var s: float = (0); for [k from 0 while < 3 step 1]; (s += (a[k])); ((b)[i] = s)"},
    {"a body in a body",
     "__device__ float twice(const float *p, int j) { float s = sum(p, j); return s + sum(p + 1, "
     "j); }\n" CASE("b[i] = twice(a, n);"),
     "var s_2: float = (0); for [k from 0 while < n step 1]; (s_2 += (a[k])); var s: float = s_2; "
     "var p: const float * = (a + 1); var s_2_2: float = (0); for [k_2 from 0 while < n step 1]; "
     "(s_2_2 += (p[k_2])); ((b)[i] = (s + s_2_2))"},
    {"all of a statement",
     "__device__ float seen(float *p, int j) { float s = p[j]; p[j] = 1; return s; }\n" CASE(
         "seen(b, i);"),
     "var s: float = b[i]; (b[i] = (1))"},
    {"a parameter without a name",
     "__device__ float bare(float *p, int) { float s = p[0]; p[0] = 1; return s; }\n" CASE(
         "b[i] = bare(a, 1);"),
     "var s: float = a[0]; (a[0] = (1)); ((b)[i] = s)"},
    {"a choice in an else",
     "__device__ float pick(const float *p, int j) { if (j < 3) { return p[0]; } else { ; return "
     "p[j]; } }\n" CASE("b[i] = pick(a, n);"),
     "((b)[i] = ((n < 3) ? ((a))[0] : ((a))[n]))"},
    {"a truth",
     "__device__ bool more(const float *p, int j) { return p[j]; }\n" CASE(
         "b[i] = more(a, i) ? 1 : 2;"),
     "((b)[i] = ((cast<bool>(((a))[i]) ? 1 : 2)))"},
    {"a value twice that is loaded",
     "__device__ float square(const float *p, float v) { return v * v + p[0]; }\n" CASE(
         "b[i] = square(a, a[i]);"),
     "var v: float = (a)[i]; ((b)[i] = ((v * v) + (a[0])))"},
    {"a value twice that is cheap",
     "__device__ float near(const float *p, int j) { return p[j] + p[j + 1]; }\n" CASE(
         "b[i] = near(a, i * 2);"),
     "((b)[i] = ((((a))[(i * 2)]) + (((a))[((i * 2) + 1)])))"},
    {"an argument with an effect",
     "__device__ float one(const float *p, int j) { return p[j]; }\n" CASE(
         "b[i] = one(a, t[i]++);"),
     "var j: int = (t)[i]++; ((b)[i] = a[j])"},
    {"a value within a value",
     "__device__ float two(const float *p, int j) { return at(p, j) + at(p, j + 1); }\n" CASE(
         "b[i] = two(a, i);"),
     "((b)[i] = (((a))[i] + ((a))[(i + 1)]))"},
    {"a value that computes",
     "__device__ float root(const float *p, int j) { return sqrtf(p[j]) + clamped(j, 9); }\n" CASE(
         "b[i] = root(a, i);"),
     "((b)[i] = (sqrtf((((a))[i])) + (((i < 0) ? 0 : ((i >= 9) ? (9 - 1) : i)))))"},
    {"a pointer of another type",
     "__device__ float raw(const void *p, int j) { return ((const float *)p)[j]; }\n" CASE(
         "b[i] = raw(a, i);"),
     "((b)[i] = cast<const float *>(a)[i])"},
    {"a reference to a number",
     "__device__ float by(const float *p, const int &j) { return p[j]; }\n" CASE(
         "b[i] = by(a, n);"),
     "((b)[i] = ((a))[(n)])"},
    {"a parameter that is assigned",
     "__device__ float next(const float *p, int j) { return p[++j]; }\n" CASE("b[i] = next(a, i);"),
     "var j: int = i; ((b)[i] = a[++j])"},
    {"a constant for a parameter",
     "__constant__ float w[9]; __device__ float weight(const float *p, int j) { return w[j] * "
     "p[j]; }\n" CASE("b[i] = weight(a, 3);"),
     "((b)[i] = ((w)[3] * (((a))[3])))"},
    {"many returns",
     "__device__ float many(const float *p, int j) { if (j == 1) return p[1]; if (j == 2) return "
     "p[2]; if (j == 3) return p[3]; if (j == 4) return p[4]; if (j == 5) return p[5]; if (j == 6) "
     "return p[6]; if (j == 7) return p[7]; if (j == 8) return p[8]; if (j == 9) return p[9]; "
     "return p[0]; }\n" CASE("b[i] = many(a, n);"),
     "var _many: float; if (n == 1); (_many = a[1]); else; if (n == 2); (_many = a[2]); else; if "
     "(n == 3); (_many = a[3]); else; if (n == 4); (_many = a[4]); else; if (n == 5); (_many = "
     "a[5]); else; if (n == 6); (_many = a[6]); else; if (n == 7); (_many = a[7]); else; if (n == "
     "8); (_many = a[8]); else; if (n == 9); (_many = a[9]); else; (_many = a[0]); ((b)[i] = "
     "_many)"},
    {"an effect in the index beside",
     "__device__ float sees(float *p, int j) { float v = p[j]; p[j] = 2; return v; }\n" CASE(
         "b[i] += sees(a, n);"),
     "var v: float = a[n]; (a[n] = (2)); ((b)[i] += v)"},
    {"two readers in a statement", CASE("b[i] = sum(a, n) + sum(a + 3, n);"),
     "var s: float = (0); for [k from 0 while < n step 1]; (s += (a[k])); var p: const float * = "
     "(((a) + 3)); var s_2: float = (0); for [k_2 from 0 while < n step 1]; (s_2 += (p[k_2])); "
     "((b)[i] = (s + s_2))"},
};

static const struct transform_case declined[] = {
    {"numbers only", CASE("b[i] = sqrtf(i);"), ""},
    {"a return in a loop", CASE("t[i] = find(t, n);"),
     "-: it returns from inside a loop or a switch"},
    {"recursion", CASE("t[i] = down_to(t, n);"), ""},
    {"noinline", CASE("b[i] = apart(a);"), "-: it is marked as noinline"},
    {"shared memory", CASE("b[i] = shared(a);"), "-: it has shared or static variables of its own"},
    {"a loop in a condition", CASE("b[i] = i < n ? sum(a, n) : 0;"),
     "-: it is under a condition, or in the head of a loop"},
    {"a loop in the head of a loop", CASE("for (int k = 0; k < sum(a, n); k++) b[i] += k;"),
     "-: it is in the head of a loop"},
    {"an effect beside", CASE("b[i] = taken(a, i) + a[i];"),
     "-: it has an effect, and its statement does more than to take its value"},
    {"an effect before", CASE("b[i] = n++ + sum(a, 3);"),
     "-: another part of the statement that calls has an effect of its own"},
    {"a hidden name", CASE("int a = 3; b[i] = named(i) + a;"),
     "-: a name in it means something else in the kernel"},
    {"a reference to an element", CASE("add(b[i], a, i);"),
     "-: a parameter refers to more than a local"},
    {"a name of another namespace",
     "namespace other { __device__ float own[4]; __device__ float from(const float *p, int i) { "
     "return own[i] + p[i]; } }\n" CASE("b[i] = other::from(a, i);"),
     "-: it belongs to another namespace"},
    {"an unknown function",
     "__device__ float far(float *p); __device__ float calls(float *p) { return far(p); }\n" CASE(
         "b[i] = calls(a);"),
     "-: it calls a function whose effects are not known"},
    {"two ways past an if",
     "__device__ float ways(float *p, int j) { float s = 1; if (j) { if (j > 3) return s; p[j] = "
     "3; } s += p[j]; return s; }\n" CASE("b[i] = ways(a, n);"),
     "-: there are two ways past an if that may return"},
    {"a return in a switch",
     "__device__ int sw(int *p, int j) { p[j] = 1; switch (j) { case 1: return 3; default: return "
     "4; } }\n" CASE("t[i] = sw(t, n);"),
     "-: it returns from inside a loop or a switch"},
    {"a reference of its own",
     "__device__ float ref(float *p) { float &r = p[0]; r = 1; return r; }\n" CASE(
         "b[i] = ref(a);"),
     "-: it has a part that is not understood"},
    {"a long one",
     "\n#define TEN(x) x x x x x x x x x x\n__device__ float late(float *p) { TEN(TEN(TEN(p[0] += "
     "1;))) return p[0]; }\n" CASE("b[i] = late(a);"),
     "-: it is too long"},
    {"something printed",
     "__device__ int says(int j) { printf(\"%d\", j); return j; }\n" CASE("t[i] = says(n) + 1;"),
     "-: it has an effect, and its statement does more than to take its value"},
    {"one that writes, in the head", CASE("for (int k = 0; taken(a, k) > 0; k++) b[i] = k;"),
     "-: it has an effect, and its statement does more than to take its value"},
    {"one that writes, under a condition", CASE("b[i] = n > 3 ? taken(a, i) : 0;"),
     "-: it is under a condition, or in the head of a loop"},
    {"a volatile parameter",
     "__device__ float vol(float *p, volatile int v) { float s = p[v]; p[v] = 1; return s; "
     "}\n" CASE("b[i] = vol(a, n);"),
     "-: a parameter of it has no name, or a type that the kernel cannot name"},
    {"a barrier inside",
     "__device__ float meets(float *p, int j) { p[j] = 1; __syncthreads(); return p[j + 1]; "
     "}\n" CASE("b[i] = meets(a, i) + 1;"),
     "-: it has an effect, and its statement does more than to take its value"},
    {"an effect in the place",
     "__device__ float sees(float *p, int j) { float v = p[j]; p[j] = 2; return v; }\n" CASE(
         "b[t[i]++] = sees(a, n);"),
     "-: it has an effect, and its statement does more than to take its value"},
    {"deep below it is printed",
     "__device__ int d0(int j) { printf(\"x\"); return j; } __device__ int d1(int j) { return "
     "d0(j); } __device__ int d2(int j) { return d1(j); } __device__ int d3(int *p, int j) { int v "
     "= p[d2(j)]; return v; }\n" CASE("t[i] = d3(t, i) + 1;"),
     "-: it has an effect, and its statement does more than to take its value"},
};

#define VIEW \
  "struct base { float *p; int n; __device__ float &first() const { return p[0]; } };\n" \
  "struct view : base { int m;\n" \
  "  __device__ float row(int r) const { float s = 0; for (int k = 0; k < m; k++) s += p[r * m + " \
  "k]; return s; }\n" \
  "  __device__ void put(int r, float v) const { if (r < n) p[r] = v; }\n" \
  "  __device__ int next() { m++; return m; }\n" \
  "  __device__ void twice(int &r) { m += r; r++; m *= 2; }\n" \
  "  __device__ int again() const { return m ? again() : 0; }\n" \
  "  __device__ int way(float *w) const { asm(\"\"); return m; } };\n" \
  "struct plain { int m, n;\n" \
  "  __device__ int next() { m++; return m; }\n" \
  "  __device__ void twice(int &r) { m += r; r++; m *= 2; }\n" \
  "  __device__ void take(plain o) { m = 1; n = o.m; } };\n"
#define METHOD(body) \
  VIEW KERNEL("view v, plain q, plain *r, int n", \
              body) "void run(int n) { k<<<32, 128>>>(view(), plain(), (plain *)a, n); }"

static void look_at_methods(struct subject *s, struct text *shown)
{
  inline_methods(s->code.unit);
  s->code.facts.kernel = s->code.kernel;
  show_body(s, shown);
}

static const struct transform_case methods[] = {
    {"a loop", METHOD("b[i] = v.row(i);"),
     "var s: float = (0); for [k from 0 while < (v.m) step 1]; (s += (v.p)[((i * (v.m)) + k)]); "
     "((b)[i] = s)"},
    {"an effect on memory", METHOD("v.put(i, 1);"),
     "var v_2: float = (1); if (i < (v.n)); ((v.p)[i] = v_2)"},
    {"an effect on a local", METHOD("plain w = {1, 2}; t[i] = t[n] + w.next();"),
     "var w: case_2::plain = list(1, 2); w.m++; ((t)[i] = ((t)[n] + w.m))"},
    {"... that is named beside it", METHOD("plain w = {1, 2}; t[i] = w.m + w.next();"),
     "var w: case_3::plain = list(1, 2); ((t)[i] = (w.m + unknown next(w)))"},
    {"an element", METHOD("t[i] = r[i].next();"), "r[i].m++; ((t)[i] = r[i].m)"},
    {"an element whose index changes", METHOD("int j = i; r[j].twice(j); t[i] = j;"),
     "var j: int = i; unknown twice(r[j], j); ((t)[i] = j)"},
    {"a copy of the object", METHOD("plain w = {1, 2}; w.take(w); t[i] = w.n;"),
     "var w: case_6::plain = list(1, 2); var o: case_6::plain = (w); (w.m = 1); (w.n = o.m); "
     "((t)[i] = w.n)"},
    {"one that calls itself", METHOD("t[i] = v.again();"), "((t)[i] = unknown again((v)))"},
    {"one that is not understood", METHOD("t[i] = v.way(a);"), "((t)[i] = unknown way((v), (a)))"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(methods, look_at_methods)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }
