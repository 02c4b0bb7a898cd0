#!/usr/bin/env python3
"""Enters a world of scripts/worlds.py and runs a command there.

    scripts/world.py WORLD COMMAND...
"""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import struct
import sys
import tempfile

NOBODY = 65534
CLONE_NEWNET = 0x40000000
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
IO_URING_SETUP = 425
LIBC = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def be_an_ordinary_user():
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (8 << 20, 8 << 20))
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.environ.update(HOME="/nonexistent", USER="nobody", LOGNAME="nobody",
                      PATH="/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games")
    os.environ.pop("XDG_CACHE_HOME", None)


def refuse_io_uring():
    """As Docker's filter does: io_uring_setup() fails with EPERM, seccomp(2)."""
    def instruction(code, jump_true, jump_false, value):
        return struct.pack("HBBI", code, jump_true, jump_false, value)
    program = b"".join((instruction(0x20, 0, 0, 0),                          # the number of the call
                        instruction(0x15, 0, 1, IO_URING_SETUP),             # is it that one?
                        instruction(0x06, 0, 0, 0x00050000 | errno.EPERM),   # an error
                        instruction(0x06, 0, 0, 0x7FFF0000)))                # go on
    memory = ctypes.create_string_buffer(program, len(program))
    filter_program = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(memory))
    check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(filter_program), 0, 0), "seccomp")


def have_no_ipv6():
    """A network of its own with 127.0.0.1 and nothing else, so without a name server as well."""
    check(LIBC.unshare(CLONE_NEWNET), "unshare")
    with open("/proc/sys/net/ipv6/conf/all/disable_ipv6", "w", encoding="ascii") as setting:
        setting.write("1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        get_flags, set_flags, up = 0x8913, 0x8914, 1
        request = fcntl.ioctl(control, get_flags, struct.pack("16sH22x", b"lo", 0))
        flags = struct.unpack_from("16sH", request)[1]
        fcntl.ioctl(control, set_flags, struct.pack("16sH22x", b"lo", flags | up))


def have_one_cpu():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def have_a_space():
    directory = os.path.join(tempfile.gettempdir(), "eddy worlds")
    os.makedirs(directory, exist_ok=True)
    os.environ["TMPDIR"] = directory


def have_no_standard_input():
    os.close(0)


def have_few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


ENTER = {
    "user": be_an_ordinary_user,
    "no-io-uring": refuse_io_uring,
    "no-ipv6": have_no_ipv6,
    "one-cpu": have_one_cpu,
    "space": have_a_space,
    "no-stdin": have_no_standard_input,
    "few-descriptors": have_few_descriptors,
}


def kill_session(process):
    """Ends what is left of a process that began a session of its own, and waits for the process."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ENTER:
        sys.exit(f"{__doc__}\nThe worlds are: {', '.join(ENTER)}")
    ENTER[sys.argv[1]]()
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
