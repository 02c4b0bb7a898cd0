#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::io {

/// What a backend is made with. Setters chain: backend_options().receive_buffers_max(64). A runtime that is
/// made with what is out of range throws std::invalid_argument.
class backend_options {
public:
    backend_options() noexcept = default;

    /// Size of one receive buffer of the pool: 1 to 2^30; fewer than 64 are taken for 64.
    backend_options& receive_buffer_bytes(std::size_t bytes) noexcept {
        receive_buffer_bytes_ = bytes;
        return *this;
    }
    /// How many receive buffers the pool may make, at least 1. On io_uring at most 32,768, and fewer where
    /// the user's locked memory is short (16 bytes each, in a power of two of them; not below 1,024).
    backend_options& receive_buffers_max(std::size_t count) noexcept {
        receive_buffers_max_ = count;
        return *this;
    }
    /// Entries of io_uring's submission queue, at least 1; as a power of two, and at most 4,096. The other
    /// backends have none. They cost locked memory: 196 bytes each.
    backend_options& queue_entries(unsigned count) noexcept {
        queue_entries_ = count;
        return *this;
    }
    /// For tests: not 0 lets completions that were found at once be reported in random order, but those of
    /// one operation in theirs. A runtime sets it by its own seed.
    backend_options& shuffle_seed(std::uint64_t seed) noexcept {
        shuffle_seed_ = seed;
        return *this;
    }

    [[nodiscard]] std::size_t receive_buffer_bytes() const noexcept { return receive_buffer_bytes_; }
    [[nodiscard]] std::size_t receive_buffers_max() const noexcept { return receive_buffers_max_; }
    [[nodiscard]] unsigned queue_entries() const noexcept { return queue_entries_; }
    [[nodiscard]] std::uint64_t shuffle_seed() const noexcept { return shuffle_seed_; }

private:
    std::size_t receive_buffer_bytes_ = 16384;
    std::size_t receive_buffers_max_ = 4096;
    unsigned queue_entries_ = 256;
    std::uint64_t shuffle_seed_ = 0;
};

}  // namespace eddy::io
