#pragma once

#include "http/h2/frame_scan.hpp"
#include "http/h2/send_block.hpp"
#include "http/h2/session_memory.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/http/h2/http2_options.hpp>
#include <eddy/http/routing/token_bucket.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nghttp2/nghttp2.h>
#include <span>
#include <string_view>

namespace eddy::http {

class http2_stream;

enum class http2_role : std::uint8_t { server, client };

/// One HTTP/2 connection without I/O (RFC 9113): received bytes go in and become events of streams; frames come
/// out where there is room for them. nghttp2 does framing, header compression and the states; when something
/// is sent, from which memory, and how much the peer may send is decided here and above.
///
/// Events are called within feed() and produce(); they do not throw, and neither feed nor produce.
class http2_session {
public:
    http2_session(const http2_session&) = delete;
    http2_session& operator=(const http2_session&) = delete;

    /// Takes what has arrived, as of `now`. After a failure of the protocol there is only a GOAWAY left to
    /// send, and wants_read() is false.
    void feed(std::span<const std::byte> bytes, time_point now) noexcept;
    /// Adds frames to the block while it has room, as of `now`.
    void produce(send_block& to, time_point now) noexcept;

    [[nodiscard]] bool wants_read() const noexcept;
    [[nodiscard]] bool wants_write() const noexcept;

    // -- what is to be sent. None of these fails but for want of memory, which ends the session --

    /// The head of a response; a body follows unless it `ends` the stream.
    void submit_head(http2_stream& stream, std::span<const nghttp2_nv> fields, bool ends) noexcept;
    /// The same for a request, which begins the stream. False: no more streams are possible.
    [[nodiscard]] bool submit_request(http2_stream& stream, std::span<const nghttp2_nv> fields,
                                      bool ends) noexcept;
    void submit_interim_head(http2_stream& stream, std::span<const nghttp2_nv> fields) noexcept;
    /// There is something new to be sent of a stream.
    void resume(http2_stream& stream) noexcept;
    void submit_reset(http2_stream& stream, std::uint32_t code) noexcept;
    /// Bytes of a stream were read: the peer may send as many more.
    void consume(http2_stream& stream, std::size_t bytes) noexcept;
    void consume_connection(std::size_t bytes) noexcept;
    /// Announces that no new streams are wanted; those on their way still are.
    void submit_shutdown_notice() noexcept;
    void submit_ping() noexcept;
    /// No stream beyond those that have arrived is processed.
    void submit_goaway() noexcept;
    /// Ends the session with this code.
    void terminate(std::uint32_t code) noexcept;

    /// How many streams of this side the peer allows at once.
    [[nodiscard]] std::uint32_t peer_streams_max() const noexcept;
    /// Whether this side may begin streams.
    [[nodiscard]] bool may_begin_streams() const noexcept;
    /// Whether the peer's flow control holds back what waits of a stream.
    [[nodiscard]] bool is_blocked(const http2_stream& stream) const noexcept;

protected:
    /// `frames` is where frames are put together, one after the other, of this and other sessions of the worker.
    http2_session(http2_role role, const http2_options& options, frame_buffer& frames);
    ~http2_session();

    /// Where a stream's messages begin; null if there is no memory.
    [[nodiscard]] virtual http2_stream* on_new_stream(std::int32_t id) noexcept = 0;
    virtual void on_field(http2_stream& stream, std::string_view name, std::string_view value) noexcept = 0;
    /// A head is complete, or a trailer section: what comes once the stream's `has_head` is set.
    virtual void on_head(http2_stream& stream, bool is_trailers) noexcept = 0;
    virtual void on_data(http2_stream& stream, std::span<const std::byte> bytes) noexcept = 0;
    /// The peer sends no more of it.
    virtual void on_peer_end(http2_stream& stream) noexcept = 0;
    /// The last frame of ours was sent.
    virtual void on_own_end(http2_stream& stream) noexcept = 0;
    /// The session knows the stream no longer. `code`: 0 where both sides have ended it.
    virtual void on_closed(http2_stream& stream, std::uint32_t code) noexcept = 0;
    virtual void on_ping_reply() noexcept = 0;
    /// A limit was exceeded, and the connection ends for it.
    virtual void on_flood() noexcept = 0;
    virtual void on_goaway_sent() noexcept {}
    /// All before the next new stream was taken, so produce() may be called in between: what ends soon leaves its
    /// memory to the next.
    virtual void on_pause() noexcept {}

    /// What this side allows the peer. Once, first.
    void submit_settings(std::size_t head_bytes_max) noexcept;

    /// A head has begun, and its end has not come.
    [[nodiscard]] bool is_within_head() const noexcept { return is_within_head_; }
    /// The peer has caused a stream to be reset, by a frame or by a mistake.
    void count_reset() noexcept;

private:
    struct session_callbacks;

    /// Made once: sessions copy them. Throws std::bad_alloc.
    [[nodiscard]] static const nghttp2_session_callbacks* all_callbacks();
    [[nodiscard]] static nghttp2_data_provider body_of(http2_stream& stream) noexcept;

    /// Has nghttp2 take bytes.
    void take(std::span<const std::byte> bytes) noexcept;
    /// A WINDOW_UPDATE of 0 has come but for its last byte.
    void take_zero_window() noexcept;
    void count_frame() noexcept;
    /// The head of DATA or HEADERS has come but for its last byte: ends the connection if the sender has ended its
    /// stream (RFC 9113 section 5.1).
    void check_stream() noexcept;
    void flood() noexcept;
    void check(int result) noexcept;
    [[nodiscard]] http2_stream* stream_of(std::int32_t id) noexcept;

    const http2_options& options_;
    session_memory memory_;
    nghttp2_session* session_ = nullptr;
    time_point now_{};
    frame_scan scan_;
    send_block* block_ = nullptr;
    http2_stream* newest_ = nullptr;  // of the peer, while it is open
    token_bucket resets_;
    token_bucket frames_;
    // The streams of the peer: the last, those that it has left out before, and those that were reset here, for
    // which frames may be on their way.
    std::int32_t last_id_ = -1;
    std::int32_t left_out_from_ = 0;
    std::array<std::int32_t, 16> reset_here_{};
    std::size_t resets_here_ = 0;
    std::size_t queued_ = 0;  // frames to be sent, before the one that is received
    const http2_role role_;
    bool has_settings_ = false;  // the peer's
    bool is_within_head_ = false;
    bool has_failed_ = false;
    bool is_terminated_ = false;
};

}  // namespace eddy::http
