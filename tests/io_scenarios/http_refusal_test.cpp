// Requests that are refused, handlers that fail, and clients that go away.

#include "io_scenarios/http_exchange.hpp"

#include <eddy/http/message/limits.hpp>

#include <string>

namespace eddy::test::http_refusal_test {
namespace {

task<> send_nonsense(endpoint at) {
    auto client = co_await http_client::connect(at);
    static_cast<void>(co_await client.ask("GET /here\x01 HTTP/1.1\r\nHost: t\r\n\r\n", 400));
    co_await client.see_end();
}

task<> send_nonsense_behind_a_request(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send("GET /one HTTP/1.1\r\nHost: t\r\n\r\nnonsense\r\n\r\n");
    const std::string body = co_await client.read_response(200);
    require(body == "/one", "another body");
    static_cast<void>(co_await client.read_response(400));
    co_await client.see_end();
}

task<> send_too_much(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string request =
        "GET /here HTTP/1.1\r\nHost: t\r\nX-Long: " + std::string(2000, 'x') + "\r\n\r\n";
    static_cast<void>(co_await client.ask(request, 431));
    co_await client.see_end();
}

task<> announce_too_much(endpoint at) {
    auto client = co_await http_client::connect(at);
    static_cast<void>(
        co_await client.ask("POST /here HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n", 413));
    co_await client.see_end();
}

task<> chunk_too_much(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask(
        "POST /here HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\nabc");
    require(body == "/here", "another body");  // the handler has answered without the body
    co_await client.see_end();
}

task<> let_handler_throw(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send("GET /one HTTP/1.1\r\nHost: t\r\n\r\nGET /throw HTTP/1.1\r\nHost: t\r\n\r\n");
    const std::string body = co_await client.read_response(200);
    require(body == "/one", "another body");
    static_cast<void>(co_await client.read_response(500));
    co_await client.see_end();
}

task<> get_after(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask("GET /after HTTP/1.1\r\nHost: t\r\n\r\n");
    require(body == "/after", "the server serves others no more");
}

void reset(tcp_stream& stream) {
    stream.set_option(io::socket_option::linger_s, 0);
    stream.close();
}

task<> reset_within_request(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send("POST /here HTTP/1.1\r\nHost: t\r\nContent-Length: 500\r\n\r\nonly this");
    co_await sleep_for(std::chrono::microseconds(100));
    reset(client.stream());
    co_await get_after(at);
}

task<> reset_within_answer(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send("GET /large HTTP/1.1\r\nHost: t\r\n\r\nGET /later HTTP/1.1\r\nHost: t\r\n\r\n");
    static_cast<void>(co_await as_result(client.stream().read_leased()));
    reset(client.stream());
    co_await get_after(at);
}

task<> end_within_head(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send("GET /he");
    co_await client.end_sending();
    co_await client.see_end();
}

task<> be_slow(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send("GET /he");
    static_cast<void>(co_await client.read_response(408));
    co_await client.see_end();
}

task<> be_idle(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.see_end();
}

template <task<> (*Client)(endpoint)>
task<> served() {
    return serve_small(Client);
}

template <task<> (*Client)(endpoint)>
task<> served_within_limits() {
    return serve_small(
        Client, quick_server().limits(http::message_limits().head_bytes_max(1000).body_bytes_max(1000)));
}

task<> served_impatiently() {
    return serve_small(&be_slow, quick_server().head_timeout(std::chrono::milliseconds(2)));
}

task<> served_while_idle() {
    return serve_small(&be_idle, quick_server().idle_timeout(std::chrono::milliseconds(2)));
}

const scenario_suite listed({
    {"a_bad_request", &served<&send_nonsense>},
    {"a_bad_request_behind_a_good_one", &served<&send_nonsense_behind_a_request>},
    {"a_head_that_is_too_large", &served_within_limits<&send_too_much>},
    {"a_body_that_is_too_large", &served_within_limits<&announce_too_much>},
    {"a_chunk_that_is_too_large", &served_within_limits<&chunk_too_much>},
    {"a_handler_that_throws", &served<&let_handler_throw>},
    {"a_client_that_resets_its_request", &served<&reset_within_request>},
    {"a_client_that_resets_its_answer", &served<&reset_within_answer>},
    {"a_client_that_ends_within_a_head", &served<&end_within_head>},
    {"a_client_that_is_slow", &served_impatiently},
    {"a_client_that_is_idle", &served_while_idle},
});

}  // namespace
}  // namespace eddy::test::http_refusal_test
