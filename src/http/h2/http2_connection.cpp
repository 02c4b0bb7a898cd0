#include "http/h2/http2_connection.hpp"

#include "http/h2/http2_fields.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/detail/deadline.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

using eddy::detail::deadline_after;

// An unread body is discarded up to this size and for this long, then its stream is reset.
constexpr std::uint64_t discarded_body_max = 256 * 1024;
constexpr auto discarding_time = std::chrono::seconds(2);
// Between the two steps of a drain, if the client does not reply to the PING in between.
constexpr auto drain_step_time = std::chrono::seconds(1);
// How often streams are looked at for what takes too long.
constexpr auto check_period = std::chrono::seconds(1);

http2_server_stream& server_stream(http2_stream& stream) noexcept {
    return static_cast<http2_server_stream&>(stream);
}

}  // namespace

http2_connection::http2_connection(http2_server& server, any_stream stream,
                                   std::unique_ptr<connection_info> info, address_counts::slot slot)
    : http2_link(http2_role::server, server.options, server.shared.home, server.frames, std::move(stream)),
      server_(server),
      shared_(server.shared),
      info_(std::move(info)),
      slot_(std::move(slot)) {}

http2_connection::~http2_connection() {
    on_drain_.reset();
    stop_writing();
    while (!streams_.empty()) {
        http2_server_stream& last = streams_.front();
        last.end_sending();
        if (!last.is_input_ended())
            last.end_input(std::make_error_code(std::errc::connection_reset));
        last.work.cancel();
        // Its handler may have taken it along.
        if (last.eddy::detail::list_hook<http2_streams_tag>::is_linked())
            retire(last);
    }
}

task<void> http2_connection::serve(http2_server& server, any_stream stream,
                                   std::unique_ptr<connection_info> info, address_counts::slot slot,
                                   std::string front) {
    ++server.shared.counts.http2_connections;
    try {
        http2_connection self(server, std::move(stream), std::move(info), std::move(slot));
        co_await self.run(std::move(front));
    } catch (...) {
        // The client has gone, or memory is exhausted: only this connection ends.
    }
}

const connection_info& http2_connection::info() {
    if (info_ == nullptr) {
        info_ = std::make_unique<connection_info>();
        if (const auto peer = stream_.remote_endpoint())
            info_->peer(*peer);
        if (const auto local = stream_.local_endpoint())
            info_->local(*local);
    }
    return *info_;
}

// -- reading --

task<void> http2_connection::run(std::string front) {
    idle_since_ = checked_at_ = shared_.home.turn_time();
    submit_settings(shared_.options.limits().head_bytes_max());
    on_drain_.emplace(shared_.draining.get_token(), drain_call{this});
    if (!front.empty()) {
        process(as_bytes(front));
        std::string().swap(front);
    } else {
        start_writing();
    }
    while (wants_read() && !is_cut()) {
        if (streams_.empty())
            shared_.idle.push_back(*this);
        auto arrived = co_await stream_.read_leased_until(read_deadline());
        eddy::detail::list_hook<idle_tag>::unlink();
        if (!arrived && arrived.error() != std::errc::timed_out)
            co_return;
        if (arrived && arrived->empty())
            co_return;
        if (arrived) {
            process(arrived->bytes());
            process(read_behind(*arrived));
        }
        if (shared_.home.turn_time() >= checked_at_ + check_period && !check_times())
            break;
    }
    co_await linger();
}

void http2_connection::process(std::span<const std::byte> bytes) noexcept {
    if (bytes.empty())
        return;
    shared_.counts.bytes_received += bytes.size();
    const time_point now = shared_.home.turn_time();
    const bool was_within_head = is_within_head();
    feed(bytes, now);
    if (is_within_head() && !was_within_head)
        head_began_ = now;
    begin_requests();
    settle();
    start_writing_now();
}

time_point http2_connection::read_deadline() const noexcept {
    if (!streams_.empty() || is_within_head())
        return deadline_after(checked_at_, check_period);
    return deadline_after(idle_since_, shared_.options.idle_timeout());
}

