#pragma once

#include "ring.hpp"
#include "support/todo.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <sys/mman.h>
#include <system_error>
#include <utility>

namespace lab {

/// Receive buffers that the kernel takes when data arrives, so that an idle connection holds none.
///
/// The free ones stand in a ring that both sides map. The kernel takes from its head; give_back() adds at its tail.
/// Requires: outlives its leases.
class buffers {
public:
    /// `count` is rounded up to a power of two. Throws std::system_error.
    explicit buffers(ring& owner, unsigned count = 1024, std::size_t size = 4096)
        : ring_(owner), count_(std::bit_ceil(count)), size_(size), memory_(new std::byte[count_ * size]) {
        // TODO(step 4): map the ring, register it as the group, and give all buffers to the kernel.
        course::todo("step 4: buffers::buffers");
        current_ = this;
    }
    buffers(const buffers&) = delete;
    buffers& operator=(const buffers&) = delete;
    ~buffers() {
        // TODO(step 4): unregister the ring, and unmap it. TODO(step 7): before that, ring_.finish().
        current_ = nullptr;
    }

    /// This thread's buffers.
    [[nodiscard]] static buffers& current() noexcept { return *current_; }

    static constexpr std::uint16_t group = 0;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// How many the kernel may take.
    [[nodiscard]] unsigned available() const noexcept { return available_; }
    [[nodiscard]] std::byte* data(std::uint16_t buffer) const noexcept {
        return memory_.get() + buffer * size_;
    }

    /// A completion has named this buffer: it is the program's now.
    void note_taken() noexcept { course::todo("step 4: buffers::note_taken"); }
    void give_back(std::uint16_t buffer) noexcept {
        static_cast<void>(buffer);
        course::todo("step 4: buffers::give_back");
    }

private:
    inline static thread_local buffers* current_ = nullptr;
    ring& ring_;
    unsigned count_;
    std::size_t size_;
    std::unique_ptr<std::byte[]> memory_;
    io_uring_buf_ring* free_ = nullptr;
    unsigned available_ = 0;
};

/// Bytes that were received, in a buffer that goes back when the lease ends. Empty: the end of the stream.
class lease {
public:
    lease() = default;
    /// The first `size` bytes of a buffer of the pool.
    lease(buffers& pool, std::uint16_t buffer, std::size_t size) noexcept
        : pool_(&pool), buffer_(buffer), bytes_(pool.data(buffer), size) {}
    /// The first `size` bytes of memory of its own.
    lease(std::unique_ptr<std::byte[]> own, std::size_t size) noexcept
        : own_(std::move(own)), bytes_(own_.get(), size) {}
    // TODO(step 4): what was moved from gives nothing back.
    lease(lease&& other) noexcept {
        static_cast<void>(other);
        course::todo("step 4: lease::lease");
    }
    lease& operator=(lease&& other) noexcept {
        static_cast<void>(other);
        course::todo("step 4: lease::operator=");
    }
    // TODO(step 4): gives the buffer back.
    ~lease() = default;

    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    buffers* pool_ = nullptr;
    std::unique_ptr<std::byte[]> own_;
    std::uint16_t buffer_ = 0;
    std::span<const std::byte> bytes_;
};

}  // namespace lab
