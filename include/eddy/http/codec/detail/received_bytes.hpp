#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::detail {

/// Bytes that have arrived on a connection and are not consumed yet. What arrives in one piece is parsed in
/// place; only what is left over before a wait for more is copied, so that a wait holds none of the worker's
/// buffers.
class received_bytes {
public:
    [[nodiscard]] std::string_view bytes() const noexcept { return left_; }
    [[nodiscard]] bool empty() const noexcept { return left_.empty(); }

    /// Drops bytes from the front; they stay readable until settle(). Requires: count <= bytes().size().
    void consume(std::size_t count) noexcept { left_.remove_prefix(count); }

    /// The bytes, to be changed where they are. Views end here.
    [[nodiscard]] std::span<char> own() {
        settle();
        left_ = carried_;
        return carried_;
    }

    /// To be called before one waits for more. Views end here.
    void settle() {
        if (lease_.empty()) {
            carried_.erase(0, carried_.size() - left_.size());
        } else {
            carried_.assign(left_);
            lease_ = buffer_lease();
        }
        left_ = carried_;
    }
    /// Requires: settle() was called since the last one.
    void add(buffer_lease arrived) {
        if (carried_.empty()) {
            lease_ = std::move(arrived);
            left_ = as_text(lease_.bytes());
        } else {
            carried_.append(as_text(arrived.bytes()));
            left_ = carried_;
        }
    }

private:
    buffer_lease lease_;
    std::string carried_;  // empty while a lease is held
    std::string_view left_;
};

}  // namespace eddy::http::detail
