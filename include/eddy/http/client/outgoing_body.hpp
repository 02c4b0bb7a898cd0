#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/byte_pieces.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// The body of a request that a client sends: bytes, or a stream of them that is read while it is sent.
///
/// - Ownership: owns bytes and stream, unless they are borrowed(). Copies have bytes of their own and share the stream.
/// - End: a stream that the server takes no more of, because it has reset the exchange, is destroyed at once.
/// - Size: a stream of known size is sent with Content-Length, and one that yields another number of bytes
///   fails with http_error::body_size_wrong; one of unknown size is sent chunked.
/// - Bytes can be sent any number of times, which redirects (307, 308) and retries need; a stream only once.
class outgoing_body {
public:
    /// Makes a body piece by piece. A piece is valid until the next one is requested.
    using pieces = async_generator<std::span<const std::byte>>;

    /// None.
    outgoing_body() = default;
    outgoing_body(std::string bytes) : bytes_(std::move(bytes)) {}

    /// Bytes that are not copied. Requires: they outlive the request, and the response to it.
    [[nodiscard]] static outgoing_body borrowed(std::string_view bytes) noexcept {
        outgoing_body body;
        body.borrowed_ = bytes;
        return body;
    }
    /// A body of pieces, which it owns; without a size it is sent chunked.
    [[nodiscard]] static outgoing_body of_pieces(pieces made, std::optional<std::uint64_t> size = {}) {
        outgoing_body body;
        body.pieces_ = std::make_shared<pieces>(std::move(made));
        body.size_ = size;
        return body;
    }
    /// The same of texts.
    [[nodiscard]] static outgoing_body of_texts(async_generator<std::string> texts,
                                                std::optional<std::uint64_t> size = {}) {
        return of_pieces(eddy::detail::pieces_of_texts(std::move(texts)), size);
    }
    /// All bytes of a source. The source is moved in.
    template <byte_source Source>
    [[nodiscard]] static outgoing_body of_source(Source source, std::optional<std::uint64_t> size = {}) {
        return of_pieces(eddy::detail::pieces_of_source(std::move(source)), size);
    }

    /// Whether it is made while it is sent, so that it can be sent once only.
    [[nodiscard]] bool is_stream() const noexcept { return pieces_ != nullptr; }
    /// Whether there is nothing to send.
    [[nodiscard]] bool empty() const noexcept { return !is_stream() && bytes().empty(); }
    /// Nothing for a stream of unknown size.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept {
        return is_stream() ? size_ : std::optional<std::uint64_t>(bytes().size());
    }
    /// Requires: it is no stream.
    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_.empty() ? borrowed_ : bytes_; }
    /// Requires: it is a stream.
    [[nodiscard]] pieces& stream() const noexcept { return *pieces_; }

private:
    std::string bytes_;
    std::string_view borrowed_;
    std::shared_ptr<pieces> pieces_;
    std::optional<std::uint64_t> size_;
};

}  // namespace eddy::http
