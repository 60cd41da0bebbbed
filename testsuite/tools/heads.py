# SPDX-License-Identifier: MIT
"""What the comment at a program's head says to the tests."""
import itertools, re


def comment_of(path):
    """The lines of the comment that a file begins with."""
    with open(path, errors='replace') as file:
        return list(itertools.takewhile(lambda line: line.startswith(('//', '/*', ' *')), file))


def args_of(path):
    """The options for mesicc in a line `// args: ...`."""
    for line in comment_of(path):
        found = re.search(r'(?://|\*) args: (.*)', line)
        if found:
            return found.group(1).replace('*/', '').split()
    return []
