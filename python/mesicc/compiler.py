# SPDX-License-Identifier: MIT
"""Translates kernels with mesicc, compiles what it emits, keeps it by content, and launches it.

What only a translation needs is imported there: the first launch of a kept kernel takes less time
than these imports."""
import ctypes
import functools
import os
import sys

from . import arrays, signature

try:  # as the module random does: hashlib loads OpenSSL
    from _sha2 import sha256
except ImportError:
    try:  # before Python 3.12
        from _sha256 import sha256
    except ImportError:
        from hashlib import sha256

OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), '_tool')
LIBRARIES = os.path.join(OWN, 'lib')
LAUNCHER = '''
#line 1 "launch of %(kernel)s"
extern "C" int mesicc_launch(unsigned _gx, unsigned _gy, unsigned _gz, unsigned _bytes,
                             void *_stream%(parameters)s)
{
  %(kernel)s<<<dim3(_gx, _gy, _gz), dim3(%(block)s), %(shared)s, (cudaStream_t)_stream>>>(
    %(arguments)s);
  int _status = (int)cudaGetLastError();
%(wait)s  return _status;
}
extern "C" const char *mesicc_error(int status) { return cudaGetErrorString((cudaError_t)status); }
'''


class CompileError(Exception):
    """What mesicc or the compiler behind it said; the text is in `args[0]`."""


class LaunchError(Exception):
    """CUDA refused a launch."""


def which(name):
    import shutil

    return shutil.which(name)


@functools.lru_cache(maxsize=None)
def tool():
    """The path of mesicc: $MESICC, the one in this package, or the first in PATH."""
    found = os.environ.get('MESICC') or os.path.join(OWN, 'bin', 'mesicc')
    found = found if os.path.exists(found) else which('mesicc')
    if not found:
        raise CompileError('mesicc is not in this package, not in PATH, and $MESICC names none')
    return found


@functools.lru_cache(maxsize=None)
def identity():
    """Of the translator: its bytes' size and time, cheaper than asking for its version."""
    info = os.stat(tool())
    return '%s %d %d' % (os.path.realpath(tool()), info.st_size, info.st_mtime_ns)


def cache_folder():
    top = os.environ.get('MESI_CACHE') or os.path.join(
        os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'mesicc'
    )
    folder = os.path.join(top, 'python')
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def kept(key, name, make):
    """The file `name` for a key, which make(path) writes where there is none yet."""
    digest = sha256('\0'.join([identity(), *key]).encode()).hexdigest()
    path = os.path.join(cache_folder(), digest + '-' + name)
    if not os.path.exists(path):
        import tempfile

        with tempfile.TemporaryDirectory(dir=cache_folder()) as work:
            made = os.path.join(work, name)
            make(made)
            os.replace(made, path)
    return path


def run(words, what):
    import subprocess

    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    text = done.stdout.decode(errors='replace')
    if done.returncode:
        raise CompileError('%s:\n%s' % (what, text))
    return text


@functools.lru_cache(maxsize=None)
def architecture(number):
    """sm_XX of a GPU, by the driver."""
    driver, value, parts = ctypes.CDLL('libcuda.so.1'), ctypes.c_int(), []
    driver.cuInit(0)
    for attribute in (75, 76):  # the compute capability's major and minor number
        if driver.cuDeviceGetAttribute(ctypes.byref(value), attribute, number):
            raise CompileError('the driver does not know GPU %d' % number)
        parts.append(str(value.value))
    return 'sm_' + ''.join(parts)


def triple(shape):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if not 1 <= len(shape) <= 3 or any(not isinstance(n, int) or n < 1 for n in shape):
        raise ValueError('a grid or block is one to three positive numbers, not %r' % (shape,))
    return shape + (1,) * (3 - len(shape))


def stream_of(objects):
    """The stream in which the arrays' library works at the moment: a number for CUDA."""
    for owner in objects:
        library = type(owner).__module__.partition('.')[0]
        if library == 'torch':
            return sys.modules['torch'].cuda.current_stream(owner.device).cuda_stream
        if library == 'cupy':
            return sys.modules['cupy'].cuda.get_current_stream().ptr
    return 0


