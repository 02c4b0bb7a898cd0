"""Finds what building with eddy costs: seconds of the compiler, and the size of a small server.

The sources are compiled from nothing, without a compiler cache; the servers are those of the build.
"""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
FLAGS = ("-std=c++23", "-O2")
REPETITIONS = 3
INCLUDE_S_MAX = 1.5
HELLO_S_MAX = 3.0
HELLO_BYTES_MAX = 600 * 1024


def measure(compiler, programs):
    with tempfile.TemporaryDirectory() as folder:
        include = Path(folder, "include.cpp")
        include.write_text("#include <eddy/eddy.hpp>\n", encoding="utf-8")
        costs = [compiling("`#include <eddy/eddy.hpp>`", compiler, include, INCLUDE_S_MAX),
                 compiling("a hello server", compiler, SOURCE / "bench/build_cost/hello_server.cpp", HELLO_S_MAX),
                 sized("a hello server with eddy in it, stripped", programs / "eddy-hello-server", folder, HELLO_BYTES_MAX),
                 sized("the same with all of its libraries in it", programs / "eddy-hello-server-static", folder, None)]
    version = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {"compiler": version.partition("\n")[0], "flags": " ".join(FLAGS), "repetitions": REPETITIONS, "costs": costs}


def compiling(what, compiler, source, bar):
    """The least of the repetitions: what else runs only adds to it."""
    path = shutil.which(compiler)
    if not path:
        raise FileNotFoundError(f"{compiler} is not installed")
    command = [path, *FLAGS, "-I", str(SOURCE / "include"), "-c", str(source), "-o", os.devnull]
    cpu_s, wall_s = [], []
    for _ in range(REPETITIONS):
        before, begun = children_s(), time.monotonic()
        subprocess.run(command, check=True)
        wall_s.append(time.monotonic() - begun)
        cpu_s.append(children_s() - before)
    return {"what": f"compiling {what}", "unit": "s", "value": min(cpu_s), "wall_s": min(wall_s), "bar": bar}


def children_s():
    """Processor time of the processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def sized(what, program, folder, bar):
    stripped = Path(folder, program.name)
    subprocess.run(["strip", "-o", str(stripped), str(program)], check=True)
    return {"what": what, "unit": "B", "value": stripped.stat().st_size, "bar": bar}

