# SPDX-License-Identifier: MIT
"""The form of the documents: links and anchors lead somewhere, pages are short and in the index,
and codes, options, variables, files and figures that they name are those of the sources."""
import glob, os, re, subprocess

import docs_commands
from harness import ROOT, report

README_LINES = 150
PAGE_LINES = 300
GENERATED = {'docs/diagnostics.md', 'docs/nvcc-options.md'}
LINK = re.compile(r'\[[^\]]*\]\(([^)\s]+)\)')
STARTED = re.compile(r'(\$ |mesicc |nvcc |python3 |bash |meson |ninja |\./|testsuite/)')
CODE = re.compile(r'`([^`\n]+)`')


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


def documents():
    found = glob.glob(os.path.join(ROOT, 'docs', '**', '*.md'), recursive=True)
    return sorted(os.path.relpath(path, ROOT) for path in found)


def pages_with_commands():
    return ['README.md'] + [page for page in documents() if page not in GENERATED]


def tracked():
    listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], cwd=ROOT, stdout=-1)
    return [n for n in listed.stdout.decode().split('\n') if os.path.exists(os.path.join(ROOT, n))]


def without_fences(text):
    return re.sub(r'^```.*?^```$', '', text, flags=re.M | re.S)


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    found = []
    for title in re.findall(r'^#+ (.+)$', without_fences(text), re.M):
        title = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', title).strip().lower()
        found.append(re.sub(r'[^\w\- ]', '', title).replace(' ', '-'))
    return found


def fault_of_link(page, link):
    path, _, anchor = link.partition('#')
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(os.path.join(ROOT, target)):
        return 'leads nowhere'
    if anchor and anchor not in anchors(read(target)):
        return 'has no such heading; there are ' + ', '.join(anchors(read(target)))
    return None


def test_links(pages):
    for page in pages:
        text = without_fences(read(page))
        for link in LINK.findall(CODE.sub('', text)):
            if '://' not in link and not link.startswith('mailto:'):
                report('%s: link to %s' % (page, link), fault_of_link(page, link))


def test_lengths():
    for page in ['README.md'] + documents():
        most = README_LINES if page == 'README.md' else PAGE_LINES
        count = read(page).count('\n')
        report(page, None if count <= most else '%d lines, at most %d' % (count, most))
    linked = {os.path.normpath('docs/' + link) for link in LINK.findall(read('docs/README.md'))}
    for page in documents():
        named = page in linked or page == 'docs/README.md'
        report(page, None if named else 'is not in the index docs/README.md')


def test_codes():
    known = set(
        re.findall(r'^(?:DIAG|REMARK|WARNING)\(\w+, (\d+),', read('translator/base/diag.def'), re.M)
    )
    for page in ['README.md', 'CONTRIBUTING.md'] + documents():
        unknown = set(re.findall(r'\bM(\d{4})\b', read(page))) - known
        report(page, 'codes that diag.def has not: %s' % sorted(unknown) if unknown else None)
    refused = re.search(r'\n\| what \| code \|\n(.*?)\n\n', read('docs/limits.md'), re.S).group(1)
    for row in refused.split('\n')[1:]:
        codes = re.findall(r'M(\d{4})', row.rsplit('|', 2)[1])
        errors = codes and all('1' <= c[0] <= '3' and c in known for c in codes)
        report('limits: ' + row[:60], None if errors else 'has no code of an error')


def test_settings():
    table = read('runtime/settings.def')
    users = set(re.findall(r'SETTING\((MESI_\w+)', table.split('/* tests')[0]))
    users -= {'MESI_CHECK_MARK', 'MESI_VERIFY_DROP'}  # these are between tools
    named = set(re.findall(r'^\| `(MESI_\w+)', read('docs/environment.md'), re.M))
    report('docs/environment.md', str(users - named) + ' is missing' if users - named else None)
    known = set(re.findall(r'SETTING\((MESI_\w+)', table))
    report('docs/environment.md', str(named - known) + ' is unknown' if named - known else None)


def test_options():
    """Options in `code` of the users' pages: mesicc's own, or nvcc's."""
    known = read('translator/driver/options.def') + read('translator/driver/nvcc.def')
    kinds = set(re.findall(r'^REMARK\(\w+, \d+, "(\w+)"', read('translator/base/diag.def'), re.M))
    for page in ['README.md'] + [p for p in documents() if p.count('/') == 1]:
        for code in CODE.findall(without_fences(read(page))):
            asked = re.search(r'-Rmesi=([a-z,]+)', code)
            unknown = set(asked.group(1).split(',')) - kinds if asked else set()
            report('%s: `%s`' % (page, code), 'no kinds: %s' % unknown if unknown else None)
            option = re.match(r'(--[a-z-]+=?|-R\w+=?|-f[a-z-]+)', code)
            if option and page not in GENERATED and 'performance' not in page:
                there = option.group(1).rstrip('=') in known
                report('%s: `%s`' % (page, code), None if there else 'is no option')
            if re.match(r'mesicc |MESI_NVCC_FLAGS=', code):
                words = re.findall(r'(?<![\w-])(--[a-z][a-z-]+|-f[a-z-]{4,})', code)
                unknown = [word for word in words if word not in known]
                report('%s: `%s`' % (page, code), 'no options: %s' % unknown if unknown else None)


def test_files(files):
    """Names of files in `code`, for those who read the sources."""
    names = {os.path.basename(name) for name in files}
    readers = re.compile(r'inside|architecture|runtime')
    for page in ['CONTRIBUTING.md'] + [p for p in documents() if readers.search(p)]:
        for code in CODE.findall(without_fences(read(page))):
            if re.fullmatch(r'[a-z0-9_/.]+\.(c|h|def|py|sh|txt|cpp)|\w+_\w+\.mcu', code):
                there = os.path.basename(code) in names and (
                    '/' not in code or is_file(code, files)
                )
                report('%s: `%s`' % (page, code), None if there else 'there is no such file')


def is_file(name, files):
    return any(path == name or path.endswith('/' + name) for path in files)


def indented(text):
    """Commands in indented blocks, without what stands behind a #."""
    for line in without_fences(text).split('\n'):
        if line.startswith('    ') and STARTED.match(line.strip()):
            yield line.strip().split(' # ')[0]


def test_other_commands(files, environment):
    """Commands of pages that are not run: of their options and files there have to be such. Pages
    that are run have theirs where they are run."""
    run_pages = pages_with_commands()
    for page in [name for name in files if name.endswith('.md')]:
        for text in indented(read(page)):
            if page in run_pages:
                report('%s: %s' % (page, text), 'is in no block that is run (```sh, $)')
            else:
                report('%s: %s' % (page, text), docs_commands.fault(text, environment, page))


def test_figures():
    """Each time in the README's table is in the pages of performance, rounded."""
    known = [
        float(f)
        for f in re.findall(
            r'(?<![\w.])\d+\.\d+', read('docs/performance.md') + read('docs/performance-samples.md')
        )
    ]
    table = re.search(r'\| program \| plain CUDA .*?\n\n', read('README.md'), re.S).group(0)
    for figure in re.findall(r'\| (\d+\.\d+) (?=\|)', table):
        digits = len(figure.partition('.')[2])
        there = any('%.*f' % (digits, value) == figure for value in known)
        report('README.md: ' + figure, None if there else 'is not in docs/performance.md')


def test(environment):
    files = tracked()
    test_links([name for name in files if name.endswith('.md') and '/suites/' not in name])
    test_lengths()
    test_codes()
    test_settings()
    test_options()
    test_files(files)
    test_other_commands(files, environment)
    test_figures()
