#!/usr/bin/env python3
"""Builds every package and uses it from outside the tree: the stage `packages` of make check.

    packaging/check.py [--only STEP...] [--keep-abi] [--list]

Debian's are built in a clean root, checked by lintian, and installed into another one, where programs are compiled and run,
the tools start, and all of it is purged; the others are built here. Needs root, and installs what it needs.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "packaging/checks"), str(ROOT / "packaging")]
import abi  # noqa: E402
import clean_root  # noqa: E402

SERIES = abi.series(abi.version_of_tree())
WORK = ROOT / "build/packages"
DEBS = WORK / "debs"
NEEDED = ("abigail-tools", "debootstrap", "lintian", "python3-venv", "strace", "systemd")
JOBS = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
PROGRAM = '#include <eddy/eddy.hpp>\neddy::task<int> answer() { co_return 42; }\nint main() { return eddy::run(answer()) == 42 ? 0 : 1; }\n'
COMPONENTS = """cmake_minimum_required(VERSION 3.25)
project(p LANGUAGES CXX)
find_package(eddy {version} QUIET COMPONENTS {parts})
message(STATUS "eddy: ${{eddy_FOUND}}: ${{eddy_NOT_FOUND_MESSAGE}}")
foreach(part eddy tls http http2 rpc etcd curl pq redis)
  if(TARGET eddy::${{part}})
    message(STATUS "there is ${{part}}")
  endif()
