#!/usr/bin/env python3
"""Makes a program's manual page and its completion for bash out of what the program says of itself by --help.

    manual.py PROGRAM --source FILE --version VERSION [--man FILE] [--completion FILE]

The comment at the beginning of the program's source gives what --help does not have: the examples. A program without
--help is described by that comment alone.
"""

import argparse
import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

ENTRY = re.compile(r"^  (\S.*?)(?:\s{2,}(\S.*))?$")
OPTION = re.compile(r"^-[-\w]+(?:,-[-\w]+)*$")
RANGE = re.compile(r"\w+ in \[(\S+) - (\S+)\]")
CHOICES = re.compile(r"^[\w-]+(?:, [\w-]+)* or [\w-]+$")


@dataclasses.dataclass
class Entry:
    """A line of --help: an option, a positional argument or a command."""
    names: list
    value: str = ""
    facts: list = dataclasses.field(default_factory=list)
    text: str = ""

    @property
    def is_option(self):
        return self.names[0].startswith("-")

    @property
    def choices(self):
        return re.split(r", | or ", self.text) if CHOICES.match(self.text) else []


@dataclasses.dataclass
class Help:
    summary: str
    usage: str
    sections: list  # of (title, [Entry])
    commands: dict = dataclasses.field(default_factory=dict)  # name to Help

    def entries(self):
        return [entry for _, entries in self.sections for entry in entries]

    def options(self):
        return [entry for entry in self.entries() if entry.is_option]


def parse_entry(words):
    """Of "--idle-timeout FLOAT:FLOAT in [0.001 - 86400]=75": names, value, and what is said beside."""
    first, _, rest = words.partition(" ")
    first = re.sub(r"\{[^}]*\}", "", first)  # the value of a flag
    names = first.split(",") if OPTION.match(first) else [first]
    facts = []
    rest, _, default = rest.partition("=") if "(=" not in rest else (rest, "", "")
    if default:
        facts.append(f"default: {default}")
    if "REQUIRED" in rest:
        facts.insert(0, "required")
    if found := RANGE.search(rest):
        facts.insert(0, f"{found[1]} to {found[2]}")
    value = re.split(r"[ :{]", rest.strip())[0]
    choices = re.search(r"\{([^}]*)\}", rest)
    if choices:
        facts.insert(0, "one of " + re.sub(r"->[^,]*", "", choices[1]).replace(",", ", "))
    if value == "REQUIRED":
        value = ""
    if re.search(r"(?:^| )\.\.\.(?: |$)", rest):
        value += "..."
    return Entry(names, value, facts)


def parse(text):
    lines = text.rstrip("\n").split("\n")
    usage = next(at for at, line in enumerate(lines) if line.startswith("Usage:"))
    parsed = Help(" ".join(lines[:usage]).strip(), lines[usage].removeprefix("Usage:").strip(), [])
    for line in lines[usage + 1:]:
        if line and not line.startswith(" "):
            parsed.sections.append((line.rstrip(":"), []))
        elif found := ENTRY.match(line):
            entry = parse_entry(found[1])
            entry.text = found[2] or ""
            parsed.sections[-1][1].append(entry)
        elif line.strip():
            entry = parsed.sections[-1][1][-1]
            entry.text = f"{entry.text} {line.strip()}".strip()
    return parsed


