#pragma once

#include "http/server/member_timer.hpp"
#include "http/websocket/frame_writer.hpp"
#include "http/websocket/message_deflater.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/websocket/detail/message_decoder.hpp>
#include <eddy/http/websocket/detail/role.hpp>
#include <eddy/http/websocket/handshake.hpp>
#include <eddy/http/websocket/message.hpp>
#include <eddy/http/websocket/options.hpp>
#include <eddy/http/websocket/websocket.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/mutex.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::http {

/// The state of a websocket. Three parties work on it: a receiver (one task, or close()), any number of
/// senders, and the writer, which has a task of its own (frame_writer).
///
/// Phases: open; ending, when no further message can come and the receiver brings the stream to its end in
/// good order; ended.
class websocket_state {
public:
    websocket_state(any_stream stream, websocket_role role, const websocket_options& options,
                    const websocket_agreement& agreed, buffer_lease arrived);
    websocket_state(const websocket_state&) = delete;
    websocket_state& operator=(const websocket_state&) = delete;
    ~websocket_state();

    // -- receiving --

    /// Goes through what has arrived. True if there is something to take, or the end.
    [[nodiscard]] bool advance(bool is_whole);
    /// Reads until there is.
    [[nodiscard]] task<> read_more(bool is_whole);
    /// Returns nothing at the end in good order, otherwise throws.
    [[nodiscard]] std::optional<websocket_message> take_message();
    [[nodiscard]] std::optional<websocket_message_view> take_view();
    [[nodiscard]] std::optional<websocket_piece> take_piece();

    // -- sending --

    /// Takes a message over, or says that one has to wait. Throws if nothing may be sent.
    [[nodiscard]] bool try_send(message_kind kind, std::span<const std::byte> payload,
                                websocket_message* owned);
    /// Waits for the turn to send a message.
    [[nodiscard]] mutex::lock_awaiter wait_for_turn() noexcept { return turn_.lock(); }
    /// Waits for room to send. Throws as try_send() does.
    [[nodiscard]] task<> wait_for_room();
    /// Takes a message over. Requires: its turn.
    void send(message_kind kind, std::span<const std::byte> payload, websocket_message* owned);
    /// Takes over a piece of a message. Requires: its turn.
    void send_piece(message_kind kind, std::span<const std::byte> piece, bool is_first, bool is_last);
    /// A message will not be finished.
    void abandon_message() noexcept;
    void ping(std::span<const std::byte> payload);
    [[nodiscard]] task<> flush();

    [[nodiscard]] task<> close(websocket_close_code code, std::string reason);

    [[nodiscard]] bool is_open() const noexcept { return phase_ == phase::open && !is_close_sent_; }
    [[nodiscard]] websocket_close_code peer_code() const noexcept { return peer_code_; }
    [[nodiscard]] std::string_view peer_reason() const noexcept { return peer_reason_; }
    [[nodiscard]] websocket_role role() const noexcept { return role_; }
    [[nodiscard]] const websocket_agreement& agreement() const noexcept { return agreement_; }
    [[nodiscard]] std::size_t unsent_bytes() const noexcept { return writer_.size(); }

private:
    enum class phase : std::uint8_t { open, ending, ended };
    enum class found : std::uint8_t { nothing, message, piece };
    class reader_place;

    /// What of the options matters once the connection is there.
    struct settings {
        explicit settings(const websocket_options& options) noexcept;
        std::size_t frame_bytes_max;
        duration ping_interval;
        duration pong_timeout;
        duration close_timeout;
        deflate_options deflate;
        bool checks_sent_text;
    };

    void begin_receive() noexcept;
    [[nodiscard]] bool decode_arrived(bool is_whole);
    [[nodiscard]] bool take_piece_of(const decoded_bytes& piece, bool is_whole);
    void take_event(const decoded_bytes& event);
    void drop_lease() noexcept;
    void take_arrived(std::expected<buffer_lease, std::error_code> arrived) noexcept;
    [[nodiscard]] task<> end_connection();
    void note_end() const;

    void on_close(const decoded_bytes& closing);
    void fail(websocket_error error, std::string_view reason);
    void begin_ending() noexcept;
    /// Cuts the connection, now.
    void cut(std::error_code why) noexcept;
    void finish() noexcept;

    void check_may_send() const;
    [[nodiscard]] bool compresses(std::size_t payload_bytes) const noexcept;
    [[nodiscard]] std::string& deflated(std::span<const std::byte> piece, bool is_last);
    void append_frames(websocket_opcode code, std::span<const std::byte> payload, bool is_compressed,
                       bool is_last);
    void append_close(websocket_close_code code, std::string_view reason);

    void note_heard() noexcept;
    void on_silence() noexcept;
    void on_slow_close() noexcept;

    eddy::detail::worker_core& home_;
    any_stream stream_;
    settings settings_;
    websocket_agreement agreement_;

    message_decoder decoder_;
    buffer_lease lease_;     // what has arrived and was not decoded
    buffer_lease retained_;  // of a view that is in use while close() reads on
    std::string assembly_;   // of a message that has come in several parts, or inflated
    std::span<const std::byte> found_bytes_;
    std::string peer_reason_;
    std::string failure_reason_;
    std::error_code failure_;
    websocket_close_code peer_code_ = websocket_close_code::abnormal;
    websocket_role role_;
    phase phase_ = phase::open;
    found found_ = found::nothing;
    message_kind found_kind_ = message_kind::text;
    bool found_last_ = false;
    bool is_view_out_ = false;    // what was taken may still be looked at
    bool is_retained_ = false;    // its lease is
    bool is_read_ = false;        // a task receives
    bool is_discarding_ = false;  // close() does
    bool is_close_sent_ = false;
    bool has_heard_ = true;  // something, since the alarm was set
    bool is_pong_awaited_ = false;

    std::unique_ptr<message_deflater> deflater_;
    mutex turn_;
    event<> reader_left_;
    member_timer<websocket_state> silence_{*this, &websocket_state::on_silence};
    member_timer<websocket_state> slow_close_{*this, &websocket_state::on_slow_close};
    frame_writer writer_;
};

}  // namespace eddy::http
