"""The tables of one configuration: every subject's figures, and eddy's ratio to each."""

from . import rivals, text
from .benchmark import PERCENTILES
from .comparison import median, spread


# What the load knows of a server beside its processor time, which the kernel splits by sampling at clock ticks, and what part
# of the window the server and the load were on their processors.
_OF_SERVERS = {
    "user": lambda sample: text.duration_ns(sample["user_seconds"] * 1e9 / sample["items"]),
    "system": lambda sample: text.duration_ns(sample["system_seconds"] * 1e9 / sample["items"]),
    "busy": lambda sample: text.percent(sample["cpu_seconds"] / sample["seconds"]),
    "load": lambda sample: text.percent(sample["load_cpu_seconds"] / sample["seconds"]),
}


def figures(configuration, is_whole=False):
    """Medians of the rounds; the whole with what only says how good they are."""
    shown = [each for each in PERCENTILES if any(each in one.percentiles_ns
                                                 for subject in configuration.subjects for one in subject.rounds)]
    more = _OF_SERVERS if is_whole and configuration.program == "eddy-bench" else {}
    has_memory = configuration.program == "eddy-bench-tasks"
    has_errors = any(each.errors for each in configuration.subjects)
    late = "late, " if configuration.times_are_late else ""
    heads = ["", "per second", "spread", f"CPU per {configuration.item}", *(late + each for each in shown), *more]
    heads += ["peak memory"] * has_memory + ["errors"] * has_errors
    rows = []
    for subject in configuration.subjects:
        rates = [each.per_second for each in subject.rounds]
        row = [_name(configuration, subject.name), text.number(median(rates)), text.percent(spread(rates)),
               text.duration_ns(median([each.cpu_ns for each in subject.rounds]))]
        row += [_percentile(subject, each) for each in shown]
        row += [shown_as(_in_the_middle(subject)) for shown_as in more.values()]
        if has_memory:
            row.append(text.size(max(each.memory_bytes for each in subject.rounds)))
        if has_errors:
            row.append(subject.errors)
        rows.append(row)
    return text.table(heads, rows)


def ratios(configuration, judged):
    """A column for each of eddy's subjects and each measure, a row for each of the others."""
    columns = [(each, measure) for each in judged for measure in configuration.measures if each.against]
    others = [each.name for each in configuration.subjects if not rivals.is_eddy(each.name)]
    if not columns or not others:
        return ""
    heads = ["", *(f"`{each.line.eddy}`, {'CPU' if measure == 'cpu' else measure}" for each, measure in columns)]
    rows = []
    for other in others:
        found = [each.of(other, measure) for each, measure in columns]
        rows.append([f"to {_name(configuration, other)}", *(text.ratio(one.ratio if one else None) for one in found)])
    return text.table(heads, rows)


def _name(configuration, name):
    if rivals.is_eddy(name):
        return f"**`{name}`**"
    return f"`{name}`" + (" (limit)" if rivals.is_limit(configuration, name) else "")


def _in_the_middle(subject):
    """The sample of the round whose processor time is the median, or the one above it."""
    return sorted(subject.rounds, key=lambda each: each.cpu_ns)[len(subject.rounds) // 2].sample


def _percentile(subject, name):
    seen = [each.percentiles_ns[name] for each in subject.rounds if name in each.percentiles_ns]
    return text.duration_ns(median(seen)) if seen else "–"
