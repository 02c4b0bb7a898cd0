// Steps 6 and 7 of lab 3: a stream is read, and closed.

#include "buffers.hpp"
#include "stream_world.hpp"
#include "support/server_process.hpp"
#include "support/test.hpp"
#include "tcp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace lab_test;
using namespace std::chrono_literals;

// -- step 6 --

constexpr const char* stream_anchor = "step-6-a-stream";

TEST(step6, a_stream_is_read_in_order_up_to_its_end) {
    course::suspect("a read does not end although bytes, or the end, have come", stream_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::stream stream(pair.release(0));
        for (int number = 0; number < 50; ++number) {
            const std::string sent = "message " + std::to_string(number);
            EXPECT_EQ(::write(pair.ends[1], sent.data(), sent.size()), std::ssize(sent));
            const std::string got = co_await read_text(stream);
            EXPECT_EQ(got, sent) << course::why("a read returns what has arrived, in order", stream_anchor);
        }
        EXPECT_EQ(::write(pair.ends[1], "last", 4), 4);
        ::close(pair.release(1));
        co_await turns(5);
        const std::string last = co_await read_text(stream);
        EXPECT_EQ(last, "last") << course::why("what arrived before the end is read before it",
                                               stream_anchor);
        for (int times = 0; times < 3; ++times) {
            const std::string end = co_await read_text(stream);
            EXPECT_EQ(end, "") << course::why("at the end every read returns an empty lease", stream_anchor);
        }
    };
    here.loop.run(work());
}

TEST(step6, a_read_waits_for_bytes) {
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        lab::stream stream(pair.release(0));
        std::string text;
        bool is_done = false;
        here.loop.spawn(read_into(stream, text, is_done));
        co_await turns(10);
        EXPECT_FALSE(is_done);
        EXPECT_EQ(::write(pair.ends[1], "now", 3), 3);
        co_await turns(10);
        EXPECT_EQ(text, "now") << course::why("the receive that is under way wakes the task that waits",
                                              stream_anchor);
    };
    here.loop.run(work());
}

TEST(step6, bytes_before_an_error_are_read_before_it) {
    world here;
    const auto work = [&]() -> lab::task<> {
        lab::listener from;
        const int client = course::connect_to(from.port());
        lab::stream stream = co_await from.accept();
        EXPECT_EQ(::write(client, "first", 5), 5);
        const std::string first = co_await read_text(stream);
        EXPECT_EQ(first, "first");
        EXPECT_EQ(::write(client, "second", 6), 6);
        co_await turns(5);
        reset(client);
        co_await turns(5);
        std::string second;
        bool has_thrown = false;
        try {
            second = co_await read_text(stream);
        } catch (const std::system_error&) {
            has_thrown = true;
        }
        EXPECT_EQ(second, "second") << course::why("an error overtook bytes that had arrived before it",
                                                   stream_anchor);
        try {
            second = co_await read_text(stream);
        } catch (const std::system_error& error) {
            has_thrown = error.code().value() == ECONNRESET;
        }
        EXPECT_TRUE(has_thrown) << course::why("a reset is an error, not the end of the stream",
                                               stream_anchor);
    };
    here.loop.run(work());
}

TEST(step6, an_idle_connection_holds_no_buffer) {
    world here(4);
    const auto work = [&]() -> lab::task<> {
        std::vector<std::unique_ptr<socket_pair>> pairs;
        std::vector<std::unique_ptr<lab::stream>> streams;
        std::vector<std::string> texts(20);
        bool is_done = false;
        for (int number = 0; number < 20; ++number) {
            pairs.push_back(std::make_unique<socket_pair>());
            streams.push_back(std::make_unique<lab::stream>(pairs.back()->release(0)));
            here.loop.spawn(read_into(*streams.back(), texts[static_cast<std::size_t>(number)], is_done));
        }
        co_await turns(5);
        EXPECT_EQ(here.pool.available(), 4U)
            << course::why("a connection that waits for bytes has taken a buffer", stream_anchor);
        for (const auto& pair : pairs)
            EXPECT_EQ(::write(pair->ends[1], "hi", 2), 2);
        co_await turns(20);
        EXPECT_EQ(std::ranges::count(texts, "hi"), 20)
            << course::why("reads that found no buffer have ended, or wait for ever", stream_anchor);
    };
    here.loop.run(work());
}

