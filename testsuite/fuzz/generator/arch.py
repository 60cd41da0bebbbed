# SPDX-License-Identifier: MIT
"""Kernels with a statement that depends on the architecture, of which the CPU backend's is 900.

    s += p[i];      =>      #if __CUDA_ARCH__ >= 350
                              s += p[i];
                            #else
                              s = 0;
                            #endif
"""
import re

from .texts import KEPT, STATEMENT

TRUE = (
    '#if __CUDA_ARCH__ >= 350',
    '#if __CUDA_ARCH__ > 500 && __CUDA_ARCH__ < 2000',
    '#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 200',
    '#ifdef __CUDA_ARCH__',
    '#if !(__CUDA_ARCH__ < 300)',
    '#if __CUDA_ARCH__ >= 900 || __CUDA_ARCH__ / 10 >= 70',
)
FALSE = (
    '#if __CUDA_ARCH__ < 300',
    '#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 200',
    '#ifndef __CUDA_ARCH__',
    '#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 130',
)


def _may(lines, at):
    """A statement of its own, which no macro continues."""
    statement = STATEMENT.match(lines[at])
    return (
        statement
        and statement.group(2).split()[0] not in KEPT + ('static', 'extern')
        and '\\' not in lines[at]
        and not lines[at - 1].rstrip().endswith('\\')
    )


def declares(line):
    """Whether the line declares a variable: nvcc compiles both arms, one of them for the host."""
    name = r'[A-Za-z_]\w*'
    return bool(re.match(rf'\s*(?:\w+\s+)*{name}[\s*&]+{name}(?:\[\w*\])*\s*[=;,(]', line))


def _other(line):
    """What the arm that is not compiled has: an assignment to the same, or nothing."""
    target = re.match(r'\s*(\w+(?:\[[^\[\]]*\])*) [-+*^|&]?= ', line)
    return [target.group(1) + ' = 0;'] if target else []


def conditional(choice, lines):
    """The kernel's lines, of which one depends on the architecture."""
    places = [at for at in range(1, len(lines)) if _may(lines, at)]
    if not places:
        return lines
    at = choice.one(places)
    line, other = lines[at], choice.one([[], _other(lines[at]), [lines[at]]])
    if declares(line):
        other = [line]
    if choice.chance(0.5):
        arms = [choice.one(TRUE), line, '#else'] + other
    else:
        arms = [choice.one(FALSE)] + other + ['#else', line]
    return lines[:at] + arms + ['#endif'] + lines[at + 1 :]
