"""Bills of materials are SPDX 2.3, and true."""

import hashlib
import tempfile
import unittest
from pathlib import Path

import sbom


class Sbom(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.root / "DEBIAN").mkdir()
        (self.root / "DEBIAN/control").write_text("Package: p\nVersion: 1.2\nDepends: libc6 (>= 2.34), libssl3 | libssl4, debconf\n")
        (self.root / "usr").mkdir()
        (self.root / "usr/a").write_bytes(b"one")
        (self.root / "usr/link").symlink_to("a")

    def made(self):
        return sbom.of_debian_package(self.root)[1]

    def test_it_names_files_and_what_the_package_depends_on(self):
        made = self.made()
        self.assertEqual([(each["fileName"], each["checksums"][1]["checksumValue"]) for each in made["files"]],
                         [("./usr/a", hashlib.sha256(b"one").hexdigest())])
        self.assertEqual([(each["name"], each.get("versionInfo")) for each in made["packages"]],
                         [("p", "1.2"), ("libc6", ">= 2.34"), ("libssl3", None), ("debconf", None)])
        self.assertEqual(sbom.faults(made), [])

    def test_the_code_of_a_package_is_that_of_the_specification(self):
        (self.root / "usr/b").write_bytes(b"two")
        digests = sorted(hashlib.sha1(content).hexdigest() for content in (b"one", b"two"))
        self.assertEqual(self.made()["packages"][0]["packageVerificationCode"]["packageVerificationCodeValue"],
                         hashlib.sha1("".join(digests).encode()).hexdigest())

    def test_faults_are_found(self):
        for spoil in (lambda made: made["files"][0].update(SPDXID="SPDXRef-a b"),
                      lambda made: made["packages"][1].update(SPDXID=made["packages"][0]["SPDXID"]),
                      lambda made: made["relationships"][0].update(relatedSpdxElement="SPDXRef-none"),
                      lambda made: made["files"][0]["checksums"][0].update(checksumValue="1"),
                      lambda made: made["creationInfo"].update(created="today"),
                      lambda made: made["relationships"].pop(0)):
            made = self.made()
            spoil(made)
            self.assertNotEqual(sbom.faults(made), [])


if __name__ == "__main__":
    unittest.main()
