/* SPDX-License-Identifier: MIT */
/* loop_forms.c - loops that count in other forms, and what they step besides: which get another
 * form, which one, and which stay. */
#include "analysis/transform/loop_forms/loop_forms.h"

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "__global__ float a[4096], b[4096]; __global__ int t[4096];\n"
#define CASE(body) \
  "__global__ void k(float *p, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; " \
  "float s = 0; " body " b[i] = s; }\n" \
  "void run(int n, int m, float *p) { k<<<32, 128>>>(p, n, m); }"

static void look(struct subject *s, struct text *shown)
{
  transform_show_form(s, plan_loop_forms,
                      (const char *[]){"for ", "while ", "s = (s", "s += ", "_from_", "_j", NULL},
                      shown);
}

static const struct transform_case heads[] = {
    {"while", CASE("int k = 0; while (k < n) { s += a[k]; k++; }"),
     "for [k from 0 while < n step 1]; (s += (a)[k])"},
    {"while with a step of its own", CASE("int k = 1; while (k <= n) { s += a[k]; k += 2; }"),
     "for [k from 1 while <= n step 2]; (s += (a)[k])"},
    {"endless, with a break", CASE("for (int k = 0;; k++) { if (k >= n) break; s += a[k]; }"),
     "for [k from 0 while < n step 1]; (s += (a)[k])"},
    {"while true", CASE("int k = 0; while (true) { if (n <= k) break; s += a[k]; k++; }"), "stays"},
    {"while true, k first", CASE("int k = 0; while (1) { if (k == n) break; s += a[k]; ++k; }"),
     "for [k from 0 while < n step 1]; (s += (a)[k])"},
    {"without a beginning", CASE("int k = 0; for (; k < n; k++) s += a[k];"),
     "for [k from 0 while < n step 1]; (s += (a)[k])"},
    {"unequal", CASE("for (int k = 2; k != n; k++) s += a[k];"),
     "for [k from 2 while < n step 1]; (s += (a)[k])"},
    {"unequal, without a sign", CASE("for (unsigned k = 0; k != (unsigned)n; k++) s += a[k];"),
     "for [k from (0) while < cast<unsigned int>((n)) step 1]; (s += (a)[k])"},
    {"endless, as a block", CASE("for (int k = 0;; k++) { if (k >= n) { break; } s += a[k]; }"),
     "for [k from 0 while < n step 1]; (s += (a)[k])"},
    {"endless, 1 for true", CASE("for (int k = 0; 1; k++) { if (k >= 9) break; s += a[k]; }"),
     "for [k from 0 while < 9 step 1]; (s += (a)[k])"},
    {"a number assigned in front", CASE("int k; k = 3; while (k < n) { s += a[k]; k = k + 2; }"),
     "for [k from 3 while < n step 2]; (s += (a)[k])"},
    {"two counters in front", CASE("int j = 1, k = 2; while (k < n) { s += a[k + j]; k++; }"),
     "for [k from 2 while < n step 1]; (s += (a)[(k + j)])"},
    {"unequal, an end in the head", CASE("for (int k = 0, e = n; k != e; k++) s += a[k];"),
     "for [k from 0 while < e step 1]; (s += (a)[k])"},
};

