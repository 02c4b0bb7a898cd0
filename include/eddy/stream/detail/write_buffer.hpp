#pragma once

#include <eddy/detail/assert.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace eddy::detail {

/// Bytes that wait to be written, in one piece of a fixed capacity. Its memory is made when it is first
/// needed.
class write_buffer {
public:
    explicit write_buffer(std::size_t capacity) noexcept : capacity_(capacity) {
        EDDY_ASSERT(capacity != 0, "a buffer has room for at least one byte");
    }

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {memory_.get() + begin_, end_ - begin_};
    }
    [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
    /// How many bytes there is room for.
    [[nodiscard]] std::size_t room() const noexcept { return capacity_ - size(); }

    /// Copies bytes in behind the others. Throws std::bad_alloc. Requires: there is room for them.
    void append(std::span<const std::byte> bytes);
    /// Drops bytes from the front. Requires: count <= size().
    void consume(std::size_t count) noexcept {
        EDDY_ASSERT(count <= size(), "a sink took more than it was given");
        begin_ += count;
        if (begin_ == end_)
            begin_ = end_ = 0;
    }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t capacity_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace eddy::detail
