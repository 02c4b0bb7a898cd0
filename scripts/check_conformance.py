#!/usr/bin/env python3
"""Runs suites of other projects, of which none is part of the tree: h2spec (HTTP/2, HPACK) against eddy-httpd, and Connect's
conformance suite (gRPC, gRPC-Web) against a server and a client that are built for it.

    scripts/check_conformance.py [--backend NAME]... [--jobs N]

Needs Go, which fetches and builds the suites into build/conformance, and the release build. Exits with 1 if a case fails
that KNOWN does not name, and if one that it names passes.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TREE, "tests/apps"))
import certificates  # noqa: E402
import go  # noqa: E402
import program  # noqa: E402

WORK = os.path.join(TREE, "build", "conformance")
RELEASE = os.path.join(TREE, "build", "release")
os.environ["PROGRAMS"] = os.path.join(RELEASE, "bin")
SUITE = "connectrpc.com/conformance"
SUITE_VERSION = "v1.0.7"
H2SPEC = "github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible"

# Cases of h2spec that fail, and why that is right.
KNOWN = {
    # RFC 9113 has dropped this rule of RFC 7540 with the priorities that it was for.
    "Sends PRIORITY frame that depend on itself": ("clear", "tls"),
    # The port speaks HTTP/1.1, too, and says in HTTP/1.1 what is wrong with what is no preface.
    "Sends invalid connection preface": ("clear",),
}

FEATURES = """features:
  versions: [{versions}]
  protocols: [{protocol}]
  codecs: [CODEC_PROTO, CODEC_JSON]
  compressions: [COMPRESSION_IDENTITY, COMPRESSION_GZIP]
  supportsTls: true
  supportsTlsClientCerts: {certificates}
  supportsMessageReceiveLimit: true
"""
GRPC = FEATURES.format(versions="HTTP_VERSION_2", protocol="PROTOCOL_GRPC", certificates="true")
GRPC_WEB = FEATURES.format(versions="HTTP_VERSION_1, HTTP_VERSION_2", protocol="PROTOCOL_GRPC_WEB", certificates="false")


def fail(text):
    sys.exit("conformance: " + text)


def run_go(*arguments):
    done = subprocess.run([go.installed() or fail("there is no Go"), *arguments], cwd=WORK, text=True, stdout=subprocess.PIPE,
                          env=os.environ | {"GOBIN": WORK, "GOFLAGS": "-mod=mod"})
    return done.stdout if done.returncode == 0 else fail("`go " + " ".join(arguments) + "` has failed")


def built(jobs):
    """Fetches the suites and builds what they test."""
    os.makedirs(WORK, exist_ok=True)
    run_go("install", f"{SUITE}/cmd/connectconformance@{SUITE_VERSION}")
    run_go("install", H2SPEC)
    protos = json.loads(run_go("mod", "download", "-json", f"{SUITE}@{SUITE_VERSION}"))["Dir"] + "/proto"
    subprocess.run(["cmake", "--preset", "release", f"-DEDDY_CONFORMANCE_PROTOS={protos}"], cwd=TREE, check=True)
    subprocess.run(["cmake", "--build", RELEASE, "-j", jobs, "--target", "conformance_server", "conformance_client",
                    "eddy-httpd"], check=True)


# -- calls --


def check_calls(backend):
    failed = False
    for mode, features in ("server", GRPC), ("server", GRPC_WEB), ("client", GRPC):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
            config.write(features)
            config.flush()
            name = re.search(r"PROTOCOL_(\w+)", features)[1] + " " + mode
            done = subprocess.run([os.path.join(WORK, "connectconformance"), "--mode", mode, "--conf", config.name, "--",
                                   os.path.join(RELEASE, f"tests/conformance_{mode}")],
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=os.environ | {"EDDY_BACKEND": backend}, timeout=600)
        summary = re.findall(r"^\d+ passed, \d+ failed.*$", done.stdout, re.MULTILINE)
        print(f"{name}, {backend}: {summary[-1] if summary else 'no summary'}", flush=True)
        if done.returncode != 0 or not summary:
            print(done.stdout[-8000:])
            failed = True
    return failed


# -- HTTP/2 --


def check_http2(backend):
    failed = False
    with tempfile.TemporaryDirectory() as directory, program.site() as site, certificates.self_signed() as (chain, key):
        for way, options, flags in ("clear", ["--h2c"], []), ("tls", ["--tls-cert", chain, "--tls-key", key], ["-t", "-k"]):
            report = os.path.join(directory, way + ".xml")
            with program.Server("eddy-httpd", "--root", site, "--backend", backend, *options) as server:
                subprocess.run([os.path.join(WORK, "h2spec"), "-h", "127.0.0.1", "-p", str(server.port), "-o", "5", "-j", report, *flags],
                               stdout=subprocess.DEVNULL, timeout=600)
            cases = xml.etree.ElementTree.parse(report).findall(".//testcase")
            seen = {case.get("classname") for case in cases if case.find("failure") is not None or case.find("error") is not None}
            known = {name for name, ways in KNOWN.items() if way in ways}
            print(f"h2spec, {way}, {backend}: {len(cases)} cases, {len(seen)} failed, {len(known)} of them known", flush=True)
            if not cases or seen != known:
                print("\n".join(f"    {name}" for name in sorted(seen ^ known)))
                failed = True
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", action="append", help="io_uring or epoll; both by default")
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    arguments = parser.parse_args()
    built(arguments.jobs)
    failed = False
    for backend in arguments.backend or ["io_uring", "epoll"]:
        failed |= check_http2(backend)
        failed |= check_calls(backend)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