static const struct transform_case walks[] = {
    {"a row by a pointer", CASE("const float *q = p + i * n, *e = q + n; while (q < e) s += *q++;"),
     "var _from_q: const float * = ((p + (i * n))); for [_at_q from 0 while < n step 1]; (s += "
     "(_from_q[_at_q]))"},
    {"for, unequal", CASE("for (const float *q = p; q != p + n; ++q) s += *q;"),
     "var _from_q: const float * = (p); for [_at_q from 0 while < n step 1]; (s += "
     "(_from_q[_at_q]))"},
    {"the end first", CASE("const float *q = p, *e = &p[m]; while (e > q) { s += *q; q++; }"),
     "var _from_q: const float * = (p); for [_at_q from 0 while < m step 1]; (s += "
     "(_from_q[_at_q]))"},
    {"two steps in the head", CASE("const float *q = p; for (int k = 0; k < n; k++, q++) s += *q;"),
     "var _from_q: const float * = (p); for [k from 0 while < n step 1]; (s += (_from_q[k]))"},
    {"an end that changes",
     CASE("const float *q = p, *e = q + n; while (q < e) { s += *q++; e--; }"), "stays"},
    {"unequal, left before",
     CASE("const float *q = p, *e = q + n; while (q != e) { if (s > 9) break; s += *q++; }"),
     "stays"},
    {"a step that a continue skips",
     CASE("const float *q = p, *e = q + n; while (q < e) { if (s > 9) { s = 0; continue; } s += "
          "*q++; }"),
     "stays"},
    {"two steps", CASE("const float *q = p, *e = q + n; while (q < e) { s += *q++; q++; }"),
     "stays"},
    {"a start that has moved",
     CASE("const float *q = p, *e = q + n; q++; while (q < e) s += *q++;"), "stays"},
    {"a number that has changed",
     CASE("int h = m; const float *q = p, *e = q + h; h = t[0]; while (q < e) s += "
          "*q++; s += h;"),
     "stays"},
    {"another array", CASE("const float *q = p, *e = a + n; while (q < e) s += *q++;"), "stays"},
};

static const struct transform_case windows[] = {
    {"around the thread's place", CASE("for (int j = i - 2; j <= i + 2; j++) s += a[j];"),
     "for [_at_j from 0 while < 5 step 1]; var _j: int = ((i - 2) + _at_j); (s += (a)[_j])"},
    {"cut off", CASE("for (int j = max(0, i - 2); j < min(4096, i + 3); j++) s += a[j];"),
     "for [_at_j from 0 while < 5 step 1]; var _j: int = ((i - 2) + _at_j); if ((_j >= 0) && (_j < "
     "4096)); (s += (a)[_j])"},
    {"cut off by a choice",
     CASE("int e = i + 3 >= 4096 ? 4095 : i + 3; for (int j = i; j <= e; j++) s += a[j];"),
     "for [_at_j from 0 while < 4 step 1]; var _j: int = (i + _at_j); if (_j <= 4095); (s += "
     "(a)[_j])"},
    {"a length of the launch", CASE("for (int j = i; j < i + m; j++) s += p[j];"),
     "for [_at_j from 0 while < m step 1]; var _j: int = (i + _at_j); (s += p[_j])"},
    {"a thread's run", CASE("for (int j = i * m; j < (i + 1) * m; j++) s += p[j];"),
     "for [_at_j from 0 while < m step 1]; var _j: int = ((i * m) + _at_j); (s += p[_j])"},
    {"ends in locals", CASE("int f = i - m / 2, e = f + m; for (int j = f; j < e; j++) s += p[j];"),
     "for [_at_j from 0 while < m step 1]; var _j: int = (f + _at_j); (s += p[_j])"},
    {"by steps of two", CASE("for (int j = i; j < i + 9 && j < 4000; j += 2) s += a[j];"),
     "for [_at_j from 0 while < 9 step 2]; var _j: int = (i + _at_j); if (_j < 4000); (s += "
     "(a)[_j])"},
    {"cut off, of any length", CASE("for (int j = i; j < i + m && j < 4000; j++) s += a[j];"),
     "stays"},
    {"twice a parameter", CASE("for (int j = i - m; j <= i + m; j++) s += p[j];"), "stays"},
    {"a block's place", CASE("int f = blockIdx.x * 4; for (int j = f; j < f + 4; j++) s += a[j];"),
     "stays"},
    {"ends that data give", CASE("for (int j = t[i]; j < t[i + 1]; j++) s += a[j];"), "stays"},
    {"up to the row's end", CASE("for (int j = i; j < n; j++) s += a[j];"), "stays"},
    {"unsigned ends", CASE("unsigned u = i; for (unsigned j = u; j < u + 4; j++) s += a[j];"),
     "stays"},
    {"an end that moves",
     CASE("int e = i + 4; for (int j = i; j < e; j++) { s += a[j]; if (s > 9) e--; }"), "stays"},
    {"a start that has moved",
     CASE("int f = i; f++; int e = f + 4; f = t[i]; for (int j = f; j < e; j++) s += a[j];"),
     "stays"},
    {"an iterator that the body steps",
     CASE("for (int j = i; j < i + 4; j++) { s += a[j]; if (s > 9) j++; }"), "stays"},
    {"an iterator of the kernel's own",
     CASE("int j; for (j = i; j < i + 4; j++) s += a[j]; s += j;"), "stays"},
    {"a choice of other numbers",
     CASE("int e = i + 3 >= 4096 ? 4090 : i + 3; for (int j = i; j <= e; j++) s += a[j];"),
     "stays"},
};

