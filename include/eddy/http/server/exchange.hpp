#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/unique_function.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/http/message/attributes.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/path_parameters.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/http/server/detail/response_writer.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/http/server/response_filter.hpp>
#include <eddy/stream/any_stream.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

class exchange_parts;

/// One request and the way to answer it; the argument of a request_handler.
///
/// - The request, its body, parameters and attributes stay valid until the handler has ended.
/// - The server adds Date, Server, Content-Length or Transfer-Encoding, and Connection, leaves the body out
///   for HEAD and for statuses that have none, and reads and discards what the handler has not read of a
///   request's body.
/// - Responses gather in the connection's buffer while further requests of a pipeline are there, and are sent
///   together, in order. So do the pieces of one response, until the buffer is full, flush(), or the end.
/// - Back-pressure: what does not fit the buffer waits until the client takes it.
/// - Errors: a peer that has gone, or does not read its response in time, throws std::system_error, which the
///   handler lets pass. A field that is not valid throws std::invalid_argument before anything is sent.
/// - Dropped anywhere: the connection ends, and what was sent of the response is not known.
class exchange {
public:
    /// For the stream on which the request has come. Requires: `response` is that to this request, and stays.
    exchange(response_writer& response, time_point began_at) noexcept
        : response_(response), began_at_(began_at) {}
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;

    // -- the request --

    /// The head of the request; views of the connection's memory.
    [[nodiscard]] request_head request() const noexcept { return response_.request(); }
    /// The request's body. Nothing of it is read, and 100 Continue is not sent, before the handler reads from
    /// it.
    [[nodiscard]] request_body& body();
    /// The peer, the TLS session.
    [[nodiscard]] const connection_info& connection();
    /// When the head was complete, as of the worker's turn.
    [[nodiscard]] time_point began_at() const noexcept { return began_at_; }

    /// request().path() without the prefixes below which handlers were mounted; begins with "/".
    [[nodiscard]] std::string_view path() const noexcept {
        const std::string_view whole = request().path();
        return entered_ < whole.size() ? whole.substr(entered_) : std::string_view("/");
    }
    /// Leaves out so many bytes from the front of path(), for what is mounted there.
    void strip_prefix(std::size_t prefix_size) noexcept { entered_ += prefix_size; }
    /// The pattern that has matched, for counts and logs; empty if none has.
    [[nodiscard]] std::string_view route() const noexcept { return route_; }
    /// Requires: it stays until the request has been observed.
    void set_route(std::string_view pattern) noexcept { route_ = pattern; }
    /// What the variable parts of the path were, as routers have found.
    [[nodiscard]] path_parameters& parameters();
    /// What those that handle this request hand on to each other.
    [[nodiscard]] http::attributes& attributes();

    /// Stop is requested when the server drains: for responses without an end, and upgraded connections.
    [[nodiscard]] std::stop_token stop_token() const noexcept;

    // -- the response --

    /// Adds a field to the response, whichever way it is written. Copied. Throws std::invalid_argument.
    /// Requires: not answered yet.
    void add_field(std::string_view name, std::string_view value) { response_.add_field(name, value); }
    /// Has the response changed on its way. One filter; null takes it away. Requires: not answered yet.
    void filter_response(std::unique_ptr<response_filter> filter) { response_.add_filter(std::move(filter)); }
    /// Whether a filter will see the response.
    [[nodiscard]] bool has_filter() const noexcept { return response_.has_filter(); }

    /// Answers with a body that is in memory. Fields are copied if the task outlives the call; a std::string
    /// rvalue is moved in. Requires: not answered yet; a body that was not moved in stays until the task
    /// ends.
    [[nodiscard]] ready_or_task<> respond(status code, const response_fields& fields, std::string_view body) {
        return response_.respond(code, fields, body);
    }
    template <std::same_as<std::string> Body>
    [[nodiscard]] ready_or_task<> respond(status code, const response_fields& fields, Body&& body) {
        return response_.respond_owned(code, fields, std::forward<Body>(body));
    }
    /// The same if that needs no waiting: the response fits the connection's buffer, and there is no filter.
    /// Otherwise false, and nothing has happened.
    [[nodiscard]] bool try_respond(status code, const response_fields& fields, std::string_view body) {
        return response_.try_respond(code, fields, body);
    }

    /// Answers with a head alone, which over HTTP/2 ends the stream and has no Content-Length. Fields as in
    /// respond(). Requires: not answered yet.
    [[nodiscard]] ready_or_task<> respond_without_body(status code, const response_fields& fields) {
        return response_.respond_without_body(code, fields);
    }

