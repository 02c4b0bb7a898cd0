"""Units of a plan: each is measured as a whole, by one run of one program."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    name: str
    kind: str
    # "{json}" in it stands for the file to write the result to.
    command: tuple
    estimated_s: float

    def command_writing(self, json_file):
        return [each.replace("{json}", str(json_file)) for each in self.command]


@dataclass(frozen=True)
class Work:
    """What a unit could measure: a configuration's name and how many contenders it has."""
    program: str
    family: str
    name: str
    contenders: int
    selection: tuple = ()  # the options that choose it


@dataclass(frozen=True)
class Windows:
    """How long and how often each contender is measured."""
    rounds: int
    seconds: float
    warmup_seconds: float
