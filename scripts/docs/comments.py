"""The comment of a public name: its sentence, its text, and what it says about ownership, dropping and so on."""

import re
from dataclasses import dataclass

_FACT = re.compile(r"^- ([A-Z][\w ,/'-]{1,45}): ?(.*)$")
_BULLET = re.compile(r"^(?:- |\d+\. )")
_DROPPED = re.compile(r"\bdrop(?:s|ped|ping)?\b|\bcancellation\b", re.IGNORECASE)


@dataclass
class Comment:
    text: str  # Markdown, without the facts
    facts: list  # (label, Markdown)

    @property
    def sentence(self):
        """The first sentence."""
        return sentences(self.text)[0] if self.text.strip() else (self.facts[0][1] if self.facts else "")


def parsed(comment):
    text, facts = [], []
    fact = None
    for line in comment.split("\n"):
        found = _FACT.match(line)
        if found and not (len(found[1].split()) > 5):
            fact = [found[2]]
            facts.append((found[1], fact))
        elif fact is not None and line.startswith("  "):
            fact.append(line[2:])
        elif fact is not None and not line.strip():
            text.append("")  # what follows is text again, if it is no fact
            fact = None
        else:
            fact = None
            # A list right behind text is a list for a reader of the header, and for Markdown with an empty line.
            text.append(line)
    prose = re.sub(r"\n{3,}", "\n\n", "\n".join(text)).strip("\n")
    return Comment(_marked(prose), [(label, _marked("\n".join(lines))) for label, lines in facts])


def _marked(text):
    return re.sub(r"(?<![\w*])(Requires|Throws|Returns|Awaited|Note):", r"**\1:**", text)


def sentences(text):
    """The sentences of the prose of a text, examples left out."""
    prose = re.sub(r"^ {4}.*$", "", text, flags=re.MULTILINE)
    prose = " ".join(prose.split())
    return [each for each in re.split(r"(?<=[.!?])\s+(?=[A-Z`*(\"])", re.sub(r"\*\*(\w+):\*\*", r"\1:", prose)) if each] or [""]


def about_dropping(comment):
    """What a comment says a drop does, or None."""
    here = parsed(comment)
    for label, text in here.facts:
        if "cancellation" in label.lower() or "dropp" in label.lower():
            return text
    said = [sentence for sentence in sentences(here.text) if _DROPPED.search(sentence)]
    said += [text for label, text in here.facts if _DROPPED.search(text)]
    return re.sub(r"^(?:Dropped|Cancellation): ", "", " ".join(said)) or None
