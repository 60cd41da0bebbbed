# SPDX-License-Identifier: MIT
"""The command `mesicc` of the package: the translator itself."""
import os
import sys

from .compiler import LIBRARIES, tool


def main():
    words = [tool(), *sys.argv[1:]]
    if os.path.isdir(LIBRARIES):
        paths = [LIBRARIES, os.environ.get('LIBRARY_PATH', '')]
        os.environ['LIBRARY_PATH'] = ':'.join(path for path in paths if path)
    os.execv(words[0], words)
