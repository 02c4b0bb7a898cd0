#pragma once

#include "backend/uring/ring.hpp"

#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::backends {

/// A buffer pool whose free buffers stand in a ring from which the kernel takes them when data arrives.
class uring_buffer_pool final : public io::buffer_pool {
public:
    static constexpr std::uint16_t group = 0;

    /// Where locked memory is short there may be fewer buffers. Throws std::system_error when the kernel
    /// refuses the buffer ring.
    uring_buffer_pool(ring& owner, std::size_t buffer_size, std::size_t buffers_max);
    ~uring_buffer_pool() override;

    void release(index buffer) noexcept override;

    /// Notes that the kernel has filled a buffer.
    void note_taken() noexcept { note_left(--available_); }
    [[nodiscard]] std::size_t available() const noexcept override { return available_; }
    /// Returns the kernel another chunk of buffers; false when there can be no more.
    [[nodiscard]] bool provide_more() noexcept;

private:
    /// 0 or an error.
    [[nodiscard]] int register_ring() noexcept;
    void add(index buffer, unsigned place) noexcept;
    bool withdraw_from(index first) noexcept override;

    ring& ring_;
    unsigned entries_;
    io_uring_buf_ring* shared_;
    std::size_t available_ = 0;
};

}  // namespace eddy::backends
