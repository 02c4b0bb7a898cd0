#pragma once

#include <eddy/http/message/detail/error.hpp>
#include <eddy/http/message/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::http {

enum class chunk_event : std::uint8_t { need_more, data, trailer, complete, error };

/// What chunked_decoder::decode() found, and how many bytes of the input it consumed.
class chunk_result {
public:
    [[nodiscard]] static chunk_result need_more(std::size_t consumed) noexcept {
        return {chunk_event::need_more, consumed};
    }
    [[nodiscard]] static chunk_result complete(std::size_t consumed) noexcept {
        return {chunk_event::complete, consumed};
    }
    [[nodiscard]] static chunk_result of_data(std::size_t consumed, std::string_view data) noexcept {
        chunk_result result(chunk_event::data, consumed);
        result.value_ = data;
        return result;
    }
    [[nodiscard]] static chunk_result of_trailer(std::size_t consumed, std::string_view name,
                                                 std::string_view value) noexcept {
        chunk_result result(chunk_event::trailer, consumed);
        result.name_ = name;
        result.value_ = value;
        return result;
    }
    [[nodiscard]] static chunk_result refused(const message_error& error) noexcept {
        chunk_result result(chunk_event::error, 0);
        result.error_ = error;
        return result;
    }

    [[nodiscard]] chunk_event event() const noexcept { return event_; }
    /// Drop that many bytes from the front of the input. After `complete` the next message starts there.
    [[nodiscard]] std::size_t consumed() const noexcept { return consumed_; }
    /// A piece of the body, never empty: part of a chunk where the input ended in one.
    [[nodiscard]] std::string_view data() const noexcept { return value_; }
    [[nodiscard]] std::string_view trailer_name() const noexcept { return name_; }
    [[nodiscard]] std::string_view trailer_value() const noexcept { return value_; }
    [[nodiscard]] const message_error& error() const noexcept { return error_; }

private:
    chunk_result(chunk_event event, std::size_t consumed) noexcept : consumed_(consumed), event_(event) {}

    std::size_t consumed_;
    std::string_view name_;
    std::string_view value_;
    message_error error_;
    chunk_event event_;
};

/// Removes the chunked coding (RFC 9112 section 7.1) off a body as it arrives, strictly, without copying:
/// data and trailers are views into the input.
///
///     auto result = decoder.decode(input);   // then drop result.consumed() bytes from the input
///     // data, trailer: use it, call again      need_more: receive, append, call again
///     // complete: the body is over              error: respond with its status, close
///
/// Only a trailer line is left in the input until it is complete; everything else is consumed at once.
/// However the bytes are cut, the data, the trailers and the outcome are the same.
///
/// Refused with 400: a chunk size that is not 1 to 16 hexadecimal digits, malformed chunk extensions, white
/// space anywhere but around the ";" and "=" of an extension, line ends other than CRLF, a malformed trailer
/// line, and trailers that would change framing or routing (Content-Length, Transfer-Encoding, Host).
/// Beyond the limits: 413 for the body's size and for chunk extensions, 431 for trailers.
///
/// Not thread-safe.
class chunked_decoder {
public:
    /// The limits are referred to, not copied. Requires: they outlive the decoder.
    explicit chunked_decoder(const message_limits& limits) noexcept : limits_(&limits) {}
    explicit chunked_decoder(const message_limits&&) = delete;

    /// Requires: `input` starts with the bytes that the call before did not consume.
    [[nodiscard]] chunk_result decode(std::string_view input) noexcept;

    /// Bytes of the body seen so far, as announced by the sizes of its chunks.
    [[nodiscard]] std::uint64_t body_size() const noexcept { return body_size_; }

private:
    enum class state : std::uint8_t {
        size_first_digit,
        size,
        extension_name_before,
        extension_name,
        extension_name_after,
        extension_value_before,
        extension_value,
        extension_quoted,
        extension_escape,
        extension_quoted_end,
        extension_end,
        size_lf,
        data,
        data_cr,
        data_lf,
        trailer,
        complete,
        failed,
    };

    [[nodiscard]] state step(char byte) noexcept;
    [[nodiscard]] state after_size(char byte) noexcept;
    [[nodiscard]] state in_extension(char byte) noexcept;
    [[nodiscard]] state add_digit(char byte) noexcept;
    [[nodiscard]] state chunk_begins() noexcept;
    [[nodiscard]] chunk_result take_data(std::string_view input, std::size_t at) noexcept;
    [[nodiscard]] chunk_result take_trailer(std::string_view input, std::size_t at) noexcept;
    [[nodiscard]] state refuse(status code, std::string_view reason) noexcept;
    [[nodiscard]] chunk_result refused() const noexcept { return chunk_result::refused(error_); }

    const message_limits* limits_;
    std::uint64_t chunk_left_ = 0;  // while reading a size: the size so far; in data: bytes to come
    std::uint64_t body_size_ = 0;
    std::size_t extension_bytes_ = 0;
    std::size_t trailer_bytes_ = 0;
    std::size_t trailer_scanned_ = 0;  // of the unfinished trailer line: no line end before it
    message_error error_;
    std::uint8_t digits_ = 0;
    state state_ = state::size_first_digit;
};

}  // namespace eddy::http
