#include "http_websocket/frames.hpp"

#include <eddy/http/websocket/detail/message_decoder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http::message_decoder_test {
namespace {

using namespace eddy::http::test;

constexpr std::uint64_t limit = 1000;

/// What a decoder makes of a stream that arrives in pieces, in words.
class decoded_stream {
public:
    explicit decoded_stream(std::optional<deflate_parameters> deflate = {},
                            websocket_role receiver = websocket_role::server)
        : decoder_(receiver, limit, deflate) {}

    decoded_stream& take(std::string bytes) {
        auto left = std::as_writable_bytes(std::span(bytes));
        while (!has_failed_) {
            gathered_.clear();
            const decoded_bytes found = decoder_.decode(left, gathered_, gathers_pieces_);
            left = left.subspan(found.consumed());
            if (gathers_pieces_ && found.event() == decoded_event::piece) {
                EXPECT_TRUE(found.is_gathered() || (found.is_first() && found.is_last()));
                EXPECT_TRUE(gathered_.empty() || as_text(found.payload()) == gathered_);
            }
            if (found.event() == decoded_event::need_more) {
                EXPECT_TRUE(left.empty());
                break;
            }
            note(found);
        }
        return *this;
    }
    decoded_stream& gather_pieces() {
        gathers_pieces_ = true;
        return *this;
    }
    decoded_stream& take_by(const std::string& bytes, std::size_t step) {
        for (std::size_t at = 0; at < bytes.size(); at += step)
            take(bytes.substr(at, step));
        return *this;
    }
    [[nodiscard]] const std::string& words() const { return words_; }

private:
    void note(const decoded_bytes& found) {
        const std::string payload(as_text(found.payload()));
        switch (found.event()) {
            case decoded_event::piece:
                if (found.is_first())
                    begun_ = words_.size();
                if (found.is_first())
                    words_ += found.kind() == message_kind::text ? "text " : "binary ";
                words_ += payload + (found.is_last() ? "; " : "");
                if (found.is_last())
                    begun_ = std::string::npos;
                break;
            case decoded_event::ping:
                words_ += "ping " + payload + "; ";
                break;
            case decoded_event::pong:
                words_ += "pong " + payload + "; ";
                break;
            case decoded_event::close:
                words_ += "close " + std::to_string(to_number(found.code())) + " " + payload + "; ";
                break;
            default:
                has_failed_ = true;
                // How much of a message comes before the error depends on the pieces.
                if (begun_ != std::string::npos)
                    words_.resize(begun_);
                words_ += "error " + std::to_string(to_number(close_code_for(found.error())));
        }
    }

