# SPDX-License-Identifier: MIT
"""Compilers of what mesicc emits for the CPU: one that optimises, g++, and a fast one.

The fast one is clang without optimising, where there is one: it takes a fifth of the time. Each
reads the header that every emitted text includes first precompiled, which is made of the headers
as they are when the compiler is first used in a test, in the test's own folder."""
import functools, os, shutil, threading

OPTIONS = ['-w', '-ffp-contract=off', '-fno-strict-aliasing', '-pthread']


class HostCompiler:
    def __init__(self, name, optimisation, system, run):
        """`system` has the options that name the headers, `run` runs a command: (status, text)."""
        self.name, self.system, self.run = name, system, run
        self.options = [optimisation] + OPTIONS
        self.folder = None  # of the precompiled header; None: nothing is precompiled
        self.precompiled = None  # options for programs without options of their own, once made
        self.making = threading.Lock()

    def precompile(self):
        """Options that name the precompiled header, which is made where the folder has none."""
        header = os.path.join(self.folder, '%s.h' % self.name)
        is_clang = 'clang' in self.name
        compiled = header + ('.pch' if is_clang else '.gch')
        own = ['-Xclang', '-fno-pch-timestamp', '-fpch-instantiate-templates'] if is_clang else []
        if not os.path.exists(compiled):
            with open(header, 'w') as file:
                file.write('#include <mesi_cpu.h>\n')
            status, text = self.run(
                [self.name, '-std=c++17']
                + self.options
                + self.system
                + own
                + ['-x', 'c++-header', header, '-o', compiled]
            )
            if status:
                raise SystemExit('%s: the surface does not compile:\n%s' % (self.name, text))
        return ['-include-pch', compiled] if is_clang else ['-include', header]

    def surface(self):
        with self.making:
            if self.precompiled is None:
                self.precompiled = self.precompile() if self.folder else []
        return self.precompiled

    def compile(self, kept, defines, source, folders, output):
        """Keeps the object in `kept`. `folders` have the headers that the text may include."""
        defines = ['-std=c++14' if d == '-std=c++11' else d for d in defines]  # as mesicc does
        std = [] if any(d.startswith('-std=') for d in defines) else ['-std=c++17']
        command = [self.name, '-c'] + std + self.options + defines + ['-I', folders[-1]]
        return kept.make(
            command + self.system,
            source,
            folders,
            output,
            lambda argv: self.run(argv[:1] + ([] if defines else self.surface()) + argv[1:]),
        )


@functools.lru_cache(maxsize=None)
def fast_compiler():
    return next((name for name in ('clang++-22', 'clang++') if shutil.which(name)), None)


def link(run, options, objects, program):
    """g++ without what it reads for optimising at the link, and without what debuggers read."""
    return run(
        ['g++', '-pthread', '-fuse-ld=gold', '-fno-use-linker-plugin', '-Wl,--strip-debug']
        + options
        + objects
        + ['-lboost_context', '-ldl', '-lm', '-o', program]
    )
