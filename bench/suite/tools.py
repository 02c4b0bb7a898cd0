"""What other programs measure: hey and ab ask eddy-httpd and nginx, as in other projects' figures, h2load asks servers of
HTTP/2 in clear; eddy-pipeline loads itself.

hey, ab and h2load need more of a processor for a request than the servers, or nearly so, so compare CPU: requests a second say
how fast they are.
"""

import contextlib
import functools
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

from . import processes, servers
from .benchmark import Benchmark

_DEMO = Path(__file__).resolve().parents[2] / "apps" / "pipeline"
_FILES = {"hello": b"Hello World\n", "file": b"x" * 1024}
# What is uploaded, and where to: a handler that answers with the length, or a file with it.
_UPLOAD, _COUNT = b"x" * 65536, "count"
_EDDY = ("eddy", "eddy_epoll")
# Those of Debian's packages, and programs of bench/peers.
_HTTP2 = {"h2o": "/usr/bin/h2o", "nghttpd": "/usr/sbin/nghttpd", "nginx": "/usr/sbin/nginx", "hyper": "eddy-bench-http-hyper",
          "go": "eddy-bench-http-go"}
_UPLOADS = ("nghttpd", "hyper", "go")  # h2o and nginx refuse them


def benchmarks(folder):
    found = []
    http2 = [name for name, path in _HTTP2.items() if (folder / path).exists()]
    if (folder / "eddy-httpd").exists():
        found += [_tool("hey/5000", "hey -n 1000000 -c 5000, a file of 1 KiB", "file", hey, 6),
                  _tool("ab/25", "ab -n 500000 -c 25 -k, a file of 12 bytes", "hello", ab, 2)]
        found += [_tool(f"h2load/{target}/{connections}x{streams}",
                        f"h2load -c {connections} -m {streams}, a file of {len(_FILES[target])} bytes, HTTP/2 in clear", target,
                        functools.partial(h2load, connections, streams), 1,
                        (*_EDDY, *http2))
                  for target in _FILES for connections in (1, 25) for streams in (1, 10, 100)]
    if (folder / "eddy-bench-http-eddy").exists():
        found += [_tool(f"h2load/upload/{connections}x{streams}",
                        f"h2load -c {connections} -m {streams} -d, bodies of 64 KiB, of which the length is kept, HTTP/2 in clear", _COUNT,
                        functools.partial(h2load, connections, streams), 1,
                        (*_EDDY, *(name for name in http2 if name in _UPLOADS)))
                  for connections in (1, 25) for streams in (1, 10, 100)]
    if (folder / "eddy-pipeline").exists():
        found.append(Benchmark(
            "eddy-bench-pipeline", "pipeline", "pipeline",
            "a request is answered after waiting 1 ms for another service: not at all, blocking in a pool of threads, by callbacks, "
            "by coroutines", "request", ("throughput",), ("none", "blocking", "callback", "coroutine"), _pipeline, beside_s=0.4))
    return [each for each in found if each.family == "pipeline" or shutil.which(each.family)]


def _tool(name, about, target, tool, window_part, subjects=(*_EDDY, "nginx")):
    """hey makes its 5,000 connections within its window, and ab counts whole seconds: their windows are longer."""
    return Benchmark("eddy-bench-tools", name.partition("/")[0], name, about, "request", ("cpu",), subjects,
                     functools.partial(_measure, tool, target), window_part=window_part, beside_s=0.5)


def hey(seconds, requests):
    limit = ["-n", str(requests)] if requests else ["-z", f"{seconds}s"]
    return ["hey", "-c", "5000", *limit]


def ab(seconds, requests):
    return ["ab", "-q", "-c", "25", "-k", *(["-n", str(requests)] if requests else ["-t", str(max(1, round(seconds))), "-n", "50000000"])]


def h2load(connections, streams, seconds, requests):
    # With fewer requests than connections it would open fewer.
    limit = ["-n", str(max(requests, connections))] if requests else ["-D", str(max(1, round(seconds)))]
    return ["h2load", "-c", str(connections), "-m", str(streams), *limit]


def answered_by_hey(text):
    """Requests that were answered, and how long that took."""
    found = re.findall(r"\[(\d+)\]\s+(\d+) responses", text)
    if "Error distribution" in text or [status for status, _ in found] != ["200"]:
        raise processes.Failed(f"hey: not all was answered well: {text}")
    return int(found[0][1]), float(re.search(r"Total:\s+([\d.]+) secs", text)[1])


