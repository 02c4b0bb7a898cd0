#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace eddy::http::content_encoder_test {
namespace {

constexpr std::array compressing = {content_coding::gzip, content_coding::deflate, content_coding::brotli};

// What a decoder makes of bytes that need not be a whole body.
std::string decode(content_decoder& decoder, std::string_view encoded) {
    std::string content;
    std::array<std::byte, 4096> room;
    while (!encoded.empty() || decoder.has_more()) {
        const auto step = decoder.decode(as_bytes(encoded), room);
        EXPECT_EQ(step.error(), decode_error::none);
        if (step.error() != decode_error::none)
            break;
        content.append(as_text(std::span(room).first(step.produced())));
        encoded.remove_prefix(step.consumed());
    }
    return content;
}

TEST(a_content_encoder, lets_everything_so_far_be_decoded_after_a_flush) {
    for (const auto coding : compressing) {
        content_encoder encoder(coding);
        content_decoder decoder(coding);
        for (int event = 0; event < 20; ++event) {
            const std::string piece = "data: event number " + std::to_string(event) + "\n\n";
            std::string encoded;
            encoder.append(as_bytes(piece), encoded);
            encoder.flush(encoded);
            EXPECT_EQ(decode(decoder, encoded), piece) << to_string(coding);
        }
        std::string last;
        encoder.finish(last);
        EXPECT_EQ(decode(decoder, last), "");
        EXPECT_EQ(decoder.finish(), decode_error::none);
    }
}

TEST(a_content_encoder, makes_text_smaller_whatever_is_known_of_its_size) {
    const std::string line = "a line that comes again and again, with few changes: ";
    for (const auto coding : compressing) {
        for (const std::size_t size : {60U, 1000U, 30'000U, 300'000U}) {
            std::string content;
            for (int i = 0; content.size() < size; ++i)
                content += line + std::to_string(i) + "\n";
            for (const std::uint64_t hint :
                 {std::uint64_t{0}, std::uint64_t{content.size()}, std::uint64_t{1}}) {
                content_encoder encoder(coding, content_encoder_options().size_hint(hint));
                std::string encoded;
                for (std::size_t at = 0; at < content.size(); at += 10'000)
                    encoder.append(
                        as_bytes(content).subspan(at, std::min<std::size_t>(10'000, content.size() - at)),
                        encoded);
                encoder.finish(encoded);
                if (size > 60) {
                    EXPECT_LT(encoded.size() * 3, content.size()) << to_string(coding) << " " << size;
                }
                content_decoder decoder(coding);
                EXPECT_TRUE(decode(decoder, encoded) == content) << to_string(coding) << " " << size;
                EXPECT_EQ(decoder.finish(), decode_error::none);
            }
        }
    }
}

TEST(a_content_encoder, spends_more_for_less_at_higher_levels) {
    std::string content;
    for (int i = 0; content.size() < 200'000; ++i)
        content += "<li class=\"entry\">" + std::to_string(i * 104729 % 9973) + "</li>\n";
    const auto size = [&](content_coding coding, int level) {
        const auto options = content_encoder_options().gzip_level(level).brotli_quality(level);
        return encode_content(as_bytes(content), coding, options).size();
    };
    EXPECT_LT(size(content_coding::gzip, 9), size(content_coding::gzip, 1));
    EXPECT_LT(size(content_coding::brotli, 9), size(content_coding::brotli, 1));
    EXPECT_EQ(size(content_coding::gzip, 99), size(content_coding::gzip, 9));
    EXPECT_EQ(size(content_coding::brotli, -1), size(content_coding::brotli, 0));
}

TEST(a_content_encoder, copies_what_needs_no_coding) {
    EXPECT_EQ(encode_content(as_bytes(std::string_view("as it is")), content_coding::identity), "as it is");
}

}  // namespace
}  // namespace eddy::http::content_encoder_test
