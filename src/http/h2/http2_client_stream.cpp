#include "http/h2/http2_client_stream.hpp"

#include "http/h2/http2_client_connection.hpp"
#include "http/h2/http2_fields.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::http {

namespace {

// What is read at once: the server may send more once it has been.
constexpr std::size_t piece_bytes_max = 16 * 1024;

const response_layout& continue_layout() noexcept {
    static const response_layout made = [] {
        response_layout layout;
        layout.status = status::continue_request;
        return layout;
    }();
    return made;
}

}  // namespace

// -- for the connection --

void http2_client_stream::clear() noexcept {
    http2_stream::clear();
    connection = nullptr;
    is_held = is_counted = false;
    response_.clear();
    trailers_.clear();
    trailer_bytes_ = 0;
    body_bytes_ = 0;
    failed_by_ = {};
    interim_count_ = 0;
    has_begun_ = may_go_on_ = is_sending_ = is_refused_ = is_stale_ = is_broken_ = false;
}

void http2_client_stream::add_field(std::string_view name, std::string_view value,
                                    const message_limits& limits) {
    if (!has_head)
        return response_.add(name, value, limits);
    trailer_bytes_ += name.size() + value.size() + 4;
    if (trailer_bytes_ <= limits.trailer_bytes_max())
        trailers_.emplace_back(name, value);
}

std::optional<http_error> http2_client_stream::take_head(const message_limits& limits) noexcept {
    note_arrival();
    const status code = response_.status();
    if (is_interim(code)) {
        may_go_on_ = may_go_on_ || code == status::continue_request;
        response_.clear();
        if (++interim_count_ > interim_responses_max || code == status::switching_protocols)
            return http_error::malformed_response;
        return std::nullopt;
    }
    if (!response_.finish(requested_, is_input_ended(), limits)) {
        switch (response_.error().status()) {
            case status::content_too_large:
                return http_error::body_too_large;
            case status::request_header_fields_too_large:
                return http_error::head_too_large;
            default:
                return http_error::malformed_response;
        }
    }
    has_head = true;
    return std::nullopt;
}

void http2_client_stream::fail(http_error error, std::string_view what, bool refused) noexcept {
    end_sending();
    if (is_input_ended() && (has_head || input_failure()))
        return;
    failed_by_ = what;
    is_refused_ = refused;
    is_stale_ = !has_begun_ && connection != nullptr && connection->had_exchange();
    end_input(make_error_code(error));
}

void http2_client_stream::fail_by_reset(std::uint32_t code, bool refused) noexcept {
    reset_code_ = code;
    fail(http_error::stream_reset, nghttp2_http2_strerror(code), refused);
}

// -- the request --

ready_or_task<std::error_code> http2_client_stream::send_head(const outgoing_head& head,
                                                              std::string_view body, bool ends,
                                                              const wait_limits& waits) {
    waits_ = waits;
    requested_ = head.method;
    if (connection == nullptr)
        return std::error_code();  // the reader finds out
    body_bytes_max_ = connection->limits().body_bytes_max();
    if (head.text.size() > sent_head_bytes_max)
        throw std::system_error(make_error_code(http_error::invalid_request), "the head is too large");
    std::string_view lines = head.text;
    lines.remove_suffix(2);
    const std::string_view first = lines.substr(0, lines.find('\r'));
    const std::size_t space = first.find(' ');
    const std::string_view target = first.substr(space + 1, first.rfind(' ') - space - 1);
    lines.remove_prefix(first.size() + 2);
    std::vector<nghttp2_nv>& fields = connection->field_room();
    fields.clear();
    fields.push_back(field_pair(":method", first.substr(0, space)));
    fields.push_back(field_pair(":scheme", head.is_secure ? "https" : "http"));
    fields.push_back(field_pair(":authority", {}));
    fields.push_back(field_pair(":path", target));
    while (!lines.empty()) {
        const field_text line = take_field_line(lines);
        if (field_from(line.name) == field::host)
            fields[2] = field_pair(":authority", line.value);
        else if (!is_of_the_connection(line.name))
            fields.push_back(field_pair(line.name, line.value));
    }
    left_to_send = head.body_size.value_or(unknown_size);
    const bool has_no_body = ends && body.empty();
    if (!body.empty())
        static_cast<void>(output().try_append(body));
    static_cast<void>(connection->send_request(*this, fields, has_no_body));
    if (ends)
        end_output();
    return std::error_code();
}

