"""Odd text: the preprocessor, bytes, tokens, declarations, templates and files that the first
corpus has not."""
import os

PROGRAM = """__global__ int a[8];
__global__ void k(int *p) { p[threadIdx.x] += 1; }
int main() { k<<<1, 8>>>(a); return a[0] != 1; }
"""
MB = 1 << 20

DIRECTIVES = [
    "#line 0",
    "#line 4294967295",
    "#line 2147483648",
    "#line 99999999999999999999",
    "#line -1",
    "#line 5 \"\"",
    "#line 5 \"a\\nb\"",
    "#line 5 \"\\x1b[2J\"",
    "#line 5 \"/dev/zero\"",
    "#line __COUNTER__",
    "# 1 \"x.h\" 3 4 5 6",
    "# 1 \"<built-in>\" 2",
    "#line 1 u8\"x\"",
    "#line 3 \"%s%n\"",
    "#pragma pack(0)",
    "#pragma pack(3)",
    "#pragma pack(push, 99999999999)",
    "#pragma pack(pop, pop, pop)",
    "#pragma once",
    "#pragma unroll -1",
    (
        "#pragma push_macro(\"__global__\")\n#undef __global__\n#define __global__\n#pragma"
        " pop_macro(\"__global__\")"
    ),
    "#pragma GCC dependency \"/dev/zero\"",
    "#pragma GCC dependency \"fifo.h\"",
    "#pragma clang module import std",
    "#pragma clang attribute push(__attribute__((annotate(\"mesi\"))), apply_to = variable)",
    "#pragma clang __debug crash",
    "#pragma clang __debug parser_crash",
    "#pragma clang __debug assert",
    "#pragma clang __debug llvm_fatal_error",
    "#pragma clang __debug llvm_unreachable",
    "#pragma clang __debug overflow_stack",
    "#pragma clang __debug captured",
    "#pragma clang __debug dump k",
    "#pragma clang max_tokens_here 1",
    "#pragma GCC poison __global__",
    "#pragma GCC poison threadIdx",
    "#pragma weak a",
    "#pragma redefine_extname a b",
    "#pragma STDC FENV_ACCESS ON",
    "#pragma omp parallel for",
    "#pragma comment(lib, \"x\")",
    "#pragma message \"\\a\"",
    "#pragma GCC error \"e\"",
    "#pragma",
    "#pragma clang force_cuda_host_device begin",
    "#pragma nv_exec_check_disable",
    "_Pragma(\"\\\"\")",
    "_Pragma(L\"pack(1)\")",
    "_Pragma(1)",
    "_Pragma(",
    "_Pragma",
    "#define __global__ __attribute__((annotate(\"x\")))",
    "#define threadIdx blockIdx",
    "#define main k",
    "#define k k k",
    "#define a (a)",
    "#define int long",
    "#define return if (1) return",
    "#define __CUDA_ARCH__ 900",
    "#define __cplusplus 1",
    "#undef __cplusplus",
    "#define __FILE__ 3",
    "#define __LINE__ x",
    "#define defined",
    "#define F(x...) x##__VA_ARGS__",
    "#define F(x, x) x",
    "#define G(x) #x #x\nconst char *g = G(G(G(\"\\\\\")));",
    "#define C a##b##c##d\nint C;",
    "#define E ##",
    "#define S(x) #y",
    "#define D(...) __VA_OPT__(__VA_OPT__(x))",
    "#if 1 ? 2 : 3 / 0\n#endif",
    "#if 1 / 0\n#endif",
    "#if 9223372036854775807 + 1\n#endif",
    "#if -9223372036854775807 - 2 < 0\n#endif",
    "#if '\\777777'\n#endif",
    "#if (((((((((((((((((((((1\n#endif",
    "#if __has_include(<>)\n#endif",
    "#if __has_include(\"\\0\")\n#endif",
    "#if __has_include\n#endif",
    "#if __has_attribute(__global__)\n#endif",
    "#if __has_builtin()\n#endif",
    "#elif 1",
    "#else",
    "#elifdef X",
    "#else\n#else",
    "#if 0\n#error \xe9\n'\n\"\n#endif",
    "#ident \"x\"",
    "#sccs 3",
    "#warning \"\\x07\"",
    "#unknown",
    "# ",
    "#\\\ndefine X",
    "#import \"plain.mcu\"",
    "#include_next <stdio.h>",
    "#include",
    "#include \"\"",
    "#include <>",
    "#include \"x",
    "#include __FILE__",
    "#include \"embed_self.mcu\"",
    "#include \"/proc/self/mem\"",
    "#include \"/proc/self/maps\"",
    "#include \"/proc/self/environ\"",
    "#include \"/dev/full\"",
    "#include \"/dev/tty\"",
    "#include \"/dev/stdin\"",
    "#include \"/dev/fd/0\"",
    "#include \"directory.mcu\"",
    "#include \"loop.mcu\"",
    "#include \"/\"",
    "#include \"..\"",
    "#include \"plain.mcu/x\"",
    "#include \"pipe|touch pwned\"",
    "char e[] = {\n#embed \"fifo.h\"\n};",
    "char e[] = {\n#embed \"/dev/zero\" limit(9999999999)\n};",
    "char e[] = {\n#embed \"/dev/zero\" limit(-1)\n};",
    "char e[] = {\n#embed \"/dev/urandom\"\n};",
    "char e[] = {\n#embed \"plain.mcu\" prefix(1,) suffix(,0) if_empty(2)\n};",
    "char e[] = {\n#embed \"directory.mcu\"\n};",
    "char e[] = {\n#embed \"zeros_100mb.h\"\n};",
    "#embed",
    "char e[] = {\n#embed \"plain.mcu\" limit(1/0)\n};",
    "char e[] = {\n#embed \"plain.mcu\" clang::offset(99999999999999999999)\n};",
    "#include \"zeros_100mb.h\"",
]
TOKENS = [
    ("identifier", b"int " + b"i" * MB + b";"),
    ("number", b"int x = 0" + b"'1" * (MB // 2) + b";"),
    ("float", b"double x = 0." + b"1" * MB + b";"),
    ("exponent", b"double x = 1e" + b"9" * MB + b";"),
    ("hexadecimal", b"double x = 0x1." + b"f" * MB + b"p-" + b"9" * 50 + b";"),
    ("character", b"int x = '" + b"a" * MB + b"';"),
    ("string", b'const char *x = "' + b"\\x41" * (MB // 4) + b'";'),
    ("escape", b'const char *x = "\\x' + b"4" * MB + b'";'),
    ("raw delimiter", b'const char *x = R"' + b"d" * MB + b'(x)";'),
    ("raw string", b'const char *x = R"(' + b")\n" * (MB // 2) + b')";'),
    ("suffix", b"int x = 1" + b"u" * MB + b";"),
    ("operator", b"int x = 1 " + b"<" * MB + b";"),
    ("dots", b"." * MB),
    ("hashes", b"int x; " + b"#" * MB),
    ("backslashes", b"int x; " + b"\\" * MB),
    ("splices", b"int x" + b"\\\n" * (MB // 2) + b";"),
    ("quotes", b"'" * MB),
    ("double quotes", b'"' * MB),
    ("comments", b"/**/" * (MB // 4)),
    ("open comments", b"/*" * (MB // 2) + b"*/"),
    ("slashes", b"/" * MB),
    ("blanks", b" " * MB),
    ("returns", b"\r" * MB),
    ("launches", b"void g() { " + b"<<<" * 100000 + b" }"),
    ("launch ends", b"void g() { k<<<1, 1" + b">>>" * 100000 + b"(a); }"),
    ("braced launch", b"void g() { k<<<" + b"{" * 100000 + b"1, 2>>>(a); }"),
    ("header name", b"#include <" + b"h" * MB + b">"),
    ("macro name", b"#define " + b"M" * MB + b"(x) x\nint x = " + b"M" * MB + b"(3);"),
    ("macro arguments", b"#define M(...) __VA_ARGS__\nint x[] = { M(" + b"1," * 100000 + b"1) };"),
    ("macro parameters", b"#define M(" + b",".join(b"p%d" % i for i in range(50000)) + b") p3\n"),
    (
        "paste",
        b"#define P(x) x##x\n#define Q(x) P(x)\nint " + b"Q(" * 200 + b"i" + b")" * 200 + b";",
    ),
    (
        "stringize",
        b"#define S(x) #x\n#define T(x) S(x)\nconst char *s = "
        + b"T(" * 60
        + b'"\\"'
        + b")" * 60
        + b";",
    ),
    ("UCN", b"int \\u0041\\u00e9\\U0010FFFF;"),
    ("UCN of a surrogate", b"int \\uD800;"),
    ("UCN zero", b"const char *s = \"\\u0000\\U00000000\";"),
    ("UCN cut", b"int \\u00;"),
    ("UCN named", b"int \\N{GREEK SMALL LETTER ALPHA};"),
    ("UCN name open", b"int \\N{" + b"A" * MB),
    ("combining", b"int e" + b"\xcc\x81" * 1000 + b";"),
    ("homoglyph", "int а = 1;".encode()),
    ("zero width", b"int x\xe2\x80\x8b\xe2\x80\x8d;"),
    ("overlong", b"int x\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf;"),
    ("beyond Unicode", b"int x\xf4\x90\x80\x80\xf8\x88\x80\x80\x80;"),
    ("cut UTF-8 at the end of a line", b"// \xe2\x80\n// \xf0\x9f\n"),
    ("invalid bytes in a string", b'const char *s = "\xff\xfe\xc3";'),
    ("invalid bytes in a raw string", b'const char *s = R"\xff(\xfe)\xff";'),
    ("invalid bytes in a macro", b"#define M\xff 1\n"),
    ("invalid bytes in an include", b'#include "\xff\xfe.h"\n'),
    ("NUL in an identifier", b"int x\0y;"),
    ("NUL in a launch", b"void g() { k<<<1\0, 1>>>(a); }"),
    ("NUL in a raw string", b'const char *s = R"(\0)";'),
    ("NUL after a backslash", b"int x;\\\0\n"),
    ("control-Z", b"int x;\x1a"),
    ("DEL", b"int \x7f;"),
    ("form feed in a directive", b"#\f\vdefine X 1\n"),
    ("trigraphs", b"int x??(3??) = ??<1??>; ??=define Y ??/\n 1\n"),
    ("digraph pastes", b"%:define X(x) x%:%:x\nint X(a);"),
    ("alternative tokens", b"int x = not 1 and compl 2 or 3 xor 4 bitand 5;"),
    (
        "user literals",
        b"int operator\"\"_x(unsigned long long); int y = 1_x + 99999999999999999999999_x;",
    ),
]
DECLARATIONS = [
    "__global__ int &r = *new int;",
    "__global__ auto x = 3;",
    "__global__ auto [x, y] = m;",
    "__global__ int;",
    "__global__;",
    "__global__ int __global__ x;",
    "int __global__;",
    "int x __global__;",
    "typedef __global__ int t; t x;",
    "using t = __global__ int;",
    "enum __global__ e { A };",
    "__global__ enum e { A } x;",
    "__global__ struct { int x; } s;",
    "__global__ struct s; extern s x;",
    "__global__ union { int i; float f; } u;",
    "struct s { __global__ int x; };",
    "struct s { static __global__ int x; }; int s::x;",
    "struct s { __global__ void k(); };",
    "void g(__global__ int x);",
    "void g() { __global__ int x; }",
    "void g() { static __global__ int x; }",
    "void g() { extern __global__ int x; }",
    "__global__ int f();",
    "__global__ int f() { return 1; }",
    "__global__ void f(...);",
    "__global__ void f(int x, ...) { }",
    "__global__ inline void f() { } ",
    "__global__ static void f() { }",
    "__global__ constexpr int x = 1;",
    "__global__ constinit int x = 1;",
    "__global__ thread_local int x;",
    "__global__ register int x;",
    "__global__ extern int x = 1;",
    "__global__ mutable int x;",
    "__global__ volatile int x;",
    "__global__ _Atomic int x;",
    "__global__ _Complex double x;",
    "__global__ __int128 x;",
    "__global__ _Float16 x;",
    "__global__ decltype(nullptr) x;",
    "__global__ void *x;",
    "__global__ void x;",
    "__global__ int (*x)(int);",
    "struct s { }; __global__ int s::*x;",
    "__global__ int x[] = {[5] = 3};",
    "__global__ int x[];",
    "__global__ int x[][3];",
    "__global__ char x[] = \"s\";",
    "template <typename T> __global__ T x;",
    "template <typename T> __global__ T x = T(); int y = x<int>;",
    "template <int N> __global__ void f() { f<N + 1><<<1, 1>>>(); } void g() { f<0><<<1, 1>>>(); }",
    "template <> __global__ void f<1>();",
    "extern \"C\" __global__ int x; extern \"C\" { __global__ int x; }",
    "namespace { __global__ int x; } namespace { int y = x; }",
    "inline namespace n { __global__ int x; } int x;",
    "__global__ int x; __global__ int x;",
    "__global__ int x; extern float x;",
    "int x; __global__ int x;",
    "__global__ int x = x;",
    "__global__ int x = ({ 3; });",
    "__global__ int x = []{ return 3; }();",
    "__global__ auto x = [](int i) { return i; };",
    "__global__ int x = throw 1;",
    "__global__ int x{};",
    "__global__ int x(3);",
    "__global__ int x = {1, 2};",
    "__global__ int x, f(), *y, z[2];",
    "__global__ __shared__ int x;",
    "__global__ __device__ int x;",
    "__global__ __constant__ int x;",
    "__global__ __managed__ int x;",
    "__device__ __host__ __global__ void f();",
    "__global__ __launch_bounds__(1, 2, 3, 4) void f();",
    "asm(\"int3\");",
    "asm volatile goto (\"\" : : : : l); void g() { l: ; }",
    "__global__ void f() { asm(\"%99\" : \"=x\"(*(int *)0) : : \"nowhere\"); }",
    "__global__ void f() { asm goto (\"\" : : : : l); l: ; }",
    "__global__ void f() { goto *&&l; l: ; }",
    "__global__ void f(int n) { switch (n) { case 0: for (;;) { case 1: ; } } }",
    "__global__ void f(int n) { int v[n]; v[0] = n; }",
    "__global__ void f(int n) { struct { int x : 3; } s; s.x = n; }",
    "__global__ void f() { try { throw 1; } catch (...) { } }",
    "__global__ void f() { static int x; x++; }",
    "__global__ void f() { extern __shared__ int s[]; extern __shared__ float t[]; s[0] = t[0]; }",
    "__global__ void f() { __shared__ int s[]; }",
    "__global__ void f() { __shared__ int s = 3; }",
    "__global__ void f() { int x; auto &[y] = x; }",
    "__global__ void f(int n) { l: if (n--) goto l; goto m; { m: ; } }",
    "__global__ void f() { return 3; }",
    "__global__ void f() { f<<<1, 1>>>(); }",
    "__global__ void f() { &f; *f; f; (void)f; }",
    (
        "void g() { auto p = k; p<<<1, 1>>>(a); (&k)<<<1, 1>>>(a); (*k)<<<1, 1>>>(a); (k)<<<1,"
        " 1>>>(a); }"
    ),
    "void g() { k<<<1, 1>>>(a), k<<<1, 1>>>(a); }",
    "int g() { return k<<<1, 1>>>(a), 1; }",
    "void g() { if (1) k<<<1, 1>>>(a); else k<<<1, 1>>>(a); }",
    "#define L k<<<1, 1>>>(a)\nvoid g() { L; L; for (;;) L; }",
    "#define L(x) x<<<1, 1>>>\nvoid g() { L(k)(a); }",
    "#define A a\n#define P (A)\nvoid g() { k<<<1, 1>>>P; }",
    "#define B <<<1, 1>>>\nvoid g() { k B (a); }",
    "#define O __global__\nO int o; O void p() { o++; }",
    "#define N(x) __global__ int x; int y_##x = x;\nN(q) N(r)",
    "void g() { [] { k<<<1, 1>>>(a); }(); }",
    "void g() { struct s { s() { k<<<1, 1>>>(a); } } x; }",
    "template <typename... T> void g(T... t) { (k<<<1, 1>>>(t), ...); } void h() { g(a, a); }",
    "auto g = (k<<<1, 1>>>(a), 1);",
    "void g(int x = (k<<<1, 1>>>(a), 1)) { }",
    "void g() { sizeof(k<<<1, 1>>>(a)); }",
    "void g() { decltype(k<<<1, 1>>>(a)) *p; }",
    "void g() { k<<<1, 1>>>; }",
    "void g() { k<<<1, 1>>>(a, a); }",
    "void g() { k<<<>>>(a); }",
    "void g() { k << <1, 1> >> (a); }",
    "void g() { a<<<1, 1>>>(a); }",
    "void g() { main<<<1, 1>>>(); }",
    "void g() { nowhere<<<1, 1>>>(a); }",
    "void g() { k<<<k<<<1, 1>>>(a), 1>>>(a); }",
    "void g() { k<<<1, 1>>>({a}); }",
    "void g() { k<<<1, 1>>>(&a[0] + 1 - 1); }",
    "void g() { k<<<1, 1>>>(a + (a[0] ? 1 : 2)); }",
    "void g() { k<<<1, 1>>>((int *)(long)a); }",
    "module; import <vector>; export module m;",
    "import \"plain.mcu\";",
    "export template <typename T> T x;",
    "@interface X @end",
    "void (^b)(void) = ^{ };",
    "int f(x) int x; { return x; }",
    "co_await 3;",
    "auto g() -> int { co_return 3; }",
    "concept c = true;",
    (
        "template <typename T> concept c = requires(T t) { t + t; }; template <c T> void g(T); void"
        " h() { g(a); }"
    ),
    "static_assert(sizeof(int) == 5, \"" + "x" * 100000 + "\");",
    "static_assert(false, \"\\x1b[2J\\n\\0\");",
    "static_assert(k);",
    "struct s { int a[]; }; __global__ s x;",
    "struct s { s &r; }; __global__ s x;",
    "struct s { virtual void f(); }; __global__ s x;",
    "struct s { ~s(); }; __global__ s x[3];",
    "struct b { }; struct s : virtual b { }; __global__ s x;",
    "template <typename T> struct s { T t; s<T *> *n; }; __global__ s<int> x;",
    "struct s { s *n; int *p[3][3]; }; __global__ s x[2][2];",
    "__global__ int x __attribute__((alias(\"a\")));",
    "__global__ int x asm(\"a b;c\");",
    "__global__ int x [[deprecated(\"\\\"\")]];",
    "int main;",
    "void main() { }",
    "int main(int, char **, char **, int) { }",
    "__global__ void main() { }",
    "__global__ int main;",
    "namespace std { __global__ int cout; }",
    "__global__ int _d_a, _vs_a, _mesi_1, mesi_use;",
    "__global__ int threadIdx;",
    "__global__ int cudaMalloc;",
    "int mesi_malloc(int);",
    "struct dim3 { };",
    "#include <mesi.h>\nvoid g() { mesi_malloc(-1); mesi_malloc(99999999999999999999ull); }",
]
BOMBS = [
    (
        "template recursion",
        "template <int N> struct t { static const int v = t<N + 1>::v; }; int x = t<0>::v;",
    ),
    (
        "template recursion, two ways",
        (
            "template <int N, int M> struct t { static const int v = t<N - 1, M * 2>::v + t<N - 1,"
            " M * 2 + 1>::v; };\ntemplate <int M> struct t<0, M> { static const int v = 1; };\nint"
            " x = t<30, 0>::v;"
        ),
    ),
    (
        "growing types",
        (
            "template <typename T, int N> struct t { using u = typename t<T(*)(T, T), N - 1>::u;"
            " };\ntemplate <typename T> struct t<T, 0> { using u = T; };\n__global__ t<int,"
            " 40>::u x;"
        ),
    ),
    (
        "integer sequence",
        "template <typename T, T...> struct s { }; __make_integer_seq<s, int, 100000000> x;",
    ),
    (
        "pack of packs",
        (
            "template <int... I> struct s { };\ntemplate <int... I> auto f(s<I...>) { return (((I +"
            " ... + 0) * I) + ...); }\ntemplate <int N, int... I> struct m : m<N - 1, N, I...> {"
            " };\ntemplate <int... I> struct m<0, I...> { static constexpr int v = f(s<I...>());"
            " };\nint x = m<400>::v;"
        ),
    ),
    (
        "constexpr loop",
        (
            "constexpr int f() { int s = 0; for (long i = 0; i < 1l << 60; i++) s ^= i; return s; }"
            " constexpr int x = f();"
        ),
    ),
    (
        "constexpr recursion",
        "constexpr int f(int n) { return f(n + 1) + f(n + 2); } constexpr int x = f(0);",
    ),
    (
        "constexpr memory",
        "constexpr int f() { int a[100000000] = {}; return a[5]; } constexpr int x = f();",
    ),
    (
        "constexpr allocation",
        "constexpr int f() { for (;;) new int[1000000]; } constexpr int x = f();",
    ),
    ("constexpr array", "struct s { int a[1 << 28]; constexpr s() : a() { } }; constexpr s x;"),
    ("consteval loop", "consteval int f() { for (;;) ; } int x = f();"),
    ("arrow recursion", "template <int N> struct t { t<N + 1> operator->(); }; int x = t<0>()->y;"),
    (
        "deduction recursion",
        "template <typename T> auto f(T t) { return f([t] { return t; }); } auto x = f(1);",
    ),
    (
        "alias recursion",
        (
            "template <typename T> using t = typename T::template u<T>; struct s { template"
            " <typename T> using u = t<T>; }; t<s> x;"
        ),
    ),
    (
        "conversion recursion",
        "struct s { template <typename T> operator T() { return *this; } }; int x = s();",
    ),
    (
        "concept recursion",
        (
            "template <typename T> concept c = requires(T t) { g(t); }; template <c T> void g(T);"
            " struct s { }; void h() { g(s()); }"
        ),
    ),
    (
        "overload explosion",
        "struct s { }; %s\nauto x = s() + s() + s() + s() + s() + s();"
        % "\n".join(
            "template <typename T> s operator+(T, s(*)[%d]);" % (i + 1) for i in range(2000)
        ),
    ),
    (
        "generic lambda",
        "auto y = [](auto s, auto n) { return s(s, [n] { return n; }); }; auto x = y(y, 1);",
    ),
    (
        "string view of itself",
        "#define Q(x) x x x x x x x x x x\nconst char *s = Q(Q(Q(Q(Q(Q(\"0123456789\"))))));",
    ),
    ("initialisers", "int x[] = { %s };" % ("{" * 200 + "1" + "}" * 200)),
    (
        "macro arguments",
        "#define D(x) x, x\n#define E(x) D(D(D(D(x))))\nint x[] = { E(E(E(E(E(1))))) };",
    ),
    ("macro pairs", "#define A(x) B(x x)\n#define B(x) A(x x)\nA(B(A(B(A(B(1))))))"),
    (
        "evaluations",
        "#define E0(...) __VA_ARGS__\n%s\n#define R() x R0 ()()\n#define R0() R\nE9(R())"
        % "\n".join(
            "#define E%d(...) E%d(E%d(E%d(E%d(__VA_ARGS__))))" % ((i,) + (i - 1,) * 4)
            for i in range(1, 10)
        ),
    ),
]


def add_files(c):
    with open(c.path("zeros_100mb.h"), "wb") as f:
        f.truncate(100 << 20)
    with open(c.path("zeros_100mb.mcu"), "wb") as f:
        f.truncate(100 << 20)
    c.case("100 MB of zero bytes", "zeros_100mb.mcu", None, 3)
    with open(c.path("zeros_60mb.mcu"), "wb") as f:
        f.truncate(60 << 20)
    c.case("60 MB of zero bytes", "zeros_60mb.mcu", None)
    for name, source in (("program", "/bin/true"), ("library", "/lib/x86_64-linux-gnu/libm.so.6")):
        if os.path.exists(source):
            with open(source, "rb") as f:
                c.case("an ELF %s" % name, "elf_%s.mcu" % name, f.read(500000))
    c.case("only comments", "comments.mcu", b"/* */ // \n" * 100000, 0)
    for name, text in (
        ("comment", PROGRAM + "/*"),
        ("string", PROGRAM + 'const char *s = "'),
        ("raw string", PROGRAM + 'const char *s = R"x('),
        ("character", PROGRAM + "int c = '"),
        ("directive", PROGRAM + "#if "),
        ("macro", "#define M(x) x\n" + PROGRAM + "M("),
        ("pragma", PROGRAM + "_Pragma(\""),
    ):
        for end in ("", "\\", "\n", "\\\n"):
            c.case(
                "ends in an open %s" % name,
                "open_%s_%s.mcu"
                % (name.replace(" ", "_"), {"": "0", "\\": "1", "\n": "2", "\\\n": "3"}[end]),
                text + end,
            )
    deep = "/".join(["d" * 200] * 15)
    os.makedirs(c.path(deep))
    c.case("a path of 3000 characters", deep + "/p.mcu", PROGRAM, 0)
    c.case("a path with 1500 dots", "./" * 1500 + "plain.mcu", None, 0)
    c.case("a path with 5000 dots", "./" * 5000 + "plain.mcu", None, 1)
    os.symlink("/proc/self/mem", c.path("memory.mcu"))
    c.case("the input is the process's memory", "memory.mcu", None)
    for name in ("/dev/zero", "/dev/full", "/proc/self/pagemap", "/proc/self/fd", "/dev/null", "/"):
        c.case("the input is %s" % name, name, None)


def add(c):
    for number, line in enumerate(DIRECTIVES):
        c.case(
            "directive %s" % line[:60].encode("ascii", "replace").decode(),
            "directive_%03d.mcu" % number,
            line + "\n" + PROGRAM + "int last = nowhere;\n" * (number % 2),
        )
    for name, text in TOKENS:
        c.case(
            "token: %s" % name,
            "token_%s.mcu" % name.replace(" ", "_"),
            PROGRAM.encode()
            + text
            + b"\n"
            + PROGRAM.replace("a[8]", "b[8]")
            .replace("k", "l")
            .replace("main", "other")
            .replace("(a)", "(b)")
            .encode(),
        )
    for number, line in enumerate(DECLARATIONS):
        for args in (["-std=c++20", "-O1", "-Rmesi"], ["--target=cpu"]):
            c.case(
                "declaration %s" % line[:60],
                "declaration_%03d.mcu" % number,
                PROGRAM + line + "\n" if "-O1" in args else None,
                args=args,
            )
    for name, text in BOMBS:
        c.case(
            "bomb: %s" % name,
            "bomb_%s.mcu" % name.replace(" ", "_").replace(",", ""),
            text + "\n" + PROGRAM,
            args=["-std=c++20"],
        )
    add_files(c)