bool http2_connection::check_times() noexcept {
    const time_point now = checked_at_ = shared_.home.turn_time();
    const server_options& options = shared_.options;
    if (is_within_head() && now >= deadline_after(head_began_, options.head_timeout())) {
        ++shared_.counts.http2_limits_exceeded;
        terminate(NGHTTP2_ENHANCE_YOUR_CALM);
        start_writing();
        return false;
    }
    if (streams_.empty()) {
        if (now < deadline_after(idle_since_, options.idle_timeout()))
            return true;
        terminate(NGHTTP2_NO_ERROR);
        start_writing();
        return false;
    }
    streams_.for_each([&](http2_server_stream& each) {
        if (each.is_handled && each.is_own_end_sent &&
            now >= deadline_after(each.handled_at, discarding_time))
            return reset_stream(each, NGHTTP2_NO_ERROR);
        if (each.stuck_since == time_point{} || each.is_rejected || !is_blocked(each))
            return;
        const std::uint64_t rate = options.write_rate_min_bytes_per_s();
        time_point until = deadline_after(each.sent_at, options.write_timeout());
        if (rate != 0) {
            const std::chrono::duration<std::uint64_t> earned(each.sent_since_stuck / rate);
            until = std::min(
                until, deadline_after(deadline_after(each.stuck_since, options.write_timeout()), earned));
        }
        if (now < until)
            return;
        ++shared_.counts.http2_limits_exceeded;
        reject(each, NGHTTP2_CANCEL);
    });
    start_writing();
    return true;
}

// -- events --

void http2_connection::on_pause() noexcept {
    if (complete_.empty())
        return;
    begin_requests();
    fill();
}

