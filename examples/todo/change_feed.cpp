#include "change_feed.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>

#include <chrono>
#include <system_error>
#include <utility>

namespace todo {

namespace {

namespace http = eddy::http;
using namespace std::chrono_literals;

constexpr const char* hello = R"({"event":"hello"})";
constexpr const char* reset = R"({"event":"reset"})";

// Messages from a page are ignored; but pings and the end are only handled while receiving.
eddy::task<> listen(http::websocket& socket) {
    for (bool is_open = true; is_open;) {
        const auto heard = co_await socket.receive_view();
        is_open = heard.has_value();
    }
}

}  // namespace

/// Counts a listener for as long as it is there.
class change_feed::presence {
public:
    explicit presence(http::metric_gauge& listeners) noexcept : listeners_(listeners) { listeners_.add(1); }
    presence(const presence&) = delete;
    presence& operator=(const presence&) = delete;
    ~presence() { listeners_.add(-1); }

private:
    http::metric_gauge& listeners_;
};

change_feed::change_feed(http::metrics_registry& registry)
    : listeners_(registry.make_gauge("todo_feed_listeners", "Open connections of the change feed")),
      resets_(registry.make_counter("todo_feed_resets_total",
                                    "Times that a listener had to fetch the list anew")) {}

void change_feed::tell(std::string message) {
    messages_.send(std::make_shared<const std::string>(std::move(message)));
}

void change_feed::tell_reset() {
    ++resets_;
    tell(reset);
}

eddy::task<> change_feed::serve(http::exchange& ex) {
    auto receiver = messages_.subscribe();  // before the handshake ends, so that nothing is missed after it
    http::websocket socket = co_await http::accept_websocket(
        ex, http::websocket_options().message_bytes_max(1024).ping_interval(20s).close_timeout(2s));
    const presence here(listeners_);
    try {
        // Whatever ends first ends the session, and the other is dropped.
        co_await eddy::race(listen(socket), pass_on(std::move(receiver), socket));
        co_await socket.close(http::websocket_close_code::going_away, "the service stops");
    } catch (const std::system_error&) {
        // The connection is lost, or the client broke the protocol and got a close code.
    }
}

eddy::task<> change_feed::pass_on(eddy::broadcast_receiver<message> from, http::websocket& socket) {
    co_await socket.send_text(hello);
    for (;;) {
        auto next = co_await from.recv();
        if (next.is_closed())
            co_return;
        if (next) {
            co_await socket.send_text(**next);
        } else {
            ++resets_;
            co_await socket.send_text(reset);
        }
    }
}

}  // namespace todo
