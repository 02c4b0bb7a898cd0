#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/http/answer_filter.hpp>
#include <eddy/http/attributes.hpp>
#include <eddy/http/connection_info.hpp>
#include <eddy/http/field_block.hpp>
#include <eddy/http/path_parameters.hpp>
#include <eddy/http/request_body.hpp>
#include <eddy/http/request_error.hpp>
#include <eddy/http/request_head.hpp>
#include <eddy/http/response_head_writer.hpp>
#include <eddy/http/status.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

namespace eddy::http {

class answer_framing;
class connection;
class exchange_parts;

/// One request and the way to answer it, given to a request_handler.
///
/// - The request, its body, parameters and attributes stay valid until the handler has ended.
/// - The server adds Date, Server, Content-Length or Transfer-Encoding, and Connection, leaves the body out
///   for HEAD and for statuses that have none, and reads and discards a request's body that nobody wants.
/// - Answers gather in the connection's buffer while further requests of a pipeline are there, and are sent
///   together, in order. So do the pieces of one answer, until the buffer is full, flush(), or the end.
/// - Back-pressure: what does not fit the buffer waits until the client takes it.
/// - Errors: a peer that has gone, or does not take its answer in time, throws std::system_error, which the
///   handler lets pass. A field that is not valid throws std::invalid_argument before anything is sent.
/// - Dropped anywhere: the connection ends, and what was sent of the answer is not known.
class exchange {
public:
    exchange(http::connection& carrier, request_head request, time_point began_at) noexcept
        : connection_(carrier), request_(request), began_at_(began_at) {}
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;

    // -- the request --

    [[nodiscard]] request_head request() const noexcept { return request_; }
    /// The request's body. Nothing of it is read, and 100 Continue is not sent, before it is asked for bytes.
    [[nodiscard]] request_body& body();
    /// The peer, the TLS session.
    [[nodiscard]] const connection_info& connection();
    /// When the head was complete, as of the worker's turn.
    [[nodiscard]] time_point began_at() const noexcept { return began_at_; }

    /// request().path() without the prefixes below which handlers were mounted; begins with "/".
    [[nodiscard]] std::string_view path() const noexcept {
        const std::string_view whole = request_.path();
        return entered_ < whole.size() ? whole.substr(entered_) : std::string_view("/");
    }
    /// Leaves out so many bytes from the front of path(), for what is mounted there.
    void enter(std::size_t prefix_size) noexcept { entered_ += prefix_size; }
    /// The pattern that has matched, for counts and logs; empty if none has.
    [[nodiscard]] std::string_view route() const noexcept { return route_; }
    /// Requires: it stays until the request has been observed.
    void set_route(std::string_view pattern) noexcept { route_ = pattern; }
    /// What the variable parts of the path were, as routers have found.
    [[nodiscard]] path_parameters& parameters();
    /// What those that handle this request hand on to each other.
    [[nodiscard]] http::attributes& attributes();

    /// Asked to stop when the server drains: for answers without an end, and upgraded connections.
    [[nodiscard]] std::stop_token stop_token() const noexcept;

    // -- the answer --

    /// Adds a field to the answer, whoever writes it. Copied. Throws std::invalid_argument. Requires: not
    /// answered yet.
    void add_field(std::string_view name, std::string_view value);
    /// Has the answer changed on its way. One filter; null takes it away. Requires: not answered yet.
    void filter_answer(std::unique_ptr<answer_filter> filter);
    [[nodiscard]] bool has_filter() const noexcept;

    /// Answers with a body that is in memory. Requires: not answered yet; fields and body stay until it ends.
    [[nodiscard]] prompt_task<> answer(status code, const answer_fields& fields, std::string_view body);
    /// The same if that needs no waiting: the answer fits the connection's buffer, and there is no filter.
    /// Otherwise false, and nothing has happened.
    [[nodiscard]] bool try_answer(status code, const answer_fields& fields, std::string_view body);

    /// Begins an answer whose body of `size` bytes follows in pieces. Requires: not answered yet; the fields
    /// stay until it ends.
    [[nodiscard]] prompt_task<> begin_answer(status code, const answer_fields& fields, std::uint64_t size);
    /// The same for a body of unknown size: chunked, or for HTTP/1.0 ended by closing. The handler's normal
    /// return ends it; an exception cuts the connection, so that the client sees that it is incomplete.
    [[nodiscard]] prompt_task<> begin_answer(status code, const answer_fields& fields);
    /// Sends a piece of the body. Requires: begin_answer(); no more than the announced size in all; `piece`
    /// stays until it ends.
    [[nodiscard]] prompt_task<> write(std::span<const std::byte> piece);
    /// Sends what has gathered.
    [[nodiscard]] prompt_task<> flush();
    /// Adds a field behind a chunked body (RFC 9110 section 6.5); left out where the body is not chunked.
    /// Copied. Throws std::invalid_argument, for fields of framing, routing and authentication too. Requires:
    /// begin_answer() without a size.
    void add_trailer(std::string_view name, std::string_view value);

