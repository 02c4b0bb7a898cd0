"""For tests in Python, as orphans.hpp for those in C++."""

import ctypes
import fcntl
import os
import signal

PR_SET_PDEATHSIG = 1


def above_the_standard_ones(descriptor):
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return moved


def end_children_with_this():
    """Lets all that this process starts end with it, however it ends."""
    if any(os.isatty(number) for number in (0, 2)):
        return
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)
    # No signal of the terminal reaches this group.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    group = os.getpid()
    end_of_group, kept = map(above_the_standard_ones, os.pipe())
    child = os.fork()
    if child != 0:
        os.close(end_of_group)
        os.waitpid(child, 0)
        return  # `kept` is open until this process ends
    if os.fork() != 0:
        os._exit(0)
    os.setpgid(0, 0)
    os.close(kept)
    nothing = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.read(end_of_group, 1)
    os.killpg(group, signal.SIGKILL)
    os._exit(0)
