#!/usr/bin/env python3
"""Plants known bugs, one at a time, and checks that the tests notice each of them.

    scripts/mutants.py                    a sample that fits into MUTANT_MINUTES (6)
    MUTANTS=all scripts/mutants.py        all of them
    scripts/mutants.py NAME...            those whose module or name contains one of the words
    scripts/mutants.py --check            only whether every mutant still fits the tree
    scripts/mutants.py --list             the mutants and the tests that kill them

A mutant is an entry of tests/mutants/<module>.toml:

    [[mutant]]
    name = "a_sentence_that_says_what_is_wrong"
    file = "src/sync/mutex.cpp"
    find = '''text that occurs once in the file'''
    replace = '''what stands there instead'''
    tests = ["sync.mutex_test"]           names of ctest; without a backend, those of both
    also = ["src/combine/task_set.cpp"]   of a public header: sources to compile with it, beside the test's own; with
                                          any other header all that include it are compiled

The tree and the build directory are left alone: a changed copy of the file is compiled on its own and linked in front
of the libraries into a second executable, which runs in place of the first. A mutant is killed when one of its tests
fails or does not end. One that survives fails the run, as does one whose tests fail without it.
"""

import argparse
import itertools
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = "tests/mutants"
SECONDS_MAX = 120  # for one test of a mutant; a test that hangs has noticed
SECONDS_IDLE_MAX = 10  # a test that does nothing for so long hangs
SETTINGS = {"GTEST_FAIL_FAST": "1", "EDDY_TEST_OPERATIONS": "50000"}


@dataclass
class Mutant:
    module: str
    name: str
    file: str
    find: str
    replace: str
    tests: list
    also: list = field(default_factory=list)

    @property
    def title(self):
        return f"{self.module}: {self.name}"

    def changed_text(self, root):
        return (root / self.file).read_text(encoding="utf-8").replace(self.find, self.replace, 1)


def read_mutants(root):
    found = []
    for path in sorted((root / LISTS).glob("*.toml")):
        with path.open("rb") as lists:
            found += [Mutant(path.stem, **entry) for entry in tomllib.load(lists)["mutant"]]
    return found


def problems_of(mutants, root):
    """What keeps a mutant from being planted, a line each."""
    seen = set()
    for mutant in mutants:
        if mutant.title in seen:
            yield f"{mutant.title}: the name is taken"
        seen.add(mutant.title)
        if not (root / mutant.file).is_file():
            yield f"{mutant.title}: there is no {mutant.file}"
            continue
        times = (root / mutant.file).read_text(encoding="utf-8").count(mutant.find)
        if times != 1:
            yield f"{mutant.title}: its text occurs {times} times in {mutant.file}"
        if mutant.find == mutant.replace:
            yield f"{mutant.title}: changes nothing"
        if not mutant.tests:
            yield f"{mutant.title}: names no test"
        for test in mutant.tests:
            directory, stem = test.split(".")[:2]
            registered = root / "tests" / directory / "CMakeLists.txt"
            if not registered.is_file() or (stem not in registered.read_text(encoding="utf-8")
                                            and not (registered.parent / f"{stem}.cpp").is_file()):
                yield f"{mutant.title}: there is no test {test}"


def object_of(compilation):
    words = shlex.split(compilation["command"])
    return words[words.index("-o") + 1]


def sources_of(compilation):
    """The sources that are compiled, as one where the build gathers them (UNITY_BUILD)."""
    file = Path(compilation["file"])
    if file.parent.name != "Unity":
        return {compilation["file"]}
    return set(re.findall(r'^#include "(.*)"$', file.read_text(encoding="utf-8"), re.MULTILINE))


