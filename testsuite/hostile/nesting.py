"""Nesting of everything that the frontend, the analysis or codegen recurses over. Brackets deeper
than 256 are refused by the parser, so each construct comes at a depth that is accepted and at one
far above; in a kernel, which is lowered strictly, and in host code."""

SHALLOW, DEEP = 200, 5000
CHAINS = 20000

# name, what opens a level, what closes it; %d is the level
STATEMENTS = [
    ("block", "{ ", " }"),
    ("if", "if (n) { ", " }"),
    ("if-else", "if (n) { ", " } else { n++; }"),
    ("bare if", "if (n > %d) ", ""),
    ("else-if", "if (n == %d) n++; else ", ""),
    ("for", "for (int i%d = 0; i%d < n; i%d++) ", ""),
    ("for with braces", "for (int i%d = 0; i%d < n; i%d += 2) { ", " }"),
    ("while", "while (n-- > %d) ", ""),
    ("do", "do { ", " } while (n++ < %d);"),
    ("switch", "switch (n) { case %d: ", " }"),
    ("bare switch", "switch (n) default: ", ""),
    ("label", "l%d: ", ""),
    ("statement expression", "(void)({ ", " ; });"),
    ("lambda", "[&] { ", " }();"),
    ("local class", "struct s%d { static void f(int n) { ", " } }; s%d::f(n);"),
    ("attribute", "[[maybe_unused]] ", ""),
    ("case", "if (n) while (n) for (;n;) switch (n) case %d: ", ""),
]
EXPRESSIONS = [
    ("parentheses", "(", ")"),
    ("minus", "- ", ""),
    ("not", "!", ""),
    ("complement", "~", ""),
    ("cast", "(int)", ""),
    ("functional cast", "int(", ")"),
    ("static_cast", "static_cast<int>(", ")"),
    ("long cast", "(long long)(char)", ""),
    ("pointer and back", "*&", ""),
    ("right conditional", "n > %d ? 1 : ", ""),
    ("middle conditional", "n ? ", " : %d"),
    ("left conditional", "(", " ? 1 : 2)"),
    ("left sum", "(%d + ", ")"),
    ("right sum", "%d + ", ""),
    ("product", "n * (1 + ", ")"),
    ("division", "n / (1 + ", ")"),
    ("remainder", "(", " %% 7 + 1)"),
    ("and", "n && ", ""),
    ("or of sums", "n + %d || ", ""),
    ("comma", "n, ", ""),
    ("assignment", "n = ", ""),
    ("compound assignment", "n += ", ""),
    ("call", "f(", ")"),
    ("index", "a[", " & 7]"),
    ("sizeof", "sizeof ", ""),
    ("noexcept", "noexcept(", ")"),
    ("decltype", "decltype(", ")()"),
    ("lambda", "[=] { return ", "; }()"),
    ("shift", "1 << (", " & 3)"),
    ("shift chain", "1 >> ", ""),
    ("comparison", "%d < ", ""),
    ("equality chain", "n == ", ""),
    ("xor", "n ^ ", ""),
    ("minimum", "min(n, ", ")"),
    ("builtin", "__builtin_expect(", ", 1)"),
    ("increment", "++*&", ""),
    ("braced", "int{", "}"),
    ("member", "s{", "}.x"),
    ("generic", "_Generic(n, int: ", ")"),
    ("statement expression", "({ ", "; })"),
    ("choose", "__builtin_choose_expr(1, ", ", 0)"),
    ("new", "*new int(", ")"),
    ("throw", "n ? n : throw ", ""),
    ("real", "__real__ ", ""),
    ("extension", "__extension__ ", ""),
]
PRELUDE = """__global__ int a[8];
struct s { int x; };
__host__ __device__ int f(int x) { return x; }
"""


def leveled(text, level):
    return text.replace("%d", str(level)) if "%d" in text else text


def nest(opener, middle, closer, depth):
    closer = closer.replace("%%", "%")
    return (
        "".join(leveled(opener.replace("%%", "%"), i) for i in range(depth))
        + middle
        + "".join(leveled(closer, i) for i in reversed(range(depth)))
    )


