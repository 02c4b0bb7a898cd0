#!/usr/bin/env python3
"""Compares the interfaces of our shared libraries with those of the last release, by libabigail.

    abi.py dump LIBRARY... --headers DIRECTORY      writes packaging/abi/VERSION/LIBRARY.{abi,symbols}.xz
    abi.py compare LIBRARY... --headers DIRECTORY   fails where a program made with the last release would no longer work

What is compared is what the installed headers declare: the symbols of functions and variables, and by libabigail types as well.
Libraries have to have debug information. Where libabigail does not read its own description back, as 2.2 does with libeddy's,
that is said, and the symbols alone are compared. Nothing is compared where the version says that programs are compiled anew: another minor version before 1.0, another major version after it.
docs/guide/installing.md says what is promised.
"""

import argparse
import lzma
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "packaging/abi"
# Bits of abidiff's exit status, abidiff(1).
ERROR, MISUSED, CHANGED, INCOMPATIBLE = 1, 2, 4, 8


def version_of_tree(root=ROOT):
    return re.search(r"project\(eddy VERSION (\S+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def series(version):
    """Versions with the same one promise to work with each other."""
    numbers = version.split(".")
    return ".".join(numbers[:2]) if numbers[0] == "0" else numbers[0]


def last_release(version, kept=KEPT):
    """The directory of the newest release of the same series, or None."""
    known = [each for each in kept.glob("*") if each.is_dir() and series(each.name) == series(version)]
    return max(known, key=lambda each: [int(number) for number in each.name.split(".")], default=None)


def name_of(library):
    return library.name.split(".so")[0]


def run(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


def dump(library, headers):
    made = run("abidw", "--headers-dir", headers, "--drop-private-types", "--no-comp-dir-path",
               "--drop-undefined-syms", "--no-corpus-path", library)
    if made.returncode != 0:
        raise SystemExit(f"abi: {library}: {made.stderr}")
    return made.stdout


def symbols(library):
    """The symbols of eddy that it has for others."""
    listed = run("nm", "--dynamic", "--defined-only", "--format=posix", library)
    if listed.returncode != 0:
        raise SystemExit(f"abi: {library}: {listed.stderr}")
    # What is inlined everywhere, instances of templates and the like, each program has itself; W, V and u are weak.
    return sorted({line.split()[0].partition("@")[0] for line in listed.stdout.splitlines() if line.split()[1] not in "WVu"})


def compare(before, library, headers):
    """What has changed so that programs break, or None."""
    compared = run("abidiff", "--headers-dir1", headers, "--headers-dir2", headers, "--drop-private-types", "--no-show-locs",
                   "--no-added-syms", before, library)
    if compared.returncode < 0:
        print(f"abi: libabigail cannot read its description of {library.name}: types are not compared")
        return None
    if compared.returncode & (ERROR | MISUSED):
        raise SystemExit(f"abi: {library}: {compared.stdout}{compared.stderr}")
    return compared.stdout if compared.returncode & (CHANGED | INCOMPATIBLE) else None


def write_dumps(libraries, headers, to):
    to.mkdir(parents=True, exist_ok=True)
    for library in libraries:
        packed = lzma.compress(dump(library, headers).encode(), preset=9)
        (to / f"{name_of(library)}.abi.xz").write_bytes(packed)
        (to / f"{name_of(library)}.symbols.xz").write_bytes(lzma.compress("\n".join(symbols(library)).encode(), preset=9))
        print(f"abi: {to.name}/{name_of(library)}.abi.xz has {len(packed):,} bytes")


def compare_all(libraries, headers, kept):
    broken = 0
    for library in libraries:
        with tempfile.NamedTemporaryFile(suffix=".abi") as before:
            packed = kept / f"{name_of(library)}.abi.xz"
            if not packed.exists():
                print(f"abi: {library.name} is newer than {kept.name}")
                continue
            had = lzma.decompress((kept / f"{name_of(library)}.symbols.xz").read_bytes()).decode().split("\n")
            if gone := set(had) - set(symbols(library)):
                print(f"abi: {library.name} lacks symbols that {kept.name} has: {' '.join(sorted(gone))}")
                broken += 1
                continue
            before.write(lzma.decompress(packed.read_bytes()))
            before.flush()
            if changed := compare(before.name, library, headers):
                print(f"abi: {library.name} differs from that of {kept.name}:\n{changed}")
                broken += 1
    print(f"abi: {len(libraries)} libraries compared with {kept.name}, {broken} differ")
    return int(broken > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["dump", "compare"])
    parser.add_argument("libraries", nargs="+", type=Path)
    parser.add_argument("--headers", type=Path, required=True)
    parser.add_argument("--version", default=version_of_tree())
    parser.add_argument("--kept", type=Path, default=KEPT)
    chosen = parser.parse_args()
    if chosen.command == "dump":
        write_dumps(chosen.libraries, chosen.headers, chosen.kept / chosen.version)
        return 0
    kept = last_release(chosen.version, chosen.kept)
    if kept is None:
        print(f"abi: {chosen.version} is the first release of {series(chosen.version)}, with nothing to compare")
        return 0
    return compare_all(chosen.libraries, chosen.headers, kept)


if __name__ == "__main__":
    sys.exit(main())
