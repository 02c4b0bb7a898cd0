"""eddy-memcached does what memcached does, for memcached's own clients and for bytes that no client would send."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import program


def server(*arguments, workers=1):
    return program.Server("eddy-memcached", *arguments, workers=workers)


def ask(client, request, answer_end=b"MN\r\n"):
    """Sends commands and a no-op behind them; gives the answer to them."""
    client.sendall(request + b"mn\r\n")
    answer = bytearray()
    while not answer.endswith(answer_end):
        piece = client.recv(1 << 16)
        if not piece:
            raise AssertionError(f"the connection has ended after {bytes(answer[-200:])!r}")
        answer += piece
    return bytes(answer[:-len(answer_end)])


def stats(client, about=b""):
    lines = ask(client, b"stats" + about + b"\r\n").decode().split("\r\n")
    assert lines[-2:] == ["END", ""], lines
    return dict(line.split(" ", 2)[1:] for line in lines[:-2])


class Protocol(unittest.TestCase):
    def assert_answers(self, exchanges):
        with server() as served, served.connect() as client:
            for request, answer in exchanges:
                with self.subTest(request=request):
                    self.assertEqual(ask(client, request), answer)

    def test_values_are_stored_and_found(self):
        self.assert_answers([
            (b"get a\r\n", b"END\r\n"),
            (b"set a 5 0 5\r\nhello\r\n", b"STORED\r\n"),
            (b"get a\r\n", b"VALUE a 5 5\r\nhello\r\nEND\r\n"),
            (b"get b a  a\r\n", b"VALUE a 5 5\r\nhello\r\nVALUE a 5 5\r\nhello\r\nEND\r\n"),
            (b"set e 0 0 0\r\n\r\nget e\r\n", b"STORED\r\nVALUE e 0 0\r\n\r\nEND\r\n"),
            (b"add a 0 0 1\r\nx\r\nadd b 0 0 1\r\nx\r\n", b"NOT_STORED\r\nSTORED\r\n"),
            (b"replace c 0 0 1\r\ny\r\nreplace b 0 0 1\r\ny\r\n", b"NOT_STORED\r\nSTORED\r\n"),
            (b"append b 9 9 1\r\n>\r\nprepend b 9 9 1\r\n<\r\nget b\r\n", b"STORED\r\nSTORED\r\nVALUE b 0 3\r\n<y>\r\nEND\r\n"),
            (b"append c 0 0 1\r\n>\r\n", b"NOT_STORED\r\n"),
            (b"delete b\r\ndelete b\r\n", b"DELETED\r\nNOT_FOUND\r\n"),
            (b"set d 0 0 1 noreply\r\nd\r\ndelete d noreply\r\nget d\r\n", b"END\r\n"),
            (b"get a\nget b\n", b"VALUE a 5 5\r\nhello\r\nEND\r\nEND\r\n"),
            (b"flush_all\r\nget a\r\n", b"OK\r\nEND\r\n"),
            (b"verbosity 0\r\n", b"OK\r\n"),
        ])

    def test_a_cas_guards_what_was_read(self):
        with server() as served, served.connect() as client:
            ask(client, b"set a 0 0 1\r\n1\r\n")
            first = int(ask(client, b"gets a\r\n").split()[4])
            self.assertEqual(ask(client, b"cas a 0 0 1 %d\r\n2\r\n" % first), b"STORED\r\n")
            self.assertEqual(ask(client, b"cas a 0 0 1 %d\r\n3\r\n" % first), b"EXISTS\r\n")
            self.assertEqual(ask(client, b"cas b 0 0 1 %d\r\n3\r\n" % first), b"NOT_FOUND\r\n")
            second = int(ask(client, b"gets a\r\n").split()[4])
            self.assertGreater(second, first)
            ask(client, b"incr a 1\r\n")
            self.assertEqual(ask(client, b"cas a 0 0 1 %d\r\n3\r\n" % second), b"EXISTS\r\n")
            self.assertEqual(ask(client, b"get a\r\n"), b"VALUE a 0 1\r\n3\r\nEND\r\n")

    def test_numbers_count_up_and_down(self):
        self.assert_answers([
            (b"set n 3 0 2\r\n10\r\n", b"STORED\r\n"),
            (b"incr n 5\r\ndecr n 6\r\nget n\r\n", b"15\r\n9\r\nVALUE n 3 2\r\n9 \r\nEND\r\n"),
            (b"decr n 10\r\n", b"0\r\n"),
            (b"incr n 18446744073709551615\r\nincr n 1\r\n", b"18446744073709551615\r\n0\r\n"),
            (b"incr n 1 noreply\r\nget n\r\n", b"VALUE n 3 20\r\n1                   \r\nEND\r\n"),
            (b"incr n x\r\n", b"CLIENT_ERROR invalid numeric delta argument\r\n"),
            (b"incr m 1\r\n", b"NOT_FOUND\r\n"),
            (b"set n 0 0 3\r\nten\r\nincr n 1\r\n",
             b"STORED\r\nCLIENT_ERROR cannot increment or decrement non-numeric value\r\n"),
        ])

    def test_a_value_that_is_being_sent_stays_as_it_is_when_it_is_counted_up(self):
        before, after = b"5 " + b"z" * 999_998, b"6"
        gets = 16  # more than the sockets hold
        with server() as served, served.connect() as client, socket.socket() as slow:
            ask(client, b"set n 0 0 %d\r\n%b\r\n" % (len(before), before))
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.settimeout(60)
            slow.connect(("127.0.0.1", served.port))
            slow.sendall(b"get n\r\n" * gets)
            with slow.makefile("rb") as answers:
                head = answers.readline()
                self.assertEqual(ask(client, b"incr n 1\r\n"), b"6\r\n")
                for left in reversed(range(gets)):
                    value = answers.read(int(head.split()[3]) + 2)[:-2]
                    self.assertTrue(value in (before, after, after.ljust(len(before))), "it has a part of each")
                    self.assertEqual(answers.readline(), b"END\r\n")
                    head = answers.readline() if left else b""

    def test_meta_commands_say_what_their_flags_ask(self):
        self.assert_answers([
            (b"mg a v k Oq\r\nmg a v q\r\n", b"EN ka Oq\r\n"),
            (b"ms a 2 T30 F5 k Oxyz\r\nhi\r\nmg a s t f v k Oq h l\r\n",
             b"HD ka Oxyz\r\nVA 2 s2 t30 f5 ka Oq h0 l0\r\nhi\r\n"),
            (b"mg a h\r\nmg a\r\nmg a t T-1\r\nmg a\r\n", b"HD h1\r\nHD\r\nHD t30\r\nEN\r\n"),
            (b"ms a 1 ME\r\nx\r\nms a 1 ME k\r\ny\r\nms b 1 MR\r\ny\r\nms a 1 MA q\r\n>\r\nms a 1 MP q\r\n<\r\nmg a v\r\n",
             b"HD\r\nNS ka\r\nNS\r\nVA 3\r\n<x>\r\n"),
            (b"ms a 1 C1\r\nx\r\nms b 1 C1\r\nx\r\n", b"EX\r\nNF\r\n"),
            (b"md a q\r\nmd a O1\r\nmd a q\r\n", b"NF O1\r\nNF\r\n"),
            (b"ma n\r\nma n N0 J13 v\r\nma n v D3\r\nma n v MD D20\r\nma n q\r\nmg n v\r\n",
             b"NF\r\nVA 2\r\n13\r\nVA 2\r\n16\r\nVA 1\r\n0\r\nVA 2\r\n1 \r\n"),
            (b"me a\r\nmg n P1 Lx s\r\n", b"EN\r\nHD s2\r\n"),
            (b"ms n 3 q\r\nabcde\r\n", b"CLIENT_ERROR bad data chunk\r\nERROR\r\n"),
        ])

    def test_keys_may_come_in_base64(self):
        self.assert_answers([
            (b"ms Zm9v 3 b k\r\nabc\r\n", b"HD kZm9v b\r\n"),
            (b"get foo\r\n", b"VALUE foo 0 3\r\nabc\r\nEND\r\n"),
            (b"ms AAECAw== 1 b\r\nx\r\nmg AAECAw== b k v\r\n", b"HD\r\nVA 1 kAAECAw== b\r\nx\r\n"),
            (b"mg Zm9 b\r\nmg Zm9= b v\r\n", b"CLIENT_ERROR error decoding key\r\n" * 2),
        ])

    def test_one_client_wins_the_right_to_renew(self):
        self.assert_answers([
            (b"mg a v N30\r\nmg a v N30\r\n", b"VA 0 W\r\n\r\nVA 0 Z\r\n\r\n"),
            (b"ms a 2 T20\r\nhi\r\nmg a R30 v\r\nmg a R30\r\nmg a R10\r\n", b"HD\r\nVA 2 W\r\nhi\r\nHD Z\r\nHD Z\r\n"),
            (b"md a I T30 q\r\nmg a t v\r\nmg a v\r\nget a\r\n",
             b"VA 2 t30 X W\r\nhi\r\nVA 2 Z X\r\nhi\r\nVALUE a 0 2\r\nhi\r\nEND\r\n"),
            (b"ms a 2 C1 I\r\nho\r\nmg a v\r\nms a 2\r\nok\r\nmg a v\r\n",
             b"HD\r\nVA 2 Z X\r\nho\r\nHD\r\nVA 2\r\nok\r\n"),
        ])

    def test_wrong_input_gets_an_error_and_the_next_command_its_answer(self):
        key = b"k" * 251
        bad = b"CLIENT_ERROR bad command line format\r\n"
        self.assert_answers([
            (b"nonsense\r\n", b"ERROR\r\n"),
            (b"get " + key + b"\r\n", bad),
            (b"get a " + key + b"\r\n", bad),
            (b"set " + key + b" 0 0 5\r\nhello\r\n", bad),
            (b"set a x 0 5\r\nhello\r\n", bad),
            (b"set a 0 0 1048577\r\n" + b"x" * 1048577 + b"\r\n", b"SERVER_ERROR object too large for cache\r\n"),
            (b"set a 0 0 3\r\nabcde", b"CLIENT_ERROR bad data chunk\r\n"),
            (b"delete a 5\r\n", b"CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n"),
            (b"mg a v v\r\nmg a !\r\n", b"CLIENT_ERROR duplicate flag\r\nCLIENT_ERROR invalid flag\r\n"),
            (b"version x\r\n", ask_version()),
        ])

    def test_a_line_that_does_not_end_ends_the_connection(self):
        with server() as served, served.connect() as client:
            client.sendall(b"x" * 3000)
            self.assertEqual(program.read_to_end(client), b"CLIENT_ERROR line too long\r\n")

    def test_quit_ends_the_connection(self):
        with server() as served, served.connect() as client:
            client.sendall(b"set a 0 0 1\r\n1\r\nquit\r\nget a\r\n")
            self.assertEqual(program.read_to_end(client), b"STORED\r\n")


def ask_version():
    _, told, _ = program.run("eddy-memcached", "--version")
    return b"VERSION 1.6.18-eddy-" + told.split()[1].encode() + b"\r\n"


class Bytes(unittest.TestCase):
    def test_commands_may_come_byte_by_byte(self):
        with server() as served, served.connect() as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in b"set a 0 0 5\r\nhello\r\nms Zm9v 3 b k Oabc\r\nxyz\r\nget a foo\r\nmn\r\n":
                client.send(bytes([byte]))
            wanted = b"STORED\r\nHD kZm9v b Oabc\r\nVALUE a 0 5\r\nhello\r\nVALUE foo 0 3\r\nxyz\r\nEND\r\nMN\r\n"
            answer = b""
            while len(answer) < len(wanted):
                answer += client.recv(65536)
            self.assertEqual(answer, wanted)

    def test_large_values_go_both_ways(self):
        value = os.urandom(1 << 20)
        with server(workers=2) as served, served.connect() as client:
            self.assertEqual(ask(client, b"set a 0 0 %d\r\n%s\r\n" % (len(value), value)), b"STORED\r\n")
            wanted = b"VALUE a 0 %d\r\n%s\r\n" % (len(value), value)
            self.assertTrue(ask(client, b"get a a a\r\n") == wanted * 3 + b"END\r\n")
            # Hundreds of them are asked for before one is read, and meanwhile another takes its place.
            client.sendall(b"get a\r\n" * 20)
            with served.connect() as other:
                self.assertEqual(ask(other, b"set a 0 0 1\r\nx\r\n"), b"STORED\r\n")
            client.sendall(b"quit\r\n")
            answer = program.read_to_end(client)
            large = answer.count(wanted + b"END\r\n")
            small = answer.count(b"VALUE a 0 1\r\nx\r\nEND\r\n")
            self.assertEqual(large + small, 20)
            self.assertEqual(len(answer), large * len(wanted + b"END\r\n") + small * 21)

    def test_pipelined_commands_are_answered_in_order(self):
        with server() as served, served.connect() as client:
            requests = b"".join(b"set k%d 0 0 5\r\n%05d\r\n" % (n, n) for n in range(5000))
            self.assertEqual(ask(client, requests), b"STORED\r\n" * 5000)
            line = b"get " + b" ".join(b"k%d" % n for n in range(5000)) + b"\r\n"
            wanted = b"".join(b"VALUE k%d 0 5\r\n%05d\r\n" % (n, n) for n in range(5000)) + b"END\r\n"
            self.assertTrue(ask(client, line * 3) == wanted * 3)

    def test_who_leaves_in_the_middle_of_a_value_leaves_nothing_behind(self):
        with server("--memory", "5") as served:
            for _ in range(40):
                with served.connect() as client:
                    client.sendall(b"set a 0 0 1000000\r\n" + b"x" * 500_000)
            # What the last ones had is free once the server has learned that they are gone.
            with served.connect() as client:
                request = b"set b 0 0 1000000\r\n" + b"x" * 1_000_000 + b"\r\n"
                program.wait_until(lambda: ask(client, request) == b"STORED\r\n", "it has room again", pause_s=0)


class Time(unittest.TestCase):
    def gone_after(self, client, key=b"a"):
        """Seconds until a key is no more found."""
        begin = time.monotonic()
        program.wait_until(lambda: ask(client, b"mg %s u\r\n" % key) != b"HD\r\n", f"{key} is gone", pause_s=0.005)
        return time.monotonic() - begin

    def test_items_end_at_their_time(self):
        with server() as served, served.connect() as client:
            ask(client, b"set a 0 1 1\r\nx\r\nset b 0 0 1\r\nx\r\nset c 0 100 1\r\nx\r\n")
            self.assertGreater(self.gone_after(client), 0.9)
            self.assertEqual(ask(client, b"set a 0 %d 1\r\nx\r\n" % (int(time.time()) + 2)), b"STORED\r\n")
            self.assertGreater(self.gone_after(client), 0.9)
            self.assertEqual(ask(client, b"set a 0 -1 1\r\nx\r\nget a\r\n"), b"STORED\r\nEND\r\n")
            self.assertEqual(ask(client, b"set a 0 %d 1\r\nx\r\nget a\r\n" % (time.time() - 5)), b"STORED\r\nEND\r\n")
            ask(client, b"touch b 1\r\ngat 1 c\r\n")
            self.gone_after(client, b"b")
            self.gone_after(client, b"c")

    def test_a_flush_may_be_later(self):
        with server(workers=2) as served, served.connect() as client:
            ask(client, b"set a 0 0 1\r\nx\r\nflush_all 1\r\n")
            self.assertEqual(ask(client, b"get a\r\n"), b"VALUE a 0 1\r\nx\r\nEND\r\n")
            ask(client, b"set b 0 0 1\r\nx\r\n")
            self.gone_after(client)
            self.assertEqual(ask(client, b"get b\r\nset a 0 0 1\r\ny\r\nget a\r\n"),
                             b"END\r\nSTORED\r\nVALUE a 0 1\r\ny\r\nEND\r\n")

    def test_what_is_over_makes_room_for_what_is_stored(self):
        with server() as served, served.connect() as client:
            ask(client, b"".join(b"set k%d 0 1 1\r\nx\r\n" % n for n in range(5000)))
            self.gone_after(client, b"k4999")
            ask(client, b"".join(b"set l%d 0 0 1\r\nx\r\n" % n for n in range(5000)))
            self.assertEqual(stats(client)["curr_items"], "5000")
            ask(client, b"flush_all\r\n" + b"".join(b"set m%d 0 0 1\r\nx\r\n" % n for n in range(6000)))
            self.assertEqual(stats(client)["curr_items"], "6000")


class Memory(unittest.TestCase):
    def test_what_was_not_used_for_the_longest_time_goes(self):
        with server("--memory", "2", "--value-bytes-max", "10000") as served, served.connect() as client:
            ask(client, b"set kept 0 0 1\r\nx\r\nset lost 0 0 1\r\nx\r\n")
            for n in range(100):
                ask(client, b"".join(b"set k%d-%d 0 0 1000\r\n%s\r\n" % (n, m, b"x" * 1000) for m in range(50)) +
                    b"get kept\r\n")
            self.assertEqual(ask(client, b"get kept lost\r\n"), b"VALUE kept 0 1\r\nx\r\nEND\r\n")
            told = stats(client)
            self.assertGreater(int(told["evictions"]), 2000)
            self.assertLess(int(told["curr_items"]), 2100)
            self.assertGreater(int(told["curr_items"]), 1500)

    @unittest.skipIf(program.IS_SANITIZED, "[sanitizer] a sanitizer needs memory of its own")
    def test_memory_stays_within_the_limit(self):
        chance = random.Random(1)
        limit = 64 << 20
        for sizes, rounds in ((lambda: int(10 ** chance.uniform(0, 6)), 18), (lambda: chance.randrange(80), 12)):
            with server("--memory", "64") as served, served.connect() as client:
                for _ in range(rounds):
                    requests = bytearray()
                    while len(requests) < 8_000_000:
                        size = sizes()
                        requests += b"set k%d 0 0 %d noreply\r\n" % (chance.randrange(1_000_000), size)
                        requests += bytes(size) + b"\r\n"
                    self.assertEqual(ask(client, requests), b"")
                self.assertLess(served.resident_bytes(), limit * 1.1)
                self.assertGreater(int(stats(client)["evictions"]), 1000)
                self.assertGreater(int(stats(client)["bytes"]), limit * 0.75)

    def test_large_values_find_room_among_small_ones(self):
        with server("--memory", "16") as served, served.connect() as client:
            ask(client, b"".join(b"set k%d 0 0 100 noreply\r\n%s\r\n" % (n, b"x" * 100) for n in range(120_000)))
            self.assertGreater(int(stats(client)["evictions"]), 0)
            value = os.urandom(1 << 20)
            self.assertEqual(ask(client, b"set large 0 0 %d\r\n%s\r\n" % (len(value), value)), b"STORED\r\n")
            self.assertTrue(ask(client, b"get large\r\n") == b"VALUE large 0 %d\r\n%s\r\nEND\r\n" % (len(value), value))
            self.assertGreater(int(stats(client)["curr_items"]), 50_000)


class Clients(unittest.TestCase):
    def test_memccapable_finds_every_capability(self):
        with server() as served:
            ended = subprocess.run(["memccapable", "-a", "-h", "127.0.0.1", "-p", str(served.port)], text=True,
                                   capture_output=True, timeout=program.PATIENCE_S)
            self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
            self.assertIn("All tests passed", ended.stdout)

    def test_pymemcache(self):
        from pymemcache.client.base import Client
        with server(workers=2) as served:
            client = Client(("127.0.0.1", served.port), default_noreply=False)
            self.assertTrue(client.set("a", b"1", expire=100, flags=7))
            self.assertEqual(client.get("a"), b"1")
            self.assertIsNone(client.get("b"))
            self.assertFalse(client.add("a", b"2"))
            self.assertTrue(client.append("a", b"2"))
            self.assertTrue(client.prepend("a", b"0"))
            value, cas = client.gets("a")
            self.assertEqual(value, b"012")
            self.assertTrue(client.cas("a", b"5", cas))
            self.assertFalse(client.cas("a", b"6", cas))
            self.assertIsNone(client.cas("b", b"6", cas))
            self.assertEqual((client.incr("a", 3), client.decr("a", 4)), (8, 4))
            self.assertEqual(client.set_many({f"k{n}": b"%d" % n for n in range(100)}), [])
            self.assertEqual(client.get_many([f"k{n}" for n in range(101)]), {f"k{n}": b"%d" % n for n in range(100)})
            self.assertTrue(client.delete_many(["k1", "k2"]))
            self.assertTrue(client.touch("k3", 5))
            self.assertFalse(client.touch("k1", 5))
            self.assertEqual(client.stats()[b"threads"], 2)
            self.assertTrue(client.flush_all())
            self.assertEqual(client.get_many(["k3", "k4"]), {})
            self.assertTrue(client.version().startswith(b"1.6"))
            client.quit()

    def test_pylibmc(self):
        import pylibmc
        with server(workers=2) as served:
            client = pylibmc.Client([f"127.0.0.1:{served.port}"], behaviors={"cas": True, "tcp_nodelay": True})
            big = "x" * 500_000
            self.assertTrue(client.set("a", {"some": ["object", 1]}) and client.set("big", big))
            self.assertEqual(client.get("a"), {"some": ["object", 1]})
            self.assertEqual(client.get("big"), big)
            self.assertEqual(client.set_multi({f"k{n}": n for n in range(200)}), [])
            self.assertEqual(client.get_multi([f"k{n}" for n in range(300)]), {f"k{n}": n for n in range(200)})
            self.assertEqual((client.incr("k5", 3), client.decr("k5", 2)), (8, 6))
            self.assertFalse(client.add("a", 1))
            self.assertTrue(client.replace("a", 1) and client.touch("a", 10) and client.delete("a"))
            value, cas = client.gets("k7")
            self.assertTrue(value == 7 and client.cas("k7", 8, cas) and client.get("k7") == 8)
            self.assertEqual(client.get_stats()[0][1]["curr_items"], b"201")
            self.assertTrue(client.flush_all())
            self.assertIsNone(client.get("k7"))

    def test_many_clients_count_together(self):
        def count(served):
            with served.connect() as client:
                for _ in range(20):
                    self.assertEqual(ask(client, b"incr n 1 noreply\r\n" * 50 + b"ma m q\r\n" * 50), b"")

        with server(workers=4) as served, served.connect() as client:
            ask(client, b"set n 0 0 1\r\n0\r\nset m 0 0 1\r\n0\r\n")
            counting = [program.Watched(count, served) for _ in range(8)]
            for one in counting:
                one.join()
            self.assertEqual(ask(client, b"get n m\r\n"), b"VALUE n 0 4\r\n8000\r\nVALUE m 0 4\r\n8000\r\nEND\r\n")

    def test_clients_of_all_workers_may_do_everything_at_once(self):
        def work(served, seed):
            chance = random.Random(seed)
            with served.connect() as client:
                for _ in range(20):
                    ask(client, b"".join(self.any_command(chance) for _ in range(60)))

        with server("--memory", "8", "--value-bytes-max", "200000", workers=4) as served:
            working = [program.Watched(work, served, seed) for seed in range(6)]
            for one in working:
                one.join()
            with served.connect() as client:
                self.assertGreater(int(stats(client)["evictions"]), 0)
            # A sanitizer would have had something to say.
            self.assertEqual(served.end(), (0, "", ""))

    @staticmethod
    def any_command(chance):
        key, size = chance.randrange(400), chance.choice([1, 50, 500, 20000, 100000])
        return chance.choice([
            b"get k%d k%d\r\n" % (key, key + 1),
            b"set k%d 0 %d %d\r\n%s\r\n" % (key, chance.choice([0, 1, 100]), size, bytes(size)),
            b"set k%d 0 0 %d\r\n%s\r\n" % (key, size, bytes(size)),
            b"ma n%d N0\r\n" % (key % 3),
            b"append k%d 0 0 3\r\nabc\r\n" % key,
            b"delete k%d\r\n" % key,
            b"mg k%d v t N1\r\n" % key,
            b"touch k%d 1\r\n" % key,
            b"stats items\r\n",
            b"flush_all 1\r\n" if chance.random() < 0.02 else b"mn\r\n"])

    def test_statistics_count_what_was_done(self):
        with server(workers=2) as served, served.connect() as client:
            ask(client, b"set a 0 0 1\r\n1\r\nget a b\r\nincr a 1\r\ndelete b\r\ntouch a 0\r\nmg a\r\n")
            told = stats(client)
            self.assertEqual([int(told[name]) for name in ("cmd_get", "cmd_set", "get_hits", "get_misses", "incr_hits",
                                                           "delete_misses", "touch_hits", "curr_items", "threads",
                                                           "curr_connections")],
                             [3, 1, 2, 1, 1, 1, 1, 1, 2, 1])
            self.assertEqual(int(told["limit_maxbytes"]), 64 << 20)
            self.assertEqual(int(told["pid"]), served.process.pid)
            self.assertEqual(stats(client, b" settings")["item_size_max"], str(1 << 20))
            self.assertEqual(stats(client, b" items")["items:1:number"], "1")
            self.assertEqual(stats(client, b" slabs")["1:used_chunks"], "1")
            self.assertEqual(ask(client, b"stats reset\r\n"), b"RESET\r\n")
            self.assertEqual(stats(client)["cmd_get"], "0")
            self.assertEqual(stats(client)["curr_items"], "1")
            self.assertEqual(ask(client, b"stats nonsense\r\n"), b"ERROR\r\n")


class Serving(unittest.TestCase):
    def test_a_local_socket_serves_too(self):
        directory = tempfile.mkdtemp(prefix="eddy-memcached-")
        try:
            path = os.path.join(directory, "socket")
            with server("--unix", path, workers=2) as served, served.connect() as other:
                for value in (b"1", b"2", b"3"):
                    with socket.socket(socket.AF_UNIX) as client:
                        client.settimeout(program.PATIENCE_S)
                        client.connect(path)
                        self.assertEqual(ask(client, b"set a 0 0 1\r\n%s\r\n" % value), b"STORED\r\n")
                    self.assertEqual(ask(other, b"get a\r\n"), b"VALUE a 0 1\r\n%s\r\nEND\r\n" % value)
                self.assertEqual(served.end(), (0, "", ""))
            self.assertFalse(os.path.exists(path))
        finally:
            shutil.rmtree(directory)

    def test_too_many_clients_are_turned_away(self):
        with server("--connections", "2", workers=2) as served, served.connect() as first:
            with served.connect() as second:
                self.assertEqual(ask(first, b"") + ask(second, b""), b"")
                with served.connect() as third:
                    self.assertEqual(program.read_to_end(third), b"ERROR Too many open connections\r\n")
            begin = time.monotonic()
            while int(stats(first)["curr_connections"]) != 1:
                self.assertLess(time.monotonic() - begin, program.PATIENCE_S)
            with served.connect() as fourth:
                self.assertEqual(ask(fourth, b"get a\r\n"), b"END\r\n")
            self.assertEqual(stats(first)["rejected_connections"], "1")

    def test_signals_end_it_and_its_clients(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with server(workers=2) as served, served.connect() as client:
                client.sendall(b"set a 0 0 100000\r\nxyz")
                self.assertEqual(served.end(number), (0, "", ""))
                with contextlib.suppress(ConnectionResetError):
                    self.assertEqual(program.read_to_end(client), b"")

    def test_wrong_options_are_misuse(self):
        for arguments in (["--memory", "0"], ["--port", "70000"], ["--host", "nowhere"], ["--connections", "0"],
                          ["--value-bytes-max", "5"], ["--memory", "1"], ["--backend", "kqueue"]):
            with self.subTest(arguments=arguments):
                code, out, errors = program.run("eddy-memcached", *arguments)
                self.assertEqual((code, out, errors.count("\n")), (2, "", 1))
                self.assertTrue(errors.startswith("eddy-memcached: "), errors)


if __name__ == "__main__":
    unittest.main()
