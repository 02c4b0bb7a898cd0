"""What a benchmark is, how it is measured, and what it comes to.

A benchmark is the same work done by several subjects. In each round every subject is measured once, in turn, in a process
of its own, which gives one sample: {"items", "seconds", "cpu_seconds"} and, where it is known, {"times_ns": percentiles of
how long an item took or by how much it was late, "errors", "lost", "peak_memory_bytes"}.
"""

import contextlib
import os
import resource
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

PERCENTILES = ("p50", "p90", "p99", "p99.9")


@dataclass(frozen=True)
class Windows:
    """How long and how often each subject is measured."""
    rounds: int
    seconds: float
    warmup_seconds: float


@dataclass(frozen=True)
class Benchmark:
    program: str   # the part of the report that it belongs to
    family: str    # those that differ in a number only are one family
    name: str
    about: str
    item: str      # what is counted, in the singular
    measures: tuple  # of "throughput" and "cpu": what subjects are compared by
    subjects: tuple
    measure: Callable  # (session, subject, seconds, warmup_seconds) gives a sample, or raises Failed
    dimensions: dict = field(default_factory=dict)  # numbers that pictures show it by
    times_are_late: bool = False
    # Its windows: parts of those of servers, and what a measurement takes beside them.
    window_part: float = 0.4
    warmup_part: float = 0.15
    slow: float = 1  # how many windows it takes
    beside_s: float = 0.03

    @property
    def title(self):
        return f"{self.program}: {self.name}"

    def windows(self, rounds, seconds):
        measured_s = seconds * self.window_part
        return Windows(rounds, measured_s, measured_s * self.warmup_part)

    def estimated_s(self, windows):
        each_s = (windows.seconds + windows.warmup_seconds) * self.slow + self.beside_s
        return len(self.subjects) * windows.rounds * each_s


class Session:
    """What measurements share: where the programs are, on which cores they run, a temporary directory, and what is made
    once and goes at the end of the `with` block."""

    def __init__(self, programs, cores=None, tick=lambda: None):
        self.programs = Path(programs)
        self.cores = list(cores or sorted(os.sched_getaffinity(0))[:2])
        self.tick = tick
        self.requests_each = 0   # of servers: a number of requests on each connection instead of a window
        self.server_prefix = []  # words before a server's command: a tool that counts or records
        self._made = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        self.directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="eddy-bench-")))
        self.directory.chmod(0o755)  # nginx and databases read their files as other users
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)

    @property
    def env(self):
        return {**os.environ, "TMPDIR": str(self.directory)}

    def once(self, make):
        """What the context manager make(session) gives, made by the first that asks for it."""
        if make not in self._made:
            self._made[make] = self._stack.enter_context(make(self))
        return self._made[make]


def measure(benchmark, session, windows, subjects=()):
    """All rounds, as JSON. `subjects`: only these, in this order."""
    chosen = [each for each in subjects if each in benchmark.subjects] if subjects else benchmark.subjects
    rounds = {name: [] for name in chosen}
    for _ in range(windows.rounds):
        for name in chosen:
            rounds[name].append(benchmark.measure(session, name, windows.seconds, windows.warmup_seconds))
    return {"program": benchmark.program, "family": benchmark.family, "name": benchmark.name, "about": benchmark.about,
            "item": benchmark.item, "measures": list(benchmark.measures), "dimensions": benchmark.dimensions,
            "times_are_late": benchmark.times_are_late,
            "subjects": [{"subject": name, "rounds": samples} for name, samples in rounds.items()]}


@dataclass(frozen=True)
class Round:
    """One sample of one subject."""
    per_second: float
    cpu_ns: float  # of all its threads, per item
    percentiles_ns: dict = field(default_factory=dict)
    memory_bytes: float = 0
    sample: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Subject:
    name: str
    rounds: tuple
    errors: int = 0


@dataclass(frozen=True)
class Result:
    """A benchmark that was measured."""
    program: str
    family: str
    name: str
    about: str
    item: str
    measures: tuple
    subjects: tuple
    dimensions: dict = field(default_factory=dict)
    times_are_late: bool = False

    def subject(self, name):
        return next((one for one in self.subjects if one.name == name), None)


def read(document):
    """The result that measure() has given."""
    subjects = tuple(_subject(each) for each in document["subjects"])
    return Result(**{**document, "measures": tuple(document["measures"]), "subjects": subjects})


def _subject(one):
    rounds = tuple(
        Round(each["items"] / each["seconds"], each["cpu_seconds"] * 1e9 / each["items"],
              {name: each["times_ns"][name] for name in PERCENTILES if name in each.get("times_ns", ())},
              each.get("peak_memory_bytes", 0), each)
        for each in one["rounds"] if each["items"])
    return Subject(one["subject"], rounds, sum(each.get("errors", 0) for each in one["rounds"]))
