#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::http::content_decoder_test {
namespace {

struct decoded {
    std::string content;
    decode_error error = decode_error::none;
};

// Decodes all of it, in pieces and rooms of these sizes.
decoded decode_all(content_decoder& decoder, std::string_view encoded, std::size_t piece_bytes = SIZE_MAX,
                   std::size_t room_bytes = 4096) {
    decoded seen;
    std::string room(room_bytes, '\0');
    while (!encoded.empty() || decoder.has_more()) {
        const auto piece = encoded.substr(0, piece_bytes);
        const auto step = decoder.decode(as_bytes(piece), std::as_writable_bytes(std::span(room)));
        seen.content.append(room, 0, step.produced());
        seen.error = step.error();
        if (seen.error != decode_error::none)
            return seen;
        encoded.remove_prefix(step.consumed());
    }
    seen.error = decoder.finish();
    return seen;
}

decoded decode_all(content_coding coding, std::string_view encoded, std::size_t piece_bytes = SIZE_MAX,
                   std::size_t room_bytes = 4096) {
    content_decoder decoder(coding);
    return decode_all(decoder, encoded, piece_bytes, room_bytes);
}

std::string encode(content_coding coding, std::string_view content) {
    return encode_content(as_bytes(content), coding);
}

std::string sample() {
    std::string text;
    for (int i = 0; text.size() < 100'000; ++i)
        text += "line " + std::to_string(i * 7919) + "\n";
    return text;
}

constexpr std::array codings = {content_coding::identity, content_coding::gzip, content_coding::deflate,
                                content_coding::brotli};
constexpr std::array compressing = {content_coding::gzip, content_coding::deflate, content_coding::brotli};

TEST(a_content_decoder, gives_back_what_was_encoded_however_it_is_cut) {
    const std::string content = sample();
    for (const auto coding : codings) {
        const std::string encoded = encode(coding, content);
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, SIZE_MAX}) {
            for (const std::size_t room : {std::size_t{1}, std::size_t{100}, std::size_t{65536}}) {
                const auto seen = decode_all(coding, encoded, piece, room);
                EXPECT_EQ(seen.error, decode_error::none) << to_string(coding);
                EXPECT_TRUE(seen.content == content) << to_string(coding) << " " << piece << " " << room;
            }
        }
    }
}

TEST(a_content_decoder, takes_no_bytes_for_an_empty_body) {
    for (const auto coding : codings) {
        EXPECT_EQ(decode_all(coding, "").error, decode_error::none);
        const auto seen = decode_all(coding, encode(coding, ""));
        EXPECT_EQ(seen.error, decode_error::none);
        EXPECT_EQ(seen.content, "");
    }
}

TEST(a_content_decoder, sees_that_the_end_is_missing_wherever_it_was_cut_off) {
    const std::string content = sample().substr(0, 300);
    for (const auto coding : compressing) {
        const std::string encoded = encode(coding, content);
        for (std::size_t size = 1; size < encoded.size(); ++size) {
            EXPECT_EQ(decode_all(coding, encoded.substr(0, size)).error, decode_error::truncated)
                << to_string(coding) << " " << size;
        }
    }
}

TEST(a_content_decoder, refuses_what_follows_the_end) {
    for (const auto coding : compressing) {
        for (const std::size_t piece : {std::size_t{1}, SIZE_MAX}) {
            const auto seen = decode_all(coding, encode(coding, "content") + "more", piece);
            EXPECT_EQ(seen.error, decode_error::trailing) << to_string(coding);
        }
    }
}

TEST(a_content_decoder, takes_several_gzip_members_for_one_body) {
    const std::string encoded = encode(content_coding::gzip, "first ") + encode(content_coding::gzip, "") +
                                encode(content_coding::gzip, "last");
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, SIZE_MAX}) {
        const auto seen = decode_all(content_coding::gzip, encoded, piece);
        EXPECT_EQ(seen.error, decode_error::none);
        EXPECT_EQ(seen.content, "first last");
    }
    const auto cut = decode_all(content_coding::gzip, encoded.substr(0, encoded.size() - 1));
    EXPECT_EQ(cut.error, decode_error::truncated);
}

