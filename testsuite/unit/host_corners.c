/* SPDX-License-Identifier: MIT */
/* host_corners.c - rare forms of uses of announced variables: one case each, so that no case hides
 * another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define INCLUDES \
  "#include <cstdlib>\n#include <cstring>\n#include <cstdio>\n#include <cmath>\n#include " \
  "<algorithm>\n#include <numeric>\n" \
  "#include <string>\n#include <vector>\n#include <utility>\n"
#define S \
  "static __global__ int n;\nstatic __global__ int a[8][4];\n__global__ void k(int m) { a[0][0] " \
  "= n; }\n"
#define R \
  "struct pair { int x; float y[4]; };\nstatic __global__ pair r, s[4];\n__global__ void k(int " \
  "m) { r.x = s[0].x; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case uses[] = {
    {"plain objects",
     R "int main() { k<<<1, 1>>>(1); pair p = s[1]; s[2].operator=(p); pair &t = s[3]; t.x = 1; "
       "const pair &u = r; return u.x + "
       "p.x; }",
     NULL,
     "r announced\n"
     "s guarded: a reference may be bound to it\n"
     "use r 1: return u.x + p.x\n"},
    {"copied oddly", R "int main() { k<<<1, 1>>>(1); pair p[2] = {r, s[1]}; return p[1].x; }", NULL,
     "r guarded: an object in it is copied or bound as a whole\n"
     "s guarded: an object in it is copied or bound as a whole\n"},
    {"reference result",
     S "int &first() { return a[0][0]; }\n"
       "int main() { k<<<1, 1>>>(1); return first(); }",
     NULL,
     "n announced\n"
     "a guarded: a reference may be bound to it\n"},
    {"const reference result",
     INCLUDES S "const int &big() { return std::max(n, a[0][0]); }\n"
                "int main() { k<<<1, 1>>>(1); return big(); }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a guarded: a reference may be bound to it\n"},
    {"reference to a result",
     INCLUDES S
     "int main() { k<<<1, 1>>>(1); int m = 3; const int &x = std::max(m, n); return x; }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a announced\n"},
    {"reference to a value", S "int main() { k<<<1, 1>>>(1); const long &x = n; return (int)x; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: const long &x = n;\n"},
    {"reference to a changed value",
     S "static long f(const long &v) { k<<<1, 1>>>(1); return v; }\n"
       "int main() { k<<<1, 1>>>(1); const long &x = n; const float &y = a[0][0]; k<<<1, 1>>>(2); "
       "return (int)x + (int)y + "
       "(int)f(a[1][1]); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: const long &x = n;\n"
     "use a 1: const float &y = a[0][0];\n"
     "use a 1: return (int)x + (int)y + (int)f(a[1][1])\n"},
    {"static reference", S "int main() { k<<<1, 1>>>(1); static int &x = n; return x; }", NULL,
     "n guarded: a reference is bound to it\n"
     "a announced\n"},
    {"array reference", S "int main() { k<<<1, 1>>>(1); int (&row)[4] = a[1]; return row[2]; }",
     NULL,
     "n announced\n"
     "a guarded: a reference is bound to it\n"},
    {"thrown",
     S "int main() { k<<<1, 1>>>(1); try { throw n; } catch (int x) { return x; } return 0; }",
     NULL,
     "n guarded: it is used in a construct that is not analysed\n"
     "a announced\n"},
    {"condition declares",
     S "int main() { k<<<1, 1>>>(1); if (int x = n) return x; while (int y = a[0][1]) return y; "
       "return 0; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: if (int x = n) return x\n"
     "use a 1: while (int y = a[0][1]) return y\n"},
    {"switch",
     S "int main() { k<<<1, 1>>>(1); switch (n) { case 1: return 2; default: return a[1][1]; } }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: switch (n) { case 1: return 2; default: return a[1][1]; }\n"
     "use a 1: switch (n) { case 1: return 2; default: return a[1][1]; }\n"},
    {"asm", S "int main() { k<<<1, 1>>>(1); asm volatile(\"\" : \"+r\"(n)); return 0; }", NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: asm volatile(\"\" : \"+r\"(n))\n"},
    {"sizes",
     S "int main() { k<<<1, 1>>>(1); return sizeof a / sizeof a[0] + alignof(decltype(n)) + "
       "noexcept(n); }",
     NULL,
     "n announced\n"
     "a announced\n"},
    {"kept by a call",
     S "void keep(int *);\n"
       "int main() { k<<<1, 1>>>(1); keep(a[0]); return 0; }",
     NULL,
     "n announced\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "arg 3: a[0]\n"},
    {"registered", S "int main() { k<<<1, 1>>>(1); cudaHostRegister(a, sizeof a, 0); return 0; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: cudaHostRegister(a, sizeof a, 0)\n"
     "open 3: a\n"},
    {"symbol",
     S "int main() { k<<<1, 1>>>(1); int *p; cudaGetSymbolAddress((void **)&p, n); cudaFree(a[0]); "
       "return 0; }",
     NULL,
     "n announced\n"
     "a guarded: its address is passed to a library function that is not analysed\n"
     "use n 1: cudaGetSymbolAddress((void **)&p, n)\n"},
    {"formatted",
     INCLUDES S "int main() { k<<<1, 1>>>(1); printf(\"%d %p\", n, (void *)a); return 0; }", NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: printf(\"%d %p\", n, (void *)a)\n"
     "use a 1: printf(\"%d %p\", n, (void *)a)\n"},
    {"variadic",
     S "void many(int, ...);\n"
       "int main() { k<<<1, 1>>>(1); many(1, n); many(1, a); return 0; }",
     NULL,
     "n announced\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "use n 1: many(1, n)\n"
     "arg 3: a\n"},
    {"method",
     S "struct m { int f(int *p) { return *p; } int g(int &x) { return x; } };\n"
       "int main() { k<<<1, 1>>>(1); m o; return o.f(a[0]) + o.g(n); }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a guarded: its address is passed to a function that is not analysed\n"},
    {"launching callee",
     S "static void deeper(int *p) { k<<<1, 1>>>(1); *p = 1; } static void over(int *p) { *p = 2; "
       "deeper(p); }\n"
       "int main() { k<<<1, 1>>>(1); over(a[0]); over(&n); return 0; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 10: *p = 1\n"
     "use a 10: *p = 1\n"
     "use n 10: *p = 2\n"
     "use a 10: *p = 2\n"},
    {"quiet callee in callee",
     S "static int deeper(int *p) { return *p; } static int over(int *p, int d) { return d ? "
       "over(p, d - 1) : deeper(p); }\n"
       "int main() { k<<<1, 1>>>(1); return over(a[0], 2) + over(&n, 1); }",
     NULL,
     "n guarded: its address is stored in a variable that escapes\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"returned by callee",
     S "static int *pass(int *p) { return p; } static int *choose(int c, int *p, int *q) { return "
       "c ? p : q; }\n"
       "int main() { k<<<1, 1>>>(1); return *pass(&n) + choose(n, a[0], pass(a[1]))[2]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return *pass(&n) + choose(n, a[0], pass(a[1]))[2]\n"
     "use a 1: return *pass(&n) + choose(n, a[0], pass(a[1]))[2]\n"},
    {"returned for all",
     S "int *everywhere() { return a[1]; } static int *here() { return a[2]; }\n"
       "int main() { k<<<1, 1>>>(1); return everywhere()[1] + here()[2]; }",
     NULL,
     "n announced\n"
     "a guarded: its address is returned\n"},
    {"returned and launched",
     S "static int *both() { k<<<1, 1>>>(1); return a[2]; }\n"
       "int main() { k<<<1, 1>>>(1); int *p = both(); return p[1] + both()[0]; }",
     NULL,
     "n announced\n"
     "a guarded: a launch cannot be told apart from a use\n"},
    {"containers",
     INCLUDES S "int main() { k<<<1, 1>>>(1); std::vector<int> v(a[0], a[0] + 4); std::string "
                "t((char *)a[1], 3); return v[0] + t[0]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: std::vector<int> v(a[0], a[0] + 4);\n"
     "use a 1: std::string t((char *)a[1], 3);\n"},
    {"algorithms",
     INCLUDES S
     "int main() { k<<<1, 1>>>(1); std::sort(a[0], a[0] + 4); int *p = std::find(a[1], a[1] + 4, "
     "3); std::copy((const int "
     "*)a[2], (const int *)a[3], a[1]); return *p + std::accumulate(a[0], a[0] + 4, 0); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: std::sort(a[0], a[0] + 4)\n"
     "use a 3: int *p = std::find(a[1], a[1] + 4, 3);\n"
     "use a 3: std::copy((const int *)a[2], (const int *)a[3], a[1])\n"
     "use a 3: return *p + std::accumulate(a[0], a[0] + 4, 0)\n"},
    {"algorithm that calls",
     INCLUDES S
     "int main() { k<<<1, 1>>>(1); std::for_each(a[0], a[0] + 4, [](int &x) { x++; }); return 0; }",
     NULL,
     "n announced\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "arg 3: a[0]\n"
     "arg 3: a[0] + 4\n"},
    {"rows",
     INCLUDES S "int main() { k<<<1, 1>>>(1); int (*p)[4] = a + 1; std::swap(p[0][1], p[1][1]); "
                "std::reverse(a[2], a[3]); return (*p)[2] "
                "+ p[1][1] + **p + (*(p + 1))[1]; }",
     NULL,
     "n announced\n"
     "a guarded: a reference may be bound to it\n"},
    {"rows to a function",
     S "static int at(int (*p)[4]) { return p[1][2]; } static int all(const int (&p)[4]) { return "
       "p[1]; }\n"
       "int main() { k<<<1, 1>>>(1); return at(a) + all(a[1]); }",
     NULL,
     "n announced\n"
     "a guarded: an object in it is copied or bound as a whole\n"},
    {"pointer to pointer",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0], **pp = &p; return **pp; }", NULL,
     "n announced\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"stored",
     S "struct list { int *at; list *next; }; static list head; int *global;\n"
       "int main() { k<<<1, 1>>>(1); head.at = a[0]; global = &n; return 0; }",
     NULL,
     "n guarded: its address is stored\n"
     "a guarded: its address is stored\n"},
    {"stored beyond",
     S "struct list { int *at; list *next; };\n"
       "int main() { k<<<1, 1>>>(1); list l, *p = &l; p->at = a[0]; l.next = p; (&l)->at[1] = n; "
       "return p->at[1]; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored\n"
     "use n 1: (&l)->at[1] = n\n"},
    {"local list",
     S "int main() { k<<<1, 1>>>(1); int *l[2] = {a[0], &n}, *t[2][2] = {{a[1]}}; l[1] = a[3]; "
       "t[1][0] = l[0]; (l[0])[1] = 3; "
       "++l[1]; int **e = l; return *l[1] + t[0][0][1] + (l[0] ? 1 : 0) + *e[0]; }",
     NULL,
     "n guarded: a pointer to it is stored in an array that is passed on\n"
     "a guarded: a pointer to it is stored in an array that is passed on\n"},
    {"local list followed",
     S "int main() { k<<<1, 1>>>(1); int *l[2] = {a[0], &n}, *t[2][2] = {{a[1]}}; l[1] = a[3]; "
       "t[1][0] = l[0]; (l[0])[1] = 3; "
       "++l[1]; return *l[1] + t[0][0][1] + (l[0] ? 1 : 0) + *(t[0])[0]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: (l[0])[1] = 3\n"
     "use a 3: (l[0])[1] = 3\n"
     "use n 1: return *l[1] + t[0][0][1] + (l[0] ? 1 : 0) + *(t[0])[0]\n"
     "use a 1: return *l[1] + t[0][0][1] + (l[0] ? 1 : 0) + *(t[0])[0]\n"},
    {"local structure",
     S "struct view { int *p; int n; }; struct views { view v[2]; };\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 4}, w = v; views x = {{{a[1], 2}, v}}; v.p++; "
       "v.n = 3; return v.p[1] + w.n "
       "+ (x.v[0]).p[1] + x.v[1].n; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored in a structure that is passed on\n"},
    {"local structure handed over",
     S "struct view { int *p; int n; }; static int sum(view v) { return v.p[0]; }\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 4}; view *p = &v; return sum(v) + p->n; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored\n"},
    {"structure in a launch",
     S "struct view { int *p; int n; }; __global__ void t(view v) { v.p[0] = 1; }\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 4}; t<<<1, 1>>>(v); return v.p[1]; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored in a structure that is passed on\n"},
    {"list in a static",
     S "int main() { k<<<1, 1>>>(1); static int *l[2] = {a[0], &n}; static int *m = a[1]; return "
       "*l[0] + *m; }",
     NULL,
     "n guarded: its address is stored\n"
     "a guarded: its address is stored\n"},
    {"braces",
     S "int main() { k<<<1, 1>>>(1); int *p = {a[0]}, *q{a[1]}; int x[2] = {n, a[2][1]}; return *p "
       "+ *q + x[0]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: int x[2] = {n, a[2][1]};\n"
     "use a 1: int x[2] = {n, a[2][1]};\n"
     "use a 1: return *p + *q + x[0]\n"
     "use a 1: return *p + *q + x[0]\n"},
    {"new",
     S
     "int main() { k<<<1, 1>>>(1); int *p = new int(n), **q = new int *(a[0]); return *p + **q; }",
     NULL,
     "n guarded: it is used in a construct that is not analysed\n"
     "a guarded: it is used in a construct that is not analysed\n"},
    {"lambda",
     S
     "int main() { k<<<1, 1>>>(1); int *p = a[0]; auto f = [=] { return p[1] + n; }; return f(); }",
     NULL,
     "n guarded: it is used in a construct that is not analysed\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"converted",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0]; bool b = p; (void)p; long l = (long)(void *)p; "
       "float *f = (float *)a[1]; "
       "return b + (int)l + (int)f[1]; }",
     NULL,
     "n announced\n"
     "a guarded: its address is converted to a number\n"},
    {"conditions",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0]; if (p) n = 1; while (p) p = 0; do { p = 0; } "
       "while (p); for (p = a[1]; p; p "
       "= 0) ; if (!p || p == a[0]) return 1; return p - a[0] > 2 && p < a[3]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: if (p) n = 1\n"},
    {"operators",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0], *q; q = p = a[1]; *(p += 2) = 1; p -= 1; p--; "
       "--p; ++p; p++; return *p++ + "
       "*--q + *+p + (n, q)[0] + (q, n) + (int)(q - p) + *(2 + p); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: *(p += 2) = 1\n"
     "use n 1: return *p++ + *--q + *+p + (n, q)[0] + (q, n) + (int)(q - p) + *(2 + p)\n"
     "use a 1: return *p++ + *--q + *+p + (n, q)[0] + (q, n) + (int)(q - p) + *(2 + p)\n"},
    {"index first", S "int main() { k<<<1, 1>>>(1); int *p = a[0]; return 1[p] + 2[a[1]]; }", NULL,
     "n announced\n"
     "a guarded: it is indexed in an unusual way\n"},
    {"swapped",
     INCLUDES S "int main() { k<<<1, 1>>>(1); int *p = a[0], *q = &n; std::swap(p, q); "
                "std::swap(n, a[1][1]); int *l[2] = {}; "
                "std::swap(p, l[0]); return *p; }",
     NULL,
     "n guarded: its address is stored in a variable that escapes\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"swapped twice",
     INCLUDES S "int main() { k<<<1, 1>>>(1); int *p = a[0], *q = a[1]; std::swap(p, q); p[0] = 2; "
                "return *q; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: p[0] = 2\n"
     "use a 1: return *q\n"},
    {"reference to a pointer",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0], *&q = p; return *q; }", NULL,
     "n announced\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"file statics",
     S "static int *one, *two; static int **three = &two;\n"
       "#define TWO two\n"
       "int main() { k<<<1, 1>>>(1); one = a[0]; TWO = &n; return *one + **three; }",
     NULL,
     "n guarded: its address is stored\n"
     "a announced\n"
     "use a 1: return *one + **three\n"},
    {"parameters",
     S "static int use(int *p) { p = a[0]; return *p; }\n"
       "int main() { k<<<1, 1>>>(1); return use(0); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: return *p\n"},
    {"volatile",
     S "int main() { k<<<1, 1>>>(1); volatile int *p = &n; const int *q = a[0]; return *p + *q; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return *p + *q\n"
     "use a 1: return *p + *q\n"},
    {"chains",
     S "int main() { k<<<1, 1>>>(1); int *p0 = a[0], *p1 = p0, *p2 = p1, *p3 = p2, *p4 = p3, *p5 = "
       "p4, *p6 = p5, *p7 = p6, *p8 "
       "= p7, *p9 = p8, *pa = p9, *pb = pa, *pc = pb, *pd = pc; return *pd; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"loops of launches",
     S "int main() { k<<<1, 1>>>(1); for (int i = 0; i < 3; i++) { if (n) a[i][0] = i; k<<<1, "
       "1>>>(n); } for (int i = 0; i < n; "
       "i++) k<<<1, 1>>>(i); do { k<<<1, 1>>>(1); } while (a[0][0] > 3); return 0; }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a guarded: a launch cannot be told apart from a use\n"},
    {"jumps",
     S
     "int main() { k<<<1, 1>>>(1); again: n++; k<<<1, 1>>>(1); if (n < 3) goto again; return 0; }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a announced\n"},
    {"opaque",
     S "int main() { k<<<1, 1>>>(1); for (int x : {1, 2}) { n += x; k<<<1, 1>>>(1); } try { "
       "a[0][0]++; } catch (...) { } return "
       "0; }",
     NULL,
     "n guarded: it is used in a construct that is not analysed\n"
     "a announced\n"
     "use a 3: try { a[0][0]++; } catch (...) { }\n"},
    {"short circuit",
     S "int main() { k<<<1, 1>>>(1); int m = 3; return m && (k<<<1, 1>>>(1), n) ? a[0][0] : "
       "(k<<<1, 1>>>(2), a[0][1]); }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a guarded: a launch cannot be told apart from a use\n"},
    {"in the shape",
     S "int main() { k<<<1, 1>>>(1); k<<<n, 1>>>(a[0][0]); k<<<1, a[1][1]>>>(n++); return 0; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: k<<<n, 1>>>(a[0][0])\n"
     "use a 1: k<<<n, 1>>>(a[0][0])\n"
     "use n 3: k<<<1, a[1][1]>>>(n++)\n"
     "use a 1: k<<<1, a[1][1]>>>(n++)\n"},
};

static void test_uses(void **state)
{
  (void)state;
  host_check(uses, COUNT(uses));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_uses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