endforeach()
"""


def run(*command, **more):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, **more)
    if done.returncode != 0:
        raise SystemExit(f"packages: failed ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}")
    return done.stdout


def expect(holds, what):
    if not holds:
        raise SystemExit(f"packages: {what}")


def tracked_files():
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [name for name in listed.split("\0") if name and (ROOT / name).exists()]


def copy_sources(to):
    """What would be committed; files that have not changed keep their times, so that nothing is compiled for them again."""
    to.mkdir(parents=True, exist_ok=True)
    names = tracked_files()
    for name in names:
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
            shutil.copy2(ROOT / name, target)
    kept = set(names)
    for path in [*to.rglob("*")]:
        name = str(path.relative_to(to))
        if path.is_file() and name not in kept and not name.startswith("obj-"):
            path.unlink()


def python_tools():
    """Conan, the validator of SPDX, and the newest CMake."""
    venv = WORK / "venv"
    if not (venv / "made").exists():
        run(sys.executable, "-m", "venv", venv)
        run(venv / "bin/pip", "install", "--quiet", "conan>=2", "spdx-tools", "cmake>=4.3")
        (venv / "made").touch()
    return venv / "bin"


# -- Debian --

def build_debian():
    base = clean_root.make_base(WORK / "base")
    with clean_root.CleanRoot(base, WORK / "builder", is_kept=True) as root:
        root.install("build-essential", "debhelper", "fakeroot")
        source = root.path / "src/eddy"
        copy_sources(source)
        root.run("apt-get -q -y --no-install-recommends build-dep ./", cwd="/src/eddy")
        for old in (root.path / "src").glob("*.*"):
            old.unlink()
        started = time.monotonic()
        # -nc keeps what was compiled by the last run, where there is any.
        given = {name: value for name, value in os.environ.items() if name.startswith("DEB_")}
        root.run("dpkg-buildpackage -b -us -uc -nc", cwd="/src/eddy",
                 **{"DEB_BUILD_OPTIONS": f"noautodbgsym parallel={JOBS}", **given})
        shutil.rmtree(DEBS, ignore_errors=True)
        DEBS.mkdir(parents=True)
        for made in (root.path / "src").glob("*.*"):
            shutil.copy(made, DEBS)
    print(f"packages: {len(list(DEBS.glob('*.deb')))} of Debian's, {sum(each.stat().st_size for each in DEBS.glob('*.deb')):,} bytes, "
          f"built in {time.monotonic() - started:.0f} s")
    findings = run("lintian", "--fail-on", "error,warning", "--suppress-tags", "initial-upload-closes-no-bugs", next(DEBS.glob("*.changes")))
    print(findings.strip() or "packages: lintian finds nothing")


def use_debian():
    base = clean_root.make_base(WORK / "base")
    shutil.rmtree(WORK / "user", ignore_errors=True)
    with clean_root.CleanRoot(base, WORK / "user") as root:
        root.copy_in(DEBS, "/debs")
        root.install("g++", "cmake", "make", "pkg-config")
        root.run(f"apt-get -q -y --no-install-recommends install ./libeddy{SERIES}_*.deb ./libeddy-dev_*.deb", cwd="/debs")
        (root.path / "root/three.cpp").write_text(PROGRAM)
        root.run("g++ -std=c++23 three.cpp $(pkg-config --cflags --libs eddy) -o three && ./three", cwd="/root")
        print("packages: a program of three lines, with libeddy-dev alone")
        check_components(root, "", "eddy::http is not installed")
        root.run("apt-get -q -y --no-install-recommends install ./*.deb", cwd="/debs")
        check_components(root, "tls http", "eddy: 1")
        check_tools(root)
        check_new_project(root)
        check_bills(root)
        check_purge(root)


def configure(root, parts, version=SERIES):
    project = root.path / "root/components"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir()
    (project / "CMakeLists.txt").write_text(COMPONENTS.format(version=version, parts=parts))
    return root.run("cmake -S components -B components/build", cwd="/root")


def check_components(root, there, message):
    output = configure(root, "http")
    expect(message in output, f"find_package(eddy COMPONENTS http) should say '{message}':\n{output}")
    found = re.findall(r"there is (\w+)", output)
    expect(not there or found == ["eddy", *there.split()], f"find_package(eddy COMPONENTS http) should find {there}: {found}")
    for version in ("0.0", "0.99", "99"):
        expect("eddy: 0" in configure(root, "eddy", version), f"version {version} should not be found")


def check_tools(root):
    names = sorted(path.name for path in (root.path / "usr/bin").glob("eddy-*"))
    for name in names:
        expect(name in root.run(f"{name} --version"), f"{name} --version does not name it")
        expect((root.path / f"usr/share/man/man1/{name}.1.gz").exists(), f"{name} has no manual page")
        expect((root.path / f"usr/share/bash-completion/completions/{name}").exists(), f"{name} has no completion")
    served = root.run("eddy-httpd --port 0 --root /usr/share/doc --listing >log & for i in {1..600}; do [[ -s log ]] && break; sleep 0.1; done; "
                      "port=$(sed 's/.*127.0.0.1:\\([0-9]*\\).*/\\1/' log); eddy-load -c 2 -t 1 http://127.0.0.1:$port/; kill %1; wait", cwd="/tmp")
    expect(re.search(r"status 200 +[1-9]", served), f"eddy-load did not reach eddy-httpd:\n{served}")
    print(f"packages: {len(names)} programs start")


def check_new_project(root):
    root.run("eddy-new hello-you && cd hello-you && cmake --workflow --preset default", cwd="/root")
    print("packages: the project of eddy-new is built and tested by one command")


def check_bills(root):
    bills = sorted(root.path.glob("usr/share/doc/*eddy*/*.spdx.json"))
    expect(len(bills) == len(list(DEBS.glob("*.deb"))), f"not every package has a bill of materials: {bills}")
    for bill in bills:
        run(python_tools() / "pyspdxtools", "-i", bill, "--version", "SPDX-2.3")
    print(f"packages: {len(bills)} bills of materials are valid SPDX 2.3")


def check_purge(root):
    root.run("apt-get -q -y purge '?name(^eddy)' '?name(^libeddy)'")
    shutil.rmtree(root.path / "root")
    shutil.rmtree(root.path / "debs")
    left = [str(path.relative_to(root.path)) for path in root.path.rglob("*eddy*") if "/var/lib/apt/lists" not in str(path)]
    expect(not left, f"purging leaves {left}")
    print("packages: purging leaves nothing")


# -- what the units allow --

def check_calls():
    """The services' filter allows the system calls that the servers make."""
    allowed = {line.strip() for line in run("systemd-analyze", "syscall-filter", "@system-service").splitlines()}
    groups = [name for name in allowed if name.startswith("@")]
    while groups:
        more = {line.strip() for line in run("systemd-analyze", "syscall-filter", groups.pop()).splitlines()} - allowed
        groups += [name for name in more if name.startswith("@")]
        allowed |= more
    with clean_root.CleanRoot(WORK / "builder", WORK / "builder", is_kept=True) as root:
        root.install("strace")
        for backend in ("io_uring", "epoll"):
            root.run(f"rm -f calls log; LD_LIBRARY_PATH=$(echo /src/eddy/obj-*/src) strace -f -o calls /src/eddy/obj-*/bin/eddy-httpd --port 0 "
                     f"--root /etc --workers 2 --backend {backend} >log & for i in {{1..600}}; do [[ -s log ]] && break; sleep 0.1; done; "
                     "port=$(sed 's/.*127.0.0.1:\\([0-9]*\\).*/\\1/' log); exec 3<>/dev/tcp/127.0.0.1/$port; "
                     "printf 'GET /passwd HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3; kill $(pidof eddy-httpd); wait", cwd="/tmp")
            made = set(re.findall(r"^\d+ +(\w+)\(", (root.path / "tmp/calls").read_text(), re.MULTILINE))
            refused = {"setrlimit", "prlimit64", "sched_setaffinity"}  # which it does without
            expect(made - allowed - refused == set(), f"the units' filter refuses {sorted(made - allowed)}")
            print(f"packages: {len(made)} system calls of eddy-httpd on {backend} pass the services' filter")


