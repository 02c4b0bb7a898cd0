#pragma once

#include <eddy/eddy.hpp>
#include <eddy/http.hpp>

#include <string>
#include <utility>

// A server and a client that speak with each other, by HTTP and by WebSocket.
inline eddy::task<> send_back(eddy::http::exchange& ex) {
    eddy::http::websocket socket = co_await eddy::http::accept_websocket(ex);
    while (auto message = co_await socket.receive_view())
        co_await socket.send(*message);
}

inline eddy::task<bool> ask_itself() {
    eddy::http::router routes;
    routes.get("/answer", [] { return eddy::http::response::text("42"); });
    routes.get("/echo", [](eddy::http::exchange& ex) { return send_back(ex); });
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const std::string where = listener.local_endpoint().to_string();
    auto serving = eddy::spawn(eddy::http::serve(std::move(listener), routes));

    auto answered = co_await eddy::http::get("http://" + where + "/answer");
    const std::string answer = co_await answered.text();
    if (answer != "42")
        co_return false;

    eddy::http::websocket socket = co_await eddy::http::connect_websocket("ws://" + where + "/echo");
    for (const std::string sent : {"a", "b", "c"}) {
        co_await socket.send_text(sent);
        const auto received = co_await socket.receive();
        if (!received || received->text() != sent)
            co_return false;
    }
    co_await socket.close();
    co_return true;
}
