"""Configures and compiles the course, which is a CMake project of its own."""

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COURSE = ROOT / "course"
LABS = range(1, 6)
KINDS = ("steps", "memory", "threads", "speed")  # of a lab's programs; not every lab has threads


class Failed(Exception):
    """What keeps a lab from being built, as a text for the reader."""


def compiler():
    """The one in the environment, or the best that is installed."""
    for name in (os.environ.get("CXX"), "clang++-22", "clang++", "g++", "c++"):
        if name and shutil.which(name):
            return name
    raise Failed("No C++ compiler is installed: run 'make setup'")


def make_skeleton(lab, directory):
    """What a reader begins with: the skeleton of each file that is to be written, and the other files of the reference."""
    shutil.copytree(COURSE / f"reference/lab{lab}", directory)
    shutil.copytree(COURSE / f"lab{lab}/skeleton", directory, dirs_exist_ok=True)


class Build:
    """A build directory in which each lab is compiled from a directory of headers."""

    def __init__(self, directory, headers, cxx=None):
        self.directory = Path(directory)
        self.headers = headers  # of each lab
        self.cxx = cxx or compiler()

    def configure(self):
        options = [f"-DCOURSE_LAB{lab}={path}" for lab, path in self.headers.items()]
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        run = _run(["cmake", "-S", COURSE, "-B", self.directory, f"-DCMAKE_CXX_COMPILER={shutil.which(self.cxx)}", *generator, *options])
        if run.returncode != 0:
            raise Failed(f"It cannot be configured:\n\n{run.stdout}\nThe course needs CMake, a C++23 compiler, GoogleTest and liburing: run 'make setup'")

    def compile(self, *targets):
        run = _run(["cmake", "--build", self.directory, "--parallel", str(os.cpu_count() or 1), "--target", *targets])
        if run.returncode != 0:
            raise Failed(f"It does not compile:\n\n{_first_error(run.stdout)}")

    def programs(self, lab):
        """The programs of a lab that was compiled, by kind."""
        programs = {kind: self.directory / f"lab{lab}_{kind}" for kind in KINDS}
        return {kind: program for kind, program in programs.items() if program.exists()}


def text_of(lab):
    return (COURSE / f"lab{lab}/README.md").read_text(encoding="utf-8")


def headers_for(lab, from_reference=False):
    """Where the headers come from when a reader works at a lab: its own is always the reader's."""
    found = {}
    for each in LABS:
        solution = COURSE / f"solution/lab{each}"
        own = each == lab or not from_reference
        found[each] = solution if own and solution.is_dir() else COURSE / f"reference/lab{each}"
    return found


def reference():
    return {lab: COURSE / f"reference/lab{lab}" for lab in LABS}


def _run(command):
    return subprocess.run([str(word) for word in command], cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def _first_error(output):
    """The first error of a compiler with what belongs to it: those after it are most often its consequences."""
    lines = output.splitlines()
    for at, line in enumerate(lines):
        if re.search(r"\b(?:fatal )?error:|undefined reference|undefined symbol", line):
            begin = at
            while begin > 0 and re.match(r"In file included|\s+from|.*: In ", lines[begin - 1]):
                begin -= 1
            return "\n".join(lines[begin:at + 14])
    return "\n".join(lines[-30:])
