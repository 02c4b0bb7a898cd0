#include "support/descriptors.hpp"
#include "support/no_more_descriptors.hpp"
#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/readiness.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::local_stream_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

constexpr auto long_wait = 30s;

/// A pipe of the test's own.
class plain_pipe {
public:
    plain_pipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
    plain_pipe(const plain_pipe&) = delete;
    ~plain_pipe() {
        close_reading();
        close_writing();
    }
    [[nodiscard]] int reading() const { return ends_[0]; }
    [[nodiscard]] int writing() const { return ends_[1]; }
    void close_reading() { close(ends_[0]); }
    void close_writing() { close(ends_[1]); }

private:
    static void close(int& end) {
        if (end >= 0)
            ::close(std::exchange(end, -1));
    }
    std::array<int, 2> ends_{-1, -1};
};

task<> let_others_wait() {
    for (int turns = 0; turns < 5; ++turns)
        co_await yield();
}

TEST(local_stream, carries_bytes_both_ways_and_ends_by_halves) {
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        std::vector<std::byte> sent(300'000);
        test::fill_numbered(sent, 0);
        const auto send = [&]() -> task<> {
            co_await left.write_all(sent);
            co_await left.shutdown();
        };
        auto sending = spawn(send());
        std::size_t total = 0;
        for (;;) {
            const auto lease = co_await right.read_leased();
            if (lease.empty())
                break;
            EXPECT_EQ(test::count_numbered(lease.bytes(), total), lease.size());
            total += lease.size();
        }
        EXPECT_EQ(total, sent.size());
        co_await sending;
        co_await right.write_all(as_bytes("still open"));
        std::array<std::byte, 32> memory{};
        const std::size_t size = co_await left.read(memory);
        EXPECT_EQ(as_text(std::span(memory).first(size)), "still open");
    };
    run_bounded(main());
}

TEST(local_stream, knows_who_is_at_the_other_end) {
    const auto main = []() -> task<> {
        local_listener listener = local_listener::bind(local_endpoint());
        local_stream client = co_await local_stream::connect(listener.local_endpoint());
        local_stream server = co_await listener.accept();
        const peer_credentials ours{::getpid(), ::getuid(), ::getgid()};
        EXPECT_EQ(client.credentials(), ours);
        EXPECT_EQ(server.credentials(), ours);
        EXPECT_EQ(client.remote_endpoint(), listener.local_endpoint());
        EXPECT_EQ(client.local_endpoint(), local_endpoint());
    };
    run_bounded(main());
}

TEST(local_stream, passes_descriptors_that_belong_to_the_receiver) {
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        plain_pipe pipe;
        const std::array<int, 2> passed{pipe.writing(), pipe.writing()};
        std::array<std::byte, 16> memory{};
        {
            const auto receive = [&]() -> task<received_message> { return right.receive_message(memory); };
            auto receiving = spawn(receive());
            co_await let_others_wait();
            const std::size_t sent = co_await left.send_message(as_bytes("ab"), passed);
            EXPECT_EQ(sent, 2U);
            pipe.close_writing();
            received_message received = co_await receiving;
            EXPECT_EQ(received.size, 2U);
            EXPECT_EQ(received.descriptors.size(), 2U);
            EXPECT_EQ(::write(received.descriptors[0], "x", 1), 1);
            const int kept = received.descriptors.release(1);
            EXPECT_EQ(received.descriptors[1], -1);
            received = received_message();
            EXPECT_EQ(::write(kept, "y", 1), 1);
            ::close(kept);
        }
        std::array<char, 4> read{};
        EXPECT_EQ(::read(pipe.reading(), read.data(), read.size()), 2);
        co_await with_timeout(readable(pipe.reading()), long_wait);
        EXPECT_EQ(::read(pipe.reading(), read.data(), read.size()), 0) << "an end is still open";
    };
    run_bounded(main());
}

TEST(local_stream, leaks_no_descriptor_when_the_receive_is_dropped) {
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        std::array<std::byte, 16> memory{};
        for (int turns = 0; turns < 6; ++turns) {
            plain_pipe pipe;
            {
                auto dropped = spawn(right.receive_message(memory));
                co_await let_others_wait();
                const std::array<int, 1> passed{pipe.writing()};
                co_await left.send_message(as_bytes("x"), passed);
                pipe.close_writing();
                for (int count = 0; count < turns; ++count)
                    co_await yield();
                if (dropped.done())
                    continue;
            }
            const received_message received = co_await with_timeout(right.receive_message(memory), long_wait);
            EXPECT_EQ(received.descriptors.size(), 1U);
        }
    };
    const auto before = test::open_descriptors();
    run_bounded(main());
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(local_stream, ends_what_waits_for_a_message_when_it_is_closed) {
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        std::array<std::byte, 16> memory{};
        const auto receive = [&]() -> task<> {
            const auto ended = co_await as_result(right.receive_message(memory));
            EXPECT_EQ(ended.error(), std::errc::operation_canceled);
        };
        auto receiving = spawn(receive());
        co_await let_others_wait();
        right.close();
        co_await receiving;
    };
    run_bounded(main());
}

TEST(local_stream, says_to_whom_it_cannot_connect) {
    const auto main = []() -> task<> {
        const auto nobody = local_endpoint::path("/nonexistent/socket");
        const auto refused = co_await as_result(local_stream::connect(nobody));
        EXPECT_EQ(refused.error(), std::errc::no_such_file_or_directory);
    };
    run_bounded(main());
}

