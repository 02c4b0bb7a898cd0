// Peers that send too much, or vanish in crowds.

#include "support/descriptor_limit.hpp"
#include "support/descriptors.hpp"
#include "support/numbered_bytes.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace eddy::pressure_test {
namespace {

using test::plain_socket;
using test::run_bounded;

std::size_t buffers_made() {
    return detail::worker_core::current().backend().buffers().buffers();
}

TEST(unread_stream, takes_a_bounded_number_of_buffers_from_a_peer_that_floods_it) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto flooding = plain_socket::connect(listener.local_endpoint().port());
        auto stream = co_await listener.accept();
        flooding.send_all("x", 1);
        EXPECT_EQ((co_await stream.read_leased()).size(), 1u);
        // The pooled receive goes on now. Nobody reads, and the peer sends all it can.
        std::vector<std::byte> bytes(1U << 20);
        std::uint64_t sent = 0;
        for (int idle = 0; idle < 50;) {
            test::fill_numbered(bytes, sent);
            const std::size_t fitted = flooding.send_what_fits(bytes.data(), bytes.size());
            sent += fitted;
            idle = fitted == 0 ? idle + 1 : 0;
            co_await test::turns(1);
            if (sent >= (std::uint64_t{1} << 30)) {
                ADD_FAILURE() << "a peer may send without end";
                co_return;
            }
        }
        EXPECT_LE(buffers_made(), 64u);
        // Nothing of it is lost.
        flooding.shut_down_sending();
        std::uint64_t received = 0;
        for (;;) {
            const auto lease = co_await stream.read_leased();
            if (lease.empty())
                break;
            EXPECT_EQ(test::count_numbered(lease.bytes(), received), lease.size());
            received += lease.size();
        }
        EXPECT_EQ(received, sent);
        EXPECT_LE(buffers_made(), 64u);
    };
    run_bounded(main());
}

task<> read_for_ever(tcp_stream stream) {
    for (;;) {
        const auto lease = co_await as_result(stream.read_leased());
        if (!lease || lease->empty())
            co_return;
    }
}

constexpr std::size_t few_buffers = 16;

TEST(buffers, come_back_after_storms_of_connections) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto port = listener.local_endpoint().port();
        const std::size_t before = test::open_descriptors();
        const std::vector<char> bytes(100'000, 'x');
        for (int storm = 0; storm < 20; ++storm) {
            std::vector<plain_socket> clients;
            std::vector<handle<>> serving;
            std::vector<tcp_stream> unread;
            for (int at = 0; at < 60; ++at) {
                clients.push_back(plain_socket::connect(port));
                auto stream = co_await listener.accept();
                if (at == 0) {  // it may take half of the buffers
                    clients.back().send_all("x", 1);
                    static_cast<void>(co_await as_result(stream.read_leased()));
                    unread.push_back(std::move(stream));
                } else {
                    serving.push_back(spawn(read_for_ever(std::move(stream))));
                }
                clients.back().send_what_fits(bytes.data(), bytes.size());
            }
            co_await test::turns(storm % 4);
            // Some go by a reset, some by an end, some streams and readers are dropped here.
            for (std::size_t at = 0; at < clients.size(); ++at) {
                if (at % 2 == 0)
                    clients[at].reset();
                else if (at % 3 == 0)
                    clients[at].close();
                if (at % 5 == 0 && at < serving.size())
                    serving[at].cancel();
            }
            co_await test::turns(storm % 3);
        }
        co_await test::turns(5);
        EXPECT_EQ(test::open_descriptors(), before);
        EXPECT_EQ(buffers_made(), few_buffers);

        // If every buffer has come back, so many leases can be held at once.
        std::vector<plain_socket> clients;
        std::vector<tcp_stream> streams;
        std::vector<buffer_lease> leases;
        for (std::size_t at = 0; at < few_buffers; ++at) {
            clients.push_back(plain_socket::connect(port));
            streams.push_back(co_await listener.accept());
            clients.back().send_all("y", 1);
            leases.push_back(co_await streams.back().read_leased());
            EXPECT_EQ(leases.back().size(), 1u);
        }
        // One more is served all the same: what arrives when few are left is copied out.
        clients.push_back(plain_socket::connect(port));
        streams.push_back(co_await listener.accept());
        clients.back().send_all("z", 1);
        EXPECT_EQ((co_await streams.back().read_leased()).size(), 1u);
        leases.clear();
        EXPECT_EQ(detail::worker_core::current().backend().buffers().available(), few_buffers);
    };
    run_bounded(main(),
                runtime_options().io(
                    io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(few_buffers)));
}

task<> send_too_late(tcp_stream& to) {
    co_await to.write_all(as_bytes("too late"));
}

TEST(buffers, come_back_when_bytes_arrive_while_the_stream_is_closed) {
    const auto main = []() -> task<> {
        for (int round = 0; round < 50; ++round) {
            std::vector<test::stream_pair> pairs;
            std::vector<handle<>> sending;
            for (int at = 0; at < 4; ++at) {
                pairs.push_back(co_await test::connected_streams());
                co_await pairs.back().client.write_all(as_bytes("x"));
                EXPECT_EQ((co_await pairs.back().server.read_leased()).size(), 1u);
            }
            co_await test::turns(round % 3);
            for (auto& pair : pairs)
                sending.push_back(spawn(send_too_late(pair.client)));
            co_await yield();
            for (auto& pair : pairs) {
                if (round % 2 == 0)
                    pair.server.close();
                else
                    auto dropped = std::move(pair.server);
            }
            for (auto& each : sending)
                co_await each;
            co_await test::turns(3);
        }
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto port = listener.local_endpoint().port();
        // If one were lost, this many leases could not be held at once.
        std::vector<plain_socket> clients;
        std::vector<tcp_stream> streams;
        std::vector<buffer_lease> leases;
        for (std::size_t at = 0; at < few_buffers; ++at) {
            clients.push_back(plain_socket::connect(port));
            streams.push_back(co_await listener.accept());
            clients.back().send_all("y", 1);
            leases.push_back(co_await streams.back().read_leased());
        }
    };
    // A full submission queue is flushed in the middle of a turn, which leaves completions unseen for a
    // while.
    run_bounded(main(), runtime_options().io(io::backend_options()
                                                 .receive_buffer_bytes(1024)
                                                 .receive_buffers_max(few_buffers)
                                                 .queue_entries(2)));
}

