"""The benchmark programs of a build: how each is asked what it measures, and how it is run."""

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

from .units import Unit, Work

SERVERS, CONTESTS, STEPS = "servers", "contests", "steps"
_LIST_S_MAX = 60


@dataclass(frozen=True)
class Program:
    name: str
    path: Path
    kind: str
    prefix: tuple = ()      # what runs it
    setup_s: float = 0.05   # of a run, beside its measurements
    beside_s: float = 0.02  # of a measurement, beside its window and warm-up
    # Whether what runs it also knows what there is.
    is_listed_by_prefix: bool = False
    # Contests that take more than their window: how many windows, or how many seconds beside it.
    slow: dict = field(default_factory=dict)
    long: dict = field(default_factory=dict)
    # Families whose windows are longer: how many times.
    stretched: dict = field(default_factory=dict)
    # Whether its contests are measured in one run: where starting is dear.
    is_one_unit: bool = False

    @property
    def command(self):
        return (*self.prefix, str(self.path))

    def windows_for(self, work, windows):
        times = self.stretched.get(work.family, 1)
        return replace(windows, seconds=windows.seconds * times, warmup_seconds=windows.warmup_seconds * times)

    def seconds_of(self, work, windows):
        """A measurement of one contender."""
        windows = self.windows_for(work, windows)
        measured_s = (windows.seconds + windows.warmup_seconds) * self.slow.get(work.family, 1)
        return self.beside_s + measured_s + self.long.get(work.family, 0)


_SLOW = {
    "eddy-bench-dispatch": {"multithreaded_scaling": 2.5},
    "eddy-bench-timers": {"a_million": 5.5},
    "eddy-bench-files": {"tree": 2.0},
}
# So many connections need a while for one turn each.
_STRETCHED = {"http_many, 1024 B": 3, "echo_many, 512 B": 2}
# hey makes its 5,000 connections within its window, and ab counts whole seconds.
_STRETCHED_TOOLS = {"hey": 15, "ab": 5}
# What cannot be interrupted, and is done once at least in the warm-up and in the window.
_LONG = {"eddy-bench-tasks": {"skynet": 1.5, "fib": 0.2}}


def programs(folder, source):
    """Those of a build that are there. `source` is the folder bench/."""
    found = []
    for path in sorted(Path(folder).glob("eddy-*")):
        found += _known(path, Path(source))
    order = {SERVERS: 0, CONTESTS: 1, STEPS: 2}
    return sorted(found, key=lambda each: (order[each.kind], each.name))


# The others are peers, eddy-bench-SERVICE-PEER.
_CONTESTS = re.compile(r"eddy-bench-(?!load)[a-z]+")


def _known(path, source):
    """What a program measures itself, and what scripts measure with it."""
    name = path.name
    if name == "eddy-bench":
        return [Program(name, path, SERVERS, setup_s=0.6, beside_s=0.15, stretched=_STRETCHED)]
    if name == "eddy-micro":
        return [Program(name, path, STEPS, beside_s=0.1),
                *([_script("eddy-bench-lto", path, source / "lto/run.py")] if _has_lto(path) else [])]
    if name == "eddy-bench-pq":
        return [Program(name, path, CONTESTS, prefix=(str(source / "pq/run.sh"),), setup_s=5, is_one_unit=True)]
    if name == "eddy-bench-files":
        return [Program(name, path, CONTESTS, setup_s=1.5, beside_s=0.1, slow=_SLOW[name])]
    if name == "eddy-pipeline":
        return [_script(name, path, source / "pipeline/run.py", setup_s=0.3, beside_s=0.3)]
    if name == "eddy-httpd":
        return [_script("eddy-bench-tools", path, source / "tools/run.py", beside_s=0.5, stretched=_STRETCHED_TOOLS)]
    if _CONTESTS.fullmatch(name):
        return [Program(name, path, CONTESTS, slow=_SLOW.get(name, {}), long=_LONG.get(name, {}))]
    return []


def _script(name, path, script, **more):
    return Program(name, path, CONTESTS, prefix=(str(script),), is_listed_by_prefix=True, **more)


def _has_lto(path):
    return (path.parent.parent.with_name(path.parent.parent.name + "-lto") / "bin" / path.name).exists()


def works(program):
    """What the program can measure. Raises RuntimeError when it cannot say."""
    if program.kind == STEPS:
        return _steps(_output([*program.command, "--benchmark_list_tests=true"]), program)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        listing = program.command if program.is_listed_by_prefix else (str(program.path),)
        _output([*listing, "--list", "--json", file.name])
        listed = json.loads(Path(file.name).read_text(encoding="utf-8"))
    return _configurations(listed, program) if program.kind == SERVERS else _contests(listed, program)


def _output(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=_LIST_S_MAX)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(f"{command[0]} cannot be asked what it measures: {error}") from error
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} does not say what it measures: {done.stderr.strip()}")
    return done.stdout


def _configurations(listed, program):
    """Payloads of the same size cannot be told apart by options, so they are measured together."""
    together = {}
    for each in listed["configurations"]:
        dimensions = (("connections", each["connections"]),)
        if each.get("shares_cores"):
            dimensions += (("threads", each["threads"]),)
        together.setdefault((each["scenario"], each["payload_bytes"], dimensions), []).append(each)
    found = []
    for (scenario, size, dimensions), members in together.items():
        selection = ["--scenario", scenario, "--payload", str(size)]
        for name, value in dimensions:
            selection += [f"--{name}", str(value)]
        numbers = [f"{value} {name}" for name, value in dimensions]
        found.append(Work(program.name, f"{scenario}, {size} B", ", ".join([f"{scenario}, {size} B", *numbers]),
                          sum(len(each["peers"]) for each in members), tuple(selection)))
    return found


def _contests(listed, program):
    return [Work(program.name, each["contest"].partition("/")[0], each["contest"], len(each["contenders"]),
                 ("--exact", "--contest", each["contest"]))
            for each in listed["contests"]]


def _steps(text, program):
    """Each step together with the least that it can be."""
    names = text.split()
    return [Work(program.name, name, name, 1 + (f"{name}_bare" in names),
                 (f"--benchmark_filter=^{re.escape(name)}(_bare)?$",))
            for name in names if not name.endswith("_bare")]


def unit(program, measured, windows):
    """What measures these works, which are one unless the program is one unit."""
    estimated_s = program.setup_s + sum(
        work.contenders * windows.rounds * program.seconds_of(work, windows) for work in measured)
    name = program.name if len(measured) != 1 else f"{program.name}: {measured[0].name}"
    return Unit(name, program.kind, _command(program, measured, windows), estimated_s)


def _command(program, measured, windows):
    if program.kind == STEPS:
        return (*program.command, *measured[0].selection, f"--benchmark_repetitions={windows.rounds}",
                f"--benchmark_min_time={windows.seconds:.3f}", "--benchmark_enable_random_interleaving=true",
                "--benchmark_out_format=json", "--benchmark_out={json}")
    selection = measured[0].selection
    if len(measured) > 1:
        selection = ("--exact", "--contest", ",".join(work.name for work in measured))
    else:
        windows = program.windows_for(measured[0], windows)
    return (*program.command, *selection, "--seconds", f"{windows.seconds:.3f}",
            "--warmup", f"{windows.warmup_seconds:.3f}", "--repeat", str(windows.rounds), "--json", "{json}")
