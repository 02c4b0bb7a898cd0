#include "backend/backend_fixture.hpp"
#include "support/descriptor_limit.hpp"
#include "support/seed.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace eddy::testing::receive_multishot_test {
namespace {

class receive_multishot_test : public backend_test {
protected:
    /// A pooled receive that is begun anew as often as it ends, until the stream does.
    struct pooled {
        explicit pooled(int descriptor) : receiving(io::opcode::receive_multishot, descriptor) {}
        recorded receiving;
        std::size_t seen = 0;
        std::string text;
        std::vector<io::buffer_pool::index> held;
        bool has_ended = false;
        int last = 1;
    };

    /// Takes what was received, copying it; keeps the buffers in `held`.
    void take(pooled& stream) {
        for (; stream.seen < stream.receiving.outcomes.size(); ++stream.seen) {
            const io::completion& outcome = stream.receiving.outcomes[stream.seen];
            stream.last = outcome.result;
            if (outcome.result > 0) {
                ASSERT_LT(outcome.buffer, backend().buffers().buffers());
                ASSERT_LE(static_cast<std::size_t>(outcome.result), backend().buffers().buffer_size());
                stream.text.append(reinterpret_cast<const char*>(backend().buffers().data(outcome.buffer)),
                                   static_cast<std::size_t>(outcome.result));
                stream.held.push_back(outcome.buffer);
            } else {
                stream.has_ended = true;
                EXPECT_FALSE(outcome.more);
            }
        }
    }
    void release(pooled& stream) {
        for (const auto buffer : std::exchange(stream.held, {}))
            backend().buffers().release(buffer);
    }
    void resume(pooled& stream) {
        if (stream.receiving.is_idle() && !stream.has_ended)
            backend().submit(stream.receiving);
    }
    /// Receives until done(), giving every buffer back at once.
    template <class Done>
    void receive_until(pooled& stream, Done done) {
        turn_until([&] {
            take(stream);
            release(stream);
            if (done())
                return true;
            resume(stream);
            return false;
        });
    }
    void end(pooled& stream) {
        cancel(stream.receiving);
        take(stream);
        release(stream);
    }
};

TEST_F(receive_multishot_test, every_byte_comes_in_order_up_to_the_end) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(8));
    connection made = connect();
    const std::string text = numbered_text(100'000);
    made.far.send(text);
    made.far.finish();
    pooled stream(made.near);
    receive_until(stream, [&] { return stream.has_ended; });
    EXPECT_EQ(stream.text, text);
    EXPECT_EQ(stream.last, 0);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, it_waits_for_what_comes) {
    connection made = connect();
    pooled stream(made.near);
    for (const std::string_view text : {"one", "two", "three"}) {
        resume(stream);
        backend().turn(duration::zero());
        take(stream);
        EXPECT_EQ(stream.text, "");
        made.far.send(text);
        receive_until(stream, [&] { return stream.text == text; });
        stream.text.clear();
    }
    end(stream);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, a_reset_is_an_error) {
    connection made = connect();
    pooled stream(made.near);
    resume(stream);
    backend().turn(duration::zero());
    made.far.reset();
    receive_until(stream, [&] { return stream.has_ended; });
    EXPECT_EQ(stream.last, -ECONNRESET);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, one_that_waits_holds_no_buffer) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(2));
    std::deque<connection> made;
    std::deque<pooled> waiting;
    for (int count = 0; count < 20; ++count) {
        made.push_back(connect());
        resume(waiting.emplace_back(made.back().near));
    }
    backend().turn(duration::zero());
    for (std::size_t at = made.size(); at-- > 0;) {
        made[at].far.send("ping");
        receive_until(waiting[at], [&] { return waiting[at].text == "ping"; });
    }
    for (std::size_t at = 0; at < made.size(); ++at) {
        end(waiting[at]);
        backend().close(made[at].near);
    }
}

TEST_F(receive_multishot_test, without_a_buffer_it_waits_until_one_is_given_back) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(2));
    connection made = connect();
    const std::string text = numbered_text(10 * 1024);
    made.far.send(text);
    pooled stream(made.near);
    turn_until([&] {
        take(stream);
        resume(stream);
        return stream.held.size() == 2;
    });
    turn_until([&] {
        take(stream);
        resume(stream);
        return backend().metrics().starved > 0;
    });
    backend().turn(duration::zero());
    take(stream);
    EXPECT_EQ(stream.held.size(), 2U);
    EXPECT_FALSE(stream.has_ended);
    EXPECT_EQ(backend().buffers().buffers(), 2U);
    receive_until(stream, [&] { return stream.text.size() == text.size(); });
    EXPECT_EQ(stream.text, text);
    end(stream);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, all_that_lack_a_buffer_get_one_in_time) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(2));
    std::deque<connection> made;
    std::deque<pooled> streams;
    for (int count = 0; count < 10; ++count) {
        made.push_back(connect());
        made.back().far.send("hello");
        resume(streams.emplace_back(made.back().near));
    }
    std::size_t served = 0;
    turn_until([&] {
        for (pooled& stream : streams) {
            take(stream);
            if (stream.held.empty())
                continue;
            release(stream);
            EXPECT_EQ(stream.text, "hello");
            ++served;
            break;
        }
        return served == streams.size();
    });
    for (std::size_t at = 0; at < made.size(); ++at) {
        end(streams[at]);
        backend().close(made[at].near);
    }
}

