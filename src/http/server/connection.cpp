#include "http/server/connection.hpp"

#include "http/codec/prefixed_stream.hpp"
#include "http/server/handled_exchange.hpp"
#include "http/server/write_attempt.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/codec/detail/response_head_writer.hpp>
#include <eddy/io/detail/sockets.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <expected>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

// The head of a response says that the connection ends where more than this is left to read. Where it has not said so,
// the rest is read as far as a body may go: a client that has sent all of it uses the connection again.
constexpr std::uint64_t discarded_body_max = 256 * 1024;
// After a response to something that was not read to its end, the client gets this long to read the response
// before its connection is reset (RFC 9112 section 9.6).
constexpr auto linger_time = std::chrono::seconds(2);
// How much of a file is sent before other tasks run: some 100 us of work.
constexpr std::uint64_t file_bytes_at_once_max = 1 << 20;
constexpr std::string_view last_chunk = "0\r\n";
constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

task<void> connection::reject(server_state& shared, any_stream stream, status code, std::string_view reason) {
    connection self(shared, std::move(stream), nullptr, {});
    try {
        self.activate({});
        co_await self.refuse(code, reason);
        self.active_.reset();
        co_await self.linger();
    } catch (...) {
        // The client has gone.
    }
}

task<void> connection::serve(server_state& shared, any_stream stream, std::unique_ptr<connection_info> info,
                             address_counts::slot slot) {
    connection self(shared, std::move(stream), std::move(info), std::move(slot));
    try {
        while (!shared.is_draining) {
            {
                shared.idle.push_back(self);
                const auto first = co_await self.receive_until(self.after_now(shared.options.idle_timeout()));
                self.unlink();
                if (!first || first->empty())
                    co_return;
                self.activate(*first);
            }
            const after next = co_await self.serve_requests();
            self.active_.reset();
            if (next == after::close)
                co_return;
            if (next == after::linger || shared.is_draining)
                co_return co_await self.linger();
        }
    } catch (...) {
        // The client has gone or was too slow, or memory is exhausted: only this connection ends.
    }
}

void connection::activate(const buffer_lease& first) {
    active_ = shared_.spare_requests.get(shared_.options.limits());
    output_ = &active_->output;
    shared_.counts.bytes_received += first.size();
    active_->received.add(first);
}

task<connection::after> connection::serve_requests() {
    connection_input& received = active_->received;
    request_parser& parser = active_->parser;
    time_point head_deadline{};
    while (!received.empty()) {
        const parse_result parsed = parser.parse(received.bytes());
        if (parsed.state() == parse_state::complete) {
            head_size_ = static_cast<std::uint32_t>(parsed.head_size());
            response_writer response(*this, begin_request(parser.head(received.bytes())));
            exchange ex(response, shared_.home.turn_time());
            co_await handle(ex, response);
            if (response.has_begun()) {
                shared_.counts.count_response(response.code());
                if (shared_.observer)
                    shared_.observer(ex);
            }
            if (const after next = co_await end_request(ex, response); next != after::keep)
                co_return next;
            parser.reset();
            head_deadline = {};
            continue;
        }
        if (parsed.state() == parse_state::error) {
            co_await refuse(parsed.error().status(), parsed.error().reason());
            co_return after::linger;
        }
        if (!output().empty())
            co_await send({});
        if (head_deadline == time_point{})
            head_deadline = after_now(shared_.options.head_timeout());
        auto arrived = co_await receive_until(head_deadline);
        if (!arrived && arrived.error() == std::errc::timed_out) {
            co_await refuse(status::request_timeout, "the request took too long");
            co_return after::linger;
        }
        if (!arrived || arrived->empty())
            co_return after::close;
        shared_.counts.bytes_received += arrived->size();
        received.add(*std::exchange(arrived, {}));
    }
    // As send() does, without a coroutine.
    std::string_view left = output().bytes();
    const time_point deadline = after_now(shared_.options.write_timeout());
    while (!left.empty()) {
        const auto sent = co_await stream_.write_until(as_bytes(left), deadline);
        if (!sent)
            co_return after::close;
        shared_.counts.bytes_sent += *sent;
        left.remove_prefix(*sent);
    }
    output().clear();
    co_return after::keep;
}

request_head connection::begin_request(request_head request) noexcept {
    ++shared_.counts.requests;
    keeps_alive_ = request.keep_alive() && !shared_.is_draining;
    tells_keep_alive_ = request.minor_version() == 0;
    return request;
}

const connection_info& connection::info() {
    if (info_ == nullptr) {
        info_ = std::make_unique<connection_info>();
        if (const auto peer = stream_.remote_endpoint())
            info_->peer(*peer);
        if (const auto local = stream_.local_endpoint())
            info_->local(*local);
    }
    return *info_;
}

ready_or_task<> connection::handle(exchange& ex, response_writer& response) {
    ready_or_task<> rest;
    try {
        rest = shared_.handler.handle(ex);
    } catch (...) {
        return fail_request(ex, response, std::current_exception());
    }
    if (rest.is_done() && response.has_begun() && !response.has_open_end()) [[likely]]
        return {};
    return finish_response(ex, response, std::move(rest));
}

