#pragma once

#include "support/numbered_text.hpp"

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/sync/event.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::test {

/// What the tests ask: each path has its own behaviour.
class test_answers final : public http::request_handler {
public:
    ready_or_task<> handle(http::exchange& ex) override { return answer(ex); }

    /// Opened by the test, for /gated.
    event<> gate;
    /// Body bytes that /endless has written, and /taking has read.
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    int exchanges = 0;

private:
    static std::string value_of(http::exchange& ex, std::string_view name) {
        return std::string(ex.request().find(name).value_or("-"));
    }

    task<> answer(http::exchange& ex) {
        ++exchanges;
        const std::string path(ex.path());
        if (path.starts_with("/bytes/"))
            return answer_bytes(ex, std::stoul(path.substr(7)));
        if (path == "/endless")
            return write_for_ever(ex);
        if (path == "/gated")
            return answer_gated(ex);
        if (path == "/never")
            return wait_for_ever(ex);
        if (path == "/taking")
            return take(ex);
        if (path == "/trailers")
            return answer_with_trailers(ex);
        if (path == "/moved")
            return move_to(ex, http::status::found, "/echo?moved");
        if (path == "/moved-as-it-is")
            return move_to(ex, http::status::temporary_redirect, "/echo?moved");
        if (path == "/round")
            return move_to(ex, http::status::found, "/round");
        if (path == "/cookie")
            return set_cookie(ex);
        if (path == "/missing")
            return respond_plainly(ex, http::status::not_found, "no such thing");
        return echo(ex);
    }

    static task<> respond_plainly(http::exchange& ex, http::status code, std::string text) {
        co_await ex.respond(code, {}, text);
    }
    /// The request in words.
    static task<> echo(http::exchange& ex) {
        const std::string body = co_await ex.body().read_all(1 << 26);
        std::string text(ex.request().method_name());
        text += " ";
        text += ex.request().target();
        for (const std::string_view name :
             {"Content-Type", "Authorization", "Cookie", "X-Test", "User-Agent"})
            text += "|" + value_of(ex, name);
        text += "|" + body;
        ex.add_field("X-Size", std::to_string(body.size()));
        co_await ex.respond(http::status::ok, {}, text);
    }
    static task<> answer_bytes(http::exchange& ex, std::size_t size) {
        const std::string text = numbered_text(size);
        co_await ex.respond(http::status::ok, {}, text);
    }
    task<> write_for_ever(http::exchange& ex) {
        const std::string piece(10'000, 'x');
        co_await ex.begin_response(http::status::ok, {});
        for (;;) {
            co_await ex.write(as_bytes(piece));
            bytes_written += piece.size();
        }
    }
    task<> answer_gated(http::exchange& ex) {
        co_await ex.begin_response(http::status::ok, {});
        co_await ex.flush();
        co_await gate.wait();
        co_await ex.write(as_bytes(std::string_view("behind the gate")));
    }
    task<> wait_for_ever(http::exchange&) {
        event<> never;
        co_await never.wait();
    }
    task<> take(http::exchange& ex) {
        const std::string body = co_await ex.body().read_all(1 << 26);
        bytes_read = body.size();
        const bool is_whole = body == numbered_text(body.size());
        const std::string text = std::to_string(body.size()) + (is_whole ? " whole" : " spoilt");
        co_await ex.respond(http::status::ok, {}, text);
    }
    static task<> answer_with_trailers(http::exchange& ex) {
        co_await ex.begin_response(http::status::ok, {});
        co_await ex.write(as_bytes(std::string_view("body")));
        ex.add_trailer("X-Sum", "42");
    }
    /// The body has been sent by then, whoever is quicker.
    static task<> move_to(http::exchange& ex, http::status code, std::string where) {
        static_cast<void>(co_await ex.body().read_all(1 << 26));
        ex.add_field("Location", where);
        co_await ex.respond(code, {}, "moved");
    }
    static task<> set_cookie(http::exchange& ex) {
        ex.add_field("Set-Cookie", "taste=sweet; Path=/");
        co_await ex.respond(http::status::ok, {}, "set");
    }
};

/// Serves them on a free port of this worker.
class test_site {
public:
    explicit test_site(http::server_options options = {})
        : test_site(tcp_listener::bind(endpoint::loopback_ipv4(0)), std::move(options)) {}

    [[nodiscard]] std::string at(std::string_view path) const {
        return scheme + "://127.0.0.1:" + std::to_string(port) + std::string(path);
    }
    /// Cuts all connections off.
    void stop() { serving_.cancel(); }

    test_answers answers;
    std::string scheme = "http";
    std::uint16_t port = 0;

private:
    test_site(tcp_listener listener, http::server_options options)
        : port(listener.local_endpoint().port()),
          serving_(spawn(http::serve(std::move(listener), answers, std::move(options)), "test site")) {}

    handle<> serving_;
};

/// The error that an awaited task throws, or none.
template <class T>
task<std::error_code> error_of(task<T> work) {
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const std::system_error& thrown) {
        co_return thrown.code();
    }
    co_return std::error_code();
}

}  // namespace eddy::test
