/* SPDX-License-Identifier: MIT */
/* host_uses.c - every form of use of an announced variable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define S \
  "static __global__ int n;\nstatic __global__ int a[8][4];\n__global__ void k(int m) { a[0][0] " \
  "= n; }\n"
#define R \
  "struct pair { int x; float y[4]; };\nstatic __global__ pair r, s[4];\n" \
  "__global__ void k(int m) { r.x = s[0].x; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case lvalues[] = {
    {"modified", S "int main() { n++; --n; n += 2; a[1][2]--; k<<<1, 1>>>(1); return -n + !n; }",
     NULL,
     "n announced\na announced\nuse n 3: n++\nuse n 3: --n\nuse n 3: n += 2\nuse a 3: "
     "a[1][2]--\nuse n 1: "
     "return -n + !n\n"},
    {"members",
     R "int main() { r.x = 3; s[1].y[2] = 1; pair *p = &s[2]; p->x = 4; (*p).y[1] = 2; float *f = "
       "p->y; f[0] = "
       "1; k<<<1, 1>>>(1); return (r).x + (int)s[1].y[0]; }",
     NULL,
     "r announced\n"
     "s announced\n"
     "use r 10: r.x = 3\n"
     "use s 10: s[1].y[2] = 1\n"
     "use s 10: p->x = 4\n"
     "use s 10: (*p).y[1] = 2\n"
     "use s 10: f[0] = 1\n"
     "use r 1: return (r).x + (int)s[1].y[0]\n"
     "use s 1: return (r).x + (int)s[1].y[0]\n"},
    {"copied as a whole",
     R "void take(pair); int main() { r = s[1]; s[2] = r; pair c = s[3]; pair d(r); c = r; k<<<1, "
       "1>>>(1); "
       "take(r); return c.x; }",
     NULL,
     "r guarded: an object in it is copied or bound as a whole\ns announced\nuse s 1: r = "
     "s[1]\nuse s 3: s[2] "
     "= r\nuse s 1: pair c = s[3];\n"},
    {"bound",
     S "static void get(const int &v, int *p) { *p = v; } static void set(int &v) { v = 4; } int "
       "main() { int "
       "m; get(n, &m); set(a[1][1]); k<<<1, 1>>>(1); return m; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: get(n, &m)\n"
     "use a 3: set(a[1][1])\n"},
    {"bound for good",
     S "#include <algorithm>\nint &first() { return a[0][0]; } int main() { const int &m = "
       "std::max(n, 3); "
       "k<<<1, 1>>>(1); return m + first(); }",
     NULL,
     "n guarded: a reference may be bound to it\na guarded: a reference may be bound to it\n"},
    {"returned",
     S "const int &big() { return n; } int small() { return a[1][1]; } int main() { k<<<1, "
       "1>>>(1); return "
       "big() + small(); }",
     NULL, "n guarded: a reference may be bound to it\na announced\nuse a 1: return a[1][1]\n"},
    {"converted",
     S "int main() { double d = n; bool b = n; long l = (long)a[1][1]; unsigned char c = (unsigned "
       "char)(n); "
       "k<<<1, 1>>>(1); return (int)d + b + (int)l + c; }",
     NULL,
     "n announced\na announced\nuse n 1: double d = n;\nuse n 1: bool b = n;\nuse a 1: long l = "
     "(long)a[1][1];\nuse n 1: unsigned char c = (unsigned char)(n);\n"},
    {"conditional",
     S "int main(int c, char **) { int m; (c ? n : m) = 4; int x = c ? n : a[0][1]; k<<<1, "
       "1>>>(1); return c ? "
       "a[1][1] : x; }",
     NULL,
     "n announced\na announced\nuse n 3: (c ? n : m) = 4\nuse n 1: int x = c ? n : a[0][1];\nuse a "
     "1: int x = "
     "c ? n : a[0][1];\nuse a 1: return c ? a[1][1] : x\n"},
    {"comma",
     S
     "int main(int c, char **) { int x = (c++, n); (c++, a[1][1]) = 3; k<<<1, 1>>>(1); return x; }",
     NULL, "n announced\na announced\nuse n 1: int x = (c++, n);\nuse a 3: (c++, a[1][1]) = 3\n"},
    {"classes",
     "#include <string>\n#include <vector>\nclass box { int v; public: box(int w) : v(w) {} int "
     "get() { return "
     "v; } }; static __global__ int n; __global__ void k() { n = 1; } int main() { box b(n); "
     "std::vector<int> "
     "c; c.push_back(n); c.resize(n); std::string t(n, 65); t.append(n, 66); k<<<1, 1>>>(); return "
     "b.get(); }",
     NULL, "n guarded: a reference may be bound to it\n"},
    {"streams",
     "#include <iostream>\n#include <sstream>\nstatic __global__ int n; static __global__ float "
     "f[2]; "
     "__global__ void k() { n = 1; f[1] = 2; } int main() { k<<<1, 1>>>(); std::cout << n << f[1] "
     "<< "
     "std::endl; std::cin >> n; std::ostringstream o; o << f[0]; }",
     NULL,
     "n guarded: a reference may be bound to it\nf announced\nuse f 1: std::cout << n << f[1] << "
     "std::endl\n"
     "use f 1: o << f[0]\n"},
    {"type conversions in initialisers",
     S "int main() { int l[2] = {n, a[1][1]}; dim3 g(n, 2), h = {(unsigned)n}; k<<<g, h>>>(l[0]); "
       "float "
       "f{(float)n}; return (int)f; }",
     NULL,
     "n announced\na announced\nuse n 1: int l[2] = {n, a[1][1]};\nuse a 1: int l[2] = {n, "
     "a[1][1]};\nuse n 1: "
     "dim3 g(n, 2), h = {(unsigned)n};\nuse n 1: float f{(float)n};\n"},
    {"volatile and const",
     S "int main() { const volatile int *p = &n; const int m = n; k<<<1, 1>>>(1); return *p + m; }",
     NULL, "n announced\na announced\nuse n 1: const int m = n;\nuse n 1: return *p + m\n"},
};

static const struct host_case pointers[] = {
    {"dereferenced",
     S "int main() { int *p = a[1]; *p = 3; *(p + 1) = 4; p[2]++; (*p)--; int *q = &p[3]; *q = 1; "
       "k<<<1, "
       "1>>>(1); return *p + !p + (p == q) + (p - q) + (q > p) + (p && q); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: *p = 3\n"
     "use a 10: *(p + 1) = 4\n"
     "use a 3: p[2]++\n"
     "use a 3: (*p)--\n"
     "use a 10: *q = 1\n"
     "use a 1: return *p + !p + (p == q) + (p - q) + (q > p) + (p && q)\n"},
    {"subtracted",
     S "int main() { int *p = a[3] - 4, *q = 1 + a[2], *r = &*a[1]; *p = 1; *q = 2; *r = 3; long d "
       "= a[1] - "
       "a[0]; k<<<1, 1>>>(1); return (int)d; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: *p = 1\n"
     "use a 10: *q = 2\n"
     "use a 10: *r = 3\n"},
    {"converted",
     S "int main() { char *p = (char *)a; p[3] = 1; void *v = a; long l = (long)a; if (a[1]) l = "
       "2; (void)a; "
       "k<<<1, 1>>>(1); return (int)l; }",
     NULL, "n announced\na guarded: its address is converted to a number\n"},
    {"as a number",
     S "int main() { long l = (long)&n; bool b = a; if (!a[1]) b = false; while (a[0] == nullptr) "
       "b = true; "
       "k<<<1, 1>>>(1); return b; }",
     NULL, "n guarded: its address is converted to a number\na announced\n"},
    {"conditional",
     S "int main(int c, char **) { int *p = c ? a[1] : a[2]; p[1] = 2; int *q = (c++, a[3]); q[0] "
       "= 1; int *t "
       "= a[0] ? a[1] : nullptr; k<<<1, 1>>>(1); return t != 0; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: p[1] = 2\n"
     "use a 10: q[0] = 1\n"},
    {"in conditions",
     S "int main() { int *p = a[1]; if (p) n = 1; for (; p;) break; do n = 3; while (!p); p;  "
       "k<<<1, 1>>>(1); "
       "return 0; }",
     NULL, "n announced\na announced\nuse n 3: if (p) n = 1\nuse n 3: do n = 3; while (!p)\n"},
    {"changed",
     S "int main() { int *p = a[1], *q; p++; q = a[2]; int *r = a[0]; r = r + 1; k<<<1, 1>>>(1); "
       "return *p + "
       "*q; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: return *p + *q\n"
     "use a 1: return *p + *q\n"},
    {"changed in place",
     S "int main() { int *p; p = &n; int (*rows)[4] = a; rows[1][2] = 4; (*rows)[1] = 2; (*(rows + "
       "2))[0] = 1; "
       "k<<<1, 1>>>(1); return **rows; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: rows[1][2] = 4\n"
     "use a 10: (*rows)[1] = 2\n"
     "use a 10: (*(rows + 2))[0] = 1\n"
     "use a 1: return **rows\n"},
    {"static and global copies",
     S "int main() { static int *p = a[1]; int *const q = a[2]; q[1] = 1; k<<<1, 1>>>(1); return "
       "*p; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: q[1] = 1\n"
     "use a 1: return *p\n"},
    {"returned",
     S "static int *row(int i) { return a[i]; } int main() { k<<<1, 1>>>(1); return row(1)[0]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: return row(1)[0]\n"},
    {"stored in a structure",
     S "struct view { int *p; }; int main() { view v = {a[1]}; view w; w.p = &n; k<<<1, 1>>>(1); "
       "return v.p[0] "
       "+ *w.p; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return v.p[0] + *w.p\n"
     "use a 1: return v.p[0] + *w.p\n"},
    {"stored in an array",
     S "int main() { int *list[2] = {a[1], &n}; k<<<1, 1>>>(1); return list[0][0]; }", NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: return list[0][0]\n"
     "use a 1: return list[0][0]\n"},
    {"index the other way", S "int main() { 1[a[2]] = 3; k<<<1, 1>>>(1); return 0; }", NULL,
     "n announced\na guarded: it is indexed in an unusual way\n"},
    {"address of an array",
     S "int main() { int (*p)[4] = &a[1]; (*p)[2] = 3; int (*q)[8][4] = &a; k<<<1, 1>>>(1); return "
       "(**q)[1]; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: (*p)[2] = 3\n"
     "use a 1: return (**q)[1]\n"},
    {"alias of an alias",
     S "int main() { int *p = a[1]; int *q = p + 1; int *r = q; r[0] = 1; static int *keep; keep = "
       "r; k<<<1, "
       "1>>>(1); return *keep; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: r[0] = 1\n"
     "use a 1: return *keep\n"},
    {"copy escapes",
     S "void f(int **); int main() { int *p = a[1]; f(&p); int *q = &n; int *&t = q; t = 0; k<<<1, "
       "1>>>(1); "
       "return 0; }",
     NULL,
     "n guarded: its address is stored in a variable that escapes\na guarded: its address is "
     "stored in a "
     "variable that escapes\nall: f(&p)\n"},
    {"lambda",
     S "int main() { int *p = a[1]; auto f = [p] { return p[0]; }; k<<<1, 1>>>(1); return f(); }",
     NULL, "n announced\na guarded: its address is stored in a variable that escapes\n"},
    {"launch argument",
     S "__global__ void g(int *p, int *q) { *p = *q; } int main() { g<<<1, 1>>>(a[1], &n); return "
       "n; }",
     NULL, "n announced\na announced\nuse n 1: return n\n"},
};

static const struct host_case calls[] = {
    {"library",
     S "#include <string.h>\n#include <stdlib.h>\n#include <stdio.h>\nint main() { memset(a, 0, "
       "sizeof a); "
       "memcpy(a[1], a[2], 16); if (memcmp(&n, a[1], 4)) n = 1; scanf(\"%d\", &n); int *p = (int "
       "*)memcpy(a[3], "
       "a[4], 8); p[1] = 2; k<<<1, 1>>>(1); printf(\"%d\", n); fwrite(a, 4, 2, stdout); "
       "fread(a[1], 4, 2, "
       "stdin); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: memset(a, 0, sizeof a)\n"
     "use a 3: memcpy(a[1], a[2], 16)\n"
     "use n 3: if (memcmp(&n, a[1], 4)) n = 1\n"
     "use a 1: if (memcmp(&n, a[1], 4)) n = 1\n"
     "use n 3: scanf(\"%d\", &n)\n"
     "use a 3: int *p = (int *)memcpy(a[3], a[4], 8);\n"
     "use a 10: p[1] = 2\n"
     "use n 1: printf(\"%d\", n)\n"
     "use a 1: fwrite(a, 4, 2, stdout)\n"
     "open 1: a\n"
     "use a 3: fread(a[1], 4, 2, stdin)\n"
     "open 3: a[1]\n"},
    {"callbacks",
     S "#include <stdlib.h>\nstatic int order(const void *x, const void *y) { return *(const int "
       "*)x - *(const "
       "int *)y; } int main() { qsort(a, 8, 16, order); k<<<1, 1>>>(1); return *(int *)bsearch(&n, "
       "a[1], 4, 4, "
       "order); }",
     NULL,
     "n announced\na announced\nuse a 3: qsort(a, 8, 16, order)\nuse n 1: return *(int "
     "*)bsearch(&n, a[1], 4, "
     "4, order)\nuse a 1: return *(int *)bsearch(&n, a[1], 4, 4, order)\n"},
    {"kept by the library",
     S "#include <stdlib.h>\n#include <stdio.h>\nint main() { static char text[4]; setvbuf(stdout, "
       "(char *)a, "
       "0, 32); free(&n); int *p = (int *)realloc(&n, 3); k<<<1, 1>>>(1); return *p; }",
     NULL,
     "n guarded: its address is passed to a library function that is not analysed\n"
     "a guarded: its address is passed to a function that may keep it\n"
     "keep: (char *)a\n"},
    {"cuda",
     S "int main() { int h[4]; cudaMemcpy(a, h, 16, cudaMemcpyDefault); cudaMemset(&n, 0, 4); "
       "cudaHostRegister(a, 16, 0); k<<<1, 1>>>(1); return 0; }",
     NULL,
     "n announced\na announced\nuse a 3: cudaMemcpy(a, h, 16, cudaMemcpyDefault)\nopen 3: a\nuse n "
     "3: cudaMemset(&n, 0, "
     "4)\nopen 3: &n\nuse a 3: cudaHostRegister(a, 16, 0)\nopen 3: a\n"},
    {"builtin",
     S "int main() { __builtin_memset(a, 0, 16); __builtin_memcpy(&n, a, 4); "
       "__builtin_prefetch(a); k<<<1, "
       "1>>>(1); return 0; }",
     NULL,
     "n guarded: its address is passed to a function that may keep it\na guarded: its address is "
     "passed to a "
     "function that may keep it\narg 1: a\n"},
    {"methods",
     S "struct s { void set(int *p) { *p = 1; } static void put(int *p) { *p = 2; } }; int main() "
       "{ s o; "
       "o.set(&n); s::put(a[1]); k<<<1, 1>>>(1); return 0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\na announced\nuse a 3: "
     "s::put(a[1])\n"},
    {"of the file",
     S "static void f(int *p, ...) { *p = 1; } static void g(const int *p) { if (*p) n = 1; } "
       "static void "
       "h(int (*p)[4]) { p[1][1] = 1; } static void i(int *p) { static int *keep; keep = p; } "
       "static void j(int "
       "(&p)[4]) { p[1] = 1; } int main() { f(a[0], a[1]); g(a[2]); h(a); k<<<1, 1>>>(1); return "
       "0; } void "
       "other() { i(a[3]); j(a[1]); }",
     NULL,
     "n announced\na guarded: its address is passed to a function that is not analysed\nuse n 3: "
     "if (*p) n = "
     "1\n"},
    {"that store it",
     S "static int *keep; static void i(int *p) { keep = p; } static void j(int **p) { } int "
       "main() { i(&n); "
       "int *q = a[1]; j(&q); k<<<1, 1>>>(1); return 0; }",
     NULL,
     "n announced\n"
     "a guarded: its address is stored in a variable that escapes\n"},
    {"through a pointer", S "int main() { void (*f)(int *) = 0; f(&n); k<<<1, 1>>>(1); return 0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\na announced\narg 3: "
     "&n\n"},
    {"recursive",
     S "static void f(int *p, int d) { if (d) f(p + 1, d - 1); *p = d; } int main() { f(a[0], 3); "
       "k<<<1, "
       "1>>>(1); return 0; }",
     NULL, "n announced\na guarded: its address is stored in a variable that escapes\n"},
    {"standard algorithms",
     S "#include <algorithm>\n#include <numeric>\nint main() { std::fill(a[0], a[0] + 4, 1); "
       "std::sort(a[1], "
       "a[1] + 4); int m = *std::max_element(a[2], a[2] + 4); k<<<1, 1>>>(1); return m + "
       "std::accumulate(a[1], "
       "a[1] + 4, 0); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 10: std::fill(a[0], a[0] + 4, 1)\n"
     "use a 3: std::sort(a[1], a[1] + 4)\n"
     "use a 3: int m = *std::max_element(a[2], a[2] + 4);\n"
     "use a 3: return m + std::accumulate(a[1], a[1] + 4, 0)\n"},
    {"for host and device",
     S "__host__ __device__ static int get(int i) { return a[i][0]; } __global__ void g() { n = "
       "get(1); } int "
       "main() { g<<<1, 1>>>(); return get(0); }",
     NULL, "n announced\na guarded: it is used in a function for host and device\n"},
    {"device only",
     S "__device__ int get(int i) { return a[i][0]; } __global__ void g() { n = get(1); } int "
       "main() { g<<<1, "
       "1>>>(); return n; }",
     NULL, "n announced\na announced\nuse n 1: return n\n"},
};

static const struct host_case unseen[] = {
    {"default argument",
     S "static int f(int v = n) { return v; } int main() { k<<<1, 1>>>(1); return f(); }", NULL,
     "n guarded: its name stands in code that is not analysed\na announced\n"},
    {"array extent and sizeof",
     S "int main() { int l[sizeof n + sizeof(a) / sizeof a[0]]; k<<<1, 1>>>(1); return sizeof(l) + "
       "sizeof(decltype(n)) + alignof(decltype(a)); }",
     NULL,
     "n guarded: its name stands in code that is not analysed\na guarded: its name stands in code "
     "that is not "
     "analysed\n"},
    {"switched off", S "#if 0\nint m = n;\n#endif\nint main() { k<<<1, 1>>>(1); return 0; }", NULL,
     "n guarded: its name stands in code that is not analysed\na announced\n"},
    {"comments and literals",
     S "/* n a * / n */ // n a \\\n n a\nint main() { const char *t = \"n a \\\" n\", *u = R\"x(n "
       "\" a)x\", *w "
       "= u8R\"(n)\"; char c = 'n', d = '\\''; int e = 1'000; k<<<1, 1>>>(1); n = 3; return t[0] + "
       "u[0] + w[0] + "
       "c + d + e; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 10: n = 3\n"},
    {"same name elsewhere",
     S "struct s { int n; int a() { return n; } }; namespace other { int n; } int f(int n) { "
       "return n; } int "
       "main() { s o; o.n = 1; s *p = &o; p -> n = 2; other::n = 3; { int n = 4; f(n); } k<<<1, "
       "1>>>(1); return "
       "n; }",
     NULL,
     "n guarded: its name stands in code that is not analysed\na guarded: its name stands in code "
     "that is not "
     "analysed\n"},
    {"same name in a template",
     S "template <int n> int f() { return n; } int main() { k<<<1, 1>>>(1); return f<3>(); }", NULL,
     "n guarded: its name stands in code that is not analysed\na announced\n"},
    {"label, macro name, attribute",
     S "#define concat(x, y) x##y\nint main() { concat(n, ) = 3; k<<<1, 1>>>(1); return 0; }", NULL,
     "n guarded: a launch cannot be told apart from a use\na announced\n"},
    {"using and friends",
     "namespace ns { static __global__ int n; } using ns::n; __global__ void k() { n = 1; } int "
     "main() { "
     "k<<<1, 1>>>(); ns::n = 3; return ::ns::n; }",
     NULL, "n guarded: its name stands in code that is not analysed\n"},
    {"kernel template",
     S "template <class T> __global__ void t(T *p) { *p = n; } int main() { int *q; cudaMalloc(&q, "
       "4); t<<<1, "
       "1>>>(q); return n; }",
     NULL, "n announced\na announced\nuse n 1: return n\n"},
    {"holds pointers",
     "struct node { node *next; int v; }; static __global__ node list[4]; static __global__ int n, "
     "unused; "
     "__global__ void k() { list[0].v = n; } int main() { unused = 1; k<<<1, 1>>>(); return n; }",
     NULL,
     "list announced\n"
     "n announced\n"
     "unused announced\n"
     "use unused 10: unused = 1\n"
     "use n 1: return n\n"},
    {"holds pointers, by argument",
     "static __global__ int *p; static __global__ int n, m, o; __device__ void d(int *q) { *q = 1; "
     "} "
     "__global__ void k(int *q, int v) { d(q); p = q; } int main() { k<<<1, 1>>>(&n, m); o = 1; "
     "return n + m; "
     "} int copy = o;",
     NULL,
     "p guarded: a kernel may store its address\nn guarded: a kernel may store its address\nm "
     "guarded: a "
     "kernel may store its address\no guarded: a kernel may store its address\n"},
    {"const",
     "const __global__ int t[2] = {1, 2}; struct s { const int v; }; static const __global__ s u = "
     "{3}; static "
     "__global__ int n; __global__ void k() { n = t[0] + u.v; } int main() { k<<<1, 1>>>(); return "
     "t[1] + n; }",
     NULL, "t announced\nu announced\nn announced\nuse n 1: return t[1] + n\n"},
    {"declared again",
     "extern __global__ int n; namespace { extern __global__ int m; __global__ int m; } __global__ "
     "void k() { "
     "n = m; } int main() { k<<<1, 1>>>(); return m; } __global__ int n;",
     NULL,
     "n guarded: visible to other files\nm announced\nm announced\nn guarded: visible to other "
     "files\nuse m 1: "
     "return m\n"},
};

static void test_lvalues(void **state)
{
  (void)state;
  host_check(lvalues, COUNT(lvalues));
}

static void test_pointers(void **state)
{
  (void)state;
  host_check(pointers, COUNT(pointers));
}

static void test_calls(void **state)
{
  (void)state;
  host_check(calls, COUNT(calls));
}

static void test_unseen(void **state)
{
  (void)state;
  host_check(unseen, COUNT(unseen));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lvalues),
                                     cmocka_unit_test(test_pointers), cmocka_unit_test(test_calls),
                                     cmocka_unit_test(test_unseen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
