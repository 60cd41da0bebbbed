"""What a compiler made of a text, kept from run to run: an object, or the fact that a text compiles.

The key is a hash of the emitted text, the command, the compiler's version, and all headers that the text may include: those
of the runtime and those beside the program. Paths of this checkout do not count, so that checkouts share what they keep.
It lies in $MESI_OBJECTS, else in the build's cache; the oldest goes where it grows beyond LIMIT bytes.
"""
import functools, hashlib, os, shutil, subprocess, tempfile

LIMIT = 3 << 30

def wall(seconds):
    """The time limit of a command of so many seconds on an idle machine: a busy one is no failure."""
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

class Kept:
    def __init__(self, root, build):
        self.root = root.encode()
        self.folder = os.environ.get('MESI_OBJECTS') or os.path.join(build, 'cache', 'objects')
        os.makedirs(self.folder, exist_ok=True)
        self.prune()

    def prune(self):
        files = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(self.folder))
        total = sum(size for _, size, _ in files)
        for _, size, path in files:
            if total <= LIMIT:
                break
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
        """Runs `command + [source, '-o', output]` unless what it makes is here. Gives run's (status, text)."""
        path = os.path.join(self.folder, self.key(command, source, folders))
        if os.path.exists(path):
            os.utime(path)
            shutil.copyfile(path, output)
            return 0, ''
        status, text = run(command + [source, '-o', output])
        if not status:
            handle, half = tempfile.mkstemp(dir=self.folder)
            os.close(handle)
            shutil.copyfile(output, half)
            os.rename(half, path)
        return status, text
