#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/http/message/http_error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>

namespace eddy::http::request_head_writer_test {
namespace {

using namespace std::string_literals;

bool is_refused(std::string_view method_name, std::string_view target, std::string_view name,
                std::string_view value) {
    std::string text;
    try {
        request_head_writer(text, method_name, target).header(name, value).finish();
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), http_error::invalid_request);
        return true;
    }
    return false;
}

TEST(request_head_writer, writes_what_the_parser_reads) {
    std::string text;
    request_head_writer(text, "POST", "/a?b")
        .header("Host", "c:1")
        .header("X", "y z")
        .content_length(7)
        .finish();
    EXPECT_EQ(text, "POST /a?b HTTP/1.1\r\nHost: c:1\r\nX: y z\r\nContent-Length: 7\r\n\r\n");
    const message_limits limits;
    request_parser parser(limits);
    EXPECT_EQ(parser.parse(text), parse_result::complete(text.size()));
    std::string chunked;
    request_head_writer(chunked, "PUT", "*").transfer_chunked().finish();
    EXPECT_EQ(chunked, "PUT * HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST(request_head_writer, cannot_be_made_to_write_two_requests) {
    EXPECT_FALSE(is_refused("GET", "/", "A", "b\t\xc3\xa9"));
    for (const std::string& value : {"a\r\nB: c"s, "a\r"s, "\n"s, "a\0b"s, "\x7f"s})
        EXPECT_TRUE(is_refused("GET", "/", "A", value)) << value;
    for (const std::string& name :
         {""s, "a b"s, "a:"s, "a\r\n"s, "a\0"s, "Content-Length"s, "transfer-ENCODING"s})
        EXPECT_TRUE(is_refused("GET", "/", name, "1")) << name;
    for (const std::string& target :
         {""s, "/ HTTP/1.1\r\nA: b"s, "/a b"s, "/\0"s, "/#a"s, "/\xc3\xa9"s, "\t"s})
        EXPECT_TRUE(is_refused("GET", target, "A", "b")) << target;
    for (const std::string& method : {""s, "G ET"s, "GET\r\n"s, "G\0T"s, "GET:"s})
        EXPECT_TRUE(is_refused(method, "/", "A", "b")) << method;
}

TEST(request_head_writer, frames_a_body_once) {
    std::string text;
    request_head_writer writer(text, "POST", "/");
    writer.content_length(1);
    EXPECT_THROW(writer.transfer_chunked(), std::system_error);
    EXPECT_THROW(writer.content_length(1), std::system_error);
}

}  // namespace
}  // namespace eddy::http::request_head_writer_test
