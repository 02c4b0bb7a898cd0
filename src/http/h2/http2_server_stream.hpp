#pragma once

#include "http/h2/http2_request.hpp"
#include "http/h2/http2_stream.hpp"
#include "http/server/exchange_parts.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/http/message/field_list.hpp>
#include <eddy/http/server/detail/exchange_stream.hpp>
#include <eddy/http/server/detail/response_writer.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

class http2_connection;
class http2_stream_end;
struct http2_streams_tag;
struct http2_queue_tag;

/// One request of an HTTP/2 connection, with its handler and its response. Made and recycled by the connection;
/// one whose bytes were taken over by a handler lives as long as their new owner, too.
class http2_server_stream final : public http2_stream,
                                  public exchange_stream,
                                  public eddy::detail::list_hook<http2_streams_tag>,
                                  public eddy::detail::list_hook<http2_queue_tag> {
public:
    explicit http2_server_stream(server_state& shared);
    ~http2_server_stream();

    // -- for the connection --

    http2_connection* connection = nullptr;
    http2_request request;
    /// Bytes of the body that came before the handler began.
    std::string front;
    std::size_t front_unread = 0;
    field_list trailers;
    std::size_t trailer_bytes = 0;
    std::optional<response_writer> response;
    std::optional<exchange> ex;
    handle<void> work;
    http2_stream_end* taken_over = nullptr;
    bool has_body = false;
    bool is_begun = false;     // the handler, or a refusal
    bool is_handled = false;   // and has ended
    bool is_rejected = false;  // nothing is done for it any more
    bool is_own_end_sent = false;
    time_point handled_at{};
    std::uint64_t discarded_bytes = 0;

    /// Ready for another request.
    void clear() noexcept;

    // -- as an exchange sees it; see exchange_stream --

    [[nodiscard]] const connection_info& info() override;
    [[nodiscard]] std::string_view arrived() const noexcept override { return front; }
    [[nodiscard]] receiving receive_until(time_point deadline) noexcept override;
    [[nodiscard]] std::size_t try_receive(std::span<std::byte> out) override { return try_take(out); }
    void flush_before_wait(bool with_continue) override;
    void add_trailers(field_list& to) const override;
    [[nodiscard]] bool try_write_head(const response_writer& written, const response_fields& fields,
                                      response_framing body) override;
    [[nodiscard]] ready_or_task<> send(std::string_view bytes) override;
    [[nodiscard]] task<void> end_body(std::string_view lines) override;
    [[nodiscard]] bool can_send_file() const noexcept override { return false; }
    [[nodiscard]] task<std::uint64_t> send_file(const file& content, std::uint64_t offset,
                                                std::uint64_t size) override;
    /// The job belongs to the scope of the drain from now on.
    [[nodiscard]] any_stream take_over(std::string_view unread) override;

    using exchange_stream::output;
    [[nodiscard]] bool& broken() noexcept { return is_broken_; }

private:
    [[nodiscard]] exchange_parts& make_parts() override;

    std::unique_ptr<exchange_parts> kept_parts_;
    // What receive_until() awaits reads of.
    std::unique_ptr<eddy::detail::erased_stream> reader_;
};

}  // namespace eddy::http