def program(body, in_kernel):
    kernel = "__global__ void k(int n) {\n%s\n}\n" % (body if in_kernel else "a[n & 7] = n;")
    return (
        PRELUDE
        + kernel
        + "int main(int n, char **) {\n%s\nk<<<1, 8>>>(n);\nreturn a[0] == 77;\n}\n"
        % ("" if in_kernel else body)
    )


def add_levels(c, kind, name, opener, closer, middle, around):
    for depth in (SHALLOW, DEEP):
        for in_kernel in (True, False):
            where = "kernel" if in_kernel else "host"
            file = "nest_%s_%s_%d_%s.mcu" % (kind, name.replace(" ", "_"), depth, where)
            c.case(
                "%s %s, %d levels in %s code" % (name, kind, depth, where),
                file,
                program(around % nest(opener, middle, closer, depth), in_kernel),
                args=["-O1", "-Rmesi"],
            )


CHAINED = [
    ("sum", "n", " + a[%d & 7]"),
    ("difference", "n", " - %d"),
    ("product", "n", " * 3"),
    ("remainder", "n", " %% 7"),
    ("shift", "n", " >> 1"),
    ("comparison", "n", " < %d"),
    ("and", "n", " && n"),
    ("bits", "n", " | %d"),
    ("comma", "n", ", n"),
    ("conditional", "n", " ? n : n"),
    ("string", "sizeof \"\"", " \"x\""),
    ("subscripts", "0", "[a]"),
    ("increments", "n", "++"),
]
DECLARATIONS = [
    ("typedef chain", "typedef int t0;\n", "typedef t{p} t{i};\n", "__global__ t{l} v;\n"),
    ("using chain", "using t0 = int;\n", "using t{i} = t{p}*;\n", "__global__ t{l} v;\n"),
    (
        "struct chain",
        "struct t0 { int x; };\n",
        "struct t{i} { t{p} m; };\n",
        "__global__ t{l} v;\n",
    ),
    (
        "inheritance chain",
        "struct t0 { int x; };\n",
        "struct t{i} : t{p} { };\n",
        "__global__ t{l} v;\n",
    ),
    (
        "pointer structs",
        "struct t0 { int x; };\n",
        "struct t{i} { t{p} *m, *o; };\n",
        "__global__ t{l} v;\n",
    ),
    ("array typedefs", "typedef char t0;\n", "typedef t{p} t{i}[1];\n", "__global__ t{l} v;\n"),
    (
        "doubling structs",
        "struct t0 { int *x; };\n",
        "struct t{i} { t{p} l, r; };\n",
        "__global__ t{l} v;\n",
    ),
    (
        "constants",
        "constexpr int t0 = 1;\n",
        "constexpr int t{i} = t{p} + 1;\n",
        "__global__ int v[t{l}];\n",
    ),
    (
        "host variables",
        "int t0 = 1;\n",
        "int t{i} = t{p} + 1;\n",
        "__global__ int v; int *q = &t{l};\n",
    ),
    ("macro chain", "#define t0 1\n", "#define t{i} t{p}\n", "__global__ int v[t{l}];\n"),
    (
        "function macro chain",
        "#define t0(x) x\n",
        "#define t{i}(x) t{p}((x))\n",
        "__global__ int v[t{l}(1)];\n",
    ),
    (
        "templates",
        "template <int> struct t0 { int x; };\n",
        "template <int N> struct t{i} : t{p}<N> { };\n",
        "__global__ t{l}<1> v;\n",
    ),
    (
        "overloads",
        "__device__ int f(char (&)[1]) { return 1; }\n",
        "__device__ int f(char (&)[{i} + 1]) { return {p}; }\n",
        "__global__ int v;\n",
    ),
    (
        "host calls",
        "__global__ int v; int t0() { return v; }\n",
        "int t{i}() { return t{p}() + t{p}(); }\n",
        "int q = t{l}();\n",
    ),
    ("enumerators", "enum e { t0\n", ", t{i} = t{p} + 1\n", "}; __global__ int v[t{l}];\n"),
    (
        "aliases of pointers",
        "__global__ int v; int *t0 = &v;\n",
        "int *t{i} = t{p};\n",
        "int q = *t{l};\n",
    ),
]
DECLARATORS = [
    ("attributes", "__global__ int __attribute__((aligned(8)))", " __attribute__((unused))", " v;"),
    ("alignas", "", "alignas(8) ", "__global__ int v;"),
    ("qualifiers", "__global__ int ", "const volatile ", "v;"),
    ("namespaces", "namespace n { __global__ int v; namespace m = n; } int q = n", "::n", "::v;"),
    ("nested names", "namespace n0", "::n0", " { __global__ int v; }"),
    ("references", "__global__ int v; int &q", "", " = v;"),
    ("pointers", "__global__ int ", "*const ", "v = 0;"),
    ("arrays", "__global__ char v", "[1]", ";"),
    ("array of arrays of pointers", "__global__ char *v", "[1]", ";"),
    ("empty declarations", "__global__ int v;", ";", ""),
    ("linkage", "__global__ int v; ", "extern \"C\" ", "int w;"),
    ("global qualifiers", "", "__global__ ", "int v;"),
    ("member pointers", "struct s { }; int ", "s::*", "m; __global__ int v;"),
    ("unsigned", "__global__ ", "unsigned ", "v;"),
    ("literals", "__global__ const char v[] = ", "\"text\" ", ";"),
    ("declarators", "__global__ int v", ", *w%d", ";"),
    ("static", "__global__ int v; ", "static inline ", "int w;"),
    ("typeof", "__global__ ", "__typeof__ ", "(int) v;"),
    ("host statements", "__global__ int v; int main() { ", "v++; ", "}"),
    ("empty statements", "__global__ int v; void g() { ", ";", "}"),
    ("locals", "__global__ int v; void g() { ", "int x%d = v; ", "}"),
    ("using", "namespace n { __global__ int v; } ", "using n::v; ", ""),
    ("template parameters", "__global__ int v; template <typename T", ", int = %d", "> void g();"),
    ("shared arrays", "__global__ void k() { ", "__shared__ int s%d[4]; ", "}"),
    ("barriers", "__global__ void k() { ", "__syncthreads(); ", "}"),
    ("returns", "__global__ void k(int n) { ", "if (n == %d) return; ", "}"),
    ("gotos", "__global__ void k() { ", "goto l%d; l%d: ", ";}"),
    ("kernel arrays", "__global__ int v[9]; __global__ void k(int n) { ", "v[n + %d] = n; ", "}"),
    ("asm", "__global__ void k() { ", "asm(\"// %%0\" : : \"r\"(1)); ", "}"),
]
SMALLER = {
    "doubling structs": 60,
    "inheritance chain": 1000,
    "struct chain": 1000,
    "overloads": 1000,
    "array of arrays of pointers": 1000,
    "kernel arrays": 2000,
    "shared arrays": 2000,
    "pointer structs": 2000,
    "array typedefs": 1000,
    "templates": 1000,
}


