"""Servers beside each other: the scenarios, the peers, and how one of them is measured.

A server runs on one core and eddy-bench-load on another; where the server may have several threads, both share all cores.
"""

import contextlib
import functools
import json
import random
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from . import processes
from .benchmark import Benchmark

_HELLO = b"GET /hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_NO_TLS = b"No TLS, but something to answer.\r\n\r\n"
_VERSION = b"version\r\n"


@dataclass(frozen=True)
class Service:
    """What a server must be able to do: how the load asks for it, and what it answers with a byte or by ending the
    connection. `file`: what a GET gets; the others send messages, bodies or values of the payload's size."""
    mode: str
    path: str = "/"
    file: str = ""
    first_request: bytes = _HELLO
    text: str = "{size}"


SERVICES = {
    "echo": Service("echo", first_request=b"?"),
    "http_small": Service("http", "/hello", "hello"),
    "http_file": Service("http", "/1k.bin", "1k.bin"),
    "http_big_file": Service("http", "/1m.bin", "1m.bin"),  # best handed over without looking at it
    "http_tls": Service("https", "/1k.bin", "1k.bin", _NO_TLS),
    "handshake_ecdsa": Service("handshake", first_request=_NO_TLS, text="ECDSA P-{bits}"),
    "handshake_rsa": Service("handshake", first_request=_NO_TLS, text="RSA-{bits}"),
    "http_post": Service("post", "/length",
                         first_request=b"POST /length HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n?"),
    "ws_echo": Service("websocket", "/echo"),
    "memcached_get": Service("memcached_get", first_request=_VERSION, text="get {size}"),
    "memcached_set": Service("memcached_set", first_request=_VERSION, text="set {size}"),
    "memcached_pipelined": Service("memcached_pipelined", first_request=_VERSION, text="32 gets {size}"),
    "memcached_pairs": Service("memcached_pairs", first_request=_VERSION, text="set+get {size}"),
}
MEMCACHED = tuple(name for name in SERVICES if name.startswith("memcached"))
TLS = ("http_tls", "handshake_ecdsa", "handshake_rsa")
FILES = ("http_small", "http_file", "http_big_file")  # what servers of files have


@dataclass(frozen=True)
class Scenario:
    name: str
    about: str
    payloads: tuple  # pairs of a service and a size in bytes, of handshakes the bits of the certificate's key
    connections: tuple
    threads: tuple = ()  # of the server, where it may have several
    window_part: float = 1  # so many connections need a while for one turn each


SCENARIOS = (
    Scenario("echo", "each connection sends a message and waits for the same bytes",
             (("echo", 128), ("echo", 1024), ("echo", 16384)), (1, 10, 50, 100)),
    Scenario("echo_many", "the same on many connections, as rust_echo_bench is run elsewhere",
             (("echo", 512),), (50, 300, 1000), window_part=2),
    Scenario("echo_threads", "the same, by servers with several threads that share their cores with the load",
             (("echo", 128),), (100,), (1, 2, 4)),
    Scenario("http_small", "GET on kept connections: 13 bytes from memory, found by a router",
             (("http_small", 13),), (1, 4, 16, 25, 32, 256)),
    Scenario("http_threads", "the same, by servers with several threads that share their cores with the load",
             (("http_small", 13),), (32,), (1, 2, 4, 8, 16)),
    Scenario("http_file", "GET on kept connections: a file of 1 KiB, one of 1 MiB",
             (("http_file", 1024), ("http_big_file", 1 << 20)), (1, 32, 256)),
    Scenario("http_many", "GET on very many kept connections: a file of 1 KiB", (("http_file", 1024),), (5000,), window_part=3),
    Scenario("http_tls", "GET on kept connections over TLS 1.3: a file of 1 KiB", (("http_tls", 1024),), (1, 32, 256)),
    Scenario("tls_handshakes", "full TLS 1.3 handshakes, each on a connection of its own that is then closed",
             (("handshake_ecdsa", 256), ("handshake_rsa", 2048)), (32,)),
    Scenario("http_post", "POST on kept connections: a body that is read whole and answered with its length",
             (("http_post", 1024), ("http_post", 65536)), (1, 32, 256)),
    Scenario("ws_echo", "each WebSocket sends a message and waits for the same bytes",
             (("ws_echo", 64), ("ws_echo", 16384)), (1, 100)),
    Scenario("memcached", "memcached's text protocol, values of 100 bytes: gets, sets, and gets 32 at once",
             (("memcached_get", 100), ("memcached_set", 100), ("memcached_pipelined", 100)), (1, 50)),
    Scenario("memcached_threads", "the same gets, by servers with several threads that share their cores with the load",
             (("memcached_get", 100),), (50,), (1, 2, 4)),
    Scenario("memcached_pairs", "memcached's text protocol, values of 100 bytes: each client sets a key and gets it",
             (("memcached_pairs", 100),), (1, 2, 3, 4)),
)


