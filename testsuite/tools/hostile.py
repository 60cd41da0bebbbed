#!/usr/bin/env python3
"""Bad input: stored cases (testsuite/hostile/NAME.mcu with NAME.expect) and generated ones
(make_hostile.py). Each ends within its processor time and memory (a busy machine is no failure; ten
times as long by the clock is), by itself, with the expected status and word; where the status is
not 0, with a diagnostic that has a code, and without an output file; and it leaves nothing else
behind.

usage: hostile.py --mesicc PATH [--full] [--every N] [--tables N] [--seconds N] [--sanitized DIR]
       [--jobs N] [-v] [NAME...]
Last line: N passed, N failed. Before it: the slowest cases and the largest memory.

--sanitized DIR: mesicc is built with sanitizers and DIR gets their reports. A report is a failure,
but for an overflow of the stack with libclang's frames on top: libclang is not ours, the sandbox
contains it.
"""
import argparse, concurrent.futures, glob, json, os, re
import resource, shutil, subprocess, sys, tempfile, time

from programs import of_today

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, 'testsuite', 'hostile')
KILOBYTES = 2200 << 10  # resident, at most: the sandbox's address space and a little
SANITIZER_STATUS = 86


class Outcome:
    """How one run of mesicc ended."""

    def __init__(
        self, status, text, seconds, kilobytes, left
    ):  # seconds of processor time, children's included
        self.status, self.text, self.seconds, self.kilobytes, self.left = (
            status,
            text,
            seconds,
            kilobytes,
            left,
        )


def run(options, args, path, folder, environment):
    """Runs mesicc in `folder` with an output folder of its own, that nothing may be left in but the
    output."""
    own = tempfile.mkdtemp(prefix='output-', dir=options.work)
    environment = dict(environment, TMPDIR=own)
    argv = [os.fsencode(options.mesicc)] + [os.fsencode(a) for a in args]
    if path:  # a verb has its input among its arguments
        argv = argv[:1] + [b'-o', os.fsencode(own + '/output.cu')] + argv[1:] + [os.fsencode(path)]
    deadline = time.monotonic() + 10 * options.seconds
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(
            argv,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment,
        )
        ended = False
        while time.monotonic() < deadline and not ended:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            ended = pid != 0
            if not ended:
                time.sleep(0.01)
        if not ended:
            child.kill()
            pid, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0)
        text = out.read(1 << 20).decode(errors='replace')
    left = sorted(os.listdir(own))
    shutil.rmtree(own, ignore_errors=True)
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return Outcome(code, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, left)


def is_contained(report):
    """An overflow of the stack, or a crash, inside libclang."""
    frames = re.findall(r'^ +#\d+ .*', report, re.M)
    known = [
        f
        for f in frames
        if re.search(r'libclang|libLLVM|/(analysis|translator|codegen)/.*\.[ch]:\d', f)
    ]
    return (
        bool(known)
        and ('libclang' in known[0] or 'libLLVM' in known[0])
        and 'ERROR: AddressSanitizer' in report
    )


def judge(outcome, expected, word, seconds, kilobytes=KILOBYTES):
    if outcome.status not in (0, 1, 2, 3):
        return 'ends with %d' % outcome.status
    if outcome.seconds > seconds:
        return 'takes %.1f s' % outcome.seconds
    if outcome.kilobytes > kilobytes:
        return 'takes %d MB' % (outcome.kilobytes >> 10)
    if expected is not None and outcome.status != expected:
        return 'ends with status %d, expected %d' % (outcome.status, expected)
    if outcome.left not in ([[]] if outcome.status else [['output.cu'], []]):
        return 'leaves %s' % outcome.left
    if outcome.status and not re.search(r'error\[M[0-9]+[],]', outcome.text):
        return 'gives no diagnostic with a code'
    if word not in (None, '*') and word.lower() not in outcome.text.lower():
        return 'does not say "%s"' % word
    return None


def stored():
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith('.expect'):
            status, word = open(os.path.join(FOLDER, name)).read().strip().split(' ', 1)
            yield {
                'file': os.path.join(FOLDER, name[:-7] + '.mcu'),
                'args': [],
                'folder': FOLDER,
                'status': int(status),
                'word': word.strip(),
                'absent': [],
                'what': name[:-7],
            }


