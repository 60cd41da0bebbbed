"""Numbers at and beyond the ends of their ranges: extents, launches, loops, indices, operators that
overflow."""

EXTENTS = [
    "0",
    "-1",
    "9223372036854775807",
    "1ull << 62",
    "18446744073709551615ull",
    "4294967296",
    "2147483648",
    "1 << 31",
    "1 << 99",
    "1 / 0",
    "1 % 0",
    "(-2147483647 - 1) / -1",
    "(-2147483647 - 1) % -1",
    "-(-2147483647 - 1)",
    "3.7",
    "1e308",
    "'a'",
    "true",
    "nullptr",
    "sizeof(char[1ull << 40])",
    "n",
    "sizeof a",
    "(int)1e300",
    "99999999999999999999999999",
    "0x",
    "09",
    "1'000'000",
    "0b102",
    "1.0e",
    "1000000000000000000000000000000.0",
    "n = 3",
    "[]{ return 4; }()",
    "INT_MAX",
    "__COUNTER__",
    "__LINE__",
    "-0",
    "~0u",
    "~0ull",
]
CONFIGURATIONS = [
    "0, 0",
    "-1, -1",
    "2147483647, 1024",
    "2147483648u, 1",
    "1ull << 62, 1ull << 62",
    "1, 1, -1",
    "1, 1, 1ull << 62",
    "1, 1, 0, 0",
    "dim3(1, 1, 0), 32",
    "dim3(2147483647, 65535, 65535), dim3(1024, 1024, 1024)",
    "dim3(-1), dim3(-1, -1, -1)",
    "1 / 0, 1 % 0",
    "{}, {}",
    "{1, 2, 3, 4}, 1",
    "1, 1, 1, 1, 1",
    "",
    "1",
    "n / (n - n), 1",
    "1 << 31, 1 << 32",
    "1e300, 1e300",
    "'a', 'b'",
    "(1, 2), (3, 4)",
    "dim3{4294967295u, 4294967295u, 4294967295u}, 1",
    "sizeof(int[1ull << 60]), 1",
]
LOOPS = [
    "int i = 0; i < n; i += 0",
    "int i = 0; i < n; i -= 1",
    "int i = 0; i <= 2147483647; i++",
    "int i = n; i >= -2147483647 - 1; i--",
    "unsigned i = n; i >= 0; i--",
    (
        "long long i = -9223372036854775807ll - 1; i < 9223372036854775807ll; i +="
        " 4611686018427387904ll"
    ),
    "int i = 0; i < 10; i += 2147483647",
    "int i = 0; i != 7; i += 2",
    "int i = 1; i < n; i *= 2",
    "int i = n; i; i >>= 1",
    "int i = 0; ; i++",
    "int i = 0; i < n; i += n",
    "int i = 0; i < n * n; i += -n",
    "int i = 0, j = n; i < j; i++, j--",
    "unsigned char i = 0; i < 256; i++",
    "int i = 1 / 0; i < 1 % 0; i += 1 / 0",
    "int i = 0; i < n; i += i",
    "unsigned long long i = 0; i < 18446744073709551615ull; i += 9223372036854775808ull",
    "int i = 2147483647; i < n; i += 2147483647",
    "long long i = 0; i < 1ll << 62; i += 1ll << 61",
    "float i = 0; i < 1e38f; i += 1e-38f",
    "int i = -2147483647 - 1; i < 0; i -= -2147483647 - 1",
    "short i = 0; i < 65536; i += 32767",
    "int i = 0; n; i++",
    ";;",
    "int i = 0; i < 5; i++, n--",
    "int i = 0; (i += 3) < n; ",
    "int *i = a; i != a + n; i += 0",
    "int i = 0; i < 2147483647 - 1 + 3; i += 5",
]
INDICES = [
    "9223372036854775807",
    "-9223372036854775807ll - 1",
    "i * 4611686018427387904ll",
    "i * 2147483647 * 2147483647",
    "n % 0",
    "i / 0",
    "i << 31",
    "i << 63",
    "i << -1",
    "i >> 99",
    "(long long)i << 62",
    "i * n * n * n * n * n * n * n",
    "i % -2147483648",
    "i / -1",
    "-i",
    "~i",
    "i % (1ll << 62)",
    "(char)(i * 1000)",
    "(unsigned)(i - 5)",
    "(unsigned long long)i - 5",
    "i ? i : -i",
    "i & -2147483648",
    "i + 9223372036854775807",
    "i - -9223372036854775807",
    "(i + 9223372036854775807) % 3",
    "i * 9223372036854775807 / 9223372036854775807",
    "i % 3037000500 * 3037000500",
    "3037000500ll * 3037000500ll * i",
    "n - n",
    "n / n",
    "n % n",
    "(i % 3) / 0",
    "1 ? i : 1 / 0",
    "sizeof(int[1ull << 61]) * i",
    "(int)1e300 + i",
    "i * 1.5",
    "*a",
    "a[a[a[i]]]",
    "i++ + i++",
    "i = i",
    "(short)(i + 32768)",
    "i * 65536 * 65536",
    "min(i, -2147483648)",
    "max(i, 2147483647) + 1",
    "abs(-2147483648)",
    "(bool)i",
    "'\\xff' + i",
]
OPERATORS = [
    "2147483647 + 1",
    "-2147483647 - 2",
    "2147483647 * 2147483647",
    "9223372036854775807 + 1",
    "9223372036854775807ll * 2",
    "-9223372036854775807ll - 2",
    "(-9223372036854775807ll - 1) / -1",
    "(-9223372036854775807ll - 1) % -1",
    "1 << 31",
    "1 << 32",
    "-1 << 1",
    "1ll << 64",
    "1ll << -1",
    "1 >> 64",
    "(int)1e300",
    "(unsigned)-1.0",
    "(char)300",
    "(long long)1e19",
    "0.0 / 0.0",
    "1.0 / 0",
    "(int)(0.0 / 0.0)",
    "5 / 0",
    "5 % 0",
    "0u - 1",
    "~0ull + 1",
    "'\\777'",
    "sizeof(int[0])",
    "1e400",
    "0x1p99999",
    "(signed char)128 * 16777216",
    "-(-9223372036854775807ll - 1)",
    "18446744073709551615ull * 18446744073709551615ull",
]
ATTRIBUTES = [
    "alignas(0)",
    "alignas(3)",
    "alignas(1 << 28)",
    "alignas(1ull << 40)",
    "alignas(-8)",
    "__align__(0)",
    "__align__(1 << 29)",
    "__attribute__((aligned))",
    "__attribute__((aligned(1ull << 33)))",
    "__attribute__((packed))",
    "__attribute__((vector_size(1 << 24)))",
    "__attribute__((vector_size(3)))",
    "__attribute__((section(\"\\n;x\")))",
    "__attribute__((alias(\"nowhere\")))",
    "__attribute__((weak))",
    "__attribute__((init_priority(0)))",
    "__attribute__((address_space(99999999)))",
    "__attribute__((cleanup(main)))",
    "__attribute__((mode(XX)))",
    "__attribute__((annotate(\"\")))",
    "__attribute__((annotate(\"mesi\")))",
    "[[gnu::aligned(1 << 30)]]",
    "__declspec(dllexport)",
    "__attribute__((visibility(\"x\")))",
]
BOUNDS = [
    "0",
    "-1",
    "1 << 30",
    "99999999999999999999",
    "1, -1",
    "1, 0, 99999",
    "1024, 2147483648",
    "n",
    "1 / 0",
    "",
]


