#include "rpc/message_coding.hpp"

#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/rpc/detail/message_frame.hpp>
#include <eddy/rpc/status.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace eddy::rpc {
namespace {

constexpr std::size_t piece_bytes = 16 * 1024;

[[noreturn]] void fail_size(const char* what, std::size_t limit) {
    throw error(status_code::resource_exhausted,
                std::string(what) + " over the limit of " + std::to_string(limit) + " bytes");
}

std::string_view trimmed(std::string_view text) noexcept {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

}  // namespace

std::string_view to_string(compression way) noexcept {
    return way == compression::gzip ? "gzip" : "identity";
}

std::optional<compression> compression_from(std::string_view name) noexcept {
    for (const compression each : {compression::identity, compression::gzip})
        if (name == to_string(each))
            return each;
    return std::nullopt;
}

bool lists(std::string_view names, compression way) noexcept {
    while (!names.empty()) {
        const std::size_t comma = names.find(',');
        if (trimmed(names.substr(0, comma)) == to_string(way))
            return true;
        names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
    }
    return false;
}

void write_prefix(std::string& frame, char flag) noexcept {
    const std::size_t size = frame.size() - detail::frame_prefix_size;
    frame[0] = flag;
    for (std::size_t at = 1; at < detail::frame_prefix_size; ++at)
        frame[at] = static_cast<char>(size >> (8 * (detail::frame_prefix_size - 1 - at)));
}

void seal_frame(std::string& frame, compression way, std::size_t message_bytes_max) {
    std::string_view message = std::string_view(frame).substr(detail::frame_prefix_size);
    if (message.size() > message_bytes_max)
        fail_size("a message", message_bytes_max);
    if (way == compression::gzip) {
        std::string encoded = detail::begin_frame();
        encoded += http::encode_content(as_bytes(message), http::content_coding::gzip,
                                        http::content_encoder_options().size_hint(message.size()));
        if (encoded.size() < frame.size())
            frame = std::move(encoded);
        else
            way = compression::identity;
        message = std::string_view(frame).substr(detail::frame_prefix_size);
    }
    if (message.size() > std::numeric_limits<std::uint32_t>::max())
        fail_size("a message", std::numeric_limits<std::uint32_t>::max());
    write_prefix(frame, way == compression::identity ? '\0' : '\1');
}

void decompress(std::span<const std::byte> message, compression way, std::size_t message_bytes_max,
                std::string& out) {
    if (way == compression::identity)
        throw error(status_code::internal, "a compressed message in a call without compression");
    out.clear();
    http::content_decoder decoder(http::content_coding::gzip,
                                  http::content_decoder_options().output_bytes_max(message_bytes_max));
    std::array<std::byte, piece_bytes> piece;
    while (!message.empty() || decoder.has_more()) {
        const http::decode_step step = decoder.decode(message, piece);
        if (step.error() == http::decode_error::too_large || step.error() == http::decode_error::expands)
            fail_size("a decompressed message", message_bytes_max);
        if (step.error() != http::decode_error::none)
            throw error(status_code::internal, "a compressed message that is malformed");
        out.append(reinterpret_cast<const char*>(piece.data()), step.produced());
        message = message.subspan(step.consumed());
    }
    if (decoder.finish() != http::decode_error::none)
        throw error(status_code::internal, "a compressed message that is not whole");
}

}  // namespace eddy::rpc
