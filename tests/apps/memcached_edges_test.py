"""eddy-memcached at the edges of the protocol: what is refused, what another protocol says, options of memcached(1)."""

import contextlib
import os
import subprocess
import tempfile
import unittest

import ports
import program
from memcached_test import ask, server, stats


class Refused(unittest.TestCase):
    def assert_replies(self, exchanges, *arguments):
        with server(*arguments) as served, served.connect() as client:
            for request, reply in exchanges:
                with self.subTest(request=request[:60]):
                    self.assertEqual(ask(client, request), reply)

    def test_a_value_that_is_too_large_leaves_the_item_alone_but_for_set(self):
        kept = b"VALUE a 0 1\r\n1\r\nEND\r\n"
        too_large = b"SERVER_ERROR object too large for cache\r\n"
        value = b"x" * 2000
        others = [(b"%s a 0 0 2000%s\r\n%s\r\nget a\r\n" % (name, b" 1" if name == b"cas" else b"", value),
                   too_large + kept) for name in (b"add", b"replace", b"append", b"prepend", b"cas")]
        self.assert_replies([(b"set a 0 0 1\r\n1\r\n", b"STORED\r\n"), *others,
                             (b"append a 0 0 1024\r\n" + b"y" * 1024 + b"\r\nget a\r\n", too_large + kept),
                             (b"set a 0 0 2000\r\n" + value + b"\r\nget a\r\n", too_large + b"END\r\n")],
                            "-I", "1024")

    def test_noreply_silences_errors(self):
        value = b"x" * 2000
        self.assert_replies([
            (b"set a 0 0 2000 noreply\r\n" + value + b"\r\n", b""),
            (b"set a x 0 1 noreply\r\n1\r\n", b""),
            (b"set %s 0 0 1 noreply\r\n1\r\n" % (b"k" * 251), b""),
            (b"set a 0 0 1 noreply\r\nxyz", b""),
            (b"set a 0 0 1\r\nx\r\nincr a 1 noreply\r\nincr a x noreply\r\ntouch a soon noreply\r\n", b"STORED\r\n"),
            (b"delete a 5 noreply\r\nverbosity x noreply\r\nflush_all x noreply\r\ncache_memlimit 1 noreply\r\n", b""),
            (b"get a\r\n", b"VALUE a 0 1\r\nx\r\nEND\r\n"),
            (b"ms a 2000 q\r\n" + value + b"\r\n", b"SERVER_ERROR object too large for cache\r\n")], "-I", "1024")

    def test_pymemcache_stays_in_step_after_a_refusal_without_reply(self):
        from pymemcache.client.base import Client
        with server("-I", "1024") as served:
            client = Client(("127.0.0.1", served.port))
            client.set("large", b"x" * 5000, noreply=True)
            client.set("a", b"text", noreply=True)
            client.incr("a", 1, noreply=True)
            self.assertEqual(client.get("a"), b"text")
            self.assertIsNone(client.get("large"))

    def test_a_late_value_keeps_the_end_and_the_win_of_the_stale_one(self):
        with server() as served, served.connect() as client:
            ask(client, b"ms a 1 T100\r\n1\r\n")
            old = ask(client, b"mg a c\r\n").split(b" c")[1].strip()
            ask(client, b"md a I\r\n")
            self.assertEqual(ask(client, b"mg a v\r\n"), b"VA 1 X W\r\n1\r\n")
            self.assertEqual(ask(client, b"ms a 1 I T0 C%s\r\n2\r\n" % old), b"HD\r\n")
            self.assertRegex(ask(client, b"mg a t v\r\n"), rb"^VA 1 t(100|99) Z X\r\n2\r\n$")

    def test_flags_take_effect_in_the_order_in_which_they_are_written(self):
        with server() as served, served.connect() as client:
            ask(client, b"set a 0 0 1\r\n1\r\n")
            self.assertRegex(ask(client, b"mg a t T100 s\r\nmg a T0 t k O1\r\nmg a O1 k t\r\n"),
                             rb"^HD t-1 s1\r\nHD t-1 ka O1\r\nHD O1 ka t-1\r\n$")

    def test_flags_of_other_meta_commands_mean_nothing(self):
        self.assert_replies([(b"ms a 1 v t D5\r\n1\r\n", b"HD\r\n"), (b"mg a s M! J5 D1 C9 F3\r\n", b"HD s1\r\n"),
                             (b"md a v s f\r\n", b"HD\r\n"), (b"mg a !\r\n", b"CLIENT_ERROR invalid flag\r\n")])

    def test_no_two_items_of_any_worker_have_the_same_cas(self):
        with server(workers=4) as served, served.connect() as client:
            ask(client, b"".join(b"set k%d 0 0 1\r\n1\r\n" % n for n in range(500)))
            told = ask(client, b"gets " + b" ".join(b"k%d" % n for n in range(500)) + b"\r\n").split(b"\r\n")
            ids = [line.split()[4] for line in told if line.startswith(b"VALUE")]
            self.assertEqual((len(ids), len(set(ids))), (500, 500))


class OtherProtocols(unittest.TestCase):
    def assert_ended(self, request):
        with server() as served, served.connect() as client:
            client.sendall(request)
            self.assertEqual(program.read_to_end(client), b"")
            with served.connect() as other:
                self.assertEqual(ask(other, b"get a\r\n"), b"END\r\n")

    def test_a_request_of_http_ends_the_connection(self):
        self.assert_ended(b"POST / HTTP/1.1\r\n")
        self.assert_ended(b"GET /index.html HTTP/1.0\r\nHost: a\r\n")

    def test_a_binary_request_ends_the_connection_before_it_is_whole(self):
        self.assert_ended(b"\x80\x0b")


