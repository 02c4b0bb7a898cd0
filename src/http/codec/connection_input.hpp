#pragma once

#include "http/message/string_memory.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::http {

/// Bytes that have arrived and belong to no finished request yet, in one piece. They are copied out of the
/// buffer in which they came, so that a client that is slow, or whose response takes long, holds none of the
/// worker's buffers. What arrives while a body is read belongs to the request_body.
class connection_input {
public:
    [[nodiscard]] std::string_view bytes() const noexcept {
        return std::string_view(carried_).substr(consumed_);
    }
    [[nodiscard]] bool empty() const noexcept { return consumed_ == carried_.size(); }

    /// Drops bytes from the front. Requires: count <= bytes().size().
    void consume(std::size_t count) noexcept { consumed_ += count; }

    /// Adds what has arrived. Views of bytes() end here.
    void add(std::string_view arrived) {
        carried_.erase(0, consumed_);
        consumed_ = 0;
        carried_.append(arrived);
    }
    void add(const buffer_lease& arrived) { add(as_text(arrived.bytes())); }

    /// Ready for another connection; keeps memory up to this size.
    void clear(std::size_t bytes_kept) noexcept {
        clear_keeping(carried_, bytes_kept);
        consumed_ = 0;
    }

private:
    std::string carried_;
    std::size_t consumed_ = 0;
};

}  // namespace eddy::http
