"""Certificates for servers that are tested, made with the openssl command."""

import contextlib
import os
import shutil
import subprocess
import tempfile


@contextlib.contextmanager
def self_signed():
    """A certificate of localhost's and its key on P-256: the paths of both."""
    directory = tempfile.mkdtemp(prefix="eddy-certificate-")
    try:
        chain, key = os.path.join(directory, "chain.pem"), os.path.join(directory, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                        "-keyout", key, "-out", chain, "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        yield chain, key
    finally:
        shutil.rmtree(directory, ignore_errors=True)
