#include "http/routed.hpp"

#include <eddy/http/server/event_stream.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace eddy::http::test::event_stream_test {
namespace {

using namespace std::chrono_literals;

async_generator<server_event> three() {
    for (int number = 1; number <= 3; ++number)
        co_yield server_event(std::to_string(number)).id(std::to_string(number));
}

async_generator<server_event> for_ever(std::shared_ptr<bool> gone) {
    struct noted {
        explicit noted(std::shared_ptr<bool> reported) : flag(std::move(reported)) {}
        ~noted() { *flag = true; }
        std::shared_ptr<bool> flag;
    };
    const noted here(std::move(gone));
    co_yield server_event("first");
    co_await sleep_for(1h);
}

async_generator<server_event> failing() {
    co_yield server_event("first");
    throw std::runtime_error("no more");
}

/// Reads until the text has come.
std::string read_until(blocking_client& client, std::string_view text) {
    std::string seen;
    while (seen.find(text) == std::string::npos) {
        const std::string more = client.read_some();
        if (more.empty())
            return seen + " ended";
        seen += more;
    }
    return seen;
}

TEST(an_event_stream, sends_what_a_generator_gives_and_ends_with_it) {
    routed server([](router& routes) { routes.get("/", [] { return event_response(three()); }); });
    blocking_client client(server.port());
    client.send(get("/"));
    const std::string seen = read_until(client, "0\r\n\r\n");
    EXPECT_TRUE(seen.starts_with("HTTP/1.1 200 OK\r\n")) << seen;
    EXPECT_NE(seen.find("\r\nContent-Type: text/event-stream\r\n"), std::string::npos) << seen;
    EXPECT_NE(seen.find("\r\nCache-Control: no-store\r\n"), std::string::npos) << seen;
    for (const std::string number : {"1", "2", "3"})
        EXPECT_NE(seen.find("id: " + number + "\ndata: " + number + "\n\n"), std::string::npos) << seen;
    // The connection goes on.
    EXPECT_EQ(server.ask("HEAD", "/").status, 200);
}

TEST(an_event_stream, sends_comments_while_there_is_nothing_to_tell) {
    auto gone = std::make_shared<bool>(false);
    routed server([gone](router& routes) {
        routes.get("/", [gone](exchange& ex) -> task<> { co_await send_events(ex, for_ever(gone), 1ms); });
    });
    blocking_client client(server.port());
    client.send(get("/"));
    EXPECT_NE(read_until(client, ": \n\n").find("data: first\n\n"), std::string::npos);
    EXPECT_FALSE(read_until(client, ": \n\n").ends_with("ended"));
    // Who has gone is noticed by them, and the generator is dropped.
    client.reset();
    while (!server.call([&] { return *gone; }))
        std::this_thread::yield();
}

TEST(an_event_stream, ends_when_the_server_drains) {
    auto gone = std::make_shared<bool>(false);
    routed server(
        [gone](router& routes) { routes.get("/", [gone] { return event_response(for_ever(gone), 1h); }); });
    blocking_client client(server.port());
    client.send(get("/"));
    read_until(client, "first");
    auto left = server.drain_and_join(10s);
    EXPECT_TRUE(client.read_to_end().ends_with("0\r\n\r\n"));
    EXPECT_EQ(left.get(), 0U);
    EXPECT_TRUE(*gone);
}

TEST(an_event_stream, goes_with_its_server) {
    auto gone = std::make_shared<bool>(false);
    routed server(
        [gone](router& routes) { routes.get("/", [gone] { return event_response(for_ever(gone), 1h); }); });
    blocking_client client(server.port());
    client.send(get("/"));
    read_until(client, "first");
    server.drop();
    EXPECT_TRUE(*gone);
}

TEST(an_event_stream, is_cut_short_when_its_generator_fails) {
    routed server([](router& routes) { routes.get("/", [] { return event_response(failing()); }); });
    blocking_client client(server.port());
    client.send(get("/"));
    const std::string seen = client.read_to_end();
    EXPECT_NE(seen.find("data: first"), std::string::npos);
    EXPECT_FALSE(seen.ends_with("0\r\n\r\n"));
}

TEST(an_event_stream, is_told_what_the_client_has_seen_last) {
    routed server([](router& routes) {
        routes.get("/", [](exchange& ex) -> task<> {
            event_stream events(ex);
            co_await events.begin();
            const server_event event =
                server_event(std::string(events.last_event_id().value_or("none"))).type("seen");
            co_await events.send(event);
        });
    });
    blocking_client client(server.port());
    client.send(get("/", "Last-Event-ID: 42\r\n"));
    EXPECT_NE(read_until(client, "0\r\n\r\n").find("event: seen\ndata: 42\n\n"), std::string::npos);
}

}  // namespace
}  // namespace eddy::http::test::event_stream_test
