#include "support/descriptor_limit.hpp"
#include "support/descriptors.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::tcp_listener_test {
namespace {

using test::plain_socket;
using test::run_bounded;

/// Accepts a client and sends back what it sends first.
task<> expect_to_echo(tcp_listener& listener) {
    tcp_stream client = co_await listener.accept();
    const buffer_lease received = co_await client.read_leased();
    co_await client.write_all(received.bytes());
}

TEST(tcp_listener, names_the_endpoint_that_it_cannot_have) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::string name = listener.local_endpoint().to_string();
        try {
            auto second = tcp_listener::bind(listener.local_endpoint());
            ADD_FAILURE() << "bound twice";
        } catch (const std::system_error& caught) {
            EXPECT_EQ(caught.code(), std::errc::address_in_use);
            EXPECT_NE(std::string(caught.what()).find(name), std::string::npos) << caught.what();
        }
        co_return;
    };
    const std::size_t before = test::open_descriptors();
    run_bounded(main());
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(tcp_listener, gives_connections_in_the_order_of_their_coming) {
    if (!test::may_have_descriptors(900))
        GTEST_SKIP() << test::needs_descriptors;
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::vector<plain_socket> clients;
        // More than a listener keeps, so that the system's backlog and the re-arming are in it.
        constexpr int count = 700;
        for (int at = 0; at < count; ++at)
            clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
        for (int at = 0; at < count; ++at) {
            auto accepted = co_await listener.accept();
            sockaddr_in local{};
            socklen_t size = sizeof(local);
            ::getsockname(clients[static_cast<std::size_t>(at)].descriptor(),
                          reinterpret_cast<sockaddr*>(&local), &size);
            EXPECT_EQ(accepted.remote_endpoint().port(), ntohs(local.sin_port)) << at;
        }
    };
    run_bounded(main());
}

task<std::size_t> bytes_taken_from(listen_options options) {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0), options);
    const tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint());
    tcp_stream server = co_await listener.accept();
    const std::vector<std::byte> bytes(4096);
    const const_buffer piece[] = {const_buffer(bytes)};
    std::size_t taken = 0;
    for (std::size_t more = server.try_write(piece); more != 0; more = server.try_write(piece))
        taken += more;
    co_return taken;
}

TEST(tcp_listener, leaves_connections_to_the_system_beyond_those_that_it_keeps) {
    if (!test::may_have_descriptors(1300))
        GTEST_SKIP() << test::needs_descriptors;
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::size_t before = test::open_descriptors();
        std::vector<plain_socket> clients;
        clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
        auto first = co_await listener.accept();  // which goes on by itself
        for (int rounds = 0; rounds < 60; ++rounds) {
            for (int at = 0; at < 10; ++at)
                clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
            co_await test::turns(1);
        }
        EXPECT_LT(test::open_descriptors(), before + clients.size() + 400);
    };
    run_bounded(main());
}

TEST(tcp_listener, limits_what_the_system_takes_from_writes_before_it_can_send) {
    const auto main = []() -> task<> {
        const std::size_t usual = co_await bytes_taken_from(listen_options());
        const std::size_t limited = co_await bytes_taken_from(listen_options().unsent_bytes_max(16 * 1024));
        EXPECT_GT(limited, 0U);
        EXPECT_LT(limited, usual / 2);
    };
    run_bounded(main());
}

TEST(tcp_listener, passes_over_connections_that_were_reset_while_they_waited) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto port = listener.local_endpoint().port();
        for (int at = 0; at < 10; ++at)
            plain_socket::connect(port).reset();
        auto last = plain_socket::connect(port);
        last.send_all("x", 1);
        for (;;) {
            auto accepted = co_await listener.accept();
            auto lease = co_await as_result(accepted.read_leased());
            if (lease && lease->size() == 1)
                break;
        }
    };
    run_bounded(main());
}

TEST(tcp_listener, closes_what_nobody_accepted) {
    const auto main = []() -> task<> {
        const std::size_t before = test::open_descriptors();
        std::vector<plain_socket> clients;
        {
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            for (int at = 0; at < 50; ++at)
                clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
            auto first = co_await listener.accept();
            co_await test::turns(3);
        }
        co_await test::turns(3);
        EXPECT_EQ(test::open_descriptors(), before + clients.size());
        char byte = 0;
        for (auto& client : clients)
            EXPECT_LE(client.receive(&byte, 1), 0);
    };
    run_bounded(main());
}

