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
#include <utility>

namespace eddy::curl {

/// What is sent: bytes, or a stream of them that is read while it is sent and no faster.
///
/// - Ownership: owns bytes and stream. Copies share both. A stream does not destroy the transfer that reads
///   it.
/// - Size: a stream of unknown size is sent chunked where that can be; one that ends before its size was
///   reached fails the transfer, and what is beyond is not sent.
/// - Bytes can be sent any number of times, which redirects (307, 308) and some authentication need; a stream
///   only once, which then fails with transfer_error::cannot_rewind.
class upload {
public:
    /// Makes a body piece by piece. A piece is valid until the next one is requested.
    using pieces = async_generator<std::span<const std::byte>>;

    /// Bytes, which it owns.
    upload(std::string bytes) : bytes_(std::make_shared<const std::string>(std::move(bytes))) {}
    upload(const char* text) : upload(std::string(text)) {}

    /// A body of pieces, which it owns; without a size it is sent chunked.
    [[nodiscard]] static upload of_pieces(pieces made, std::optional<std::uint64_t> size = {}) {
        upload stream{std::string()};
        stream.pieces_ = std::make_shared<pieces>(std::move(made));
        stream.size_ = size;
        return stream;
    }
    /// The same of texts.
    [[nodiscard]] static upload of_texts(async_generator<std::string> texts,
                                         std::optional<std::uint64_t> size = {}) {
        return of_pieces(eddy::detail::pieces_of_texts(std::move(texts)), size);
    }
    /// All bytes of a source. The source is moved in.
    template <byte_source Source>
    [[nodiscard]] static upload of_source(Source source, std::optional<std::uint64_t> size = {}) {
        return of_pieces(eddy::detail::pieces_of_source(std::move(source)), size);
    }

    /// Whether it is made while it is sent, so that it can be sent once only.
    [[nodiscard]] bool is_stream() const noexcept { return pieces_ != nullptr; }
    /// Nothing for a stream of unknown size.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept {
        return is_stream() ? size_ : std::optional<std::uint64_t>(bytes_->size());
    }
    /// Requires: it is no stream.
    [[nodiscard]] const std::string& bytes() const noexcept { return *bytes_; }
    /// Requires: it is a stream.
    [[nodiscard]] const std::shared_ptr<pieces>& stream() const noexcept { return pieces_; }

private:
    std::shared_ptr<const std::string> bytes_;
    std::shared_ptr<pieces> pieces_;
    std::optional<std::uint64_t> size_;
};

}  // namespace eddy::curl
