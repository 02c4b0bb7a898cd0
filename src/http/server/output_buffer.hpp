#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <string_view>

namespace eddy::http {

/// Responses that gather before they are sent. Allocates nothing.
class output_buffer {
public:
    static constexpr std::size_t bytes_max = 8192;

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.data(), size_}; }

    /// What is written into room() is added by commit().
    [[nodiscard]] std::span<char> room() noexcept { return std::span(bytes_).subspan(size_); }
    void commit(std::size_t bytes) noexcept { size_ += bytes; }

    /// Adds bytes if there is room for all of them.
    [[nodiscard]] bool try_append(std::string_view bytes) noexcept {
        const std::span<char> free = room();
        if (bytes.size() > free.size())
            return false;
        bytes.copy(free.data(), bytes.size());
        commit(bytes.size());
        return true;
    }
    /// The same as a chunk (RFC 9112 section 7.1).
    [[nodiscard]] bool try_append_chunk(std::string_view bytes) noexcept {
        constexpr std::size_t framing_bytes = 16 + 2 + 2;
        const std::span<char> free = room();
        if (free.size() < framing_bytes || bytes.size() > free.size() - framing_bytes)
            return false;
        append_chunk_head(bytes.size());
        return try_append(bytes) && try_append("\r\n");
    }
    /// The beginning of a chunk. Requires: room for 18 bytes.
    void append_chunk_head(std::size_t bytes) noexcept {
        char* const begin = room().data();
        char* const end = std::to_chars(begin, begin + 16, bytes, 16).ptr;
        end[0] = '\r';
        end[1] = '\n';
        commit(static_cast<std::size_t>(end + 2 - begin));
    }

    /// Removes bytes from the front: those that were sent. Requires: there are so many.
    void consume(std::size_t bytes) noexcept {
        std::copy(bytes_.data() + bytes, bytes_.data() + size_, bytes_.data());
        size_ -= bytes;
    }
    void clear() noexcept { size_ = 0; }

    /// A position in the output, to which it can be taken back.
    using mark = std::size_t;
    [[nodiscard]] mark end() const noexcept { return size_; }
    void take_back(mark position) noexcept { size_ = position; }

private:
    std::size_t size_ = 0;
    std::array<char, bytes_max> bytes_;
};

}  // namespace eddy::http
