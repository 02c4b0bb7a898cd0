"""The port of vcpkg names what the build knows; the stage `packages` builds it."""

import json
import re
import unittest
from pathlib import Path

import abi

ROOT = Path(__file__).resolve().parents[2]
PORT = ROOT / "packaging/vcpkg/eddy"


class Port(unittest.TestCase):
    def setUp(self):
        self.manifest = json.loads((PORT / "vcpkg.json").read_text(encoding="utf-8"))
        self.recipe = (PORT / "portfile.cmake").read_text(encoding="utf-8")

    def test_it_has_the_version_of_the_tree(self):
        self.assertEqual(self.manifest["version"], abi.version_of_tree())

    def test_features_are_parts_of_the_build(self):
        options = set(re.findall(r"option\((EDDY_BUILD_\w+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")))
        mapped = re.findall(r"^  (\w+) (EDDY_BUILD_\w+)", self.recipe, re.MULTILINE)
        self.assertEqual({feature for feature, _ in mapped}, set(self.manifest["features"]))
        self.assertLessEqual({option for _, option in mapped}, options)

    def test_every_feature_has_what_the_part_is_built_with(self):
        for feature, library in (("http", "openssl"), ("http2", "nghttp2"), ("rpc", "nlohmann-json"), ("curl", "curl"), ("pq", "libpq"), ("redis", "hiredis")):
            self.assertIn(library, self.manifest["features"][feature]["dependencies"])


if __name__ == "__main__":
    unittest.main()
