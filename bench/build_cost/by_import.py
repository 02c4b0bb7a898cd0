#!/usr/bin/env python3
"""What a small HTTP server costs to compile, by headers and by import.

    bench/build_cost/by_import.py [--repetitions N] [--compiler CLANG]

Prints processor seconds, the least of the repetitions, with libstdc++, and with libc++ and its module std: by
<eddy/eddy.hpp>, by the headers that the server uses in its place, by import; and what the modules themselves cost, which a
build compiles once. Fails if importing is not three times as fast as including.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from by_import import by_import, module_of_header  # noqa: E402
from tree_rules.tree import Tree  # noqa: E402

SOURCE = ROOT / "bench/build_cost/hello_server.cpp"
MODULES = ("eddy", "eddy.tls", "eddy.http")
FLAGS = ("-std=c++23", "-O2", "-I", str(ROOT / "include"))
TIMES_FASTER_MIN = 3.0
# What the server uses of <eddy/eddy.hpp>.
USED = ("eddy/core/task.hpp", "eddy/net/tcp_listener.hpp", "eddy/runtime/runtime.hpp")


def seconds(command, repetitions=1):
    """Processor time, the least of the repetitions: what else runs only adds to it."""
    found = []
    for _ in range(repetitions):
        before = os.times()
        subprocess.run(command, check=True)
        after = os.times()
        found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(found)


def std_unit(compiler):
    """libc++'s unit of the module std."""
    resources = subprocess.run([compiler, "-print-resource-dir"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return Path(resources, "../../../share/libc++/v1/std.cppm").resolve()


def measure(compiler, library, with_std, repetitions):
    flags = [compiler, *FLAGS, f"-stdlib={library}"]
    with tempfile.TemporaryDirectory() as directory:
        imported = Path(directory, "by_import.cpp")
        text = by_import(SOURCE.read_text(encoding="utf-8"), module_of_header(Tree(ROOT)), with_std, SOURCE)
        imported.write_text(text, encoding="utf-8")
        used = Path(directory, "used.cpp")
        used.write_text(SOURCE.read_text(encoding="utf-8").replace(
            "#include <eddy/eddy.hpp>", "\n".join(f"#include <{header}>" for header in USED)), encoding="utf-8")
        find = [f"-fprebuilt-module-path={directory}"]
        units = {name: ROOT / f"modules/{name}.cppm" for name in MODULES}
        if with_std:
            units = {"std": std_unit(compiler), **units}
        once = sum(seconds([*flags, *find, "-Wno-reserved-module-identifier", "--precompile", str(unit), "-o", f"{directory}/{name}.pcm"])
                   for name, unit in units.items())
        by_headers = seconds([*flags, "-c", str(SOURCE), "-o", os.devnull], repetitions)
        by_used = seconds([*flags, "-c", str(used), "-o", os.devnull], repetitions)
        import_s = seconds([*flags, *find, "-c", str(imported), "-o", os.devnull], repetitions)
    return by_headers, by_used, import_s, once


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    print("processor seconds   by eddy.hpp  by used headers  by import  times faster  the modules, once")
    slow = False
    for library, with_std, what in (("libstdc++", False, "libstdc++"), ("libc++", True, "libc++, import std")):
        by_headers, by_used, import_s, once = measure(arguments.compiler, library, with_std, arguments.repetitions)
        times = by_headers / import_s
        slow |= times < TIMES_FASTER_MIN
        print(f"{what:<20}{by_headers:>11.2f}{by_used:>17.2f}{import_s:>11.2f}{times:>14.1f}{once:>19.2f}")
    if slow:
        sys.exit(f"importing is to be {TIMES_FASTER_MIN} times as fast as including")


if __name__ == "__main__":
    main()
