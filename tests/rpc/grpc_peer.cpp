// A service, and a client of one, whose messages are bytes, for tests with implementations that are not ours.
//
//   rpc_grpc_peer serve [CHAIN KEY]            prints where it listens, until its standard input ends
//   rpc_grpc_peer call TARGET [CHAIN]          calls the methods of test.Echo there; 0 if all was right
//   rpc_grpc_peer ask TARGET CONFIG            calls test.Echo's Who for each byte of its input, and prints each reply

#include <eddy/core/async_generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/rpc.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_server_options.hpp>
#include <eddy/tls/tls_trust.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace eddy::rpc::test {
namespace {

using namespace std::chrono_literals;

int cancelled = 0;

/// Counts handlers that were dropped.
class watch {
public:
    watch() = default;
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch() { cancelled += has_ended ? 0 : 1; }
    bool has_ended = false;
};

void add_methods(service& echo) {
    echo.add_unary<std::string, std::string>(
        "Unary", [](server_call& call, std::string text) -> task<std::string> {
            if (const auto value = call.request_metadata().find("x-echo"))
                call.add_initial_metadata("x-echo", *value);
            if (const auto value = call.request_metadata().find("x-echo-bin"))
                call.add_trailing_metadata("x-echo-bin", *value);
            co_return text;
        });
    echo.add_unary<std::string, std::string>("Fail", [](server_call&, std::string) -> task<std::string> {
        throw error(status(status_code::failed_precondition, "no: \xc3\xbc %", "\x08\x09"));
        co_return "";
    });
    echo.add_unary<std::string, std::string>("Wait", [](server_call&, std::string) -> task<std::string> {
        watch kept;
        event<> never;
        co_await never.wait();
        co_return "";
    });
    echo.add_unary<std::string, std::string>("Cancelled", [](server_call&, std::string) -> task<std::string> {
        co_return std::to_string(cancelled);
    });
    echo.add_server_streaming<std::string, std::string>(
        "Repeat", [](server_call&, std::string count) -> async_generator<std::string> {
            watch kept;
            for (int round = 0; round < std::stoi(count); ++round)
                co_yield std::to_string(round);
            kept.has_ended = true;
        });
    echo.add_client_streaming<std::string, std::string>(
        "Join", [](server_call&, reader<std::string>& requests) -> task<std::string> {
            std::string all;
            while (auto request = co_await requests.read())
                all += *request;
            co_return all;
        });
    echo.add_bidirectional<std::string, std::string>(
        "Talk", [](server_call&, reader<std::string>& requests) -> async_generator<std::string> {
            watch kept;
            while (auto request = co_await requests.read())
                co_yield *request;
            kept.has_ended = true;
        });
}

task<int> serve(std::span<char* const> files) {
    service echo("test.Echo");
    add_methods(echo);
    services calls(services_options().compression(compression::gzip));
    calls.add(echo);
    http::server_options options;
    options.protocol(http::http2());
    if (files.size() == 2)
        options.tls(tls_context(tls_server_options(tls_certificate::files(files[0], files[1])).alpn({"h2"})));
    http::server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), calls, std::move(options));
    std::printf("127.0.0.1:%u\n", static_cast<unsigned>(served.listener().local_endpoint().port()));
    std::fflush(stdout);
    const handle<> running = spawn(served.run(), "server");
    std::array<std::byte, 1> none;
    auto input = standard_input();
    static_cast<void>(co_await input.read(none));
    co_return 0;
}

void require(bool is_right, const char* what) {
    if (!is_right)
        throw std::runtime_error(what);
}

template <class T>
task<status> status_of(task<T> calling) {
    try {
        static_cast<void>(co_await std::move(calling));
    } catch (const error& failed) {
        co_return failed.status();
    }
    co_return status();
}

