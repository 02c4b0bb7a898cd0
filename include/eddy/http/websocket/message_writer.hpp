#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/websocket/message.hpp>
#include <eddy/sync/mutex.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace eddy::http {

class websocket_state;

/// A message that is sent piece by piece, made by websocket::begin_message(). Each piece is a frame, or
/// several (options.frame_bytes_max()), and is compressed if compression was agreed on.
///
/// - Ownership: moves, does not copy; does not outlive its websocket.
/// - Cancellation: a dropped write() has taken over its piece or not, as a whole. A writer that is destroyed
///   before finish() leaves a message that can no longer be finished: the connection is closed with 1011, and
///   later sends fail with message_unfinished.
/// - Back-pressure and errors: those of websocket::send.
class [[nodiscard]] websocket_message_writer {
public:
    websocket_message_writer(websocket_message_writer&& other) noexcept
        : state_(std::exchange(other.state_, nullptr)),
          turn_(std::move(other.turn_)),
          kind_(other.kind_),
          has_begun_(other.has_begun_) {}
    websocket_message_writer& operator=(websocket_message_writer&&) = delete;
    ~websocket_message_writer();

    /// Sends a piece. A text may be cut inside a character. Requires: not finished; `piece` stays until it
    /// ends.
    [[nodiscard]] task<> write(std::span<const std::byte> piece) { return send(piece, false); }
    [[nodiscard]] task<> write(std::string_view piece) { return send(as_bytes(piece), false); }
    /// Sends the last piece.
    [[nodiscard]] task<> finish(std::span<const std::byte> piece = {}) { return send(piece, true); }
    [[nodiscard]] task<> finish(std::string_view piece) { return send(as_bytes(piece), true); }

private:
    friend class websocket;
    websocket_message_writer(websocket_state& state, mutex_guard turn, message_kind kind) noexcept
        : state_(&state), turn_(std::move(turn)), kind_(kind) {}

    [[nodiscard]] task<> send(std::span<const std::byte> piece, bool is_last);

    websocket_state* state_;  // null once finished
    mutex_guard turn_;
    message_kind kind_;
    bool has_begun_ = false;
};

}  // namespace eddy::http
