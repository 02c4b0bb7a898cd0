"""Every comparison of eddy with somebody else, judged."""

from dataclasses import dataclass

from . import rivals
from .comparison import Ratio, ratio


@dataclass(frozen=True)
class Judgement:
    """How eddy compares with one other. Above 1 eddy is better, whatever the measure."""
    other: str
    measure: str
    ratio: Ratio


@dataclass(frozen=True)
class Judged:
    """One of eddy's subjects in a configuration, beside all that it stands against."""
    configuration: object
    line: rivals.Line
    against: tuple

    def of(self, other, measure):
        return next((each for each in self.against if (each.other, each.measure) == (other, measure)), None)

    def best_peer(self, measure):
        """The peer that eddy does worst against, or None."""
        return self._worst(self.line.peers, measure)

    def limit(self, measure):
        """The same of the loops written by hand, of eddy's own backend where there is one."""
        own = [name for name in self.line.limits if name == f"raw_{self.line.backend}"]
        return self._worst(own or self.line.limits, measure)

    def _worst(self, names, measure):
        return min((each for each in self.against if each.other in names and each.measure == measure),
                   key=lambda each: each.ratio.value, default=None)


def judge(configuration):
    """Of all eddy's subjects."""
    result = []
    for line in rivals.lines(configuration):
        ours = configuration.subject(line.eddy)
        against = []
        for other in (*line.peers, *line.limits):
            for measure in configuration.measures:
                seed = "|".join((configuration.program, configuration.name, line.eddy, other, measure))
                found = ratio(_figures(ours, measure), _figures(configuration.subject(other), measure), seed)
                if found:
                    against.append(Judgement(other, measure, found))
        result.append(Judged(configuration, line, tuple(against)))
    return result


def _figures(subject, measure):
    """Larger is better."""
    if measure == "throughput":
        return [each.per_second for each in subject.rounds]
    return [1 / each.cpu_ns if each.cpu_ns else 0 for each in subject.rounds]
