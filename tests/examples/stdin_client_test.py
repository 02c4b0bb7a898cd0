"""The example stdin_client sends its input to a server and prints what the server says, both at once."""

import contextlib
import os
import socket
import subprocess
import tempfile
import threading
import unittest

import program  # of tests/apps


def command(port):
    return [os.environ["STDIN_CLIENT"], str(port)]


def talk(port, lines):
    ended = subprocess.run(command(port), input=lines, capture_output=True, text=True, timeout=program.PATIENCE_S)
    return ended.returncode, ended.stdout, ended.stderr


@contextlib.contextmanager
def served(visit):
    """The port of a server that calls `visit` with its one connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(program.PATIENCE_S)

        def serve():
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(program.PATIENCE_S)
                visit(connection)

        serving = threading.Thread(target=serve)
        serving.start()
        yield listener.getsockname()[1]
        serving.join(program.PATIENCE_S)


class StdinClient(unittest.TestCase):
    def test_every_line_comes_back_in_order_and_the_end_of_input_ends_it(self):
        lines = "".join(f"line {number} {'x' * (number * 37 % 5000)}\n" for number in range(200))
        with program.Server("eddy-echo") as server:
            self.assertEqual(talk(server.port, lines), (0, lines, ""))

    def test_no_input_is_no_conversation(self):
        with program.Server("eddy-echo") as server:
            self.assertEqual(talk(server.port, ""), (0, "", ""))

    def test_a_last_line_may_have_no_end(self):
        with program.Server("eddy-echo") as server:
            self.assertEqual(talk(server.port, "one\n\ntwo"), (0, "one\n\ntwo", ""))

    def test_the_server_says_what_it_will_once_the_input_has_ended(self):
        received = []

        def answer_late(connection):
            while said := connection.recv(65_536):
                received.append(said)
            connection.sendall(b"all of it\n")

        with served(answer_late) as port:
            self.assertEqual(talk(port, "line\n" * 100_000), (0, "all of it\n", ""))
        self.assertEqual(b"".join(received), b"line\n" * 100_000)

    def test_the_server_may_speak_first_and_unasked(self):
        def speak_first(connection):
            connection.sendall(b"welcome\n")
            connection.recv(100)
            connection.sendall(b"and farewell\n")

        with served(speak_first) as port, subprocess.Popen(
                command(port), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
            self.assertEqual(client.stdout.readline(), "welcome\n")
            client.stdin.close()
            self.assertEqual(client.stdout.read(), "and farewell\n")
            self.assertEqual(client.wait(program.PATIENCE_S), 0)

    def test_an_answer_comes_before_the_next_line_is_typed(self):
        with program.Server("eddy-echo") as server, subprocess.Popen(
                command(server.port), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
            for line in ("one\n", "two\n"):
                client.stdin.write(line)
                client.stdin.flush()
                self.assertEqual(client.stdout.readline(), line)
            client.stdin.close()
            self.assertEqual(client.wait(program.PATIENCE_S), 0)

    def test_its_input_may_be_a_file_or_nothing(self):
        lines = "".join(f"line {number}\n" for number in range(2000))
        with program.Server("eddy-echo") as server, tempfile.TemporaryFile() as file:
            file.write(lines.encode())
            file.seek(0)
            for given, expected in ((file, lines), (subprocess.DEVNULL, "")):
                ended = subprocess.run(command(server.port), stdin=given, capture_output=True, text=True,
                                       timeout=program.PATIENCE_S)
                self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, expected, ""))

    def test_its_input_and_output_may_be_a_terminal(self):
        user, terminal = os.openpty()
        with program.Server("eddy-echo") as server, subprocess.Popen(
                command(server.port), stdin=terminal, stdout=terminal) as client:
            os.close(terminal)
            os.write(user, b"one\n")
            shown = b""
            while shown.count(b"one\r\n") < 2:  # as typed, and as it came back
                shown += os.read(user, 100)
            os.write(user, b"\x04")  # what a user types for the end
            self.assertEqual(client.wait(program.PATIENCE_S), 0)
        os.close(user)

    def test_a_server_that_leaves_is_told(self):
        with served(lambda connection: connection.recv(100)) as port, subprocess.Popen(
                command(port), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as client:
            client.stdin.write("one\n")
            client.stdin.flush()
            self.assertEqual(client.stdout.read(), "")
            self.assertIn("reset", client.stderr.read())
            self.assertEqual(client.wait(program.PATIENCE_S), 1)

    def test_no_server_is_told(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        status, out, errors = talk(port, "one\n")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("refused", errors)

    def test_a_port_that_is_none_is_told(self):
        self.assertEqual(talk("seven", "one\n")[0], 2)


if __name__ == "__main__":
    unittest.main()
