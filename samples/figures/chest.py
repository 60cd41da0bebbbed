# SPDX-License-Identifier: MIT
"""chest.py - the picture of a network that is solved: the chest clinic's nodes, and the probability
of each one's "yes"."""
import os, re

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = 'samples/mpf/networks/chest'
ROOT = os.path.dirname(os.path.dirname(HERE))

NODES = {  # place, and the nodes that point to it
    'asia': (20, 50, ()),
    'smoking': (430, 50, ()),
    'tuberculosis': (20, 130, ('asia',)),
    'cancer': (225, 130, ('smoking',)),
    'bronchitis': (430, 130, ('smoking',)),
    'either': (120, 210, ('tuberculosis', 'cancer')),
    'xray': (20, 290, ('either',)),
    'dyspnoea': (325, 290, ('either', 'bronchitis')),
}
STYLE = (
    'text{font:13px system-ui,sans-serif;fill:#1f2430}.v{font-size:12px;fill:#5b6374}'
    '.n{fill:#eef1f6;stroke:#8893a8}.e{fill:#fde6d5;stroke:#d2691e}.p{fill:#2463ac}'
    '.t{font-size:15px;font-weight:600}'
    'path{stroke:#8893a8;fill:none}'
)


def node_of(name, chance, known):
    """A box with the name, and a bar for the probability of "yes"."""
    x, y, _ = NODES[name]
    text = '<rect class="%s" x="%d" y="%d" width="180" height="46" rx="6"/>' % (
        'e' if known else 'n',
        x,
        y,
    )
    text += '<text x="%d" y="%d">%s</text>' % (x + 10, y + 19, name)
    shown = 'known: yes' if known else '%.3f' % chance
    text += '<text class="v" x="%d" y="%d" text-anchor="end">%s</text>' % (x + 170, y + 19, shown)
    return text + '<rect class="p" x="%d" y="%d" width="%.1f" height="7"/>' % (
        x + 10,
        y + 30,
        160 * chance,
    )


def order_of(path):
    """Variables of a BIF file in its order."""
    return re.findall(r'^variable (\w+)', open(os.path.join(ROOT, path + '.bif')).read(), re.M)


def picture(chances):
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 630 350" width="630">'
        '<style>%s</style>' % STYLE
    ]
    parts.append(
        '<rect width="630" height="350" fill="#fff"/>'
        '<text class="t" x="20" y="28">A network in, '
        'probabilities out: mpf solve chest.bif</text>'
    )
    for name, (x, y, above) in NODES.items():
        for other in above:
            from_x, from_y, _ = NODES[other]
            parts.append('<path d="M%d %dL%d %d"/>' % (from_x + 90, from_y + 46, x + 90, y))
    lines = open(os.path.join(ROOT, FOLDER + '.evid')).read().split()[1::2]
    known = {list(order_of(FOLDER))[int(n)] for n in lines}
    parts += [node_of(name, chances[name], name in known) for name in NODES]
    return '\n'.join(parts + ['</svg>', ''])
