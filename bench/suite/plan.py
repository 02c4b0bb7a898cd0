"""Which units are measured, how long, and so how long it all takes."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass

from . import benchmark, steps


@dataclass(frozen=True)
class Unit:
    """What is measured as a whole, and kept as such."""
    name: str
    kind: str
    estimated_s: float
    how: dict           # what it was measured with: another way is another result
    measure: Callable   # (session) gives its result as JSON, or raises Failed


@dataclass(frozen=True)
class Profile:
    """How thoroughly the suite is measured."""
    name: str
    rounds: int
    # Of servers; the windows of other benchmarks are parts of it.
    seconds: float
    # The most that it may take; windows and benchmarks are cut down to that. None: as long as it takes.
    seconds_max: float | None = None


FULL = Profile("full", rounds=5, seconds=0.5)
QUICK = Profile("quick", rounds=5, seconds=1.0, seconds_max=600)
PROFILES = {each.name: each for each in (FULL, QUICK)}

# Shorter ones would measure the clock's ticks, and fewer rounds have no middle.
SECONDS_MIN = 0.2
ROUNDS_MIN = 3

# The pictures show these over all numbers of connections.
_CURVES = ("echo, 128 B", "http_small, 13 B")


@dataclass(frozen=True)
class Plan:
    profile: Profile
    units: tuple
    rounds: int
    seconds: float
    planned: int   # benchmarks that are measured
    left_out: int  # and those that there was no time for

    @property
    def estimated_s(self):
        return sum(each.estimated_s for each in self.units)


def plan(profile, benchmarks, others=()):
    """`others`: units that are the same for every profile."""
    if profile.seconds_max is None:
        return _made(profile, benchmarks, others, profile.rounds, profile.seconds, len(benchmarks))
    left_s = profile.seconds_max - sum(each.estimated_s for each in others)
    for rounds, chosen in _ways_to_save(profile, benchmarks):
        seconds = _fitting_seconds(chosen, rounds, left_s)
        if seconds >= SECONDS_MIN:
            break
    return _made(profile, chosen, others, rounds, min(max(seconds, SECONDS_MIN), profile.seconds), len(benchmarks))


def _ways_to_save(profile, benchmarks):
    """From little to much."""
    fewer = representatives(benchmarks)
    yield profile.rounds, benchmarks
    for rounds in range(profile.rounds, ROUNDS_MIN - 1, -1):
        yield rounds, fewer


def representatives(benchmarks):
    """One of each family, from its middle; of those that pictures are made of the first, middle and last."""
    families = defaultdict(list)
    for each in benchmarks:
        families[each.program, each.name if each.family == steps.FAMILY else each.family].append(each)
    chosen = set()
    for (_, family), members in families.items():
        middle = members[len(members) // 2]
        chosen |= {each.title for each in ((members[0], middle, members[-1]) if family in _CURVES else (middle,))}
    return [each for each in benchmarks if each.title in chosen]


def _estimated_s(benchmarks, rounds, seconds):
    return sum(each.estimated_s(each.windows(rounds, seconds)) for each in benchmarks)


def _fitting_seconds(benchmarks, rounds, left_s):
    """The window with which they take that long; it may be negative."""
    beside_s = _estimated_s(benchmarks, rounds, 0)
    per_second = _estimated_s(benchmarks, rounds, 1) - beside_s
    return (left_s - beside_s) / per_second if per_second else 0


def unit(each, windows):
    return Unit(each.title, "benchmark", each.estimated_s(windows), {**asdict(windows), "subjects": list(each.subjects)},
                lambda session: benchmark.measure(each, session, windows))


def _made(profile, chosen, others, rounds, seconds, count):
    seconds = round(seconds, 3)
    units = tuple(unit(each, each.windows(rounds, seconds)) for each in chosen)
    return Plan(profile, (*others, *units), rounds, seconds, len(chosen), count - len(chosen))
