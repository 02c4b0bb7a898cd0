#pragma once

#include "http/client/client_carrier.hpp"
#include "http/client/client_pool.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/client_request.hpp>
#include <eddy/http/client/detail/wait_limits.hpp>
#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/message/detail/response_layout.hpp>
#include <eddy/http/message/response_head.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::http {

/// One request on one connection or stream, and its response. Larger bodies are sent by a task of its own, so that an
/// answer that comes before their end is read at once.
class client_exchange {
public:
    client_exchange(std::shared_ptr<client_pool> pool, carrier_handle carrier, client_request request,
                    std::string head, time_point end);
    client_exchange(const client_exchange&) = delete;
    client_exchange& operator=(const client_exchange&) = delete;
    ~client_exchange() = default;

    /// Sends, and reads up to the final head.
    [[nodiscard]] task<> ask();

    [[nodiscard]] response_head head() const noexcept { return {layout_, head_bytes_.data()}; }
    /// Whether the connection turned out to have been closed before it got the request.
    [[nodiscard]] bool was_stale() const noexcept { return carrier_ && carrier_->was_stale(); }
    /// Whether the server has not processed the request, and all of it is still there.
    [[nodiscard]] bool can_be_sent_elsewhere() const noexcept {
        return carrier_ && carrier_->was_refused() && !has_taken_of_stream_;
    }
    /// Takes the connection out of the pool. Requires: ask() has completed.
    [[nodiscard]] any_stream take_stream();

    /// Waits until there are bytes of the body, or its end.
    [[nodiscard]] task<> fill();
    /// Those bytes; empty at the end.
    [[nodiscard]] std::span<const std::byte> pending() const noexcept { return pending_; }
    /// Requires: count <= pending().size().
    void take(std::size_t count);

    [[nodiscard]] bool is_over() const noexcept { return is_over_; }
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept;
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& trailers() const noexcept {
        return trailers_;
    }
    void close();

private:
    [[nodiscard]] task<> send_body();
    [[nodiscard]] task<std::error_code> send_pieces();
    [[nodiscard]] task<> read_head();
    void keep_head();
    void prepare_decoder();
    [[nodiscard]] task<std::span<const std::byte>> read_raw();
    void decode();
    void finish_decoding();
    void end();

    std::shared_ptr<client_pool> pool_;  // outlives the carrier
    carrier_handle carrier_;
    client_request request_;
    std::string outgoing_;
    std::string head_bytes_;
    response_layout layout_;
    wait_limits waits_;
    std::optional<content_decoder> decoder_;
    std::unique_ptr<std::byte[]> room_;
    std::span<const std::byte> encoded_;
    std::span<const std::byte> pending_;
    std::vector<std::pair<std::string, std::string>> trailers_;
    event<> go_ahead_;
    std::exception_ptr body_error_;
    std::error_code write_error_;
    bool has_taken_of_stream_ = false;
    bool is_sent_ = false;
    bool is_over_ = false;
    handle<> sender_;  // goes first
};

}  // namespace eddy::http