class Kernel:
    """A kernel of a Module. kernel(grid, block, shared=0, stream=None)(arguments...) launches it:
    `shared` bytes of dynamic shared memory, `stream` a number or an object with `cuda_stream` or
    `ptr`; without one, the stream that PyTorch or CuPy works in. A GPU works on when the call
    returns, as always."""

    def __init__(self, module, name, parameters):
        self.module, self.name, self.parameters = module, name, parameters
        self._launchers = {}

    def __repr__(self):
        return '<mesicc kernel %s(%s)>' % (
            self.name,
            ', '.join('%s: %s' % (p.name, p.spelling) for p in self.parameters),
        )

    def __call__(self, grid, block, shared=0, stream=None):
        grid, block = triple(grid), triple(block)
        return lambda *arguments: self._launch(grid, block, shared, stream, arguments)

    def source(self, block, shared=False, target='cuda'):
        """The text that mesicc gets for launches of this shape."""
        return self.module.source + LAUNCHER % {
            'kernel': self.name,
            'parameters': ''.join(', %s %s' % (p.spelling, p.name) for p in self.parameters),
            'arguments': ', '.join(p.name for p in self.parameters),
            'block': '%d, %d, %d' % triple(block),
            'shared': '_bytes' if shared else '0',
            'wait': '' if target == 'cuda' else '  cudaDeviceSynchronize();\n',
        }

    def _convert(self, arguments):
        """The arguments as ctypes takes them, and the views of the arrays among them."""
        if len(arguments) != len(self.parameters):
            raise TypeError(
                '%s takes %d arguments, not %d' % (self.name, len(self.parameters), len(arguments))
            )
        given, views = [], []
        for parameter, value in zip(self.parameters, arguments):
            if not parameter.is_pointer:
                given.append(value)
                continue
            view = None if value is None else arrays.view_of(value)
            problem = parameter.problem_of(view) if view else None
            if value is not None and not view:
                problem = 'it is no array'
            if problem:
                raise TypeError("argument '%s' of %s: %s" % (parameter.name, self.name, problem))
            given.append(view and view.address)
            views += [view] if view else []
        if len({(v.device, v.number) for v in views}) > 1:
            raise TypeError('the arrays given to %s lie on several devices' % self.name)
        return given, views

    def _launcher(self, block, shared, target, number):
        key = block, shared, target, number
        if key not in self._launchers:
            library = ctypes.CDLL(self.module._library(self, block, shared, target, number))
            library.mesicc_launch.argtypes = (
                [ctypes.c_uint] * 4 + [ctypes.c_void_p] + [p.c_type for p in self.parameters]
            )
            library.mesicc_error.restype = ctypes.c_char_p
            library.mesicc_error.argtypes = [ctypes.c_int]
            self._launchers[key] = library
        return self._launchers[key]

    def _launch(self, grid, block, shared, stream, arguments):
        given, views = self._convert(arguments)
        on_gpu = bool(views) and views[0].device == arrays.CUDA
        target = self.module.target or ('cuda' if on_gpu else 'cpu')
        if views and on_gpu != (target == 'cuda'):
            raise TypeError(
                'the arrays given to %s are not where it runs (%s)' % (self.name, target)
            )
        number = views[0].number if views else 0
        if stream is None:
            stream = stream_of(arguments) if on_gpu else 0
        stream = getattr(stream, 'cuda_stream', getattr(stream, 'ptr', stream))
        library = self._launcher(block, bool(shared), target, number)
        status = library.mesicc_launch(*grid, shared, stream or None, *given)
        if status:
            raise LaunchError('%s: %s' % (self.name, library.mesicc_error(status).decode()))


class Module:
    """The kernels of a source, by name; `kernel` is the only one, where there is one."""

    def __init__(self, source, level, target, arch, options):
        self.source, self.level, self.target, self.arch = source, level, target, arch
        self.options = list(options)
        dump = open(kept([source, *self.options], 'kernels', self._read)).read()
        self.kernels = {
            name.rpartition('::')[2]: Kernel(self, name, parameters)
            for name, parameters in signature.parameters_of(dump).items()
        }
        for kernel in self.kernels.values():
            for parameter in kernel.parameters:
                if parameter.c_type is None:
                    raise CompileError(
                        "parameter '%s' of %s: a '%s' cannot be given from Python"
                        % (parameter.name, kernel.name, parameter.spelling)
                    )

    def __getattr__(self, name):
        kernels = self.__dict__.get('kernels', {})
        if name in kernels:
            return kernels[name]
        if name == 'kernel' and len(kernels) == 1:
            return next(iter(kernels.values()))
        raise AttributeError('the source has no kernel %s, only %s' % (name, ', '.join(kernels)))

    def __dir__(self):
        return [*super().__dir__(), *self.kernels]

    def _read(self, path):
        import tempfile

        with tempfile.TemporaryDirectory() as work:
            file = os.path.join(work, 'source.cu')
            with open(file, 'w') as out:
                out.write(self.source)
            words = [tool(), '--target=cpu', *self.options, '--dump-ir', '-o', path, file]
            text = run(words, 'mesicc')
        if not os.path.exists(path):
            with open(path, 'w') as out:
                out.write(text)

    def _library(self, kernel, block, shared, target, number):
        arch = self.arch or (architecture(number) if target == 'cuda' else '')
        text = kernel.source(block, shared, target)
        words = ['--target=' + target, '-O%s' % self.level, *(['-arch=' + arch] if arch else [])]
        words += ['--link', '-shared', '-Xcompiler=-fPIC', *self.options]

        def make(path):
            source = os.path.join(os.path.dirname(path), kernel.name + '.cu')
            with open(source, 'w') as out:
                out.write(text)
            run([tool(), *words, '-L', LIBRARIES, '-o', path, source], 'mesicc')

        key = [text, *words]
        return kept(key, 'kernel.so', make)


def compile(source, level=2, target=None, arch=None, options=()):
    """A Module of the kernels in `source`, CUDA C++. level: 0 to 3, as mesicc's -O (3 may change
    the order of floating-point sums). target: 'cuda' or 'cpu'; without one, where the arrays of a
    call are. arch: 'sm_90'; without one, that of the arrays' GPU. options: more of mesicc's, such
    as -I and -D. Raises CompileError with the text of mesicc's or the compiler's messages."""
    if target not in (None, 'cuda', 'cpu'):
        raise ValueError("target is 'cuda' or 'cpu', not %r" % (target,))
    return Module(source, level, target, arch, options)
