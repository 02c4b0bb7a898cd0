#pragma once

#include <eddy/detail/build.hpp>

#include <algorithm>
#include <cstdint>

namespace eddy::io {

/// The situation in which an operation is tried at once.
enum class try_reason : std::uint8_t {
    alone,      ///< no other task is about to run
    crowded,    ///< several other tasks are, and may submit operations
    asked_for,  ///< the caller requested an attempt, whichever tasks run
};

/// Whether to try an operation at once that may have to wait: after failures it is tried less and less often,
/// down to every 64th time, and after a success every time.
class speculation {
public:
    /// Whether to try. Call note() if so.
    [[nodiscard]] bool should_try() noexcept {
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
