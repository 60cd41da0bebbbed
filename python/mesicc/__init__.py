# SPDX-License-Identifier: MIT
"""CUDA kernels from Python, optimised by mesicc.

    import mesicc
    module = mesicc.compile('''
    __global__ void saxpy(int n, float a, const float *x, float *y)
    {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] += a * x[i];
    }''')
    module.saxpy(grid, block)(n, 2.0, x, y)      # or module.kernel(...), where there is one

An array is anything with DLPack (PyTorch, CuPy, NumPy) or with Python's buffer protocol. Arrays on
a GPU run there, those on the host on the CPU backend. The first call for a kernel and a shape of
block translates and compiles it; the result is kept by content, for other processes too.
"""
from .compiler import CompileError, Kernel, LaunchError, Module, compile, tool
from .page import Page, explain

__all__ = ['CompileError', 'Kernel', 'LaunchError', 'Module', 'Page', 'compile', 'explain', 'tool']
__version__ = '0.1.0'
