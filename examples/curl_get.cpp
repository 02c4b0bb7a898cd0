// Gets URLs by libcurl, all at the same time, and says how each has gone. Without any it serves itself some
// pages over the loopback first.
//
//     build/release/examples/curl_get [URL...]
//
// It prints:
//
//     /one: 200, 100000 bytes
//     /two: 200, 100000 bytes
//     /nowhere: 404, 0 bytes
//     upload: 11 bytes taken
//     /slow: Timeout was reached

#include <eddy/core/async_generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/event.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

using namespace eddy;
using namespace std::chrono_literals;

namespace {

// [snippet: body]
task<std::size_t> count_bytes(curl::transfer& response) {
    std::size_t count = 0;
    auto pieces = response.pieces();
    for (;;) {
        const std::optional<std::span<const std::byte>> piece = co_await pieces.next();
        if (!piece)
            co_return count;
        count += piece->size();
    }
}
// [/snippet]

// [snippet: get]
task<std::string> outcome_of(curl::client& by, std::string url) {
    try {
        curl::transfer response = co_await by.get(std::move(url));
        const std::size_t count = co_await count_bytes(response);
        co_return std::to_string(response.status()) + ", " + std::to_string(count) + " bytes";
    } catch (const std::system_error& error) {
        co_return error.code().message();
    }
}
// [/snippet]

// [snippet: many]
task<std::vector<std::string>> outcomes_of(curl::client& by, std::vector<std::string> urls) {
    std::vector<handle<std::string>> running;
    for (std::string& url : urls)
        running.push_back(spawn(outcome_of(by, std::move(url))));
    std::vector<std::string> outcomes;
    for (handle<std::string>& each : running)
        outcomes.push_back(co_await each);
    co_return outcomes;
}
// [/snippet]

// [snippet: upload]
async_generator<std::string> words() {
    co_yield "hello";
    co_yield ", ";
    co_yield "you";
    co_yield "!";
}

task<std::string> put_words(curl::client& by, std::string url) {
    curl::request req(std::move(url));
    req.method("PUT").body(curl::upload::of_texts(words()), "text/plain").bearer("secret");
    curl::transfer response = co_await by.send(std::move(req));
    co_return co_await response.read_all();
}
// [/snippet]

class pages final : public http::request_handler {
public:
    ready_or_task<> handle(http::exchange& ex) override { return respond(ex); }

private:
    static task<> respond(http::exchange& ex) {
        const std::string path(ex.path());
        const std::string body = co_await ex.body().read_all(1000);
        if (path == "/slow") {
            event<> never;
            co_await never.wait();
        }
        std::string text(100'000, 'x');
        if (!body.empty())
            text = std::to_string(body.size()) + " bytes taken";
        if (path == "/nowhere")
            co_await ex.respond(http::status::not_found, {}, "");
        else
            co_await ex.respond(http::status::ok, {}, text);
    }
};

task<> print_own() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    const std::string origin = "http://127.0.0.1:" + std::to_string(listener.local_endpoint().port());
    pages own;
    const handle<> serving = spawn(http::serve(std::move(listener), own));
    curl::client by;
    const std::vector<std::string> paths{"/one", "/two", "/nowhere"};
    std::vector<std::string> urls;
    for (const std::string& path : paths)
        urls.push_back(origin + path);
    const std::vector<std::string> outcomes = co_await outcomes_of(by, urls);
    for (std::size_t at = 0; at < paths.size(); ++at)
        std::printf("%s: %s\n", paths[at].c_str(), outcomes[at].c_str());
    const std::string reported = co_await put_words(by, origin + "/words");
    std::printf("upload: %s\n", reported.c_str());
    curl::client impatient(curl::client_options().transfers(curl::transfer_options().total_time(100ms)));
    const std::string late = co_await outcome_of(impatient, origin + "/slow");
    std::printf("/slow: %s\n", late.c_str());
}

task<> print(std::vector<std::string> urls) {
    curl::client by;
    const std::vector<std::string> outcomes = co_await outcomes_of(by, urls);
    for (std::size_t at = 0; at < urls.size(); ++at)
        std::printf("%s: %s\n", urls[at].c_str(), outcomes[at].c_str());
}

}  // namespace

int main(int count, char** arguments) {
    try {
        run(count > 1 ? print({arguments + 1, arguments + count}) : print_own());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "curl_get: %s\n", error.what());
        return 1;
    }
}
