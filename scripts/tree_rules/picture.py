"""The modules and what they use, drawn from the rule's own table (layers.MAY_USE)."""

from html import escape

# What stands under the name of each module in the picture.
CAPTIONS = {
    "detail": "lists, counters, locks, assertions",
    "core": "tasks, jobs, the resume loop",
    "io": "the contract: operations, buffers",
    "backend": "io_uring, epoll, POSIX",
    "runtime": "workers, timers, offload pool",
    "testing": "proves programs",
    "sync": "events, locks, channels",
    "combine": "race, deadlines, task sets",
    "stream": "sources, sinks, buffers",
    "net": "sockets, resolver",
    "fs": "files, directories",
    "os": "pipes, children, signals",
    "tls": "a stream over a stream",
    "http": "server, client, WebSocket",
    "rpc": "calls between programs, gRPC",
    "etcd": "a client of etcd",
    "integrations": "libcurl, libpq, hiredis",
}

_WIDTH, _BOX_WIDTH, _BOX_HEIGHT, _ROW, _MARGIN = 960, 200, 46, 84, 24
_STYLE = """<style>
text { font-family: sans-serif; text-anchor: middle; fill: #1f2933 }
.name { font-size: 15px; font-weight: bold } .about { font-size: 11px } .note { font-size: 11px; fill: #52606d }
rect { stroke: #486581; stroke-width: 1.2 } line { stroke: #829ab1; stroke-width: 1.4; marker-end: url(#end) }
.seam { stroke-dasharray: 5 4 }
</style>"""
_MARKER = ('<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
           '<path d="M0 0 L8 4 L0 8 z" fill="#829ab1"/></marker></defs>')


def levels(may_use):
    """The modules by how many others they stand on, one above the other; the lowest first."""
    heights = {}

    def height(module):
        if module not in heights:
            heights[module] = 1 + max(map(height, may_use[module]), default=-1)
        return heights[module]

    rows = [[] for _ in range(1 + max(map(height, may_use)))]
    for module in may_use:
        rows[heights[module]].append(module)
    return rows


def direct(may_use):
    """The arrows that say all: those that do not follow from two others."""
    def reach(module):
        return {module}.union(*map(reach, may_use[module]))

    return [(module, used) for module, all_used in may_use.items() for used in all_used
            if not any(used in reach(other) for other in all_used if other != used)]


def draw(may_use):
    """The picture as SVG."""
    rows = levels(may_use)
    height = _ROW * len(rows) + 2 * _MARGIN + _BOX_HEIGHT
    at = {}
    for level, row in enumerate(rows):
        y = height - _MARGIN - _BOX_HEIGHT - level * _ROW
        for place, module in enumerate(row):
            at[module] = (_WIDTH * (2 * place + 1) / (2 * len(row)), y)
    above = _MARGIN + 4
    lines = [f'<line x1="{at[user][0]:.0f}" y1="{at[user][1] + _BOX_HEIGHT}" x2="{at[used][0]:.0f}" y2="{at[used][1] - 2}"/>'
             for user, used in direct(may_use)]
    lines += [f'<line x1="{at[module][0]:.0f}" y1="{above + 30}" x2="{at[module][0]:.0f}" y2="{at[module][1] - 2}"/>'
              for module in rows[-1]]
    if "backend" in at and "runtime" in at:
        (x, y), (other, _) = at["runtime"], at["backend"]
        middle = y + _BOX_HEIGHT / 2
        side = _BOX_WIDTH / 2 if other > x else -_BOX_WIDTH / 2
        lines.append(f'<line class="seam" x1="{x + side:.0f}" y1="{middle:.0f}" x2="{other - side:.0f}" y2="{middle:.0f}"/>')
        lines.append(f'<text class="note" x="{(x + other) / 2:.0f}" y="{middle - 6:.0f}">one factory makes a backend</text>')
    boxes = [f'<rect x="{_MARGIN}" y="{above}" width="{_WIDTH - 2 * _MARGIN}" height="30" rx="6" fill="#fffaeb"/>',
             f'<text class="about" x="{_WIDTH / 2:.0f}" y="{above + 19}">programs: apps, examples, bench (public headers only)</text>']
    for module, (x, y) in at.items():
        boxes += [f'<rect x="{x - _BOX_WIDTH / 2:.0f}" y="{y}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" rx="6" fill="#e6f0fa"/>',
                  f'<text class="name" x="{x:.0f}" y="{y + 20}">{escape(module)}</text>',
                  f'<text class="about" x="{x:.0f}" y="{y + 37}">{escape(CAPTIONS.get(module, ""))}</text>']
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
                      'role="img" aria-label="The modules of eddy; an arrow goes from a module to one that it uses">',
                      "<!-- Made by scripts/draw_modules.py from MAY_USE of scripts/tree_rules/layers.py. -->",
                      _STYLE, _MARKER, f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff" stroke="none" style="stroke:none"/>',
                      *lines, *boxes, "</svg>"]) + "\n"
