#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/routing/middleware.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/response_filter.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// What is compressed on its way, and how. Setters chain.
class compression_options {
public:
    compression_options() = default;

    /// Smaller bodies stay as they are, where their size is known.
    compression_options& bytes_min(std::uint64_t bytes) noexcept {
        bytes_min_ = bytes;
        return *this;
    }
    /// Larger bodies stay as they are, where their size is known: each would cost some 30 ns a byte, for
    /// every client anew.
    compression_options& bytes_max(std::uint64_t bytes) noexcept {
        bytes_max_ = bytes;
        return *this;
    }
    /// How hard each encoding tries.
    compression_options& encoder(const content_encoder_options& value) noexcept {
        encoder_ = value;
        return *this;
    }
    /// A media type, without parameters and in lower case, that is compressed beside those that
    /// is_compressible() knows.
    compression_options& media_type(std::string type) {
        media_types_.push_back(std::move(type));
        return *this;
    }

    [[nodiscard]] std::uint64_t bytes_min() const noexcept { return bytes_min_; }
    [[nodiscard]] std::uint64_t bytes_max() const noexcept { return bytes_max_; }
    [[nodiscard]] const content_encoder_options& encoder() const noexcept { return encoder_; }
    /// Whether a Content-Type is one to compress.
    [[nodiscard]] bool takes(std::string_view content_type) const noexcept;

private:
    std::uint64_t bytes_min_ = 256;
    std::uint64_t bytes_max_ = std::uint64_t{64} << 20;
    content_encoder_options encoder_;
    std::vector<std::string> media_types_;
};

/// Returns the filter that compresses the response to this request with gzip or brotli, as its
/// Accept-Encoding allows (RFC 9110 section 12.5.3): for exchange::filter_response().
///
/// It takes part if the client wants a coding, the Content-Type gains from it, and the size, where it is
/// known, is worth it; but not in a response that has a Content-Encoding already, is part of a representation
/// (206), or forbids it by Cache-Control: no-transform. It adds Content-Encoding, makes the ETag weak, since
/// the bytes are others, and takes Accept-Ranges and digests of the plain bytes away. Vary: Accept-Encoding
/// is added wherever the next client might get another form, whether this one is compressed or not.
///
/// A flush of the response flushes the encoder, so that events arrive when they are sent.
///
/// Compressed answers that hold a secret beside what an attacker has chosen can reveal the secret by their
/// length (BREACH). Leave such responses uncompressed: Cache-Control: no-transform, or no compression for
/// that route.
///
/// The options must outlive the filter. Throws std::bad_alloc. An encoder is made with the first byte.
[[nodiscard]] std::unique_ptr<response_filter> make_compression(const request_head& request,
                                                                const compression_options& options);

/// Compresses the responses of what stands behind it. See make_compression().
///
/// Thread safety: none; belongs to its worker.
class compression final : public middleware {
public:
    explicit compression(compression_options options = {}) : options_(std::move(options)) {}

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    compression_options options_;
};

}  // namespace eddy::http
