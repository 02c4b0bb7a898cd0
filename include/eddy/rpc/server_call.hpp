#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/detail/message_frame.hpp>
#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/status.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace eddy::rpc {

namespace detail {
class server_call_state;
}

/// A call as its handler sees it, beside its messages.
///
/// - Ownership: the server's; stays until the handler has ended. Thread safety: none.
/// - Cancellation: when the client cancels the call, the connection ends or the deadline passes, the handler is dropped.
class server_call {
public:
    /// For the library.
    explicit server_call(detail::server_call_state& held) noexcept : state_(held) {}
    server_call(const server_call&) = delete;
    server_call& operator=(const server_call&) = delete;

    /// "/package.Service/Method".
    [[nodiscard]] std::string_view method() const noexcept;
    /// What the client has sent along, without the fields of the protocol. "user-agent" is among them.
    [[nodiscard]] const metadata& request_metadata() const;
    /// When the client gives up, and the handler is dropped.
    [[nodiscard]] std::optional<time_point> deadline() const noexcept;
    /// The request as HTTP has it: the peer, its certificate, attributes that middleware has set.
    [[nodiscard]] http::exchange& exchange() const noexcept;
    /// Stop is requested when the server drains: for streams without an end.
    [[nodiscard]] std::stop_token stop_token() const noexcept { return exchange().stop_token(); }

    /// Add metadata to the response; see metadata::add(). Requires, of initial ones: the response has not begun: no
    /// message was sent, and send_initial_metadata() was not called.
    void add_initial_metadata(std::string_view name, std::string_view value);
    /// Adds to what is sent behind the last message.
    void add_trailing_metadata(std::string_view name, std::string_view value);
    /// Begins the response, before its first message.
    [[nodiscard]] task<> send_initial_metadata();
    /// How messages are compressed from now on, if the client reads that. Once the response has begun it can only be
    /// what it was then, or identity.
    void set_compression(compression way) noexcept;
    /// Whether the message that was read last was compressed.
    [[nodiscard]] bool was_compressed() const noexcept;

    // -- for the library --

    /// The next message of the request, valid until the next read; nothing at the end.
    [[nodiscard]] task<std::optional<std::span<const std::byte>>> read();

    /// The next message; none behind the last.
    template <message Message>
    [[nodiscard]] task<std::optional<Message>> read_message() {
        const auto bytes = co_await read();
        if (!bytes)
            co_return std::nullopt;
        Message made{};
        codec<Message>::decode(*bytes, subtype(), made);
        co_return made;
    }
    /// The only message of a call; throws if there is none or another.
    template <message Request>
    [[nodiscard]] task<Request> read_only() {
        auto request = co_await read_message<Request>();
        if (!request)
            throw error(status_code::unimplemented, "the client has sent no request");
        const auto another = co_await read();
        if (another)
            throw error(status_code::unimplemented, "the client has sent more than one request");
        co_return std::move(*request);
    }
    /// `flushes`: sends it at once; otherwise with the end of the call.
    template <message Message>
    [[nodiscard]] ready_or_task<> write_message(const Message& whole, bool flushes) {
        codec<Message>::encode(whole, subtype(), begin_frame());
        return write_frame(flushes);
    }

private:
    /// As detail::begin_frame(), in memory of the call: it has one frame at a time.
    [[nodiscard]] std::string& begin_frame();
    [[nodiscard]] ready_or_task<> write_frame(bool flushes);
    [[nodiscard]] std::string_view subtype() const noexcept;

    detail::server_call_state& state_;
};

/// The messages of a request that is a stream. Thread safety: none; one read at a time.
template <message Request>
class reader {
public:
    /// For the library.
    explicit reader(server_call& of) noexcept : call_(of) {}
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;

    /// The next message; nothing once the client has sent the last. Dropped: loses no message. Throws rpc::error for
    /// what is malformed or beyond a limit, which handlers let pass.
    [[nodiscard]] task<std::optional<Request>> read() { return call_.read_message<Request>(); }

private:
    server_call& call_;
};

}  // namespace eddy::rpc