# -- the interfaces --

def check_abi(is_kept):
    libraries = sorted(path for path in (WORK / "builder/src/eddy").glob("obj-*/src/libeddy*.so.*.*.*"))
    headers = WORK / "builder/src/eddy/include"
    check_that_abi_notices()
    kept = abi.last_release(abi.version_of_tree())
    if kept:
        expect(abi.compare_all(libraries, headers, kept) == 0, "programs made with the last release would not work")
    else:
        print(f"packages: {SERIES} has no release yet whose interfaces could be compared")
    if is_kept:
        abi.write_dumps(libraries, headers, abi.KEPT / abi.version_of_tree())


def check_that_abi_notices():
    """A small library, changed in ways that break programs and in ways that do not."""
    work = WORK / "abi"
    shutil.rmtree(work, ignore_errors=True)
    (work / "include").mkdir(parents=True)
    header = "#pragma once\nstruct shape { int a; virtual int area(); int scale(int by); };\n"
    source = '#include "include/shape.hpp"\nstruct inner { int x; };\nint shape::area() { return a; }\nint shape::scale(int by) { inner i{by}; return i.x * a; }\n'

    def build(change=lambda text: text):
        (work / "include/shape.hpp").write_text(change(header))
        (work / "shape.cpp").write_text(change(source))
        run("g++", "-g", "-shared", "-fPIC", work / "shape.cpp", "-o", work / "libshape.so.1")
        return work / "libshape.so.1"

    kept = work / "kept"
    abi.write_dumps([build()], work / "include", kept)
    for what, change, is_break in (
            ("nothing", lambda text: text, False),
            ("what no header declares", lambda text: text.replace("int x;", "int x; long y;"), False),
            ("a function more", lambda text: text.replace("int scale(int by);", "int scale(int by); int more() { return 1; }"), False),
            ("a member more", lambda text: text.replace("int a;", "int a; int b;"), True),
            ("a virtual function more", lambda text: text.replace("virtual int area();", "virtual int first() { return 1; } virtual int area();"), True),
            ("another parameter", lambda text: text.replace("int by", "long by"), True)):
        expect(abi.compare_all([build(change)], work / "include", kept) == int(is_break), f"comparing interfaces misjudges {what}")


# -- others --

def use_conan():
    home = WORK / "conan"
    profile = WORK / "profile"
    profile.write_text("[settings]\nos=Linux\narch=x86_64\ncompiler=gcc\ncompiler.version=12\ncompiler.libcxx=libstdc++11\ncompiler.cppstd=23\n"
                       "build_type=Release\n[platform_requires]\nliburing/2.3\n[conf]\n"
                       'tools.build:compiler_executables={"c": "gcc-12", "cpp": "g++-12"}\ntools.cmake.cmaketoolchain:generator=Ninja\n'
                       'tools.build:cxxflags=["-O0"]\n')
    run(python_tools() / "conan", "create", ROOT, "--no-remote", "--profile:all", profile, "-o", "eddy/*:http=False",
        env={**os.environ, "CONAN_HOME": str(home)}, cwd=WORK)
    print("packages: Conan builds the package and a program with it")


