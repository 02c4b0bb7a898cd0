#include "http/websocket/websocket_state.hpp"

#include <eddy/http/websocket/detail/websocket_operation.hpp>

#include <type_traits>

namespace eddy::http {

bool websocket_receive_base::await_ready() {
    return state_.advance(is_whole_);
}

void websocket_receive_base::read_more() {
    reading_.emplace(state_.read_more(is_whole_).operator co_await());
}

template <class Form>
websocket_receive<Form>::websocket_receive(websocket_state& state) noexcept
    : websocket_receive_base(state, !std::is_same_v<Form, websocket_piece>) {}

template <class Form>
std::optional<Form> websocket_receive<Form>::await_resume() {
    finish();
    if constexpr (std::is_same_v<Form, websocket_message>)
        return state().take_message();
    else if constexpr (std::is_same_v<Form, websocket_message_view>)
        return state().take_view();
    else
        return state().take_piece();
}

template class websocket_receive<websocket_message>;
template class websocket_receive<websocket_message_view>;
template class websocket_receive<websocket_piece>;

bool websocket_send::await_ready() noexcept {
    try {
        return state_.try_send(kind_, payload_, is_owned_ ? &owned_ : nullptr);
    } catch (...) {
        error_ = std::current_exception();
        return true;
    }
}

task<> websocket_send::send_later() {
    const mutex_guard turn = co_await state_.wait_for_turn();
    co_await state_.wait_for_room();
    state_.send(kind_, payload_, is_owned_ ? &owned_ : nullptr);
}

}  // namespace eddy::http
