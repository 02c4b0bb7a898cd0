#pragma once

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace eddy::test {

/// A terminal, and its other end as its user sees it.
class pseudo_terminal {
public:
    pseudo_terminal() : user_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
        std::array<char, 64> name{};
        if (user_ < 0 || ::grantpt(user_) != 0 || ::unlockpt(user_) != 0 ||
            ::ptsname_r(user_, name.data(), name.size()) != 0)
            throw std::runtime_error("no pseudo-terminal");
        terminal_ = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (terminal_ < 0)
            throw std::runtime_error("no pseudo-terminal");
    }
    pseudo_terminal(const pseudo_terminal&) = delete;
    pseudo_terminal& operator=(const pseudo_terminal&) = delete;
    ~pseudo_terminal() {
        ::close(terminal_);
        ::close(user_);
    }

    /// The program's descriptor of it.
    [[nodiscard]] int descriptor() const noexcept { return terminal_; }

    /// Types a text.
    void type(std::string_view text) const { static_cast<void>(::write(user_, text.data(), text.size())); }
    /// Looks at what the screen shows next. Never waits.
    [[nodiscard]] std::string see() const {
        std::string seen(4096, '\0');
        pollfd shown{user_, POLLIN, 0};
        const auto count = ::poll(&shown, 1, 0) == 1 ? ::read(user_, seen.data(), seen.size()) : 0;
        seen.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
        return seen;
    }
    void resize(unsigned short columns, unsigned short rows) const {
        winsize wanted{};
        wanted.ws_col = columns;
        wanted.ws_row = rows;
        ::ioctl(user_, TIOCSWINSZ, &wanted);
    }
    [[nodiscard]] bool echoes() const {
        termios now{};
        ::tcgetattr(terminal_, &now);
        return (now.c_lflag & ECHO) != 0;
    }

private:
    int user_;
    int terminal_ = -1;
};

}  // namespace eddy::test
