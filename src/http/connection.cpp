#include "http/connection.hpp"

#include "http/connection_input.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/chunked_decoder.hpp>
#include <eddy/http/response_head.hpp>

#include <array>
#include <expected>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

// A body that nobody wants is read up to this size, so that the connection can go on.
constexpr std::uint64_t discarded_body_max = 256 * 1024;
// After an answer to something that was not read to its end, the client gets this long to read the answer
// before its connection is reset (RFC 9112 section 9.6).
constexpr auto linger_time = std::chrono::seconds(2);

bool announces_too_much(const request_head& request) noexcept {
    return request.framing().length() > discarded_body_max;
}

}  // namespace

task<void> connection::serve(server_state& shared, tcp_stream stream) {
    connection self(shared, std::move(stream));
    try {
        while (!shared.is_draining) {
            shared.idle.push_back(self);
            auto first =
                co_await as_result(with_timeout(self.stream_.read_leased(), shared.options.idle_timeout()));
            self.unlink();
            if (!first || first->empty())
                co_return;
            self.active_ = shared.spare_requests.get(shared.options.limits());
            const after next = co_await self.serve_requests(std::move(*first));
            self.active_.reset();
            if (next == after::close)
                co_return;
            if (next == after::linger || shared.is_draining)
                co_return co_await self.linger();
        }
    } catch (...) {
        // The client has gone or was too slow, or memory is out: this connection ends, the others go on.
    }
}

task<connection::after> connection::serve_requests(buffer_lease first) {
    input received(active_->carried);
    received.add(std::exchange(first, {}));
    request_parser& parser = active_->parser;
    time_point head_deadline{};
    while (!received.empty()) {
        const parse_result parsed = parser.parse(received.bytes());
        if (parsed.state() == parse_state::complete) {
            exchange asked(*this, begin_request(parser.head(received.bytes())));
            co_await answer_request(asked);
            if (shared_.observer && asked.is_answered())
                shared_.observer(asked);
            if (const after next = co_await end_request(asked, received, parsed.head_size());
                next != after::keep)
                co_return next;
            parser.reset();
            head_deadline = {};
            continue;
        }
        if (parsed.state() == parse_state::error) {
            co_await refuse(parsed.error().status(), parsed.error().reason());
            co_return after::linger;
        }
        if (!active_->output().empty())
            co_await send({});
        if (head_deadline == time_point{})
            head_deadline = shared_.home.turn_time() + shared_.options.head_timeout();
        auto arrived = co_await as_result(with_deadline(stream_.read_leased(), head_deadline));
        if (!arrived && arrived.error() == std::errc::timed_out) {
            co_await refuse(status::request_timeout, "the request took too long");
            co_return after::linger;
        }
        if (!arrived || arrived->empty())
            co_return after::close;
        received.add(*std::exchange(arrived, {}));
    }
    if (!active_->output().empty()) {
        co_await with_timeout(stream_.write_all(as_bytes(active_->output())), write_timeout());
        active_->clear_output();
    }
    co_return after::keep;
}

request_head connection::begin_request(request_head request) noexcept {
    const bool has_body = request.framing().kind() != body_kind::none;
    // A body that the client has not promised to send, or that is not worth reading, ends the connection.
    keeps_alive_ = request.keep_alive() && !shared_.is_draining &&
                   !(has_body && (request.expects_continue() || announces_too_much(request)));
    tells_keep_alive_ = keeps_alive_ && request.minor_version() == 0;
    return request;
}

prompt_task<> connection::answer_request(exchange& asked) {
    prompt_task<> rest;
    try {
        rest = shared_.handler.handle(asked);
    } catch (...) {
        return fail_request(asked);
    }
    if (rest.is_done() && asked.is_answered()) [[likely]]
        return {};
    return finish_answer(asked, std::move(rest));
}

task<void> connection::finish_answer(exchange& asked, prompt_task<> rest) {
    bool has_failed = false;
    try {
        co_await std::move(rest);
    } catch (...) {
        has_failed = true;
    }
    if (has_failed || !asked.is_answered())
        co_await fail_request(asked);
}

task<void> connection::fail_request(exchange& asked) {
    asked.close_after_answer();
    if (!asked.is_answered() && !is_broken_)
        co_await asked.answer(status::internal_server_error, {}, {});
}

prompt_task<connection::after> connection::end_request(exchange& asked, input& received,
                                                       std::size_t head_size) {
    keeps_alive_ = keeps_alive_ && !asked.closes_after_answer() && asked.body_bytes_missing() == 0;
    if (!keeps_alive_ || is_broken_ || asked.request().framing().kind() != body_kind::none) [[unlikely]]
        return end_request_slowly(asked, received, head_size);
    received.consume(head_size);
    return after::keep;
}

