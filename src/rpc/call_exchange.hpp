#pragma once

#include "http/client/client_carrier.hpp"
#include "http/client/client_pool.hpp"
#include "rpc/outgoing_messages.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/message/response_head.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::rpc::detail {

/// The request of an attempt.
struct call_request {
    std::string head;                     ///< as HTTP/1 has it
    std::string_view frame;               ///< the only message, in its frame
    outgoing_messages* stream = nullptr;  ///< or where they come from
    bool was_refused = false;             ///< the server has not processed it

    /// Whether all of it is still there.
    [[nodiscard]] bool may_repeat() const noexcept { return stream == nullptr || stream->may_repeat(); }
};

/// A request and its response, on a stream of a connection. What a client of HTTP does beside that (redirects, cookies,
/// decoding) is none of a call's. Destroyed: the stream is reset, unless it has ended.
class call_exchange : public eddy::detail::in_frame_cache {
public:
    call_exchange(std::shared_ptr<http::client_pool> pool, http::carrier_handle carrier) noexcept
        : pool_(std::move(pool)), carrier_(std::move(carrier)) {}
    call_exchange(const call_exchange&) = delete;
    call_exchange& operator=(const call_exchange&) = delete;
    ~call_exchange() = default;

    /// Sends, and reads up to the final head. Requires: `request` stays until it has ended; its frame, or its stream,
    /// outlives this. Throws std::system_error.
    [[nodiscard]] task<> ask(call_request& request, bool is_secure);
    /// Whether the server has not processed it.
    [[nodiscard]] bool was_refused() const noexcept { return carrier_->was_refused(); }

    /// Requires, as all that follows: ask() has completed. Valid until the first read.
    [[nodiscard]] http::response_head head() const noexcept {
        return {carrier_->head_layout(), carrier_->head_bytes().data()};
    }
    /// Copies what has come of the body, after a wait for it; 0 at the end. Throws std::system_error, or what the stream
    /// of the request has thrown. Dropped: loses nothing.
    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out);
    [[nodiscard]] bool is_over() const noexcept { return pending_.empty() && carrier_->is_over(); }
    [[nodiscard]] const http::client_carrier::trailer_list& trailers() const noexcept {
        return carrier_->trailers();
    }

private:
    [[nodiscard]] task<> read_head();
    [[nodiscard]] static task<> send_aside(call_exchange& self, std::string_view frame);
    [[nodiscard]] task<std::error_code> send_pieces();

    std::shared_ptr<http::client_pool> pool_;  // outlives the carrier
    http::carrier_handle carrier_;
    std::optional<async_generator<std::span<const std::byte>>> pieces_;
    std::span<const std::byte> pending_;
    std::exception_ptr body_error_;
    handle<> sender_;  // goes first
};

using exchange_pointer = std::unique_ptr<call_exchange>;

}  // namespace eddy::rpc::detail
