#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace eddy::apps {

/// A line that was said, as it is sent: once in memory, for all receivers, on any workers.
class line {
public:
    /// Requires: no LF in it.
    explicit line(std::string_view text);

    [[nodiscard]] std::string_view text() const noexcept {
        return std::string_view(bytes_).substr(0, bytes_.size() - 1);
    }
    /// With the LF.
    [[nodiscard]] std::string_view with_end() const noexcept { return bytes_; }
    /// Whether it may be sent as text over WebSocket.
    [[nodiscard]] bool is_utf8() const noexcept { return is_utf8_; }

private:
    std::string bytes_;
    bool is_utf8_;
};

using shared_line = std::shared_ptr<const line>;

[[nodiscard]] inline shared_line make_line(std::string_view text) {
    return std::make_shared<const line>(text);
}

/// What is sent to a speaker whose line is rejected.
[[nodiscard]] shared_line make_too_long_line(std::size_t bytes_max);

}  // namespace eddy::apps
