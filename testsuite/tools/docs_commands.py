# SPDX-License-Identifier: MIT
"""Commands in documents that cannot run here, because they need a GPU, nvcc or minutes: are their
options and files such as there are?

mesicc judges its own options, and those of nvcc, which it takes as well: with --version behind them
it reads them all and does nothing."""
import os, re, shlex, shutil

from harness import ROOT, run

# What a bundle's folder has, by the script that it is made of.
IN_BUNDLES = {
    'run.sh': ('testsuite/tools/bundle_run.sh', 'testsuite/tools/tune_run.sh'),
    'small_bench.sh': ('testsuite/tools/small_bench.sh',),
    'mpf_bench.sh': ('samples/mpf/peers/bench.sh',),
    'junction_bench.sh': ('samples/junction/bench.sh',),
    'blas2_bench.sh': ('samples/blas2/bench.sh',),
    'binning_figures.sh': ('samples/binning/figures.sh',),
    'figures.sh': ('samples/figures/bundle.sh',),
}
ASSIGNED = re.compile(r'^[A-Z_]+=')


def simple_commands(text):
    """The words of each command between && || ; and |."""
    lexer = shlex.shlex(re.sub(r'\$\([^)]*\)', '', text), posix=True, punctuation_chars='&|;')
    lexer.whitespace_split = True
    lexer.commenters = ''
    words = [[]]
    for word in lexer:
        if set(word) <= set('&|;'):
            words.append([])
        else:
            words[-1].append(word)
    return [w for w in words if w]


def fault_of_options(words, environment):
    """mesicc and nvcc: up to what is for the program."""
    words = words[: words.index('--')] if '--' in words else words
    done = run(['mesicc', *words, '--version'], **environment)
    return done[2].strip() if 'M1001' in done[2] else None  # a file that is missing is none


def fault_of_meson(words):
    known = open(os.path.join(ROOT, 'meson_options.txt')).read()
    for word in words:
        found = re.match(r'-D([\w-]+)=', word)
        if found and "option('%s'" % found.group(1) not in known:
            return 'meson_options.txt has no ' + found.group(1)
    return None


def fault_of_script(name, page):
    beside = os.path.join(os.path.dirname(page), name)
    paths = (name, beside) + IN_BUNDLES.get(os.path.basename(name), ())
    for path in paths:
        full = os.path.join(ROOT, path)
        if os.path.isfile(full):
            shell = open(full).readline().endswith('sh\n') or full.endswith('.sh')
            done = run(['bash', '-n', full]) if shell else (0, '', '')
            return None if done[0] == 0 else done[2]
    return 'there is no ' + name


def fault_of(words, environment, page):
    while words and (ASSIGNED.match(words[0]) or words[0] in ('sudo', 'nice')):
        words = words[1:]
    program = words[0] if words else 'true'
    if program in ('mesicc', 'nvcc'):
        return fault_of_options(words[1:], environment)
    if program == 'meson':
        return fault_of_meson(words[1:])
    if program in ('bash', 'python3'):
        return fault_of_script(words[1], page)
    if '/' in program:
        return fault_of_script(program, page)
    return None if program == 'cd' or shutil.which(program) else program + ' is not known'


def fault(text, environment, page='README.md'):
    """What is wrong with a command line; None: nothing is seen."""
    for words in simple_commands(text):
        found = fault_of(words, environment, page)
        if found:
            return found
    return None