TEST_F(receive_multishot_test, one_that_lacks_a_buffer_again_and_again_gets_each_that_is_given_back) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(2));
    connection made = connect();
    const std::string text = numbered_text(8 * 1024);
    made.far.send(text);
    pooled stream(made.near);
    std::uint64_t starved = 0;
    for (int times = 0; times < 4; ++times) {
        turn_until([&] {
            take(stream);
            resume(stream);
            return stream.held.size() == 2 && backend().metrics().starved > starved;
        });
        starved = backend().metrics().starved;
        ASSERT_EQ(stream.held.size(), 2U);
        backend().buffers().release(stream.held.back());
        stream.held.pop_back();
    }
    receive_until(stream, [&] { return stream.text.size() == text.size(); });
    EXPECT_EQ(stream.text, text);
    end(stream);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, the_receive_that_has_lacked_a_buffer_longest_gets_the_next_one) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(2));
    connection hoarding = connect();
    hoarding.far.send(numbered_text(2 * 1024));
    pooled hoard(hoarding.near);
    turn_until([&] {
        take(hoard);
        if (hoard.held.size() < 2)
            resume(hoard);
        return hoard.held.size() == 2;
    });
    // 1 where the kernel looks for a buffer before it looks for data (Linux 6.1): what took the last one lacks the next.
    cancel(hoard.receiving);
    const std::uint64_t before = backend().metrics().starved;
    std::deque<connection> made;
    std::deque<pooled> streams;
    for (std::uint64_t count = 1; count <= 3; ++count) {
        made.push_back(connect());
        made.back().far.send("hello");
        resume(streams.emplace_back(made.back().near));
        turn_until([&] { return backend().metrics().starved == before + count; });
    }
    backend().buffers().release(hoard.held.back());
    hoard.held.pop_back();
    for (std::size_t at = 0; at < streams.size(); ++at) {
        turn_until([&] {
            for (pooled& stream : streams)
                take(stream);
            return std::ranges::any_of(streams, [](const pooled& stream) { return !stream.held.empty(); });
        });
        ASSERT_EQ(streams[at].held.size(), 1U) << at;
        release(streams[at]);
    }
    EXPECT_EQ(backend().metrics().starved, before + streams.size() * (1 + before))
        << "a buffer is offered to one receive";
    release(hoard);
    for (std::size_t at = 0; at < made.size(); ++at) {
        end(streams[at]);
        backend().close(made[at].near);
    }
    end(hoard);
    backend().close(hoarding.near);
}

