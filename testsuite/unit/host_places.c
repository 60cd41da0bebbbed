/* SPDX-License-Identifier: MIT */
/* host_places.c - where the announcement of a use stands, and what calls are told of the memory
 * that they are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/unit/host_support.h"

#define S \
  "static __global__ int n;\nstatic __global__ int a[8][4];\n__global__ void k(int m) { a[0][0] " \
  "= n; }\n"
#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

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

static void test_places(void **state)
{
  (void)state;
  host_check(places, COUNT(places));
}

static void test_touches(void **state)
{
  (void)state;
  host_check(touches, COUNT(touches));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_touches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
