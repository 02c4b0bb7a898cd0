#include "http/routed.hpp"

#include <eddy/http/json.hpp>
#include <eddy/http/route_handler.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace eddy::http::test {

// Not in the namespace without a name: g++ 12 warns of coroutines of headers for types of those.
struct user {
    std::string name;
    int age = 0;
};
void from_json(const nlohmann::json& from, user& to) {
    from.at("name").get_to(to.name);
    from.at("age").get_to(to.age);
}
void to_json(nlohmann::json& to, const user& from) {
    to = {{"name", from.name}, {"age", from.age}};
}

namespace {

prompt_task<> free_handler(exchange& asked) {
    return asked.answer(status::ok, {}, "free");
}

TEST(a_route_handler, is_anything_that_can_be_called_and_gives_an_answer) {
    routed server([](router& routes) {
        routes.get("/void", [](exchange& asked) { EXPECT_TRUE(asked.try_answer(status::ok, {}, "void")); });
        routes.get("/free", free_handler);
        routes.get("/task", [](exchange& asked) -> task<> {
            co_await sleep_for(std::chrono::microseconds(1));
            co_await asked.answer(status::ok, {}, "task");
        });
        routes.get("/response", [] { return response::text("response"); });
        routes.get("/later", []() -> task<response> {
            co_await sleep_for(std::chrono::microseconds(1));
            co_return response::text("later");
        });
        routes.get("/prompt", []() -> prompt_task<response> { return response::text("prompt"); });
        routes.get("/mutable", [count = 0]() mutable { return response::text(std::to_string(++count)); });
        routes.get("/silent", [] {});
    });
    for (const std::string name : {"void", "free", "task", "response", "later", "prompt"})
        EXPECT_EQ(server.said("GET", "/" + name), "200 " + name);
    EXPECT_EQ(server.said("GET", "/mutable"), "200 1");
    EXPECT_EQ(server.said("GET", "/mutable"), "200 2");
    EXPECT_EQ(server.get("/silent").status, 500);
}

TEST(a_route_handler, takes_typed_parameters_of_the_path) {
    routed server([](router& routes) {
        routes.get("/{id}/{name}", [](path<"id", std::uint8_t> id, path<"name", std::string_view> name) {
            return response::text(std::to_string(id) + std::string(*name));
        });
        routes.get("/{missing}", [](path<"other"> other) { return response::text(other.value); });
    });
    EXPECT_EQ(server.said("GET", "/255/x%20y"), "200 255x y");
    for (const std::string wrong : {"256", "-1", "+1", "1.0", "0x1", "1%20", "a"})
        EXPECT_EQ(server.said("GET", "/" + wrong + "/x"), "404 path \"id\" is malformed\n");
    EXPECT_EQ(server.said("GET", "/x"), "404 path \"other\" is missing\n");
}

TEST(a_route_handler, takes_typed_fields_of_the_query) {
    routed server([](router& routes) {
        routes.get("/", [](query<"page", unsigned> page, query<"text", std::optional<std::string>> text,
                           query<"all", std::optional<bool>> all) {
            return response::text(std::to_string(page) + text.value.value_or("-") +
                                  (all.value.value_or(false) ? "all" : ""));
        });
        routes.get("/all", [](query_fields fields) {
            return response::text(std::to_string(fields->size()) + fields->encoded());
        });
    });
    EXPECT_EQ(server.said("GET", "/?page=2"), "200 2-");
    EXPECT_EQ(server.said("GET", "/?text=a+b&page=2&all=true"), "200 2a ball");
    EXPECT_EQ(server.said("GET", "/"), "400 query \"page\" is missing\n");
    EXPECT_EQ(server.said("GET", "/?page=x"), "400 query \"page\" is malformed\n");
    EXPECT_EQ(server.said("GET", "/?page=1&all=2"), "400 query \"all\" is malformed\n");
    EXPECT_EQ(server.get("/?page=1&x=%").status, 400);
    EXPECT_EQ(server.said("GET", "/all?a=1&b=%26"), "200 2a=1&b=%26");
}

TEST(a_route_handler, takes_fields_and_cookies_of_the_head) {
    routed server([](router& routes) {
        routes.get("/", [](header<"X-Count", int> count, request_cookies cookies, request_head head) {
            return response::text(std::to_string(count) + std::string(cookies.find("a").value_or("-")) +
                                  std::string(head.method_name()));
        });
    });
    EXPECT_EQ(server.said("GET", "/", "x-count: 3\r\nCookie: a=b\r\n"), "200 3bGET");
    EXPECT_EQ(server.said("GET", "/"), "400 header \"X-Count\" is missing\n");
}

TEST(a_route_handler, takes_forms) {
    routed server([](router& routes) {
        routes.post("/", [](form fields, exchange& asked) -> task<response> {
            co_await sleep_for(std::chrono::microseconds(1));
            co_return response::text(fields.get("name") + std::to_string(fields.get<int>("age")) +
                                     std::string(asked.path()));
        });
    });
    const std::string_view type = "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n";
    EXPECT_EQ(server.said("POST", "/", type, "name=a+b&age=7"), "200 a b7/");
    EXPECT_EQ(server.said("POST", "/", type, "name=a"), "400 form \"age\" is missing\n");
    EXPECT_EQ(server.ask("POST", "/", type, "name=%").status, 400);
    EXPECT_EQ(server.ask("POST", "/", "", "name=a&age=7").status, 415);
    EXPECT_EQ(server.ask("POST", "/", "Content-Type: text/plain\r\n", "name=a&age=7").status, 415);
    EXPECT_EQ(server.ask("POST", "/", type, std::string((1 << 20) + 1, 'a')).status, 413);
}

TEST(a_route_handler, takes_and_gives_json) {
    routed server([](router& routes) {
        routes.post("/", [](json<user> sent) {
            ++sent->age;
            return json_response(*sent);
        });
        routes.post("/any", [](json<nlohmann::json> sent) { return json_response(sent->size()); });
    });
    const std::string_view type = "Content-Type: application/json\r\n";
    const answer_seen answer = server.ask("POST", "/", type, R"({"name": "x\u00e9", "age": 7})");
    EXPECT_EQ(answer.body, "{\"age\":8,\"name\":\"x\xc3\xa9\"}");
    EXPECT_EQ(answer.field("Content-Type"), "application/json");
    EXPECT_EQ(server.said("POST", "/any", "Content-Type: application/problem+json\r\n", "[1,2]"), "200 2");
    EXPECT_EQ(server.ask("POST", "/", type, "{\"name\": ").status, 400);
    EXPECT_EQ(server.ask("POST", "/", type, "").status, 400);
    EXPECT_EQ(server.ask("POST", "/", type, "{} x").status, 400);
    EXPECT_EQ(server.ask("POST", "/", type, "{\"name\": 1, \"age\": 7}").status, 422);
    EXPECT_EQ(server.ask("POST", "/", type, "{\"name\": \"x\"}").status, 422);
    EXPECT_EQ(server.ask("POST", "/", type, "[]").status, 422);
    EXPECT_EQ(server.ask("POST", "/", "Content-Type: text/plain\r\n", "{}").status, 415);
    EXPECT_EQ(server.ask("POST", "/any", type, std::string(100'000, '[')).status, 400);
    EXPECT_EQ(server.ask("POST", "/", type, "\"" + std::string(1 << 20, 'a') + "\"").status, 413);
    EXPECT_EQ(server.said("POST", "/any", type, "[]"), "200 0");
}

}  // namespace
}  // namespace eddy::http::test
