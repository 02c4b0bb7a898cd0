// The part of http2_session that nghttp2 calls.
#include "http/h2/http2_fields.hpp"
#include "http/h2/http2_session.hpp"
#include "http/h2/http2_stream.hpp"
#include "http/h2/nghttp2_calls.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>

namespace eddy::http {

namespace {

struct free_callbacks {
    void operator()(nghttp2_session_callbacks* made) const noexcept { nghttp2_session_callbacks_del(made); }
};
using callbacks_handle = std::unique_ptr<nghttp2_session_callbacks, free_callbacks>;

bool ends_stream(const nghttp2_frame& frame) noexcept {
    return (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}

bool carries_nothing(const nghttp2_frame& frame) noexcept {
    return !ends_stream(frame) && frame.hd.length == frame.data.padlen;
}

constexpr std::size_t frame_head_bytes = 9;

/// What nghttp2 has made of it lies in a buffer that other sessions may have used since (RFC 9113 section 4.1).
void write_head(const nghttp2_frame_hd& head, char* to) noexcept {
    const auto put = [&](std::size_t value, int bits) {
        while ((bits -= 8) >= 0)
            *to++ = static_cast<char>(value >> bits);
    };
    put(head.length, 24);
    put(head.type, 8);
    put(head.flags, 8);
    put(static_cast<std::uint32_t>(head.stream_id), 32);
}

}  // namespace

/// What nghttp2 calls.
struct http2_session::session_callbacks {
    static http2_session& self(void* user) noexcept { return *static_cast<http2_session*>(user); }

    static int on_begin_frame(nghttp2_session* inner, const nghttp2_frame_hd* head, void* user) noexcept {
        http2_session& session = self(user);
        session.is_within_head_ = head->type == NGHTTP2_HEADERS || head->type == NGHTTP2_CONTINUATION;
        if (head->type > NGHTTP2_CONTINUATION || head->type == NGHTTP2_PRIORITY ||
            (session.is_within_head_ && head->length == 0))
            session.count_frame();
        // Nothing may be pushed (RFC 9113 section 8.4), also before the peer has seen the setting.
        if (head->type == NGHTTP2_PUSH_PROMISE)
            session.terminate(NGHTTP2_PROTOCOL_ERROR);
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
                    const bool is_trailers = stream->has_head;
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
                if (http2_stream* const stream = session.stream_of(frame->hd.stream_id))
                    stream->is_reset_by_peer = true;
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
                session.has_settings_ = true;
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

    static int send_data(nghttp2_session*, nghttp2_frame* frame, const std::uint8_t*, std::size_t size,
                         nghttp2_data_source* source, void* user) noexcept {
        http2_session& session = self(user);
        http2_stream& stream = *static_cast<http2_stream*>(source->ptr);
        send_block& block = *session.block_;
        if (!block.has_room_for_data(frame_head_bytes + size))
            return NGHTTP2_ERR_WOULDBLOCK;
        if (stream.waiting_bytes() < size)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // its sender was dropped meanwhile
        write_head(frame->hd, block.extend(frame_head_bytes));
        stream.take(size, block.extend(size), session.now_);
        return 0;
    }

    static int on_frame_send(nghttp2_session*, const nghttp2_frame* frame, void* user) noexcept {
        http2_session& session = self(user);
        if (frame->hd.type == NGHTTP2_RST_STREAM)
            session.reset_here_[session.resets_here_++ % session.reset_here_.size()] = frame->hd.stream_id;
        if (frame->hd.type == NGHTTP2_GOAWAY)
            session.on_goaway_sent();
        if (frame->hd.type != NGHTTP2_DATA && frame->hd.type != NGHTTP2_HEADERS)
            return 0;
        if (http2_stream* const stream = session.stream_of(frame->hd.stream_id)) {
            stream->is_begun_here = true;
            if (ends_stream(*frame))
                session.on_own_end(*stream);
        }
        return 0;
    }

    static int on_frame_not_send(nghttp2_session* inner, const nghttp2_frame* frame, int error,
                                 void* user) noexcept {
        http2_session& session = self(user);
        // nghttp2 ends the stream of a request by itself.
        if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat != NGHTTP2_HCAT_REQUEST &&
            error != NGHTTP2_ERR_STREAM_CLOSED && session.stream_of(frame->hd.stream_id) != nullptr)
            static_cast<void>(nghttp2_submit_rst_stream(inner, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                                        NGHTTP2_INTERNAL_ERROR));
        return 0;
    }
};

const nghttp2_session_callbacks* http2_session::all_callbacks() {
    static const callbacks_handle made = [] {
        nghttp2_session_callbacks* raw = nullptr;
        require_memory(nghttp2_session_callbacks_new(&raw));
        callbacks_handle owned(raw);
        nghttp2_session_callbacks_set_on_begin_frame_callback(raw, &session_callbacks::on_begin_frame);
        nghttp2_session_callbacks_set_on_begin_headers_callback(raw, &session_callbacks::on_begin_headers);
        nghttp2_session_callbacks_set_on_header_callback(raw, &session_callbacks::on_header);
        nghttp2_session_callbacks_set_on_invalid_header_callback(raw, &session_callbacks::on_invalid_header);
        nghttp2_session_callbacks_set_on_frame_recv_callback(raw, &session_callbacks::on_frame_recv);
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(raw,
                                                                     &session_callbacks::on_invalid_frame);
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(raw, &session_callbacks::on_data_chunk);
        nghttp2_session_callbacks_set_on_stream_close_callback(raw, &session_callbacks::on_stream_close);
        nghttp2_session_callbacks_set_send_data_callback(raw, &session_callbacks::send_data);
        nghttp2_session_callbacks_set_on_frame_send_callback(raw, &session_callbacks::on_frame_send);
        nghttp2_session_callbacks_set_on_frame_not_send_callback(raw, &session_callbacks::on_frame_not_send);
        return owned;
    }();
    return made.get();
}

nghttp2_data_provider http2_session::body_of(http2_stream& stream) noexcept {
    nghttp2_data_provider provider;
    provider.source.ptr = &stream;
    provider.read_callback = &session_callbacks::read_data;
    return provider;
}

}  // namespace eddy::http
