#pragma once

#include <algorithm>
#include <cstdint>

namespace eddy::io {

/// When something is tried at once.
enum class occasion : std::uint8_t {
    alone,      ///< nobody else is about to go on
    crowded,    ///< several other tasks are, and may submit something
    asked_for,  ///< whoever else is: having it done now is what the task is after
};

/// Whether it is worth trying at once what may have to wait: after failures it is tried more and more rarely,
/// down to every 64th time, and after a success every time.
class eagerness {
public:
    /// Whether to try. Call note() if so.
    [[nodiscard]] bool is_worth_a_try() noexcept {
        if (pause_ == 0) [[likely]]
            return true;
        --pause_;
        return false;
    }

    void note(bool has_succeeded) noexcept {
        step_ = has_succeeded ? 0 : static_cast<std::uint8_t>(std::min(2 * step_ + 1, pause_max));
        pause_ = step_;
    }

private:
    static constexpr int pause_max = 63;

    std::uint8_t step_ = 0;
    std::uint8_t pause_ = 0;
};

}  // namespace eddy::io
