"""`eddy-new NAME` makes a project; the stage `packages` builds one."""

import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "packaging/eddy-new"


class New(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="a b")))

    def run_it(self, *arguments):
        return subprocess.run([SCRIPT, *arguments], cwd=self.directory, capture_output=True, text=True, check=False)

    def test_it_makes_a_project_of_that_name(self):
        self.assertEqual(self.run_it("hello-you").returncode, 0)
        files = {str(path.relative_to(self.directory / "hello-you")) for path in (self.directory / "hello-you").rglob("*") if path.is_file()}
        self.assertEqual(files, {"CMakeLists.txt", "CMakePresets.json", "Dockerfile", "README.md", ".gitignore", "ci/run",
                                 "src/echo.hpp", "src/echo.cpp", "src/main.cpp", "tests/echo_test.cpp"})
        for name in files:
            text = (self.directory / "hello-you" / name).read_text(encoding="utf-8")
            self.assertNotRegex(text, "eddy.project")
        self.assertIn("namespace hello_you", (self.directory / "hello-you/src/echo.hpp").read_text(encoding="utf-8"))
        self.assertTrue((self.directory / "hello-you/ci/run").stat().st_mode & 0o100)

    def test_it_refuses_what_is_no_name_and_what_is_there(self):
        for arguments in ([], ["a", "b"], [""], ["A"], ["../a"], ["a/b"], ["1"], ["a b"], ["a;b"], ["--nonsense"]):
            done = self.run_it(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertEqual(done.stderr.count("\n"), 1)
        (self.directory / "there").touch()
        self.assertEqual(self.run_it("there").returncode, 1)


if __name__ == "__main__":
    unittest.main()
