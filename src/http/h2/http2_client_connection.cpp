#include "http/h2/http2_client_connection.hpp"

#include "http/client/client_pool.hpp"

#include <eddy/runtime/detail/deadline.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace eddy::http {

namespace {

using eddy::detail::deadline_after;

http2_client_stream& client_stream(http2_stream& stream) noexcept {
    return static_cast<http2_client_stream&>(stream);
}

}  // namespace

http2_client::http2_client(const http2_options& chosen)
    : home(eddy::detail::worker_core::current()), options(chosen) {
    home.spare().add(streams);
    home.spare().add(frames.blocks);
}

std::unique_ptr<shared_connection> http2_client::make(any_stream stream, client_pool& pool,
                                                      client_origin& origin) {
    auto made = std::make_unique<http2_client_connection>(*this, std::move(stream), pool, origin);
    made->start();
    return made;
}

http2_client_connection::http2_client_connection(http2_client& client, any_stream stream,
                                                 client_pool& made_for, client_origin& made_at)
    : http2_link(http2_role::client, client.options, client.home, client.frames, std::move(stream)),
      client_(client),
      streams_max_(client.options.streams_max()) {
    pool = &made_for;
    origin = &made_at;
}

http2_client_connection::~http2_client_connection() {
    stop_writing();
    reading_.cancel();
    has_ended_ = true;
    fail_streams();
    while (!streams_.empty())
        retire(streams_.pop_front());
}

void http2_client_connection::start() {
    submit_settings(limits().head_bytes_max());
    reading_ = spawn(run(*this), "http2 connection");
    start_writing();
}

const message_limits& http2_client_connection::limits() const noexcept {
    return pool->options().limits();
}

duration http2_client_connection::write_timeout() const noexcept {
    return pool->options().idle_time();
}

// -- for the pool --

std::size_t http2_client_connection::room() const noexcept {
    if (!is_usable())
        return 0;
    const std::size_t most = std::min<std::size_t>(streams_max_, peer_streams_max());
    return most - std::min(most, active_);
}

carrier_handle http2_client_connection::begin_exchange() {
    http2_client_stream& made = *client_.streams.get().release();
    made.connection = this;
    made.carrier = this;
    made.is_held = made.is_counted = true;
    ++active_;
    streams_.push_back(made);
    return carrier_handle(&made);
}

void http2_client_connection::retire() noexcept {
    terminate(NGHTTP2_NO_ERROR);
    start_writing();
}

// -- for streams --

bool http2_client_connection::send_request(http2_client_stream& stream, std::span<const nghttp2_nv> fields,
                                           bool ends) noexcept {
    if (!is_usable() || !submit_request(stream, fields, ends)) {
        stream.fail(http_error::connection_closed, "the connection takes no more requests", true);
        return false;
    }
    start_writing();
    return true;
}

void http2_client_connection::reset_stream(http2_stream& stream, std::uint32_t code) noexcept {
    submit_reset(stream, code);
    start_writing();
}

void http2_client_connection::release(http2_client_stream& stream) noexcept {
    stream.is_held = false;
    consume_connection(std::exchange(stream.unread_bytes, 0));
    if (stream.is_open) {
        stream.end_sending();
        return reset_stream(stream, NGHTTP2_CANCEL);
    }
    if (!stream.eddy::detail::list_hook<http2_client_queue_tag>::is_linked())
        retire(stream);
    start_writing();
    pool->changed(*this);
}

// -- reading --

task<void> http2_client_connection::run(http2_client_connection& self) {
    try {
        co_await self.read();
    } catch (...) {
        // Memory is exhausted: only this connection ends.
    }
    self.has_ended_ = true;
    self.fail_streams();
    self.settle();
    self.pool->changed(self);
    try {
        co_await self.linger();
    } catch (...) {
    }
    handle<void> own = std::move(self.reading_);
    self.pool->ended(self);  // destroys it
    own.cancel();            // this task, which ends without an owner
}

