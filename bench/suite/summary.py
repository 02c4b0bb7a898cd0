"""The beginning of the report: how eddy stands, at a glance and in every configuration."""

from collections import Counter, defaultdict

from . import text

_VERDICTS = ("faster", "even", "slower")
_MEASURES = (("throughput", "items per second"), ("cpu", "items per second of processor time"))
# A loop written by hand is the limit; this near to it is near enough.
LIMIT_BAR = 0.95


def counts(judged):
    """How often each verdict was found against the best peer, by measure."""
    found = defaultdict(Counter)
    for each in judged:
        for measure in each.configuration.measures:
            best = each.best_peer(measure)
            if best:
                found[measure][best.ratio.verdict] += 1
    return found


def at_a_glance(judged):
    found = counts(judged)
    rows = [[title, sum(found[measure].values()), *(found[measure][verdict] for verdict in _VERDICTS)]
            for measure, title in _MEASURES if found[measure]]
    return text.table(["compared by", "comparisons", *_VERDICTS], rows)


def slower(judged, rows_max=None):
    """The list of those where eddy is behind its best peer; of a long one the first rows, and how many there are more."""
    rows = []
    for each in judged:
        for measure in each.configuration.measures:
            best = each.best_peer(measure)
            if best and best.ratio.verdict == "slower":
                rows.append([program_name(each), each.configuration.name, f"`{each.line.eddy}`", measure_name(measure),
                             f"`{best.other}`", text.ratio(best.ratio)])
    if not rows:
        return "Nowhere.\n"
    shown = rows if rows_max is None else rows[:rows_max]
    more = f"\nAnd {len(rows) - len(shown)} more.\n" if len(shown) < len(rows) else ""
    return text.table(["program", "configuration", "eddy as", "by", "best peer", "eddy to it"], shown, left=5) + more


def beyond_the_limit(judged):
    """Where eddy needs more than the loop written by hand, by more than the bar allows."""
    rows = []
    for each in judged:
        limit = each.limit(each.configuration.measures[-1])
        if limit and limit.ratio.value < LIMIT_BAR:
            rows.append([program_name(each), each.configuration.name, f"`{each.line.eddy}`",
                         measure_name(limit.measure), f"`{limit.other}`", text.ratio(limit.ratio, False)])
    if not rows:
        return "Nowhere.\n"
    return text.table(["program", "configuration", "eddy as", "by", "limit", "eddy to it"], rows, left=5)


def by_family(judged):
    """A row for each family of configurations and each of eddy's ways."""
    families = defaultdict(list)
    for each in judged:
        families[program_name(each), each.configuration.family, each.line.eddy].append(each)
    rows = []
    for (program, family, eddy), members in families.items():
        cells = [cell for measure, _ in _MEASURES for cell in _cells(members, measure)]
        if any(cells):
            rows.append([program, family, f"`{eddy}`", *cells])
    heads = [head for measure, _ in _MEASURES for head in (measure_name(measure), "lowest ratio, to")]
    return text.table(["program", "scenario", "eddy as", *heads], rows, left=3)


def _cells(members, measure):
    """The verdicts, and the ratio that is the lowest."""
    best = [found for found in (each.best_peer(measure) for each in members) if found]
    if not best:
        return ["", ""]
    verdicts = Counter(found.ratio.verdict for found in best)
    worst = min(best, key=lambda found: found.ratio.value)
    return [" / ".join(f"**{count}**" if verdict == "slower" and count else str(count)
                       for verdict, count in ((verdict, verdicts[verdict]) for verdict in _VERDICTS)),
            f"{worst.ratio.value:.2f} `{worst.other}`"]


def all_of_them(judged):
    """A row for each configuration and each of eddy's ways, against the best peer and against the limit."""
    rows = []
    for each in judged:
        for measure in each.configuration.measures:
            best, limit = each.best_peer(measure), each.limit(measure)
            rows.append([program_name(each), each.configuration.name, f"`{each.line.eddy}`", measure_name(measure),
                         f"`{best.other}`" if best else "–", text.ratio(best.ratio if best else None),
                         f"`{limit.other}`" if limit else "–", text.ratio(limit.ratio if limit else None, False)])
    return text.table(["program", "configuration", "eddy as", "by", "best peer", "eddy to it", "limit", "eddy to it"],
                      rows, left=5)


def program_name(judged):
    return judged.configuration.program.removeprefix("eddy-bench-").removeprefix("eddy-").replace("bench", "servers")


def measure_name(measure):
    return {"throughput": "throughput", "cpu": "CPU"}[measure]
