"""What protoc-gen-eddy writes, and what it refuses. What it writes is compiled and called by generated_test.cpp."""

import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.environ["PROTOC_GEN_EDDY"]


def generate(directory, file, out, *options):
    return subprocess.run(["protoc", f"--plugin=protoc-gen-eddy={PLUGIN}", f"-I{directory}", *options,
                           f"--eddy_out={out}", file], capture_output=True, text=True, timeout=60)


class Plugin(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="eddy-plugin-")
        self.addCleanup(made.cleanup)
        self.out = made.name

    def read(self, name):
        with open(os.path.join(self.out, name)) as file:
            return file.read()

    def generate_text(self, text):
        with open(os.path.join(self.out, "given.proto"), "w") as file:
            file.write('syntax = "proto3";\nmessage M {}\n' + text)
        return generate(self.out, "given.proto", self.out)

    def test_writes_what_it_wrote_before(self):
        """Shows what a change does to generated code: EDDY_UPDATE_GOLDEN=1 writes it anew."""
        self.assertEqual(0, generate(os.path.join(HERE, "proto"), "greeter.proto", self.out).returncode)
        for name in ("greeter.eddy.hpp", "greeter.eddy.cpp"):
            path = os.path.join(HERE, "golden", f"{name}.txt")
            if os.environ.get("EDDY_UPDATE_GOLDEN"):
                with open(path, "w") as file:
                    file.write(self.read(name))
            with open(path) as file:
                self.assertEqual(file.read(), self.read(name))

    def test_writes_into_the_directory_of_an_import(self):
        self.assertEqual(0, generate(os.path.join(HERE, "proto"), "shared/point.proto", self.out).returncode)
        self.assertIn('#include "shared/point.pb.h"', self.read("shared/point.eddy.hpp"))
        self.assertIn('#include "shared/point.eddy.hpp"', self.read("shared/point.eddy.cpp"))

    def test_a_file_without_services_needs_nothing_of_rpc(self):
        self.assertEqual(0, self.generate_text("").returncode)
        self.assertNotIn("eddy/rpc", self.read("given.eddy.hpp"))

    def test_refuses_methods_that_are_one_in_cpp(self):
        ended = self.generate_text("service S { rpc GetIt(M) returns (M); rpc get_it(M) returns (M); }")
        self.assertNotEqual(0, ended.returncode)
        self.assertIn("S.GetIt and S.get_it are both called get_it in C++", ended.stderr)

    def test_refuses_services_that_are_one_in_cpp(self):
        ended = self.generate_text("service FileStore {}\nservice file_store {}")
        self.assertNotEqual(0, ended.returncode)
        self.assertIn("FileStore and file_store are both called file_store_client in C++", ended.stderr)

    def test_refuses_a_message_called_like_a_class_of_a_service(self):
        ended = self.generate_text("message store_service {}\nservice Store {}")
        self.assertNotEqual(0, ended.returncode)
        self.assertIn("store_service and Store are both called store_service in C++", ended.stderr)

    def test_refuses_parameters(self):
        ended = generate(os.path.join(HERE, "proto"), "greeter.proto", self.out, "--eddy_opt=fast")
        self.assertNotEqual(0, ended.returncode)
        self.assertIn("fast", ended.stderr)

    def test_takes_optional_fields_of_proto3(self):
        self.assertEqual(0, self.generate_text("message N { optional int32 i = 1; }").returncode)


if __name__ == "__main__":
    unittest.main()
