#!/usr/bin/env python3
"""Writes man pages and completions from the tables that mesicc itself has: verbs.def,
options.def, nvcc.def, settings.def.

usage: manual.py WHAT VERSION OUTPUT
WHAT: man (mesicc.1), man-VERB, mesi.3, environment.7, bash, zsh, fish"""
import os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DRIVER = os.path.join(ROOT, 'translator', 'driver')
STRING = r'"((?:[^"\\]|\\.)*)"'


def strings(line):
    return [s.replace('\\"', '"').replace('\\\\', '\\') for s in re.findall(STRING, line)]


def lines(path, kind):
    text = re.sub(r'(?<!\\)"\s+"', '', open(os.path.join(DRIVER, path)).read())
    text = re.sub(r',\s+', ', ', text)
    return [l for l in text.split('\n') if re.match(r'(%s)\(' % kind, l)]


def verbs():
    """(name, usage, text), the translation without a name first."""
    return [tuple(strings(l)) for l in lines('verbs.def', 'VERB')]


def options():
    """(spellings, form, argument, text, own) of all that have a meaning here."""
    for line in lines('options.def', 'OPTION'):
        spelling, argument, text = strings(line)
        yield [spelling], line.split(',')[2].strip(), argument, text, True
    for line in lines('nvcc.def', 'TAKEN|FORWARDED'):
        longer, shorter, argument, text = strings(line)
        form = re.search(r', (FLAG|VALUE|WORD|LIST|SWITCH|PHASE|PREFIX), ', line).group(1)
        if line.startswith('TAKEN') or form == 'PHASE':
            yield sorted({longer, shorter}, key=len), form, argument, text, False


def concerns(text, verb):
    head = re.match(r'([a-z, ]+):', text)
    named = [n for n, _, _ in verbs() if n and head and n in re.split(r'[ ,]+', head.group(1))]
    return not named or verb in named


