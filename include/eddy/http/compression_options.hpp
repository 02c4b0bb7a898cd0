#pragma once

#include <eddy/http/content_encoder.hpp>

#include <cstddef>
#include <cstdint>
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

}  // namespace eddy::http
