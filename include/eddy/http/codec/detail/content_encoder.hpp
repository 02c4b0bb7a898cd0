#pragma once

#include <eddy/http/message/detail/content_coding.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace eddy::http {

/// How a content_encoder weighs time against size. Setters chain. The defaults are for content that is made
/// while a client waits; what is encoded once and sent often deserves higher levels.
class content_encoder_options {
public:
    content_encoder_options() noexcept = default;

    /// 1 (fast) to 9 (small). Values outside are brought inside.
    content_encoder_options& gzip_level(int level) noexcept {
        gzip_level_ = level;
        return *this;
    }
    /// 0 (fast) to 11 (small, a hundred times slower). Values outside are brought inside.
    content_encoder_options& brotli_quality(int quality) noexcept {
        brotli_quality_ = quality;
        return *this;
    }
    /// How much there will be, if that is known: less memory is made ready for less. Only a hint.
    content_encoder_options& size_hint(std::uint64_t bytes) noexcept {
        size_hint_ = bytes;
        return *this;
    }

    [[nodiscard]] int gzip_level() const noexcept { return gzip_level_; }
    [[nodiscard]] int brotli_quality() const noexcept { return brotli_quality_; }
    /// 0: not known.
    [[nodiscard]] std::uint64_t size_hint() const noexcept { return size_hint_; }

private:
    std::uint64_t size_hint_ = 0;
    int gzip_level_ = 5;
    int brotli_quality_ = 4;
};

/// Encodes a body piece by piece: gzip, deflate (with the envelope of RFC 1950) and brotli; identity copies.
///
/// Ownership: moves, does not copy; one that was moved from is destroyed only. Thread safety: none, and bound
/// to no thread. Dropped: what was not finished is not a whole body. Errors: every call may throw
/// std::bad_alloc. Cost: some 260 KiB (gzip) or 0.5 to 2 MiB (brotli, its default quality) of memory for
/// content whose size is not known or large; about 20 to 40 ns a byte, so that pieces of 32 KiB keep a
/// worker's turn near one millisecond.
///
/// Compressed content whose length an attacker sees must not hold both a secret and what the attacker has
/// chosen (the attack named BREACH): see docs/httpd.md.
class content_encoder {
public:
    explicit content_encoder(content_coding coding, content_encoder_options options = {});
    content_encoder(content_encoder&&) noexcept;
    content_encoder& operator=(content_encoder&&) noexcept;
    ~content_encoder();

    /// Adds the encoded form of a piece to `out`, as far as it is known yet: often nothing.
    void append(std::span<const std::byte> piece, std::string& out);

    /// Adds what is needed to decode all that was appended so far. Costs a few bytes, and some of what could
    /// have been saved.
    void flush(std::string& out);

    /// Adds the rest. Requires: called once, and nothing else afterwards.
    void finish(std::string& out);

private:
    class engine;
    class copying;
    class deflating;
    class brotling;

    std::unique_ptr<engine> engine_;
};

/// The whole of `content`, encoded. Throws std::bad_alloc.
[[nodiscard]] std::string encode_content(std::span<const std::byte> content, content_coding coding,
                                         content_encoder_options options = {});

}  // namespace eddy::http
