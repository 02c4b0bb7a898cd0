#pragma once

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/router.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/rpc.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::rpc::test {

/// A message of two formats: decimal by default, and "hex".
struct number {
    int value = 0;
};

}  // namespace eddy::rpc::test

template <>
struct eddy::rpc::codec<eddy::rpc::test::number> {
    static std::string_view default_subtype() noexcept { return "decimal"; }
    static bool knows(std::string_view subtype) noexcept { return subtype == "decimal" || subtype == "hex"; }
    static void encode(const test::number& message, std::string_view subtype, std::string& out) {
        char digits[16];
        const auto end = std::to_chars(digits, digits + sizeof digits, message.value, base(subtype)).ptr;
        out.append(digits, end);
    }
    static void decode(std::span<const std::byte> bytes, std::string_view subtype, test::number& message) {
        const std::string_view text = as_text(bytes);
        const auto end = text.data() + text.size();
        if (std::from_chars(text.data(), end, message.value, base(subtype)).ptr != end || text.empty())
            throw error(status_code::internal, "no number");
    }

private:
    static int base(std::string_view subtype) noexcept { return subtype == "hex" ? 16 : 10; }
};

namespace eddy::rpc::test {

/// A handler that returns its request.
inline task<std::string> echo(server_call&, std::string text) {
    co_return text;
}

/// Serves calls in memory, for any number of connections. Belongs to a worker.
class rpc_origin {
public:
    explicit rpc_origin(const services_options& options = {})
        : calls(options), server_options_(http::server_options().protocol(http2())) {}
    rpc_origin(const rpc_origin&) = delete;
    rpc_origin& operator=(const rpc_origin&) = delete;
    ~rpc_origin() { serving_.clear(); }

    services calls;
    service greeter{"test.Greeter"};
    /// So many attempts to connect fail first.
    int refusals = 0;

    /// Requires: all methods were added.
    [[nodiscard]] channel connect(channel_options options = {}) {
        options.transport([this](http::client_target) { return open(); });
        return channel("http://origin.test", std::move(options));
    }
    /// A connection. Requires: all methods were added.
    [[nodiscard]] task<any_stream> open() {
        if (!is_added_)
            calls.add(greeter);
        is_added_ = true;
        return open(*this);
    }
    /// The same where a router has the services, and a page.
    [[nodiscard]] channel connect_beside_routes() {
        channel made = connect();
        if (!std::exchange(is_added_, true))
            calls.add(greeter);
        routes_.get("/page", [] { return http::response::text("a page"); });
        routes_.mount("/", calls);
        handler_ = &routes_;
        return made;
    }
    /// Of a client of HTTP/2 that is none of calls.
    [[nodiscard]] http::client_options http_options() {
        return http::client_options()
            .transport([this](http::client_target) { return open(); })
            .protocol(http::http2(http::http2_options().prior_knowledge(true)));
    }
    [[nodiscard]] std::size_t connected() const noexcept { return serving_.size(); }
    /// Connections that have not ended.
    [[nodiscard]] std::ptrdiff_t open_connections() const {
        return std::ranges::count_if(serving_, [](const handle<>& each) { return !each.done(); });
    }
    http::server_options& server_options() noexcept { return server_options_; }
    /// Ends all connections.
    void cut() { serving_.clear(); }

private:
    static task<any_stream> open(rpc_origin& self) {
        if (self.refusals > 0) {
            --self.refusals;
            throw std::system_error(std::make_error_code(std::errc::connection_refused));
        }
        auto [here, there] = duplex(65'536);
        self.serving_.push_back(spawn(
            http::serve_connection(any_stream(std::move(there)), *self.handler_, self.server_options_)));
        co_return any_stream(std::move(here));
    }

    http::server_options server_options_;
    http::router routes_;
    http::request_handler* handler_ = &calls;
    bool is_added_ = false;
    std::vector<handle<>> serving_;
};

inline std::string trailer_of(http::client_response& response, std::string_view name) {
    for (const auto& [each, value] : response.body().trailers())
        if (each == name)
            return value;
    return "none";
}

/// The status that a task ends with.
template <class T>
task<status> status_of(task<T> work) {
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const error& failed) {
        co_return failed.status();
    }
    co_return status();
}
template <class T>
task<status_code> code_of(task<T> work) {
    const status end = co_await status_of(std::move(work));
    co_return end.code();
}

}  // namespace eddy::rpc::test
