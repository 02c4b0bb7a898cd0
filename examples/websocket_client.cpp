// Talks to a WebSocket server that echoes. Run it beside websocket_echo:
//   build/release/examples/websocket_echo &
//   build/release/examples/websocket_client ws://127.0.0.1:9001/
#include <eddy/eddy.hpp>
#include <eddy/http/websocket/connect_websocket.hpp>

#include <cstdio>
#include <string>

namespace http = eddy::http;

http::websocket_options thrifty() {
    // [snippet: deflate]
    return http::websocket_options().deflate(
        http::deflate_options()
            .wanted(
                http::deflate_parameters().server_no_context_takeover(true).client_no_context_takeover(true))
            .memory_level(4));
    // [/snippet]
}

eddy::task<> send_report(http::websocket& socket) {
    // [snippet: pieces]
    auto report = co_await socket.begin_message(http::message_kind::text);
    for (int line = 1; line <= 3; ++line)
        co_await report.write("line " + std::to_string(line) + "\n");
    co_await report.finish();
    // [/snippet]
}

eddy::task<> talk(std::string url) {
    // [snippet: client]
    http::websocket socket = co_await http::connect_websocket(url, thrifty());
    co_await socket.send_text("hello");
    const auto response = co_await socket.receive();
    // [/snippet]
    std::printf("%s\n", response ? response->text().c_str() : "closed");
    co_await send_report(socket);
    const auto report = co_await socket.receive();
    std::printf("%s", report ? report->text().c_str() : "closed\n");
    co_await socket.close();
}

int main(int count, char** arguments) {
    eddy::run(talk(count > 1 ? arguments[1] : "ws://127.0.0.1:9001/"));
}