@dataclass(frozen=True)
class Peer:
    name: str
    commands: dict[str, Callable]  # by service: the words that start its server at a place
    threads: str = "one"           # it takes part where servers have "one", where they may have "several", or in "any"
    needs: str = ""                # what it is built with, which need not be there: then the peer is left out


def _program(name, *more, root=False, threads="", certificate=""):
    """A program of the build. `threads`: the option that tells how many to have."""
    def command(place):
        words = [place.programs / name, "--port", place.port, *more]
        if root:
            words += ["--root", place.root]
        if certificate:
            words += ["--tls-cert", place.directory / f"{certificate}.pem", "--tls-key", place.directory / f"{certificate}.key"]
        return words + ([threads, place.threads] if threads else [])
    return command


def _own(peer, **services):
    """Programs eddy-bench-PROGRAM-PEER, by service."""
    return {service: _program(f"eddy-bench-{program}-{peer}") for service, program in services.items()}


def _unparsed(name, threads=""):
    """A peer whose HTTP is no HTTP, but knows a file."""
    http = _program(f"eddy-bench-http-{name}", root=True, threads=threads)
    return Peer(name, {"echo": _program(f"eddy-bench-echo-{name}", threads=threads), "http_small": http, "http_file": http},
                "any" if threads else "one")


def _threaded(name, programs, threads="any", needs=""):
    def with_threads(command):
        return lambda place: [*command(place), "--threads", place.threads]
    return Peer(name, {service: with_threads(command) for service, command in programs.items()}, threads, needs)


def _eddy(name, backend):
    """The programs that users get, but for handlers and TLS without tickets, which a program of the benchmark has."""
    program = functools.partial(_program, threads="--workers")
    on = ("--backend", backend)
    handlers = program("eddy-bench-http-eddy", *on)
    files = program("eddy-httpd", *on, root=True)
    secured = {certificate: _program("eddy-bench-http-eddy", *on, root=True, certificate=certificate)
               for certificate in ("ecdsa", "rsa")}
    memcached = program("eddy-memcached", *on)
    return Peer(name, {"echo": program("eddy-echo", *on), "http_small": handlers, "http_post": handlers,
                       "http_tls": secured["ecdsa"], "handshake_ecdsa": secured["ecdsa"], "handshake_rsa": secured["rsa"],
                       "ws_echo": _program("eddy-bench-websocket-eddy", *on), "http_file": files, "http_big_file": files,
                       **dict.fromkeys(MEMCACHED, memcached)}, "any")


def _eddy_bare(name, backend):
    http = _program("eddy-bench-http-eddy_bare", "--backend", backend, root=True, threads="--workers")
    return Peer(name, {"http_small": http, "http_file": http}, "any")


def _memcached(place):
    # Without -u it does not run as root; for others that says nothing.
    return ["/usr/bin/memcached", "-l", "127.0.0.1", "-p", place.port, "-t", place.threads, "-m", "64", "-c", "1024", "-u", "nobody"]


_NGINX = """daemon off; worker_processes {threads}; pid {directory}/nginx.pid; error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
    access_log off; sendfile {sendfile}; tcp_nopush {sendfile}; keepalive_requests 1000000000; keepalive_timeout 1h;
    default_type application/octet-stream; {cache}
    client_body_temp_path {directory}/body; proxy_temp_path {directory}/proxy; fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi; scgi_temp_path {directory}/scgi;
    server {{
        listen 127.0.0.1:{port}{listen} backlog=4096; {certificate}
        root {root};
        location = /hello {{ default_type text/plain; return 200 "Hello, World!"; }}
    }}
}}
"""
_OPEN_FILE_CACHE = "open_file_cache max=1000 inactive=60s; open_file_cache_valid 60s;"


