"""The tables of one configuration: every contender's figures, and eddy's ratio to each."""

from . import rivals, text
from .comparison import median, spread
from .measured import PERCENTILES


def figures(configuration):
    """Medians of the rounds."""
    shown = [each for each in PERCENTILES if any(each in one.percentiles_ns
                                                 for contender in configuration.contenders for one in contender.rounds)]
    has_memory = configuration.program == "eddy-bench-tasks"
    has_errors = any(each.errors for each in configuration.contenders)
    late = "late, " if configuration.times_are_late else ""
    heads = ["", "per second", "spread", f"CPU per {configuration.item}", *(late + each for each in shown)]
    heads += ["peak memory"] * has_memory + ["errors"] * has_errors
    rows = []
    for contender in configuration.contenders:
        rates = [each.per_second for each in contender.rounds]
        row = [_name(configuration, contender.name), text.number(median(rates)), text.percent(spread(rates)),
               text.duration_ns(median([each.cpu_ns for each in contender.rounds]))]
        row += [_percentile(contender, each) for each in shown]
        if has_memory:
            row.append(text.size(max(each.memory_bytes for each in contender.rounds)))
        if has_errors:
            row.append(contender.errors)
        rows.append(row)
    return text.table(heads, rows)


def ratios(configuration, judged):
    """A column for each of eddy's contenders and each measure, a row for each of the others."""
    columns = [(each, measure) for each in judged for measure in configuration.measures if each.against]
    others = [each.name for each in configuration.contenders if not rivals.is_eddy(each.name)]
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


def _percentile(contender, name):
    seen = [each.percentiles_ns[name] for each in contender.rounds if name in each.percentiles_ns]
    return text.duration_ns(median(seen)) if seen else "–"