class Commands(unittest.TestCase):
    def test_the_limit_of_memory_stays(self):
        with server("--memory", "64") as served, served.connect() as client:
            self.assertEqual(ask(client, b"cache_memlimit 64\r\n"), b"OK\r\n")
            self.assertEqual(ask(client, b"cache_memlimit 65\r\n"),
                             b"MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust\r\n")
            self.assertEqual(ask(client, b"cache_memlimit 4\r\n"),
                             b"MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n")
            self.assertEqual(ask(client, b"cache_memlimit\r\ncache_memlimit x\r\n"), b"ERROR\r\n" * 2)

    def test_statistics_of_every_kind_are_well_formed(self):
        with server() as served, served.connect() as client:
            ask(client, b"set a 0 0 1\r\n1\r\nset b 0 1 1\r\n1\r\n")
            told = stats(client)
            for name in ("rusage_user", "curr_connections", "get_expired", "get_flushed", "auth_errors", "conn_yields",
                         "hash_power_level", "slabs_moved", "lru_crawler_running", "evicted_active", "moves_to_cold"):
                self.assertIn(name, told)
            self.assertEqual(stats(client, b" settings")["flush_enabled"], "yes")
            self.assertEqual(stats(client, b" conns")["0:addr"], f"tcp:127.0.0.1:{served.port}")
            self.assertEqual(stats(client, b" sizes"), {"sizes_status": "disabled"})
            self.assertEqual(ask(client, b"stats cachedump 1 10\r\n"), b"END\r\n")
            self.assertTrue(ask(client, b"stats cachedump\r\n").startswith(b"CLIENT_ERROR bad command line"))
            self.assertEqual(ask(client, b"stats detail on\r\nstats detail dump\r\nstats detail off\r\n"),
                             b"OK\r\nEND\r\nOK\r\n")
            self.assertTrue(ask(client, b"stats detail\r\n").startswith(b"CLIENT_ERROR usage"))

    def test_items_that_were_over_when_they_were_asked_for_are_counted(self):
        with server() as served, served.connect() as client:
            # No item is stored between: that would look for items that are over, and might find this one first.
            ask(client, b"set a 0 -1 1\r\n1\r\nget a\r\nset b 0 0 1\r\n1\r\nflush_all\r\nget b\r\n")
            told = stats(client)
            self.assertEqual((told["get_expired"], told["get_flushed"]), ("1", "1"))


class Options(unittest.TestCase):
    def test_options_that_change_nothing_here_are_taken(self):
        with server("-U", "0", "-B", "ascii", "-C", "-X", "-W", "-L", "-f", "1.1", "-n", "32", "-R", "40", "-b", "512",
                    "-D", ":", "-o", "modern,no_lru_crawler,hashpower=20", "-I", "2k", "-vvv") as served, \
                served.connect() as client:
            self.assertEqual(stats(client, b" settings")["item_size_max"], "2048")

    def test_others_are_refused_by_name(self):
        for arguments, name in ((["-U", "11211"], "-U"), (["-B", "binary"], "-B"), (["-M"], "-M"), (["-S"], "-S"),
                                (["-Y", "file"], "-Y"), (["-Z"], "-Z"), (["-e", "/dev/shm/x"], "-e"), (["-k"], "-k"),
                                (["-A"], "-A"), (["-r"], "-r"), (["-o", "idle_timeout=5"], "idle_timeout"),
                                (["-a", "9"], "--unix-mask")):
            with self.subTest(arguments=arguments):
                code, out, errors = program.run("eddy-memcached", "-p", "0", *arguments)
                self.assertEqual((code, out, errors.count("\n")), (2, "", 1), errors)
                self.assertIn(name, errors)

    def test_flush_all_can_be_forbidden(self):
        with server("-F") as served, served.connect() as client:
            ask(client, b"set a 0 0 1\r\n1\r\n")
            self.assertEqual(ask(client, b"flush_all\r\nflush_all noreply\r\nget a\r\n"),
                             b"CLIENT_ERROR flush_all not allowed\r\nVALUE a 0 1\r\n1\r\nEND\r\n")

    def test_a_local_socket_has_the_mode_that_was_asked_for(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "socket")
            with server("-s", path, "-a", "660"):
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o660)

    def test_it_goes_into_the_background_and_leaves_its_number(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "pid")
            port = ports.free_port()
            ended = subprocess.run([program.path("eddy-memcached"), "-d", "-P", path, "-p", str(port), "-t", "1"],
                                   capture_output=True, timeout=program.PATIENCE_S)
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, b"", b""))

            def written():
                with contextlib.suppress(FileNotFoundError), open(path, encoding="ascii") as file:
                    return file.read()
                return ""
            program.wait_until(lambda: written().endswith("\n"), "the number is written")
            number = int(written())
            served = program.Server.__new__(program.Server)
            served.port = port
            with served.connect() as client:
                self.assertEqual(stats(client)["pid"], str(number))
            os.kill(number, 15)
            program.wait_until(lambda: not os.path.exists(path), "the file with the number is gone")


if __name__ == "__main__":
    unittest.main()
