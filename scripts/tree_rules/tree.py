"""What the rules look at: the files of a tree, and findings about them."""

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

CPP_SUFFIXES = (".cpp", ".hpp")
_SKIPPED_DIRECTORIES = {".git", "build", "__pycache__", ".cache", "solution"}

_COMMENT = r"//[^\n]*|/\*.*?\*/"
_RAW_STRING = r'R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"'
_STRING = r'"(?:\\.|[^"\\\n])*"'
# The apostrophe in 1'000 opens no character.
_CHARACTER = r"(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'"
_TOKEN = re.compile(f"(?P<comment>{_COMMENT})|(?P<string>{_RAW_STRING}|{_STRING}|{_CHARACTER})", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


class Tree:
    """The files below a directory that are not generated. Paths are relative, with '/'."""

    def __init__(self, root):
        self.root = Path(root)
        self.files = sorted(self._walk())
        self._known = set(self.files)

    def _walk(self):
        ignored = self._ignored()
        for directory, subfolders, names in os.walk(self.root):
            subfolders[:] = [name for name in subfolders if name not in _SKIPPED_DIRECTORIES]
            for name in names:
                path = (Path(directory) / name).relative_to(self.root).as_posix()
                if path not in ignored:
                    yield path

    @cache
    def _ignored(self):
        """The single files that .gitignore names: generated, but real to a reader of the documents."""
        file = self.root / ".gitignore"
        lines = file.read_text().splitlines() if file.exists() else []
        return {line.lstrip("/") for line in lines if line and not line.endswith("/") and "*" not in line}

    def below(self, *directories, suffixes=CPP_SUFFIXES):
        """The files under any of the directories, with any of the suffixes."""
        starts = tuple(f"{directory}/" for directory in directories)
        return [path for path in self.files if path.startswith(starts) and path.endswith(suffixes)]

    @cache
    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def has(self, path):
        """Whether a path names a file or directory of the tree, or one that is generated into it."""
        path = os.path.normpath(path)
        if "*" in path:
            return any(PurePosixPath(file).match(path) for file in self.files)
        return path in self._known or path in self._ignored() or (self.root / path).is_dir()

    def includes(self, path):
        """(line, name, is_quoted) of every #include of a file."""
        code = without_comments(self.text(path))
        for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', code, re.MULTILINE):
            yield line_of(code, match.start(1)), match[2], match[1] == '"'


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """The text with its comments blanked and its lines where they were."""
    return _TOKEN.sub(lambda match: _blank(match[0]) if match["comment"] else match[0], text)


def code_only(text):
    """The text with comments and literals blanked and its lines where they were."""
    return _TOKEN.sub(lambda match: _blank(match[0]), text)


def _blank_matches(pattern, text):
    return re.sub(pattern, lambda match: _blank(match[0]), text, flags=re.MULTILINE | re.DOTALL)


def comments_only(text):
    """The prose of a source: its comments without slashes, examples and `names`, with their lines where they were."""
    prose = []
    end = 0
    for match in _TOKEN.finditer(text):
        if match["comment"]:
            prose += [_blank(text[end:match.start()]), match[0]]
            end = match.end()
    prose = "".join(prose) + _blank(text[end:])
    prose = _blank_matches(r"^\s*//[/!]?[ ]{5,}[^\n]*", prose)
    return _blank_matches(r"`[^`]*`", _blank_matches(r"//[/!]?<?|/\*|\*/", prose))


def prose_only(text):
    """The prose of a document: without blocks of code, `names` and targets of links, with its lines where they were."""
    text = _blank_matches(r"^[ ]*```.*?^[ ]*```$", text)
    return _blank_matches(r"`[^`]*`|\]\([^)]*\)|^\[[^\]]*\]: [^\n]*", text)