def use_cps():
    """The newest CMake finds it by its .cps alone."""
    work = WORK / "cps"
    run("cmake", "-G", "Ninja", "-S", ROOT, "-B", work / "build", "-DEDDY_INSTALL_CPS=ON", "-DEDDY_BUILD_HTTP=OFF", "-DEDDY_BUILD_APPS=OFF",
        "-DEDDY_BUILD_CURL=OFF", "-DEDDY_BUILD_PQ=OFF", "-DEDDY_BUILD_REDIS=OFF", "-DEDDY_BUILD_EXAMPLES=OFF", "-DEDDY_BUILD_TESTS=OFF",
        "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0", "-DCMAKE_CXX_COMPILER=g++-12")
    run("cmake", "--build", work / "build")
    shutil.rmtree(work / "prefix", ignore_errors=True)
    run("cmake", "--install", work / "build", "--prefix", work / "prefix")
    shutil.rmtree(work / "prefix/lib/cmake")
    build_user("CPS", f"find_package(eddy {SERIES} REQUIRED)", f"-DCMAKE_PREFIX_PATH={work}/prefix", cmake=python_tools() / "cmake")


def use_vcpkg():
    work = WORK / "vcpkg"
    shutil.rmtree(work / "packages", ignore_errors=True)
    run("cmake", f"-DPORT={ROOT}/packaging/vcpkg/eddy", f"-DWORK={work}", "-DFEATURES=", "-P", ROOT / "packaging/checks/vcpkg_stand_in.cmake",
        env={**os.environ, "EDDY_SOURCE": str(ROOT)})
    build_user("vcpkg", f"find_package(eddy {SERIES} REQUIRED COMPONENTS eddy)", f"-Deddy_ROOT={work}/packages")


def use_fetch_content():
    repository = WORK / "repository"
    shutil.rmtree(repository, ignore_errors=True)
    copy_sources(repository)
    for command in (["init", "--quiet"], ["add", "--all"], ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "-m", "all"]):
        run("git", "-C", repository, *command)
    build_user("FetchContent", f"""include(FetchContent)
set(EDDY_BUILD_HTTP OFF)
FetchContent_Declare(eddy GIT_REPOSITORY file://{repository} GIT_TAG HEAD)
FetchContent_MakeAvailable(eddy)""", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0")


def build_user(way, find, *options, cmake="cmake"):
    work = WORK / f"user-of-{way}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    (work / "main.cpp").write_text(PROGRAM)
    (work / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.25...4.3)\nproject(p LANGUAGES CXX)\n{find}\n"
                                         "add_executable(p main.cpp)\ntarget_link_libraries(p PRIVATE eddy::eddy)\n")
    run(cmake, "-G", "Ninja", "-S", work, "-B", work / "build", "-DCMAKE_CXX_COMPILER=g++-12", *options)
    run(cmake, "--build", work / "build")
    run(work / "build/p")
    print(f"packages: a program by {way}")


def install_needed():
    missing = [name for name in NEEDED if subprocess.run(["dpkg", "-s", name], capture_output=True, check=False).returncode != 0]
    if missing:
        print(f"packages: installing {' '.join(missing)}")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run("apt-get", "-q", "update", env=environment)
        run("apt-get", "-q", "-y", "install", "--no-install-recommends", "--no-remove", *missing, env=environment)


def main():
    steps = {"debian": build_debian, "install": use_debian, "calls": check_calls, "abi": check_abi, "conan": use_conan, "cps": use_cps,
             "vcpkg": use_vcpkg, "fetch": use_fetch_content}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=steps, default=list(steps))
    parser.add_argument("--keep-abi", action="store_true", help="writes packaging/abi/VERSION/, as a release does")
    parser.add_argument("--list", action="store_true")
    chosen = parser.parse_args()
    if chosen.list:
        print("\n".join(steps))
        return
    if os.geteuid() != 0:
        sys.exit("packages: needs root, for clean roots")
    WORK.mkdir(parents=True, exist_ok=True)
    install_needed()
    for name in chosen.only:
        started = time.monotonic()
        print(f"packages: -- {name}", flush=True)
        steps[name](chosen.keep_abi) if name == "abi" else steps[name]()
        print(f"packages: -- {name}: {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
