/* host_uses.c - every form of use of an announced variable, and where its announcement stands. */
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
     "n guarded: its address is passed to a function that is not analysed\na guarded: its address "
     "is passed to "
     "a function that is not analysed\narg 3: a[1]\n"},
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

static const struct host_case places[] = {
    {"sole bodies",
     S "int main(int c, char **) { k<<<1, 1>>>(1); if (c) n = 1; else n = 2; for (;;) if (c) "
       "a[1][1] = 3; else "
       "break; do n++; while (c--); k<<<1, 1>>>(1); while (c) { if (c) a[1][1] = 1; else k<<<1, "
       "1>>>(2); } }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: if (c) n = 1; else n = 2\n"
     "use a 3: for (;;) if (c) a[1][1] = 3; else break\n"
     "use n 3: do n++; while (c--)\n"
     "use a 10 {}: a[1][1] = 1\n"},
    {"else if",
     S "int main(int c, char **) { if (c > 1) k<<<1, 1>>>(1); else if (n > 2) k<<<1, 1>>>(2); else "
       "a[1][1] = "
       "2; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1 {}: if (n > 2) k<<<1, 1>>>(2); else a[1][1] = 2\n"
     "use a 10 {}: a[1][1] = 2\n"},
    {"conditions",
     S "int main(int c, char **) { k<<<1, 1>>>(1); while (n > c) c++; do c++; while (a[1][c] < 4); "
       "for (int i "
       "= n; i < a[1][1]; i += n) c++; k<<<1, 1>>>(1); return c; }",
     NULL,
     "n announced\na announced\nuse n 1: while (n > c) c++\nuse a 1: do c++; while (a[1][c] < "
     "4)\nuse n 1: for "
     "(int i = n; i < a[1][1]; i += n) c++\nuse a 1: for (int i = n; i < a[1][1]; i += n) c++\n"},
    {"conditions of launching statements",
     S "int main(int c, char **) { if (n > 2) k<<<1, 1>>>(1); for (int i = n; i < 4; i++) k<<<1, "
       "1>>>(i); "
       "switch (a[1][1]) { case 1: k<<<1, 1>>>(1); } }",
     NULL,
     "n announced\na announced\nuse n 1: if (n > 2) k<<<1, 1>>>(1)\nuse n 1: for (int i = n; i < "
     "4; i++) "
     "k<<<1, 1>>>(i)\nuse a 1: switch (a[1][1]) { case 1: k<<<1, 1>>>(1); }\n"},
    {"increment of a launching loop",
     S "int main(int c, char **) { for (int i = 0; i < 4; i += n) k<<<1, 1>>>(i); do k<<<1, "
       "1>>>(c); while "
       "(a[1][1]); }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\na guarded: a launch cannot be told "
     "apart from a "
     "use\n"},
    {"switch",
     S "int main(int c, char **) { k<<<1, 1>>>(1); switch (n) { case 1: n = 3; k<<<1, 1>>>(1); n = "
       "4; break; "
       "default: a[1][1] = 2; } }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 1: switch (n) { case 1: n = 3; k<<<1, 1>>>(1); n = 4; break; default: a[1][1] = 2; }\n"
     "use n 10: n = 3\n"
     "use n 10: n = 4\n"
     "use a 10: a[1][1] = 2\n"},
    {"switch without a block",
     S "int main(int c, char **) { k<<<1, 1>>>(1); switch (c) case 1: n = 4; }", NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: switch (c) case 1: n = 4\n"},
    {"same statement",
     S "static int run() { k<<<1, 1>>>(1); return 1; } int main() { int x = run() + n; int y = "
       "a[1][1] ? run() "
       ": 2; n = run(); return x + y; }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\na guarded: a launch cannot be told "
     "apart from a "
     "use\n"},
    {"arguments of a call that launches",
     S "static int run(int v) { k<<<1, 1>>>(v); return 1; } int main() { run(n); return "
       "run(run(a[1][1])); }",
     NULL, "n announced\na announced\nuse n 1: run(n)\nuse a 1: return run(run(a[1][1]))\n"},
    {"jumps", S "int main(int c, char **) { k<<<1, 1>>>(1); again: n = 4; if (c--) goto again; }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a announced\n"},
    {"try and range for",
     S "int main() { int l[2] = {1, 2}; for (int x : l) { n = x; k<<<1, 1>>>(x); } try { a[1][1] = "
       "2; } catch "
       "(...) { } }",
     NULL,
     "n guarded: it is used in a construct that is not analysed\n"
     "a announced\n"
     "use a 3: try { a[1][1] = 2; } catch (...) { }\n"},
    {"range over it",
     S "int main() { k<<<1, 1>>>(1); int s = 0; for (int x : a[1]) s += x; return s; }", NULL,
     "n announced\n"
     "a guarded: its address is stored\n"},
    {"macro",
     S "#define SET(x) x = 4\n#define LOOP for (;;)\nint main(int c, char **) { k<<<1, 1>>>(1); "
       "SET(n); if (c) "
       "SET(a[1][1]); LOOP { a[1][2] = 3; break; } }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a guarded: a launch cannot be told apart from a use\n"},
    {"macro around the use",
     S "#define CHECK(x) do { if (x) return 1; } while (0)\n#define TWICE(x) ((x) + (x))\nint "
       "main(int c, char "
       "**) { k<<<1, 1>>>(1); CHECK(n); if (c) CHECK(a[1][1]); return TWICE(a[1][1]); }",
     NULL,
     "n announced\na announced\nuse n 1: CHECK(n)\nuse a 1: if (c) CHECK(a[1][1])\nuse a 1: return "
     "TWICE(a[1][1])\n"},
    {"what launches",
     S "#include <thread>\n#include <functional>\n#include <vector>\n#include <algorithm>\nstatic "
       "void run() { "
       "k<<<1, 1>>>(1); } void elsewhere(); struct t { ~t() { k<<<1, 1>>>(1); } }; struct u { int "
       "v; }; template "
       "<class T> struct w { T v; ~w() {} }; static void none() {} int main(int c, char **) { for "
       "(int i = 0; i "
       "< 2; i++) { n = 1; run(); } for (int i = 0; i < 2; i++) { n = 2; elsewhere(); } for (int i "
       "= 0; i < 2; "
       "i++) { n = 3; t o; } for (int i = 0; i < 2; i++) { n = 4; u o; } for (int i = 0; i < 2; "
       "i++) { n = 5; "
       "w<int> o; } for (int i = 0; i < 2; i++) { n = 6; t *o = new t; delete o; } for (int i = 0; "
       "i < 2; i++) { "
       "n = 7; std::thread o(run); o.join(); } for (int i = 0; i < 2; i++) { n = 8; "
       "std::vector<int> o(3); "
       "std::for_each(o.begin(), o.end(), [](int) {}); } for (int i = 0; i < 2; i++) { n = 9; "
       "none(); const u o "
       "= {1}; } }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 10: n = 1\n"
     "use n 10: n = 2\n"
     "use n 10: n = 3\n"
     "use n 3: for (int i = 0; i < 2; i++) { n = 4; u o; }\n"
     "use n 10: n = 5\n"
     "use n 10: n = 6\n"
     "use n 10: n = 7\n"
     "use n 3: for (int i = 0; i < 2; i++) { n = 8; std::vector<int> o(3); "
     "std::for_each(o.begin(), o.end(), [](int) {}); }\n"
     "use n 3: for (int i = 0; i < 2; i++) { n = 9; none(); const u o = {1}; }\n"},
    {"what launches by a pointer",
     S "#include <stdlib.h>\n#include <algorithm>\n#include <functional>\nstatic void run() { "
       "k<<<1, 1>>>(1); "
       "} static int order(const void *, const void *) { return 0; } static int "
       "order_and_run(const void *, "
       "const void *) { run(); return 0; } struct f { void operator()() { run(); } }; struct base "
       "{ virtual void "
       "go() {} void no() {} }; struct derived : base { void go() { run(); } }; int main(int c, "
       "char **) { int "
       "l[2]; for (int i = 0; i < 2; i++) { n = 1; qsort(l, 2, 4, order); } for (int i = 0; i < 2; "
       "i++) { n = 2; "
       "qsort(l, 2, 4, order_and_run); } void (*p)() = run; for (int i = 0; i < 2; i++) { n = 3; "
       "p(); } for (int "
       "i = 0; i < 2; i++) { n = 4; f()(); } derived d; base *b = &d; for (int i = 0; i < 2; i++) "
       "{ n = 5; "
       "b->go(); } for (int i = 0; i < 2; i++) { n = 6; b->no(); } std::function<void()> g = run; "
       "for (int i = "
       "0; i < 2; i++) { n = 7; g(); } int (*o)(const void *, const void *) = order; for (int i = "
       "0; i < 2; i++) "
       "{ n = 8; qsort(l, 2, 4, o); } for (int i = 0; i < 2; i++) { n = 9; std::sort(l, l + 2, "
       "[](int x, int y) "
       "{ return x < y; }); } for (int i = 0; i < 2; i++) { n = 10; qsort(l, 2, 4, (order)); "
       "atexit(run); } }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: for (int i = 0; i < 2; i++) { n = 1; qsort(l, 2, 4, order); }\n"
     "use n 10: n = 2\n"
     "use n 10: n = 3\n"
     "use n 10: n = 4\n"
     "use n 10: n = 5\n"
     "use n 3: for (int i = 0; i < 2; i++) { n = 6; b->no(); }\n"
     "use n 10: n = 7\n"
     "use n 10: n = 8\n"
     "use n 3: for (int i = 0; i < 2; i++) { n = 9; std::sort(l, l + 2, [](int x, int y) { return "
     "x < y; }); }\n"
     "use n 10: n = 10\n"},
    {"classes with members that launch",
     S "struct t { int v; t() : v(0) {} void run() { k<<<1, 1>>>(v); } int get() const { return v; "
       "} }; struct "
       "{ int x; } unnamed; int main() { t o; for (int i = 0; i < 2; i++) { n = 1; o.get(); } for "
       "(int i = 0; i "
       "< 2; i++) { n = 2; o.run(); } t list[2]; for (int i = 0; i < 2; i++) { n = 3; t *p = &o; "
       "p->run(); } "
       "unnamed.x = n; return list[0].v; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use n 3: for (int i = 0; i < 2; i++) { n = 1; o.get(); }\n"
     "use n 10: n = 2\n"
     "use n 10: n = 3\n"
     "use n 1: unnamed.x = n\n"},
    {"header",
     "#include \"host_header.h\"\nstatic __global__ int n; __global__ void k() { n = 1; } int "
     "main() { k<<<1, "
     "1>>>(); return n; }",
     NULL,
     "shared_text guarded: its address is passed to a function that is not analysed\nn "
     "announced\nuse n 1: "
     "return n\narg 1: shared_text\narg 1: p\n"},
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

static const struct host_case touches[] = {
    {"calls that are not known",
     "extern \"C\" long write(int, const void *, unsigned long); void put(const float *, int); "
     "void keep(float "
     "**); void many(const char *, ...); struct s { float *p; int n; }; void rec(s); void "
     "cref(const float "
     "*const &); struct cls { void go(float *); cls(float *); }; __global__ float v[8]; __global__ "
     "void k() { "
     "v[0] = 1; } int main() { float *l[2] = {v, 0}; put(v, 1); keep(l); keep(&l[1]); many(\"x\", "
     "v, 3, "
     "&v[1]); s o = {v, 1}; rec(o); cref(v); cls c(v); c.go(v + 1); k<<<1, 1>>>(); }",
     NULL,
     "v guarded: visible to other files\narg 1: v\nall: keep(l)\nall: keep(&l[1])\narg 3: v\narg "
     "3: &v[1]\n"
     "all: rec(o)\nuse v 3: cref(v)\nall: cref(v)\narg 3: v + 1\n"},
    {"macro arguments",
     "#define PUT(x) put(x)\n#define VALUE v\nvoid put(const float *); void all(float **); "
     "__global__ float "
     "v[8]; __global__ void k() { v[0] = 1; } int main(int c, char **) { PUT(v); put(VALUE); if "
     "(c) "
     "put(VALUE); float *p[1] = {v}; while (c--) all(p); for (; c; all(p)) ; k<<<1, 1>>>(); }",
     NULL,
     "v guarded: visible to other files\narg 1: v\narg 1: VALUE\narg 1: VALUE\nall {}: all(p)\nall "
     "at: p\n"},
    {"with a launch beside",
     "int put(float **); __global__ float v[8]; __global__ void k() { v[0] = 1; } static int run() "
     "{ k<<<1, "
     "1>>>(); return 1; } int main(int c, char **) { float *p[1] = {v}; int x = run() + put(p); "
     "while (put(p)) "
     "run(); for (int i = 0; i < put(p); i++) run(); if (put(p)) run(); switch (put(p)) { case 1: "
     "put(p); } "
     "return x; } int global = put(nullptr); float *gp[1]; int other = put(gp);",
     NULL,
     "v guarded: visible to other files\nall at: p\nall at: p\nall at: p\nall: if (put(p)) "
     "run()\nall: switch (put(p)) { case 1: put(p); }\n"
     "all: put(p)\n"},
    {"in a lambda",
     "void put(float **); __global__ float v[8]; __global__ void k() { v[0] = 1; } int main() { "
     "float *p[1] = "
     "{v}; auto f = [&] { put(p); }; f(); k<<<1, 1>>>(); f(); }",
     NULL, "v guarded: visible to other files\nall at: p\n"},
    {"text",
     "#include <stdio.h>\n#include <iostream>\n#include <fstream>\n#include <string>\n__global__ "
     "char t[32]; "
     "__global__ int n; __global__ void k() { t[0] = 1; n = 2; } int main() { k<<<1, 1>>>(); "
     "printf(\"%s %d\", "
     "t, n); puts(t + 1); fprintf(stderr, t); std::cout << t << n << (const char *)t << \"x\"; "
     "std::string "
     "s(t); std::cout << s; std::ofstream f(\"/dev/null\"); f.write(t, 4); std::cin.getline(t, 8); "
     "std::cin.read(t, 3); s.copy(t, 2); char c = t[0]; std::cout << c; setbuf(stdout, t); }",
     NULL,
     "t guarded: visible to other files\n"
     "n guarded: visible to other files\n"
     "use n 1: printf(\"%s %d\", t, n)\n"
     "arg 1: t\n"
     "arg 1: t + 1\n"
     "arg 1: t\n"
     "use n 1: std::cout << t << n << (const char *)t << \"x\"\n"
     "arg 1: t\n"
     "arg 1: (const char *)t\n"
     "arg 1: t\n"
     "arg 3: t\n"
     "arg 3: t\n"
     "keep: t\n"},
    {"no text",
     "#include <stdio.h>\n#include <iostream>\n__global__ int v[8]; __global__ void k() { v[0] = "
     "1; } int "
     "main() { k<<<1, 1>>>(); printf(\"%p\", (void *)v); puts(\"x\"); std::cout << v << \"x\"; "
     "const char *s = "
     "(const char *)v; puts(s); }",
     NULL, "v guarded: visible to other files\n"},
    {"listed",
     "#include <stdio.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include "
     "<time.h>\n#include "
     "<sys/time.h>\n__global__ char v[64]; __global__ socklen_t length; __global__ void k() { v[0] "
     "= 1; } int "
     "main() { k<<<1, 1>>>(); recvfrom(0, v, 8, 0, (sockaddr *)(v + 8), &length); stat(v, (struct "
     "stat *)v); "
     "fopen(v, \"r\"); time((time_t *)v); gettimeofday((timeval *)v, 0); fread(v, 1, 2, stdin); "
     "fgets(v, 8, "
     "stdin); fflush(stdout); FILE *f = fopen(\"x\", v); fclose(f); rename(\"x\", v); }",
     NULL,
     "v guarded: visible to other files\n"
     "length guarded: visible to other files\n"
     "use v 3: recvfrom(0, v, 8, 0, (sockaddr *)(v + 8), &length)\n"
     "use length 3: recvfrom(0, v, 8, 0, (sockaddr *)(v + 8), &length)\n"
     "arg 3: v\n"
     "arg 3: (sockaddr *)(v + 8)\n"
     "arg 3: &length\n"
     "use v 3: stat(v, (struct stat *)v)\n"
     "arg 1: v\n"
     "arg 3: (struct stat *)v\n"
     "use v 1: fopen(v, \"r\")\n"
     "arg 1: v\n"
     "use v 3: time((time_t *)v)\n"
     "use v 3: gettimeofday((timeval *)v, 0)\n"
     "arg 3: (timeval *)v\n"
     "use v 3: fread(v, 1, 2, stdin)\n"
     "arg 3: v\n"
     "use v 3: fgets(v, 8, stdin)\n"
     "arg 3: v\n"
     "use v 1: FILE *f = fopen(\"x\", v);\n"
     "arg 1: v\n"
     "use v 1: rename(\"x\", v)\n"
     "arg 1: v\n"},
    {"announced",
     "#include <unistd.h>\nvoid put(const int *); static __global__ int n, a[4]; __global__ void "
     "k() { n = "
     "a[0]; } int main() { k<<<1, 1>>>(); write(1, &n, 4); write(1, a, 4); write(1, (a + 1), 4); "
     "read(0, "
     "&a[2], 4); write(1, (const char *)a + 2, 1); }",
     NULL,
     "n announced\na announced\nuse n 1: write(1, &n, 4)\nopen 1: &n\nuse a 1: write(1, a, "
     "4)\nopen 1: a\n"
     "use a 1: write(1, (a + 1), 4)\nopen 1: (a + 1)\nuse a 3: read(0, &a[2], 4)\nopen 3: &a[2]\n"
     "use a 1: write(1, (const char *)a + 2, 1)\nopen 1: (const char *)a + 2\n"},
    {"methods and operators",
     "#include <string>\n#include <vector>\n#include <sstream>\nstruct logger { logger "
     "&operator<<(const char "
     "*); logger &operator<<(int); void add(const char *); const char *p; }; logger "
     "&operator+(logger &, const "
     "char *); __global__ char t[8]; __global__ void k() { t[0] = 1; } int main() { k<<<1, 1>>>(); "
     "logger l; l "
     "<< t << 3; l + t; l.add(t); logger *p = &l; p->add(t); std::vector<const char *> v; "
     "v.push_back(t); "
     "std::string s; s = t; s += t; s.append(t); std::stringbuf b; b.sputn(t, 4); }",
     NULL,
     "t guarded: visible to other files\nall: l.add(t)\narg 1: t\nall: p->add(t)\narg 1: t\narg 1: "
     "t\n"},
    {"function pointers and references",
     "__global__ float v[8]; __global__ void k() { v[0] = 1; } void take(float (&)[8]); void "
     "see(const float "
     "(*)[8]); void one(float &, const float &, float *&); void none(); typedef void "
     "(*handler)(const float "
     "*); handler get(); int main(int argc, char **argv) { void (*f)(float *) = 0; f(v); (*f)(v); "
     "get()(v); "
     "take(v); if (argc) one(v[1], v[argc], argv ? *new float * : *new float *); see(&v); none(); "
     "extern void "
     "args(int, char **); args(argc, (argv)); args(argc, argv + 1); k<<<1, 1>>>(); }",
     NULL,
     "v guarded: visible to other files\narg 3: v\narg 3: v\narg 1: v\nuse v 3: take(v)\nuse v 3 "
     "{}: one(v[1], "
     "v[argc], argv ? *new float * : *new float *)\nall {}: one(v[1], v[argc], argv ? *new float * "
     ": *new "
     "float *)\narg 1: &v\nall: args(argc, argv + 1)\n"},
    {"arrays of pointers",
     "struct part { float *base; long size; }; struct nest { part p[2]; }; void send(part *, int); "
     "void "
     "nested(const nest *); void arr(part (&)[2]); void ptrs(const char *const *); __global__ "
     "float v[8]; "
     "__global__ void k() { v[0] = 1; } int main() { part p[2] = {{v, 1}, {v, 2}}; nest n; const "
     "char "
     "*names[2] = {\"x\", \"y\"}; send(p, 2); nested(&n); arr(p); ptrs(names); k<<<1, 1>>>(); }",
     NULL,
     "v guarded: visible to other files\nall: send(p, 2)\nall: nested(&n)\nall: arr(p)\nall: "
     "ptrs(names)\n"},
    {"header code",
     "#include \"host_header.h\"\n__global__ void k() { shared_text[0] = 1; } int main() { k<<<1, "
     "1>>>(); "
     "save(); return 0; }",
     NULL,
     "shared_text guarded: its address is passed to a function that is not analysed\narg 1: "
     "shared_text\narg "
     "1: p\n"},
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
static void test_places(void **state)
{
  (void)state;
  host_check(places, COUNT(places));
}
static void test_unseen(void **state)
{
  (void)state;
  host_check(unseen, COUNT(unseen));
}
static void test_touches(void **state)
{
  (void)state;
  host_check(touches, COUNT(touches));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lvalues), cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_calls),   cmocka_unit_test(test_places),
      cmocka_unit_test(test_unseen),  cmocka_unit_test(test_touches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
