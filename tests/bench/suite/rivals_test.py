import unittest

import package  # noqa: F401
from suite import rivals
from suite.benchmark import Result, Subject


def configuration(program, names, scenario="echo"):
    return Result(program, "family", "name", "", "item", ("cpu",), tuple(Subject(name, ()) for name in names),
                         {"scenario": scenario} if program == "eddy-bench" else {})


def against(program, names, **more):
    return {line.eddy: (line.peers, line.limits) for line in rivals.lines(configuration(program, names, **more))}


class Rivals(unittest.TestCase):
    def test_loops_written_by_hand_are_limits_and_not_peers(self):
        found = against("eddy-bench", ["raw_epoll", "asio_callbacks", "eddy"])
        self.assertEqual(found, {"eddy": (("asio_callbacks",), ("raw_epoll",))})

    def test_what_does_not_parse_http_is_a_limit_in_http(self):
        found = against("eddy-bench", ["asio_callbacks", "libuv", "hyper", "eddy"], scenario="http_small")
        self.assertEqual(found["eddy"], (("hyper",), ("asio_callbacks", "libuv")))

    def test_eddys_sockets_stand_against_what_does_not_parse_http_either(self):
        found = against("eddy-bench", ["raw_epoll", "asio_callbacks", "hyper", "eddy_bare_epoll"], scenario="http_many")
        self.assertEqual(found["eddy_bare_epoll"], (("asio_callbacks",), ("raw_epoll",)))

    def test_each_of_eddys_ways_is_compared(self):
        self.assertEqual(list(against("eddy-bench", ["libuv", "eddy", "eddy_epoll"])), ["eddy", "eddy_epoll"])

    def test_functions_stand_against_functions_and_tasks_against_coroutines(self):
        found = against("eddy-bench-dispatch", ["asio_callbacks", "asio_coroutines", "eddy_functions", "eddy_tasks"])
        self.assertEqual(found["eddy_functions"][0], ("asio_callbacks",))
        self.assertEqual(found["eddy_tasks"][0], ("asio_coroutines",))

    def test_what_takes_no_lock_stands_against_what_takes_none(self):
        names = ["asio_callbacks", "asio_callbacks_lockless", "eddy_functions", "eddy_functions_local"]
        found = against("eddy-bench-dispatch", names)
        self.assertEqual(found["eddy_functions"][0], ("asio_callbacks",))
        self.assertEqual(found["eddy_functions_local"][0], ("asio_callbacks_lockless",))
        self.assertEqual(against("eddy-bench-dispatch", ["asio_callbacks", "eddy_functions_local"])
                         ["eddy_functions_local"][0], ("asio_callbacks",))

    def test_sizes_within_a_benchmark_stand_against_their_like(self):
        found = against("eddy-bench-pq", ["libpq_1", "libpq_8", "eddy_io_uring_8"])
        self.assertEqual(found["eddy_io_uring_8"][0], ("libpq_8",))


if __name__ == "__main__":
    unittest.main()
