#include <eddy/http/server/request_error.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>

#include <string>
#include <utility>

namespace eddy::http {

task<websocket> accept_websocket(exchange& ex, websocket_options options) {
    const auto agreed = check_websocket_request(ex.request(), options);
    if (!agreed) {
        if (agreed.error().status() == status::upgrade_required) {
            ex.add_field("Upgrade", "websocket");
            ex.add_field("Sec-WebSocket-Version", "13");
        }
        if (agreed.error().status() == status::method_not_allowed)
            ex.add_field("Allow", "GET");
        throw request_error(agreed.error().status(), std::string(agreed.error().reason()));
    }
    const field_block fields = websocket_response(ex.request(), *agreed);
    any_stream stream = co_await ex.upgrade(response_fields(fields));
    co_return websocket(std::move(stream), websocket_role::server, options, *agreed);
}

}  // namespace eddy::http