static const struct transform_case ends[] = {
    {"do, a constant end", CASE("int k = 0; do { s += a[k]; k++; } while (k < 9);"),
     "for [k from 0 while < 9 step 1]; (s += (a)[k])"},
    {"do, a step in the condition", CASE("int k = 2; do { s += a[k]; } while (++k <= 2);"),
     "for [k from 2 while <= 2 step 1]; (s += (a)[k])"},
    {"down", CASE("int k = n; while (k--) s += a[k];"),
     "for [k from (n - 1) while >= 0 step -1]; (s += (a)[k])"},
    {"down, above 0", CASE("int k = n * m; s = 1; while (k-- > 0) s += a[k];"),
     "for [k from ((n * m) - 1) while >= 0 step -1]; (s += (a)[k])"},
    {"down, from another type", CASE("long m2 = m; int k = m2; while (k--) s += a[k];"),
     "for [k from (cast<int>((m2)) - 1) while >= 0 step -1]; (s += (a)[k])"},
    {"down, used behind it", CASE("int k = n; while (k--) s += a[k]; s += k;"),
     "for [k from (n - 1) while >= 0 step -1]; (s += (a)[k]); (s += (k))"},
};

static const struct transform_case ends_that_stay[] = {
    {"do, an end that nobody has asked for",
     CASE("int k = 0; do { s += a[k]; k++; } while (k < n);"), "stays"},
    {"do, one iteration", CASE("int k = 3; do { s += a[k]; k++; } while (k < 3);"), "stays"},
    {"do, a continue", CASE("int k = 0; do { if (t[k]) continue; s += a[k]; k++; } while (k < 9);"),
     "stays"},
    {"do, an end that changes",
     CASE("int e = 9, k = 0; do { s += a[k]; e = t[k]; k++; } while (k < e);"), "stays"},
    {"do, unequal", CASE("int k = 0; do { s += a[k]; k++; } while (k != 9);"), "stays"},
    {"down, without a sign", CASE("unsigned k = n; while (k--) s += a[k];"), "stays"},
    {"down, left before", CASE("int k = n; while (k--) { if (t[k]) break; s += a[k]; }"), "stays"},
    {"down, from a number that changes",
     CASE("int e = t[0]; int k = e; e = 3; while (k--) s += a[k]; s += e;"), "stays"},
    {"down, written inside", CASE("int k = n; while (k--) { s += a[k]; if (t[k]) k = 9; }"),
     "stays"},
    {"do, a beginning from memory", CASE("int k = t[i]; do { s += a[k]; k++; } while (k < 9);"),
     "stays"},
    {"do, a negative beginning", CASE("int k = -1; do { s += a[k + 1]; k++; } while (k < 9);"),
     "stays"},
    {"do, an end of another type",
     CASE("int k = 0; long e = m; do { s += a[k]; k++; } while (k < e);"), "stays"},
    {"do, an empty body", CASE("int k = 0; do { } while (k < 9);"), "stays"},
    {"do, no comparison", CASE("int k = 9; do { s += a[k]; k--; } while (k);"), "stays"},
    {"do, written inside",
     CASE("int k = 0; do { s += a[k]; if (t[k]) k = 4; k++; } while (k < 9);"), "stays"},
    {"down, left by a return", CASE("int k = n; while (k--) { if (t[k]) return; s += a[k]; }"),
     "stays"},
    {"down, a narrow counter", CASE("short k = 9; while (k--) s += a[k];"), "stays"},
};