TEST(buffers, are_not_kept_by_streams_that_nobody_reads) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::vector<plain_socket> clients;
        std::vector<tcp_stream> unread;
        std::vector<std::byte> bytes(20'000);
        test::fill_numbered(bytes, 0);
        for (int at = 0; at < 20; ++at) {
            clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
            unread.push_back(co_await listener.accept());
            clients.back().send_all(bytes.data(), 1);
            EXPECT_EQ((co_await unread.back().read_leased()).size(), 1u);  // from now on it receives
            clients.back().send_what_fits(bytes.data() + 1, bytes.size() - 1);
            co_await test::turns(2);
        }
        // The others are served, and what those unread were sent is still there, in order.
        auto pair = co_await test::connected_streams();
        for (int round = 0; round < 100; ++round) {
            co_await pair.client.write_all(as_bytes("ping"));
            EXPECT_EQ((co_await pair.server.read_leased()).size(), 4u);
        }
        for (std::size_t at = 0; at < unread.size(); ++at) {
            clients[at].shut_down_sending();
            std::uint64_t received = 1;
            for (;;) {
                const auto lease = co_await unread[at].read_leased();
                if (lease.empty())
                    break;
                EXPECT_EQ(test::count_numbered(lease.bytes(), received), lease.size());
                received += lease.size();
            }
            EXPECT_GT(received, 1u);
        }
        EXPECT_EQ(detail::worker_core::current().backend().buffers().available(), buffers_made());
    };
    run_bounded(main(),
                runtime_options().io(
                    io::backend_options().receive_buffer_bytes(512).receive_buffers_max(few_buffers)));
}

TEST(buffers, that_are_scarce_leave_what_was_put_back_in_front_of_what_arrives) {
    const auto main = []() -> task<> {
        auto pair = co_await test::connected_streams();
        co_await pair.client.write_all(as_bytes("first, "));
        buffer_lease first = co_await pair.server.read_leased();
        const auto wait = [](tcp_stream& stream) -> task<> { co_await stream.read_leased(); };
        auto waiting = spawn(wait(pair.server));
        co_await test::turns(1);
        waiting.cancel();  // what it began goes on
        pair.server.put_back(std::move(first));
        co_await pair.client.write_all(as_bytes("second"));
        // The second takes the last buffer, so both move to memory of their own.
        auto& pool = detail::worker_core::current().backend().buffers();
        co_await test::turns_until([&pool] { return pool.available() == pool.buffers(); });
        const buffer_lease both = co_await pair.server.read_leased();
        EXPECT_EQ(as_text(both.bytes()), "first, second");
    };
    run_bounded(main(),
                runtime_options().io(io::backend_options().receive_buffer_bytes(512).receive_buffers_max(2)));
}

TEST(buffers, that_are_few_serve_many_connections) {
    if (!test::may_have_descriptors(500))
        GTEST_SKIP() << test::needs_descriptors;
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::vector<plain_socket> clients;
        std::vector<handle<std::uint64_t>> serving;
        const auto count = [](tcp_stream stream) -> task<std::uint64_t> {
            std::uint64_t received = 0;
            for (;;) {
                const auto lease = co_await stream.read_leased();
                if (lease.empty())
                    co_return received;
                EXPECT_EQ(test::count_numbered(lease.bytes(), received), lease.size());
                received += lease.size();
            }
        };
        std::vector<std::byte> bytes(20'000);
        test::fill_numbered(bytes, 0);
        for (int at = 0; at < 200; ++at) {
            clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
            serving.push_back(spawn(count(co_await listener.accept())));
        }
        for (auto& client : clients) {
            client.send_all(bytes.data(), bytes.size());
            client.shut_down_sending();
        }
        for (auto& each : serving)
            EXPECT_EQ(co_await each, bytes.size());
    };
    run_bounded(main(),
                runtime_options().io(io::backend_options().receive_buffer_bytes(512).receive_buffers_max(2)));
}

TEST(queue_entries, that_are_few_serve_many_connections) {
    if (!test::may_have_descriptors(700))
        GTEST_SKIP() << test::needs_descriptors;
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto exchange = [](endpoint to) -> task<> {
            auto stream = co_await tcp_stream::connect(to);
            co_await stream.write_all(as_bytes("x"));
            EXPECT_EQ((co_await stream.read_leased()).size(), 1u);
        };
        const auto answer = [](tcp_stream stream) -> task<> {
            auto lease = co_await stream.read_leased();
            co_await stream.write_all(lease.bytes());
        };
        std::vector<handle<>> running;
        for (int at = 0; at < 300; ++at)
            running.push_back(spawn(exchange(listener.local_endpoint())));
        for (int at = 0; at < 300; ++at)
            running.push_back(spawn(answer(co_await listener.accept())));
        for (auto& each : running)
            co_await each;
    };
    run_bounded(main(), runtime_options().io(io::backend_options().queue_entries(2)));
}

}  // namespace
}  // namespace eddy::pressure_test
