#pragma once

#include "http/connection.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// Bytes that have arrived and belong to no finished request yet, in one piece. What came in one piece stays in
/// the buffer it came in; only what did not is copied together.
class connection::input {
public:
    explicit input(std::string& carried) noexcept : carried_(carried) {}

    [[nodiscard]] std::string_view bytes() const noexcept {
        return is_carried_ ? std::string_view(carried_).substr(consumed_) : as_text(lease_.bytes());
    }
    [[nodiscard]] bool empty() const noexcept { return bytes().empty(); }

    /// Drops bytes from the front. Requires: count <= bytes().size().
    void consume(std::size_t count) noexcept {
        if (is_carried_)
            consumed_ += count;
        else
            lease_.remove_prefix(count);
    }

    /// Adds what has arrived. Views of bytes() end here.
    void add(buffer_lease arrived) {
        if (empty()) {
            lease_ = std::move(arrived);
            is_carried_ = false;
            return;
        }
        if (is_carried_)
            carried_.erase(0, consumed_);
        else
            carried_.assign(as_text(lease_.bytes()));
        carried_.append(as_text(arrived.bytes()));
        lease_ = {};
        consumed_ = 0;
        is_carried_ = true;
    }

private:
    std::string& carried_;
    std::size_t consumed_ = 0;  // of carried_
    bool is_carried_ = false;
    buffer_lease lease_;
};

}  // namespace eddy::http