static const struct transform_case heads_that_stay[] = {
    {"continue", CASE("int k = 0; while (k < n) { if (t[k]) { k = k; continue; } k++; }"), "stays"},
    {"a continue in front of the step",
     CASE("int k = 0; while (k < n) { if (t[i]++ < 3) continue; s += a[k]; k++; }"), "stays"},
    {"two steps", CASE("int k = 0; while (k < n) { if (t[k]) k++; s += a[k]; k++; }"), "stays"},
    {"a step that is not the last", CASE("int k = 0; while (k < n) { k++; s += a[k]; }"), "stays"},
    {"an unknown beginning", CASE("int k = m; while (k < n) { s += a[k]; k++; }"), "stays"},
    {"a beginning that changes", CASE("int k = 0; if (m) k = 3; while (k < n) { s += a[k]; k++; }"),
     "stays"},
    {"unequal, from beyond", CASE("for (unsigned k = 1; k != (unsigned)n; k++) s += a[k];"),
     "stays"},
    {"unequal, left by a break",
     CASE("for (int k = 0; k != n; k++) { if (t[k]) break; s += a[k]; }"), "stays"},
    {"unequal, by two", CASE("for (int k = 0; k != n; k += 2) s += a[k];"), "stays"},
    {"unequal, an end that changes", CASE("for (int k = 0; k != n; k++) { s += a[k]; n = t[k]; }"),
     "stays"},
    {"an end that follows the counter",
     CASE("for (int k = 2, end = k + n; k < end; k++) s += a[k];"), "stays"},
    {"a sum of floats", CASE("float x = 0; while (x < s) { s += a[i]; x++; }"), "stays"},
    {"a condition with an else",
     CASE("for (int k = 0;; k++) { if (k >= n) break; else s += 1; s += a[k]; }"), "stays"},
    {"something in front of the break",
     CASE("for (int k = 0;; k++) { s += 1; if (k >= n) break; s += a[k]; }"), "stays"},
    {"a body without a block", CASE("int k = 0; while (k < n) s += a[k++];"), "stays"},
    {"an empty body", CASE("int k = 0; while (k < n) { }"), "stays"},
    {"a narrow counter", CASE("short k = 0; while (k < n) { s += a[k]; k++; }"), "stays"},
    {"a counter whose address is taken",
     CASE("int k = 0, *q = &k; while (k < n) { s += a[k]; k++; } s += *q;"), "stays"},
    {"a widened counter", CASE("int k = 0; long e = n; while (k < e) { s += a[k]; k++; }"),
     "stays"},
    {"a negative beginning", CASE("int k = -3; while (k < n) { s += a[k + 3]; k++; }"), "stays"},
    {"by what is loaded", CASE("int k = 0; while (k < n) { s += a[k]; k += t[k]; }"), "stays"},
    {"by nothing", CASE("int k = 0; while (k < n) { s += a[k]; k += 0; }"), "stays"},
    {"unequal, written inside",
     CASE("for (int k = 0; k != n; k++) { s += a[k]; if (t[k]) k = 3; }"), "stays"},
    {"unequal, of two types", CASE("for (int k = 0; k != (unsigned)n; k++) s += a[k];"), "stays"},
    {"unequal, from a negative number", CASE("for (int k = -1; k != n; k++) s += a[k + 1];"),
     "stays"},
    {"unequal, left by a return",
     CASE("for (int k = 0; k != n; k++) { if (t[k]) return; s += a[k]; }"), "stays"},
};

