"""The score card of a lab, as lines for a terminal and as a part of the page that shows the way through."""

import json
import re
from dataclasses import asdict, dataclass, field

from .build import text_of

POINTS = {"steps": 60, "memory": 25, "speed": 15}


@dataclass
class Row:
    title: str
    passed: int
    tests: int
    note: str = ""

    @property
    def is_done(self):
        return self.passed == self.tests and self.tests > 0


@dataclass
class Card:
    lab: int
    title: str
    steps: list = field(default_factory=list)
    memory: Row = None
    speed: list = field(default_factory=list)
    points: int = 0

    @property
    def is_done(self):
        return self.points == 100

    def rows(self):
        """(what it is about, row, its points if it is done) of each line."""
        kinds = {"steps": self.steps, "memory": [self.memory] if self.memory else [], "speed": self.speed}
        return [(f"step {number}" if kind == "steps" else kind, row, POINTS[kind] / len(rows))
                for kind, rows in kinds.items() for number, row in enumerate(rows, 1)]


def anchor(step, title):
    """Of a step in its lab's text, as GitHub makes them of headings."""
    return re.sub(r"[^a-z0-9 _-]", "", f"step {step}: {title}".lower()).replace(" ", "-")


def title_of(lab):
    return re.search(r"^# (.*)$", text_of(lab), re.MULTILINE)[1]


def step_titles(lab):
    """The headings 'Step 3: what it is' of a lab's text."""
    return {int(number): title for number, title in re.findall(r"^#+ Step (\d+): (.*)$", text_of(lab), re.MULTILINE)}


def make_card(lab, results):
    titles = step_titles(lab)
    card = Card(lab, title_of(lab))
    of_steps = [each for each in results if each.kind == "steps"]
    for step in sorted({each.step for each in of_steps if each.step}):
        tests = [each for each in of_steps if each.step == step]
        note = "not begun" if all(each.state == "is not begun" for each in tests) else ""
        card.steps.append(Row(titles.get(step, f"step {step}"), sum(each.passes for each in tests), len(tests), note))
    of_memory = [each for each in results if each.kind in ("memory", "threads")]
    card.memory = Row("under sanitizers", sum(each.passes for each in of_memory), len(of_memory))
    for each in results:
        if each.kind == "speed":
            ratios = each.texts("ratio")
            card.speed.append(Row(sentence(each.name), int(each.passes), 1, ratios[0] if ratios else each.state.removeprefix("is ")))
    card.points = round(_share(card.steps) * POINTS["steps"] + _share([card.memory]) * POINTS["memory"] +
                        _share(card.speed) * POINTS["speed"])
    if card.points == 100 and not all(each.passes for each in results):
        card.points = 99
    return card


def _share(rows):
    """Each row counts the same, by the part of its tests that pass."""
    return sum(row.passed / row.tests for row in rows if row.tests) / len(rows) if rows else 0


def sentence(name):
    return name.replace("_", " ")


def lines_of(card):
    def line(what, row, points):
        mark = "+" if row.is_done else "-"
        count = f"{row.passed}/{row.tests}"
        got = points * row.passed / row.tests if row.tests else 0
        return f"  {mark} {what:<9} {row.title[:58]:<58} {count:>7} {got:>6.1f}  {row.note}".rstrip()

    yield card.title
    yield f"{'tests':>78} {'points':>6}"
    for row in card.rows():
        yield line(*row)
    yield f"  {card.points} of 100 points"


def first_trouble(results):
    """The result that a reader should look at next: of the first step that is not done, then of memory, then of speed."""
    kinds = list(dict.fromkeys(each.kind for each in results))
    failing = [each for each in results if not each.passes]
    # What has been written and fails is looked at before what has not.
    return min(failing, default=None, key=lambda each: (kinds.index(each.kind), each.step or 0, each.state == "is not begun"))


def save(card, directory):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"lab{card.lab}.json").write_text(json.dumps(asdict(card)), encoding="utf-8")


def load(lab, directory):
    """The card that was saved last; of a lab that is not begun, the titles of its steps."""
    path = directory / f"lab{lab}.json"
    if not path.exists():
        return Card(lab, title_of(lab), [Row(title, 0, 1, "not begun") for title in step_titles(lab).values()])
    saved = json.loads(path.read_text(encoding="utf-8"))
    return Card(saved["lab"], saved["title"], [Row(**row) for row in saved["steps"]], Row(**saved["memory"]),
                [Row(**row) for row in saved["speed"]], saved["points"])
