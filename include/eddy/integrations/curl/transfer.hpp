#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::curl {

/// Facts of a transfer, by libcurl (curl_easy_getinfo(3)). Times count from its beginning, and are those of
/// the last request where there were redirects; 0 for what has not happened.
struct statistics {
    /// When the name was resolved, since the beginning, as are the following.
    duration name_resolved{};
    /// When the connection was there.
    duration connected{};
    /// When the handshake of TLS had ended.
    duration tls_ready{};
    duration request_sent{};  ///< about to begin, that is
    /// When the response began.
    duration first_byte{};
    duration total{};  ///< redirects included
    /// What the redirects took together.
    duration redirecting{};
    /// Bytes of the body that were sent.
    std::uint64_t bytes_uploaded = 0;
    std::uint64_t bytes_downloaded = 0;  ///< as they came over the wire: before decoding
    /// How many redirects were followed.
    unsigned redirects = 0;
    unsigned connections_made = 0;  ///< 0 where one was used again
    unsigned http_major = 0;        ///< 2 for HTTP/2; 0 where no HTTP was spoken
    /// The address of the last connection.
    std::string peer_address;
    /// The port of the last connection.
    std::uint16_t peer_port = 0;
};

class transfer_state;

/// A transfer that has begun, by any protocol: the response's head, and its body to be read. The body is a
/// byte_source; what is not read is not taken from the server (transfer_options::buffer_bytes_max()).
///
/// - Ownership: owns the transfer; moves, does not copy. It may outlive the client.
/// - Thread safety: none; it belongs to the client's worker. One task at a time waits for it.
/// - Cancellation: dropped at any time, the transfer has been taken out of libcurl when the destructor
///   returns, and with it the task that reads what is uploaded. The connection is closed, or keeps its other
///   streams if it is HTTP/2. Dropping head(), read() or finish() loses nothing; a dropped read_all() loses
///   what it had read.
/// - Errors: std::system_error, with transfer_error or other codes of error_category(), or what the stream
///   that is uploaded has thrown. Once there was one, every further wait throws it again, after what had
///   been received before.
class transfer {
public:
    /// Names and values, in order.
    using field_list = std::vector<std::pair<std::string, std::string>>;

    /// Made by the client.
    explicit transfer(std::unique_ptr<transfer_state> state) noexcept;
    transfer(transfer&&) noexcept;
    transfer& operator=(transfer&&) noexcept;
    ~transfer();

    /// Waits for the head of the final response, redirects and logins behind it. With protocols that have
    /// none it waits for the first byte of the body, or the end.
    [[nodiscard]] task<> head();

    // -- of the head, once head() or a read has ended --

    /// HTTP's status; FTP's and SMTP's last code, after the end. 0: there is none.
    [[nodiscard]] unsigned status() const noexcept;
    /// 200 to 299.
    [[nodiscard]] bool is_success() const noexcept { return status() / 100 == 2; }
    /// The fields of the response, in order.
    [[nodiscard]] const field_list& fields() const noexcept;
    /// The first field of this name, in any case.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;
    /// The URL that this response came from, after redirects.
    [[nodiscard]] std::string url() const;

    // -- the body --

    /// See byte_source.
    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out);
    /// All that is left. More than `bytes_max`: transfer_error::too_large, and the transfer has ended.
    [[nodiscard]] task<std::string> read_all(std::size_t bytes_max = std::size_t{16} << 20);
    /// The body in pieces as they come; each is valid until the next call of next(). Requires: the transfer
    /// stays where it is until the generator is gone.
    [[nodiscard]] async_generator<std::span<const std::byte>> pieces();
    /// Reads to the end without keeping anything, for what has no body that matters.
    [[nodiscard]] task<> finish();

    /// Trailer fields, once the body has been read to its end.
    [[nodiscard]] const field_list& trailers() const noexcept;
    /// At any time; final at the end.
    [[nodiscard]] curl::statistics statistics() const;

private:
    std::unique_ptr<transfer_state> state_;
};

}  // namespace eddy::curl
