/* SPDX-License-Identifier: MIT */
/* host_corner_values.c - rare forms of constants, and of pointers that launches get: one case each,
 * so that no case hides another. */
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
#define K "static int own(int x) { return x; }\n__global__ void k(int n) {}\n"
#define P \
  "__global__ float a[8][16];\nstatic float *kept, *const fixed = a[3];\nfloat *seen, *get();\n" \
  "__global__ void k(const float *p, const float *q) {}\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case values[] = {
    {"logic",
     K "int main() { int f = 3; int z = 0; k<<<1, 1>>>(f && z); k<<<1, 1>>>(z || f); k<<<1, 1>>>(z "
       "|| 0); k<<<1, 1>>>(f && f); "
       "k<<<1, 1>>>(f & 1 ? 4 : 5); }",
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 =4\n",
     NULL},
    {"floats",
     K "int main() { float x = 2.5f; double y = 2; k<<<1, 1>>>((int)(x * y)); k<<<1, 1>>>((int)(3 "
       "+ x)); k<<<1, 1>>>((int)(x - "
       "1)); k<<<1, 1>>>((int)(y / 4 * 10)); k<<<1, 1>>>(x < y); k<<<1, 1>>>(1 < x); k<<<1, "
       "1>>>((int)-x); k<<<1, 1>>>(!x); "
       "k<<<1, 1>>>((int)1e400); k<<<1, 1>>>((int)(1e300 * 1e300)); }",
     "k 1,1,1 1,1,1 =5\n"
     "k 1,1,1 1,1,1 =5\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 =5\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 =-2\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n",
     NULL},
    {"widths",
     K "int main() { short s = 40000; unsigned char c = 300; long l = 1l << 40; unsigned u = 7; "
       "k<<<1, 1>>>(s + c); k<<<1, "
       "1>>>((int)(l >> 38)); k<<<1, 1>>>((int)(l + u - l)); k<<<1, 1>>>((int)(u + l - l)); k<<<1, "
       "1>>>((int)(-1 < 0u)); k<<<1, "
       "1>>>(~s); k<<<1, 1>>>(~u == 4294967288u); k<<<1, 1>>>((int)(-1l < u)); k<<<1, 1>>>(s << "
       "2); k<<<1, 1>>>(+c); }",
     "k 1,1,1 1,1,1 =-25492\n"
     "k 1,1,1 1,1,1 =4\n"
     "k 1,1,1 1,1,1 =7\n"
     "k 1,1,1 1,1,1 =7\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =25535\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 =44\n",
     NULL},
    {"words",
     K "int main() { bool b = true, n = false; char c = 'a', q = '\\n'; k<<<1, 1>>>(b + 1); k<<<1, "
       "1>>>(n); k<<<1, 1>>>(c); "
       "k<<<1, 1>>>(q); k<<<1, 1>>>('\\x41'); k<<<1, 1>>>(0x10); k<<<1, 1>>>((int)5.5L); }",
     "k 1,1,1 1,1,1 =2\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =97\n"
     "k 1,1,1 1,1,1 =10\n"
     "k 1,1,1 1,1,1 =65\n"
     "k 1,1,1 1,1,1 =16\n"
     "k 1,1,1 1,1,1 ?\n",
     NULL},
    {"out of reach",
     K
     "int main() { int z = 0, m = -2147483647 - 1; k<<<1, 1>>>(5 % z); k<<<1, 1>>>(m / -1); k<<<1, "
     "1>>>(-m); k<<<1, 1>>>(1 << "
     "40); k<<<1, 1>>>(1 >> -1); k<<<1, 1>>>(z++); k<<<1, 1>>>(*&z); k<<<1, 1>>>((int)(long)&z); }",
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n",
     NULL},
    {"bits",
     K "int main() { unsigned u = 12; k<<<1, 1>>>(u & 10); k<<<1, 1>>>(u | 3); k<<<1, 1>>>(u ^ 5); "
       "k<<<1, 1>>>(u % 5); k<<<1, "
       "1>>>(-7 % 3); k<<<1, 1>>>(u >= 12); k<<<1, 1>>>(u > 12); k<<<1, 1>>>(u <= 11); k<<<1, "
       "1>>>(u == 12); k<<<1, 1>>>(u != "
       "12); k<<<1, 1>>>((u, 4)); }",
     "k 1,1,1 1,1,1 =8\n"
     "k 1,1,1 1,1,1 =15\n"
     "k 1,1,1 1,1,1 =9\n"
     "k 1,1,1 1,1,1 =2\n"
     "k 1,1,1 1,1,1 =-1\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =1\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =4\n",
     NULL},
    {"library",
     INCLUDES K "int main() { int n = 100; k<<<1, 1>>>((int)ceil(n / 16.0)); k<<<1, "
                "1>>>((int)ceilf(n / 16.0f)); k<<<1, "
                "1>>>((int)floor(n / 16.0)); k<<<1, 1>>>(std::min(n, 64)); k<<<1, 1>>>(std::max(n, "
                "640)); k<<<1, 1>>>(min(n, 3)); k<<<1, "
                "1>>>((int)sqrt(16.0)); k<<<1, 1>>>(abs(-n)); k<<<1, 1>>>((int)fmax(1.0, 2.0)); "
                "k<<<1, 1>>>(std::min({n, 3, 4})); k<<<1, "
                "1>>>(rand()); k<<<1, 1>>>((int)ceil(rand())); k<<<1, 1>>>(std::max(n, rand())); "
                "k<<<1, 1>>>(own(3)); }",
     "k 1,1,1 1,1,1 =7\n"
     "k 1,1,1 1,1,1 =7\n"
     "k 1,1,1 1,1,1 =6\n"
     "k 1,1,1 1,1,1 =64\n"
     "k 1,1,1 1,1,1 =640\n"
     "k 1,1,1 1,1,1 =3\n"
     "k 1,1,1 1,1,1 =4\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n",
     NULL},
    {"conversions",
     K "int main() { int a{5}, b = {6}, c(7), d = int(8.9), e = static_cast<int>(9.5), f = "
       "(short)70000; struct one { int v; } "
       "o = {4}; int g = one{3}.v; k<<<1, 1>>>(a); k<<<1, 1>>>(b); k<<<1, 1>>>(c); k<<<1, 1>>>(d); "
       "k<<<1, 1>>>(e); k<<<1, "
       "1>>>(f); k<<<1, 1>>>(o.v); k<<<1, 1>>>(g); k<<<1, 1>>>(int{}); k<<<1, 1>>>(int()); }",
     "k 1,1,1 1,1,1 =5\n"
     "k 1,1,1 1,1,1 =6\n"
     "k 1,1,1 1,1,1 =7\n"
     "k 1,1,1 1,1,1 =8\n"
     "k 1,1,1 1,1,1 =9\n"
     "k 1,1,1 1,1,1 =4464\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 =0\n"
     "k 1,1,1 1,1,1 =0\n",
     NULL},
    {"dimensions",
     INCLUDES K "int main() { dim3 g(4, 5), h = {6, 7}, i = 8; uint3 t = make_uint3(1, 2, 3); dim3 "
                "j = true ? g : h, l = rand() ? g : h, "
                "m = rand() ? g : g; const dim3 *p = &g; k<<<h, i>>>((int)g.y); k<<<j, "
                "l>>>((int)t.z); k<<<m, p->x>>>((int)(g).x); "
                "k<<<dim3(t), dim3{9, 1}>>>((int)dim3(3, 4).y); k<<<(g), dim3(g)>>>((int)g.x * 2); "
                "dim3 q; q.x = q.y = 3; (q).z = 2; "
                "k<<<q, 1>>>(1); g = h; k<<<g, 1>>>(1); struct pos { int x, w, xy; } s = {3, 4, "
                "5}; k<<<1, 1>>>(s.x + s.w + s.xy); }",
     "k 6,7,1 8,1,1 ?\n"
     "k ?,?,? ?,?,? =3\n"
     "k ?,?,? ?,1,1 ?\n"
     "k 1,2,3 9,1,1 =4\n"
     "k ?,?,? ?,?,? ?\n"
     "k ?,3,2 1,1,1 =1\n"
     "k ?,?,? 1,1,1 =1\n"
     "k 1,1,1 1,1,1 ?\n",
     NULL},
    {"never changes",
     K "int main() { static int once = 4; static const int fixed = 5; static int twice = 6; twice "
       "= 7; volatile int v = 8; "
       "extern int outside; k<<<1, 1>>>(once); k<<<1, 1>>>(fixed); k<<<1, 1>>>(twice); k<<<1, "
       "1>>>(v); k<<<1, 1>>>(outside); "
       "int never; k<<<1, 1>>>(never); }",
     "k 1,1,1 1,1,1 =4\n"
     "k 1,1,1 1,1,1 =5\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n"
     "k 1,1,1 1,1,1 ?\n",
     NULL},
};