task<connection::after> connection::end_request_slowly(exchange& asked, input& received,
                                                       std::size_t head_size) {
    if (is_broken_)
        co_return after::close;
    if (!keeps_alive_) {
        // If the answer was cut short, the end of the connection tells the client so.
        co_await send({});
        co_return after::linger;
    }
    const bool goes_on = co_await discard_body(received, asked.request(), head_size);
    co_return goes_on ? after::keep : after::linger;
}

task<bool> connection::discard_body(input& received, request_head request, std::size_t head_size) {
    const body_framing framing = request.framing();
    received.consume(head_size);
    chunked_decoder decoder(shared_.options.limits());
    std::uint64_t left = framing.length();
    for (;;) {
        if (framing.kind() == body_kind::length) {
            const auto there = std::min<std::uint64_t>(left, received.bytes().size());
            received.consume(static_cast<std::size_t>(there));
            left -= there;
            if (left == 0)
                co_return true;
        } else {
            const chunk_result piece = decoder.decode(received.bytes());
            if (piece.event() == chunk_event::error || decoder.body_size() > discarded_body_max) {
                co_await send({});
                co_return false;
            }
            received.consume(piece.consumed());
            if (piece.event() == chunk_event::complete)
                co_return true;
            if (piece.event() != chunk_event::need_more)
                continue;
        }
        if (!active_->output().empty())
            co_await send({});
        auto arrived =
            co_await as_result(with_timeout(stream_.read_leased(), shared_.options.body_timeout()));
        if (!arrived || arrived->empty())
            co_return false;
        received.add(*std::exchange(arrived, {}));
    }
}

task<void> connection::refuse(status code, std::string_view reason) {
    keeps_alive_ = false;
    tells_keep_alive_ = false;
    const std::string body = std::string(reason) + "\n";
    if (!try_write_refusal(code, body.size())) {
        co_await send({});
        static_cast<void>(try_write_refusal(code, body.size()));
    }
    co_await send(body);
}

bool connection::try_write_refusal(status code, std::size_t body_size) {
    response_head_writer writer = begin_head(code);
    writer.header("Content-Type", "text/plain; charset=utf-8").content_length(body_size);
    const auto head = writer.finish();
    if (head)
        active_->commit(head->size());
    return head.has_value();
}

task<void> connection::send(std::string_view bytes) {
    const std::string_view waiting = active_->output();
    if (waiting.empty() && bytes.empty())
        co_return;
    std::array<const_buffer, 2> parts = {const_buffer(waiting), const_buffer(bytes)};
    std::expected<std::size_t, std::error_code> sent;
    // What was sent of a failed write is not known, so nothing may follow it.
    if (is_broken_) {
        sent = std::unexpected(std::make_error_code(std::errc::broken_pipe));
    } else if (waiting.empty() || bytes.empty()) {
        const std::string_view only = waiting.empty() ? bytes : waiting;
        sent = co_await as_result(with_timeout(stream_.write_all(as_bytes(only)), write_timeout()));
    } else {
        sent = co_await as_result(
            with_timeout(stream_.write_all(std::span<const_buffer>(parts)), write_timeout()));
    }
    active_->clear_output();
    if (!sent) {
        is_broken_ = true;
        throw std::system_error(sent.error(), "sending an answer");
    }
}

bool connection::try_append(std::string_view bytes) noexcept {
    const std::span<char> room = active_->room();
    if (bytes.size() > room.size())
        return false;
    bytes.copy(room.data(), bytes.size());
    active_->commit(bytes.size());
    return true;
}

response_head_writer connection::begin_head(status code) {
    response_head_writer writer(active_->room(), code);
    writer.fields(shared_.common_fields());
    if (!keeps_alive_)
        writer.connection_close();
    else if (tells_keep_alive_)
        writer.connection_keep_alive();
    return writer;
}

bool connection::try_write_head(const exchange& answered, const answer_fields& fields, std::uint64_t size) {
    keeps_alive_ = keeps_alive_ && !answered.closes_after_answer() && !shared_.is_draining;
    response_head_writer writer = begin_head(answered.answered_status());
    writer.fields(fields);
    if (!forbids_body(answered.answered_status()))
        writer.content_length(size);
    const auto head = writer.finish();
    if (head) {
        active_->commit(head->size());
        return true;
    }
    if (head.error() != write_error::no_space)
        throw std::invalid_argument("an answer has a field that HTTP does not allow");
    if (active_->output().empty())
        throw std::length_error("the fields of an answer are too large");
    return false;
}

task<void> connection::linger() {
    auto ended = co_await as_result(stream_.shutdown(direction::sending));
    if (!ended)
        co_return;
    const time_point deadline = shared_.home.turn_time() + linger_time;
    std::uint64_t discarded = 0;
    while (discarded < discarded_body_max) {
        auto arrived = co_await as_result(with_deadline(stream_.read_leased(), deadline));
        if (!arrived || arrived->empty())
            co_return;
        discarded += arrived->size();
    }
}

}  // namespace eddy::http
