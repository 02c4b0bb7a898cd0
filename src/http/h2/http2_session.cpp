#include "http/h2/http2_session.hpp"

#include "http/h2/http2_fields.hpp"
#include "http/h2/http2_stream.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace eddy::http {

namespace {

struct free_callbacks {
    void operator()(nghttp2_session_callbacks* made) const noexcept { nghttp2_session_callbacks_del(made); }
};
using callbacks_handle = std::unique_ptr<nghttp2_session_callbacks, free_callbacks>;

struct free_option {
    void operator()(nghttp2_option* made) const noexcept { nghttp2_option_del(made); }
};

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) noexcept {
    return {reinterpret_cast<const char*>(bytes), size};
}

bool ends_stream(const nghttp2_frame& frame) noexcept {
    return (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}

bool carries_nothing(const nghttp2_frame& frame) noexcept {
    return !ends_stream(frame) && frame.hd.length == frame.data.padlen;
}

void require(int result) {
    if (result != 0)
        throw std::bad_alloc();
}

// As many a second, and ten times as many at once. Times only count once it is not full any more.
token_bucket flood_limit(double per_s) noexcept {
    constexpr double burst_s = 10;
    return {per_s, per_s * burst_s, time_point{}};
}

}  // namespace

/// What nghttp2 calls.
struct http2_session::callbacks {
    static http2_session& self(void* user) noexcept { return *static_cast<http2_session*>(user); }

    static int on_begin_frame(nghttp2_session* inner, const nghttp2_frame_hd* head, void* user) noexcept {
        http2_session& session = self(user);
        session.is_within_head_ = head->type == NGHTTP2_HEADERS || head->type == NGHTTP2_CONTINUATION;
        if (head->type > NGHTTP2_CONTINUATION || head->type == NGHTTP2_PRIORITY ||
            (session.is_within_head_ && head->length == 0))
            session.count_frame();
        if (head->type == NGHTTP2_PRIORITY && head->stream_id == 0)
            session.terminate(NGHTTP2_PROTOCOL_ERROR);
        if (head->type == NGHTTP2_SETTINGS)
            session.queued_ = nghttp2_session_get_outbound_queue_size(inner);
        return 0;
    }

