#pragma once

#include <eddy/detail/assert.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy {

/// Bytes in memory of their own, as returned by a read that was not passed any.
///
/// Ownership: moves, does not copy. Thread safety: none; may move to any thread.
class owned_bytes {
public:
    owned_bytes() noexcept = default;
    /// Memory for that many bytes, whose content is undefined. Throws std::bad_alloc.
    explicit owned_bytes(std::size_t size)
        : memory_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}
    owned_bytes(owned_bytes&& other) noexcept
        : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
    owned_bytes& operator=(owned_bytes&& other) noexcept {
        memory_ = std::move(other.memory_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~owned_bytes() = default;

    /// The bytes, which it owns.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {memory_.get(), size_}; }
    [[nodiscard]] std::span<std::byte> bytes() noexcept { return {memory_.get(), size_}; }
    /// The number of bytes.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Whether there are none.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// Leaves out all but the first `count` bytes; their memory stays. Requires: count <= size().
    void shorten(std::size_t count) noexcept {
        EDDY_ASSERT(count <= size_, "bytes are shortened, not lengthened");
        size_ = count;
    }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_ = 0;
};

}  // namespace eddy
