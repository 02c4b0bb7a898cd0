// Whatever a client of HTTP/2 sends, and however it is cut, the server ends the connection or goes on; each stream
// that is answered is answered once. Whatever a server sends, the requests of the client end. The first byte of the
// input says how it is cut, and by its highest bit who sends it.

#include "check.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/client.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

using namespace eddy;

class echoing final : public http::request_handler {
public:
    ready_or_task<> handle(http::exchange& ex) override {
        if (ex.request().framing().kind() == http::body_kind::none)
            return ex.respond(http::status::ok, {}, ex.request().target());
        return echo(ex);
    }

private:
    static task<> echo(http::exchange& ex) {
        co_await ex.begin_response(http::status::ok, {});
        std::array<std::byte, 1000> piece;
        while (const std::size_t count = co_await ex.body().read(piece))
            co_await ex.write(std::span<const std::byte>(piece).first(count));
    }
};

task<> say(duplex_stream& client, std::string_view text, std::size_t piece_bytes) {
    const std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    static_cast<void>(co_await as_result(client.write_all(as_bytes(preface))));
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, piece_bytes);
        const auto said = co_await as_result(client.write_all(as_bytes(piece)));
        if (!said)
            co_return;
        text.remove_prefix(piece.size());
    }
    static_cast<void>(co_await as_result(client.shutdown()));
}

// Counts the ends of streams in what comes.
task<> hear(duplex_stream& client) {
    std::string held;
    std::array<std::byte, 4096> room;
    for (;;) {
        const auto count = co_await as_result(client.read(room));
        if (!count || *count == 0)
            break;
        held.append(as_text(std::span<const std::byte>(room).first(*count)));
        for (;;) {
            constexpr std::size_t head_bytes = 9;
            if (held.size() < head_bytes)
                break;
            const auto byte = [&held](std::size_t at) { return static_cast<std::uint8_t>(held[at]); };
            const std::size_t size = static_cast<std::size_t>(byte(0)) << 16 | byte(1) << 8 | byte(2);
            EDDY_FUZZ_CHECK(size <= 16'384 && byte(3) <= 9);
            if (held.size() < head_bytes + size)
                break;
            held.erase(0, head_bytes + size);
        }
    }
    client.close();
}

task<> talk(std::string_view text, std::size_t piece_bytes) {
    auto [client, served] = duplex(65'536);
    echoing handler;
    auto serving = http::serve_connection(any_stream(std::move(served)), handler,
                                          http::server_options().protocol(http::http2()));
    co_await when_all(std::move(serving), say(client, text, piece_bytes), hear(client));
}

/// What the client asks is no matter; that both requests end is.
task<> request(http::client& by) {
    try {
        http::client_response response = co_await by.get("http://a/");
        static_cast<void>(co_await response.text());
    } catch (const std::system_error&) {
    }
}

/// Speaks once the requests have come.
task<> respond(duplex_stream server, std::string_view text, std::size_t piece_bytes) {
    std::array<std::byte, 4096> room;
    const auto come = co_await as_result(server.read(room));
    while (come && !text.empty()) {
        const std::string_view piece = text.substr(0, piece_bytes);
        const auto said = co_await as_result(server.write_all(as_bytes(piece)));
        if (!said)
            break;
        text.remove_prefix(piece.size());
    }
    static_cast<void>(co_await as_result(server.shutdown()));
    co_await hear(server);
}

task<any_stream> connect(handle<>& responding, std::string_view text, std::size_t piece_bytes) {
    if (responding)
        throw std::system_error(std::make_error_code(std::errc::connection_refused));
    auto [near, far] = duplex(65'536);
    responding = spawn(respond(std::move(far), text, piece_bytes));
    co_return any_stream(std::move(near));
}

task<> ask(std::string_view text, std::size_t piece_bytes) {
    handle<> responding;
    http::client_options options;
    options.protocol(http::http2(http::http2_options().prior_knowledge(true)))
        .transport([&](const http::client_target&) { return connect(responding, text, piece_bytes); });
    http::client by(std::move(options));
    co_await when_all(request(by), request(by));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    constexpr std::uint8_t is_of_server = 0x80;
    const auto piece_bytes = static_cast<std::size_t>(std::max(data[0] & (is_of_server - 1), 1));
    run((data[0] & is_of_server) != 0 ? ask(text, piece_bytes) : talk(text, piece_bytes));
    return 0;
}
