#pragma once

#include "http/client/client_carrier.hpp"
#include "http/h2/http2_response.hpp"
#include "http/h2/http2_stream.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/method.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

class http2_client_connection;
struct http2_client_streams_tag;
struct http2_client_queue_tag;

/// One exchange of a client over HTTP/2. Made and recycled by the connection; lives as long as the session knows
/// it, and as long as its exchange holds it.
class http2_client_stream final : public http2_stream,
                                  public client_carrier,
                                  public eddy::detail::list_hook<http2_client_streams_tag>,
                                  public eddy::detail::list_hook<http2_client_queue_tag> {
public:
    http2_client_stream() = default;
    ~http2_client_stream() = default;

    // -- for the connection --

    http2_client_connection* connection = nullptr;
    bool is_held = false;     // by an exchange
    bool is_counted = false;  // for the server's limit
    /// Adds a field of a head, or of the trailers. Throws std::bad_alloc.
    void add_field(std::string_view name, std::string_view value, const message_limits& limits);
    /// A head is complete. Nothing, or what is wrong with it.
    [[nodiscard]] std::optional<http_error> take_head(const message_limits& limits) noexcept;
    [[nodiscard]] const http2_response& response() const noexcept { return response_; }
    [[nodiscard]] std::size_t trailer_bytes() const noexcept { return trailer_bytes_; }
    [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
    void note_arrival() noexcept {
        has_begun_ = true;
        wake_reader();
    }
    /// Nothing of the exchange goes on. `refused`: the server has not processed it.
    void fail(http_error error, std::string_view what, bool refused) noexcept;
    /// The server has reset the stream.
    void fail_by_reset(std::uint32_t code, bool refused) noexcept;
    using http2_stream::wake_reader;
    /// Ready for another exchange.
    void clear() noexcept;

    // -- as an exchange sees it --

    [[nodiscard]] std::size_t small_body_max() const noexcept override { return output_buffer::bytes_max; }
    [[nodiscard]] ready_or_task<std::error_code> send_head(const outgoing_head& head, std::string_view body,
                                                           bool ends, const wait_limits& waits) override;
    [[nodiscard]] task<std::error_code> send(std::span<const std::byte> bytes) override;
    [[nodiscard]] task<std::error_code> end_body() override;
    void set_sending(bool is_sending) noexcept override { is_sending_ = is_sending; }

    [[nodiscard]] ready_or_task<response_head> read_head() override;
    [[nodiscard]] std::string_view head_bytes() const noexcept override { return response_.bytes(); }
    [[nodiscard]] const response_layout& head_layout() const noexcept override { return response_.layout(); }
    [[nodiscard]] ready_or_task<std::span<const std::byte>> read_body() override;
    [[nodiscard]] bool is_over() const noexcept override;
    [[nodiscard]] const trailer_list& trailers() const noexcept override { return trailers_; }

    [[nodiscard]] bool was_stale() const noexcept override;
    [[nodiscard]] bool was_refused() const noexcept override { return is_refused_; }
    void close() noexcept override;
    [[nodiscard]] any_stream take_stream() override;

    [[nodiscard]] bool can_be_used_again() const noexcept override { return true; }
    void give_back() override { abandon(); }
    void abandon() noexcept override;

private:
    [[nodiscard]] std::optional<response_head> try_head();
    [[nodiscard]] std::optional<std::span<const std::byte>> try_piece();
    [[nodiscard]] task<response_head> await_head();
    [[nodiscard]] task<std::span<const std::byte>> await_piece();
    /// Waits for something to arrive. Throws a time limit.
    [[nodiscard]] task<void> await_arrival();
    [[noreturn]] void throw_failure() const;

    http2_response response_;
    trailer_list trailers_;
    std::size_t trailer_bytes_ = 0;
    std::uint64_t body_bytes_ = 0;
    std::uint64_t body_bytes_max_ = 0;
    wait_limits waits_;
    method requested_ = method::get;
    std::string_view failed_by_;  // a literal
    std::uint32_t reset_code_ = 0;
    unsigned interim_count_ = 0;
    bool has_begun_ = false;  // the response
    bool may_go_on_ = false;  // 100 Continue has come
    bool is_sending_ = false;
    bool is_refused_ = false;
    bool is_stale_ = false;
    bool is_broken_ = false;
};

}  // namespace eddy::http