TEST(step6, a_connection_that_is_not_read_leaves_the_buffers_to_others) {
    world here(64, 256);
    const auto work = [&]() -> lab::task<> {
        socket_pair busy;
        lab::stream unread(busy.release(0));
        const std::string piece(256, 'x');
        EXPECT_EQ(::write(busy.ends[1], piece.data(), piece.size()), 256);
        std::string all = co_await read_text(unread);
        std::size_t sent = 256;
        for (int number = 0; number < 200; ++number) {
            const auto size = ::send(busy.ends[1], piece.data(), piece.size(), MSG_DONTWAIT);
            sent += size > 0 ? static_cast<std::size_t>(size) : 0;
            co_await turns(2);
        }
        EXPECT_GE(here.pool.available(), 40U) << course::why(
            "a client that is not read has taken the buffers of all others: pause the receive when four "
            "leases wait",
            stream_anchor);
        std::size_t got = 256;
        while (got < sent) {
            const lab::lease next = co_await unread.read();
            if (next.empty())
                break;
            got += next.bytes().size();
        }
        EXPECT_EQ(got, sent) << course::why(
            "bytes were lost around a pause: what comes after the cancel belongs to the stream",
            stream_anchor);
    };
    course::suspect("a paused receive is not begun anew when the stream is read again", stream_anchor);
    here.loop.run(work());
}

TEST(step6, without_a_free_buffer_a_read_uses_memory_of_its_own) {
    course::suspect(
        "a receive that found no buffer (ENOBUFS) has ended its stream, is begun anew for ever, or waits for "
        "ever",
        stream_anchor);
    world here(2);
    const auto work = [&]() -> lab::task<> {
        std::vector<lab::lease> held;
        std::vector<std::unique_ptr<socket_pair>> pairs;
        std::vector<std::unique_ptr<lab::stream>> streams;
        for (int number = 0; number < 10; ++number) {
            pairs.push_back(std::make_unique<socket_pair>());
            streams.push_back(std::make_unique<lab::stream>(pairs.back()->release(0)));
            EXPECT_EQ(::write(pairs.back()->ends[1], "hello", 5), 5);
            std::string text = "(an error)";
            try {
                held.push_back(co_await streams.back()->read());
                text = text_of(held.back().bytes());
            } catch (const std::system_error&) {
            }
            EXPECT_EQ(text, "hello") << course::why("ENOBUFS is no error of the connection, and not its end",
                                                    stream_anchor);
        }
        const int waits = here.watched.waits;
        std::string text;
        bool is_done = false;
        here.loop.spawn(read_into(*streams.front(), text, is_done));
        co_await lab::sleep(50ms);
        EXPECT_LT(here.watched.waits - waits, 30) << course::why(
            "a receive that finds no buffer is begun anew again and again, and burns a processor",
            stream_anchor);
        EXPECT_EQ(::write(pairs.front()->ends[1], "again", 5), 5);
        co_await wait_until(is_done);
        EXPECT_EQ(text, "again");
        held.clear();
        EXPECT_EQ(here.pool.available(), 2U) << course::why("a buffer has not come back", stream_anchor);
    };
    here.loop.run(work());
}

// -- step 7 --

constexpr const char* closing_anchor = "step-7-closing";

