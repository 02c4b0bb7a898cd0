#pragma once

#include "load/exchanger.hpp"
#include "load/load_target.hpp"

#include <eddy/http/websocket/websocket.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace eddy::apps {

/// Messages over a WebSocket that the server echoes.
class websocket_exchanger final : public exchanger {
public:
    websocket_exchanger(const load_target& target, std::size_t message_bytes)
        : target_(target), message_(message_bytes, 'e') {}

    [[nodiscard]] task<> exchange(load_result& counted) override;
    void give_up() noexcept override { socket_.reset(); }

private:
    const load_target& target_;
    std::string message_;
    std::optional<http::websocket> socket_;
};

}  // namespace eddy::apps
