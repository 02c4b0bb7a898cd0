// With a seed, completions are reported in random order, but those of one operation in theirs.

#include "backend/backend_fixture.hpp"

#include <deque>
#include <numeric>

namespace eddy::testing::shuffle_test {
namespace {

constexpr std::size_t connections = 16;

class shuffle_test : public backend_test {
protected:
    void make_shuffling(std::uint64_t seed) {
        make_backend(io::backend_options().receive_buffer_bytes(64).shuffle_seed(seed));
    }

    /// Sends a byte on each of several connections at once, and gives the order in which that is reported.
    std::vector<std::size_t> order_of_sends() {
        struct numbered_send : io::operation {
            numbered_send(std::size_t at, int on, std::vector<std::size_t>& into) noexcept
                : operation(io::opcode::send, &note), number(at), order(into) {
                static char byte = 'x';
                descriptor = on;
                address = &byte;
                size = 1;
            }
            static void note(io::operation& done, const io::completion&) noexcept {
                auto& self = static_cast<numbered_send&>(done);
                self.order.push_back(self.number);
            }
            std::size_t number;
            std::vector<std::size_t>& order;
        };
        std::vector<std::size_t> order;
        std::deque<connection> made;
        std::deque<numbered_send> sends;
        for (std::size_t at = 0; at < connections; ++at) {
            made.push_back(connect());
            sends.emplace_back(at, made.back().near, order);
        }
        for (auto& send : sends)
            backend().submit(send);
        turn_until([&] { return order.size() == connections; });
        for (auto& each : made)
            backend().close(each.near);
        return order;
    }
};

TEST_F(shuffle_test, without_a_seed_what_was_done_first_is_reported_first) {
    make_shuffling(0);
    std::vector<std::size_t> in_order(connections);
    std::iota(in_order.begin(), in_order.end(), std::size_t{0});
    EXPECT_EQ(order_of_sends(), in_order);
}

TEST_F(shuffle_test, a_seed_decides_the_order) {
    make_shuffling(1);
    const auto first = order_of_sends();
    make_shuffling(1);
    const auto again = order_of_sends();
    make_shuffling(2);
    const auto other = order_of_sends();
    EXPECT_FALSE(std::ranges::is_sorted(first));
    EXPECT_EQ(first, again);
    EXPECT_NE(first, other);
}

TEST_F(shuffle_test, the_completions_of_one_operation_keep_their_order) {
    make_shuffling(3);
    const std::string sent = numbered_text(64 * 32);
    std::deque<connection> made;
    std::deque<recorded> receives;
    for (std::size_t at = 0; at < 4; ++at) {
        made.push_back(connect());
        receives.emplace_back(io::opcode::receive_multishot, made.back().near);
        made.back().far.send(sent);
    }
    for (std::size_t at = 0; at < 4; ++at) {
        recorded& receiving = receives[at];
        std::string text;
        std::size_t seen = 0;
        turn_until([&] {
            if (receiving.is_idle())
                backend().submit(receiving);
            backend().turn(10ms);
            for (; seen < receiving.outcomes.size(); ++seen) {
                const io::completion& step = receiving.outcomes[seen];
                if (step.result <= 0)
                    continue;
                text.append(reinterpret_cast<const char*>(backend().buffers().data(step.buffer)),
                            static_cast<std::size_t>(step.result));
                backend().buffers().release(step.buffer);
            }
            return text.size() >= sent.size();
        });
        EXPECT_EQ(text, sent);
    }
    for (auto& receiving : receives)
        if (!receiving.is_idle())
            cancel(receiving);
}

}  // namespace
}  // namespace eddy::testing::shuffle_test