TEST(tcp_listener, closes_connections_that_arrive_while_it_is_closed) {
    const auto main = []() -> task<> {
        for (const bool is_dropped : {false, true}) {
            const std::size_t before = test::open_descriptors();
            for (int round = 0; round < 50; ++round) {
                std::optional<tcp_listener> listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
                auto first = plain_socket::connect(listener->local_endpoint().port());
                auto accepted = co_await listener->accept();  // the accept goes on after it
                co_await test::turns(round % 3);
                std::vector<handle<tcp_stream>> connecting;
                for (int at = 0; at < 6; ++at)
                    connecting.push_back(spawn(tcp_stream::connect(listener->local_endpoint())));
                co_await yield();
                if (is_dropped)
                    listener.reset();
                else
                    listener->close();
                co_await test::turns(3);
            }
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before) << is_dropped;
        }
    };
    // A full submission queue is flushed in the middle of a turn, which leaves completions unseen for a
    // while.
    run_bounded(main(), runtime_options().io(io::backend_options().queue_entries(2)));
}

task<std::size_t> serve_one(io::plain_descriptor taken) {
    tcp_stream stream(taken.release());
    const buffer_lease request = co_await stream.read_leased();
    co_await stream.write_all(request.bytes());
    co_return request.size();
}

/// Receives at a descriptor whose number was another's just now.
task<> expect_datagram() {
    udp_socket socket = udp_socket::bind(endpoint::loopback_ipv4(0));
    std::array<std::byte, 4> memory{};
    const auto receive = [&]() -> task<> { co_await socket.receive_from(memory); };
    auto receiving = spawn(receive());
    co_await test::turns(3);
    co_await socket.send_to(as_bytes("x"), socket.local_endpoint());
    co_await with_timeout(std::move(receiving), std::chrono::seconds(30));
}

TEST(tcp_listener, hands_connections_to_other_workers) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        for (std::size_t round = 0; round < 30; ++round) {
            auto client = plain_socket::connect(listener.local_endpoint().port());
            tcp_stream accepted = co_await listener.accept();
            if (round % 2 != 0) {  // used here before
                std::array<std::byte, 1> memory{};
                const auto read = [&]() -> task<std::size_t> { co_return co_await accepted.read(memory); };
                auto reading = spawn(read());
                co_await test::turns(2);
                EXPECT_TRUE(client.send_all("?", 1));
                const std::size_t size = co_await std::move(reading);
                EXPECT_EQ(size, 1U);
            }
            auto serving = runtime::current().spawn_on(round % 3, serve_one(accepted.release()));
            EXPECT_FALSE(accepted.is_open());
            EXPECT_TRUE(client.send_all("word", 4));
            const std::size_t served = co_await std::move(serving);
            EXPECT_EQ(served, 4U);
            std::array<char, 4> answer{};
            EXPECT_TRUE(client.receive_exactly(answer.data(), answer.size()));
            EXPECT_EQ(client.receive(answer.data(), answer.size()), 0);
            co_await expect_datagram();
        }
        auto client = plain_socket::connect(listener.local_endpoint().port());
        tcp_stream accepted = co_await listener.accept();
        static_cast<void>(accepted.release());  // nobody takes it over
        char byte = 0;
        EXPECT_EQ(client.receive(&byte, 1), 0);
    };
    const std::size_t before = test::open_descriptors();
    run_bounded(main(), runtime_options().workers(3));
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(tcp_listener, shares_its_port_with_those_of_other_workers) {
    std::atomic<int> served = 0;
    std::atomic<int> listening = 0;
    const auto serve = [](std::uint16_t port, std::atomic<int>& ready, std::atomic<int>& count) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(port), listen_options().reuse_port(true));
        ++ready;
        for (;;) {
            auto stream = co_await listener.accept();
            co_await stream.write_all(as_bytes("x"));
            ++count;
        }
    };
    const auto main = [](auto work, std::atomic<int>& ready, std::atomic<int>& count) -> task<> {
        auto first = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().reuse_port(true));
        const auto port = first.local_endpoint().port();
        std::vector<remote_handle<>> serving;
        for (std::size_t index = 0; index < 3; ++index)
            serving.push_back(runtime::current().spawn_on(index, work(port, ready, count)));
        co_await test::turns_until([&ready] { return ready == 3; });
        first.close();
        co_await test::turns(2);
        constexpr int connections = 200;
        for (int at = 0; at < connections; ++at) {
            auto stream = co_await tcp_stream::connect(endpoint::loopback_ipv4(port));
            const auto lease = co_await stream.read_leased();
            EXPECT_EQ(lease.size(), 1u);
        }
        co_await test::turns_until([&count] { return count == connections; });
        for (auto& each : serving)
            co_await each.cancel();
    };
    run_bounded(main(serve, listening, served), runtime_options().workers(3));
}

