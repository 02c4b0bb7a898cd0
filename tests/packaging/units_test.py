"""The units of systemd confine the servers, by systemd's own measure."""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

UNITS = Path(os.environ["BUILD"]) / "units"


@unittest.skipIf(shutil.which("systemd-analyze") is None, "[systemd] no systemd-analyze")
class Units(unittest.TestCase):
    def services(self):
        found = sorted(UNITS.glob("*.service"))
        self.assertTrue(found)
        return found

    def test_exposure_is_at_most_two(self):
        for unit in self.services():
            with self.subTest(unit=unit.name):
                checked = subprocess.run(["systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=20", unit],
                                         capture_output=True, text=True, check=False)
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
                self.assertLessEqual(float(re.search(r"exposure level for \S+: ([\d.]+)", checked.stdout)[1]), 2.0)

    def test_every_service_has_a_socket_and_nothing_was_left_to_be_filled_in(self):
        for unit in self.services():
            with self.subTest(unit=unit.name):
                for path in (unit, unit.with_suffix(".socket")):
                    text = path.read_text(encoding="utf-8")
                    self.assertNotIn("@", text.replace("@system-service", "").replace("@privileged", "").replace("@resources", ""))
                self.assertRegex(unit.with_suffix(".socket").read_text(encoding="utf-8"), r"ListenStream=\S+")


if __name__ == "__main__":
    unittest.main()
