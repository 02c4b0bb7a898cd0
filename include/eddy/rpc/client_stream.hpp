#pragma once

#include <eddy/core/task.hpp>
#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/detail/client_call.hpp>
#include <eddy/rpc/metadata.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace eddy::rpc {

/// A call whose request is a stream of messages, and whose response is one message or a stream of them.
///
///     auto route = client.record_route();
///     for (const point& at : way)
///         if (!co_await route.write(at))
///             break;                                        // the server has ended the call
///     const route_summary summary = co_await route.finish();
///
/// - Ownership: moves, does not copy. It may outlive the channel's variable.
/// - Cancellation: destroyed before the call has ended, it cancels the call (RST_STREAM with CANCEL) at once. A dropped
///   write() leaves it open whether the message goes; a dropped read() loses nothing.
/// - Thread safety: none. One task may write while another reads.
/// - Errors: rpc::error, out of read() and finish(), when the call ends with another status than OK. What write() is
///   given has been encoded when it returns, and it throws what the codec throws.
template <message Request, message Reply>
class client_stream {
public:
    explicit client_stream(detail::client_call made) noexcept : call_(std::move(made)) {}

    /// Sends a message, when those before it have been sent: as fast as the server takes them. False once the call
    /// has ended; read() and finish() say how. Requires: finish_writing() was not called; one at a time.
    [[nodiscard]] task<bool> write(const Request& request) { return call_.write(call_.framed(request)); }
    /// Says that no more messages follow.
    [[nodiscard]] task<> finish_writing() { return call_.finish_writing(); }

    /// How the messages that follow are compressed: as the call's options say, or identity.
    void set_compression(compression way) noexcept { call_.set_compression(way); }
    /// Whether the reply that was read last was compressed.
    [[nodiscard]] bool was_compressed() const noexcept { return call_.was_compressed(); }

    /// The next reply; nothing once the call has ended with OK. Requires: one at a time.
    [[nodiscard]] task<std::optional<Reply>> read() {
        const auto bytes = co_await call_.read();
        if (!bytes)
            co_return std::nullopt;
        co_return call_.template decoded<Reply>(*bytes);
    }
    /// Says that no more messages follow, and returns the only reply.
    [[nodiscard]] task<Reply> finish() {
        co_await call_.finish_writing();
        co_return co_await call_.template read_only<Reply>();
    }

    /// Waits until the response has begun, without a message yet: so that initial_metadata() is known.
    [[nodiscard]] task<> begin_reading() { return call_.begin_reading(); }
    /// What the server sent in front of its messages, once begin_reading() has returned.
    [[nodiscard]] const metadata& initial_metadata() const noexcept { return call_.initial_metadata(); }
    /// Known once the call has ended.
    [[nodiscard]] const metadata& trailing_metadata() const noexcept { return call_.trailing_metadata(); }

private:
    detail::client_call call_;
};

}  // namespace eddy::rpc