TEST_F(receive_multishot_test, one_that_lacks_a_buffer_can_be_cancelled) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(2));
    connection made = connect();
    made.far.send(numbered_text(8 * 1024));
    pooled stream(made.near);
    turn_until([&] {
        take(stream);
        resume(stream);
        return backend().metrics().starved > 0;
    });
    EXPECT_EQ(cancel(stream.receiving), -ECANCELED);
    EXPECT_EQ(receive(made.near, 8 * 1024 - stream.text.size()),
              numbered_text(8 * 1024).substr(stream.text.size()));
    release(stream);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, cancelling_loses_no_byte) {
    connection made = connect();
    const std::string text = numbered_text(3000);
    std::string received;
    std::size_t sent = 0;
    for (std::size_t round = 0; sent < text.size(); ++round) {
        pooled stream(made.near);
        resume(stream);
        if (round % 2 == 0)
            backend().turn(duration::zero());
        const std::size_t size = std::min<std::size_t>(17, text.size() - sent);
        made.far.send(std::string_view(text).substr(sent, size));
        sent += size;
        if (round % 3 == 0)
            backend().turn(duration::zero());
        end(stream);
        received += stream.text;
    }
    if (received.size() < text.size())
        received += receive(made.near, text.size() - received.size());
    EXPECT_EQ(received, text);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, one_that_asks_for_it_ends_with_its_first_buffer) {
    make_backend(io::backend_options().receive_buffer_bytes(1024).receive_buffers_max(8));
    connection made = connect();
    const std::string text = numbered_text(3000);
    made.far.send(text);
    pooled stream(made.near);
    stream.receiving.whole = true;
    resume(stream);
    turn_until([&] { return stream.receiving.has_ended(); });
    for (int turns = 0; turns < 3; ++turns)
        backend().turn(duration::zero());
    take(stream);
    release(stream);
    EXPECT_EQ(stream.text, text.substr(0, 1024));
    EXPECT_EQ(stream.text + receive(made.near, 3000 - 1024), text);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, every_buffer_comes_back) {
    make_backend(io::backend_options().receive_buffer_bytes(256).receive_buffers_max(4));
    for (int round = 0; round < 30; ++round) {
        connection made = connect();
        pooled stream(made.near);
        resume(stream);
        made.far.send(numbered_text(600));
        if (round % 3 == 0)
            made.far.reset();
        else if (round % 3 == 1)
            made.far.finish();
        for (int turns = 0; turns < round % 5; ++turns)
            backend().turn(duration::zero());
        end(stream);
        backend().close(made.near);
    }
    // Had one been lost, four could not be held at once.
    connection made = connect();
    made.far.send(numbered_text(4 * 256));
    pooled stream(made.near);
    turn_until([&] {
        take(stream);
        if (stream.held.size() < 4)
            resume(stream);
        return stream.held.size() == 4;
    });
    end(stream);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, buffers_that_a_burst_has_left_are_given_back) {
    auto chance = test::seeded_generator();
    make_backend(io::backend_options().receive_buffer_bytes(256).receive_buffers_max(1024));
    connection made = connect();
    for (int bursts = 0; bursts < 3; ++bursts) {
        const std::string text = numbered_text(300 * 256);
        made.far.send(text);
        pooled stream(made.near);
        turn_until([&] {
            take(stream);
            resume(stream);
            return stream.text.size() == text.size();
        });
        EXPECT_EQ(stream.text, text);
        EXPECT_GE(backend().buffers().buffers(), 300U);
        // While somebody reads, and what was given back is in no order.
        std::shuffle(stream.held.begin(), stream.held.end(), chance);
        for (; stream.held.size() > 1; stream.held.pop_back()) {
            backend().buffers().release(stream.held.back());
            static_cast<void>(backend().buffers().trim_some());
        }
        EXPECT_GT(backend().buffers().available(), 0U);
        made.far.send(text.substr(0, 5000));
        turn_until([&] {
            take(stream);
            resume(stream);
            return stream.text.size() == text.size() + 5000;
        });
        EXPECT_EQ(stream.text, text + text.substr(0, 5000));
        end(stream);
        for (int looks = 0; looks < 20; ++looks)
            static_cast<void>(backend().buffers().trim_some());
        EXPECT_EQ(backend().buffers().buffers(), 64U);
        EXPECT_EQ(backend().buffers().available(), 64U);
    }
    // All of those that are left can be filled.
    made.far.send(numbered_text(64 * 256));
    pooled stream(made.near);
    turn_until([&] {
        take(stream);
        if (stream.held.size() < 64)
            resume(stream);
        return stream.held.size() == 64;
    });
    EXPECT_EQ(stream.text, numbered_text(64 * 256));
    // A kernel may ask for more once the last is full (Linux 6.1), but these were filled first.
    const std::set<io::buffer_pool::index> filled(stream.held.begin(), stream.held.end());
    EXPECT_EQ(filled.size(), 64U);
    EXPECT_EQ(*filled.rbegin(), 63U);
    end(stream);
    backend().close(made.near);
}

TEST_F(receive_multishot_test, buffers_are_given_back_while_receives_wait) {
    if (!test::may_have_descriptors(400))
        GTEST_SKIP() << test::needs_descriptors;
    make_backend(io::backend_options().receive_buffer_bytes(256).receive_buffers_max(1024));
    std::deque<connection> made;
    std::deque<pooled> streams;
    for (int count = 0; count < 150; ++count) {
        made.push_back(connect());
        resume(streams.emplace_back(made.back().near));
    }
    for (int rounds = 0; rounds < 3; ++rounds) {
        for (connection& each : made)
            each.far.send("hello");
        turn_until([&] {
            std::size_t held = 0;
            for (pooled& stream : streams) {
                take(stream);
                resume(stream);
                held += stream.held.size();
            }
            return held == streams.size();
        });
        EXPECT_EQ(backend().buffers().buffers(), 192U);
        for (pooled& stream : streams) {
            EXPECT_EQ(std::exchange(stream.text, {}), "hello");
            release(stream);
        }
        for (int looks = 0; looks < 5; ++looks)
            static_cast<void>(backend().buffers().trim_some());
        EXPECT_EQ(backend().buffers().buffers(), 64U);
    }
    for (std::size_t at = 0; at < made.size(); ++at) {
        end(streams[at]);
        backend().close(made[at].near);
    }
}

}  // namespace
}  // namespace eddy::testing::receive_multishot_test
