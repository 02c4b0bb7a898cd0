#include <eddy/http/client/client_connection.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <limits>
#include <system_error>

namespace eddy::http {

namespace {

// Puts spaces in place of the line ends within a field's value (RFC 9112 section 5.2). False if there is
// none.
bool unfold(std::span<char> received) noexcept {
    const std::string_view text(received.data(), received.size());
    constexpr std::string_view line_end = "\r\n";
    bool has_unfolded = false;
    // What follows the status line is no value's.
    auto at = text.find(line_end);
    while (at < text.size() - line_end.size()) {
        at = text.find(line_end, at + line_end.size());
        const auto rest = text.substr(std::min(at, text.size()));
        if (rest.size() <= line_end.size() || rest.starts_with("\r\n\r\n"))
            break;
        if (rest[line_end.size()] == ' ' || rest[line_end.size()] == '\t') {
            received[at] = received[at + 1] = ' ';
            has_unfolded = true;
        }
    }
    return has_unfolded;
}

}  // namespace

message_limits response_limits() noexcept {
    return message_limits().body_bytes_max(std::numeric_limits<std::uint64_t>::max());
}

void client_connection::begin(method requested) noexcept {
    drop_taken();
    parser_.reset(requested);
    trailers_.clear();
    requested_ = requested;
    body_size_ = 0;
    has_begun_ = false;
    state_ = state::head;
}

ready_or_task<response_head> client_connection::read_head() {
    drop_taken();
    if (state_ == state::interim) {
        parser_.reset(requested_);
        state_ = state::head;
    }
    if (const auto head = try_head())
        return *head;
    return receive_head();
}

ready_or_task<std::span<const std::byte>> client_connection::read_body() {
    drop_taken();
    if (const auto piece = try_piece())
        return *piece;
    return receive_piece();
}

task<response_head> client_connection::receive_head() {
    for (;;) {
        const bool has_more = co_await receive();
        if (!has_more)
            fail(has_begun_ ? http_error::truncated : http_error::connection_closed);
        if (const auto head = try_head())
            co_return *head;
    }
}

task<std::span<const std::byte>> client_connection::receive_piece() {
    for (;;) {
        const bool has_more = co_await receive();
        if (!has_more) {
            if (kind_ != body_kind::until_close)
                fail(http_error::truncated);
            state_ = state::over;
            co_return std::span<const std::byte>();
        }
        if (const auto piece = try_piece())
            co_return *piece;
    }
}

task<bool> client_connection::receive() {
    received_.settle();
    buffer_lease arrived = co_await await_arrival();
    if (arrived.empty()) {
        keeps_alive_ = false;
        co_return false;
    }
    has_begun_ = true;
    received_.add(std::move(arrived));
    co_return true;
}

task<buffer_lease> client_connection::await_arrival() {
    const duration limit = has_begun_ ? waits_.idle() : waits_.first_byte();
    if (limit == duration::max() && waits_.end() == time_point::max())
        co_return co_await stream_.read_leased();
    for (;;) {
        const time_point at = eddy::detail::deadline_after(worker::current().turn_time(), limit);
        auto arrived = co_await stream_.read_leased_until(std::min(at, waits_.end()));
        if (arrived)
            co_return std::move(*arrived);
        if (arrived.error() != std::errc::timed_out ||
            worker::current().turn_time() < std::min(at, waits_.end())) {
            keeps_alive_ = false;
            throw std::system_error(arrived.error(), "reading a response");
        }
        if (waits_.end() <= at)
            fail(http_error::total_timed_out);
        if (!is_sending_)
            fail(has_begun_ ? http_error::idle_timed_out : http_error::first_byte_timed_out);
    }
}

std::optional<response_head> client_connection::try_head() {
    if (received_.empty())
        return std::nullopt;
    has_begun_ = true;
    parse_result parsed = parser_.parse(received_.bytes());
    if (parsed.state() == parse_state::error && parsed.error().reason() == detail::folded_field_line &&
        unfold(received_.own())) {
        parser_.reset(requested_);
        parsed = parser_.parse(received_.bytes());
    }
    const std::string_view bytes = received_.bytes();
    if (parsed.state() == parse_state::need_more)
        return std::nullopt;
    if (parsed.state() == parse_state::error)
        fail(parsed.error());
    const response_head head = parser_.head(bytes);
    taken_ = parsed.head_size();
    if (is_interim(head.status()) && head.status() != status::switching_protocols) {
        state_ = state::interim;
        return head;
    }
    kind_ = head.framing().kind();
    left_ = head.framing().length();
    state_ = kind_ == body_kind::none ? state::over : state::body;
    const bool is_another_protocol = head.status() == status::switching_protocols ||
                                     (requested_ == method::connect && to_number(head.status()) / 100 == 2);
    keeps_alive_ = head.keep_alive() && kind_ != body_kind::until_close && !is_another_protocol;
    if (kind_ == body_kind::chunked)
        decoder_.emplace(limits_);
    return head;
}

std::optional<std::span<const std::byte>> client_connection::try_piece() {
    if (state_ == state::over) {
        if (received_.empty())
            received_.settle();
        return std::span<const std::byte>();
    }
    if (received_.empty())
        return std::nullopt;
    const std::size_t there = received_.bytes().size();
    switch (kind_) {
        case body_kind::chunked:
            return try_chunk();
        case body_kind::length: {
            const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, there));
            left_ -= size;
            if (left_ == 0)
                state_ = state::over;
            return take_raw(size);
        }
        default:
            body_size_ += there;
            if (body_size_ > limits_.body_bytes_max())
                fail(http_error::body_too_large);
            return take_raw(there);
    }
}

std::optional<std::span<const std::byte>> client_connection::try_chunk() {
    while (!received_.empty()) {
        const chunk_result found = decoder_->decode(received_.bytes());
        switch (found.event()) {
            case chunk_event::data:
                taken_ = found.consumed();
                return as_bytes(found.data());
            case chunk_event::trailer:
                trailers_.emplace_back(found.trailer_name(), found.trailer_value());
                break;
            case chunk_event::complete:
                received_.consume(found.consumed());
                state_ = state::over;
                return std::span<const std::byte>();
            case chunk_event::need_more:
                received_.consume(found.consumed());
                return std::nullopt;
            case chunk_event::error:
                fail(found.error());
        }
        received_.consume(found.consumed());
    }
    return std::nullopt;
}

std::span<const std::byte> client_connection::take_raw(std::size_t size) noexcept {
    taken_ = size;
    return as_bytes(received_.bytes().substr(0, size));
}

void client_connection::fail(http_error error) {
    keeps_alive_ = false;
    throw std::system_error(make_error_code(error));
}

void client_connection::fail(const message_error& error) {
    keeps_alive_ = false;
    const http_error code = error.status() == status::content_too_large ? http_error::body_too_large
                            : error.status() == status::request_header_fields_too_large
                                ? http_error::head_too_large
                                : http_error::malformed_response;
    throw std::system_error(make_error_code(code), std::string(error.reason()));
}

}  // namespace eddy::http