static const struct host_case bindings[] = {
    {"nulls",
     INCLUDES P "int main() { float *p = 0, *q = nullptr; cudaMalloc(&p, 8); p = NULL; "
                "cudaMalloc(&q, 64); k<<<1, 1>>>(p, q); k<<<1, "
                "1>>>(nullptr, 0); }",
     "k 1,1,1 1,1,1 p+0/8 q+0/64\n"
     "k 1,1,1 1,1,1 ? ?\n",
     NULL},
    {"by address",
     INCLUDES P "int main() { float *p, *q, *r, *s; cudaMalloc(&(p), 8); memset(&q, 0, sizeof q); "
                "cudaMalloc(&q, 8); "
                "posix_memalign((void **)&r, 64, 128); cudaGetSymbolAddress((void **)&s, a); "
                "k<<<1, 1>>>(p, q); k<<<1, 1>>>(r, s); }",
     "k 1,1,1 1,1,1 ? ?\n"
     "k 1,1,1 1,1,1 r+0/128 ?\n",
     NULL},
    {"heap",
     INCLUDES P
     "int main() { float *p = new float[8], *q = (float *)malloc(32), *r = (float *)calloc(4, 8), "
     "*s = (float "
     "*)aligned_alloc(64, 128); k<<<1, 1>>>(p, q); k<<<1, 1>>>(r, s); delete[] p; throw q; }",
     "k 1,1,1 1,1,1 p+0/-1 ?\n"
     "k 1,1,1 1,1,1 r+0/32 s+0/128\n",
     NULL},
    {"unknown sizes",
     INCLUDES P "int main() { float *p = (float *)calloc(4, rand()), *q, *r = (float *)calloc(1l "
                "<< 40, 1l << 40); size_t pitch; "
                "cudaMallocPitch(&q, &pitch, 8, 8); k<<<1, 1>>>(p, q); k<<<1, 1>>>(r, q); }",
     "k 1,1,1 1,1,1 p+0/-1 q+0/-1\n"
     "k 1,1,1 1,1,1 r+0/-1 q+0/-1\n",
     NULL},
    {"copies",
     P "int main() { float *p; cudaMalloc(&p, 8); float *q = p, *r = q; k<<<1, 1>>>(q, r); k<<<1, "
       "1>>>(r + 1, q); float *&alias "
       "= p; k<<<1, 1>>>(alias, q); }",
     "k 1,1,1 1,1,1 ? ?\n"
     "k 1,1,1 1,1,1 ? ?\n"
     "k 1,1,1 1,1,1 ? ?\n",
     NULL},
    {"moved", P "int main() { float *p; cudaMalloc(&p, 64); k<<<1, 1>>>(p++, p); }",
     "k 1,1,1 1,1,1 ? ?\n", NULL},
    {"made in a loop",
     P "int main() { for (int i = 0; i < 3; i++) { float *p = new float[4], *q = p; k<<<1, 1>>>(p, "
       "q); } float *r; r = new "
       "float[2]; float *s = r; k<<<1, 1>>>(r, s); }",
     "k 1,1,1 1,1,1 p+0/-1 ?\n"
     "k 1,1,1 1,1,1 r+0/-1 r+0/-1\n",
     NULL},
    {"sums",
     INCLUDES P "int main() { float *p; cudaMalloc(&p, 64); k<<<1, 1>>>(2 + p, p - -3); k<<<1, "
                "1>>>(&p[4] - 2, &*p); k<<<1, 1>>>(3 + "
                "a[1], p + rand()); k<<<1, 1>>>(p + (1l << 62), p + (-9223372036854775807l - 1)); "
                "k<<<1, 1>>>((p, p), p); k<<<1, 1>>>(p "
                "- (p - a[0]), *(a + 1)); }",
     "k 1,1,1 1,1,1 p+8/64 p+12/64\n"
     "k 1,1,1 1,1,1 p+8/64 p+0/64\n"
     "k 1,1,1 1,1,1 a+76/512 p+?/64\n"
     "k 1,1,1 1,1,1 p+?/64 p+?/64\n"
     "k 1,1,1 1,1,1 ? p+0/64\n"
     "k 1,1,1 1,1,1 p+?/64 a+64/512\n",
     NULL},
    {"choices",
     INCLUDES P "int main() { float *p; cudaMalloc(&p, 64); int c = rand(); k<<<1, 1>>>(c ? p : "
                "a[0], c ? p : p + 1); k<<<1, 1>>>(1 ? p "
                ": a[0], 0 ? p : a[1]); k<<<1, 1>>>(c ? get() : p, c ? p : get()); }",
     "k 1,1,1 1,1,1 ? p+?/64\n"
     "k 1,1,1 1,1,1 p+0/64 a+64/512\n"
     "k 1,1,1 1,1,1 ? ?\n",
     NULL},
    {"conversions",
     INCLUDES P "int main() { struct base { float v[2]; }; struct derived : base { float w; }; "
                "struct other { float z; }; derived *d; "
                "other *o; cudaMalloc(&d, 64); cudaMalloc(&o, 64); k<<<1, 1>>>((float *)(base *)d, "
                "(float *)(const derived *)d); k<<<1, "
                "1>>>(d->v, &d->w); k<<<1, 1>>>((float *)(size_t)d, (float *)o); k<<<1, "
                "1>>>((*d).v + 1, &(&o[2])->z); }",
     "k 1,1,1 1,1,1 d+?/64 d+0/64\n"
     "k 1,1,1 1,1,1 d+?/64 d+8/64\n"
     "k 1,1,1 1,1,1 ? o+0/64\n"
     "k 1,1,1 1,1,1 ? o+8/64\n",
     NULL},
    {"statics",
     P "int main() { static float *once = new float[3]; static float *twice; cudaMalloc(&twice, "
       "8); float *q = twice; volatile "
       "float *v = q; float *volatile w = q; k<<<1, 1>>>(once, twice); k<<<1, 1>>>(q, (float *)v); "
       "k<<<1, 1>>>(w, kept); k<<<1, "
       "1>>>(fixed, seen); }",
     "k 1,1,1 1,1,1 once+0/-1 twice+0/8\n"
     "k 1,1,1 1,1,1 twice+0/8 twice+0/8\n"
     "k 1,1,1 1,1,1 ? ?\n"
     "k 1,1,1 1,1,1 a+192/512 ?\n",
     NULL},
    {"lambda",
     P "int main() { auto f = [](float *p) { k<<<1, 1>>>(p, a[0]); }; f(a[1]); float *q; "
       "cudaMalloc(&q, 8); auto g = [=] { "
       "k<<<1, 1>>>(q, q); }; g(); }",
     "k 1,1,1 1,1,1 ? a+0/512\n"
     "k 1,1,1 1,1,1 ? ?\n",
     NULL},
};

static void test_values(void **state)
{
  (void)state;
  host_check(values, COUNT(values));
}

static void test_bindings(void **state)
{
  (void)state;
  host_check(bindings, COUNT(bindings));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_bindings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
