"""Checks the course itself: the references pass every test, under both compilers, and each typical mistake is found by
the test that should find it, with a message that names the cause.

A mistake is an entry of course/lab<N>/mistakes.toml:

    [[mistake]]
    name = "a_sentence_that_says_what_is_wrong"
    file = "task.hpp"                   of the lab's reference
    find = '''text that occurs once in the file'''
    replace = '''what stands there instead'''
    kind = "steps"                      the program whose test finds it: steps, memory, threads or speed
    test = "step4.a_name"
    says = "words of the message"       beside the paragraph, which every message has
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tree_rules import documents

from . import tests
from .build import COURSE, ROOT, Build, Failed, make_skeleton, reference, text_of

COMPILERS = ("clang++-22", "g++-12")
MISTAKES_MIN = 10
WAYS = {"steps": "plain", "memory": "asan", "threads": "tsan", "speed": "fast"}  # as in course/CMakeLists.txt


@dataclass
class Mistake:
    lab: int
    name: str
    file: str
    find: str
    replace: str
    kind: str
    test: str
    says: str

    @property
    def source(self):
        return COURSE / f"reference/lab{self.lab}/{self.file}"

    def problem(self):
        """What keeps it from being planted, or None."""
        if not self.source.exists():
            return f"there is no {self.source.relative_to(ROOT)}"
        count = self.source.read_text(encoding="utf-8").count(self.find)
        return None if count == 1 else f"its text occurs {count} times in {self.file}"


def mistakes_of(lab):
    with (COURSE / f"lab{lab}/mistakes.toml").open("rb") as lists:
        return [Mistake(lab, **entry) for entry in tomllib.load(lists)["mistake"]]


def check(labs, directory, parts):
    """Prints what is wrong. Whether nothing is."""
    checks = {"texts": check_texts, "references": check_references, "skeletons": check_skeletons, "mistakes": check_mistakes}
    count = 0
    for part in parts or checks:
        for problem in checks[part](labs, directory):
            print(problem)
            count += 1
    return count == 0


def check_texts(labs, _):
    """The paragraphs that the tests name are there."""
    for lab in labs:
        headings = documents.anchors(text_of(lab))
        for source in sorted((COURSE / f"lab{lab}/tests").glob("*.cpp")):
            named = set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"', source.read_text(encoding="utf-8")))
            for anchor in sorted(named - headings):
                yield f"lab {lab}: {source.name} names #{anchor}, and the text has no such heading"


def check_references(labs, directory):
    """Every test of every lab's reference passes, by each compiler."""
    for cxx in COMPILERS:
        build = Build(directory / cxx, reference(), cxx)
        build.configure()
        for lab in labs:
            try:
                build.compile(f"lab{lab}", f"lab{lab}_text")
            except Failed as problem:
                yield f"lab {lab}, {cxx}: {problem}"
                continue
            results = [each for kind, program in build.programs(lab).items() for each in run_patiently(kind, program)]
            for each in results:
                if each.state != "passes" and not (each.state == "is skipped" and "[sanitizer]" in each.output):
                    yield f"lab {lab}, {cxx}, {each.kind}: {each.suite}.{each.name} {each.state}\n{each.message()}"
            print(f"lab {lab}, {cxx}: {sum(each.passes for each in results)} of {len(results)} tests of the reference pass")


def run_patiently(kind, program):
    """What is measured may be disturbed, so it has three attempts."""
    results = tests.run_program(kind, program)
    for _ in range(2 if kind == "speed" else 0):
        failed = {f"{each.suite}.{each.name}" for each in results if not each.passes}
        if failed:
            again = {each.name: each for each in tests.run_program(kind, program, failed)}
            results = [again.get(each.name, each) for each in results]
    return results


