#!/usr/bin/env python3
"""Makes a release of what is committed: `scripts/release.py VERSION`, with --dry-run to see what it would do.

1. Checks: nothing is uncommitted, the version comes after the last one, the changelog has something under [Unreleased].
2. Writes the version everywhere (CMakeLists.txt, debian/, the vcpkg port, what documents and templates say), and the date into
   the changelog.
3. Runs `make check`; builds and tests the packages (the stage `packages`), whose libraries must work with programs of the last
   release; keeps their interfaces in packaging/abi/ for the next one.
4. Commits, tags vVERSION, and writes the source archive, its SHA-256 and its SBOM into build/release-VERSION/.

Nothing is pushed or uploaded. A dry run does 1 and 2 in a copy, checks the result, and prints the difference.
"""

import argparse
import datetime
import email.utils
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packaging"))
import abi  # noqa: E402
import sbom  # noqa: E402

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
# What names the version, and what names its series (the first two numbers before 1.0): a file, and a pattern whose group is
# replaced there.
VERSIONS = [
    ("CMakeLists.txt", r"project\(eddy VERSION (\S+)"),
    ("packaging/vcpkg/eddy/vcpkg.json", r'"version": "([^"]+)"'),
    ("docs/guide/installing.md", r"eddy/([\d.]+)"),
    ("docs/guide/installing.md", r"GIT_TAG v([\d.]+)"),
]
SERIES = [
    ("README.md", r"find_package\(eddy ([\d.]+)"),
    ("docs/guide/installing.md", r"find_package\(eddy ([\d.]+)"),
    ("cmake/eddyConfig.cmake.in", r"find_package\(eddy ([\d.]+)"),
    ("packaging/template/CMakeLists.txt", r"find_package\(eddy ([\d.]+)"),
    ("packaging/conan/test_package/CMakeLists.txt", r"find_package\(eddy ([\d.]+)"),
    ("tests/install/consumer/CMakeLists.txt", r"find_package\(eddy ([\d.]+)"),
    ("include/eddy/rpc/channel.hpp", r"grpc-c\+\+-eddy/([\d.]+)"),
    ("tests/rpc/call_test.cpp", r"grpc-c\+\+-eddy/([\d.]+)"),
]
# Files with names of Debian's packages of shared libraries, which have the series at their end.
PACKAGES = ("README.md", "debian/control", "docs/guide/installing.md", "packaging/template/Dockerfile")


class Refused(Exception):
    """Why there is no release."""


def numbers(version):
    found = VERSION.fullmatch(version)
    if not found:
        raise Refused(f"'{version}' is no version: three numbers with dots between")
    return tuple(map(int, found.groups()))


def git(root, *arguments):
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True).stdout


def edit(path, function):
    path.write_text(function(path.read_text(encoding="utf-8")), encoding="utf-8")


def replaced(text, pattern, value, where):
    changed, count = re.subn(pattern, lambda found: found[0].replace(found[1], value), text)
    if count == 0:
        raise Refused(f"{where} has nothing like {pattern}")
    return changed


def check(root, version):
    current = abi.version_of_tree(root)
    released = {tag.removeprefix("v") for tag in git(root, "tag", "--list", "v*").split()}
    if numbers(version) < numbers(current) or version in released:
        raise Refused(f"{version} does not come after {current}" if version not in released else f"{version} is released already")
    if git(root, "status", "--porcelain"):
        raise Refused("something is not committed: see git status")
    unreleased = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## |\Z)", (root / "CHANGELOG.md").read_text(encoding="utf-8"),
                           re.MULTILINE | re.DOTALL)
    if not unreleased or not re.search(r"^- ", unreleased[1], re.MULTILINE):
        raise Refused("CHANGELOG.md has nothing under [Unreleased]")


def rename_debian(root, before, after):
    """Packages of shared libraries are named after what programs are linked with."""
    if before == after:
        return
    for path in PACKAGES:
        edit(root / path, lambda text: re.sub(rf"\b(libeddy[a-z0-9-]*?)-?{re.escape(before)}(?!\d)",
                                              lambda found: package(found[1], after), text))
    for path in (root / "debian").glob(f"*{before}.*"):
        name, rest = path.name.split(before, 1)
        path.rename(path.with_name(package(name.rstrip("-"), after) + rest))


