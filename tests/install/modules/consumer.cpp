// Uses a name of each module, and serves itself a page.
#include <coroutine>
#include <cstdio>
#include <string>
#include <utility>

import eddy;
import eddy.curl;
import eddy.http;
import eddy.http2;
import eddy.pq;
import eddy.redis;
import eddy.rpc;
import eddy.testing;
import eddy.tls;

namespace {

namespace http = eddy::http;

eddy::task<std::string> fetch() {
    http::router routes;
    routes.get("/", [] { return http::response::text("by import"); });
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const auto address = listener.local_endpoint().to_string();
    auto server = eddy::spawn(http::serve(std::move(listener), routes));
    http::client client;
    auto response = co_await client.get("http://" + address + "/");
    co_return co_await response.text();
}

}  // namespace

int main() {
    const eddy::curl::client_options curl;
    const eddy::pq::connection_options database;
    const eddy::redis::options cache;
    const eddy::rpc::status fine;
    const http::http2_options streams;
    const eddy::tls_client_options trust;
    static_cast<void>(curl), static_cast<void>(database), static_cast<void>(cache), static_cast<void>(fine);
    static_cast<void>(streams), static_cast<void>(trust);
    const auto found = eddy::testing::drop_everywhere([]() -> eddy::task<> { co_await eddy::yield(); });
    const auto page = eddy::run(fetch());
    std::printf("%s\n", page.c_str());
    return found && page == "by import" ? 0 : 1;
}
