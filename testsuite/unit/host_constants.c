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
    {"shapes of vectors",
     K "int main(int c, char **) { uint3 u = make_uint3(2, 3, 4); k<<<make_uint3(2, 3, 4), "
       "dim3(make_uint3(8, 4, 2))>>>(1); dim3 g = make_uint3(5, 6, 7), h(u); k<<<g, h>>>(2); k<<<c "
       "? dim3(4, 2) : dim3(4, 3), c ? dim3(2) : dim3(2)>>>(3); }",
     "k 2,3,4 8,4,2 =1\n"
     "k 5,6,7 2,3,4 =2\n"
     "k 4,?,1 2,1,1 =3\n",
     NULL},
    {"members of shapes",
     K "int main() { dim3 g(4, 5, 6), *p = &g, h(7, 8); k<<<p->x, h.y>>>((int)h.z); k<<<h.x + h.y, "
       "(h).x>>>(p->y); const uint3 u = {1, 2, 3}; k<<<u.x, u.y>>>(u.z); }",
     "k ?,1,1 8,1,1 =1\n"
     "k 15,1,1 7,1,1 ?\n"
     "k 1,1,1 2,1,1 =3\n",
     NULL},
    {"shapes in braces",
     K "struct odd { int z, w; }; int main() { dim3 g = {3, 2}; dim3 h{9}; dim3 l; odd o = {4, 5}; "
       "k<<<g, h>>>(o.z); k<<<l, dim3{2, 2, 2}>>>(o.w); static dim3 s(3); k<<<s, dim3()>>>(3); }",
     "k 3,2,1 9,1,1 ?\n"
     "k 1,1,1 2,2,2 ?\n"
     "k 3,1,1 1,1,1 =3\n",
     NULL},
    {"shapes that change",
     K "void set(dim3 &); int main() { dim3 g(4), h(2); g.x = 5; h.y = 3; k<<<g, h>>>(1); g = "
       "dim3(7, 7); g.y *= 2; k<<<g, h>>>(2); set(h); k<<<g, h>>>(3); volatile int n = 3; k<<<n, "
       "1>>>(n); }",
     "k 5,1,1 ?,?,? =1\n"
     "k 7,?,1 ?,?,? =2\n"
     "k 7,?,1 ?,?,? =3\n"
     "k ?,1,1 1,1,1 ?\n",
     NULL},
    {"shapes of parameters",
     K "static void run(dim3 g, int n) { k<<<g, n>>>(n); } static void twice(dim3 g = dim3(3, 3)) "
       "{ k<<<g, 2>>>(4); } int main() { run(dim3(4, 4), 32); run(4, 32); twice(); twice(dim3(3, "
       "3)); }",
     "k 4,?,1 32,1,1 =32\n"
     "k ?,?,? 2,1,1 =4\n",
     NULL},
    {"functions of numbers",
     K "#include <cmath>\n#include <algorithm>\nint main() { int n = 100; k<<<(int)ceil(n / 16.0), "
       "std::min(n, 64)>>>(std::max(n, 3)); k<<<(int)floor(2.5f), "
       "(int)sqrt(16.0)>>>(std::abs(-3)); k<<<(int)pow(2, 3), 1>>>((int)fmod(5, 3)); "
       "k<<<(int)std::fmin(3.0, 5), 1>>>(std::max({1, 2, 3})); }",
     "k 7,1,1 64,1,1 =100\n"
     "k 2,1,1 4,1,1 ?\n"
     "k ?,1,1 1,1,1 ?\n"
     "k ?,1,1 1,1,1 ?\n",
     NULL},
    {"numbers that do not fit",
     K "int main() { unsigned char c = 300; signed char s = 200; short h = 70000; bool b = 7; "
       "float f = 16777217; k<<<c, s & 15>>>(h); k<<<b, (int)f>>>((int)1e30f); k<<<1, "
       "1>>>((int)(unsigned)-1); unsigned long long w = -1; k<<<w > 3, 1>>>((int)(w >> 60)); }",
     "k 44,1,1 8,1,1 =4464\n"
     "k 1,1,1 16777216,1,1 ?\n"
     "k 1,1,1 1,1,1 =-1\n"
     "k 1,1,1 1,1,1 =15\n",
     NULL},
    {"commas and decisions",
     K "int main(int c, char **) { int n = 3, m = (n++, 5); k<<<(1, 2), 0 && c ? 3 : 4>>>(1 || c); "
       "k<<<n && m, !n + 1>>>(~m); k<<<c && n, 1>>>(c || n); }",
     "k 2,1,1 4,1,1 =1\n"
     "k ?,1,1 ?,1,1 =-6\n"
     "k ?,1,1 1,1,1 ?\n",
     NULL},
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
