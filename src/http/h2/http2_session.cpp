#include "http/h2/http2_session.hpp"

#include "http/h2/http2_fields.hpp"
#include "http/h2/http2_stream.hpp"
#include "http/h2/nghttp2_calls.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace eddy::http {

namespace {

struct free_option {
    void operator()(nghttp2_option* made) const noexcept { nghttp2_option_del(made); }
};

// As many a second, and ten times as many at once. Times only count once it is not full any more.
token_bucket flood_limit(double per_s) noexcept {
    constexpr double burst_s = 10;
    return {per_s, per_s * burst_s, time_point{}};
}

}  // namespace

http2_session::http2_session(http2_role role, const http2_options& options, frame_buffer& frames)
    : options_(options),
      memory_(frames),
      scan_(role == http2_role::server ? NGHTTP2_CLIENT_MAGIC_LEN : 0),
      resets_(flood_limit(options.resets_per_s_max())),
      frames_(flood_limit(options.idle_frames_per_s_max())),
      role_(role) {
    nghttp2_option* raw = nullptr;
    require_memory(nghttp2_option_new(&raw));
    const std::unique_ptr<nghttp2_option, free_option> chosen(raw);
    nghttp2_option_set_no_auto_window_update(raw, 1);
    nghttp2_option_set_no_closed_streams(raw, 1);
    nghttp2_option_set_max_deflate_dynamic_table_size(raw, options.header_table_bytes_max());
    nghttp2_option_set_max_continuations(raw, options.continuations_max());
    nghttp2_option_set_builtin_recv_extension_type(raw, NGHTTP2_PRIORITY_UPDATE);
    // Counted here, with malformed requests.
    nghttp2_option_set_stream_reset_rate_limit(raw, UINT32_MAX, UINT32_MAX);
    nghttp2_mem memory = memory_.allocator();
    require_memory(role == http2_role::server
                       ? nghttp2_session_server_new3(&session_, all_callbacks(), this, raw, &memory)
                       : nghttp2_session_client_new3(&session_, all_callbacks(), this, raw, &memory));
}

http2_session::~http2_session() {
    if (!memory_.has_failed())
        nghttp2_session_del(session_);
}

void http2_session::submit_settings(std::size_t head_bytes_max) noexcept {
    std::array<nghttp2_settings_entry, 6> settings;
    std::size_t count = 0;
    const auto add = [&](nghttp2_settings_id id, std::uint32_t value) {
        settings[count++] = {static_cast<std::int32_t>(id), value};
    };
    if (role_ == http2_role::server) {
        add(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, options_.streams_max());
        add(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1);
    } else {
        add(NGHTTP2_SETTINGS_ENABLE_PUSH, 0);
    }
    add(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, options_.stream_window_bytes());
    add(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(head_bytes_max));
    add(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1);
    if (options_.header_table_bytes_max() != NGHTTP2_DEFAULT_HEADER_TABLE_SIZE)
        add(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, options_.header_table_bytes_max());
    check(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), count));
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

void http2_session::produce(send_block& to, time_point now) noexcept {
    now_ = now;
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

std::uint32_t http2_session::peer_streams_max() const noexcept {
    constexpr std::uint32_t before_settings = 100;
    const std::uint32_t said =
        nghttp2_session_get_remote_settings(session_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
    return has_settings_ ? said : before_settings;
}

bool http2_session::may_begin_streams() const noexcept {
    return !has_failed_ && !is_terminated_ && nghttp2_session_check_request_allowed(session_) != 0;
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
    const nghttp2_data_provider provider = body_of(stream);
    check(nghttp2_submit_response(session_, stream.id, fields.data(), fields.size(),
                                  ends ? nullptr : &provider));
}

bool http2_session::submit_request(http2_stream& stream, std::span<const nghttp2_nv> fields,
                                   bool ends) noexcept {
    const nghttp2_data_provider provider = body_of(stream);
    const std::int32_t id = nghttp2_submit_request(session_, nullptr, fields.data(), fields.size(),
                                                   ends ? nullptr : &provider, &stream);
    if (id < 0) {
        check(id);
        return false;
    }
    stream.id = id;
    stream.is_open = true;
    return true;
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
    submit_ping();
}

void http2_session::submit_ping() noexcept {
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
