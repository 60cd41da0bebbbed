/* SPDX-License-Identifier: MIT */
/* host_rare.c - more rare forms, one case each: how uses of VS data are followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define INCLUDES \
  "#include <cstdlib>\n#include <cstring>\n#include <cstdio>\n#include <algorithm>\n#include " \
  "<string>\n#include <vector>\n"
#define S \
  "static __global__ int n;\nstatic __global__ int a[8][4];\n__global__ void k(int m) { a[0][0] " \
  "= n; }\n"
#define R \
  "struct pair { int x; float y[4]; };\nstatic __global__ pair r, s[4];\n__global__ void k(int " \
  "m) { r.x = s[0].x; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case rare_uses[] = {
    {"odd member names",
     S "struct m { int a, *n; }; struct q { int x, a[3]; int &n; };\n"
       "int main() { k<<<1, 1>>>(1); m s = {a[0][0], 0}; return s.a; }",
     NULL,
     "n guarded: its name stands in code that is not analysed\n"
     "a guarded: a reference may be bound to it\n"},
    {"a name in a default argument",
     S "static int f(int x = n) { return x; }\n"
       "int main() { k<<<1, 1>>>(1); return f(); }",
     NULL,
     "n guarded: its name stands in code that is not analysed\n"
     "a announced\n"},
    {"names in strings",
     S "static const char *text = R\"x(a[0] \")x\", *other = R\"(n)\" \"n\\\"a\\\\\", c = 'a'; // "
       "n \\\n"
       " a\n"
       "/* n * a */\n"
       "int main() { k<<<1, 1>>>(1); int big = 1'000; return n + big + c + text[0]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return n + big + c + text[0]\n"},
    {"names in a union and a class",
     S "union u { int n; float a; }; class c { int a, n; public: int *get(); };\n"
       "int main() { k<<<1, 1>>>(1); return n; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return n\n"},
    {"names of parameters and enumerators",
     S "enum e { one, two };\n"
       "struct s { void a(int n); int f(int a, int n) { return a; } };\n"
       "int main() { k<<<1, 1>>>(1); return a[0][0]; }",
     NULL,
     "n announced\n"
     "a guarded: its name stands in code that is not analysed\n"},
    {"name behind an initialiser",
     S "struct s { int x = 3, n; };\n"
       "int main() { k<<<1, 1>>>(1); return n; }",
     NULL,
     "n guarded: its name stands in code that is not analysed\n"
     "a announced\n"},
    {"name in a macro",
     S "#define N n\n"
       "#define M(a) (a)\n"
       "int main() { k<<<1, 1>>>(1); return N + M(3); }",
     NULL,
     "n guarded: a macro names it\n"
     "a guarded: a macro names it\n"},
    {"name in a structure without a head",
     S "typedef struct { int a; int n[2]; } both;\n"
       "int main() { k<<<1, 1>>>(1); both b = {1, {2, 3}}; return b.a + n; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return b.a + n\n"},
    {"prototypes",
     S "static int f(int *p); static int f(int *);\n"
       "int unrelated, g();\n"
       "static int f(int *p) { k<<<1, 1>>>(1); return *p; }\n"
       "int main() { k<<<1, 1>>>(1); return f(a[0]); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: return *p\n"},
    {"called through a name",
     S "namespace ns { static int f(int *p) { k<<<1, 1>>>(2); return *p; } }\n"
       "int main() { k<<<1, 1>>>(1); int (*g)(int *) = ns::f; return ns::f(a[0]) + g(&n); }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a announced\n"
     "use a 1: return *p\n"
     "arg 3: &n\n"},
    {"called in a macro",
     S "static int *f() { return a[1]; }\n"
       "#define F f()\n"
       "int main() { k<<<1, 1>>>(1); return *F; }",
     NULL,
     "n announced\n"
     "a guarded: its address is returned\n"},
    {"result of a function",
     S "static int *f() { return a[1]; }\n"
       "int main() { k<<<1, 1>>>(1); int *p = f(); f()[2] = 3; return *p + *f(); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: f()[2] = 3\n"
     "use a 1: return *p + *f()\n"},
    {"result of a method",
     S "struct s { int *get() { return a[1]; } };\n"
       "int main() { k<<<1, 1>>>(1); s x; return *x.get(); }",
     NULL,
     "n announced\n"
     "a guarded: its address is returned\n"},
    {"result of a recursive function",
     S "static int *f(int x) { return x ? f(x - 1) : a[1]; }\n"
       "int main() { k<<<1, 1>>>(1); return *f(3); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: return *f(3)\n"},
    {"result that is passed on",
     S "static int *next(int *p) { return p + 1; }\n"
       "int main() { k<<<1, 1>>>(1); *next(a[0]) = 3; int *p = next(&n); return *p; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: *next(a[0]) = 3\n"
     "use n 1: return *p\n"},
    {"containers of pointers",
     S "struct view { int *p, m; };\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 3}; view w; w.p = &n; int *l[2][2] = {{a[0], "
       "a[1]}, {0, 0}}; "
       "l[1][0] = a[2]; *l[0][1] = 5; w.p[0] = 1; return *v.p + v.m + *l[1][0]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: *l[0][1] = 5\n"
     "use n 3: w.p[0] = 1\n"
     "use a 1: return *v.p + v.m + *l[1][0]\n"},
    {"containers that go on",
     S "struct view { int *p, m; }; void take(view); void point(int **);\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 3}; take(v); int *l[2]; l[0] = &n; point(l); "
       "return 0; }",
     NULL,
     "n guarded: a pointer to it is stored in an array that is passed on\n"
     "a guarded: its address is stored in a structure that is passed on\n"
     "all: take(v)\n"
     "all: point(l)\n"},
    {"containers that are copied",
     S "struct view { int *p, m; };\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 3}, w = v; int *l[2] = {&n}; int **m = l; "
       "return *w.p + **m; }",
     NULL,
     "n guarded: a pointer to it is stored in an array that is passed on\n"
     "a guarded: its address is stored in a structure that is passed on\n"},
    {"static containers",
     S "struct view { int *p, m; };\n"
       "int main() { k<<<1, 1>>>(1); static view v = {a[0], 3}; static int *l[2]; l[0] = &n; "
       "return *v.p + *l[0]; }",
     NULL,
     "n guarded: its address is stored\n"
     "a guarded: its address is stored\n"},
    {"containers by reference",
     S "struct view { int *p, m; };\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 3}; view &w = v; view *x = &v; return *w.p + "
       "*x->p; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored\n"},
    {"containers in a lambda",
     S "struct view { int *p, m; };\n"
       "int main() { k<<<1, 1>>>(1); view v = {a[0], 3}; auto f = [&] { return *v.p; }; return "
       "f(); }",
     NULL,
     "n announced\n"
     "a guarded: it is used in a construct that is not analysed\n"},
    {"containers in a launch",
     S "struct view { int *p, m; };\n"
       "__global__ void l(view v) {}\n"
       "int main() { k<<<1, 1>>>(1); view v; v.p = a[0]; l<<<1, 1>>>(v); v.m = 3; return v.m; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored in a structure that is passed on\n"},
    {"a container of a number",
     S "struct box { int x; };\n"
       "int main() { k<<<1, 1>>>(1); box b = {n}; int l[2] = {a[0][0], 1}; return b.x + l[0]; }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a announced\n"
     "use a 1: int l[2] = {a[0][0], 1};\n"},
    {"deep containers",
     S "struct in { int *p; }; struct out { in i[2]; int *q; };\n"
       "int main() { k<<<1, 1>>>(1); out o = {{{a[0]}, {&n}}, 0}; o.i[1].p[0] = 3; return "
       "*o.i[0].p; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: o.i[1].p[0] = 3\n"
     "use a 3: o.i[1].p[0] = 3\n"
     "use n 1: return *o.i[0].p\n"
     "use a 1: return *o.i[0].p\n"},
    {"pointers in conditions",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0]; if (p) n = 1; while (p) break; for (; p;) "
       "break; do { } while (!p); "
       "switch (p != 0) { } return p && p == a[0] && (p - a[1]) > 3 && (p, 1); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: if (p) n = 1\n"},
    {"pointers that step",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0]; p++; ++p; p--; --p; p += 2; *p++ = 3; *++p = "
       "4; *p-- = 5; *--p = 6; "
       "*(p += 2) = 7; *+p = 8; int *q; *(q = p) = 9; return (0, p)[1]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: *p++ = 3\n"
     "use a 3: *++p = 4\n"
     "use a 3: *p-- = 5\n"
     "use a 3: *--p = 6\n"
     "use a 3: *(p += 2) = 7\n"
     "use a 3: *+p = 8\n"
     "use a 3: *(q = p) = 9\n"
     "use a 1: return (0, p)[1]\n"},
    {"pointers that become numbers",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0], *q = &n; bool b = p; (void)p; return b + "
       "(int)(long)q; }",
     NULL,
     "n guarded: its address is converted to a number\n"
     "a announced\n"},
    {"address of a pointer",
     S "int main() { k<<<1, 1>>>(1); int *p = a[0], **q = &p; return **q; }", NULL,
     "n announced\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"address of an array",
     S "int main() { k<<<1, 1>>>(1); int (*p)[4] = &a[1], (*q)[8][4] = &a; return (*p)[1] + "
       "(*q)[1][2]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: return (*p)[1] + (*q)[1][2]\n"
     "use a 1: return (*p)[1] + (*q)[1][2]\n"},
    {"choice of pointers",
     S "int main() { k<<<1, 1>>>(1); int m = 3; int *p = m ? a[0] : &n; *(m ? p : &m) = 4; (m ? n "
       ": a[1][1]) = 5; "
       "return p ? 1 : 2; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: *(m ? p : &m) = 4\n"
     "use a 3: *(m ? p : &m) = 4\n"
     "use n 3: (m ? n : a[1][1]) = 5\n"
     "use a 3: (m ? n : a[1][1]) = 5\n"},
    {"references to references",
     S "static int f(int &x) { return x; }\n"
       "static void g(int &x) { x = 3; }\n"
       "int main() { k<<<1, 1>>>(1); int &x = n, &y = x; g(a[1][1]); return f(y); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: g(a[1][1])\n"
     "use n 1: return f(y)\n"},
    {"reference to a row",
     S "static int f(int (&x)[4]) { return x[1]; }\n"
       "int main() { k<<<1, 1>>>(1); return f(a[2]); }",
     NULL,
     "n announced\n"
     "a guarded: an object in it is copied or bound as a whole\n"},
    {"initialiser of a global",
     S "static int *where = a[1]; int value = n;\n"
       "int main() { k<<<1, 1>>>(1); return *where + value; }",
     NULL,
     "n guarded: it is used in the initialiser of a global\n"
     "a guarded: it is used in the initialiser of a global\n"},
    {"function for both sides",
     S "static __host__ __device__ int f() { return n; }\n"
       "int main() { k<<<1, 1>>>(1); return f(); }",
     NULL,
     "n guarded: it is used in a function for host and device\n"
     "a announced\n"},
    {"library results",
     INCLUDES S "int main() { k<<<1, 1>>>(1); char *c = (char *)memcpy(a[0], a[1], 8); c[1] = 3; "
                "char *d = strchr((char *)a[2], "
                "3); setbuf(stdout, (char *)&n); return *d; }",
     NULL,
     "n guarded: its address is passed to a function that may keep it\n"
     "a announced\n"
     "use a 3: char *c = (char *)memcpy(a[0], a[1], 8);\n"
     "use a 10: c[1] = 3\n"
     "use a 1: char *d = strchr((char *)a[2], 3);\n"
     "keep: (char *)&n\n"
     "use a 1: return *d\n"},
    {"library functions that keep",
     INCLUDES S "#include <iterator>\n"
                "int main() { k<<<1, 1>>>(1); std::vector<int> v(a[0], a[1]); std::sort(a[0], a[0] "
                "+ 4); int *p = "
                "std::max(&a[1][0], &a[1][2]); std::string t((char *)&n, 4); return v[0] + *p; }",
     NULL,
     "n announced\n"
     "a guarded: its address is passed to a library function that is not analysed\n"
     "use n 1: std::string t((char *)&n, 4);\n"},
    {"begin and end",
     INCLUDES S "#include <iterator>\n"
                "int main() { k<<<1, 1>>>(1); int *p = std::min_element(std::begin(a[1]), "
                "std::end(a[1])); return *p + n; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: int *p = std::min_element(std::begin(a[1]), std::end(a[1]));\n"
     "use n 1: return *p + n\n"
     "use a 1: return *p + n\n"},
    {"a callback",
     INCLUDES S "static int by(const void *, const void *) { k<<<1, 1>>>(1); return 0; }\n"
                "int main() { k<<<1, 1>>>(1); qsort(a, 8, 4, by); std::for_each(&n, &n + 1, "
                "[](int) { k<<<1, 1>>>(1); }); return "
                "0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a guarded: its address is passed to a function that may launch kernels\n"
     "arg 3: &n\n"
     "arg 3: &n + 1\n"},
    {"an asked reference",
     INCLUDES S "struct s { s(int *); s(int &); int x; };\n"
                "int main() { k<<<1, 1>>>(1); s t(a[0]), u{n}; return t.x + u.x; }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a guarded: its address is passed to a function that is not analysed\n"},
    {"swap of elements",
     INCLUDES S "int main() { k<<<1, 1>>>(1); std::swap(a[0][0], a[0][1]); int *p = &n; "
                "std::swap(*p, a[1][0]); std::swap(a[0], "
                "a[1]); return 0; }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a guarded: a reference may be bound to it\n"},
    {"in a statement that launches",
     S "static int f() { k<<<1, 1>>>(1); return n; }\n"
       "int main() { int s = 0; for (int i = f(); i < n; i++) s += a[0][i % 4]; if (f()) s++; "
       "while (f() > 3) s++; "
       "return s + f() + n; }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a announced\n"
     "use a 1 {}: s += a[0][i % 4]\n"},
    {"without launches",
     S "static void idle() {}\n"
       "int main() { idle(); a[0][0] = 3; return n; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: a[0][0] = 3\n"
     "use n 1: return n\n"},
    {"braces of a loop",
     S "int main() { k<<<1, 1>>>(1); for (int i = 0; i < 3; i++) if (i) k<<<1, 1>>>(n); else "
       "a[0][0] = i; do k<<<1, "
       "1>>>(n++); while (n < 3); return 0; }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a announced\n"
     "use a 10 {}: a[0][0] = i\n"},
    {"records and rows",
     R "int main() { k<<<1, 1>>>(1); pair p; p = r; s[0] = p; s[1] = s[2]; p = pair(r); pair *q = "
       "&s[1], *e = s + 1; "
       "(*q).x = 3; e->y[1] = 2; auto f = s[1].y; f[2] = 1; return q->y[1] + sizeof(s[0]); }",
     NULL,
     "r announced\n"
     "s announced\n"
     "use r 1: p = r\n"
     "use s 3: s[0] = p\n"
     "use s 3: s[1] = s[2]\n"
     "use r 1: p = pair(r)\n"
     "use s 10: (*q).x = 3\n"
     "use s 10: e->y[1] = 2\n"
     "use s 10: f[2] = 1\n"
     "use s 1: return q->y[1] + sizeof(s[0])\n"},
    {"passed records",
     R "static int f(pair p) { return p.x; } static int g(const pair &p) { return p.x; } static "
       "int h(pair *p) { return "
       "p->x; }\n"
       "int main() { k<<<1, 1>>>(1); return f(r) + g(s[1]) + h(s); }",
     NULL,
     "r guarded: an object in it is copied or bound as a whole\n"
     "s announced\n"
     "use s 1: return f(r) + g(s[1]) + h(s)\n"},
    {"returned records",
     R "static pair f() { return s[1]; } static const pair &g() { return r; }\n"
       "int main() { k<<<1, 1>>>(1); return f().x + g().x; }",
     NULL,
     "r guarded: a reference may be bound to it\n"
     "s guarded: an object in it is copied or bound as a whole\n"},
    {"values that are dropped",
     S "struct view { int *p; };\n"
       "int main() { k<<<1, 1>>>(1); int *p = a[0], *l[2] = {&n}; view v = {a[1]}; a[0]; n; v; l; "
       "p; *p; l[0]; v.p; for "
       "(p; n < 3; p) n++; return *1[l] + *+a[2]; }",
     NULL,
     "n guarded: its address is stored in a structure that is passed on\n"
     "a guarded: its address is stored in a structure that is passed on\n"},
    {"thrown records",
     R "int main() { k<<<1, 1>>>(1); try { throw r; } catch (...) { } return s[1].x; }", NULL,
     "r guarded: it is used in a construct that is not analysed\n"
     "s announced\n"
     "use s 1: return s[1].x\n"},
    {"values of library calls",
     INCLUDES S "static int f() { return std::max(n, 3); }\n"
                "int main() { k<<<1, 1>>>(1); int m = std::min(a[0][0], 4); m = std::max(a[1][1], "
                "m); return f() + m; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return std::max(n, 3)\n"
     "use a 1: int m = std::min(a[0][0], 4);\n"
     "use a 1: m = std::max(a[1][1], m)\n"},
    {"assignments of their own",
     "struct own { int x; own &operator=(const own &o); void operator=(int y) { x = y; } };\n"
     "static __global__ own r, s[4];\n"
     "__global__ void k(int m) { r.x = s[0].x; }\n"
     "int main() { k<<<1, 1>>>(1); own t; t = s[1]; r = 3; return t.x; }",
     NULL,
     "r guarded: a reference may be bound to it\n"
     "s announced\n"
     "use s 1: t = s[1]\n"},
    {"memory from calls",
     INCLUDES S
     "int main() { k<<<1, 1>>>(1); cudaMalloc((void **)a, 8); return mesi_realloc(&n, 8) != 0; }",
     NULL,
     "n guarded: its address is passed to a function that may keep it\n"
     "a guarded: its address is passed to a function that may keep it\n"},
    {"a reference to code elsewhere",
     S "void ext(int &); void extc(const int &);\n"
       "int main() { k<<<1, 1>>>(1); ext(n); extc(a[0][0]); return 0; }",
     NULL,
     "n guarded: a reference is bound to it\n"
     "a guarded: a reference is bound to it\n"
     "use n 3: ext(n)\n"
     "use a 3: extc(a[0][0])\n"},
    {"standard algorithms",
     INCLUDES S "int main() { k<<<1, 1>>>(1); std::string t; t.append((const char *)&n, 4); "
                "std::swap_ranges(a, a + 2, a + 4); "
                "return 0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a announced\n"
     "use a 3: std::swap_ranges(a, a + 2, a + 4)\n"},
    {"a comparison that launches",
     INCLUDES S "int main() { k<<<1, 1>>>(1); std::sort(a[0], a[1], [](int x, int y) { k<<<1, "
                "1>>>(1); return x < y; }); return "
                "n; }",
     NULL,
     "n announced\n"
     "a guarded: a launch cannot be told apart from a use\n"
     "use n 1: return n\n"},
    {"pointers by reference",
     S "static int f(int *const &p) { return *p; } static int g(int *&&p) { return *p; }\n"
       "int main() { k<<<1, 1>>>(1); int *const &r = a[1] + 1; return f(&n) + g(&n) + *r; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a guarded: its address is stored\n"},
    {"pointers in VS variables",
     S "static __global__ int *q;\n"
       "int main() { k<<<1, 1>>>(1); q = a[0]; k<<<1, 1>>>(*q); return n; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored\n"
     "q announced\n"
     "use q 10: q = a[0]\n"
     "use q 1: k<<<1, 1>>>(*q)\n"
     "use n 1: return n\n"},
    {"plain library calls",
     S "#include <stdio.h>\n"
       "#include <string.h>\n"
       "int main() { k<<<1, 1>>>(1); const char *c = (const char *)a[0], *d = (const char *)&n; "
       "puts(c); return "
       "strlen(d); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: puts(c)\n"
     "use n 1: return strlen(d)\n"},
    {"in two functions that launch nothing",
     S "static void clear(int *p) { *p = 0; } static void all(int *p, int n) { for (int i = 0; i < "
       "n; i++) clear(p + "
       "i); } static int *same(int *p) { return p; } static int *again(int *p) { return same(p) + "
       "1; }\n"
       "int main() { k<<<1, 1>>>(1); all(a[0], 4); *again(&n) = 3; return *again(a[1]); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 3: all(a[0], 4)\n"
     "use n 3: *again(&n) = 3\n"
     "use a 1: return *again(a[1])\n"},
    {"braced pointers",
     S "struct view { int *p, m; }; static int take(view v) { return *v.p; }\n"
       "int main() { k<<<1, 1>>>(1); int *p{a[0]}, *q = {&n}; return take({a[1], 3}) + *p + *q; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored\n"
     "use n 1: return take({a[1], 3}) + *p + *q\n"},
};

static void test_uses(void **state)
{
  (void)state;
  host_check(rare_uses, COUNT(rare_uses));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_uses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
