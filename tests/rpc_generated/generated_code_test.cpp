#include "greeter.eddy.hpp"
#include "lite.eddy.hpp"
#include "no_package.eddy.hpp"
#include "odd_names.eddy.hpp"
#include "rpc/rpc_origin.hpp"
#include "shared/point.eddy.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc.hpp>
#include <eddy/rpc/protobuf.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Clients and services that protoc-gen-eddy has written, over a connection in memory.
namespace eddy::rpc::test::generated_code_test {
namespace {

using eddy::test::run_bounded;
using greeting::v1::Greeting;
using greeting::v1::Name;

Name called(const std::string& text) {
    Name name;
    name.set_text(text);
    return name;
}

Greeting greeting_of(const std::string& name) {
    Greeting greeting;
    greeting.set_text("Hello, " + name);
    return greeting;
}

class polite_greeter final : public greeting::v1::greeter_service {
public:
    task<Greeting> greet(server_call& call, Name name) override {
        call.add_initial_metadata("x-method", call.method());
        co_return greeting_of(name.text());
    }
    async_generator<Greeting> greet_forever(server_call&, Name name) override {
        for (;;)
            co_yield greeting_of(name.text());
    }
    task<Greeting> greet_all(server_call&, reader<Name>& names) override {
        std::string all;
        while (const auto name = co_await names.read())
            all += (all.empty() ? "" : " and ") + name->text();
        co_return greeting_of(all);
    }
    async_generator<Greeting> chat(server_call&, reader<Name>& names) override {
        while (const auto name = co_await names.read())
            co_yield greeting_of(name->text());
    }
};

/// As the client has it: `chat` is marked as deprecated.
auto chat_of(const greeting::v1::greeter_client& client) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return client.chat();
#pragma GCC diagnostic pop
}

template <class T>
task<> next_of(async_generator<T>& values) {
    co_await values.next();
}

TEST(generated_code, calls_each_kind_of_method) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        polite_greeter greeter;
        origin.calls.add(greeter);
        channel through = origin.connect();
        const greeting::v1::greeter_client client(through);

        const Greeting one = co_await client.greet(called("Ann"));
        EXPECT_EQ("Hello, Ann", one.text());

        auto many = client.greet_forever(called("Bob"));
        for (int i = 0; i < 3; ++i) {
            const auto next = co_await many.next();
            EXPECT_EQ("Hello, Bob", next->text());
        }

        auto names = client.greet_all();
        co_await names.write(called("Ann"));
        co_await names.write(called("Bob"));
        const Greeting both = co_await names.finish();
        EXPECT_EQ("Hello, Ann and Bob", both.text());

        auto chat = chat_of(client);
        for (const std::string name : {"Ann", "Bob"}) {
            co_await chat.write(called(name));
            const auto reply = co_await chat.read();
            EXPECT_EQ("Hello, " + name, reply->text());
        }
        co_await chat.finish_writing();
        const auto end = co_await chat.read();
        EXPECT_FALSE(end.has_value());
    }());
}

TEST(generated_code, passes_options_on) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        polite_greeter greeter;
        origin.calls.add(greeter);
        channel through = origin.connect();
        const greeting::v1::greeter_client client(through);
        call_info info;
        auto options = call_options().info(&info);
        co_await client.greet(called("Ann"), std::move(options));
        EXPECT_EQ("/greeting.v1.Greeter/Greet", info.initial_metadata().find("x-method"));
    }());
}

TEST(generated_code, speaks_json) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        polite_greeter greeter;
        origin.calls.add(greeter);
        channel through = origin.connect(channel_options().subtype("json"));
        const greeting::v1::greeter_client client(through);
        const Greeting one = co_await client.greet(called("Ann"));
        EXPECT_EQ("Hello, Ann", one.text());

        auto options = call_options().subtype("json");
        const std::string text = co_await call<std::string>(
            through, "/greeting.v1.Greeter/Greet", std::string(R"({"text":"Bob"})"), std::move(options));
        EXPECT_EQ(R"({"text":"Hello, Bob"})", text);
    }());
}

TEST(generated_code, a_method_without_an_override_is_unimplemented) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        greeting::v1::greeter_service nothing;
        origin.calls.add(nothing);
        channel through = origin.connect();
        const greeting::v1::greeter_client client(through);
        const status one = co_await status_of(client.greet(called("Ann")));
        EXPECT_EQ(status_code::unimplemented, one.code());
        EXPECT_NE(std::string::npos, one.message().find("/greeting.v1.Greeter/Greet"));

        auto many = client.greet_forever(called("Ann"));
        EXPECT_EQ(status_code::unimplemented, co_await code_of(next_of(many)));
        auto names = client.greet_all();
        EXPECT_EQ(status_code::unimplemented, co_await code_of(names.finish()));
        auto chat = chat_of(client);
        EXPECT_EQ(status_code::unimplemented, co_await code_of(chat.read()));
    }());
}

