"""What `perf script` prints, as stacks of frames."""

import re
from collections import Counter
from dataclasses import dataclass

# What `perf script` has to be asked for.
FIELDS = ["-F", "comm,tid,ip,sym,dso", "--show-mmap-events"]

_FRAME = re.compile(r"\s+([0-9a-f]+) (.*) \((.*)\)$")
_MAPPING = re.compile(r".*PERF_RECORD_MMAP2?\s.*: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*\]: \S+ (\S+)")


@dataclass(frozen=True)
class Frame:
    """A function on the stack: its symbol, the file that it is in, and the place in that file."""

    symbol: str
    file: str
    offset: int


def read(lines):
    """How often each stack was met; a stack is a tuple of frames, the outermost first."""
    mappings, stacks, frames = [], Counter(), []
    for line in lines:
        if found := _FRAME.match(line):
            frames.append(_frame(mappings, int(found[1], 16), found[2], found[3]))
        elif found := _MAPPING.match(line):
            begin, size, offset = (int(number, 16) for number in found.groups()[:3])
            mappings.append((begin, begin + size, offset))
        elif not line.strip() and frames:
            stacks[tuple(reversed(frames))] += 1
            frames = []
    if frames:
        stacks[tuple(reversed(frames))] += 1
    return stacks


def _frame(mappings, address, symbol, file):
    for begin, end, offset in reversed(mappings):
        if begin <= address < end:
            return Frame(symbol, file, address - begin + offset)
    return Frame(symbol, file, address)
