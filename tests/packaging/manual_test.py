"""Manual pages and completions have what --help has."""

import os
import re
import subprocess
import unittest
from pathlib import Path

import manual

BUILD = Path(os.environ["BUILD"])
TOKEN = re.compile(r"(?<![\w-])--?[a-zA-Z][-\w]*")


def programs():
    pages = sorted((BUILD / "share/man/man1").glob("*.1"))
    return [(page.stem, page, BUILD / "share/bash-completion/completions" / page.stem) for page in pages]


def help_of(name, *command):
    program = BUILD / "bin" / name
    if not program.exists():
        program = Path(__file__).parents[2] / "packaging" / name
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=False).stdout


def options_of(text):
    """What stands in front of the descriptions: found in another way than the generator does."""
    return {token for line in text.split("\n") if line.startswith("  -") for token in TOKEN.findall(line.split()[0])}


class Manual(unittest.TestCase):
    def test_every_program_has_a_page(self):
        names = {name for name, _, _ in programs()}
        built = {path.name for path in (BUILD / "bin").glob("eddy-*")} & {
            "eddy-broadcast", "eddy-echo", "eddy-httpd", "eddy-load", "eddy-memcached", "eddy-multicast", "eddy-pipeline"}
        self.assertGreaterEqual(names, built | {"eddy-new"})

    def test_pages_and_completions_have_the_options_of_help(self):
        for name, page, completion in programs():
            if not completion.exists():
                continue  # protoc-gen-eddy has no options
            help_text = help_of(name)
            commands = re.findall(r"^  ([a-z]+)\s", help_text.partition("Subcommands:")[2], re.MULTILINE)
            options = options_of(help_text).union(*(options_of(help_of(name, command)) for command in commands))
            with self.subTest(name=name):
                self.assertIn("--help", options)
                shown = page.read_text(encoding="utf-8").replace("\\-", "-")
                self.assertEqual(set(re.findall(r"\\fB(-[^\\]*)\\fR", shown)), options)
                words = re.findall(r"words='([^']*)'", completion.read_text(encoding="utf-8"))
                self.assertEqual({word for each in words for word in each.split() if word.startswith("-")}, options)
                for command in commands:
                    self.assertIn(f"\\fB{command}\\fR", shown)

    def test_completions_are_shell(self):
        for name, _, completion in programs():
            if completion.exists():
                with self.subTest(name=name):
                    subprocess.run(["bash", "-n", completion], check=True)

    def test_a_completion_completes(self):
        script = (f"source {BUILD}/share/bash-completion/completions/eddy-httpd; COMP_WORDS=(eddy-httpd --por); COMP_CWORD=1; "
                  "_eddy_httpd; echo ${COMPREPLY[*]}; COMP_WORDS=(eddy-httpd --backend ep); COMP_CWORD=2; _eddy_httpd; echo ${COMPREPLY[*]}")
        completed = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(completed.stdout, "--port\nepoll\n")


class Parsing(unittest.TestCase):
    def test_a_line_is_taken_apart(self):
        for words, names, value, facts in (
                ("-h,--help", ["-h", "--help"], "", []),
                ("--http2,--no-http2{false}", ["--http2", "--no-http2"], "", []),
                ("--port UINT REQUIRED", ["--port"], "UINT", ["required"]),
                ("--idle FLOAT:FLOAT in [0.1 - 60]=5", ["--idle"], "FLOAT", ["0.1 to 60", "default: 5"]),
                ("-I,--size UINT:SIZE [b, kb(=1024b), ...]:UINT in [1 - 9]=4", ["-I", "--size"], "UINT", ["1 to 9"]),
                ("group TEXT ... REQUIRED", ["group"], "TEXT...", ["required"])):
            with self.subTest(words=words):
                entry = manual.parse_entry(words)
                self.assertEqual((entry.names, entry.value, entry.facts), (names, value, facts))

    def test_descriptions_may_stand_on_the_next_line(self):
        parsed = manual.parse("Does it\nUsage: p [OPTIONS]\n\nOptions:\n  -h,--help                   Help\n"
                              "  --a-long-name TEXT:SOMETHING\n                              What it\n"
                              "                              means\n\n")
        self.assertEqual([(entry.names[-1], entry.text) for entry in parsed.entries()],
                         [("--help", "Help"), ("--a-long-name", "What it means")])


if __name__ == "__main__":
    unittest.main()
