/* SPDX-License-Identifier: MIT */
/* host_guard.c - which VS variables are guarded, where announcements stand, which arguments are
 * wrapped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define S \
  "static __global__ int n;\nstatic __global__ int a[8][4];\n__global__ void k(int m) { a[0][0] " \
  "= n; }\n"
#define V \
  "extern \"C\" long write(int, const void *, unsigned long);\n__global__ float v[64];\n" \
  "__global__ void k() { v[0] = 1; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case announced[] = {
    {"outside loops",
     S "int main() { n = 5; k<<<1, 1>>>(1); int s = 0; for (int i = 0; i < 8; i++) s += a[i][0]; "
       "return s; }",
     NULL,
     "n announced\na announced\nuse n 10: n = 5\nuse a 1: for (int i = 0; i < 8; i++) s += "
     "a[i][0]\n"},
    {"inside a launching loop",
     S "int main() { for (int i = 0; i < 8; i++) { k<<<1, 1>>>(1); n += a[i][1]; } }", NULL,
     "n announced\na announced\nuse n 3: n += a[i][1]\nuse a 1: n += a[i][1]\n"},
    {"condition with a launch in the body",
     S "int main() { if (n) k<<<1, 1>>>(1); while (n < 4) { k<<<1, 1>>>(1); } }", NULL,
     "n guarded: a launch cannot be told apart from a use\na announced\n"},
    {"sole body", S "int main(int c, char **) { if (c) n = 4; else k<<<1, 1>>>(1); }", NULL,
     "n announced\na announced\nuse n 10 {}: n = 4\n"},
    {"argument of its launch", S "int main() { k<<<1, 1>>>(n); }", NULL,
     "n announced\na announced\nuse n 1: k<<<1, 1>>>(n)\n"},
    {"function and alias",
     S "static void fill(int *p) { for (int i = 0; i < 4; i++) p[i] = i; }\nint main() { "
       "fill(a[1]); int *r = a[2]; r[1] = 3; k<<<1, 1>>>(1); return r[1]; }",
     NULL,
     "n announced\na announced\nuse a 3: fill(a[1])\nuse a 10: r[1] = 3\nuse a 1: return r[1]\n"},
};

static const struct host_case guarded[] = {
    {"visible",
     "__global__ int n; __global__ void k() { n = 1; } int main() { k<<<1, 1>>>(); return n; }",
     NULL, "n guarded: visible to other files\nuse n 1: return n\n"},
    {"constant",
     "static const __global__ int n = 4; __global__ int m; __global__ void k() { m = n; } int "
     "main() { k<<<1, 1>>>(); return n; }",
     NULL, "n announced\nm guarded: visible to other files\n"},
    {"stored",
     S "static int *p; int main() { p = &n; int *q = a[1]; q++; k<<<1, 1>>>(1); return *p; }", NULL,
     "n announced\na announced\nuse n 1: return *p\n"},
    {"stored in memory",
     S "struct node { int *p; } nodes[2]; int main() { nodes[1].p = &n; k<<<1, 1>>>(1); return "
       "*nodes[1].p; }",
     NULL, "n guarded: its address is stored\na announced\n"},
    {"reference", S "int main() { int &r = n; k<<<1, 1>>>(1); return r; }", NULL,
     "n announced\na announced\nuse n 1: return r\n"},
    {"unknown function", S "void f(int *); int main() { f(&n); k<<<1, 1>>>(1); }", NULL,
     "n guarded: its address is passed to a function that is not analysed\na announced\narg 3: "
     "&n\n"},
    {"template",
     S "template <class T> T get() { return n; } int main() { k<<<1, 1>>>(1); return get<int>(); }",
     NULL, "n guarded: its name stands in code that is not analysed\na announced\n"},
    {"lambda", S "int main() { auto f = [] { return n; }; k<<<1, 1>>>(1); return f(); }", NULL,
     "n guarded: it is used in a construct that is not analysed\na announced\n"},
    {"macro", "#define N n\n" S "int main() { k<<<1, 1>>>(1); return N; }", NULL,
     "n guarded: a macro names it\na announced\n"},
    {"initialiser", S "int copy = n; int main() { k<<<1, 1>>>(1); }", NULL,
     "n guarded: it is used in the initialiser of a global\na announced\n"},
    {"callee launches", S "static void f(int *p) { k<<<1, 1>>>(1); *p = 1; } int main() { f(&n); }",
     NULL, "n announced\na announced\nuse n 10: *p = 1\n"},
};

static const struct host_case touched[] = {
    {"system call",
     V "int main() { k<<<1, 1>>>(); write(1, v, sizeof v); char b[4]; write(1, b, 4); write(1, "
       "\"x\", 1); }",
     NULL, "v guarded: visible to other files\narg 1: v\n"},
    {"parameter",
     V "void save(const float *p) { write(1, p + 1, 4); }\nstatic void log(const char *t) { "
       "write(1, t, 1); }\nint main() { log(\"x\"); save(v); }",
     NULL, "v guarded: visible to other files\narg 1: p + 1\n"},
    {"unknown function",
     V "void put(const float *, float *, int); int main() { float *q = new float[4]; put(&v[2], v "
       "+ 1, 3); put(q, q, 1); }",
     NULL, "v guarded: visible to other files\narg 1: &v[2]\narg 3: v + 1\n"},
    {"record of pointers",
     V "struct part { float *base; long size; }; void send(const part *); int main(int c, char **) "
       "{ part p = {v, 4}; if (c) send(&p); }",
     NULL, "v guarded: visible to other files\nall {}: send(&p)\n"},
    {"user space", V "int main() { memset(v, 0, sizeof v); }", NULL,
     "v guarded: visible to other files\nuse v 10: memset(v, 0, sizeof v)\n"},
    {"no VS data",
     "extern \"C\" long write(int, const void *, unsigned long); void f(float *p) { write(1, p, "
     "4); }",
     "", ""},
};

static void test_announced(void **state)
{
  (void)state;
  host_check(announced, COUNT(announced));
}
static void test_guarded(void **state)
{
  (void)state;
  host_check(guarded, COUNT(guarded));
}
static void test_touched(void **state)
{
  (void)state;
  host_check(touched, COUNT(touched));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_announced),
                                     cmocka_unit_test(test_guarded),
                                     cmocka_unit_test(test_touched)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
