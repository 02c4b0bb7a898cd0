#pragma once

#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http::test {

/// Answers by calling a function.
class function_handler final : public request_handler {
public:
    using function = std::function<task<void>(exchange&)>;
    explicit function_handler(function response) : answer_(std::move(response)) {}
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override { return answer_(ex); }

private:
    function answer_;
};

/// One connection over a pipe in memory: what the client says in pieces that arrive one by one, and all that
/// it hears until the server ends it.
class conversation {
public:
    explicit conversation(function_handler::function response,
                          server_options options = server_options().name(""))
        : handler_(std::move(response)), options_(std::move(options)) {}

    /// What the pipe holds in each direction.
    conversation& capacity(std::size_t bytes) {
        capacity_bytes_ = bytes;
        return *this;
    }
    /// The client does not end its sending half.
    conversation& stays_open() {
        stays_open_ = true;
        return *this;
    }

    /// Without Date lines.
    std::string hears(std::vector<std::string> pieces) {
        pieces_ = std::move(pieces);
        eddy::test::run_bounded(run());
        return without_dates(heard_);
    }
    std::string hears(const std::string& text) { return hears(std::vector<std::string>{text}); }
    /// The text arrives byte by byte.
    std::string hears_bytewise(const std::string& text) {
        std::vector<std::string> bytes;
        for (const char byte : text)
            bytes.emplace_back(1, byte);
        return hears(std::move(bytes));
    }

private:
    task<void> run() {
        auto [client, served] = duplex(capacity_bytes_);
        client_ = &client;
        auto serving = serve_connection(any_stream(std::move(served)), handler_, options_);
        co_await when_all(std::move(serving), say(), hear());
    }
    task<void> say() {
        for (const std::string& piece : pieces_) {
            auto said = co_await as_result(client_->write_all(as_bytes(piece)));
            if (!said)
                co_return;  // the server has ended the connection
            for (int turn = 0; turn < 5; ++turn)
                co_await yield();
        }
        if (!stays_open_)
            co_await client_->shutdown();
    }
    task<void> hear() {
        std::array<std::byte, 4096> room{};
        for (;;) {
            auto count = co_await as_result(client_->read(room));
            if (!count || *count == 0)
                break;
            heard_.append(as_text(std::span<const std::byte>(room).first(*count)));
        }
        client_->close();
    }
    static std::string without_dates(std::string text) {
        for (std::size_t at = 0; (at = text.find("Date: ", at)) != std::string::npos;)
            text.erase(at, text.find("\r\n", at) + 2 - at);
        return text;
    }

    function_handler handler_;
    server_options options_;
    std::size_t capacity_bytes_ = 65'536;
    bool stays_open_ = false;
    std::vector<std::string> pieces_;
    std::string heard_;
    duplex_stream* client_ = nullptr;
};

/// A response as the server writes it, without its Date.
inline std::string ok_with(std::string_view body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           std::string(body);
}

}  // namespace eddy::http::test
