#include "http/conversation.hpp"

#include <gtest/gtest.h>

#include <string>

// The examples of RFC 9112, by its sections.
namespace eddy::http::test::rfc_9112_examples_test {
namespace {

/// Says what it has understood.
task<void> tell(exchange& ex) {
    const request_head request = ex.request();
    const std::string body = co_await ex.body().read_all(1000);
    std::string text = std::string(request.method_name()) + " [" + std::string(request.path()) + "] [" +
                       std::string(request.query()) + "] [" + std::string(request.authority()) + "]";
    if (!body.empty())
        text += " " + body;
    for (const auto& line : ex.body().trailers())
        text += " " + line.name() + "=" + line.value();
    co_await ex.respond(status::ok, {}, text);
}

void expect_understood(const std::string& request, std::string_view text) {
    EXPECT_EQ(conversation(&tell).hears(request), ok_with(text));
    EXPECT_EQ(conversation(&tell).hears_bytewise(request), ok_with(text));
}

TEST(rfc_9112, section_3_request_line) {
    expect_understood(
        "GET /hello.txt HTTP/1.1\r\nUser-Agent: curl/7.64.1\r\nHost: www.example.com\r\n"
        "Accept-Language: en, mi\r\n\r\n",
        "GET [/hello.txt] [] [www.example.com]");
}

TEST(rfc_9112, section_3_2_1_origin_form) {
    expect_understood("GET /where?q=now HTTP/1.1\r\nHost: www.example.org\r\n\r\n",
                      "GET [/where] [q=now] [www.example.org]");
}

TEST(rfc_9112, section_3_2_2_absolute_form) {
    expect_understood("GET http://www.example.org/pub/WWW/TheProject.html HTTP/1.1\r\nHost: other\r\n\r\n",
                      "GET [/pub/WWW/TheProject.html] [] [www.example.org]");
}

TEST(rfc_9112, section_3_2_3_authority_form) {
    // A success switches to a tunnel, so that the response has no framing (RFC 9110 section 9.3.6).
    const std::string request = "CONNECT www.example.com:80 HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
    const std::string response =
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nCONNECT [] [] [www.example.com:80]";
    EXPECT_EQ(conversation(&tell).hears(request), response);
    EXPECT_EQ(conversation(&tell).hears_bytewise(request), response);
}

TEST(rfc_9112, section_3_2_4_asterisk_form) {
    expect_understood("OPTIONS * HTTP/1.1\r\nHost: www.example.org:8001\r\n\r\n",
                      "OPTIONS [] [] [www.example.org:8001]");
}

TEST(rfc_9112, section_5_1_white_space_before_the_colon_is_refused) {
    EXPECT_TRUE(conversation(&tell).hears("GET / HTTP/1.1\r\nHost : h\r\n\r\n").starts_with("HTTP/1.1 400 "));
}

TEST(rfc_9112, section_6_1_a_coding_that_is_not_known_is_501_and_a_length_beside_one_is_400) {
    EXPECT_TRUE(conversation(&tell)
                    .hears("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")
                    .starts_with("HTTP/1.1 501 "));
    EXPECT_TRUE(
        conversation(&tell)
            .hears("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n")
            .starts_with("HTTP/1.1 400 "));
}

TEST(rfc_9112, section_6_2_content_length) {
    expect_understood("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
                      "POST [/] [] [h] hello");
}

TEST(rfc_9112, section_7_1_chunks_extensions_and_trailers) {
    expect_understood(
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTrailer: Expires\r\n\r\n"
        "7;name=value;other=\"quoted \\\" text\"\r\nMozilla\r\n11\r\nDeveloper Network\r\n"
        "0\r\nExpires: never\r\n\r\n",
        "POST [/] [] [h] MozillaDeveloper Network Expires=never");
}

TEST(rfc_9112, section_9_3_pipelined_requests_are_answered_in_order) {
    EXPECT_EQ(
        conversation(&tell).hears("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"),
        ok_with("GET [/1] [] [h]") + ok_with("GET [/2] [] [h]"));
}

TEST(rfc_9112, section_9_6_nothing_is_answered_behind_close) {
    EXPECT_EQ(conversation(&tell).hears("GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                                        "GET /2 HTTP/1.1\r\nHost: h\r\n\r\n"),
              "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 15\r\n\r\nGET [/1] [] [h]");
}

TEST(rfc_9112, section_2_2_an_empty_line_before_a_request_is_passed_over) {
    expect_understood("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET [/] [] [h]");
}

}  // namespace
}  // namespace eddy::http::test::rfc_9112_examples_test
