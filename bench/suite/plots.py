"""The pictures of the report, as SVG. They need matplotlib; without it there are none."""

from collections import defaultdict
from pathlib import Path

from . import rivals
from .benchmark import PERCENTILES
from .comparison import median
from .text import duration_ns

_COLOURS = {
    "raw_io_uring": "#444444", "raw_epoll": "#8a8a8a",
    "asio_callbacks": "#c23b22", "asio_coroutines": "#e8836f", "libuv": "#7a4fa3", "tokio": "#b5651d",
    "tokio_threads": "#d9a05b", "hyper": "#b5651d", "hyper_threads": "#d9a05b", "go": "#00838f", "beast": "#8e2a5b",
    "nginx": "#2e8b57", "nginx_ofc": "#7fc79b", "memcached": "#2e8b57",
}
# Eddy's are blue, those on epoll lighter.
_EDDY = {"io_uring": ("#0b5fce", "#123a7a", "#5b3fd6", "#00708c"), "epoll": ("#5aa2f5", "#2aa7c9", "#9a8cf0", "#6fb7c4")}
_OTHERS = ("#66772b", "#a0522d", "#4b5d8a", "#9a7b00", "#5b3a8c", "#2f6f6f")
_COLUMNS = 4


def is_possible():
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw_all(configurations, folder):
    """Writes the pictures and gives their names and titles, by the section that they belong to."""
    canvas = _Canvas(Path(folder))
    drawn = defaultdict(list)
    by_scenario = defaultdict(list)
    for each in configurations:
        by_scenario[each.program, each.dimensions.get("scenario", each.family)].append(each)
    for (program, name), members in by_scenario.items():
        stem = f"{program.removeprefix('eddy-bench-').replace('eddy-bench', 'servers')}_{name}".replace("-", "_")
        for dimension in ("connections", "threads"):
            title = f"{name}: throughput against {dimension}"
            if _throughput(canvas, f"{stem}_{dimension}", title, members, dimension):
                drawn[program, name].append((f"{stem}_{dimension}.svg", title))
        title = f"{name}: latency by percentile"
        if _latencies(canvas, f"{stem}_latency", title, members):
            drawn[program, name].append((f"{stem}_latency.svg", title))
        if program == "eddy-bench":
            title = f"{name}: processor time per request"
            _processor_time(canvas, f"{stem}_cpu", title, members)
            drawn[program, name].append((f"{stem}_cpu.svg", title))
    return drawn


