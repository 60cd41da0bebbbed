# SPDX-License-Identifier: MIT
"""The page that says what mesicc has made of a kernel (mesicc --explain)."""
import os

from . import compiler


class Page:
    """Shown by a notebook as it is; `html` is the text, `save(path)` writes it."""

    def __init__(self, text):
        self.html = text

    def save(self, path):
        with open(path, 'w') as out:
            out.write(self.html)

    def _repr_html_(self):
        import html

        return '<iframe srcdoc="%s" style="width:100%%;height:40em;border:0"></iframe>' % (
            html.escape(self.html, quote=True)
        )


def explain(kernel, block, level=None, arch='sm_90', shared=False):
    """The Page of a Kernel's launches with blocks of this shape: `block` as in a call."""
    import tempfile

    module = kernel.module
    with tempfile.TemporaryDirectory() as work:
        source, page = os.path.join(work, kernel.name + '.cu'), os.path.join(work, 'page.html')
        with open(source, 'w') as out:
            out.write(kernel.source(block, shared))
        compiler.run(
            [
                compiler.tool(),
                '-O%s' % (module.level if level is None else level),
                '-arch=' + (module.arch or arch),
                *module.options,
                '--explain=html',
                '--explain-file=' + page,
                '-o',
                os.devnull,
                source,
            ],
            'mesicc',
        )
        return Page(open(page).read())