task<std::error_code> http2_client_stream::send(std::span<const std::byte> bytes) {
    try {
        co_await send_behind(as_text(bytes), is_broken_, waits_.idle(), waits_.end());
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::timed_out)
            co_return error.code();
        const bool is_total = worker::current().turn_time() >= waits_.end();
        co_return make_error_code(is_total ? http_error::total_timed_out : http_error::idle_timed_out);
    }
    co_return std::error_code();
}

task<std::error_code> http2_client_stream::end_body() {
    end_output();
    co_return std::error_code();
}

// -- the response --

void http2_client_stream::throw_failure() const {
    if (input_failure() == http_error::stream_reset)
        throw stream_reset_error(reset_code_, std::string(failed_by_));
    throw std::system_error(input_failure(), std::string(failed_by_));
}

std::optional<response_head> http2_client_stream::try_head() {
    if (std::exchange(may_go_on_, false))
        return response_head(continue_layout(), "");
    if (has_head)
        return response_.head();
    if (is_input_ended())
        throw_failure();
    return std::nullopt;
}

ready_or_task<response_head> http2_client_stream::read_head() {
    if (const auto head = try_head())
        return *head;
    return await_head();
}

task<response_head> http2_client_stream::await_head() {
    for (;;) {
        co_await await_arrival();
        if (const auto head = try_head())
            co_return *head;
    }
}

std::optional<std::span<const std::byte>> http2_client_stream::try_piece() {
    take_back();
    if (arrived_bytes() == 0) {
        if (!is_input_ended())
            return std::nullopt;
        if (input_failure())
            throw_failure();
        return std::span<const std::byte>();
    }
    const std::span<const std::byte> piece = lend(piece_bytes_max);
    body_bytes_ += piece.size();
    if (body_bytes_ > body_bytes_max_)
        throw std::system_error(make_error_code(http_error::body_too_large));
    return piece;
}

ready_or_task<std::span<const std::byte>> http2_client_stream::read_body() {
    if (const auto piece = try_piece())
        return *piece;
    return await_piece();
}

task<std::span<const std::byte>> http2_client_stream::await_piece() {
    for (;;) {
        co_await await_arrival();
        if (const auto piece = try_piece())
            co_return *piece;
    }
}

task<void> http2_client_stream::await_arrival() {
    const duration limit = has_begun_ ? waits_.idle() : waits_.first_byte();
    for (;;) {
        const time_point at = eddy::detail::deadline_after(worker::current().turn_time(), limit);
        const bool has_come = co_await wait_for_arrival(std::min(at, waits_.end()));
        if (has_come)
            co_return;
        http_error late = has_begun_ ? http_error::idle_timed_out : http_error::first_byte_timed_out;
        if (waits_.end() <= at)
            late = http_error::total_timed_out;
        else if (is_sending_)
            continue;
        throw std::system_error(make_error_code(late));
    }
}

bool http2_client_stream::is_over() const noexcept {
    return has_head && is_input_ended() && !input_failure() && arrived_bytes() == lent_bytes();
}

bool http2_client_stream::was_stale() const noexcept {
    return is_stale_;
}

void http2_client_stream::close() noexcept {
    if (connection != nullptr)
        connection->reset_stream(*this, NGHTTP2_CANCEL);
    fail(http_error::connection_closed, "closed", false);
}

any_stream http2_client_stream::take_stream() {
    throw std::system_error(make_error_code(http_error::upgrade_refused));
}

void http2_client_stream::abandon() noexcept {
    if (connection == nullptr)
        delete this;
    else
        connection->release(*this);
}

}  // namespace eddy::http
