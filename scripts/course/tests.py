"""Runs the tests of a lab, each in a process of its own: what crashes or hangs takes no other with it."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

# The tests end by themselves; this is for a machine that is out of breath.
SECONDS_MAX = 180

_EXITS = {41: "hangs", 42: "crashes", 43: "is not begun"}
_ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


@dataclass
class Result:
    kind: str  # steps, memory, threads or speed
    suite: str  # step3, memory, speed
    name: str
    state: str  # passes, fails, hangs, crashes, is not begun, is skipped
    output: str
    notes: list = field(default_factory=list)  # (word, text) of what the tests wrote for us

    @property
    def passes(self):
        return self.state in ("passes", "is skipped")

    @property
    def step(self):
        """Which step it is about, or None."""
        match = re.fullmatch(r"step(\d+)", self.suite)
        return int(match[1]) if match else None

    def texts(self, word):
        return list(dict.fromkeys(text for each, text in self.notes if each == word))

    def message(self):
        """What a reader should see of a failure."""
        shown = []
        for line in self.output.splitlines():
            if re.match(r"\[[ =\-A-Z]+\]|Note: Google Test filter|Running main|course: (why|read|ratio)|\s*$", line):
                continue
            if re.match(r"\d+ FAILED TEST|\s*1 FAILED TEST", line):
                break
            shown.append(line)
        causes = [f"why:  {text}" for text in self.texts("why")] + [f"read: {text}" for text in self.texts("read")]
        return "\n".join([*shown[:32], *(["..."] if len(shown) > 32 else []), *causes])


def tests_of(program):
    listed = subprocess.run([str(program), "--gtest_list_tests"], text=True, stdout=subprocess.PIPE, check=True).stdout
    suite, found = "", []
    for line in listed.splitlines():
        word = line.split("#")[0].rstrip()
        if line.startswith("  "):
            found.append((suite, word.strip()))
        elif word.endswith("."):
            suite = word[:-1]
    return found


def run_test(kind, program, suite, name):
    environment = {**os.environ, **_ENVIRONMENT}
    command = [str(program), f"--gtest_filter={suite}.{name}", "--gtest_color=no", "--gtest_brief=1"]
    try:
        run = subprocess.run(command, env=environment, text=True, errors="replace", stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=SECONDS_MAX, stdin=subprocess.DEVNULL)
        output, code = run.stdout, run.returncode
    except subprocess.TimeoutExpired as expired:
        text = expired.stdout or b""
        output, code = text if isinstance(text, str) else text.decode(errors="replace"), 41
    if code == 0:
        state = "is skipped" if "[  SKIPPED ]" in output else "passes"
    else:
        state = _EXITS.get(code, "fails" if code == 1 and "Sanitizer" not in output else "crashes")
    notes = re.findall(r"^course: (\w+): (.*)$", output, re.MULTILINE)
    return Result(kind, suite.split("/")[0], name, state, output, notes)


def run_program(kind, program, only=None):
    """Runs the tests of a program, several at a time unless it measures."""
    chosen = [test for test in tests_of(program) if only is None or f"{test[0]}.{test[1]}" in only]
    at_a_time = 1 if kind == "speed" else os.cpu_count() or 1
    with ThreadPoolExecutor(at_a_time) as threads:
        return list(threads.map(lambda test: run_test(kind, program, *test), chosen))
