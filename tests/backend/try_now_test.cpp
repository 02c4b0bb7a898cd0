#include "backend/backend_fixture.hpp"

#include <array>
#include <unistd.h>

namespace eddy::testing::try_now_test {
namespace {

class try_now_test : public backend_test {
protected:
    int try_now(io::operation& op, io::try_reason when = io::try_reason::alone) {
        io::speculation record;
        return backend().try_now(op, record, when);
    }
};

TEST_F(try_now_test, a_send_and_a_receive_of_what_is_there_need_no_turn) {
    connection made = connect();
    recorded sending(io::opcode::send, made.near, "hello", 5);
    EXPECT_EQ(try_now(sending), 5);
    EXPECT_EQ(made.far.receive(5), "hello");
    made.far.send("first");
    EXPECT_EQ(receive(made.near, 5), "first");
    made.far.send("answer");
    backend().turn(duration::zero());
    std::array<char, 16> memory{};
    recorded receiving(io::opcode::receive, made.near, memory.data(), memory.size());
    EXPECT_EQ(try_now(receiving), 6);
    EXPECT_EQ(std::string_view(memory.data(), 6), "answer");
    EXPECT_TRUE(sending.is_idle() && receiving.is_idle());
    EXPECT_TRUE(sending.outcomes.empty() && receiving.outcomes.empty()) << "there is nothing to report";
    EXPECT_EQ(backend().count_under_way(), 0U);
    backend().close(made.near);
}

TEST_F(try_now_test, a_receive_of_nothing_does_nothing_and_may_be_submitted) {
    connection made = connect();
    std::array<char, 16> memory{};
    recorded receiving(io::opcode::receive, made.near, memory.data(), memory.size());
    EXPECT_EQ(try_now(receiving), io::not_now);
    EXPECT_TRUE(receiving.is_idle());
    backend().submit(receiving);
    EXPECT_EQ(try_now(receiving, io::try_reason::crowded), io::not_now)
        << "somebody waits already, or others are about to go on";
    made.far.send("late");
    turn_until([&] { return receiving.has_ended(); });
    EXPECT_EQ(receiving.result(), 4);
    backend().close(made.near);
}

TEST_F(try_now_test, what_is_asked_for_is_done_whatever_else_is_about_to_be_submitted) {
    connection made = connect();
    connection other = connect();
    std::array<char, 16> memory{};
    recorded receiving(io::opcode::receive, other.near, memory.data(), memory.size());
    backend().submit(receiving);
    recorded sending(io::opcode::send, made.near, "hello", 5);
    EXPECT_EQ(try_now(sending, io::try_reason::asked_for), 5);
    EXPECT_EQ(made.far.receive(5), "hello");
    other.far.send("end");
    turn_until([&] { return receiving.has_ended(); });
    backend().close(made.near);
    backend().close(other.near);
}

TEST_F(try_now_test, a_pooled_receive_gives_its_buffer_or_is_not_done) {
    connection made = connect();
    made.far.send("first");
    recorded receiving(io::opcode::receive_multishot, made.near);
    const int received = try_now(receiving, io::try_reason::asked_for);
    if (received != io::not_now) {
        ASSERT_EQ(received, 5);
        const auto buffer = static_cast<io::buffer_pool::index>(receiving.size);
        const auto* const bytes = reinterpret_cast<const char*>(backend().buffers().data(buffer));
        EXPECT_EQ(std::string_view(bytes, 5), "first");
        EXPECT_EQ(try_now(receiving, io::try_reason::asked_for), io::not_now) << "nothing more has arrived";
        backend().buffers().release(buffer);
    }
    EXPECT_TRUE(receiving.is_idle() && receiving.outcomes.empty());
    backend().close(made.near);
}

TEST_F(try_now_test, a_whole_send_tells_the_part_that_fits) {
    connection made = connect();
    shrink_send_buffer(made.near);
    const std::string text = numbered_text(16 << 20);
    recorded sending(io::opcode::send, made.near, text.data(), text.size());
    sending.whole = true;
    const int sent = try_now(sending);
    ASSERT_GT(sent, 0);
    EXPECT_LT(sent, static_cast<int>(text.size()));
    EXPECT_TRUE(made.far.receive(static_cast<std::size_t>(sent)) ==
                text.substr(0, static_cast<std::size_t>(sent)));
    backend().close(made.near);
}

TEST_F(try_now_test, an_error_and_the_end_are_results) {
    connection made = connect();
    recorded ending(io::opcode::shutdown, made.near);
    ending.size = 1;
    EXPECT_EQ(try_now(ending), 0);
    EXPECT_EQ(made.far.receive(1), "");
    recorded sending(io::opcode::send, made.near, "late", 4);
    EXPECT_EQ(try_now(sending), -EPIPE);
    backend().close(made.near);
}

TEST_F(try_now_test, a_pipe_is_written_and_read) {
    int reading = -1;
    int writing = -1;
    ASSERT_EQ(backend().system().descriptors->open_pipe(reading, writing), 0);
    backend().turn(duration::zero());  // with which what the backend itself waits for is submitted
    recorded write(io::opcode::write, writing, "bytes", 5);
    EXPECT_EQ(try_now(write), 5);
    std::array<char, 16> memory{};
    recorded read(io::opcode::read, reading, memory.data(), memory.size());
    EXPECT_EQ(try_now(read), 5);
    EXPECT_EQ(std::string_view(memory.data(), 5), "bytes");
    recorded nothing(io::opcode::read, reading, memory.data(), memory.size());
    EXPECT_EQ(try_now(nothing), io::not_now);
    backend().close(reading);
    backend().close(writing);
}

TEST_F(try_now_test, what_was_done_is_counted) {
    connection made = connect();
    const io::backend_metrics before = backend().metrics();
    recorded sending(io::opcode::send, made.near, "hello", 5);
    EXPECT_EQ(try_now(sending), 5);
    const io::backend_metrics after = backend().metrics();
    EXPECT_EQ(after.kernel_entries - before.kernel_entries, 1U);
    EXPECT_EQ(after.submitted - before.submitted, 1U);
    EXPECT_EQ(after.completions - before.completions, 1U);
    backend().close(made.near);
}

}  // namespace
}  // namespace eddy::testing::try_now_test