def check_skeletons(labs, directory):
    """A skeleton compiles, no step of it is done, and each of its files leaves something to be written."""
    for lab in labs:
        for file in sorted((COURSE / f"lab{lab}/skeleton").iterdir()):
            if file.read_bytes() == (COURSE / f"reference/lab{lab}/{file.name}").read_bytes():
                yield f"lab {lab}: {file.name} of the skeleton is that of the reference, which stands for it anyway"
        skeleton = directory / f"skeletons/lab{lab}"
        shutil.rmtree(skeleton, ignore_errors=True)
        make_skeleton(lab, skeleton)
        build = Build(directory / "skeleton", {**reference(), lab: skeleton})
        build.configure()
        try:
            build.compile(f"lab{lab}")
        except Failed as problem:
            yield f"lab {lab}: the skeleton: {problem}"
            continue
        results = tests.run_program("steps", build.programs(lab)["steps"])
        for each in results:
            if each.state in ("crashes", "hangs"):
                yield f"lab {lab}: with the skeleton {each.suite}.{each.name} {each.state}\n{each.message()}"
        for step in sorted({each.step for each in results} - {each.step for each in results if not each.passes}):
            yield f"lab {lab}: the skeleton passes step {step}"


def check_mistakes(labs, directory):
    """Each mistake is found, by the test and with the message that its entry names."""
    mistakes = [mistake for lab in labs for mistake in mistakes_of(lab)]
    misfits = [f"lab {each.lab}: {each.name}: {problem}" for each in mistakes if (problem := each.problem())]
    for lab in labs:
        count = sum(mistake.lab == lab for mistake in mistakes)
        if count < MISTAKES_MIN:
            misfits.append(f"lab {lab} has {count} mistakes, and {MISTAKES_MIN} are the least")
    yield from misfits
    if misfits:
        return
    build = Build(directory / COMPILERS[0], reference(), COMPILERS[0])
    build.configure()
    build.compile(*(f"course_support_{way}" for way in WAYS.values()))
    found = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        for mistake, problem in zip(mistakes, threads.map(lambda each: plant(each, build, directory / "mistakes"), mistakes)):
            found += not problem
            if problem:
                yield f"lab {mistake.lab}: {mistake.name}: {problem}"
            else:
                print(f"lab {mistake.lab}: {mistake.name}: is found")
    print(f"{found} of {len(mistakes)} mistakes are found, with their messages")


def plant(mistake, build, directory):
    """Compiles the one source that has the test, with a changed copy of the reference. What is wrong, or None."""
    place = directory / f"lab{mistake.lab}_{mistake.name}"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(COURSE / f"reference/lab{mistake.lab}", place)
    changed = place / mistake.file
    changed.write_text(changed.read_text(encoding="utf-8").replace(mistake.find, mistake.replace), encoding="utf-8")
    command = compile_command(mistake, build)
    if command is None:
        return f"no source of 'lab{mistake.lab}_{mistake.kind}' has a test {mistake.test}"
    program = place / "program"
    words = [f"-I{place}" if word == f"-I{COURSE}/reference/lab{mistake.lab}" else word for word in command]
    way = WAYS[mistake.kind]
    # Most of the time goes into optimising, which shows nothing here but the time.
    level = ["-O0"] if way in ("plain", "asan") else []
    made = subprocess.run([*words, *level, "-o", f"{program}.o"], cwd=build.directory, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode != 0:
        return f"does not compile\n{made.stdout}"
    sanitizers = [word for word in words if word.startswith("-fsanitize=")]
    linked = subprocess.run([words[0], *sanitizers, f"{program}.o", build.directory / f"libcourse_support_{way}.a", "-lgtest", "-luring", "-pthread",
                             "-o", program], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if linked.returncode != 0:
        return f"does not link\n{linked.stdout}"
    return judge(mistake, tests.run_test(mistake.kind, program, *mistake.test.split(".", 1)))


def compile_command(mistake, build):
    """The words of the command that compiles the source with the mistake's test, without its output."""
    suite, name = mistake.test.split(".", 1)
    with (build.directory / "compile_commands.json").open() as commands:
        for entry in json.load(commands):
            if f"/lab{mistake.lab}_{mistake.kind}.dir/" in entry["command"] and f"TEST({suite}, {name})" in Path(entry["file"]).read_text(encoding="utf-8"):
                words = shlex.split(entry["command"])
                at = words.index("-o")
                return words[:at] + words[at + 2:]
    return None


def judge(mistake, result):
    if result.passes or result.state == "is not begun":
        return f"{mistake.test} {result.state}"
    message = result.message()
    if mistake.says not in message:
        return f"the message of {mistake.test}, which {result.state}, does not say '{mistake.says}':\n{message}"
    if not result.texts("read"):
        return f"the message of {mistake.test}, which {result.state}, names no paragraph:\n{message}"
    return None