task<int> call_all(std::span<char* const> arguments) {
    channel_options options;
    if (arguments.size() > 1)
        options.tls(tls_context(tls_client_options().trust(tls_trust().file(arguments[1]))));
    const channel to(arguments[0], options);
    const std::string bytes("\0\x01\xff", 3);
    call_info info;
    const std::string reply = co_await call<std::string>(
        to, "/test.Echo/Unary", std::string("hello"),
        call_options().metadata("x-echo", "a b").metadata("x-echo-bin", bytes).info(&info).timeout(60s));
    require(reply == "hello", "a reply");
    require(info.initial_metadata().find("x-echo") == "a b", "initial metadata");
    require(info.trailing_metadata().find("x-echo-bin") == bytes, "trailing metadata");
    const std::string large(3'000'000, 'x');
    const std::string echoed = co_await call<std::string>(to, "/test.Echo/Unary", large,
                                                          call_options().compression(compression::gzip));
    require(echoed == large, "a large reply");

    const status failed = co_await status_of(call<std::string>(to, "/test.Echo/Fail", std::string()));
    require(failed == status(status_code::failed_precondition, "no: \xc3\xbc %", "\x08\x09"), "a status");
    const status unknown = co_await status_of(call<std::string>(to, "/test.Echo/None", std::string()));
    require(unknown.code() == status_code::unimplemented, "a method that is not there");
    // Before the handler began, if the machine was busy.
    std::string before = "0";
    while (before == "0") {
        const status late = co_await status_of(
            call<std::string>(to, "/test.Echo/Wait", std::string(), call_options().timeout(50ms)));
        require(late.code() == status_code::deadline_exceeded, "a deadline");
        before = co_await call<std::string>(to, "/test.Echo/Cancelled", std::string());
    }

    auto replies = call_streaming<std::string>(to, "/test.Echo/Repeat", std::string("1000"));
    int count = 0;
    while (const auto each = co_await replies.next())
        require(*each == std::to_string(count++), "a stream of replies");
    require(count == 1000, "the end of a stream");

    auto requests = open_stream<std::string, std::string>(to, "/test.Echo/Join");
    std::string expected;
    for (int round = 0; round < 1000; ++round) {
        require(co_await requests.write(std::to_string(round)), "a request");
        expected += std::to_string(round);
    }
    const std::string joined = co_await requests.finish();
    require(joined == expected, "a stream of requests");

    auto talk = open_stream<std::string, std::string>(to, "/test.Echo/Talk");
    for (int round = 0; round < 100; ++round) {
        require(co_await talk.write(std::to_string(round)), "a request of a talk");
        const auto each = co_await talk.read();
        require(each == std::to_string(round), "a reply of a talk");
    }
    co_await talk.finish_writing();
    require(!co_await talk.read(), "the end of a talk");

    {
        auto dropped = call_streaming<std::string>(to, "/test.Echo/Repeat", std::string("1000000000"));
        static_cast<void>(co_await dropped.next());
        before = co_await call<std::string>(to, "/test.Echo/Cancelled", std::string());
    }
    for (std::string seen = before; seen == before;)
        seen = co_await call<std::string>(to, "/test.Echo/Cancelled", std::string());
    co_return 0;
}

task<int> ask(std::string target, std::string config) {
    const channel to(target, channel_options().service_config(std::move(config)).reconnect_wait(10ms, 50ms));
    std::array<std::byte, 1> asked;
    auto input = standard_input();
    for (;;) {
        const std::size_t count = co_await input.read(asked);
        if (count == 0)
            co_return 0;
        std::string reply;
        const auto calling = [&]() -> task<bool> {
            reply =
                co_await call<std::string>(to, "/test.Echo/Who", std::string(), call_options().timeout(30s));
            co_return true;
        };
        const status end = co_await status_of(calling());
        std::printf("%s\n", end.is_ok() ? reply.c_str() : std::string(to_string(end.code())).c_str());
        std::fflush(stdout);
    }
}

}  // namespace
}  // namespace eddy::rpc::test

int main(int count, char** arguments) {
    using namespace eddy::rpc::test;
    const std::span<char* const> all(arguments, static_cast<std::size_t>(count));
    try {
        if (count >= 2 && std::string(arguments[1]) == "serve")
            return eddy::run(serve(all.subspan(2)));
        if (count >= 3 && std::string(arguments[1]) == "call")
            return eddy::run(call_all(all.subspan(2)));
        if (count == 4 && std::string(arguments[1]) == "ask")
            return eddy::run(ask(arguments[2], arguments[3]));
    } catch (const std::exception& failed) {
        std::fprintf(stderr, "failed: %s\n", failed.what());
        return 1;
    }
    return 2;
}
