/* SPDX-License-Identifier: MIT */
/* host_rare_memory.c - rare forms, one case each: what library calls and unknown functions are
 * told, and which memory a launch's pointer leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define INCLUDES \
  "#include <cstdlib>\n#include <cstring>\n#include <cstdio>\n#include <algorithm>\n#include " \
  "<string>\n#include <vector>\n"
#define P "__global__ float a[8][16];\n__global__ void k(const float *p, const float *q) {}\n"
#define S \
  "static __global__ int n;\nstatic __global__ int a[8][4];\n__global__ void k(int m) { a[0][0] " \
  "= n; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

static const struct host_case rare_touches[] = {
    {"pointers inside",
     INCLUDES S "struct in { int *p; struct { char *q; } r[2]; }; void take(in *); void keep(in), "
                "raw(void *), number(long), "
                "ref(int &), cref(const int &), refp(int *&), two(int **);\n"
                "int main(int argc, char **argv) { k<<<1, 1>>>(1); in x; take(&x); keep(x); "
                "raw(a); number((long)&n); ref(n); "
                "cref(a[0][0]); int *p = a[1]; refp(p); two(&p); two((int **)argv); return 0; }",
     NULL,
     "n guarded: its address is converted to a number\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "all: take(&x)\n"
     "all: keep(x)\n"
     "arg 3: a\n"
     "use n 3: ref(n)\n"
     "use a 3: cref(a[0][0])\n"
     "all: refp(p)\n"
     "all: two(&p)\n"
     "all: two((int **)argv)\n"},
    {"methods",
     INCLUDES S "struct s { void act(int *); void set(int &); int *p; void operator+=(int *); }; "
                "void operator<<(s &, int *);\n"
                "int main() { k<<<1, 1>>>(1); s x; x.act(a[0]); x.set(n); s *y = &x; y->act(a[1]); "
                "x += a[2]; x << a[3]; return "
                "0; }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "all: x.act(a[0])\n"
     "arg 3: a[0]\n"
     "use n 3: x.set(n)\n"
     "all: x.set(n)\n"
     "all: y->act(a[1])\n"
     "arg 3: a[1]\n"},
    {"text",
     "#include <iostream>\n"
     "#include <sstream>\n"
     "#include <cstdio>\n"
     "#include <cstring>\n"
     "static __global__ char t[64];\n"
     "static __global__ int n;\n"
     "__global__ void k(int m) { t[0] = n; }\n"
     "int main() { k<<<1, 1>>>(1); std::cout << t << n << \"x\" << (const void *)t; "
     "std::stringstream o; o << t; "
     "o.write(t, 4); printf(\"%s %d %p\", t, n, &n); puts(t); fprintf(stderr, \"%s\", t + 1); "
     "return strlen(t) + "
     "strcmp(t, \"a\"); }",
     NULL,
     "t guarded: its address is passed to a function that is not analysed\n"
     "n announced\n"
     "use n 1: std::cout << t << n << \"x\" << (const void *)t\n"
     "arg 1: t\n"
     "arg 1: t\n"
     "arg 1: t\n"
     "use n 1: printf(\"%s %d %p\", t, n, &n)\n"
     "arg 1: t\n"
     "arg 1: t\n"
     "arg 1: t + 1\n"},
    {"function pointers and templates",
     INCLUDES S
     "template <class T> void any(T *p) { *p = 0; } struct file; void show(FILE *, file *);\n"
     "int main() { k<<<1, 1>>>(1); void (*f)(int *) = 0; f(a[0]); any(&n); any<int>(a[1]); "
     "show(stdout, (file *)a); "
     "std::vector<int *> v; v.push_back(a[2]); return 0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "arg 3: a[0]\n"},
    {"in conditions and loops",
     INCLUDES S "int act(int *);\n"
                "int main() { k<<<1, 1>>>(1); while (act(a[0])) n++; for (int i = 0; i < "
                "act(a[1]); i++) n--; if (n && "
                "act(a[2])) n = 0; return n ? act(a[3]) : 0; }",
     NULL,
     "n guarded: a launch cannot be told apart from a use\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "arg 3: a[0]\n"
     "arg 3: a[1]\n"
     "arg 3: a[2]\n"
     "arg 3: a[3]\n"},
    {"in macros",
     INCLUDES S
     "int act(int *), both(int *, int *);\n"
     "#define ROW a[1]\n"
     "#define ACT(p) act(p)\n"
     "int main() { k<<<1, 1>>>(1); act(ROW); ACT(a[2]); ACT(ROW); both(ROW, &n); return 0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a guarded: a macro names it\n"
     "arg 3: ROW\n"
     "arg 3: a[2]\n"
     "all: ACT(ROW)\n"
     "arg 3: ROW\n"
     "arg 3: &n\n"},
    {"lists of messages",
     INCLUDES S
     "#include <sys/socket.h>\n#include <sys/uio.h>\n#include <aio.h>\nint main(int argc, char **) "
     "{ k<<<1, 1>>>(1); mmsghdr list[2]; msghdr one; iovec v[2]; volatile int some = 2; aiocb c; "
     "sendmmsg(1, list, 2, 0); recvmmsg(1, list, (argc), 0, 0); sendmsg(1, &one, 0); recvmsg(1, "
     "&one, 0); writev(1, v, n); readv(1, v, some); writev(1, v, argc + 1); readv(1, v, (int)(2)); "
     "aio_read(&c); aio_write(&c); setvbuf(stdout, (char *)a, _IOFBF, 16); setvbuf(stdout, 0, "
     "_IOFBF, 16); return 0; }",
     NULL,
     "n announced\n"
     "a guarded: its address is passed to a function that may keep it\n"
     "all: list\n"
     "all: list\n"
     "all: &one\n"
     "all: &one\n"
     "use n 1: writev(1, v, n)\n"
     "all: v\n"
     "all: v\n"
     "all: v\n"
     "all: v\n"
     "all: &c\n"
     "all: &c\n"
     "keep: (char *)a\n"},
    {"arguments of macros",
     INCLUDES S "#include <sys/uio.h>\n#include <unistd.h>\n#define BOTH v, 2\n#define SAME(x) "
                "x\n#define WRITE(x) write(1, x, 4)\n#define ALL write(1, a, 4)\nint main() { "
                "k<<<1, 1>>>(1); iovec v[2]; writev(1, BOTH); SAME(writev(1, v, 2)); writev(1, "
                "SAME(v), SAME(2)); WRITE(a); WRITE(&n); ALL; return 0; }",
     NULL,
     "n announced\n"
     "a guarded: a macro names it\n"
     "all: writev(1, BOTH)\n"
     "all: v\n"
     "all: v\n"
     "arg 1: a\n"
     "use n 1: WRITE(&n)\n"
     "open 1: &n\n"
     "all: ALL\n"},
    {"several calls in one statement",
     INCLUDES S
     "struct s { int *p; bool act(int *); bool more(); }; bool unknown(s *); int main(int c, char "
     "**) { k<<<1, 1>>>(1); s x, y; while (x.act(x.p)) n++; for (; unknown(&x); unknown(&y)) n--; "
     "do n++; while (unknown(&x) && x.more()); int m = unknown(&x) ? unknown(&y) : 0; return m; }",
     NULL,
     "n announced\n"
     "a announced\n"
     "arg 3: x.p\n"
     "all at: x.p\n"
     "use n 3 {}: n++\n"
     "all at: &x\n"
     "all at: &y\n"
     "use n 3 {}: n--\n"
     "all: do n++; while (unknown(&x) && x.more())\n"
     "use n 3 {}: n++\n"
     "all at: &x\n"
     "all at: &x\n"
     "all at: &y\n"},
    {"calls of a choice of functions",
     INCLUDES S
     "static void own(int *p) { *p = 1; } static void two(int *p) { *p = 2; } void other(int *); "
     "int main(int c, char **) { k<<<1, 1>>>(1); (c ? own : two)(a[0]); (c ? own : other)(a[1]); "
     "(*own)(&n); (&two)(a[2]); (*(c ? &own : &two))(a[3]); (&other)(a[0]); return 0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a guarded: its address is passed to a function that is not analysed\n"
     "arg 3: a[1]\n"
     "arg 3: a[0]\n"},
    {"arrays by reference",
     INCLUDES S "void all(int (&row)[4]); void read(const int (&row)[4]); void any(void *const "
                "&p); template <class T> void see(T &&x); int main() { k<<<1, 1>>>(1); all(a[1]); "
                "read(a[2]); any(&n); int own[4]; all(own); return 0; }",
     NULL,
     "n guarded: its address is passed to a function that is not analysed\n"
     "a guarded: a reference is bound to it\n"
     "use a 3: all(a[1])\n"
     "use a 3: read(a[2])\n"
     "use n 3: any(&n)\n"
     "all: any(&n)\n"},
    {"streams and buffers",
     INCLUDES S "#include <iostream>\n#include <sstream>\n#include <fstream>\nstruct sink { sink "
                "&operator<<(const char *); }; sink &operator<<(sink &, const unsigned char *); "
                "static __global__ char t[8]; int main() { k<<<1, 1>>>(1); std::ofstream f; f << "
                "t; f.write(t, 8); f.rdbuf()->sputn(t, 8); std::cin.read(t, 8); std::cin >> t; "
                "operator<<(std::cout, t); sink s; s << t; s << (unsigned char *)t; std::string "
                "u(t); u.append(t, 3); u = t; return u.size(); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "t guarded: its address is passed to a function that is not analysed\n"
     "arg 1: t\n"
     "arg 1: t\n"
     "arg 1: t\n"
     "arg 3: t\n"
     "arg 1: t\n"
     "arg 1: (unsigned char *)t\n"},
    {"files and blocks",
     INCLUDES S
     "#include <unistd.h>\n#include <fcntl.h>\n#include <sys/stat.h>\nint main(int c, char **argv) "
     "{ k<<<1, 1>>>(1); FILE *f = fopen(\"x\", \"w\"); fwrite(a, 4, 4, f); fread(&n, 4, 1, f); "
     "fgets((char *)a, 8, f); int fd = open(\"x\", 0); read(fd, a[1], 16); pwrite(fd, &a[2][1], 4, "
     "0); struct stat st; fstat(fd, &st); stat(\"x\", &st); fscanf(f, \"%d\", &n); scanf(\"%d "
     "%d\", &n, &a[0][1]); execv(argv[0], argv); return getc(f); }",
     NULL,
     "n announced\n"
     "a announced\n"
     "use a 1: fwrite(a, 4, 4, f)\n"
     "open 1: a\n"
     "use n 3: fread(&n, 4, 1, f)\n"
     "open 3: &n\n"
     "use a 3: fgets((char *)a, 8, f)\n"
     "open 3: (char *)a\n"
     "use a 3: read(fd, a[1], 16)\n"
     "open 3: a[1]\n"
     "use a 1: pwrite(fd, &a[2][1], 4, 0)\n"
     "open 1: &a[2][1]\n"
     "use n 3: fscanf(f, \"%d\", &n)\n"
     "use n 3: scanf(\"%d %d\", &n, &a[0][1])\n"
     "use a 3: scanf(\"%d %d\", &n, &a[0][1])\n"
     "arg 1: argv[0]\n"},
    {"sizes that are no numbers",
     INCLUDES S "int main(int c, char **) { k<<<1, 1>>>(1); memset(a, 0, sizeof a); k<<<1, "
                "1>>>(2); memcpy(a[1], a[2], c * sizeof(int)); std::copy(a[0], a[0] + 4, a[3]); "
                "k<<<1, 1>>>(3); std::fill_n(&a[0][0], c, 2); std::swap(a[0][0], n); "
                "std::sort(a[2], a[2] + c); k<<<1, 1>>>(4); return std::count(&a[0][0], &a[0][0] + "
                "32, 1) + *std::max_element(a[1], a[1] + 4); }",
     NULL,
     "n guarded: a reference may be bound to it\n"
     "a guarded: a reference may be bound to it\n"},
};

static const struct host_case rare_bindings[] = {
    {"getline and friends",
     INCLUDES P
     "int main() { char *line = 0; size_t size = 0; getline(&line, &size, stdin); k<<<1, "
     "1>>>((float *)line, (float "
     "*)NULL); char *l2; int r = asprintf(&l2, \"x\"); k<<<1, 1>>>((float *)l2, (float *)0L); }",
     "k 1,1,1 1,1,1 line+0/-1 ?\n"
     "k 1,1,1 1,1,1 ? ?\n",
     NULL},
    {"by parameter",
     INCLUDES P "static void two(float *p, float *q) { k<<<1, 1>>>(p, q); }\n"
                "static void three(float *p) { p = a[1]; k<<<1, 1>>>(p, p + 1); }\n"
                "int main() { float *p, *q; cudaMalloc(&p, 64); cudaMalloc(&q, 32); two(p, a[0]); "
                "two(p + 1, a[2]); three(q); }",
     "k 1,1,1 1,1,1 p+?/64 a+?/512\n"
     "k 1,1,1 1,1,1 a+64/512 a+68/512\n",
     NULL},
    {"by different parameters",
     INCLUDES P "static void two(float *p, float *q) { k<<<1, 1>>>(p, q); }\n"
                "int main() { float *p, *q; cudaMalloc(&p, 64); cudaMalloc(&q, 32); two(p, a[0]); "
                "two(q, a[0] + rand()); "
                "two(a[1], a[2]); }",
     "k 1,1,1 1,1,1 ? a+?/512\n", NULL},
    {"by recursion",
     INCLUDES P "static void r(int d, float *p) { float *q = new float[4], *s = q; if (d) r(d - 1, "
                "p); k<<<1, 1>>>(p, s); }\n"
                "int main() { r(3, a[0]); }",
     "k 1,1,1 1,1,1 ? ?\n", NULL},
    {"jumps",
     INCLUDES P
     "int main() { float *p = new float[4], *q = p; again: k<<<1, 1>>>(q, p); goto again; }",
     "k 1,1,1 1,1,1 ? p+0/-1\n", NULL},
    {"two sizes",
     INCLUDES P "int main() { float *p, *q; cudaMalloc(&p, 64); cudaMalloc(&q, 32); int c = "
                "rand(); k<<<1, 1>>>(c ? p : p, c ? p "
                "+ rand() : p); p = 0; p += 2; k<<<1, 1>>>(1 - (q - p) + q, c + q - 2); }",
     "k 1,1,1 1,1,1 ? ?\n"
     "k 1,1,1 1,1,1 q+?/32 q+?/32\n",
     NULL},
    {"numbers",
     INCLUDES P "int main() { long x = (long)a; const float *p = (const float *)x; k<<<1, 1>>>(p, "
                "(float *)(void *)a); void *v = "
                "a; k<<<1, 1>>>((float *)v, (float *)((char *)v + 8)); }",
     "k 1,1,1 1,1,1 ? a+0/512\n"
     "k 1,1,1 1,1,1 a+0/512 a+8/512\n",
     NULL},
    {"reallocated",
     INCLUDES P "int main() { float *p = (float *)malloc(8); p = (float *)realloc(p, 16); float *q "
                "= (float *)malloc(rand()), *r "
                "= (float *)calloc(2, 3); free(q); q = NULL; q = 0; k<<<1, 1>>>(p, q); k<<<1, "
                "1>>>(r, r); delete r; }",
     "k 1,1,1 1,1,1 ? q+0/-1\n"
     "k 1,1,1 1,1,1 r+0/6 r+0/6\n",
     NULL},
    {"macro pointer",
     INCLUDES P "static float *m; static float *w = new float[3], *z = nullptr;\n"
                "#define M m\n"
                "int main() { cudaMalloc(&M, 8); cudaMalloc((void **)&(z), 16); k<<<1, 1>>>(m, w); "
                "k<<<1, 1>>>(z, w); }",
     "k 1,1,1 1,1,1 ? ?\n"
     "k 1,1,1 1,1,1 ? ?\n",
     NULL},
};

static void test_touches(void **state)
{
  (void)state;
  host_check(rare_touches, COUNT(rare_touches));
}

static void test_bindings(void **state)
{
  (void)state;
  host_check(rare_bindings, COUNT(rare_bindings));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_touches),
                                     cmocka_unit_test(test_bindings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
