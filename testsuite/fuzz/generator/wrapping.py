# SPDX-License-Identifier: MIT
"""Host code that reaches launches and arrays through macros, packs, lambdas and functions.

    #define RUN0(K, G, B, ...) K<<<G, B>>>(__VA_ARGS__)              RUN0(k0_0, 4, 64, ga, 7);
    template <class F, class... A> void go0(F f, dim3 g, dim3 b, A... x) { f<<<g, b>>>(x...); }
    #define HERE0() getcwd((char *)ga, 4096)                         note(HERE0() != 0);
"""
import re

LAUNCH = re.compile(r'@LAUNCH (.+?) @CONFIG (.*?) @ARGS (.*?) @END;$')
POINTER = re.compile(r'^note\((.*) != NULL\);$')
NOTED = re.compile(r'^note\((.*)\);$')
ARRAY = re.compile(r'(?<![\w:])((?:\w*::)?g[a-h]\d*)(?!\w)')
FORMS = ('whole', 'arguments', 'optional', 'kernel', 'pack', 'pack', 'lambda', 'called')


def parts_of(text):
    """Of a list of arguments: where commas outside of parentheses are."""
    out, depth = [''], 0
    for c in text:
        depth += (c in '([{') - (c in ')]}')
        if c == ',' and not depth:
            out.append('')
        else:
            out[-1] += c
    return [part.strip() for part in out if part.strip()]


def launch(choice, name, text):
    """(lines of functions, lines in place of the launch)"""
    callee, configuration, arguments = LAUNCH.match(text).groups()
    given = parts_of(arguments)
    form = choice.one(FORMS)
    if form in ('arguments', 'optional', 'kernel') and (not given or ',' in callee):
        form = 'whole'
    if form == 'pack':
        return _pack(choice, name, callee, parts_of(configuration), given)
    whole = '@LAUNCH %s @CONFIG %s @ARGS %s @END'
    if form == 'lambda':
        body = whole % (callee, configuration, arguments)
        return [], choice.one(
            [['auto %s = [&] { %s; };' % (name, body), '%s();' % name], ['[&]() { %s; }();' % body]]
        )
    if form == 'called':
        body = whole % (callee, configuration, arguments)
        return [], ['auto %s = [&](auto run) { run(); };' % name, '%s([&] { %s; });' % (name, body)]
    if form == 'whole':
        return [], [
            '#define %s() %s' % (name, whole % (callee, configuration, arguments)),
            '%s();' % name,
        ]
    if form == 'optional':
        first = given[0] + ' __VA_OPT__(,) __VA_ARGS__'
        return [], [
            '#define %s(...) %s' % (name, whole % (callee, configuration, first)),
            '%s(%s);' % (name, ', '.join(given[1:])),
        ]
    if form == 'arguments':
        return [], [
            '#define %s(...) %s' % (name, whole % (callee, configuration, '__VA_ARGS__')),
            '%s(%s);' % (name, arguments),
        ]
    names = ['G', 'B', 'M'][: len(parts_of(configuration))]
    head = '#define %s(K, %s, ...) %s' % (
        name,
        ', '.join(names),
        whole % ('K', ', '.join(names), '__VA_ARGS__'),
    )
    return [], [head, '%s(%s, %s, %s);' % (name, callee, configuration, arguments)]


def _pack(choice, name, callee, configuration, given):
    names = ['dim3 g', 'dim3 b', 'size_t m'][: len(configuration)]
    pack = choice.one(['A... x', 'A... x', 'A &&... x'])
    head = 'template <class F, class... A> static void %s(F f, %s, %s)' % (
        name,
        ', '.join(names),
        pack,
    )
    used = ', '.join(n.split()[1] for n in names)
    body = '  @LAUNCH f @CONFIG %s @ARGS x... @END;' % used
    return [[head, '{', body, '}']], [
        '%s(%s);' % (name, ', '.join([callee] + configuration + given))
    ]


def _macro_of(choice, name, line):
    """A line as a macro and its use."""
    pointer, noted = POINTER.match(line), NOTED.match(line)
    if pointer and choice.chance(0.6):
        return ['#define %s() %s' % (name, pointer.group(1)), 'note(%s() != NULL);' % name]
    if noted and choice.chance(0.5):
        return ['#define %s() %s' % (name, noted.group(1)), 'note(%s());' % name]
    arrays = ARRAY.findall(line)
    body, end = (line[:-1], ';') if line.endswith(';') else (line, '')
    if arrays and choice.chance(0.4):
        chosen = choice.one(arrays)
        body = re.sub(r'(?<![\w:])%s(?!\w)' % re.escape(chosen), 'A_', body)
        return ['#define %s(A_) %s' % (name, body), '%s(%s)%s' % (name, chosen, end)]
    return ['#define %s %s' % (name, body), name + end]


def in_macros(choice, name, lines, share):
    """The lines, some of them as macros."""
    out = []
    for number, line in enumerate(lines):
        text = line.strip()
        fits = (
            text.endswith((';', '}'))
            and not text.startswith(('#', '}', 'else'))
            and '@' not in text
            and text.count('{') == text.count('}')
        )
        if not fits or not choice.chance(share):
            out.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip())]
        out += [indent + new for new in _macro_of(choice, '%s_%d' % (name, number), text)]
    return out
