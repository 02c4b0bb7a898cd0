"""The benchmarks of a build: what its programs measure within one process, what other programs are measured by, servers."""

import contextlib
import functools
import json
import re
from dataclasses import replace
from pathlib import Path

from . import processes, servers, steps, tools
from .benchmark import Benchmark, Session

TESTS = Path(__file__).resolve().parents[2] / "tests"
_LIST_S_MAX = 60
# A subject may take long to work off what was handed to it.
_PATIENCE_S = 60
# The others are peers, eddy-bench-SERVICE-PEER.
_PROGRAM = re.compile(r"eddy-bench-(?!load)[a-z]+")
# What the number behind a benchmark's name is, where pictures can show it.
_NUMBERS = ((re.compile(r"multithreaded_scaling|concurrent_post_run|.*_threads|skynet|fib|channel_\d+x\d+|io_socket_st"), "threads"),
            (re.compile("ping_pong.*_pairs|churn"), "connections"))
# What takes longer than its window.
_COSTS = {"multithreaded_scaling": {"slow": 2.5}, "a_million": {"slow": 5.5}, "tree": {"slow": 2.0},
          "skynet": {"beside_s": 1.5}, "fib": {"beside_s": 0.2}}
# Subjects in other languages, which keep nothing for a next call: each is called as PROGRAM THREADS SECONDS [ARGUMENT]...,
# does the work once to warm up and then again and again until so many seconds are over, checks it, and prints how many
# items it did, in how many seconds of wall clock and of processor time, and the bytes that it had resident at most.
_LANGUAGES = ("tokio", "go")
_IN_LANGUAGES = re.compile(r"(skynet|fib|channel)(?:_(\d+)x(\d+))?/(\d+)")


def benchmarks(folder):
    """All that the programs in a folder measure, in the order of the report."""
    folder = Path(folder)
    found = servers.benchmarks(folder) if (folder / "eddy-bench-load").exists() else []
    for path in sorted(folder.glob("eddy-bench-*")):
        if _PROGRAM.fullmatch(path.name):
            found += in_process(path)
    return sorted(found + tools.benchmarks(folder), key=lambda each: each.program) + steps.benchmarks(folder)


def in_process(path):
    listed = json.loads(processes.run([path, "--list"], seconds_max=_LIST_S_MAX))
    return [_benchmark(path, each, listed["compares"]) for each in listed["benchmarks"]]


def _benchmark(path, one, compares):
    family, _, number = one["name"].partition("/")
    dimensions = {dimension: int(number) for name, dimension in _NUMBERS if number.isdigit() and name.fullmatch(family)}
    # One thread that never waits is as quick as its processor time says; several may stand in each other's way.
    measures = ("throughput",) if compares == "wall_clock" else ("cpu",) if dimensions.get("threads", 1) == 1 else ("throughput", "cpu")
    others = _in_other_languages(path.parent, one["name"])
    made = Benchmark(path.name, family, one["name"], one["about"], one["item"], measures, (*one["subjects"], *others),
                     functools.partial(_measure, path, one["name"], one["is_single_threaded"], others), dimensions,
                     one["times_are_late"])
    return replace(made, **_COSTS.get(family, {}))


def _in_other_languages(folder, name):
    """The commands of those that were built."""
    found = _IN_LANGUAGES.fullmatch(name)
    if not found:
        return {}
    work, producers, consumers, threads = found.groups()
    arguments = [producers, consumers] if producers else []
    # Tokio's channel has one receiver.
    able = [each for each in _LANGUAGES if not (each == "tokio" and consumers not in (None, "1"))]
    paths = {each: folder / f"eddy-bench-{work}-{each}" for each in able}
    return {each: (path, threads, arguments) for each, path in paths.items() if path.exists()}


def _measure(path, name, is_single_threaded, others, session, subject, seconds, warmup):
    cores = session.cores[:1] if is_single_threaded else session.cores
    env = session.env
    if path.name == "eddy-bench-pq":
        env, cores = session.once(_postgres), session.cores[-1:]
    run = functools.partial(processes.run, cores=cores, seconds_max=_PATIENCE_S + 20 * (seconds + warmup), env=env,
                            tick=session.tick)
    if subject in others:
        program, threads, arguments = others[subject]
        return sample_in(run([program, threads, str(seconds), *arguments]))
    return json.loads(run([path, name, subject, "--seconds", str(seconds), "--warmup", str(warmup)]))


def sample_in(line):
    """What a subject in another language has printed."""
    try:
        items, seconds, cpu_seconds, memory = map(float, line.split())
    except ValueError:
        raise processes.Failed(f"no sample: {line}") from None
    if min(items, seconds, cpu_seconds) <= 0:
        raise processes.Failed(f"no sample: {line}")
    return {"items": items, "seconds": seconds, "cpu_seconds": cpu_seconds, "peak_memory_bytes": memory}


@contextlib.contextmanager
def _postgres(session: Session):
    """The environment of clients of a server of its own. The server has the first core and clients the last: where the
    scheduler puts two that wait for each other counts for more than what either of them does."""
    folder, port = session.directory / "postgres", processes.free_port()
    folder.mkdir()
    folder.chmod(0o755)
    command = [TESTS / "support/postgres.sh", folder, port, folder / "template"]
    # It answers a start-up packet of protocol 3.0 without a user by an error, also while it starts.
    hello, log = b"\0\0\0\x09\0\x03\0\0\0", session.directory / "postgres.log"
    with processes.serving(command, port, hello, log, session.cores[:1], answers_s_max=60):
        while "ready to accept connections" not in log.read_text(encoding="utf-8", errors="replace"):
            session.tick()
        yield {**session.env, "PGHOST": str(folder), "PGPORT": str(port), "PGUSER": "postgres", "PGDATABASE": "postgres"}