def nginx(place, service="http_file", caches_open_files=True, speaks_http2=False):
    """Writes a configuration for this service and gives the command. bench/README.md says why each setting is as it is."""
    certificate, listen = "", (" reuseport" if place.threads > 1 else "") + (" http2" if speaks_http2 else "")
    if service in TLS:
        pair = place.directory / ("rsa" if service == "handshake_rsa" else "ecdsa")
        certificate = (f"ssl_certificate {pair}.pem; ssl_certificate_key {pair}.key; ssl_protocols TLSv1.3; "
                       "ssl_session_cache off; ssl_session_tickets off;")
        listen = " ssl" + listen
    file = place.directory / "nginx.conf"
    file.write_text(_NGINX.format(
        directory=place.directory, threads=place.threads, port=place.port, root=place.root, listen=listen, certificate=certificate,
        sendfile="on" if service == "http_big_file" else "off", cache=_OPEN_FILE_CACHE if caches_open_files else ""),
        encoding="utf-8")
    return ["/usr/sbin/nginx", "-e", "stderr", "-c", file]


def _nginx(name, caches_open_files):
    return Peer(name, {service: functools.partial(nginx, service=service, caches_open_files=caches_open_files)
                       for service in (*FILES, *TLS)}, "any")


_H2O = """listen: {{host: 127.0.0.1, port: {port}{certificate}}}
num-threads: {threads}
ssl-session-resumption: {{mode: "off"}}
hosts: {{default: {{paths: {{"/": {{file.dir: "{root}"}}}}}}}}
"""


def h2o(place, service="http_file"):
    """As nginx()."""
    certificate = ""
    if service in TLS:
        pair = place.directory / "ecdsa"
        certificate = f", ssl: {{certificate-file: {pair}.pem, key-file: {pair}.key, ocsp-update-interval: 0}}"
    file = place.directory / "h2o.conf"
    file.write_text(_H2O.format(port=place.port, threads=place.threads, root=place.root, certificate=certificate), encoding="utf-8")
    return ["/usr/bin/h2o", "-c", file]


_HTTP_GO = _program("eddy-bench-http-go", root=True)
_HYPER, _TOKIO = _own("hyper", http_small="http", http_post="http"), _own("tokio", echo="echo")
PEERS = (
    _unparsed("raw_io_uring"),
    _unparsed("raw_epoll"),
    _unparsed("asio_callbacks", "--threads"),
    _unparsed("asio_coroutines", "--threads"),
    _unparsed("libuv"),
    Peer("tokio", _TOKIO, needs="cargo"),
    _threaded("tokio_threads", _TOKIO, "several", "cargo"),
    _threaded("monoio", _own("monoio", echo="echo"), needs="cargo"),
    Peer("std_threads", _own("std_threads", echo="echo"), "any"),
    _threaded("go", {**_own("go", echo="echo", http_small="http", http_post="http"), "http_file": _HTTP_GO,
                     "http_big_file": _HTTP_GO}, needs="go"),
    _threaded("beast", _own("beast", http_small="http", http_post="http", ws_echo="websocket")),
    Peer("hyper", _HYPER, needs="cargo"),
    _threaded("hyper_threads", _HYPER, "several", "cargo"),
    _threaded("ntex", _own("ntex", http_small="http", http_post="http"), needs="cargo"),
    _threaded("may_minihttp", _own("may_minihttp", http_small="http", http_post="http"), needs="cargo"),
    _threaded("fastwebsockets", _own("fastwebsockets", ws_echo="websocket"), needs="cargo"),
    _eddy_bare("eddy_bare", "io_uring"),
    _eddy_bare("eddy_bare_epoll", "epoll"),
    _eddy("eddy", "io_uring"),
    _eddy("eddy_epoll", "epoll"),
    Peer("memcached", dict.fromkeys(MEMCACHED, _memcached), "any", "the Debian package memcached"),
    Peer("h2o", {service: functools.partial(h2o, service=service) for service in (*FILES, "http_tls")}, "any", "the Debian package h2o"),
    _nginx("nginx", caches_open_files=False),
    _nginx("nginx_ofc", caches_open_files=True),
)


