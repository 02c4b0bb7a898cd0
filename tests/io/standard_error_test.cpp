#include <eddy/detail/assert.hpp>
#include <eddy/io/standard_error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace eddy::standard_error_test {
namespace {

/// While it lives standard error is another descriptor, or closed.
class redirected_error {
public:
    redirected_error() : kept_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)) { ::close(STDERR_FILENO); }
    explicit redirected_error(int target) : kept_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)) {
        ::dup2(target, STDERR_FILENO);
        ::close(target);
    }
    redirected_error(const redirected_error&) = delete;
    redirected_error& operator=(const redirected_error&) = delete;
    ~redirected_error() {
        ::dup2(kept_, STDERR_FILENO);
        ::close(kept_);
    }

private:
    int kept_;
};

struct pipe_ends {
    pipe_ends() { EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0); }
    [[nodiscard]] std::string read() const {
        std::array<char, 1 << 17> bytes;
        const ssize_t count = ::read(ends[0], bytes.data(), bytes.size());
        return {bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
    }
    std::array<int, 2> ends{};
};

TEST(standard_error, text_arrives_whole) {
    const pipe_ends pipe;
    const redirected_error here(pipe.ends[1]);
    const std::string text(10'000, 'x');
    EXPECT_TRUE(io::write_standard_error("one line\n"));
    EXPECT_EQ(pipe.read(), "one line\n");
    EXPECT_TRUE(io::write_standard_error(text));
    EXPECT_EQ(pipe.read(), text);
    ::close(pipe.ends[0]);
}

TEST(standard_error, a_full_disk_costs_the_text_only) {
    const redirected_error here(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    EXPECT_FALSE(io::write_standard_error("lost\n"));
}

TEST(standard_error, a_closed_descriptor_costs_the_text_only) {
    const redirected_error here;
    errno = EDOM;
    EXPECT_FALSE(io::write_standard_error("lost\n"));
    EXPECT_EQ(errno, EDOM);
}

TEST(standard_error, a_reader_that_has_gone_costs_the_text_and_raises_no_signal) {
    const pipe_ends pipe;
    ::close(pipe.ends[0]);
    const redirected_error here(pipe.ends[1]);
    EXPECT_FALSE(io::write_standard_error("lost\n"));  // SIGPIPE would end the test
    sigset_t pending;
    ::sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
    sigset_t blocked;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGPIPE), 0);
}

TEST(standard_error, a_reader_that_does_not_read_is_not_waited_for_for_ever) {
    const pipe_ends pipe;
    const redirected_error here(pipe.ends[1]);
    const std::string text(4096, 'x');
    int written = 0;
    while (written < 1'000'000 && io::write_standard_error(text))
        ++written;
    EXPECT_LT(written, 1'000'000);
    for (int count = 0; count < 1000; ++count)  // of which each one would take long if it waited, too
        EXPECT_FALSE(io::write_standard_error("lost\n"));
    while (written > 0)
        written -= static_cast<int>(pipe.read().size() / text.size());
    EXPECT_TRUE(io::write_standard_error("found again\n"));
    EXPECT_EQ(pipe.read(), "found again\n");
    ::close(pipe.ends[0]);
}

TEST(standard_error_death_test, what_ends_a_program_ends_it_by_its_own_signal) {
    const auto end_unheard = [] {
        const pipe_ends pipe;
        ::close(pipe.ends[0]);
        ::dup2(pipe.ends[1], STDERR_FILENO);
        detail::fatal("nothing reads this", "detail");
    };
    EXPECT_EXIT(end_unheard(), testing::KilledBySignal(SIGABRT), "");
}

TEST(standard_error_death_test, closed_descriptors_are_opened_and_the_others_stay) {
    const auto open_them = [] {
        ::close(STDIN_FILENO);
        ::close(STDERR_FILENO);
        io::open_standard_descriptors();
        const bool are_open = ::fcntl(STDIN_FILENO, F_GETFD) >= 0 && ::fcntl(STDERR_FILENO, F_GETFD) >= 0;
        const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        std::_Exit(are_open && next > STDERR_FILENO ? 7 : 1);
    };
    EXPECT_EXIT(open_them(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace eddy::standard_error_test