TEST(local_stream, waits_for_its_place_in_a_full_backlog) {
    const auto main = []() -> task<> {
        local_listener listener = local_listener::bind(local_endpoint(), local_listen_options().backlog(1));
        std::vector<handle<local_stream>> connecting;
        for (int count = 0; count < 5; ++count)
            connecting.push_back(spawn(local_stream::connect(listener.local_endpoint())));
        std::vector<local_stream> accepted;
        for (int count = 0; count < 5; ++count) {
            co_await yield();
            accepted.push_back(co_await with_timeout(listener.accept(), long_wait));
        }
        for (auto& each : connecting)
            static_cast<void>(co_await each);
    };
    run_bounded(main());
}

TEST(local_stream, tells_of_a_peer_that_has_gone_without_a_signal) {
    const auto main = []() -> task<> {
        auto ends = socket_pair();
        ends.second.close();
        co_await yield();
        std::array<std::byte, 16> memory{};
        const std::size_t size = co_await ends.first.read(memory);
        EXPECT_EQ(size, 0U);
        const auto written = co_await as_result(ends.first.write_all(as_bytes("x")));
        EXPECT_EQ(written.error(), std::errc::broken_pipe);
        const std::array<int, 1> passed{STDERR_FILENO};
        const auto sent = co_await as_result(ends.first.send_message(as_bytes("x"), passed));
        EXPECT_EQ(sent.error(), std::errc::broken_pipe);
    };
    run_bounded(main());
}

TEST(local_stream, tells_that_descriptors_were_lost) {
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        const std::array<int, 3> passed{STDOUT_FILENO, STDERR_FILENO, STDERR_FILENO};
        std::array<std::byte, 4> memory{};
        co_await left.send_message(as_bytes("x"), passed);
        {
            const test::no_more_descriptors full;
            const received_message received = co_await right.receive_message(memory);
            EXPECT_EQ(received.size, 1U);
            EXPECT_TRUE(received.descriptors.empty());
            EXPECT_TRUE(received.are_descriptors_lost);
        }
        // More than there is room for, from a peer that knows nothing of our limit.
        constexpr std::size_t many = 40;
        std::array<int, many> copies{};
        copies.fill(STDERR_FILENO);
        msghdr header{};
        iovec piece{memory.data(), 1};
        header.msg_iov = &piece;
        header.msg_iovlen = 1;
        alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(copies))> control{};
        header.msg_control = control.data();
        header.msg_controllen = control.size();
        cmsghdr& rights = *CMSG_FIRSTHDR(&header);
        rights.cmsg_level = SOL_SOCKET;
        rights.cmsg_type = SCM_RIGHTS;
        rights.cmsg_len = CMSG_LEN(sizeof(copies));
        std::memcpy(control.data() + CMSG_LEN(0), copies.data(), sizeof(copies));
        const io::plain_descriptor foreign = left.release();
        EXPECT_EQ(::sendmsg(foreign.get(), &header, 0), 1);
        {
            const received_message received = co_await right.receive_message(memory);
            EXPECT_EQ(received.descriptors.size(), passed_descriptors::count_max);
            EXPECT_TRUE(received.are_descriptors_lost);
        }
    };
    const auto before = test::open_descriptors();
    run_bounded(main());
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(local_stream, waits_for_room_with_its_descriptors) {
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        const std::vector<std::byte> much(50'000);
        const std::array<int, 1> passed{STDERR_FILENO};
        std::size_t sent = 0;
        const auto fill = [&]() -> task<> {
            for (int count = 0; count < 30; ++count)
                sent += co_await left.send_message(much, passed);
        };
        auto filling = spawn(fill());
        co_await let_others_wait();
        EXPECT_FALSE(filling.done()) << "there always was room";
        std::vector<std::byte> memory(100'000);
        std::size_t received = 0;
        std::size_t descriptors = 0;
        while (!filling.done() || received < sent) {
            const received_message each = co_await with_timeout(right.receive_message(memory), long_wait);
            received += each.size;
            descriptors += each.descriptors.size();
            co_await let_others_wait();
        }
        co_await std::move(filling);
        EXPECT_EQ(received, sent);
        EXPECT_EQ(descriptors, 30U);
    };
    run_bounded(main());
}

template <class Socket>
task<> pass_round(Socket& left, Socket& right, std::size_t& rounds) {
    const std::array<int, 1> passed{STDERR_FILENO};
    std::array<std::byte, 4> memory{};
    for (;; ++rounds) {
        co_await left.send_message(as_bytes("x"), passed);
        const received_message received = co_await right.receive_message(memory);
        EXPECT_EQ(received.size, 1U);
    }
}

template <class Socket>
task<> expect_time_for_others(std::pair<Socket, Socket> ends) {
    std::size_t rounds = 0;
    auto going = spawn(pass_round(ends.first, ends.second, rounds));
    co_await sleep_for(1ms);
    while (rounds < 100)
        co_await sleep_for(1ms);
}

TEST(local_stream, leaves_time_to_others_though_it_never_waits) {
    const auto main = []() -> task<> {
        co_await expect_time_for_others(socket_pair());
        co_await expect_time_for_others(packet_pair());
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::local_stream_test
