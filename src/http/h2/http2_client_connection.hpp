#pragma once

#include "http/client/client_protocol.hpp"
#include "http/h2/http2_client.hpp"
#include "http/h2/http2_client_stream.hpp"
#include "http/h2/http2_link.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/http/message/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace eddy::http {

/// A client's connection in HTTP/2, as its pool has it. A task reads as long as it lasts; the streams are those of
/// exchanges, whose tasks wait for them.
class http2_client_connection final : public http2_link, public shared_connection {
public:
    http2_client_connection(http2_client& client, any_stream stream, client_pool& made_for,
                            client_origin& made_at);
    ~http2_client_connection() override;
    /// Begins to read. Throws std::bad_alloc.
    void start();

    // -- for the pool --

    [[nodiscard]] std::size_t room() const noexcept override;
    [[nodiscard]] bool is_usable() const noexcept override { return !has_ended_ && may_begin_streams(); }
    [[nodiscard]] bool is_idle() const noexcept override { return streams_.empty(); }
    [[nodiscard]] carrier_handle begin_exchange() override;
    void retire() noexcept override;

    // -- for streams --

    [[nodiscard]] const message_limits& limits() const noexcept;
    [[nodiscard]] std::vector<nghttp2_nv>& field_room() noexcept { return client_.fields; }
    /// False: the stream has failed.
    [[nodiscard]] bool send_request(http2_client_stream& stream, std::span<const nghttp2_nv> fields,
                                    bool ends) noexcept;
    void reset_stream(http2_stream& stream, std::uint32_t code) noexcept override;
    /// Its exchange has ended.
    void release(http2_client_stream& stream) noexcept;
    [[nodiscard]] bool had_exchange() const noexcept { return has_served_; }

private:
    // -- events --

    [[nodiscard]] http2_stream* on_new_stream(std::int32_t) noexcept override { return nullptr; }
    void on_field(http2_stream& at, std::string_view name, std::string_view value) noexcept override;
    void on_head(http2_stream& at, bool is_trailers) noexcept override;
    void on_data(http2_stream& at, std::span<const std::byte> bytes) noexcept override;
    void on_peer_end(http2_stream& at) noexcept override;
    void on_own_end(http2_stream&) noexcept override {}
    void on_closed(http2_stream& at, std::uint32_t code) noexcept override;
    void on_ping_reply() noexcept override {}
    void on_flood() noexcept override {}
    void on_goaway_sent() noexcept override {}

    // -- the link --

    void settle() noexcept override;
    [[nodiscard]] bool has_to_settle() const noexcept override { return !closed_.empty(); }
    [[nodiscard]] duration write_timeout() const noexcept override;
    void on_sent(std::size_t) noexcept override {}

    [[nodiscard]] static task<void> run(http2_client_connection& self);
    [[nodiscard]] task<void> read();
    void reject(http2_client_stream& stream, std::uint32_t code, http_error error) noexcept;
    /// Ends what is left of the exchanges.
    void fail_streams() noexcept;
    void retire(http2_client_stream& stream) noexcept;

    http2_client& client_;
    eddy::detail::intrusive_list<http2_client_stream, http2_client_streams_tag> streams_;
    eddy::detail::intrusive_list<http2_client_stream, http2_client_queue_tag> closed_;
    std::size_t active_ = 0;  // streams that count for the server's limit
    std::size_t streams_max_;
    bool has_served_ = false;  // an exchange, up to the end of its response
    bool has_ended_ = false;
    handle<void> reading_;
};

}  // namespace eddy::http
