#!/usr/bin/env python3
"""Write the generated part of the hostile corpus: make_hostile.py DIR [--small].

DIR gets the inputs and manifest.jsonl (its keys are explained in README.md). --small leaves out the
inputs above 20 MB. The output is the same from run to run.
"""
import json
import os
import sys

import analysis
import nesting
import numbers_
import options
import text

PROGRAM = """__global__ int a[8];
__global__ void k(int *p) { p[threadIdx.x] += 1; }
int main() { k<<<1, 8>>>(a); return a[0] != 1; }
"""
HEAD = "__global__ int a[8];\n"
TAIL = "int main() { return 0; }\n"
DEPTH = 1200


class Corpus:
    """The output directory and the manifest that grows with it."""

    def __init__(self, directory, small):
        self.directory = directory
        self.small = small
        self.cases = []
        self.table = None

    def path(self, name):
        return os.path.join(os.fsencode(self.directory), os.fsencode(name))

    def write(self, name, content):
        with open(self.path(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def case(self, what, name, content, status=None, word=None, args=(), absent=(), verb=False):
        """Add a case; content None: the file is made by other means or does not exist."""
        if content is not None:
            if self.small and len(content) > 20 << 20:
                return
            self.write(name, content)
        self.cases.append(
            {
                "file": name,
                "args": list(args),
                "status": status,
                "word": word,
                "absent": list(absent),
                "what": what,
                "verb": verb,
                "table": self.table,
            }
        )

    def finish(self):
        with open(self.path("manifest.jsonl"), "w", encoding="ascii") as f:
            for case in self.cases:
                f.write(json.dumps(case) + "\n")


def kernel(body):
    """A program whose kernel has this body."""
    return (
        HEAD
        + "__global__ void k(int n) {\n"
        + body
        + "\n}\nint main() { k<<<1, 8>>>(1); return 0; }\n"
    )


def add_nesting(c):
    d = DEPTH
    c.case(
        "parentheses",
        "parentheses.mcu",
        kernel("a[0] = " + "(" * d + "n" + ")" * d + ";"),
        2,
        "nest",
    )
    c.case("brackets", "brackets.mcu", kernel("n = " + "a[" * d + "0" + "]" * d + ";"), 2, "nest")
    c.case("blocks", "blocks.mcu", kernel("{" * d + "a[0] = n;" + "}" * d), 2, "nest")
    c.case("ifs with braces", "ifs.mcu", kernel("if (n) {" * d + "a[0] = n;" + "}" * d), 2, "nest")
    c.case("ifs without braces", "bare_ifs.mcu", kernel("if (n) " * d + "a[0] = n;"))
    c.case(
        "for loops",
        "loops.mcu",
        kernel(
            "".join("for (int i%d = 0; i%d < n; i%d++) " % (i, i, i) for i in range(d))
            + "a[0] = n;"
        ),
    )
    c.case(
        "else-if chain",
        "else_if.mcu",
        kernel(
            "if (n == 0) a[0] = 1;\n"
            + "".join("else if (n == %d) a[0] = %d;\n" % (i, i) for i in range(1, 5000))
        ),
    )
    c.case("unary minus", "minus.mcu", kernel("a[0] = " + "- " * d + "n;"))
    c.case("unary minus, 200000", "many_minus.mcu", kernel("a[0] = " + "- " * 200000 + "n;"))
    c.case("not, complement and casts", "unary.mcu", kernel("a[0] = " + "(int)~!" * d + "n;"))
    c.case("dereferences", "stars.mcu", HEAD + "__global__ int " + "*" * d + "p;\n" + TAIL)
    c.case("array dimensions", "dimensions.mcu", "__global__ char a" + "[1]" * d + ";\n" + TAIL)
    c.case("conditional operators", "conditional.mcu", kernel("a[0] = " + "n ? 1 : " * d + "0;"))
    c.case("long sum", "sum.mcu", kernel("a[0] = n" + " + a[1]" * 20000 + ";"))
    c.case("assignment chain", "assign.mcu", kernel("a[0] = " * d + "n;"))
    c.case(
        "template arguments",
        "templates.mcu",
        "template <typename T> struct t { T x; };\n__global__ "
        + "t<" * d
        + "int"
        + ">" * d
        + " a;\n"
        + TAIL,
    )
    c.case(
        "lambdas",
        "lambdas.mcu",
        HEAD + "int main() { return " + "[] { return " * d + "0" + "; }()" * d + "; }\n",
    )
    c.case("namespaces", "namespaces.mcu", "namespace n {" * d + HEAD + "}" * d + TAIL)
    c.case(
        "structs",
        "structs.mcu",
        "".join("struct s%d { " % i for i in range(d))
        + "int x;"
        + "".join(" } m%d;" % i for i in reversed(range(1, d)))
        + " };\n__global__ s0 a;\n"
        + TAIL,
    )
    c.case(
        "initialiser braces",
        "initialiser.mcu",
        "__global__ int a = " + "{" * d + "0" + "}" * d + ";\n" + TAIL,
    )
    c.case(
        "function pointers",
        "declarator.mcu",
        "int " + "(*" * d + "f" + ")()" * d + ";\n" + HEAD + TAIL,
    )
    c.case(
        "nested calls",
        "calls.mcu",
        HEAD
        + "__device__ int f(int x) { return x; }\n__global__ void k(int n) { a[0] = "
        + "f(" * d
        + "n"
        + ")" * d
        + "; }\n"
        + TAIL,
    )
    c.case(
        "call chain of device functions",
        "chain.mcu",
        HEAD
        + "__device__ int f0(int x) { return a[x]; }\n"
        + "".join(
            "__device__ int f%d(int x) { return f%d(x) + 1; }\n" % (i, i - 1)
            for i in range(1, 3000)
        )
        + "__global__ void k(void) { a[0] = f2999(1); }\nint main() { k<<<1, 1>>>(); return 0; }\n",
    )
    c.case(
        "call tree, 2^60 paths",
        "call_tree.mcu",
        HEAD
        + "__device__ int f0(int x) { return a[x]; }\n"
        + "".join(
            "__device__ int f%d(int x) { return f%d(x) + f%d(x + 1); }\n" % (i, i - 1, i - 1)
            for i in range(1, 61)
        )
        + "__global__ void k(void) { a[0] = f60(1); }\nint main() { k<<<1, 1>>>(); return 0; }\n",
    )
    c.case("open parentheses only", "open.mcu", HEAD + "int x = " + "(" * 1000000)
    c.case("#if nesting", "ifdefs.mcu", "#if 1\n" * 5000 + HEAD + "#endif\n" * 5000 + TAIL)


def add_size(c):
    c.case("one line of 100 MB", "long_line.mcu", HEAD + "/* " + "x" * (100 << 20) + " */" + TAIL)
    c.case("10 million empty lines", "many_lines.mcu", "\n" * 10000000 + PROGRAM)
    c.case(
        "identifier of 10 MB",
        "identifier.mcu",
        "__global__ int " + "a" * (10 << 20) + "[4];\n" + TAIL,
    )
    c.case(
        "string of 30 MB",
        "string.mcu",
        HEAD + 'static const char s[] = "' + "s" * (30 << 20) + '";\n' + TAIL,
    )
    c.case(
        "number of 1 MB", "number.mcu", "__global__ int a = " + "1" * (1 << 20) + ";\n" + TAIL, 2
    )
    c.case(
        "100000 VS variables",
        "variables.mcu",
        "".join("__global__ int v%d[4];\n" % i for i in range(100000)) + TAIL,
    )
    c.case(
        "20000 VS variables in one declaration",
        "declarators.mcu",
        "__global__ int " + ", ".join("v%d" % i for i in range(20000)) + ";\n" + TAIL,
    )
    c.case(
        "3000 kernels and launches",
        "kernels.mcu",
        HEAD
        + "".join(
            "__global__ void k%d(void) { a[threadIdx.x] += %d; }\n" % (i, i) for i in range(3000)
        )
        + "int main() {\n"
        + "".join("k%d<<<1, 8>>>();\n" % i for i in range(3000))
        + "return 0; }\n",
    )
    c.case(
        "10000 arguments",
        "arguments.mcu",
        HEAD
        + "__global__ void k("
        + ", ".join("int x%d" % i for i in range(10000))
        + ") { a[0] = x9999; }\nint main() { k<<<1, 1>>>("
        + ", ".join("0" for i in range(10000))
        + "); return 0; }\n",
    )
    c.case(
        "kernel with 20000 statements",
        "statements.mcu",
        kernel("\n".join("a[(n + %d) %% 8] += a[%d] * n;" % (i, i % 8) for i in range(20000))),
    )
    c.case(
        "1000 sequential loops",
        "many_loops.mcu",
        kernel(
            "\n".join("for (int i = 0; i < n; i++) a[(i + %d) %% 8] += i;" % i for i in range(1000))
        ),
    )
    c.case(
        "1000 branches in sequence",
        "branches.mcu",
        kernel(
            "int i = n;\n"
            + "\n".join(
                "if (a[%d] > %d) i += %d; else i -= 1;" % (i % 8, i, i) for i in range(1000)
            )
            + "\na[i & 7] = i;"
        ),
    )
    c.case(
        "index with large coefficients",
        "coefficients.mcu",
        (
            "__global__ int big[1 << 20];\n__global__ void k(long long n) { for (long long i = 0; i"
            " < n; i++) for (long long j = i; j < 3 * n - i; j += 7) big[(1234567891ll * i +"
            " 987654321ll * j + n % 97) % 1048573 / 3] = 1; }\nint main() { k<<<1, 1>>>(5); return"
            " 0; }\n"
        ),
    )
    c.case(
        "many divisions in an index",
        "divisions.mcu",
        "__global__ int big[1 << 20];\n__global__ void k(int n) { int i = threadIdx.x; big["
        + " + ".join("(i + %d) / %d %% %d" % (p, p, p + 2) for p in range(3, 83, 2))
        + "] = n; }\nint main() { k<<<1, 1>>>(5); return 0; }\n",
    )
    c.case(
        "initialiser with 2 million numbers",
        "table.mcu",
        "__global__ int table[] = { " + "1," * 2000000 + " };\n" + TAIL,
    )


def add_preprocessor(c):
    bomb = "#define x0 a[0] +\n" + "".join(
        "#define x%d %s\n" % (i, "x%d " % (i - 1) * 10) for i in range(1, 12)
    )
    c.case("macro bomb", "macro_bomb.mcu", HEAD + bomb + "int main() { return x11 0; }\n")
    c.case("macro bomb in a kernel", "kernel_bomb.mcu", bomb + kernel("a[0] = x11 0;"))
    c.case(
        "macro bomb in #if",
        "if_bomb.mcu",
        "#define y0 1 +\n"
        + "".join("#define y%d %s\n" % (i, "y%d " % (i - 1) * 10) for i in range(1, 12))
        + "#if y11 0\n#endif\n"
        + PROGRAM,
    )
    c.case(
        "10000 nested macro arguments",
        "macro_arguments.mcu",
        "#define ID(x) x\n"
        + HEAD
        + "int main() { return "
        + "ID(" * 10000
        + "0"
        + ")" * 10000
        + "; }\n",
    )
    c.write("cycle_a.h", '#include "cycle_b.h"\n')
    c.write("cycle_b.h", '#include "cycle_a.h"\n')
    c.case("include cycle", "cycle.mcu", '#include "cycle_a.h"\n' + PROGRAM, 2, "nested")
    c.write("twice.h", '#include "twice_2.h"\n#include "twice_2.h"\n')
    for i in range(2, 40):
        c.write("twice_%d.h" % i, ('#include "twice_%d.h"\n' % (i + 1)) * 2 if i < 39 else "\n")
    c.case("2^38 includes", "include_bomb.mcu", '#include "twice.h"\n' + PROGRAM)
    os.mkfifo(c.path("fifo.h"))
    c.case("include of a FIFO", "include_fifo.mcu", '#include "fifo.h"\n' + PROGRAM, 2)
    os.mkfifo(c.path("fifo.mcu"))
    c.case("the input is a FIFO without a writer", "fifo.mcu", None)
    os.symlink("/dev/zero", c.path("zero.h"))
    c.case(
        "include of /dev/zero through a link",
        "include_zero.mcu",
        '#include "zero.h"\n' + PROGRAM,
        2,
    )
    c.case("-include of a FIFO", "plain.mcu", PROGRAM, 2, args=["-include", "fifo.h"])
    os.symlink("loop.mcu", c.path("loop.mcu"))
    c.case("the input is a link to itself", "loop.mcu", None, 1)
    os.mkdir(c.path("directory.mcu"))
    c.case("the input is a directory", "directory.mcu", None, 1)
    c.case("the input does not exist", "nowhere.mcu", None, 1, "nowhere.mcu")
    c.case(
        "#embed of /dev/zero",
        "embed_zero.mcu",
        'static const unsigned char d[] = {\n#embed "/dev/zero"\n};\n' + PROGRAM,
    )
    c.case(
        "#embed of itself",
        "embed_self.mcu",
        'static const unsigned char d[] = {\n#embed "embed_self.mcu"\n};\n' + PROGRAM,
    )
    c.case(
        "trigraphs",
        "trigraphs.mcu",
        PROGRAM.replace("{", "??<").replace("}", "??>").replace("[", "??(").replace("]", "??)"),
    )
    c.case(
        "digraphs",
        "digraphs.mcu",
        PROGRAM.replace("{", "<%").replace("}", "%>").replace("[", "<:").replace("]", ":>"),
        0,
    )
    c.case(
        "splices everywhere",
        "splices.mcu",
        "".join(ch if ch == "\n" else ch + "\\\n" for ch in PROGRAM),
        0,
    )
    c.case(
        "_Pragma and __VA_OPT__",
        "pragma.mcu",
        '_Pragma("once") _Pragma("GCC system_header")\n' + PROGRAM,
    )
    c.case("module keywords", "modules.mcu", "module;\nexport module m;\nimport std;\n" + PROGRAM)
    c.case(
        "macros that replace keywords",
        "keywords.mcu",
        "#define int long\n#define return throw\n#define __global__\n" + PROGRAM,
    )
    c.case(
        "__has_include of strange names",
        "has_include.mcu",
        '#if __has_include("/dev/zero") || __has_include("fifo.h") || __has_include("")\n#endif\n'
        + PROGRAM,
    )


def add_bytes(c):
    c.case("empty file", "empty.mcu", b"", 0)
    c.case("only a BOM", "bom.mcu", b"\xef\xbb\xbf", 0)
    c.case("a BOM and a program", "bom_program.mcu", b"\xef\xbb\xbf" + PROGRAM.encode(), 0)
    c.case("UTF-16, little endian", "utf16le.mcu", PROGRAM.encode("utf-16"))
    c.case("UTF-16, big endian, no BOM", "utf16be.mcu", PROGRAM.encode("utf-16-be"))
    c.case("UTF-32", "utf32.mcu", PROGRAM.encode("utf-32"))
    c.case("NUL bytes between tokens", "nul.mcu", PROGRAM.replace(" ", " \0").encode())
    c.case(
        "NUL in a string", "nul_string.mcu", b'static const char s[] = "a\0b";\n' + PROGRAM.encode()
    )
    c.case("only NUL bytes", "zeros.mcu", b"\0" * 100000)
    c.case(
        "invalid UTF-8 in a comment",
        "bad_utf8_comment.mcu",
        b"/* \xff\xfe\xc0\x80\xed\xa0\x80 */\n" + PROGRAM.encode(),
        0,
    )
    c.case(
        "invalid UTF-8 in an identifier",
        "bad_utf8_name.mcu",
        b"int x\xff\xc3;\n" + PROGRAM.encode(),
        2,
    )
    c.case(
        "non-ASCII identifiers",
        "utf8_name.mcu",
        PROGRAM.replace("a[", "gr\u00f6\u00dfe[").replace("(a)", "(gr\u00f6\u00dfe)"),
        0,
    )
    c.case("right-to-left override", "bidi.mcu", "/* \u202e } \u2066 */\n" + PROGRAM, 0)
    c.case(
        "control characters and escape sequences",
        "control.mcu",
        b"#error \x1b[2J\x1b]0;owned\x07\x01\x7f\n" + PROGRAM.encode(),
        2,
    )
    c.case("CRLF", "crlf.mcu", PROGRAM.replace("\n", "\r\n"), 0)
    c.case("lone CR", "cr.mcu", PROGRAM.replace("\n", "\r"), 0)
    c.case(
        "mixed line ends and splices",
        "mixed.mcu",
        "// a \\\r\n still a comment\r" + PROGRAM.replace("\n", "\n\r"),
    )
    c.case("form feeds and vertical tabs", "feeds.mcu", PROGRAM.replace("\n", "\n\f\v\n"), 0)
    c.case("no newline at the end", "no_newline.mcu", PROGRAM.rstrip("\n"), 0)
    c.case("ends in a backslash", "backslash.mcu", PROGRAM + "\\")
    c.case("ends within a launch", "cut_launch.mcu", PROGRAM[: PROGRAM.index("<<<") + 4], 2)
    c.case("ends within <<<", "cut_token.mcu", PROGRAM[: PROGRAM.index("<<<") + 2], 2)
    c.case("ends within __global__", "cut_keyword.mcu", "__global")
    c.case("every byte value", "all_bytes.mcu", bytes(range(256)) * 16 + PROGRAM.encode())
    c.case("an ELF header", "elf.mcu", b"\x7fELF\x02\x01\x01" + bytes(57) + bytes(range(256)) * 64)
    for n in range(4, len(PROGRAM), 9):
        c.case("cut after %d bytes" % n, "cut_%03d.mcu" % n, PROGRAM[:n])


def add_names(c):
    names = [
        "a b.mcu",
        "touch pwned;.mcu",
        ";touch pwned;.mcu",
        "$(touch pwned).mcu",
        "`touch pwned`.mcu",
        'q"uote.mcu',
        "ap'ostrophe.mcu",
        "back\\slash.mcu",
        "amp&touch pwned&.mcu",
        "pipe|touch pwned|.mcu",
        "new\nline.mcu",
        "tab\t.mcu",
        "%s%n%d.mcu",
        "star*.mcu",
        "#hash.mcu",
        "$HOME.mcu",
        "gr\u00f6\u00dfe.mcu",
        "a>pwned.mcu",
        "x" * 240 + ".mcu",
        "noextension",
        ".mcu",
        "two.cu.mcu",
    ]
    for name in names:
        c.case("file name with odd characters", name, PROGRAM, absent=["pwned"])
    c.case("file name that looks like an option", "-O9.mcu", PROGRAM)
    c.case("file name that looks like an option, with a folder", "./-O8.mcu", PROGRAM, 0)
    c.case("file name that looks like a response file", "@plain.mcu", PROGRAM)
    c.case("two inputs", "plain.mcu", None, 1, args=["crlf.mcu"])
    c.case("path through a missing folder", "missing/x.mcu", None, 1)
    c.case("path of 10000 characters", "y" * 10000, None, 1)


def add_arguments(c):
    values = [
        "`touch pwned`",
        "$(touch pwned)",
        '"; touch pwned; "',
        "\\",
        '\\"',
        "1;touch pwned",
        "1&touch pwned&",
        "1|touch pwned",
        "1\ntouch pwned\n",
        "'",
        "${IFS}",
        "1 -o pwned",
        "*",
        "(",
        "z" * 100000,
    ]
    for value in values:
        c.case(
            "-D with shell characters", "plain.mcu", None, args=["-DX=" + value], absent=["pwned"]
        )
    c.case("-D without a name", "plain.mcu", None, args=["-D=1"])
    c.case("-D of an odd name", "plain.mcu", None, args=["-Da b(c=1"])
    c.case("-D that hides a keyword", "plain.mcu", None, args=["-D__global__=", "-Dint=float"])
    c.case("-D that removes the launch", "plain.mcu", None, args=["-Dk=", "-Da=0"])
    for value in ["`touch pwned`", "$(touch pwned)", "a;touch pwned", "/dev/zero", "fifo.h", ""]:
        c.case("-I with odd values", "plain.mcu", None, args=["-I", value], absent=["pwned"])
    for arch in ["sm_9999", "sm_", "sm_-1", "`touch pwned`", "compute_90;touch pwned"]:
        c.case(
            "-arch with odd values", "plain.mcu", None, 1, args=["-arch=" + arch], absent=["pwned"]
        )
    for n in ["-1", "0", "99999999999999999999", "48k", "x", ""]:
        c.case("--shared-memory with odd values", "plain.mcu", None, args=["--shared-memory=" + n])
    c.case("unknown option", "plain.mcu", None, 1, args=["--nosuch"])
    c.case("unknown level", "plain.mcu", None, 1, args=["-O9"])
    c.case("unknown target", "plain.mcu", None, 1, args=["--target=fpga"])
    c.case("option without its value", "plain.mcu", None, 1, args=["-include"])
    c.write("self.rsp", "@self.rsp\n")
    c.case("response file that names itself", "plain.mcu", None, 1, args=["@self.rsp"])
    c.case("missing response file", "plain.mcu", None, 1, args=["@nowhere.rsp"])
    c.write("open_quote.rsp", '-DX="no end\n')
    c.case("response file with an open quote", "plain.mcu", None, args=["@open_quote.rsp"])
    c.write("many.rsp", "".join("-DX%d=%d\n" % (i, i) for i in range(100000)))
    c.case("response file with 100000 options", "plain.mcu", None, args=["@many.rsp"])
    c.case(
        "dependency file in a missing folder",
        "plain.mcu",
        None,
        1,
        args=["-MD", "-MF", "missing/x.d"],
    )
    os.mkdir(c.path("database"))
    for name, text in [
        ("broken", "[{"),
        ("odd", '[{"file": 3, "command": "`touch pwned`"}]'),
        ("deep", "[" * 100000),
    ]:
        os.mkdir(c.path("database/" + name))
        c.write("database/%s/compile_commands.json" % name, text)
        c.case(
            "compile_commands.json: " + name,
            "plain.mcu",
            None,
            args=["-p", "database/" + name],
            absent=["pwned"],
        )


def main():
    arguments = [a for a in sys.argv[1:] if a != "--small"]
    if len(arguments) != 1:
        sys.exit(__doc__.strip())
    os.makedirs(arguments[0], exist_ok=True)
    if os.listdir(arguments[0]):
        sys.exit("make_hostile.py: %s is not empty" % arguments[0])
    corpus = Corpus(arguments[0], "--small" in sys.argv)
    add_nesting(corpus)
    add_size(corpus)
    add_preprocessor(corpus)
    add_bytes(corpus)
    add_names(corpus)
    add_arguments(corpus)
    for more in (nesting, numbers_, analysis, text, options):
        corpus.table = more.__name__
        more.add(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
