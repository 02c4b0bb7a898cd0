"""Which public name a word means, and where its page is."""

import re

_WORD = re.compile(r"(?<![\w.:>/-])((?:[a-z_]\w*::)*~?[a-z_]\w*)(\(\))")
_QUALIFIED = re.compile(r"(?<![\w.:>/-])((?:[a-z_]\w*::)+[a-z_]\w*)(?![\w:])")


def page_of(header):
    """The page of a header, from the root of the site."""
    return "reference/" + header.removeprefix("eddy/").removesuffix(".hpp") + ".html"


class Names:
    def __init__(self, api):
        self._api = api
        self._full = {}
        self._last = {}
        for entry in api.all():
            self._full.setdefault(entry.name, entry)
            self._last.setdefault(entry.last_name, []).append(entry)

    @staticmethod
    def url(entry):
        return f"{page_of(entry.header)}#{entry.anchor}"

    def by_usr(self, usr):
        return self._api.by_usr.get(usr)

    def find(self, word, scope=None):
        """The entry that a name means where it is written: in the scope of an entry, or anywhere."""
        word = word.removeprefix("eddy::").removesuffix("()")
        around = scope.name if scope else ""
        while around:
            found = self._full.get(f"{around}::{word}")
            if found:
                return found
            around = around.rpartition("::")[0]
        if word in self._full:
            return self._full[word]
        # Without its namespace: certain if there is one such name.
        fitting = [entry for name, entry in self._full.items() if name.endswith("::" + word)] if "::" in word else \
            [entry for entry in self._last.get(word, []) if entry.parent is None]
        return fitting[0] if len(fitting) == 1 else None

    def of_code(self, code, scope=None):
        """The entry that a piece of code in prose is about: `name`, `name()`, `a::b()`, `name<T>`, or None."""
        match = re.fullmatch(r"(?:co_await )?(?:eddy::)?((?:[a-z_]\w*::)*~?[a-z_]\w*)(?:<.*>)?(?:\(.*\))?", code, re.DOTALL)
        if not match:
            return None
        is_plain = code == match[1] and "::" not in code
        if is_plain and scope is None and match[1] in _ORDINARY:
            return None
        return self.find(match[1], scope)

    def in_prose(self, text, scope=None):
        """(begin, end, entry) of names that prose mentions as name() or scope::name."""
        for pattern in (_WORD, _QUALIFIED):
            for match in pattern.finditer(text):
                entry = self.find(match[1], scope)
                if entry and not text[match.end(1):].startswith("()") == (pattern is _QUALIFIED):
                    yield match.start(), match.end(), entry


# Words of the language and of ordinary examples, which name something of ours only where a header says them.
_ORDINARY = {"data", "size", "value", "get", "run", "read", "write", "close", "open", "none", "all", "body", "path", "name",
             "message", "request", "response", "main", "text", "file", "on", "copy"}
