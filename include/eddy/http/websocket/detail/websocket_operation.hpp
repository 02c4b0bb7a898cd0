#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/websocket/message.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <utility>

namespace eddy::http {

class websocket_state;

/// The waiting part of a receive, whatever the form of its result. What has arrived stays with the websocket
/// until the waiting task continues, so dropping it loses nothing.
class [[nodiscard]] websocket_receive_base {
public:
    websocket_receive_base(websocket_state& state, bool is_whole) noexcept
        : state_(state), is_whole_(is_whole) {}
    /// Requires: it has not been awaited yet.
    websocket_receive_base(websocket_receive_base&& other) noexcept
        : state_(other.state_), is_whole_(other.is_whole_) {}
    websocket_receive_base& operator=(websocket_receive_base&&) = delete;

    /// Looks at what has arrived, without a coroutine.
    bool await_ready();
    eddy::detail::transfer await_suspend(eddy::detail::suspension point) {
        read_more();
        return reading_->await_suspend(point);
    }

protected:
    ~websocket_receive_base() = default;
    void finish() {
        if (reading_)
            reading_->await_resume();
    }
    websocket_state& state() const noexcept { return state_; }

private:
    void read_more();

    websocket_state& state_;
    std::optional<task<>::awaiter> reading_;
    bool is_whole_;
};

/// Awaited: the next message or piece, in one of three forms; nothing once the connection is closed.
template <class Form>
class [[nodiscard]] websocket_receive : public websocket_receive_base {
public:
    websocket_receive(websocket_state& state) noexcept;
    std::optional<Form> await_resume();
};

extern template class websocket_receive<websocket_message>;
extern template class websocket_receive<websocket_message_view>;
extern template class websocket_receive<websocket_piece>;

/// Awaited: the message has been taken over. Where there is room it neither waits nor allocates a coroutine.
class [[nodiscard]] websocket_send {
public:
    websocket_send(websocket_state& state, message_kind kind, std::span<const std::byte> payload) noexcept
        : state_(state), kind_(kind), payload_(payload) {}
    websocket_send(websocket_state& state, websocket_message message) noexcept
        : state_(state), kind_(message.kind()), owned_(std::move(message)), is_owned_(true) {}
    /// Requires: it has not been awaited yet.
    websocket_send(websocket_send&& other) noexcept
        : state_(other.state_),
          kind_(other.kind_),
          payload_(other.payload_),
          owned_(std::move(other.owned_)),
          is_owned_(other.is_owned_) {}
    websocket_send& operator=(websocket_send&&) = delete;
    ~websocket_send() = default;

    bool await_ready() noexcept;
    eddy::detail::transfer await_suspend(eddy::detail::suspension point) {
        sending_.emplace(send_later().operator co_await());
        return sending_->await_suspend(point);
    }
    void await_resume() {
        if (sending_)
            sending_->await_resume();
        else if (error_) [[unlikely]]
            std::rethrow_exception(std::move(error_));
    }

private:
    [[nodiscard]] task<> send_later();

    websocket_state& state_;
    message_kind kind_;
    std::span<const std::byte> payload_;
    websocket_message owned_;
    bool is_owned_ = false;
    std::exception_ptr error_;  // of a message that was refused at once
    std::optional<task<>::awaiter> sending_;
};

}  // namespace eddy::http