class Build:
    """What a finished build directory knows of its tests, links and compilations."""

    def __init__(self, directory):
        self.directory = directory
        listed = json.loads(self._output("ctest", "--show-only=json-v1"))
        self.tests = {test["name"]: test for test in listed["tests"]}
        with (directory / "compile_commands.json").open(encoding="utf-8") as commands:
            self.compilations = {object_of(entry): entry for entry in json.load(commands)}
        self.sources = {made: sources_of(entry) for made, entry in self.compilations.items()}
        self._links = {}
        self._users = None
        self._sources = {}  # of the tests of each program
        for test in self.tests.values():
            for program in self.programs_of(test):
                self._sources.setdefault(program, set()).add(source_of(test))

    def _output(self, *command):
        return subprocess.run(command, cwd=self.directory, check=True, capture_output=True, text=True).stdout

    def tests_named(self, name):
        """The test of that name, or those of both backends."""
        return [test for full, test in self.tests.items()
                if full == name or full in (f"{name}.io_uring", f"{name}.epoll")]

    def programs_of(self, test):
        """The executables of this build that a test names, in its command or its environment."""
        found = []
        for argument in test["command"] + list(settings_of(test).values()):
            path = Path(argument)
            if path.is_absolute() and path.is_file() and path.is_relative_to(self.directory) and os.access(path, os.X_OK):
                found.append(path)
            elif path.is_absolute() and path.is_dir() and path == self.directory / "bin":
                found += sorted(program for program in path.iterdir() if program.name.startswith("eddy-"))
        return found

    def link_of(self, program, source):
        """The words of the command that links a program, and the objects that go into it, those of its libraries
        included. What only tests of other sources than the given one are in is left out."""
        if program not in self._links:
            target = os.path.relpath(program, self.directory)
            lines = self._output("ninja", "-t", "commands", target).strip().splitlines()
            words = itertools.dropwhile(lambda word: word in (":", "&&"), shlex.split(lines[-1]))
            inputs = self._output("ninja", "-t", "inputs", target).split()
            self._links[program] = (list(itertools.takewhile(lambda word: word != "&&", words)),
                                    [path for path in inputs if path in self.compilations])
        words, inputs = self._links[program]
        others = self._sources[program] - {source} if source else set()
        left_out = {path for path in words if path in inputs and self.stem_of(path) in others}
        return ([word for word in words if word not in left_out], [path for path in inputs if path not in left_out])

    def users_of(self, header):
        """The objects whose sources include it."""
        if self._users is None:
            self._users = {}
            for line in self._output("ninja", "-t", "deps").splitlines():
                if line.startswith(" "):
                    self._users.setdefault((self.directory / line.strip()).resolve(), set()).add(made)
                else:
                    made = line.partition(":")[0]
        return self._users.get(header.resolve(), set())

    def stem_of(self, path):
        """The stem of the source of an object, if it is one of the tests."""
        source = Path(self.compilations[path]["file"])
        return source.stem if source.is_relative_to(ROOT / "tests") else None