// A socket that listens on the loopback address, as who starts a program would hand it over.
io::plain_descriptor foreign_listener(int flags) {
    io::plain_descriptor made(::socket(AF_INET, SOCK_STREAM | flags, 0));
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(made.get(), reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0);
    EXPECT_EQ(::listen(made.get(), 16), 0);
    return made;
}

TEST(tcp_listener, takes_over_sockets_that_others_have_made) {
    const auto main = []() -> task<> {
        for (const int flags : {0, static_cast<int>(SOCK_NONBLOCK)}) {
            auto listener = tcp_listener::adopt(foreign_listener(flags));
            auto accepting = spawn(expect_to_echo(listener));
            co_await test::turns(2);
            EXPECT_FALSE(accepting.done());
            auto client = plain_socket::connect(listener.local_endpoint().port());
            EXPECT_TRUE(client.send_all("x", 1));
            co_await accepting;
            char byte = 0;
            EXPECT_TRUE(client.receive_exactly(&byte, 1));
        }
    };
    const std::size_t before = test::open_descriptors();
    run_bounded(main());
    EXPECT_EQ(test::open_descriptors(), before);
}

std::error_code refusal_of(io::plain_descriptor adopted) {
    try {
        static_cast<void>(tcp_listener::adopt(std::move(adopted)));
    } catch (const std::system_error& caught) {
        return caught.code();
    }
    return {};
}

TEST(tcp_listener, takes_over_nothing_that_does_not_listen) {
    const auto main = []() -> task<> {
        EXPECT_EQ(refusal_of(io::plain_descriptor()), std::errc::bad_file_descriptor);
        EXPECT_EQ(refusal_of(io::plain_descriptor(::socket(AF_INET, SOCK_STREAM, 0))),
                  std::errc::invalid_argument);
        EXPECT_EQ(refusal_of(io::plain_descriptor(::open("/dev/null", O_RDONLY))), std::errc::not_a_socket);
        io::plain_descriptor local(::socket(AF_UNIX, SOCK_STREAM, 0));
        const sockaddr_un unnamed{AF_UNIX, {}};
        EXPECT_EQ(
            ::bind(local.get(), reinterpret_cast<const sockaddr*>(&unnamed), sizeof(unnamed.sun_family)), 0);
        EXPECT_EQ(::listen(local.get(), 1), 0);
        EXPECT_TRUE(refusal_of(std::move(local))) << "a local one";
        co_return;
    };
    const std::size_t before = test::open_descriptors();
    run_bounded(main());
    EXPECT_EQ(test::open_descriptors(), before);
}

task<> serve_adopted(io::plain_descriptor listening) {
    auto listener = tcp_listener::adopt(std::move(listening));
    co_await expect_to_echo(listener);
}

TEST(tcp_listener, is_given_to_other_workers_with_the_connections_that_wait) {
    const auto main = []() -> task<> {
        for (std::size_t round = 0; round < 30; ++round) {
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            auto client = plain_socket::connect(listener.local_endpoint().port());
            auto serving = runtime::current().spawn_on(round % 3, serve_adopted(listener.release()));
            const auto late = co_await as_result(listener.accept());
            EXPECT_EQ(late.error(), std::errc::operation_canceled);
            EXPECT_TRUE(client.send_all("x", 1));
            co_await serving;
            char byte = 0;
            EXPECT_TRUE(client.receive_exactly(&byte, 1));
            co_await expect_datagram();
        }
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const endpoint where = listener.local_endpoint();
        static_cast<void>(listener.release());  // nobody takes it over, so that it is closed at once
        listener = tcp_listener::bind(where);
    };
    const std::size_t before = test::open_descriptors();
    run_bounded(main(), runtime_options().workers(3));
    EXPECT_EQ(test::open_descriptors(), before);
}

}  // namespace
}  // namespace eddy::tcp_listener_test