def answered_by_ab(text):
    if not re.search(r"Failed requests:\s+0$", text, re.MULTILINE) or "Non-2xx" in text:
        raise processes.Failed(f"ab: not all was answered well: {text}")
    return (int(re.search(r"Complete requests:\s+(\d+)", text)[1]),
            float(re.search(r"Time taken for tests:\s+([\d.]+) seconds", text)[1]))


def answered_by_h2load(text):
    found = re.search(r"finished in ([\d.]+)(m?s), .*?(\d+) done, (\d+) succeeded, 0 failed, 0 errored, 0 timeout", text, re.DOTALL)
    if not found or found[3] != found[4] or found[4] == "0":
        raise processes.Failed(f"h2load: not all was answered well: {text}")
    return int(found[4]), float(found[1]) / (1000 if found[2] == "ms" else 1)


_ANSWERED = {"hey": answered_by_hey, "ab": answered_by_ab, "h2load": answered_by_h2load}


def _server(subject, speaks_http2, target, place):
    if subject == "nginx":
        return servers.nginx(place, speaks_http2=speaks_http2)
    if subject == "nghttpd":
        return [_HTTP2[subject], "--no-tls", "-n", "1", "-a", "127.0.0.1", "-d", place.root, place.port]
    if subject == "h2o":
        return servers.h2o(place)
    if subject == "hyper":
        return [place.programs / _HTTP2[subject], "--port", place.port, "--protocol", "http2"]
    if subject == "go":
        return [place.programs / _HTTP2[subject], "--port", place.port, "--root", place.root]
    program = ["eddy-bench-http-eddy"] if target == _COUNT else ["eddy-httpd", "--root", place.root]
    return [place.programs / program[0], *program[1:], "--port", place.port, "--workers", "1", "--backend",
            "epoll" if subject == "eddy_epoll" else "io_uring", *(["--h2c"] if speaks_http2 else [])]


def _measure(tool, target, session, subject, seconds, warmup):
    place = SimpleNamespace(programs=session.programs, directory=session.directory, root=session.once(_root),
                            port=processes.free_port(), threads=1)
    name = tool(1, 0)[0]
    command = _server(subject, name == "h2load", target, place)
    body = ["-d", place.root / "upload"] if target == _COUNT else []

    def load(window_s, requests=0):
        words = tool(window_s, requests)
        said = processes.run([shutil.which(name), *words[1:], *body, f"http://127.0.0.1:{place.port}/{target}"], session.cores[-1:],
                             600 if requests else 60 + 3 * window_s, tick=session.tick)
        return _ANSWERED[name](said)

    with processes.serving(command, place.port, b"GET /hello HTTP/1.0\r\n\r\n", session.directory / "server.log",
                           session.cores[:1]) as server:
        if warmup:
            load(warmup)
        before = processes.cpu_seconds(server.pid)
        items, seconds = load(seconds, session.requests_each)
        return {"items": items, "seconds": seconds, "cpu_seconds": processes.cpu_seconds(server.pid) - before}


@contextlib.contextmanager
def _root(session):
    root = session.directory / "tools"
    root.mkdir()
    root.chmod(0o755)
    for name, content in {**_FILES, "upload": _UPLOAD, _COUNT: str(len(_UPLOAD)).encode()}.items():
        (root / name).write_bytes(content)
    yield root


# -- eddy-pipeline, with what its own demonstration runs --

def _pipeline(session, mode, seconds, warmup):
    demo, started, upstream, defaults = session.once(_upstream)
    result = demo.measure(started, mode, upstream.port, SimpleNamespace(**defaults, seconds=seconds, warmup=warmup))
    session.tick()
    return sample_of(mode, result)


def sample_of(mode, result):
    """What the demonstration has found."""
    if result["errors"] or not result["requests"]:
        raise processes.Failed(f"{mode}: {result['requests']} requests, {result['errors']} errors")
    return {"items": result["requests"], "seconds": result["seconds"],
            "cpu_seconds": result["server_cpu_us_per_request"] * result["requests"] / 1e6,
            "times_ns": {name: result[key] * 1e3 for name, key in
                         (("p50", "p50_us"), ("p90", "p90_us"), ("p99", "p99_us"), ("p99.9", "p999_us"))}}


@contextlib.contextmanager
def _upstream(session):
    """The service that all modes wait for."""
    sys.path.insert(0, str(_DEMO))
    import argparse

    import demo
    parser = argparse.ArgumentParser()
    demo.add_load_options(parser)
    defaults = vars(parser.parse_args([]))
    with demo.Processes(str(session.programs / "eddy-pipeline"), demo.Interrupts()) as started:
        yield demo, started, started.serve("upstream", "--port", "0", "--latency-us", str(defaults["latency_us"])), defaults
