"""The release, run dry on a copy of this tree."""

import datetime
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import abi
import release

ROOT = Path(__file__).resolve().parents[2]
TODAY = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.root = Path(cls.directory.name) / "eddy"
        cls.root.mkdir()
        # As it is now, whether that is committed or not.
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, check=True).stdout
        there = b"\0".join(name for name in listed.split(b"\0") if name and (ROOT / name.decode()).exists())
        packed = subprocess.run(["tar", "-C", ROOT, "-c", "--no-recursion", "--null", "-T", "-"], input=there, capture_output=True, check=True)
        subprocess.run(["tar", "-C", cls.root, "-x"], input=packed.stdout, check=True)
        changelog = cls.root / "CHANGELOG.md"
        changelog.write_text(changelog.read_text().replace("## [Unreleased]\n", "## [Unreleased]\n\n- a line\n", 1))
        for command in (["init", "--quiet"], ["config", "user.name", "a"], ["config", "user.email", "a@localhost"],
                        ["config", "gc.auto", "0"], ["add", "--all"], ["commit", "--quiet", "-m", "all"]):
            release.git(cls.root, *command)
        cls.current = abi.version_of_tree(cls.root)

    def next(self, at):
        numbers = list(release.numbers(self.current))
        numbers[at] += 1
        return ".".join(map(str, [*numbers[:at + 1], 0, 0][:3]))

    def run_dry(self, version):
        return subprocess.run([ROOT / "scripts/release.py", version, "--dry-run", "--root", self.root], capture_output=True, text=True, check=False)

    def test_a_dry_run_of_a_new_series_renames_packages_and_changes_nothing(self):
        version = self.next(1)
        done = self.run_dry(version)
        self.assertEqual(done.returncode, 0, done.stderr)
        series = abi.series(version)
        for expected in (f"+project(eddy VERSION {version}", f"## [{version}] - ", f"rename to debian/libeddy{series}.install",
                         f"rename to debian/libeddy-http2-{series}.install", f"+Package: libeddy-http2-{series}",
                         f"+eddy ({version}) bookworm", f"eddy-{version}.tar.gz", f"eddy-{version}.spdx.json"):
            self.assertIn(expected, done.stdout)
        self.assertEqual(release.git(self.root, "status", "--porcelain"), "")
        self.assertEqual(abi.version_of_tree(self.root), self.current)

    def test_a_release_within_the_series_keeps_the_names_of_packages(self):
        try:
            release.write_version(self.root, self.next(2), TODAY)
            release.check_written(self.root, self.next(2))
            self.assertNotIn("debian/libeddy", release.git(self.root, "status", "--porcelain"))
        finally:
            release.git(self.root, "reset", "--quiet", "--hard")

    def test_writing_that_forgets_a_place_is_found(self):
        for path, before, after in (("debian/control", f"Package: libeddy{abi.series(self.current)}", "Package: libeddy99"),
                                    ("debian/changelog", f"eddy ({self.current})", "eddy (99)"),
                                    ("CMakeLists.txt", f"VERSION {self.current}", "VERSION 99")):
            try:
                release.edit(self.root / path, lambda text, before=before, after=after: text.replace(before, after, 1))
                with self.assertRaises(release.Refused):
                    release.check_written(self.root, self.current)
            finally:
                release.git(self.root, "reset", "--quiet", "--hard")

    def test_it_refuses(self):
        for version, why in (("1.2", "is no version"), ("1.02.3", "is no version"), ("0.0.1", "does not come after")):
            done = self.run_dry(version)
            self.assertEqual(done.returncode, 1)
            self.assertIn(why, done.stderr)
        stray = self.root / "stray"
        stray.touch()
        self.assertIn("not committed", self.run_dry(self.next(0)).stderr)
        stray.unlink()

    def test_no_version_is_left_behind(self):
        """Another place that names it has to be in one of the release's lists."""
        before = re.escape(abi.series(self.current))
        try:
            release.write_version(self.root, self.next(1), TODAY)
            left = subprocess.run(["git", "-C", self.root, "grep", "-nIP", rf"eddy[^\d\n]{{0,12}}(?<![\d.]){before}(?!\d)", "--",
                                   ".", ":!CHANGELOG.md", ":!debian/changelog"], capture_output=True, text=True, check=False)
            self.assertEqual(left.stdout, "")
        finally:
            release.git(self.root, "reset", "--quiet", "--hard")

    def test_series_and_names(self):
        self.assertEqual([abi.series(version) for version in ("0.1.0", "0.1.9", "0.2.0", "1.0.0", "1.4.2")],
                         ["0.1", "0.1", "0.2", "1", "1"])
        self.assertEqual([release.package("libeddy", "1"), release.package("libeddy-http2", "1")], ["libeddy1", "libeddy-http2-1"])


if __name__ == "__main__":
    unittest.main()
