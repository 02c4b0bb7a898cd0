#include "rpc/message_parser.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/rpc/status.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::rpc::message_parser_test {
namespace {

std::string framed(const std::string& message, char flag = '\0') {
    const auto size = message.size();
    std::string frame = {flag, static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                         static_cast<char>(size >> 8), static_cast<char>(size)};
    return frame + message;
}

// Puts so many bytes at a time.
std::vector<std::string> messages_of(message_parser& parser, std::string_view text, std::size_t piece) {
    std::vector<std::string> found;
    while (!text.empty()) {
        const std::span<std::byte> room = parser.room();
        const std::size_t count = std::min({piece, room.size(), text.size()});
        std::ranges::copy(as_bytes(text.substr(0, count)), room.begin());
        parser.add(count);
        text.remove_prefix(count);
        while (const auto frame = parser.next())
            found.emplace_back(as_text(frame->message()));
    }
    return found;
}

TEST(rpc_message_parser, finds_messages_wherever_they_are_cut) {
    std::vector<std::string> expected;
    std::string body;
    for (const std::size_t size : {0U, 1U, 5U, 4090U, 4091U, 4092U, 9000U, 0U, 100'000U, 3U}) {
        expected.emplace_back(size, static_cast<char>('a' + expected.size()));
        body += framed(expected.back());
    }
    for (const std::size_t piece : {1U, 2U, 3U, 5U, 7U, 1000U, 4096U, 1'000'000U}) {
        message_parser parser(200'000);
        EXPECT_EQ(expected, messages_of(parser, body, piece)) << piece;
        EXPECT_FALSE(parser.is_within_frame());
    }
}

TEST(rpc_message_parser, knows_whether_a_message_is_compressed) {
    message_parser parser(100);
    std::ranges::copy(as_bytes(framed("a", '\1') + framed("b")), parser.room().begin());
    parser.add(12);
    EXPECT_TRUE(parser.next()->is_compressed());
    EXPECT_FALSE(parser.next()->is_compressed());
}

TEST(rpc_message_parser, knows_where_a_body_may_not_end) {
    message_parser parser(100);
    static_cast<void>(messages_of(parser, framed("abc").substr(0, 7), 100));
    EXPECT_TRUE(parser.is_within_frame());
    static_cast<void>(messages_of(parser, "c", 100));
    EXPECT_FALSE(parser.is_within_frame());
    static_cast<void>(messages_of(parser, std::string(1, '\0'), 100));
    EXPECT_TRUE(parser.is_within_frame());
}

std::optional<status_code> failure_of(std::string_view body) {
    message_parser parser(100);
    try {
        static_cast<void>(messages_of(parser, body, 1000));
    } catch (const error& failed) {
        return failed.code();
    }
    return std::nullopt;
}

TEST(rpc_message_parser, refuses_what_is_malformed_or_too_large) {
    EXPECT_EQ(status_code::internal, failure_of(framed("a", '\2')));
    EXPECT_EQ(status_code::internal, failure_of(framed("a", '\xff')));
    EXPECT_EQ(std::nullopt, failure_of(framed(std::string(100, 'x'))));
    EXPECT_EQ(status_code::resource_exhausted, failure_of(framed(std::string(101, 'x'))));
    EXPECT_EQ(status_code::resource_exhausted, failure_of(std::string_view("\0\xff\xff\xff\xff", 5)));
}

TEST(rpc_message_parser, holds_no_memory_for_what_is_only_announced) {
    message_parser parser(std::size_t{1} << 30);
    static_cast<void>(messages_of(parser, std::string_view("\0\x3f\xff\xff\xff", 5), 5));
    EXPECT_GE(5000U, parser.room().size());
    static_cast<void>(messages_of(parser, std::string(8000, 'x'), 8000));
    EXPECT_GE(10'000U, parser.room().size());
}

}  // namespace
}  // namespace eddy::rpc::message_parser_test
