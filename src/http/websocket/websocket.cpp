#include "http/websocket/websocket_state.hpp"

#include <eddy/http/websocket/websocket.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::size_t reason_bytes_max = 123;
constexpr std::size_t ping_bytes_max = 125;

async_generator<websocket_message> messages_of(websocket& from) {
    for (;;) {
        auto message = co_await from.receive();
        if (!message)
            co_return;
        co_yield *std::move(message);
    }
}

}  // namespace

websocket::websocket(any_stream stream, websocket_role role, const websocket_options& options,
                     const websocket_agreement& agreed, buffer_lease arrived)
    : state_(
          std::make_unique<websocket_state>(std::move(stream), role, options, agreed, std::move(arrived))) {}

websocket::websocket(websocket&&) noexcept = default;
websocket& websocket::operator=(websocket&&) noexcept = default;
websocket::~websocket() = default;

async_generator<websocket_message> websocket::messages() {
    return messages_of(*this);
}

task<websocket_message_writer> websocket::begin_message(message_kind kind) {
    websocket_state& state = *state_;
    mutex_guard turn = co_await state.wait_for_turn();
    co_await state.wait_for_room();
    co_return websocket_message_writer(state, std::move(turn), kind);
}

void websocket::ping(std::span<const std::byte> payload) {
    if (payload.size() > ping_bytes_max)
        throw std::invalid_argument("a ping has 125 bytes at most");
    state_->ping(payload);
}

task<> websocket::flush() {
    return state_->flush();
}

task<> websocket::close(websocket_close_code code, std::string_view reason) {
    if (!may_be_sent(code))
        throw std::invalid_argument("this close code must not be sent");
    if (reason.size() > reason_bytes_max || !is_utf8(as_bytes(reason)))
        throw std::invalid_argument("a close reason is UTF-8 of 123 bytes at most");
    return state_->close(code, std::string(reason));
}

bool websocket::is_open() const noexcept {
    return state_->is_open();
}
websocket_close_code websocket::close_code() const noexcept {
    return state_->peer_code();
}
std::string_view websocket::close_reason() const noexcept {
    return state_->peer_reason();
}
websocket_role websocket::role() const noexcept {
    return state_->role();
}
const websocket_agreement& websocket::agreement() const noexcept {
    return state_->agreement();
}
std::size_t websocket::unsent_bytes() const noexcept {
    return state_->unsent_bytes();
}

}  // namespace eddy::http