    /// Answers with part of a file. Where the stream is the system's, the bytes do not come into the program.
    /// A file that turns out shorter leaves the answer short, which ends the connection. Requires: not
    /// answered yet; fields and file stay until it ends.
    [[nodiscard]] task<void> answer_file(status code, answer_fields fields, const file& content,
                                         std::uint64_t offset, std::uint64_t size);

    /// Takes the connection over: sends 101 Switching Protocols (RFC 9110 section 7.8), or 200 for CONNECT,
    /// with these fields (Upgrade among them; the server adds Connection) and gives the stream; what came
    /// behind the head is read first. The server closes it when the handler has ended, if it still is the
    /// handler's, and its timeouts do not count any more; stop_token() tells that the server drains. What the
    /// handler spawns afterwards belongs to that stop scope as well. Requires: not answered yet; the
    /// request's body has been read, if there is one.
    [[nodiscard]] task<any_stream> upgrade(answer_fields fields);

    /// Whether write() would send anything: not for HEAD, nor for statuses without a body.
    [[nodiscard]] bool wants_body() const noexcept { return wants_body_; }
    [[nodiscard]] bool is_answered() const noexcept { return is_answered_; }
    [[nodiscard]] status answered_status() const noexcept { return status_; }
    /// Bytes of body sent so far: after filters, without chunks' sizes.
    [[nodiscard]] std::uint64_t body_bytes() const noexcept { return body_bytes_; }
    /// Bytes of the announced body that were not given to write().
    [[nodiscard]] std::uint64_t body_bytes_missing() const noexcept {
        return is_unsized_ ? 0 : body_size_ - body_bytes_;
    }

    /// Ends the connection after this answer.
    void close_after_answer() noexcept { must_close_ = true; }
    [[nodiscard]] bool closes_after_answer() const noexcept { return must_close_; }

    /// Seconds since 1970, as the Date field says it.
    [[nodiscard]] std::int64_t unix_seconds() const noexcept;

private:
    friend class http::connection;
    [[nodiscard]] exchange_parts& parts();
    [[nodiscard]] bool try_begin(const answer_fields& fields, const answer_framing& body);
    [[nodiscard]] prompt_task<> begin(status code, const answer_fields& fields,
                                      std::optional<std::uint64_t> size);
    [[nodiscard]] task<void> begin_slowly(answer_fields fields, answer_framing body);
    [[nodiscard]] task<void> answer_filtered(status code, answer_fields fields, std::string_view body);
    [[nodiscard]] bool ask_filter(const answer_fields& fields, std::optional<std::uint64_t> size);
    [[nodiscard]] answer_framing framing_of(std::optional<std::uint64_t> size) const noexcept;
    [[nodiscard]] prompt_task<> write_coded(std::span<const std::byte> piece);
    [[nodiscard]] task<void> write_filtered(std::span<const std::byte> piece);
    [[nodiscard]] task<void> write_by_and_by(std::span<const std::byte> piece);
    [[nodiscard]] prompt_task<> write_out(std::string_view bytes);
    [[nodiscard]] task<void> write_chunk(std::string_view bytes);
    [[nodiscard]] task<void> flush_filtered();
    [[nodiscard]] task<void> finish_answer(prompt_task<> begun, std::string_view body);
    /// Whether the handler's return has something to add.
    [[nodiscard]] bool has_open_end() const noexcept { return is_unsized_ && wants_body_; }
    [[nodiscard]] task<void> end_body();

    http::connection& connection_;
    request_head request_;
    exchange_parts* parts_ = nullptr;  // null until something of it is needed
    time_point began_at_;
    std::size_t entered_ = 0;
    std::string_view route_;
    std::uint64_t body_size_ = 0;
    std::uint64_t body_bytes_ = 0;
    status status_ = status::ok;
    bool is_answered_ = false;
    bool wants_body_ = false;
    bool must_close_ = false;
    bool is_unsized_ = false;           // the end of the body is told by its framing
    bool is_chunked_ = false;           // and that is this
    bool has_filtered_fields_ = false;  // the filter has been asked
    bool is_filtered_ = false;          // and takes part
    bool is_incomplete_ = false;        // not all of the body is there to be sent
    bool is_cut_short_ = false;         // the handler has failed after its beginning
};

/// Called after each answer, for logs and counts. Must not throw.
using exchange_observer = std::move_only_function<void(exchange&)>;

}  // namespace eddy::http