TEST(step7, a_closed_stream_ends_for_its_peer) {
    world here;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        {
            lab::stream stream(pair.release(0));
            EXPECT_EQ(::write(pair.ends[1], "hi", 2), 2);
            const std::string text = co_await read_text(stream);
            EXPECT_EQ(text, "hi");
        }
        co_await turns(5);
        EXPECT_EQ(read_within(pair.ends[1]), "") << course::why(
            "the peer sees no end: a receive that is still under way keeps the connection open, so cancel it "
            "before you close",
            closing_anchor);
    };
    here.loop.run(work());
}

TEST(step7, nothing_is_left_under_way_and_no_buffer_is_lost) {
    world here(16);
    const auto work = [&]() -> lab::task<> {
        for (int number = 0; number < 40; ++number) {
            socket_pair pair;
            {
                lab::stream stream(pair.release(0));
                EXPECT_EQ(::write(pair.ends[1], "first", 5), 5);
                const std::string text = co_await read_text(stream);
                EXPECT_EQ(text, "first");
                EXPECT_EQ(::write(pair.ends[1], "unread", 6), 6);
                if (number % 2 == 0)
                    co_await turns(3);
            }
            co_await turns(5);
        }
        EXPECT_EQ(here.watched.ring.under_way(), 0U) << course::why(
            "receives of closed streams are still under way: abandon() cancels", closing_anchor);
        EXPECT_EQ(here.pool.available(), 16U) << course::why(
            "buffers are lost: one whose bytes were not read, or arrive after the close, goes back to the "
            "pool",
            closing_anchor);
    };
    here.loop.run(work());
}

TEST(step7, a_receive_is_destroyed_with_its_last_report_only) {
    course::suspect(
        "a multishot was destroyed while the kernel still reports to it: that is for its last report to do",
        closing_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        for (int number = 0; number < 20; ++number) {
            socket_pair pair;
            std::optional<lab::stream> stream(std::in_place, pair.release(0));
            EXPECT_EQ(::write(pair.ends[1], "hi", 2), 2);
            const std::string text = co_await read_text(*stream);
            EXPECT_EQ(text, "hi");
            // Three reports behind each other: bytes, bytes, the cancellation.
            EXPECT_EQ(::write(pair.ends[1], "a", 1), 1);
            stream.reset();
            const std::vector<std::string> reused(50, std::string(200, '#'));
            co_await turns(5);
            for (const std::string& each : reused)
                EXPECT_EQ(each, std::string(200, '#'));
        }
    };
    here.loop.run(work());
}

TEST(step7, a_ring_ends_what_is_under_way) {
    course::suspect("the ring's destructor does not end: cancel what is under way, and reap until nothing is",
                    closing_anchor);
    socket_pair pair;
    probe owners[3];
    char bytes[3][8] = {};
    {
        lab::ring ring;
        for (int number = 0; number < 3; ++number)
            io_uring_prep_recv(&ring.entry_for(&owners[number]), pair.ends[0], bytes[number], 8, 0);
        ring.wait(lab::time_point::min());
    }
    for (const probe& owner : owners)
        EXPECT_EQ(owner.times, 1) << course::why(
            "the ring was destroyed while operations were under way: until their last completion the kernel "
            "uses their memory",
            closing_anchor);
    EXPECT_EQ(::write(pair.ends[1], "late", 4), 4);
    EXPECT_EQ(read_within(pair.ends[0]), "late");
}

TEST(step7, a_listener_closes_what_it_has_accepted) {
    world here;
    const auto work = [&]() -> lab::task<> {
        std::vector<int> clients;
        const int before = open_descriptors();
        {
            lab::listener from;
            clients.push_back(course::connect_to(from.port()));
            {
                const lab::stream first = co_await from.accept();
            }
            for (int number = 0; number < 5; ++number)
                clients.push_back(course::connect_to(from.port()));
            co_await turns(5);
        }
        co_await turns(5);
        EXPECT_EQ(open_descriptors(), before + 6) << course::why(
            "connections that were accepted and not taken, or the listener itself, are still open",
            closing_anchor);
        for (const int client : clients)
            ::close(client);
    };
    here.loop.run(work());
}
