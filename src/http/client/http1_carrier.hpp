#pragma once

#include "http/client/client_carrier.hpp"

#include <eddy/http/client/client_connection.hpp>
#include <eddy/sync/semaphore.hpp>

#include <memory>
#include <utility>

namespace eddy::http {

class client_pool;
struct client_origin;

/// A connection of HTTP/1: idle in the pool, or in use by one exchange, which then holds its permits.
class http1_carrier final : public client_carrier {
public:
    http1_carrier(any_stream stream, const message_limits& limits) : connection(std::move(stream), limits) {}

    /// It is in use from now on.
    [[nodiscard]] static carrier_handle use(std::unique_ptr<http1_carrier> taken, client_pool& pool,
                                            client_origin& origin, semaphore_permit own,
                                            semaphore_permit total, bool is_reused) noexcept;

    client_connection connection;

    [[nodiscard]] std::size_t small_body_max() const noexcept override { return std::size_t{64} * 1024; }
    [[nodiscard]] ready_or_task<std::error_code> send_head(const outgoing_head& head, std::string_view body,
                                                           bool ends, const wait_limits& waits) override;
    [[nodiscard]] task<std::error_code> send(std::span<const std::byte> bytes) override;
    [[nodiscard]] task<std::error_code> end_body() override;
    void set_sending(bool is_sending) noexcept override { connection.set_sending(is_sending); }

    [[nodiscard]] ready_or_task<response_head> read_head() override { return connection.read_head(); }
    [[nodiscard]] std::string_view head_bytes() const noexcept override { return connection.head_bytes(); }
    [[nodiscard]] const response_layout& head_layout() const noexcept override {
        return connection.head_layout();
    }
    [[nodiscard]] ready_or_task<std::span<const std::byte>> read_body() override {
        return connection.read_body();
    }
    [[nodiscard]] bool is_over() const noexcept override { return connection.is_over(); }
    [[nodiscard]] const trailer_list& trailers() const noexcept override { return connection.trailers(); }

    [[nodiscard]] bool was_stale() const noexcept override { return is_reused_ && !connection.has_begun(); }
    [[nodiscard]] bool was_refused() const noexcept override { return false; }
    void close() noexcept override { connection.close(); }
    [[nodiscard]] any_stream take_stream() override;

    [[nodiscard]] bool can_be_used_again() const noexcept override {
        return connection.can_go_on() && !connection.has_surplus();
    }
    void give_back() override;
    void abandon() noexcept override;

private:
    [[nodiscard]] task<std::error_code> write(std::span<const std::byte> bytes);
    [[nodiscard]] task<std::error_code> write_chunk(std::span<const std::byte> bytes);
    /// Ends the use, once the connection has gone.
    struct use_end;

    client_pool* pool_ = nullptr;
    client_origin* origin_ = nullptr;
    semaphore_permit own_;
    semaphore_permit total_;
    wait_limits waits_;
    bool is_reused_ = false;
    bool is_chunked_ = false;
};

}  // namespace eddy::http
