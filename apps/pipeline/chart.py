"""Draws the results of the demonstration as an SVG, for light and dark surroundings."""

import math
from html import escape

WIDTH = 940
LABELS = 110  # room for the modes, on the left
ROW = 44
BAR = 24
TOP = 96
COLUMN = 310  # of bars, and of latencies
GAP = 40
PERCENTILES = (("p50_us", "p50"), ("p90_us", "p90"), ("p99_us", "p99"), ("p999_us", "p99.9"))

STYLE = """
  svg { --ground: #ffffff; --ink: #1b1f24; --quiet: #656d76; --line: #d8dee4;
        --bar: #3b76c4; --slow: #c4574a; --span: #9db9de; --slow-span: #e3b1ab; }
  @media (prefers-color-scheme: dark) {
    svg { --ground: #0d1117; --ink: #e6edf3; --quiet: #8b949e; --line: #2a313a;
          --bar: #5b9bef; --slow: #ef7d6e; --span: #2f4a70; --slow-span: #6b3a35; }
  }
  text { font: 13px system-ui, sans-serif; fill: var(--ink); }
  .title { font-size: 17px; font-weight: 600; }
  .quiet { fill: var(--quiet); font-size: 12px; }
  .end { text-anchor: end; } .middle { text-anchor: middle; }
  .ground { fill: var(--ground); } .line { stroke: var(--line); }
  .bar, .dot { fill: var(--bar); } .span { fill: var(--span); }
  .slow .bar, .slow .dot { fill: var(--slow); } .slow .span { fill: var(--slow-span); }
"""


def draw(results, subtitle):
    height = TOP + ROW * len(results) + 40
    left = LABELS + COLUMN + GAP
    scale = LogScale(results, left, COLUMN - 30)
    bottom = TOP + ROW * len(results)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-label="Requests per second and latencies in four modes">',
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>',
        text(24, 34, "A pool that waits, and one that does not", "title"),
        text(24, 54, subtitle, "quiet"),
        text(LABELS, TOP - 14, "requests per second", "quiet"),
        text(left, TOP - 14, "latency: p50, p90, p99, p99.9", "quiet"),
        text(WIDTH - 24, TOP - 14, "server CPU a request", "quiet end"),
        *scale.draw(TOP, bottom),
    ]
    most = max(result["per_second"] for result in results) or 1
    for number, result in enumerate(results):
        parts += draw_row(result, TOP + ROW * number + ROW / 2, most, scale)
    return "\n".join(parts + ["</svg>"]) + "\n"


def draw_row(result, middle, most, scale):
    length = (COLUMN - 70) * result["per_second"] / most
    points = [scale.place(result[key]) for key, _ in PERCENTILES]
    kind = ' class="slow"' if result["mode"] == "blocking" else ""
    yield f"<g{kind}>"
    yield text(LABELS - 12, middle + 5, result["mode"], "end")
    yield (f'<rect class="bar" x="{LABELS}" y="{middle - BAR / 2}" width="{max(length, 2):.1f}" height="{BAR}" rx="3">'
           f"<title>{result['requests']:,} requests in {result['seconds']:.1f} s</title></rect>")
    yield text(LABELS + length + 8, middle + 5, f"{result['per_second']:,.0f}")
    yield (f'<rect class="span" x="{points[0]:.1f}" y="{middle - 3}" width="{points[-1] - points[0]:.1f}" height="6" '
           'rx="3"/>')
    for (key, name), place, radius in zip(PERCENTILES, points, (7, 5, 5, 4)):
        yield (f'<circle class="dot" cx="{place:.1f}" cy="{middle}" r="{radius}">'
               f"<title>{name}: {spoken(result[key])}</title></circle>")
    yield text(points[0], middle - 12, spoken(result["p50_us"]), "quiet middle")
    yield text(WIDTH - 24, middle + 5, f"{result['server_cpu_us_per_request']:.1f} µs", "end")
    yield "</g>"


class LogScale:
    """Places latencies from the smallest to the largest, by whole powers of ten."""

    def __init__(self, results, left, width):
        values = [max(result[key], 1) for result in results for key, _ in PERCENTILES]
        self.lowest = math.floor(math.log10(min(values)))
        self.powers = max(math.ceil(math.log10(max(values))) - self.lowest, 1)
        self.left = left
        self.width = width

    def place(self, value_us):
        return self.left + self.width * (math.log10(max(value_us, 1)) - self.lowest) / self.powers

    def draw(self, top, bottom):
        for power in range(self.powers + 1):
            x = self.place(10 ** (self.lowest + power))
            yield f'<line class="line" x1="{x:.1f}" x2="{x:.1f}" y1="{top - 4}" y2="{bottom}"/>'
            yield text(x, bottom + 16, spoken(10 ** (self.lowest + power)), "quiet middle")


def spoken(value_us):
    return f"{value_us / 1e6:.3g} s" if value_us >= 1e6 else f"{value_us / 1000:.3g} ms"


def text(x, y, words, kind=""):
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{named}>{escape(words)}</text>'
