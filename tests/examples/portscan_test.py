"""The example portscan finds the ports that are open, and what they say."""

import os
import socket
import subprocess
import threading
import unittest

PROGRAM = os.path.join(os.environ["EXAMPLES"], "portscan")


def scan(*arguments):
    ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100)
    return ended.returncode, ended.stdout.splitlines(), ended.stderr


class PortScan(unittest.TestCase):
    def test_open_ports_are_found_with_what_they_say(self):
        with socket.create_server(("127.0.0.1", 0)) as talks, socket.create_server(("127.0.0.1", 0)) as waits:
            def greet():
                while True:
                    try:
                        client, _ = talks.accept()
                    except OSError:
                        return
                    with client:
                        client.sendall(b"220 at your\x1b service\r\nmore\r\n")

            threading.Thread(target=greet, daemon=True).start()
            ports = sorted((server.getsockname()[1], said) for server, said in
                           ((talks, " open: 220 at your. service"), (waits, " open")))
            for port, said in ports:
                status, lines, errors = scan("127.0.0.1", str(port), "--timeout-ms", "300")
                self.assertEqual((status, lines, errors), (0, [f"{port}{said}", "1 open, 0 closed, 0 silent"], ""))
            first = max(1, ports[0][0] - 300)
            last = min(65535, ports[0][0] + 300)
            status, lines, _ = scan("localhost", f"{first}-{last}", "--at-once", "50", "--timeout-ms", "300")
            self.assertEqual(status, 0)
            self.assertIn(f"{ports[0][0]}{ports[0][1]}", lines)
            counts = [int(part.split()[0]) for part in lines[-1].split(", ")]
            self.assertEqual(sum(counts), last - first + 1)
            self.assertEqual(counts[0], len(lines) - 1)
            talks.shutdown(socket.SHUT_RDWR)

    def test_a_closed_port_is_told(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # and does not listen
            self.assertEqual(scan("127.0.0.1", str(taken.getsockname()[1]))[1], ["0 open, 1 closed, 0 silent"])

    def test_what_is_wrong_is_said(self):
        for arguments in ([], ["127.0.0.1"], ["127.0.0.1", "0"], ["127.0.0.1", "9-1"], ["127.0.0.1", "1-70000"],
                          ["127.0.0.1", "1", "--at-once", "0"], ["127.0.0.1", "1", "--at-once"]):
            status, lines, errors = scan(*arguments)
            self.assertEqual((status, lines), (2, []), arguments)
            self.assertTrue(errors.startswith("portscan: "), errors)


if __name__ == "__main__":
    unittest.main()
