#pragma once

#include <eddy/core/task.hpp>
#include <eddy/rpc/call_options.hpp>
#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/detail/message_frame.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::rpc {

class channel;

namespace detail {

/// A call of a client, with messages as bytes. Destroyed: the call is cancelled, unless it has ended.
///
/// What a call awaits throws rpc::error with the status that the call has ended with, unless that is OK.
class client_call {
public:
    /// Throws std::invalid_argument for a method that is no path: without a slash at its front, or not of visible ASCII.
    client_call(const channel& through, std::string_view method, std::string_view default_subtype,
                call_options options);
    client_call(client_call&&) noexcept;
    client_call& operator=(client_call&&) noexcept;
    ~client_call();

    template <message Message>
    [[nodiscard]] std::string framed(const Message& whole) const {
        std::string bytes = begin_frame();
        codec<Message>::encode(whole, subtype(), bytes);
        seal(bytes);
        return bytes;
    }
    template <message Message>
    [[nodiscard]] Message decoded(std::span<const std::byte> bytes) const {
        Message made{};
        codec<Message>::decode(bytes, subtype(), made);
        return made;
    }

    /// Makes the call, with the only message of its request, and waits until the response has begun.
    [[nodiscard]] task<> send(std::string framed);

    /// Makes the call, with a request of any number of messages.
    void open();
    /// False where the call has ended, so that nothing is sent any more. Requires: open(); one at a time.
    [[nodiscard]] task<bool> write(std::string framed);
    [[nodiscard]] task<> finish_writing();

    /// Waits until the response has begun.
    [[nodiscard]] task<> begin_reading();
    /// The next message, valid until the next read; nothing once the call has ended with OK. One at a time.
    [[nodiscard]] task<std::optional<std::span<const std::byte>>> read();

    /// The only message of the response.
    template <message Reply>
    [[nodiscard]] task<Reply> read_only() {
        const auto bytes = co_await read();
        if (!bytes)
            fail_cardinality("the server has sent no reply");
        Reply reply = decoded<Reply>(*bytes);
        const auto another = co_await read();
        if (another)
            fail_cardinality("the server has sent more than one reply");
        co_return reply;
    }

    /// Of the messages that follow, among what the call's options allow.
    void set_compression(compression way) noexcept;
    [[nodiscard]] bool was_compressed() const noexcept;

    [[nodiscard]] const metadata& initial_metadata() const noexcept;
    [[nodiscard]] const metadata& trailing_metadata() const noexcept;

private:
    class state;

    /// As begin_frame(), in memory that was used before.
    [[nodiscard]] std::string begin_frame() const;
    [[nodiscard]] std::string_view subtype() const noexcept;
    void seal(std::string& framed) const;
    [[noreturn]] void fail_cardinality(const char* what);

    std::unique_ptr<state> state_;
};

}  // namespace detail

}  // namespace eddy::rpc
