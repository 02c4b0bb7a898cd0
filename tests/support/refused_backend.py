"""For tests in Python of programs that run on the backend that EDDY_BACKEND names."""

import ctypes
import os
import sys

SKIPPED = 77  # what ctest counts as skipped (SKIP_RETURN_CODE)
IO_URING_SETUP = 425  # the number of the system call on every architecture


def refusal():
    """Why the system refuses the backend, or None."""
    if os.environ.get("EDDY_BACKEND") != "io_uring":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    made = libc.syscall(ctypes.c_long(IO_URING_SETUP), ctypes.c_long(1), ctypes.create_string_buffer(120))
    if made >= 0:
        os.close(made)
        return None
    return f"[io_uring] the system refuses io_uring: {os.strerror(ctypes.get_errno())}"


def skip_if_refused():
    """Ends the program as skipped if the system refuses the backend."""
    if reason := refusal():
        print("skipped: all:", reason)
        sys.exit(SKIPPED)
