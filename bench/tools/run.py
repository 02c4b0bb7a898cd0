#!/usr/bin/python3
"""Measures eddy-httpd and nginx with the load generators of other projects' figures, hey and ab:

    bench/tools/run.py build/bench/bin/eddy-httpd                     # hey -n 1000000 -c 5000; ab -n 500000 -c 25 -k
    bench/tools/run.py build/bench/bin/eddy-httpd --contest ab --requests 100000
    bench/tools/run.py build/bench/bin/eddy-httpd --seconds 2         # as long, instead of that many requests

The server has one worker, on the first core; the tool has the last one. Both tools take more of a processor for a request
than the servers do, so compare CPU: requests a second say how fast the tool is.
"""

import contextlib
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

import scripted  # noqa: E402

PROGRAM = "eddy-bench-tools"
CONTENDERS = ("eddy", "eddy_epoll", "nginx")
FILES = {"hello": b"Hello World\n", "file": b"x" * 1024}
START_S_MAX = 10
NGINX = """daemon off; worker_processes 1; pid {directory}/nginx.pid; error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
    access_log off; sendfile off; keepalive_requests 1000000000; keepalive_timeout 1h;
    client_body_temp_path {directory}/b; proxy_temp_path {directory}/p; fastcgi_temp_path {directory}/f;
    uwsgi_temp_path {directory}/u; scgi_temp_path {directory}/s;
    open_file_cache max=1000 inactive=60s; open_file_cache_valid 60s;
    server {{ listen 127.0.0.1:{port} backlog=4096; root {directory}/root; }}
}}
"""


class Hey:
    contest = {"contest": "hey/5000", "about": "hey -n 1000000 -c 5000, a file of 1 KiB", "item": "request",
               "compares": "cpu_time"}
    requests = 1_000_000
    target = "file"

    @staticmethod
    def command(requests, seconds):
        return ["hey", "-c", "5000", *(["-z", f"{seconds}s"] if seconds else ["-n", str(requests)])]

    @staticmethod
    def result(text):
        """Requests that were answered, and how long that took."""
        errors = "Error distribution" in text
        found = re.findall(r"\[(\d+)\]\s+(\d+) responses", text)
        if errors or [status for status, _ in found] != ["200"]:
            raise RuntimeError(f"hey: not all was answered well: {text}")
        return int(found[0][1]), float(re.search(r"Total:\s+([\d.]+) secs", text)[1])


class Ab:
    contest = {"contest": "ab/25", "about": "ab -n 500000 -c 25 -k, a file of 12 bytes", "item": "request",
               "compares": "cpu_time"}
    requests = 500_000
    target = "hello"

    @staticmethod
    def command(requests, seconds):
        limit = ["-t", str(max(1, round(seconds))), "-n", "50000000"] if seconds else ["-n", str(requests)]
        return ["ab", "-q", "-c", "25", "-k", *limit]

    @staticmethod
    def result(text):
        if not re.search(r"Failed requests:\s+0$", text, re.MULTILINE) or "Non-2xx" in text:
            raise RuntimeError(f"ab: not all was answered well: {text}")
        return (int(re.search(r"Complete requests:\s+(\d+)", text)[1]),
                float(re.search(r"Time taken for tests:\s+([\d.]+) seconds", text)[1]))


TOOLS = {each.contest["contest"]: each for each in (Hey, Ab)}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def on_core(core):
    """For the child of a fork."""
    if os.cpu_count() > 1:
        os.sched_setaffinity(0, {core})


def cpu_seconds(process):
    """Of a process and those that it has started."""
    total = 0
    for each in [process, *children(process)]:
        with open(f"/proc/{each}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def children(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
        return [int(each) for each in file.read().split()]


@contextlib.contextmanager
def served(program, contender, directory):
    """The port and the process of a server."""
    port = free_port()
    if contender == "nginx":
        path = os.path.join(directory, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(NGINX.format(directory=directory, port=port))
        command = [shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-e", "stderr", "-c", path]
    else:
        command = [program, "--root", os.path.join(directory, "root"), "--port", str(port), "--workers", "1", "--backend",
                   "epoll" if contender == "eddy_epoll" else "io_uring"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=lambda: on_core(0))
    try:
        wait_for(port, server)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait()


def wait_for(port, server):
    end = time.monotonic() + START_S_MAX
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError as error:
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server does not serve: {error}") from error
            time.sleep(0.01)


def load(tool, port, requests, seconds):
    done = subprocess.run([*tool.command(requests, seconds), f"http://127.0.0.1:{port}/{tool.target}"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: on_core(os.cpu_count() - 1))
    if done.returncode != 0:
        raise RuntimeError(f"{tool.contest['about']}: {done.stderr.strip() or done.stdout}")
    return tool.result(done.stdout)


def main():
    options = scripted.parser(__doc__)
    options.add_argument("--requests", type=int, help="of each measurement (default: as above)")
    options.add_argument("--seconds", type=float, default=0, help="the measured window, instead of a number of requests")
    asked = options.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    program = os.path.abspath(asked.program)

    def measure(contest, contender):
        tool = TOOLS[contest]
        requests = asked.requests or tool.requests
        with tempfile.TemporaryDirectory() as directory:
            os.chmod(directory, 0o755)  # nginx's worker is another user
            os.mkdir(os.path.join(directory, "root"))
            for name, content in FILES.items():
                with open(os.path.join(directory, "root", name), "wb") as file:
                    file.write(content)
            with served(program, contender, directory) as (port, server):
                if asked.warmup:
                    load(tool, port, requests, asked.warmup)
                before = cpu_seconds(server)
                items, seconds = load(tool, port, requests, asked.seconds)
                return {"items": items, "seconds": seconds, "cpu_seconds": cpu_seconds(server) - before}

    there = [tool for tool in TOOLS.values() if shutil.which(tool.command(0, 0)[0])]
    scripted.run(PROGRAM, [(tool.contest, list(CONTENDERS)) for tool in there], asked, measure)


if __name__ == "__main__":
    main()
