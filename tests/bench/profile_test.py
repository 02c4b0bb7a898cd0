"""What bench/profile makes of what perf printed, without perf."""

import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "profile"))

import flame_graph  # noqa: E402
import places  # noqa: E402
import samples  # noqa: E402
import shares  # noqa: E402
import stacks  # noqa: E402

RECORDED = """\
eddy-httpd 71 PERF_RECORD_MMAP2 71/71: [0x5580000000(0x20000) @ 0x10000 fe:00 12 3]: r-xp /build/eddy-httpd

eddy-httpd 71
\tffffffff8100 tcp_sendmsg ([kernel.kallsyms])
\tffffffff8200 __x64_sys_sendto ([kernel.kallsyms])
\t    7f0000100 __send (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t  5580000100 eddy::http::connection::flush(int) [clone .resume] (/build/eddy-httpd)
\t  5580000040 main (/build/eddy-httpd)

eddy-httpd 71
\t  5580000100 eddy::http::connection::flush(int) [clone .resume] (/build/eddy-httpd)
\t  5580000040 main (/build/eddy-httpd)

eddy-httpd 71
\tffffffff8300 io_send ([kernel.kallsyms])
\tffffffff8400 __x64_sys_io_uring_enter ([kernel.kallsyms])
\t  5580000040 main (/build/eddy-httpd)
"""

FILES = {0x10100: ["/usr/include/c++/12/bits/stl_vector.h", "/source/include/eddy/http/server/exchange.hpp", "/source/src/net/a.cpp"],
         0x10040: ["/source/apps/httpd/main.cpp"]}


def recorded():
    found = samples.read(RECORDED.splitlines())
    whose = places.Places(lambda file, offsets: {each: FILES[each] for each in offsets})
    whose.learn(found)
    return found, whose.owner


class Samples(unittest.TestCase):
    def test_stacks_are_counted_with_the_outermost_first(self):
        found = samples.read((RECORDED + "\n" + RECORDED).splitlines())
        self.assertEqual(sorted(found.values()), [2, 2, 2])
        self.assertEqual({stack[0].symbol for stack in found}, {"main"})

    def test_a_place_is_told_by_its_offset_in_the_file(self):
        main = next(iter(samples.read(RECORDED.splitlines())))[0]
        self.assertEqual(main, samples.Frame("main", "/build/eddy-httpd", 0x10040))


class Places(unittest.TestCase):
    def test_each_frame_has_an_owner(self):
        found, owner = recorded()
        owners = [owner(frame) for frame in max(found, key=len)]
        self.assertEqual(owners, ["program", "eddy/http", "libc", "kernel", "kernel"])

    def test_what_the_standard_library_does_counts_for_who_calls_it(self):
        self.assertEqual(places.by_source(FILES[0x10100]), "eddy/http")
        self.assertEqual(places.by_source(["/source/bench/peers/eddy/http.cpp"]), "program")

    def test_libraries_are_known_by_their_names(self):
        whose = places.Places(lambda file, offsets: {})
        for file, owner in (("/usr/lib/libcrypto.so.3", "OpenSSL"), ("[vdso]", "libc"), ("/usr/lib/libstdc++.so.6", "other libraries"),
                            ("/lib/modules/6.1/kernel/veth.ko", "kernel"), ("[unknown]", "other libraries")):
            with self.subTest(file):
                self.assertEqual(whose.owner(samples.Frame("f", file, 0)), owner)

    def test_segments_of_an_elf_file_are_read(self):
        head = b"\x7fELF\x02".ljust(32, b"\0") + struct.pack("<QQIHHH", 64, 0, 0, 64, 56, 1)
        entry = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x2000, 0, 0x300, 0x300, 0)
        with tempfile.NamedTemporaryFile() as file:
            file.write(head.ljust(64, b"\0") + entry)
            file.flush()
            self.assertEqual(places.load_segments(file.name), [(0x1000, 0x300, 0x2000)])


class Stacks(unittest.TestCase):
    def test_names_are_short(self):
        for symbol, name in (
            ("eddy::http::connection::flush(int) [clone .resume]", "eddy::http::connection::flush (resumed)"),
            ("std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"),
            ("eddy::task<void> eddy::(anonymous namespace)::serve<eddy::tcp_stream>(eddy::tcp_stream&) const", "eddy::serve"),
            ("a::operator()(int)", "a::operator()"), ("tcp_sendmsg", "tcp_sendmsg"), ("[unknown]", "[unknown]"), ("a::operator<<(int)", "a::operator<<"),
        ):
            with self.subTest(symbol):
                self.assertEqual(stacks.short(symbol), name)

    def test_the_folded_form_has_a_line_for_each_stack(self):
        found, _ = recorded()
        self.assertEqual(stacks.folded(found).splitlines(), [
            "main;__x64_sys_io_uring_enter;io_send 1",
            "main;eddy::http::connection::flush (resumed) 1",
            "main;eddy::http::connection::flush (resumed);__send;__x64_sys_sendto;tcp_sendmsg 1"])

    def test_a_node_counts_what_it_called(self):
        found, owner = recorded()
        main, = stacks.tree(found, owner).children.values()
        self.assertEqual((main.name, main.samples), ("main", 3))
        self.assertEqual(sorted(child.samples for child in main.children.values()), [1, 2])


class FlameGraph(unittest.TestCase):
    def test_widths_are_shares_and_tooltips_tell_them(self):
        found, owner = recorded()
        image = xml.etree.ElementTree.fromstring(flame_graph.draw(stacks.tree(found, owner), "a < b", "c & d"))
        name = "{http://www.w3.org/2000/svg}"
        boxes = {box.find(f"{name}title").text: box.find(f"{name}rect") for box in image.iter(f"{name}g")}
        half = boxes["eddy::http::connection::flush (resumed): 66.7 %, eddy/http"]
        self.assertAlmostEqual(float(half.get("width")), (flame_graph.WIDTH - 2 * flame_graph.MARGIN) * 2 / 3, delta=0.1)
        self.assertEqual(half.get("fill"), flame_graph.EDDY)

    def test_what_could_not_be_seen_is_left_out(self):
        root = stacks.Node()
        root.samples = 1_000_000
        root.child("seen", "kernel").samples = 999_999
        root.child("unseen", "kernel").samples = 1
        image = flame_graph.draw(root, "a")
        self.assertIn("<title>seen", image)
        self.assertNotIn("unseen", image)


class Shares(unittest.TestCase):
    def test_the_innermost_function_owns_the_sample(self):
        found, owner = recorded()
        owners, requests = shares.shares(found, owner)
        self.assertEqual(owners, {"kernel": 2, "eddy/http": 1})
        self.assertEqual(requests, {"sendto": 1, "io_uring: send": 1})

    def test_the_table_has_the_time_of_a_request(self):
        found, owner = recorded()
        self.assertEqual(shares.table(found, owner, 3.0).splitlines(), [
            "whose             share  ns/request",
            "kernel            66.7%        2000",
            "  sendto          33.3%        1000",
            "  io_uring: send  33.3%        1000",
            "eddy/http         33.3%        1000"])


if __name__ == "__main__":
    unittest.main()
