#include "httpd/live/live_page.hpp"

#include "httpd/live/page.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>

#include <array>
#include <stop_token>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::apps {

namespace {

constexpr std::string_view feed_name = "/feed";

// The feed says nothing but what is sent to all; what a page says is read and forgotten.
task<> read_to_end(http::websocket& socket) {
    bool is_open = true;
    while (is_open)
        is_open = (co_await socket.receive_view()).has_value();
}

task<> tell(http::websocket& socket, watch_receiver<live_feed::news_pointer> news, std::stop_token ending) {
    const live_feed::news_pointer first = news.get();
    co_await socket.send_text(first->history());
    for (bool goes_on = true; goes_on && !ending.stop_requested();) {
        goes_on = co_await news.changed();
        const live_feed::news_pointer now = news.get();
        if (now->newest != nullptr)
            co_await socket.send_text(*now->newest);
    }
}

}  // namespace

ready_or_task<> live_page::handle(http::exchange& ex) {
    static const std::array<http::response_field, 3> page_fields = {
        http::response_field("Content-Type", "text/html; charset=utf-8"),
        http::response_field("Cache-Control", "no-cache"),
        http::response_field(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
            "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    };
    static const std::array<http::response_field, 1> allowed = {http::response_field("Allow", "GET, HEAD")};
    const http::method wanted = ex.request().method();
    if (wanted != http::method::get && wanted != http::method::head)
        return ex.respond(http::status::method_not_allowed, allowed, {});
    if (ex.path().ends_with(feed_name))
        return serve_feed(ex);
    return ex.respond(http::status::ok, page_fields, live_page_text);
}

task<> live_page::serve_feed(http::exchange& ex) {
    http::websocket socket = co_await http::accept_websocket(ex);
    try {
        co_await race(read_to_end(socket), tell(socket, feed_.subscribe(), ex.stop_token()));
    } catch (const std::system_error&) {
        // The page leaves, or has gone; close() sends a close frame if that is still possible.
    }
    co_await socket.close(http::websocket_close_code::going_away);
}

}  // namespace eddy::apps