class _Canvas:
    """Makes figures that look alike, and the same file for the same figures."""

    def __init__(self, folder):
        import matplotlib
        matplotlib.use("svg")
        matplotlib.rcParams.update({
            "svg.hashsalt": "eddy", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
            "font.sans-serif": ["Helvetica", "Arial", "DejaVu Sans", "sans-serif"],
            "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e4e4e4",
            "figure.facecolor": "white", "savefig.facecolor": "white", "axes.axisbelow": True, "legend.frameon": False,
        })
        import matplotlib.pyplot
        self._pyplot = matplotlib.pyplot
        self._folder = folder

    def panels(self, count, height=3.2):
        """The figure and as many axes, in rows."""
        columns = min(count, _COLUMNS)
        rows = -(-count // columns)
        size = ((3.4 if count > 1 else 6.0) * columns, height * rows)
        figure, axes = self._pyplot.subplots(rows, columns, figsize=size, squeeze=False)
        panels = list(axes.flat)
        for unused in panels[count:]:
            unused.set_axis_off()
        return figure, panels[:count]

    def write(self, name, figure, title, names):
        """With one legend for all panels, to the right of them."""
        handles = {}
        for axes in figure.axes:
            for handle, label in zip(*axes.get_legend_handles_labels()):
                handles.setdefault(label, handle)
        labels = [each for each in names if each in handles]
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
        figure.tight_layout()
        if labels:
            figure.legend([handles[each] for each in labels], labels, loc="center left", bbox_to_anchor=(1.0, 0.5))
        self._folder.mkdir(parents=True, exist_ok=True)
        figure.savefig(self._folder / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")
        self._pyplot.close(figure)


def _style(name, names):
    """Eddy's lines are wider than the others'."""
    if rivals.is_eddy(name):
        own = [each for each in names if rivals.is_eddy(each) and rivals.backend(each) == rivals.backend(name)]
        own.sort(key=lambda each: each not in ("eddy", "eddy_epoll"))
        colours = _EDDY[rivals.backend(name)]
        return {"color": colours[own.index(name) % len(colours)], "linewidth": 2.4, "marker": "o", "markersize": 5,
                "zorder": 3}
    unknown = [each for each in names if each not in _COLOURS and not rivals.is_eddy(each)]
    colour = _COLOURS.get(name) or _OTHERS[unknown.index(name) % len(_OTHERS)]
    return {"color": colour, "linewidth": 1.2, "marker": "x" if name.startswith("raw") else ".", "markersize": 5}


def _names(members):
    return list(dict.fromkeys(one.name for each in members for one in each.subjects))


def _numbers(members, dimension):
    return sorted({each.dimensions[dimension] for each in members if dimension in each.dimensions})


def _throughput(canvas, stem, title, members, dimension):
    """A panel for each family; nothing where no family has two numbers."""
    families = defaultdict(list)
    for each in members:
        # What else varies is a panel of its own.
        rest = tuple(sorted((name, value) for name, value in each.dimensions.items() if name != dimension))
        families[each.family, rest].append(each)
    families = {key: group for key, group in families.items() if len(_numbers(group, dimension)) > 1}
    if not families:
        return False
    names = _names(members)
    figure, panels = canvas.panels(len(families))
    for axes, ((family, rest), group) in zip(panels, families.items()):
        for name in names:
            points = sorted((each.dimensions[dimension], median([one.per_second for one in each.subject(name).rounds]))
                            for each in group if each.subject(name))
            if points:
                axes.plot(*zip(*points), label=name, **_style(name, names))
        axes.set_xscale("log", base=2)
        numbers = _numbers(group, dimension)
        axes.set_xticks(numbers, [str(each) for each in numbers])
        axes.minorticks_off()
        axes.set_xlabel(dimension)
        axes.set_ylim(bottom=0)
        axes.set_title(_panel_title(family, rest, dimension), fontsize=9)
        _large_numbers(axes.yaxis)
    panels[0].set_ylabel(f"{members[0].item}s per second")
    canvas.write(stem, figure, title, names)
    return True


def _panel_title(family, rest, dimension):
    more = [f"{value} {name}" for name, value in rest if name in ("connections", "threads") and name != dimension]
    return ", ".join([family, *more])


def _large_numbers(axis):
    from matplotlib.ticker import FuncFormatter


    def shown(value, _):
        return f"{value / 1e6:g} M" if value >= 1e6 else f"{value / 1e3:g} k" if value >= 1e3 else f"{value:g}"

    axis.set_major_formatter(FuncFormatter(shown))


def _durations(axis):
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: duration_ns(value).replace(".00 ", " ").replace(".0 ", " ")))
    axis.set_minor_formatter(NullFormatter())


def _latencies(canvas, stem, title, members):
    """A panel for each family, of its configuration in the middle."""
    families = defaultdict(list)
    for each in members:
        if all(len(one.percentiles_ns) == len(PERCENTILES) for subject in each.subjects for one in subject.rounds):
            families[each.family].append(each)
    if not families:
        return False
    shown = [group[len(group) // 2] for group in families.values()]
    names = _names(shown)
    figure, panels = canvas.panels(len(shown))
    for axes, each in zip(panels, shown):
        for name in names:
            subject = each.subject(name)
            if not subject:
                continue
            times = [median([one.percentiles_ns[at] for one in subject.rounds]) for at in PERCENTILES]
            axes.plot(range(len(PERCENTILES)), times, label=name, **_style(name, names))
        axes.set_xticks(range(len(PERCENTILES)), PERCENTILES)
        axes.set_yscale("log")
        _durations(axes.yaxis)
        axes.set_title(each.name, fontsize=9)
    panels[0].set_ylabel("late by" if shown[0].times_are_late else f"time of a {shown[0].item}")
    canvas.write(stem, figure, title, names)
    return True


def _processor_time(canvas, stem, title, members):
    """A panel of bars for each configuration, with a scale of its own."""
    names = _names(members)
    figure, panels = canvas.panels(len(members), height=2.4)
    for axes, each in zip(panels, members):
        for at, name in enumerate(names):
            if each.subject(name):
                used_us = median([one.cpu_ns for one in each.subject(name).rounds]) / 1e3
                axes.bar([at], [used_us], 0.84, label=name, color=_style(name, names)["color"])
        axes.set_xticks([])
        axes.set_xlim(-0.6, len(names) - 0.4)
        axes.set_title(each.name.partition(", ")[2], fontsize=9)
    panels[0].set_ylabel("µs of processor time")
    canvas.write(stem, figure, title, names)
