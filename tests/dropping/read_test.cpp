// A dropped read loses no byte: what had arrived for it is what the next read gives.

#include "support/descriptors.hpp"
#include "support/drop_moments.hpp"
#include "support/numbered_bytes.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <tuple>
#include <vector>

namespace eddy::read_test {
namespace {

using test::moment;
using test::plain_socket;
using test::race;

/// The ways of waiting for bytes, which mean different operations.
enum class way {
    in_place,        ///< a receive of the read's own
    from_receiving,  ///< read() while the stream's pooled receive is under way
    leased,          ///< read_leased(), which begins the pooled receive or finds it under way
};
constexpr way every_way[] = {way::in_place, way::from_receiving, way::leased};

std::string name_of(way how) {
    return how == way::in_place ? "in_place" : how == way::leased ? "leased" : "from_receiving";
}

task<> read_once(tcp_stream& stream, way how, std::span<std::byte> into) {
    if (how == way::leased)
        static_cast<void>(co_await stream.read_leased());
    else
        co_await stream.read(into);
}

/// A stream and its peer, with the numbered bytes that go from one to the other.
class connection {
public:
    explicit connection(tcp_listener& listener)
        : peer(plain_socket::connect(listener.local_endpoint().port())) {}

    task<> accept(tcp_listener& listener, way how) {
        stream.emplace(co_await listener.accept());
        if (how != way::from_receiving)
            co_return;
        send(1);
        co_await receive(true);
    }
    void send(std::size_t size) {
        std::vector<std::byte> piece(size);
        test::fill_numbered(piece, sent);
        EXPECT_TRUE(peer.send_all(piece.data(), size));
        sent += size;
    }
    /// Reads all that was sent, in small pieces, and checks it.
    task<> receive(bool is_leased) {
        std::array<std::byte, 7> memory;
        while (received < sent) {
            buffer_lease lease;
            std::span<const std::byte> got;
            if (is_leased) {
                lease = co_await stream->read_leased();
                got = lease.bytes();
            } else {
                got = std::span(memory).first(co_await stream->read(memory));
            }
            EXPECT_FALSE(got.empty());
            EXPECT_EQ(test::count_numbered(got, received), got.size()) << "at byte " << received;
            if (got.empty() || ::testing::Test::HasFailure())
                co_return;
            received += got.size();
        }
    }

