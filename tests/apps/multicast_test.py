"""eddy-multicast sends to groups and receives from them, over the loopback."""

import signal
import socket
import struct
import subprocess
import unittest

import ports
import program

IP_RECVTTL = 12  # of Linux


class Receiver:
    """A receiver that has joined its groups."""

    def __init__(self, port, *arguments):
        self.process = subprocess.Popen(
            [program.path("eddy-multicast"), "receive", "--port", str(port), "--interface", "lo", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.first_line = self.process.stderr.readline().decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self):
        """Waits for its end; gives its status, and what it printed."""
        out, _ = self.process.communicate(timeout=program.PATIENCE_S)
        return self.process.returncode, out


def send(group, port, *arguments, text=None):
    ended = subprocess.run(
        [program.path("eddy-multicast"), "send", group, "--port", str(port), "--interface", "lo", *arguments],
        capture_output=True, text=True, input=text, timeout=program.PATIENCE_S)
    return ended.returncode, ended.stdout, ended.stderr


def without_sender(out):
    return [line.split(" ", 1)[1] for line in out.decode().splitlines()]


class Multicast(unittest.TestCase):
    def test_a_group_hears_what_is_sent_to_it(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with Receiver(port, "239.7.7.1", "--count", "3") as one, Receiver(port, "239.7.7.1", "--count", "3") as other:
            self.assertIn("receiving 239.7.7.1 at port", one.first_line)
            self.assertEqual(send("239.7.7.1", port, "hello", "you", "there"), (0, "", ""))
            for receiver in (one, other):
                status, out = receiver.end()
                self.assertEqual((status, without_sender(out)), (0, ["hello", "you", "there"]))
                self.assertRegex(out.decode(), r"^\d+\.\d+\.\d+\.\d+:\d+ hello\n")

    def test_lines_of_the_standard_input_are_datagrams(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with Receiver(port, "239.7.7.2", "--count", "3") as receiver:
            self.assertEqual(send("239.7.7.2", port, text="one\n\nthree"), (0, "", ""))
            self.assertEqual(without_sender(receiver.end()[1]), ["one", "", "three"])

    def test_other_groups_are_not_heard(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with Receiver(port, "239.7.7.3", "239.7.7.4", "--count", "2") as receiver:
            for group in ("239.7.7.5", "239.7.7.4", "239.7.7.6", "239.7.7.3"):
                self.assertEqual(send(group, port, group), (0, "", ""))
            self.assertEqual(without_sender(receiver.end()[1]), ["239.7.7.4", "239.7.7.3"])

    def test_only_the_senders_that_are_asked_for_are_heard(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with Receiver(port, "239.7.7.14", "--source", "127.0.0.2", "--source", "127.0.0.3", "--count", "2") as receiver:
            for number in (4, 3, 5, 2):
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                    sender.bind((f"127.0.0.{number}", 0))
                    interface = struct.pack("4s4si", bytes(4), bytes(4), socket.if_nametoindex("lo"))
                    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface)
                    sender.sendto(str(number).encode(), ("239.7.7.14", port))
            self.assertEqual(without_sender(receiver.end()[1]), ["3", "2"])

    @unittest.skipUnless(program.HAS_IPV6, "[ipv6] there is no address ::1")
    def test_both_families_at_once(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with Receiver(port, "ff02::7:7", "239.7.7.7", "--count", "2") as receiver:
            with open("/proc/net/igmp6") as joined:
                self.assertRegex(joined.read(), r"lo\s+ff0200000000000000000000000" + "70007")
            # A loopback may have no route for IPv6 multicast; what is sent to the socket itself always arrives.
            with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sender:
                sender.sendto(b"six", ("::1", port))
            self.assertEqual(send("239.7.7.7", port, "four"), (0, "", ""))
            self.assertEqual(sorted(without_sender(receiver.end()[1])), ["four", "six"])

    def test_the_time_to_live_is_the_one_that_is_asked_for(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
            heard.settimeout(program.PATIENCE_S)
            heard.bind(("239.7.7.9", port))
            heard.setsockopt(socket.IPPROTO_IP, IP_RECVTTL, 1)
            group = struct.pack("4s4si", socket.inet_aton("239.7.7.9"), bytes(4), socket.if_nametoindex("lo"))
            heard.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
            for options, wanted in (([], 1), (["--ttl", "9"], 9)):
                self.assertEqual(send("239.7.7.9", port, *options, "x"), (0, "", ""))
                _, ancillary, _, _ = heard.recvmsg(100, 100)
                self.assertEqual(struct.unpack("i", ancillary[0][2])[0], wanted)

    def test_texts_are_sent_again_at_an_interval(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with Receiver(port, "239.7.7.10", "--count", "6") as receiver:
            self.assertEqual(send("239.7.7.10", port, "--count", "3", "--interval", "0.01", "a", "b"), (0, "", ""))
            self.assertEqual(without_sender(receiver.end()[1]), ["a", "b"] * 3)

    def test_what_strangers_send_is_printed_harmlessly_unless_it_is_wanted_raw(self):
        port = ports.free_port(socket.SOCK_DGRAM)
        with Receiver(port, "239.7.7.11", "--count", "1") as careful, \
                Receiver(port, "239.7.7.11", "--count", "1", "--raw") as raw:
            self.assertEqual(send("239.7.7.11", port, "a\x1b[31m\\\u00e9"), (0, "", ""))
            self.assertEqual(without_sender(careful.end()[1]), [r"a\x1b[31m\\\xc3\xa9"])
            self.assertEqual(raw.end()[1], "a\x1b[31m\\\u00e9\n".encode())

    def test_it_gives_up_and_it_ends_by_a_signal(self):
        with Receiver(ports.free_port(socket.SOCK_DGRAM), "239.7.7.12", "--wait", "0.05") as impatient:
            self.assertEqual(impatient.end(), (1, b""))
        for number in (signal.SIGINT, signal.SIGTERM):
            with Receiver(ports.free_port(socket.SOCK_DGRAM), "239.7.7.13") as receiver:
                receiver.process.send_signal(number)
                self.assertEqual(receiver.end(), (0, b""))

    def test_interfaces_are_those_that_the_system_has(self):
        status, out, errors = program.run("eddy-multicast", "interfaces")
        self.assertEqual((status, errors), (0, ""))
        rows = [line.split() for line in out.splitlines()]
        self.assertEqual([(int(row[0]), row[1]) for row in rows], socket.if_nameindex())
        loopback = next(row for row in rows if row[1] == "lo")
        self.assertIn("loopback", loopback[2].split(","))
        self.assertIn("127.0.0.1", loopback[3:])

    def test_what_cannot_be_is_misuse(self):
        for mentions, arguments in {
            "127.0.0.1 is not the address of a multicast group": ["send", "127.0.0.1", "--port", "7", "x"],
            "nowhere is not an address": ["receive", "nowhere", "--port", "7"],
            "there is no interface none": ["send", "239.7.7.1", "--port", "7", "--interface", "none", "x"],
            "no source is of the family of ff02::7": ["receive", "ff02::7", "--port", "7", "--source", "127.0.0.1"],
            "239.7.7.2 is the address of a group": ["receive", "239.7.7.1", "--port", "7", "--source", "239.7.7.2"],
            "--port is required": ["receive", "239.7.7.1"],
            "--ttl": ["send", "239.7.7.1", "--port", "7", "--ttl", "256", "x"],
            "subcommand": [],
        }.items():
            with self.subTest(arguments=arguments):
                status, out, errors = program.run("eddy-multicast", *arguments)
                self.assertEqual((status, out, errors.count("\n")), (2, "", 1), errors)
                self.assertTrue(errors.startswith("eddy-multicast: "), errors)
                self.assertIn(mentions, errors)


if __name__ == "__main__":
    unittest.main()