def benchmarks(programs):
    """Payloads times connections times threads of every scenario, with the peers that are there."""
    with tempfile.TemporaryDirectory() as written:  # configurations of peers that are only looked for
        place = SimpleNamespace(programs=programs, directory=Path(written), root=Path(), port=1, threads=1)
        there = [peer for peer in PEERS if not peer.needs or all(Path(each(place)[0]).exists() for each in peer.commands.values())]
    return [_benchmark(scenario, service, size, connections, threads, there)
            for scenario in SCENARIOS for service, size in scenario.payloads for connections in scenario.connections
            for threads in scenario.threads or (None,)]


def _benchmark(scenario, service, size, connections, threads, peers):
    payload = SERVICES[service].text.format(size=_size(size), bits=size)
    dimensions = {"scenario": scenario.name, "payload": payload, "connections": connections}
    if threads:
        dimensions["threads"] = threads
    takes_part = ("any", "several" if threads else "one")
    commands = {peer.name: peer.commands[service] for peer in peers if peer.threads in takes_part and service in peer.commands}
    counts = [_counted(dimensions[each], each) for each in ("connections", "threads") if each in dimensions]
    return Benchmark("eddy-bench", f"{scenario.name}, {payload}", ", ".join([scenario.name, payload, *counts]), scenario.about,
                     "request", ("throughput", "cpu"), tuple(commands),
                     functools.partial(measure, service, size, connections, threads, commands), dimensions,
                     window_part=scenario.window_part, warmup_part=0.25, beside_s=0.2)


def _size(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def _counted(number, what):
    return f"{number:,} {what[:-1] if number == 1 else what}"


def measure(service, size, connections, threads, commands, session, peer, seconds, warmup):
    """One sample of one peer: starts the server, loads it, ends it."""
    place = SimpleNamespace(programs=session.programs, directory=session.directory, root=session.once(files),
                            port=processes.free_port(), threads=threads or 1)
    if service in TLS:
        session.once(certificates)
    server_cores, load_cores = (session.cores, session.cores) if threads else (session.cores[:1], session.cores[-1:])
    asked = SERVICES[service]
    with processes.serving([*session.server_prefix, *commands[peer](place)], place.port, asked.first_request,
                           session.directory / "server.log", server_cores) as server:
        command = [session.programs / "eddy-bench-load", "--mode", asked.mode, "--port", place.port, "--path", asked.path,
                   "--connections", connections, "--seconds", seconds, "--warmup", warmup,
                   "--cpu-of", ",".join(map(str, processes.family(server.pid)))]
        command += ["--expect-body", place.root / asked.file] if asked.file else []
        command += ["--size", size] if not asked.file and asked.mode != "handshake" else []
        command += ["--requests", session.requests_each] if session.requests_each else []
        return json.loads(processes.run(command, load_cores, seconds + warmup + (100 if session.requests_each else 10),
                                        tick=session.tick))


@contextlib.contextmanager
def files(session):
    """The folder of what the http scenarios ask for."""
    root = session.directory / "root"
    root.mkdir()
    root.chmod(0o755)
    (root / "hello").write_bytes(b"Hello, World!")
    draw = random.Random(1)
    for name, size in (("1k.bin", 1024), ("1m.bin", 1 << 20)):
        (root / name).write_bytes(draw.randbytes(size))
    yield root


@contextlib.contextmanager
def certificates(session):
    """Signed by themselves, with keys on P-256 and of RSA-2048."""
    for name, kind in (("ecdsa", ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")), ("rsa", ("rsa:2048",))):
        made = subprocess.run(
            ["openssl", "req", "-x509", "-nodes", "-newkey", *kind, "-keyout", session.directory / f"{name}.key", "-out",
             session.directory / f"{name}.pem", "-days", "30", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=False, capture_output=True, text=True)
        if made.returncode != 0:
            raise processes.Failed(f"openssl made no certificate: {made.stderr}")
    yield
