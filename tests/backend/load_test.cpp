#include "backend/backend_fixture.hpp"

#include <algorithm>
#include <deque>
#include <memory>

namespace eddy::testing::load_test {
namespace {

// More operations at once than any queue between the backend and the kernel holds.
class load_test : public backend_test {
protected:
    static constexpr std::size_t operations = 10'000;
    static constexpr std::size_t connections = 20;

    void SetUp() override {
        backend_test::SetUp();
        if (IsSkipped())
            return;
        make_backend(io::backend_options().queue_entries(64).receive_buffers_max(64));
        for (std::size_t count = 0; count < connections; ++count)
            made_.push_back(connect());
    }
    void TearDown() override {
        for (connection& one : made_)
            if (backend_ != nullptr)
                backend_->close(one.near);
        backend_test::TearDown();
    }

    std::deque<connection> made_;
};

TEST_F(load_test, ten_thousand_receives_wait_at_once_and_all_end) {
    std::deque<recorded> receiving;
    std::vector<char> bytes(operations, '#');
    for (std::size_t at = 0; at < operations; ++at)
        backend().submit(receiving.emplace_back(io::opcode::receive, made_[at % connections].near, &bytes[at],
                                                std::size_t{1}));
    backend().turn(duration::zero());
    for (connection& one : made_)
        one.far.send(std::string(operations / connections, 'x'));
    turn_until([&] { return std::ranges::all_of(receiving, &recorded::has_ended); });
    EXPECT_EQ(std::ranges::count(bytes, 'x'), static_cast<std::ptrdiff_t>(operations));
    EXPECT_TRUE(std::ranges::all_of(receiving, [](const recorded& one) { return one.outcomes.size() == 1; }));
}

TEST_F(load_test, ten_thousand_operations_that_end_at_once_are_all_reported) {
    std::deque<recorded> sending;
    for (std::size_t at = 0; at < operations; ++at)
        backend().submit(
            sending.emplace_back(io::opcode::send, made_[at % connections].near, "x", std::size_t{1}));
    turn_until([&] { return std::ranges::all_of(sending, &recorded::has_ended); });
    EXPECT_TRUE(std::ranges::all_of(sending, [](const recorded& one) { return one.result() == 1; }));
    for (connection& one : made_)
        EXPECT_EQ(one.far.receive(operations / connections), std::string(operations / connections, 'x'));
}

TEST_F(load_test, ten_thousand_operations_are_taken_back) {
    std::deque<recorded> receiving;
    std::vector<char> bytes(operations, '#');
    for (std::size_t at = 0; at < operations; ++at)
        backend().submit(receiving.emplace_back(io::opcode::receive, made_[at % connections].near, &bytes[at],
                                                std::size_t{1}));
    for (std::size_t at = 0; at < operations; at += 2)
        EXPECT_EQ(backend().withdraw(receiving[at]), -ECANCELED);
    backend().turn(duration::zero());
    for (std::size_t at = 1; at < operations; at += 2)
        EXPECT_EQ(backend().withdraw(receiving[at]), -ECANCELED);
    for (connection& one : made_)
        one.far.send("y");
    for (connection& one : made_)
        EXPECT_EQ(receive(one.near, 1), "y");
    EXPECT_EQ(std::ranges::count(bytes, '#'), static_cast<std::ptrdiff_t>(operations));
}

TEST_F(load_test, ten_thousand_operations_are_cancelled) {
    std::deque<recorded> receiving;
    std::vector<char> bytes(operations, '#');
    for (std::size_t at = 0; at < operations; ++at)
        backend().submit(receiving.emplace_back(io::opcode::receive, made_[at % connections].near, &bytes[at],
                                                std::size_t{1}));
    backend().turn(duration::zero());
    for (recorded& one : receiving)
        backend().cancel(one);
    turn_until([&] { return std::ranges::all_of(receiving, &recorded::has_ended); });
    EXPECT_TRUE(
        std::ranges::all_of(receiving, [](const recorded& one) { return one.result() == -ECANCELED; }));
}

TEST_F(load_test, draining_leaves_none_of_ten_thousand) {
    constexpr std::size_t drained = 10'000;
    std::deque<recorded> receiving;
    std::vector<char> bytes(operations, '#');
    for (std::size_t at = 0; at < drained; ++at)
        backend().submit(receiving.emplace_back(io::opcode::receive, made_[at % connections].near, &bytes[at],
                                                std::size_t{1}));
    backend().drain();
    EXPECT_TRUE(std::ranges::all_of(receiving, &recorded::has_ended));
    backend_.reset();
    for (connection& one : made_)
        ::close(one.near);
}

}  // namespace
}  // namespace eddy::testing::load_test
