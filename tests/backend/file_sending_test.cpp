#include "backend/posix/file_sending.hpp"

#include "support/numbered_bytes.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/sockets.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <span>
#include <string>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace eddy::io::test::file_sending_test {
namespace {

constexpr std::size_t file_bytes = 1'000'000;

class send_file : public testing::Test {
protected:
    send_file() {
        take_new_file("file");
        // In blocking mode, as the ring's sockets are.
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    }
    ~send_file() override {
        for (const int descriptor : {file, ends[0], ends[1]})
            if (descriptor >= 0)
                ::close(descriptor);
    }

    void take_new_file(const std::string& name) {
        std::string content(file_bytes, '\0');
        eddy::test::fill_numbered(std::as_writable_bytes(std::span(content)), 0);
        directory_.write(name, content);
        if (file >= 0)
            ::close(file);
        file = ::open(directory_.at(name).c_str(), O_RDONLY | O_CLOEXEC);
        EXPECT_GE(file, 0);
    }
    std::string receive(std::size_t count) const {
        std::string got(count, '\0');
        const auto received = ::recv(ends[1], got.data(), count, MSG_WAITALL);
        got.resize(received < 0 ? 0 : static_cast<std::size_t>(received));
        return got;
    }

    int file = -1;
    std::array<int, 2> ends{-1, -1};

private:
    eddy::test::scratch_directory directory_;
};

bool are_numbered(std::string_view bytes, std::size_t from) {
    return eddy::test::count_numbered(as_bytes(bytes), from) == bytes.size();
}

TEST_F(send_file, sends_what_comes_first_and_the_part_behind_it) {
    ASSERT_EQ(backends::send_file(ends[0], "head", file, 4097, 10'000), 10'004);
    const std::string got = receive(10'004);
    EXPECT_EQ(got.substr(0, 4), "head");
    EXPECT_TRUE(are_numbered(std::string_view(got).substr(4), 4097));
    ASSERT_EQ(backends::send_file(ends[0], {}, file, file_bytes - 1, 1), 1);
    EXPECT_TRUE(are_numbered(receive(1), file_bytes - 1));
}

TEST_F(send_file, never_waits_for_room_and_leaves_the_mode_as_it_was) {
    std::size_t sent = 0;
    std::int64_t last = 0;
    while (sent < file_bytes && (last = backends::send_file(ends[0], {}, file, sent, file_bytes - sent)) > 0)
        sent += static_cast<std::size_t>(last);
    EXPECT_EQ(last, -EAGAIN);
    EXPECT_LT(sent, file_bytes);
    EXPECT_EQ(backends::send_file(ends[0], "head", file, 0, 1), -EAGAIN);
    EXPECT_EQ(::fcntl(ends[0], F_GETFL) & O_NONBLOCK, 0);
    EXPECT_TRUE(are_numbered(receive(sent), 0));
}

TEST_F(send_file, gives_what_there_is_and_nothing_behind_the_end_of_the_file) {
    EXPECT_EQ(backends::send_file(ends[0], {}, file, file_bytes - 10, 100), 10);
    EXPECT_EQ(backends::send_file(ends[0], {}, file, file_bytes, 100), 0);
    EXPECT_EQ(backends::send_file(ends[0], "head", file, file_bytes, 100), 4);
}

TEST_F(send_file, raises_no_signal_when_the_peer_has_gone) {
    ::close(std::exchange(ends[1], -1));
    EXPECT_EQ(backends::send_file(ends[0], {}, file, 0, 100), -EPIPE);
    EXPECT_EQ(backends::send_file(ends[0], "head", file, 0, 100), -EPIPE);
}

TEST_F(send_file, leaves_the_threads_signals_as_they_were) {
    sigset_t blocked;
    ASSERT_EQ(backends::send_file(ends[0], {}, file, 0, 100), 100);
    ::close(std::exchange(ends[1], -1));
    ASSERT_EQ(backends::send_file(ends[0], {}, file, 0, 100), -EPIPE);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_FALSE(::sigismember(&blocked, SIGPIPE));
    ::sigpending(&blocked);
    EXPECT_FALSE(::sigismember(&blocked, SIGPIPE));
}

TEST_F(send_file, has_sent_nothing_where_part_of_the_file_is_not_in_memory) {
    char byte = 0;
    const iovec memory{&byte, 1};
    // What something else holds stays in memory, and is sent: then it is tried with another file.
    constexpr int attempts_max = 50;
    bool was_out_of_memory = false;
    std::int64_t sent = 0;
    for (int number = 0; sent != io::not_in_memory && number < attempts_max; ++number) {
        if (sent > 0)
            receive(static_cast<std::size_t>(sent));
        take_new_file(std::to_string(number));
        ::fsync(file);
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        was_out_of_memory = ::preadv2(file, &memory, 1, file_bytes / 2, RWF_NOWAIT) < 0 || was_out_of_memory;
        sent = backends::send_file(ends[0], "head", file, 0, file_bytes);
    }
    if (sent != io::not_in_memory && !was_out_of_memory)
        GTEST_SKIP() << "[disk] this file system keeps its files in memory";
    EXPECT_EQ(sent, io::not_in_memory);
    EXPECT_EQ(::recv(ends[1], &byte, 1, MSG_DONTWAIT), -1);
    std::string content(file_bytes, '\0');
    for (int attempt = 0; sent == io::not_in_memory && attempt < attempts_max; ++attempt) {
        ASSERT_EQ(::pread(file, content.data(), content.size(), 0), static_cast<std::int64_t>(file_bytes));
        sent = backends::send_file(ends[0], "head", file, 0, file_bytes);
    }
    EXPECT_GT(sent, 4);
}

TEST_F(send_file, refuses_what_the_system_does_not_move) {
    const int memory = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    EXPECT_LT(backends::send_file(ends[0], "head", memory, 0, 100), 0);
    EXPECT_LT(backends::send_file(ends[0], {}, -1, 0, 100), 0);
    ::close(memory);
    char byte = 0;
    EXPECT_EQ(::recv(ends[1], &byte, 1, MSG_DONTWAIT), -1);
}

}  // namespace
}  // namespace eddy::io::test::file_sending_test
