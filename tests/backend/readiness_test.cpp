#include "backend/backend_fixture.hpp"

#include <array>
#include <fcntl.h>
#include <unistd.h>

namespace eddy::testing::readiness_test {
namespace {

class readiness_test : public backend_test {
protected:
    /// A pipe of the test's own, which the backend is never told of.
    struct foreign_pipe {
        foreign_pipe() { EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0); }
        foreign_pipe(const foreign_pipe&) = delete;
        ~foreign_pipe() {
            close(0);
            close(1);
        }
        void close(std::size_t end) {
            if (ends[end] >= 0)
                ::close(std::exchange(ends[end], -1));
        }
        void put(char byte) { EXPECT_EQ(::write(ends[1], &byte, 1), 1); }
        std::array<int, 2> ends{-1, -1};
    };
};

TEST_F(readiness_test, a_descriptor_with_bytes_is_readable_at_once_and_stays_so) {
    foreign_pipe pipe;
    pipe.put('a');
    for (int count = 0; count < 3; ++count) {
        recorded waiting(io::opcode::await_readable, pipe.ends[0]);
        EXPECT_GE(run(waiting), 0);
    }
    char byte = 0;
    EXPECT_EQ(::read(pipe.ends[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'a');
}

TEST_F(readiness_test, an_empty_descriptor_becomes_readable_by_what_comes) {
    foreign_pipe pipe;
    for (const char byte : {'a', 'b', 'c'}) {
        recorded waiting(io::opcode::await_readable, pipe.ends[0]);
        backend().submit(waiting);
        for (int turns = 0; turns < 3; ++turns)
            backend().turn(duration::zero());
        EXPECT_TRUE(waiting.outcomes.empty());
        pipe.put(byte);
        turn_until([&] { return waiting.has_ended(); });
        EXPECT_GE(waiting.result(), 0);
        char read = 0;
        EXPECT_EQ(::read(pipe.ends[0], &read, 1), 1);
        EXPECT_EQ(read, byte);
    }
}

TEST_F(readiness_test, the_end_makes_readable_and_writable) {
    foreign_pipe reading;
    recorded readable(io::opcode::await_readable, reading.ends[0]);
    backend().submit(readable);
    backend().turn(duration::zero());
    reading.close(1);
    turn_until([&] { return readable.has_ended(); });
    EXPECT_GE(readable.result(), 0);

    foreign_pipe writing;
    writing.close(0);
    recorded writable(io::opcode::await_writable, writing.ends[1]);
    EXPECT_GE(run(writable), 0);
}

TEST_F(readiness_test, a_full_descriptor_becomes_writable_when_it_is_read) {
    foreign_pipe pipe;
    const int flags = ::fcntl(pipe.ends[1], F_GETFL);
    ::fcntl(pipe.ends[1], F_SETFL, flags | O_NONBLOCK);
    std::vector<char> block(4096);
    while (::write(pipe.ends[1], block.data(), block.size()) > 0) {
    }
    recorded waiting(io::opcode::await_writable, pipe.ends[1]);
    backend().submit(waiting);
    for (int turns = 0; turns < 3; ++turns)
        backend().turn(duration::zero());
    EXPECT_TRUE(waiting.outcomes.empty());
    while (::read(pipe.ends[0], block.data(), block.size()) == static_cast<ssize_t>(block.size()) &&
           !waiting.has_ended())
        backend().turn(duration::zero());
    turn_until([&] { return waiting.has_ended(); });
    EXPECT_GE(waiting.result(), 0);
}

TEST_F(readiness_test, a_number_that_others_have_closed_and_opened_again_is_seen_anew) {
    for (int count = 0; count < 3; ++count) {
        foreign_pipe pipe;
        recorded waiting(io::opcode::await_readable, pipe.ends[0]);
        backend().submit(waiting);
        backend().turn(duration::zero());
        EXPECT_TRUE(waiting.outcomes.empty());
        pipe.put('a');
        turn_until([&] { return waiting.has_ended(); });
        EXPECT_GE(waiting.result(), 0);
    }
}

TEST_F(readiness_test, a_number_that_others_have_closed_may_be_that_of_a_socket_next) {
    foreign_pipe pipe;
    const int number = pipe.ends[0];
    recorded waiting(io::opcode::await_readable, number);
    backend().submit(waiting);
    backend().turn(duration::zero());
    pipe.put('a');
    turn_until([&] { return waiting.has_ended(); });
    pipe.close(0);

    int near = -1;
    int far = -1;
    ASSERT_EQ(backend().system().sockets->open_local_pair(io::socket_kind::stream, near, far), 0);
    ASSERT_EQ(near, number);
    char byte = '#';
    recorded receiving(io::opcode::receive, near, &byte, 1);
    backend().submit(receiving);
    backend().turn(duration::zero());
    EXPECT_TRUE(receiving.outcomes.empty());
    EXPECT_EQ(send(far, "b"), 1);
    turn_until([&] { return receiving.has_ended(); });
    EXPECT_EQ(receiving.result(), 1);
    EXPECT_EQ(byte, 'b');
    backend().close(near);
    backend().close(far);
}

TEST_F(readiness_test, a_wait_that_is_withdrawn_is_forgotten) {
    foreign_pipe pipe;
    recorded waiting(io::opcode::await_readable, pipe.ends[0]);
    backend().submit(waiting);
    backend().turn(duration::zero());
    EXPECT_EQ(backend().withdraw(waiting), -ECANCELED);
    pipe.put('a');
    backend().turn(duration::zero());
    EXPECT_TRUE(waiting.outcomes.empty());
    EXPECT_EQ(backend().count_under_way(), 0U);
}

TEST_F(readiness_test, a_file_is_always_ready) {
    const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ASSERT_GE(file, 0);
    recorded readable(io::opcode::await_readable, file);
    EXPECT_GE(run(readable), 0);
    ::close(file);
}

TEST_F(readiness_test, a_number_that_is_no_descriptor_is_an_error) {
    recorded waiting(io::opcode::await_readable, 19'999);
    EXPECT_EQ(run(waiting), -EBADF);
}

}  // namespace
}  // namespace eddy::testing::readiness_test
