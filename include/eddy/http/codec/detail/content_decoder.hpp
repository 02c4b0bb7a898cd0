#pragma once

#include <eddy/http/message/detail/content_coding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace eddy::http {

/// What a content_decoder lets through. Setters chain.
class content_decoder_options {
public:
    content_decoder_options() noexcept = default;

    /// Bytes of decoded content in all.
    content_decoder_options& output_bytes_max(std::uint64_t bytes) noexcept {
        output_bytes_max_ = bytes;
        return *this;
    }
    /// Decoded bytes for each encoded one; 0 counts as 1. Deflate cannot exceed 1032, so that the default
    /// stops only brotli's bombs; a service that decodes what strangers send may want 100.
    content_decoder_options& expansion_max(std::uint32_t ratio) noexcept {
        expansion_max_ = std::max(ratio, std::uint32_t{1});
        return *this;
    }
    /// Up to so many decoded bytes the expansion is not looked at.
    content_decoder_options& expansion_free_bytes(std::uint64_t bytes) noexcept {
        expansion_free_bytes_ = bytes;
        return *this;
    }

    [[nodiscard]] std::uint64_t output_bytes_max() const noexcept { return output_bytes_max_; }
    [[nodiscard]] std::uint32_t expansion_max() const noexcept { return expansion_max_; }
    [[nodiscard]] std::uint64_t expansion_free_bytes() const noexcept { return expansion_free_bytes_; }

private:
    std::uint64_t output_bytes_max_ = std::uint64_t{1} << 30;
    std::uint64_t expansion_free_bytes_ = std::uint64_t{1} << 20;
    std::uint32_t expansion_max_ = 1100;
};

enum class decode_error : std::uint8_t {
    none,
    malformed,  // no such encoding, or a checksum that is wrong
    truncated,  // it ended in its middle
    trailing,   // something follows its end
    too_large,  // more than output_bytes_max
    expands,    // more than expansion_max
};

/// As a sentence without a full stop. Lives forever.
[[nodiscard]] std::string_view to_string(decode_error error) noexcept;

/// What one step of a content_decoder has done.
class decode_step {
public:
    decode_step(std::size_t consumed, std::size_t produced, decode_error error) noexcept
        : consumed_(consumed), produced_(produced), error_(error) {}

    /// Bytes of the input that are done with.
    [[nodiscard]] std::size_t consumed() const noexcept { return consumed_; }
    /// Bytes that were put at the front of the room.
    [[nodiscard]] std::size_t produced() const noexcept { return produced_; }
    [[nodiscard]] decode_error error() const noexcept { return error_; }

private:
    std::size_t consumed_;
    std::size_t produced_;
    decode_error error_;
};

/// Decodes a body piece by piece, in bounded memory whatever the input: gzip (several members count as one
/// body, RFC 1952 section 2.2), deflate (with or without the envelope of RFC 1950) and brotli.
///
///     content_decoder decoder(content_coding::gzip);
///     for (piece : pieces)
///         while (!piece.empty() || decoder.has_more()) {
///             const decode_step step = decoder.decode(piece, room);
///             if (step.error() != decode_error::none) ...
///             use(room.first(step.produced()));
///             piece = piece.subspan(step.consumed());
///         }
///     if (decoder.finish() != decode_error::none) ...
///
/// A body without any byte is an empty one in each coding, as senders have it. After an error every step
/// returns the same error.
///
/// Ownership: moves, does not copy; one that was moved from is destroyed only. Thread safety: none, and bound
/// to no thread. Cost: about 40 KiB for gzip and deflate, up to 16 MiB (what the sender chose, of which only
/// the part that is used is touched) for brotli. decode() takes the time of `room`, some 3 ns a byte: a room
/// of 64 KiB or less keeps a worker's turn short.
class content_decoder {
public:
    /// Throws std::bad_alloc.
    explicit content_decoder(content_coding coding, content_decoder_options options = {});
    content_decoder(content_decoder&&) noexcept;
    content_decoder& operator=(content_decoder&&) noexcept;
    ~content_decoder();

    /// Takes from `piece`, in order, and fills `room`. Continues where the last call stopped. Ends when the
    /// piece is used up or the room is full. Requires: `room` is not empty.
    [[nodiscard]] decode_step decode(std::span<const std::byte> piece, std::span<std::byte> room);

    /// Whether another step may produce something without any input.
    [[nodiscard]] bool has_more() const noexcept;

    /// Call it when the last piece is used up. Returns none if the body was whole.
    [[nodiscard]] decode_error finish() noexcept;

    /// Decoded bytes so far.
    [[nodiscard]] std::uint64_t output_bytes() const noexcept;

private:
    class engine;
    class copying;
    class inflating;
    class unbrotling;

    std::unique_ptr<engine> engine_;
    content_decoder_options options_;
    std::uint64_t input_bytes_ = 0;
    std::uint64_t output_bytes_ = 0;
    decode_error error_ = decode_error::none;
    bool has_more_ = false;
};

}  // namespace eddy::http