static const struct transform_case steps[] = {
    {"a number", CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at += m; }"),
     "var _from_at: int = i; for [k from 0 while < n step 1]; (s += (a)[(_from_at + (k * m))])"},
    {"from another beginning",
     CASE("int at = i; for (int k = 3; k < n; k++) { s += a[at]; at++; }"),
     "var _from_at: int = i; for [k from 3 while < n step 1]; (s += (a)[(_from_at + (k - 3))])"},
    {"used behind its step",
     CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at = at + m; s += a[at]; }"),
     "var _from_at: int = i; for [k from 0 while < n step 1]; (s += (a)[(_from_at + (k * m))]); (s "
     "+= (a)[(_from_at + ((k + 1) * m))])"},
    {"downwards", CASE("int at = i; for (int k = n; k > 0; k--) { s += a[at]; at -= 2; }"),
     "var _from_at: int = i; for [k from n while > 0 step -1]; (s += (a)[(_from_at - ((n - k) * "
     "2))])"},
    {"a pointer", CASE("float *q = p + i; for (int k = 0; k < n; k++) { s += *q; q += m; }"),
     "var _from_q: float * = (p + i); for [k from 0 while < n step 1]; (s += _from_q[(cast<long "
     "long>(k) * cast<long long>(m))])"},
    {"a pointer in place", CASE("float *q = p + i; for (int k = 0; k < n; k++) s += *q++;"),
     "var _from_q: float * = (p + i); for [k from 0 while < n step 1]; (s += _from_q[k])"},
    {"a pointer in place, in a block",
     CASE("float *q = p + i; for (int k = 0; k < n; k++) { s += *q++; }"),
     "var _from_q: float * = (p + i); for [k from 0 while < n step 1]; (s += _from_q[k])"},
    {"elements beside a pointer",
     CASE("float *q = p + i; for (int k = 0; k < n; k++) { s += q[-1] + q[2]; q--; }"),
     "var _from_q: float * = (p + i); for [k from 0 while < n step 1]; (s += (_from_q[(-k + -1)] + "
     "_from_q[(-k + 2)]))"},
    {"one of two that are declared",
     CASE("int at = i, other = m; for (int k = 0; k < n; k++) { s += a[at + other]; at += m; }"),
     "var _from_at: int = i; for [k from 0 while < n step 1]; (s += (a)[((_from_at + (k * m)) + "
     "other)])"},
    {"down by a number",
     CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at = at - m; }"),
     "var _from_at: int = i; for [k from 0 while < n step 1]; (s += (a)[(_from_at - (k * m))])"},
};

/* Iterations are counted in an int where the iterator is an int that begins at 0 or ends there. */
static const struct transform_case counts[] = {
    {"from a parameter", CASE("float *q = p; for (int k = m; k < n; k++) { s += *q; q++; }"),
     "var _from_q: float * = p; for [k from m while < n step 1]; (s += _from_q[(cast<long long>(k) "
     "- "
     "cast<long long>(m))])"},
    {"from a negative number", CASE("float *q = p; for (int k = -5; k < n; k++) { s += *q; q++; }"),
     "var _from_q: float * = p; for [k from -5 while < n step 1]; (s += _from_q[(cast<long "
     "long>(k) - "
     "cast<long long>(-5))])"},
    {"without a sign",
     CASE("float *q = p; for (unsigned k = 0; k < (unsigned)n; k++) { s += *q; q++; }"),
     "var _from_q: float * = p; for [k from (0) while < cast<unsigned int>((n)) step 1]; (s += "
     "_from_q[cast<long long>(k)])"},
    {"wide", CASE("float *q = p; for (long k = 0; k < n; k++) { s += *q; q++; }"),
     "var _from_q: float * = p; for [k from (0) while < (n) step 1]; (s += _from_q[cast<long "
     "long>(k)])"},
    {"down to 0", CASE("float *q = p; for (int k = n; k > 0; k--) { s += *q; q++; }"),
     "var _from_q: float * = p; for [k from n while > 0 step -1]; (s += _from_q[(n - k)])"},
    {"down to a parameter", CASE("float *q = p; for (int k = n; k > m; k--) { s += *q; q++; }"),
     "var _from_q: float * = p; for [k from n while > m step -1]; (s += _from_q[(cast<long "
     "long>(n) "
     "- cast<long long>(k))])"},
    {"from a number without a sign",
     CASE("float *q = p; for (int k = n - 3u; k < 4; k++) { s += *q; q++; }"),
     "var _from_q: float * = p; for [k from (((n) - 3)) while < 4 step 1]; (s += "
     "_from_q[(cast<long "
     "long>(k) - cast<long long>(cast<int>(((n) - 3))))])"},
    {"from a wide number",
     CASE("long w = n; float *q = p; for (int k = w; k < 4; k++) { s += *q; q += 2; }"),
     "var _from_q: float * = p; for [k from (w) while < 4 step 1]; (s += _from_q[((cast<long "
     "long>(k) - cast<long long>(cast<int>(w))) * cast<long long>(2))])"},
};

