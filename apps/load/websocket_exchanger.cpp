#include "load/websocket_exchanger.hpp"

#include <eddy/http/client/client_connection.hpp>
#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/http/websocket/handshake.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace eddy::apps {

namespace {

buffer_lease own_copy(std::string_view bytes) {
    if (bytes.empty())
        return {};
    auto memory = std::make_unique<std::byte[]>(bytes.size());
    std::ranges::copy(as_bytes(bytes), memory.get());
    return buffer_lease(std::move(memory), 0, static_cast<std::uint32_t>(bytes.size()));
}

task<http::websocket> open_socket(const load_target& target) {
    const http::websocket_options options;
    const std::string key = http::make_websocket_key();
    std::string request;
    http::request_head_writer(request, "GET", target.where().target())
        .header("Host", target.where().authority());
    request.append(http::websocket_request(key, options).text()).append("\r\n");
    http::client_connection opening(co_await target.connect());
    co_await opening.write_all(as_bytes(request));
    opening.begin(http::method::get);
    const http::response_head head = co_await opening.read_head();
    http::websocket_response_head answer(head.status());
    for (std::size_t i = 0; i < head.header_count(); ++i)
        answer.line(head.header(i).name(), head.header(i).value());
    const auto agreed = http::check_websocket_response(answer, key, options);
    if (!agreed)
        throw std::runtime_error("no WebSocket: " + std::string(agreed.error()));
    co_return http::websocket(std::move(opening.stream()), http::websocket_role::client, options, *agreed,
                              own_copy(opening.surplus()));
}

}  // namespace

task<> websocket_exchanger::exchange(load_result& counted) {
    if (!socket_) {
        socket_.emplace(co_await open_socket(target_));
        ++counted.connections_made;
    }
    co_await socket_->send_binary(as_bytes(message_));
    counted.sent_bytes += message_.size();
    const auto echoed = co_await socket_->receive_view();
    if (!echoed)
        throw std::runtime_error("the server has closed the WebSocket");
    if (!std::ranges::equal(echoed->bytes(), as_bytes(message_)))
        throw std::runtime_error("the server sends back another message");
    counted.received_bytes += echoed->bytes().size();
}

}  // namespace eddy::apps
