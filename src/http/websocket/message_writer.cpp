#include "http/websocket/websocket_state.hpp"

#include <eddy/http/websocket/message_writer.hpp>

namespace eddy::http {

websocket_message_writer::~websocket_message_writer() {
    if (state_ != nullptr && has_begun_)
        state_->abandon_message();
}

task<> websocket_message_writer::send(std::span<const std::byte> piece, bool is_last) {
    EDDY_ASSERT(state_ != nullptr, "nothing follows the last piece of a message");
    co_await state_->wait_for_room();
    state_->send_piece(kind_, piece, !has_begun_, is_last);
    has_begun_ = true;
    if (!is_last)
        co_return;
    state_ = nullptr;
    turn_.unlock();
}

}  // namespace eddy::http
