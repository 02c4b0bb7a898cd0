#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/detail/wait_limits.hpp>
#include <eddy/http/message/detail/response_layout.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/message/response_head.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::http {

/// How many of them a client reads before the final response.
inline constexpr unsigned interim_responses_max = 64;

/// The head of a request, and what a carrier needs to know beside it.
struct outgoing_head {
    std::string& text;  ///< as HTTP/1 has it
    http::method method;
    bool is_secure;
    std::optional<std::uint64_t> body_size;  ///< none where only its end says it
};

/// What carries one exchange of a client: a connection of HTTP/1, or a stream of HTTP/2. Reads throw as
/// client_connection's do; what could not be written is returned.
class client_carrier {
public:
    using trailer_list = std::vector<std::pair<std::string, std::string>>;

    client_carrier() = default;
    client_carrier(const client_carrier&) = delete;
    client_carrier& operator=(const client_carrier&) = delete;

    // -- the request --

    /// How large a body may be to go along with the head.
    [[nodiscard]] virtual std::size_t small_body_max() const noexcept = 0;
    /// Sends a head with the whole body or without any. Requires: the head's text and `body` outlive the task; the latter
    /// is no larger than small_body_max().
    [[nodiscard]] virtual ready_or_task<std::error_code> send_head(const outgoing_head& head,
                                                                   std::string_view body, bool ends,
                                                                   const wait_limits& waits) = 0;
    [[nodiscard]] virtual task<std::error_code> send(std::span<const std::byte> bytes) = 0;
    [[nodiscard]] virtual task<std::error_code> end_body() = 0;
    /// While a request is being sent by another task, the response need not begin.
    virtual void set_sending(bool is_sending) noexcept = 0;

    // -- the response; as in client_connection --

    [[nodiscard]] virtual ready_or_task<response_head> read_head() = 0;
    [[nodiscard]] virtual std::string_view head_bytes() const noexcept = 0;
    [[nodiscard]] virtual const response_layout& head_layout() const noexcept = 0;
    [[nodiscard]] virtual ready_or_task<std::span<const std::byte>> read_body() = 0;
    [[nodiscard]] virtual bool is_over() const noexcept = 0;
    [[nodiscard]] virtual const trailer_list& trailers() const noexcept = 0;

    /// Whether the connection had been good before and ended without a byte of the response.
    [[nodiscard]] virtual bool was_stale() const noexcept = 0;
    /// Whether the server has said, or could not but say, that it has not processed the request.
    [[nodiscard]] virtual bool was_refused() const noexcept = 0;
    /// Ends the exchange on both sides, and the wait of a reader.
    virtual void close() noexcept = 0;
    /// The connection itself, which leaves the pool. Throws http_error::upgrade_refused.
    [[nodiscard]] virtual any_stream take_stream() = 0;

    // -- the end. Both end its life --

    [[nodiscard]] virtual bool can_be_used_again() const noexcept = 0;
    /// The exchange is over. Requires: can_be_used_again(), and the request was sent. Throws std::bad_alloc.
    virtual void give_back() = 0;
    /// The exchange has ended before its time.
    virtual void abandon() noexcept = 0;

protected:
    ~client_carrier() = default;
};

struct carrier_abandoning {
    void operator()(client_carrier* held) const noexcept { held->abandon(); }
};
/// Abandons what it holds.
using carrier_handle = std::unique_ptr<client_carrier, carrier_abandoning>;

}  // namespace eddy::http
