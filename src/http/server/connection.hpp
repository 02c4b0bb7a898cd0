#pragma once

#include "http/server/active_request.hpp"
#include "http/server/server_state.hpp"

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/http/server/detail/exchange_stream.hpp>
#include <eddy/http/server/detail/response_writer.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <system_error>

namespace eddy::http {

/// One client's connection: waits for requests, has them answered, sends the responses.
class connection final : public exchange_stream, public idle_connection {
public:
    /// Serves a client until either side ends the connection. Throws nothing. `info`: null if it is to be
    /// determined on first use.
    [[nodiscard]] static task<void> serve(server_state& shared, any_stream stream,
                                          std::unique_ptr<connection_info> info,
                                          address_counts::slot slot = {});
    /// Responds to any request with one status, and ends.
    [[nodiscard]] static task<void> reject(server_state& shared, any_stream stream, status code,
                                           std::string_view reason);

    // -- as an exchange sees it; see exchange_stream --

    [[nodiscard]] const connection_info& info() override;
    [[nodiscard]] std::string_view arrived() const noexcept override {
        return active_->received.bytes().substr(head_size_);
    }
    [[nodiscard]] receiving receive_until(time_point deadline) noexcept override {
        return stream_.read_leased_until(deadline);
    }
    [[nodiscard]] std::size_t try_receive(std::span<std::byte> out) override { return stream_.try_read(out); }
    /// What the client does not take at once is sent by a task of the connection's, so that a handler may
    /// read and write at the same time, and dropping a read interrupts no write.
    void flush_before_wait(bool with_continue) override;

    [[nodiscard]] bool try_write_head(const response_writer& response, const response_fields& fields,
                                      response_framing body) override;
    [[nodiscard]] ready_or_task<> send(std::string_view bytes) override;
    [[nodiscard]] task<void> end_body(std::string_view trailers) override;
    [[nodiscard]] bool can_send_file() const noexcept override;
    [[nodiscard]] task<std::uint64_t> send_file(const file& content, std::uint64_t offset,
                                                std::uint64_t size) override;
    /// The job belongs to the scope of the drain from now on.
    [[nodiscard]] any_stream take_over(std::string_view unread) override;

    /// Ends the wait for a request, for drain().
    void close() noexcept override { stream_.close(); }

private:
    connection(server_state& shared, any_stream stream, std::unique_ptr<connection_info> info,
               address_counts::slot slot) noexcept
        : exchange_stream(shared, protocol::http_1),
          stream_(std::move(stream)),
          info_(std::move(info)),
          slot_(std::move(slot)) {}

    enum class after : std::uint8_t { keep, close, linger };

    [[nodiscard]] task<after> serve_requests();
    [[nodiscard]] exchange_parts& make_parts() override { return active_->parts(); }
    /// Takes a receive buffer's bytes, and what is needed to respond to the requests in them.
    void activate(const buffer_lease& first);
    /// Decides whether the connection persists after this request.
    request_head begin_request(request_head request) noexcept;
    [[nodiscard]] ready_or_task<> handle(exchange& ex, response_writer& response);
    /// Takes the request off the input, and the unread rest of its body.
    [[nodiscard]] ready_or_task<after> end_request(exchange& ex, const response_writer& response);
    [[nodiscard]] task<after> end_request_slowly(exchange& ex, const response_writer& response);
    /// Sends `line`, and all that gathers, until there is nothing left. A failure shows in is_broken().
    [[nodiscard]] task<void> flush_aside(std::string_view line);
    void consume_with(const request_body& body);
    /// Whether what is left of the request's body is worth reading.
    [[nodiscard]] bool can_read_on(request_head request) const noexcept;
    [[nodiscard]] task<void> refuse(status code, std::string_view reason);
    [[nodiscard]] bool try_write_refusal(status code, std::size_t body_size);
    /// Ends the connection in good order: what was sent arrives, whatever the client still sends.
    [[nodiscard]] task<void> linger();
    [[nodiscard]] time_point after_now(duration length) const noexcept {
        return eddy::detail::deadline_after(shared_.home.turn_time(), length);
    }
    /// Until when some more of a response must be taken, of which so much was sent since it began.
    [[nodiscard]] time_point write_deadline(time_point began, std::uint64_t sent_bytes) const noexcept;
    [[noreturn]] void fail_write(std::error_code error);

    any_stream stream_;
    active_requests::holder active_;
    std::unique_ptr<connection_info> info_;
    address_counts::slot slot_;
    std::uint32_t head_size_ = 0;
    bool keeps_alive_ = true;
    bool tells_keep_alive_ = false;  // to a client of HTTP/1.0
};

}  // namespace eddy::http
