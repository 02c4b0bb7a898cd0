"""What eddy-httpd serves under mixed load: a directory with files of all kinds, and certificates that change."""

import os
import random
import shutil
import subprocess
import tempfile

import certificates

LARGE_BYTES = 8 << 20
PAGE = b"<!doctype html><title>page</title>\n" + b"<p>The same words again and again.</p>\n" * 800
LONG_AGO = (1_600_000_000, 1_600_000_000)  # what changed just now has no strong entity tag yet
NOTES = [f"note{number}.txt" for number in range(20)]


class MixedSite:
    """A directory in which one file is replaced by another now and then; until the end of the `with` block."""

    def __init__(self, seed):
        self.root = tempfile.mkdtemp(prefix="eddy-mixed-")
        self.large = random.Random(seed).randbytes(LARGE_BYTES)
        self.put("index.html", PAGE)
        self.put("large.bin", self.large)
        os.mkdir(os.path.join(self.root, "notes"))
        for name in NOTES:
            self.put(os.path.join("notes", name), name.encode() * 10)
        self.calm_down()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def put(self, name, content, times=LONG_AGO):
        """The file is replaced as a whole, so that no request sees a part of it."""
        path = os.path.join(self.root, name)
        with open(path + ".new", "wb") as file:
            file.write(content)
        os.utime(path + ".new", times)
        os.rename(path + ".new", path)

    def change(self):
        """Another changing.txt: one word from its beginning to its end, small enough for the server's memory or not."""
        self.put("changing.txt", random.randbytes(4).hex().encode() * random.randrange(100, 20_000), times=None)

    def calm_down(self):
        """From now on changing.txt is small."""
        self.put("changing.txt", b"At rest." * 10)


class Certificates:
    """A certificate of localhost's with its key in one file, and another one after each change()."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="eddy-certificate-")
        self.path = os.path.join(self.directory, "both.pem")
        self.change()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.directory, ignore_errors=True)

    def change(self):
        with open(self.path + ".new", "wb") as both:
            for part in certificates.make(self.directory):
                with open(part, "rb") as file:
                    both.write(file.read())
        os.rename(self.path + ".new", self.path)  # at once, so that the key always belongs to the certificate

    def options(self):
        return ["--tls-cert", self.path, "--tls-key", self.path]

    def newest(self):
        """In the form in which a client sees it."""
        return subprocess.run(["openssl", "x509", "-in", self.path, "-outform", "DER"], check=True,
                              capture_output=True).stdout