def add_chains(c):
    for name, first, link in CHAINED:
        text = first + "".join(leveled(link.replace("%%", "%"), i) for i in range(CHAINS))
        for in_kernel in (True, False):
            where = "kernel" if in_kernel else "host"
            c.case(
                "chain of 20000: %s in %s code" % (name, where),
                "chain_%s_%s.mcu" % (name, where),
                program("a[0] = (int)(%s);" % text, in_kernel),
                args=["-O1"],
            )
    for name, first, link, last in DECLARATIONS:
        count = SMALLER.get(name, DEEP)
        text = (
            first
            + "".join(
                link.replace("{i}", str(i)).replace("{p}", str(i - 1)) for i in range(1, count)
            )
            + last.replace("{l}", str(count - 1))
        )
        c.case(
            "%d links: %s" % (count, name),
            "links_%s.mcu" % name.replace(" ", "_"),
            text + "int main() { }\n",
        )
    for name, before, part, after in DECLARATORS:
        count = SMALLER.get(name, CHAINS)
        text = before + "".join(leveled(part.replace("%%", "%"), i) for i in range(count)) + after
        c.case(
            "%d of them: %s" % (count, name),
            "many_%s.mcu" % name.replace(" ", "_"),
            text + "\n",
            args=["-O1"],
        )


def add(c):
    for name, opener, closer in STATEMENTS:
        add_levels(c, "statement", name, opener, closer, "a[n & 7] = n;", "%s")
    for name, opener, closer in EXPRESSIONS:
        add_levels(c, "expression", name, opener, closer, "n", "a[0] = (int)(%s);")
    add_chains(c)
