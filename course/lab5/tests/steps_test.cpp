// Steps 1 to 3 of lab 5; the others are in the files beside this one.

#include "call.hpp"
#include "drop_world.hpp"
#include "files.hpp"
#include "socket.hpp"
#include "support/server_process.hpp"
#include "support/test.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

using namespace lab_test;
using namespace std::chrono_literals;

// -- step 1 --

constexpr const char* unseen_call_anchor = "step-1-a-call-that-the-kernel-has-not-seen";

TEST(step1, a_call_that_was_not_submitted_is_not_carried_out) {
    course::suspect("an operation that was dropped is reported to, or never ends", unseen_call_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::socket socket(pair.release(0));
        {
            begun dropped(write_text(socket, "dropped"));
            EXPECT_EQ(io_uring_sq_ready(here.ring().native()), 1U);
            dropped.drop();
        }
        EXPECT_EQ(io_uring_sq_ready(here.ring().native()), 1U)
            << course::why("an entry that the kernel has not seen becomes a no-op, without a system call",
                           unseen_call_anchor);
        begun kept(write_text(socket, "kept"));
        co_await turns(3);
        EXPECT_EQ(read_within(pair.ends[1]), "kept") << course::why(
            "a write that was dropped before its submission was carried out", unseen_call_anchor);
        EXPECT_EQ(here.ring().under_way(), 0U)
            << course::why("the no-op needs an owner that ignores it", unseen_call_anchor);
    };
    here.loop.run(work());
}

TEST(step1, the_others_of_the_batch_are_not_touched) {
    world here;
    const auto work = [&]() -> lab::task<> {
        std::vector<std::unique_ptr<socket_pair>> pairs;
        std::vector<std::unique_ptr<lab::socket>> sockets;
        std::vector<std::unique_ptr<begun>> writes;
        for (int number = 0; number < 20; ++number) {
            pairs.push_back(std::make_unique<socket_pair>());
            sockets.push_back(std::make_unique<lab::socket>(pairs.back()->release(0)));
            writes.push_back(std::make_unique<begun>(write_text(*sockets.back(), std::to_string(number))));
        }
        for (std::size_t number = 0; number < 20; number += 3)
            writes[number].reset();
        co_await turns(3);
        for (std::size_t number = 0; number < 20; ++number) {
            if (number % 3 == 0)
                sockets[number].reset();
        }
        co_await turns(3);
        for (std::size_t number = 0; number < 20; ++number)
            EXPECT_EQ(read_within(pairs[number]->ends[1]), number % 3 == 0 ? "" : std::to_string(number))
                << course::why("another entry than the dropped call's was changed", unseen_call_anchor);
    };
    here.loop.run(work());
}

// -- step 2 --

constexpr const char* seen_call_anchor = "step-2-a-call-that-the-kernel-has";

TEST(step2, after_a_drop_the_kernel_writes_no_more) {
    course::suspect("a drop does not end: reap until the call's own completion has come", seen_call_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        for (int round = 0; round < 50; ++round) {
            socket_pair pair;
            lab::socket socket(pair.release(0));
            std::array<std::byte, 8> memory{};
            const auto read = [&]() -> lab::task<> { co_await socket.read(memory); };
            begun reading(read());
            co_await turns(2);
            reading.drop();
            EXPECT_EQ(here.ring().under_way(), 0U) << course::why(
                "the destructor has returned, and the call is still in the kernel", seen_call_anchor);
            EXPECT_EQ(::write(pair.ends[1], "late", 4), 4);
            co_await turns(2);
            EXPECT_EQ(memory[0], std::byte{0}) << course::why(
                "the kernel has written into the memory of a call that was dropped", seen_call_anchor);
            std::string text;
            co_await read_text(socket, text);
            EXPECT_EQ(text, "late") << course::why("bytes that arrive after a drop belong to the next read",
                                                   seen_call_anchor);
        }
    };
    here.loop.run(work());
}

namespace {

/// A read that a thread of the kernel's makes: a cancel does not end it at once.
class slow_read : public lab::call {
public:
    slow_read(int descriptor, std::span<std::byte> into) noexcept {
        io_uring_prep_read(&request(), descriptor, into.data(), static_cast<unsigned>(into.size()), 0);
        request().flags |= IOSQE_ASYNC;
    }
};

lab::task<> read_slowly(int descriptor, std::span<std::byte> into) {
    co_await slow_read(descriptor, into);
}

}  // namespace

TEST(step2, what_the_cancellation_reports_decides_nothing) {
    course::suspect("a drop waits for ever: a cancel may miss, so repeat it", seen_call_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        for (int round = 0; round < 30; ++round) {
            int ends[2];
            EXPECT_EQ(::pipe(ends), 0);
            std::array<std::byte, 8> memory{};
            begun reading(read_slowly(ends[0], memory));
            co_await turns(2 + round % 3);
            reading.drop();
            EXPECT_EQ(here.ring().under_way(), 0U) << course::why(
                "the cancel's own result decides nothing: wait for the completion of the call itself",
                seen_call_anchor);
            ::close(ends[0]);
            ::close(ends[1]);
        }
    };
    here.loop.run(work());
}

