"""What is not written here, and what to write instead."""

import re

from .tree import Finding, code_only, line_of

_EVERYWHERE = ("include", "src", "tests", "apps", "examples", "bench", "fuzz")
_WAITS = ("include", "src", "tests", "apps", "examples")

# (pattern in the code, where, what to do)
_CODE = [
    (r"\busing\s+namespace\s+std\s*;", _EVERYWHERE, "'using namespace std': name what you use"),
    (r"\bstd::endl\b", _EVERYWHERE, "'std::endl' flushes: write '\\n'"),
    (r"^[ \t]*#[ \t]*if[ \t]+(?:0|false)\b", _EVERYWHERE, "'#if 0': delete the code, git keeps it"),
    (r"\bthis_thread::sleep_(?:for|until)\b|\b(?:usleep|nanosleep|clock_nanosleep)\s*\(|\bsleep\s*\(\s*\d+\s*\)", _WAITS,
     "sleeping is no synchronisation: wait for an event, use virtual time or an in-memory pipe"),
    # Up to a condition's first co_await, with calls in parentheses of two levels and without a declaration.
    (r"\b(?:if|while|switch)\s*\((?:[^(){};=]|[=!<>]=|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*?\(*\s*co_await\b",
     _EVERYWHERE, "a condition that awaits, where g++ 12 may misplace the coroutine: give the answer a name first"),
    (r"\?\s*co_await\b", _EVERYWHERE,
     "an operand of ?: that awaits, which g++ 12 may compile wrongly: write if and else"),
    # With a call in one of the operands.
    (r"\bco_(?:await|yield)\b[^;{}?]*\?(?:(?:[^;{}:(]|::)*\((?:[^;{}:]|::)*:(?!:)|(?:[^;{}:]|::)*:(?!:)\s*[\w:.>-]+\()",
     _EVERYWHERE, "?: with a call in what is awaited, of which g++ 12 may run both operands: give the result a name first"),
    (r"\bco_(?:await|yield)\b[^;{}]*[(,]\s*\{(?!\})", _EVERYWHERE,
     "a list in braces in what is awaited, of which g++ 12 may destroy an aggregate twice: name the type, in parentheses"),
    (r"\bco_(?:await|yield)\b[^;{}]*[(,]\s*\[(?:[^\]]*,)?\s*(?:=|(?!this\b)[a-z_])", _EVERYWHERE,
     "a capture by value in what is awaited, which g++ 12 may destroy twice: name the function first, or pass the value"),
    (r"\bDISABLED_\w+", ("tests",), "a disabled test: mend it or delete it"),
    (r"\bs?rand\s*\(", ("tests", "fuzz", "bench"), "'rand': use an engine with a seed and print the seed"),
]
_CODE = [(re.compile(pattern, re.MULTILINE), where, message) for pattern, where, message in _CODE]

# They show what goes wrong with conditions and operands that await.
_CODE_EXEMPT = ("tests/coroutines/await_condition_test.cpp", "tests/coroutines/double_destruction_test.cpp")

# With an owner it is a promise: TODO(name) or TODO(#12).
_OPEN_END = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b(?!\(#?\w[^)\n]*\))")
_OPEN_END_SUFFIXES = (".cpp", ".hpp", ".cmake", ".sh", ".py", ".txt", ".md", ".in", "Makefile", ".js", ".html", ".css")
# These two write about the rule.
_OPEN_END_EXEMPT = ("scripts/tree_rules/", "tests/rules/", "site/files/")


def check(tree):
    for pattern, directories, message in _CODE:
        for path in tree.below(*directories):
            if path in _CODE_EXEMPT:
                continue
            code = code_only(tree.text(path))
            for match in pattern.finditer(code):
                yield Finding(path, line_of(code, match.start()), message)
    for path in tree.files:
        if not path.endswith(_OPEN_END_SUFFIXES) or path.startswith(_OPEN_END_EXEMPT):
            continue
        text = tree.text(path)
        for match in _OPEN_END.finditer(text):
            yield Finding(path, line_of(text, match.start()),
                          f"'{match[1]}' without an owner: write {match[1]}(name) or {match[1]}(#issue), or do it")