TEST(a_content_decoder, takes_deflate_without_its_envelope) {
    const std::string wrapped = encode(content_coding::deflate, "as many send it");
    const std::string bare = wrapped.substr(2, wrapped.size() - 6);  // without head and checksum
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, SIZE_MAX}) {
        for (const std::size_t room : {std::size_t{1}, std::size_t{4096}}) {
            const auto seen = decode_all(content_coding::deflate, bare, piece, room);
            EXPECT_EQ(seen.error, decode_error::none);
            EXPECT_EQ(seen.content, "as many send it");
        }
    }
    EXPECT_EQ(decode_all(content_coding::deflate, bare + "more").error, decode_error::trailing);
}

TEST(a_content_decoder, refuses_what_was_damaged) {
    const std::string content = sample().substr(0, 300);
    std::string gzip = encode(content_coding::gzip, content);
    gzip[gzip.size() - 6] ^= 1;  // the checksum
    EXPECT_EQ(decode_all(content_coding::gzip, gzip).error, decode_error::malformed);
    EXPECT_EQ(decode_all(content_coding::gzip, "not gzip at all").error, decode_error::malformed);
    EXPECT_EQ(decode_all(content_coding::deflate, "\xff\xff\xff\xff").error, decode_error::malformed);
    EXPECT_EQ(decode_all(content_coding::brotli, std::string(64, '\xff')).error, decode_error::malformed);
}

TEST(a_content_decoder, gives_its_error_again) {
    content_decoder decoder(content_coding::gzip);
    EXPECT_EQ(decode_all(decoder, "not gzip").error, decode_error::malformed);
    EXPECT_EQ(decode_all(decoder, encode(content_coding::gzip, "good")).error, decode_error::malformed);
    EXPECT_EQ(decoder.finish(), decode_error::malformed);
}

TEST(a_content_decoder, stops_at_the_limit_on_its_output) {
    const std::string content = sample();
    for (const auto coding : codings) {
        const std::string encoded = encode(coding, content);
        content_decoder enough(coding, content_decoder_options().output_bytes_max(content.size()));
        EXPECT_EQ(decode_all(enough, encoded).error, decode_error::none);
        content_decoder less(coding, content_decoder_options().output_bytes_max(content.size() - 1));
        EXPECT_EQ(decode_all(less, encoded).error, decode_error::too_large);
    }
}

TEST(a_content_decoder, stops_a_bomb_by_its_expansion) {
    const std::string zeros(8'000'000, '\0');
    const std::string bomb = encode(content_coding::brotli, zeros);
    const auto seen = decode_all(content_coding::brotli, bomb);
    EXPECT_EQ(seen.error, decode_error::expands);
    EXPECT_LT(seen.content.size(), std::size_t{1} << 21);
    // No gzip expands more than the default allows.
    EXPECT_EQ(decode_all(content_coding::gzip, encode(content_coding::gzip, zeros)).error,
              decode_error::none);
    content_decoder strict(content_coding::gzip, content_decoder_options().expansion_max(100));
    EXPECT_EQ(decode_all(strict, encode(content_coding::gzip, zeros)).error, decode_error::expands);
    content_decoder patient(content_coding::gzip,
                            content_decoder_options().expansion_max(100).expansion_free_bytes(zeros.size()));
    EXPECT_EQ(decode_all(patient, encode(content_coding::gzip, zeros)).error, decode_error::none);
}

TEST(a_content_decoder, can_be_moved_in_the_middle) {
    const std::string encoded = encode(content_coding::gzip, sample());
    content_decoder first(content_coding::gzip);
    std::string room(1000, '\0');
    const auto step = first.decode(as_bytes(encoded), std::as_writable_bytes(std::span(room)));
    std::string content = room.substr(0, step.produced());
    content_decoder second(std::move(first));
    const auto rest = decode_all(second, std::string_view(encoded).substr(step.consumed()));
    EXPECT_EQ(rest.error, decode_error::none);
    EXPECT_TRUE(content + rest.content == sample());
}

}  // namespace
}  // namespace eddy::http::content_decoder_test