ready_or_task<connection::after> connection::end_request(exchange& ex, const response_writer& response) {
    keeps_alive_ = keeps_alive_ && !response.closes_afterwards() && response.body_bytes_missing() == 0;
    if (!keeps_alive_ || is_broken_ || response.request().framing().kind() != body_kind::none) [[unlikely]]
        return end_request_slowly(ex, response);
    active_->received.consume(head_size_);
    if (parts_ != nullptr)
        std::exchange(parts_, nullptr)->clear();
    return after::keep;
}

task<connection::after> connection::end_request_slowly(exchange& ex, const response_writer& response) {
    if (is_broken_ || !stream_)
        co_return after::close;
    if (response.needs_abort()) {
        stream_.abort();
        co_return after::close;
    }
    // If the response was cut short, the end of the connection shows it to the client.
    const bool goes_on = keeps_alive_ && co_await ex.body().discard();
    if (active_->flushing)
        co_await active_->flushing;
    if (!goes_on) {
        co_await send({});
        co_return after::linger;
    }
    if (is_broken_)
        co_return after::close;
    consume_with(ex.body());
    std::exchange(parts_, nullptr)->clear();
    co_return after::keep;
}

void connection::consume_with(const request_body& body) {
    connection_input& received = active_->received;
    const std::string_view behind = body.behind();
    if (body.is_behind_the_head())
        return received.consume(received.bytes().size() - behind.size());
    received.consume(received.bytes().size());
    received.add(behind);
}

bool connection::can_read_on(request_head request) const noexcept {
    const request_body* const body = parts_ != nullptr && parts_->body ? &*parts_->body : nullptr;
    if (body == nullptr)
        return !request.expects_continue() && request.framing().length() <= discarded_body_max;
    if (body->has_failed() || body->awaits_continue())
        return false;
    // A handler that has begun to read may continue beside the response.
    return body->bytes_read() != 0 || body->bytes_left() <= discarded_body_max;
}

task<void> connection::refuse(status code, std::string_view reason) {
    ++shared_.counts.refusals;
    shared_.counts.count_response(code);
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
    response_head_writer writer = shared_.begin_head(output().room(), code);
    if (!keeps_alive_)
        writer.connection_close();
    writer.header("Content-Type", "text/plain; charset=utf-8").content_length(body_size);
    const auto head = writer.finish();
    if (head)
        output().commit(head->size());
    return head.has_value();
}

ready_or_task<> connection::send(std::string_view bytes) {
    if (output().empty() && bytes.empty())
        co_return;
    // Also a write that is dropped before its turn: its caller counts the bytes as sent.
    write_attempt attempt(is_broken_);
    const mutex_guard turn = co_await active_->sending.lock();
    if (is_broken_)
        fail_write(std::make_error_code(std::errc::broken_pipe));
    const time_point began = shared_.home.turn_time();
    std::uint64_t sent_bytes = 0;
    // What others append from now on goes behind `bytes`, and is theirs to send.
    std::size_t in_front = output().bytes().size();
    while (in_front != 0 || !bytes.empty()) {
        const std::string_view waiting = output().bytes().substr(0, in_front);
        const time_point deadline = write_deadline(began, sent_bytes);
        std::expected<std::size_t, std::error_code> sent;
        if (waiting.empty() || bytes.empty()) {
            const std::string_view only = waiting.empty() ? bytes : waiting;
            sent = co_await stream_.write_until(as_bytes(only), deadline);
        } else {
            std::array<const_buffer, 2> parts = {const_buffer(waiting), const_buffer(bytes)};
            sent = co_await stream_.write_until(std::span<const_buffer>(parts), deadline);
        }
        if (!sent)
            fail_write(sent.error());
        sent_bytes += *sent;
        const std::size_t of_waiting = std::min(*sent, in_front);
        output().consume(of_waiting);
        in_front -= of_waiting;
        bytes.remove_prefix(*sent - of_waiting);
    }
    attempt.complete();
    shared_.counts.bytes_sent += sent_bytes;
}

bool connection::can_send_file() const noexcept {
    return !is_broken_ && stream_.splice_sink().has_value();
}

task<std::uint64_t> connection::send_file(const file& content, std::uint64_t offset, std::uint64_t size) {
    const mutex_guard turn = co_await active_->sending.lock();
    if (is_broken_)
        fail_write(std::make_error_code(std::errc::broken_pipe));
    const time_point began = shared_.home.turn_time();
    std::uint64_t sent_bytes = 0;
    while (sent_bytes < size) {
        // Got anew each time: another task may have closed the stream meanwhile.
        const auto sink = stream_.splice_sink();
        if (!sink)
            fail_write(std::make_error_code(std::errc::operation_canceled));
        const std::size_t waiting = output().bytes().size();
        const std::uint64_t wanted = std::min(size - sent_bytes, file_bytes_at_once_max);
        const std::int64_t result = shared_.home.system().sockets->send_file(
            sink->descriptor(), output().bytes(), content.descriptor(), offset + sent_bytes, wanted);
        if (result <= 0 && result != -EAGAIN)
            co_return sent_bytes;
        const auto count = static_cast<std::size_t>(std::max<std::int64_t>(result, 0));
        const std::size_t of_waiting = std::min(count, waiting);
        output().consume(of_waiting);
        shared_.counts.bytes_sent += count;
        sent_bytes += count - of_waiting;
        if (count == waiting + wanted) {
            co_await eddy::detail::fair_turn(eddy::detail::resume_loop::budget_cost(count));
            continue;
        }
        // Nearly always because the connection is full. Where it is not, the wait is none.
        auto timed = with_deadline(sink->writable(), write_deadline(began, sent_bytes));
        const auto outcome = co_await as_result(std::move(timed));
        if (!outcome)
            fail_write(outcome.error());
    }
    co_return sent_bytes;
}

