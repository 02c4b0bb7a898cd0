#include "backend/backend_fixture.hpp"

#include <deque>
#include <fcntl.h>
#include <memory>
#include <random>

namespace eddy::testing::withdraw_test {
namespace {

class withdraw_test : public backend_test {
protected:
    /// Withdraws, checking that no completion comes then or later.
    int withdraw(recorded& ended) {
        const int result = backend().withdraw(ended);
        EXPECT_TRUE(ended.is_idle());
        backend().turn(duration::zero());
        EXPECT_TRUE(ended.outcomes.empty());
        return result;
    }
};

TEST_F(withdraw_test, a_receive_is_taken_back_at_once) {
    connection made = connect();
    std::string into(16, '#');
    recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
    backend().submit(receiving);
    EXPECT_EQ(withdraw(receiving), -ECANCELED);
    made.far.send("abc");
    EXPECT_EQ(receive(made.near, 3), "abc");
    EXPECT_EQ(into, std::string(16, '#'));
    backend().close(made.near);
}

TEST_F(withdraw_test, a_receive_is_taken_back_while_it_waits) {
    connection made = connect();
    auto into = std::make_unique<std::string>(16, '#');
    auto receiving = std::make_unique<recorded>(io::opcode::receive, made.near, into->data(), into->size());
    backend().submit(*receiving);
    backend().turn(duration::zero());
    EXPECT_EQ(withdraw(*receiving), -ECANCELED);
    made.far.send("abc");
    backend().turn(duration::zero());
    EXPECT_EQ(*into, std::string(16, '#'));
    receiving.reset();
    into.reset();
    EXPECT_EQ(receive(made.near, 3), "abc");
    backend().close(made.near);
}

TEST_F(withdraw_test, a_receive_that_has_won_gives_its_bytes) {
    connection made = connect();
    made.far.send("abc");
    std::string into(16, '#');
    recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
    backend().submit(receiving);
    const int result = withdraw(receiving);
    std::string received = result > 0 ? into.substr(0, static_cast<std::size_t>(result)) : "";
    received += receive(made.near, 3 - received.size());
    EXPECT_EQ(received, "abc");
    backend().close(made.near);
}

TEST_F(withdraw_test, no_byte_is_lost_however_the_race_ends) {
    const auto seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto chance = [&] { return random() % 2 == 0; };
    connection made = connect();
    const std::string text = numbered_text(40'000);
    std::string received;
    std::size_t sent = 0;
    while (received.size() < text.size()) {
        std::string into(64, '#');
        recorded receiving(io::opcode::receive, made.near, into.data(), 1 + random() % into.size());
        const auto send_some = [&] {
            const std::size_t size = std::min<std::size_t>(random() % 100, text.size() - sent);
            made.far.send(std::string_view(text).substr(sent, size));
            sent += size;
        };
        if (chance())
            send_some();
        backend().submit(receiving);
        if (chance())
            backend().turn(duration::zero());
        if (chance())
            send_some();
        if (chance())
            backend().turn(duration::zero());
        const int result = receiving.is_idle() ? receiving.result() : backend().withdraw(receiving);
        ASSERT_TRUE(result > 0 || result == -ECANCELED) << result;
        if (result > 0)
            received.append(into, 0, static_cast<std::size_t>(result));
    }
    EXPECT_EQ(received, text);
    backend().close(made.near);
}

TEST_F(withdraw_test, one_of_two_that_wait_can_be_taken_back) {
    connection made = connect();
    char first = '#';
    char second = '#';
    recorded first_receive(io::opcode::receive, made.near, &first, 1);
    recorded second_receive(io::opcode::receive, made.near, &second, 1);
    backend().submit(first_receive);
    backend().submit(second_receive);
    backend().turn(duration::zero());
    EXPECT_EQ(withdraw(first_receive), -ECANCELED);
    made.far.send("1");
    turn_until([&] { return second_receive.has_ended(); });
    EXPECT_EQ(first, '#');
    EXPECT_EQ(second, '1');
    backend().close(made.near);
}

TEST_F(withdraw_test, a_send_that_waits_leaves_a_prefix_sent) {
    for (const bool waits : {false, true}) {
        connection made = connect();
        shrink_send_buffer(made.near);
        auto text = std::make_unique<std::string>(numbered_text(16 << 20));
        recorded sending(io::opcode::send, made.near, text->data(), text->size());
        sending.whole = true;
        backend().submit(sending);
        if (waits)
            backend().turn(duration::zero());
        const int result = withdraw(sending);
        EXPECT_LT(result, static_cast<int>(text->size()));
        const std::string whole = std::move(*text);
        text.reset();
        backend().close(made.near);
        backend().turn(duration::zero());
        const std::string received = made.far.receive(whole.size());
        EXPECT_LT(received.size(), whole.size());
        EXPECT_TRUE(whole.starts_with(received));
        EXPECT_EQ(result, received.empty() ? -ECANCELED : static_cast<int>(received.size()));
    }
}

TEST_F(withdraw_test, a_vectored_send_that_waits_leaves_a_prefix_sent) {
    for (const bool waits : {false, true}) {
        connection made = connect();
        shrink_send_buffer(made.near);
        const std::string text = numbered_text(16 << 20);
        const const_buffer buffers[] = {std::string_view(text).substr(0, 1 << 20),
                                        std::string_view(text).substr(1 << 20)};
        recorded sending(io::opcode::send_vectored, made.near, buffers, std::size(buffers));
        sending.whole = true;
        backend().submit(sending);
        if (waits)
            backend().turn(duration::zero());
        const int result = withdraw(sending);
        EXPECT_LT(result, static_cast<int>(text.size()));
        backend().close(made.near);
        backend().turn(duration::zero());
        const std::string received = made.far.receive(text.size());
        EXPECT_LT(received.size(), text.size());
        EXPECT_TRUE(text.starts_with(received));
        EXPECT_EQ(result, received.empty() ? -ECANCELED : static_cast<int>(received.size()));
    }
}

TEST_F(withdraw_test, a_send_that_was_never_submitted_or_has_won_is_told_apart) {
    connection made = connect();
    recorded sending(io::opcode::send, made.near, "abc", std::size_t{3});
    backend().submit(sending);
    const int result = withdraw(sending);
    EXPECT_TRUE(result == 3 || result == -ECANCELED) << result;
    EXPECT_EQ(send(made.near, "."), 1);
    EXPECT_EQ(made.far.receive(result == 3 ? 4 : 1), result == 3 ? "abc." : ".");
    backend().close(made.near);
}

TEST_F(withdraw_test, a_connect_that_waits_is_taken_back) {
    // A listener whose queue is full answers to nobody.
    const plain_listener full(0);
    const endpoint to = endpoint::loopback_ipv4(full.port());
    std::deque<std::pair<int, std::unique_ptr<recorded>>> connecting;
    const auto begin = [&] {
        const int descriptor = backend().system().sockets->open_socket(endpoint::family::ipv4);
        connecting.emplace_back(descriptor,
                                std::make_unique<recorded>(io::opcode::connect, descriptor, &to, sizeof(to)));
        backend().submit(*connecting.back().second);
    };
    for (int count = 0; count < 6; ++count) {
        begin();
        backend().turn(duration::zero());
    }
    backend().turn(duration::zero());
    recorded& waiting = *connecting.back().second;
    ASSERT_FALSE(waiting.is_idle());
    EXPECT_EQ(withdraw(waiting), -ECANCELED);
    begin();
    const int at_once = withdraw(*connecting.back().second);
    EXPECT_EQ(at_once, -ECANCELED);
    for (auto& [descriptor, one] : connecting) {
        cancel(*one);
        backend().close(descriptor);
    }
}

TEST_F(withdraw_test, a_connect_that_has_won_is_told_apart) {
    for (int round = 0; round < 20; ++round) {
        const endpoint to = endpoint::loopback_ipv4(listener_.port());
        const int descriptor = backend().system().sockets->open_socket(endpoint::family::ipv4);
        auto connecting = std::make_unique<recorded>(io::opcode::connect, descriptor, &to, sizeof(to));
        backend().submit(*connecting);
        const int result = withdraw(*connecting);
        EXPECT_TRUE(result == 0 || result == -ECANCELED) << result;
        connecting.reset();
        backend().close(descriptor);
    }
}

TEST_F(withdraw_test, a_read_is_taken_back) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    std::string into(16, '#');
    recorded reading(io::opcode::read, ends[0], into.data(), into.size());
    for (const bool waits : {false, true}) {
        backend().submit(reading);
        if (waits)
            backend().turn(duration::zero());
        EXPECT_EQ(withdraw(reading), -ECANCELED);
    }
    ASSERT_EQ(::write(ends[1], "abc", 3), 3);
    backend().submit(reading);
    const int won = withdraw(reading);
    if (won == -ECANCELED) {
        EXPECT_EQ(run(reading), 3);
    }
    EXPECT_EQ(into.substr(0, 3), "abc");
    ::close(ends[1]);
    backend().close(ends[0]);
}

TEST_F(withdraw_test, a_shutdown_taken_back_has_happened_or_not) {
    connection made = connect();
    recorded ending(io::opcode::shutdown, made.near);
    ending.size = 1;
    backend().submit(ending);
    const int result = withdraw(ending);
    EXPECT_TRUE(result == 0 || result == -ECANCELED) << result;
    EXPECT_EQ(send(made.near, "x"), result == 0 ? -EPIPE : 1);
    backend().close(made.near);
}

TEST_F(withdraw_test, completions_of_others_are_not_lost_on_the_way) {
    constexpr std::size_t connections = 50;
    std::deque<connection> made;
    std::deque<std::pair<char, std::unique_ptr<recorded>>> receiving;
    for (std::size_t count = 0; count < connections; ++count) {
        made.push_back(connect());
        auto& [byte, one] = receiving.emplace_back('#', nullptr);
        one = std::make_unique<recorded>(io::opcode::receive, made.back().near, &byte, 1);
        backend().submit(*one);
    }
    backend().turn(duration::zero());
    for (std::size_t at = 1; at < connections; ++at)
        made[at].far.send("x");
    EXPECT_EQ(backend().withdraw(*receiving.front().second), -ECANCELED);
    turn_until([&] {
        return std::ranges::all_of(receiving.begin() + 1, receiving.end(),
                                   [](const auto& one) { return one.second->has_ended(); });
    });
    EXPECT_TRUE(receiving.front().second->outcomes.empty());
    for (std::size_t at = 1; at < connections; ++at) {
        EXPECT_EQ(receiving[at].second->outcomes.size(), 1U);
        EXPECT_EQ(receiving[at].first, 'x');
    }
    for (connection& one : made)
        backend().close(one.near);
}

TEST_F(withdraw_test, it_is_counted) {
    connection made = connect();
    const auto before = backend().metrics();
    char byte = 0;
    recorded receiving(io::opcode::receive, made.near, &byte, 1);
    backend().submit(receiving);
    backend().withdraw(receiving);
    EXPECT_EQ(backend().metrics().withdrawn, before.withdrawn + 1);
    EXPECT_EQ(backend().metrics().submitted, before.submitted + 1);
    backend().close(made.near);
}

}  // namespace
}  // namespace eddy::testing::withdraw_test
