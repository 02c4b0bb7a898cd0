#pragma once

#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/field_block.hpp>
#include <eddy/http/request_head.hpp>
#include <eddy/http/response_head.hpp>
#include <eddy/http/status.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace eddy::http {

class connection;

/// One request and the way to answer it, given to a request_handler.
///
/// - The request stays valid until the handler has ended.
/// - The server adds Date, Server, Content-Length and Connection, leaves the body out for HEAD and for
/// statuses
///   that have none, and reads and discards a request's body that nobody wants.
/// - Answers gather in the connection's buffer while further requests of a pipeline are there, and are sent
///   together, in order.
/// - Errors: a peer that has gone, or does not take its answer in time, throws std::system_error, which the
///   handler lets pass. A field that is not valid throws std::invalid_argument before anything is sent.
class exchange {
public:
    exchange(connection& carrier, request_head request) noexcept : connection_(carrier), request_(request) {}
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;

    [[nodiscard]] request_head request() const noexcept { return request_; }

    /// Answers with a body that is in memory. Requires: not answered yet; fields and body stay until it ends.
    [[nodiscard]] prompt_task<> answer(status code, const answer_fields& fields, std::string_view body);

    /// Begins an answer whose body of `size` bytes follows in pieces. Requires: not answered yet; the fields
    /// stay until it ends.
    [[nodiscard]] prompt_task<> begin_answer(status code, const answer_fields& fields, std::uint64_t size);
    /// Sends a piece of the body. Requires: begin_answer(); no more than the announced size in all; `piece`
    /// stays until it ends.
    [[nodiscard]] prompt_task<> write(std::span<const std::byte> piece);
    /// Whether write() would send anything: not for HEAD, nor for statuses without a body.
    [[nodiscard]] bool wants_body() const noexcept { return wants_body_; }

    [[nodiscard]] bool is_answered() const noexcept { return is_answered_; }
    [[nodiscard]] status answered_status() const noexcept { return status_; }
    /// Bytes of body sent so far.
    [[nodiscard]] std::uint64_t body_bytes() const noexcept { return body_bytes_; }
    /// Bytes of the announced body that were not given to write().
    [[nodiscard]] std::uint64_t body_bytes_missing() const noexcept { return body_size_ - body_bytes_; }

    /// Ends the connection after this answer.
    void close_after_answer() noexcept { must_close_ = true; }
    [[nodiscard]] bool closes_after_answer() const noexcept { return must_close_; }

    /// Seconds since 1970, as the Date field says it.
    [[nodiscard]] std::int64_t unix_seconds() const noexcept;

private:
    [[nodiscard]] bool try_begin_answer(const answer_fields& fields, std::uint64_t size);
    [[nodiscard]] task<void> begin_answer_slowly(answer_fields fields, std::uint64_t size);
    [[nodiscard]] task<void> write_slowly(std::span<const std::byte> piece);
    [[nodiscard]] task<void> finish_answer(prompt_task<> begun, std::string_view body);

    connection& connection_;
    request_head request_;
    std::uint64_t body_size_ = 0;
    std::uint64_t body_bytes_ = 0;
    status status_ = status::ok;
    bool is_answered_ = false;
    bool wants_body_ = false;
    bool must_close_ = false;
};

/// Called after each answer, for logs and counts. Must not throw.
using exchange_observer = std::move_only_function<void(const exchange&)>;

}  // namespace eddy::http
