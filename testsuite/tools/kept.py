# SPDX-License-Identifier: MIT
"""What a compiler made of a text, kept from run to run: an object, the fact that a text compiles,
or the text that mesicc emits.

The key is a hash of the emitted text, the command, the compiler's version, and all headers that the
text may include: those of the runtime and those beside the program. Paths of this checkout do not
count, so that checkouts share what they keep; for what mesicc emits, where such paths stand, they
do, and its file and settings (MESI_*) in place of a version. It lies in $MESI_OBJECTS, else in the
build's cache; the oldest goes where it grows beyond LIMIT bytes.
"""
import contextlib, functools, hashlib, os, shutil, subprocess, tempfile

LIMIT = 3 << 30


def wall(seconds):
    """The time limit of a command of so many seconds on an idle machine: a busy one is no
    failure."""
    return 10 * seconds


@functools.lru_cache(maxsize=None)
def version_of(compiler):
    return subprocess.run([compiler, '--version'], stdout=subprocess.PIPE).stdout


@functools.lru_cache(maxsize=None)
def headers_below(folder):
    """A hash of all headers in the folder, their names included."""
    digest = hashlib.sha256()
    for where, folders, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(('.h', '.hpp', '.cuh', '.inc', '.def')):
                digest.update(os.path.relpath(os.path.join(where, name), folder).encode() + b'\0')
                with open(os.path.join(where, name), 'rb') as file:
                    digest.update(file.read())
    return digest.digest()


LEFT = '[M2103]'  # all kernels are as written: a crash or a limit, which no test program may meet


@functools.lru_cache(maxsize=None)
def hash_of(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).digest()


def settings(environment):
    """Those of mesicc and the runtime that may change what is emitted, as one text."""
    places = ('MESI_CACHE', 'MESI_OBJECTS', 'MESI_VERIFY_EMITTED', 'MESI_TIME_LIMIT')
    return '\0'.join(
        '%s=%s' % item
        for item in sorted(environment.items())
        if item[0].startswith('MESI_') and item[0] not in places
    )


def is_watched(environment):
    """Is mesicc run for more than what it emits: with sanitizers, or with a planted fault?"""
    return any(
        name.endswith('SAN_OPTIONS') or name.startswith('MESI_SEEDED') or name == 'MESI_FAULT'
        for name in environment
    )


class Kept:
    def __init__(self, root, build):
        self.root = root.encode()
        self.folder = os.environ.get('MESI_OBJECTS') or os.path.join(build, 'cache', 'objects')
        os.makedirs(self.folder, exist_ok=True)
        self.prune()

    def prune(self):
        """The oldest first. Others that run beside put files there, rename and remove them."""
        files = []
        for entry in os.scandir(self.folder):
            with contextlib.suppress(FileNotFoundError):
                files.append((entry.stat().st_mtime, entry.stat().st_size, entry.path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= LIMIT:
                break
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
            total -= size

    def key(self, command, source, folders):
        digest = hashlib.sha256()
        for word in command:
            digest.update(word.encode().replace(self.root, b'@') + b'\0')
        digest.update(version_of(command[0]))
        for folder in folders:
            digest.update(headers_below(folder))
        with open(source, 'rb') as file:
            digest.update(file.read().replace(self.root, b'@'))
        return digest.hexdigest()

    def make(self, command, source, folders, output, run):
        """Runs `command + [source, '-o', output]` unless what it makes is here. Gives run's
        (status, text)."""
        path = os.path.join(self.folder, self.key(command, source, folders))
        if os.path.exists(path):
            os.utime(path)
            shutil.copyfile(path, output)
            return 0, ''
        status, text = run(command + [source, '-o', output])
        if not status:
            self.keep(output, path)
        return status, text

    def keep(self, output, path):
        handle, half = tempfile.mkstemp(dir=self.folder)
        os.close(handle)
        shutil.copyfile(output, half)
        os.rename(half, path)

    def translate(self, command, source, folders, output, run, environment, report=None):
        """Runs mesicc likewise; the log that MESI_VERIFY_EMITTED names is kept with what it emits,
        and the JSON of --explain where `report` names a file for it. Gives run's (status,
        text); of an analysis that crashes, after which mesicc goes on without it, status 3."""
        log = environment.get('MESI_VERIFY_EMITTED')
        command = command + ['--explain=json'] * bool(report)
        digest = hashlib.sha256(
            '\0'.join(command + [source, settings(environment), str(bool(log))]).encode()
        )
        for part in [hash_of(command[0]), hash_of(source)] + [
            headers_below(folder) for folder in folders
        ]:
            digest.update(part)
        path = os.path.join(self.folder, digest.hexdigest())
        wanted = [(output, path + '.text'), (log, path + '.log'), (report, path + '.json')]
        wanted = [(file, kept) for file, kept in wanted if file]
        command = command + ['--explain-file=%s' % report] * bool(report)
        if not is_watched(environment) and all(os.path.exists(kept) for _, kept in wanted):
            for file, kept in wanted:
                os.utime(kept)
                shutil.copyfile(kept, file)
            return 0, ''
        status, text = run(command + ['-o', output, source], env=environment)
        status = status or (3 if LEFT in text else 0)
        if (
            not status
            and not is_watched(environment)
            and all(os.path.exists(file) for file, _ in wanted)
        ):
            for file, kept in wanted:
                self.keep(file, kept)
        return status, text