def ask(program, *arguments):
    """What --help says, or None where there is none."""
    done = subprocess.run([program, *arguments, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=60, check=False)
    return done.stdout if done.returncode == 0 and "Usage:" in done.stdout else None


def read_help(program):
    text = ask(program)
    if text is None:
        return None
    whole = parse(text)
    for title, entries in whole.sections:
        if title == "Subcommands":
            for entry in entries:
                whole.commands[entry.names[0]] = parse(ask(program, entry.names[0]))
    return whole


def read_comment(source):
    """The comment at the beginning: its paragraphs, as (is an example, text)."""
    lines = []
    for line in source.read_text(encoding="utf-8").split("\n"):
        if line.startswith("#!"):
            continue
        if not line.startswith(("//", "#")) or line.startswith("#include"):
            break
        lines.append(line.lstrip("/#").removeprefix(" "))
    paragraphs = []
    for paragraph in "\n".join(lines).split("\n\n"):
        is_example = paragraph.startswith("    ")
        paragraphs.append((is_example, "\n".join(line[4:] for line in paragraph.split("\n")) if is_example
                           else paragraph.replace("\n", " ")))
    return [each for each in paragraphs if each[1].strip()]


# -- the page --

def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def bold(text):
    return f"\\fB{escape(text)}\\fR"


def write_entries(entries):
    for entry in entries:
        names = ", ".join(bold(name) for name in entry.names)
        yield ".TP"
        yield names + (f" \\fI{escape(entry.value)}\\fR" if entry.value else "")
        facts = f" ({'; '.join(entry.facts)})" if entry.facts else ""
        yield escape((entry.text + facts).strip()) or "\\&"


def write_page(name, version, parsed, comment):
    summary = parsed.summary if parsed else comment[0][1].partition(": ")[2]
    short = summary.split(". ")[0].rstrip(".")
    yield f'.TH {name.upper()} 1 "" "eddy {version}" "User Commands"'
    yield ".SH NAME"
    yield f"{escape(name)} \\- {escape(short[0].lower() + short[1:])}"
    if parsed:
        yield ".SH SYNOPSIS"
        yield ".B " + escape(parsed.usage)
        for command in parsed.commands.values():
            yield ".br"
            yield ".B " + escape(command.usage)
    yield ".SH DESCRIPTION"
    yield escape(summary[0].upper() + summary[1:].rstrip(".") + ".")
    if not parsed:
        yield from write_paragraphs(comment[1:])
    for title, entries in parsed.sections if parsed else []:
        if title == "Subcommands":
            yield ".SH COMMANDS"
        else:
            yield f".SH {escape(title).upper()}"
        yield from write_entries(entries)
    for command, its in parsed.commands.items() if parsed else []:
        yield f".SH OPTIONS OF {escape(command).upper()}"
        yield escape(its.summary.rstrip(".") + ".")
        for _, entries in its.sections:
            yield from write_entries(entries)
    if parsed and any(is_example for is_example, _ in comment):
        yield ".SH EXAMPLES"
        yield from write_paragraphs([each for each in comment if each[0]])
    yield ".SH EXIT STATUS"
    yield "0 when it has done its work, 1 when it cannot, 2 when the command line is wrong."


def write_paragraphs(paragraphs):
    for is_example, text in paragraphs:
        yield ".PP"
        yield f".nf\n{escape(text)}\n.fi" if is_example else escape(text)


# -- completion --

def write_completion(name, parsed):
    function = "_" + re.sub(r"\W", "_", name)
    yield f"# Completion of {name} for bash."
    yield f"{function}() {{"
    yield "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words"
    yield "    COMPREPLY=()"
    if parsed.commands:
        yield "    case ${COMP_WORDS[1]} in"
        for command, its in parsed.commands.items():
            yield f"        {command}) words='{option_words(its)}' ;;"
        yield f"        *) words='{' '.join([*parsed.commands, option_words(parsed)])}' ;;"
        yield "    esac"
    else:
        yield f"    words='{option_words(parsed)}'"
    choices = {name: entry.choices for each in [parsed, *parsed.commands.values()] for entry in each.options()
               for name in entry.names if entry.choices}
    if choices:
        yield "    case $before in"
        for option, values in sorted(choices.items()):
            yield f"        {option}) mapfile -t COMPREPLY < <(compgen -W '{' '.join(values)}' -- \"$word\"); return ;;"
        yield "    esac"
    yield "    if [[ $word == -* || $COMP_CWORD -eq 1 ]]; then"
    yield "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")"
    yield "    fi"
    yield "}"
    yield f"complete -o default -F {function} {name}"


def option_words(parsed):
    return " ".join(name for entry in parsed.options() for name in entry.names)


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--man", type=Path)
    parser.add_argument("--completion", type=Path)
    chosen = parser.parse_args()
    parsed, comment = read_help(chosen.program), read_comment(chosen.source)
    if not parsed and not comment:
        sys.exit(f"manual: {chosen.program} has no --help, and {chosen.source} no comment")
    if chosen.man:
        write(chosen.man, write_page(chosen.program.name, chosen.version, parsed, comment))
    if chosen.completion and parsed:
        write(chosen.completion, write_completion(chosen.program.name, parsed))


if __name__ == "__main__":
    main()
