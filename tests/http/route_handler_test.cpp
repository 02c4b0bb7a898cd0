#include "http/routed.hpp"

#include <eddy/http/routing/json.hpp>
#include <eddy/http/routing/route_handler.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace eddy::http::test::route_handler_test {

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

// Some fields of types in which not every number fits.
struct figures {
    std::uint32_t count = 0;
    std::uint8_t small = 0;
    std::int64_t large = 0;
    std::uint64_t largest = 0;
    float part = 0;
    std::vector<std::int16_t> list;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(figures, count, small, large, largest, part, list)

// Takes no more than a hundred, whatever is sent.
struct capped {
    unsigned limit = 0;
};
void from_json(const nlohmann::json& from, capped& to) {
    to.limit = std::min(from.at("limit").get<unsigned>(), 100U);
}
void to_json(nlohmann::json& to, const capped& from) {
    to = {{"limit", from.limit}};
}

namespace {

ready_or_task<> free_handler(exchange& ex) {
    return ex.respond(status::ok, {}, "free");
}

TEST(a_route_handler, is_anything_that_can_be_called_and_gives_an_answer) {
    routed server([](router& routes) {
        routes.get("/void", [](exchange& ex) { EXPECT_TRUE(ex.try_respond(status::ok, {}, "void")); });
        routes.get("/free", free_handler);
        routes.get("/task", [](exchange& ex) -> task<> {
            co_await sleep_for(std::chrono::microseconds(1));
            co_await ex.respond(status::ok, {}, "task");
        });
        routes.get("/response", [] { return response::text("response"); });
        routes.get("/later", []() -> task<response> {
            co_await sleep_for(std::chrono::microseconds(1));
            co_return response::text("later");
        });
        routes.get("/prompt", []() -> ready_or_task<response> { return response::text("prompt"); });
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
        routes.get("/{missing}", [](path<"other"> other) { return response::text(*other); });
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
            return response::text(std::to_string(page) + text->value_or("-") +
                                  (all->value_or(false) ? "all" : ""));
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
        routes.post("/", [](form fields, exchange& ex) -> task<response> {
            co_await sleep_for(std::chrono::microseconds(1));
            co_return response::text(fields.get("name") + std::to_string(fields.get<int>("age")) +
                                     std::string(ex.path()));
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

TEST(a_route_handler, refuses_json_with_numbers_that_do_not_fit) {
    routed server([](router& routes) {
        routes.post("/", [](json<figures> sent) { return json_response(*sent); });
        routes.post("/one", [](json<std::uint16_t> sent) { return json_response(*sent); });
        routes.post("/capped", [](json<capped> sent) { return json_response(*sent); });
    });
    const std::string_view type = "Content-Type: application/json\r\n";
    for (const std::string_view wrong :
         {R"({"count": -1})", R"({"count": 4294967296})", R"({"count": 1.5})", R"({"small": 256})",
          R"({"small": -300})", R"({"small": 65536})", R"({"large": 9223372036854775808})",
          R"({"largest": -1})", R"({"part": 1e300})", R"({"list": [1, 2, 32768]})"}) {
        const response_seen response = server.ask("POST", "/", type, wrong);
        EXPECT_EQ(response.status, 422) << wrong;
        EXPECT_EQ(response.body, "a number in the JSON does not fit\n") << wrong;
    }
    for (const std::string_view right :
         {R"({"count": 4294967295})", R"({"count": 7.0})", R"({"small": 255})",
          R"({"large": -9223372036854775808})", R"({"large": 9223372036854775807})",
          R"({"largest": 18446744073709551615})", R"({"part": 0.1})", R"({"part": 16777217})",
          R"({"list": [-32768, 32767]})", R"({"other": -1})"})
        EXPECT_EQ(server.ask("POST", "/", type, right).status, 200) << right;
    EXPECT_EQ(server.said("POST", "/one", type, "65535"), "200 65535");
    EXPECT_EQ(server.ask("POST", "/one", type, "65536").status, 422);
    EXPECT_EQ(server.ask("POST", "/one", type, "-1").status, 422);
    EXPECT_EQ(server.said("POST", "/capped", type, R"({"limit": 5000})"), R"(200 {"limit":100})");
}

TEST(a_route_handler, says_nothing_of_the_program_in_answer_to_wrong_json) {
    routed server(
        [](router& routes) { routes.post("/", [](json<user> sent) { return json_response(*sent); }); });
    EXPECT_EQ(server.said("POST", "/", "Content-Type: application/json\r\n", R"({"name": 1})"),
              "422 the JSON is not what this request takes\n");
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
    const response_seen response = server.ask("POST", "/", type, R"({"name": "x\u00e9", "age": 7})");
    EXPECT_EQ(response.body, "{\"age\":8,\"name\":\"x\xc3\xa9\"}");
    EXPECT_EQ(response.field("Content-Type"), "application/json");
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
}  // namespace eddy::http::test::route_handler_test
