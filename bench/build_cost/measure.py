#!/usr/bin/env python3
"""What eddy costs to build with: how long its header and a small server compile, and how large that server is.

    bench/build_cost/measure.py build/bench [--compiler clang++-22] [--repeat 5] [--json FILE]

Exit status 1 when a bound is missed.
"""

import argparse
import json
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++23", "-O2", f"-I{SOURCE}/include"]
EDDY = ["libeddy-http.a", "libeddy-tls.a", "libeddy.a"]
SYSTEM = ["-lssl", "-lcrypto", "-lz", "-lbrotlienc", "-lbrotlidec", "-lbrotlicommon", "-luring", "-pthread"]
# What no program needs is not to be linked with it.
LINK = ["-fuse-ld=lld", "-Wl,--gc-sections", "-Wl,--as-needed"]

HEADER, SERVER, SIZE = "#include <eddy/eddy.hpp>", "hello_server.cpp", "hello_server, eddy linked statically, stripped"
BOUNDS = {HEADER: 1.5, SERVER: 3.0, SIZE: 600 * 1024}


def main():
    arguments = parse()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        figures = times(arguments, folder) | sizes(arguments, folder)
    report(figures)
    if arguments.json:
        arguments.json.write_text(json.dumps({"program": "build_cost", "figures": figures}, indent=1) + "\n")
    sys.exit(0 if all(is_kept(what, figure) for what, figure in figures.items()) else 1)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the folder of a release build")
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--repeat", type=int, default=5, help="how often it is compiled; the best time counts")
    parser.add_argument("--json", type=pathlib.Path, help="writes the figures there as well")
    return parser.parse_args()


def times(arguments, folder):
    header = folder / "header.cpp"
    header.write_text(f"{HEADER}\n")
    server = pathlib.Path(__file__).with_name(SERVER)
    return {what: compiled(arguments, source, folder / f"{source.stem}.o") for what, source in ((HEADER, header), (SERVER, server))}


def compiled(arguments, source, target):
    """The quickest of some compilations: seconds on the wall's clock, and of the processor."""
    found = []
    for _ in range(arguments.repeat):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run([arguments.compiler, *FLAGS, "-c", source, "-o", target], check=True)
        wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        found.append({"seconds": wall, "cpu_seconds": cpu})
    return {part: min(each[part] for each in found) for part in found[0]}


def sizes(arguments, folder):
    archives = [arguments.build / "src" / each for each in EDDY]
    made = {SIZE: [], "the same with -static": ["-static"]}
    result = {}
    for what, options in made.items():
        program = folder / "hello_server"
        subprocess.run([arguments.compiler, *LINK, *options, folder / "hello_server.o", *archives, *SYSTEM, "-o", program], check=True)
        subprocess.run(["strip", program], check=True)
        check(program)
        result[what] = {"bytes": program.stat().st_size, "needs": needed(program)}
    return result


def needed(program):
    """The shared libraries that it is loaded with."""
    said = subprocess.run(["readelf", "--dynamic", "--wide", program], check=True, capture_output=True, text=True).stdout
    return [line.partition("[")[2].rstrip("]") for line in said.splitlines() if "(NEEDED)" in line]


def check(program):
    """Whether it serves."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    server = subprocess.Popen([program, str(port)], env=environment)
    try:
        for left in reversed(range(200)):
            try:
                answer = ask(port)
                break
            except OSError:
                if left == 0 or server.poll() is not None:
                    raise
                time.sleep(0.02)
        if answer != b"Hello, World!":
            sys.exit(f"build_cost: the server said {answer}")
    finally:
        server.kill()
        server.wait()


def ask(port):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return opener.open(f"http://127.0.0.1:{port}/", timeout=5).read()


def is_kept(what, figure):
    return figure.get("seconds", figure.get("bytes")) <= BOUNDS.get(what, float("inf"))


def report(figures):
    width = max(map(len, figures))
    for what, figure in figures.items():
        if "bytes" in figure:
            text = f"{figure['bytes'] / 1024:7.0f} KiB  {' '.join(figure['needs']) or 'needs nothing'}"
            bound = f"{BOUNDS[what] // 1024} KiB" if what in BOUNDS else ""
        else:
            text = f"{figure['seconds']:7.2f} s    {figure['cpu_seconds']:.2f} s of the processor"
            bound = f"{BOUNDS[what]} s"
        verdict = f"; at most {bound}: {'kept' if is_kept(what, figure) else 'MISSED'}" if bound else ""
        print(f"{what:{width}}  {text}{verdict}")


if __name__ == "__main__":
    main()
