# SPDX-License-Identifier: MIT
"""Compilers of what mesicc emits for the CPU: one that optimises, g++, and a fast one.

The fast one is clang without optimising, where there is one: it takes two fifths of the time. Each
reads the header that every emitted text includes first precompiled, which is made of the headers
as they are when a test begins, in the test's own folder."""
import functools, os, shutil

OPTIONS = ['-w', '-ffp-contract=off', '-fno-strict-aliasing', '-pthread']


class HostCompiler:
    def __init__(self, name, optimisation, system, run):
        """`system` has the options that name the headers, `run` runs a command: (status, text)."""
        self.name, self.system, self.run = name, system, run
        self.options = [optimisation] + OPTIONS
        self.precompiled = []  # options for programs without options of their own

    def precompile(self, folder):
        """What is wrong, or None."""
        header = os.path.join(folder, '%s.h' % self.name)
        with open(header, 'w') as file:
            file.write('#include <mesi_cpu.h>\n')
        is_clang = 'clang' in self.name
        compiled = header + ('.pch' if is_clang else '.gch')
        own = ['-Xclang', '-fno-pch-timestamp', '-fpch-instantiate-templates'] if is_clang else []
        status, text = self.run(
            [self.name, '-std=c++17']
            + self.options
            + self.system
            + own
            + ['-x', 'c++-header', header, '-o', compiled]
        )
        if status:
            return text
        self.precompiled = ['-include-pch', compiled] if is_clang else ['-include', header]
        return None

    def compile(self, kept, defines, source, folders, output):
        """Keeps the object in `kept`. `folders` have the headers that the text may include."""
        std = [] if any(d.startswith('-std=') for d in defines) else ['-std=c++17']
        precompiled = [] if defines else self.precompiled
        command = [self.name, '-c'] + std + self.options + defines + ['-I', folders[-1]]
        return kept.make(
            command + self.system,
            source,
            folders,
            output,
            lambda argv: self.run(argv[:1] + precompiled + argv[1:]),
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
