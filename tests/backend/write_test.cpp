#include "backend/backend_fixture.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace eddy::testing::write_test {
namespace {

/// Pipes of the backend's own making, and pipes as others hand them over, in blocking mode.
class write_test : public backend_test, public ::testing::WithParamInterface<bool> {
protected:
    struct ends {
        int reading = -1;
        int writing = -1;
    };
    ends open_pipe() {
        ends made;
        if (!is_foreign()) {
            EXPECT_EQ(backend().system().descriptors->open_pipe(made.reading, made.writing), 0);
            return made;
        }
        std::array<int, 2> opened{};
        EXPECT_EQ(::pipe2(opened.data(), O_CLOEXEC), 0);
        return {opened[0], opened[1]};
    }
    static bool is_foreign() { return GetParam(); }
    void close(const ends& both) {
        backend().close(both.reading);
        backend().close(both.writing);
    }

    int write(int descriptor, std::string_view text) {
        recorded writing(io::opcode::write, descriptor, text.data(), text.size());
        return run(writing);
    }
    std::string read(int descriptor, std::size_t room = 65'536) {
        std::string into(room, '#');
        recorded reading(io::opcode::read, descriptor, into.data(), into.size());
        const int count = run(reading);
        EXPECT_GE(count, 0);
        into.resize(static_cast<std::size_t>(std::max(count, 0)));
        return into;
    }
    /// Fills the pipe.
    std::size_t fill(int descriptor) {
        const std::string text(65'536, 'x');
        std::size_t written = 0;
        for (;;) {
            recorded writing(io::opcode::write, descriptor, text.data(), text.size());
            backend().submit(writing);
            for (int turn = 0; turn < 3 && !writing.is_idle(); ++turn)
                backend().turn(duration::zero());
            const int result = writing.is_idle() ? writing.result() : backend().withdraw(writing);
            if (result == -ECANCELED)
                return written;
            EXPECT_GT(result, 0);
            written += static_cast<std::size_t>(result);
        }
    }
};

TEST_P(write_test, bytes_go_through_a_pipe) {
    const ends both = open_pipe();
    EXPECT_EQ(write(both.writing, "abc"), 3);
    EXPECT_EQ(write(both.writing, "de"), 2);
    EXPECT_EQ(read(both.reading), "abcde");
    close(both);
}

TEST_P(write_test, a_full_pipe_makes_a_write_wait_until_somebody_reads) {
    const ends both = open_pipe();
    const std::size_t before = fill(both.writing);
    recorded writing(io::opcode::write, both.writing, "abc", std::size_t{3});
    backend().submit(writing);
    for (int turn = 0; turn < 3; ++turn)
        backend().turn(duration::zero());
    EXPECT_FALSE(writing.has_ended());
    std::size_t seen = 0;
    std::string last;
    while (seen < before + 3) {
        last = read(both.reading);
        seen += last.size();
    }
    turn_until([&] { return writing.has_ended(); });
    EXPECT_EQ(writing.result(), 3);
    EXPECT_EQ(last.substr(last.size() - 3), "abc");
    close(both);
}

TEST_P(write_test, a_write_that_waits_is_taken_back) {
    const ends both = open_pipe();
    const std::size_t before = fill(both.writing);
    auto text = std::make_unique<std::string>("abc");
    for (const bool waits : {false, true}) {
        recorded writing(io::opcode::write, both.writing, text->data(), text->size());
        backend().submit(writing);
        if (waits)
            backend().turn(duration::zero());
        EXPECT_EQ(backend().withdraw(writing), -ECANCELED);
    }
    text.reset();
    std::size_t seen = 0;
    while (seen < before)
        seen += read(both.reading).size();
    EXPECT_EQ(write(both.writing, "."), 1);
    EXPECT_EQ(read(both.reading), ".");
    close(both);
}

TEST_P(write_test, a_pipe_that_nobody_reads_is_broken_without_a_signal) {
    const ends both = open_pipe();
    backend().close(both.reading);
    backend().turn(duration::zero());
    EXPECT_EQ(write(both.writing, "abc"), -EPIPE);
    EXPECT_EQ(write(both.writing, "abc"), -EPIPE);
    backend().close(both.writing);
}

TEST_P(write_test, a_write_that_waits_ends_when_the_reader_goes) {
    const ends both = open_pipe();
    fill(both.writing);
    recorded writing(io::opcode::write, both.writing, "abc", std::size_t{3});
    backend().submit(writing);
    backend().turn(duration::zero());
    backend().close(both.reading);
    turn_until([&] { return writing.has_ended(); });
    EXPECT_EQ(writing.result(), -EPIPE);
    backend().close(both.writing);
}

TEST_P(write_test, the_end_is_read_when_the_writer_goes) {
    const ends both = open_pipe();
    EXPECT_EQ(write(both.writing, "abc"), 3);
    backend().close(both.writing);
    backend().turn(duration::zero());
    EXPECT_EQ(read(both.reading), "abc");
    EXPECT_EQ(read(both.reading), "");
    backend().close(both.reading);
}

TEST_P(write_test, nothing_is_changed_about_a_descriptor_of_somebody_elses) {
    const ends both = open_pipe();
    const int before = ::fcntl(both.reading, F_GETFL);
    EXPECT_EQ(write(both.writing, "abc"), 3);
    EXPECT_EQ(read(both.reading), "abc");
    EXPECT_EQ(::fcntl(both.reading, F_GETFL), before);
    close(both);
}

TEST_P(write_test, waiting_for_readability_takes_nothing) {
    const ends both = open_pipe();
    recorded waiting(io::opcode::await_readable, both.reading);
    backend().submit(waiting);
    for (int turn = 0; turn < 3; ++turn)
        backend().turn(duration::zero());
    EXPECT_FALSE(waiting.has_ended());
    EXPECT_EQ(write(both.writing, "abc"), 3);
    turn_until([&] { return waiting.has_ended(); });
    EXPECT_GE(waiting.result(), 0);
    EXPECT_GE(run(waiting), 0) << "it is readable still";
    EXPECT_EQ(read(both.reading), "abc");
    backend().submit(waiting);
    backend().turn(duration::zero());
    EXPECT_EQ(backend().withdraw(waiting), -ECANCELED) << "it is readable no more";
    close(both);
}

TEST_P(write_test, waiting_for_room_writes_nothing) {
    const ends both = open_pipe();
    recorded waiting(io::opcode::await_writable, both.writing);
    EXPECT_GE(run(waiting), 0);
    std::size_t left = fill(both.writing);
    waiting.outcomes.clear();
    backend().submit(waiting);
    for (int turn = 0; turn < 3; ++turn)
        backend().turn(duration::zero());
    EXPECT_FALSE(waiting.has_ended());
    while (left != 0)
        left -= read(both.reading).size();
    turn_until([&] { return waiting.has_ended(); });
    EXPECT_GE(waiting.result(), 0);
    close(both);
}

INSTANTIATE_TEST_SUITE_P(own_and_foreign, write_test, ::testing::Bool(),
                         [](const auto& tested) { return std::string(tested.param ? "foreign" : "own"); });

class file_position_test : public backend_test {};

TEST_F(file_position_test, a_file_is_read_and_written_at_its_own_position) {
    std::string path = "/tmp/eddy_write_test_XXXXXX";
    const int file = ::mkstemp(path.data());
    ASSERT_GE(file, 0);
    for (const std::string_view text : {"one", "two"}) {
        recorded writing(io::opcode::write, file, text.data(), text.size());
        EXPECT_EQ(run(writing), 3);
    }
    EXPECT_EQ(::lseek(file, 0, SEEK_CUR), 6);
    EXPECT_EQ(::lseek(file, 1, SEEK_SET), 1);
    std::string into(4, '#');
    recorded reading(io::opcode::read, file, into.data(), into.size());
    EXPECT_EQ(run(reading), 4);
    EXPECT_EQ(into, "netw");
    EXPECT_EQ(run(reading), 1);
    EXPECT_EQ(run(reading), 0) << "the end";
    backend().close(file);
    ::unlink(path.c_str());
}

TEST_F(file_position_test, a_device_that_never_makes_one_wait_is_read_and_written) {
    const int device = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    char byte = '#';
    recorded writing(io::opcode::write, device, "abc", std::size_t{3});
    EXPECT_EQ(run(writing), 3);
    recorded reading(io::opcode::read, device, &byte, 1);
    EXPECT_EQ(run(reading), 0);
    backend().close(device);
}

TEST_F(file_position_test, a_directory_is_no_file) {
    const int directory = ::open("/", O_RDONLY | O_CLOEXEC);
    char byte = '#';
    recorded reading(io::opcode::read, directory, &byte, 1);
    EXPECT_EQ(run(reading), -EISDIR);
    backend().close(directory);
}

}  // namespace
}  // namespace eddy::testing::write_test
