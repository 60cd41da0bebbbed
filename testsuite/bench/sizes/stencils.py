#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes two programs that time naive kernels at a size: arithmetic.cu and forms.cu.

usage: stencils.py [DIR]

arithmetic.cu: stencils of five loads with 1 to 80 operations beside them, which show where sharing
loads between the elements of a thread stops paying. forms.cu: filters, stencils in two and three
dimensions, sums, copies and transpositions as beginners write them. Both have each kernel in float
and in double, take the length of a side as their argument, and print a checksum of each kernel."""
import os
import sys

HEAD = '#include <cstdio>\n#include <cstdlib>\n#include <vector>\n'
IDS = (
    '  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n'
)
FLAT = '  int i = blockIdx.x * blockDim.x + threadIdx.x;\n'
DEEP = IDS[:-2] + ',\n      k = blockIdx.z * blockDim.z + threadIdx.z;\n'
INSIDE = '  if (i < %d || i >= w - %d || j < %d || j >= h - %d) return;\n'
FIVE = (
    '  T c = a[j * w + i], n = a[(j - 1) * w + i], s = a[(j + 1) * w + i];\n'
    '  T e = a[j * w + i + 1], v = a[j * w + i - 1], x = n + s + e + v - c;\n'
)


def single(name, kind):
    """The function's name for float or double."""
    return name + 'f' if kind == 'float' else name


OPERATIONS = {
    'div': lambda kind, k: 'x = x / (by + (T)%d);' % k,
    'exp': lambda kind, k: 'x = x + %s(-x);' % single('exp', kind),
    'sqrt': lambda kind, k: 'x = %s(x * x + (T)%d);' % (single('sqrt', kind), k + 1),
    'pow': lambda kind, k: 'x = %s(x * x + (T)%d, by);' % (single('pow', kind), k + 1),
    'fma': lambda kind, k: 'x = x * by + (T)%d;' % (k + 1),
}
COUNTS = {'div': (1, 2, 4, 8), 'exp': (1, 2, 4, 8), 'sqrt': (2, 6), 'pow': (1, 2), 'fma': (10, 30)}


def filtered(radius, index, weight):
    """A filter over a square whose index is `index`, with x and y for the pixel."""
    return (
        '  T s = 0;\n'
        '  for (int v = -%d; v <= %d; v++)\n'
        '    for (int u = -%d; u <= %d; u++) {\n'
        '      int x = i + u, y = j + v;\n'
        '      %s\n'
        '    }\n'
        '  o[j * w + i] = s * (T)%s;\n'
    ) % (radius, radius, radius, radius, index, weight)


def along(axis):
    """A filter of 17 taps along an axis, with clamped indices."""
    own, limit, at = ('j', 'h', 'p * w + i') if axis == 'y' else ('i', 'w', 'j * w + p')
    return (
        '  if (i >= w || j >= h) return;\n  T s = 0;\n'
        '  for (int v = -8; v <= 8; v++) {\n    int p = %s + v;\n'
        '    if (p < 0) p = 0;\n    if (p > %s - 1) p = %s - 1;\n'
        '    s += a[%s] * q[v + 8];\n  }\n  o[j * w + i] = s;\n'
    ) % (own, limit, limit, at)


PLANE = {
    'conv3': INSIDE % (1, 1, 1, 1)
    + filtered(1, 's += a[y * w + x] * q[(v + 1) * 3 + u + 1];', '1'),
    'conv7': INSIDE % (3, 3, 3, 3)
    + filtered(3, 's += a[y * w + x] * q[(v + 3) * 7 + u + 3];', '1'),
    'box5': '  if (i >= w || j >= h) return;\n'
    + filtered(2, 'if (x >= 0 && x < w && y >= 0 && y < h) s += a[y * w + x];', '0.04'),
    'clamp3': '  if (i >= w || j >= h) return;\n'
    + filtered(1, 's += a[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];', '0.1'),
    'nine': INSIDE % (1, 1, 1, 1)
    + '  const T *p = a + j * w + i;\n'
    + '  o[j * w + i] = (p[-w - 1] + p[-w] + p[-w + 1] + p[-1] + p[0] + p[1] + p[w - 1] + p[w] +\n'
    + '                  p[w + 1]) / 9;\n',
    'star9': INSIDE % (2, 2, 2, 2)
    + '  int c = j * w + i;\n'
    + '  o[c] = a[c] + (T)0.1 * (a[c - 1] + a[c + 1] + a[c - w] + a[c + w]) +\n'
    + '         (T)0.05 * (a[c - 2] + a[c + 2] + a[c - 2 * w] + a[c + 2 * w]);\n',
    'jacobi': INSIDE % (1, 1, 1, 1)
    + '  int c = j * w + i;\n'
    + '  o[c] = (T)0.25 * (a[c - 1] + a[c + 1] + a[c - w] + a[c + w] - q[c]);\n',
    'vert': along('y'),
    'horiz': along('x'),
    'upd': '  int c = j * w + i;\n  if (i < w && j < h) o[c] = a[c] * q[c] + o[c];\n',
    'turn': '  if (i < w && j < h) o[i * h + j] = a[j * w + i];\n',
}
LINE = {
    'axpy': '  if (i < n) o[i] = a[i] * (T)1.5 + o[i];\n',
    'relu': '  if (i < n) o[i] = a[i] > 0 ? a[i] : 0;\n',
    'diff': '  if (i > 0 && i < n - 1) o[i] = (a[i + 1] - a[i - 1]) * (T)0.5;\n',
    'bias': '  if (i < n) o[i] = a[i] + q[i % w];\n',
    'poly': '  if (i < n) {\n    T x = a[i], s = 0;\n'
    '    for (int k = 0; k < 12; k++) s = s * x + q[k];\n    o[i] = s;\n  }\n',
    'stride': '  for (int k = i; k < n; k += gridDim.x * blockDim.x) o[k] = a[k] + q[k];\n',
}
SEVEN = (
    '  if (i < 1 || i >= e - 1 || j < 1 || j >= e - 1 || k < 1 || k >= e - 1) return;\n'
    '  int c = (k * e + j) * e + i;\n'
    '  o[c] = (T)0.5 * a[c] + (T)0.08 * (a[c - 1] + a[c + 1] + a[c - e] + a[c + e] +\n'
    '                                    a[c - e * e] + a[c + e * e]);\n'
)


