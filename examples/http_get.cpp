// Gets a URL. Without one it serves itself a page over the loopback first.
//
//     build/release/examples/http_get [URL]
//
// It prints:
//
//     hello from the other side
//     put: yes

#include <eddy/core/spawn.hpp>
#include <eddy/http/client.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/server.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/run.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

using namespace eddy;
using namespace std::chrono_literals;

namespace {

class page final : public http::request_handler {
public:
    prompt_task<> handle(http::exchange& asked) override {
        return asked.answer(http::status::ok, {}, "hello from the other side");
    }
};

// [snippet: get]
task<std::string> get_page(std::string to) {
    http::client_response answer = co_await http::get(std::move(to));
    co_return co_await answer.text();
}
// [/snippet]

// [snippet: put]
task<bool> put_thing(http::client& by, std::string to, std::string text) {
    http::client_request wanted(http::method::put, to);
    wanted.content(std::move(text), "text/plain").bearer_auth("secret").total_time(30s);
    const http::client_response answer = co_await by.send(std::move(wanted));
    co_return answer.is_success();
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
