"""Two eddy-httpds, one with TLS, under a load of all kinds of clients, reloads and changing files; and the rules that
they have to keep meanwhile."""

import json
import multiprocessing
import os
import random
import re
import select
import signal
import subprocess
import threading
import time

import mixed_clients
import mixed_site
import program

SAMPLE_S = 0.5
REST_S = 30
MEMORY_GROWTH_MAX = 0.02
OPTIONS = ("--live", "/live", "--metrics", "/metrics", "--health", "/health", "--compress", "--listing",
           "--head-timeout", "2", "--write-timeout", "5", "--revalidate", "0.2")


class Watched:
    """One of the servers, and what is found out about it."""

    def __init__(self, site, backend, workers, tls_options):
        self.name = "https" if tls_options else "http"
        self.server = program.Server("eddy-httpd", "--root", site.root, "--backend", backend, *OPTIONS, *tls_options,
                                     workers=workers)
        self.target = mixed_clients.Target(self.server.port, bool(tls_options), site)
        self.samples = []  # (seconds since the start, resident bytes, descriptors)
        self.rested_bytes = []  # resident, at the end of each rest
        self.reloads = 0
        self.said = b""  # on standard error
        self.figures = {}
        self.faults = []

    def warm_up(self):
        """Asks until everything is open that stays open."""
        for _ in range(40):
            for path in ("/large.bin", "/metrics", *mixed_clients.SMALL_PATHS):
                self.target.ask(path, Range="bytes=0-9")
        for _ in range(5):
            mixed_clients.watch(self.target, random)
        self.quiet_descriptors = len(self.settled(lambda: self.read_figures()["eddy_http_connections"] == 1))

    def settled(self, is_enough):
        """Waits until it is enough; gives what is open then."""
        program.wait_until(is_enough, "it has settled", pause_s=0.05)
        time.sleep(0.2)  # the connection of the last question is being closed
        return self.server.open_names()

    def come_to_rest(self):
        """Waits until nobody else is there, no older file is known any more, and what was opened for a reader that went
        is closed; gives what is open then."""
        program.wait_until(lambda: self.read_figures()["eddy_http_connections"] == 1
                           and all(self.read_page("/changing.txt").startswith(b"At rest") for _ in range(20)),
                           "it is at rest", pause_s=0.05)
        return self.settled(lambda: self.server.descriptors() <= self.quiet_descriptors)

    def read_page(self, path):
        return self.target.ask(path)[2]

    def read_figures(self):
        text = self.read_page("/metrics")
        self.figures = {name: int(value) for name, value in re.findall(r"^(eddy\S+) (\d+)$", text.decode(), re.M)}
        return self.figures

    def sample(self, at_s):
        self.samples.append((at_s, self.server.resident_bytes(), self.server.descriptors()))

    def reload(self, certificates):
        """Fails if it is not said soon, or a certificate that has changed is not shown."""
        self.reloads += 1
        self.server.process.send_signal(signal.SIGHUP)
        errors = self.server.process.stderr.fileno()
        while self.said.count(b"\n") < self.reloads:
            is_readable, _, _ = select.select([errors], [], [], program.PATIENCE_S)
            more = os.read(errors, 4096) if is_readable else b""
            if not more:
                raise AssertionError(f"{self.reloads} reloads, and it said {self.said[:500]!r}")
            self.said += more

        def shows_the_newest():
            with self.target.connect() as client:
                return client.getpeercert(True) == certificates.newest()
        if self.target.is_secure:
            program.wait_until(shows_the_newest, "the new certificate is shown", pause_s=0)

    def drain(self, large):
        """Ends it while somebody waits, somebody watches and somebody reads."""
        with self.target.connect() as idle, self.target.connect() as watching, self.target.talk() as reading:
            idle.sendall(mixed_clients.head("/"))
            idle.recv(100)
            reader = mixed_clients.shake_hands(watching)
            reading.request("GET", "/large.bin")
            answer = reading.getresponse()
            self.server.process.send_signal(signal.SIGTERM)
            if answer.read() != large:
                self.faults.append("draining cut an answer off")
            while (opcode := mixed_clients.read_frame(reader)[0]) != 8:
                mixed_clients.expect(opcode == 1, "not text:", opcode)
            reader.close()
        out, errors = self.server.process.communicate(timeout=program.PATIENCE_S)
        if self.server.process.returncode != 0:
            self.faults.append(f"ended with {self.server.process.returncode}")
        errors = self.said.decode() + errors
        if errors.splitlines() != ["eddy-httpd: reloaded"] * self.reloads:
            self.faults.append(f"{self.reloads} reloads, and it said {errors[:500]!r}")
        if out:
            self.faults.append(f"wrote {out[:500]!r}")

    def growth(self):
        """Of memory, from the first rest to the last."""
        return self.rested_bytes[-1] / self.rested_bytes[0] - 1

    def refusals_5xx(self):
        return self.figures.get('eddy_http_responses_total{status="5xx"}', 0)