def generated(folder, full):
    subprocess.run(
        [sys.executable, os.path.join(FOLDER, 'make_hostile.py'), folder]
        + ([] if full else ['--small']),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    for line in open(os.path.join(folder, 'manifest.jsonl')):
        yield dict(json.loads(line), folder=folder)


class Runner:
    def __init__(self, options):
        self.options = options
        self.environment = dict(os.environ)

    def reports(self, number):
        return (
            sorted(glob.glob(os.path.join(self.options.sanitized, 'case%d.*' % number)))
            if self.options.sanitized
            else []
        )

    def prepare(self, number):
        if not self.options.sanitized:
            return self.environment
        log = 'exitcode=%d:log_path=%s/case%d' % (
            SANITIZER_STATUS,
            os.path.abspath(self.options.sanitized),
            number,
        )
        return dict(
            self.environment,
            UBSAN_OPTIONS=log + ':halt_on_error=1:print_stacktrace=1',
            ASAN_OPTIONS=log + ':allocator_may_return_null=1:hard_rss_limit_mb=2500:detect_leaks=1',
            LSAN_OPTIONS='suppressions=%s:print_suppressions=0'
            % os.path.join(ROOT, 'testsuite', 'tools', 'leaks.supp'),
        )

    def one(self, numbered):
        number, case = numbered
        outcome = run(
            self.options, case['args'], case['file'], case['folder'], self.prepare(number)
        )
        texts = [open(r, errors='replace').read() for r in self.reports(number)]
        if texts and all(is_contained(t) for t in texts):
            return case, outcome, None
        problem = texts[0][:3000] if texts else None
        problem = problem or (
            judge(outcome, None, None, self.options.seconds, 2 * KILOBYTES)
            if self.options.sanitized
            else judge(outcome, case['status'], case['word'], self.options.seconds)
        )
        if any(os.path.exists(os.path.join(case['folder'], a)) for a in case['absent']):
            problem = 'a shell has run: one of %s exists' % case['absent']
        return case, outcome, problem


def name_of(case):
    return '%s %s' % (case['file'][-60:], ' '.join(case['args'])[:60])


def summarize(results):
    slowest = sorted(results, key=lambda r: -r[1].seconds)[:5]
    largest = max(results, key=lambda r: r[1].kilobytes)
    crashed = [name_of(r[0]) for r in results if 'error[M3003]' in r[1].text]
    kinds = {}
    for _, outcome, _ in results:
        code = re.search(r'error\[(M[0-9]+)\]', outcome.text)
        kinds[code.group(1) if code and outcome.status else 'status 0'] = (
            kinds.get(code.group(1) if code and outcome.status else 'status 0', 0) + 1
        )
    print('%d cases: %s' % (len(results), ', '.join('%s %d' % k for k in sorted(kinds.items()))))
    print(
        'over 2 s: %d; slowest: %s'
        % (
            sum(r[1].seconds > 2 for r in results),
            '; '.join('%.1f s %r' % (r[1].seconds, name_of(r[0])) for r in slowest),
        )
    )
    print('largest memory: %d MB %r' % (largest[1].kilobytes >> 10, name_of(largest[0])))
    return crashed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--full', action='store_true', help='also the inputs above 20 MB')
    parser.add_argument('--every', type=int, default=1, help='only every Nth case, each day others')
    parser.add_argument(
        '--tables',
        type=int,
        default=1,
        help='of the cases from tables (nesting.py and the like) only every Nth',
    )
    parser.add_argument('--seconds', type=float, default=30, help='of processor time, for one case')
    parser.add_argument(
        '--limit', type=int, help='seconds of processor time that mesicc gives a translation'
    )
    parser.add_argument('--sanitized', metavar='DIR')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('-v', action='store_true')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    options.mesicc = os.path.abspath(options.mesicc)
    if options.limit:
        os.environ['MESI_TIME_LIMIT'] = str(options.limit)
    options.work = tempfile.mkdtemp(prefix='mesi-hostile-')
    if options.sanitized:
        os.makedirs(options.sanitized, exist_ok=True)
        resource.setrlimit(
            resource.RLIMIT_STACK, (1 << 30, resource.getrlimit(resource.RLIMIT_STACK)[1])
        )
    results = []
    try:
        corpus = os.path.join(options.work, 'corpus')
        cases = [
            c
            for c in list(stored()) + list(generated(corpus, options.full))
            if not options.names or any(n in c['file'] or n in c['what'] for n in options.names)
        ]
        cases = (
            [c for c in cases if not c.get('table')]
            + [c for c in cases if c.get('table')][:: options.tables]
        )
        cases = of_today(cases, options.every)
        runner = Runner(options)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for case, outcome, problem in pool.map(runner.one, enumerate(cases)):
                results.append((case, outcome, problem))
                if problem:
                    print(
                        'FAILED %r (%s): %s\n%s'
                        % (name_of(case), case['what'][:100], problem, outcome.text[:600]),
                        flush=True,
                    )
                elif options.v:
                    print(
                        '%5.1f s %5d MB %d %s'
                        % (outcome.seconds, outcome.kilobytes >> 10, outcome.status, name_of(case)),
                        flush=True,
                    )
        crashed = summarize(results) if results else []
        if crashed:
            print(
                'contained crashes: %d%s'
                % (len(crashed), ''.join('\n  %r' % c for c in crashed) if options.v else '')
            )
    finally:
        shutil.rmtree(options.work, ignore_errors=True)
    failed = sum(1 for r in results if r[2])
    print('%d passed, %d failed' % (len(results) - failed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