class Planter:
    """Makes the executables of one mutant below a directory of its own."""

    def __init__(self, build, mutant, directory):
        self.build = build
        self.mutant = mutant
        self.directory = directory
        self.is_header = mutant.file.endswith(".hpp")
        changed = directory / "tree" / mutant.file
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text(mutant.changed_text(ROOT), encoding="utf-8")
        self.changed = changed
        self.objects = {}

    def compile(self, output):
        """Compiles the object `output` anew, with the changed file in place of the original."""
        if output in self.objects:
            return self.objects[output]
        entry = self.build.compilations[output]
        made = self.directory / f"{len(self.objects)}.o"
        words = shlex.split(entry["command"])
        words[words.index("-o") + 1] = str(made)
        if self.is_header:
            compiler = next(at for at, word in enumerate(words) if "++" in Path(word).name)
            words[compiler + 1:compiler + 1] = [f"-I{self.directory}/tree/{part}" for part in ("include", "src", "tests", "apps")]
            precompiled = {word for word in words if word.endswith(".pch")}
            if not precompiled.isdisjoint(str(self.build.directory / made) for made in self.build.users_of(ROOT / self.mutant.file)):
                words = drop_precompiled_header(words)  # it has the original in it
        else:
            original = str(ROOT / self.mutant.file)
            compiled = self.changed
            if entry["file"] != original:
                gathered = Path(entry["file"]).read_text(encoding="utf-8")
                compiled = self.directory / f"{len(self.objects)}.cxx"
                compiled.write_text(gathered.replace(f'"{original}"', f'"{self.changed}"'), encoding="utf-8")
            words = [str(compiled) if word == entry["file"] else word for word in words]
            words.append(f"-iquote{Path(original).parent}")
        words = drop_dependency_file(words) + ["-w"]  # a bug may leave something unused
        run_quietly(words, entry["directory"])
        self.objects[output] = made
        return made

    def changed_objects(self, words, inputs):
        """The objects of a program that the mutant changes."""
        if self.is_header:
            also = {str(ROOT / path) for path in self.mutant.also}
            users = set() if self.mutant.file.startswith("include/") else self.build.users_of(ROOT / self.mutant.file)
            return [path for path in inputs
                    if path in words or path in users or not also.isdisjoint(self.build.sources[path])]
        wanted = str(ROOT / self.mutant.file)
        return [path for path in inputs if wanted in self.build.sources[path]]

    def link(self, program, source):
        """A copy of the program with the mutant in it and the tests of one source, or None if the mutant is no part of it."""
        words, inputs = self.build.link_of(program, source)
        changed = self.changed_objects(words, inputs)
        if not changed:
            return None
        made = self.directory / "bin" / program.name
        made.parent.mkdir(exist_ok=True)
        words[words.index("-o") + 1] = str(made)
        in_front = []
        for path in changed:
            replaced = str(self.compile(path))
            if path in words:
                words[words.index(path)] = replaced
            else:
                in_front.append(replaced)
        at = words.index("-o")
        words[at:at] = in_front
        run_quietly(words, self.build.directory)
        return made


def drop_dependency_file(words):
    kept = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in ("-MF", "-MT"):
            skip = True
        elif word != "-MD":
            kept.append(word)
    return kept


def drop_precompiled_header(words):
    """Sources include what they need by themselves."""
    kept = []
    for word in words:
        if "cmake_pch" in word:
            while kept[-1] in ("-Xclang", "-include", "-include-pch"):
                kept.pop()
        else:
            kept.append(word)
    return kept


def run_quietly(words, directory):
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(words[:3])} ... failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def settings_of(test):
    """The variables that a test sets."""
    for entry in test.get("properties", []):
        if entry["name"] == "ENVIRONMENT":
            return dict(setting.split("=", 1) for setting in entry["value"])
    return {}


def source_of(test):
    """The stem of the source that a test runs of its program; None where it runs all."""
    option = "--source="
    return next((word.removeprefix(option) for word in test["command"] if word.startswith(option)), None)


def directory_of(test, build):
    for entry in test.get("properties", []):
        if entry["name"] == "WORKING_DIRECTORY":
            return entry["value"]
    return build.directory


def activity_of(session):
    """The CPU seconds that the processes of a session have used, and whether one of their threads can run."""
    ticks, is_runnable = 0, False
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[3]) != session:
                continue
            ticks += sum(int(field) for field in fields[11:15])
            for thread in status.parent.glob("task/*/stat"):
                is_runnable |= thread.read_text().rpartition(")")[2].split()[0] in "RD"
        except OSError:  # it has ended
            continue
    return ticks / os.sysconf("SC_CLK_TCK"), is_runnable


def ends_well(running):
    """Waits for a test. False also if it does not end: it takes too long, or does next to nothing."""
    begin = busy_at = time.monotonic()
    used_then = 0
    while (now := time.monotonic()) - begin < SECONDS_MAX and now - busy_at < SECONDS_IDLE_MAX:
        try:
            return running.wait(0.2) == 0
        except subprocess.TimeoutExpired:
            used, is_runnable = activity_of(running.pid)
            if is_runnable or abs(used - used_then) > 0.02 * (now - busy_at):
                busy_at, used_then = now, used
    return False


