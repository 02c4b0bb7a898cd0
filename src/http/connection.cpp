#include "http/connection.hpp"

#include "http/awaited_room.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/job_context.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/request_error.hpp>
#include <eddy/http/response_head_writer.hpp>
#include <eddy/io/file_sending.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
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
// What is sent of a file before others may go on: some 100 us of work.
constexpr std::uint64_t file_bytes_at_once_max = 1 << 20;
constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

task<void> connection::turn_away(server_state& shared, any_stream stream, status code,
                                 std::string_view reason) {
    connection self(shared, std::move(stream), nullptr, {});
    try {
        self.active_ = shared.spare_requests.get(shared.options.limits());
        co_await self.refuse(code, reason);
        self.active_.reset();
        co_await self.linger();
    } catch (...) {
        // The client has gone.
    }
}

task<void> connection::serve(server_state& shared, any_stream stream, std::unique_ptr<connection_info> info,
                             address_counts::place place) {
    connection self(shared, std::move(stream), std::move(info), std::move(place));
    try {
        while (!shared.is_draining) {
            {
                shared.idle.push_back(self);
                const auto first = co_await self.receive_until(self.after_now(shared.options.idle_timeout()));
                self.unlink();
                if (!first || first->empty())
                    co_return;
                shared.counts.bytes_received += first->size();
                self.active_ = shared.spare_requests.get(shared.options.limits());
                self.active_->received.add(*first);
            }
            const after next = co_await self.serve_requests();
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

task<connection::after> connection::serve_requests() {
    connection_input& received = active_->received;
    request_parser& parser = active_->parser;
    time_point head_deadline{};
    while (!received.empty()) {
        const parse_result parsed = parser.parse(received.bytes());
        if (parsed.state() == parse_state::complete) {
            head_size_ = static_cast<std::uint32_t>(parsed.head_size());
            exchange asked(*this, begin_request(parser.head(received.bytes())), shared_.home.turn_time());
            co_await answer_request(asked);
            if (asked.is_answered()) {
                shared_.counts.count_answer(asked.answered_status());
                if (shared_.observer)
                    shared_.observer(asked);
            }
            if (const after next = co_await end_request(asked); next != after::keep)
                co_return next;
            parser.reset();
            head_deadline = {};
            continue;
        }
        if (parsed.state() == parse_state::error) {
            co_await refuse(parsed.error().status(), parsed.error().reason());
            co_return after::linger;
        }
        if (has_output())
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
    std::string_view left = active_->output();
    const time_point deadline = after_now(shared_.options.write_timeout());
    while (!left.empty()) {
        const auto sent = co_await stream_.write_until(as_bytes(left), deadline);
        if (!sent)
            co_return after::close;
        shared_.counts.bytes_sent += *sent;
        left.remove_prefix(*sent);
    }
    active_->clear_output();
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

prompt_task<> connection::answer_request(exchange& asked) {
    prompt_task<> rest;
    try {
        rest = shared_.handler.handle(asked);
    } catch (...) {
        return fail_request(asked, std::current_exception());
    }
    if (rest.is_done() && asked.is_answered() && !asked.has_open_end()) [[likely]]
        return {};
    return finish_answer(asked, std::move(rest));
}

task<void> connection::finish_answer(exchange& asked, prompt_task<> rest) {
    std::exception_ptr failure;
    try {
        co_await std::move(rest);
        if (asked.is_incomplete_)
            asked.close_after_answer();
        else if (asked.has_open_end())
            co_await asked.end_body();
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure != nullptr || !asked.is_answered())
        co_await fail_request(asked, std::move(failure));
}

task<void> connection::fail_request(exchange& asked, std::exception_ptr failure) {
    status code = status::internal_server_error;
    std::string text;
    bool is_the_peers = is_broken_;
    try {
        if (failure != nullptr)
            std::rethrow_exception(failure);
    } catch (const request_error& error) {
        code = error.status();
        text = error.what();
        text += '\n';
    } catch (const std::system_error&) {
        // A connection that speaks another protocol now ends like this when the peer is gone or breaks it.
        is_the_peers = is_the_peers || (asked.is_answered() && !stream_);
    } catch (...) {
    }
    failure = nullptr;
    if (text.empty()) {
        if (!is_the_peers)
            ++shared_.counts.handler_failures;
        asked.close_after_answer();
    }
    if (asked.is_answered()) {
        asked.close_after_answer();
        asked.is_cut_short_ = true;
        co_return;
    }
    if (is_broken_)
        co_return;
    if (asked.parts_ != nullptr)
        asked.parts_->filter.reset();
    asked.has_filtered_fields_ = asked.is_filtered_ = false;
    const std::array<answer_field, 1> fields = {answer_field("Content-Type", "text/plain; charset=utf-8")};
    const answer_fields typed = text.empty() ? answer_fields() : answer_fields(fields);
    co_await asked.answer(code, typed, text);
}

prompt_task<connection::after> connection::end_request(exchange& asked) {
    keeps_alive_ = keeps_alive_ && !asked.closes_after_answer() && asked.body_bytes_missing() == 0;
    if (!keeps_alive_ || is_broken_ || asked.request().framing().kind() != body_kind::none) [[unlikely]]
        return end_request_slowly(asked);
    active_->received.consume(head_size_);
    if (asked.parts_ != nullptr)
        asked.parts_->clear();
    return after::keep;
}

task<connection::after> connection::end_request_slowly(exchange& asked) {
    if (is_broken_ || !stream_)
        co_return after::close;
    if ((asked.is_cut_short_ || asked.is_incomplete_) && asked.is_unsized_ && !asked.is_chunked_) {
        // Its end in good order would be taken for the body's.
        stream_.abort();
        co_return after::close;
    }
    if (!keeps_alive_) {
        // If the answer was cut short, the end of the connection tells the client so.
        co_await send({});
        co_return after::linger;
    }
    request_body& body = asked.body();
    const bool goes_on = co_await body.discard(discarded_body_max);
    if (!goes_on) {
        co_await send({});
        co_return after::linger;
    }
    take_off(body);
    asked.parts_->clear();
    co_return after::keep;
}

void connection::take_off(const request_body& body) {
    connection_input& received = active_->received;
    const std::string_view behind = body.behind();
    if (body.is_behind_the_head())
        return received.consume(received.bytes().size() - behind.size());
    received.consume(received.bytes().size());
    received.add(behind);
}

bool connection::can_read_on(const exchange& answered) const noexcept {
    const request_head request = answered.request();
    const request_body* const body =
        answered.parts_ != nullptr && answered.parts_->body ? &*answered.parts_->body : nullptr;
    if (body == nullptr)
        return !request.expects_continue() && request.framing().length() <= discarded_body_max;
    if (body->has_failed() || body->awaits_continue())
        return false;
    // Who has begun to read may go on beside the answer.
    return body->bytes_read() != 0 || body->bytes_left() <= discarded_body_max;
}

task<void> connection::refuse(status code, std::string_view reason) {
    ++shared_.counts.refusals;
    shared_.counts.count_answer(code);
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
    response_head_writer writer = shared_.begin_head(active_->room(), code);
    if (!keeps_alive_)
        writer.connection_close();
    writer.header("Content-Type", "text/plain; charset=utf-8").content_length(body_size);
    const auto head = writer.finish();
    if (head)
        active_->commit(head->size());
    return head.has_value();
}

task<void> connection::send(std::string_view bytes) {
    std::string_view waiting = active_->output();
    const time_point began = shared_.home.turn_time();
    std::uint64_t sent_bytes = 0;
    if (waiting.empty() && bytes.empty())
        co_return;
    // What was sent of a write that has failed or was dropped is not known, so nothing may follow it.
    if (std::exchange(is_broken_, true))
        fail_write(std::make_error_code(std::errc::broken_pipe));
    while (!waiting.empty() || !bytes.empty()) {
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
        const std::size_t of_waiting = std::min(*sent, waiting.size());
        waiting.remove_prefix(of_waiting);
        bytes.remove_prefix(*sent - of_waiting);
    }
    is_broken_ = false;
    active_->clear_output();
    shared_.counts.bytes_sent += sent_bytes;
}

bool connection::can_send_file() const noexcept {
    return !is_broken_ && stream_.splice_sink().has_value();
}

task<std::uint64_t> connection::send_file(const file& content, std::uint64_t offset, std::uint64_t size) {
    const time_point began = shared_.home.turn_time();
    std::uint64_t sent_bytes = 0;
    while (sent_bytes < size) {
        // It is asked anew each time: somebody else may have closed the stream meanwhile.
        const auto sink = stream_.splice_sink();
        if (!sink)
            fail_write(std::make_error_code(std::errc::operation_canceled));
        const std::size_t waiting = active_->output().size();
        const std::uint64_t wanted = std::min(size - sent_bytes, file_bytes_at_once_max);
        const std::int64_t result = io::send_file(sink->descriptor(), active_->output(), content.descriptor(),
                                                  offset + sent_bytes, wanted);
        if (result <= 0 && result != -EAGAIN)
            co_return sent_bytes;
        const auto count = static_cast<std::size_t>(std::max<std::int64_t>(result, 0));
        const std::size_t of_waiting = std::min(count, waiting);
        active_->take_off(of_waiting);
        shared_.counts.bytes_sent += count;
        sent_bytes += count - of_waiting;
        if (count == waiting + wanted) {
            co_await eddy::detail::fair_turn(eddy::detail::resume_loop::steps_of_transfer(count));
            continue;
        }
        // Nearly always because the connection is full. Where it is not, the wait is none.
        awaited_room room(*sink);
        auto timed = with_deadline(std::move(room), write_deadline(began, sent_bytes));
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
    return std::min(deadline,
                    eddy::detail::deadline_after(began, time) + std::chrono::seconds(sent_bytes / rate));
}

void connection::fail_write(std::error_code error) {
    is_broken_ = true;
    active_->clear_output();
    throw std::system_error(error, "sending an answer");
}

prompt_task<> connection::prepare_to_wait(bool tells_to_continue) {
    // The line goes behind what waits, with it.
    if (tells_to_continue && !try_append(continue_line))
        return send(continue_line);
    if (has_output())
        return send({});
    return {};
}

bool connection::try_append(std::string_view bytes) noexcept {
    const std::span<char> room = active_->room();
    if (bytes.size() > room.size())
        return false;
    bytes.copy(room.data(), bytes.size());
    active_->commit(bytes.size());
    return true;
}

bool connection::try_append_chunk(std::string_view bytes) noexcept {
    constexpr std::size_t framing_bytes = 16 + 2 + 2;
    const std::span<char> room = active_->room();
    if (room.size() < framing_bytes || bytes.size() > room.size() - framing_bytes)
        return false;
    char* at = std::to_chars(room.data(), room.data() + 16, bytes.size(), 16).ptr;
    for (const std::string_view part : {std::string_view("\r\n"), bytes, std::string_view("\r\n")})
        at += part.copy(at, part.size());
    active_->commit(static_cast<std::size_t>(at - room.data()));
    return true;
}

void connection::append_chunk_head(std::size_t bytes) noexcept {
    const std::span<char> room = active_->room();
    char* const end = std::to_chars(room.data(), room.data() + 16, bytes, 16).ptr;
    end[0] = '\r';
    end[1] = '\n';
    active_->commit(static_cast<std::size_t>(end + 2 - room.data()));
}

bool connection::try_write_head(exchange& answered, const answer_fields& fields, answer_framing body) {
    using way = answer_framing::way;
    const status code = answered.answered_status();
    keeps_alive_ = keeps_alive_ && !answered.closes_after_answer() && !shared_.is_draining &&
                   body.told_by() != way::closing &&
                   (answered.request().framing().kind() == body_kind::none || can_read_on(answered));
    response_head_writer writer = shared_.begin_head(active_->room(), code);
    if (body.told_by() == way::upgrade) {
        if (code == status::switching_protocols)
            writer.header("Connection", "Upgrade");
    } else if (!keeps_alive_) {
        writer.connection_close();
    } else if (tells_keep_alive_) {
        writer.connection_keep_alive();
    }
    writer.fields(fields);
    if (answered.parts_ != nullptr && !answered.has_filtered_fields_)
        writer.fields(answered.parts_->added);
    if (!forbids_body(code)) {
        if (body.told_by() == way::length)
            writer.content_length(body.length());
        else if (body.told_by() == way::chunked)
            writer.transfer_chunked();
    }
    const auto head = writer.finish();
    if (head) {
        active_->commit(head->size());
        return true;
    }
    if (head.error() != write_error::no_space)
        throw std::invalid_argument("an answer has a field that HTTP does not allow");
    if (!has_output())
        throw std::length_error("the fields of an answer are too large");
    return false;
}

any_stream connection::hand_over() {
    // For good: the job ends with the connection, or with the part of the handler that runs in it.
    eddy::detail::job& running = *eddy::detail::resume_loop::current().running();
    running.set_context(eddy::detail::job_context_reference(
        new eddy::detail::job_context(running.context(), shared_.draining.get_token())));
    keeps_alive_ = false;
    ++shared_.counts.upgrades;
    return std::move(stream_);
}

task<void> connection::linger() {
    auto ended = co_await as_result(stream_.shutdown());
    if (!ended)
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
