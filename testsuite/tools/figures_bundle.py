#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""samples/figures/bundle.sh runs what figures.py --from takes: in a folder of stubs every output
that a recipe asks for is there, by the program that the recipe names.
Last line: N passed, N failed."""
import os, shutil, subprocess, sys, tempfile

from harness import ROOT, finish, report

FIGURES = os.path.join(ROOT, 'samples', 'figures')
PROGRAMS = """mpf_O0 mpf_O1 mpf_O2 junction_O2 blas2_O3 blas2-REAL=double_O3 misaligned_O0
gridding_O0 gridding_O2 blob_O0 blob_O2 cutcp_O0 cutcp_O2 nbody_O0 nbody_O2""".split()
BUILT_THERE = ('mpf_hand_O0', 'mpf_texture_O0', 'mpf_read_only_O0')
NETWORKS = ('linkage_11.uai', 'linkage_24.uai', 'Grids_11.uai', 'alarm.bif')
STUB = '#!/bin/sh\necho "$(basename "$0") $*"\n'


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(text)
    os.chmod(path, 0o755)


def make_folder(folder):
    shutil.copy(os.path.join(FIGURES, 'bundle.sh'), os.path.join(folder, 'figures.sh'))
    write(folder + '/run.sh', '#!/bin/sh\n')
    for name in PROGRAMS + list(BUILT_THERE):
        write(os.path.join(folder, 'build', name), STUB)
    write(folder + '/build/mpf.main.c.o', '')
    write(folder + '/src/mpf.libs', '')
    for name in NETWORKS:
        write(os.path.join(folder, 'networks', name), '')
    os.makedirs(folder + '/include')
    write(folder + '/tools/nvcc', '#!/bin/sh\n')


class Asked:
    """In place of a machine: takes note of what recipes ask for."""

    def __init__(self, folder):
        self.bundle, self.gpu, self.prefix, self.note = folder, True, 'gpu_', ''
        self.mesicc, self.date, self.files = '/nowhere', '', {}

    def levels(self, sample, macros):
        return {}

    def output(self, sample, level, *arguments, kept=None):
        self.files['%s_O%d.txt' % (kept or sample, level)] = sample


class Nothing:
    """In place of a page."""

    def __getattr__(self, name):
        return lambda *arguments, **words: None


def asked_for(folder):
    sys.path.insert(0, FIGURES)
    import figures

    machine = Asked(folder)
    for name, (_, recipe) in figures.RECIPES.items():
        if name not in ('network', 'dgemv'):
            recipe(machine, Nothing())
    return machine.files


def test(folder):
    make_folder(folder)
    done = subprocess.run(
        ['bash', 'figures.sh', '5', '5'],
        cwd=folder,
        stdout=-1,
        stderr=-2,
        text=True,
        env=dict(os.environ, NVCC=folder + '/tools/nvcc'),
    )
    good = done.returncode == 0 and ': status' not in done.stdout
    report('figures.sh', None if good else done.stdout)
    files = asked_for(folder)
    report('recipes ask', None if len(files) > 30 else sorted(files))
    for name, sample in sorted(files.items()):
        path = os.path.join(folder, 'build', 'figures', name)
        text = open(path).read() if os.path.exists(path) else ''
        program = os.path.basename(sample).split('.')[0].replace('_double', '')
        program += '-REAL=double' if 'double' in name else ''
        made = text.startswith(program + '_O')
        optional = name == 'mpf_loads_O2.txt'  # else the recipe takes that of mpf
        report(name, None if made or optional else 'has %r' % text[:80])


with tempfile.TemporaryDirectory() as folder:
    test(folder)
finish()
