// Decodes in pieces of any size what may be anything. The first byte says the coding, the second how it is
// cut; the third, if it is odd, has the rest encoded first, so that what is decoded is whole.

#include "check.hpp"

#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace eddy;

constexpr std::uint64_t output_bytes_max = 1 << 20;

http::decode_error decode(http::content_coding coding, std::string_view encoded, std::size_t piece_bytes,
                          std::size_t room_bytes, std::string& content) {
    http::content_decoder decoder(
        coding, http::content_decoder_options().output_bytes_max(output_bytes_max).expansion_max(2000));
    std::array<std::byte, 4096> memory;
    const auto room = std::span(memory).first(room_bytes);
    while (!encoded.empty() || decoder.has_more()) {
        const auto piece = encoded.substr(0, piece_bytes);
        const auto step = decoder.decode(as_bytes(piece), room);
        EDDY_FUZZ_CHECK(step.consumed() <= piece.size() && step.produced() <= room.size());
        if (step.error() != http::decode_error::none) {
            EDDY_FUZZ_CHECK(decoder.finish() == step.error());
            return step.error();
        }
        EDDY_FUZZ_CHECK(step.consumed() != 0 || step.produced() != 0 || piece.empty());
        content.append(as_text(room.first(step.produced())));
        encoded.remove_prefix(step.consumed());
    }
    EDDY_FUZZ_CHECK(content.size() == decoder.output_bytes() && content.size() <= output_bytes_max);
    return decoder.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3)
        return 0;
    const auto coding = static_cast<http::content_coding>(data[0] % http::content_coding_count);
    const std::size_t cut = std::size_t{1} + data[1];
    const bool is_whole = (data[2] & 1) != 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 3, size - 3);
    const std::string encoded =
        is_whole ? http::encode_content(as_bytes(rest), coding,
                                        http::content_encoder_options().brotli_quality(1).gzip_level(1))
                 : std::string(rest);
    std::string at_once;
    std::string in_pieces;
    const auto error = decode(coding, encoded, SIZE_MAX, 4096, at_once);
    const auto error_in_pieces = decode(coding, encoded, cut, cut, in_pieces);
    EDDY_FUZZ_CHECK((error == http::decode_error::none) == (error_in_pieces == http::decode_error::none));
    if (error == http::decode_error::none)
        EDDY_FUZZ_CHECK(at_once == in_pieces);
    if (is_whole)
        EDDY_FUZZ_CHECK(error == http::decode_error::none && at_once == rest);
    return 0;
}
