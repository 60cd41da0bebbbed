/* SPDX-License-Identifier: MIT */
/* host_pointers.c - which object a pointer leads to: bindings of launch arguments, and what may
 * lead to VS data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define P "__global__ float a[8][16];\n__global__ void k(float *p, float *q) { p[0] = q[0]; }\n"
#define V \
  "extern \"C\" long write(int, const void *, unsigned long);\n__global__ float v[64];\n" \
  "__global__ void k() { v[0] = 1; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case bindings[] = {
    {"allocations",
     P
     "#include <stdlib.h>\nint main() { float *p = new float[8], *q = (float *)malloc(32); k<<<1, "
     "1>>>(p, "
     "q); delete[] p; float *r = (float *)(calloc(4, sizeof(float))), *s = (float "
     "*)aligned_alloc(64, 256); "
     "k<<<1, 1>>>(r, s); float *t; posix_memalign((void **)&t, 64, 128); k<<<1, 1>>>(t, t + 1); }",
     "k 1,1,1 1,1,1 p+0/-1 q+0/32\nk 1,1,1 1,1,1 r+0/16 s+0/256\nk 1,1,1 1,1,1 t+0/128 t+4/128\n",
     "a guarded: visible to other files\n"},
    {"allocations of the runtime",
     P "float *mesi_keep; int main() { float *p = (float *)mesi_malloc(64), *q = (float "
       "*)mesi_calloc(3, 8); "
       "k<<<1, 1>>>(p, q); float *m; cudaMallocManaged((&m), 96); float *h; cudaMallocHost((void "
       "**)(&h), 12); "
       "k<<<1, 1>>>(m, h); float *t; size_t pitch; cudaMallocPitch(&t, &pitch, 64, 4); k<<<1, "
       "1>>>(t, t); }",
     "k 1,1,1 1,1,1 p+0/64 q+0/24\nk 1,1,1 1,1,1 m+0/96 h+0/12\nk 1,1,1 1,1,1 t+0/-1 t+0/-1\n",
     "a guarded: visible to other files\n"},
    {"allocated twice",
     P "#include <stdlib.h>\nint main(int c, char **) { float *p = nullptr, *q = 0; if (c) p = "
       "(float "
       "*)malloc(8); else p = (float *)malloc(16); q = NULL; q = (float *)malloc(8); k<<<1, "
       "1>>>(p, q); float *r "
       "= p; k<<<1, 1>>>(r, q); }",
     "k 1,1,1 1,1,1 p+0/-1 q+0/8\nk 1,1,1 1,1,1 ? q+0/8\n", "a guarded: visible to other files\n"},
    {"allocated in a loop",
     P "int main(int c, char **) { float *p, *q; for (int i = 0; i < 2; i++) { cudaMalloc(&p, 8); "
       "q = p; } "
       "k<<<1, 1>>>(p, q); float *r; while (c--) cudaMalloc(&r, 8); float *s = r; k<<<1, 1>>>(r, "
       "s); float *t; "
       "do cudaMalloc(&t, 8); while (c++); float *u = t; k<<<1, 1>>>(t, u); }",
     "k 1,1,1 1,1,1 p+0/8 ?\nk 1,1,1 1,1,1 r+0/8 ?\nk 1,1,1 1,1,1 t+0/8 ?\n",
     "a guarded: visible to other files\n"},
    {"allocated in a range for",
     P "int main() { int list[2] = {1, 2}; float *p, *q; for (int x : list) { cudaMalloc(&p, x); q "
       "= p; k<<<1, "
       "1>>>(p, q); } }",
     "k 1,1,1 1,1,1 p+0/-1 ?\n", "a guarded: visible to other files\n"},
    {"unknown size",
     P "#include <stdlib.h>\nint main(int c, char **) { float *p = (float *)malloc(c), *q = (float "
       "*)calloc(c, "
       "4), *r = (float *)calloc(4, c), *s = (float *)calloc(1L << 62, 4); k<<<1, 1>>>(p, q); "
       "k<<<1, 1>>>(r, s); "
       "}",
     "k 1,1,1 1,1,1 p+0/-1 q+0/-1\nk 1,1,1 1,1,1 r+0/-1 s+0/-1\n",
     "a guarded: visible to other files\n"},
    {"changed otherwise",
     P "#include <stdlib.h>\nint main() { float *p = (float *)malloc(8), *q = (float *)malloc(8); "
       "p++; q += 2; "
       "k<<<1, 1>>>(p, q); float *r = (float *)malloc(8), *s = (float *)malloc(8); r = s + 1; "
       "k<<<1, 1>>>(r, s); "
       "}",
     "k 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 s+4/8 s+0/8\n", "a guarded: visible to other files\n"},
    {"a record of pointers",
     P "struct pair { float *x, *y; }; int main() { pair d; cudaMalloc(&d.x, 8); cudaMalloc(&d.y, "
       "8); k<<<1, "
       "1>>>(d.x, d.y); float *p[2]; cudaMalloc(&p[0], 8); k<<<1, 1>>>(p[0], p[1]); }",
     "k 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 ? ?\n", "a guarded: visible to other files\n"},
    {"a symbol",
     P "__device__ float table[4]; int main() { float *p; cudaGetSymbolAddress((void **)&p, "
       "table); k<<<1, "
       "1>>>(p, p); }",
     "k 1,1,1 1,1,1 ? ?\n", "a guarded: visible to other files\n"},
    {"file scope",
     P "static float *p, *q = a[1], *const r = a[2]; static float *s = nullptr; float *t; int "
       "main() { static "
       "float *u; cudaMalloc(&p, 8); cudaMalloc(&s, 8); cudaMalloc(&t, 8); cudaMalloc(&u, 8); "
       "k<<<1, 1>>>(p, q); "
       "k<<<1, 1>>>(r, s); k<<<1, 1>>>(t, u); float *x = p, *y = u; k<<<1, 1>>>(x, y); }",
     "k 1,1,1 1,1,1 p+0/8 a+64/512\nk 1,1,1 1,1,1 a+128/512 s+0/8\nk 1,1,1 1,1,1 ? u+0/8\nk 1,1,1 "
     "1,1,1 p+0/8 "
     "u+0/8\n",
     "a guarded: visible to other files\n"},
    {"allocated by a helper",
     P "static float *p, *q; static void make() { cudaMalloc(&p, 64); } int main() { make(); "
       "cudaMalloc(&q, "
       "8); k<<<1, 1>>>(p, q); float *r = p, *s = q; k<<<1, 1>>>(r, s); }",
     "k 1,1,1 1,1,1 p+0/64 q+0/8\nk 1,1,1 1,1,1 ? q+0/8\n", "a guarded: visible to other files\n"},
    {"allocated by a function that returns it",
     P "#include <stdlib.h>\nstatic float *make(int n) { float *p = (float *)malloc(n); return p; "
       "} int main() "
       "{ float *p = make(8), *q = make(8); k<<<1, 1>>>(p, q); k<<<1, 1>>>(make(8), a[0]); }",
     "k 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 ? a+0/512\n", "a guarded: visible to other files\n"},
    {"recursion",
     P "static void f(int n) { float *p; cudaMalloc(&p, 8); float *q = p; if (n) f(n - 1); k<<<1, "
       "1>>>(p, q); "
       "} int main() { f(3); }",
     "k 1,1,1 1,1,1 p+0/8 ?\n", "a guarded: visible to other files\n"},
    {"goto",
     P "int main(int c, char **) { float *p, *q = 0; again: cudaMalloc(&p, 8); k<<<1, 1>>>(p, q); "
       "q = p; if "
       "(c--) goto again; }",
     "k 1,1,1 1,1,1 p+0/8 ?\n", "a guarded: visible to other files\n"},
    {"arithmetic",
     P "int main(int c, char **) { k<<<1, 1>>>(3 + a[1], a[2] + (1 - 2)); k<<<1, 1>>>(&*a[1], "
       "&(a[3])[4]); "
       "k<<<1, 1>>>((*(a + 1)), &1[a[2]]); float *p = (a[1] + c); k<<<1, 1>>>(p, &p[1]); }",
     "k 1,1,1 1,1,1 a+76/512 a+124/512\nk 1,1,1 1,1,1 a+64/512 a+208/512\nk 1,1,1 1,1,1 a+64/512 "
     "?\nk 1,1,1 "
     "1,1,1 a+?/512 a+?/512\n",
     "a guarded: visible to other files\n"},
    {"arithmetic on integers",
     P "int main(int c, char **) { float *p = a[4], *q = a[5]; k<<<1, 1>>>(p + (q - p), (float "
       "*)((long)p + "
       "4)); k<<<1, 1>>>(p + (long)1e18, (float *)0 + 1); k<<<1, 1>>>((float *)(void *)q, (float "
       "*)((char *)q + "
       "12)); k<<<1, 1>>>(p++, (c++, q)); }",
     "k 1,1,1 1,1,1 a+?/512 ?\nk 1,1,1 1,1,1 a+4000000000000000256/512 ?\nk 1,1,1 1,1,1 a+320/512 "
     "a+332/512\nk "
     "1,1,1 1,1,1 ? ?\n",
     "a guarded: visible to other files\n"},
    {"conditional",
     P "int main(int c, char **) { float *p = c ? a[1] : a[2], *q = c ? a[3] : nullptr; k<<<1, "
       "1>>>(p, q); "
       "k<<<1, 1>>>(true ? a[1] : 0, c ? a[1] : a[1]); float *r, *s; cudaMalloc(&r, 8); "
       "cudaMalloc(&s, 8); "
       "k<<<1, 1>>>(c ? r : s, c ? r : a[1]); k<<<1, 1>>>(c ? r : r, 0 ? a[0] : a[7]); }",
     "k 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 a+64/512 ?\nk 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 r+0/8 ?\n",
     "a guarded: visible to other files\n"},
    {"members",
     "struct cell { int n; float f[4]; }; struct big : cell { int more; };\n__global__ cell c[4]; "
     "__global__ "
     "big b; __global__ cell *vp;\n__global__ void k(float *p, void *q) {}\nint main() { cell *p = "
     "&c[1]; "
     "k<<<1, 1>>>(c[2].f, &c[1].n); k<<<1, 1>>>(p->f + 1, &(*p).f[2]); k<<<1, 1>>>((c)[3].f, (cell "
     "*)&b); "
     "k<<<1, 1>>>(b.f, &b.more); k<<<1, 1>>>(vp->f, vp); const cell *r = c; k<<<1, 1>>>((float "
     "*)r->f, (void "
     "*)r); }",
     "k 1,1,1 1,1,1 c+44/80 c+20/80\nk 1,1,1 1,1,1 c+28/80 c+32/80\nk 1,1,1 1,1,1 c+64/80 "
     "b+?/24\nk 1,1,1 "
     "1,1,1 ? b+20/24\nk 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 c+4/80 c+0/80\n",
     "c guarded: visible to other files\n"
     "b guarded: visible to other files\n"
     "vp guarded: visible to other files\n"
     "use vp 1: k<<<1, 1>>>(vp->f, vp)\n"},
    {"not of the host",
     P "struct s { float *p; float *get() { return p; } float x[4]; }; int main() { s o = {a[1]}; "
       "k<<<1, "
       "1>>>(o.p, o.get()); k<<<1, 1>>>(o.x, &o.x[1]); float l[4]; k<<<1, 1>>>(l, &l[1]); float "
       "*volatile p = "
       "a[2]; k<<<1, 1>>>(p, 0); }",
     "k 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 ? ?\n",
     "a guarded: visible to other files\n"},
    {"parameters",
     P "static void f(float *p, float *q = a[3]) { k<<<1, 1>>>(p, q); } int main() { f(a[1]); "
       "f(a[1], a[3]); }",
     "k 1,1,1 1,1,1 a+64/512 ?\n", "a guarded: visible to other files\n"},
    {"parameters from everywhere",
     P "static void f(float *p, float *q) { k<<<1, 1>>>(p, q); } static void (*keep)(float *, "
       "float *) = f; "
       "static void g(float *p, float *q) { k<<<1, 1>>>(p, q); } int main() { f(a[1], a[2]); float "
       "*r; "
       "cudaMalloc(&r, 8); g(r, a[0]); g(a[0], nullptr); }",
     "k 1,1,1 1,1,1 ? ?\nk 1,1,1 1,1,1 ? ?\n", "a guarded: visible to other files\n"},
    {"parameters that agree",
     P "static void f(float *p, float *q) { k<<<1, 1>>>(p, q); } int main() { float *r; "
       "cudaMalloc(&r, 8); "
       "f(r, a[1]); f(r, a[1]); f(r, a[1]); }",
     "k 1,1,1 1,1,1 r+0/8 a+64/512\n", "a guarded: visible to other files\n"},
    {"parameter moved",
     P "static void f(float *p, float *q) { p = q + 1; k<<<1, 1>>>(p, q); q++; k<<<1, 1>>>(p, q); "
       "} int main() "
       "{ f(a[0], a[1]); }",
     "k 1,1,1 1,1,1 a+68/512 a+64/512\nk 1,1,1 1,1,1 a+68/512 ?\n",
     "a guarded: visible to other files\n"},
    {"VS pointers",
     "__global__ float *p; static __global__ float *q; __global__ void k(float *x, float *y) "
     "{}\nint main() { "
     "p = (float *)mesi_malloc(64); q = (float *)mesi_malloc(32); k<<<1, 1>>>(p, q); float *r = q; "
     "k<<<1, "
     "1>>>(r, &p[2]); mesi_free(p); }",
     "k 1,1,1 1,1,1 ? q+0/32\nk 1,1,1 1,1,1 q+0/32 ?\n",
     "p guarded: visible to other files\n"
     "q announced\n"
     "use p 10: p = (float *)mesi_malloc(64)\n"
     "use q 10: q = (float *)mesi_malloc(32)\n"
     "use p 1: k<<<1, 1>>>(p, q)\n"
     "use q 1: k<<<1, 1>>>(p, q)\n"
     "use q 1: float *r = q;\n"
     "use p 1: k<<<1, 1>>>(r, &p[2])\n"
     "use p 1: mesi_free(p)\n"},
    {"declared without size",
     "extern __global__ float b[]; __global__ float c[4]; extern __global__ float c[4]; __global__ "
     "void "
     "k(float *p, float *q) {}\nint main() { k<<<1, 1>>>(b, c + 1); }",
     "k 1,1,1 1,1,1 b+0/-1 c+4/16\n",
     "b guarded: visible to other files\nc guarded: visible to other files\nc guarded: visible to "
     "other files\n"},
    {"long chain of copies",
     P "int main() { float *p0 = a[0]; float *p1 = p0; float *p2 = p1; float *p3 = p2; float *p4 = "
       "p3; float "
       "*p5 = p4; float *p6 = p5; float *p7 = p6; float *p8 = p7; float *p9 = p8; float *p10 = p9; "
       "float *p11 = "
       "p10; float *p12 = p11; float *p13 = p12; float *p14 = p13; float *p15 = p14; float *p16 = "
       "p15; float "
       "*p17 = p16; float *p18 = p17; float *p19 = p18; float *p20 = p19; float *p21 = p20; float "
       "*p22 = p21; "
       "float *p23 = p22; float *p24 = p23; float *p25 = p24; float *p26 = p25; float *p27 = p26; "
       "float *p28 = "
       "p27; float *p29 = p28; float *p30 = p29; float *p31 = p30; float *p32 = p31; float *p33 = "
       "p32; float "
       "*p34 = p33; float *p35 = p34; float *p36 = p35; float *p37 = p36; float *p38 = p37; float "
       "*p39 = p38; "
       "float *p40 = p39; float *p41 = p40; float *p42 = p41; float *p43 = p42; float *p44 = p43; "
       "float *p45 = "
       "p44; float *p46 = p45; float *p47 = p46; float *p48 = p47; float *p49 = p48; float *p50 = "
       "p49; float "
       "*p51 = p50; float *p52 = p51; float *p53 = p52; float *p54 = p53; float *p55 = p54; float "
       "*p56 = p55; "
       "float *p57 = p56; float *p58 = p57; float *p59 = p58; float *p60 = p59; float *p61 = p60; "
       "float *p62 = "
       "p61; float *p63 = p62; float *p64 = p63; float *p65 = p64; float *p66 = p65; float *p67 = "
       "p66; float "
       "*p68 = p67; float *p69 = p68; float *p70 = p69; k<<<1, 1>>>(p20, p70); }",
     "k 1,1,1 1,1,1 a+0/512 ?\n", "a guarded: visible to other files\n"},
    {"in a template and a lambda",
     P "template <class T> void run(T *p) { k<<<1, 1>>>(p, a[1]); } int main() { run(a[0]); auto f "
       "= [] { "
       "float *q = a[2]; k<<<1, 1>>>(q, a[3]); }; f(); }",
     "k ?,?,? ?,?,? ? ?\nk 1,1,1 1,1,1 ? a+192/512\n", "a guarded: visible to other files\n"},
};

static const struct host_case sources[] = {
    {"strings and null",
     V "int main() { write(1, \"x\", 1); write(1, 0, 0); write(1, nullptr, 0); write(1, NULL, 0); "
       "const char "
       "*s = \"y\"; write(1, s, 1); write(1, (const void *)\"z\", 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\n"},
    {"numbers",
     V "int main() { write(1, (void *)64, 1); long n = (long)v; write(1, (void *)n, 1); k<<<1, "
       "1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: (void *)64\narg 1: (void *)n\n"},
    {"fresh memory",
     V "#include <stdlib.h>\n#include <string.h>\nint main() { char *p = (char *)malloc(8); "
       "write(1, p, 1); "
       "write(1, p + 1, 1); write(1, &p[2], 1); write(1, &*p, 1); p++; write(1, p++, 1); char *q = "
       "new char[3]; "
       "write(1, q, 1); write(1, new char[2], 2); char *r = strdup(\"x\"); write(1, strchr(r, "
       "'x'), 1); char *s; "
       "posix_memalign((void **)(&s), 64, 8); write(1, s, 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\n"},
    {"calls that return an argument",
     V "#include <string.h>\nint main() { char b[8]; write(1, strcpy(b, \"x\"), 1); write(1, "
       "memcpy(v, b, 4), "
       "4); write(1, strstr(b, \"x\"), 1); write(1, memset((v + 1), 0, 4), 4); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: memcpy(v, b, 4)\narg 1: memset((v + 1), 0, 4)\n"},
    {"objects of the function",
     V "struct s { int n; char text[8]; s *next; }; int main() { s o, list[2]; int n; write(1, &n, "
       "4); "
       "write(1, &o.n, 4); write(1, o.text, 8); write(1, list[1].text + 1, 8); write(1, (o).text, "
       "8); s *p = &o; "
       "write(1, p->text, 8); write(1, &p->n, 4); write(1, p->next, 4); write(1, p->next->text, "
       "4); k<<<1, "
       "1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: p->next\narg 1: p->next->text\n"},
    {"conditional",
     V "int main(int c, char **) { char b[4], *p = 0; write(1, c ? b : p, 4); write(1, c ? (void "
       "*)b : v, 4); "
       "write(1, c ? &v[1] : &v[2], 4); write(1, &(c ? b[0] : b[1]), 1); float f; write(1, &(c ? "
       "v[0] : f), 1); "
       "k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: c ? (void *)b : v\narg 1: c ? &v[1] : &v[2]\narg "
     "1: &(c ? v[0] "
     ": f)\n"},
    {"assignments",
     V "int main(int c, char **) { char b[4], *p, *q; float *r; write(1, p = b, 1); write(1, (q = "
       "p) += 1, 1); "
       "write(1, (r = v), 1); write(1, r, 1); write(1, (c++, b), 1); write(1, (c++, r), 1); k<<<1, "
       "1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: (r = v)\narg 1: r\narg 1: (c++, b)\narg 1: (c++, "
     "r)\n"},
    {"references",
     V "int main() { char b[4]; char &r = b[1]; float &f = v[1]; write(1, &r, 1); write(1, &f, 1); "
       "char *p = "
       "b; char *&rp = p; rp = (char *)v; write(1, p, 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: &r\narg 1: &f\narg 1: p\n"},
    {"address taken",
     V "void fill(char **); int main() { char b[4], *p = b, *q = b; fill(&p); write(1, p, 1); char "
       "**pp = &q; "
       "*pp = (char *)v; write(1, q, 1); write(1, *pp, 1); write(1, pp, 8); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\nall: fill(&p)\narg 1: p\narg 1: q\narg 1: *pp\n"},
    {"lambda",
     V "int main() { char b[4], *p = b, *q = b; auto f = [&] { p = (char *)v; }; f(); auto g = [q] "
       "{ write(1, "
       "q, 1); }; g(); write(1, p, 1); write(1, q, 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: q\narg 1: p\narg 1: q\n"},
    {"sums",
     V "int main() { char b[4], *p = b; int i = 1; write(1, i + p, 1); write(1, 1 + v, 4); "
       "write(1, p - i, 1); "
       "write(1, b + (b - p), 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: 1 + v\n"},
    {"parameters",
     V "static void f(const char *p, const float *q) { write(1, p, 1); write(1, q, 1); } static "
       "void g(const "
       "char *p, int n = 3) { write(1, p, n); if (n) g(p, n - 1); } void h(const char *p) { "
       "write(1, p, 1); } "
       "int main(int c, char **argv) { char b[3]; write(1, argv[0], 1); write(1, argv, 8); f(b, "
       "v); g(b); h(b); "
       "k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: q\narg 1: p\narg 1: argv[0]\n"},
    {"default argument",
     V "static void f(const char *p, const float *q = v) { write(1, p, 1); write(1, q, 1); } int "
       "main() { "
       "f(\"x\"); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: q\n"},
    {"file scope",
     V "static char b[8]; static char *p = b, *q, *r = (char *)v, *const s = b; char *t; static "
       "const char *u; "
       "template <class T> void w() { u = 0; } int main() { q = b; q = q + 1; write(1, b, 1); "
       "write(1, p, 1); "
       "write(1, q, 1); write(1, r, 1); write(1, s, 1); write(1, t, 1); write(1, u, 1); static "
       "char *l; l = b; "
       "write(1, l, 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: r\narg 1: t\narg 1: u\n"},
    {"functions of the file",
     V "#include <stdlib.h>\nstatic char *fresh(int n) { if (n) return (char *)malloc(n); return "
       "0; } static "
       "float *row(int n) { return v + n; } char *elsewhere(); static char *loop(int n) { return n "
       "? loop(n - 1) "
       ": nullptr; } static char *odd() { try { return 0; } catch (...) { throw; } } struct s { "
       "char *p; char "
       "*get() { return p; } }; template <class T> T *made(T *p) { return p; } int main() { s o = "
       "{0}; char "
       "b[2]; write(1, fresh(3), 1); write(1, row(1), 1); write(1, elsewhere(), 1); write(1, "
       "loop(3), 1); "
       "write(1, odd(), 1); write(1, o.get(), 1); write(1, made(b), 1); write(1, getenv(\"X\"), "
       "1); k<<<1, "
       "1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: row(1)\narg 1: elsewhere()\narg 1: odd()\narg 1: "
     "o.get()\narg "
     "1: made(b)\n"},
    {"containers",
     V
     "#include <string>\n#include <vector>\n#include <string_view>\n#include <array>\nint main() { "
     "std::vector<char> c(8); std::string s(\"x\"); std::vector<float *> p(2, v); std::string_view "
     "w(\"x\"); "
     "std::array<char, 4> r; std::vector<char> *cp = &c; write(1, c.data(), 1); write(1, "
     "s.c_str(), 1); "
     "write(1, &c[1], 1); write(1, &s[0], 1); write(1, &c.front(), 1); write(1, &c.at(2), 1); "
     "write(1, "
     "&c.back(), 1); write(1, p[0], 1); write(1, p.data(), 1); write(1, w.data(), 1); write(1, "
     "r.data(), 1); "
     "write(1, cp->data(), 1); write(1, &*c.begin(), 1); write(1, &s, 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: p[0]\narg 1: p.data()\narg 1: w.data()\narg 1: "
     "r.data()\narg "
     "1: cp->data()\narg 1: &*c.begin()\n"},
    {"methods",
     V "struct s { char b[8]; char *p; void put() { write(1, b, 8); write(1, this->b, 8); write(1, "
       "p, 1); "
       "write(1, this, 1); } }; int main() { s o; o.put(); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: b\narg 1: this->b\narg 1: p\narg 1: this\n"},
    {"arrays of VS data",
     V "__global__ char text[4][8]; struct rec { int n; char name[8]; }; __global__ rec recs[3]; "
       "int main(int "
       "c, char **) { write(1, text[c], 8); write(1, &text[1][2], 1); write(1, *text, 8); write(1, "
       "recs[1].name, "
       "8); write(1, &recs[1].n, 4); write(1, (char *)&recs[1] + 2, 4); rec *p = recs; write(1, "
       "p->name, 8); "
       "write(1, (*p).name, 8); rec q = recs[1]; write(1, q.name, 8); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\ntext guarded: visible to other files\nrecs guarded: "
     "visible to other "
     "files\narg 1: text[c]\narg 1: &text[1][2]\narg 1: *text\narg 1: recs[1].name\narg 1: "
     "&recs[1].n\narg 1: "
     "(char *)&recs[1] + 2\narg 1: p->name\narg 1: (*p).name\n"},
    {"deep nesting",
     V "int main() { char b[4]; char *p = b; write(1, "
       "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
       "(((((((((((((("
       "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
       "(((((((((((((("
       "((((((((((((((((((((p + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + "
       "1) + 1) + 1) + "
       "1) + 1) + 1) + 1), 1); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n",
     "v guarded: visible to other files\narg 1: "
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "(((((((((((("
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "(((((((((((("
     "((((((((((((((((((((p + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) "
     "+ 1) + 1) + "
     "1) + 1) + 1) + 1)\n"},
    {"records with members",
     V "struct view { float *p; int n; }; int main() { view x = {v, 64}; write(1, x.p, 4); view *y "
       "= &x; "
       "write(1, y->p, 4); write(1, &x, sizeof x); write(1, &y->n, 4); k<<<1, 1>>>(); }",
     "k 1,1,1 1,1,1\n", "v guarded: visible to other files\narg 1: x.p\narg 1: y->p\n"},
};

static void test_bindings(void **state)
{
  (void)state;
  host_check(bindings, COUNT(bindings));
}
static void test_sources(void **state)
{
  (void)state;
  host_check(sources, COUNT(sources));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bindings),
                                     cmocka_unit_test(test_sources)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