static const struct transform_case steps_that_stay[] = {
    {"under a condition",
     CASE("int at = i; for (int k = 0; k < n; k++) { if (t[k]) at += m; s += a[at]; }"), "stays"},
    {"continue",
     CASE("int at = i; for (int k = 0; k < n; k++) { if (t[k]) { if (t[i]) continue; s++; } "
          "s += a[at]; at++; }"),
     "stays"},
    {"used behind the loop",
     CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at++; } s += at;"), "stays"},
    {"by what changes",
     CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at += m; if (t[k]) m++; }"),
     "stays"},
    {"by what is loaded",
     CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at += t[0]; }"), "stays"},
    {"twice", CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at++; at++; }"), "stays"},
    {"its address is taken",
     CASE("int at = i; int *q = &at; for (int k = 0; k < n; k++) { s += a[at]; at++; } s += *q;"),
     "stays"},
    {"set anew behind the loop",
     CASE("int at = i; for (int k = 0; k < n; k++) { s += a[at]; at++; } at = 3;"), "stays"},
    {"in place, under a condition",
     CASE("float *q = p; for (int k = 0; k < n; k++) { s += t[k] ? *q++ : 0; }"), "stays"},
    {"by two iterations", CASE("int at = i; for (int k = 0; k < n; k += 2) { s += a[at]; at++; }"),
     "stays"},
    {"a narrow number", CASE("short at = 1; for (int k = 0; k < n; k++) { s += a[at]; at++; }"),
     "stays"},
    {"without a beginning", CASE("int at; for (int k = 0; k < n; k++) { s += a[at]; at++; }"),
     "stays"},
    {"in the condition",
     CASE("int at = i; for (int k = 0; k < n && at < 99; k++) { s += a[at]; at++; }"), "stays"},
    {"a product", CASE("int at = 1; for (int k = 0; k < n; k++) { s += a[at]; at *= 2; }"),
     "stays"},
    {"by itself", CASE("int at = 1; for (int k = 0; k < n; k++) { s += a[at]; at += at; }"),
     "stays"},
    {"from another number",
     CASE("int at = 1; for (int k = 0; k < n; k++) { s += a[at]; at = m + 1; }"), "stays"},
    {"by a wider number",
     CASE("int at = 1; long w = m; for (int k = 0; k < n; k++) { s += a[at]; at += w; }"), "stays"},
    {"by a float", CASE("int at = 1; for (int k = 0; k < n; k++) { s += a[at]; at += 1.5f; }"),
     "stays"},
    {"in place behind a condition",
     CASE("float *q = p; for (int k = 0; k < n; k++) { s += (t[k] && *q++ > 0); }"), "stays"},
    {"a declaration in front uses it",
     CASE("int at = i, twice = at * 2; for (int k = 0; k < n; k++) { s += a[at + twice]; at++; }"),
     "stays"},
};

int main(void)
{
  static const struct transform_table tables[] = {
      TABLE(heads, look),           TABLE(walks, look),  TABLE(windows, look),
      TABLE(heads_that_stay, look), TABLE(ends, look),   TABLE(ends_that_stay, look),
      TABLE(steps, look),           TABLE(counts, look), TABLE(steps_that_stay, look)};
  return transform_run(FRONT, tables, COUNT(tables));
}