time_point connection::write_deadline(time_point began, std::uint64_t sent_bytes) const noexcept {
    const duration time = shared_.options.write_timeout();
    const time_point deadline = after_now(time);
    const std::uint64_t rate = shared_.options.write_rate_min_bytes_per_s();
    if (rate == 0)
        return deadline;
    const std::chrono::duration<std::uint64_t> earned(sent_bytes / rate);
    using eddy::detail::deadline_after;
    return std::min(deadline, deadline_after(deadline_after(began, time), earned));
}

void connection::fail_write(std::error_code error) {
    is_broken_ = true;
    output().clear();
    throw std::system_error(error, "sending a response");
}

void connection::flush_before_wait(bool with_continue) {
    // The line goes behind what waits, with it.
    const bool is_line_left = with_continue && !output().try_append(continue_line);
    const bool is_flushing = active_->flushing && !active_->flushing.done();
    // Another task of the handler that is sending also sends what this one has appended.
    if (output().empty() || is_flushing || active_->sending.is_locked() || is_broken_)
        return;
    const std::array<const_buffer, 1> waiting = {const_buffer(output().bytes())};
    const std::size_t sent = stream_.try_write(waiting);
    output().consume(sent);
    shared_.counts.bytes_sent += sent;
    if (!output().empty() || is_line_left)
        active_->flushing =
            spawn(flush_aside(is_line_left ? continue_line : std::string_view()), "http flush");
}

task<void> connection::flush_aside(std::string_view line) {
    try {
        do
            co_await send(std::exchange(line, {}));
        while (!output().empty());
    } catch (...) {
        // The next task that sends finds the connection broken.
        is_broken_ = true;
    }
}

task<void> connection::end_body(std::string_view trailers) {
    for (const std::string_view part : {last_chunk, trailers, std::string_view("\r\n")})
        if (!output().try_append(part))
            co_await send(part);
}

bool connection::try_write_head(const response_writer& response, const response_fields& fields,
                                response_framing body) {
    const status code = response.code();
    keeps_alive_ =
        keeps_alive_ && !response.closes_afterwards() && !shared_.is_draining &&
        body.end() != body_end::closing &&
        (response.request().framing().kind() == body_kind::none || can_read_on(response.request()));
    response_head_writer writer = shared_.begin_head(output().room(), code);
    if (body.end() == body_end::upgrade) {
        if (code == status::switching_protocols)
            writer.header("Connection", "Upgrade");
    } else if (!keeps_alive_) {
        writer.connection_close();
    } else if (tells_keep_alive_) {
        writer.connection_keep_alive();
    }
    // Where Upgrade says what is wanted, Connection names it (RFC 9110 section 7.8).
    if (code == status::upgrade_required)
        writer.header("Connection", "Upgrade");
    writer.fields(fields);
    if (parts_ != nullptr)
        if (const field_block* const added = response.added_fields())
            writer.fields(*added);
    if (!forbids_body(code)) {
        if (body.end() == body_end::content_length)
            writer.content_length(body.length());
        else if (body.end() == body_end::chunked)
            writer.transfer_chunked();
    }
    const auto head = writer.finish();
    if (head) {
        output().commit(head->size());
        return true;
    }
    if (head.error() != write_error::no_space)
        throw std::invalid_argument("a response has a field that HTTP does not allow");
    if (output().empty())
        throw std::length_error("the fields of a response are too large");
    return false;
}

any_stream connection::take_over(std::string_view unread) {
    std::string front(unread);
    // For good: the job ends with the connection, or with the part of the handler that runs in it.
    eddy::detail::job& running = *eddy::detail::resume_loop::current().running();
    running.set_context(eddy::detail::job_context_reference(
        new eddy::detail::job_context(running.context(), shared_.draining.get_token())));
    keeps_alive_ = false;
    ++shared_.counts.upgrades;
    if (front.empty())
        return std::move(stream_);
    return any_stream(prefixed_stream(std::move(front), std::move(stream_)));
}

task<void> connection::linger() {
    if (const auto ended = co_await as_result(stream_.shutdown()); !ended)
        co_return;
    const time_point deadline = after_now(linger_time);
    std::uint64_t discarded = 0;
    while (discarded < discarded_body_max) {
        auto arrived = co_await receive_until(deadline);
        if (!arrived || arrived->empty())
            co_return;
        discarded += arrived->size();
    }
}

}  // namespace eddy::http
