#include <eddy/io/result.hpp>
#include <eddy/io/terminal.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/os/terminal.hpp>

#include <csignal>

namespace eddy {

bool is_terminal(int descriptor) noexcept {
    return io::is_terminal(descriptor);
}

std::optional<window_size> find_window_size(int descriptor) noexcept {
    window_size found;
    if (io::terminal_size(descriptor, found.columns, found.rows) < 0)
        return std::nullopt;
    return found;
}

async_generator<window_size> window_sizes(int descriptor) {
    // From before the first look on, so that no change falls between the two.
    signal_set changes({SIGWINCH});
    std::optional<window_size> last;
    for (;;) {
        const auto found = find_window_size(descriptor);
        if (!found)
            co_return;
        if (found != last) {
            last = found;
            co_yield *found;
        }
        co_await changes.wait();
    }
}

raw_mode::raw_mode(int descriptor) : descriptor_(descriptor) {
    io::require_done(io::enter_raw_mode(descriptor), "tcsetattr");
}

raw_mode::~raw_mode() {
    if (descriptor_ >= 0)
        io::leave_raw_mode(descriptor_);
}

}  // namespace eddy
