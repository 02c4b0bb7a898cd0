#include <eddy/http/websocket/websocket.hpp>

#include <string>

namespace eddy::http {

namespace {

class websocket_error_category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "websocket"; }
    [[nodiscard]] std::string message(int value) const override {
        switch (static_cast<websocket_error>(value)) {
            case websocket_error::protocol_violated:
                return "the peer broke the WebSocket protocol";
            case websocket_error::invalid_text:
                return "a text message is not UTF-8";
            case websocket_error::message_too_big:
                return "a message is larger than the limit";
            case websocket_error::connection_lost:
                return "the connection ended without being closed";
            case websocket_error::peer_is_silent:
                return "the peer does not answer";
            case websocket_error::closed:
                return "the connection is closed";
            case websocket_error::message_unfinished:
                return "a message was given up half-way";
            case websocket_error::handshake_refused:
                return "the server refuses the WebSocket";
        }
        return "unknown WebSocket error";
    }
};

}  // namespace

const std::error_category& websocket_category() noexcept {
    static const websocket_error_category only;
    return only;
}

websocket_close_code close_code_for(websocket_error error) noexcept {
    switch (error) {
        case websocket_error::protocol_violated:
            return websocket_close_code::protocol_error;
        case websocket_error::invalid_text:
            return websocket_close_code::invalid_payload;
        case websocket_error::message_too_big:
            return websocket_close_code::message_too_big;
        case websocket_error::message_unfinished:
            return websocket_close_code::internal_error;
        default:
            return websocket_close_code::abnormal;
    }
}

}  // namespace eddy::http
