# SPDX-License-Identifier: MIT
"""Names in namespaces: some arrays of a section are declared in one, some of them under a name that
is an array's of the file scope as well."""


def put(choice, arrays, number):
    """Names for some of the arrays: part0::ga0, ::gb0. Returns the line that makes the namespace's
    names known, or ''."""
    space = choice.one(['part%d', 'part%d::inner', 'part%d']) % number
    chosen = [a for a in arrays if choice.chance(0.4)]
    outside = [a for a in arrays if a not in chosen and a.storage != 'raw']
    for array in chosen:
        array.name = '%s::%s' % (space, array.name)
    for array in [a for a in chosen if a.storage != 'raw' and not a.is_table]:
        if outside and choice.chance(0.5):
            other = outside.pop()
            if not other.is_table:
                array.name = '%s::%s' % (space, other.name)
                other.name = '::' + other.name
    return 'using namespace %s;' % space if chosen and choice.chance(0.6) else ''


def plain(name):
    """The last part of a name."""
    return name.rpartition('::')[2]


def declared(name, text):
    """A declaration of the plain name, in the namespace of `name`."""
    space = name.rpartition('::')[0]
    return 'namespace %s { %s }' % (space, text) if space else text
