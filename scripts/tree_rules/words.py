"""What comments and documents do not say: personifications, and turns of phrase that a reader stumbles over.

The subject of a sentence is the task, the caller, the worker, the kernel or the peer, and a function returns.
"""

import re

from .tree import Finding, comments_only, line_of, prose_only

_CODE = ("include", "src", "apps", "examples", "course", "tests/explore")
_DOCUMENTS = ("README.md", "CONTRIBUTING.md")
# Written by the benchmarks.
_GENERATED = ("docs/benchmarks.md",)

# (words, what to write instead). A space stands for any white space, the end of a line included.
_WORDS = [
    (r"\b(?:nobody|somebody)(?:'s)?\b", "no task, another task, the caller, the peer"),
    (r"\b(?:who(?:m?ever|m?soever|m)?)\b", "name the task, the caller or the peer, or write 'that'"),
    (r"\btold\b|\btells (?:of|it|them|whether|how|what)\b", "reports, shows, returns, is called"),
    (r"\basked\b", "requested, called, checked"),
    (r"\bby and by\b", "gradually"),
    (r"\bin vain\b", "has no effect, fails"),
    (r"\blet(?:s|ting)? go\b", "releases, drops"),
    (r"\bto be had\b", "available"),
    (r"\blets? (?:them|it) be\b", "does not own, leaves unchanged"),
    (r"\bha[sd] better\b", "should"),
    (r"\bbe it\b", "or"),
    (r"\b(?-i:Gives)\b|[;,] gives\b", "returns"),
]
_WORDS = [(re.compile(words.replace(" ", r"\s+"), re.IGNORECASE), instead) for words, instead in _WORDS]


def check(tree):
    documents = [path for path in (*_DOCUMENTS, *tree.below("docs", "course", suffixes=(".md",))) if tree.has(path)]
    texts = [(path, comments_only) for path in tree.below(*_CODE)] + [(path, prose_only) for path in documents]
    for path, prose_of in texts:
        if path in _GENERATED:
            continue
        prose = prose_of(tree.text(path))
        for words, instead in _WORDS:
            for match in words.finditer(prose):
                yield Finding(path, line_of(prose, match.start()), f"'{' '.join(match[0].split())}': write {instead}")
