#include <eddy/io/detail/result.hpp>
#include <eddy/io/detail/terminals.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/os/terminal.hpp>
#include <eddy/runtime/detail/current_system.hpp>

#include <csignal>

namespace eddy {

namespace {

io::terminals& terminals() noexcept {
    return *detail::current_system().terminals;
}

}  // namespace

bool is_terminal(int descriptor) noexcept {
    return terminals().is_terminal(descriptor);
}

std::optional<window_size> find_window_size(int descriptor) noexcept {
    window_size found;
    if (terminals().size(descriptor, found.columns, found.rows) < 0)
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
    io::require_done(terminals().enter_raw_mode(descriptor), "tcsetattr");
}

raw_mode::~raw_mode() {
    if (descriptor_ >= 0)
        terminals().leave_raw_mode(descriptor_);
}

}  // namespace eddy
