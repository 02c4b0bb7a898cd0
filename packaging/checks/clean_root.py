"""Clean systems of Debian, as directories that programs run in by chroot(8)."""

import os
import shutil
import subprocess
from pathlib import Path

RELEASE = "bookworm"


def mirrors():
    """Where this machine gets Debian from: lines of sources.list."""
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages"],
                            capture_output=True, text=True, check=True).stdout
    wanted = {RELEASE, f"{RELEASE}-updates", f"{RELEASE}-security"}
    found = sorted({tuple(line.split()) for line in listed.splitlines() if len(line.split()) == 3}, key=lambda each: each[1])
    return [each for each in found if each[1] in wanted and each[2] == "main"]


class CleanRoot:
    """A system that is deleted with the object's `with` block, unless it is kept."""

    def __init__(self, base, path, is_kept=False):
        self.path, self.is_kept = Path(path), is_kept
        if not (self.path / "etc").exists():
            subprocess.run(["cp", "-a", "--reflink=auto", base, self.path], check=True)
        for name in ("/etc/resolv.conf", "/etc/hosts"):
            if os.path.exists(name):
                shutil.copyfile(name, self.path / name.lstrip("/"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.is_kept:
            shutil.rmtree(self.path)

    def run(self, command, cwd="/", **environment):
        """A line of bash in it; returns what it has printed, with /proc of this machine and its network."""
        script = 'mount --bind /proc "$1/proc" && exec chroot "$1" /bin/bash -euo pipefail -c "cd $2; $3"'
        done = subprocess.run(["unshare", "--mount", "/bin/bash", "-c", script, "-", self.path, cwd, command],
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "TERM": "dumb",
                                   "DEBIAN_FRONTEND": "noninteractive",
                                   **{name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")},
                                   **environment},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"packages: in the clean root failed ({done.returncode}): {command}\n{done.stdout[-5000:]}\n{done.stderr[-5000:]}")
        return done.stdout

    def install(self, *packages):
        self.run("apt-get -q -y --no-install-recommends install " + " ".join(packages))

    def copy_in(self, source, target):
        to = self.path / target.lstrip("/")
        shutil.rmtree(to, ignore_errors=True)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, to) if Path(source).is_dir() else shutil.copy(source, to)


def make_base(path):
    """A minimal system, made once."""
    if (path / "made").exists():
        return path / "root"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    known = mirrors()
    main = next(site for site, release, _ in known if release == RELEASE)
    subprocess.run(["debootstrap", "--variant=minbase", RELEASE, path / "root", main], check=True, stdout=subprocess.DEVNULL)
    lines = [f"deb {site} {release} main" for site, release, _ in known]
    (path / "root/etc/apt/sources.list").write_text("\n".join(lines) + "\n")
    with CleanRoot(None, path / "root", is_kept=True) as root:
        root.run("apt-get -q update")
    (path / "made").touch()
    return path / "root"
