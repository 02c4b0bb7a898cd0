#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace eddy {

/// Bytes to be sent. Not owned: they must stay until the operation on them has ended.
class const_buffer {
public:
    /// No bytes, or `size` bytes at `data`, or those of a span. Owns nothing.
    const_buffer() noexcept = default;
    const_buffer(const void* data, std::size_t size) noexcept : data_(data), size_(size) {}
    const_buffer(std::span<const std::byte> bytes) noexcept : const_buffer(bytes.data(), bytes.size()) {}
    const_buffer(std::string_view text) noexcept : const_buffer(text.data(), text.size()) {}

    /// Where it begins.
    [[nodiscard]] const void* data() const noexcept { return data_; }
    /// The number of bytes.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Drops the first `count` bytes. Requires: count <= size().
    void remove_prefix(std::size_t count) noexcept {
        data_ = static_cast<const std::byte*>(data_) + count;
        size_ -= count;
    }

private:
    // The layout of POSIX's struct iovec, which the backends rely on and assert.
    const void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Room for bytes that are read. Not owned: it must stay until the operation on it has ended.
class mutable_buffer {
public:
    /// No bytes, or `size` bytes at `data`, or those of a span. Owns nothing.
    mutable_buffer() noexcept = default;
    mutable_buffer(void* data, std::size_t size) noexcept : data_(data), size_(size) {}
    mutable_buffer(std::span<std::byte> bytes) noexcept : mutable_buffer(bytes.data(), bytes.size()) {}

    /// Where it begins.
    [[nodiscard]] void* data() const noexcept { return data_; }
    /// The number of bytes.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    // The layout of POSIX's struct iovec, as above.
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// The bytes of a text.
[[nodiscard]] inline std::span<const std::byte> as_bytes(std::string_view text) noexcept {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// A text over bytes, which stay where they are.
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace eddy