TEST(generated_code, what_arrives_and_is_no_message_is_an_internal_error) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        polite_greeter greeter;
        origin.calls.add(greeter);
        channel through = origin.connect();
        auto sent = call<std::string>(through, "/greeting.v1.Greeter/Greet", std::string("\xff"));
        EXPECT_EQ(status_code::internal, co_await code_of(std::move(sent)));
    }());
}

class odd_service final : public odd::eddy::rpc::odd_names_service {
public:
    using outer = odd::eddy::rpc::Outer;
    task<outer> delete_(server_call&, outer request) override { co_return request; }
    task<outer> call(server_call&, outer request) override { co_return request; }
    async_generator<outer> request(server_call&, outer request) override { co_yield request; }
    task<outer> requests(server_call&, reader<outer>& requests) override {
        auto first = co_await requests.read();
        co_return *first;
    }
    async_generator<outer> options(server_call&, reader<outer>& requests) override {
        while (const auto next = co_await requests.read())
            co_yield *next;
    }
    task<shared::geometry::Point> move(server_call&, shared::geometry::Point::Delta by) override {
        shared::geometry::Point moved;
        moved.set_x(1 + by.x());
        co_return moved;
    }
};

TEST(generated_code, has_names_of_its_own_for_those_that_cpp_or_the_classes_have) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        odd_service odd;
        origin.calls.add(odd);
        channel through = origin.connect();
        const odd::eddy::rpc::odd_names_client client(through);
        odd::eddy::rpc::Outer request;
        request.mutable_inner()->set_class_("x");
        const auto deleted = co_await client.delete_(request);
        EXPECT_EQ("x", deleted.inner().class_());
        const auto called = co_await client.call(request);
        EXPECT_EQ("x", called.inner().class_());
        auto many = client.request(request);
        const auto first = co_await many.next();
        EXPECT_EQ("x", first->inner().class_());

        shared::geometry::Point::Delta by;
        by.set_x(2);
        const auto moved = co_await client.move(by);
        EXPECT_EQ(3, moved.x());

        using client_type = odd::eddy::rpc::odd_names_client;
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::errno_)>);
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::name_)>);
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::add_unary_)>);
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::odd_names_client_)>);
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::odd_names_service_)>);
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::http_get)>);
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::list_v2_keys)>);
        static_assert(std::is_member_function_pointer_v<decltype(&client_type::get_thing)>);
    }());
}

TEST(generated_code, names_methods_for_the_wire_as_the_proto_does) {
    odd_service odd;
    EXPECT_EQ("odd.eddy.rpc.OddNames", odd.name());
    std::vector<std::string> names;
    for (const auto& method : odd.methods())
        names.push_back(method.name());
    EXPECT_EQ("Delete", names.front());
    EXPECT_EQ("get__thing", names[12]);
    EXPECT_EQ(16U, names.size());
    odd::eddy::rpc::idle_service idle;
    EXPECT_TRUE(idle.methods().empty());
}

class plain_echo final : public plain_service {
public:
    task<RequiredText> echo(server_call&, RequiredText text) override {
        if (text.text() == "nothing")
            text.clear_text();
        co_return text;
    }
};

RequiredText required(const std::string& text) {
    RequiredText made;
    made.set_text(text);
    return made;
}

TEST(generated_code, needs_no_package) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        plain_echo echo;
        origin.calls.add(echo);
        channel through = origin.connect();
        const plain_client client(through);
        const RequiredText reply = co_await client.echo(required("x"));
        EXPECT_EQ("x", reply.text());
    }());
}

TEST(generated_code, a_required_field_that_is_missing_is_an_internal_error_on_either_side) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        plain_echo echo;
        origin.calls.add(echo);
        channel through = origin.connect();
        const plain_client client(through);
        EXPECT_EQ(status_code::internal, co_await code_of(client.echo(required("nothing"))));
        EXPECT_THROW(static_cast<void>(client.echo(RequiredText())), error);
        auto sent = call<std::string>(through, "/Plain/Echo", std::string());
        EXPECT_EQ(status_code::internal, co_await code_of(std::move(sent)));
    }());
}

class lite_echo final : public lite::echo_service {
public:
    task<lite::Text> echo(server_call&, lite::Text text) override { co_return text; }
};

TEST(generated_code, takes_messages_of_the_lite_runtime_which_have_no_json) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        lite_echo echo;
        origin.calls.add(echo);
        channel through = origin.connect();
        const lite::echo_client client(through);
        lite::Text text;
        text.set_text("x");
        const lite::Text reply = co_await client.echo(text);
        EXPECT_EQ("x", reply.text());
        static_assert(!codec<lite::Text>::knows("json"));
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::generated_code_test
