#!/usr/bin/env python3
"""Runs tests of the release build on kernels that our users have, in an emulated machine.

    scripts/check_kernels.py [--tests REGEX] [--kernel PACKAGE]...

Debian's packages of kernels are unpacked, not installed. Each is booted by qemu-system-x86_64, with a disk that holds the
tests and what they need, and runs as many of them as fit the time, in an order that a seed decides.

    KERNEL_MINUTES=N    the time that tests may take on each kernel; `all`: until every test has run
    KERNEL_SEED=N       repeats the order of a run
"""

import argparse
import glob
import json
import lzma
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(TREE, "build", "kernels")
HERE = os.path.join(TREE, "scripts", "kernels")

# Debian 12's own: the oldest that has what eddy needs of io_uring, and the oldest that Debian 12 offers.
KERNELS = ["linux-image-cloud-amd64"]
# What meets the kernel. What stands on these alone behaves on one kernel as on another.
MODULES = "core backend runtime combine stream net fs os io io_scenarios dropping".split()
# What differs between kernels shows here first.
FIRST = re.compile(r"^(backend|os)\..*\.io_uring$")
# What tests start, as Debian has it: busybox's shell differs where a signal interrupts it.
PROGRAMS = "cat cut echo env false grep head sh sleep sort true yes".split()
# What tests start out of the directory in which they were built.
STARTED = ["test_runtime_filtered_exchange"]
DRIVERS = "virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk virtio_console".split()
TOOLS = """cat cut echo grep hostname insmod ip ln mkdir mount poweroff rm rmdir sed sh sleep stty switch_root sync tail timeout
    uname xargs""".split()

MINUTES = 4
# For a machine that hangs: what starting it, and the tests that have begun, may take beyond the tests' own time.
GRACE_SECONDS = 120
MINUTES_MAX = 60


def fail(text):
    sys.exit("kernels: " + text)


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


# -- the kernel --


def newest(package):
    """The package with a version in its name on which the one without depends, and its version."""
    for line in run("apt-cache", "depends", package).splitlines():
        found = re.match(r"\s+Depends: (linux-image-\S+)", line)
        if found:
            package = found.group(1)
    found = re.search(r"Candidate: (\d\S*)", run("apt-cache", "policy", package))
    if found is None:
        raise LookupError(package)
    return package, found.group(1)


def unpacked(package):
    """The directory that holds the kernel of a package; fetched once for each version."""
    package, version = newest(package)
    place = os.path.join(WORK, f"{package}_{version}".replace(":", "_"))
    if not os.path.isdir(place):
        fetching = place + ".part"
        shutil.rmtree(fetching, ignore_errors=True)
        os.makedirs(fetching)
        # As root, apt would fetch as a user of its own, who may not write here.
        run("apt-get", "-q", "-o", "APT::Sandbox::User=", "download", f"{package}={version}", cwd=fetching)
        (archive,) = glob.glob(os.path.join(fetching, "*.deb"))
        run("dpkg-deb", "-x", archive, fetching)
        os.remove(archive)
        os.rename(fetching, place)
    return place


def fetched(package):
    try:
        return unpacked(package)
    except (subprocess.CalledProcessError, LookupError):
        print(f"kernels: {package} is not to be fetched as apt's lists are; they are brought up to date", flush=True)
    try:
        run(*([] if os.geteuid() == 0 else ["sudo", "-n"]), "apt-get", "-q", "update")
        return unpacked(package)
    except (subprocess.CalledProcessError, LookupError):
        fail(f"apt offers no package {package}, or cannot fetch it; see above")


def one_file(pattern):
    found = glob.glob(pattern, recursive=True)
    if len(found) != 1:
        fail(f"{pattern} names {len(found)} files")
    return found[0]


# -- what the machine starts from --


