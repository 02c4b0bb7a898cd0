#pragma once

#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/status.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace eddy::http {

enum class write_error : std::uint8_t {
    none,
    no_space,       // the buffer is too small
    invalid_field,  // a name that is no token, or a value with CR, LF, NUL or another control character
    misplaced,      // body framing for a status that has no body, or framing set twice
};

/// Writes the head of a response (RFC 9112 sections 4 and 5) into the caller's buffer; no allocation.
///
///     std::array<char, 512> buffer;
///     auto head = response_head_writer(buffer, status::ok)
///                     .date(dates.at(now)).header("Content-Type", "text/plain").content_length(5).finish();
///
/// After the first error nothing more is written and finish() returns that error, so the calls need no checks
/// in between. A value taken from a request can therefore never split the response. Values are written as
/// passed, without leading or trailing white space being removed.
///
/// Refers to the buffer. Requires: it outlives the writer and the view that finish() returns.
class response_head_writer {
public:
    /// Writes the status line of HTTP/1.1, which is also the right answer to an HTTP/1.0 request.
    /// Requires: a code of three digits.
    response_head_writer(std::span<char> buffer, status code) noexcept;
    /// Writes what another writer has written for the same code, without its end.
    response_head_writer(std::span<char> buffer, status code, std::string_view begun) noexcept
        : buffer_(buffer), status_(code) {
        lines(begun);
    }

    response_head_writer& header(std::string_view name, std::string_view value) noexcept;
    response_head_writer& header(std::string_view name, std::uint64_t value) noexcept;
    response_head_writer& header(const response_field& field) noexcept;

    /// Lines that were checked when the block was made.
    response_head_writer& fields(const field_block& block) noexcept { return lines(block.text()); }
    response_head_writer& fields(const response_fields& fields) noexcept;

    /// `text` as from date_cache::at().
    response_head_writer& date(std::string_view text) noexcept { return header("Date", text); }

    /// At most one of these two. A 304 may carry the length that a 200 would have had.
    response_head_writer& content_length(std::uint64_t bytes) noexcept;
    response_head_writer& transfer_chunked() noexcept;

    /// "Connection: close", or "keep-alive", which a client of HTTP/1.0 needs.
    response_head_writer& connection_close() noexcept { return header("Connection", "close"); }
    response_head_writer& connection_keep_alive() noexcept { return header("Connection", "keep-alive"); }

    /// Ends the head with its empty line and returns the part of the buffer that was written.
    [[nodiscard]] std::expected<std::string_view, write_error> finish() noexcept;

    [[nodiscard]] write_error error() const noexcept { return error_; }

private:
    response_head_writer& lines(std::string_view text) noexcept;
    void put(std::string_view text) noexcept;
    [[nodiscard]] bool has_room(std::size_t bytes) noexcept;
    [[nodiscard]] bool may_frame() noexcept;

    std::span<char> buffer_;
    std::size_t size_ = 0;
    status status_;
    bool framed_ = false;
    write_error error_ = write_error::none;
};

}  // namespace eddy::http
