/* SPDX-License-Identifier: MIT */
/* host_values.c - constant propagation at launches: the arithmetic of C, variables, dim3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define K "__global__ void k(long n) {}\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case arithmetic[] = {
    {"unsigned",
     K "int main() { unsigned a = 7, b = 2; k<<<a - b, a * b>>>(a / b); k<<<a % b + 1, a & b>>>(a "
       "| b); k<<<a "
       "^ b, a + b>>>(b - a); }",
     "k 5,1,1 14,1,1 =3\nk 2,1,1 2,1,1 =7\nk 5,1,1 9,1,1 =4294967291\n", NULL},
    {"unsigned comparisons",
     K "int main() { unsigned a = 7, b = 2; k<<<(a > b) + (a >= b) * 2, (a < b) + (a <= b) * 2 + "
       "4>>>((a == b) "
       "+ 2 * (a != b)); }",
     "k 3,1,1 4,1,1 =2\n", NULL},
    {"signed",
     K "int main() { int a = -7, b = 2; k<<<a + 8, a * -b>>>(a - b); k<<<1, 1>>>(a / b * 100 + a % "
       "b); k<<<1, "
       "1>>>((a & 12) + (a | 8) * 100 + (a ^ b) * 10000); }",
     "k 1,1,1 14,1,1 =-9\nk 1,1,1 1,1,1 =-301\nk 1,1,1 1,1,1 =-50692\n", NULL},
    {"signed comparisons",
     K "int main() { int a = -7, b = 2; k<<<1 + (a > b), 1 + (a >= b)>>>((a < b) + (a <= b) * 2 + "
       "(a == b) * 4 "
       "+ (a != b) * 8); }",
     "k 1,1,1 1,1,1 =11\n", NULL},
    {"mixed signs",
     K "int main() { int a = -1; unsigned b = 1; k<<<1 + (a < b), 1>>>(a + b); long long c = 1; "
       "k<<<1, 1>>>(c "
       "+ a); unsigned long d = 1; k<<<1 + (a < d), 1>>>((int)(a + d)); }",
     "k 1,1,1 1,1,1 =0\nk 1,1,1 1,1,1 =0\nk 1,1,1 1,1,1 =0\n", NULL},
    {"division by zero",
     K "int main() { int z = 0; unsigned u = 0; k<<<1, 1>>>(5 / z); k<<<1, 1>>>(5 % z); k<<<1, "
       "1>>>(5u / u); "
       "k<<<1, 1>>>(5u % u); }",
     "k 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\n", NULL},
    {"the smallest number",
     K "int main() { int n = -2147483647 - 1; long l = -9223372036854775807L - 1; k<<<1, 1>>>(-n); "
       "k<<<1, "
       "1>>>(n / -1); k<<<1, 1>>>(l / -1); k<<<1, 1>>>(l % -1); k<<<1, 1>>>(n); k<<<1, 1>>>(-(n + "
       "1)); }",
     "k 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 "
     "=-2147483648\nk 1,1,1 "
     "1,1,1 =2147483647\n",
     NULL},
    {"overflow",
     K "int main() { int n = 2147483647; long l = 9223372036854775807L; k<<<1, 1>>>(n * 2); k<<<1, "
       "1>>>(-n - "
       "2); k<<<1, 1>>>(l + 1); k<<<1, 1>>>(l * 2); k<<<1, 1>>>(-2 - l); k<<<1, 1>>>(n + 1L); }",
     "k 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 "
     "1,1,1 "
     "=2147483648\n",
     NULL},
    {"shifts",
     K "int main() { int a = 5, s = 2, m = -8; unsigned u = 0x80000000u; k<<<a << s, a >> s>>>(m "
       ">> s); k<<<1, "
       "1>>>(u >> 31); k<<<1, 1>>>(u << 1); k<<<1, 1>>>(a << 32); k<<<1, 1>>>(a << -1); k<<<1, "
       "1>>>(a << 30); "
       "k<<<1, 1>>>(m << 1); k<<<1, 1>>>(1L << 40); }",
     "k 20,1,1 1,1,1 =-2\nk 1,1,1 1,1,1 =1\nk 1,1,1 1,1,1 =0\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk "
     "1,1,1 1,1,1 "
     "?\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 =1099511627776\n",
     NULL},
    {"narrow types",
     K "int main() { unsigned char c = 255; short s = -2; bool b = 5; char d = 200; k<<<c + 1, "
       "c>>>(s * 4); "
       "k<<<b, c>>>(d); c = (unsigned char)(c + 2); k<<<c, 1>>>(~c); k<<<1, 1>>>(-s); k<<<1, "
       "1>>>(c << 4); }",
     "k 256,1,1 255,1,1 =-8\nk 1,1,1 255,1,1 =-56\nk 1,1,1 1,1,1 =-2\nk 1,1,1 1,1,1 =2\nk 1,1,1 "
     "1,1,1 =16\n",
     NULL},
    {"unary",
     K "int main() { int n = 5; unsigned u = 5; double d = 2.5; k<<<+n, -(-n)>>>(~n); k<<<!n + 1, "
       "!!n>>>(-u); "
       "k<<<1, 1>>>(~u); k<<<1, 1>>>((long)-d); k<<<1, 1>>>(!d); k<<<1, 1>>>((long)+d); }",
     "k 5,1,1 5,1,1 =-6\nk 1,1,1 1,1,1 =4294967291\nk 1,1,1 1,1,1 =4294967290\nk 1,1,1 1,1,1 "
     "=-2\nk 1,1,1 "
     "1,1,1 =0\nk 1,1,1 1,1,1 =2\n",
     NULL},
    {"floating",
     K "int main() { double d = 7.5; float f = 2.0f; int n = 3; k<<<(int)(d / f), (int)(d * "
       "f)>>>((long)(d + "
       "f) * 100 + (long)(d - f)); k<<<n / f, (int)(n / 2.0)>>>((long)(n * f)); k<<<1 + (d > f), 1 "
       "+ (d == "
       "f)>>>((d != f) + 2 * (d <= f) + 4 * (d >= f)); k<<<1, 1>>>((long)(d / 0.0)); }",
     "k 3,1,1 15,1,1 =905\nk 1,1,1 1,1,1 =6\nk 2,1,1 1,1,1 =5\nk 1,1,1 1,1,1 ?\n", NULL},
    {"rounding to float",
     K "int main() { int n = 16777217; unsigned u = 16777219u; float f = n; k<<<1, 1>>>((long)f); "
       "k<<<1, "
       "1>>>((long)(n + 0.0f)); k<<<1, 1>>>((long)(0.0f + u)); k<<<1, 1>>>((long)(double)n); float "
       "g = u; k<<<1, "
       "1>>>((long)g); float h = 0.1; k<<<1, 1>>>((long)(h * 1e9)); }",
     "k 1,1,1 1,1,1 =16777216\nk 1,1,1 1,1,1 =16777216\nk 1,1,1 1,1,1 =16777220\nk 1,1,1 1,1,1 "
     "=16777217\nk "
     "1,1,1 1,1,1 =16777220\nk 1,1,1 1,1,1 =100000001\n",
     NULL},
    {"floating to integer",
     K "int main() { double d = -1.5, e = 3e9, big = 1e30; k<<<1, 1>>>((int)d); k<<<1, "
       "1>>>((unsigned)e); "
       "k<<<1, 1>>>((int)e); k<<<1, 1>>>((unsigned)d); k<<<1, 1>>>((long)big); k<<<1, "
       "1>>>((bool)d); unsigned "
       "long u = ~0ul; k<<<1, 1>>>((long)((double)u > 1e19)); }",
     "k 1,1,1 1,1,1 =-1\nk 1,1,1 1,1,1 =3000000000\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\nk 1,1,1 "
     "1,1,1 ?\nk 1,1,1 "
     "1,1,1 =1\nk 1,1,1 1,1,1 =1\n",
     NULL},
    {"logic",
     K "int f(); int main() { int z = 0, n = 3; k<<<1 + (n && n), 1 + (z || n)>>>((z && f()) + 2 * "
       "(n || f()) "
       "+ 4 * (n && z) + 8 * (z || z)); k<<<1 + (z && f()), n || f()>>>(n && f()); k<<<1, 1>>>((z "
       "|| f())); }",
     "k 2,1,1 2,1,1 =2\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 ?\n", NULL},
    {"conditional and comma",
     K "int f(); int main() { int z = 0, n = 3, m; k<<<z ? f() : 4, n ? 5 : f()>>>((m = 4, n)); "
       "k<<<f() ? 6 : "
       "6, f() ? 6 : 7>>>(f() ? f() : 1); k<<<1, 1>>>(f() ? 1 : f()); }",
     "k 4,1,1 5,1,1 =3\nk 6,1,1 ?,1,1 ?\nk 1,1,1 1,1,1 ?\n", NULL},
    {"literals",
     K "int main() { char c = 'A', t = '\\t'; bool yes = true, no = false; float f = 1.5f; double "
       "d = 1e2; "
       "k<<<c, t>>>(yes); k<<<f + f, d>>>(no); k<<<1, 1>>>((long)1.5F * 2 + 'b'); k<<<1, "
       "1>>>((long)0x1p4); "
       "k<<<1, 1>>>((long)1.0e400); k<<<1, 1>>>((long)2.5l); k<<<1, 1>>>('\\x41'); k<<<1, "
       "1>>>(u8'a'); }",
     "k 65,1,1 9,1,1 =1\nk 3,1,1 100,1,1 =0\nk 1,1,1 1,1,1 =100\nk 1,1,1 1,1,1 =16\nk 1,1,1 1,1,1 "
     "?\nk 1,1,1 "
     "1,1,1 ?\nk 1,1,1 1,1,1 =65\nk 1,1,1 1,1,1 =97\n",
     NULL},
    {"library",
     K
     "#include <math.h>\n#include <algorithm>\nint main() { int n = 100, b = 16; unsigned u = 3; "
     "k<<<ceil(n "
     "/ 16.0), floor(n / 16.0)>>>((long)trunc(-2.5)); k<<<(int)ceilf(n / 16.0f), "
     "(int)floorf(2.5f)>>>((long)sqrt(50.0)); k<<<(int)sqrtf(16.0f), "
     "(int)truncf(2.5f)>>>((long)round(2.5)); "
     "k<<<std::min(n, b), std::max(n, b)>>>(min(n, b) * 1000 + max(n, b)); k<<<min(u, 5u), max(u, "
     "5u)>>>((long)sqrt(-1.0)); k<<<1, 1>>>((long)pow(2.0, 3.0)); k<<<1, 1>>>(std::max(std::min(b, "
     "n), 7)); "
     "k<<<1, 1>>>(std::max({1, 2})); k<<<1, 1>>>((long)sqrt((float)n)); k<<<1, "
     "1>>>((long)ceil(n)); }",
     "k 7,1,1 6,1,1 =-2\nk 7,1,1 2,1,1 =7\nk 4,1,1 2,1,1 ?\nk 16,1,1 100,1,1 =16100\nk 3,1,1 5,1,1 "
     "?\nk 1,1,1 "
     "1,1,1 ?\nk 1,1,1 1,1,1 =16\nk 1,1,1 1,1,1 ?\nk 1,1,1 1,1,1 =10\nk 1,1,1 1,1,1 =100\n",
     NULL},
    {"not a number that fits",
     K "__global__ void wide(unsigned long n, double d) {} int main() { unsigned long u = ~0ul; "
       "wide<<<1, "
       "1>>>(u, 3); double d = 3; wide<<<1, 1>>>(u >> 1, d); k<<<d, u>>>(1); }",
     "wide 1,1,1 1,1,1 ? ?\nwide 1,1,1 1,1,1 =9223372036854775807 ?\nk 3,1,1 4294967295,1,1 =1\n",
     NULL},
    {"enumerators and constants",
     K "enum { A = 3, B }; enum class E : short { C = -2 }; constexpr int n = B * 2; template <int "
       "N> "
       "constexpr int twice = 2 * N; int main() { k<<<A, n>>>((long)E::C); k<<<1, "
       "(twice<4>)>>>(sizeof(long) * "
       "alignof(int)); }",
     "k 3,1,1 8,1,1 =-2\nk 1,1,1 8,1,1 =32\n", NULL},
};

static const struct host_case variables[] = {
    {"volatile", K "int main() { volatile int n = 3; k<<<n, 1>>>(1); }", "k ?,1,1 1,1,1 =1\n",
     NULL},
    {"static local",
     K "int main() { static int n = 3; static int m = 4; static const int c = 5; m++; k<<<n, "
       "m>>>(c); }",
     "k 3,1,1 ?,1,1 =5\n", NULL},
    {"static without value",
     K "static int n; static int m; int main() { m = 4; k<<<n + 1, m>>>(1); }",
     "k ?,1,1 ?,1,1 =1\n", NULL},
    {"static escapes",
     K "static int n = 3; static int m = 4; void f(int *); int main() { f(&n); int &r = m; r = 6; "
       "k<<<n, "
       "m>>>(1); }",
     "k ?,1,1 ?,1,1 =1\n", NULL},
    {"static read by other code",
     K "static int n = 3; struct s { int get() { return n; } }; template <class T> T g() { return "
       "n; } int "
       "main() { k<<<n, 1>>>(1); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"static in an anonymous namespace",
     K "namespace { int n = 3; const int m = 4; } int main() { k<<<n, m>>>(1); }",
     "k 3,1,1 4,1,1 =1\n", NULL},
    {"default argument",
     K "static void f(int n, int m = 5) { k<<<n, m>>>(1); } int main() { f(3); f(3, 5); }",
     "k 3,1,1 ?,1,1 =1\n", NULL},
    {"parameter of an unknown function", K "void f(int n) { k<<<n, 1>>>(n); }", "k ?,1,1 1,1,1 ?\n",
     NULL},
    {"parameter written",
     K "static void f(int n) { n = n + 1; k<<<n, 1>>>(n); n++; k<<<n, 1>>>(n); } int main() { "
       "f(3); }",
     "k 4,1,1 1,1,1 =4\nk ?,1,1 1,1,1 ?\n", NULL},
    {"callers with an unknown value",
     K "int g(); static void f(int n, double d) { k<<<n, d>>>(1); } int main() { f(g(), 2.5); f(1, "
       "2.5); }",
     "k ?,1,1 2,1,1 =1\n", NULL},
    {"callers of floating values",
     K "static void f(double d, float e) { k<<<d, e>>>(1); } int main() { f(2.5, 1); f(2.5, 2); }",
     "k 2,1,1 ?,1,1 =1\n", NULL},
    {"unread assignment",
     K "int main() { int n; n = 3; { n = 4; { n = 5; } } k<<<n, 1>>>(1); if ((n = 6) > 5) k<<<n, "
       "1>>>(2); "
       "k<<<n, n>>>(n); }",
     "k 5,1,1 1,1,1 =1\nk ?,1,1 1,1,1 =2\nk ?,1,1 ?,1,1 ?\n", NULL},
    {"assignments in expressions",
     K "int main(int c, char **) { int n, m, q = 0; n = m = 3; k<<<n, m>>>(1); (n = 4), (m = 5); "
       "k<<<n, "
       "m>>>(1); c && (n = 6); k<<<n, m>>>(1); (q) = 7; k<<<q, 1>>>(1); q += 1; k<<<q, 1>>>(1); q "
       "= (m = 2) + m; "
       "k<<<q, m>>>(1); }",
     "k ?,1,1 3,1,1 =1\nk 4,1,1 5,1,1 =1\nk ?,1,1 5,1,1 =1\nk 7,1,1 1,1,1 =1\nk ?,1,1 1,1,1 =1\nk "
     "?,1,1 ?,1,1 "
     "=1\n",
     NULL},
    {"in a condition",
     K "int main(int c, char **) { int n = 1; if (n = c) k<<<n, 1>>>(1); n = 2; if (int m = 3) "
       "k<<<n, m>>>(m); "
       "if (int q = 4; c > q) k<<<q, 1>>>(1); while (n = c) k<<<n, 1>>>(1); k<<<n, 1>>>(1); }",
     "k ?,1,1 1,1,1 =1\nk 2,1,1 ?,1,1 ?\nk ?,1,1 1,1,1 =1\nk ?,1,1 1,1,1 =1\nk ?,1,1 1,1,1 =1\n",
     NULL},
    {"loops",
     K "int main(int c, char **) { int n = 3, m = 4; do { k<<<n, m>>>(1); m = 5; k<<<n, m>>>(2); } "
       "while "
       "(--c); k<<<n, m>>>(3); int i; for (i = 0, n = 6; i < c; i++) k<<<n, i>>>(4); for (int j = "
       "7; j; j = 0) "
       "k<<<j, n>>>(5); for (;;) { n = 8; k<<<n, 1>>>(6); break; } }",
     "k 3,1,1 ?,1,1 =1\nk 3,1,1 5,1,1 =2\nk 3,1,1 ?,1,1 =3\nk 6,1,1 ?,1,1 =4\nk ?,1,1 ?,1,1 =5\nk "
     "8,1,1 1,1,1 "
     "=6\n",
     NULL},
    {"loop that does not change it",
     K "int main(int c, char **) { int n = 3; for (int i = 0; i < c; i++) { k<<<n, 1>>>(i); } for "
       "(int i = n; "
       "i < c; i++) ; while (c--) { int n = 9; k<<<n, 1>>>(1); } k<<<n, 1>>>(1); for (int i = 2; "
       "k<<<i, n>>>(1), "
       "i < 4;) c++; }",
     "k 3,1,1 1,1,1 ?\nk 9,1,1 1,1,1 =1\nk 3,1,1 1,1,1 =1\nk 2,1,1 3,1,1 =1\n", NULL},
    {"switch",
     K "int main(int c, char **) { int n = 3, m = 4; switch (n) { case 1: { k<<<n, m>>>(1); } "
       "default: m = 5; "
       "k<<<n, m>>>(2); break; case 7: k<<<n, m>>>(3); } k<<<n, m>>>(4); switch (n = c) { case 1: "
       "k<<<n, "
       "1>>>(5); } }",
     "k 3,1,1 ?,1,1 =1\nk 3,1,1 5,1,1 =2\nk 3,1,1 ?,1,1 =3\nk 3,1,1 ?,1,1 =4\nk ?,1,1 1,1,1 =5\n",
     NULL},
    {"labels below a switch",
     K "int main(int c, char **) { int n = 3; switch (c) { case 1: if (c) { case 2: n = 4; } "
       "k<<<n, 1>>>(1); } "
       "k<<<2, n>>>(2); }",
     "k ?,1,1 1,1,1 =1\nk 2,1,1 ?,1,1 =2\n", NULL},
    {"range for and try",
     K
     "int main() { int n = 3, m = 4, q = 5; int list[2] = {1, 2}; for (int x : list) { m = x; "
     "k<<<n, "
     "m>>>(1); } try { q = 6; k<<<n, q>>>(2); } catch (...) { k<<<n, q>>>(3); } k<<<n, m>>>(4); }",
     "k 3,1,1 ?,1,1 =1\nk 3,1,1 6,1,1 =2\nk 3,1,1 ?,1,1 =3\nk 3,1,1 ?,1,1 =4\n", NULL},
    {"lambda by value",
     K "int main() { int n = 3; auto f = [=] { return n; }; k<<<n, f()>>>(1); auto g = [n] { "
       "k<<<n, 2>>>(n); "
       "}; g(); }",
     "k ?,1,1 ?,1,1 =1\nk ?,1,1 2,1,1 ?\n", NULL},
    {"method",
     K "struct s { int n; void run(int m) { k<<<m, n>>>(m); } }; int main() { s x{4}; x.run(5); "
       "k<<<x.n, "
       "1>>>(1); }",
     "k ?,1,1 ?,1,1 ?\nk ?,1,1 1,1,1 =1\n", NULL},
    {"function pointer in a table",
     K "static void f(int n) { k<<<n, 1>>>(1); } static void g(int n) { k<<<n, 2>>>(1); } static "
       "void "
       "(*table[])(int) = {g}; int main() { f(3); table[0](4); g(4); }",
     "k 3,1,1 1,1,1 =1\nk ?,1,1 2,1,1 =1\n", NULL},
    {"prototype and qualified calls",
     K "namespace a { static void f(int n); } static void g(int); static void f2(int n) { k<<<n, "
       "3>>>(1); } "
       "namespace a { static void f(int n) { k<<<n, 1>>>(1); } } static void g(int n) { k<<<n, "
       "2>>>(1); } "
       "namespace { void h(int n) { k<<<n, 4>>>(1); } } int main() { a::f(3); g(4); h(5); f2(6); "
       "extern void "
       "f2(int); }",
     "k ?,1,1 3,1,1 =1\nk 3,1,1 1,1,1 =1\nk 4,1,1 2,1,1 =1\nk 5,1,1 4,1,1 =1\n", NULL},
    {"name in a macro",
     K "#define CALL f(4)\nstatic void f(int n) { k<<<n, 1>>>(1); } int main() { f(4); CALL; }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"member of the same name",
     K "struct s { int f; int n; }; static void f(int n) { k<<<n, 1>>>(1); } int main() { s x; x.f "
       "= 3; s *p = "
       "&x; p->f = 4; f(5); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"recursion by two",
     K "static void g(int n); static void f(int n) { if (n) g(n); k<<<n, 1>>>(1); } static void "
       "g(int n) { "
       "f(n); } int main() { f(3); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"long chain",
     K "int main() { int n = 0; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = "
       "n + 1; n = n + "
       "1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; "
       "n = n + 1; n "
       "= n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; n = n + 1; k<<<n, 1>>>(1); }",
     "k ?,1,1 1,1,1 =1\n", NULL},
    {"wide chain",
     K "int main() { int n0 = 1; int n1 = n0 + n0; int n2 = n1 + n1; int n3 = n2 + n2; int n4 = n3 "
       "+ n3; int "
       "n5 = n4 + n4; int n6 = n5 + n5; int n7 = n6 + n6; int n8 = n7 + n7; int n9 = n8 + n8; int "
       "n10 = n9 + n9; "
       "int n11 = n10 + n10; int n12 = n11 + n11; int n13 = n12 + n12; int n14 = n13 + n13; int "
       "n15 = n14 + n14; "
       "int n16 = n15 + n15; int n17 = n16 + n16; int n18 = n17 + n17; int n19 = n18 + n18; int "
       "n20 = n19 + n19; "
       "k<<<n10, 1>>>(n20); }",
     "k 1024,1,1 1,1,1 ?\n", NULL},
};

static const struct host_case shapes[] = {
    {"two unknown values",
     K "int f(); int main() { dim3 g(f(), 4), b = f() ? dim3(8, 2) : dim3(8, 3); k<<<g, b>>>(1); "
       "dim3 c = true "
       "? g : b; k<<<c, (c)>>>(g.y); }",
     "k ?,4,1 8,?,1 =1\nk ?,4,1 ?,4,1 =4\n", NULL},
    {"conditional",
     K
     "int main() { int z = 0; k<<<z ? dim3(1, 2) : dim3(3, 4), z + 1 ? dim3(5) : dim3(6)>>>(1); }",
     "k 3,4,1 5,1,1 =1\n", NULL},
    {"forms",
     K "int main() { dim3 g = {4, 7}, b{32}, c = 5; dim3 d = dim3{2, 3, 4}; auto e = make_uint3(6, "
       "7, 8); "
       "k<<<g, b>>>(1); k<<<c, d>>>(2); k<<<e, (dim3)9>>>(3); k<<<{2, 3}, "
       "static_cast<dim3>(4)>>>(4); uint3 u = "
       "{1, 2, 3}; k<<<dim3(u), u.z>>>(u.x + u.y * 10); }",
     "k 4,7,1 32,1,1 =1\nk 5,1,1 2,3,4 =2\nk 6,7,8 9,1,1 =3\nk 2,3,1 4,1,1 =4\nk 1,2,3 3,1,1 =21\n",
     NULL},
    {"arithmetic on members",
     K "int main() { int n = 100; dim3 b(16, 8); dim3 g((n + b.x - 1) / b.x, (n + b.y - 1) / b.y); "
       "g.y += 1; "
       "k<<<g, b>>>(g.x * b.y * b.z); b.x++; k<<<b.x, b>>>(b.y); }",
     "k 7,?,1 16,8,1 =56\nk ?,1,1 ?,8,1 =8\n", NULL},
    {"of a pointer",
     K "int main() { dim3 g(2, 3); dim3 *p = &g; k<<<p->x, 1>>>(p->y); k<<<g, 1>>>(1); }",
     "k ?,1,1 1,1,1 ?\nk ?,?,? 1,1,1 =1\n", NULL},
    {"member of something else",
     K "struct v { int x, y, w; }; int main() { v a = {3, 4, 5}; a.y = 6; k<<<a.x, a.y>>>(a.w); "
       "int4 i = "
       "make_int4(1, 2, 3, 4); k<<<i.x, i.w>>>(1); }",
     "k ?,1,1 ?,1,1 ?\nk ?,1,1 ?,1,1 =1\n", NULL},
    {"function",
     K "static dim3 f(int n) { return dim3(n, 2); } int main() { k<<<f(3), 4>>>(1); dim3 g = f(5); "
       "k<<<g, "
       "g.y>>>(1); }",
     "k ?,?,? 4,1,1 =1\nk ?,?,? ?,1,1 =1\n", NULL},
    {"parameter",
     K "static void f(dim3 g, dim3 b, const dim3 &c) { k<<<g, b>>>(c.x); k<<<c, 1>>>(1); } int "
       "main() { "
       "f(dim3(2, 3), 4, dim3(5)); dim3 h(2, 3); f(h, dim3(4, 1), 5); }",
     "k 2,3,1 4,1,1 ?\nk ?,?,? 1,1,1 =1\n", NULL},
    {"reference",
     K "void set(dim3 &); int main() { dim3 g(2), h(3); set(g); const dim3 &r = h; k<<<g, r>>>(1); "
       "k<<<h, "
       "1>>>(1); }",
     "k ?,?,? ?,?,? =1\nk 3,1,1 1,1,1 =1\n", NULL},
    {"in braces and as a method",
     K "struct box { dim3 g; dim3 size() const { return g; } }; int main() { box b = {dim3(2, 3)}; "
       "k<<<b.g, "
       "b.size()>>>(1); }",
     "k ?,?,? ?,?,? =1\n", NULL},
    {"too many members",
     K "int main() { double d = 4.7; k<<<dim3(d, -1 + 2), dim3(1u << 31, 2)>>>(1); k<<<dim3(-1), "
       "1>>>(1); }",
     "k 4,1,1 2147483648,2,1 =1\nk 4294967295,1,1 1,1,1 =1\n", NULL},
    {"braces around a shape",
     K "int main() { dim3 g(2, 3); dim3 h{g}; dim3 i = {h}; k<<<h, i>>>(1); k<<<dim3(i), "
       "dim3{g}>>>(2); }",
     "k 2,3,1 2,3,1 =1\nk 2,3,1 2,3,1 =2\n", NULL},
    {"assigned in parts",
     K "int main(int c, char **) { dim3 g; (g).x = 5; g.y = c; g.z = 2; k<<<g, 1>>>(1); if (c) g = "
       "dim3(1, 1); "
       "k<<<g, 1>>>(2); g = {7, 8}; k<<<g, g.x>>>(3); g = 9; k<<<g, 1>>>(4); }",
     "k 5,?,2 1,1,1 =1\nk ?,?,? 1,1,1 =2\nk 7,8,1 7,1,1 =3\nk 9,1,1 1,1,1 =4\n", NULL},
};

static void test_arithmetic(void **state)
{
  (void)state;
  host_check(arithmetic, COUNT(arithmetic));
}
static void test_variables(void **state)
{
  (void)state;
  host_check(variables, COUNT(variables));
}
static void test_shapes(void **state)
{
  (void)state;
  host_check(shapes, COUNT(shapes));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic),
                                     cmocka_unit_test(test_variables),
                                     cmocka_unit_test(test_shapes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
