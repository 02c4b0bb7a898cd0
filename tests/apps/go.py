"""Programs in Go, where it is installed."""

import os
import shutil
import subprocess


def installed():
    return shutil.which("go", path=os.environ["PATH"] + ":/usr/local/go/bin")


def build(source, directory):
    """The path of a program made of a source text, in that directory."""
    file, built = os.path.join(directory, "program.go"), os.path.join(directory, "program")
    with open(file, "w") as text:
        text.write(source)
    env = {**os.environ, "GO111MODULE": "off"}
    if not os.access(os.environ.get("HOME", ""), os.W_OK):  # users of services have no home for its cache
        env["GOCACHE"] = os.path.join(directory, "cache")
    subprocess.run([installed(), "build", "-o", built, file], cwd=directory, check=True, env=env)
    return built
