# SPDX-License-Identifier: MIT
"""Random kernels in a GPU bundle: few files of many kernels at -O0, -O1, -O2 (or the levels asked
for), and what the CPU backend computes at -O0.

    DIR/src/fuzz_SEED_ON.cu, fuzz_SEED.args     the emitted text; -fmad=false, so that results are
                                                equal bit for bit
    DIR/expected/fuzz_SEED.dump, fuzz_SEED.out   the objects and the output of the CPU backend
"""
import os
import shutil
import tempfile

from execute import Broken, Tools, arguments_of, check, command
from generator.program import generate

SECTIONS = 12
LEVELS = ('0', '1', '2')


def _add(tools, directory, work, seed, levels):
    """Adds one file that passes on the CPU backend; its kernels, 0 where it does not."""
    name = 'fuzz_%d' % seed
    folder = os.path.join(work, name)
    os.mkdir(folder)
    program = generate(seed, SECTIONS)
    for file, text in (
        ('program.mcu', program.mcu),
        ('twin.cpp', program.twin),
        (name + '.mcu', program.mcu),
    ):
        with open(os.path.join(folder, file), 'w') as out:
            out.write(text)
    try:
        check(tools, folder, tuple(dict.fromkeys(('0',) + levels)), ('forward',))
        output, dump = tools.run(folder + '/O0', 'forward')
    except Broken as broken:
        print('%s is left out: %s' % (name, str(broken)[:300]))
        return 0
    status, _, text = command(
        [tools.mesicc, 'bundle', '-o', directory, '--levels=%s' % ','.join(levels)]
        + arguments_of(program.mcu)
        + ['%s/%s.mcu' % (folder, name)],
        300,
    )
    if status:
        print('%s: mesicc bundle ends with %d: %s' % (name, status, text[:300]))
        return 0
    for path, mode, content in (
        ('expected/%s.dump' % name, 'wb', dump),
        ('expected/%s.out' % name, 'w', output),
        ('src/%s.args' % name, 'w', '-fmad=false\n'),
    ):
        os.makedirs(os.path.dirname(os.path.join(directory, path)), exist_ok=True)
        with open(os.path.join(directory, path), mode) as out:
            out.write(content)
    return program.kernel_count


def write(options):
    work = tempfile.mkdtemp(prefix='mesi-fuzz-')
    tools = Tools(options.mesicc, options.build)
    tools.precompile(work)
    kernels, files, seed = 0, 0, options.first or 0
    levels = LEVELS if options.levels == '0123' else tuple(options.levels)
    while kernels < options.kernels and seed < (options.first or 0) + 10 * options.kernels:
        added = _add(tools, os.path.abspath(options.bundle), work, seed, levels)
        kernels, files, seed = kernels + added, files + (added > 0), seed + 1
    shutil.rmtree(work, ignore_errors=True)
    print('%d random kernels in %d files' % (kernels, files))
    return 0
