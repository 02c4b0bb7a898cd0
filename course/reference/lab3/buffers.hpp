#pragma once

#include "ring.hpp"

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
        void* const mapped = ::mmap(nullptr, count_ * sizeof(io_uring_buf), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED)
            throw std::bad_alloc();
        free_ = static_cast<io_uring_buf_ring*>(mapped);
        io_uring_buf_ring_init(free_);
        io_uring_buf_reg request{};
        request.ring_addr = reinterpret_cast<std::uintptr_t>(free_);
        request.ring_entries = count_;
        request.bgid = group;
        if (const int result = io_uring_register_buf_ring(owner.native(), &request, 0); result < 0) {
            ::munmap(mapped, count_ * sizeof(io_uring_buf));
            throw std::system_error(-result, std::system_category(), "io_uring_register_buf_ring");
        }
        for (unsigned at = 0; at < count_; ++at)
            give_back(static_cast<std::uint16_t>(at));
        current_ = this;
    }
    buffers(const buffers&) = delete;
    buffers& operator=(const buffers&) = delete;
    ~buffers() {
        ring_.finish();  // what still arrives has a buffer in its completion
        io_uring_unregister_buf_ring(ring_.native(), group);
        ::munmap(free_, count_ * sizeof(io_uring_buf));
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
    void note_taken() noexcept { --available_; }
    void give_back(std::uint16_t buffer) noexcept {
        io_uring_buf_ring_add(free_, data(buffer), static_cast<unsigned>(size_), buffer,
                              io_uring_buf_ring_mask(count_), 0);
        io_uring_buf_ring_advance(free_, 1);
        ++available_;
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
    lease(lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)),
          own_(std::move(other.own_)),
          buffer_(other.buffer_),
          bytes_(std::exchange(other.bytes_, {})) {}
    lease& operator=(lease&& other) noexcept {
        lease(std::move(other)).swap(*this);
        return *this;
    }
    ~lease() {
        if (pool_ != nullptr)
            pool_->give_back(buffer_);
    }

    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    void swap(lease& other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(own_, other.own_);
        std::swap(buffer_, other.buffer_);
        std::swap(bytes_, other.bytes_);
    }

    buffers* pool_ = nullptr;
    std::unique_ptr<std::byte[]> own_;
    std::uint16_t buffer_ = 0;
    std::span<const std::byte> bytes_;
};

}  // namespace lab
