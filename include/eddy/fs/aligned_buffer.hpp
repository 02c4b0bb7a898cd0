#pragma once

#include <eddy/detail/assert.hpp>

#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace eddy {

/// Memory for reads and writes past the page cache (open_options::direct), which must begin at a multiple of
/// the device's block size. The size is made a multiple of it too.
///
/// Ownership: moves, does not copy. Thread safety: none of its own; any thread may have it.
class aligned_buffer {
public:
    /// A multiple of the block size of all devices that matter.
    static constexpr std::size_t alignment_default = 4096;

    /// Content is undefined. Throws std::bad_alloc. Requires: the alignment is a power of two.
    explicit aligned_buffer(std::size_t size, std::size_t alignment = alignment_default)
        : size_((size + alignment - 1) / alignment * alignment),
          memory_(static_cast<std::byte*>(::operator new(size_, std::align_val_t(alignment))),
                  deleter{alignment}) {
        EDDY_ASSERT(std::has_single_bit(alignment), "an alignment is a power of two");
    }
    aligned_buffer(aligned_buffer&& other) noexcept
        : size_(std::exchange(other.size_, 0)), memory_(std::move(other.memory_)) {}
    aligned_buffer& operator=(aligned_buffer&& other) noexcept {
        size_ = std::exchange(other.size_, 0);
        memory_ = std::move(other.memory_);
        return *this;
    }
    ~aligned_buffer() = default;

    /// The bytes, which the buffer owns.
    [[nodiscard]] std::span<std::byte> bytes() noexcept { return {memory_.get(), size_}; }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {memory_.get(), size_}; }
    /// The number of bytes.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    struct deleter {
        std::size_t alignment;
        void operator()(std::byte* memory) const noexcept {
            ::operator delete(memory, std::align_val_t(alignment));
        }
    };

    std::size_t size_;
    std::unique_ptr<std::byte, deleter> memory_;
};

}  // namespace eddy
