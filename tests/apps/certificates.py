"""Certificates for servers that are tested, made with the openssl command."""

import contextlib
import os
import subprocess
import tempfile


def make(directory, name="localhost"):
    """A certificate of a name's, signed by itself, and its key on P-256: the paths of both. One of that name is replaced."""
    chain, key = os.path.join(directory, name + ".pem"), os.path.join(directory, name + ".key")
    subprocess.run(["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-keyout", key, "-out", chain, "-days", "2", "-subj", f"/CN={name}", "-addext",
                    f"subjectAltName=DNS:{name},IP:127.0.0.1"], check=True, capture_output=True)
    return chain, key


@contextlib.contextmanager
def self_signed():
    """One of localhost's, until the end of the `with` block."""
    with tempfile.TemporaryDirectory(prefix="eddy-certificate-") as directory:
        yield make(directory)
