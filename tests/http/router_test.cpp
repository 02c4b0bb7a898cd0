#include "http/routed.hpp"

#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::test::router_test {
namespace {

/// Answers with a text and the parameters of the path.
auto tell(std::string_view text) {
    return [text = std::string(text)](exchange& ex) {
        std::string body = text;
        for (const auto& parameter : ex.parameters())
            body.append(" ").append(parameter.name()).append("=").append(parameter.value());
        return response::text(body);
    };
}

TEST(a_router, finds_routes_by_method_and_path) {
    routed server([](router& routes) {
        routes.get("/", tell("root"));
        routes.get("/users", tell("list"));
        routes.post("/users", tell("add"));
        routes.get("/users/{id}", tell("one"));
        routes.del("/users/{id}", tell("gone"));
        routes.put("/users/{id}/posts/{post}", tell("post"));
        routes.route("PURGE", "/cache", tell("purged"));
        routes.any("/any", tell("any"));
    });
    EXPECT_EQ(server.said("GET", "/"), "200 root");
    EXPECT_EQ(server.said("GET", "/?a=/users"), "200 root");
    EXPECT_EQ(server.said("GET", "/users"), "200 list");
    EXPECT_EQ(server.said("POST", "/users"), "200 add");
    EXPECT_EQ(server.said("GET", "/users/7"), "200 one id=7");
    EXPECT_EQ(server.said("DELETE", "/users/7"), "200 gone id=7");
    EXPECT_EQ(server.said("PUT", "/users/7/posts/x"), "200 post id=7 post=x");
    EXPECT_EQ(server.said("PURGE", "/cache"), "200 purged");
    EXPECT_EQ(server.said("BREW", "/any"), "200 any");
    EXPECT_EQ(server.said("PATCH", "/any"), "200 any");
    EXPECT_EQ(server.said("GET", "/nothing"), "404 Not Found\n");
    EXPECT_EQ(server.said("GET", "/users/7/posts"), "404 Not Found\n");
    EXPECT_EQ(server.get("//").field("Location"), "/");
    EXPECT_EQ(server.said("GET", "http://test/users"), "200 list");
}

TEST(a_router, takes_the_most_specific_pattern_first_and_goes_back_where_it_leads_nowhere) {
    routed server([](router& routes) {
        routes.get("/{rest...}", tell("rest"));
        routes.get("/a/{x}", tell("parameter"));
        routes.get("/a/b", tell("literal"));
        routes.get("/a/b/c", tell("deep"));
        routes.get("/a/{x}/d", tell("deep parameter"));
        routes.post("/a/{x}", tell("post"));
    });
    EXPECT_EQ(server.said("GET", "/a/b"), "200 literal");
    EXPECT_EQ(server.said("GET", "/a/z"), "200 parameter x=z");
    EXPECT_EQ(server.said("GET", "/a/b/c"), "200 deep");
    EXPECT_EQ(server.said("GET", "/a/b/d"), "200 deep parameter x=b");
    EXPECT_EQ(server.said("GET", "/a/b/e"), "200 rest rest=a/b/e");
    EXPECT_EQ(server.said("GET", "/a"), "200 rest rest=a");
    EXPECT_EQ(server.said("GET", "/"), "200 rest rest=");
    EXPECT_EQ(server.said("GET", "/a//"), "200 rest rest=a//");
    // The literal has no POST; the parameter has.
    EXPECT_EQ(server.said("POST", "/a/b"), "200 post x=b");
}

TEST(a_router, decodes_each_segment_by_itself) {
    routed server([](router& routes) {
        routes.get("/a b/{x}", tell("spaced"));
        routes.get("/caf%C3%A9", tell("coffee"));
        routes.get("/files/{rest...}", tell("files"));
    });
    EXPECT_EQ(server.said("GET", "/a%20b/c%2Fd"), "200 spaced x=c/d");
    EXPECT_EQ(server.said("GET", "/%61%20b/%7Bx%7D"), "200 spaced x={x}");
    EXPECT_EQ(server.said("GET", "/caf%c3%a9"), "200 coffee");
    EXPECT_EQ(server.said("GET", "/a+b/c"), "404 Not Found\n");
    EXPECT_EQ(server.said("GET", "/files/x%20y/z%2Fw"), "200 files rest=x y/z%2Fw");
}

TEST(a_router, finds_text_that_needs_an_escape_by_that_only) {
    routed server([](router& routes) {
        routes.get("/a%2Fb", tell("one segment"));
        routes.get("/100%25", tell("percent"));
        routes.get("/plain", tell("plain"));
        routes.post("/{name}", tell("any name"));
    });
    EXPECT_EQ(server.said("GET", "/a%2Fb"), "200 one segment");
    EXPECT_EQ(server.said("GET", "/a/b"), "404 Not Found\n");
    EXPECT_EQ(server.said("GET", "/100%25"), "200 percent");
    EXPECT_EQ(server.said("GET", "/100%"), "400 Bad Request\n");
    EXPECT_EQ(server.said("GET", "/plain"), "200 plain");
    EXPECT_EQ(server.said("GET", "/%70lain"), "200 plain");
    EXPECT_EQ(server.said("POST", "/plain"), "200 any name name=plain");
}

TEST(a_router, refuses_paths_that_are_malformed_or_climb) {
    routed server([](router& routes) { routes.get("/{rest...}", tell("rest")); });
    for (const std::string_view path :
         {"/%", "/%2", "/%zz", "/a%00b", "/..", "/a/../b", "/a/./b", "/%2e%2e/a", "/a/.%2E", "/%2e"})
        EXPECT_EQ(server.said("GET", path), "400 Bad Request\n") << path;
    EXPECT_EQ(server.said("GET", "/..a/.b"), "200 rest rest=..a/.b");
    std::string deep;
    for (int level = 0; level < 999; ++level)
        deep += "/a";
    EXPECT_EQ(server.get(deep).status, 200);
    EXPECT_EQ(server.get(deep + "/a/a").status, 414);
}

TEST(a_router, answers_head_like_get_and_options_by_itself) {
    routed server([](router& routes) {
        routes.get("/a", tell("got"));
        routes.post("/a", tell("posted"));
        routes.get("/own", tell("got"));
        routes.route("OPTIONS", "/own", tell("own"));
        routes.route("HEAD", "/own", [] { return response::text("x").header("X-Own", "yes"); });
    });
    const response_seen head = server.ask("HEAD", "/a");
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.field("Content-Length"), "3");
    EXPECT_EQ(head.body, "");
    const response_seen options = server.ask("OPTIONS", "/a");
    EXPECT_EQ(options.status, 204);
    EXPECT_EQ(options.field("Allow"), "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(server.said("OPTIONS", "/own"), "200 own");
    EXPECT_EQ(server.ask("HEAD", "/own").field("X-Own"), "yes");
    EXPECT_EQ(server.ask("OPTIONS", "*").status, 204);
    EXPECT_EQ(server.ask("OPTIONS", "*").field("Allow"), "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(server.ask("OPTIONS", "/nothing").status, 404);
}

TEST(a_router, answers_405_with_allow_and_501_for_methods_that_it_does_not_know) {
    routed server([](router& routes) {
        routes.get("/a/b", tell("got"));
        routes.put("/a/{x}", tell("put"));
        routes.del("/{rest...}", tell("gone"));
    });
    const response_seen refused = server.ask("POST", "/a/b");
    EXPECT_EQ(refused.status, 405);
    EXPECT_EQ(refused.field("Allow"), "GET, HEAD, OPTIONS, PUT, DELETE");
    EXPECT_EQ(server.ask("TRACE", "/a/b").status, 405);
    EXPECT_EQ(server.ask("BREW", "/a/b").status, 501);
    EXPECT_EQ(server.ask("get", "/a/b").status, 501);
}

TEST(a_router, redirects_to_the_path_with_or_without_a_slash) {
    routed server([](router& routes) {
        routes.get("/a", tell("a"));
        routes.get("/b/", tell("b"));
        routes.get("/c/{x}", tell("c"));
    });
    EXPECT_EQ(server.get("/a/").status, 308);
    EXPECT_EQ(server.get("/a/?x=%20").field("Location"), "/a?x=%20");
    EXPECT_EQ(server.get("/b").field("Location"), "/b/");
    EXPECT_EQ(server.get("/c/%20/").field("Location"), "/c/%20");
    EXPECT_EQ(server.said("GET", "/b/"), "200 b");
    EXPECT_EQ(server.get("/d/").status, 404);
    EXPECT_EQ(server.get("//evil.example/").status, 404);
}

TEST(a_router, never_redirects_to_another_host) {
    routed server([](router& routes) { routes.get("/{x}/{y}/{z}/", tell("x")); });
    EXPECT_EQ(server.get("//evil.example/a/b").status, 404);
    routed rest([](router& routes) { routes.mount("/{x}", std::make_unique<router>()); });
    EXPECT_EQ(rest.get("/evil.example").field("Location"), "/evil.example/");
}

TEST(a_router, that_is_strict_about_slashes_does_not_redirect) {
    routed server([](router& routes) {
        routes.slashes(trailing_slash::strict);
        routes.get("/a", tell("a"));
    });
    EXPECT_EQ(server.get("/a/").status, 404);
}

TEST(a_router, is_mounted_below_a_prefix) {
    std::string pattern;
    routed server([&pattern](router& routes) {
        auto inner = std::make_unique<router>();
        auto innermost = std::make_unique<router>();
        innermost->get("/deep/{y}", [&pattern](exchange& ex) {
            pattern = ex.route();
            return response::text("deep " + std::string(ex.path()));
        });
        inner->get("/", tell("index"));
        inner->get("/users/{id}", tell("user"));
        inner->mount("/more", std::move(innermost));
        routes.mount("/api/{version}", std::move(inner));
        routes.get("/api/v1/special", tell("special"));
    });
    EXPECT_EQ(server.said("GET", "/api/v2/"), "200 index version=v2");
    EXPECT_EQ(server.get("/api/v2").field("Location"), "/api/v2/");
    EXPECT_EQ(server.said("GET", "/api/v2/users/1"), "200 user version=v2 id=1");
    EXPECT_EQ(server.said("GET", "/api/v1/special"), "200 special");
    EXPECT_EQ(server.said("GET", "/api/v1/more/deep/a%20b"), "200 deep /deep/a%20b");
    EXPECT_EQ(server.call([&] { return pattern; }), "/api/{version}/more/deep/{y}");
    EXPECT_EQ(server.ask("POST", "/api/v1/users/1").status, 405);
    EXPECT_EQ(server.ask("POST", "/api/v1/none").status, 404);
}

TEST(a_router, turns_what_handlers_throw_into_answers) {
    std::string reported;
    routed server([&reported](router& routes) {
        routes.get("/refused", []() -> response { throw request_error(status::conflict, "not now"); });
        routes.get("/later", [](exchange&) -> task<response> {
            co_await sleep_for(std::chrono::microseconds(1));
            throw request_error(status::gone, "too late");
        });
        routes.get("/thrown", []() -> response { throw std::runtime_error("secret"); });
        routes.get("/number", []() -> task<> {
            co_await sleep_for(std::chrono::microseconds(1));
            throw 42;
        });
        routes.get("/alive", tell("alive"));
        routes.on_error([&reported](exchange& ex, const std::exception_ptr& error) {
            reported.append(ex.route()).append(error ? " told;" : " none;");
        });
    });
    EXPECT_EQ(server.said("GET", "/refused"), "409 not now\n");
    EXPECT_EQ(server.said("GET", "/later"), "410 too late\n");
    EXPECT_EQ(server.said("GET", "/thrown"), "500 Internal Server Error\n");
    EXPECT_EQ(server.said("GET", "/number"), "500 Internal Server Error\n");
    EXPECT_EQ(server.said("GET", "/alive"), "200 alive");
    EXPECT_EQ(server.call([&] { return reported; }), "/thrown told;/number told;");
}

TEST(a_router, limits_the_bodies_of_a_route) {
    routed server([](router& routes) {
        routes.post("/a", [](body_text text) { return response::text(*text); }).body_bytes_max(5);
        routes.post("/b", [](body_text text) { return response::text(*text); });
    });
    EXPECT_EQ(server.said("POST", "/a", "", "12345"), "200 12345");
    EXPECT_EQ(server.said("POST", "/a", "", "123456").substr(0, 3), "413");
    EXPECT_EQ(server.said("POST", "/b", "", "123456"), "200 123456");
    blocking_client client(server.port());
    const auto chunked = client.ask(
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n3\r\n456\r\n0\r\n\r\n");
    EXPECT_EQ(chunked.value_or(response_seen()).status, 413);
}

TEST(a_router, answers_what_it_does_not_find_as_it_is_told) {
    routed server([](router& routes) {
        routes.not_found([](exchange& ex) {
            return response::text("no " + std::string(ex.path())).status(status::not_found);
        });
    });
    EXPECT_EQ(server.said("GET", "/x"), "404 no /x");
}

std::string refusal_of(const std::function<void(router&)>& add_routes) {
    router routes;
    try {
        add_routes(routes);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(a_router, refuses_routes_that_conflict) {
    EXPECT_EQ(refusal_of([](router& routes) {
                  routes.get("/a/{x}", tell(""));
                  routes.get("/a/{y}", tell(""));
              }),
              "route GET /a/{y} conflicts with GET /a/{x}");
    EXPECT_EQ(refusal_of([](router& routes) {
                  routes.any("/a", tell(""));
                  routes.any("/a", tell(""));
              }),
              "route any method /a conflicts with any method /a");
    EXPECT_EQ(refusal_of([](router& routes) {
                  routes.mount("/a", std::make_unique<router>());
                  routes.any("/a/{all...}", tell(""));
              }),
              "route any method /a/{all...} conflicts with any method /a/{rest...}");
    EXPECT_EQ(refusal_of([](router& routes) {
                  routes.get("/a/{x}", tell(""));
                  routes.post("/a/{y}", tell(""));
                  routes.get("/a/{x...}", tell(""));
                  routes.get("/a/b", tell(""));
                  routes.any("/a/b", tell(""));
              }),
              "accepted");
}

TEST(a_router, refuses_patterns_that_are_malformed) {
    for (const std::string_view pattern :
         {"", "a", "/a{x}", "/{x}b", "/{}", "/{1}", "/{a b}", "/{x", "/x}", "/{rest...}/a", "/{a}/{a}",
          "/%zz", "/a/../b", "/.", "/{...}",
          "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}/{j}/{k}/{l}/{m}/{n}/{o}/{p}/{q}"})
        EXPECT_NE(refusal_of([&](router& routes) { routes.get(pattern, tell("")); }), "accepted") << pattern;
    EXPECT_NE(refusal_of([&](router& routes) { routes.route("A B", "/", tell("")); }), "accepted");
    EXPECT_NE(refusal_of([&](router& routes) { routes.mount("a", std::make_unique<router>()); }), "accepted");
}

class noting final : public middleware {
public:
    noting(std::string& journal, std::string name) : journal_(journal), name_(std::move(name)) {}
    ready_or_task<> handle(exchange& ex, request_handler& next) override {
        journal_.append("<").append(name_);
        co_await next.handle(ex);
        journal_.append(">").append(std::to_string(to_number(ex.response_status())));
    }

private:
    std::string& journal_;
    std::string name_;
};

TEST(a_router, calls_middleware_from_the_outside_to_the_inside) {
    std::string journal;
    routed server([&journal](router& routes) {
        routes.use(noting(journal, "a")).use(noting(journal, "b"));
        routes.get("/x", tell("x")).use(noting(journal, "c")).use(noting(journal, "d"));
        routes.get("/y", []() -> response { throw std::runtime_error("y"); });
    });
    const auto take_journal = [&] { return server.call([&] { return std::exchange(journal, {}); }); };
    server.get("/x");
    EXPECT_EQ(take_journal(), "<a<b<c<d>200>200>200>200");
    server.get("/nothing");
    EXPECT_EQ(take_journal(), "<a<b>404>404");
    server.get("/y");
    EXPECT_EQ(take_journal(), "<a<b>500>500");
}

TEST(a_router, of_a_thousand_routes_finds_each) {
    routed server([](router& routes) {
        for (int number = 0; number < 1000; ++number)
            routes.get("/route" + std::to_string(number) + "/{x}", tell(std::to_string(number)));
    });
    for (int number = 0; number < 1000; number += 37)
        EXPECT_EQ(server.said("GET", "/route" + std::to_string(number) + "/y"),
                  "200 " + std::to_string(number) + " x=y");
    EXPECT_EQ(server.get("/route1000/y").status, 404);
}

}  // namespace
}  // namespace eddy::http::test::router_test
