#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The wheel of python/: it installs, and kernels run from Python on the CPU backend. usage:
python_package.py --build DIR. Last line: N passed, N failed."""
import argparse, glob, os, subprocess, sys, tempfile, textwrap, zipfile

from harness import ROOT, expect, finish, run

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
options = parser.parse_args()
SAXPY = """
__global__ void saxpy(int n, float a, const float *x, float *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""
SCRIPT = """
import array, ctypes, sys
sys.path.insert(0, %r)
import mesicc
SAXPY = %r

def refused(kind, call):
    try:
        call()
    except kind as error:
        return str(error)
    return ''

"""


def script(text, folder, **environment):
    return run(
        [sys.executable, '-c', SCRIPT % (folder, SAXPY) + textwrap.dedent(text)], **environment
    )


RUNS = """
    module = mesicc.compile(SAXPY)
    x, y = array.array('f', range(1000)), array.array('f', [1] * 1000)
    module.saxpy(8, 128)(1000, 2.0, x, y)
    module.kernel((8, 1), (64, 1))(500, 1.0, x, y)
    print(y[3], y[499], y[999], module.saxpy)
"""
AGAIN = """
    x, y = array.array('f', range(1000)), array.array('f', [1] * 1000)
    mesicc.compile(SAXPY).saxpy(8, 128)(1000, 2.0, x, y)
    print(y[3], mesicc.tool())
"""
REFUSED = """
    module = mesicc.compile(SAXPY + '__global__ void fill(int *p) { p[threadIdx.x] = 7; }')
    x, y = array.array('f', range(1000)), array.array('d', [1] * 1000)
    print(refused(TypeError, lambda: module.saxpy(8, 128)(1000, 2.0, x, y)))
    print(refused(TypeError, lambda: module.saxpy(8, 128)(1000, 2.0, x)))
    print(refused(TypeError, lambda: module.saxpy(8, 128)(1000, 2.0, x, 5)))
    print(refused(TypeError, lambda: module.saxpy(8, 128)(1000, 2.0, x, memoryview(x)[::2])))
    print(refused(TypeError, lambda: module.fill(1, 8)(bytes(64))))
    print(refused(ValueError, lambda: module.fill((1, 1, 1, 1), 8)))
    print(refused(ValueError, lambda: module.fill(0, 8)))
    print(refused(AttributeError, lambda: module.kernel))
    print(refused(mesicc.LaunchError, lambda: module.fill(1, 4096)(array.array('i', [0] * 4096))))
    for text in (
        '__global__ void k(int *p) { p[0] = zero; }',
        'struct s { int a; }; __global__ void k(s v) { }',
    ):
        print(refused(mesicc.CompileError, lambda: mesicc.compile(text)))
"""
TENSOR = """
    class Tensor:  # as another library exports one
        def __init__(self, values):
            from mesicc.arrays import _Tensor
            self.values = (ctypes.c_float * len(values))(*values)
            self.shape, self.strides = (ctypes.c_int64 * 2)(1, len(values)), None
            self.tensor = _Tensor(
                ctypes.addressof(self.values), 1, 0, 2, 2, 32, 1, self.shape, None, 0)
        def __dlpack__(self):
            new = ctypes.pythonapi.PyCapsule_New
            new.restype = ctypes.py_object
            new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
            return new(ctypes.addressof(self.tensor), b'dltensor', None)
    x, y = Tensor(range(100)), Tensor([1] * 100)
    mesicc.compile(SAXPY, level=3).saxpy(1, 128)(100, 2.0, x, y)
    print(y.values[7])
    page = mesicc.explain(mesicc.compile(SAXPY).saxpy, 128)
    print('saxpy' in page.html, page._repr_html_().startswith('<iframe srcdoc='))
    module = mesicc.compile('#include <twice.h>\\n' + SAXPY, options=['-I', %r])
    print(module.saxpy.parameters[2].spelling)
"""
MESSAGES = [
    "argument 'y' of saxpy: its elements are f64, the kernel's 'float'",
    'saxpy takes 4 arguments, not 3',
    "argument 'y' of saxpy: it is no array",
    "argument 'y' of saxpy: it is not contiguous",
    "argument 'p' of fill: it is read-only",
    'a grid or block is one to three positive numbers, not (1, 1, 1, 1)',
    'a grid or block is one to three positive numbers, not (0,)',
    'the source has no kernel kernel, only saxpy, fill',
    'fill: ',
    "use of undeclared identifier 'zero'",
    "parameter 'v' of k: a 's' cannot be given from Python",
]

with tempfile.TemporaryDirectory() as top:
    made = run(
        [sys.executable, ROOT + '/python/wheel.py', '--build', options.build]
        + ['--output', top, '--bare', '--stored']
    )
    wheels = glob.glob(top + '/*.whl')
    expect('the wheel is made', made[0] == 0 and len(wheels) == 1, made)
    folder = top + '/site'
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = wheel.namelist()
        expect(
            'its record names all',
            names[-1].endswith('RECORD')
            and all(name + ',' in wheel.read(names[-1]).decode() for name in names),
            names[-5:],
        )
    pip = [sys.executable, '-m', 'pip', 'install', '-q', '--no-index', '--no-deps']
    if run([sys.executable, '-m', 'pip', '--version'])[0] == 0:
        done = run(pip + ['--target', folder, wheels[0]])
        expect('pip installs it', done[0] == 0, done)
    else:  # Debian's Python may have no pip
        subprocess.run([sys.executable, '-m', 'zipfile', '-e', wheels[0], folder], check=True)
        os.chmod(folder + '/mesicc/_tool/bin/mesicc', 0o755)
    cache = {'MESI_CACHE': top + '/cache'}
    done = script(RUNS, folder, **cache)
    values = '10.0 1498.0 1999.0 <mesicc kernel saxpy(n: int'
    expect('kernels run', done[1].startswith(values), done)
    made = sorted(glob.glob(top + '/cache/python/*'))
    done = script(AGAIN, folder, **cache)
    expect('a second process', done[1].startswith('7.0 ' + folder), done)
    expect('it makes nothing anew', made == sorted(glob.glob(top + '/cache/python/*')), made)
    done = script(REFUSED, folder, **cache)
    lines = done[1].split('\n')
    for message in MESSAGES:
        expect('refused: ' + message, any(message in line for line in lines), done)
    with open(top + '/twice.h', 'w') as out:
        out.write('#define TWICE 2\n')
    done = script(TENSOR % top, folder, **cache)
    expect('DLPack', done[1].startswith('15.0\n'), done)
    expect('the page', '\nTrue True\n' in done[1], done)
    expect('options', done[1].rstrip().endswith('const float *'), done)
    if glob.glob('/usr/lib/python3/dist-packages/numpy'):
        numpy = (
            'import numpy as np; a = np.arange(9, dtype=np.float32); b = np.ones(9, np.float32);'
        )
        numpy += 'mesicc.compile(SAXPY).saxpy(1, 32)(9, 2.0, a, b); print(b[8])'
        done = run(['/usr/bin/python3', '-c', SCRIPT % (folder, SAXPY) + numpy], **cache)
        expect('NumPy', done[1].strip() == '17.0', done)
finish()
