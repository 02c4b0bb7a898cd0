#include "http/message/characters.hpp"
#include "http/message/field_syntax.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/http/codec/detail/response_parser.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/url.hpp>
#include <eddy/http/websocket/connect_websocket.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

[[noreturn]] void refuse_handshake(std::string_view reason) {
    throw std::system_error(websocket_error::handshake_refused, std::string(reason));
}

std::string request_text(std::string_view host, std::string_view target, std::string_view key,
                         const websocket_options& options) {
    if (!target.starts_with('/') || !all_are(target, character::target))
        throw std::invalid_argument("the target of a request begins with a slash and has no spaces");
    if (!is_field("Host", host))
        throw std::invalid_argument("this is no host");
    std::string text = "GET ";
    text += target;
    text += " HTTP/1.1\r\nHost: ";
    text += host;
    text += "\r\n";
    text += websocket_request(key, options).text();
    text += "\r\n";
    return text;
}

websocket_response_head noted(const response_head& response) {
    websocket_response_head head(response.status());
    for (std::size_t at = 0; at < response.header_count(); ++at)
        head.line(response.header(at).name(), response.header(at).value());
    return head;
}

task<websocket> shake_hands(any_stream stream, std::string request, std::string key,
                            websocket_options options) {
    co_await stream.write_all(as_bytes(request));
    const message_limits limits;
    response_parser parser(limits, method::get);
    std::string received;
    for (;;) {
        buffer_lease arrived = co_await stream.read_leased();
        if (arrived.empty())
            refuse_handshake("the server ends the connection");
        received += as_text(arrived.bytes());
        parse_result parsed = parser.parse(received);
        // Interim answers may come before (RFC 9110 section 15.2).
        while (parsed.state() == parse_state::complete && is_interim(parser.head(received).status()) &&
               parser.head(received).status() != status::switching_protocols) {
            received.erase(0, parsed.head_size());
            parser.reset(method::get);
            parsed = parser.parse(received);
        }
        if (parsed.state() == parse_state::error)
            refuse_handshake(parsed.error().reason());
        if (parsed.state() == parse_state::need_more)
            continue;
        const auto agreed = check_websocket_response(noted(parser.head(received)), key, options);
        if (!agreed)
            refuse_handshake(agreed.error());
        // The head was not complete before, so what follows it is in the last piece.
        arrived.remove_prefix(arrived.size() - (received.size() - parsed.head_size()));
        co_return websocket(std::move(stream), websocket_role::client, options, *agreed, std::move(arrived));
    }
}

task<any_stream> connect_to(url server, websocket_options options) {
    tcp_stream plain = co_await connect(std::string(server.host_name()), server.port_or_default());
    if (!server.is_secure())
        co_return any_stream(std::move(plain));
    tls_context context = options.tls() ? *options.tls() : tls_context(tls_client_options());
    // Made outside of the await: g++ 12 cannot compile the list inside of it.
    tls_target target(std::string(server.host_name()));
    target.alpn({"http/1.1"});
    co_return any_stream(co_await tls_connect(std::move(plain), std::move(context), std::move(target)));
}

task<websocket> connect_and_open(url server, websocket_options options) {
    any_stream stream = co_await connect_to(server, options);
    // The limit is on all of it, and stands already.
    websocket_options unlimited = options;
    unlimited.connect_timeout(duration::max());
    co_return co_await open_websocket(std::move(stream), server.authority(), server.target(),
                                      std::move(unlimited));
}

task<websocket> within(duration limit, task<websocket> opening) {
    co_return co_await with_timeout(std::move(opening), limit);
}

}  // namespace

task<websocket> open_websocket(any_stream stream, std::string_view host, std::string_view target,
                               websocket_options options) {
    std::string key = make_websocket_key();
    std::string request = request_text(host, target, key, options);
    const duration limit = options.connect_timeout();
    return within(limit,
                  shake_hands(std::move(stream), std::move(request), std::move(key), std::move(options)));
}

task<websocket> connect_websocket(std::string_view address, websocket_options options) {
    const auto server = url::parse(address);
    if (!server || (server->scheme() != "ws" && server->scheme() != "wss"))
        throw std::invalid_argument("a WebSocket's URL begins with ws:// or wss://");
    if (!server->user_info().empty())
        throw std::invalid_argument("a WebSocket's URL has no user: say it in a field");
    const duration limit = options.connect_timeout();
    return within(limit, connect_and_open(*server, std::move(options)));
}

}  // namespace eddy::http
