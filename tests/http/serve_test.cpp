#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/routing/serve.hpp>
#include <eddy/http/server/response.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace eddy::http::serve_test {
namespace {

using eddy::test::run_bounded;

TEST(http_serve, answers_on_every_worker) {
    run_bounded(
        []() -> task<> {
            std::optional<endpoint> where;
            const auto add_routes = [](router& routes) {
                routes.get("/", [] { return response::text(std::to_string(worker::current().index())); });
            };
            auto serving =
                spawn(serve(endpoint::loopback_ipv4(0), add_routes, server_options(),
                            serve_options().on_listening([&where](const endpoint& at) { where = at; })));
            co_await eddy::test::turns_until([&where] { return where.has_value(); });
            const std::string url = "http://" + where->to_string() + "/";
            std::set<std::string> workers;
            while (workers.size() < 2) {
                client asking;  // a connection of its own each time
                client_response response = co_await asking.get(url);
                EXPECT_EQ(response.status(), status::ok);
                workers.insert(co_await response.text());
            }
            EXPECT_EQ(workers, (std::set<std::string>{"0", "1"}));
        }(),
        runtime_options().workers(2));
}

TEST(http_serve, fails_with_what_the_routes_throw) {
    run_bounded(
        []() -> task<> {
            const auto add_routes = [](router& routes) {
                routes.get("no slash", [] { return response::text(""); });
            };
            bool has_failed = false;
            try {
                co_await serve(endpoint::loopback_ipv4(0), add_routes);
            } catch (const std::invalid_argument&) {
                has_failed = true;
            }
            EXPECT_TRUE(has_failed);
        }(),
        runtime_options().workers(2));
}

}  // namespace
}  // namespace eddy::http::serve_test
