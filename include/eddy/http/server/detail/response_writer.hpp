#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/codec/detail/response_head_writer.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/server/response_filter.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy {
class file;
}

namespace eddy::http {

class exchange_stream;

/// How a client finds the end of a response's body (RFC 9112 section 6.3).
enum class body_end : std::uint8_t {
    undecided,       ///< the response has not begun
    content_length,  ///< announced
    chunked,         ///< the last chunk
    closing,         ///< the end of the connection
    upgrade,         ///< there is no body: the connection is taken over
    stream,          ///< the stream's own, where its protocol frames bodies
};

class response_framing {
public:
    explicit response_framing(body_end end) noexcept : end_(end) {}
    [[nodiscard]] static response_framing of_length(std::uint64_t bytes) noexcept {
        response_framing made(body_end::content_length);
        made.length_ = bytes;
        return made;
    }

    /// No body at all, of which no field says so where the protocol does.
    [[nodiscard]] static response_framing nothing() noexcept {
        response_framing made(body_end::content_length);
        made.is_announced_ = false;
        return made;
    }

    [[nodiscard]] body_end end() const noexcept { return end_; }
    [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
    /// Whether the length stands in a field. One that ends with the stream has none anyway.
    [[nodiscard]] bool is_announced() const noexcept { return is_announced_; }

private:
    std::uint64_t length_ = 0;
    body_end end_;
    bool is_announced_ = true;
};

/// Writes the response to one request: decides how its body is framed, has it filtered, frames the pieces and
/// appends them to the stream's output, and waits for the stream where that is full. An exchange is a handler's
/// view of it; see there for what its functions require and throw.
///
/// Ownership: the stream's, like the exchange; refers to the stream. Thread safety: none.
class response_writer {
public:
    response_writer(exchange_stream& stream, request_head request) noexcept
        : stream_(stream), request_(request) {}
    response_writer(const response_writer&) = delete;
    response_writer& operator=(const response_writer&) = delete;

    [[nodiscard]] exchange_stream& stream() const noexcept { return stream_; }
    [[nodiscard]] request_head request() const noexcept { return request_; }

    // -- for the handler --

    void add_field(std::string_view name, std::string_view value);
    void add_filter(std::unique_ptr<response_filter> filter);
    [[nodiscard]] bool has_filter() const noexcept;

    [[nodiscard]] bool try_respond(status code, const response_fields& fields, std::string_view body);
    [[nodiscard]] ready_or_task<> respond(status code, const response_fields& fields, std::string_view body);
    [[nodiscard]] ready_or_task<> respond_owned(status code, const response_fields& fields,
                                                std::string&& body);
    [[nodiscard]] ready_or_task<> respond_without_body(status code, const response_fields& fields);
    [[nodiscard]] task<void> respond_with_file(status code, response_fields fields, const file& content,
                                               std::uint64_t offset, std::uint64_t size);
    [[nodiscard]] ready_or_task<> begin(status code, const response_fields& fields,
                                        std::optional<std::uint64_t> size);
    [[nodiscard]] ready_or_task<> write(std::span<const std::byte> piece);
    [[nodiscard]] ready_or_task<> flush();
    void add_trailer(std::string_view name, std::string_view value);
    [[nodiscard]] task<any_stream> upgrade(response_fields fields);
    void close_afterwards() noexcept { must_close_ = true; }

    // -- what has become of it --

    [[nodiscard]] bool has_begun() const noexcept { return end_ != body_end::undecided; }
    [[nodiscard]] bool closes_afterwards() const noexcept { return must_close_; }
    [[nodiscard]] bool wants_body() const noexcept { return wants_body_; }
    [[nodiscard]] bool is_upgrade() const noexcept { return end_ == body_end::upgrade; }
    [[nodiscard]] status code() const noexcept { return status_; }
    [[nodiscard]] std::uint64_t body_bytes() const noexcept { return body_bytes_; }
    [[nodiscard]] std::uint64_t body_bytes_missing() const noexcept {
        return end_ == body_end::content_length ? body_size_ - body_bytes_ : 0;
    }

    // -- for the stream --

    /// Fields that middleware has added; null where the filter has seen them, and returned all fields.
    [[nodiscard]] const field_block* added_fields() const noexcept;
    /// Whether the handler's return has something to add.
    [[nodiscard]] bool has_open_end() const noexcept {
        return wants_body_ && end_ != body_end::content_length;
    }
    /// Adds it. Requires: has_open_end().
    [[nodiscard]] task<void> finish();
    /// Whether not all of the body was there to be sent.
    [[nodiscard]] bool is_incomplete() const noexcept { return extent_ == extent::incomplete; }
    /// The handler has failed after the response has begun.
    void cut_short() noexcept { extent_ = extent::cut_short; }
    /// The same, with the code of the reset where the protocol has streams (RFC 9113 section 7).
    void cut_short(std::uint32_t reset_code) noexcept {
        cut_short();
        must_close_ = true;
        reset_code_ = reset_code;
    }
    [[nodiscard]] std::uint32_t reset_code() const noexcept { return reset_code_; }
    /// Whether a client would take an end of the stream in good order for that of the whole body.
    [[nodiscard]] bool needs_abort() const noexcept {
        return extent_ != extent::whole && end_ >= body_end::closing;
    }
    /// The response that the handler did not begin is written without its filter.
    void drop_filter() noexcept;

private:
    enum class filtering : std::uint8_t { none, fields, body };
    enum class extent : std::uint8_t { whole, incomplete, cut_short };

    [[nodiscard]] response_framing framing_of(std::optional<std::uint64_t> size) const noexcept;
    [[nodiscard]] bool try_write_head(const response_fields& fields, response_framing body);
    [[nodiscard]] bool try_begin(const response_fields& fields, response_framing body);
    [[nodiscard]] task<void> begin_slowly(field_block fields, response_framing body);
    [[nodiscard]] bool begin_filter(const response_fields& fields, std::optional<std::uint64_t> size);
    [[nodiscard]] task<void> finish_responding(ready_or_task<> begun, std::string_view body);
    [[nodiscard]] task<void> respond_keeping(status code, field_block fields, std::string body);
    [[nodiscard]] task<void> respond_filtered(bool takes_part, std::string_view body);
    [[nodiscard]] ready_or_task<> write_coded(std::span<const std::byte> piece);
    [[nodiscard]] task<void> write_filtered(std::span<const std::byte> piece);
    [[nodiscard]] ready_or_task<> write_out(std::string_view bytes);
    [[nodiscard]] task<void> write_chunk(std::string_view bytes);
    [[nodiscard]] task<void> flush_filtered();

    exchange_stream& stream_;
    request_head request_;
    std::uint64_t body_size_ = 0;
    std::uint64_t body_bytes_ = 0;
    std::uint32_t reset_code_ = 0x2;  // INTERNAL_ERROR
    status status_ = status::ok;
    body_end end_ = body_end::undecided;
    filtering filtering_ = filtering::none;
    extent extent_ = extent::whole;
    bool wants_body_ = false;
    bool must_close_ = false;
};

}  // namespace eddy::http
