#include <eddy/io/standard_error.hpp>

#include <climits>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace eddy::io {

namespace {

constexpr int patience_ms = 100;

/// While it lives a write of this thread raises no SIGPIPE that is seen. errno stays as it was.
class broken_pipe_silenced {
public:
    broken_pipe_silenced() noexcept : error_before_(errno) {
        sigemptyset(&only_this_);
        sigaddset(&only_this_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &only_this_, &before_);
        sigset_t pending;
        ::sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    }
    broken_pipe_silenced(const broken_pipe_silenced&) = delete;
    broken_pipe_silenced& operator=(const broken_pipe_silenced&) = delete;
    ~broken_pipe_silenced() {
        const timespec at_once{};
        if (!was_pending_)
            while (::sigtimedwait(&only_this_, nullptr, &at_once) < 0 && errno == EINTR) {
            }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error_before_;
    }

private:
    int error_before_;
    sigset_t only_this_{};
    sigset_t before_{};
    bool was_pending_ = false;
};

/// Whether a write would not wait. The first one that would waits for a while.
bool is_writable() noexcept {
    static std::atomic<bool> is_stuck{false};
    pollfd requested{STDERR_FILENO, POLLOUT, 0};
    int ready = 0;
    do
        ready = ::poll(&requested, 1, is_stuck.load(std::memory_order_relaxed) ? 0 : patience_ms);
    while (ready < 0 && errno == EINTR);
    is_stuck.store(ready == 0, std::memory_order_relaxed);
    return ready == 1 && (requested.revents & POLLOUT) != 0;
}

ssize_t write_some(std::string_view text) noexcept {
    iovec piece{const_cast<char*>(text.data()), text.size()};
    struct stat status{};
    const bool has_reader =
        ::fstat(STDERR_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
    if (has_reader) {
        // Another process may have filled it since it was writable.
        const ssize_t count = ::pwritev2(STDERR_FILENO, &piece, 1, -1, RWF_NOWAIT);
        if (count >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL))
            return count;
    }
    return ::writev(STDERR_FILENO, &piece, 1);
}

}  // namespace

bool write_standard_error(std::string_view text) noexcept {
    const broken_pipe_silenced here;
    int refusals_left = 16;
    while (!text.empty() && refusals_left != 0 && is_writable()) {
        const ssize_t count = write_some(text.substr(0, PIPE_BUF));
        if (count >= 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else
            refusals_left = errno == EINTR || errno == EAGAIN ? refusals_left - 1 : 0;
    }
    return text.empty();
}

void open_standard_descriptors() noexcept {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
            static_cast<void>(::open("/dev/null", O_RDWR));  // the lowest number that is free: this one
}

}  // namespace eddy::io
