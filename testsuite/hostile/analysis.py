"""Kernels on which an analysis with sets could take for ever: the budget of isl operations ends it,
the kernel stays as it is."""
import random


def program(
    body,
    arrays="__global__ float a[1 << 20], b[1 << 20];",
    parameters="int n, int m, int q",
    launch="4, 64",
    arguments="5, 6, 7",
):
    return (
        "%s\n__global__ void k(%s) {\nint t = blockIdx.x * blockDim.x + threadIdx.x;\n%s\n}\nint"
        " main() { k<<<%s>>>(%s); return a[0] != 0; }\n"
        % (arrays, parameters, body, launch, arguments)
    )


def loops(count, bound):
    return "".join(
        "for (int i%d = 0; i%d < %s; i%d++) " % (i, i, bound(i), i) for i in range(count)
    )


def names(count):
    return ["i%d" % i for i in range(count)]


def parameters(count):
    return ", ".join("int p%d" % i for i in range(count)), ", ".join(
        str(i + 2) for i in range(count)
    )


def regular():
    for depth in (6, 12, 20):
        every = " + ".join(names(depth))
        yield "%d nested loops" % depth, program(
            loops(depth, lambda i: "2") + "a[%s] += b[t + %s];" % (every, every)
        )
        yield "%d triangular loops" % depth, program(
            loops(depth, lambda i: "i%d" % (i - 1) if i else "8")
            + "a[%s] += b[t + %s];" % (every, every)
        )
        yield "%d loops, symbolic bounds" % depth, program(
            loops(depth, lambda i: "n + i%d" % (i - 1) if i else "m") + "a[%s] += 1;" % every
        )
        yield "%d loops, bounds with division" % depth, program(
            loops(depth, lambda i: "(i%d + n) / %d %% %d" % (i - 1, i + 2, i + 3) if i else "8")
            + "a[(%s) %% 1000] += 1;" % every
        )
        yield "%d loops, digits" % depth, program(
            loops(depth, lambda i: "3")
            + "a[%s] += 1;" % " + ".join("i%d * %d" % (i, 3**i) for i in range(depth))
        )
        dims = "".join("[3]" for i in range(depth))
        yield "%d dimensions" % depth, program(
            loops(depth, lambda i: "3")
            + "c%s += b%s;" % ("".join("[%s]" % n for n in names(depth)), "[t]"),
            arrays="__global__ float a[9], b[999], c%s;" % dims,
        )


def guards():
    for count in (10, 40, 150):
        conditions = ["t %% %d != %d" % (p, p % 3) for p in range(2, count + 2)]
        yield "%d guards with modulo" % count, program(
            "".join("if (%s) " % x for x in conditions) + "a[t] = b[t + 1];"
        )
        yield "%d guards, disjunction" % count, program(
            "if (%s) a[t] = b[t + 1] + b[t + 2];" % " || ".join(conditions)
        )
        yield "%d guards, divisions of parameters" % count, program(
            "".join(
                "if ((t + n) / %d %% %d < (t * %d + m) / %d) " % (p, p + 1, p, p + 2)
                for p in range(2, count + 2)
            )
            + "a[t] = b[t] + b[t + q];"
        )
        yield "%d early returns" % count, program(
            "".join(
                "if (t * %d + n == %d * m) return; a[t] += b[t + %d];\n" % (p, p + 1, p)
                for p in range(count)
            )
        )
        yield "%d branches that change the index" % count, program(
            "int i = t;\n"
            + "".join(
                "if (n > %d) i = i + %d; else i = i * 2 + m;\n" % (p, p) for p in range(count)
            )
            + "a[i] = b[i] + b[i + 1];"
        )
        yield "%d conditional operators in an index" % count, program(
            "a[%s] = b[t];" % " + ".join("(t > %d * n ? t : m - %d)" % (p, p) for p in range(count))
        )
        yield "%d minima" % count, program(
            "for (int i = %st%s; i < m; i++) a[i] += b[i] + b[i + 1];"
            % ("".join("max(min(t + %d, n), " % p for p in range(count)), ")" * count)
        )
        yield "%d cases of a switch" % count, program(
            "int i = t; switch (n) {\n"
            + "".join(
                "case %d: i += %d * t; %s\n" % (p, p, "break;" if p % 3 else "")
                for p in range(count)
            )
            + "}\na[i] = b[i];"
        )