    static int on_begin_headers(nghttp2_session* inner, const nghttp2_frame* frame, void* user) noexcept {
        if (frame->headers.cat != NGHTTP2_HCAT_REQUEST)
            return 0;
        http2_session& session = self(user);
        http2_stream* const made = session.on_new_stream(frame->hd.stream_id);
        if (made == nullptr)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
        static_cast<void>(nghttp2_session_set_stream_user_data(inner, frame->hd.stream_id, made));
        made->id = frame->hd.stream_id;
        made->is_open = true;
        session.left_out_from_ = session.last_id_ + 2;
        session.last_id_ = made->id;
        session.newest_ = made;
        return 0;
    }

    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                         std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                         std::uint8_t, void* user) noexcept {
        http2_session& session = self(user);
        if (http2_stream* const stream = session.stream_of(frame->hd.stream_id))
            session.on_field(*stream, text_of(name, name_size), text_of(value, value_size));
        return session.is_terminated_ ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE : 0;
    }

    // A field that HTTP does not allow: the request is malformed (RFC 9113 section 8.1.1).
    static int on_invalid_header(nghttp2_session* inner, const nghttp2_frame* frame, const std::uint8_t*,
                                 std::size_t, const std::uint8_t*, std::size_t, std::uint8_t,
                                 void*) noexcept {
        static_cast<void>(
            nghttp2_submit_rst_stream(inner, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_PROTOCOL_ERROR));
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }

    static int on_frame_recv(nghttp2_session* inner, const nghttp2_frame* frame, void* user) noexcept {
        http2_session& session = self(user);
        session.is_within_head_ = false;
        switch (frame->hd.type) {
            case NGHTTP2_HEADERS:
                if (http2_stream* const stream = session.stream_of(frame->hd.stream_id)) {
                    const bool is_trailers = frame->headers.cat == NGHTTP2_HCAT_HEADERS;
                    if (is_trailers)
                        session.on_head(*stream, true);
                    if (ends_stream(*frame))
                        session.on_peer_end(*stream);
                    if (!is_trailers)
                        session.on_head(*stream, false);
                }
                break;
            case NGHTTP2_DATA:
                if (carries_nothing(*frame))
                    session.count_frame();
                if (ends_stream(*frame))
                    if (http2_stream* const stream = session.stream_of(frame->hd.stream_id))
                        session.on_peer_end(*stream);
                break;
            case NGHTTP2_RST_STREAM:
                session.count_reset();
                break;
            case NGHTTP2_PING:
                if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0)
                    session.on_ping_reply();
                else
                    session.count_frame();
                break;
            case NGHTTP2_SETTINGS:
                if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0)
                    break;
                session.count_frame();
                // More than its acknowledgement: resets of streams whose windows it has made too large, which
                // concerns the connection (RFC 9113 section 6.9.2).
                if (nghttp2_session_get_outbound_queue_size(inner) > session.queued_ + 1)
                    session.terminate(NGHTTP2_FLOW_CONTROL_ERROR);
                break;
            case NGHTTP2_PRIORITY_UPDATE:
                if (static_cast<const nghttp2_ext_priority_update*>(frame->ext.payload)->stream_id == 0)
                    session.terminate(NGHTTP2_PROTOCOL_ERROR);
                break;
            default:
                break;
        }
        return 0;
    }

    static int on_invalid_frame(nghttp2_session*, const nghttp2_frame*, int, void* user) noexcept {
        self(user).is_within_head_ = false;
        self(user).count_reset();
        return 0;
    }

    static int on_data_chunk(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                             std::size_t size, void* user) noexcept {
        http2_session& session = self(user);
        if (http2_stream* const stream = session.stream_of(id))
            session.on_data(*stream, std::as_bytes(std::span(data, size)));
        else
            session.consume_connection(size);
        return 0;
    }

    static int on_stream_close(nghttp2_session* inner, std::int32_t id, std::uint32_t code,
                               void* user) noexcept {
        http2_session& session = self(user);
        http2_stream* const stream = session.stream_of(id);
        if (stream == nullptr)
            return 0;
        static_cast<void>(nghttp2_session_set_stream_user_data(inner, id, nullptr));
        stream->is_open = false;
        if (session.newest_ == stream)
            session.newest_ = nullptr;
        session.on_closed(*stream, code);
        return 0;
    }

    static ssize_t read_data(nghttp2_session* inner, std::int32_t id, std::uint8_t*, std::size_t bytes_max,
                             std::uint32_t* flags, nghttp2_data_source* source, void*) noexcept {
        http2_stream& stream = *static_cast<http2_stream*>(source->ptr);
        const std::size_t waiting = stream.waiting_bytes();
        const std::size_t count = std::min(bytes_max, waiting);
        const bool is_last = count == waiting && stream.is_own_body_complete();
        if (count == 0 && !is_last) {
            stream.is_deferred = true;
            return NGHTTP2_ERR_DEFERRED;
        }
        *flags = NGHTTP2_DATA_FLAG_NO_COPY;
        if (!is_last)
            return static_cast<ssize_t>(count);
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (!stream.trailers_to_send.empty()) {
            std::array<nghttp2_nv, trailers_max> lines;
            const std::size_t fields = split_field_lines(stream.trailers_to_send, lines);
            if (nghttp2_submit_trailer(inner, id, lines.data(), fields) == 0)
                *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        }
        return static_cast<ssize_t>(count);
    }

    static int send_data(nghttp2_session*, nghttp2_frame*, const std::uint8_t* head, std::size_t size,
                         nghttp2_data_source* source, void* user) noexcept {
        http2_session& session = self(user);
        http2_stream& stream = *static_cast<http2_stream*>(source->ptr);
        constexpr std::size_t head_bytes = 9;
        send_block& block = *session.block_;
        if (!block.has_room_for_data(head_bytes + size))
            return NGHTTP2_ERR_WOULDBLOCK;
        if (stream.waiting_bytes() < size)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // its sender was dropped meanwhile
        block.append(text_of(head, head_bytes));
        stream.take(size, block.extend(size), session.now_);
        return 0;
    }

    static int on_frame_send(nghttp2_session*, const nghttp2_frame* frame, void* user) noexcept {
        http2_session& session = self(user);
        if (frame->hd.type == NGHTTP2_RST_STREAM)
            session.reset_here_[session.resets_here_++ % session.reset_here_.size()] = frame->hd.stream_id;
        if (frame->hd.type == NGHTTP2_GOAWAY)
            session.on_goaway_sent();
        if ((frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS) && ends_stream(*frame))
            if (http2_stream* const stream = session.stream_of(frame->hd.stream_id))
                session.on_own_end(*stream);
        return 0;
    }

    static int on_frame_not_send(nghttp2_session* inner, const nghttp2_frame* frame, int error,
                                 void* user) noexcept {
        http2_session& session = self(user);
        if (frame->hd.type == NGHTTP2_HEADERS && error != NGHTTP2_ERR_STREAM_CLOSED &&
            session.stream_of(frame->hd.stream_id) != nullptr)
            static_cast<void>(nghttp2_submit_rst_stream(inner, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                                        NGHTTP2_INTERNAL_ERROR));
        return 0;
    }

    /// Made once: sessions copy them. Throws std::bad_alloc.
    static const nghttp2_session_callbacks* all() {
        static const callbacks_handle made = [] {
            nghttp2_session_callbacks* raw = nullptr;
            require(nghttp2_session_callbacks_new(&raw));
            callbacks_handle owned(raw);
            nghttp2_session_callbacks_set_on_begin_frame_callback(raw, &on_begin_frame);
            nghttp2_session_callbacks_set_on_begin_headers_callback(raw, &on_begin_headers);
            nghttp2_session_callbacks_set_on_header_callback(raw, &on_header);
            nghttp2_session_callbacks_set_on_invalid_header_callback(raw, &on_invalid_header);
            nghttp2_session_callbacks_set_on_frame_recv_callback(raw, &on_frame_recv);
            nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(raw, &on_invalid_frame);
            nghttp2_session_callbacks_set_on_data_chunk_recv_callback(raw, &on_data_chunk);
            nghttp2_session_callbacks_set_on_stream_close_callback(raw, &on_stream_close);
            nghttp2_session_callbacks_set_send_data_callback(raw, &send_data);
            nghttp2_session_callbacks_set_on_frame_send_callback(raw, &on_frame_send);
            nghttp2_session_callbacks_set_on_frame_not_send_callback(raw, &on_frame_not_send);
            return owned;
        }();
        return made.get();
    }
};