def passes(build, test, replaced, bin_directory):
    """Runs a test with some of its programs replaced. False also if it does not end."""
    def instead_of(word):
        return str(bin_directory) if Path(word) == build.directory / "bin" else str(replaced.get(Path(word), word))

    command = [instead_of(word) for word in test["command"]]
    environment = os.environ | SETTINGS | {name: instead_of(value) for name, value in settings_of(test).items()}
    running = subprocess.Popen(command, cwd=directory_of(test, build), env=environment, start_new_session=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return ends_well(running)
    finally:
        try:
            os.killpg(running.pid, signal.SIGKILL)  # what the test has started and left
        except ProcessLookupError:
            pass
        running.wait()


def killer_of(build, mutant, directory):
    """The name of the first test that notices the mutant, or None."""
    planter = Planter(build, mutant, directory)
    is_planted = False
    for name in mutant.tests:
        tests = build.tests_named(name)
        if not tests:
            raise RuntimeError(f"there is no test {name}")
        for test in tests:
            replaced = {}
            for program in build.programs_of(test):
                if made := planter.link(program, source_of(test)):
                    replaced[program] = made
            if not replaced:
                continue
            is_planted = True
            for program in build.programs_of(test):
                beside = directory / "bin" / program.name
                if program not in replaced and program.parent == build.directory / "bin" and not beside.exists():
                    beside.symlink_to(program)
            if not passes(build, test, replaced, directory / "bin"):
                return test["name"]
    if not is_planted:
        raise RuntimeError(f"{mutant.file} is no part of its tests' programs")
    return None


def chosen(mutants, words):
    if words:
        return [mutant for mutant in mutants if any(word in mutant.title for word in words)]
    if os.environ.get("MUTANTS") == "all":
        return mutants
    seed = int(os.environ.get("MUTANT_SEED", random.randrange(1 << 31)))
    print(f"mutants: a sample; MUTANT_SEED={seed} repeats it, MUTANTS=all runs all")
    mixed = list(mutants)
    random.Random(seed).shuffle(mixed)
    return mixed


def run(mutants, build, seconds_max, jobs):
    """Plants the mutants until the time is up. Returns how many were killed, and a line for each that was not."""
    ends_at = time.monotonic() + seconds_max if seconds_max else None
    killed, failures = 0, []

    def one(numbered):
        number, mutant = numbered
        if ends_at and time.monotonic() > ends_at:
            return None
        directory = Path(home) / str(number)
        try:
            killer = killer_of(build, mutant, directory)
        except (RuntimeError, OSError, ValueError) as error:
            return mutant, None, str(error)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
        return mutant, killer, None

    # Of its own, so that another run may go on beside it.
    with tempfile.TemporaryDirectory(prefix="mutants-", dir=build.directory.parent) as home, ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(one, enumerate(mutants)):
            if result is None:
                continue
            mutant, killer, error = result
            if killer:
                killed += 1
                print(f"mutants: {mutant.title}: killed by {killer}", flush=True)
            else:
                failures.append(f"{mutant.title}: {error or 'SURVIVED ' + ', '.join(mutant.tests)}")
                print(f"mutants: {failures[-1]}", flush=True)
    return killed, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", os.cpu_count())))
    arguments = parser.parse_args()

    mutants = read_mutants(ROOT)
    problems = list(problems_of(mutants, ROOT))
    for problem in problems:
        print(f"mutants: {problem}")
    if problems:
        sys.exit(1)
    if arguments.list or arguments.check:
        if arguments.list:
            print("\n".join(f"{mutant.title}: {', '.join(mutant.tests)}" for mutant in mutants))
        print(f"mutants: {len(mutants)} fit the tree")
        return

    picked = chosen(mutants, arguments.names)
    is_sample = not arguments.names and os.environ.get("MUTANTS") != "all"
    seconds_max = float(os.environ.get("MUTANT_MINUTES", 6)) * 60 if is_sample else None
    killed, failures = run(picked, Build(arguments.build.resolve()), seconds_max, arguments.jobs)
    print(f"mutants: {killed} killed, {len(failures)} not, of {len(mutants)}")
    sys.exit(1 if failures or killed == 0 else 0)


if __name__ == "__main__":
    main()