def products():
    for count in (8, 40):
        params, values = parameters(count)
        symbols = ["p%d" % i for i in range(count)]
        yield "product of %d symbols" % count, program(
            "a[t * %s] = b[t + %s];" % (" * ".join(symbols), " * ".join(symbols[:4])),
            parameters=params,
            arguments=values,
        )
        yield "sum of %d products" % count, program(
            "for (int i = 0; i < p0; i++) for (int j = 0; j < p1; j++) a[%s] += b[%s];"
            % (
                " + ".join("i * %s" % s for s in symbols),
                " + ".join(
                    "(t + j) * %s * %s" % (s, symbols[(i * 7) % count])
                    for i, s in enumerate(symbols)
                ),
            ),
            parameters=params,
            arguments=values,
        )
        yield "polynomial of degree %d" % count, program(
            "int x = t + p0; a[%s] = b[t];" % " * ".join(["(x + p1)"] * count),
            parameters=params,
            arguments=values,
        )
        yield "%d symbols in every bound" % count, program(
            "".join(
                "for (int i%d = p%d; i%d < p%d; i%d++) " % (i, i, i, (i + 1) % count, i)
                for i in range(min(count, 20))
            )
            + "a[%s] += b[t];" % " + ".join("i%d" % i for i in range(min(count, 20))),
            parameters=params,
            arguments=values,
        )
        yield "tower of %d divisions" % count, program(
            "a[%st%s] = b[t] + b[t + 1];"
            % ("(" * count, "".join(" / %d + n) %% %d" % (p + 2, 1000 - p) for p in range(count)))
        )
        yield "tower of %d remainders" % count, program(
            "for (int i = 0; i < n; i++) a[%si + t%s] += b[i] + b[i + 1];"
            % ("(" * count, "".join(" * %d) %% %d" % (p + 3, 1009 + 2 * p) for p in range(count)))
        )