http2_session::http2_session(http2_role role, const http2_options& options)
    : options_(options),
      scan_(role == http2_role::server ? NGHTTP2_CLIENT_MAGIC_LEN : 0),
      resets_(flood_limit(options.resets_per_s_max())),
      frames_(flood_limit(options.idle_frames_per_s_max())) {
    nghttp2_option* raw = nullptr;
    require(nghttp2_option_new(&raw));
    const std::unique_ptr<nghttp2_option, free_option> chosen(raw);
    nghttp2_option_set_no_auto_window_update(raw, 1);
    nghttp2_option_set_no_closed_streams(raw, 1);
    nghttp2_option_set_max_deflate_dynamic_table_size(raw, options.header_table_bytes_max());
    nghttp2_option_set_max_continuations(raw, options.continuations_max());
    nghttp2_option_set_builtin_recv_extension_type(raw, NGHTTP2_PRIORITY_UPDATE);
    // Counted here, with malformed requests.
    nghttp2_option_set_stream_reset_rate_limit(raw, UINT32_MAX, UINT32_MAX);
    nghttp2_mem memory = memory_.allocator();
    require(role == http2_role::server
                ? nghttp2_session_server_new3(&session_, callbacks::all(), this, raw, &memory)
                : nghttp2_session_client_new3(&session_, callbacks::all(), this, raw, &memory));
}

