#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/server/detail/response_writer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace eddy {
class file;
}

namespace eddy::http {

class field_list;
class response_fields;
class connection_info;
class exchange_parts;
class output_buffer;
class server_state;

/// The stream of one request, as an exchange, its response_writer and its request_body see it: the connection
/// itself in HTTP/1, one of many streams in HTTP/2. It parses the head, makes an exchange of it, has it
/// handled and ends it; what it learns from the response_writer then (missing bytes, a body that was cut
/// short) decides whether the stream is reset.
///
/// Bytes of a response gather in output(), which belongs to the stream and is shared with those that append
/// to it; send() takes them away.
///
/// Ownership: outlives the exchange. Thread safety: none. Dropped: a dropped send() leaves the stream broken.
class exchange_stream {
public:
    /// What is called without a virtual call where it is HTTP/1's.
    enum class protocol : std::uint8_t { http_1, other };

    exchange_stream(const exchange_stream&) = delete;
    exchange_stream& operator=(const exchange_stream&) = delete;

    // -- facts --

    [[nodiscard]] protocol spoken() const noexcept { return protocol_; }
    [[nodiscard]] server_state& shared() const noexcept { return shared_; }
    /// A write has failed or was dropped: how much was sent is not known, and nothing may follow it.
    [[nodiscard]] bool is_broken() const noexcept { return is_broken_; }
    /// The peer, the TLS session.
    [[nodiscard]] virtual const connection_info& info() = 0;
    /// What only some requests need; null until parts() is called for this request.
    [[nodiscard]] exchange_parts* parts_if_any() const noexcept { return parts_; }
    [[nodiscard]] exchange_parts& parts() {
        if (parts_ == nullptr)
            parts_ = &make_parts();
        return *parts_;
    }

    // -- the request's body --

    /// What has arrived behind the head, and stays until the handler has ended.
    [[nodiscard]] virtual std::string_view arrived() const noexcept = 0;
    /// Awaitable of std::expected<buffer_lease, std::error_code>: the next bytes from the peer, an empty lease
    /// at the end. Dropped: loses nothing.
    using receiving = eddy::detail::erased_operation<eddy::detail::outcome<buffer_lease>, time_point>;
    [[nodiscard]] virtual receiving receive_until(time_point deadline) noexcept = 0;
    /// More of them, if they have arrived and can be put straight into `out`. 0 is inconclusive.
    [[nodiscard]] virtual std::size_t try_receive(std::span<std::byte> out) = 0;
    /// Sends what the client may wait for before it sends more, without waiting for it; 100 Continue too if
    /// so requested. Throws std::bad_alloc.
    virtual void flush_before_wait(bool with_continue) = 0;
    /// Adds the trailer fields of a body that has ended, where the protocol frames bodies.
    virtual void add_trailers(field_list& to) const { static_cast<void>(to); }

    // -- the response --

    /// Where the response's bytes gather.
    [[nodiscard]] output_buffer& output() const noexcept { return *output_; }
    /// Writes the head of a response; false if output() has to be sent first to make room. Throws
    /// std::invalid_argument for a bad field, std::length_error for too many.
    [[nodiscard]] virtual bool try_write_head(const response_writer& response, const response_fields& fields,
                                              response_framing body) = 0;
    /// Sends output(), and `bytes` of a body behind it. If another task is sending, waits for its turn.
    /// Dropped or failed while bytes are under way: is_broken(), and nothing more is sent.
    [[nodiscard]] virtual ready_or_task<> send(std::string_view bytes) = 0;
    /// Ends a body whose length was not announced, with these lines of trailers.
    [[nodiscard]] virtual task<void> end_body(std::string_view trailers) = 0;
    /// Whether the system moves a file's bytes by itself.
    [[nodiscard]] virtual bool can_send_file() const noexcept = 0;
    /// Sends output(), and behind it bytes of a file, which do not pass through the program. Returns the
    /// number of the file's bytes. Fewer than requested where the next ones must pass through memory: the
    /// device would have to be waited for, the system refuses to move them, the file has ended, or there is
    /// an error, which then shows there. Dropped: nothing is under way, and the response is incomplete.
    /// Requires: can_send_file().
    [[nodiscard]] virtual task<std::uint64_t> send_file(const file& content, std::uint64_t offset,
                                                        std::uint64_t size) = 0;
    /// The bytes of both directions from now on, for an upgraded connection or a tunnel; `unread` of those that
    /// have arrived come first. Requires: output() is empty.
    [[nodiscard]] virtual any_stream take_over(std::string_view unread) = 0;

protected:
    exchange_stream(server_state& shared, protocol spoken) noexcept : shared_(shared), protocol_(spoken) {}
    ~exchange_stream() = default;

    [[nodiscard]] virtual exchange_parts& make_parts() = 0;

    server_state& shared_;
    output_buffer* output_ = nullptr;
    exchange_parts* parts_ = nullptr;
    protocol protocol_;
    bool is_broken_ = false;
};

}  // namespace eddy::http