http2_stream* http2_connection::on_new_stream(std::int32_t) noexcept {
    try {
        http2_server_stream& made = *server_.streams.get(shared_).release();
        made.connection = this;
        made.carrier = this;
        streams_.push_back(made);
        ++shared_.counts.http2_streams;
        return &made;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void http2_connection::on_field(http2_stream& at, std::string_view name, std::string_view value) noexcept {
    http2_server_stream& stream = server_stream(at);
    if (stream.is_rejected)
        return;
    const message_limits& limits = shared_.options.limits();
    try {
        if (!stream.has_head) {
            stream.request.add(name, value, limits);
            if (stream.request.is_excessive(limits))
                on_flood(), terminate(NGHTTP2_ENHANCE_YOUR_CALM);
            return;
        }
        stream.trailer_bytes += name.size() + value.size() + 4;
        if (stream.trailer_bytes > limits.trailer_bytes_max()) {
            ++shared_.counts.http2_limits_exceeded;
            return reject(stream, NGHTTP2_ENHANCE_YOUR_CALM);
        }
        stream.trailers.add(name, value);
    } catch (...) {
        reject(stream, NGHTTP2_INTERNAL_ERROR);
    }
}

void http2_connection::on_head(http2_stream& at, bool is_trailers) noexcept {
    http2_server_stream& stream = server_stream(at);
    if (is_trailers || stream.is_rejected)
        return;
    stream.has_head = true;
    stream.has_body = !stream.is_input_ended();
    complete_.push_back(stream);
}

void http2_connection::on_data(http2_stream& at, std::span<const std::byte> bytes) noexcept {
    http2_server_stream& stream = server_stream(at);
    if (stream.is_rejected || stream.is_handled) {
        stream.discarded_bytes += bytes.size();
        if (stream.discarded_bytes <= discarded_body_max)
            return consume(stream, bytes.size());
        consume_connection(bytes.size());
        if (stream.is_own_end_sent)
            reset_stream(stream, NGHTTP2_NO_ERROR);
        return;
    }
    try {
        if (!stream.is_begun) {
            stream.front.append(as_text(bytes));
            stream.front_unread += bytes.size();
        } else {
            stream.add(bytes);
            // A body counts what it is given.
            if (!stream.request.is_connect())
                shared_.counts.bytes_received -= bytes.size();
        }
        stream.unread_bytes += bytes.size();
    } catch (...) {
        consume(stream, bytes.size());
        reject(stream, NGHTTP2_INTERNAL_ERROR);
    }
}

void http2_connection::on_peer_end(http2_stream& at) noexcept {
    if (!at.is_input_ended())
        at.end_input();
}

void http2_connection::on_own_end(http2_stream& at) noexcept {
    http2_server_stream& stream = server_stream(at);
    stream.is_own_end_sent = true;
}

void http2_connection::on_closed(http2_stream& at, std::uint32_t code) noexcept {
    http2_server_stream& stream = server_stream(at);
    if (code != NGHTTP2_NO_ERROR && !stream.is_rejected) {
        stream.is_rejected = true;
        ++shared_.counts.http2_streams_reset;
    }
    stream.eddy::detail::list_hook<http2_queue_tag>::unlink();
    closed_.push_back(stream);
}

void http2_connection::on_ping_reply() noexcept {
    if (is_draining_)
        finish_drain();
}

void http2_connection::on_flood() noexcept {
    ++shared_.counts.http2_limits_exceeded;
}

// -- streams that are over --

void http2_connection::settle() noexcept {
    while (!closed_.empty()) {
        http2_server_stream& over = closed_.pop_front();
        over.end_sending();
        if (over.is_rejected && !over.is_input_ended())
            over.end_input(std::make_error_code(std::errc::connection_reset));
        // The response is there where neither side has reset the stream: the handler may go on.
        if (over.work && !over.is_rejected)
            continue;
        if (over.taken_over != nullptr && !over.work)
            continue;
        over.work.cancel();
        if (over.taken_over == nullptr)
            retire(over);
    }
    if (streams_.empty())
        idle_since_ = shared_.home.turn_time();
}

// The stream is over on all sides.
void http2_connection::retire(http2_server_stream& stream) noexcept {
    consume_connection(std::exchange(stream.unread_bytes, 0));
    stream.eddy::detail::list_hook<http2_streams_tag>::unlink();
    stream.eddy::detail::list_hook<http2_queue_tag>::unlink();
    if (stream.taken_over != nullptr) {
        stream.connection = nullptr;
        stream.carrier = nullptr;
        return;  // its owner frees it
    }
    stream.clear();
    server_.streams.put(std::unique_ptr<http2_server_stream>(&stream));
}

void http2_connection::release(http2_server_stream& stream) noexcept {
    if (!stream.is_open && !stream.work && !stream.eddy::detail::list_hook<http2_queue_tag>::is_linked())
        closed_.push_back(stream);
    // The owner may stand within the stream's own functions: the writer recycles it.
    start_writing();
}

void http2_connection::reject(http2_server_stream& stream, std::uint32_t code) noexcept {
    stream.is_rejected = true;
    submit_reset(stream, code);
}

// -- for streams --

void http2_connection::send_head(http2_server_stream& stream, std::span<const nghttp2_nv> fields,
                                 bool ends) noexcept {
    submit_head(stream, fields, ends);
    start_writing();
}

void http2_connection::send_continue(http2_server_stream& stream) noexcept {
    if (!stream.is_open)
        return;
    const std::array<nghttp2_nv, 1> fields = {field_pair(":status", "100")};
    submit_interim_head(stream, fields);
    start_writing();
}

void http2_connection::reset_stream(http2_stream& stream, std::uint32_t code) noexcept {
    server_stream(stream).is_rejected = server_stream(stream).is_rejected || code != NGHTTP2_NO_ERROR;
    submit_reset(stream, code);
    start_writing();
}

// -- the end --

void http2_connection::close() noexcept {
    if (shared_.is_draining)
        return begin_drain();
    terminate(NGHTTP2_NO_ERROR);
    start_writing();
}

void http2_connection::begin_drain() noexcept {
    if (std::exchange(is_draining_, true))
        return;
    drain_timer_.arm(shared_.home, drain_step_time);
    submit_shutdown_notice();
    start_writing();
}

void http2_connection::finish_drain() noexcept {
    if (std::exchange(has_sent_goaway_, true))
        return;
    submit_goaway();
    start_writing();
}

}  // namespace eddy::http
