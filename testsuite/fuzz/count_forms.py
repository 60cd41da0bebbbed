#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""In how many random programs a form of the source occurs: nothing is translated.

usage: count_forms.py [--first SEED] [--programs N] [--profile NAME] [--least N]
A program is a section of a file (run.py). Status 1 where a form has fewer than --least programs."""
import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from generator.profiles import PROFILES  # noqa: E402
from generator.program import generate  # noqa: E402

SECTION = 6
HOST = re.compile(r'^static void (?:section|run|use)\d*[\w]*\([^\n]*\n\{\n.*?^\}', re.M | re.S)
KERNEL = re.compile(
    r'^(?:template <[^\n]*>\s)?[^\n]*__global__ [^\n]*void k\d+_\d+\(.*?^\}', re.M | re.S
)

WEIGHTS = r'0\.1|0\.3|1 / 9\.0|0\.7|0\.0625|-0\.125'
METHODS = [
    ('view with operator()', r'\b(?:line|counted|plane|grid)<[^;]*>+ w\d+_'),
    ('span', r'\bspan<.*> w\d+_'),
    ('static member', r'\belement<[^()]*>::of\(|\b[A-Z]\w+\d::of\(|\bplace\d+::x\(\)'),
    ('base or CRTP', r'\b(?:held|behind)<.*> w\d+_|\bplace\d+\(\)\.x\(\)'),
    ('object that changes', r'\b(?:moved|counted)<.*> w\d+_'),
    ('object that changes between statements', r'\bw\d+_\.turn\(\)'),
    ('reference to an element as target', r'\bw\d+_(?:\(|\.at\(|\[).*[^=<>!]=[^=]'),
    ('view of a plane', r'\b(?:plane|grid)<.*> w\d+_'),
    ('method of a parameter', r'\br\d+\.at\('),
    ('functor', r'\b[A-Z]\w+\d\(\)\('),
    ('functor as template argument', r'\bF\d(?:\(\)|::of)\('),
    ('function that gives an id', r'\bplace\d+(?:\(|::)'),
]
KERNELS = METHODS + [
    ('if declares', r'\bif \((?:const )?(?:bool|int|auto|float)[ &]+\w+ = '),
    ('if declares and tests', r'\bif \([^()]*\w+ \w+ = .*; '),
    ('while declares', r'\bwhile \((?:const )?(?:bool|int|unsigned) \w+ = '),
    ('for declares in its condition', r'\bfor \([^;]*; bool \w+ = '),
    ('switch declares', r'\bswitch \((?:const )?int \w+ = '),
    ('while over bits', r'\bwhile \(unsigned low'),
    ('pointer as the iterator, while', r'\bwhile \(p_\d* (?:<|!=) '),
    ('pointer as the iterator, for', r'\bfor \(; p_\d* (?:<|!=) '),
    ('unequal steps', r'p_\d*(?:\+\+| \+= \d).*q_\d* \+= |q_\d* \+= .*p_\d*(?:\+\+| \+= \d)'),
    ('iterator that falls to 0', r'\bwhile \(k\d*--|\bfor \(; k\d*--'),
    ('weights in a constant array', r'\bw\d+_k\d+_\d+\['),
    ('weights as parameters', r'\bf\d \* \(?[\w(]+\[|\] \* f\d\b'),
    ('weights as literals', r'\((?:%s)f?\) \* |\] \* \((?:%s)' % (WEIGHTS, WEIGHTS)),
    (
        'product of a selection',
        r'\* \([\w +-]+ (?:<|>=) \d+[^?;]* \? [^:;]*\[|\* \([^()?;]* > 0\.5 \?',
    ),
    ('selection of a product', r'\([\w +-]+ (?:<|>=) \d+[^?;]* \? [^:;]* \* [^:;]*: 0\)'),
    ('window at the own place', r'\bfor \(int j\d+ = '),
    ('window cut off by min or max', r'\bfor \(int j\d+ = .*\b(?:min|max)\('),
    ('window guarded in its body', r'\bfor \(int j\d+ = .*\n(?:.*\n)?\s*if \(j\d+ (?:>=|<) '),
    ('window cut off by ?: or if', r'\bint j\d+[ab] = '),
    ('record of three numbers', r'\b(?:pixel|uchar3|short3|float3|spot) [*&]?v\d*\b|\bmake_\w+3\('),
    ('member of a record of three stored', r'\]\.[xyzrgb] [-+]?= '),
    ('table in constant memory', r'\bt\d_k\d+_\d+\['),
    ('do loop', r'\bdo \{'),
    ('loop that counts down', r'\bfor \(int k\d* = .*(?:--k|k\d*--)'),
    ('tiles from the last to the first', r'\bfor \(int t_\d+ = '),
    ('object that needs a first value', r'\btotal<\w+> s'),
    ('complex product', r'\bcu_\w+2_(?:mul|fma)\(|\.x = fmaf?\(|\.x \+= \w.*\.x \* .*\.y \* '),
    ('structure in a structure', r'\b(?:both|after|behind|kept)_of<view_'),
    ('number beside a pointer', r'\br\d+(?:\.\w+)*\.n\b'),
    ('border by clamping', r'min\(max\([xyiz] [-+] \d|\([xyi] - \d < 0 \? 0 : '),
]
HOSTS = [
    ('host: if declares', r'\bif \((?:const )?[a-z][\w ]*[ &]+\w+ = '),
    ('host: switch declares', r'\bswitch \((?:const )?(?:int|auto) \w+ = '),
    ('host: while declares', r'\bwhile \(unsigned \w+ = '),
    ('host: iterator that falls to 0', r'\bwhile \(k_\d+--\)'),
    ('host: temporary in a launch', r'<<<.*\bview_\w+\{'),
    ('host: temporary in a temporary', r'<<<.*_of<.*\bview_\w+\{'),
    ('host: pointer as the iterator', r'\*end_\d+ = p_\d+ \+'),
]


def forms_of(text):
    """For each section the forms that it has."""
    found = {}
    for pattern, forms in ((KERNEL, KERNELS), (HOST, HOSTS)):
        for match in pattern.finditer(text):
            name = re.search(r'\bk(\d+)_\d+\(|\b(?:section|run|use)(\d*)', match.group(0))
            section = found.setdefault(name.group(1) or name.group(2) or '0', set())
            section |= {what for what, form in forms if re.search(form, match.group(0))}
    return found.values()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--programs', type=int, default=200)
    parser.add_argument('--profile', choices=[profile.name for profile in PROFILES])
    parser.add_argument('--least', type=int, default=10)
    options = parser.parse_args()
    count = {what: 0 for what, _ in KERNELS + HOSTS}
    for seed in range(options.first, options.first + -(-options.programs // SECTION)):
        for found in forms_of(generate(seed, SECTION, profile=options.profile).mcu):
            for what in found:
                count[what] += 1
    for what, number in count.items():
        print('%-42s %5d%s' % (what, number, '  too few' * (number < options.least)))
    return 1 if min(count.values()) < options.least else 0


if __name__ == '__main__':
    sys.exit(main())
