// Gets a URL. Without one it serves itself a page over the loopback first.
//
//     build/release/examples/http_get [URL]
//
// It prints:
//
//     hello from the other side
//     put: yes
//     a link to http://127.0.0.1/other?page=2

#include <eddy/core/spawn.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <utility>

using namespace eddy;
using namespace std::chrono_literals;

namespace {

class page final : public http::request_handler {
public:
    ready_or_task<> handle(http::exchange& ex) override {
        const std::array<http::response_field, 1> html = {http::response_field("Content-Type", "text/html")};
        if (ex.request().path() == "/links")
            return ex.respond(http::status::ok, html, "../other?page=2");
        return ex.respond(http::status::ok, {}, "hello from the other side");
    }
};

// [snippet: get]
task<std::string> get_page(std::string to) {
    http::client_response response = co_await http::get(std::move(to));
    co_return co_await response.text();
}
// [/snippet]

// [snippet: put]
task<bool> put_thing(http::client& by, std::string to, std::string text) {
    http::client_request wanted(http::method::put, to);
    wanted.content(std::move(text), "text/plain").bearer_auth("secret").total_time(30s);
    const http::client_response response = co_await by.send(std::move(wanted));
    co_return response.is_success();
}
// [/snippet]

// [snippet: links]
// The URL to which a page of HTML leads that consists of one link, relative to where the page was found.
task<std::optional<http::url>> follow(http::client& by, std::string to) {
    http::client_response response = co_await by.send(http::client_request(http::method::get, std::move(to)));
    const auto type = response.find("Content-Type");
    if (response.status() != http::status::ok || !type || !type->starts_with("text/html"))
        co_return std::nullopt;
    const std::string link = co_await response.body().read_all(100'000);
    co_return response.url().resolve(link);  // url(): of the last redirect
}
// [/snippet]

task<> print_own() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    const std::string origin = "http://127.0.0.1:" + std::to_string(listener.local_endpoint().port());
    page own;
    const handle<> serving = spawn(http::serve(std::move(listener), own));
    const std::string text = co_await get_page(origin + "/");
    http::client by(http::client_options().cookies(true).redirects_max(3));
    const bool is_put = co_await put_thing(by, origin + "/things/7", "a thing");
    std::printf("%s\nput: %s\n", text.c_str(), is_put ? "yes" : "no");
    if (const auto link = co_await follow(by, origin + "/links"); link)
        std::printf("a link to http://%s%s\n", std::string(link->host_name()).c_str(),
                    std::string(link->target()).c_str());
}

task<> print(std::string to) {
    const std::string text = co_await get_page(std::move(to));
    std::printf("%s\n", text.c_str());
}

}  // namespace

int main(int count, char** arguments) {
    try {
        run(count > 1 ? print(arguments[1]) : print_own());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "http_get: %s\n", error.what());
        return 1;
    }
}
