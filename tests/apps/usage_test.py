"""What the programs say to a command line that is wrong, or asks for what cannot be done."""

import os
import socket
import unittest
from unittest import mock

import program


class Usage(unittest.TestCase):
    def assert_refused(self, status, mentions, name, *arguments, env=None):
        code, out, errors = program.run(name, *arguments, env=env)
        self.assertEqual(code, status, errors)
        self.assertEqual(out, "")
        self.assertEqual(errors.count("\n"), 1, errors)
        self.assertTrue(errors.startswith(name + ": "), errors)
        self.assertIn(mentions, errors)

    def test_wrong_options_are_misuse(self):
        common = ["--port", "0", "--workers", "1"]
        for mentions, arguments in {
            "--nonsense": [*common, "--nonsense"],
            "--port is required": ["--workers", "1"],
            "70000": ["--port", "70000"],
            "--port": ["--port", "-1"],
            "x": ["--port", "x"],
            "nowhere": [*common, "--address", "nowhere"],
            "1.2.3": [*common, "--address", "1.2.3"],
            "kqueue": [*common, "--backend", "kqueue"],
            "-1 ": ["--port", "0", "--workers", "-1"],
            "1025": ["--port", "0", "--workers", "1025"],
            "stray": [*common, "stray"],
        }.items():
            for name, more in (("eddy-echo", []), ("eddy-httpd", ["--root", "."])):
                with self.subTest(name=name, arguments=arguments):
                    self.assert_refused(2, mentions, name, *more, *arguments)

    def test_wrong_options_of_httpd_are_misuse(self):
        common = ["--port", "0", "--root", "."]
        self.assert_refused(2, "--root", "eddy-httpd", "--port", "0")
        for option in ("--head-timeout", "--idle-timeout", "--write-timeout", "--drain-limit", "--revalidate"):
            for value in ("-1", "nan", "inf", "1e300", "soon"):
                with self.subTest(option=option, value=value):
                    self.assert_refused(2, option, "eddy-httpd", *common, option, value)
        self.assert_refused(2, "--connections-max", "eddy-httpd", *common, "--connections-max", "0")

    def test_a_backend_that_the_environment_names_wrongly_is_misuse(self):
        self.assert_refused(2, "EDDY_BACKEND", "eddy-echo", "--port", "0", env={"EDDY_BACKEND": "kqueue"})

    def test_a_root_that_cannot_be_served_is_a_failure(self):
        self.assert_refused(1, "/nowhere/at/all", "eddy-httpd", "--port", "0", "--root", "/nowhere/at/all")
        self.assert_refused(1, __file__, "eddy-httpd", "--port", "0", "--root", __file__)

    def test_a_port_in_use_is_a_failure(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            self.assert_refused(1, port, "eddy-httpd", "--root", ".", "--port", port)
            self.assert_refused(1, port, "eddy-echo", "--port", port)

    def test_a_port_of_another_one_of_us_is_in_use(self):
        for name, more in (("eddy-echo", []), ("eddy-httpd", ["--root", "."])):
            with program.Server(name, *more) as first:
                self.assert_refused(1, str(first.port), name, *more, "--port", str(first.port))
                self.assertIsNone(first.process.poll())

    def test_an_address_that_is_not_ours_is_a_failure(self):
        self.assert_refused(1, "192.0.2.1", "eddy-echo", "--port", "0", "--address", "192.0.2.1")

    def test_help_is_told_on_standard_output(self):
        for name in ("eddy-echo", "eddy-httpd"):
            code, out, errors = program.run(name, "--help")
            self.assertEqual((code, errors), (0, ""))
            self.assertIn("--port", out)

    def test_the_option_decides_which_backend_serves(self):
        backend = os.environ["EDDY_BACKEND"]
        other = {"io_uring": "epoll", "epoll": "io_uring"}[backend]
        with mock.patch.dict(os.environ, EDDY_BACKEND=other), \
                program.Server("eddy-httpd", "--root", ".", "--backend", backend) as server:
            self.assertIn(f"({backend}, 1 worker)", server.first_line)

    def test_the_environment_decides_if_the_option_does_not(self):
        with program.Server("eddy-echo") as server:
            self.assertIn(os.environ["EDDY_BACKEND"], server.first_line)


if __name__ == "__main__":
    unittest.main()
