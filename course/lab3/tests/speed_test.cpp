#include "buffers.hpp"
#include "echo.hpp"
#include "loop.hpp"
#include "ring.hpp"
#include "support/ratio.hpp"
#include "support/request_load.hpp"
#include "support/server_by_hand.hpp"
#include "support/server_process.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

// The processor time of a server for a request of 128 bytes, with 50 clients.

namespace {

course::server_process ours() {
    return course::server_process::forked([](auto announce) {
        lab::ring ring;
        lab::buffers pool(ring);
        lab::loop loop(ring);
        lab::listener from;
        announce(from.port());
        loop.run(lab::serve_echo(from));
    });
}

course::server_process by_hand() {
    return course::server_process::forked([](auto announce) {
        const int listening = course::listen_on();
        announce(course::port_of(listening));
        baseline::server_by_hand(listening, [](std::span<const std::byte> received) {
            return received;
        }).run();
    });
}

double nanoseconds_each(const course::server_process& server) {
    course::request_load load(server.port(), 50, std::string(128, 'x'), 128);
    static_cast<void>(load.nanoseconds_each(server, 2'000));
    return load.nanoseconds_each(server, 30'000);
}

// To compare with another program instead, from the tree's directory:
//     COURSE_AGAINST="build/release/bin/eddy-echo --port {port} --workers 1" build/course/reader/lab3_speed
TEST(speed, an_echo_beside_a_loop_by_hand) {
    const std::vector<std::string> command = course::words_of_environment("COURSE_AGAINST");
    const auto baseline = [&] {
        return nanoseconds_each(command.empty() ? by_hand() : course::server_process::program(command));
    };
    const double measured = course::best_ratio([] { return nanoseconds_each(ours()); }, baseline);
    course::expect_ratio(
        measured, 1.3,
        "look at the number of system calls a turn, receives that are begun anew, and allocations",
        "memory-and-speed");
}

}  // namespace