def source(
    extent="8",
    configuration="1, 8",
    loop="int i = 0; i < n; i++",
    index="i",
    value="n",
    attribute="",
    bounds=None,
    host="",
):
    return """%s __global__ int a[8];
__global__ int b[%s];
__global__ void %s k(int n) {
  __shared__ int s[%s];
  for (%s) { a[%s] += b[%s] + (int)(%s); s[0] = n; }
}
int main(int n, char **) {
  %s
  k<<<%s>>>(n);
  return a[0] + b[0];
}
""" % (
        attribute,
        extent,
        "__launch_bounds__(%s)" % bounds if bounds is not None else "",
        extent,
        loop,
        index,
        index,
        value,
        host,
        configuration,
    )


def add(c):
    tables = [
        ("extent", EXTENTS),
        ("configuration", CONFIGURATIONS),
        ("loop", LOOPS),
        ("index", INDICES),
        ("value", OPERATORS),
        ("attribute", ATTRIBUTES),
        ("bounds", BOUNDS),
    ]
    for what, values in tables:
        for number, value in enumerate(values):
            text = source(**{what: value})
            if what == "index" and " i" not in value and not value.startswith("i"):
                text = text.replace("int i = 0; i < n; i++", "int i = threadIdx.x; i < 8; i++")
            c.case(
                "%s %s" % (what, value),
                "number_%s_%02d.mcu" % (what, number),
                text,
                args=["-O1", "-Rmesi"],
            )
    for number, value in enumerate(OPERATORS):
        host = "enum { e = %s }; int x = %s, y[4]; y[(int)(%s) & 3] = x; n = y[0] + (int)(%s);" % (
            (value,) * 4
        )
        c.case(
            "host value %s" % value,
            "number_host_%02d.mcu" % number,
            source(host=host, configuration="(int)(%s), (unsigned)(%s)" % (value, value)),
            args=["-O1", "-Rmesi"],
        )
    for number, loop in enumerate(LOOPS):
        c.case(
            "host loop %s" % loop,
            "number_host_loop_%02d.mcu" % number,
            source(host="for (%s) { k<<<1, n>>>(n); a[3]++; if (n++ == 5) break; }" % loop),
            args=["-O1"],
        )
    product = "".join("[1 << 20]" for i in range(5))
    c.case(
        "the product of the extents overflows",
        "number_product.mcu",
        "__global__ char a%s;\nint main() { }\n" % product,
    )
    c.case(
        "bit-fields",
        "number_bits.mcu",
        (
            "struct s { int x : 0; int : 999; int y : 33; unsigned z : 1 << 20; };\n__global__ s"
            " a;\nint main() { }\n"
        ),
    )
    c.case(
        "_BitInt",
        "number_bitint.mcu",
        (
            "__global__ _BitInt(8388608) a;\n__global__ unsigned _BitInt(128) b;\nint main() {"
            " return (int)b; }\n"
        ),
    )
