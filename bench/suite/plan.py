"""Which units are measured, how long, and so how long it all takes."""

from collections import defaultdict
from dataclasses import dataclass

from . import programs
from .programs import CONTESTS, SERVERS, STEPS
from .units import Windows


@dataclass(frozen=True)
class Profile:
    """How thoroughly the suite is measured."""
    name: str
    rounds: int
    # Of servers; the windows of contests and steps are parts of it.
    seconds: float
    # The most that it may take; windows and configurations are cut down to that. None: as long as it takes.
    seconds_max: float | None = None


FULL = Profile("full", rounds=5, seconds=0.5)
QUICK = Profile("quick", rounds=5, seconds=1.0, seconds_max=600)
PROFILES = {each.name: each for each in (FULL, QUICK)}

# Shorter ones would measure the clock's ticks, and fewer rounds have no middle.
SECONDS_MIN = 0.2
ROUNDS_MIN = 3
_PART = {SERVERS: 1.0, CONTESTS: 0.4, STEPS: 0.04}
_WARMUP_PART = {SERVERS: 0.25, CONTESTS: 0.15, STEPS: 0.0}

# The pictures show these over all numbers of connections.
_CURVES = ("echo, 128 B", "http_small, 13 B")


@dataclass(frozen=True)
class Plan:
    profile: Profile
    units: tuple
    rounds: int
    seconds: float
    planned: int   # configurations that are measured
    left_out: int  # and those that there was no time for

    @property
    def estimated_s(self):
        return sum(each.estimated_s for each in self.units)


def plan(profile, listed, others=()):
    """`listed`: pairs of a program and its works; `others`: units that are the same for every profile."""
    if profile.seconds_max is None:
        return _made(profile, listed, others, profile.rounds, profile.seconds)
    left_s = profile.seconds_max - sum(each.estimated_s for each in others)
    for rounds, chosen in _ways_to_save(profile, listed):
        seconds = _fitting_seconds(chosen, rounds, left_s)
        if seconds >= SECONDS_MIN:
            return _made(profile, chosen, others, rounds, min(seconds, profile.seconds), listed)
    return _made(profile, chosen, others, rounds, SECONDS_MIN, listed)


def _ways_to_save(profile, listed):
    """From little to much."""
    fewer = [(program, representatives(works)) for program, works in listed]
    yield profile.rounds, listed
    for rounds in range(profile.rounds, ROUNDS_MIN - 1, -1):
        yield rounds, fewer


def representatives(works):
    """One of each family, from its middle; of those that pictures are made of the first, middle and last."""
    families = defaultdict(list)
    for work in works:
        families[work.family].append(work)
    chosen = set()
    for family, members in families.items():
        middle = members[len(members) // 2]
        chosen |= {middle, members[0], members[-1]} if family in _CURVES else {middle}
    return [work for work in works if work in chosen]


def _windows(kind, rounds, seconds):
    measured_s = seconds * _PART[kind]
    return Windows(rounds, measured_s, measured_s * _WARMUP_PART[kind])


def _units(listed, rounds, seconds):
    for program, works in listed:
        windows = _windows(program.kind, rounds, seconds)
        if not works:
            continue
        for together in [works] if program.is_one_unit else [[work] for work in works]:
            yield programs.unit(program, together, windows)


def _fitting_seconds(listed, rounds, left_s):
    """The window with which the units take that long; it may be negative."""
    def total_s(seconds):
        return sum(each.estimated_s for each in _units(listed, rounds, seconds))

    beside_s = total_s(0)
    per_second = total_s(1) - beside_s
    return (left_s - beside_s) / per_second if per_second else 0


def _made(profile, chosen, others, rounds, seconds, listed=None):
    count = sum(len(works) for _, works in chosen)
    all_of_them = sum(len(works) for _, works in listed or chosen)
    return Plan(profile, (*others, *_units(chosen, rounds, seconds)), rounds, round(seconds, 3), count,
                all_of_them - count)
