# SPDX-License-Identifier: MIT
"""Seed to program: sections, each with its arrays, kernels and one host function; main calls them
in turn."""
from .choice import Choice
from .devices import Devices
from .host import Host
from .filters import Filters
from .kernel import Kernel
from .methods import Classes
from .nested import record_name
from .objects import DYNAMIC, VS, Macros, make_counters
from .profiles import profile_of
from .types import DECLARED, Struct
from .typed import Enumerators
from . import nested, pairs, printing, spaces, wrapping

PRELUDE = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned long long digest = 1469598103934665603ull;
static volatile int hidden;
static int opaque(int value) { return value + hidden; }
static void note_bytes(const void *bytes, size_t count)
{
  for (size_t i = 0; i < count; i++)
    digest = (digest ^ ((const unsigned char *)bytes)[i]) * 1099511628211ull;
}
template <typename T> static void note(T value) { note_bytes(&value, sizeof value); }
template <typename T> static double host_sum(const T *p, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 0.5 + p[i];
  return sum;
}
template <typename T> static void host_fill(T *p, int n, int seed)
{
  for (int i = 0; i < n; i++)
    p[i] = (T)((i * 7 + seed) % 100);
}
"""


class Section:
    """Sizes, arrays, kernels and the host function of one part of a program."""

    def __init__(self, program, number, kernels, single):
        choice = program.choice
        self.program, self.number = program, number
        self.suffix = '' if single else str(number)
        self.n, self.w, self.h = program.profile.sizes(choice, program)
        self.macros = Macros(choice, number, [self.n, self.w, self.h])
        self.arrays = program.profile.arrays(choice, self.suffix, self.n, self.w, self.h)
        self.counters = make_counters(choice, self.suffix) if program.profile.counts else []
        self.using = (
            spaces.put(choice, self.arrays, number) if choice.chance(program.spaced) else ''
        )
        self.kernels = [
            self._kernel_class()(program, self, 'k%d_%d' % (number, i)) for i in range(kernels)
        ]

    def _kernel_class(self):
        """What the profile says; of any kernels some are filters."""
        chosen, program = self.program.profile.kernel(self.program.choice), self.program
        is_any = chosen is Kernel and not program.is_exact
        return Filters if is_any and program.choice.chance(0.5) else chosen

    def host(self):
        choice, host, self.statics = self.program.choice, Host(self), []
        host.start()
        order = [k for k in self.kernels for _ in range(choice.weighted((60, 1), (40, 2)))]
        for kernel in choice.shuffled(order):
            host.launch(kernel)
            for _ in range(choice.weighted((35, 0), (35, 1), (20, 2), (10, 3))):
                host.use()
        host.end()
        share = self.program.wrapped * 0.6
        body = [
            '  ' + line
            for line in wrapping.in_macros(choice, 'DO%d' % self.number, host.lines, share)
        ]
        lines = [line for function in host.functions for line in function]
        return (
            self.statics + lines + ['static void section%d(void)' % self.number, '{'] + body + ['}']
        )


class Program:
    def __init__(self, seed, sections, kernels, profile):
        self.seed, self.choice = seed, Choice(seed)
        self.profile = profile_of(self.choice, profile)
        self.args = self.choice.weighted(*self.profile.args)
        self.is_large = 'shared-memory' in self.args and 'arch' in self.args
        if self.choice.chance(0.4):
            self.args = (self.args + ' --whole-program').strip()
        self.is_checked = self.choice.chance(self.profile.checked)
        self.is_exact = self.choice.chance(
            self.profile.exact
        )  # sums of reals have the same value in any order
        self.wrapped = self.choice.weighted(
            (55, 0), (25, 0.1), (20, 0.4)
        )  # of launches and host statements
        self.spaced = self.choice.weighted(
            (70, 0), (30, 0.4)
        )  # of sections with arrays in namespaces
        self.macroed = self.choice.weighted((75, 0), (25, 0.12))  # of lines of kernels
        self.typed = self.choice.weighted(*self.profile.typed)
        self.enumerators = Enumerators()
        self.devices = Devices(self.choice)
        self.classes = Classes(self.choice)
        self.pairs = set()  # elements whose functions kernels call
        self.wrap_function = self.devices.wrap_function
        self.device_value, self.device_least = self.devices.value, self.devices.least
        self.device_store, self.device_sum = self.devices.store, self.devices.sum
        self.sections = [
            Section(self, i, kernels or self.choice.number(1, 3), sections == 1)
            for i in range(sections)
        ]
        self.kernel_count = sum(len(s.kernels) for s in self.sections)
        lines = self._lines()
        self.mcu = printing.mcu(lines)
        self.twin = printing.twin(lines, self._dumped())

    def _dumped(self):
        """As MESI_DUMP orders them: variables as declared, then the live mesi_malloc memory as
        allocated."""
        arrays = [a for s in self.sections for a in s.arrays + s.counters]
        return [a for a in arrays if a.storage == VS] + [a for a in arrays if a.storage == DYNAMIC]

    def _lines(self):
        structs = [
            a.element for s in self.sections for a in s.arrays if isinstance(a.element, Struct)
        ]
        lines = ['// args: %s' % self.args] if self.args else []
        lines += [
            '// seed %s, %s, %d kernels' % (self.seed, self.profile.name, self.kernel_count)
        ] + PRELUDE.split('\n')
        lines += [struct.declaration() for struct in DECLARED if struct in structs]
        for name in sorted(
            {name for s in self.sections for k in s.kernels for name in k.records()}
        ):
            at = '__host__ __device__ %s &at(int i) const { return p[i]; }' % name
            lines.append('struct %s { %s *p; int n; %s };' % (record_name(name), name, at))
        lines += nested.CLASSES.split('\n')
        hosts = [section.host() for section in self.sections]
        for section in self.sections:
            lines += (
                ['']
                + section.macros.lines()
                + [a.declaration(section.macros) for a in section.arrays + section.counters]
                + [section.using]
            )
        lines += [''] + self.enumerators.lines() + self.devices.lines() + self.classes.lines()
        for element in sorted(self.pairs, key=lambda e: e.name):
            lines += pairs.functions(element)
        for section, host in zip(self.sections, hosts):
            for kernel in section.kernels:
                lines += [''] + kernel.lines()
            lines += [''] + host
        calls = ['  section%d();' % section.number for section in self.sections]
        return (
            lines
            + ['', 'int main()', '{']
            + calls
            + ['  printf("digest %016llx\\n", digest);', '@DUMP', '  return 0;', '}']
        )


def generate(seed, sections=1, kernels=0, profile=None):
    """A program of some sections with `kernels` kernels each (0: one to three), of the profile of
    that name (None: the seed's)."""
    return Program(seed, sections, kernels, profile)