    /// Begins a response whose body of `size` bytes follows in pieces. Fields are copied if the task outlives
    /// the call. Requires: not answered yet.
    [[nodiscard]] ready_or_task<> begin_response(status code, const response_fields& fields,
                                                 std::uint64_t size) {
        return response_.begin(code, fields, size);
    }
    /// The same for a body of unknown size: chunked, or for HTTP/1.0 ended by closing. The handler's normal
    /// return ends it; an exception cuts the connection, so that the client sees that it is incomplete.
    [[nodiscard]] ready_or_task<> begin_response(status code, const response_fields& fields) {
        return response_.begin(code, fields, std::nullopt);
    }
    /// Sends a piece of the body. May be under way while another task of the handler's reads the request's
    /// body. Requires: begin_response(); no more than the announced size in all; one write at a time; `piece`
    /// stays until it ends.
    [[nodiscard]] ready_or_task<> write(std::span<const std::byte> piece) { return response_.write(piece); }
    /// Sends what has gathered.
    [[nodiscard]] ready_or_task<> flush() { return response_.flush(); }
    /// Adds a field behind a chunked body (RFC 9110 section 6.5); left out where the body is not chunked.
    /// Copied. Throws std::invalid_argument, for fields of framing, routing and authentication too. Requires:
    /// begin_response() without a size.
    void add_trailer(std::string_view name, std::string_view value) { response_.add_trailer(name, value); }

    /// Answers with part of a file. Where the stream is the system's, the bytes do not come into the program.
    /// A file that turns out shorter leaves the response short, which ends the connection. Requires: not
    /// answered yet; fields and file stay until it ends.
    [[nodiscard]] task<void> respond_with_file(status code, response_fields fields, const file& content,
                                               std::uint64_t offset, std::uint64_t size) {
        return response_.respond_with_file(code, fields, content, offset, size);
    }

    /// Takes the connection over: sends 101 Switching Protocols (RFC 9110 section 7.8), or 200 for CONNECT,
    /// with these fields (Upgrade among them; the server adds Connection) and returns the stream, from which
    /// what came behind the head is read first. The server closes it when the handler has ended, if the
    /// handler still has it, and its timeouts no longer apply; stop_token() reports that the server drains.
    /// What the handler spawns afterwards belongs to that stop scope as well. Requires: not answered yet; the
    /// request's body has been read, if there is one.
    [[nodiscard]] task<any_stream> upgrade(response_fields fields) { return response_.upgrade(fields); }

    /// Whether write() would send anything: not for HEAD, nor for statuses without a body.
    [[nodiscard]] bool wants_body() const noexcept { return response_.wants_body(); }
    /// Whether a response has begun.
    [[nodiscard]] bool has_responded() const noexcept { return response_.has_begun(); }
    /// The status of the response, once it has begun.
    [[nodiscard]] status response_status() const noexcept { return response_.code(); }
    /// Bytes of body sent so far: after filters, without chunks' sizes.
    [[nodiscard]] std::uint64_t body_bytes() const noexcept { return response_.body_bytes(); }
    /// Bytes of the response that wait to be sent: what has gathered for that, or what the client does not take.
    [[nodiscard]] std::size_t unsent_bytes() const noexcept;
    /// Bytes of the announced body that were not passed to write().
    [[nodiscard]] std::uint64_t body_bytes_missing() const noexcept { return response_.body_bytes_missing(); }

    /// Ends the connection after this response.
    void close_after_response() noexcept { response_.close_afterwards(); }
    /// Whether the connection ends with this response.
    [[nodiscard]] bool closes_after_response() const noexcept { return response_.closes_afterwards(); }

    /// Counts a failure of the handler and reports it to server_options::failure_reporter(). For code that
    /// catches exceptions on their way to the server; the server does the same with those that reach it.
    /// `is_reported`: another handler has reported it, so it is only counted. A second call does nothing, nor
    /// does one for an error of a client that has gone.
    void report_failure(const std::exception_ptr& error, bool is_reported = false) noexcept;

    /// Seconds since 1970, as the Date field says it.
    [[nodiscard]] std::int64_t unix_seconds() const noexcept;

private:
    [[nodiscard]] exchange_parts& parts();
    [[nodiscard]] bool is_of_the_client(const std::exception_ptr& error) const noexcept;

    response_writer& response_;
    time_point began_at_;
    std::size_t entered_ = 0;
    std::string_view route_;
    bool is_failure_reported_ = false;
};

/// Called after each response, for logs and counts. Must not throw.
using exchange_observer = unique_function<void(exchange&)>;

/// What answers requests. One handler serves many connections of one worker at a time.
class request_handler {
public:
    virtual ~request_handler() = default;

    /// Answers one request. A handler that ends without a response, or throws before it has begun one, causes
    /// 500; one that throws later, or leaves out part of a body, ends the connection (over HTTP/2, resets the stream,
    /// with the code of a stream_reset_error if that is what it throws). Dropped when the server
    /// ends or the connection is cut off.
    [[nodiscard]] virtual ready_or_task<> handle(exchange& ex) = 0;
};

}  // namespace eddy::http