def package(name, series):
    """libeddy and libeddy-http2 of series 3: libeddy3, but libeddy-http2-3."""
    return f"{name}-{series}" if name[-1].isdigit() else name + series


def write_version(root, version, today):
    before = abi.version_of_tree(root)
    for places, value in (VERSIONS, version), (SERIES, abi.series(version)):
        for path, pattern in places:
            edit(root / path, lambda text, pattern=pattern, value=value, path=path: replaced(text, pattern, value, path))
    edit(root / "CHANGELOG.md", lambda text: text.replace(
        "## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {today.date().isoformat()}\n", 1))
    rename_debian(root, abi.series(before), abi.series(version))
    entry = (f"eddy ({version}) bookworm; urgency=medium\n\n  * See CHANGELOG.md.\n\n"
             f" -- The eddy authors <eddy@debian.invalid>  {email.utils.format_datetime(today)}\n")
    same = re.compile(rf"\Aeddy \({re.escape(version)}\).*?\n -- [^\n]*\n+", re.DOTALL)  # not released yet
    edit(root / "debian/changelog", lambda text: f"{entry}\n{same.sub('', text)}".rstrip("\n") + "\n")


def check_written(root, version):
    """What a slip above would leave: the version must be the same everywhere."""
    control = (root / "debian/control").read_text(encoding="utf-8")
    packages = re.findall(r"^Package: (\S+)$", control, re.MULTILINE)
    installed = {path.name.removesuffix(".install") for path in (root / "debian").glob("*.install")}
    if set(packages) != installed:
        raise Refused(f"debian/control and debian/*.install differ: {sorted(set(packages) ^ installed)}")
    for name in packages:
        if not name.endswith(("-dev", "-tools")) and not name.endswith(abi.series(version)):
            raise Refused(f"the package {name} is not of {abi.series(version)}")
    if not (root / "debian/changelog").read_text(encoding="utf-8").startswith(f"eddy ({version}) "):
        raise Refused("debian/changelog has another version")
    if abi.version_of_tree(root) != version:
        raise Refused("CMakeLists.txt has another version")


def archive(root, version, out):
    out.mkdir(parents=True, exist_ok=True)
    name = f"eddy-{version}"
    packed = out / f"{name}.tar.gz"
    git(root, "archive", f"--prefix={name}/", "-o", str(packed), "HEAD")
    with tempfile.TemporaryDirectory() as unpacked:
        shutil.unpack_archive(packed, unpacked, filter="data")
        subprocess.run([sys.executable, str(Path(sbom.__file__)), "--tree", f"{unpacked}/{name}", "--version", version,
                        "--out", str(out / f"{name}.spdx.json")], check=True)
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    (out / f"{name}.sha256").write_text(f"{digest}  {packed.name}\n", encoding="utf-8")
    return sorted(path.name for path in out.iterdir())


def dry_run(root, version, today):
    with tempfile.TemporaryDirectory() as elsewhere:
        copy = Path(elsewhere) / "eddy"
        git(root, "clone", "--quiet", "--shared", str(root), str(copy))
        write_version(copy, version, today)
        check_written(copy, version)
        git(copy, "add", "--all")
        print(git(copy, "diff", "--cached", "-M"))
        print("would run: make check; scripts/check.sh packages; packaging/abi.py dump")
        print(f"would commit and tag v{version}, and write: {', '.join(archive(copy, version, Path(elsewhere) / 'out'))}")


def release(root, version, today):
    write_version(root, version, today)
    check_written(root, version)
    subprocess.run(["make", "check"], cwd=root, check=True)
    subprocess.run([sys.executable, "packaging/check.py", "--keep-abi"], cwd=root, check=True)
    git(root, "add", "--all")
    git(root, "commit", "-m", f"release {version}")
    git(root, "tag", "-a", f"v{version}", "-m", f"eddy {version}")
    out = root / f"build/release-{version}"
    print(f"{out.relative_to(root)}/: {', '.join(archive(root, version, out))}")
    print("push it by: git push --follow-tags; packages are in build/packages/debs/")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--root", type=Path, default=ROOT, help="another tree than this script's")
    chosen = parser.parse_args()
    today = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    try:
        check(chosen.root, chosen.version)
        (dry_run if chosen.dry_run else release)(chosen.root, chosen.version, today)
    except Refused as why:
        sys.exit(f"release: {why}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"release: {failed.cmd} failed:\n{failed.stderr or ''}")


if __name__ == "__main__":
    main()
