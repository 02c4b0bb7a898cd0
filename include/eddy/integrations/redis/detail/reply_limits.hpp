#pragma once

#include <eddy/detail/build.hpp>

#include <algorithm>
#include <cstddef>

namespace eddy::redis {

/// What a reply may take at the most. One that is larger ends the connection, with
/// client_error::limit_exceeded for all waiting commands. A value; setters chain.
class reply_limits {
public:
    /// How deep arrays may stand in arrays that hiredis reads.
    static constexpr std::size_t nesting_ever = 7;

    /// As sent, 512 MiB by default, which is the server's own limit for a string. What has been received is
    /// looked at a buffer at a time, so a reply may be larger by that.
    reply_limits& bytes_max(std::size_t bytes) noexcept { return bytes_max_ = bytes, *this; }
    /// Elements of all its arrays together. 4 Mi by default.
    reply_limits& elements_max(std::size_t count) noexcept { return elements_max_ = count, *this; }
    /// Arrays in arrays, `nesting_ever` by default and at the most.
    reply_limits& nesting_max(std::size_t depth) noexcept {
        return nesting_max_ = std::min(depth, nesting_ever), *this;
    }

    [[nodiscard]] std::size_t bytes_max() const noexcept { return bytes_max_; }
    [[nodiscard]] std::size_t elements_max() const noexcept { return elements_max_; }
    [[nodiscard]] std::size_t nesting_max() const noexcept { return nesting_max_; }

private:
    std::size_t bytes_max_ = std::size_t{512} << 20;
    std::size_t elements_max_ = std::size_t{4} << 20;
    std::size_t nesting_max_ = nesting_ever;
};

}  // namespace eddy::redis
