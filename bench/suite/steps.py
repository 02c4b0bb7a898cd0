"""What single steps cost, by eddy-micro (Google Benchmark): beside the least that a step can be, `..._bare` in the program;
with link-time optimisation, where the build BUILD-lto is there; by another compiler, where BUILD-gcc is."""

import functools
import json
import re
from pathlib import Path

from . import processes
from .benchmark import Benchmark

_BARE = "_bare"
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
COMPILERS = "eddy-bench-gcc"
FAMILY = "steps"  # of what is not alike
_OPTIMISED_STEPS = ("await_two_levels", "await_yielding", "spawn_and_await", "when_all_of_ten", "operation_with_timeout")


def benchmarks(folder):
    path = Path(folder) / "eddy-micro"
    if not path.exists():
        return []
    names = processes.run([path, "--benchmark_list_tests=true"]).split()
    found = [_benchmark("eddy-micro", FAMILY, name, "", {"eddy": (path, name)} |
                        ({"bare": (path, name + _BARE)} if name + _BARE in names else {}))
             for name in names if not name.endswith(_BARE)]
    return found + _of_builds("lto", "eddy_lto", "without_lto", path, _OPTIMISED_STEPS, "with link-time optimisation and without") \
        + _of_builds("gcc", "gcc", "clang", path, [each.name for each in found], "by g++ and by clang")


def _of_builds(other, name, own_name, path, steps, about):
    """The same steps of two builds."""
    build = path.parents[1]
    there = build.with_name(f"{build.name}-{other}") / "bin" / path.name
    if not there.exists():
        return []
    return [_benchmark(f"eddy-bench-{other}", other, f"{other}/{step}", f"{step}, {about}",
                       {name: (there, step), own_name: (path, step)}, window_part=0.4) for step in steps]


def _benchmark(program, family, name, about, subjects, window_part=0.04):
    return Benchmark(program, family, name, about, "step", ("cpu",), tuple(subjects), functools.partial(_measure, subjects),
                     window_part=window_part, warmup_part=0, beside_s=0.1)


def _measure(subjects, session, subject, seconds, _warmup):
    path, step = subjects[subject]
    said = processes.run([path, f"--benchmark_filter=^{re.escape(step)}$", f"--benchmark_min_time={seconds:.3f}",
                          "--benchmark_format=json"], session.cores[-1:], tick=session.tick)
    return sample_in(said)


def sample_in(said):
    """What Google Benchmark says of one step."""
    (one,) = json.loads(said)["benchmarks"]
    unit = _SECONDS[one["time_unit"]] * one["iterations"]
    return {"items": one["iterations"], "seconds": one["real_time"] * unit, "cpu_seconds": one["cpu_time"] * unit}
