"""Other programs: run to their end, or for as long as they are needed."""

import collections
import contextlib
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

_TICK_S = 0.25
_ENDS_S_MAX = 2
ANSWERS_S_MAX = 5
_OUTPUT_KEPT = 4000


class Failed(Exception):
    """A measurement could not be made. Its text says why."""


def run(command, cores=(), seconds_max=60, env=None, tick=lambda: None):
    """What the program prints. Nothing of it is left when this returns, whichever way. `tick` is called meanwhile."""
    with _started(command, cores, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        end = time.monotonic() + seconds_max
        while True:
            try:
                said, errors = (each.decode(errors="replace") for each in process.communicate(timeout=_TICK_S))
                break
            except subprocess.TimeoutExpired:
                tick()
                if time.monotonic() > end:
                    raise Failed(f"{_name(command)} has not ended after {seconds_max:.0f} s") from None
    if process.returncode < 0:
        raise Failed(f"{_name(command)} was ended by {signal.Signals(-process.returncode).name}: {errors[-_OUTPUT_KEPT:]}")
    if process.returncode != 0:
        reason = errors.strip() or said.strip() or "it says nothing"
        raise Failed(f"{_name(command)}: exit status {process.returncode}: {reason[-_OUTPUT_KEPT:]}")
    return said


@contextlib.contextmanager
def serving(command, port, first_request, output, cores=(), env=None, answers_s_max=ANSWERS_S_MAX):
    """A server, once it has answered `first_request` with a byte or ended the connection, until the end of the block.
    What it writes goes to the file `output`, and into the text of a failure."""
    with open(output, "wb") as file, _started(command, cores, stdout=file, stderr=subprocess.STDOUT, env=env) as process:
        try:
            _wait_until_it_answers(process, port, first_request, answers_s_max)
            yield process
        except Failed as error:
            raise Failed(f"{error}\n{Path(output).read_text(encoding='utf-8', errors='replace')[-_OUTPUT_KEPT:]}") from error


def _name(command):
    return Path(command[0]).name


@contextlib.contextmanager
def _started(command, cores, **more):
    """Has a session of its own, so that an interrupt comes to this process first, and ends with this process."""
    words = ["setpriv", "--pdeathsig", "KILL"]
    if cores:
        words += ["taskset", "-c", ",".join(map(str, cores))]
    if not os.access(command[0], os.X_OK):
        raise Failed(f"{command[0]} is not there")
    process = subprocess.Popen([*words, *map(str, command)], stdin=subprocess.DEVNULL, start_new_session=True, **more)
    try:
        yield process
    finally:
        _end(process)


def _end(process):
    """Asks it and all that it has started to end, and insists."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if number == signal.SIGKILL else os.kill)(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_ENDS_S_MAX)
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _wait_until_it_answers(process, port, request, seconds_max):
    end = time.monotonic() + seconds_max
    while not _answers(port, request):
        if process.poll() is not None:
            raise Failed("the server ended before it answered")
        if time.monotonic() > end:
            raise Failed(f"the server did not answer within {seconds_max} seconds")
        time.sleep(0.005)


def _answers(port, request):
    try:
        with socket.create_connection(("127.0.0.1", port), 0.5) as probe:
            probe.sendall(request)
            probe.recv(1)
            return True
    except ConnectionRefusedError:
        return False
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def family(process):
    """The process and all that descend from it. What a process lists as its children may leave one out (proc(5))."""
    children = collections.defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            children[int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1])].append(int(stat.parent.name))
    found = [process]
    for each in found:
        found += children[each]
    return found


def cpu_seconds(process):
    """Processor time of a process and of what descends from it, to a tick."""
    ticks = 0
    for each in family(process):
        fields = Path(f"/proc/{each}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