def put(source, root, path, mode=0o755):
    target = os.path.join(root, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(source, target)
    os.chmod(target, mode)


def put_busybox(root, others=()):
    put(shutil.which("busybox"), root, "bin/busybox")
    for tool in set(TOOLS).difference(others):
        os.symlink("busybox", os.path.join(root, "bin", tool))


def make_initramfs(kernel, path):
    root = path + ".d"
    shutil.rmtree(root, ignore_errors=True)
    put_busybox(root)
    put(os.path.join(HERE, "init.sh"), root, "init")
    for directory in ("dev", "proc", "sys", "disk"):
        os.mkdir(os.path.join(root, directory))
    for driver in DRIVERS:
        for module in glob.glob(f"{kernel}/**/{driver}.ko*", recursive=True):
            os.makedirs(os.path.join(root, "drivers"), exist_ok=True)
            with (lzma.open if module.endswith(".xz") else open)(module, "rb") as packed:
                with open(os.path.join(root, "drivers", f"{driver}.ko"), "wb") as out:
                    shutil.copyfileobj(packed, out)
    files = run("find", ".", cwd=root)
    with open(path, "wb") as out:
        subprocess.run(["busybox", "cpio", "-o", "-H", "newc"], input=files.encode(), stdout=out, stderr=subprocess.DEVNULL,
                       cwd=root, check=True)


def libraries_of(programs):
    found = set()
    for line in run("ldd", *programs).splitlines():
        match = re.search(r"(/\S+) \(0x", line)
        if match:
            found.add(match.group(1))
    return found


def make_disk(tests, seconds, path):
    root = path + ".d"
    shutil.rmtree(root, ignore_errors=True)
    put_busybox(root, PROGRAMS)
    for program in PROGRAMS:
        put(shutil.which(program), root, f"bin/{program}")
    for directory in ("dev", "proc", "sys", "run", "root", "tmp", "etc", "usr", "var/tmp", "tests"):
        os.makedirs(os.path.join(root, directory))
    os.symlink("../bin", os.path.join(root, "usr/bin"))
    programs = sorted({test["program"] for test in tests})
    for program in programs:
        target = os.path.join(root, "tests", os.path.basename(program))
        if not os.path.exists(program):
            fail(f"{program} is not built")
        subprocess.run(["strip", "--strip-debug", "-o", target, program], check=True)
    started = list(filter(os.path.exists, (os.path.join(TREE, "build", "release", "tests", name) for name in STARTED)))
    for program in started:
        put(program, root, program.lstrip("/"))
    for library in libraries_of(programs + started + [shutil.which(program) for program in PROGRAMS]):
        put(library, root, library.lstrip("/"))
    put(os.path.join(HERE, "run_tests.sh"), root, "run_tests.sh")
    files = {
        "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
        "etc/group": "root:x:0:\nnogroup:x:65534:\n",
        "etc/hosts": "127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.1.1 eddy\n",
        "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\nservices: files\n",
        "etc/services": "http 80/tcp\nhttps 443/tcp\ntftp 69/udp\n",
        "tests/seconds": f"{seconds}\n",
        "tests/list": "".join(
            f"{test['name']} {test['backend']} {os.path.basename(test['program'])} {test['source']}\n" for test in tests),
    }
    for name, text in files.items():
        with open(os.path.join(root, name), "w") as out:
            out.write(text)
    size = int(run("du", "-sm", root).split()[0]) + 512
    with open(path, "wb") as out:
        out.truncate(size << 20)
    run("mkfs.ext4", "-q", "-F", "-E", "root_owner=0:0", "-d", root, path, stderr=subprocess.DEVNULL)


# -- the tests --


def known_tests(wanted):
    """The tests that need nothing but their own program and the name of their source, by ctest's word."""
    listed = json.loads(run("ctest", "--test-dir", os.path.join(TREE, "build", "release"), "--show-only=json-v1"))
    found = []
    for test in listed["tests"]:
        name, command = test["name"], test.get("command", [])
        if name.split(".")[0] not in MODULES or not re.search(wanted, name):
            continue
        if len(command) != 2 or not command[1].startswith("--source="):
            continue
        settings = {each["name"]: each["value"] for each in test["properties"]}
        backend = "-"
        for setting in settings.get("ENVIRONMENT", []):
            backend = setting.removeprefix("EDDY_BACKEND=")
        found.append({"name": name, "backend": backend, "program": command[0], "source": command[1]})
    if not found:
        fail("there are no such tests in build/release")
    return found


def in_order(tests, seed):
    chosen = sorted(tests, key=lambda test: test["name"])
    random.Random(seed).shuffle(chosen)
    return sorted(chosen, key=lambda test: FIRST.match(test["name"]) is None)


# -- a run --


def boot(kernel, initramfs, disk, seconds_max):
    """Gives what the machine reported, and whether it came to its end."""
    report = os.path.join(WORK, "report.txt")
    console = os.path.join(WORK, "console.txt")
    open(report, "w").close()
    command = [
        "qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1536",
        "-nodefaults", "-display", "none", "-no-reboot",
        "-kernel", one_file(f"{kernel}/boot/vmlinuz-*"), "-initrd", initramfs,
        # On a busy host the kernel's look whether the timer works may come too early, and ends it.
        "-append", "console=ttyS0 quiet panic=-1 random.trust_cpu=on no_timer_check",
        "-serial", f"file:{console}",
        "-device", "virtio-serial-pci", "-chardev", f"file,id=report,path={report}", "-device", "virtconsole,chardev=report",
        "-drive", f"file={disk},format=raw,if=virtio,cache=unsafe",
    ]
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    deadline = time.monotonic() + seconds_max
    text = ""
    shown = 0
    try:
        while True:
            has_ended = machine.poll() is not None
            with open(report, errors="replace") as lines:
                text = lines.read()
            complete = text.rfind("\n") + 1
            sys.stdout.write("".join(f"  {line}\n" for line in text[shown:complete].splitlines()))
            sys.stdout.flush()
            shown = complete
            if has_ended or time.monotonic() > deadline:
                break
            time.sleep(0.5)
    finally:
        if machine.poll() is None:
            machine.kill()
        machine.wait()
    return text, re.search(r"^END", text, re.MULTILINE) is not None


def check(package, tests, minutes, seed):
    kernel = fetched(package)
    seconds = (MINUTES_MAX if minutes == "all" else int(minutes)) * 60
    initramfs, disk = os.path.join(WORK, "initramfs"), os.path.join(WORK, "disk")
    make_initramfs(kernel, initramfs)
    make_disk(in_order(tests, seed), seconds, disk)
    print(f"kernels: {os.path.basename(kernel)}, KERNEL_MINUTES={minutes} KERNEL_SEED={seed}", flush=True)
    text, has_ended = boot(kernel, initramfs, disk, seconds + GRACE_SECONDS)
    os.remove(disk)
    counts = {word: len(re.findall(rf"^{word} ", text, re.MULTILINE)) for word in ("PASS", "FAIL")}
    total = sum(counts.values())
    print(f"kernels: {counts['PASS']} passed, {counts['FAIL']} failed;"
          f" {len(tests) - total} of {len(tests)} did not fit the time")
    for name in re.findall(r"^FAIL (\S+)", text, re.MULTILINE):
        print(f"kernels: failed: {name}")
    if not has_ended:
        print(f"kernels: the machine did not come to its end; its console is in {os.path.relpath(WORK, TREE)}/console.txt")
    return has_ended and counts["PASS"] > 0 and counts["PASS"] == total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", default="", help="only tests whose name contains this regular expression")
    parser.add_argument("--kernel", action="append", metavar="PACKAGE", help=f"Debian's package; else {KERNELS}")
    options = parser.parse_args()
    for needed in ("qemu-system-x86_64", "busybox", "mkfs.ext4", "strip"):
        if shutil.which(needed) is None:
            fail(f"{needed} is missing; scripts/setup.sh --with-check installs it")
    # So that the machine ends with the script.
    signal.signal(signal.SIGTERM, lambda *_: fail("ended by SIGTERM"))
    minutes = os.environ.get("KERNEL_MINUTES", str(MINUTES))
    seed = int(os.environ.get("KERNEL_SEED", random.randrange(1, 1 << 31)))
    os.makedirs(WORK, exist_ok=True)
    tests = known_tests(options.tests)
    results = [check(package, tests, minutes, seed) for package in options.kernel or KERNELS]
    sys.exit(0 if all(results) else 1)


main()
