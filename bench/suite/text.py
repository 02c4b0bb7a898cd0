"""Figures and tables as Markdown."""


def number(value):
    """Three digits that matter: 1.23 M, 45.6 k, 789, 0.12."""
    for limit, unit in ((1e9, " G"), (1e6, " M"), (1e4, " k")):
        if abs(value) >= limit:
            return _three(value / (1e3 if unit == " k" else limit)) + unit
    return f"{value:,.0f}" if abs(value) >= 1000 else _three(value)


def _three(value):
    size = abs(value)
    return f"{value:.0f}" if size >= 100 or size == 0 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def duration_ns(value):
    """Like 12.3 ns, 4.56 µs or 7.89 ms."""
    for limit, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if value >= limit:
            return f"{_three(value / limit)} {unit}"
    return f"{_three(value)} ns"


def size(value):
    """Like 512 B, 3.4 KiB or 5.6 MiB."""
    for limit, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if value >= limit:
            return f"{_three(value / limit)} {unit}"
    return f"{value:.0f} B"


def percent(share):
    return f"{share * 100:.1f} %"


def ratio(found, with_verdict=True):
    """Like 1.04 [1.02, 1.06] faster."""
    if found is None:
        return "–"
    text = f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
    if not with_verdict:
        return text
    return f"{text} {'**slower**' if found.verdict == 'slower' else found.verdict}"


def table(heads, rows, left=1):
    """The first `left` columns hold words, the others figures."""
    marks = ["---" if at < left else "--:" for at in range(len(heads))]
    lines = [heads, marks, *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def folded(title, text):
    """Shown when the reader opens it."""
    return f"<details>\n<summary>{title}</summary>\n\n{text}\n</details>\n"


def anchor(heading):
    """The name that a heading has as the target of a link."""
    kept = "".join(each for each in heading.lower() if each.isalnum() or each in "_- ")
    return kept.replace(" ", "-")
