#pragma once

#include <eddy/core/prompt_task.hpp>
#include <eddy/http/answer_filter.hpp>
#include <eddy/http/compression_options.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/middleware.hpp>
#include <eddy/http/request_handler.hpp>
#include <eddy/http/request_head.hpp>

#include <memory>

namespace eddy::http {

/// What compresses the answer to this request with gzip or brotli, as its Accept-Encoding asks
/// (RFC 9110 section 12.5.3): for exchange::filter_answer().
///
/// It takes part if the client wants a coding, the Content-Type gains from it, and the size, where it is
/// known, is worth it; but not in an answer that has a Content-Encoding already, is part of a representation
/// (206), or forbids it by Cache-Control: no-transform. It adds Content-Encoding, makes the ETag weak, since
/// the bytes are others, and takes Accept-Ranges and digests of the plain bytes away. Vary: Accept-Encoding
/// is added wherever the next client might get another form, whether this one is compressed or not.
///
/// A flush of the answer flushes the encoder, so that events arrive when they are sent.
///
/// Compressed answers that hold a secret beside what an attacker has chosen can tell the secret by their
/// length (BREACH). Leave such answers uncompressed: Cache-Control: no-transform, or no compression for that
/// route.
///
/// The options must outlive the filter. Throws std::bad_alloc. An encoder is made with the first byte.
[[nodiscard]] std::unique_ptr<answer_filter> make_compression(const request_head& request,
                                                              const compression_options& options);

/// Compresses the answers of what stands behind it. See make_compression().
///
/// Thread safety: none; belongs to its worker.
class compression final : public middleware {
public:
    explicit compression(compression_options options = {}) : options_(std::move(options)) {}

    [[nodiscard]] prompt_task<> handle(exchange& asked, request_handler& next) override;

private:
    compression_options options_;
};

}  // namespace eddy::http
