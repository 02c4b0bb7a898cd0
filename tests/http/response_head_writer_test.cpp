#include <eddy/http/codec/detail/response_head_writer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace eddy::http::response_head_writer_test {
namespace {

using namespace std::string_literals;

TEST(response_head_writer, writes_a_whole_head) {
    std::array<char, 256> buffer;
    const auto head = response_head_writer(buffer, status::ok)
                          .date("Sun, 06 Nov 1994 08:49:37 GMT")
                          .header("Content-Type", "text/plain")
                          .content_length(1024)
                          .connection_keep_alive()
                          .finish();
    EXPECT_EQ(head.value(),
              "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r\n"
              "Content-Length: 1024\r\nConnection: keep-alive\r\n\r\n");
}

TEST(response_head_writer, writes_any_status) {
    std::array<char, 64> buffer;
    EXPECT_EQ(response_head_writer(buffer, status::not_found).finish().value(),
              "HTTP/1.1 404 Not Found\r\n\r\n");
    EXPECT_EQ(response_head_writer(buffer, status::continue_request).finish().value(),
              "HTTP/1.1 100 Continue\r\n\r\n");
    EXPECT_EQ(response_head_writer(buffer, static_cast<status>(599)).finish().value(),
              "HTTP/1.1 599 \r\n\r\n");
}

TEST(response_head_writer, a_value_can_never_split_the_response) {
    for (const std::string& value :
         {"a\r\nSet-Cookie: b"s, "a\r"s, "\na"s, "a\0b"s, "a\x7f"s, "\x1b[0m"s, "0123456789abcdef\r\n"s}) {
        std::array<char, 256> buffer;
        const auto head = response_head_writer(buffer, status::ok).header("Location", value).finish();
        ASSERT_FALSE(head);
        EXPECT_EQ(head.error(), write_error::invalid_field);
    }
    for (const std::string& name : {""s, "A B"s, "A:"s, "A\r\nB"s, "A\0"s, "\xc3\xa9"s}) {
        std::array<char, 256> buffer;
        EXPECT_EQ(response_head_writer(buffer, status::ok).header(name, "b").finish().error(),
                  write_error::invalid_field);
    }
    std::array<char, 256> buffer;
    EXPECT_TRUE(response_head_writer(buffer, status::ok).header("A", "\xc3\xa9\tb").header("B", "").finish());
}

TEST(response_head_writer, a_literal_field_is_checked_when_it_is_compiled) {
    static constexpr response_field kind = response_field::literal("Content-Type", "text/plain");
    std::array<char, 128> buffer;
    const std::array<response_field, 2> fields = {kind, response_field("X-Other", "a")};
    EXPECT_EQ(response_head_writer(buffer, status::ok).fields(fields).finish().value(),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Other: a\r\n\r\n");
    const std::array<response_field, 2> bad = {kind, response_field("X-Other", "a\nb")};
    EXPECT_EQ(response_head_writer(buffer, status::ok).fields(bad).finish().error(),
              write_error::invalid_field);
}

TEST(response_head_writer, says_when_the_buffer_is_too_small_and_stays_inside_it) {
    const std::string expected =
        "HTTP/1.1 206 Partial Content\r\nA: b\r\nContent-Length: 18446744073709551615\r\n\r\n";
    for (std::size_t size = 0; size <= expected.size(); ++size) {
        std::vector<char> buffer(size);  // its end is watched by the address sanitizer
        const auto head = response_head_writer(buffer, status::partial_content)
                              .header("A", "b")
                              .content_length(UINT64_MAX)
                              .finish();
        if (size < expected.size()) {
            ASSERT_FALSE(head);
            EXPECT_EQ(head.error(), write_error::no_space);
        } else {
            EXPECT_EQ(head.value(), expected);
        }
    }
}

TEST(response_head_writer, after_an_error_it_writes_nothing_more) {
    std::array<char, 32> buffer;
    response_head_writer writer(buffer, status::ok);
    writer.header("Long", std::string(100, 'x')).header("A", "b");
    EXPECT_EQ(writer.error(), write_error::no_space);
    EXPECT_EQ(writer.finish().error(), write_error::no_space);
}

TEST(response_head_writer, framing_stands_only_where_it_may_and_once) {
    std::array<char, 256> buffer;
    EXPECT_EQ(response_head_writer(buffer, status::no_content).content_length(0).finish().error(),
              write_error::misplaced);
    EXPECT_EQ(response_head_writer(buffer, status::continue_request).transfer_chunked().finish().error(),
              write_error::misplaced);
    EXPECT_EQ(response_head_writer(buffer, status::ok).transfer_chunked().content_length(1).finish().error(),
              write_error::misplaced);
    EXPECT_TRUE(response_head_writer(buffer, status::not_modified).content_length(7).finish());
    EXPECT_EQ(response_head_writer(buffer, status::ok).transfer_chunked().connection_close().finish().value(),
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
}

}  // namespace
}  // namespace eddy::http::response_head_writer_test
