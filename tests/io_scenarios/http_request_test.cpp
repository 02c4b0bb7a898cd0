// Requests of every kind and their responses.

#include "io_scenarios/http_exchange.hpp"

#include <string>

namespace eddy::test::http_request_test {
namespace {

task<> get(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask("GET /here HTTP/1.1\r\nHost: t\r\n\r\n");
    require(body == "/here", "another body");
}

task<> head(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string none = co_await client.ask("HEAD /here HTTP/1.1\r\nHost: t\r\n\r\n");
    const std::string body = co_await client.ask("GET /after HTTP/1.1\r\nHost: t\r\n\r\n");
    require(none.empty() && body == "/after", "another body");
}

task<> keep_alive(endpoint at) {
    auto client = co_await http_client::connect(at);
    for (int time = 0; time < 3; ++time) {
        const std::string body = co_await client.ask("GET /again HTTP/1.1\r\nHost: t\r\n\r\n");
        require(body == "/again", "another body");
    }
    const std::string last =
        co_await client.ask("GET /last HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
    require(last == "/last", "another last body");
    co_await client.see_end();
}

task<> pipeline(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send(
        "GET /one HTTP/1.1\r\nHost: t\r\n\r\nGET /later HTTP/1.1\r\nHost: t\r\n\r\n"
        "GET /large HTTP/1.1\r\nHost: t\r\n\r\nGET /four HTTP/1.1\r\nHost: t\r\n\r\n");
    const std::string one = co_await client.read_response(200);
    const std::string two = co_await client.read_response(200);
    const std::string three = co_await client.read_response(200);
    const std::string four = co_await client.read_response(200);
    require(one == "/one" && two == "later" && three == small_handler::large() && four == "/four",
            "another response");
}

task<> piece_by_piece(endpoint at) {
    auto client = co_await http_client::connect(at);
    for (const std::string_view piece : {"GE", "T /pieces HT", "TP/1.1\r\nHo", "st: t\r\n\r", "\n"}) {
        co_await client.send(piece);
        co_await sleep_for(std::chrono::microseconds(100));
    }
    const std::string body = co_await client.read_response(200);
    require(body == "/pieces", "another body");
}

task<> post_with_length(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body =
        co_await client.ask("POST /post HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello");
    const std::string after = co_await client.ask("GET /after HTTP/1.1\r\nHost: t\r\n\r\n");
    require(body == "/post" && after == "/after", "another body");
}

task<> post_in_chunks(endpoint at) {
    auto client = co_await http_client::connect(at);
    co_await client.send("POST /post HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    co_await sleep_for(std::chrono::microseconds(100));
    co_await client.send("5;x=y\r\ndefgh\r\n0\r\nTrailer: t\r\n\r\n");
    const std::string body = co_await client.read_response(200);
    const std::string after = co_await client.ask("GET /after HTTP/1.1\r\nHost: t\r\n\r\n");
    require(body == "/post" && after == "/after", "another body");
}

task<> expect_continue(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask(
        "POST /post HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    require(body == "/post", "another body");
    co_await client.see_end();  // the client may send the body or not, so nothing can follow
}

task<> get_large(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask("GET /large HTTP/1.1\r\nHost: t\r\n\r\n");
    require(body == small_handler::large(), "another body");
}

task<> get_by_old_version(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string kept = co_await client.ask("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const std::string last = co_await client.ask("GET /older HTTP/1.0\r\n\r\n");
    require(kept == "/old" && last == "/older", "another body");
    co_await client.see_end();
}

template <task<> (*Client)(endpoint)>
task<> served() {
    return serve_small(Client);
}

const scenario_suite listed({
    {"a_get", &served<&get>},
    {"a_head", &served<&head>},
    {"requests_one_after_the_other", &served<&keep_alive>},
    {"a_pipeline", &served<&pipeline>},
    {"a_request_in_pieces", &served<&piece_by_piece>},
    {"a_post_with_a_length", &served<&post_with_length>},
    {"a_post_in_chunks", &served<&post_in_chunks>},
    {"a_post_that_expects_to_continue", &served<&expect_continue>},
    {"a_large_answer", &served<&get_large>},
    {"a_client_of_an_old_version", &served<&get_by_old_version>},
});

}  // namespace
}  // namespace eddy::test::http_request_test
