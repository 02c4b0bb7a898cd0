// Calls, whose client and server may each be dropped or run out of memory.

#include "io_scenarios/http_exchange.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/rpc.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::test::rpc_test {
namespace {

constexpr int messages = 5;

rpc::channel channel_to(endpoint at) {
    return rpc::channel("http://127.0.0.1:" + std::to_string(at.port()));
}

/// What the end of memory at the other end brings about is a lack of memory here, too.
template <class T>
task<T> expect_success(task<T> calling) {
    try {
        co_return co_await std::move(calling);
    } catch (const rpc::error& failed) {
        require(failed.code() != rpc::status_code::deadline_exceeded, "a call that takes too long");
    }
    throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "another status");
}

task<std::string> shout(rpc::server_call& call, std::string text) {
    call.add_initial_metadata("first", "a");
    call.add_trailing_metadata("last-bin", "z");
    co_return text + "!";
}

async_generator<std::string> repeat_text(rpc::server_call&, std::string text) {
    for (int round = 0; round < messages; ++round)
        co_yield text;
}

async_generator<std::string> shout_all(rpc::server_call&, rpc::reader<std::string>& requests) {
    while (auto request = co_await requests.read())
        co_yield *request + "!";
}

task<std::string> join(rpc::server_call&, rpc::reader<std::string>& requests) {
    std::string all;
    while (auto request = co_await requests.read())
        all += *request;
    co_return all;
}

task<> call_twice(endpoint at) {
    const rpc::channel to = channel_to(at);
    for (const std::size_t size : {5U, 50'000U}) {
        const std::string text(size, 'x');
        rpc::call_info info;
        const std::string reply = co_await expect_success(rpc::call<std::string>(
            to, "/test.Echo/Shout", text,
            rpc::call_options().metadata("a-bin", "b").timeout(std::chrono::seconds(60)).info(&info)));
        require(reply == text + "!", "another reply");
        require(info.trailing_metadata().find("last-bin") == "z", "other metadata");
    }
}

task<> read_replies(rpc::channel& to) {
    auto replies = rpc::call_streaming<std::string>(to, "/test.Echo/Repeat", std::string(5000, 'x'));
    int count = 0;
    while (auto reply = co_await replies.next()) {
        require(reply->size() == 5000, "another reply");
        ++count;
    }
    require(count == messages, "another number of replies");
}

task<> receive_stream(endpoint at) {
    rpc::channel to = channel_to(at);
    co_await expect_success(read_replies(to));
}

task<> send_messages(rpc::channel& to) {
    auto requests = rpc::open_stream<std::string, std::string>(to, "/test.Echo/Join");
    bool goes_on = true;
    for (int round = 0; round < messages && goes_on; ++round)
        goes_on = co_await requests.write(std::string(20'000, 'x'));
    const std::string all = co_await requests.finish();
    require(all.size() == messages * 20'000U, "another reply");
}

task<> send_stream(endpoint at) {
    rpc::channel to = channel_to(at);
    co_await expect_success(send_messages(to));
}

task<> exchange_messages(rpc::channel& to) {
    auto talk = rpc::open_stream<std::string, std::string>(
        to, "/test.Echo/ShoutAll", rpc::call_options().compression(rpc::compression::gzip));
    for (int round = 0; round < messages; ++round) {
        const bool goes_on = co_await talk.write(std::to_string(round));
        if (!goes_on)
            break;
        const auto reply = co_await talk.read();
        require(reply == std::to_string(round) + "!", "another reply");
    }
    co_await talk.finish_writing();
    require(!co_await talk.read(), "one reply too many");
}

task<> talk_in_turns(endpoint at) {
    rpc::channel to = channel_to(at);
    co_await expect_success(exchange_messages(to));
}

task<> drop_one(endpoint at) {
    rpc::channel to = channel_to(at);
    {
        auto dropped = rpc::open_stream<std::string, std::string>(to, "/test.Echo/ShoutAll");
        static_cast<void>(co_await dropped.write("x"));
    }
    co_await expect_success(exchange_messages(to));
}

template <task<> (*Client)(endpoint)>
task<> served() {
    rpc::service echo("test.Echo");
    echo.add_unary<std::string, std::string>("Shout", &shout);
    echo.add_server_streaming<std::string, std::string>("Repeat", &repeat_text);
    echo.add_client_streaming<std::string, std::string>("Join", &join);
    echo.add_bidirectional<std::string, std::string>("ShoutAll", &shout_all);
    rpc::services calls(rpc::services_options().compression(rpc::compression::gzip));
    calls.add(echo);
    const auto quietly = [](http::exchange&, const std::exception_ptr&) {};
    co_await serve_client(calls, Client, quick_server().protocol(http::http2()).failure_reporter(quietly));
}

const scenario_suite listed({
    {"unary_calls", &served<&call_twice>},
    {"a_stream_of_replies", &served<&receive_stream>},
    {"a_stream_of_requests", &served<&send_stream>},
    {"streams_both_ways", &served<&talk_in_turns>},
    {"a_call_that_is_dropped", &served<&drop_one>},
});

}  // namespace
}  // namespace eddy::test::rpc_test