TEST(step2, what_else_completes_during_a_drop_is_resumed_later) {
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair first;
        socket_pair second;
        lab::socket dropped_socket(first.release(0));
        lab::socket other_socket(second.release(0));
        std::string none;
        std::string text;
        begun dropped(read_text(dropped_socket, none));
        begun other(read_text(other_socket, text));
        co_await turns(2);
        EXPECT_EQ(::write(second.ends[1], "hello", 5), 5);
        dropped.drop();
        EXPECT_FALSE(other.is_done()) << course::why(
            "a drop has resumed another task: completions that are met only post", seen_call_anchor);
        co_await turns(3);
        EXPECT_EQ(text, "hello") << course::why("a completion that was met during a drop was lost",
                                                seen_call_anchor);
    };
    here.loop.run(work());
}

TEST(step2, a_time_out_drops_a_read) {
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::socket socket(pair.release(0));
        std::string text;
        bool is_late = false;
        try {
            co_await lab::with_timeout(20ms, read_text(socket, text));
        } catch (const std::system_error& error) {
            is_late = error.code() == std::errc::timed_out;
        }
        EXPECT_TRUE(is_late);
        EXPECT_EQ(here.ring().under_way(), 0U);
    };
    here.loop.run(work());
}

// -- step 3 --

constexpr const char* won_anchor = "step-3-what-was-won";

TEST(step3, bytes_that_were_won_are_read_again) {
    course::suspect("bytes were lost with a read that was dropped", won_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        for (int round = 0; round < 60; ++round) {
            socket_pair pair;
            lab::socket socket(pair.release(0));
            std::string text;
            std::string first;
            begun reading(read_text(socket, first));
            if (round % 3 != 0)
                co_await turns(1);
            EXPECT_EQ(::write(pair.ends[1], "won", 3), 3);
            // In the kernel, completed, or in the ready queue.
            if (round % 2 == 0)
                here.ring().wait(lab::time_point::min());
            reading.drop();
            EXPECT_EQ(::write(pair.ends[1], " more", 5), 5);
            while (text.size() < 8)
                text += co_await next_text(socket);
            EXPECT_EQ(text, "won more") << course::why(
                "a read that was dropped has taken bytes with it: put them back, in front of all others",
                won_anchor);
        }
    };
    here.loop.run(work());
}

TEST(step3, what_was_put_back_is_read_piece_by_piece) {
    course::suspect("bytes that were put back are lost when the next read is smaller", won_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::socket socket(pair.release(0));
        std::string none;
        begun reading(read_text(socket, none));
        co_await turns(1);
        EXPECT_EQ(::write(pair.ends[1], "0123456789", 10), 10);
        here.ring().wait(lab::time_point::min());
        here.ring().wait(lab::time_point::min());
        reading.drop();
        std::string all;
        for (int reads = 0; reads < 3; ++reads)
            all += co_await next_text(socket, 4);
        EXPECT_EQ(all, "0123456789") << course::why(
            "bytes that were put back come once, in order, before all others", won_anchor);
    };
    here.loop.run(work());
}

TEST(step3, a_connection_that_was_won_is_accepted_by_the_next) {
    course::suspect("a connection was lost with an accept that was dropped", won_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        lab::acceptor from;
        const auto accept = [&]() -> lab::task<> { const lab::socket taken = co_await from.accept(); };
        for (int round = 0; round < 20; ++round) {
            begun accepting(accept());
            co_await turns(1);
            const int client = course::connect_to(from.port());
            here.ring().wait(lab::time_point::min());
            accepting.drop();
            bool is_served = false;
            try {
                co_await lab::with_timeout(1s, accept());
                is_served = true;
            } catch (const std::system_error&) {
            }
            EXPECT_TRUE(is_served) << course::why(
                "the client of an accept that was dropped is served by nothing: keep the connection",
                won_anchor);
            ::close(client);
        }
    };
    here.loop.run(work());
}

TEST(step3, a_descriptor_that_was_won_is_closed) {
    world here;
    const auto work = [&]() -> lab::task<> {
        lab::directory root("/");
        const std::string path = "etc/passwd";
        const auto open = [&]() -> lab::task<> { const lab::file opened = co_await root.open(path); };
        co_await open();
        co_await turns(2);
        const int before = open_descriptors();
        for (int round = 0; round < 10; ++round) {
            begun opening(open());
            here.ring().wait(lab::clock::now() + 20ms);
            opening.drop();
            co_await turns(2);
        }
        EXPECT_EQ(open_descriptors(), before) << course::why(
            "a file that was opened for a task that is gone stays open: close what was won", won_anchor);
    };
    here.loop.run(work());
}

TEST(step3, a_result_that_was_taken_is_not_given_back) {
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::socket socket(pair.release(0));
        EXPECT_EQ(::write(pair.ends[1], "once", 4), 4);
        std::string text;
        co_await read_text(socket, text);
        EXPECT_EQ(text, "once");
        ::close(pair.release(1));
        text = co_await next_text(socket);
        EXPECT_EQ(text, "") << course::why(
            "a result that the task has seen was given back when the call was destroyed", won_anchor);
    };
    here.loop.run(work());
}
