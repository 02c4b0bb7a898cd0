#include "http/routed.hpp"

#include <eddy/http/routing/health.hpp>
#include <eddy/http/routing/server_metrics.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace eddy::http::test::server_metrics_test {
namespace {

TEST(server_metrics, count_requests_by_route_method_and_status) {
    auto registry = std::make_shared<metrics_registry>();
    {
        routed server([registry](router& routes) {
            routes.use(server_metrics(registry));
            routes.get("/users/{id}", [] { return response::text("12345"); });
            routes.post("/later", []() -> task<response> {
                co_await sleep_for(std::chrono::microseconds(1));
                co_return response(status::accepted);
            });
            routes.get("/wait", []() -> task<> { co_await sleep_for(std::chrono::hours(1)); });
            routes.add("GET", "/metrics", std::make_unique<metrics_page>(registry));
        });
        server.get("/users/1");
        server.get("/users/2");
        server.ask("POST", "/later");
        server.get("/nothing");
        server.ask("BREW", "/users/1");
        const response_seen page = server.get("/metrics");
        EXPECT_EQ(page.field("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
        const auto has = [&page](const std::string& line) {
            EXPECT_NE(page.body.find("\n" + line + "\n"), std::string::npos) << line << " is not in\n"
                                                                             << page.body;
        };
        has(R"(http_requests_total{route="/users/{id}",method="GET",status="200"} 2)");
        has(R"(http_requests_total{route="/later",method="POST",status="202"} 1)");
        has(R"(http_requests_total{route="none",method="GET",status="404"} 1)");
        has(R"(http_requests_total{route="none",method="other",status="501"} 1)");
        has(R"(http_request_duration_seconds_count{route="/users/{id}",method="GET"} 2)");
        has(R"(http_request_duration_seconds_bucket{route="/later",method="POST",le="+Inf"} 1)");
        has("http_requests_in_flight 0");
        blocking_client waiting(server.port());
        waiting.send(get("/wait"));
        while (registry->text().find("\nhttp_requests_in_flight 1\n") == std::string::npos)
            std::this_thread::yield();
    }
    const std::string text = registry->text();
    EXPECT_NE(text.find(R"(http_requests_total{route="/wait",method="GET",status="499"} 1)"),
              std::string::npos);
    EXPECT_NE(text.find("\nhttp_requests_in_flight 0\n"), std::string::npos);
}

TEST(a_health_page, tells_when_the_program_is_not_ready) {
    auto state = std::make_shared<health>();
    routed server(
        [state](router& routes) { routes.add("GET", "/health", std::make_unique<health_page>(state)); });
    EXPECT_EQ(server.said("GET", "/health"), "200 ready\n");
    state->set_ready(false);
    EXPECT_EQ(server.said("GET", "/health"), "503 not ready\n");
    state->set_ready(true);
    EXPECT_EQ(server.said("GET", "/health"), "200 ready\n");
}

TEST(a_health_page, tells_that_the_server_drains) {
    auto page = std::make_shared<health_page>(std::make_shared<health>());
    auto waiting = std::make_shared<door>();
    routed server([&](router& routes) {
        routes.get("/", [page, waiting](exchange& ex) -> task<> {
            co_await *waiting;
            co_await page->handle(ex);
        });
    });
    blocking_client client(server.port());
    client.send(get("/"));
    while (server.call([&] { return server.the_server().statistics().requests; }) == 0)
        std::this_thread::yield();
    server.call([&] {
        server.the_server().drain();
        waiting->open();
    });
    EXPECT_EQ(client.read_response().value_or(response_seen()).status, 503);
}

}  // namespace
}  // namespace eddy::http::test::server_metrics_test