def references():
    pick = random.Random(3)
    for count in (50, 200, 1000):
        offsets = [pick.randrange(-100, 100) for i in range(count)]
        yield "%d references at different offsets" % count, program(
            "float s = 0;\n%s\na[t] = s;"
            % "\n".join("s += b[t + %d];" % (o + 100) for o in offsets)
        )
        yield "%d references with different strides" % count, program(
            "float s = 0;\nfor (int i = 0; i < n; i++) {\n%s\n}\na[t] = s;"
            % "\n".join("s += b[t * %d + i * %d + %d];" % (i % 17, i % 13, i) for i in range(count))
        )
        yield "%d references, written and read" % count, program(
            "\n".join(
                "b[t * %d + %d] = b[(t + %d) / 2] + a[b[0] > 1 ? t : %d];" % (i % 5, i, i, i)
                for i in range(count)
            )
        )
        yield "%d references in two dimensions" % count, program(
            "float s = 0;\nfor (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) s += %s;\na[t]"
            " = s;" % " + ".join("c[i + %d][j + t + %d]" % (i % 31, i // 31) for i in range(count)),
            arrays="__global__ float a[999], c[99][999];",
        )
        yield "%d arrays" % count, program(
            "\n".join("v%d[t] += v%d[t + 1];" % (i, (i + 1) % count) for i in range(count)),
            arrays="__global__ float a[9];\n"
            + "\n".join("__global__ float v%d[999];" % i for i in range(count)),
        )
        yield "%d guards and barriers" % count, program(
            "\n".join(
                "if (t > %d) a[t + %d] = b[t]; __syncthreads();" % (i, i) for i in range(count)
            )
        )
    yield "one kernel, 2000 launches with different arguments", program(
        "a[t] = b[t + n] + b[t + m];"
    ).replace(
        "return",
        "".join(
            "k<<<%d, %d>>>(%d, %d, 1);\n" % (i % 7 + 1, i % 500 + 1, i, i * 3) for i in range(2000)
        )
        + "return",
    )
    yield "200 device functions with arrays", program(
        "\n".join("a[t] += f%d(b + t, n);" % i for i in range(200)),
        arrays="__global__ float a[999], b[999];\n"
        + "\n".join(
            "__device__ float f%d(float *p, int n) { float s = 0; for (int i = 0; i < n; i++) s +="
            " p[i * %d]; return s; }" % (i, i)
            for i in range(200)
        ),
    )
    yield "pointers that move", program(
        "float *p = b;\nfor (int i = 0; i < n; i++) { p += m; %s a[t] += *p; }"
        % " ".join("if (i == %d) p -= q * %d;" % (i, i) for i in range(200))
    )
    yield "pointers of pointers", program(
        "%s a[t] = **p99;"
        % " ".join(
            "float *x%d = b + %d, **p%d = n > %d ? &x%d : %s;"
            % (i, i, i, i, i, "p%d" % (i - 1) if i else "nullptr")
            for i in range(100)
        )
    )


def hosts():
    yield "2^40 paths of constants", program("a[t] = n;", arguments="x, 1, 2").replace(
        "int main() {",
        "int main(int c, char **) { int x = 1;\n"
        + "".join("if (c > %d) x = x * 2 + %d; else x -= %d;\n" % (i, i, i) for i in range(40)),
    )
    yield "nested host loops around a launch", program("a[t] = n;", arguments="i0, i1, 2").replace(
        "k<<<", loops(60, lambda i: "i%d + 3" % (i - 1) if i else "9") + "k<<<"
    )
    yield "1000 host functions that launch", program("a[t] = n;").replace(
        "int main() {",
        "void h0() { k<<<1, 1>>>(1, 2, 3); }\n"
        + "\n".join(
            "void h%d(int n) { if (n) h%d(%s); a[n]++; h%d(%s); }"
            % (i, i - 1, "n" if i > 1 else "", i - 1, "n + 1" if i > 1 else "")
            for i in range(1, 1000)
        )
        + "\nint main() { h999(3);",
    )
    yield "1000 host functions in a ring", program("a[t] = n;").replace(
        "int main() {",
        "".join("int h%d(int n);\n" % i for i in range(1000))
        + "\n".join(
            "int h%d(int n) { a[n]++; k<<<1, n>>>(n, n, n); return h%d(n) + h%d(a[n]); }"
            % (i, (i + 1) % 1000, i * 7 % 1000)
            for i in range(1000)
        )
        + "\nint main() { h0(3);",
    )
    yield "host pointers, 2000 assignments", program("a[t] = n;").replace(
        "int main() {",
        "int main(int c, char **) { float *p[64] = {}; \n"
        + "".join(
            "p[%d] = c > %d ? p[%d] : a + %d; *p[%d] = b[c];\n"
            % (i % 64, i, i * 5 % 64, i, i * 3 % 64)
            for i in range(2000)
        ),
    )
    yield "gotos into loops", program("a[t] = n;").replace(
        "int main() {",
        "int main(int c, char **) { \n"
        + "".join(
            "l%d: if (c-- > %d) goto l%d; for (; c < 3; c++) { m%d: a[c] = 1; if (a[1] > 2) goto"
            " m%d; }\n" % (i, i, i * 7 % 200, i, i * 11 % 200)
            for i in range(200)
        ),
    )


def add(c):
    number = 0
    for source in (regular, guards, products, references, hosts):
        for what, text in source():
            for args in (["-O1", "-Rmesi"], ["-O2"]):
                if args == ["-O2"] and source is hosts:
                    continue
                c.case(
                    "%s, %s" % (what, args[0]),
                    "analysis_%03d.mcu" % number,
                    text if args[0] == "-O1" else None,
                    args=args,
                )
            number += 1