http2_session::~http2_session() {
    if (!memory_.has_failed())
        nghttp2_session_del(session_);
}

void http2_session::submit_settings(std::size_t head_bytes_max) noexcept {
    const std::array<nghttp2_settings_entry, 6> settings = {{
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, options_.streams_max()},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, options_.stream_window_bytes()},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(head_bytes_max)},
        {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1},
        {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1},
        {NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, options_.header_table_bytes_max()},
    }};
    const bool is_usual_table = options_.header_table_bytes_max() == NGHTTP2_DEFAULT_HEADER_TABLE_SIZE;
    check(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(),
                                  settings.size() - (is_usual_table ? 1 : 0)));
    check(nghttp2_session_set_local_window_size(
        session_, NGHTTP2_FLAG_NONE, 0, static_cast<std::int32_t>(options_.connection_window_bytes())));
}

http2_stream* http2_session::stream_of(std::int32_t id) noexcept {
    if (newest_ != nullptr && newest_->id == id)
        return newest_;
    return static_cast<http2_stream*>(nghttp2_session_get_stream_user_data(session_, id));
}

void http2_session::check_stream() noexcept {
    const std::int32_t id = scan_.stream_id();
    // Where more were reset than are noted, nothing is certain.
    if (id > last_id_ || id % 2 == 0 || nghttp2_session_find_stream(session_, id) != nullptr ||
        resets_here_ > reset_here_.size() || std::ranges::find(reset_here_, id) != reset_here_.end())
        return;
    const bool was_left_out = id >= left_out_from_ && id != last_id_;
    terminate(was_left_out && scan_.type() == NGHTTP2_HEADERS ? NGHTTP2_PROTOCOL_ERROR
                                                              : NGHTTP2_STREAM_CLOSED);
}

// -- in and out --

void http2_session::feed(std::span<const std::byte> bytes, time_point now) noexcept {
    now_ = now;
    std::span<const std::byte> rest = bytes;
    while (!rest.empty()) {
        const frame_scan::found here = scan_.next(rest);
        if (here == frame_scan::found::nothing)
            continue;
        if (here == frame_scan::found::unknown_frame) {
            count_frame();
            continue;
        }
        const std::size_t last = bytes.size() - rest.size() - 1;
        take(bytes.first(last));
        bytes = bytes.subspan(last);
        if (here == frame_scan::found::new_stream) {
            on_pause();
        } else if (here == frame_scan::found::old_stream) {
            check_stream();
        } else if (here == frame_scan::found::too_small) {
            terminate(NGHTTP2_FRAME_SIZE_ERROR);
        } else {
            take_zero_window();
            bytes = bytes.subspan(1);
        }
    }
    take(bytes);
}

// nghttp2 would end the connection, so it sees another increment, of a stream that is reset.
void http2_session::take_zero_window() noexcept {
    const std::int32_t id = scan_.stream_id();
    const bool is_of_stream = id != 0 && nghttp2_session_find_stream(session_, id) != nullptr;
    const std::byte increment{is_of_stream ? std::uint8_t{1} : std::uint8_t{0}};
    take(std::span(&increment, 1));
    if (!is_of_stream)
        return;
    count_reset();
    check(nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_PROTOCOL_ERROR));
}

