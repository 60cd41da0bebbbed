/* SPDX-License-Identifier: MIT */
/* host_constants.c - constants and bindings at launches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define K "__global__ void k(int n) {}\n"
#define P "__global__ float a[8][16];\n__global__ void k(float *p, float *q) { p[0] = q[0]; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case values[] = {
    {"straight line", K "int main() { int n = 4; n = n * 3; k<<<n, 32>>>(n + 1); n = 7; }",
     "k 12,1,1 32,1,1 =13\n", NULL},
    {"conditional", K "int main(int c, char **) { int n = 4; if (c) n = 5; k<<<n, 32>>>(c); }",
     "k ?,1,1 32,1,1 ?\n", NULL},
    {"both after a branch",
     K "int main(int c, char **) { int n; if (c) n = 1; n = 5; k<<<c ? n : 5, 32>>>(n); }",
     "k 5,1,1 32,1,1 =5\n", NULL},
    {"loop carried",
     K "int main() { int n = 1; for (int i = 0; i < 3; i++) { k<<<n, i>>>(2); n *= 2; } }",
     "k ?,1,1 ?,1,1 =2\n", NULL},
    {"set in the loop before",
     K "int main() { int n = 1; for (int i = 0; i < 3; i++) { n = 6; k<<<n, 8>>>(i); } }",
     "k 6,1,1 8,1,1 ?\n", NULL},
    {"written behind the loop", K "int main() { int n = 3; while (1) { k<<<n, 8>>>(n); } n = 4; }",
     "k 3,1,1 8,1,1 =3\n", NULL},
    {"switch",
     K "int main(int c, char **) { int n = 3; switch (c) { case 1: n = 2; case 2: k<<<n, 8>>>(1); "
       "n = 5; k<<<n, 8>>>(2); } }",
     "k ?,1,1 8,1,1 =1\nk 5,1,1 8,1,1 =2\n", NULL},
    {"goto", K "int main() { int n = 3; again: k<<<n, 8>>>(1); n = 4; goto again; }",
     "k ?,1,1 8,1,1 =1\n", NULL},
    {"address taken", K "void f(int *); int main() { int n = 3; f(&n); k<<<n, 8>>>(1); }",
     "k ?,1,1 8,1,1 =1\n", NULL},
    {"reference",
     K "void f(int &); int main() { int n = 3, m = 4; f(n); int &r = m; r = 5; k<<<n, m>>>(1); }",
     "k ?,1,1 ?,1,1 =1\n", NULL},
    {"by value", K "void f(int); int main() { int n = 3; f(n); k<<<n, 8>>>(1); }",
     "k 3,1,1 8,1,1 =1\n", NULL},
    {"lambda", K "int main() { int n = 3; auto f = [&] { n = 4; }; f(); k<<<n, 8>>>(1); }",
     "k ?,1,1 8,1,1 =1\n", NULL},
    {"arithmetic",
     K "int main() { const int n = 1000; constexpr unsigned b = 16; k<<<(n + b - 1) / b, b>>>(-7 / "
       "2); k<<<1, 1>>>((int)(0u - 1 > 5)); }",
     "k 63,1,1 16,1,1 =-3\nk 1,1,1 1,1,1 =1\n", NULL},
    {"overflow",
     K "int main() { int n = 2147483647; k<<<1, 1>>>(n + 1); k<<<1, 1>>>((int)(n * 2u)); k<<<1, "
       "1>>>(n / (n - n)); }",
     "k 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 =-2\nk 1,1,1 1,1,1 ?\n", NULL},
    {"static global",
     K "static int n = 5; static int m = 6; void f() { m = 7; } int main() { k<<<n, "
       "m>>>(sizeof(int)); }",
     "k 5,1,1 ?,1,1 =4\n", NULL},
    {"visible global", K "int n = 5; int main() { k<<<n, 1>>>(1); }", "k ?,1,1 1,1,1 =1\n", NULL},
    {"global in a template",
     K "static int n = 5; template <class T> void f() { n = 7; } int main() { k<<<n, 1>>>(1); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"callers agree",
     K
     "static void f(int n, int m) { k<<<n, m>>>(1); } int main() { f(4, 5); int x = 4; f(x, 6); }",
     "k 4,1,1 ?,1,1 =1\n", NULL},
    {"address of the function",
     K "static void f(int n) { k<<<n, 1>>>(1); } int main() { f(4); void (*p)(int) = f; p(5); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"visible function", K "void f(int n) { k<<<n, 1>>>(1); } int main() { f(4); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"recursion",
     K "static void f(int n) { k<<<n, 1>>>(1); if (n) f(n - 1); } int main() { f(4); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
};

static const struct host_case shapes[] = {
    {"constructions",
     K "int main() { dim3 g(4, 7), b; b.x = 32; b.y = 2; k<<<g, b>>>(1); dim3 h = g; k<<<h, "
       "dim3(1, 2, 3)>>>(2); }",
     "k 4,7,1 32,2,1 =1\nk 4,7,1 1,2,3 =2\n", NULL},
    {"member in a branch",
     K "int main(int c, char **) { dim3 g(4, 7); if (c) g.y = 8; k<<<g, g.x>>>(1); }",
     "k 4,?,1 4,1,1 =1\n", NULL},
    {"assigned", K "int main() { dim3 g; g = dim3(2, 3); g.z = g.x + 2; k<<<g, 1>>>((int)g.z); }",
     "k 2,3,4 1,1,1 =4\n", NULL},
    {"passed by address", K "void f(dim3 *); int main() { dim3 g(2); f(&g); k<<<g, 1>>>(1); }",
     "k ?,?,? 1,1,1 =1\n", NULL},
    {"static constant", K "static const dim3 g(2, 2); int main() { k<<<g, 1>>>(1); }",
     "k 2,2,1 1,1,1 =1\n", NULL},
};

static const struct host_case bindings[] = {
    {"interior",
     P "int main() { float *r = a[2]; k<<<1, 1>>>(&a[3][1], r + 5); k<<<1, 1>>>((float *)a, *a); }",
     "k 1,1,1 1,1,1 a+196/512 a+148/512\nk 1,1,1 1,1,1 a+0/512 a+0/512\n", NULL},
    {"unknown offset", P "int main(int c, char **) { k<<<1, 1>>>(&a[c][0], a[1] - 16); }",
     "k 1,1,1 1,1,1 a+?/512 a+0/512\n", NULL},
    {"cudaMalloc",
     P "int main() { float *p, *q; int n = 8; cudaMalloc(&p, n * sizeof(float)); cudaMalloc((void "
       "**)&q, 64); k<<<1, 1>>>(p, q + 2); cudaFree(p); }",
     "k 1,1,1 1,1,1 p+0/32 q+8/64\n", NULL},
    {"reassigned",
     P
     "int main() { float *p, *q; cudaMalloc(&p, 8); cudaMalloc(&q, 8); p = q; k<<<1, 1>>>(p, q); }",
     "k 1,1,1 1,1,1 ? q+0/8\n", NULL},
    {"swapped",
     P "int main() { float *p, *q; cudaMalloc(&p, 8); cudaMalloc(&q, 8); for (int i = 0; i < 4; "
       "i++) { k<<<1, 1>>>(p, q); float *t = p; p = q; q = t; } }",
     "k 1,1,1 1,1,1 ? ?\n", NULL},
    {"address escapes",
     P "void f(float **); int main() { float *p; cudaMalloc(&p, 8); f(&p); k<<<1, 1>>>(p, a[0]); }",
     "k 1,1,1 1,1,1 ? a+0/512\n", NULL},
    {"static function",
     P "static void f(float *p, float *q) { k<<<1, 1>>>(p, q); } int main() { f(a[0], a[1]); "
       "f(a[0], a[2]); }",
     "k 1,1,1 1,1,1 a+0/512 a+?/512\n", NULL},
    {"older allocation",
     P "int main() { float *q = 0; for (int i = 0; i < 2; i++) { float *p; cudaMalloc(&p, 8); "
       "k<<<1, 1>>>(p, q); q = p; } }",
     "k 1,1,1 1,1,1 p+0/8 ?\n", NULL},
    {"parameter", P "void f(float *p) { k<<<1, 1>>>(p, p); }", "k 1,1,1 1,1,1 ? ?\n", NULL},
};

static void test_values(void **state)
{
  (void)state;
  host_check(values, COUNT(values));
}
static void test_shapes(void **state)
{
  (void)state;
  host_check(shapes, COUNT(shapes));
}
static void test_bindings(void **state)
{
  (void)state;
  host_check(bindings, COUNT(bindings));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_shapes),
                                     cmocka_unit_test(test_bindings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
