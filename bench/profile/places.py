"""To whom a frame belongs: the kernel, a module of eddy, the program, a library."""

import re
import struct
import subprocess

KERNEL, PROGRAM, LIBC, OPENSSL, OTHER = "kernel", "program", "libc", "OpenSSL", "other libraries"
_EDDY_FILE = re.compile(r"/(?:include/eddy|src)/([a-z_]+)/")
_PROGRAM_FILE = re.compile(r"/(?:bench|apps)/")
_LIBRARIES = ((re.compile(r"/lib(ssl|crypto)\.so"), OPENSSL),
              (re.compile(r"/(libc|libm|libpthread|ld-linux[^/]*)\.so|\[vdso\]"), LIBC))


def by_source(files):
    """The owner of a place in the program, whose source files are given, the innermost inlined function first: the
    first that is eddy's or the program's own. What the standard library does for somebody counts as theirs."""
    for file in files:
        if found := _EDDY_FILE.search(file):
            return f"eddy/{found[1]}"
        if _PROGRAM_FILE.search(file):
            return PROGRAM
    return PROGRAM


class Places:
    """Owners of frames. `source_of(file, offsets)` gives the source files for each offset in a program."""

    def __init__(self, source_of=None):
        self._source_of = source_of or sources
        self._owners = {}

    def learn(self, stacks):
        """Looks up what occurs in the stacks, all at once."""
        wanted = {}
        for stack in stacks:
            for frame in stack:
                if self._by_file(frame) is None:
                    wanted.setdefault(frame.file, set()).add(frame.offset)
        for file, offsets in wanted.items():
            for offset, files in self._source_of(file, sorted(offsets)).items():
                self._owners[file, offset] = by_source(files)

    def owner(self, frame):
        return self._by_file(frame) or self._owners.get((frame.file, frame.offset), PROGRAM)

    @staticmethod
    def _by_file(frame):
        if frame.file.startswith("[") and frame.file != "[vdso]" or frame.file.endswith(".ko"):
            return KERNEL if "kernel" in frame.file or frame.file.endswith(".ko") else OTHER
        for pattern, owner in _LIBRARIES:
            if pattern.search(frame.file):
                return owner
        return OTHER if ".so" in frame.file else None


def sources(file, offsets):
    """The source files of each place in an ELF file, by addr2line; nothing for what has no debug information."""
    segments = load_segments(file)
    addresses = [_address(segments, offset) for offset in offsets]
    asked = "".join(f"{address:#x}\n" for address in addresses)
    said = subprocess.run(["addr2line", "--addresses", "--inlines", "--exe", file], input=asked, check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for line in said.splitlines():
        if line.startswith("0x"):
            files = found.setdefault(int(line, 16), [])
        else:
            files.append(line.rpartition(":")[0])
    return {offset: found.get(address, []) for offset, address in zip(offsets, addresses)}


def load_segments(path):
    """(offset in the file, size, address) of each segment of a 64-bit ELF file that is loaded."""
    with open(path, "rb") as file:
        head = file.read(64)
        if head[:5] != b"\x7fELF\x02":
            return []
        table, = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        file.seek(table)
        entries = [file.read(size) for _ in range(count)]
    loaded = 1
    fields = (struct.unpack_from("<IIQQQQ", entry) for entry in entries)
    return [(offset, length, address) for kind, _, offset, address, _, length in fields if kind == loaded]


def _address(segments, offset):
    for begin, length, address in segments:
        if begin <= offset < begin + length:
            return offset - begin + address
    return offset
