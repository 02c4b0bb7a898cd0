// A deadline around an operation loses nothing, whatever else happens in its turn.

#include "support/drop_moments.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/owned_bytes.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <utility>

namespace eddy::deadline_test {
namespace {

constexpr std::string_view sent = "kept";

/// Lets the peer act in the same turn as a deadline, after the system was asked and before the deadline.
class late_peer : detail::timer {
public:
    late_peer(std::function<void()> act, bool is_reported)
        : timer(&fire), act_(std::move(act)), is_reported_(is_reported) {
        detail::worker_core::current().timers().arm(*this, time_point::min());
    }

private:
    static void fire(detail::timer& fired) noexcept {
        auto& self = static_cast<late_peer&>(fired);
        self.act_();
        if (self.is_reported_)
            test::enter_without_reaping();
    }

    std::function<void()> act_;
    bool
        is_reported_;  // the system has reported the success when the deadline comes, and it was not read yet
};

enum class way { in_place, leased };

task<> read_late(tcp_stream& from, way how, std::string& got) {
    std::array<std::byte, 64> memory;
    if (how == way::leased) {
        if (const auto lease = co_await as_result(with_deadline(from.read_leased(), time_point::min())))
            got = as_text(lease->bytes());
    } else if (const auto count = co_await as_result(with_deadline(from.read(memory), time_point::min()))) {
        got = as_text(std::span(memory).first(*count));
    }
}

/// How far the race of a read's deadline with its bytes has come when the task is dropped.
enum class moment {
    begun,              ///< neither has happened
    late,               ///< the deadline has come; the task is about to be told
    won_before_late,    ///< the bytes have come before it in the same turn
    not_dropped_at_all  ///< the same, and the task is told
};
constexpr moment every_moment[] = {moment::begun, moment::late, moment::won_before_late,
                                   moment::not_dropped_at_all};

class a_read_with_a_deadline : public ::testing::TestWithParam<way> {};

TEST_P(a_read_with_a_deadline, loses_no_byte_wherever_it_is_dropped) {
    const auto main = [](way how) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        for (int round = 0; round < 40; ++round) {
            const moment when = every_moment[round % 4];
            auto peer = test::plain_socket::connect(listener.local_endpoint().port());
            auto stream = co_await listener.accept();
            std::string got;
            auto reading = spawn(read_late(stream, how, got));
            const bool is_sent_late = when == moment::won_before_late || when == moment::not_dropped_at_all;
            if (is_sent_late) {
                const auto send = [&peer] { peer.send_all(sent.data(), sent.size()); };
                const late_peer sending(send, round / 4 % 2 == 0);
                co_await sleep_until(time_point::min());  // armed before the read's
            } else if (when == moment::late) {
                co_await sleep_until(time_point::min());
            } else {
                co_await yield();
            }
            EXPECT_FALSE(reading.done());
            if (when == moment::not_dropped_at_all)
                co_await reading;
            else
                reading.cancel();
            if (!is_sent_late)
                peer.send_all(sent.data(), sent.size());
            peer.shut_down_sending();
            while (true) {
                const auto lease = co_await stream.read_leased();
                if (lease.empty())
                    break;
                got += as_text(lease.bytes());
            }
            EXPECT_EQ(got, sent) << static_cast<int>(when);
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, a_read_with_a_deadline, ::testing::Values(way::in_place, way::leased),
                         [](const auto& instance) {
                             return instance.param == way::leased ? "leased" : "in_place";
                         });

using sent_or_late = std::expected<std::size_t, std::error_code>;

task<sent_or_late> write_late(local_stream& to) {
    owned_bytes bytes(sent.size());
    std::ranges::copy(as_bytes(sent), bytes.bytes().begin());
    auto writing = with_deadline(to.write_all(std::move(bytes)), time_point::min());
    co_return co_await as_result(std::move(writing));
}

/// The bytes that have arrived at a socket.
std::string received_by(const io::plain_descriptor& peer) {
    std::string piece(1U << 20, ' ');
    std::string all;
    ssize_t count = 0;
    while ((count = ::recv(peer.get(), piece.data(), piece.size(), MSG_DONTWAIT)) > 0)
        all.append(piece, 0, static_cast<std::size_t>(count));
    return all;
}

TEST(an_owned_write_with_a_deadline, succeeds_if_all_was_sent_before_it) {
    const auto main = []() -> task<> {
        auto [writer, reader] = socket_pair();
        const io::plain_descriptor peer = reader.release();
        const std::string filler(1U << 16, '.');
        const std::array<const_buffer, 1> fill{const_buffer(as_bytes(filler))};
        while (writer.try_write(fill) != 0) {
        }
        auto writing = spawn(write_late(writer));
        const late_peer reading([&peer] { received_by(peer); }, true);
        co_await sleep_until(time_point::min());  // armed before the write's
        const sent_or_late ended = co_await writing;
        writer.close();
        co_await test::turns(2);
        EXPECT_EQ(received_by(peer), ended ? sent : "");
        if (test::is_on_io_uring()) {
            EXPECT_EQ(ended, sent.size()) << "the system had reported it";
        }
    };
    test::run_bounded(main(), test::one_entry_options());
}

}  // namespace
}  // namespace eddy::deadline_test
