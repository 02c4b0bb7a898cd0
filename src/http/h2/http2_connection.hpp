#pragma once

#include "http/h2/http2_link.hpp"
#include "http/h2/http2_server.hpp"
#include "http/h2/http2_server_stream.hpp"
#include "http/h2/http2_stream.hpp"
#include "http/server/member_timer.hpp"
#include "http/server/server_state.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

/// One client's connection in HTTP/2: a task reads, another writes while there is something to write, and each
/// request whose handler waits has one. What handlers of one batch of frames respond leaves together.
class http2_connection final : public http2_link, public idle_connection {
public:
    /// Serves a client until either side ends the connection. Throws nothing.
    [[nodiscard]] static task<void> serve(http2_server& server, any_stream stream,
                                          std::unique_ptr<connection_info> info, address_counts::slot slot,
                                          std::string front);

    // -- for streams --

    [[nodiscard]] const connection_info& info();
    [[nodiscard]] std::vector<nghttp2_nv>& field_room() noexcept { return server_.fields; }
    [[nodiscard]] std::string_view common_fields() { return server_.common_fields(); }
    void send_head(http2_server_stream& stream, std::span<const nghttp2_nv> fields, bool ends) noexcept;
    void send_continue(http2_server_stream& stream) noexcept;
    void reset_stream(http2_stream& stream, std::uint32_t code) noexcept override;
    /// The owner of its bytes has destroyed its end.
    void release(http2_server_stream& stream) noexcept;

    /// For a drain it ends when its requests are answered; else, at once.
    void close() noexcept override;

private:
    http2_connection(http2_server& server, any_stream stream, std::unique_ptr<connection_info> info,
                     address_counts::slot slot);
    ~http2_connection();

    // -- events --

    [[nodiscard]] http2_stream* on_new_stream(std::int32_t id) noexcept override;
    void on_field(http2_stream& at, std::string_view name, std::string_view value) noexcept override;
    void on_head(http2_stream& at, bool is_trailers) noexcept override;
    void on_data(http2_stream& at, std::span<const std::byte> bytes) noexcept override;
    void on_peer_end(http2_stream& at) noexcept override;
    void on_own_end(http2_stream& at) noexcept override;
    void on_closed(http2_stream& at, std::uint32_t code) noexcept override;
    void on_ping_reply() noexcept override;
    void on_flood() noexcept override;
    void on_pause() noexcept override;
    void on_goaway_sent() noexcept override { ++shared_.counts.http2_goaways; }

    // -- reading --

    [[nodiscard]] task<void> run(std::string front);
    void process(std::span<const std::byte> bytes) noexcept;
    [[nodiscard]] time_point read_deadline() const noexcept;
    /// Ends what takes too long. False: the connection does.
    [[nodiscard]] bool check_times() noexcept;

    // -- requests --

    void begin_requests() noexcept;
    void begin(http2_server_stream& stream) noexcept;
    void refuse(http2_server_stream& stream);
    [[nodiscard]] task<void> finish(http2_server_stream& stream, ready_or_task<> rest);
    void end_handling(http2_server_stream& stream) noexcept;
    /// Drops the handlers of streams that the client has reset, and recycles those that are over.
    void settle() noexcept override;
    [[nodiscard]] bool has_to_settle() const noexcept override { return !closed_.empty(); }
    void retire(http2_server_stream& stream) noexcept;
    void reject(http2_server_stream& stream, std::uint32_t code) noexcept;

    // -- writing --

    [[nodiscard]] duration write_timeout() const noexcept override { return shared_.options.write_timeout(); }
    void on_sent(std::size_t bytes) noexcept override { shared_.counts.bytes_sent += bytes; }
    void begin_drain() noexcept;
    void finish_drain() noexcept;

    struct drain_call {
        http2_connection* drained;
        void operator()() const noexcept { drained->begin_drain(); }
    };

    http2_server& server_;
    server_state& shared_;
    std::unique_ptr<connection_info> info_;
    address_counts::slot slot_;
    eddy::detail::intrusive_list<http2_server_stream, http2_streams_tag> streams_;
    eddy::detail::intrusive_list<http2_server_stream, http2_queue_tag> complete_;  // heads, in order
    eddy::detail::intrusive_list<http2_server_stream, http2_queue_tag> closed_;
    time_point idle_since_{};
    time_point head_began_{};
    time_point checked_at_{};
    bool is_draining_ = false;
    bool has_sent_goaway_ = false;
    member_timer<http2_connection> drain_timer_{*this, &http2_connection::finish_drain};
    std::optional<std::stop_callback<drain_call>> on_drain_;
};

}  // namespace eddy::http
