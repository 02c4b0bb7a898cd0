#pragma once

#include <eddy/stream/detail/read_buffer.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

// The requests to a buffered_reader. Each decides whether what has been read is enough (`is_met`, called
// again whenever more has come), and takes its result out of the buffer once it is, or once the stream has
// ended (`take`, which throws std::system_error with a stream_error). Only a request that skips consumes
// anything before take().

namespace eddy::detail {

/// Whatever has come, up to so much.
class some_request {
public:
    explicit some_request(std::size_t size_max) noexcept : size_max_(size_max) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) const noexcept { return !buffer.empty(); }
    [[nodiscard]] std::span<const std::byte> take(read_buffer& buffer) const noexcept;

private:
    std::size_t size_max_;
};

/// The same, copied; a large one goes past an empty buffer.
class copy_some_request {
public:
    explicit copy_some_request(std::span<std::byte> out) noexcept : out_(out) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) const noexcept {
        return passed_ != 0 || !buffer.empty() || out_.empty();
    }
    [[nodiscard]] std::size_t take(read_buffer& buffer) const noexcept;

    [[nodiscard]] bool may_pass(const read_buffer& buffer) const noexcept {
        return buffer.empty() && out_.size() >= buffer.capacity();
    }
    [[nodiscard]] std::span<std::byte> target() const noexcept { return out_; }
    void note_passed(read_buffer& buffer, std::size_t count) noexcept {
        passed_ = count;
        buffer.count_passed(count);
    }

private:
    std::span<std::byte> out_;
    std::size_t passed_ = 0;
};

/// So many bytes.
class exact_request {
public:
    explicit exact_request(std::size_t size) noexcept : size_(size) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) const noexcept { return buffer.size() >= size_; }
    [[nodiscard]] std::span<const std::byte> take(read_buffer& buffer) const;

private:
    std::size_t size_;
};

/// The same, copied.
class copy_exact_request {
public:
    explicit copy_exact_request(std::span<std::byte> out) noexcept : out_(out) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) const noexcept { return buffer.size() >= out_.size(); }
    void take(read_buffer& buffer) const;

private:
    std::span<std::byte> out_;
};

/// At least so many bytes, which stay.
class peek_request {
public:
    explicit peek_request(std::size_t size) noexcept : size_(size) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) const noexcept { return buffer.size() >= size_; }
    [[nodiscard]] std::span<const std::byte> take(read_buffer& buffer) const noexcept {
        return buffer.bytes();
    }

private:
    std::size_t size_;
};

/// What stands before a delimiter, and the delimiter.
class delimiter_request {
public:
    delimiter_request(std::string_view delimiter, std::size_t size_max) noexcept;
    [[nodiscard]] bool is_met(read_buffer& buffer) noexcept;
    [[nodiscard]] std::span<const std::byte> take(read_buffer& buffer) const;

private:
    std::string_view delimiter_;
    std::size_t size_max_;
    std::size_t searched_ = 0;  // no delimiter begins before
    std::size_t found_ = 0;     // the size of the answer, 0 while there is none
};

/// A line, without its end, which is LF or CRLF.
class line_request {
public:
    explicit line_request(std::size_t size_max) noexcept : size_max_(size_max) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) noexcept;
    /// Nothing at the end of the stream.
    [[nodiscard]] std::optional<std::string_view> take(read_buffer& buffer) const;

private:
    std::size_t size_max_;
    std::size_t searched_ = 0;
    bool is_found_ = false;  // LF stands at searched_
};

/// Everything up to the end.
class rest_request {
public:
    explicit rest_request(std::size_t size_max) noexcept : size_max_(size_max) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) const noexcept { return buffer.size() > size_max_; }
    [[nodiscard]] std::span<const std::byte> take(read_buffer& buffer) const;

private:
    std::size_t size_max_;
};

/// To be rid of so many bytes.
class skip_request {
public:
    explicit skip_request(std::uint64_t count) noexcept : left_(count) {}
    [[nodiscard]] bool is_met(read_buffer& buffer) noexcept;
    void take(read_buffer& buffer) const;

private:
    std::uint64_t left_;
};

}  // namespace eddy::detail