def kernel(name, kind, more, ids, body):
    """The text of one kernel."""
    head = '__global__ void %s_%s(const T *a, const T *q, T *o, %s)\n{\n' % (name, kind, more)
    return (head + ids + body + '}\n').replace('T ', kind + ' ').replace('(T)', '(%s)' % kind)


def launched(launches, kind):
    """The part of main for one type."""
    text = (
        '  {\n    std::vector<T> host(n);\n'
        '    for (size_t k = 0; k < n; k++) host[k] = (T)((long)(k % 97) - 30) / 97;\n'
        '    T *a, *q, *o;\n'
    )
    for name in 'aqo':
        text += '    cudaMalloc((void **)&%s, n * sizeof *a);\n' % name
        text += '    cudaMemcpy(%s, host.data(), n * sizeof *a, cudaMemcpyHostToDevice);\n' % name
    for name, shape, more in launches:
        text += '    %s_%s<<<%s>>>(a, q, o, %s);\n' % (name, kind, shape, more)
        text += '    cudaMemcpy(host.data(), o, n * sizeof *a, cudaMemcpyDeviceToHost);\n'
        text += '    shown("%s_%s", host);\n' % (name, kind)
    text += '  }\n'
    text = text.replace('<T>', '<%s>' % kind).replace('(T)', '(%s)' % kind)
    return text.replace('T *', kind + ' *')


def program(kernels, launches):
    """A whole program."""
    text = HEAD + ''.join(kernels)
    text += (
        '\ntemplate <class T> static void shown(const char *name, const std::vector<T> &host)\n{\n'
        '  double sum = 0;\n'
        '  for (size_t k = 0; k < host.size(); k++) sum += host[k] * (double)(k % 7 + 1);\n'
        '  printf("%s %.17g\\n", name, sum);\n}\n\n'
        'int main(int argc, char **argv)\n{\n'
        '  int w = argc > 1 ? atoi(argv[1]) : 64, h = w, e = 16;\n'
        '  size_t n = (size_t)w * h;\n'
        '  while ((size_t)(e + 8) * (e + 8) * (e + 8) <= n) e += 8;\n'
        '  dim3 b(16, 16), g((w + 15) / 16, (h + 15) / 16);\n'
        '  dim3 deep(32, 4, 2), all((e + 31) / 32, (e + 3) / 4, (e + 1) / 2);\n'
        '  unsigned flat = (unsigned)((n + 255) / 256);\n'
        '  (void)flat, (void)all, (void)deep;\n'
    )
    return text + ''.join(launched(launches, kind) for kind in KINDS) + '  return 0;\n}\n'


KINDS = ('float', 'double')


def arithmetic():
    """Stencils with operations beside."""
    kernels, launches = [], []
    for operation, counts in COUNTS.items():
        for count in counts:
            name = '%s%d' % (operation, count)
            launches.append((name, 'g, b', 'w, h, 1.25'))
            for kind in KINDS:
                lines = ['  %s\n' % OPERATIONS[operation](kind, k) for k in range(count)]
                body = INSIDE % (1, 1, 1, 1) + FIVE + ''.join(lines) + '  o[j * w + i] = x;\n'
                kernels.append(kernel(name, kind, 'int w, int h, T by', IDS, body))
    return program(kernels, launches)


def forms():
    """Kernels as beginners write them."""
    kernels, launches = [], []
    for kind in KINDS:
        kernels += [kernel(k, kind, 'int w, int h', IDS, body) for k, body in PLANE.items()]
        kernels += [kernel(k, kind, 'int n, int w', FLAT, body) for k, body in LINE.items()]
        kernels.append(kernel('seven', kind, 'int e', DEEP, SEVEN))
    launches += [(name, 'g, b', 'w, h') for name in PLANE]
    launches += [(k, '264, 256' if k == 'stride' else 'flat, 256', '(int)n, w') for k in LINE]
    launches.append(('seven', 'all, deep', 'e'))
    return program(kernels, launches)


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else '.'
    for name, text in (('arithmetic', arithmetic()), ('forms', forms())):
        with open(os.path.join(directory, name + '.cu'), 'w') as file:
            file.write(text)


if __name__ == '__main__':
    main()
