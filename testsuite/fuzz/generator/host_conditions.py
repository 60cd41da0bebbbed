# SPDX-License-Identifier: MIT
"""Host code with declarations in conditions, and loops that pointers and falling numbers count.

    if (float v = ga[7]; v > 0) gb[3] += 1; else note(v);     switch (int c = gc[1] & 3; c) { ... }
    while (unsigned low = m & -m) { ... }                     while (k--) ga[k] = k;
"""


def use(host, array):
    host.lines += host.choice.one([_if, _switch, _bits, _down, _walk])(host, array)


def _place(host, array):
    suffix, scalar = host._member(array)
    return host._element(array, host.choice.number(0, array.count - 1)) + suffix, scalar


def _change(host):
    """A statement that changes an element."""
    target, scalar = _place(host, host.choice.one(host._usable()))
    return host._halved(target, scalar)


def _whole(text, scalar):
    return '(unsigned)(int)%s' % text if scalar.kind == 'real' else '(unsigned)%s' % text


def _if(host, array):
    (text, scalar), v, choice = _place(host, array), host._fresh('v'), host.choice
    kind = choice.one([scalar.name, 'auto', 'const auto &', 'const ' + scalar.name])
    form = choice.one(['if (%s %s = %s; %s > 0)', 'if (%s %s = %s)', 'if (%s %s = %s; %s != 2)'])
    head = form % ((kind, v, text, v)[: form.count('%s')])
    if '&' in kind and ';' not in head:
        head = head.replace('const auto &', 'auto')
    out = [head, '  ' + _change(host)]
    if '&' in kind:
        out[1] = '  note(%s + 1);' % v
    if choice.chance(0.6):
        other = host._fresh('u')
        out += choice.one([
            ['else', '  note(%s);' % v],
            ['else if (int %s = opaque(%d); %s > 1)' % (other, choice.number(0, 3), other),
             '  ' + _change(host), 'else', '  note(%s);' % other],
        ])
    return out


def _switch(host, array):
    (text, scalar), c, choice = _place(host, array), host._fresh('c'), host.choice
    head = choice.one(['int %s = %s %% 3u', 'int %s = %s %% 3u; %s', 'const auto %s = %s & 3; %s'])
    head %= (c, _whole(text, scalar), c)[: head.count('%s')]
    out = ['switch (%s) {' % head]
    for number in range(choice.number(1, 3)):
        out += ['case %d:' % number, '  ' + choice.one([_change(host), 'note(%s);' % c])]
        out += ['  break;'] if choice.chance(0.7) else []
    return out + (['default: note(77);'] if choice.chance(0.5) else []) + ['}']


def _bits(host, array):
    (text, scalar), m, low = _place(host, array), host._fresh('m'), host._fresh('low')
    return [
        'unsigned %s = %s & 21u;' % (m, _whole(text, scalar)),
        'while (unsigned %s = %s & (0u - %s)) {' % (low, m, m),
        '  %s ^= %s;' % (m, low),
        '  note(%s);' % low,
        '  ' + _change(host),
        '}',
    ]


def _down(host, array):
    suffix, scalar = host._member(array)
    k, count = host._fresh('k'), host.choice.number(1, array.count)
    element = host._element(array, k) + suffix
    body = host.choice.one(['note(%s);' % element, host._halved(element, scalar)])
    return ['{ %s %s = %d; while (%s--) %s }' % (
        host.choice.one(['int', 'unsigned', 'size_t']), k, count, k, body)]


def _walk(host, array):
    """A pointer through a row."""
    choice, p, end = host.choice, host._fresh('p'), host._fresh('end')
    suffix, scalar = host._member(array)
    at = choice.number(0, array.count - 1)
    length = choice.number(1, min(array.dims[-1] - at % array.dims[-1], 40))
    element = '%s->%s' % (p, suffix[1:]) if suffix else '*%s' % p
    body = choice.one(['note(%s);' % element, host._halved('(%s)' % element, scalar)])
    head = '%s *%s = &%s, *%s = %s + %d' % (
        array.element.name, p, host._element(array, at), end, p, length)
    test = choice.one(['%s != %s', '%s < %s']) % (p, end)
    if choice.chance(0.5):
        return ['for (%s; %s; %s++) %s' % (head, test, p, body)]
    return ['{ %s; while (%s) { %s %s++; } }' % (head, test, body, p)]


def launched(host, text):
    """A launch behind a condition that declares something."""
    go, choice = host._fresh('go'), host.choice
    if choice.chance(0.3):
        return ['switch (int %s = opaque(%d); %s) {' % (go, choice.number(0, 1), go), 'case 1:',
                '  ' + text, '  break;', 'default: note(%s);' % go, '}']
    head = choice.one(['if (int %s = opaque(%d))', 'if (const int %s = opaque(%d); %s > 0)'])
    return [head % ((go, choice.number(0, 1), go)[: head.count('%')]), '  ' + text]
