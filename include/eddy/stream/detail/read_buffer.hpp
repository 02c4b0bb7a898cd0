#pragma once

#include <eddy/detail/assert.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace eddy::detail {

/// Bytes that were read ahead, in one piece. Its memory is allocated when it is first needed and grows by
/// doubling, as bytes arrive, never by an announced size.
class read_buffer {
public:
    explicit read_buffer(std::size_t capacity) noexcept : capacity_first_(capacity) {
        EDDY_ASSERT(capacity != 0, "a buffer has room for at least one byte");
    }

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {memory_.get() + begin_, end_ - begin_};
    }
    [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
    /// How much it holds before it grows.
    [[nodiscard]] std::size_t capacity() const noexcept {
        return capacity_ != 0 ? capacity_ : capacity_first_;
    }
    /// How many bytes were consumed in all.
    [[nodiscard]] std::uint64_t consumed() const noexcept { return consumed_; }

    /// Room behind the bytes, at least one byte. Views of bytes() end here. Throws std::bad_alloc, and what
    /// is in it stays then.
    [[nodiscard]] std::span<std::byte> make_room();
    /// The first `count` bytes of the room were filled.
    void add(std::size_t count) noexcept {
        EDDY_ASSERT(count <= capacity_ - end_, "a source returned more than was requested");
        end_ += count;
    }
    /// Drops bytes from the front; they stay where they are until make_room(). Requires: count <= size().
    void consume(std::size_t count) noexcept {
        EDDY_ASSERT(count <= size(), "what is consumed was read before");
        begin_ += count;
        consumed_ += count;
    }
    /// Counts bytes that went past it.
    void count_passed(std::size_t count) noexcept { consumed_ += count; }

    [[nodiscard]] bool is_ended() const noexcept { return is_ended_; }
    void note_end() noexcept { is_ended_ = true; }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t capacity_first_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t consumed_ = 0;
    bool is_ended_ = false;
};

}  // namespace eddy::detail