void http2_session::take(std::span<const std::byte> bytes) noexcept {
    if (has_failed_ || is_terminated_ || bytes.empty())
        return;
    queued_ = nghttp2_session_get_outbound_queue_size(session_);
    const ssize_t taken =
        nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (taken >= 0 || is_terminated_)
        return;
    switch (taken) {
        case NGHTTP2_ERR_FLOODED:
        case NGHTTP2_ERR_TOO_MANY_SETTINGS:
        case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS:
            return flood();
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC:
            return terminate(NGHTTP2_PROTOCOL_ERROR);
        default:
            has_failed_ = true;
    }
}

void http2_session::produce(send_block& to) noexcept {
    block_ = &to;
    while (!has_failed_ && to.has_room_for_frame()) {
        const std::uint8_t* frames = nullptr;
        const ssize_t size = nghttp2_session_mem_send(session_, &frames);
        if (size < 0)
            has_failed_ = true;
        if (size <= 0)
            break;
        to.append(text_of(frames, static_cast<std::size_t>(size)));
    }
    block_ = nullptr;
}

bool http2_session::wants_read() const noexcept {
    return !has_failed_ && !is_terminated_ && nghttp2_session_want_read(session_) != 0;
}

bool http2_session::wants_write() const noexcept {
    return !has_failed_ && nghttp2_session_want_write(session_) != 0;
}

bool http2_session::is_blocked(const http2_stream& stream) const noexcept {
    return nghttp2_session_get_remote_window_size(session_) <= 0 ||
           nghttp2_session_get_stream_remote_window_size(session_, stream.id) <= 0;
}

// -- what is to be sent --

void http2_session::check(int result) noexcept {
    if (result != 0 && nghttp2_is_fatal(result) != 0)
        has_failed_ = true;
}

void http2_session::submit_head(http2_stream& stream, std::span<const nghttp2_nv> fields,
                                bool ends) noexcept {
    nghttp2_data_provider provider;
    provider.source.ptr = &stream;
    provider.read_callback = &callbacks::read_data;
    check(nghttp2_submit_response(session_, stream.id, fields.data(), fields.size(),
                                  ends ? nullptr : &provider));
}

void http2_session::submit_interim_head(http2_stream& stream, std::span<const nghttp2_nv> fields) noexcept {
    check(nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream.id, nullptr, fields.data(),
                                 fields.size(), nullptr));
}

void http2_session::resume(http2_stream& stream) noexcept {
    if (!std::exchange(stream.is_deferred, false) || !stream.is_open)
        return;
    check(nghttp2_session_resume_data(session_, stream.id));
}

void http2_session::submit_reset(http2_stream& stream, std::uint32_t code) noexcept {
    if (stream.is_open)
        check(nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream.id, code));
}

void http2_session::consume(http2_stream& stream, std::size_t bytes) noexcept {
    if (stream.is_open)
        check(nghttp2_session_consume(session_, stream.id, bytes));
    else
        consume_connection(bytes);
}

void http2_session::consume_connection(std::size_t bytes) noexcept {
    if (bytes != 0)
        check(nghttp2_session_consume_connection(session_, bytes));
}

void http2_session::submit_shutdown_notice() noexcept {
    check(nghttp2_submit_shutdown_notice(session_));
    check(nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr));
}

void http2_session::submit_goaway() noexcept {
    check(nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                                nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR, nullptr,
                                0));
}

void http2_session::terminate(std::uint32_t code) noexcept {
    if (!std::exchange(is_terminated_, true))
        check(nghttp2_session_terminate_session(session_, code));
}

// -- floods --

void http2_session::count_reset() noexcept {
    if (!resets_.try_take(now_))
        flood();
}

void http2_session::count_frame() noexcept {
    if (!frames_.try_take(now_))
        flood();
}

void http2_session::flood() noexcept {
    if (is_terminated_)
        return;
    on_flood();
    terminate(NGHTTP2_ENHANCE_YOUR_CALM);
}

}  // namespace eddy::http