task<void> http2_client_connection::read() {
    const http2_options& options = client_.options;
    bool is_asked = false;
    while (wants_read() && !is_cut()) {
        const duration silence = is_asked ? options.ping_timeout() : options.ping_after();
        const auto arrived = co_await stream_.read_leased_until(deadline_after(home_.turn_time(), silence));
        if (arrived && !arrived->empty()) {
            is_asked = false;
            feed(arrived->bytes(), home_.turn_time());
            feed(read_behind(*arrived), home_.turn_time());
            settle();
            start_writing();
            pool->changed(*this);
            continue;
        }
        if (arrived || arrived.error() != std::errc::timed_out || is_asked)
            co_return cut();
        is_asked = true;
        submit_ping();
        start_writing();
    }
}

// -- events --

void http2_client_connection::on_field(http2_stream& at, std::string_view name,
                                       std::string_view value) noexcept {
    http2_client_stream& stream = client_stream(at);
    if (!stream.is_held || stream.is_input_ended())
        return;
    try {
        stream.add_field(name, value, limits());
    } catch (...) {
        return reject(stream, NGHTTP2_INTERNAL_ERROR, http_error::malformed_response);
    }
    if (stream.response().is_excessive(limits()))
        return terminate(NGHTTP2_ENHANCE_YOUR_CALM);
    if (stream.trailer_bytes() > limits().trailer_bytes_max())
        reject(stream, NGHTTP2_CANCEL, http_error::head_too_large);
}

void http2_client_connection::on_head(http2_stream& at, bool is_trailers) noexcept {
    http2_client_stream& stream = client_stream(at);
    if (is_trailers || !stream.is_held || stream.input_failure())
        return;
    if (const auto wrong = stream.take_head(limits()))
        reject(stream, NGHTTP2_CANCEL, *wrong);
}

void http2_client_connection::on_data(http2_stream& at, std::span<const std::byte> bytes) noexcept {
    http2_client_stream& stream = client_stream(at);
    if (!stream.is_held || stream.is_input_ended())
        return consume_connection(bytes.size());
    try {
        stream.add(bytes);
        stream.unread_bytes += bytes.size();
    } catch (...) {
        consume_connection(bytes.size());
        reject(stream, NGHTTP2_INTERNAL_ERROR, http_error::truncated);
    }
}

void http2_client_connection::on_peer_end(http2_stream& at) noexcept {
    if (!at.is_input_ended())
        at.end_input();
    has_served_ = true;
}

void http2_client_connection::on_closed(http2_stream& at, std::uint32_t code) noexcept {
    http2_client_stream& stream = client_stream(at);
    if (std::exchange(stream.is_counted, false))
        --active_;
    const bool is_refused = code == NGHTTP2_REFUSED_STREAM && !stream.has_begun();
    // It does not take as many as it says.
    if (is_refused && stream.is_reset_by_peer) {
        streams_max_ = std::min(streams_max_, active_);
        if (streams_max_ == 0)
            terminate(NGHTTP2_NO_ERROR);
    }
    if (is_refused || stream.is_reset_by_peer)
        stream.fail_by_reset(code, is_refused);
    else
        stream.fail(http_error::malformed_response, nghttp2_http2_strerror(code), false);
    closed_.push_back(stream);
}

void http2_client_connection::reject(http2_client_stream& stream, std::uint32_t code,
                                     http_error error) noexcept {
    submit_reset(stream, code);
    stream.fail(error, {}, false);
}

// -- streams that are over --

void http2_client_connection::settle() noexcept {
    if (closed_.empty())
        return;
    while (!closed_.empty()) {
        http2_client_stream& over = closed_.pop_front();
        if (!over.is_held)
            retire(over);
    }
    pool->changed(*this);
}

void http2_client_connection::retire(http2_client_stream& stream) noexcept {
    if (std::exchange(stream.is_counted, false))
        --active_;
    stream.eddy::detail::list_hook<http2_client_streams_tag>::unlink();
    stream.eddy::detail::list_hook<http2_client_queue_tag>::unlink();
    if (stream.is_held) {
        stream.connection = nullptr;
        stream.carrier = nullptr;
        return;  // its exchange frees it
    }
    stream.clear();
    client_.streams.put(std::unique_ptr<http2_client_stream>(&stream));
}

void http2_client_connection::fail_streams() noexcept {
    streams_.for_each([](http2_client_stream& each) {
        if (!each.is_begun_here)
            each.fail(http_error::connection_closed, "the connection has ended", true);
        else
            each.fail(each.has_begun() ? http_error::truncated : http_error::connection_closed,
                      "the connection has ended", false);
    });
}

}  // namespace eddy::http
