#include "http.hpp"
#include "loop.hpp"
#include "ring.hpp"
#include "served.hpp"
#include "support/ratio.hpp"
#include "support/request_load.hpp"
#include "support/server_by_hand.hpp"
#include "support/server_process.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The processor time of a server for a request of a file of 1 KiB, with 32 clients.

namespace {

const std::string request = "GET /a.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string one_response() {
    std::string response;
    lab::write_head(response, 200, "text/plain", 1024, true);
    return response + std::string(1024, 'a');
}

course::server_process ours(const std::string& root) {
    return course::server_process::forked([&](auto announce) {
        lab::ring ring;
        lab::loop loop(ring);
        lab::acceptor from;
        announce(from.port());
        lab::http_server server(from, root);
        loop.run(server.run());
    });
}

course::server_process by_hand() {
    return course::server_process::forked([](auto announce) {
        const int listening = course::listen_on();
        announce(course::port_of(listening));
        // Whatever ends with an empty line is answered by the same response.
        const std::string response = one_response();
        baseline::server_by_hand(listening, [&](std::span<const std::byte> received) {
            const std::string_view text(reinterpret_cast<const char*>(received.data()), received.size());
            return text.ends_with("\r\n\r\n") ? lab_test::bytes_of(response) : std::span<const std::byte>();
        }).run();
    });
}

double nanoseconds_each(const course::server_process& server) {
    // Heads differ in length, so the first response says how long one is.
    const int probe = course::connect_to(server.port());
    static_cast<void>(!::write(probe, request.data(), request.size()));
    std::string seen;
    std::size_t head = std::string::npos;
    while ((head = seen.find("\r\n\r\n")) == std::string::npos || seen.size() < head + 4 + 1024) {
        const std::string piece = lab_test::read_within(probe);
        if (piece.empty() || piece.front() == '(')
            break;
        seen += piece;
    }
    ::close(probe);
    course::request_load load(server.port(), 32, request, seen.size());
    static_cast<void>(load.nanoseconds_each(server, 2'000));
    return load.nanoseconds_each(server, 20'000);
}

// To compare with another program instead, from the tree's directory:
//     COURSE_AGAINST="build/release/bin/eddy-httpd --port {port} --root {root} --workers 1" build/course/reader/lab5_speed
TEST(speed, a_file_beside_a_loop_by_hand) {
    const lab_test::sample_directory directory;
    std::vector<std::string> command = course::words_of_environment("COURSE_AGAINST");
    for (std::string& word : command)
        if (word == "{root}")
            word = directory.served();
    const auto baseline = [&] {
        return nanoseconds_each(command.empty() ? by_hand() : course::server_process::program(command));
    };
    const double measured =
        course::best_ratio([&] { return nanoseconds_each(ours(directory.served())); }, baseline);
    course::expect_ratio(
        measured, command.empty() ? 2.0 : 1.5,
        "look at calls other than a receive and a send for each request: is the file kept in memory?",
        "memory-and-speed");
}

}  // namespace
