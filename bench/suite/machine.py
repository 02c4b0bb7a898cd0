"""What the figures were taken on and with."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

# Changes of documents do not change what is measured.
_CODE = (".", ":!docs", ":!*.md")

_DEBIAN_PACKAGES = {
    "Boost (Asio, Beast)": "libboost1.81-dev", "liburing": "liburing-dev", "libuv": "libuv1-dev", "nginx": "nginx-light",
    "memcached": "memcached", "PostgreSQL": "postgresql-15", "libpq": "libpq-dev", "OpenSSL": "libssl-dev",
}
_CRATES = ("fastwebsockets", "hyper", "may_minihttp", "monoio", "ntex", "tokio")


def describe():
    """The machine, as pairs of a name and a text."""
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGESIZE') >> 20:,} MiB",
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def versions(build, compiler):
    """Of the compilers and the peers that are there."""
    found = {"C++ compiler": _first_line(compiler, "--version")}
    for name, package in _DEBIAN_PACKAGES.items():
        found[name] = _first_line("dpkg-query", "-W", "-f=${Version}", package)
    found["Go"] = _first_line(shutil.which("go") or "go", "version")
    found["Rust"] = _first_line("rustc", "--version")
    found.update(_crates(build))
    return {name: text for name, text in found.items() if text}


def commit(source):
    """The last change of code, with a mark when there are changes since. Without git: "unknown"."""
    last = _git(source, "log", "-1", "--format=%h", "--abbrev=12", "--", *_CODE)
    if not last:
        return "unknown"
    return last + ("-changed" if _git(source, "status", "--porcelain", "--", *_CODE) else "")


def load_average():
    return os.getloadavg()[0]


def _processor():
    try:
        found = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def _crates(build):
    """The versions that cargo has chosen, from what it wrote into the build's folder."""
    found = {}
    for lock in sorted(Path(build).glob("bench/peers/*/**/Cargo.lock")):
        for name, version in re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"', lock.read_text(encoding="utf-8")):
            if name in _CRATES:
                found[name] = version
    return found


def _git(source, *arguments):
    return _output("git", "-C", str(source), *arguments)


def _first_line(*command):
    return _output(*command).partition("\n")[0]


def _output(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                              timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
