// A dropped write has sent a prefix of its bytes, and what is written next comes right behind it.

#include "support/drop_moments.hpp"
#include "support/numbered_bytes.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/disable_speculation.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <sys/socket.h>
#include <thread>
#include <tuple>
#include <vector>

namespace eddy::write_test {
namespace {

using test::moment;
using test::plain_socket;
using test::race;

enum class way { some, all, vectored };
constexpr way every_way[] = {way::some, way::all, way::vectored};

std::string name_of(way how) {
    return how == way::some ? "some" : how == way::all ? "all" : "vectored";
}

task<> write(tcp_stream& to, std::span<const std::byte> bytes, way how) {
    if (how == way::some) {
        co_await to.write(bytes);
    } else if (how == way::all) {
        co_await to.write_all(bytes);
    } else {
        std::array<const_buffer, 3> parts{const_buffer(bytes.first(bytes.size() / 3)), const_buffer(),
                                          const_buffer(bytes.subspan(bytes.size() / 3))};
        co_await to.write_all(parts);
    }
}

constexpr std::byte filler{0xff};  // with which no numbered stream begins
constexpr std::string_view marker = "marker";

/// A stream whose peer reads only when it is told to.
class connection {
public:
    explicit connection(tcp_listener& listener)
        : peer_(plain_socket::connect(listener.local_endpoint().port())) {
        // Of a fixed size, so that it does not grow while the test believes it to be full.
        const int bytes = 64 * 1024;
        ::setsockopt(peer_.descriptor(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
    }

    task<> accept(tcp_listener& listener) {
        stream.emplace(co_await listener.accept());
        stream->set_option(io::socket_option::send_buffer_bytes, 64 * 1024);
    }
    /// Writes until the system takes no more: one write may wait for much room while the next finds a little.
    task<> fill() {
        const std::vector<std::byte> bytes(4U << 20, filler);
        for (int waited = 0; waited < 3;) {
            auto filling = spawn(write(*stream, bytes, way::some));
            co_await test::turns(10);
            waited = filling.done() ? 0 : waited + 1;
        }
    }
    /// The peer reads what is there: enough for the stream to write again.
    void drain() {
        std::vector<std::byte> piece(1U << 18);
        ssize_t count = 0;
        while ((count = ::recv(peer_.descriptor(), piece.data(), piece.size(), MSG_DONTWAIT)) > 0)
            received_.insert(received_.end(), piece.begin(), piece.begin() + count);
    }
    /// Ends the stream with the marker and checks what the peer got. Gives how many of the numbered bytes.
    task<std::size_t> prefix_sent() {
        std::atomic<bool> is_done = false;
        std::thread reading([this, &is_done] {
            receive_rest();
            is_done = true;
        });
        co_await write(*stream, as_bytes(marker), way::all);
        co_await stream->shutdown();
        co_await test::turns_until([&is_done] { return is_done.load(); });
        reading.join();
        const auto begin = std::ranges::find_if(received_, [](std::byte each) { return each != filler; });
        const std::span<const std::byte> rest(begin, received_.end());
        EXPECT_GE(rest.size(), marker.size());
        EXPECT_EQ(as_text(rest.last(std::min(marker.size(), rest.size()))), marker);
        const std::size_t count = rest.size() - std::min(marker.size(), rest.size());
        EXPECT_EQ(test::count_numbered(rest.first(count), 0), count) << "more was sent than a prefix";
        co_return count;
    }

    std::optional<tcp_stream> stream;

private:
    void receive_rest() {
        std::vector<std::byte> piece(1U << 18);
        for (;;) {
            const auto count = peer_.receive(piece.data(), piece.size());
            if (count <= 0)
                return;
            received_.insert(received_.end(), piece.begin(), piece.begin() + count);
        }
    }

    plain_socket peer_;
    std::vector<std::byte> received_;
};

/// Drops a write of numbered bytes and returns how many of them were sent. The memory is gone with the task.
/// Returns nothing if the write had ended before its moment: TCP makes room now and then, with time.
task<std::optional<std::size_t>> drop_write(connection& made, std::size_t size, way how, race& run,
                                            bool is_full) {
    auto bytes = std::make_unique<std::vector<std::byte>>(size);
    test::fill_numbered(*bytes, 0);
    if (is_full)  // last, as there is room again after a while
        co_await made.fill();
    auto dropped = spawn(write(*made.stream, *bytes, how));
    co_await run.reach();
    if (is_full && dropped.done())
        co_return std::nullopt;
    run.drop(dropped);
    std::ranges::fill(*bytes, std::byte{0x11});  // would show if it were sent
    bytes.reset();
    co_return co_await made.prefix_sent();
}

using when_and_how = std::tuple<moment, way>;
std::string name_of(const when_and_how& both) {
    return name_of(std::get<1>(both)) + "_" + test::to_string(std::get<0>(both));
}

class a_dropped_write_that_fits : public ::testing::TestWithParam<when_and_how> {};

TEST_P(a_dropped_write_that_fits, was_sent_whole_or_not_at_all) {
    const auto main = [](moment when, way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        constexpr std::size_t size = 1000;
        for (int round = 0; round < 10; ++round) {
            connection made(listener);
            co_await made.accept(listener);
            const auto nothing = [] {};
            race run(when, nothing);
            const std::optional<std::size_t> sent = co_await drop_write(made, size, how, run, false);
            const bool was_submitted = when != moment::begun || !test::is_on_io_uring();
            EXPECT_EQ(sent, was_submitted ? size : 0);
        }
    };
    test::run_bounded(main(std::get<0>(GetParam()), std::get<1>(GetParam())), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, a_dropped_write_that_fits,
                         ::testing::Combine(::testing::Values(moment::begun, moment::posted_at_once),
                                            ::testing::ValuesIn(every_way)),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(a_dropped_write, that_was_carried_out_but_not_resumed_was_sent_whole) {
    const auto main = [](way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        connection made(listener);
        co_await made.accept(listener);
        std::vector<std::byte> bytes(1000);
        test::fill_numbered(bytes, 0);
        const io::disable_speculation submitted;
        auto dropped = spawn(write(*made.stream, bytes, how));
        co_await yield();
        co_await test::until_one_is_ready();
        EXPECT_FALSE(dropped.done());
        dropped.cancel();
        EXPECT_EQ(co_await made.prefix_sent(), bytes.size());
    };
    for (const way how : every_way)
        test::run_bounded(main(how), test::one_entry_options());
}

class a_dropped_write_that_waits : public ::testing::TestWithParam<when_and_how> {};

TEST_P(a_dropped_write_that_waits, has_sent_a_prefix_and_nothing_else) {
    const auto main = [](moment when, way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        constexpr std::size_t size = 4U << 20;
        constexpr int attempts_max = 30;
        int rounds = 0;
        for (int attempts = 0; rounds < 3 && attempts < attempts_max; ++attempts) {
            connection made(listener);
            co_await made.accept(listener);
            const auto drain = [&made] { made.drain(); };
            race run(when, drain);
            const std::optional<std::size_t> dropped = co_await drop_write(made, size, how, run, true);
            if (!dropped)
                continue;
            ++rounds;
            const std::size_t sent = *dropped;
            EXPECT_LT(sent, size);
            if (when == moment::begun && test::is_on_io_uring()) {
                EXPECT_EQ(sent, 0u) << "the system had never been asked";
            }
            // Some went, and the task was about to be told.
            if (when == moment::ready) {
                EXPECT_GT(sent, 0u);
            }
        }
        EXPECT_EQ(rounds, 3) << "writes ended that should have waited";
    };
    test::run_bounded(main(std::get<0>(GetParam()), std::get<1>(GetParam())), test::one_entry_options());
}

// A whole write goes on waiting when a part was sent, so that it is neither posted nor ready.
INSTANTIATE_TEST_SUITE_P(tcp_stream, a_dropped_write_that_waits,
                         ::testing::Combine(::testing::Values(moment::begun, moment::under_way,
                                                              moment::under_way_full, moment::won,
                                                              moment::won_full),
                                            ::testing::ValuesIn(every_way)),
                         [](const auto& instance) { return name_of(instance.param); });
INSTANTIATE_TEST_SUITE_P(tcp_stream_of_some, a_dropped_write_that_waits,
                         ::testing::Combine(::testing::Values(moment::posted, moment::ready),
                                            ::testing::Values(way::some)),
                         [](const auto& instance) { return name_of(instance.param); });

// -- the end of sending --

task<> shut_down(tcp_stream& stream) {
    co_await stream.shutdown();
}

class a_dropped_shutdown : public ::testing::TestWithParam<moment> {};

TEST_P(a_dropped_shutdown, has_happened_or_left_the_stream_as_it_was) {
    const auto main = [](moment when) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        for (int round = 0; round < 10; ++round) {
            auto peer = plain_socket::connect(listener.local_endpoint().port());
            auto stream = co_await listener.accept();
            const auto nothing = [] {};
            race run(when, nothing);
            auto dropped = spawn(shut_down(stream));
            if (when == moment::ready) {
                co_await yield();
                co_await test::until_one_is_ready();
            } else {
                co_await run.reach();
            }
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            // What follows gets through if, and only if, sending goes on.
            const bool goes_on = (co_await as_result(stream.write_all(as_bytes("x")))).has_value();
            if (test::is_on_io_uring()) {
                // In between the kernel's own threads are at it, and either may be the first.
                EXPECT_TRUE(goes_on || when != moment::begun) << "the system had never been asked";
                EXPECT_TRUE(!goes_on || when != moment::ready) << "it had happened";
            } else {
                EXPECT_FALSE(goes_on) << "it happens at once";
            }
            char byte = 0;
            EXPECT_EQ(peer.receive(&byte, 1), goes_on ? 1 : 0);
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, a_dropped_shutdown,
                         ::testing::Values(moment::begun, moment::posted_at_once, moment::ready),
                         [](const auto& instance) { return test::to_string(instance.param); });

}  // namespace
}  // namespace eddy::write_test