    message_decoder decoder_;
    std::string gathered_;
    bool gathers_pieces_ = false;
    std::string words_;
    std::size_t begun_ = std::string::npos;  // where a message begins that has not ended
    bool has_failed_ = false;
};

/// What the stream means, however it is cut.
std::string meaning(const std::string& bytes, std::optional<deflate_parameters> deflate = {}) {
    const std::string whole = decoded_stream(deflate).take(bytes).words();
    for (std::size_t step = 1; step <= 20 && step < bytes.size(); ++step) {
        EXPECT_EQ(decoded_stream(deflate).take_by(bytes, step).words(), whole) << "in pieces of " << step;
        EXPECT_EQ(decoded_stream(deflate).gather_pieces().take_by(bytes, step).words(), whole)
            << "gathered in pieces of " << step;
    }
    for (std::size_t cut = 0; cut <= std::min<std::size_t>(bytes.size(), 200); ++cut)
        EXPECT_EQ(decoded_stream(deflate).take(bytes.substr(0, cut)).take(bytes.substr(cut)).words(), whole)
            << "cut at " << cut;
    EXPECT_EQ(decoded_stream(deflate).gather_pieces().take(bytes).words(), whole);
    return whole;
}

// The numbers are those of the Autobahn test suite.

TEST(frames, carry_messages_of_each_size_1) {
    for (const std::size_t size : {0, 1, 125, 126, 127, 128, 1000}) {
        const std::string payload(size, '*');
        EXPECT_EQ(meaning(sent_frame(text, payload).bytes()), "text " + payload + "; ");
        EXPECT_EQ(meaning(sent_frame(binary, payload).bytes()), "binary " + payload + "; ");
    }
}

TEST(frames, of_control_may_come_anywhere_2) {
    EXPECT_EQ(meaning(sent_frame(ping, "").bytes() + sent_frame(ping, std::string(125, 'p')).bytes()),
              "ping ; ping " + std::string(125, 'p') + "; ");
    EXPECT_EQ(meaning(sent_frame(text, "a").more().bytes() + sent_frame(ping, "x").bytes() +
                      sent_frame(continuation, "b").more().bytes() + sent_frame(pong, "y").bytes() +
                      sent_frame(continuation, "c").bytes()),
              "text aping x; bpong y; c; ");
    EXPECT_EQ(meaning(sent_frame(ping, std::string("\0\xff\xfe", 3)).bytes()),
              std::string("ping \0\xff\xfe; ", 10));
    EXPECT_EQ(meaning(sent_frame(ping, std::string(126, 'p')).bytes()), "error 1002");
}

TEST(frames, with_reserved_bits_or_opcodes_are_errors_3_4) {
    for (const unsigned bits : {0x10U, 0x20U, 0x30U, 0x40U, 0x50U, 0x60U, 0x70U}) {
        EXPECT_EQ(meaning(sent_frame(text, "a").bytes() + sent_frame(text, "b").flip(bits).bytes()),
                  "text a; error 1002");
        EXPECT_EQ(meaning(sent_frame(ping, "b").flip(bits)), "error 1002");
    }
    for (const unsigned code : {3U, 4U, 5U, 6U, 7U, 11U, 12U, 13U, 14U, 15U})
        EXPECT_EQ(meaning(sent_frame(static_cast<websocket_opcode>(code), "")), "error 1002");
}

TEST(frames, make_up_fragmented_messages_5) {
    EXPECT_EQ(meaning(sent_frame(text, "frag").more().bytes() + sent_frame(continuation, "").more().bytes() +
                      sent_frame(continuation, "ment").bytes()),
              "text fragment; ");
    EXPECT_EQ(meaning(sent_frame(text, "").more().bytes() + sent_frame(continuation, "").more().bytes() +
                      sent_frame(continuation, "").bytes()),
              "text ; ");
    EXPECT_EQ(meaning(sent_frame(ping, "a").more()), "error 1002");
    EXPECT_EQ(meaning(sent_frame(pong, "a").more()), "error 1002");
    EXPECT_EQ(meaning(sent_frame(continuation, "a")), "error 1002");
    EXPECT_EQ(meaning(sent_frame(continuation, "a").more()), "error 1002");
    EXPECT_EQ(meaning(sent_frame(text, "a").bytes() + sent_frame(continuation, "b").bytes()),
              "text a; error 1002");
    EXPECT_EQ(meaning(sent_frame(text, "a").more().bytes() + sent_frame(text, "b").bytes()), "error 1002");
}

TEST(texts, are_utf8_wherever_frames_cut_them_6) {
    const std::string_view greek = "\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5";
    for (std::size_t cut = 0; cut <= greek.size(); ++cut)
        EXPECT_EQ(meaning(sent_frame(text, greek.substr(0, cut)).more().bytes() +
                          sent_frame(continuation, greek.substr(cut)).bytes()),
                  "text " + std::string(greek) + "; ");
    std::string single;
    for (std::size_t at = 0; at < greek.size(); ++at)
        single +=
            (at == 0 ? sent_frame(text, greek.substr(0, 1)) : sent_frame(continuation, greek.substr(at, 1)))
                .more()
                .bytes();
    EXPECT_EQ(meaning(single + sent_frame(continuation, "").bytes()), "text " + std::string(greek) + "; ");
}

TEST(texts, that_are_not_utf8_are_errors_6) {
    EXPECT_EQ(meaning(sent_frame(text, "\xed\xa0\x80")).substr(0, 10), "error 1007");
    EXPECT_EQ(decoded_stream().take(sent_frame(text, "cut \xce")).words(), "error 1007");
    EXPECT_EQ(decoded_stream().take(sent_frame(binary, "\xce")).words(), "binary \xce; ");
    // Refused by the first wrong byte, before its frame has ended (6.4.3).
    const std::string frame = sent_frame(text, std::string("good \xf4\x90") + std::string(50, 'x'));
    decoded_stream stream;
    EXPECT_EQ(stream.take(frame.substr(0, 12)).words(), "text good \xf4");
    EXPECT_EQ(stream.take(frame.substr(12, 1)).words(), "error 1007");
}

TEST(closes, have_a_code_and_a_reason_or_nothing_7) {
    EXPECT_EQ(meaning(sent_frame(close, "")), "close 1005 ; ");
    EXPECT_EQ(meaning(sent_frame(close, "\x03")), "error 1002");
    EXPECT_EQ(meaning(sent_frame(close, close_payload(1000))), "close 1000 ; ");
    EXPECT_EQ(meaning(sent_frame(close, close_payload(1000, std::string(123, 'r')))),
              "close 1000 " + std::string(123, 'r') + "; ");
    EXPECT_EQ(meaning(sent_frame(close, close_payload(1000, "\xce"))), "error 1007");
    for (const unsigned code : {1000U, 1001U, 1002U, 1003U, 1007U, 1011U, 1014U, 3000U, 3999U, 4000U, 4999U})
        EXPECT_EQ(meaning(sent_frame(close, close_payload(code))), "close " + std::to_string(code) + " ; ");
    for (const unsigned code :
         {0U, 999U, 1004U, 1005U, 1006U, 1015U, 1016U, 1100U, 2000U, 2999U, 5000U, 65535U})
        EXPECT_EQ(meaning(sent_frame(close, close_payload(code))), "error 1002") << code;
}

TEST(messages, beyond_the_limit_are_errors_as_soon_as_they_say_so_9) {
    EXPECT_EQ(
        decoded_stream().take(sent_frame(binary, std::string(limit + 1, 'x')).bytes().substr(0, 8)).words(),
        "error 1009");
    EXPECT_EQ(decoded_stream()
                  .take(sent_frame(binary, std::string(limit, 'x')).more())
                  .take(sent_frame(continuation, "y"))
                  .words(),
              "error 1009");
    std::string huge = sent_frame(binary, std::string(70'000, 'x'));
    for (std::size_t at = 2; at < 10; ++at)
        huge[at] = static_cast<char>(at == 2 ? 0x7f : 0xff);
    EXPECT_EQ(decoded_stream().take(huge.substr(0, 14)).words(), "error 1009");
}

TEST(frames, are_masked_by_clients_only) {
    EXPECT_EQ(meaning(sent_frame(text, "a").unmasked()), "error 1002");
    EXPECT_EQ(decoded_stream({}, websocket_role::client).take(sent_frame(text, "a")).words(), "error 1002");
    EXPECT_EQ(decoded_stream({}, websocket_role::client).take(sent_frame(text, "a").unmasked()).words(),
              "text a; ");
}

// RFC 7692 section 7.2.3.

TEST(compressed_messages, are_those_of_the_examples_of_rfc_7692) {
    const deflate_parameters agreed;
    const std::string hello("\xf2\x48\xcd\xc9\xc9\x07\x00", 7);
    EXPECT_EQ(meaning(sent_frame(text, hello).compressed(), agreed), "text Hello; ");
    EXPECT_EQ(meaning(sent_frame(text, hello.substr(0, 3)).compressed().more().bytes() +
                          sent_frame(continuation, hello.substr(3)).bytes(),
                      agreed),
              "text Hello; ");
    // The window is kept: the second message refers to the first.
    EXPECT_EQ(meaning(sent_frame(text, hello).compressed().bytes() +
                          sent_frame(text, std::string("\xf2\x00\x11\x00\x00", 5)).compressed().bytes(),
                      agreed),
              "text Hello; text Hello; ");
    // A block without compression.
    EXPECT_EQ(
        meaning(
            sent_frame(text, std::string("\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00", 11)).compressed(),
            agreed),
        "text Hello; ");
    // A block that says that it is the last.
    EXPECT_EQ(
        meaning(sent_frame(text, std::string("\xf3\x48\xcd\xc9\xc9\x07\x00\x00", 8)).compressed(), agreed),
        "text Hello; ");
    // Two blocks.
    EXPECT_EQ(
        meaning(sent_frame(text, std::string("\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00", 13))
                    .compressed(),
                agreed),
        "text Hello; ");
    EXPECT_EQ(meaning(sent_frame(text, std::string("\0", 1)).compressed(), agreed), "text ; ");
    EXPECT_EQ(
        meaning(sent_frame(text, "plain").bytes() + sent_frame(text, hello).compressed().bytes(), agreed),
        "text plain; text Hello; ");
}

TEST(compressed_messages, forget_those_before_where_that_was_agreed) {
    const auto forgets = deflate_parameters().client_no_context_takeover(true);
    const std::string hello("\xf2\x48\xcd\xc9\xc9\x07\x00", 7);
    EXPECT_EQ(meaning(sent_frame(text, hello).compressed().bytes() +
                          sent_frame(text, std::string("\xf2\x00\x11\x00\x00", 5)).compressed().bytes(),
                      forgets),
              "text Hello; error 1002");
}

TEST(compressed_messages, that_are_wrong_are_errors) {
    const deflate_parameters agreed;
    EXPECT_EQ(meaning(sent_frame(text, "\xff\xff\xff").compressed(), agreed), "error 1002");
    EXPECT_EQ(
        meaning(sent_frame(text, std::string("\xca\xfe\xba\xbe\x00", 5)).compressed(), agreed).substr(0, 5),
        "error");
    EXPECT_EQ(meaning(sent_frame(text, "a").compressed()), "error 1002");
    const std::string hello("\xf2\x48\xcd\xc9\xc9\x07\x00", 7);
    EXPECT_EQ(decoded_stream(agreed)
                  .take(sent_frame(text, hello).compressed().more())
                  .take(sent_frame(continuation, hello).compressed())
                  .words(),
              "error 1002");
    std::string many_ends;
    for (int count = 0; count < 100; ++count)
        many_ends += std::string("\x03\x00", 2);
    EXPECT_EQ(meaning(sent_frame(text, many_ends).compressed(), agreed), "error 1002");
}

TEST(compressed_messages, that_are_wrong_twice_give_the_first_error_however_they_are_cut) {
    const std::string stored_byte("\x00\x01\x00\xfe\xff\xff", 6);  // no text, and uncompressed
    const std::string no_block("\x07", 1);
    for (const std::size_t step : {1UZ, 2UZ, 1000UZ}) {
        const auto error_of = [&](const std::string& deflated) {
            return decoded_stream(deflate_parameters())
                .take_by(sent_frame(text, deflated).compressed().bytes(), step)
                .words();
        };
        EXPECT_EQ(error_of(stored_byte + no_block), "error 1007");
        EXPECT_EQ(error_of(no_block + stored_byte), "error 1002");
    }
}

}  // namespace
}  // namespace eddy::http::message_decoder_test