    plain_socket peer;
    std::optional<tcp_stream> stream;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
};

using when_and_how = std::tuple<moment, way>;

class a_dropped_read : public ::testing::TestWithParam<when_and_how> {};

TEST_P(a_dropped_read, loses_no_byte) {
    const auto main = [](moment when, way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        connection made(listener);
        co_await made.accept(listener, how);
        for (int round = 0; round < 20; ++round) {
            std::array<std::byte, 64> memory{};
            race run(when, [&made] { made.send(30); });
            auto dropped = spawn(read_once(*made.stream, how, memory));
            co_await run.reach();
            run.drop(dropped);
            memory.fill(std::byte{0x11});
            run.win();
            co_await made.receive(round % 2 == 0 && how != way::in_place);
            EXPECT_TRUE(std::ranges::all_of(memory, [](std::byte each) { return each == std::byte{0x11}; }))
                << "the memory of a dropped read was written to";
            EXPECT_EQ(made.received, made.sent);
        }
    };
    test::run_bounded(main(std::get<0>(GetParam()), std::get<1>(GetParam())), test::one_entry_options());
}

TEST_P(a_dropped_read, leaves_the_end_of_the_stream_to_the_next) {
    const auto main = [](moment when, way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        connection made(listener);
        co_await made.accept(listener, how);
        std::array<std::byte, 64> memory{};
        race run(when, [&made] { made.peer.shut_down_sending(); });
        auto dropped = spawn(read_once(*made.stream, how, memory));
        co_await run.reach();
        run.drop(dropped);
        run.win();
        EXPECT_EQ(co_await made.stream->read(memory), 0u);
        EXPECT_TRUE((co_await made.stream->read_leased()).empty());
    };
    test::run_bounded(main(std::get<0>(GetParam()), std::get<1>(GetParam())), test::one_entry_options());
}

TEST_P(a_dropped_read, leaves_the_error_of_the_connection_to_the_next) {
    const auto main = [](moment when, way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        connection made(listener);
        co_await made.accept(listener, how);
        std::array<std::byte, 64> memory{};
        race run(when, [&made] { made.peer.reset(); });
        auto dropped = spawn(read_once(*made.stream, how, memory));
        co_await run.reach();
        run.drop(dropped);
        run.win();
        const auto next = co_await as_result(made.stream->read(memory));
        EXPECT_FALSE(next.has_value());
        if (!next) {
            EXPECT_EQ(next.error(), std::errc::connection_reset);
        }
    };
    test::run_bounded(main(std::get<0>(GetParam()), std::get<1>(GetParam())), test::one_entry_options());
}

TEST_P(a_dropped_read, gives_back_its_buffer_and_descriptor_when_its_stream_goes) {
    const auto main = [](moment when, way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        {
            connection first(listener);  // begins the listener's accept and the pool
            co_await first.accept(listener, way::from_receiving);
        }
        co_await test::turns(3);
        auto& buffers = detail::worker_core::current().backend().buffers();
        const std::size_t descriptors = test::open_descriptors();
        for (int round = 0; round < 20; ++round) {
            {
                connection made(listener);
                co_await made.accept(listener, how);
                std::array<std::byte, 64> memory{};
                race run(when, [&made] { made.send(30); });
                auto dropped = spawn(read_once(*made.stream, how, memory));
                co_await run.reach();
                run.drop(dropped);
            }
            co_await test::turns(3);
            EXPECT_EQ(buffers.available(), buffers.buffers());
            EXPECT_EQ(test::open_descriptors(), descriptors);
            EXPECT_EQ(runtime::current().metrics(0).connections, 0u);
        }
    };
    test::run_bounded(main(std::get<0>(GetParam()), std::get<1>(GetParam())), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, a_dropped_read,
                         ::testing::Combine(::testing::ValuesIn(test::every_moment()),
                                            ::testing::ValuesIn(every_way)),
                         [](const auto& instance) {
                             return name_of(std::get<1>(instance.param)) + "_" +
                                    test::to_string(std::get<0>(instance.param));
                         });

// -- half-way through a receive that goes on by itself --

/// How far the bytes have come that a stream's receive has yet to give when its owner loses interest.
enum class arrival { none, unseen, reported, queued };
constexpr arrival every_arrival[] = {arrival::none, arrival::unseen, arrival::reported, arrival::queued};

std::string name_of(arrival how_far) {
    constexpr const char* names[] = {"none", "unseen", "reported", "queued"};
    return names[static_cast<std::size_t>(how_far)];
}

task<> let_arrive(connection& made, arrival how_far) {
    if (how_far != arrival::none)
        made.send(100);
    if (how_far == arrival::reported)
        test::enter_without_reaping();
    if (how_far == arrival::queued)
        co_await test::turns(3);
}

class a_receive_that_goes_on : public ::testing::TestWithParam<arrival> {};

TEST_P(a_receive_that_goes_on, gives_all_its_buffers_back_when_the_stream_is_dropped_half_way) {
    const auto main = [](arrival how_far) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::optional<connection> made(listener);
        co_await made->accept(listener, way::from_receiving);
        made.reset();
        co_await test::turns(3);
        auto& buffers = detail::worker_core::current().backend().buffers();
        const std::size_t descriptors = test::open_descriptors();
        for (int round = 0; round < 20; ++round) {
            made.emplace(listener);
            co_await made->accept(listener, way::from_receiving);
            for (int piece = 0; piece < 3; ++piece) {  // some are read, some wait in the stream
                made->send(20);
                co_await test::turns(2);
                if (piece == 0)
                    co_await made->receive(true);
            }
            // On epoll they wait in the system, which is asked by reads only.
            EXPECT_EQ(buffers.buffers() - buffers.available(), test::is_on_io_uring() ? 2u : 0u);
            co_await let_arrive(*made, how_far);
            if (round % 2 == 0)
                made->stream->close();
            made.reset();
            co_await test::turns(4);
            EXPECT_EQ(buffers.available(), buffers.buffers());
            EXPECT_EQ(test::open_descriptors(), descriptors);
            EXPECT_EQ(runtime::current().metrics(0).connections, 0u);
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

TEST_P(a_receive_that_goes_on, keeps_the_order_when_a_reader_is_dropped_half_way) {
    const auto main = [](arrival how_far) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        connection made(listener);
        co_await made.accept(listener, way::from_receiving);
        for (int round = 0; round < 20; ++round) {
            made.send(20);
            co_await made.receive(round % 2 == 0);
            auto dropped = spawn(read_once(*made.stream, way::leased, {}));
            co_await yield();
            made.send(20);
            co_await test::until_one_is_ready();  // its reader is about to go on
            co_await let_arrive(made, how_far == arrival::queued ? arrival::reported : how_far);
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            co_await made.receive(round % 3 == 0);
            EXPECT_EQ(made.received, made.sent);
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, a_receive_that_goes_on, ::testing::ValuesIn(every_arrival),
                         [](const auto& instance) { return name_of(instance.param); });

}  // namespace
}  // namespace eddy::read_test
