// Step 8 of lab 3: an echo server, and clients that misbehave.

#include "echo.hpp"
#include "stream_world.hpp"
#include "support/server_process.hpp"
#include "support/test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace lab_test;

// -- step 8 --

constexpr const char* server_anchor = "step-8-ten-thousand-clients";

namespace {

course::server_process echo_server(unsigned buffers = 1024) {
    return course::server_process::forked([buffers](auto announce) {
        course::raise_descriptor_limit();
        world here(buffers, 4096);
        lab::listener from;
        announce(from.port());
        here.loop.run(lab::serve_echo(from));
    });
}

/// Reads so many bytes, or as many as come within three seconds.
std::string read_exactly(int descriptor, std::size_t size) {
    std::string text;
    while (text.size() < size) {
        const std::string piece = read_within(descriptor, size - text.size());
        if (piece.empty() || piece.front() == '(')
            break;
        text += piece;
    }
    return text;
}

std::string echo_of(int client, const std::string& sent) {
    if (::send(client, sent.data(), sent.size(), MSG_NOSIGNAL) != std::ssize(sent))
        return "(not sent)";
    return read_exactly(client, sent.size());
}

}  // namespace

TEST(step8, write_all_sends_all) {
    course::suspect("write_all() does not end", server_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::stream stream(pair.release(0));
        std::string sent;
        for (int number = 0; sent.size() < 2'000'000; ++number)
            sent += std::to_string(number) + " ";
        bool is_done = false;
        const auto write = [&]() -> lab::task<> {
            co_await stream.write_all(bytes_of(sent));
            is_done = true;
        };
        here.loop.spawn(write());
        std::string got;
        std::string piece(100'000, '\0');
        for (int idle = 0; idle < 50 && got.size() < sent.size(); ++idle) {
            co_await turns(2);
            const auto size = ::recv(pair.ends[1], piece.data(), piece.size(), MSG_DONTWAIT);
            if (size <= 0)
                continue;
            got.append(piece, 0, static_cast<std::size_t>(size));
            idle = 0;
        }
        EXPECT_TRUE(got == sent)
            << got.size() << " of " << sent.size() << " bytes have come"
            << course::why(
                   "a send takes fewer bytes than it was given when the peer does not read: "
                   "send the rest",
                   server_anchor);
        co_await turns(2);
        EXPECT_TRUE(is_done);
    };
    here.loop.run(work());
}

TEST(step8, an_echo_comes_back) {
    const auto server = echo_server();
    const int client = course::connect_to(server.port());
    for (const char* text : {"hello", "and again", "x"})
        EXPECT_EQ(echo_of(client, text), text)
            << course::why("a client gets back what it sends", server_anchor);
    ::shutdown(client, SHUT_WR);
    EXPECT_EQ(read_within(client), "") << course::why(
        "when the client has sent all, the session ends and the stream is closed", server_anchor);
    ::close(client);
}

TEST(step8, a_client_that_reads_late_gets_everything) {
    const auto server = echo_server();
    const int client = course::connect_to(server.port());
    const int small = 131'072;
    ::setsockopt(client, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    std::string sent;
    std::string got;
    for (int number = 0; sent.size() < 3'000'000; ++number)
        sent += std::to_string(number) + " ";
    std::size_t done = 0;
    for (int rounds = 0; rounds < 100'000 && got.size() < sent.size(); ++rounds) {
        const auto size = ::send(client, sent.data() + done, sent.size() - done, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size > 0) {
            done += static_cast<std::size_t>(size);
            continue;
        }
        // The server's send finds the window full before this reads.
        const std::string piece = read_within(client);
        if (piece.empty() || piece.front() == '(')
            break;
        got += piece;
    }
    EXPECT_TRUE(got == sent)
        << got.size() << " of " << sent.size() << " bytes came back, the first "
        << std::ranges::mismatch(got, sent).in1 - got.begin() << " of them right"
        << course::why(
               "a send takes fewer bytes than it was given when the client does not read: send the rest, "
               "and hold the lease until then",
               server_anchor);
    ::close(client);
}

TEST(step8, clients_that_reset_or_leave_end_their_own_session_only) {
    const auto server = echo_server();
    const int good = course::connect_to(server.port());
    for (int number = 0; number < 50; ++number) {
        const int bad = course::connect_to(server.port());
        const std::string text(20'000, 'x');
        ::send(bad, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (number % 2 == 0) {
            EXPECT_EQ(read_within(bad, 1).size(), 1U);
        }
        reset(bad);
    }
    EXPECT_EQ(echo_of(good, "still there"), "still there");
    EXPECT_TRUE(server.is_alive()) << course::why(
        "one client's end has ended the server: an exception left a session, or a send raised SIGPIPE",
        server_anchor);
    ::close(good);
}

TEST(step8, ten_thousand_clients) {
    constexpr std::size_t floods = 300;
#ifdef COURSE_SANITIZED
    constexpr std::size_t wanted = 2'000;
#else
    constexpr std::size_t wanted = 10'000;
#endif
    const std::size_t count = std::min(wanted, course::raise_descriptor_limit() - 200);
    if (count < wanted)
        std::printf("the limit of descriptors (ulimit -Hn) allows %zu clients only\n", count);
    const auto server = echo_server();
    std::vector<int> clients;
    for (std::size_t number = 0; number < count; ++number) {
        const int client = course::connect_to(server.port());
        ASSERT_GE(client, 0) << "after " << number << " clients"
                             << course::why("the server accepts no more clients", server_anchor);
        clients.push_back(client);
    }
    // Some send all that the server takes, and read nothing.
    const std::string flood(16'384, 'f');
    const int small = 4096;
    for (std::size_t number = 0; number < floods; ++number)
        ::setsockopt(clients[number], SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    for (int rounds = 0; rounds < 10; ++rounds)
        for (std::size_t number = 0; number < floods; ++number)
            ::send(clients[number], flood.data(), flood.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    // Of the others some leave, in good order or not, and all that stay are served.
    for (std::size_t number = floods; number < count; ++number) {
        if (number % 7 == 0)
            reset(std::exchange(clients[number], -1));
        else if (number % 7 == 1)
            ::close(std::exchange(clients[number], -1));
    }
    for (const std::string text : {"a", "a few words", "and so on"}) {
        for (std::size_t number = floods; number < count; ++number)
            if (clients[number] >= 0) {
                ASSERT_EQ(::send(clients[number], text.data(), text.size(), MSG_NOSIGNAL), std::ssize(text));
            }
        for (std::size_t number = floods; number < count; ++number)
            if (clients[number] >= 0) {
                ASSERT_EQ(read_exactly(clients[number], text.size()), text)
                    << "client " << number
                    << course::why(
                           "a client got no echo, or a wrong one, while others flood the server without "
                           "reading",
                           server_anchor);
            }
    }
    EXPECT_TRUE(server.is_alive());
    for (const int client : clients)
        if (client >= 0)
            ::close(client);
}
