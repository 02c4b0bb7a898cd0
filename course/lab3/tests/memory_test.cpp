// What the steps of lab 3 leave behind, and what they allocate.

#include "buffers.hpp"
#include "call.hpp"
#include "support/ring_world.hpp"
#include "support/test.hpp"
#include "tcp.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

using namespace lab_test;

TEST(memory, a_call_allocates_nothing) {
    lab::ring ring;
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        std::array<std::byte, 16> into;
        const auto before = course::allocations();
        for (int round = 0; round < 100; ++round) {
            co_await lab::send(pair.ends[0], bytes_of("x"));
            co_await lab::read(pair.ends[1], into);
        }
        EXPECT_EQ(course::allocations() - before, 0U) << course::why(
            "an operation lies in the frame of the coroutine that awaits it, and needs no memory",
            "step-2-a-call-in-a-frame");
    };
    loop.run(work());
}

TEST(memory, a_warm_stream_is_read_without_an_allocation) {
    lab::ring ring;
    lab::buffers pool(ring);
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::stream stream(pair.release(0));
        std::size_t before = 0;
        for (int round = 0; round < 100; ++round) {
            if (round == 10)
                before = course::allocations();
            EXPECT_EQ(::write(pair.ends[1], "hello", 5), 5);
            const lab::lease got = co_await stream.read();
            EXPECT_EQ(got.bytes().size(), 5U);
        }
        EXPECT_EQ(course::allocations() - before, 0U) << course::why(
            "a read of a warm stream allocates: the queue of what has arrived keeps its memory",
            "step-6-a-stream");
    };
    loop.run(work());
}

TEST(memory, streams_and_listeners_leave_nothing_behind_in_any_state) {
    course::suspect("memory of a stream or listener was freed too early, or never", "step-7-closing");
    lab::ring ring;
    lab::buffers pool(ring, 16, 64);
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        for (int state = 0; state < 6; ++state) {
            socket_pair pair;
            std::optional<lab::stream> stream(std::in_place, pair.release(0));
            if (state >= 1) {
                EXPECT_EQ(::write(pair.ends[1], "hello", 5), 5);
            }
            if (state >= 2)
                const lab::lease got = co_await stream->read();
            for (int number = 0; state >= 3 && number < 8; ++number) {
                EXPECT_EQ(::write(pair.ends[1], "more", 4), 4);
                if (state >= 4)
                    co_await turns(2);
            }
            if (state == 5)
                ::close(pair.release(1));
            lab::listener from;
            stream.reset();
        }
        // The last ones are ended by the ring.
        socket_pair pair;
        lab::stream last(pair.release(0));
        EXPECT_EQ(::write(pair.ends[1], "hello", 5), 5);
        const lab::lease got = co_await last.read();
    };
    loop.run(work());
}
