"""A tree of stacks as a flame graph, an SVG that needs no script: tooltips tell names, samples and owners."""

from html import escape

WIDTH, ROW, MARGIN, LETTER = 1200, 16, 10, 6.6
LEGEND = 24
NARROWEST = 1.0  # of the widths drawn; what is narrower could not be seen

COLOURS = {"kernel": "#e8a087", "program": "#8fc98f", "libc": "#e6d27a", "OpenSSL": "#c9a2d8", "other libraries": "#c4c4c4"}
EDDY = "#8fb8e0"


def colour(owner):
    return EDDY if owner.startswith("eddy/") else COLOURS.get(owner, "#dddddd")


def draw(root, title, about=""):
    """The SVG of a tree (stacks.Node): callers below, callees above."""
    scale = (WIDTH - 2 * MARGIN) / max(1, root.samples)
    boxes = []
    _place(root, 0, 0, scale, boxes)
    height = (max(depth for _, _, depth in boxes) + 1) * ROW + 3 * MARGIN + 2 * LEGEND + ROW
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
             f'font-family="monospace" font-size="11">',
             "<style>rect{stroke:#fff;stroke-width:.5}g:hover>rect{stroke:#000}text{pointer-events:none}</style>",
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
             f'<text x="{WIDTH / 2:g}" y="{LEGEND}" font-size="15" text-anchor="middle">{escape(title)}</text>',
             f'<text x="{WIDTH / 2:g}" y="{LEGEND + ROW}" text-anchor="middle" fill="#555">{escape(about)}</text>']
    lines += _legend(LEGEND + ROW + MARGIN)
    for node, left, depth in boxes:
        lines.append(_box(node, root.samples, MARGIN + left * scale, height - MARGIN - (depth + 1) * ROW, node.samples * scale))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _place(root, left, depth, scale, boxes):
    pending = [(root, left, depth)]
    while pending:
        node, left, depth = pending.pop()
        boxes.append((node, left, depth))
        for child in sorted(node.children.values(), key=lambda each: (each.name, each.owner)):
            if child.samples * scale >= NARROWEST:
                pending.append((child, left, depth + 1))
            left += child.samples


def _box(node, samples, x, y, width):
    share = 100 * node.samples / max(1, samples)
    shown = _fitting(node.name, int((width - 4) / LETTER))
    text = f'<text x="{x + 2:.1f}" y="{y + 12}">{escape(shown)}</text>' if shown else ""
    whose = f", {node.owner}" if node.owner else ""
    return (f'<g><title>{escape(node.name)}: {share:.1f} %{escape(whose)}</title>'
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}" fill="{colour(node.owner)}"/>{text}</g>')


def _fitting(name, room):
    """A name in so many letters: whole, without its scopes, or cut; nothing where that would say nothing."""
    last = name.rpartition("::")[2]
    for shown in (name, last, last[:room - 2] + ".."):
        if len(shown) <= room and room >= 5:
            return shown
    return ""


def _legend(y):
    x = MARGIN
    for words, fill in [("eddy", EDDY), *COLOURS.items()]:
        yield (f'<rect x="{x}" y="{y}" width="12" height="12" fill="{fill}"/>'
               f'<text x="{x + 16}" y="{y + 10}">{words}</text>')
        x += 16 + int(len(words) * LETTER) + 20
