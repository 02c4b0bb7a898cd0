#pragma once

#include "support/scenario_suite.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/sleep.hpp>

#include <charconv>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

// A server of HTTP and a client that knows bytes only, in one worker.

namespace eddy::test {

/// Answers a few paths; see handle().
class small_handler final : public http::request_handler {
public:
    ready_or_task<> handle(http::exchange& ex) override {
        const std::string_view path = ex.request().path();
        ++requests_;
        if (path == "/throw")
            throw std::runtime_error("the handler's own");
        if (path == "/later")
            return answer_later(ex);
        if (path == "/large")
            return ex.respond(http::status::ok, {}, large());
        return ex.respond(http::status::ok, {}, path);
    }

    /// How many requests have come.
    [[nodiscard]] std::size_t requests() const noexcept { return requests_; }

    /// More than a connection's output buffer.
    static std::string_view large() {
        static const std::string body(20'000, 'l');
        return body;
    }

private:
    static task<> answer_later(http::exchange& ex) {
        co_await sleep_for(std::chrono::milliseconds(1));
        co_await ex.respond(http::status::ok, {}, "later");
    }

    std::size_t requests_ = 0;
};

/// A client of a server in this worker. What a run with a failed allocation may bring about, a connection
/// that ends early or a response that memory is out, is thrown as not_enough_memory, which is a finding in
/// every other run.
class http_client {
public:
    static task<http_client> connect(endpoint server) {
        co_return http_client(co_await tcp_stream::connect(server));
    }
    http_client(http_client&&) noexcept = default;
    http_client& operator=(http_client&&) noexcept = default;
    ~http_client() = default;

    [[nodiscard]] tcp_stream& stream() noexcept { return stream_; }

    task<> send(std::string_view bytes) {
        const auto sent = co_await as_result(stream_.write_all(as_bytes(bytes)));
        if (!sent)
            fail("the connection ended while the client sent");
    }

    /// Sends nothing more.
    task<> end_sending() {
        const auto ended = co_await as_result(stream_.shutdown());
        if (!ended)
            fail("the connection ended before the client did");
    }

    /// Reads a response that must have this status; gives its body.
    task<std::string> read_response(int status, bool has_body = true) {
        std::size_t head_size = 0;
        while ((head_size = received_.find("\r\n\r\n")) == std::string::npos)
            co_await receive();
        const std::string head = received_.substr(0, head_size + 4);
        received_.erase(0, head.size());
        check_status(head, status);
        const std::size_t size = has_body ? length_of(head) : 0;
        while (received_.size() < size)
            co_await receive();
        std::string body = received_.substr(0, size);
        received_.erase(0, size);
        co_return body;
    }

    task<std::string> ask(std::string_view request, int status = 200) {
        co_await send(request);
        co_return co_await read_response(status, !request.starts_with("HEAD"));
    }

    /// Waits until the server has closed the connection, with nothing before that.
    task<> see_end() {
        const auto received = co_await as_result(stream_.read_leased());
        require(!received || received->empty(), "bytes after the last response");
        require(received_.empty(), "bytes before the end");
    }

private:
    explicit http_client(tcp_stream stream) noexcept : stream_(std::move(stream)) {}

    [[noreturn]] static void fail(const char* what) {
        throw std::system_error(std::make_error_code(std::errc::not_enough_memory), what);
    }

    task<> receive() {
        const auto received = co_await as_result(stream_.read_leased());
        if (!received || received->empty())
            fail("the connection ended before the response");
        received_.append(as_text(received->bytes()));
    }

    static void check_status(std::string_view head, int expected) {
        int status = 0;
        if (head.starts_with("HTTP/1.1 "))
            std::from_chars(head.data() + 9, head.data() + 12, status);
        if (status != expected && (status == 500 || status == 503))
            fail("the server has failed");
        require(status == expected, "another status");
    }
    static std::size_t length_of(std::string_view head) {
        constexpr std::string_view name = "Content-Length: ";
        std::size_t length = 0;
        if (const auto at = head.find(name); at != std::string_view::npos)
            std::from_chars(head.data() + at + name.size(), head.data() + head.size(), length);
        return length;
    }

    tcp_stream stream_;
    std::string received_;
};

/// How a server is made whose waits do not make a scenario long.
inline http::server_options quick_server() {
    return http::server_options()
        .idle_timeout(std::chrono::seconds(30))
        .head_timeout(std::chrono::seconds(30))
        .body_timeout(std::chrono::seconds(30));
}

/// Runs what the client does, then ends the server.
inline task<> run_client(http::server& served, task<> client) {
    co_await std::move(client);
    served.drain();
    const std::size_t cut_off = co_await served.join(std::chrono::seconds(30));
    require(cut_off == 0, "a connection did not end");
}

/// A server with a handler, for as long as the client is busy; `client` is called with where it listens.
template <class Client>
task<> serve_client(http::request_handler& handler, Client client,
                    http::server_options options = quick_server()) {
    http::server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler, std::move(options));
    const endpoint at = served.listener().local_endpoint();
    co_await when_all(served.run(), run_client(served, client(at)));
}

/// The same with the small handler.
template <class Client>
task<> serve_small(Client client, http::server_options options = quick_server()) {
    small_handler handler;
    co_await serve_client(handler, client, std::move(options));
}

}  // namespace eddy::test
