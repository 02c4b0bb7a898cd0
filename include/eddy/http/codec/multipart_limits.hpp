#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::http {

/// How much of a multipart body is taken. Beyond each: 413 Content Too Large. The server's own limit on
/// bodies (message_limits) holds as well. Setters chain.
class multipart_limits {
public:
    multipart_limits() noexcept {}

    /// The most parts of a body.
    multipart_limits& parts_max(std::size_t count) noexcept {
        parts_max_ = count;
        return *this;
    }
    /// Bytes of one part's fields.
    multipart_limits& header_bytes_max(std::size_t bytes) noexcept {
        header_bytes_max_ = bytes;
        return *this;
    }
    /// Bytes of one part's body.
    multipart_limits& part_bytes_max(std::uint64_t bytes) noexcept {
        part_bytes_max_ = bytes;
        return *this;
    }
    /// Bytes of all, boundaries and fields included.
    multipart_limits& total_bytes_max(std::uint64_t bytes) noexcept {
        total_bytes_max_ = bytes;
        return *this;
    }

    [[nodiscard]] std::size_t parts_max() const noexcept { return parts_max_; }
    [[nodiscard]] std::size_t header_bytes_max() const noexcept { return header_bytes_max_; }
    [[nodiscard]] std::uint64_t part_bytes_max() const noexcept { return part_bytes_max_; }
    [[nodiscard]] std::uint64_t total_bytes_max() const noexcept { return total_bytes_max_; }

private:
    std::size_t parts_max_ = 1000;
    std::size_t header_bytes_max_ = 8192;
    std::uint64_t part_bytes_max_ = 16 << 20;
    std::uint64_t total_bytes_max_ = 64 << 20;
};

}  // namespace eddy::http
