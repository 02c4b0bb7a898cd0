#include "backend/posix/posix_terminals.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

/// A terminal in raw mode. A signal's handler reads it, so its memory stays, and the descriptor is written
/// last.
struct raw_terminal {
    static constexpr int none = -1;
    std::atomic<int> descriptor{none};
    unsigned device = 0;
    pid_t owner = 0;  ///< the process, since one that it forks ends without it
    termios before{};
};

constinit std::array<raw_terminal, 8> raw_terminals{};
constinit std::mutex raw_mutex;

static_assert(std::atomic<int>::is_always_lock_free);

// A process that sets a terminal from the background would be stopped.
int set_from_anywhere(int descriptor, const termios& wanted) noexcept {
    sigset_t stopping;
    sigset_t before;
    sigemptyset(&stopping);
    sigaddset(&stopping, SIGTTOU);
    ::pthread_sigmask(SIG_BLOCK, &stopping, &before);
    const int result = ::tcsetattr(descriptor, TCSANOW, &wanted) == 0 ? 0 : -errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return result;
}

void restore_all() noexcept {
    for (raw_terminal& each : raw_terminals) {
        const int descriptor = each.descriptor.exchange(raw_terminal::none);
        if (descriptor >= 0 && each.owner == ::getpid())
            set_from_anywhere(descriptor, each.before);
    }
}

// Everything here may be called by a signal's handler (signal-safety(7)). The disposition is the default
// again by now, and the signal is not blocked.
void restore_and_end(int signal) {
    restore_all();
    ::raise(signal);
}

// Signals that are handled or ignored do not end the program.
void handle_unless_handled(int signal) noexcept {
    struct sigaction known{};
    if (::sigaction(signal, nullptr, &known) != 0 || known.sa_handler != SIG_DFL)
        return;
    struct sigaction ending{};
    ending.sa_handler = &restore_and_end;
    ending.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
    sigemptyset(&ending.sa_mask);
    ::sigaction(signal, &ending, nullptr);
}

void prepare_for_the_end() noexcept {
    static std::once_flag once;
    std::call_once(once, [] { std::atexit(&restore_all); });
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE,
                             SIGTERM, SIGALRM, SIGUSR1, SIGUSR2})
        handle_unless_handled(signal);
}

raw_terminal* find(int descriptor) noexcept {
    for (raw_terminal& each : raw_terminals)
        if (each.descriptor.load() == descriptor)
            return &each;
    return nullptr;
}

// By whatever descriptor: what came second would find the first one's raw mode, and bring that back.
bool is_raw(unsigned device) noexcept {
    for (const raw_terminal& each : raw_terminals)
        if (each.descriptor.load() != raw_terminal::none && each.device == device)
            return true;
    return false;
}

class posix_terminals final : public io::terminals {
public:
    bool is_terminal(int descriptor) noexcept override { return ::isatty(descriptor) == 1; }
    int size(int descriptor, unsigned& columns, unsigned& rows) noexcept override {
        winsize found{};
        if (::ioctl(descriptor, TIOCGWINSZ, &found) != 0)
            return -errno;
        columns = found.ws_col;
        rows = found.ws_row;
        return 0;
    }
    int reopen(int descriptor, bool is_writing) noexcept override {
        std::array<char, 32> path{"/proc/self/fd/"};
        char* const number = path.data() + std::strlen(path.data());
        *std::to_chars(number, path.data() + path.size() - 1, descriptor).ptr = '\0';
        const int flags = (is_writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
        const int opened = ::open(path.data(), flags);
        return opened < 0 ? -errno : opened;
    }
    int enter_raw_mode(int descriptor) noexcept override {
        const std::lock_guard lock(raw_mutex);
        unsigned device = 0;
        if (::ioctl(descriptor, TIOCGDEV, &device) != 0)
            return -errno;
        raw_terminal* const place = find(raw_terminal::none);
        if (place == nullptr || is_raw(device))
            return -EBUSY;
        if (::tcgetattr(descriptor, &place->before) != 0)
            return -errno;
        termios raw = place->before;
        ::cfmakeraw(&raw);
        prepare_for_the_end();
        place->device = device;
        place->owner = ::getpid();
        place->descriptor = descriptor;
        const int result = set_from_anywhere(descriptor, raw);
        if (result < 0)
            place->descriptor = raw_terminal::none;
        return result;
    }
    void leave_raw_mode(int descriptor) noexcept override {
        const std::lock_guard lock(raw_mutex);
        raw_terminal* const place = find(descriptor);
        if (place == nullptr)
            return;
        // In this order a signal in between restores the terminal twice and not never.
        set_from_anywhere(descriptor, place->before);
        place->descriptor = raw_terminal::none;
    }
};

}  // namespace

io::terminals& posix_consoles() noexcept {
    static posix_terminals only;
    return only;
}

}  // namespace eddy::backends