class Load:
    """eddy-load, again and again, each time with other options."""

    def __init__(self, watched, chance, calm):
        self.watched, self.chance, self.calm = watched, chance, calm
        self.answers = self.runs = 0
        self.over = threading.Event()
        self.thread = program.Watched(self.go_on)

    def go_on(self):
        while not self.over.is_set():
            if self.calm.is_set():
                self.over.wait(0.1)
            else:
                self.run_once()

    def run_once(self):
        chance, watched = self.chance, self.watched
        path, rates = chance.choice((("/", (500, 2000)), ("/changing.txt", (500, 2000)), ("/large.bin", (5, 20)),
                                     ("/notes/", (100, 500)), ("/missing", (100, 500))))
        arguments = ["-q", "-k", "--json", "-", "--timeout", "30", "-t", f"{chance.uniform(0.5, 4):.1f}",
                     "-c", str(chance.choice((1, 8, 64))), "--rate", str(chance.choice(rates)),
                     *chance.choice(((), ("--close",), ("-H", "Accept-Encoding: gzip, br")))]
        url = f"{watched.name}://127.0.0.1:{watched.server.port}{path}"
        running = subprocess.Popen([program.path("eddy-load"), url, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        if chance.randrange(5) == 0:  # gone without a word
            time.sleep(chance.random() / 2)
            running.kill()
            running.communicate()
            return
        out, errors = running.communicate(timeout=program.PATIENCE_S * 2)
        told = json.loads(out) if out else {}
        wanted = "404" if path == "/missing" else "200"
        if not out or told["failed"] or set(told["statuses"]) - {wanted}:
            watched.faults.append(f"eddy-load {' '.join(arguments)} {url}: "
                                  f"{told.get('errors')} {told.get('statuses')} {errors[:200]}")
        self.runs += 1
        self.answers += told.get("answers", 0)

    def end(self):
        self.over.set()
        self.thread.join(program.PATIENCE_S * 2)


def be_clients(targets, seed, calm, over, outcome):
    """In a process of its own."""
    program.raise_descriptor_limit()
    clients = mixed_clients.Clients(targets, seed, calm)
    over.wait()
    clients.end()
    outcome.put((clients.counts, clients.faults))


class MixedLoad:
    """Everything together. `run()` once; then there are `servers`, `counts`, `answers` and `broken_rules()`.

    Every `rest_s` seconds, which do not count themselves, all clients pause until the servers have given back what they
    need no more: what is still resident then is compared, since what a load needs while it runs differs from one moment
    to the next by much more than a leak would make."""

    def __init__(self, seconds, seed, backend="auto", workers=1, reload_s=15, rest_s=None,
                 tell=lambda load, at_s: None):
        self.seconds, self.seed, self.backend, self.workers = seconds, seed, backend, workers
        self.reload_s, self.rest_s, self.tell = reload_s, rest_s, tell
        self.calm = multiprocessing.Event()
        self.faults, self.servers = [], []

    def run(self):
        with mixed_site.MixedSite(self.seed) as site, mixed_site.Certificates() as certificates:
            self.servers = [Watched(site, self.backend, self.workers, []),
                            Watched(site, self.backend, self.workers, certificates.options())]
            with self.servers[0].server, self.servers[1].server:
                for watched in self.servers:
                    watched.warm_up()
                self.load(site, certificates)
                site.calm_down()
                for watched in self.servers:
                    watched.descriptors = watched.come_to_rest()
                    watched.drain(site.large)

    def load(self, site, certificates):
        over, outcome = multiprocessing.Event(), multiprocessing.Queue()
        targets = [each.target for each in self.servers]
        process = multiprocessing.Process(target=be_clients, daemon=True,
                                          args=(targets, self.seed, self.calm, over, outcome))
        process.start()
        loads = [Load(each, random.Random(f"{self.seed} {each.name}"), self.calm) for each in self.servers]
        self.watch(site, certificates)
        for each in loads:
            each.end()
        over.set()
        self.counts, faults = outcome.get(timeout=program.PATIENCE_S * 2)
        process.join()
        self.faults += faults
        self.counts["eddy-load"] = sum(each.runs for each in loads)
        self.answers = sum(each.answers for each in loads)

    def watch(self, site, certificates):
        start = time.monotonic()
        reload_at_s, rest_at_s = self.reload_s, self.rest_s or self.seconds + 1
        number = 0
        while (at_s := time.monotonic() - start) < self.seconds:
            for watched in self.servers:
                watched.sample(at_s)
            if number % 4 == 0:
                site.change()
            if at_s >= reload_at_s:
                reload_at_s += self.reload_s
                certificates.change()
                for watched in self.servers:
                    watched.reload(certificates)
            if at_s >= rest_at_s:
                rest_at_s += self.rest_s
                start += self.rest(site)
            self.tell(self, at_s)
            number += 1
            time.sleep(SAMPLE_S)
        if self.rest_s:
            self.rest(site)

    def rest(self, site):
        """Gives how long it took."""
        start = time.monotonic()
        self.calm.set()
        site.calm_down()
        for watched in self.servers:
            watched.come_to_rest()
        time.sleep(REST_S)
        for watched in self.servers:
            watched.rested_bytes.append(watched.server.resident_bytes())
        self.calm.clear()
        return time.monotonic() - start

    def broken_rules(self):
        broken = list(self.faults)
        for each in self.servers:
            broken += [f"{each.name}: {fault}" for fault in each.faults]
            if each.refusals_5xx():
                broken.append(f"{each.name}: {each.refusals_5xx()} answers of 5xx")
            if each.figures["eddy_http_handler_failures_total"]:
                broken.append(f"{each.name}: {each.figures['eddy_http_handler_failures_total']} handlers failed")
            if each.figures["eddy_http_connections"] != 1:
                broken.append(f"{each.name}: {each.figures['eddy_http_connections'] - 1} connections did not end")
            if len(each.descriptors) > each.quiet_descriptors:
                broken.append(f"{each.name}: {len(each.descriptors)} descriptors, {each.quiet_descriptors} when it "
                              f"was quiet: {' '.join(each.descriptors)}")
            if each.rested_bytes and each.growth() > MEMORY_GROWTH_MAX:
                broken.append(f"{each.name}: memory grew by {each.growth():.1%}")
        return broken
