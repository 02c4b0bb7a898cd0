"""The results of the benchmark programs in one form, whichever program they come from."""

import re
from dataclasses import dataclass, field

PERCENTILES = ("p50", "p90", "p99", "p99.9")


@dataclass(frozen=True)
class Round:
    """One measurement of one contender."""
    per_second: float
    cpu_ns: float  # of all its threads, per item
    percentiles_ns: dict = field(default_factory=dict)
    memory_bytes: float = 0  # the most that it held, where that was asked for


@dataclass(frozen=True)
class Contender:
    name: str
    rounds: tuple
    errors: int = 0


@dataclass(frozen=True)
class Configuration:
    """The same work done by several contenders."""
    program: str
    family: str  # those that differ in a number only are one family
    name: str
    about: str
    item: str
    measures: tuple  # of "throughput" and "cpu", what they are compared by
    contenders: tuple
    dimensions: dict = field(default_factory=dict)  # payload, connections, threads
    times_are_late: bool = False

    def contender(self, name):
        return next((one for one in self.contenders if one.name == name), None)


def configurations(document):
    """Those that the JSON of one program holds."""
    if "configurations" in document:
        return [_of_servers(each) for each in document["configurations"]]
    if "contests" in document:
        return [_of_contest(document["program"], each) for each in document["contests"]]
    if "benchmarks" in document:
        return _of_steps(document["benchmarks"])
    return []


def _of_servers(one):
    dimensions = {name: one[name] for name in ("payload", "connections")}
    if one.get("shares_cores"):
        dimensions["threads"] = one["threads"]
    family = f"{one['scenario']}, {one['payload']}"
    return Configuration(
        "eddy-bench", family, _name_of_servers(one["scenario"], dimensions), one.get("about", ""), "request",
        ("throughput", "cpu"), tuple(_peer(each) for each in one["peers"]), {"scenario": one["scenario"], **dimensions})


def _name_of_servers(scenario, dimensions):
    parts = [scenario, dimensions["payload"], _counted(dimensions["connections"], "connection")]
    if "threads" in dimensions:
        parts.append(_counted(dimensions["threads"], "thread"))
    return ", ".join(parts)


def _counted(number, what):
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _peer(one):
    rounds = tuple(Round(each["requests"] / each["seconds"], each["server_cpu"]["total_ns"] / each["requests"],
                         {name: each["latency_ns"][name] for name in PERCENTILES})
                   for each in one["rounds"])
    return Contender(one["peer"], rounds, sum(each["errors"] for each in one["rounds"]))


# What the number behind a contest's name is, where pictures can show it.
_THREADS = "multithreaded_scaling|concurrent_post_run|.*_threads|skynet|fib|channel_\\d+x\\d+|io_socket_st"
_NUMBERS = ((re.compile(_THREADS), "threads"),
            (re.compile("ping_pong.*_pairs|churn"), "connections"))


def _of_contest(program, one):
    family, _, number = one["contest"].partition("/")
    dimensions = {dimension: int(number) for name, dimension in _NUMBERS if number.isdigit() and name.fullmatch(family)}
    late = any("late_ns" in each for contender in one["contenders"] for each in contender["rounds"])
    return Configuration(
        program, family, one["contest"], one.get("about", ""), one["item"],
        _measures(one, dimensions),
        tuple(_contender(each) for each in one["contenders"]), dimensions, late)


def _measures(one, dimensions):
    """One thread that never waits is as quick as its processor time says; several may stand in each other's way."""
    if one.get("compares") != "cpu_time":
        return ("throughput",)
    return ("throughput", "cpu") if dimensions.get("threads", 1) > 1 else ("cpu",)


def _contender(one):
    return Contender(one["contender"], tuple(_contest_round(each) for each in one["rounds"] if each["items"]))


def _contest_round(one):
    times = one.get("times_ns") or one.get("late_ns") or {}
    return Round(one["items"] / one["seconds"], one["cpu_seconds"] * 1e9 / one["items"],
                 {name: times[name] for name in PERCENTILES if name in times}, one.get("peak_memory_bytes", 0))


_BARE = "_bare"
_NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def _of_steps(benchmarks):
    """Google Benchmark's repetitions. A step and the least that it can be are two contenders."""
    seen = {}
    for each in benchmarks:
        if each.get("run_type", "iteration") == "iteration":
            cpu_ns = each["cpu_time"] * _NANOSECONDS[each.get("time_unit", "ns")]
            name = each.get("run_name", each["name"])
            seen.setdefault(name, []).append(Round(1e9 / cpu_ns, cpu_ns))
    steps = []
    for name, rounds in seen.items():
        if name.endswith(_BARE):
            continue
        contenders = [Contender("eddy", tuple(rounds))]
        if name + _BARE in seen:
            contenders.append(Contender("bare", tuple(seen[name + _BARE])))
        steps.append(Configuration("eddy-micro", "steps", name, "", "step", ("cpu",), tuple(contenders)))
    return steps