def quoted(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return '\\&' + text if text[:1] in ".'" else text


def head(name, section, version, about):
    return [
        '.TH %s %s "" "mesicc %s" "mesicc"' % (name.upper().replace('-', '\\-'), section, version),
        '.ad l',
        '.SH NAME',
        '%s \\- %s' % (quoted(name), quoted(about)),
    ]


def option_lines(verb):
    out = ['.SH OPTIONS']
    for spellings, form, argument, text, own in options():
        if not concerns(text, verb) or (form == 'PHASE' and verb):
            continue
        space = '' if form in ('FLAG', 'PHASE', 'JOINED') else ' '
        shown = ', '.join('\\fB%s\\fR' % quoted(s) for s in spellings)
        out += [
            '.TP',
            '%s%s\\fI%s\\fR' % (shown, space, quoted(argument)),
            quoted(text or 'as nvcc'),
        ]
    return out


STATUS = [
    '.SH EXIT STATUS',
    '0 fine, 1 usage or I/O, 2 errors in the source, 3 internal error or a limit reached, '
    '4 something was reported or results',
    'differ, 5 not decided.',
    'A program that is run ends with its own status.',
]


def man(version, verb=''):
    name, usage, text = next(v for v in verbs() if v[0] == verb)
    title = 'mesicc' + ('-' + verb if verb else '')
    about = text if verb else 'translate CUDA so that shared memory caches device memory'
    out = head(title, 1, version, about)
    out += ['.SH SYNOPSIS']
    for other, usage, text in verbs():
        if not verb or other == verb:
            out += ['.B mesicc' + (' ' + other if other else ''), quoted(usage), '.br']
    out += ['.SH DESCRIPTION']
    for other, usage, text in verbs():
        if not verb or other == verb:
            out += ['.TP', '.B mesicc' + (' ' + other if other else ''), quoted(text)]
    out += option_lines(verb) + STATUS + ['.SH SEE ALSO']
    pages = ['mesicc'] + ['mesicc\\-' + n for n, _, _ in verbs() if n and n != verb]
    out += [', '.join('.BR %s (1)' % p if not i else p + '(1)' for i, p in enumerate(pages))]
    return out + ['.BR mesi (3),', '.BR mesicc\\-environment (7)']


def mesi(version):
    text = open(os.path.join(ROOT, 'runtime', 'mesi.h')).read()
    out = head('mesi', 3, version, 'the runtime of translated programs')
    out += ['.SH SYNOPSIS', '.B #include <mesi.h>', '.SH FUNCTIONS', '.nf']
    out += [quoted(l) for l in text.split('\n') if not l.startswith('#')]
    return out + ['.fi', '.SH SEE ALSO', '.BR mesicc (1)']


def environment(version):
    text = open(os.path.join(ROOT, 'runtime', 'settings.def')).read()
    text = text.split('#ifdef')[0]
    forms = {
        'TEXT': 'text',
        'NUMBER': 'a number',
        'SIGNED': 'a number, also below 0',
        'SIZE': 'bytes, with K, M or G behind the digits',
    }
    out = head(
        'mesicc-environment', 7, version, 'what mesicc and its programs read of the environment'
    )
    out += ['.SH DESCRIPTION', 'An empty value counts as none.']
    for name, form in re.findall(r'SETTING\((\w+), (\w+)\)', text):
        out += ['.TP', '.B ' + name, 'Its value is %s.' % forms.get(form, 'text')]
    return out + [
        '.SH SEE ALSO',
        '.BR mesicc (1)',
        'and docs/environment.md, which says what each does.',
    ]


def words():
    return sorted({s for spellings, _, _, _, _ in options() for s in spellings})


def bash(version):
    names = ' '.join(n for n, _, _ in verbs() if n)
    return [
        '# bash completion for mesicc',
        '_mesicc() {',
        '  local word=${COMP_WORDS[COMP_CWORD]}',
        '  if [ "$COMP_CWORD" = 1 ] && [[ $word != -* ]]; then',
        '    COMPREPLY=($(compgen -W "%s help" -- "$word") $(compgen -f -- "$word"))' % names,
        '  elif [[ $word == -* ]]; then',
        '    COMPREPLY=($(compgen -W "%s" -- "$word"))' % ' '.join(words()),
        '    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace',
        '  else',
        '    COMPREPLY=($(compgen -f -- "$word"))',
        '  fi',
        '}',
        'complete -o filenames -F _mesicc mesicc',
    ]


def zsh(version):
    def shown(text):
        return re.sub(r"([\[\]:'\\])", '', text)

    out = ['#compdef mesicc', "local -a verbs=(%s help)" % ' '.join(n for n, _, _ in verbs() if n)]
    out += ['_arguments \\']
    for spellings, form, argument, text, own in options():
        for spelling in spellings:
            if spelling.endswith('='):
                spec = "'%s-[%s]:%s:_files' \\" % (spelling, shown(text), shown(argument))
            elif form in ('FLAG', 'PHASE'):
                spec = "'%s[%s]' \\" % (spelling, shown(text))
            else:
                spec = "'*%s[%s]:%s:_files' \\" % (spelling, shown(text), shown(argument))
            out.append('  ' + spec)
    return out + ["  '1: :{compadd -a verbs; _files}' '*:file:_files'"]


def fish(version):
    out = []
    for name, _, text in verbs():
        if name:
            out.append(
                "complete -c mesicc -n __fish_use_subcommand -a %s -d '%s'"
                % (name, text.replace("'", "\\'"))
            )
    for spellings, form, argument, text, own in options():
        for spelling in spellings:
            kind = '-l' if spelling.startswith('--') else '-s' if len(spelling) == 2 else '-o'
            value = '' if form in ('FLAG', 'PHASE') else ' -r'
            out.append(
                "complete -c mesicc %s '%s'%s -d '%s'"
                % (kind, spelling.lstrip('-').rstrip('='), value, text.replace("'", "\\'"))
            )
    return out


def main():
    what, version, path = sys.argv[1:]
    makers = {
        'man': man,
        'mesi.3': mesi,
        'environment.7': environment,
        'bash': bash,
        'zsh': zsh,
        'fish': fish,
    }
    verb = what[4:] if what.startswith('man-') else None
    made = man(version, verb) if verb else makers[what](version)
    open(path, 'w').write('\n'.join(made) + '\n')


main()
# SPDX-License-Identifier: MIT
