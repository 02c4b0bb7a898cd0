#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace eddy::http {

class client_exchange;

/// The body of a response to a client: a byte_source and a leasing_source, decoded if it was encoded and the
/// client decompresses.
///
/// - Ownership: owns what is left of the exchange; moves, does not copy. Read to its end, it returns the
///   connection to the client at once; dropped before, it closes the connection (over HTTP/2, resets its
///   stream), and a request that is still being sent is cut off.
/// - Thread safety: none; it belongs to the client's worker. One read at a time. It may outlive the client.
/// - Cancellation: a dropped read() or read_leased() loses no byte. A dropped read_all() loses what it had
///   read.
/// - Errors: std::system_error with http_error (truncated, malformed_response, body_too_large,
///   malformed_content, the time limits) or the stream's error; what the request's body has thrown, if that
///   is still being sent.
class response_body {
public:
    /// Made by the client.
    explicit response_body(std::unique_ptr<client_exchange> exchange) noexcept;
    response_body(response_body&&) noexcept;
    response_body& operator=(response_body&&) noexcept;
    ~response_body();

    /// See byte_source.
    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out);
    /// See leasing_source. The lease has memory of its own and may be kept.
    [[nodiscard]] task<buffer_lease> read_leased();
    /// All that is left. More than `bytes_max`: http_error::body_too_large, and the connection is closed.
    [[nodiscard]] task<std::string> read_all(std::size_t bytes_max);
    /// Reads up to `bytes_max` bytes to reach the end, so that the connection can be used again. Returns
    /// whether there were no more.
    [[nodiscard]] task<bool> discard(std::uint64_t bytes_max);

    /// What the head announces; nothing if the body is chunked, decoded, or ends with the connection.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept;
    /// Whether it has been read to its end.
    [[nodiscard]] bool is_over() const noexcept;
    /// Trailer fields, once it has. Not decoded, and never part of the head.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& trailers() const noexcept;

private:
    friend class client_response;

    std::unique_ptr<client_exchange> exchange_;
};

}  // namespace eddy::http
