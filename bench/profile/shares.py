"""How the time is shared out: by the owner of the innermost function, and in the kernel by what was asked of it."""

import re
from collections import Counter

_SYSTEM_CALL = re.compile(r"__(?:x64|do)_sys_(\w+)$")
_RING_OPERATION = re.compile(r"io_(send|sendmsg|send_zc|recv|recvmsg|read|write|accept|timeout|poll_add|splice|openat2?|close)$")


def shares(stacks, owner):
    """Samples by owner, and those of the kernel by request."""
    owners, requests = Counter(), Counter()
    for stack, count in stacks.items():
        innermost = owner(stack[-1])
        owners[innermost] += count
        if innermost == "kernel":
            requests[request(stack)] += count
    return owners, requests


def request(stack):
    """What the kernel was at for this stack: an operation of io_uring, another system call, or neither."""
    call = ""
    for frame in stack:
        if found := _RING_OPERATION.match(frame.symbol):
            return f"io_uring: {found[1]}"
        if found := _SYSTEM_CALL.match(frame.symbol):
            call = found[1]
    return call or "no system call"


def table(stacks, owner, cpu_us=None):
    """Lines of text; with the processor time of a request its parts in nanoseconds as well."""
    owners, requests = shares(stacks, owner)
    total = max(1, sum(owners.values()))
    rows = []
    for name, count in sorted(owners.items(), key=lambda each: (-each[1], each[0])):
        rows.append((name, count))
        if name == "kernel":
            rows += [(f"  {asked}", part) for asked, part in requests.most_common() if part * 200 >= total]
    width = max([len(name) for name, _ in rows] + [len("whose")])
    lines = [f"{'whose':{width}}  share" + ("  ns/request" if cpu_us else "")]
    for name, count in rows:
        time = f"  {1000 * cpu_us * count / total:10.0f}" if cpu_us else ""
        lines.append(f"{name:{width}}  {100 * count / total:4.1f}%{time}")
    return "\n".join(lines) + "\n"
