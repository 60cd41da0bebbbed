#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a wheel of what `meson install` gives and of the Python package beside this file.

usage: wheel.py --build DIR [--output DIR] [--bare] [--stored]

The wheel has the translator, its headers and runtime libraries, and the libraries that the
translator needs (libclang, LLVM, isl, ...), so that `pip install` is all; a C++ compiler and, for
GPUs, the CUDA toolkit are the machine's. --bare leaves the libraries out: for tests on the machine
that built it. --stored does not compress. Needs patchelf. Prints the wheel's path.
"""
import argparse
import base64
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = re.compile(  # every Linux has these, or a C++ compiler brings them
    r'(linux-vdso|ld-linux[-\w]*|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|libz)\.so'
)
# clang's headers for what a host of CUDA is not
OTHERS = shutil.ignore_patterns(
    *'arm_* altivec.h vec*.h velintrin* opencl* hlsl* ppc_wrappers riscv_* sifive_*'.split(),
    *'hexagon_* hvx_* wasm_* msa.h lsx* lasx* s390* htm*.h llvm_* openmp_wrappers'.split(),
    *'spirv* amd*'.split(),
)
METADATA = """Metadata-Version: 2.1
Name: mesicc
Version: %s
Summary: CUDA kernels, optimised: a source-to-source compiler with managed on-chip memory
License: MIT
Requires-Python: >=3.8
"""
WHEEL = """Wheel-Version: 1.0
Generator: mesicc wheel.py
Root-Is-Purelib: false
Tag: py3-none-%s
"""


def output_of(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def libraries_of(program):
    """The shared libraries that a program needs, all levels, but those of BASE."""
    found = re.findall(r'=> (/\S+)', output_of('ldd', program))
    return sorted(path for path in found if not BASE.match(os.path.basename(path)))


def install(build, work):
    subprocess.run(
        ['meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', work], check=True
    )
    wanted = json.loads(output_of('meson', 'introspect', build, '--buildoptions'))
    return work + next(o['value'] for o in wanted if o['name'] == 'prefix')


def bundle_libraries(tool):
    """Puts what the programs need beside them, where they look first."""
    programs = glob.glob(tool + '/bin/*') + glob.glob(tool + '/libexec/mesicc/*')
    needed = sorted({library for program in programs for library in libraries_of(program)})
    os.makedirs(tool + '/lib', exist_ok=True)
    for library in needed:
        copied = os.path.join(tool, 'lib', os.path.basename(library))
        shutil.copy(os.path.realpath(library), copied)
        subprocess.run(['patchelf', '--set-rpath', '$ORIGIN', copied], check=True)
    for program in programs:
        library = os.path.relpath(tool + '/lib', os.path.dirname(program))
        subprocess.run(['patchelf', '--set-rpath', '$ORIGIN/' + library, program], check=True)
    add_headers_of_clang(tool, next(library for library in needed if 'libclang' in library))


def add_headers_of_clang(tool, library):
    """stddef.h and its like, which libclang looks for beside itself."""
    for folder in (os.path.dirname(library), os.path.dirname(os.path.realpath(library))):
        for headers in glob.glob(folder + '/clang/*/include'):
            version = os.path.basename(os.path.dirname(headers))
            to = '%s/lib/clang/%s/include' % (tool, version)
            shutil.copytree(headers, to, ignore=OTHERS)
            return
    raise SystemExit('the headers of clang are not beside ' + library)


def fill(top, build, bare):
    """The package with the installed tool inside."""
    tool = os.path.join(top, 'mesicc', '_tool')
    shutil.copytree(
        HERE + '/mesicc', top + '/mesicc', ignore=shutil.ignore_patterns('__pycache__', '_tool')
    )
    with tempfile.TemporaryDirectory() as work:
        prefix = install(build, work)
        for folder in ('bin', 'include', 'lib', 'libexec/mesicc', 'share/mesicc'):
            for found in glob.glob(os.path.join(prefix, folder)):
                shutil.copytree(found, os.path.join(tool, folder), symlinks=False)
    for archive in glob.glob('/usr/lib/*/libboost_context.a'):
        shutil.copy(archive, os.path.join(tool, 'lib'))
    if not bare:
        bundle_libraries(tool)


def version_of():
    text = open(HERE + '/mesicc/__init__.py').read()
    return re.search(r"__version__ = '([\d.]+)'", text).group(1)


def tag_of():
    libc = os.confstr('CS_GNU_LIBC_VERSION').split()[1].replace('.', '_')
    return 'manylinux_%s_%s' % (libc, os.uname().machine)


def describe(top, version, tag):
    info = '%s/mesicc-%s.dist-info' % (top, version)
    os.makedirs(info)
    for name, text in (
        ('METADATA', METADATA % version),
        ('WHEEL', WHEEL % tag),
        ('entry_points.txt', '[console_scripts]\nmesicc = mesicc.command:main\n'),
    ):
        with open(os.path.join(info, name), 'w') as out:
            out.write(text)
    shutil.copy(os.path.join(os.path.dirname(HERE), 'LICENSE'), info)
    return os.path.basename(info)


def pack(top, info, path, method):
    files = sorted(
        os.path.relpath(os.path.join(where, name), top)
        for where, _, names in os.walk(top)
        for name in names
    )
    record = ''
    with zipfile.ZipFile(path, 'w', method) as out:
        for file in files:
            with open(os.path.join(top, file), 'rb') as source:
                digest = hashlib.sha256(source.read()).digest()
            text = base64.urlsafe_b64encode(digest).decode().rstrip('=')
            size = os.path.getsize(os.path.join(top, file))
            record += '%s,sha256=%s,%d\n' % (file, text, size)
            out.write(os.path.join(top, file), file)
        out.writestr(info + '/RECORD', record + info + '/RECORD,,\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--build', required=True)
    parser.add_argument('--output', default='.')
    parser.add_argument('--bare', action='store_true')
    parser.add_argument('--stored', action='store_true')
    options = parser.parse_args()
    version, tag = version_of(), tag_of()
    os.makedirs(options.output, exist_ok=True)
    path = os.path.join(options.output, 'mesicc-%s-py3-none-%s.whl' % (version, tag))
    with tempfile.TemporaryDirectory() as top:
        fill(top, options.build, options.bare)
        info = describe(top, version, tag)
        pack(top, info, path, zipfile.ZIP_STORED if options.stored else zipfile.ZIP_DEFLATED)
    print(path)


main()
