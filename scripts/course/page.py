"""The page made of the score cards: build/course/cards.html."""

import html

from . import card as cards
from .build import LABS

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; background: #fbfbfa }
h1 { font-size: 1.6rem } h2 { font-size: 1.1rem; margin: 0 }
section { border: 1px solid #d5dbe1; border-radius: 8px; padding: 1rem 1.2rem; margin: 1rem 0; background: #fff }
.points { float: right; font-weight: 600 } .bar { height: 6px; border-radius: 3px; background: #e4e8ec; margin: .6rem 0 }
.bar div { height: 6px; border-radius: 3px; background: #2f7d5b } table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: .92rem }
td { padding: .15rem .4rem } td:nth-child(1) { width: 1.2rem } td:nth-child(2) { width: 5rem } td:nth-child(4) { width: 11rem }
.done { color: #2f7d5b } .open, .note { color: #5b6875 }
@media (prefers-color-scheme: dark) {
body { background: #15191e; color: #dde3ea } section { background: #1c2229; border-color: #333c46 } .bar { background: #333c46 }
.done { color: #6cc59a } .open, .note { color: #9aa5b1 } }
"""


def page_of(directory):
    """The page's text: all labs, with the cards that have been saved."""
    parts = []
    for lab in LABS:
        card = cards.load(lab, directory)
        parts.append(f'<section><span class="points">{card.points} of 100</span><h2>{html.escape(card.title)}</h2>'
                     f'<div class="bar"><div style="width: {card.points}%"></div></div>'
                     f'<table>{"".join(_row(*row) for row in card.rows())}</table>'
                     f"<p class=note><code>make lab N={lab}</code> · <code>course/lab{lab}/README.md</code></p></section>")
    return (f"<!doctype html><html lang=en><meta charset=utf-8><title>eddy: the course</title><style>{_STYLE}</style>"
            f"<h1>Build a coroutine runtime yourself</h1>{''.join(parts)}</html>\n")


def _row(what, row, _points):
    state = "done" if row.is_done else "open"
    mark = "●" if row.is_done else "○"
    note = row.note or ("" if row.is_done else f"{row.passed}/{row.tests}")
    return f'<tr class={state}><td>{mark}<td>{what}<td>{html.escape(row.title)}<td class=note>{html.escape(note)}'
