#!/usr/bin/env python3
"""Writes what editors need to know of .mcu files from one list: the words below, and the functions
and constants of runtime/mesi.h.

usage: syntax.py WHAT VERSION OUTPUT
WHAT: vim (syntax/mcu.vim), vim-detect (ftdetect/mcu.vim), code-package, code-grammar,
code-brackets (the extension for VS Code)"""
import json, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPECIFIERS = (
    '__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __noinline__ '
    '__forceinline__ __launch_bounds__ __grid_constant__ __cluster_dims__'
).split()
BUILTINS = 'threadIdx blockIdx blockDim gridDim warpSize'.split()
TYPES = ['dim3', 'cudaStream_t', 'cudaEvent_t', 'cudaError_t'] + [
    base + str(n)
    for base in (
        'char uchar short ushort int uint long ulong longlong ulonglong float double'.split()
    )
    for n in (1, 2, 3, 4)
]
FUNCTIONS = (
    '__syncthreads __syncthreads_and __syncthreads_or __syncthreads_count __syncwarp '
    '__threadfence __threadfence_block __threadfence_system __shfl_sync __shfl_up_sync '
    '__shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask '
    'atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd '
    'atomicOr atomicXor __ldg'
).split()


def mesi_words():
    """(functions, constants) of the runtime's interface."""
    text = open(os.path.join(ROOT, 'runtime', 'mesi.h')).read()
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    functions = sorted(set(re.findall(r'\b(mesi_\w+)\(', text)))
    constants = sorted(set(re.findall(r'\b(MESI_\w+) *=', text)))
    return functions, constants


def vim(version):
    functions, constants = mesi_words()
    rows = [
        ('mcuStorage', 'StorageClass', SPECIFIERS),
        ('mcuVariable', 'Identifier', BUILTINS),
        ('mcuType', 'Type', TYPES),
        ('mcuFunction', 'Function', FUNCTIONS + functions),
        ('mcuConstant', 'Constant', constants),
    ]
    out = ['" Vim syntax file: CUDA C++ with virtual shared variables, mesicc ' + version]
    out += ["if exists('b:current_syntax')", '  finish', 'endif', 'runtime! syntax/cpp.vim']
    out += ['unlet! b:current_syntax']
    for name, _, words in rows:
        out += ['syn keyword %s %s' % (name, w) for w in words if w]
    out += ['syn match mcuLaunch "<<<\\|>>>"']
    out += ['hi def link %s %s' % (name, group) for name, group, _ in rows]
    return out + ['hi def link mcuLaunch Special', "let b:current_syntax = 'mcu'"]


def vim_detect(version):
    return ['autocmd BufNewFile,BufRead *.mcu setfiletype mcu']


def code_package(version):
    language = {
        'id': 'mcu',
        'aliases': ['MESI-CUDA', 'mcu'],
        'extensions': ['.mcu'],
        'configuration': './language-configuration.json',
    }
    grammar = {'language': 'mcu', 'scopeName': 'source.mcu', 'path': './mcu.tmLanguage.json'}
    package = {
        'name': 'mesicc-mcu',
        'displayName': 'mesicc',
        'description': 'CUDA C++ with virtual shared variables (.mcu)',
        'version': version,
        'publisher': 'mesicc',
        'license': 'MIT',
        'engines': {'vscode': '^1.60.0'},
        'categories': ['Programming Languages'],
        'contributes': {'languages': [language], 'grammars': [grammar]},
    }
    return [json.dumps(package, indent=1)]


def code_grammar(version):
    functions, constants = mesi_words()
    rows = [
        ('storage.modifier.mcu', SPECIFIERS),
        ('variable.language.mcu', BUILTINS),
        ('support.type.mcu', TYPES),
        ('support.function.mcu', FUNCTIONS + functions),
        ('constant.other.mcu', constants),
    ]
    patterns = [{'name': n, 'match': r'\b(%s)\b' % '|'.join(w)} for n, w in rows]
    patterns += [{'name': 'keyword.operator.launch.mcu', 'match': '<<<|>>>'}]
    grammar = {
        'name': 'mcu',
        'scopeName': 'source.mcu',
        'injections': {'L:source.mcu -comment -string': {'patterns': patterns}},
        'patterns': [{'include': 'source.cpp'}],
    }
    return [json.dumps(grammar, indent=1)]


def code_brackets(version):
    pairs = [['{', '}'], ['[', ']'], ['(', ')']]
    quotes = [['"', '"'], ["'", "'"]]
    made = {
        'comments': {'lineComment': '//', 'blockComment': ['/*', '*/']},
        'brackets': pairs,
        'autoClosingPairs': pairs + quotes,
        'surroundingPairs': pairs + quotes,
    }
    return [json.dumps(made, indent=1)]


MAKERS = {
    'vim': vim,
    'vim-detect': vim_detect,
    'code-package': code_package,
    'code-grammar': code_grammar,
    'code-brackets': code_brackets,
}


def main():
    what, version, path = sys.argv[1:]
    open(path, 'w').write('\n'.join(MAKERS[what](version)) + '\n')


if __name__ == '__main__':
    main()
# SPDX-License-Identifier: MIT
