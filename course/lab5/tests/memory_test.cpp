// The server dropped at every turn: all descriptors, and (by AddressSanitizer) all memory must be back.

#include "http.hpp"
#include "served.hpp"
#include "support/test.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

using namespace lab_test;
using namespace std::chrono_literals;

namespace {

// A server, three clients and some requests; dropped after so many turns.
void serve_for(const std::string& root, int count) {
    lab::ring ring;
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        lab::acceptor from;
        lab::http_options options;
        options.head_timeout = 1ms;
        lab::http_server server(from, root, options);
        lab::task<> serving = server.run();
        serving.handle().resume();
        http_client first(from.port());
        http_client second(from.port());
        http_client third(from.port());
        first.send("GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\nGET /a.txt HTTP/1.1\r\nHost: x\r\n\r\n");
        second.send("GET /a.txt HT");
        co_await turns(count / 2);
        third.send("GET /sub/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        if (count % 3 == 0)
            server.drain();
        co_await turns(count - count / 2);
    };
    loop.run(work());
}

}  // namespace

TEST(memory, a_server_can_be_dropped_at_every_turn) {
    course::suspect("the server was dropped at some turn, and left something behind that was used again",
                    "memory-and-speed");
    const sample_directory directory;
    serve_for(directory.served(), 40);
    const int before = open_descriptors();
    for (int count = 0; count < 60; ++count) {
        serve_for(directory.served(), count);
        ASSERT_EQ(open_descriptors(), before)
            << "dropped after " << count << " turns"
            << course::why("a drop has left descriptors open", "step-3-what-was-won");
    }
}

TEST(memory, a_dropped_call_needs_no_memory) {
    lab::ring ring;
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::socket socket(pair.release(0));
        std::array<std::byte, 8> into;
        const auto before = course::allocations();
        for (int round = 0; round < 20; ++round) {
            const auto read = [&]() -> lab::task<> { co_await socket.read(into); };
            lab::task<> dropped = read();
            dropped.handle().resume();
            co_await lab::yield();
        }
        EXPECT_LE(course::allocations() - before, 20U) << course::why(
            "a drop allocates; it is to work when memory is short", "step-2-a-call-that-the-kernel-has");
    };
    loop.run(work());
}
